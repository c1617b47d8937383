"""What is left of a system that has lost a part, and what the rules say of it then."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import NamedTuple

from sizewright.configuration.components import (
    components,
    disconnected,
    lost_volumes,
    remove_component,
    removed_parts,
)
from sizewright.configuration.model import System
from sizewright.demand.model import Demand, VolumeDemand
from sizewright.demand.subset import restrict_demand
from sizewright.evaluate.findings import on_parts
from sizewright.evaluate.policy import Policy
from sizewright.evaluate.system import Evaluation, evaluate
from sizewright.guide.model import Guide
from sizewright.rules.compiler import SYSTEM, RuleSet

# Space without which no kernel runs.
_ESSENTIAL = ("root", "swap")

# A rule that asks for protection asks for the very copies that a failure uses up: it is not judged.
_USED_UP = ("volume", "protection")


class Outage(NamedTuple):
    """A service that is down, and why: volumes that are lost, networks that no port is left on.

    A service that is left some of its networks works on for those.
    """

    service: str
    volumes: tuple[str, ...] = ()
    networks: tuple[str, ...] = ()


class Failure(NamedTuple):
    """One part gone: what goes with it, and everything that is said of the system then.

    `lost` are volumes without a copy left, `cut_off` communities without a network, and `broken`
    the rules and resources that held before and do not now. `untold` says that it is not known
    what the part holds. `system` is the one that is judged: of a system that fails, the one that is
    left.
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

    @property
    def holds(self) -> bool:
        """Whether nothing is lost, cut off or down, and no limit is broken that held."""
        return not (self.lost or self.cut_off or self.down or self.broken or self.untold)


def part_failure(
    demand: Demand, whole: Evaluation, component: str, guide: Guide, book: RuleSet, policy: Policy
) -> Failure:
    """What one system is without one of its parts; raises KeyError where there is none."""
    kind = components(whole.system)[component]
    left = remove_component(whole.system, component)
    down = tuple(outages(demand, whole.system, left))
    after = without_protection(
        evaluate(left_of(demand, down, left), left, guide, book, policy), book
    )
    return Failure(
        component, kind, left.id, removed_parts(whole.system, left),
        lost_volumes(whole.system, left), disconnected(whole.system, left), down, whole, after,
        broken(whole, after, book, policy),
    )  # fmt: skip


def outages(demand: Demand, before: System, after: System) -> Iterator[Outage]:
    """The services that cannot go on as they are."""
    lost, cut = set(lost_volumes(before, after)), set(disconnected(before, after))
    vital = {v.name for v in demand.volumes if v.use in _ESSENTIAL and v.name in lost}
    for service in demand.services:
        volumes = tuple(sorted(lost.intersection(service.volumes) | vital))
        networks = tuple(sorted(cut.intersection(service.networks)))
        if volumes or networks:
            yield Outage(service.name, volumes, networks)


def left_of(demand: Demand, down: Collection[Outage], after: System) -> Demand:
    """The demand without the work of services that are down; their data stay where they lie."""
    networks = {service.name: set(service.networks) for service in demand.services}
    idle = {o.service for o in down if o.volumes or not networks[o.service] - set(o.networks)}
    if not idle and {v.name for v in demand.volumes} <= {v.name for v in after.volumes}:
        return demand
    there = {volume.name for volume in after.volumes}
    work = restrict_demand(demand, {s.name for s in demand.services if s.name not in idle})
    working = {volume.name: volume for volume in work.volumes}
    volumes = tuple(
        working.get(v.name) or _at_rest(v) for v in demand.volumes if v.name in there
    )  # fmt: skip
    return work._replace(volumes=volumes)


def _at_rest(volume: VolumeDemand) -> VolumeDemand:
    return volume._replace(reads=(), writes=(), work=(), cached_mb=None)


def without_protection(after: Evaluation, book: RuleSet) -> Evaluation:
    """Return a judgement without the findings on protection, which a failure uses up."""
    found = (each for each in after.findings if _USED_UP not in book.rule(each.rule).reads)
    return after._replace(findings=tuple(found))


def broken(before: Evaluation, after: Evaluation, book: RuleSet, policy: Policy) -> tuple[str, ...]:
    """The rules and resources that held before and do not now."""
    already = set(_broken(before, book, policy))
    return tuple(dict.fromkeys(b for b in _broken(after, book, policy) if b not in already))


def _broken(judged: Evaluation, book: RuleSet, policy: Policy) -> Iterator[str]:
    """What does not hold at the end of the ranges that counts; what is waived may not."""
    rules = (
        rule for rule in book.rules
        if rule.blocks and rule.id not in policy.waived and _USED_UP not in rule.reads
    )  # fmt: skip
    for rule, subjects in on_parts(rules, judged.facts):
        if policy.broken(rule, policy.says(rule, subjects)):
            name = subjects[rule.subject].id
            where = "" if rule.subject == SYSTEM else f", {rule.subject} {name}"
            yield f"rule {rule.id}{where}"
    for budget in judged.budgets:
        if budget.is_over(policy.size_for) and budget.limit_rule not in policy.waived:
            yield budget.resource
