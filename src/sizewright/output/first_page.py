"""The first page of a report on a plan, and its first screen: request, headroom, parts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import partial
from typing import Any, NamedTuple

from sizewright.configuration.model import SYSTEM
from sizewright.demand.build import horizon, yearly_growth
from sizewright.demand.model import Demand, ServiceDemand
from sizewright.errors import counted, enumerated, plural
from sizewright.evaluate.budgets import ROOM, Budget
from sizewright.guide.model import UNKNOWN
from sizewright.load.backup import backup_on
from sizewright.output.bill_of_materials import OrderLine, order_rows
from sizewright.output.brevity import SCREENS, WHOLE, Brevity
from sizewright.output.budgets import add_growth, drives_of
from sizewright.output.document import Document, Table, make_table
from sizewright.output.layout import FULL_TOLD, NEARLY_FULL, SCREEN_LINES
from sizewright.output.media import chosen_media, chosen_systems, why_medium
from sizewright.output.memory_reasons import why_memory
from sizewright.output.names import (
    Names,
    fullest,
    group,
    model_name,
    natural,
    row_name,
    words,
)
from sizewright.output.prices import Cost
from sizewright.output.render import PLAIN, Style, render_text
from sizewright.output.reports import PlanReport
from sizewright.output.summary import add_head, add_omissions, add_summary, by_system
from sizewright.output.systems import UNLIKE_UNTRIED, joins_unlike_disks
from sizewright.output.trays import is_of_other_vendor, older_disks, trays_of
from sizewright.output.wording import (
    bar,
    code,
    headroom,
    money,
    quantity,
    span,
    with_likely,
)
from sizewright.planner.parts import platforms_on_offer
from sizewright.planner.plan import Plan
from sizewright.quantity import Quantity, leaves, total
from sizewright.setup.installation import lacks_system_disk
from sizewright.workload.not_counted import NO_BACKUPS

_KINDS = {"nfs": "file service (NFS)"}
# What users and lines of a service are called.
_COUNTED = {"timesharing": ("sessions", "lines"), "print": ("clients", "printers")}


class Headroom(NamedTuple):
    """The fullest resource of each kind of all systems: loads first, each with the fullest first.

    Of more than `most`, the others are only counted, but those that are nearly full.
    """

    named: Mapping[str, Names]
    budgets: tuple[Budget, ...]
    most: int | None = None

    def lines(self) -> list[tuple[str, float, float, str]]:
        """Return for each kind with a limit its label, its likely and worst share, its verdict."""
        found = fullest(
            self.budgets, lambda each: each.kind, lambda each: each.share_of_limit("high")
        )
        found.sort(key=lambda pair: (pair[1].kind in ROOM, -pair[0]))
        return [
            (
                (f"{each.system}: " if len(self.named) > 1 else "")
                + self.named[each.system].budget(each),
                each.share_of_limit("likely") or 0, share, each.verdict,
            )
            for share, each in found
        ]  # fmt: skip

    @property
    def table(self) -> Table:
        """Return the lines as a table, with a bar for the worst case of each."""
        lines = self.lines()
        rows = [
            (label, bar(worst), headroom(likely), headroom(worst))
            for n, (label, likely, worst, _) in enumerate(lines)
            if self.most is None or n < self.most or worst > NEARLY_FULL
        ]
        left = len(lines) - len(rows)
        if left:
            rows.append((f"{counted(left, 'more kind', 'more kinds')} of resource", "", "", ""))
        return make_table("fullest of each kind | use | >free, likely | >free, worst case", rows)


def add_headroom(document: Document, report: PlanReport, brevity: Brevity = WHOLE) -> None:
    """Add how full the fullest resource of each kind is, and until when growth fits."""
    found = Headroom(report.named, report.budgets, brevity.kinds)
    if found.most == 0:
        _say_headroom(document, report, found, brevity.terse)
    elif found.lines():
        document.heading("Headroom (share of each limit that is free)")
        document.put(found)
        document.gap()
    if report.growth and (report.plan.holds or not brevity.terse):
        add_growth(document, report, brevity.terse)


def _say_headroom(document: Document, report: PlanReport, found: Headroom, terse: bool) -> None:
    """Add how full the fullest resource is; of one over its limit the summary says it.

    What else is nearly full is named too, but not in the shortest form.
    """
    lines = found.lines()
    if not lines:
        return
    label, likely, worst, _ = lines[0]
    if worst > 1 or not report.plan.holds:
        return
    fullest, left = report.determinant, len(lines) - 1
    name = "the bottleneck" if fullest is not None and fullest.share == worst else label
    more = f"; {counted(left, 'more kind', 'more kinds')} of resource" if left else ""
    free = f"{headroom(likely)} free, worst case {headroom(worst)}"
    full = [label for label, _, share, _ in lines[1:] if share > NEARLY_FULL]
    if full and not terse:
        others = len(full) - FULL_TOLD
        told = [*full[:FULL_TOLD], *([f"{others} more"] if others > 0 else [])]
        more = f"; nearly full: {enumerated(told)}{more}"
    document.say(f"Headroom: {name} is {free}{more}.")


def add_request(document: Document, report: PlanReport) -> None:
    """Add what was asked for: services with their load, data, growth, and wishes."""
    demand = report.plan.demand
    document.heading("What was asked for")
    rows = [
        (each.name, _KINDS.get(each.kind) or words(each.kind), _load(demand, each))
        for each in sorted(demand.services, key=lambda each: natural(each.name))
    ]
    document.table("service | kind | load", rows)
    for text in _wishes(demand):
        document.item(text)


def _load(demand: Demand, service: ServiceDemand) -> str:
    """Return who uses a service, and its load, as far as they are stated."""

    def own(items: Iterable[Any]) -> list[Any]:
        return [each for each in items if each.service == service.name]

    streams = own(demand.streams)
    users = service.users or _sum(each.clients for each in streams)
    what, lines = _COUNTED.get(service.kind, ("clients", "lines"))
    counts = {what: users, lines: _sum(each.number for each in own(demand.lines))}
    busy = _sum(each.processors for each in own(demand.user) if each.processors)
    loads = {
        " of NFS": _sum(each.ops for each in streams),
        " on disks": _sum(each.ops for each in own(demand.operations) if each.ops),
        " on networks": _sum(each.kb_per_s for each in own(demand.traffic)),
        f" {plural(1 if busy and busy.high == busy.low == 1 else 0, 'processor')} busy": busy,
    }
    return ", ".join([
        *(f"{number} {what[:-1] if number == '1' else what}" for what, each in counts.items()
          if each and (number := span(each)) != "0"),
        *(f"{with_likely(each)}{what}" for what, each in loads.items() if each and each.high),
    ])  # fmt: skip


def _sum(figures: Iterable[Quantity]) -> Quantity | None:
    found = list(figures)
    return total(found, found[0].unit) if found else None


def _wishes(demand: Demand) -> Iterator[str]:
    stated = [volume for volume in demand.volumes if not volume.added]
    stored = _sum(volume.size_mb for volume in stated)
    if stored is not None:
        mirrored = [volume.name for volume in stated if volume.protection != "none"]
        also = f"; mirrored: {enumerated(mirrored)}" if mirrored else ""
        cached = [(v.name, v.cached_mb) for v in stated if v.cached_mb and v.cached_mb.high]
        kept = [f"{quantity(size)} of {name}" for name, size in cached]
        also += f"; kept in memory: {enumerated(kept)}" if kept else ""
        volumes = counted(len(stated), "volume")
        yield f"Data: {quantity(stored)} in {volumes}{also}."
    years, growth = horizon(demand), yearly_growth(demand)
    if years is not None:
        data = _sum(
            leaf for volume in stated for leaf in leaves(volume.size_mb) if leaf.unit == "MB/year"
        )
        rates = [f"{quantity(growth)} a year"] if growth and (growth.high or not data) else []
        rates += [f"{quantity(data)} of data"] if data else []
        for_years = f"{enumerated(rates)} for" if rates else "for"
        yield f"Growth: {for_years} {quantity(years)}; it is included in the plan."
    elif growth is not None:
        yield f"Growth: {quantity(growth)} once; it is included in all loads."
    if demand.survives:
        yield f"Availability: the failure of any one {enumerated(demand.survives, 'or')}."
    for each in demand.services:
        if each.back_within_s is not None:
            time = quantity(each.back_within_s)
            yield f"{each.name}: runs again within {time} of a failure (not calculated)."
    if demand.backup.window is not None:
        yield f"Backup: a full one within {quantity(demand.backup.window)}."


def add_parts(document: Document, report: PlanReport, whole: Plan | None = None) -> None:
    """Add the parts of all systems, each once with its quantity; nothing if no parts are known.

    A system that is part of a `whole` plan may have to run what the other one runs.
    """
    if not report.bill:
        return
    document.heading("What to order" if report.plan.chosen else "Parts of the closest alternative")
    alike = group(report.bill, lambda line: (line.table, line.row, line.name)).values()
    lines = [
        same[0]._replace(
            quantity=sum(line.quantity for line in same), kept=sum(line.kept for line in same),
            purpose=_purposes(line.purpose for line in same),
            two_ports=sum(line.two_ports for line in same),
        )
        for same in alike
    ]  # fmt: skip
    if report.cost is None:
        document.table(">qty | part | for", order_rows(lines))
    else:
        _add_prices(document, report.cost, lines)
    if NO_BACKUPS in report.not_counted:
        document.note(f"Backups are not planned: the workload states no {code('backup')}.")
    if report.plan.chosen:
        asked, guide = report.plan.demand, report.guide
        if whole is not None and SYSTEM in whole.demand.survives:
            asked = whole.demand
        products = asked.databases
        managers = sorted(row_name(guide, "database-systems", each) for each in products)
        without = (*managers, "cables", "terminators", "a power supply for outages")
        document.note(f"Not in this order: {enumerated(without)}.")
        for drives in _drives_elsewhere(report):
            document.note(drives)
    _add_mountings(document, report)
    if joining := joins_unlike_disks(report.plan):
        document.note(
            f"{UNLIKE_UNTRIED} {enumerated(joining)} can join such disks, so that fewer new ones "
            "may be enough."
        )
    if machines := _with_two_ports(report.plan):
        document.note(
            "Data that both systems of a pair reach is on disks with two ports, which only "
            f"{enumerated(machines, 'or')} attaches. Other disks are each system's own, also if "
            "their numbers are the same."
        )
    if _has_no_system_disk(report.plan):
        document.note(
            "No disk for the operating system is planned, because the workload states "
            f"{code('wishes.system_elsewhere')}. It needs a place on a channel; "
            "new SCSI disks leave the first target of a disk there free."
        )
    for name, medium, clients in chosen_media(report.plan):
        document.note(
            f"The plan chooses {medium} for network {name}{why_medium(report, name)}. "
            f"The machines of its {quantity(clients)} need interfaces for it; these are not in "
            "this order."
        )
    for systems, text in by_system(report, partial(why_memory, whole=report.plan)):
        of = f" of {systems}" if systems else ""
        document.note(f"The memory{of} is for {text}")
    if report.advice and report.advice.parts:
        document.note(report.advice.parts)
    offers = [(o.name, o.cost.text, ", ".join(o.cost.unpriced)) for o in report.offers]
    if len(offers) > 1:
        document.heading("Price of each machine that passes")
        document.table("machine | price | without a price", offers)


def _drives_elsewhere(report: PlanReport) -> Iterator[str]:
    """Yield which drives of another system have to be free for backups."""
    for judged in report.systems:
        run = backup_on(judged.load, judged.system, report.guide)
        if run is not None and run.asked.over and run.drives:
            drives = enumerated(drives_of(run, report.guide))
            hours = f" for {quantity(run.full_hours)}" if run.full_hours is not None else ""
            yield (
                f"A full backup needs {drives} of another system over network {run.asked.over}, "
                f"all at once{hours}."
            )


def _add_mountings(document: Document, report: PlanReport) -> None:
    """Add what the disks are mounted in, as far as it is known."""
    if loose := _without_housing(report):
        document.note(
            f"No housings for disks of interface {enumerated(loose)}: the guide does not state how "
            "many a machine or a cabinet holds."
        )
    for systems, trays in by_system(report, _trays):
        of, each = (f" of {systems}", " each" * (" and " in systems)) if systems else ("", "")
        document.note(
            f"The disks{of} are in at least {trays}{each}, one for each controller with own disks; "
            "the guide does not state how many a tray holds."
        )
    planned = [judged.system for judged in report.systems]
    if any(is_of_other_vendor(d, report.guide) for each in planned for d in each.devices()):
        document.note("What disks of other vendors are mounted in is not in this order.")
    if older := frozenset[str]().union(*(older_disks(report.guide, each) for each in planned)):
        names = enumerated(sorted(model_name(report.guide, "disks", each) for each in older))
        document.note(f"Old disks ({names}) need no tray: they are in what they came in.")


def _trays(part: PlanReport) -> str:
    """Return the trays of a system, one for each controller that it has; empty if it needs none."""
    if part.plan.chosen is None:
        return ""
    number = sum(trays_of(part.guide, part.plan.chosen.system).values())
    return counted(number, "tray") if number else ""


def _has_no_system_disk(plan: Plan) -> bool:
    """Whether a system's own disk is needed that the workload says to be elsewhere."""
    runs = plan.guide.defaults.get("operating_system", UNKNOWN)
    uses = [volume.use for volume in plan.demand.volumes]
    return plan.chosen is not None and lacks_system_disk(uses, runs, plan.guide)


