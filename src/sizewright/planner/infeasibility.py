"""Why a machine does not meet every limit: what it cannot have, or the nearest configuration.

What a machine lacks whatever is chosen comes first. Else the nearest configuration is searched for
in a bounded number of steps: the one that breaks the fewest limits, with the machine's slots or, if
that breaks fewer, with more. It is judged under the whole demand, so that each reason has its
numbers.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from sizewright.configuration.model import System
from sizewright.demand.model import Demand
from sizewright.evaluate.limits import over_limit
from sizewright.evaluate.policy import Policy
from sizewright.evaluate.system import Evaluation
from sizewright.guide.model import Guide
from sizewright.limits import (
    MISS_STEPS,
    NEARER_STEPS,
    QUANTITY_AT_MOST,
    SHORTFALL_PARTS,
    SPARE_SLOTS_TRIED,
)
from sizewright.planner.choice import PartialSolution
from sizewright.planner.load_share import LoadShares, overloaded_without_one
from sizewright.planner.parts import Machine, Memory, memory_sizes
from sizewright.planner.planning import Planning
from sizewright.planner.reasons import broken, broken_as_built
from sizewright.planner.search import Incumbent, Search, run_within
from sizewright.planner.storage import EvaluatedDisks
from sizewright.planner.structural_limits import Shortfall
from sizewright.quantity import Quantity
from sizewright.rules.rule import Finding, Rule

_SLOTS = "slots.used"
# Subjects for whose limits a search has no second choice if nothing keeps them.
_PLACED = ("channel", "disk")


class PassedOver(NamedTuple):
    """A machine that does not pass for a demand, and what it `lacks` whatever is chosen.

    `planning` is what it was planned by, `disks` are those that were evaluated with data.
    """

    machine: Machine
    lacks: tuple[Shortfall, ...]
    demand: Demand
    planning: Planning
    disks: EvaluatedDisks

    @property
    def name(self) -> str:
        """The name of its platform."""
        return self.machine.platform.text("name")

    @property
    def processors(self) -> int:
        """How many processors it has."""
        return self.machine.processors


class Rejection(NamedTuple):
    """A platform with a number of processors that does not pass.

    `findings` are the limits that its nearest configuration breaks under the whole demand, `waive`
    the rules that it breaks whatever the load, and `load_share` is the part of the load that it
    supports (0 if slots or rules rule out any). `lacks` says what it cannot have at all,
    `choice` is what was chosen in the nearest configuration. `after_failure` says what the networks
    do not carry if one of them fails, which is no finding on the whole configuration.
    """

    platform: str
    name: str
    processors: int
    findings: tuple[Finding, ...]
    judgement: Evaluation | None
    load_share: float
    waive: tuple[str, ...]
    lacks: tuple[Shortfall, ...] = ()
    choice: PartialSolution | None = None
    after_failure: tuple[str, ...] = ()

    @property
    def reasons(self) -> tuple[str, ...]:
        """What is broken, with numbers."""
        if self.lacks:
            return tuple(each.message for each in self.lacks)
        broken = (f"{f.message} (rule {f.rule})" for f in self.certain_findings)
        return (*self.after_failure, *broken) or (
            "no combination of its parts that was tried attaches all that the workload needs",
        )

    @property
    def certain_findings(self) -> tuple[Finding, ...]:
        """The limits that are exceeded, or if none is those that are not known.

        Another choice of parts may have what is not known of this one.
        """
        certain = tuple(each for each in self.findings if each.verdict != "unknown")
        return certain or self.findings

    @property
    def only_advice(self) -> bool:
        """Return whether it meets every limit, and is rejected for advice that is insisted on."""
        severities = {each.asked.severity for each in self.findings}
        return severities == {"advice"} and not self.lacks and not self.after_failure


def rejection(refused: PassedOver, tried: PartialSolution | None = None) -> Rejection:
    """Return why a machine is refused, from what it lacks or from its nearest configuration.

    Choices that were `tried` on another machine of its platform are looked at first.
    """
    machine, lacks, demand, planning, disks = refused
    of = (machine.platform.id, refused.name, machine.processors)
    if lacks:
        return Rejection(*of, (), None, 0, (), lacks)
    nearest = nearest_found(machine, demand, planning, disks, tried)
    if nearest is None:
        return Rejection(*of, (), None, 0, ())
    nearest = _with_most_memory(nearest, machine, demand, planning)
    system = nearest.system
    shares = LoadShares(machine, demand, planning)
    always = shares.broken_at_least(system)
    rules = planning.rule_set.rules
    slots = {r.id for r in rules if any(b.resource == _SLOTS for b in r.bounds)}
    share = 0.0 if always else shares.supported_by(system)
    waive = tuple(rule.id for rule in rules if rule.id in always - slots)
    judged = planning.evaluate(demand, system)
    findings = tuple(broken(judged, planning, machine))
    overloaded = tuple(overloaded_without_one(machine, demand, planning))
    return Rejection(*of, findings, judged, share, waive, (), nearest.choice, overloaded)


def _with_most_memory(
    nearest: Incumbent, machine: Machine, demand: Demand, planning: Planning
) -> Incumbent:
    """Return a configuration with the most memory that its machine takes, if none is enough.

    It is as it was if another limit is broken by that: slots are taken by other boards.
    """
    sizes = memory_sizes(machine)
    needed = nearest.facts.system.memory_needed_mb
    if not sizes or not isinstance(needed, Quantity):
        return nearest
    if needed.at(planning.policy.size_for) <= sizes[-1].size_mb:
        return nearest
    return with_memory(nearest, sizes[-1:], machine, demand, planning)


def with_memory(
    found: Incumbent, sizes: Iterable[Memory], machine: Machine, demand: Demand, planning: Planning
) -> Incumbent:
    """Return a configuration with the first of some sizes of memory that breaks no more limits."""
    for memory in sizes:
        search = Search(machine, demand, planning, MISS_STEPS, refused=True)
        search.look_at(found.choice._replace(memory=memory))
        if search.best is not None and search.best.broken <= found.broken:
            return search.best
    return found


def nearest_found(
    machine: Machine, demand: Demand, planning: Planning,
    evaluated: EvaluatedDisks | None = None, tried: PartialSolution | None = None,
) -> Incumbent | None:  # fmt: skip
    """Return the configuration that breaks the fewest limits of those tried, if any was found.

    It may need more slots than there are. If none is found, it is one for the largest part of the
    load, by halves.
    """
    larger = machine.with_spare_slots(SPARE_SLOTS_TRIED)
    nearest, found_on = None, machine
    for each in (machine, larger):
        search = Search(each, demand, planning, MISS_STEPS, True, evaluated)
        if tried is not None and nearest is None:
            search.look_at(tried)
        found = run_within(planning.refusals, search, nearest)
        if found is not None:
            nearest, found_on = found, each
        if search.any_will_do:
            break
    if nearest is not None:
        nearer = search_nearer(nearest.choice, found_on, demand, planning, NEARER_STEPS)
        return nearer.best or nearest
    found = LoadShares(machine, demand, planning).by_halves()
    if found is not None:
        return found
    # Whatever the load, its channels or disks break limits.
    policy = planning.policy
    rules = (r for r in planning.rule_set.rules if r.subject in _PLACED and policy.blocks(r))
    last = Search(larger, demand, _waiving(planning, rules), MISS_STEPS, refused=True)
    return run_within(planning.refusals, last)


def search_nearer(
    choice: PartialSolution, machine: Machine, demand: Demand, planning: Planning, steps: int
) -> Search:
    """Return what was searched for a configuration that breaks as many limits as one, by less."""
    planning = planning._replace(policy=planning.policy._replace(weighs_over=True))
    search = Search(machine, demand, planning, steps, refused=True)
    search.look_at(choice)
    search.run()
    return search


def _waiving(planning: Planning, rules: Iterable[Rule]) -> Planning:
    """Return the same planning without some rules."""
    policy = planning.policy
    waived = {**{rule.id: "" for rule in rules}, **policy.waived}
    return planning._replace(policy=policy._replace(waived=waived))


def with_largest_shares(
    rejected: Iterable[Rejection], demand: Demand, planning: Planning
) -> tuple[Rejection, ...]:
    """Return rejections with the largest parts of the load found that the machines support.

    One that is smaller than that of a machine before is not enlarged.
    """
    found, near = list[Rejection](), 0.0
    for each in rejected:
        found.append(_with_largest_share(each, demand, planning, near))
        near = max(near, found[-1].load_share)
    return tuple(found)


def _with_largest_share(
    rejected: Rejection, demand: Demand, planning: Planning, near: float
) -> Rejection:
    """Return a rejection with the largest part of the load that the machine supports.

    One that is smaller than `near` is not enlarged.
    """
    if rejected.judgement is None:
        return rejected
    shares = _shares_of(rejected.judgement.system, demand, planning)
    found = shares.largest(rejected.load_share, near)
    if found is None:
        return rejected
    share, larger = found
    return _with_networks_of(larger, rejected, shares)._replace(load_share=share, waive=())


def with_larger_share(
    rejected: Rejection, demand: Demand, planning: Planning, near: float
) -> Rejection:
    """Return a rejection with a larger part of the load if the machine supports one.

    Far above a part for which no configuration was found there may be one that is found soon. The
    reasons for other machines may have left too few steps to find it, so these are not counted. If
    no part was found at all, it is one that is not smaller than `near`.
    """
    if rejected.judgement is None:
        return rejected
    planning = planning._replace(refusals=None)
    if not rejected.load_share:
        return _with_largest_share(rejected, demand, planning, near)
    before = rejected.judgement.system
    shares = _shares_of(before, demand, planning)
    share = shares.larger(before, rejected.load_share)
    return rejected if share <= rejected.load_share else rejected._replace(load_share=share)


def _with_networks_of(larger: Incumbent, rejected: Rejection, shares: LoadShares) -> Rejection:
    """Return a rejection with the networks of what supports a larger part, if it exceeds less then.

    The search for the nearest configuration ends at the first that breaks one limit only.
    """
    before, choice = rejected.judgement, rejected.choice
    assert before is not None
    if choice is None or len(larger.system.ports) <= len(before.system.ports):
        return rejected
    search = Search(shares.machine, shares.demand, shares.planning, MISS_STEPS, refused=True)
    search.look_at(choice._replace(attachments=larger.choice.attachments))
    return with_nearer(rejected, search)


def with_nearer(rejected: Rejection, search: Search) -> Rejection:
    """Return a rejection with what a search has found if that exceeds limits by less in all.

    It breaks no more rules: each of several networks may exceed what one exceeds by more.
    """
    before, found, planning = rejected.judgement, search.best, search.space.planning
    if before is None or found is None:
        return rejected
    judged = planning.evaluate(search.demand, found.system)
    findings = tuple(broken(judged, planning, search.machine))
    over = [excess_over_limits(each, planning.policy) for each in (judged, before)]
    rules = [len({f.rule for f in each}) for each in (findings, rejected.findings)]
    if rules[0] > rules[1] or over[0] >= over[1]:
        return rejected
    return rejected._replace(findings=findings, judgement=judged, choice=found.choice)


def excess_over_limits(judged: Evaluation, policy: Policy) -> int:
    """Return by how much a system exceeds the limits that it breaks, in parts of each limit."""
    over = sum(
        over_limit(each.asked, each.shown, policy.size_for)
        for each in broken_as_built(judged, policy)
    )
    return round(min(over, QUANTITY_AT_MOST) * SHORTFALL_PARTS)


def _shares_of(system: System, demand: Demand, planning: Planning) -> LoadShares:
    """Return the parts of a load on the machine of a system."""
    return LoadShares(machine_of(system, demand, planning.guide), demand, planning)


def machine_of(system: System, demand: Demand, guide: Guide) -> Machine:
    """Return the machine of a system."""
    return Machine(
        guide, guide.row("platforms", system.platform), system.processors or 1,
        system.operating_system, serves=bool(demand.streams),
    )  # fmt: skip
