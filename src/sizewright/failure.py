"""What is left of a system that has lost a part, and what the rules say of it then."""

from collections.abc import Collection, Iterable, Iterator
from typing import NamedTuple

from sizewright.configuration.model import (
    SYSTEM,
    System,
    components,
    disconnected,
    lost_volumes,
    remove_component,
    removed_parts,
)
from sizewright.demand.model import Demand
from sizewright.demand.subset import stop_services
from sizewright.evaluate.budgets import Budget
from sizewright.evaluate.findings import on_parts
from sizewright.evaluate.limits import BACKUP, resource_of
from sizewright.evaluate.policy import Policy
from sizewright.evaluate.system import Evaluation, evaluate
from sizewright.guide.model import Guide
from sizewright.quantity import as_quantity
from sizewright.rules.compiler import RuleSet
from sizewright.rules.rule import LIMITS, MISSED
from sizewright.workload.volume import ESSENTIAL

# A rule on protection requires the copies that a failure uses up, so it is not evaluated.
_USED_UP = ("volume", "protection")
# Backups wait until the part is replaced: no service needs them.
_CAN_WAIT = {("system", "backup_device"), ("system", "backup_hours")}


class Served(NamedTuple):
    """The share of its rates that a service keeps after a failure; 0 if it stops."""

    service: str
    share: float


class Outage(NamedTuple):
    """A service that stops, and why: lost volumes, and networks without a port.

    A service that keeps some of its networks continues for those.
    """

    service: str
    volumes: tuple[str, ...] = ()
    networks: tuple[str, ...] = ()


class Failure(NamedTuple):
    """One lost part: what is lost with it, and the evaluation of the system then.

    `lost` are volumes without a copy, `cut_off` communities without a network, and `broken` the
    rules and resources that passed before and fail now; `borderline` those that passed before and
    now pass only in the best case, or exceed a recommended limit. `untold`: it is unknown what data
    is on the part. `system` is the one that is evaluated: if a system fails, the other one.
    `slower` are services that were planned to lose some of their rates, or to stop. `unsaved`: the
    system that failed had the drives for backups, and the other one has none.
    """

    component: str
    kind: str
    system: str
    gone: tuple[str, ...]
    lost: tuple[str, ...]
    cut_off: tuple[str, ...]
    down: tuple[Outage, ...]
    before: Evaluation
    after: Evaluation
    broken: tuple[str, ...]
    untold: bool = False
    slower: tuple[Served, ...] = ()
    borderline: tuple[str, ...] = ()
    unsaved: bool = False

    @property
    def holds(self) -> bool:
        """Whether nothing is lost, cut off or down, and no limit fails that passed."""
        return not (self.lost or self.cut_off or self.down or self.broken or self.untold)

    @property
    def backups_wait(self) -> bool:
        """Whether backups passed before, and now have no drive, or take longer than they may."""
        before, after = (
            {f.rule for f in each.findings if f.verdict == "violated" and _CAN_WAIT & f.asked.reads}
            for each in (self.before, self.after)
        )
        return self.unsaved or bool(after - before)


def part_failure(
    demand: Demand,
    whole: Evaluation,
    component: str,
    guide: Guide,
    rule_set: RuleSet,
    policy: Policy,
) -> Failure:
    """Return one system without one of its parts; raises KeyError if it has no such part."""
    kind = components(whole.system)[component]
    left = remove_component(whole.system, component)
    down = tuple(outages(demand, whole.system, left))
    after = without_protection(
        evaluate(left_of(demand, down, left), left, guide, rule_set, policy), rule_set
    )
    gone = removed_parts(whole.system, left)
    after = with_unused(whole, after, gone)
    broken, borderline = newly_missed(whole, after, rule_set, policy)
    return Failure(
        component, kind, left.id, gone,
        lost_volumes(whole.system, left), disconnected(whole.system, left), down, whole, after,
        broken, borderline=borderline,
    )  # fmt: skip


def outages(demand: Demand, before: System, after: System) -> Iterator[Outage]:
    """Yield the services that cannot continue as they are."""
    lost, cut = set(lost_volumes(before, after)), set(disconnected(before, after))
    vital = {v.name for v in demand.volumes if v.use in ESSENTIAL and v.name in lost}
    for service in demand.services:
        volumes = tuple(sorted(lost.intersection(service.volumes) | vital))
        networks = tuple(sorted(cut.intersection(service.networks)))
        if volumes or networks:
            yield Outage(service.name, volumes, networks)


