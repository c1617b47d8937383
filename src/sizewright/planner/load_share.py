"""Parts of a load: how much of it a machine supports that cannot do all of it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from math import floor

from sizewright.configuration.model import SYSTEM, System
from sizewright.demand.model import Demand
from sizewright.demand.rates import sum_lines
from sizewright.demand.subset import scale_rates
from sizewright.demand.usage import usage_of
from sizewright.evaluate.findings import broken_rules, costs_of
from sizewright.evaluate.system import facts_under
from sizewright.facts.records import SystemFacts, blank
from sizewright.formula import quantity_text
from sizewright.limits import LOAD_SHARE_BISECTIONS, MISS_STEPS
from sizewright.load.cpu_load import cpu_load
from sizewright.load.derive import derive_load
from sizewright.planner.connections import attachments
from sizewright.planner.cpu_bound import TimeLimits
from sizewright.planner.parts import Machine, settled
from sizewright.planner.planning import Planning
from sizewright.planner.search import Incumbent, Search, run_within
from sizewright.units import PERCENT

_PARTS: int = 2**LOAD_SHARE_BISECTIONS
_LEAST_LOAD = 1.0 / _PARTS


class LoadShares:
    """Parts of a load on one machine: what supports them, and how much a system supports."""

    def __init__(self, machine: Machine, demand: Demand, planning: Planning) -> None:
        self.machine = machine
        self.demand = demand
        self.planning = planning

    def by_halves(self) -> Incumbent | None:
        """Return a configuration for the largest part of the load that has one, by halves.

        Where limits are broken whatever the load, such as that of memory, the others may be kept.
        """
        for found_for in (self._holding, self._breaking_fewest):
            part, least = _PARTS, found_for(0)
            # What the least part does not have, no larger part has.
            while least is not None:
                part //= 2
                found = found_for(part) if part else least
                if found is not None:
                    return found
        return None

    def supported_by(self, system: System) -> float:
        """Return the part of the load that a system supports, as it does the least part."""
        return _share(self._last_of(system))

    def broken_at_least(self, system: System) -> frozenset[str]:
        """Return the limits that a system breaks under the least part of the load."""
        return self._limits(system, 0)

    def largest(self, share: float, near: float) -> tuple[float, Incumbent] | None:
        """Return the largest part of the load found beyond a `share`, and what supports it, if any.

        The `share` is supported.
        """
        part, largest = _part(share) if share else -1, None
        if near > share:
            largest = self._holding(_part(near))
            if largest is None:
                return None
            part = _part(near)
        # Where one system ends, others often end too: only then are others tried at each part.
        for others in (False, False, True):
            following = self._holding(part + 1) if part + 1 < _PARTS else None
            if following is None:
                break
            if others:
                part, other = self._last_of_any(following.system, part + 1)
                largest = other or following
            else:
                largest = following
                part = self._last_of(largest.system, part + 1)
        return None if largest is None else (_share(part), largest)

    def larger(self, system: System, share: float) -> float:
        """Return a part of the load that any system supports, as one does a part.

        It is the next whole percent if the system supports that too.
        """
        part, other = self._last_of_any(system, _part(share))
        percent = (floor(_share(part) * PERCENT) + 1) / PERCENT
        found = other.system if other is not None else system
        return _share(part) if self._limits_at(found, percent) else percent

    def _holding(self, part: int) -> Incumbent | None:
        """Return a configuration for a part of the load; it need not follow advice."""
        search = self._search(part)
        search.any_will_do = True
        return run_within(self.planning.refusals, search)

    def _breaking_fewest(self, part: int) -> Incumbent | None:
        """Return the configuration for a part of the load that breaks the fewest limits, if any."""
        return run_within(self.planning.refusals, self._search(part, refused=True))

    def _search(self, part: int, refused: bool = False) -> Search:
        demand = scale_rates(self.demand, _share(part))
        planning = self.planning._replace(policy=self.planning.policy.without_advice())
        return Search(self.machine, demand, planning, MISS_STEPS, refused)

    def _last_of(self, system: System, low: int = 0) -> int:
        """Return the last part that a system supports, as it does `low`."""
        # Time alone is known much sooner than all that rules ask for, and most often decides.
        in_time = _last(low, _PARTS, lambda part: self._in_time(system, part))
        if in_time == low or not self._limits(system, in_time):
            return in_time
        return _last(low, in_time, lambda part: not self._limits(system, part))

    def _last_of_any(self, system: System, low: int) -> tuple[int, Incumbent | None]:
        """Return the last part that some system supports, as this one does `low`, and which other.

        None if it is this one.
        """
        found: Incumbent | None = None

        def supported(part: int) -> bool:
            nonlocal found
            # What supports a part may support more, and is judged sooner than another is found.
            supporting = found.system if found is not None else system
            if self._in_time(supporting, part) and not self._limits(supporting, part):
                return True
            other = self._holding(part)
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

    def _limits(self, system: System, part: int) -> frozenset[str]:
        """Return the limits that a system breaks under a part of the load."""
        return self._limits_at(system, _share(part))

    def _limits_at(self, system: System, share: float) -> frozenset[str]:
        demand, guide = scale_rates(self.demand, share), self.machine.guide
        load = derive_load(demand, system, guide)
        rule_set = self.planning.rule_set
        facts = facts_under(system, load, guide, rule_set)
        costs = costs_of(facts, rule_set, self.planning.policy)
        short = overloaded_without_one(self.machine, demand, self.planning)
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


def overloaded_without_one(machine: Machine, demand: Demand, planning: Planning) -> Iterator[str]:
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
