"""Remedies for a kernel lock that is exceeded or busy."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from sizewright.demand.model import Demand
from sizewright.demand.rates import LineItem
from sizewright.errors import counted, enumerated, plural
from sizewright.evaluate.budgets import against_recommended
from sizewright.evaluate.system import Evaluation
from sizewright.guide.model import Guide
from sizewright.load.cpu_load import joined_title, others_serve
from sizewright.output.document import Document
from sizewright.output.names import by_name, row_name
from sizewright.output.reports import PlanReport
from sizewright.output.wording import (
    number,
    number_word,
    percent,
    quantity,
    span,
    with_unit,
)
from sizewright.planner.plan import Plan
from sizewright.quantity import Quantity
from sizewright.sensitivity.remedies import (
    Division,
    Excess,
    ManyLocks,
    OtherDisks,
    OtherInterface,
    other_disks,
)
from sizewright.units import PERCENT


class Remedy(NamedTuple):
    """One way out, in words and in figures.

    `used` is the kernel time that it leaves on each system, in ms/s; nothing where that is not
    known. It `holds` where every system is then under its lock, and is `available` where the
    machine can have it.
    """

    kind: str
    name: str
    says: str
    used: tuple[Quantity, ...]
    holds: bool | None
    available: bool


OVER_LINES = "sessions without a network are where their serial lines end"


def why_not_split(found: Division) -> str:
    """Why services, or the clients of file services, are not divided over systems, in sentences."""
    names = by_name(found.names) if found.names else ""
    services = {
        "one_service": f"Service {names} cannot be split over several systems." if names else "",
        "shared_volumes": f"The services share {names}. Separate data would allow a split." if names
                          else f"S{OVER_LINES[1:]}.",
        "few_groups": f"The services can be divided over at most {found.tried} systems.",
        "lock": f"{names} alone would exceed the lock." if names
                else "No split keeps both kernels within their locks.",
        "limits": _splits_tried(found),
    }.get(found.why, "")  # fmt: skip
    if not found.clients:
        return services
    also = "also " if services else ""
    clients = (
        f"{' to '.join(map(str, found.shared))} systems with equal parts of the clients of "
        f"{by_name(found.clients)} were {also}tried and do not meet every limit."
    )
    return f"{services} {clients}".lstrip()


def _splits_tried(found: Division) -> str:
    """Say over how many systems services were divided in vain; empty if over none."""
    if not found.systems:
        return ""
    least, *larger = found.systems
    over = f"of the services over {number_word(least)} systems"
    every = f"every limit on {'both' if least == 2 else 'each'}"
    says = f"The most even split {over} was tried and does not meet {every}."
    if found.tried > 1:
        says = f"The {found.tried} most even splits {over} were tried: none meets {every}."
    for most in larger:
        numbers = " to ".join(dict.fromkeys(map(number_word, (least + 1, most))))
        says += f" Nor does any that was tried over {numbers} systems."
    return says


def list_remedies(found: Excess, plan: Plan) -> Iterator[Remedy]:
    """Every way out that the tables know of, and what is said of those that do not help."""
    limit, used = found.budget.limit, found.budget.used
    assert used is not None and limit is not None
    platform = row_name(plan.guide, "platforms", found.platform)
    told = _Writer(plan.guide, platform, used, limit, plan.policy.size_for)
    yield from map(told.disks, found.disks)
    yield from map(told.interface, found.interfaces)
    yield from map(told.many_locks, found.many_locks)
    files = {stream.service for stream in plan.demand.streams}
    if plan.demand.systems == 1 and files & set(found.division.names):
        # Several could divide the clients of such a service.
        says = "Several systems were not tried: the workload asks for one."
        yield Remedy("two_systems", "", says, (), None, False)
    else:
        yield told.division(found.division)


class _Writer(NamedTuple):
    guide: Guide
    platform: str
    used: Quantity
    limit: Quantity
    end: str

    def disks(self, found: OtherDisks) -> Remedy:
        """Disks whose operations cost less."""
        old = enumerated((name.upper() for name in found.instead_of), "or")
        spared = found.before.at(self.end) - found.after.at(self.end)
        says = (
            f"{found.interface.upper()} disks instead of {old}: disk operations take "
            f"{self._ms(found.after)} instead of {self._ms(found.before)}, "
            f"{number(spared)} less; {self._leaves(found.used)}."
        )
        return self._said("disk_interface", says, found, "attach them")

    def dividing(self, lines: Iterable[LineItem], judged: Evaluation, demand: Demand) -> list[str]:
        """Volumes that one disk each holds in place of those that software joins disks for."""
        joined = [v.name for v in judged.system.volumes if v.manager and len(v.copies) == 1]
        titles = {
            joined_title(stream.service, volume): volume
            for stream in demand.streams for volume in joined
        }  # fmt: skip
        added = [line for line in lines if line.name in titles]
        if not added:
            return []
        spared = sum(line.figure.at(self.end) for line in added)
        left = self.used.at(self.end) - spared
        names = by_name(sorted({titles[line.name] for line in added}))
        return [
            f"Divide {names} into volumes that one disk each holds, so that no software joins "
            f"disks: {number(spared)} ms/s less; leaves {number(left)} ms/s, "
            f"{self._judged(left, left)}."
        ]

    def interface(self, found: OtherInterface) -> Remedy:
        """An interface that spares the processor its protocols."""
        name = row_name(self.guide, "network-interfaces", found.interface)
        on = f"{plural(len(found.networks), 'network')} {by_name(found.networks)}"
        least, most = sorted((found.least, found.used.at(self.end)))
        spares = _span(max(0, self.used.at(self.end) - each) for each in (most, least))
        reading = ", depending on what counts under the lock" if " to " in spares else ""
        says = (
            f"An interface that processes protocols itself ({name}) on {on}: saves {spares} "
            f"ms/s{reading}; leaves {_span((least, most))} ms/s, {self._judged(least, most)}."
        )
        return self._said("protocol_interface", says, found, "have it")

    def many_locks(self, found: ManyLocks) -> Remedy:
        """An operating system whose kernel lets processors in side by side."""
        name = row_name(self.guide, "operating-systems", found.operating_system)
        gain, several = quantity(found.efficiency), found.processors > 1
        effect = f"no gain, because the {self.platform} has one processor"
        if several:
            effect = (
                f"up to {found.processors:g} processors of the {self.platform} run in the kernel "
                f"at the same time; the gain is {gain if found.efficiency else 'not stated'}"
            )
        says = f"{name}, whose kernel has {number(found.locks.likely)} locks: {effect}."
        holds = None if several else False
        return Remedy("many_locks", found.operating_system, says, (), holds, several)

    def division(self, found: Division) -> Remedy:
        """Two systems, or why not."""
        if found.partition is None:
            says = f"Several systems do not help. {why_not_split(found)}"
            return Remedy("two_systems", "", says, (), None, False)
        (first, time), *others = (
            (by_name(names) or "nothing", self._ms(figure))
            for names, figure in zip(found.partition, found.used, strict=True)
        )
        if not others:
            says = f"Several systems: a part of {first} on each ({time} in its kernel)"
        else:
            many, other = ("Two", "the other") if len(others) == 1 else ("Several", "another")
            systems = f"{many} systems"
            if found.pairs > 1:
                systems = f"{found.pairs} pairs of systems, each for a part of the clients"
            says = f"{systems}: {first} on one ({time} in its kernel)"
            says += "".join(f", {names} on {other} ({time})" for names, time in others)
        says += (
            ". This plan does so." if not found.why else
            ". Not planned, because the workload asks for one system (see --systems 2)."
        )  # fmt: skip
        holds = all(figure.at(self.end) <= self.limit.low for figure in found.used)
        return Remedy("two_systems", "", says, found.used, holds, True)

    def _ms(self, figure: Quantity) -> str:
        return f"{number(figure.at(self.end))} ms/s"

    def _leaves(self, used: Quantity) -> str:
        left = used.at(self.end)
        return f"leaves {self._ms(used)}, {self._judged(left, left)}"

    def _judged(self, least: float, most: float) -> str:
        """Whether times of the kernel are within the limit."""
        if least > self.limit.low:
            return "still over the limit"
        return "under the limit" if most <= self.limit.low else "which may be over the limit"

    def _said(self, kind: str, says: str, found: OtherDisks | OtherInterface, lacks: str) -> Remedy:
        """Another part, and whether it can be had: what the platform cannot do otherwise."""
        if not found.attaches:
            says += f" The {self.platform} cannot {lacks}."
        holds = found.used.at(self.end) <= self.limit.low
        return Remedy(kind, found.interface, says, (found.used,), holds, found.attaches)


def _span(ends: Iterable[float]) -> str:
    return " to ".join(dict.fromkeys(map(number, ends)))


def without_lock(guide: Guide, shown: Evaluation) -> tuple[str, str] | None:
    """Return why a system that serves files has no kernel lock, and where the guide states this.

    None of any other system.
    """
    mark = others_serve(guide.row("platforms", shown.system.platform))
    if mark is None or "nfs" not in (shown.facts.system.services or ()):
        return None
    name = row_name(guide, "platforms", shown.system.platform)
    says = (
        f"No kernel lock is listed: on {name}, file service runs on other processors and uses "
        "no time of the host."
    )
    return says, mark.cite


def add_kernel_lock(document: Document, report: PlanReport) -> None:
    """Add by how much a single system exceeds its kernel lock; nothing if it does not."""
    found = report.excess
    if found is None:
        return
    budget = found.budget
    assert budget.used is not None and budget.limit is not None
    used, limit = budget.used.at(report.end), budget.limit
    over = used - limit.low
    name = row_name(report.guide, "platforms", found.platform)
    document.heading(f"Kernel lock of a single system ({name})")
    document.note(
        f"Needed: {with_unit(number(used), budget.used)} of {quantity(limit)}, which is "
        f"{with_unit(number(over), limit)} ({percent(over / limit.low)}) over. What uses it:",
        verdict="violated",
    )
    # Lines come largest first.
    large = [line for line in found.lines if line.figure.at(report.end) * PERCENT >= used]
    small = [line.figure.at(report.end) for line in found.lines[len(large) :]]
    document.table("line | >ms/s | >share", line_rows(large, used, report.end), depth=2)
    if small:
        lines = counted(len(small), "more line takes", "more lines take")
        document.say(f"{lines} {number(sum(small))} ms/s, each less than 1%.", depth=2)
    document.note("Remedies of the guide for this lock, each on its own; other limits stay:")
    for each in list_remedies(found, report.plan):
        document.item(f"- {each.says}", depth=2)


def relieve_processors(report: PlanReport, judged: Evaluation) -> dict[str, list[str]]:
    """Return what relieves busy processors or a busy kernel lock, by the limit that is exceeded.

    It is disks whose operations cost less, and volumes that need no software to join disks.
    """
    plan = report.plan
    platform = row_name(plan.guide, "platforms", judged.system.platform)
    found = {}
    for budget in against_recommended(judged.budgets):
        if budget.kind in ("kernel_lock", "processors") and budget.is_over(report.end):
            assert budget.used is not None and budget.limit is not None
            told = _Writer(plan.guide, platform, budget.used, budget.limit, report.end)
            says = told.dividing(budget.items, judged, plan.demand)
            if budget.kind == "kernel_lock":
                says += [
                    told.disks(each).says for each in other_disks(plan, judged) if each.attaches
                ]
            found[budget.limit_rule] = says
    return found


def line_rows(lines: Iterable[LineItem], used: float, end: str) -> list[tuple[str, str, str]]:
    """Return each line of a kernel lock with its time in ms/s and its share of what is used."""
    return [
        (line.name, span(line.figure), percent(line.figure.at(end) / (used or 1))) for line in lines
    ]