def left_of(demand: Demand, down: Collection[Outage], after: System) -> Demand:
    """Return the demand without the work of stopped services; their data stays in place."""
    networks = {service.name: set(service.networks) for service in demand.services}
    idle = {o.service for o in down if o.volumes or not networks[o.service] - set(o.networks)}
    there = {volume.name for volume in after.volumes}
    if not idle and there.issuperset(volume.name for volume in demand.volumes):
        return demand
    left = stop_services(demand, idle)
    return left._replace(volumes=tuple(v for v in left.volumes if v.name in there))


def without_protection(after: Evaluation, rule_set: RuleSet) -> Evaluation:
    """Return an evaluation without findings on protection, which a failure uses up."""
    found = (each for each in after.findings if _USED_UP not in rule_set.rule(each.rule).reads)
    return after._replace(findings=tuple(found))


def with_unused(before: Evaluation, after: Evaluation, gone: Collection[str]) -> Evaluation:
    """Return an evaluation with what is left and nothing uses any more, of a known demand.

    Of parts that are `gone` there is none, nor of backups, which may have lost their drive.
    """
    there = {budget.resource for budget in after.budgets}
    unused = (
        budget._replace(
            items=(), used=as_quantity(0, budget.unit), utilisation=None, verdict="holds"
        )
        for budget in before.budgets
        if budget.resource not in there and budget.name not in gone and budget.kind != BACKUP
    )
    return after._replace(budgets=(*after.budgets, *unused))


def newly_missed(
    before: Evaluation, after: Evaluation, rule_set: RuleSet, policy: Policy
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the rules and resources that fail now and did not, and those newly borderline.

    A limit that a rule of the guide names is not repeated for its resource.
    """
    was, now = (list(_limits_missed(each, rule_set, policy)) for each in (before, after))
    missed, failed = {each.name for each in was}, {each.name for each in was if each.fails}
    broken = (each for each in now if each.fails and each.name not in failed)
    borderline = (each for each in now if not each.fails and each.name not in missed)
    return _without_repeated(broken), _without_repeated(borderline)


def budgets_at_worst(
    budgets: Iterable[Budget], failure: Failure | None, end: str
) -> tuple[Budget, ...]:
    """Return budgets, those that are fuller after a failure as they are then.

    What counts is the share of the limit at one end of all ranges.
    """
    then = {budget.resource: budget for budget in failure.after.budgets} if failure else {}

    def share(budget: Budget) -> float:
        return budget.share_of_limit(end) or 0

    return tuple(max(each, then.get(each.resource, each), key=share) for each in budgets)


def limits_broken(judged: Evaluation, rule_set: RuleSet, policy: Policy) -> Iterator[str]:
    """Yield the rules and resources that fail at the end that counts, unless they are waived.

    Rules on protection are left out: a failure uses it up. So are those on backups, which can wait.
    """
    return (each.name for each in _limits_missed(judged, rule_set, policy) if each.fails)


class _Missed(NamedTuple):
    """What does not pass, and whether it fails at the end that counts, or is borderline.

    `limits` are the kinds and parts of the resources that it limits. `may_repeat` is true unless it
    is a rule of the guide.
    """

    name: str
    fails: bool
    limits: frozenset[tuple[str, str]]
    may_repeat: bool


def _without_repeated(found: Iterable[_Missed]) -> tuple[str, ...]:
    named: set[tuple[str, str]] = set()
    names = []
    for each in found:
        if not (each.may_repeat and each.limits and each.limits <= named):
            names.append(each.name)
            named |= each.limits
    return tuple(dict.fromkeys(names))


def _limits_missed(judged: Evaluation, rule_set: RuleSet, policy: Policy) -> Iterator[_Missed]:
    """Yield the rules that do not pass, those of the guide first, and then the resources."""
    rules = (
        rule for rule in rule_set.rules
        if rule.severity in LIMITS and rule.reads.isdisjoint({_USED_UP, *_CAN_WAIT})
    )  # fmt: skip
    for rule, subjects in on_parts(rules, judged.facts):
        says, part = policy.verdict(rule, subjects), subjects[rule.subject].id
        if says in MISSED and not policy.reason(rule.id, f"/{rule.subject}/{part}"):
            where = "" if rule.subject == SYSTEM else f", {rule.subject} {part}"
            of = "" if rule.subject == SYSTEM else part
            bounds = rule.stated_bounds
            limits = frozenset((resource_of(each.resource).kind, of) for each in bounds)
            fails = rule.blocks and policy.broken(rule, says)
            yield _Missed(f"rule {rule.id}{where}", fails, limits, rule.own)
    for budget in judged.budgets:
        if budget.verdict in MISSED and budget.kind != BACKUP:
            limits = frozenset({(budget.kind, budget.name)})
            yield _Missed(budget.resource, budget.is_over(policy.size_for), limits, True)
