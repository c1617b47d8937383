"""The choices there are on one machine, each with its options and what they alone cost."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cached_property, partial
from itertools import pairwise
from typing import Any, NamedTuple

from sizewright.demand.backup import backup_drives
from sizewright.demand.model import Demand, NetworkDemand
from sizewright.demand.usage import usage_of
from sizewright.evaluate.policy import FREE, Cost
from sizewright.facts.boards import stack_facts
from sizewright.facts.system import memory_facts
from sizewright.guide.model import Row
from sizewright.load.backup import backup_elsewhere, backup_of, saved_data
from sizewright.load.lines import (
    OPTIONS,
    SERVER_NETWORK,
    with_line_traffic,
    with_server_network,
)
from sizewright.planner.adapters import AdapterSets
from sizewright.planner.assembly import (
    fewest_added,
    left_over,
    really_added,
)
from sizewright.planner.bounds import Bounds, SystemRules, accelerated, served_over
from sizewright.planner.choice import NOTHING, PartialSolution, Step, heavier, weight_of
from sizewright.planner.connections import (
    attachments,
    in_order_of_choice,
    line_boards,
    twins_of,
)
from sizewright.planner.devices import DeviceGroups, backup_sets
from sizewright.planner.frontier import Decision, Least, Weighed, ordered
from sizewright.planner.groups import Group, Homes
from sizewright.planner.parts import (
    BUILTIN,
    Machine,
    accelerators_for,
    fullest,
    memory_sizes,
    settled,
    software_of,
)
from sizewright.planner.planning import Planning, Work
from sizewright.planner.storage import (
    EvaluatedDisks,
    Shelf,
    disks_of,
    on_offer,
)
from sizewright.planner.storing import Storing
from sizewright.quantity import count

# Choices between those of networks and of stores.
_BEFORE_STORES = (
    "reach", "acceleration", "backup device", "memory", "backup software",
    "tuning software", "adapters",
)  # fmt: skip


class _Reached(NamedTuple):
    """The facts that the networks settle, what rules count for them, and the steps after them."""

    facts: Mapping[str, Any]
    step: Step
    accelerations: tuple[Step, ...]


class SearchSpace:
    """Every choice on one machine, and the rules' say in each."""

    def __init__(
        self, machine: Machine, demand: Demand, planning: Planning,
        evaluated: EvaluatedDisks | None = None, hot_as_guests: bool = False,
        lending: bool = True,
    ) -> None:  # fmt: skip
        self.machine = machine
        self.demand = demand
        self.planning = planning
        self.guide = machine.guide
        self.usage = usage_of(demand)
        rule_set, policy = planning.rule_set, planning.policy
        self.rules = SystemRules(settled(machine, self.usage), rule_set, policy)
        self.system = self.rules.system
        self.ground = self.rules.cost({})
        evaluated = evaluated or EvaluatedDisks(demand, planning)
        self.shelf = Shelf(machine, demand, planning, self.system, evaluated, Work())
        self.storing = Storing(self.shelf, hot_as_guests, lending)
        self.groups, self.pools = self.storing.groups, self.storing.pools
        self._repeats = tuple(
            second.first.alike(first.first) for first, second in pairwise(self.groups)
        )
        self._homes = Homes(self.shelf, self.groups)
        self.devices = DeviceGroups(
            machine, demand, self.pools.values(), rule_set, policy, self.system, evaluated
        )
        self._reached: dict[Any, _Reached] = {}
        self._servers: dict[int, tuple[Step, ...]] = {}
        self._networks = in_order_of_choice(demand)
        self._twins = twins_of(self._networks, demand)
        self.dimensions = self._dimensions()
        self.least_after = self._remaining()
        # The choice of lines comes before networks, that of their terminal servers' network after.
        networks_until = 1 + len(demand.networks) + 1
        self.stores_at = networks_until + len(_BEFORE_STORES)
        stores = self.dimensions[self.stores_at : self.stores_at + len(self.groups)]
        self.bounds = Bounds(
            self.devices, self.shelf, self.rules, self.dimensions[1 : networks_until - 1],
            [(group, partial(self._first_ways, n, each))
             for n, (group, each) in enumerate(zip(self.groups, stores, strict=True))],
            self.storing.sets, networks_until, self.stores_at,
        )  # fmt: skip

    def _dimensions(self) -> list[Decision]:
        demand, storing = self.demand, self.storing
        added = None if self.machine.plain else self._added
        return [
            Decision(self._lines(), added=added),
            *(
                Decision(self._attachments(each, demand), self._can_attach, added=added)
                for each in self._networks
            ),
            Decision(options=self._server_networks),
            # No choice: what the networks chosen settle.
            Decision(options=lambda choice: ordered((self._reach(choice).step,))),
            Decision(options=self._accelerations),
            Decision(self._backup_devices()),
            Decision(self._memories()),
            Decision(self._backup_products()),
            Decision(self._tuning_products()),
            Decision(options=self._adapters),
            *(
                Decision(options=partial(self._shared, group), allowed=self._can_have)
                if group.shared
                else Decision(
                    storing.alone(group), self._can_have,
                    added=storing.after_others if storing.owned else None,
                )
                for group in self.groups
            ),
            # No choice: what is owned and must be used is there without data too.
            *([Decision(options=storing.idle)] if storing.required else ()),
        ]  # fmt: skip

    def least(self, choice: PartialSolution, depth: int) -> Least:
        """The least that all choices from a depth on add, disks for all of the data among it."""
        more = self.bounds.channel_bound.further_disks(choice, ordered=True)
        least = self.least_after[depth]
        return least.with_more(weight_of(devices=more)) if more else least

    def storage_key(self, choice: PartialSolution) -> Any:
        """What of a system, disks apart, changes how its data can be stored."""
        channels = tuple(sorted(self.bounds.channels(choice)))
        return channels, choice.backup_devices, self.bounds.floor.key(choice)

    def _remaining(self) -> list[Least]:
        """Per depth, the least that all choices from there on add."""
        found = [Least(NOTHING, NOTHING)]
        for each in reversed(self.dimensions):
            whole, parts = found[-1]
            found.append(Least(heavier(whole, each.least), heavier(parts, each.least_parts)))
        return found[::-1]

    def _added(self, choice: PartialSolution, step: Step) -> Step:
        """A step with the boards that it adds to a choice."""
        return step if self.machine.plain else really_added(self.machine, choice, step)

    def _attachments(self, network: NetworkDemand, demand: Demand) -> Iterator[Step]:
        for each in attachments(
            self.machine, demand, network, self.system, self.rules.rule_set, self.rules.policy
        ):
            boards = fewest_added(self.machine, each)
            yield Step(
                "attachments", each, each.cost, boards, unrelieved=each.unrelieved, name=each.name
            )

    def _server_networks(self, choice: PartialSolution) -> tuple[Weighed, ...]:
        """Networks for the terminal servers chosen: one that there is, or one for them alone."""
        if not choice.lines.beside:
            return ordered((Step("", None),))
        medium = self.guide.row(OPTIONS, choice.lines.beside[0]).text("attaches_to")
        used = (self.guide.row("network-interfaces", a.interface) for a in choice.attachments)
        shared = [Step("", None)] if any(row.text("medium") == medium for row in used) else []
        has_ports = self._port_left(choice)
        own = (s for s in self._own_networks(choice.lines.on_boards, medium) if has_ports(s))
        return ordered((*shared, *(self._added(choice, step) for step in own)))

    def _own_networks(self, on_boards: int, medium: str) -> tuple[Step, ...]:
        """Ways to attach a network for terminal servers alone."""
        if any(network.name == SERVER_NETWORK for network in self.demand.networks):
            return ()
        if on_boards not in self._servers:
            demand = with_server_network(self.demand, medium)
            placed = with_line_traffic(demand, on_boards, SERVER_NETWORK)
            self._servers[on_boards] = tuple(self._attachments(demand.networks[-1], placed))
        return self._servers[on_boards]

    def _can_attach(self, choice: PartialSolution) -> Callable[[Step], bool]:
        """Whether the next network can be attached in some way.

        Of networks with equal loads a later one comes no earlier in the order of the ways: the same
        ways the other way round are the same configuration.
        """
        has_ports, number = self._port_left(choice), len(choice.attachments)
        twin = self._twins[number]
        if twin is None:
            return has_ports
        least = choice.attachments[twin].name
        return lambda step: step.name >= least and has_ports(step)

    def _port_left(self, choice: PartialSolution) -> Callable[[Step], bool]:
        """Whether the platform has the ports of its own that a step takes."""
        left = Counter(self.machine.platform.list("builtin_networks"))
        for way in choice.attachments:
            left[way.interface] -= way.providers.count(BUILTIN)
        return lambda step: step.value.providers.count(BUILTIN) <= left[step.value.interface]

    def _reach(self, choice: PartialSolution) -> _Reached:
        """What the networks chosen let the platform serve, and what can speed writes on them."""
        ways = choice.attachments
        rows = {way.interface: self.guide.row("network-interfaces", way.interface) for way in ways}
        key = tuple((way.network, way.interface, len(way.providers)) for way in ways)
        if key not in self._reached:
            facts = served_over(self.machine, ways)
            facts |= stack_facts(((rows[way.interface], way.data) for way in ways), self.guide)
            steps = tuple(self._accelerated_on(facts))
            self._reached[key] = _Reached(facts, Step("", None, self.rules.cost(facts)), steps)
        return self._reached[key]

    def _accelerations(self, choice: PartialSolution) -> Iterable[Weighed]:
        return ordered(self._added(choice, step) for step in self._reach(choice).accelerations)

    def _accelerated_on(self, reached: Mapping[str, Any]) -> Iterator[Step]:
        """Ways to speed writes, where the networks settle these facts."""
        yield Step("", None, self.rules.cost(accelerated(PartialSolution()), reached))
        for row in accelerators_for(self.machine):
            cost = self.rules.cost(accelerated(PartialSolution(accelerator=row)), reached)
            yield Step("accelerator", row, cost, (row.text("board"),), name=row.id)
        # It serves NFS only (2.12), where a board speeds all synchronous writes (2.8).
        serves = self.demand.streams
        for row in software_of(self.guide, "write_gathering_nfs") if serves else ():
            cost = self.rules.cost(accelerated(PartialSolution(gathering=row.id)), reached)
            yield Step("gathering", row.id, cost, options=1, name=row.id)

    def _lines(self) -> Iterator[Step]:
        """Ways to attach lines and printers."""
        for way in line_boards(self.machine, self.demand, self._most_on_boards):
            cost = self._lines_cost(way.on_boards, len(way.beside))
            # Of sets of one size, the one with the fewest kinds of boards comes first.
            name = " ".join((f"{len(set(way.boards)):03d}", *way.boards, *way.beside))
            boards = left_over(self.machine, way.boards)
            yield Step("lines", way, cost, boards, units=len(way.beside), name=name)

    def _lines_cost(self, on_boards: int, servers: int) -> Cost:
        """What the rules count for serial lines on boards and for terminal servers."""
        return self.rules.cost(
            {
                "serial_lines": count(on_boards, "serial lines on boards", "line"),
                "terminal_servers": count(servers, "terminal servers"),
            }
        )

    def _most_on_boards(self, lines: int, servers: int) -> int:
        """The most of some serial lines for which no rule asks for more terminal servers.

        Without any, they follow advice in the worst case too.
        """

        def are_too_many(number: int) -> bool:
            cost = self._lines_cost(number, servers)
            return (cost._replace(tight=0) if servers else cost) != FREE

        return bisect_left(range(1, lines + 1), True, key=are_too_many)

    def _backup_devices(self) -> Iterator[Step]:
        asked, data = self.demand.backup, saved_data(self.usage)
        fit = {row.id for row in backup_drives(self.guide)}
        # More drives of a model are worth trying if rules count less of them.
        least: dict[frozenset[str], Cost] = {}
        for names in backup_sets(self.machine, self.demand, data):
            drives = Counter(name for name in self.devices.removable(names) if name in fit)
            run = (
                backup_elsewhere(asked, data, self.guide)
                if asked.over
                else backup_of(asked, data, drives, self.guide)
            )
            given = {
                "backup_device": bool(asked.over or drives), "backup_hours": run.full_hours,
            }  # fmt: skip
            cost, models = self.rules.cost(given), frozenset(names)
            if models in least and cost >= least[models]:
                continue
            least[models] = cost
            devices = (Counter(self.devices.removable(names)) - Counter(self.demand.owned)).total()
            yield Step("backup_devices", names, cost, devices=devices, name=" ".join(names))

    def _first_ways(self, n: int, decision: Decision) -> tuple[Weighed, ...]:
        """The ways to store a group before all others, none if it may be a guest of theirs."""
        group = self.groups[n]
        if not group.shared:
            return decision.steps
        return () if self.storing.can_be_guest(n) else self.storing.shared(group)

    def _shared(self, group: Group, choice: PartialSolution) -> tuple[Weighed, ...]:
        """The ways to store a group that shares disks, after some choices."""
        return self.storing.shared(group, choice.stores, self._disks_left(choice))

    def _disks_left(self, choice: PartialSolution) -> dict[str, float]:
        """How many more disks of each model there can be after some choices."""
        left = self.bounds.channel_bound.disks_at_most(choice, self.bounds.channels(choice))
        used = disks_of(choice.stores)
        # Owned disks that cannot be ordered are as many as there are.
        rows = self.guide.table("disks")
        for model in left.keys() & self.storing.owned.keys():
            if not on_offer(rows[model], self.demand):
                left[model] = min(left[model], self.storing.owned[model] - used[model])
        return left

    def _can_have(self, choice: PartialSolution) -> Callable[[Step], bool]:
        """Whether there are the disks of a step, and addresses for them, after some choices.

        Of identical pools a later one has no lighter disks than an earlier one: the same
        disks divided the other way round are the same configuration.
        """
        left = self._disks_left(choice)
        repeats = choice.groups and self._repeats[choice.groups - 1]
        before = choice.stores[-1] if repeats else None
        channels, bound = self.bounds.channels(choice), self.bounds.channel_bound

        def can_have(step: Step) -> bool:
            used = disks_of(step.value)
            if any(n > left[model] for model, n in used.items()):
                return False
            (store, *_) = step.value
            if before is not None and (before.disks, before.installed_mb, before.disk) > (
                store.disks, store.installed_mb, store.disk,
            ):  # fmt: skip
                return False
            after = bound.without(left, used, channels)
            return self._homes.exist(choice.groups + 1, (*choice.stores, *step.value), after)

        return can_have

    def _adapters(self, choice: PartialSolution) -> Iterator[Weighed]:
        """Sets of adapters for which there are slots, the fewest that may do first."""
        for names in self._adapter_sets.after(choice):
            step = Step("adapters", names, boards=names, name=" ".join(names))
            weight = self._added(choice, step).weight()
            yield Weighed(weight, step.name, step, weight)

    @cached_property
    def _adapter_sets(self) -> AdapterSets:
        return AdapterSets(self.shelf, self.bounds, self.pools.values(), self.storing.required)

    def _memories(self) -> Iterator[Step]:
        for memory in memory_sizes(self.machine):
            facts = memory_facts(self.machine.platform, memory.size_mb, self.usage.cached)
            cost = self.rules.cost(facts)
            yield Step(
                "memory", memory, cost, memory.boards, memory_mb=memory.size_mb,
                name=f"{memory.size_mb:g} MB",
            )  # fmt: skip

    def _backup_products(self) -> Iterator[Step]:
        wanted = self.demand.backup.wanted
        rows = software_of(self.guide, "online_backup") if wanted else ()
        return self._products("backup_software", "online_backup", rows)

    def _tuning_products(self) -> Iterator[Step]:
        rows = fullest(software_of(self.guide, "database_tuning"))
        users = set(self.demand.databases)
        used = [row for row in rows if users.intersection(row.list("users"))]
        return self._products("tuning_software", "database_accelerator", used)

    def _products(self, field: str, fact: str, rows: Iterable[Row]) -> Iterator[Step]:
        """Without software of a kind, and with each product of it."""
        yield Step(field, "", self.rules.cost({fact: False}))
        for row in rows:
            yield Step(field, row.id, self.rules.cost({fact: True}), options=1, name=row.id)
