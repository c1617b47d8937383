"""The plan: the configuration chosen, and what was rejected on the way."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple, Protocol

from sizewright.demand.model import ClientDivision, Demand
from sizewright.errors import Location, refusal
from sizewright.evaluate.budgets import ROOM, Budget
from sizewright.evaluate.limits import BACKUP, resource_of
from sizewright.evaluate.policy import Policy
from sizewright.evaluate.system import Evaluation
from sizewright.guide.model import Guide
from sizewright.planner.choice import Size
from sizewright.planner.infeasibility import PassedOver, Rejection
from sizewright.planner.partitions import Partition
from sizewright.planner.parts import platforms_on_offer
from sizewright.planner.planning import Planning
from sizewright.quantity import Quantity
from sizewright.rules.rule import LIMITS, RECOMMENDED, VERDICTS, Finding, Rule

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

    @property
    def runs_anything(self) -> bool:
        """Return whether a service runs on the survivor; if all of them may stop, none does."""
        return bool(self.demand.services)


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
    `division` is of services over systems or of clients; None if they survive.
    """

    members: tuple[Member, ...]
    passed_over: int = 0
    failover: tuple[Failover, ...] = ()
    division: Partition | ClientDivision | None = None

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
    def shares_all_networks(self) -> bool:
        """Return whether all systems are on all networks of the clients that they divide."""
        division = self.division
        return isinstance(division, ClientDivision) and division.on_all_networks

    @property
    def pairs(self) -> tuple[tuple[Member, Member], ...]:
        """Return the systems that take over from each other."""
        members = {member.name: member for member in self.members}
        order = list(members)
        return tuple(
            (members[each.failed], members[each.survivor]) for each in self.failover
            if order.index(each.failed) < order.index(each.survivor)
        )  # fmt: skip

    @property
    def number_of_pairs(self) -> int:
        """How many pairs there are; identical ones each count."""
        return sum(first.quantity for first, _ in self.pairs)

    @property
    def alone(self) -> tuple[str, ...]:
        """Return the names of systems beside pairs that are in none: all that they run may stop."""
        paired = {name for each in self.failover for name in (each.failed, each.survivor)}
        return tuple(m.name for m in self.members if m.name not in paired) if paired else ()

    @property
    def idle(self) -> tuple[str, ...]:
        """Return the names of systems that are idle until the first one of their pair fails."""
        return tuple(b.name for a, b in self.pairs if set(b.services) <= set(a.services))

    @property
    def unneeded(self) -> tuple[str, ...]:
        """Return the names of idle systems that take over nothing, because all of it may stop."""
        survivors = {each.survivor for each in self.failover if not each.runs_anything}
        return tuple(name for name in self.idle if name in survivors)


class Gap(NamedTuple):
    """What the search of a platform that stopped early leaves open.

    `found` is the smallest configuration found, if any was; none is smaller than the `bound`.
    """

    platform: str
    found: Size | None
    bound: Size


class Reasons(Protocol):
    """Why machines were passed over, searched for when it is first asked."""

    @property
    def passed_over(self) -> Sequence[PassedOver | Rejection]:
        """Each machine."""

    @property
    def rejected(self) -> tuple[Rejection, ...]:
        """Each machine with its reasons."""

    @property
    def nearest(self) -> Rejection | None:
        """The closest alternative, if no machine passes."""


class Plan(NamedTuple):
    """Everything that planning found; reports only format it. Without `chosen` nothing fits.

    `rules` are those that were asked. A plan that is shown has the `reasons` of machines that were
    `passed_over`: to find them may take longer than the plan. `gaps` are of
    platforms whose search was ended before it had tried all, so that it is not `proven` that
    nothing smaller holds. Where a `group` of systems supports the demand, `chosen` is its first,
    and what was `rejected` are single systems. `unsurvived` are the failures that it is to survive
    and does not, `borderline_failures` those after which a recommended limit is exceeded that was
    not before; `tightest_failure` is that of a part, of those that it is to survive, after which a
    resource is nearest to its limit.
    """

    guide: Guide
    demand: Demand
    policy: Policy
    chosen: Evaluation | None
    rules: tuple[Rule, ...]
    gaps: tuple[Gap, ...] = ()
    passed_over: tuple[PassedOver, ...] = ()
    reasons: Reasons | None = None
    group: Group | None = None
    unsurvived: tuple[Failure, ...] = ()
    borderline_failures: tuple[Failure, ...] = ()
    tightest_failure: Failure | None = None

    @property
    def rejected(self) -> tuple[Rejection, ...]:
        """The machines that were passed over, with their reasons."""
        return self.reasons.rejected if self.reasons is not None else ()

    @property
    def nearest(self) -> Rejection | None:
        """The closest alternative, if no machine passes."""
        return self.reasons.nearest if self.reasons is not None else None

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
    def machines(self) -> tuple[int, float]:
        """How many systems there are, and the sum of the ranks of their platforms."""
        platforms = self.guide.table("platforms")
        ranks = (
            n * platforms[part.chosen.system.platform].number("rank")
            for part, n in zip(self.plans, self.numbers, strict=True) if part.chosen is not None
        )  # fmt: skip
        return self.number, sum(ranks)

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

    @property
    def recommended_exceeded(self) -> tuple[str, ...]:
        """Return the rules of recommended limits on loads that a plan exceeds, in their order."""
        judged = (plan.chosen for plan in self.plans if self.holds and plan.chosen is not None)
        exceeded = {f.rule for each in judged for f in each.borderline if f.severity == RECOMMENDED}
        return tuple(rule for rule in self.recommended_on_loads if rule in exceeded)

    @property
    def recommended_on_loads(self) -> tuple[str, ...]:
        """Return the rules of recommended limits on loads, in their order."""
        return tuple(
            rule.id for rule in self.rules
            if rule.severity == RECOMMENDED
            and not all(resource_of(bound.resource).room for bound in rule.stated_bounds)
        )  # fmt: skip

    @property
    def unknown_limits(self) -> frozenset[str]:
        """Return the rules of limits that are unknown of a plan."""
        judged = (plan.chosen for plan in self.plans if plan.chosen is not None)
        return frozenset(
            finding.rule for each in judged for finding in each.findings
            if finding.verdict == "unknown" and finding.severity in LIMITS
        )  # fmt: skip

    def instead_of(self, other: Plan) -> Plan:
        """Return this plan with what was asked and what was passed over for another."""
        return self._replace(demand=other.demand, reasons=other.reasons)

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
