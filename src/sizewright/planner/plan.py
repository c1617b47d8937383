"""The plan: the smallest machine that meets every limit, and what was rejected on the way."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from itertools import groupby
from math import fsum
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

from sizewright.demand.backup import backup_drives
from sizewright.demand.model import Demand
from sizewright.errors import Location, join_or, refusal
from sizewright.evaluate.budgets import ROOM, Budget
from sizewright.evaluate.limits import BACKUP, over_limit
from sizewright.evaluate.policy import Policy
from sizewright.evaluate.system import Evaluation, evaluate_facts
from sizewright.guide.model import Guide, place_of
from sizewright.load.network_traffic import interface_ops
from sizewright.planner.choice import PartialSolution, Size
from sizewright.planner.infeasibility import (
    Rejection,
    rejection,
    with_largest_share,
)
from sizewright.planner.partitions import Partition
from sizewright.planner.parts import Machine, machines, platforms_on_offer
from sizewright.planner.planning import Planning
from sizewright.planner.search import Incumbent, Search, run_within
from sizewright.planner.storage import EvaluatedDisks
from sizewright.planner.structural_limits import find_shortfalls
from sizewright.quantity import Quantity
from sizewright.rules.rule import VERDICTS, Finding, Rule

if TYPE_CHECKING:
    from sizewright.failure import Failure, Served

_SLOTS = "platform-slots"


def check_plannable(guide: Guide) -> None:
    """Refuse a guide by which nothing can be planned, whatever is asked for; raises InputError.

    Where it offers no machine there is nothing to choose from, and without a table of slots
    nothing states whether boards fit.
    """
    if not platforms_on_offer(guide):
        what = "has no machines, so it works with check only"
    elif _SLOTS not in guide.tables:
        what = "has no slot data, so it works with check and compare only"
    else:
        return
    expected = "another guide for plan"
    raise refusal(Location(f"guide {guide.id}"), what, expected)


class Determinant(NamedTuple):
    """The resource that is nearest to its limit, which a `rule` sets unless it is empty."""

    resource: str
    required: Quantity
    available: Quantity
    share: float
    rule: str = ""


class Failover(NamedTuple):
    """A system that supports the `demand` that is left after the failure of another one.

    `served` are the services that may be slower then, or stop. All others keep their rates.
    """

    failed: str
    survivor: str
    demand: Demand
    state: Evaluation
    served: tuple[Served, ...] = ()


class Member(NamedTuple):
    """One of several systems, its services and its plan; `quantity` systems are identical."""

    name: str
    services: tuple[str, ...]
    plan: Plan
    quantity: int = 1


class Group(NamedTuple):
    """Several systems that carry a demand together.

    `failover` is what each of a pair of systems supports alone, empty if that is not planned.
    `passed_over` divisions of the services were tried before this one and do not meet every limit.
    `division` is of services over systems or of clients over a number; None if they survive.
    """

    members: tuple[Member, ...]
    passed_over: int = 0
    failover: tuple[Failover, ...] = ()
    division: Partition | int | None = None

    @property
    def number(self) -> int:
        """How many systems there are."""
        return sum(member.quantity for member in self.members)

    def times(self, quantity: int) -> Group:
        """Return the same with as many identical systems of each kind."""
        members = tuple(member._replace(quantity=quantity) for member in self.members)
        return self._replace(members=members)

    def keeps_backup_terms(self, demand: Demand) -> bool:
        """Return whether all systems together keep to the tape drives and the window of a backup.

        Over a network they are saved one after another, on the same drives.
        """
        asked, end = demand.backup, demand.size_for
        judged = [(m.quantity, m.plan.chosen) for m in self.members if m.plan.chosen is not None]
        if asked.over:
            times = [(n, b) for n, each in judged for b in each.budgets if b.kind == BACKUP]
            hours = sum(n * budget.used.at(end) for n, budget in times if budget.used is not None)
            return not times or asked.window is None or hours <= asked.window.at(end)
        drives = sum(n for n, each in judged for d in each.system.devices() if d.purpose == BACKUP)
        return not asked.drives_at_most or drives <= asked.drives_at_most

    @property
    def divided(self) -> tuple[frozenset[str], int]:
        """Return the services whose clients are divided, and over how many systems or pairs."""
        working = [member for member in self.members if member.name not in self.idle]
        systems = Counter[str]()
        for member in working:
            own = (s.name for s in member.plan.demand.services if not s.replicated)
            systems.update(dict.fromkeys(own, member.quantity))
        divided = frozenset(name for name, number in systems.items() if number > 1)
        return divided, max((systems[name] for name in divided), default=1)

    @property
    def idle(self) -> tuple[str, ...]:
        """Return the names of systems that are idle until the first one of their pair fails."""
        pairs = zip(self.members[::2], self.members[1::2], strict=False) if self.failover else ()
        return tuple(b.name for a, b in pairs if set(b.services) <= set(a.services))


class Gap(NamedTuple):
    """What the search of a platform that stopped early leaves open.

    `found` is the smallest configuration found, if any was; none is smaller than the `bound`.
    """

    platform: str
    found: Size | None
    bound: Size


class Plan(NamedTuple):
    """Everything that planning found; reports only format it. Without `chosen` nothing fits.

    `rules` are those that were asked. `gaps` are of platforms whose search was ended before it had
    tried all, so that it is not `proven` that nothing smaller holds. Where a `group` of systems
    supports the demand, `chosen` is its first, and what was `rejected` are single systems.
    `unsurvived` are the failures that it is to survive and does not; `tightest_failure` is that of
    a part, of those that it is to survive, after which a resource is nearest to its limit.
    """

    guide: Guide
    demand: Demand
    policy: Policy
    chosen: Evaluation | None
    rejected: tuple[Rejection, ...]
    nearest: Rejection | None
    rules: tuple[Rule, ...]
    gaps: tuple[Gap, ...] = ()
    group: Group | None = None
    unsurvived: tuple[Failure, ...] = ()
    tightest_failure: Failure | None = None

    @property
    def plans(self) -> tuple[Plan, ...]:
        """The plan of each system; identical systems have one."""
        return tuple(member.plan for member in self.group.members) if self.group else (self,)

    @property
    def numbers(self) -> tuple[int, ...]:
        """How many identical systems each of these plans is for."""
        return tuple(member.quantity for member in self.group.members) if self.group else (1,)

    @property
    def number(self) -> int:
        """How many systems there are."""
        return self.group.number if self.group else 1

    @property
    def proven(self) -> bool:
        """Whether every search went to its end."""
        return not any(plan.gaps for plan in (self, *self.plans))

    @property
    def cut_short(self) -> tuple[str, ...]:
        """The platforms whose search stopped early."""
        return tuple(dict.fromkeys(gap.platform for gap in self.gaps))

    @property
    def holds(self) -> bool:
        """Whether a configuration was found that breaks no limit, and survives what it has to."""
        return self.chosen is not None and not self.unsurvived

    def with_plans(self, plans: tuple[Plan, ...]) -> Plan:
        """Return the same with other plans of its systems."""
        if self.group is None:
            return plans[0]
        members = tuple(m._replace(plan=p) for m, p in zip(self.group.members, plans, strict=True))
        return self._replace(chosen=plans[0].chosen, group=self.group._replace(members=members))

    @property
    def shown(self) -> Evaluation | None:
        """The configuration to show: the chosen one, else the closest alternative."""
        return self.chosen or (self.nearest.judgement if self.nearest else None)


class Relief(NamedTuple):
    """The smallest plan that keeps a part of each limit on a load free, where one is nearly full.

    It has one of the numbers of systems that were `tried`; None if none of them keeps that much.
    `networks` is how many it needs of those of which the workload permits fewer. It is not `proven`
    if a search for it stopped early.
    """

    least_free: Quantity
    tried: tuple[int, ...]
    plan: Plan | None = None
    networks: Mapping[str, int] = MappingProxyType({})
    proven: bool = True


class FewerSystems(NamedTuple):
    """A plan with fewer systems for a load that has been divided, with more `networks`.

    `networks` is how many it needs of those of which the workload permits fewer.
    """

    plan: Plan
    networks: Mapping[str, int]


def evaluate_again(
    plan: Plan, planning: Planning, changed: Callable[[Demand], Demand] = lambda demand: demand
) -> Plan:
    """Return a plan of the same systems with the limits of another policy, or changed demands."""
    demand = changed(plan.demand)
    plan = plan._replace(demand=demand, policy=planning.policy)
    if plan.group is None:
        chosen = plan.chosen and planning.evaluate(demand, plan.chosen.system)
        return plan._replace(chosen=chosen)
    plan = plan.with_plans(tuple(evaluate_again(each, planning, changed) for each in plan.plans))
    assert plan.group is not None
    failover = tuple(
        after._replace(
            demand=(left := changed(after.demand)),
            state=planning.evaluate(left, after.state.system),
        )
        for after in plan.group.failover
    )
    return plan._replace(group=plan.group._replace(failover=failover))


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
    rejected: list[Rejection] = []
    gaps: list[Gap] = []
    evaluated = EvaluatedDisks(demand, planning)
    for _, alike in groupby(candidates, key=lambda machine: machine.platform.number("rank")):
        group = list(alike)
        planning.watch(f"trying {', '.join(dict.fromkeys(m.platform.text('name') for m in group))}")
        missing = {machine: find_shortfalls(machine, demand, planning) for machine in group}
        able = [machine for machine in group if not missing[machine]]
        best, searches = smallest(able, demand, planning, evaluated)
        found = best.key.size if best else None
        gaps += (
            Gap(s.machine.platform.id, found, s.bound) for s in searches if s.bound is not None
        )
        if best is not None:
            chosen = evaluate_facts(
                best.system, best.load, best.facts, guide, planning.rule_set, planning.policy
            )
            return _plan(demand, planning, tuple(rejected), tuple(gaps), chosen)
        if explain:
            tried: dict[str, PartialSolution | None] = {}
            for machine in group:
                platform = machine.platform.id
                lacking, nearest = missing[machine], tried.get(platform)
                refused = rejection(machine, lacking, demand, planning, evaluated, nearest)
                tried[platform] = refused.choice
                rejected.append(refused)
    near = 0.0
    for n, each in enumerate(rejected):
        rejected[n] = with_largest_share(each, demand, planning, near)
        near = max(near, rejected[n].load_share)
    plan = _plan(demand, planning, tuple(rejected), tuple(gaps))
    return plan._replace(nearest=nearest_of(rejected) if rejected else None)


def _plan(
    demand: Demand, planning: Planning, rejected: tuple[Rejection, ...], gaps: tuple[Gap, ...],
    chosen: Evaluation | None = None,
) -> Plan:  # fmt: skip
    guide, rules, policy = planning.guide, planning.rule_set.rules, planning.policy
    return Plan(guide, demand, policy, chosen, rejected, None, rules, gaps)


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

    Where all lack something it is the largest of those that lack least, else the smallest.
    """
    nearest, *others = rejected
    for each in others:
        if _nearness(each) > _nearness(nearest) or (
            nearest.lacks and _nearness(each) == _nearness(nearest)
        ):
            nearest = each
    return nearest


def _nearness(rejection: Rejection) -> tuple[float, ...]:
    broken = (rejection.lacks, rejection.waive, rejection.findings)
    over = (over_limit(f.asked, f.shown, "likely") for f in rejection.findings)
    return (rejection.load_share, *(-len(each) for each in broken), -fsum(over))


def determinant(budgets: tuple[Budget, ...], end: str) -> Determinant | None:
    """The budget nearest to its limit at one end of the demand; the first of several."""
    ranked = [
        (share, b) for b in budgets
        if b.kind not in ROOM and (share := b.share_of_limit(end)) is not None
    ]  # fmt: skip
    if not ranked:
        return None
    share, budget = max(ranked, key=lambda pair: pair[0])
    assert budget.used is not None and budget.limit is not None
    return Determinant(budget.resource, budget.used, budget.limit, share, budget.limit_rule)


def coverage(findings: tuple[Finding, ...]) -> Mapping[str, int]:
    """How many judgements came to each verdict."""
    counts = Counter(f.verdict for f in findings)
    return {verdict: counts[verdict] for verdict in VERDICTS}
