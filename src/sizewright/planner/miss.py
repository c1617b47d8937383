"""Where a machine does not hold: which limits stand in the way, and what would let it hold.

Three questions in this order: would it hold with more slots; if not, with which part of the load;
and where no load is small enough, which rules are in the way whatever the load. The configuration
that holds under the answer is then judged under the whole demand, so that each reason carries the
numbers of the demand that was asked for.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

from sizewright.configuration.model import System
from sizewright.demand.model import Demand, LineItem, Operations
from sizewright.demand.usage import usage_of
from sizewright.evaluate.policy import Policy
from sizewright.evaluate.system import Evaluation, broken_rules, costs_of, evaluate, facts_under
from sizewright.limits import LOAD_SHARE_BISECTIONS, MISS_STEPS, SPARE_SLOTS_TRIED
from sizewright.load.derive import add_activity, cpu_load, derive_load
from sizewright.planner.lacks import lacks_in_all
from sizewright.planner.parts import Machine, settled
from sizewright.planner.search import Search
from sizewright.planner.timelimits import TimeLimits
from sizewright.quantity import Quantity, count
from sizewright.rules.compiler import RuleSet
from sizewright.rules.rule import Finding

_SLOTS = "slots.used"
_PARTS: int = 2**LOAD_SHARE_BISECTIONS
_LEAST_LOAD = 1.0 / _PARTS


class Rejection(NamedTuple):
    """A platform that does not hold.

    `findings` are the limits broken in its least bad form, under the whole demand; `load_share`
    is the part of the load that it would carry (0 where slots or rules stand in the way of any),
    `waive` the rules in the way whatever the load. `lacks` says what it cannot have at all.
    """

    platform: str
    name: str
    findings: tuple[Finding, ...]
    judgement: Evaluation | None
    load_share: float
    waive: tuple[str, ...]
    lacks: tuple[str, ...] = ()

    @property
    def reasons(self) -> tuple[str, ...]:
        """What is broken, with numbers."""
        if self.lacks:
            return self.lacks
        if not self.findings:
            return ("no combination of its parts attaches everything that the workload needs",)
        return tuple(f"{f.message} (rule {f.rule})" for f in self.findings)


class Attempt(NamedTuple):
    """A machine that does not hold, and what it lacks."""

    machine: Machine
    lacks: tuple[str, ...]


def rejections(
    group: Iterable[Attempt], demand: Demand, book: RuleSet, policy: Policy
) -> Iterator[Rejection]:
    """Why machines of one rank do not hold."""
    near: float = 0
    for tried in group:
        found = rejection(tried, demand, book, policy, near)
        near = found.load_share
        yield found


def rejection(
    tried: Attempt, demand: Demand, book: RuleSet, policy: Policy, near: float = 0
) -> Rejection:
    """Why a machine does not hold; the part of the load that another like it carries is `near`."""
    machine = tried.machine
    name = machine.platform.text("name")
    lacks = tried.lacks or tuple(lacks_in_all(machine, demand))
    if lacks:
        return Rejection(machine.platform.id, name, (), None, 0, (), lacks)
    misses = _Misses(machine, demand, book, policy)
    share = misses.largest_share(near=near)
    system = misses.with_more_slots()
    waive: tuple[str, ...] = ()
    if system is None and share:
        system = misses.at(share)
    if system is None:
        waive = misses.in_the_way()
        system = misses.at(misses.largest_share(waive), waive) if waive else None
    judged = evaluate(demand, system, machine.guide, book, policy) if system else None
    findings = tuple(broken(judged, book, policy)) if judged else ()
    return Rejection(machine.platform.id, name, findings, judged, share, waive)


def broken(judged: Evaluation, book: RuleSet, policy: Policy) -> Iterator[Finding]:
    """The findings that make a configuration infeasible."""
    rules = {rule.id: rule for rule in book.rules}
    for finding in judged.findings:
        rule = rules[finding.rule]
        if policy.blocks(rule) and policy.breaks(rule, finding.verdict):
            yield finding


class _Misses:
    def __init__(self, machine: Machine, demand: Demand, book: RuleSet, policy: Policy) -> None:
        self.machine = machine
        self.demand = demand
        self.book = book
        self.policy = policy

    def at(self, share: float, waive: tuple[str, ...] = ()) -> System | None:
        """The smallest configuration found for a part of the load, with some rules waived."""
        best = self._search(self.machine, scaled(self.demand, share), waive).run()
        return best.system if best else self._holding(share, waive)

    def _holding(self, share: float, waive: tuple[str, ...]) -> System | None:
        """Some configuration for a part of the load, which need not follow advice."""
        search = self._search(self.machine, scaled(self.demand, share), waive, advice="never")
        best = search.any()
        return best.system if best else None

    def _search(
        self, machine: Machine, demand: Demand, waive: tuple[str, ...], advice: str = ""
    ) -> Search:
        policy = self.policy._replace(
            waived={**self.policy.waived, **dict.fromkeys(waive, "")},
            follow_advice=advice or self.policy.follow_advice,
        )
        return Search(machine, demand, self.book, policy, MISS_STEPS)

    def with_more_slots(self) -> System | None:
        """The smallest configuration if slots were no matter."""
        slots = tuple(r.id for r in self.book.rules if any(b.resource == _SLOTS for b in r.bounds))
        larger = self.machine.with_spare_slots(SPARE_SLOTS_TRIED)
        best = self._search(larger, self.demand, slots).run()
        return best.system if best else None

    def largest_share(self, waive: tuple[str, ...] = (), near: float = 0) -> float:
        """The largest part of the load that holds, 0 where none does; it may be `near` another."""
        part = _part(near) if near and self._holding(near, waive) is not None else _part(0)
        # Where one system ends, others often end too: only then are others tried at each part.
        for others in (False, False, True):
            following = self._holding(_share(part + 1), waive) if part + 1 < _PARTS else None
            if following is None:
                break
            last = self._last_of_any if others else self._last_of_one
            part = last(following, part + 1, waive)
        return 0 if part < 0 else _share(part)

    def _last_of_one(self, system: System, low: int, waive: tuple[str, ...]) -> int:
        """The last part that a system carries, as it does `low`, if any."""
        # Time alone is told much sooner than all that rules ask for, and most often decides.
        in_time = _last(low, _PARTS, lambda part: self._in_time(system, part, waive))
        if in_time == low or self._kept(system, in_time, waive):
            return in_time
        return _last(low, in_time, lambda part: self._kept(system, part, waive))

    def _last_of_any(self, system: System, low: int, waive: tuple[str, ...]) -> int:
        """The last part that some system carries, as this one does `low`."""
        carrying = system

        def carried(part: int) -> bool:
            nonlocal carrying
            # What carries a part may carry more, and is judged much sooner than another is found.
            if self._in_time(carrying, part, waive) and self._kept(carrying, part, waive):
                return True
            other = self._holding(_share(part), waive)
            carrying = other or carrying
            return other is not None

        return _last(low, _PARTS, carried)

    def in_the_way(self) -> tuple[str, ...]:
        """Rules that must be waived for even the least load to hold, none of them for nothing."""
        needed = tuple(
            r.id for r in self.book.rules
            if self.policy.blocks(r) and r.id not in self.policy.waived
        )  # fmt: skip
        system = self._holding(_LEAST_LOAD, needed)
        if system is None:
            return ()
        broken = [self._limits(system, _LEAST_LOAD)]
        for rule in needed:
            fewer = tuple(r for r in needed if r != rule)
            if not any(limits.issubset(fewer) for limits in broken):
                system = self._holding(_LEAST_LOAD, fewer)
                if system is None:
                    continue
                broken.append(self._limits(system, _LEAST_LOAD))
            needed = fewer
        return needed

    def _in_time(self, system: System, part: int, waive: tuple[str, ...]) -> bool:
        """Whether a part of the load keeps the limits of processor time."""
        demand = scaled(self.demand, _share(part))
        known = settled(self.machine, usage_of(demand))
        limits = TimeLimits(known, self.machine.processors, self.book, self.policy)
        return limits.broken_at(cpu_load(demand, system, self.machine.guide)).issubset(waive)

    def _kept(self, system: System, part: int, waive: tuple[str, ...]) -> bool:
        """Whether a part of the load keeps all limits but those waived."""
        return self._limits(system, _share(part)).issubset(waive)

    def _limits(self, system: System, share: float) -> frozenset[str]:
        """The limits that a system breaks under a part of the load."""
        demand, guide = scaled(self.demand, share), self.machine.guide
        load = derive_load(demand, system, guide)
        usage = add_activity(usage_of(demand), demand, system, guide)
        facts = facts_under(usage, system, load, guide, self.book)
        costs = costs_of(facts, self.book, self.policy)
        return frozenset(rule.id for rule in broken_rules(costs))


def _last(low: int, high: int, holds: Callable[[int], bool]) -> int:
    """The last part below `high` that holds, where `low` does and none after the first that not."""
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if holds(middle) else (low, middle)
    return low


def _part(share: float) -> int:
    return round((share - _LEAST_LOAD) / (1 - _LEAST_LOAD) * _PARTS)


def _share(part: int) -> float:
    """The part of the load that is so many steps above the least."""
    return _LEAST_LOAD + (1 - _LEAST_LOAD) * part / _PARTS


def scaled(demand: Demand, share: float) -> Demand:
    """The same demand with every rate multiplied; sizes, clients and lines stay.

    Work in runs has so much less to do in each, in the same time.
    """
    k = count(share, "part of the load")

    def times(figure: Quantity | None) -> Quantity | None:
        return None if figure is None else figure * k

    def lines(items: tuple[LineItem, ...]) -> tuple[LineItem, ...]:
        return tuple(item._replace(figure=item.figure * k) for item in items)

    def work(all_: tuple[Operations, ...]) -> tuple[Operations, ...]:
        return tuple(
            each._replace(
                ops=times(each.ops),
                runs=each.runs._replace(
                    run_ops=times(each.runs.run_ops), returns_kb=times(each.runs.returns_kb)
                ),
            )
            for each in all_
        )

    return demand._replace(
        streams=tuple(
            s._replace(
                ops=s.ops * k,
                reads=s.reads * k,
                writes=s.writes * k,
                weighted=s.weighted * k,
                kb_per_s=s.kb_per_s * k,
            )
            for s in demand.streams
        ),
        networks=tuple(n._replace(ops=lines(n.ops)) for n in demand.networks),
        volumes=tuple(
            v._replace(reads=lines(v.reads), writes=lines(v.writes), work=work(v.work))
            for v in demand.volumes
        ),
        operations=work(demand.operations),
        traffic=tuple(t.times(k) for t in demand.traffic),
        kernel=tuple(time._replace(ms_per_s=time.ms_per_s * k) for time in demand.kernel),
        user=tuple(user._replace(processors=times(user.processors)) for user in demand.user),
    )
