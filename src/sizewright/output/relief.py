"""The next larger plan of one that is nearly full or borderline: what it adds and leaves free."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from sizewright.errors import counted, enumerated, plural
from sizewright.evaluate.budgets import against_recommended
from sizewright.output.layout import PARTS_TOLD
from sizewright.output.names import group, system_names
from sizewright.output.reports import PlanReport
from sizewright.output.systems import networks_text, planned_systems, systems_text
from sizewright.output.wording import number_word, percent, whole_percent_below
from sizewright.planner.alternatives import DividedVolumes, Relief
from sizewright.planner.plan import Plan
from sizewright.quantity import as_quantity

# What is counted in a machine.
_PROCESSORS, MEMORY = "processor", "MB memory"


def changes_to_larger(report: PlanReport) -> Mapping[str, int]:
    """Return how many more of each part the next larger plan has, or fewer, with memory in MB."""
    if report.larger is None:
        return {}
    more = count_parts(report.larger)
    more.subtract(count_parts(report))
    return {name: number for name, number in more.items() if number}


def count_parts(report: PlanReport) -> Counter[str]:
    """Return how many parts of each name the systems of a report have beside their machines."""
    found = Counter[str]()
    for line in report.bill:
        if line.kind != "platform":
            found[line.name] += line.quantity
    for number, judged in zip(report.plan.numbers, report.systems, strict=True):
        found[_PROCESSORS] += number * (judged.system.processors or 0)
        memory = as_quantity(judged.system.memory_mb or 0, "MB").likely
        found[MEMORY] += number * int(memory)
    return found


def relief_text(report: PlanReport, relief: Relief, terse: bool = False) -> str:
    """Return what a plan lacks, and what the smallest that has it adds and leaves free.

    If that does not meet recommended limits on loads, it is said how much less load would. In short
    only some parts are named.
    """
    most = PARTS_TOLD if terse else None
    return f"{_lack(report, relief)} {_gain(report, relief, most)}.{_less(report, relief)}"


def divided_text(plan: Plan, found: DividedVolumes, terse: bool) -> str:
    """Return which recommended limits the same machines meet if volumes are divided.

    In short, limits that they exceed all the same are left out.
    """
    parts = (f"{name} into {number} volumes" for name, number in found.parts.items())
    chosen = (part.chosen.system for part in plan.plans if part.chosen is not None)
    systems = [
        system for system in chosen
        if any(volume.name in found.parts and volume.manager for volume in system.volumes)
    ]  # fmt: skip
    if plan.group is None:
        on, machine = "", "this machine meets"
    elif len(systems) == len(plan.plans):
        on, machine = " on each machine", "they meet"
    else:
        on = f" on {system_names([system.id for system in systems])}"
        machine = plural(len(systems), "it meets", "they meet")
    rules = f"{plural(len(found.met), 'rule')} {enumerated(found.met)}"
    borderline = (
        finding.rule for part in found.plan.plans if part.chosen
        for finding in part.chosen.borderline
    )  # fmt: skip
    left = dict.fromkeys(borderline)
    stays = f" (still borderline: {enumerated(left)})" if left and not terse else ""
    return (
        f"Divide {enumerated(parts)} of one disk each{on}: then no software joins their disks, and "
        f"{machine} {rules}{stays}."
    )


def _less(report: PlanReport, relief: Relief) -> str:
    """Return which recommended limits stay exceeded, and how much less load would meet them."""
    larger = report.larger
    stay = report.plan.recommended_exceeded
    if larger is not None:
        stay = tuple(rule for rule in stay if rule in larger.plan.recommended_exceeded)
    of = larger or report
    over = [
        budget for budget in against_recommended(of.budgets)
        if budget.limit_rule in stay and budget.is_over(report.end)
    ]  # fmt: skip
    alike = group(over, lambda budget: budget.limit_rule)
    if not alike:
        return ""
    fullest = max(budget.share_of_limit(report.end) or 0 for budget in over)
    less = percent(1 - whole_percent_below(1 / fullest))
    one = len(alike) == 1
    met = f"with {less} less load {'it' if one else 'they'} would be met"
    if relief.least_free is None:
        return f" {met[0].upper()}{met[1:]}."
    if relief.meeting is not None and relief.meeting.plan is not None:
        met = f"{_machines_text(relief.meeting)} would meet {'it' if one else 'them'}"
    are = f"{'is' if one else 'are'} {'also' if larger is None else 'still'} exceeded"
    return f" {'Rule' if one else 'Rules'} {enumerated(alike)} {are}; {met}."


def _machines_text(relief: Relief) -> str:
    """Return the machines of a plan, and the networks that it needs beyond those permitted."""
    assert relief.plan is not None
    machines = Counter[str]()
    for each in planned_systems(relief.plan):
        machines[each.name] += each.quantity
    named = enumerated(f"{n} × {name}" if n > 1 else name for name, n in machines.items())
    more = relief.networks
    return f"{named} with {networks_text(more, relief.plan.demand)}" if more else named


def _lack(report: PlanReport, relief: Relief) -> str:
    """Return what a plan lacks: room below a limit, or else recommended limits that it meets."""
    if relief.least_free is None or report.determinant is None:
        return f"To meet {plural(len(relief.rules), 'rule')} {enumerated(relief.rules)}:"
    free = percent(1 - report.determinant.share)
    below = "less than " if free == percent(relief.least_free.high) else ""
    return f"Nearly full: {below}{free} free."


def _gain(report: PlanReport, relief: Relief, most: int | None) -> str:
    """Return what the smallest plan that has it adds and leaves free; or that there is none.

    At `most` this number of parts has its name in it.
    """
    larger = report.larger
    if larger is None or larger.determinant is None:
        return _why_none(report, relief)
    changes = sorted(changes_to_larger(report).items(), key=lambda each: each[1] < 0)
    parts_added = [_added(name, number) for name, number in changes if name != _PROCESSORS]
    left = parts_added[most:] if most is not None else []
    also = [counted(len(left), "other change")] if left else []
    added = ", ".join((*parts_added[:most], *also))
    networks = networks_text(relief.networks, larger.plan.demand) if relief.networks else ""
    if larger.plan.group is None:
        systems, parts = larger.names.platform(), [added, networks]
        if _PROCESSORS in dict(changes) and larger.shown is not None:
            # A machine is sold with some numbers of processors, not with one more.
            parts.insert(0, counted(larger.shown.system.processors or 0, "processor"))
    elif _machines_of(larger.plan) == _machines_of(report.plan):
        systems, parts = "The same machines", [added, networks]
    else:
        text = systems_text(larger.plan)
        systems, parts = f"{text[0].upper()}{text[1:]}", [networks]
    more = " and ".join(filter(None, parts))
    free = percent(1 - larger.determinant.share)
    several = 1 if larger.plan.group is None else 2
    doubts = _worse(report, larger, several)
    recommended, least = larger.nearest_recommended, relief.least_free
    if recommended and least is not None and recommended.share > 1 - least.high:
        room = percent(1 - recommended.share)
        on = larger.label(recommended.resource)
        doubts.insert(0, f"only {room} below what rule {recommended.rule} recommends for {on}")
    if lost := report.advice_lost:
        does = plural(several, "does", "do")
        doubts.append(f"{does} not follow {plural(len(lost), 'rule')} {enumerated(lost)}")
    doubt = f", but {enumerated(doubts)}" if doubts else ""
    return f"{systems}{f' with {more}' if more else ''} would leave {free}{doubt}"


def _worse(report: PlanReport, larger: PlanReport, several: int) -> list[str]:
    """Return which recommended limits the larger plan alone exceeds, else if it is borderline."""
    before = report.plan.recommended_exceeded
    over = [rule for rule in larger.plan.recommended_exceeded if rule not in before]
    if over:
        does, recommends = (
            plural(several, "exceeds", "exceed"),
            plural(len(over), "recommends", "recommend"),
        )
        return [f"{does} what {plural(len(over), 'rule')} {enumerated(over)} {recommends}"]
    is_worse = larger.verdict == "tight" != report.verdict
    return [f"{plural(several, 'is', 'are')} borderline"] if is_worse else []


def _why_none(report: PlanReport, relief: Relief) -> str:
    keeps = "meets all recommended limits on loads"
    if relief.least_free is not None:
        keeps = f"keeps {percent(relief.least_free.high)} free"
    numbers = " or ".join(map(number_word, relief.tried))
    wished = " of the requested platforms" if report.plan.demand.platforms else ""
    plans = f"{numbers} {plural(relief.tried[-1], 'system')}{wished}"
    if relief.proven:
        return f"No plan of {plans} {keeps}"
    return f"No plan of {plans} was found that {keeps}: not all of them could be tried"


def _machines_of(plan: Plan) -> Counter[tuple[str, int | None]]:
    """Return how many machines a plan has, by platform and number of processors."""
    found = Counter[tuple[str, int | None]]()
    for part, number in zip(plan.plans, plan.numbers, strict=True):
        if part.chosen is not None:
            found[part.chosen.system.platform, part.chosen.system.processors] += number
    return found


def _added(name: str, number: int) -> str:
    """Return how many more or fewer of a part there are: `+2 × 1.3 GB SCSI disk`."""
    many = abs(number)
    times = " ×" if many > 1 and name != MEMORY else ""
    return f"{'+' if number > 0 else '−'}{many}{times} {name}"
