"""Why a machine does not meet every limit: what it cannot have, or the nearest configuration.

What a machine lacks whatever is chosen comes first. Else the nearest configuration is searched for
in a bounded number of steps: the one that breaks the fewest limits, with the machine's slots or, if
that breaks fewer, with more. It is judged under the whole demand, so that each reason has its
numbers.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from math import floor
from typing import NamedTuple

from sizewright.configuration.model import SYSTEM, System
from sizewright.demand.model import Demand
from sizewright.demand.rates import sum_lines
from sizewright.demand.subset import scale_rates
from sizewright.demand.usage import usage_of
from sizewright.evaluate.findings import broken_rules, costs_of
from sizewright.evaluate.limits import over_limit
from sizewright.evaluate.policy import Policy
from sizewright.evaluate.system import Evaluation, facts_under
from sizewright.facts.records import SystemFacts, blank
from sizewright.formula import quantity_text
from sizewright.guide.model import Guide
from sizewright.limits import (
    LOAD_SHARE_BISECTIONS,
    MISS_STEPS,
    QUANTITY_AT_MOST,
    SHORTFALL_PARTS,
    SPARE_SLOTS_TRIED,
)
from sizewright.load.cpu_load import cpu_load
from sizewright.load.derive import derive_load
from sizewright.planner.choice import PartialSolution
from sizewright.planner.connections import attachments
from sizewright.planner.cpu_bound import TimeLimits
from sizewright.planner.parts import Machine, Memory, memory_sizes, settled
from sizewright.planner.planning import Planning
from sizewright.planner.search import Incumbent, Search, run_within
from sizewright.planner.storage import EvaluatedDisks
from sizewright.planner.structural_limits import Shortfall
from sizewright.quantity import Quantity, count
from sizewright.rules.rule import Finding, Rule
from sizewright.units import PERCENT

_SLOTS, _MEMORY = "slots.used", "system.memory_needed_mb"
# Subjects for whose limits a search has no second choice if nothing keeps them.
_PLACED = ("channel", "disk")
_PARTS: int = 2**LOAD_SHARE_BISECTIONS
_LEAST_LOAD = 1.0 / _PARTS


class PassedOver(NamedTuple):
    """A machine that does not pass for a demand, and what it `lacks` whatever is chosen.

    `disks` are those that were evaluated with data of this demand.
    """

    machine: Machine
    lacks: tuple[Shortfall, ...]
    demand: Demand
    disks: EvaluatedDisks


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
        broken = (f"{f.message} (rule {f.rule})" for f in self.findings)
        return (*self.after_failure, *broken) or (
            "no combination of its parts that was tried attaches all that the workload needs",
        )

    @property
    def only_advice(self) -> bool:
        """Return whether it meets every limit, and is rejected for advice that is insisted on."""
        severities = {each.asked.severity for each in self.findings}
        return severities == {"advice"} and not self.lacks and not self.after_failure


def rejection(
    refused: PassedOver, planning: Planning, tried: PartialSolution | None = None
) -> Rejection:
    """Return why a machine is refused, from what it lacks or from its nearest configuration.

    Choices that were `tried` on another machine of its platform are looked at first.
    """
    machine, lacks, demand, disks = refused
    of = (machine.platform.id, machine.platform.text("name"), machine.processors)
    if lacks:
        return Rejection(*of, (), None, 0, (), lacks)
    nearest = nearest_found(machine, demand, planning, disks, tried)
    if nearest is None:
        return Rejection(*of, (), None, 0, ())
    nearest = _with_most_memory(nearest, machine, demand, planning)
    system = nearest.system
    scales = _Scales(machine, demand, planning)
    always = scales.limits(system, 0)
    rules = planning.rule_set.rules
    slots = {r.id for r in rules if any(b.resource == _SLOTS for b in r.bounds)}
    share = 0.0 if always else _share(scales.last_of(system))
    waive = tuple(rule.id for rule in rules if rule.id in always - slots)
    judged = planning.evaluate(demand, system)
    findings = tuple(broken(judged, planning, machine))
    overloaded = tuple(_overloaded_without_one(machine, demand, planning))
    return Rejection(*of, findings, judged, share, waive, (), nearest.choice, overloaded)


def _overloaded_without_one(machine: Machine, demand: Demand, planning: Planning) -> Iterator[str]:
    """Say which networks do not carry their load without one of the most that there may be."""
    spared = [network for network in demand.networks if network.spare]
    if not spared:
        return
    rule_set, policy = planning.rule_set, planning.policy
    known: SystemFacts = blank(SYSTEM, settled(machine, usage_of(demand)))
    for network in spared:
        ways = attachments(machine, demand, network, known, rule_set, policy)
        if ways and all(way.cost.broken for way in ways):
            most = max(len(way.providers) for way in ways)
            rest = "the other does" if most == 1 + network.spare else "the others do"
            ops = sum_lines(demand.at_peak(network.ops), "op/s").at(policy.size_for)
            load = f" of {quantity_text(ops, 'op/s')}" if ops else ""
            fails = f"if one of {most} networks of {network.name} fails"
            yield f"{fails}, {rest} not carry its load{load}"


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
    nearest: Incumbent | None = None
    for each in (machine, larger):
        search = Search(each, demand, planning, MISS_STEPS, True, evaluated)
        if tried is not None and nearest is None:
            search.look_at(tried)
        nearest = run_within(planning.refusals, search, nearest) or nearest
        if search.any_will_do:
            break
    if nearest is not None:
        return nearest
    scales = _Scales(machine, demand, planning)
    # Where limits are broken whatever the load, such as that of memory, the others may be kept.
    for found_for in (scales.holding, scales.breaking_fewest):
        part, least = _PARTS, found_for(0)
        # What the least part does not have, no larger part has.
        while least is not None:
            part //= 2
            found = found_for(part) if part else least
            if found is not None:
                return found
    # Whatever the load, its channels or disks break limits.
    policy = planning.policy
    rules = (r for r in planning.rule_set.rules if r.subject in _PLACED and policy.blocks(r))
    last = Search(larger, demand, _waiving(planning, rules), MISS_STEPS, refused=True)
    return run_within(planning.refusals, last)


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
    scales = _scales_of(rejected.judgement.system, demand, planning)
    found = scales.largest(rejected.load_share, near)
    if found is None:
        return rejected
    share, larger = found
    return _with_networks_of(larger, rejected, scales)._replace(load_share=share, waive=())


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
    scales = _scales_of(before, demand, planning)
    share = scales.larger(before, rejected.load_share)
    return rejected if share <= rejected.load_share else rejected._replace(load_share=share)


def _with_networks_of(larger: Incumbent, rejected: Rejection, scales: _Scales) -> Rejection:
    """Return a rejection with the networks of what supports a larger part, if it exceeds less then.

    The search for the nearest configuration ends at the first that breaks one limit only.
    """
    before, choice = rejected.judgement, rejected.choice
    assert before is not None
    if choice is None or len(larger.system.ports) <= len(before.system.ports):
        return rejected
    planning, policy = scales.planning, scales.planning.policy
    search = Search(scales.machine, scales.demand, planning, MISS_STEPS, refused=True)
    search.look_at(choice._replace(attachments=larger.choice.attachments))
    if search.best is None:
        return rejected
    judged = planning.evaluate(scales.demand, search.best.system)
    findings = tuple(broken(judged, planning, scales.machine))
    over = excess_over_limits(judged, policy) - excess_over_limits(before, policy)
    # Each of several networks may exceed what one exceeds by more.
    after, rules = ({f.rule for f in each} for each in (findings, rejected.findings))
    if len(after) > len(rules) or over >= 0:
        return rejected
    return rejected._replace(findings=findings, judgement=judged)


def excess_over_limits(judged: Evaluation, policy: Policy) -> int:
    """Return by how much a system exceeds the limits that it breaks, in parts of each limit."""
    over = sum(
        over_limit(each.asked, each.shown, policy.size_for)
        for each in broken_as_built(judged, policy)
    )
    return round(min(over, QUANTITY_AT_MOST) * SHORTFALL_PARTS)


def _scales_of(system: System, demand: Demand, planning: Planning) -> _Scales:
    """Return the parts of a load on the machine of a system."""
    return _Scales(machine_of(system, demand, planning.guide), demand, planning)


def machine_of(system: System, demand: Demand, guide: Guide) -> Machine:
    """Return the machine of a system."""
    return Machine(
        guide, guide.row("platforms", system.platform), system.processors or 1,
        system.operating_system, serves=bool(demand.streams),
    )  # fmt: skip


def broken(judged: Evaluation, planning: Planning, machine: Machine) -> Iterator[Finding]:
    """The findings that make a configuration infeasible; of memory with the most that it takes."""
    most_mb = max((each.size_mb for each in memory_sizes(machine)), default=0)
    for finding in broken_as_built(judged, planning.policy):
        if is_about_memory(finding):
            system = finding.shown[SYSTEM]
            most = system._replace(memory_mb=count(most_mb, "memory", "MB"))
            note = f", the most that it takes{_with_dense_simms(machine, most_mb)}"
            needed = system.memory_needed_mb
            if needed is not None and needed.high <= most_mb:
                # Slots are taken by other boards.
                most, note = system, ", and no slot is left for more"
            finding = finding._replace(shown={**finding.shown, SYSTEM: most}, note=note)
        yield finding


def _with_dense_simms(machine: Machine, most_mb: float) -> str:
    """Return what dense SIMMs would allow, if that is more than plans install (2.2.5)."""
    dense = machine.platform.number("onboard_memory_limit_dense_simms_mb")
    return f" with the usual SIMMs (dense SIMMs: {dense:g} MB)" if dense > most_mb else ""


def is_about_memory(finding: Finding) -> bool:
    """Return whether a finding is about the limit of memory."""
    return any(bound.resource == _MEMORY for bound in finding.asked.bounds)


def broken_as_built(judged: Evaluation, policy: Policy) -> Iterator[Finding]:
    """The same findings, of memory with what is installed."""
    return (
        each for each in judged.findings
        if policy.blocks(each.asked) and policy.breaks(each.asked, each.verdict)
    )  # fmt: skip


class _Scales:
    """Parts of a load on one machine, each a number of steps of `_share`."""

    def __init__(self, machine: Machine, demand: Demand, planning: Planning) -> None:
        self.machine = machine
        self.demand = demand
        self.planning = planning

    def largest(self, share: float, near: float) -> tuple[float, Incumbent] | None:
        """Return the largest part of the load found beyond a `share`, and what supports it, if any.

        The `share` is supported.
        """
        part, largest = _part(share) if share else -1, None
        if near > share:
            largest = self.holding(_part(near))
            if largest is None:
                return None
            part = _part(near)
        # Where one system ends, others often end too: only then are others tried at each part.
        for others in (False, False, True):
            following = self.holding(part + 1) if part + 1 < _PARTS else None
            if following is None:
                break
            if others:
                part, other = self._last_of_any(following.system, part + 1)
                largest = other or following
            else:
                largest = following
                part = self.last_of(largest.system, part + 1)
        return None if largest is None else (_share(part), largest)

    def larger(self, system: System, share: float) -> float:
        """Return a part of the load that any system supports, as one does a part.

        It is the next whole percent if the system supports that too.
        """
        part, other = self._last_of_any(system, _part(share))
        percent = (floor(_share(part) * PERCENT) + 1) / PERCENT
        found = other.system if other is not None else system
        return _share(part) if self._limits_at(found, percent) else percent

    def holding(self, part: int) -> Incumbent | None:
        """Return a configuration for a part of the load; it need not follow advice."""
        search = self._search(part)
        search.any_will_do = True
        return run_within(self.planning.refusals, search)

    def breaking_fewest(self, part: int) -> Incumbent | None:
        """Return the configuration for a part of the load that breaks the fewest limits, if any."""
        return run_within(self.planning.refusals, self._search(part, refused=True))

    def _search(self, part: int, refused: bool = False) -> Search:
        policy = self.planning.policy._replace(follow_advice="never")
        demand = scale_rates(self.demand, _share(part))
        planning = self.planning._replace(policy=policy)
        return Search(self.machine, demand, planning, MISS_STEPS, refused)

    def last_of(self, system: System, low: int = 0) -> int:
        """Return the last part that a system supports, as it does `low`."""
        # Time alone is known much sooner than all that rules ask for, and most often decides.
        in_time = _last(low, _PARTS, lambda part: self._in_time(system, part))
        if in_time == low or not self.limits(system, in_time):
            return in_time
        return _last(low, in_time, lambda part: not self.limits(system, part))

    def _last_of_any(self, system: System, low: int) -> tuple[int, Incumbent | None]:
        """Return the last part that some system supports, as this one does `low`, and which other.

        None if it is this one.
        """
        found: Incumbent | None = None

        def supported(part: int) -> bool:
            nonlocal found
            # What supports a part may support more, and is judged sooner than another is found.
            supporting = found.system if found is not None else system
            if self._in_time(supporting, part) and not self.limits(supporting, part):
                return True
            other = self.holding(part)
            found = other or found
            return other is not None

        return _last(low, _PARTS, supported), found

    def _in_time(self, system: System, part: int) -> bool:
        """Return whether a part of the load keeps the limits of processor time."""
        demand = scale_rates(self.demand, _share(part))
        known = settled(self.machine, usage_of(demand))
        rule_set, policy = self.planning.rule_set, self.planning.policy
        limits = TimeLimits(known, self.machine.processors, rule_set, policy)
        return not limits.broken_at(cpu_load(demand, system, self.machine.guide))

    def limits(self, system: System, part: int) -> frozenset[str]:
        """Return the limits that a system breaks under a part of the load."""
        return self._limits_at(system, _share(part))

    def _limits_at(self, system: System, share: float) -> frozenset[str]:
        demand, guide = scale_rates(self.demand, share), self.machine.guide
        load = derive_load(demand, system, guide)
        rule_set = self.planning.rule_set
        facts = facts_under(system, load, guide, rule_set)
        costs = costs_of(facts, rule_set, self.planning.policy)
        short = _overloaded_without_one(self.machine, demand, self.planning)
        return frozenset((*(rule.id for rule in broken_rules(costs)), *short))


def _last(low: int, high: int, holds: Callable[[int], bool]) -> int:
    """The last part below `high` that holds, where `low` does and none after the first that not."""
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if holds(middle) else (low, middle)
    return low


def _part(share: float) -> int:
    return round((share - _LEAST_LOAD) / (1 - _LEAST_LOAD) * _PARTS)


def _share(part: int) -> float:
    """Return the part of the load at a number of steps above the least."""
    return _LEAST_LOAD + (1 - _LEAST_LOAD) * part / _PARTS
