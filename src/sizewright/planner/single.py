"""Plans one system: the smallest machine that meets every limit."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import groupby

from sizewright.demand.backup import backup_drives
from sizewright.demand.model import Demand
from sizewright.errors import join_or, refusal
from sizewright.evaluate.system import evaluate_facts
from sizewright.guide.model import Guide, place_of
from sizewright.limits import LATE_STEPS
from sizewright.load.network_traffic import interface_ops
from sizewright.planner.choice import Size
from sizewright.planner.infeasibility import PassedOver
from sizewright.planner.parts import Machine, machines, platforms_on_offer
from sizewright.planner.plan import Gap, Plan
from sizewright.planner.planning import Effort, Planning
from sizewright.planner.search import Incumbent, Search, run_within
from sizewright.planner.storage import EvaluatedDisks
from sizewright.planner.structural_limits import find_shortfalls


def plan_single(demand: Demand, planning: Planning, at_length: bool = False) -> Plan:
    """Plan a demand on one system.

    A configuration with an unknown limit is chosen only if none has known ones. If none is found,
    searches that stopped early go on `at_length`. Raises InputError where the wishes leave no
    platform to try.
    """
    found = plan_known(demand, planning, at_length)
    if found.chosen is not None:
        return found
    for accepting in accepting_unknown(demand, planning):
        again = plan_known(demand, accepting)
        if again.chosen is not None:
            return again._replace(policy=planning.policy)
    return found


def accepting_unknown(demand: Demand, planning: Planning) -> Iterator[Planning]:
    """Yield the planning that chooses unknown limits too, so that no blank cell refuses a plan."""
    if _has_blanks(planning.guide, demand):
        yield planning._replace(policy=planning.policy._replace(accept_unknown=True))


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


def plan_known(demand: Demand, planning: Planning, at_length: bool = False) -> Plan:
    """Plan a demand on one system; a configuration with an unknown limit is none."""
    guide, rule_set, policy = planning.guide, planning.rule_set, planning.policy
    candidates = machines(guide, demand)
    if not candidates:
        names = ", ".join(row.id for row in platforms_on_offer(guide))
        what = f"{join_or(demand.platforms)} can be checked, not planned"
        raise refusal(place_of(demand.platforms[0], "wishes.platforms"), what, f"one of {names}")
    gaps: list[Gap] = []
    stopped: list[Machine] = []
    passed_over: list[PassedOver] = []
    evaluated = EvaluatedDisks(demand, planning)
    best: Incumbent | None = None
    for _, alike in groupby(candidates, key=lambda machine: machine.platform.number("rank")):
        group = list(alike)
        planning.watch(f"trying {', '.join(dict.fromkeys(m.platform.text('name') for m in group))}")
        missing = {machine: find_shortfalls(machine, demand, planning) for machine in group}
        able = [machine for machine in group if not missing[machine]]
        best, searches = smallest(able, demand, planning, evaluated)
        gaps += _gaps(searches, best)
        if best is not None:
            break
        stopped += dict.fromkeys(s.machine for s in searches if s.bound is not None)
        passed_over += (PassedOver(*each, demand, planning, evaluated) for each in missing.items())
    if best is None and at_length:
        best = _found_late(stopped, demand, planning, evaluated)
        gaps = list(_left_open(gaps, best)) if best is not None else gaps
    refused = tuple(passed_over)
    if best is not None:
        rank = guide.row("platforms", best.system.platform).number("rank")
        refused = tuple(p for p in passed_over if p.machine.platform.number("rank") < rank)
    chosen = best and evaluate_facts(best.system, best.load, best.facts, guide, rule_set, policy)
    return Plan(guide, demand, policy, chosen, rule_set.rules, tuple(gaps), refused)


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