def _with_two_ports(plan: Plan) -> list[str]:
    """Return the machines that attach disks with two ports, if a plan has such disks."""
    if not any(disk.dual_ported for system in chosen_systems(plan) for disk in system.disks()):
        return []
    rows = platforms_on_offer(plan.guide)
    return [row.text("name") for row in rows if row.flag("dual_port_disks")]


def _without_housing(report: PlanReport) -> list[str]:
    """Return the interfaces of disks to order for which a guide with trays states no room."""
    guide = report.plan.guide
    trays = guide.table("trays").rows.values()
    housed = {t.text("interface") for t in trays if t.cell("controllers_without_expansion_cabinet")}
    disks = (line for line in report.bill if line.table == "disks")
    ordered = {guide.row(line.table, line.row).text("interface") for line in disks}
    return sorted(name.upper() for name in ordered - housed) if housed else []


def _purposes(purposes: Iterable[str]) -> str:
    """Return each purpose of the parts of a model once, and none that is a part of another."""
    texts = (text for purpose in purposes for text in purpose.split("; ") if text)
    lists = {text: set(text.split(", ")) for text in texts}
    kept = (text for text, own in lists.items() if not any(own < each for each in lists.values()))
    return "; ".join(kept)


def _add_prices(document: Document, cost: Cost, lines: Iterable[OrderLine]) -> None:
    purposes = {line.name: line.used_for for line in lines}
    rows = []
    for (name, each), alike in group(cost.lines, lambda line: (line.name, line.each)).items():
        number = sum(line.quantity for line in alike)
        prices = ("no price", "") if each is None else (money(each), money(number * each))
        rows.append((money(number), name, purposes.get(name, ""), *prices))
    rows.append(("", cost.total_name, "", "", money(cost.total)))
    document.table(f">qty | part | for | >each | >{cost.currency}", rows)
    source = ", ".join(filter(None, (cost.source, cost.date)))
    document.note(f"Prices: {source or 'those of the guide'}.")
    if cost.running_per_year is not None:
        running = f"{money(cost.running_per_year)} {cost.currency} a year"
        document.note(f"Running cost, as far as it is stated: {running}.")
    if cost.unpriced:
        document.item(f"Without a price: {', '.join(cost.unpriced)}.")


def first_screen(report: PlanReport, style: Style = PLAIN) -> str:
    """Return the most important of a report, on one screen of a terminal if it fits, as text."""
    for brevity in SCREENS:
        document = Document()
        add_head(document, report)
        add_summary(document, report, brevity)
        document.gap()
        add_omissions(document, report, brevity.omissions)
        add_headroom(document, report, brevity)
        if not brevity.terse:
            document.gap()
        document.say(_more_options(report))
        text = render_text(document, style)
        if len(text.splitlines()) <= SCREEN_LINES:
            break
    return text


def _more_options(report: PlanReport) -> str:
    """Return which options print more than the first screen."""
    plan = report.plan
    in_years = horizon(plan.demand) is not None and SYSTEM not in plan.demand.survives
    if plan.holds and in_years and not report.stages:
        return "--full prints all the report, --section NAME a part, --stages what to buy when."
    return "--full prints all of the report, --section NAME a part, such as budgets."
