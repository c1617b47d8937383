"""The configuration as text: parts, networks, disks, boards, volumes, work on disks, set-up."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import groupby
from typing import TYPE_CHECKING

from sizewright.configuration.model import Board, Device, System, Volume
from sizewright.demand.model import Demand, VolumeDemand
from sizewright.demand.rates import LOG, LineDemand
from sizewright.errors import counted, enumerated, plural
from sizewright.evaluate.budgets import Budget
from sizewright.evaluate.system import Evaluation
from sizewright.formula import formula
from sizewright.load.cpu_load import processors_used
from sizewright.load.lines import lines_on_boards
from sizewright.load.model import WorkLoad
from sizewright.output.bill_of_materials import StageOrder, board_purpose
from sizewright.output.budgets import budget_words
from sizewright.output.document import Document
from sizewright.output.explain import origin
from sizewright.output.names import Names, bus_name, by_name, group, natural, row_name, words
from sizewright.output.reports import PlanReport
from sizewright.output.wording import GLUE, number, percent, quantity, span, years
from sizewright.planner.plan import Member
from sizewright.quantity import Quantity, as_quantity, leaves, total
from sizewright.setup.settings import Setting, list_settings
from sizewright.workload.volume import BACKUP_INDEX, OWN

if TYPE_CHECKING:
    from sizewright.sensitivity.thresholds import Exhaustion


def add_machine(document: Document, report: PlanReport, shown: Evaluation) -> None:
    """Add the parts of a system at their places: networks, channels, slots, volumes."""
    rows = []
    for line in report.owned:
        purpose = f" ({line.purpose})" if line.purpose else ""
        data = f"{line.with_data} with data{purpose}" if line.table == "disks" else "used"
        ports = f"{line.two_ports} to be fitted with a second port, if that is not there yet"
        said = (
            (line.with_data, data),
            (line.two_ports, ports),
            (line.without_data, f"{line.without_data} attached without data"),
            (line.unused, f"{line.unused} not used: {line.why}"),
        )
        use = "; ".join(text for number, text in said if number)
        rows.append((str(line.quantity), line.name, use))
    if rows:
        document.heading("Devices already owned (not to be ordered)")
        document.table(">qty | part | use", rows)
    _networks(document, report, shown)
    _channels(document, report, shown)
    _slots(document, report, shown)
    _volumes(document, report, shown.system)


def _budgets(shown: Evaluation, kind: str) -> dict[str, Budget]:
    return {b.name: b for b in shown.budgets if b.kind == kind}


def _networks(document: Document, report: PlanReport, shown: Evaluation) -> None:
    if not shown.system.ports:
        return
    guide, rows = report.guide, list[tuple[str, ...]]()
    for port in sorted(shown.system.ports, key=lambda port: natural(port.id)):
        row = guide.row("network-interfaces", port.interface)
        medium = row_name(guide, "network-media", row.text("medium"))
        cells = (port.id, medium, row.text("name"), report.names.provider(port.provider))
        for budget in shown.budgets:
            if budget.kind in ("network", "data") and budget.name == port.id:
                words = budget_words(budget, report.end)
                rows.append((*cells, words.used, words.limit, words.share))
                cells = ("", "", "", "")
    document.heading("Networks")
    document.table("network | medium | interface | at | >load | >of | >share", rows)


def _channels(document: Document, report: PlanReport, shown: Evaluation) -> None:
    if not shown.system.channels:
        return
    busy, full = _budgets(shown, "disk"), _budgets(shown, "space")

    def cells(device: Device) -> tuple[str, ...]:
        shares = (b[device.id].fullness(report.end) for b in (busy, full) if device.id in b)
        used = (*map(percent, shares), "", "")[:2]
        if device.id in shown.system.others_disks:
            # How full and busy it is, is in the table of the other system.
            used = ("", "")
        return (device.model, contents_text(device, shown.system), *used)

    rows = []
    for channel in shown.system.channels:
        label = report.names.channel(channel)
        for (_, *rest), alike in groupby(channel.devices, cells):
            rows.append((label, report.names.parts(device.id for device in alike), *rest))
            label = ""
        if not channel.devices:
            rows.append((label, "no device", "", "", ""))
    document.heading("Disks and tapes on their channels")
    document.table("channel | device | contents | >load | >full", rows)
    for line in report.plan.demand.lines:
        if line.kind == "scsi":
            document.item(
                f"Not planned: {line.name} of service {line.service} needs a target on one of the "
                "channels. Keep one target free."
            )


def contents_text(device: Device, system: System) -> str:
    """What is on a device: its volumes, with the copy where there are several, or its role."""
    found = [*_held(device, system.volumes)]
    found += [f"other system: {name}" for name in _held(device, system.other_volumes)]
    return ", ".join(found) or ("spare" if device.kind == "disk" else words(device.purpose))


def _held(device: Device, volumes: Iterable[Volume]) -> Iterator[str]:
    for volume in volumes:
        copies = enumerate(volume.copies, 1)
        on = [str(n) for n, copy in copies if any(part.disk == device.id for part in copy)]
        if on:
            yield volume.name + (f" (copy {', '.join(on)})" if len(volume.copies) > 1 else "")


def _slots(document: Document, report: PlanReport, shown: Evaluation) -> None:
    names = report.names
    slots = _budgets(shown, "slots")
    if not slots:
        return
    document.heading("Boards in slots")
    lines = lines_on_boards(report.plan.demand.lines, shown.system, report.guide)
    rows = (
        (names.slots(b), names.part(b), _board_use(b, shown.system, lines.get(b.id, ())))
        for b in shown.system.boards
    )
    document.table("slot | board | for", rows)
    free = ", ".join(
        f"{bus_name(b.name)} {round(b.limit.high) - round(b.used.high)} of {round(b.limit.high)}"
        for b in slots.values() if b.limit and b.used
    )  # fmt: skip
    document.item(f"Free slots: {free}.")


def _board_use(board: Board, system: System, lines: Iterable[LineDemand]) -> str:
    """Return what a board is for, with the lines that end on it."""
    ends = ", ".join(f"{number(line.number.high)} × {line.name}" for line in lines)
    return f"{board_purpose([board], system)}{ends and f': {ends}'}"


def _volumes(document: Document, report: PlanReport, system: System) -> None:
    if not system.volumes:
        return
    wanted = {volume.name: volume for volume in report.plan.demand.volumes}
    rows = []
    for volume in sorted(system.volumes, key=lambda volume: natural(volume.name)):
        need = wanted.get(volume.name)
        disks = sum(len(copy) for copy in volume.copies)
        count = counted(disks, "disk")
        layout = f"{len(volume.copies)} copies on {count}" if len(volume.copies) > 1 else count
        by = ""
        if volume.manager:
            by = f", {row_name(report.guide, 'software', volume.manager)}"
        elif need is not None and need.database and disks > 1:
            by = f", {row_name(report.guide, 'database-systems', need.database)}"
        stored = sum(part.size_mb for part in volume.copies[0])
        rows.append((
            volume.name, quantity(need.size_mb if need else as_quantity(stored, "MB")),
            need.access if need else "", layout + by,
        ))  # fmt: skip
    document.heading("Volumes")
    document.table("volume | >size | access | placed on", rows)
    for need in report.plan.demand.volumes:
        if need.added:
            document.item(_why_added(need))
    for log, mirrored in _logs_with_one_copy(report.plan.demand, system):
        document.item(
            f"{by_name(mirrored)} {plural(len(mirrored), 'is', 'are')} mirrored, and {log} is not: "
            f"if the disk of {log} fails, what {log} holds is lost."
        )


def _logs_with_one_copy(demand: Demand, system: System) -> Iterator[tuple[str, list[str]]]:
    """Yield each log with one copy, and the mirrored data of the services that write it."""
    mirrored = {volume.name for volume in system.volumes if len(volume.copies) > 1}
    logs = {volume.name for volume in demand.volumes if volume.use == LOG} - mirrored
    for service in demand.services:
        data = sorted(mirrored.intersection(service.volumes), key=natural)
        for log in sorted(logs.intersection(service.volumes), key=natural) if data else ():
            yield log, data


def _why_added(need: VolumeDemand) -> str:
    """Return where the size of a volume is from that the workload does not state."""
    cells = (
        origin(leaf) for leaf in leaves(need.size_mb)
        if leaf.source and leaf.source.kind != "definition"
    )  # fmt: skip
    why = "; ".join(f"{what} [{where}]" for what, where in dict.fromkeys(cells))
    stated = "the volumes that the service uses"
    if need.use in OWN:
        stated = f"a volume with use: {need.use}"
    most = "at most " if need.size_mb.low < need.size_mb.high else ""
    elsewhere = "" if need.use == BACKUP_INDEX else ", or wishes.system_elsewhere: true"
    return (
        f"The workload does not state {need.name}: {most}{formula(need.size_mb)}, from {why}. "
        f"State {stated}{elsewhere}."
    )


def add_stages(document: Document, report: PlanReport, member: Member | None) -> None:
    """Add what to buy for a system in each stage, what to keep free, and how long it is enough.

    It is for the only system of a plan, or for identical members of a group.
    """
    (orders,) = report.stages
    document.heading("Purchase in stages (parts to add for the load of each year)")
    rows = list[tuple[str, ...]]()
    for each in orders:
        when = "today" if not each.years else f"in {years(each.years)}"
        rows += [(when if n == 0 else "", *line) for n, line in enumerate(each.to_add)]
    document.table("load | >qty | part | for", rows)
    if member is not None:
        text = "All systems are bought today, so their number is the same in all years."
        if member.quantity > 1:
            several = f"{member.quantity} systems"
            text += (
                f" The quantities are those of all {several}. Each of the {several} has the same "
                "parts in each year."
            )
        document.note(text)
    bought = [each for each in orders if not each.years or each.adds_something]
    for each, following in zip(bought, (*bought[1:], None), strict=True):
        names = Names(report.names.guide, each.stage.judged.system)
        document.note(_suffices(each, following, names, orders[-1].years))


def _resource(limit: Exhaustion, names: Names) -> str:
    _, kind, *name = limit.resource.split("/", 2)
    return names.resource(kind, name)


def _suffices(each: StageOrder, following: StageOrder | None, names: Names, horizon: float) -> str:
    """Return how long the parts of a stage are enough, what to buy then, and what to keep free."""
    owner = f"The parts for the load in {years(each.years)}" if each.years else "Today's parts"
    if each.limit is None or each.limit.years is None:
        text = f"{owner} reach no limit in the foreseeable future."
    else:
        text = (
            f"{owner} are enough for {years(each.limit.years, horizon)}; the first limit is "
            f"{_resource(each.limit, names)}."
        )
    if (wished := each.recommended) is not None and each.until == wished.years:
        text += (
            " They keep the recommended limits that the whole plan keeps for "
            f"{years(wished.years, horizon)}; the first is {_resource(wished, names)}."
        )
    if following is not None:
        text += _why_more(owner, each, following)
    kept = [f"{names.of('slots', bus)} {', '.join(map(str, slots))}" for bus, slots in each.slots]
    kept += [
        f"{counted(places, 'place')} on {names.of('targets', channel)}"
        for channel, places in each.devices
    ]
    return f"{text} Keep free for later: {'; '.join(kept)}." if kept else text


def _why_more(owner: str, each: StageOrder, following: StageOrder) -> str:
    """Return when the parts of the following stage are needed, or for which rules they are."""
    load, rules = f"the load in {years(following.years)}", following.stage.rules
    named = f"{plural(len(rules), 'rule')} {enumerated(rules)}" if rules else ""
    kept = following.stage.rules_kept or 0
    if each.until < following.years:
        latest = f"after {years(each.until)} at the latest" if each.until else "today"
        text = f" Buy the parts for {load} {latest}."
        # Rules that end first are those of advice.
        sooner = rules and kept < each.until and years(kept) != years(each.until)
        every = plural(len(rules), "", "all of ")
        return f"{text} {owner} follow {every}{named} for {years(kept)}." if sooner else text
    if not rules:
        return ""
    them = plural(len(rules), "it", "all of them")
    return f" The parts for {load} are for {named}. {owner} follow {them} for {years(kept)}."


def add_work(document: Document, report: PlanReport, shown: Evaluation) -> None:
    """Runs on disks, what yields to all other work, and time outside of the kernel."""
    if shown.load.works or shown.load.low_priority:
        document.heading("Work on disks")
        document.table(
            "work | >demand | >pace | limited by | >run time | >target", map(_row, shown.load.works)
        )
        if shown.load.works:
            document.note(
                "Demand and pace are in op/s. The pace is the total rate of all runs in progress "
                "while the system serves all other demand."
            )
        for text in _remarks(shown.load.works):
            document.item(text)
        for line in shown.load.low_priority:
            document.item(
                f"{line.name} has low priority: it uses up to {quantity(line.figure)} of kernel "
                "time that other work leaves. No budget includes it."
            )
    _processors(document, report, shown)


def _row(each: WorkLoad) -> tuple[str, ...]:
    operations, pace = each.operations, each.pace
    size = number(operations.block_kb.likely)
    wanted = operations.runs.within_s
    rate = run = by = ""
    if pace is not None:
        rate = span(pace.rate) if pace.lasts else f"up to {number(pace.rate.high)}"
        by = pace.station if pace.lasts else pace.best_station
        # Only the low end of a run's time is known if nothing is left at the recommended rates.
        run = f"from {number(pace.best_run_s.low)} s" if pace.best_run_s is not None else ""
        run = quantity(pace.run_s) if pace.run_s is not None else run
    return (
        f"{operations.title} ({operations.pattern} {operations.operation}, {size}{GLUE}KB)",
        span(operations.ops) if operations.ops is not None else "none", rate, by, run,
        quantity(wanted) if wanted is not None else "",
    )  # fmt: skip


def _remarks(works: tuple[WorkLoad, ...]) -> Iterator[str]:
    """What a reader must know of paces: what is missing, what is assumed, what is used up."""
    for each in works:
        title, pace, runs = each.operations.title, each.pace, each.operations.runs
        if each.operations.open_ended:
            yield (
                f"{title}: neither the interval nor the target time of a run is stated. The work "
                "has no demand of its own and uses spare capacity. State within_s or every_s."
            )
        if pace is None:
            yield f"{title}: pace not calculated: a rate or a cost is unknown."
        elif not pace.lasts:
            yield (
                f"{title}: other demand uses all of the recommended rate of the {pace.station}. "
                "The pace shown is the maximum above that rate."
            )
        elif pace.by_requests and runs.outstanding is not None:
            asked = quantity(pace.requests)
            yield f"{title}: {asked} outstanding requests do not keep the {pace.station} busy."
    assumed = [
        f"{each.operations.title} {quantity(each.pace.requests)}"
        for each in works if each.pace is not None and each.operations.runs.outstanding is None
    ]  # fmt: skip
    if assumed:
        yield (
            "Assumed: each run keeps one request outstanding for each disk that its channels "
            f"allow to be active ({', '.join(assumed)}). If you know the number, state outstanding."
        )


def _processors(document: Document, report: PlanReport, shown: Evaluation) -> None:
    # A row for each service and way of using processors.
    rows = []
    ways = group(report.plan.demand.user, lambda u: (u.service, not u.processors, u.single, u.low))
    for (service, every, single, low), users in ways.items():
        notes = ("one thread: at most one" if single else "", "low priority" if low else "")
        used = (processors_used(user, shown.system, report.guide) for user in users)
        asked = total((each for each in used if each), "1")
        rows.append((service, "all" if every else quantity(asked), "; ".join(filter(None, notes))))
    if not rows:
        return
    document.heading("Processors used by services outside the kernel")
    if any(note for *_, note in rows):
        document.table("service | >processors | ", rows)
    else:
        document.table("service | >processors", (row[:2] for row in rows))
    wanted, there = shown.facts.system.processors_wanted, shown.system.processors
    if isinstance(wanted, Quantity) and there is not None:
        # Work of low priority needs none: it takes what it gets.
        what = "used at most" if any(low for *_, low in ways) else "needed"
        needed = f"Processors {what}: {quantity(wanted)}, one of them for the kernel."
        most = shown.facts.system.most_processors
        if wanted.high <= 1 or (isinstance(most, Quantity) and most.high <= 1):
            needed = "One processor serves the kernel and these services."
        platform = report.guide.row("platforms", shown.system.platform)
        sold = platform.list("processor_counts") if wanted.high < there else ()
        also = f"; it is sold with {enumerated(map(str, sold), 'or')}" if len(sold) > 1 else ""
        document.note(f"{needed} The machine has {there}{also}.")


def add_setup(document: Document, report: PlanReport) -> None:
    """Each setting of a recommended system: its value, its reason, its place in the guide."""
    plan = report.plan
    if plan.chosen is None:
        return
    told = list_settings(plan.chosen.system, plan.demand, plan.guide, report.names.parts)
    if told:
        document.heading("Set-up")
    for (name, why, cite), alike in groupby(told, lambda each: (each.name, each.why, each.cite)):
        first, *others = list(alike)
        part = f" ({first.part})" if first.part and not others else ""
        document.item(f"{name}{part}:{'' if others else f' {_value(first)}'}")
        for each in (first, *others) if others else ():
            document.item(f"- {each.part}: {_value(each)}", depth=2)
        if why:
            document.say(f"{why} [{cite}]", depth=2)
    joined = [volume.name for volume in plan.chosen.system.other_volumes if volume.manager]
    if joined:
        volumes = plural(len(joined), "volume")
        document.item(f"Joined {volumes} {enumerated(joined)}: set up as on the other system.")


def _value(setting: Setting) -> str:
    if setting.value is None:
        return setting.text
    return f"{quantity(setting.value)}{f' ({setting.text})' if setting.text else ''}"
