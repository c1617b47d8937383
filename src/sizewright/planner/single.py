"""Plans one system: the smallest machine that meets every limit, and why smaller ones do not."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import partial
from itertools import groupby
from math import fsum

from sizewright.demand.backup import backup_drives
from sizewright.demand.model import Demand
from sizewright.errors import join_or, refusal
from sizewright.evaluate.limits import over_limit
from sizewright.evaluate.system import evaluate_facts
from sizewright.guide.model import Guide, place_of
from sizewright.limits import LATE_STEPS
from sizewright.load.network_traffic import interface_ops
from sizewright.planner.bounds import SLOTS
from sizewright.planner.choice import PartialSolution, Size
from sizewright.planner.infeasibility import Rejection, rejection, with_largest_share
from sizewright.planner.parts import Machine, machines, platforms_on_offer
from sizewright.planner.plan import Gap, Plan
from sizewright.planner.planning import Effort, Planning
from sizewright.planner.search import Incumbent, Search, run_within
from sizewright.planner.storage import EvaluatedDisks
from sizewright.planner.structural_limits import Shortfall, find_shortfalls
from sizewright.rules.rule import Finding

# A machine that does not pass, and what it cannot have whatever is chosen.
_PassedOver = tuple[Machine, tuple[Shortfall, ...]]


def plan_single(demand: Demand, planning: Planning, explain: bool = True) -> Plan:
    """Plan a demand on one system; why smaller platforms do not pass is reported where asked for.

    A configuration with an unknown limit is chosen only if none has known ones, so that no blank
    cell of a guide refuses a plan. Raises InputError where the wishes leave no platform to try.
    """
    found = _plan_known(demand, planning, explain)
    if found.chosen is not None or not _has_blanks(planning.guide, demand):
        return found
    accepting = planning.policy._replace(accept_unknown=True)
    again = _plan_known(demand, planning._replace(policy=accepting), False)
    if again.chosen is None:
        return found
    platforms = planning.guide.table("platforms").rows
    rank = platforms[again.chosen.system.platform].number("rank")
    smaller = tuple(r for r in found.rejected if platforms[r.platform].number("rank") < rank)
    return again._replace(policy=planning.policy, rejected=smaller)


def _has_blanks(guide: Guide, demand: Demand) -> bool:
    """Whether the guide leaves blank what interfaces for the demand pass, or how quick they are.

    Or how fast drives for backups are that must end in a window.
    """
    drives = backup_drives(guide) if demand.backup.window is not None else ()
    return any(row.cell("transfer_kb_per_s") is None for row in drives) or any(
        network.medium in ("", row.text("medium"))
        and (interface_ops(row, guide) is None
             or (network.fastest_response and row.cell("latency_ms") is None))
        for network in demand.networks for row in guide.table("network-interfaces")
    )  # fmt: skip


def _plan_known(demand: Demand, planning: Planning, explain: bool) -> Plan:
    guide = planning.guide
    candidates = machines(guide, demand)
    if not candidates:
        names = ", ".join(row.id for row in platforms_on_offer(guide))
        what = f"{join_or(demand.platforms)} can be checked, not planned"
        raise refusal(place_of(demand.platforms[0], "wishes.platforms"), what, f"one of {names}")
    gaps: list[Gap] = []
    stopped: list[Machine] = []
    passed_over: list[_PassedOver] = []
    evaluated = EvaluatedDisks(demand, planning)
    refused = partial(_refused, passed_over, demand, planning, evaluated)
    for _, alike in groupby(candidates, key=lambda machine: machine.platform.number("rank")):
        group = list(alike)
        planning.watch(f"trying {', '.join(dict.fromkeys(m.platform.text('name') for m in group))}")
        missing = {machine: find_shortfalls(machine, demand, planning) for machine in group}
        able = [machine for machine in group if not missing[machine]]
        best, searches = smallest(able, demand, planning, evaluated)
        gaps += _gaps(searches, best)
        if best is not None:
            return _plan(demand, planning, refused() if explain else (), gaps, best)
        stopped += dict.fromkeys(s.machine for s in searches if s.bound is not None)
        passed_over += missing.items()
    late = _found_late(stopped, demand, planning, evaluated) if explain else None
    if late is not None:
        return _plan(demand, planning, refused(late.system.platform), _left_open(gaps, late), late)
    rejected = list(refused()) if explain and planning.explains_failure else []
    near = 0.0
    for n, each in enumerate(rejected):
        rejected[n] = with_largest_share(each, demand, planning, near)
        near = max(near, rejected[n].load_share)
    plan = _plan(demand, planning, rejected, gaps)
    return plan._replace(nearest=nearest_of(rejected) if rejected else None)


def _refused(
    machines: Iterable[_PassedOver], demand: Demand, planning: Planning, evaluated: EvaluatedDisks,
    until: str = "",
) -> Iterator[Rejection]:  # fmt: skip
    """Yield why machines do not pass, before the first one of a platform if it is named."""
    tried: dict[str, PartialSolution | None] = {}
    for machine, lacking in machines:
        platform = machine.platform.id
        if platform == until:
            return
        found = rejection(machine, lacking, demand, planning, evaluated, tried.get(platform))
        tried[platform] = found.choice
        yield found


def _plan(
    demand: Demand, planning: Planning, rejected: Iterable[Rejection], gaps: Iterable[Gap],
    found: Incumbent | None = None,
) -> Plan:  # fmt: skip
    guide, rule_set, policy = planning.guide, planning.rule_set, planning.policy
    chosen = found and evaluate_facts(
        found.system, found.load, found.facts, guide, rule_set, policy
    )
    return Plan(guide, demand, policy, chosen, tuple(rejected), None, rule_set.rules, tuple(gaps))


def _gaps(searches: Iterable[Search], best: Incumbent | None) -> Iterator[Gap]:
    """Yield what the searches that stopped early leave open, once for each platform."""
    least: dict[str, Size] = {}
    for search in searches:
        if search.bound is not None:
            platform = search.machine.platform.id
            least[platform] = min(search.bound, least.get(platform, search.bound))
    for platform, bound in least.items():
        yield Gap(platform, best and best.key.size, bound)


def _left_open(gaps: Iterable[Gap], late: Incumbent) -> Iterator[Gap]:
    """Yield the gaps of platforms up to that of a configuration that was found at last."""
    for gap in gaps:
        if gap.platform == late.system.platform:
            yield gap._replace(found=late.key.size)
            return
        yield gap


def _found_late(
    stopped: Iterable[Machine], demand: Demand, planning: Planning, evaluated: EvaluatedDisks
) -> Incumbent | None:
    """Return the smallest configuration found on a machine whose search stopped early.

    No plan at all would be worse than one that is not the smallest, so this search is longer. It
    leaves out that owned disks lend room, and begins with the smallest of these machines.
    """
    effort = Effort(LATE_STEPS, LATE_STEPS)
    for machine in stopped:
        planning.watch(f"trying {machine.platform.text('name')} again")
        search = Search(machine, demand, planning, evaluated=evaluated, lending=False)
        found = run_within(effort, search)
        if found is not None:
            return found
    return None


def smallest(
    group: Iterable[Machine],
    demand: Demand,
    planning: Planning,
    evaluated: EvaluatedDisks | None = None,
) -> tuple[Incumbent | None, tuple[Search, ...]]:
    """The smallest configuration of machines of one rank, and the searches for it."""
    best = None
    searches = [Search(machine, demand, planning, evaluated=evaluated) for machine in group]
    searches.sort(key=lambda search: search.least)
    # What is found on the most promising is a bound for the others.
    for search in searches:
        if search.space.storing.owned:
            # Far fewer ways, of which the smallest is a bound for those on owned disks too.
            few = Search(search.machine, demand, planning, evaluated=evaluated, lending=False)
            best = run_within(planning.effort, few, best) or best
        best = run_within(planning.effort, search, best) or best
    for search in [each for each in searches if each.space.storing.may_have_hot_guests]:
        again = Search(search.machine, demand, planning, evaluated=evaluated, hot_as_guests=True)
        found = run_within(planning.effort, again, best)
        if found is not None and (best is None or found.key.size < best.key.size):
            best = found
        searches.append(again)
    return best, tuple(searches)


def nearest_of(rejected: Iterable[Rejection]) -> Rejection:
    """The rejection that supports most of the load, breaks fewest limits, and exceeds them least.

    Of equal ones it is the smallest, or the largest if they have too few parts or slots.
    """
    nearest, *others = rejected
    for each in others:
        own, best = _nearness(each), _nearness(nearest)
        if own > best or (own == best and (nearest.lacks or any(map(_is_of_slots, each.findings)))):
            nearest = each
    return nearest


def _nearness(rejection: Rejection) -> tuple[float, ...]:
    broken = (rejection.lacks, rejection.waive, rejection.findings)
    # How many slots are missing depends on which of equal boards were tried.
    over = (
        over_limit(each.asked, each.shown, "likely")
        for each in rejection.findings if not _is_of_slots(each)
    )  # fmt: skip
    return (rejection.load_share, *(-len(each) for each in broken), -fsum(over))


def _is_of_slots(finding: Finding) -> bool:
    return finding.asked.subject == SLOTS
