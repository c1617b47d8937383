"""What choices on one machine need at least: slots, channels, placed devices, processor time."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import combinations
from math import inf
from typing import Any

from sizewright.configuration.model import SYSTEM, Board
from sizewright.configuration.slots import ANY, Run, slot_groups, slot_need
from sizewright.evaluate.findings import cost_on
from sizewright.evaluate.policy import FREE, Cost, Policy
from sizewright.facts.boards import slots_facts
from sizewright.facts.records import SystemFacts, blank, facts_of
from sizewright.facts.system import nfs_facts
from sizewright.guide.model import Row
from sizewright.load.network_traffic import interface_ops
from sizewright.planner.assembly import (
    boards_of,
    channel_sources,
    has_carriers,
    packed,
    slots_left,
    slotted,
)
from sizewright.planner.channel_bound import ChannelBound, Stored, too_few
from sizewright.planner.choice import ObjectiveVector, PartialSolution, weight_of
from sizewright.planner.connections import Attachment, interfaces_of, serving_interfaces
from sizewright.planner.cover import Known
from sizewright.planner.cpu_bound import Floor
from sizewright.planner.devices import DeviceGroups
from sizewright.planner.filling import DeviceGroup, Penalty
from sizewright.planner.frontier import Decision, Weighed
from sizewright.planner.groups import Group
from sizewright.planner.parts import BUILTIN, Machine, adapters_for
from sizewright.planner.placement import Outcome, Placement, arranged, place
from sizewright.planner.pools import Pool
from sizewright.planner.storage import Shelf, disks_of, suitable
from sizewright.planner.structural_limits import Shortfall, shortfall_of
from sizewright.rules.compiler import RuleSet
from sizewright.rules.rule import Rule

# What only a box shows stays unknown whatever is chosen, so no rule need wait for it.
_NEVER_PLANNED = frozenset(name for name, fact in facts_of(SYSTEM).items() if fact.seen)
SLOTS = "slots"
_NOTHING_YET: Mapping[str, Any] = {}
# The ways to store a group before all others.
Ways = Callable[[], Sequence[Weighed]]


def accelerated(choice: PartialSolution) -> dict[str, Any]:
    """The facts that the choice of a write accelerator settles."""
    board = choice.accelerator
    return {
        "nvram_accelerator": board is not None,
        "nvram_bus": board.text("bus") if board else "",
        "write_gathering": bool(choice.gathering),
    }


def served_over(machine: Machine, ways: Sequence[Attachment]) -> dict[str, Any]:
    """The facts about file service over networks that are attached in some ways."""
    rows, interfaces = machine.guide.table("network-interfaces").rows, interfaces_of(ways)
    kinds = frozenset(rows[name].text("interface_kind") for name in interfaces)
    return nfs_facts(machine.capacity(serving_interfaces(ways)), len(interfaces), kinds)


class SystemRules:
    """The rules about a system; each is asked as soon as all facts that it reads are settled."""

    def __init__(self, known: dict[str, Any], rule_set: RuleSet, policy: Policy) -> None:
        """The machine and its usage settle the facts that are `known`."""
        self.known = known
        self.rule_set = rule_set
        self.policy = policy
        self.system: SystemFacts = blank(SYSTEM, known)
        self._asked = tuple(
            (rule, rule.facts_of(SYSTEM).difference(known, _NEVER_PLANNED))
            for rule in rule_set.by_subject[SYSTEM] if policy.counts(rule)
        )  # fmt: skip
        self._decided: dict[tuple[frozenset[str], frozenset[str]], tuple[Rule, ...]] = {}

    def cost(self, given: dict[str, Any], earlier: Mapping[str, Any] = _NOTHING_YET) -> Cost:
        """What the rules count that these facts decide, and that were not decided before.

        `earlier` are facts of choices made before. A rule that asks for facts of further choices
        is left to the evaluation of whole systems.
        """
        rules = self._decided_by(given, earlier)
        return self._cost_at(rules, {**earlier, **given}) if rules else FREE

    def least_cost(self, low: Mapping[str, Any], high: Mapping[str, Any]) -> Cost:
        """What limits count at least that are decided by facts from one end to another."""
        least = FREE
        for rule in self._decided_by(low, _NOTHING_YET):
            if rule.bounds:
                least = least.plus(min(self._cost_at((rule,), end) for end in (low, high)))
        return least

    def _decided_by(self, given: Mapping[str, Any], earlier: Mapping[str, Any]) -> tuple[Rule, ...]:
        key = frozenset(given), frozenset(earlier)
        if key not in self._decided:
            self._decided[key] = tuple(
                rule for rule, open_facts in self._asked
                if (open_facts - earlier.keys()).issubset(given)
                and (bool(open_facts.intersection(given)) if given else not open_facts)
            )  # fmt: skip
        return self._decided[key]

    def _cost_at(self, rules: Iterable[Rule], facts: Mapping[str, Any]) -> Cost:
        return cost_on(rules, {SYSTEM: blank(SYSTEM, {**self.known, **facts})}, self.policy)


class Bounds:
    """The boards, channels and placed devices of choices, and what all that continues them adds."""

    def __init__(
        self, devices: DeviceGroups, shelf: Shelf, rules: SystemRules, networks: Sequence[Decision],
        stores: Sequence[tuple[Group, Ways]], sets: Sequence[Sequence[Pool]],
        networks_until: int, stores_at: int,
    ) -> None:  # fmt: skip
        """The choices of `networks` end before a depth, those of `stores` begin at one.

        No disk is shared by pools of two `sets`.
        """
        self.devices = devices
        self.shelf = shelf
        self.rules = rules
        self.machine: Machine = devices.machine
        self.guide = devices.machine.guide
        self.networks_until = networks_until
        self.stores_at = stores_at
        self._networks = networks
        self._stores = stores
        self._sets = sets
        self._runs: dict[Any, list[Run] | None] = {}
        self._slots: dict[Any, Cost] = {}
        self._channels: dict[tuple[str, ...], tuple[tuple[str, str], ...]] = {}
        self._placed: dict[Any, Outcome] = {}
        self._known = Known({}, {}, {}, {}, shelf.work)
        self._wired: dict[Any, Cost] = {}
        self._least_wires: dict[Any, Cost] = {}
        self._meetings: dict[Any, Cost] = {}

    def added(self, choice: PartialSolution, depth: int) -> Iterator[ObjectiveVector | Shortfall]:
        """Yield what each bound adds to the weight of some choices, the quickest bound first.

        A shortfall says what the machine has too little of, whatever is chosen after them.
        """
        yield weight_of(self.floor.cost(choice))
        if depth <= self.stores_at and (lacking := self._slots_lacking(choice, depth)):
            yield lacking
        if depth < self.networks_until:
            return
        channels = self.channels(choice)
        if depth < self.stores_at:
            adapters = self.channel_bound.further_adapters(choice, channels)
            if adapters == inf:
                yield too_few(channels)
            elif adapters > (most := self._adapters_at_most(choice)):
                yield shortfall_of("slots", "its disk adapters", adapters, most)
            else:
                yield weight_of(boards=int(adapters))
            return
        yield weight_of(self._slots_cost(choice))
        yield weight_of(self._least_wired(choice))
        yield weight_of(self._least_meeting(choice))
        if lacking := self.channel_bound.lacking(choice, channels):
            yield lacking
        elif depth > self.stores_at:
            placed = self.placed(choice)
            if placed.is_proven and placed.placement is None:
                yield too_few(channels)
            elif placed.is_proven and placed.placement is not None:
                yield weight_of(placed.placement.cost)

    def _slots_lacking(self, choice: PartialSolution, depth: int) -> Shortfall | None:
        """Return the slots, and boards for boards that go onto others, that are too few."""
        runs = self._packed(choice)
        if runs is not None and (depth < self.stores_at or has_carriers(self.machine, choice)):
            return None
        boards = self.guide.table("boards")
        needed = sum(slot_need(boards[name]) for name in boards_of(self.machine, choice))
        return shortfall_of("slots", "its boards", needed, len(self.machine.slots))

    def _adapters_at_most(self, choice: PartialSolution) -> int:
        """Return the most adapters for which there may be slots beside the boards of a choice."""
        left = slots_left(self.machine, choice)
        adapters = adapters_for(self.machine, self.machine.channel_kinds)
        return sum(left[group] for group in {self.machine.groups(row)[0] for row in adapters})

    def _packed(self, choice: PartialSolution) -> list[Run] | None:
        key = (boards_of(self.machine, choice), choice.memory.boards)
        if key not in self._runs:
            self._runs[key] = packed(self.machine, choice)
        return self._runs[key]

    def boards(self, choice: PartialSolution) -> tuple[Board, ...] | None:
        """Every board in a slot, None if the slots are not enough."""
        runs = self._packed(choice)
        if runs is None or not has_carriers(self.machine, choice):
            return None
        return slotted(self.machine, choice, runs, self.devices.demand.lines)

    def _slots_cost(self, choice: PartialSolution) -> Cost:
        """What the rules about slots count; all boards have to be chosen."""
        key = (boards_of(self.machine, choice), choice.memory.boards)
        if key not in self._slots:
            system = self.machine.bare()._replace(boards=self.boards(choice) or ())
            known = {**self.rules.known, "free_slot_busses": self._free_busses(choice)}
            facts = blank(SYSTEM, known)
            rules, policy = self.rules.rule_set.by_subject[SLOTS], self.rules.policy
            cost = FREE
            for record in slots_facts(system, slot_groups(self.guide, system), self.guide):
                subjects = {SYSTEM: facts, SLOTS: record}
                cost = cost.plus(cost_on(rules, subjects, policy, partial=True))
            self._slots[key] = cost
        return self._slots[key]

    def least_served(self) -> Cost:
        """What limits on file service count at least, whatever networks there are.

        More networks, and quicker ones, never serve less. So each limit counts no less than it does
        for the slowest interface of each network, or for its quickest and as many as it may have.
        """
        ways = [[way.step.value for way in each.steps] for each in self._networks]
        speeds = {way.interface: self._speed(way.interface) for each in ways for way in each}
        if not all(ways) or inf in speeds.values():
            return FREE
        slow, quick = list[Attachment](), list[Attachment]()
        for each in ways:
            ranked = sorted(each, key=lambda way: (speeds[way.interface], way.interface))
            most = max((way.providers for way in each), key=len)
            slow.append(ranked[0]._replace(providers=most[:1]))
            quick.append(ranked[-1]._replace(providers=most))
        ends = served_over(self.machine, slow), served_over(self.machine, quick)
        for facts in ends:
            # Networks between these ends may have another kind of interface.
            del facts["protocol_offload"]
        return self.rules.least_cost(*ends)

    def _speed(self, interface: str) -> float:
        """Return the NFS operations a second that an interface passes; infinite if not known."""
        ops = interface_ops(self.guide.row("network-interfaces", interface), self.guide)
        return inf if ops is None else ops.high

    @cached_property
    def floor(self) -> Floor:
        """The least processor time that choices leave possible."""
        return Floor(
            self.machine, self.devices.demand, [
                (pool, tuple(disk.id for disk in suitable(self.machine, self.devices.demand, pool)))
                for pool in self.devices.pools.values()
            ],
            [[way.step.value for way in each.steps] for each in self._networks],
            self.rules.rule_set, self.rules.policy, self.rules.known,
        )  # fmt: skip

    @cached_property
    def channel_bound(self) -> ChannelBound:
        """The channels that devices need at least."""
        groups, rows = [], self.guide.table("disks").rows
        for group, ways in self._stores:
            models: dict[str, int] = {}
            is_divided = False
            for way in ways():
                disks = disks_of(way.step.value)
                is_divided |= len({rows[disk].text("interface") for disk in disks}) > 1
                for store in way.step.value[:1]:
                    number = disks.total()
                    models[store.disk] = min(models.get(store.disk, number), number)
            # A group whose disks may be on channels of several kinds has no bound for one kind.
            models = {} if is_divided else models
            fewest = models.values() if not group.shared else ()
            groups.append(Stored(group, min(fewest, default=0), models))
        return ChannelBound(self.devices, groups, self._sets, self._is_barred)

    def channels(self, choice: PartialSolution) -> tuple[tuple[str, str], ...]:
        """The kind of each channel of a choice, and the I/O bus that it is on."""
        key = boards_of(self.machine, choice)
        if key not in self._channels:
            own = self.machine.platform.text("builtin_io_bus")
            self._channels[key] = tuple(
                (kind, own if board == BUILTIN else self.guide.row("boards", board).text("bus"))
                for kind, board in channel_sources(self.machine, choice)
            )
        return self._channels[key]

    def placed(self, choice: PartialSolution) -> Outcome:
        """The cheapest placement of a choice's devices on its channels."""
        channels, barred = self.channels(choice), self._barred(choice)
        own = (channels, choice.backup_devices, barred)
        key = (own, choice.stores)
        if key not in self._placed:
            earlier = ((own, choice.stores[:n]) for n in reversed(range(len(choice.stores))))
            fewer = next((self._placed[each] for each in earlier if each in self._placed), None)
            self._placed[key] = place(*self._to_place(choice), self._known, fewer)
        return self._placed[key]

    def arranged(self, choice: PartialSolution) -> Placement | None:
        """The same placement with each device on the emptiest channel that it can be on."""
        placed = self.placed(choice)
        if placed.placement is None or placed.straight:
            return placed.placement
        return arranged(*self._to_place(choice), placed.placement, self._known)

    def _to_place(
        self, choice: PartialSolution
    ) -> tuple[Sequence[DeviceGroup], Sequence[str], Penalty, Callable[[], Cost]]:
        """Return the devices of a choice, its channels, and the penalties of both together."""
        kinds = [kind for kind, _ in self.channels(choice)]
        devices = self._kept(choice, self._barred(choice))
        return devices, kinds, self.devices.cost, self.devices.meeting

    def _barred(self, choice: PartialSolution) -> tuple[int, ...]:
        channels = enumerate(self.channels(choice))
        return tuple(n for n, (_, bus) in channels if self._is_barred(choice, bus))

    def _kept(self, choice: PartialSolution, barred: tuple[int, ...]) -> tuple[DeviceGroup, ...]:
        _, devices = self.devices.of(choice)
        return tuple(self._kept_off(each, choice, barred) for each in devices)

    def _kept_off(
        self, each: DeviceGroup, choice: PartialSolution, barred: tuple[int, ...]
    ) -> DeviceGroup:
        """A group that stays off channels whose I/O bus the write accelerator cannot serve."""
        removable = each.name in self.devices.removable(choice.backup_devices)
        if removable or not barred:
            return each
        # Rivals know each other by their kinds, which are their own anyway.
        kind = each.kind if each.anti_affinity else f"{each.kind} kept off"
        self.devices.add_like(kind, each.kind)
        return each._replace(barred=frozenset(barred), kind=kind)

    def _is_barred(self, choice: PartialSolution, bus: str) -> bool:
        """Whether the write accelerator cannot serve disks on an I/O bus."""
        return bool(self._wired_to(choice, frozenset((bus,))).broken)

    def wired(self, choice: PartialSolution, placement: Placement) -> Cost:
        """What the rules count that accelerator and placement decide together."""
        removable = self.devices.removable(choice.backup_devices)
        contents = zip(self.channels(choice), placement.contents, strict=True)
        return self._wired_to(
            choice,
            frozenset(
                bus for (_, bus), content in contents
                if any(name not in removable for name, _ in content)
            ),
            self._free_busses(choice),
        )  # fmt: skip

    def _least_wired(self, choice: PartialSolution) -> Cost:
        """What the rules count of an accelerator and of any placement together, at least.

        All boards have to be chosen.
        """
        accelerator = choice.accelerator and choice.accelerator.id
        models = frozenset(store.disk for store in choice.stores if store.disk)
        boards = boards_of(self.machine, choice)
        key = (boards, choice.memory.boards, accelerator, choice.gathering, models)
        if key not in self._least_wires:
            channels = self.channels(choice)
            wired = frozenset(bus for _, bus in channels)
            rows = self.guide.table("disks").rows
            # Owned disks that must be used are there without data too.
            there = models.union(rows.keys() & self.devices.demand.required.keys())
            each = [*(frozenset((model,)) for model in there), *self._homes.values()]
            on = [frozenset(_on(channels, (rows[model] for model in homes))) for homes in each]
            needed = frozenset[str]().union(*(busses for busses in on if len(busses) == 1))
            free, others = self._free_busses(choice), sorted(wired - needed)
            ways = [
                self._wired_to(choice, needed.union(more), free)
                for number in range(len(others) + 1)
                for more in combinations(others, number)
            ]
            self._least_wires[key] = Cost(*map(min, zip(*ways, strict=True)))
        return self._least_wires[key]

    @cached_property
    def _homes(self) -> dict[str, frozenset[str]]:
        """By name of pool, the models of disks that it may be on: its own, or those of others."""
        machine, demand = self.machine, self.devices.demand
        own = {
            name: frozenset(row.id for row in suitable(machine, demand, pool))
            for name, pool in self.devices.pools.items()
        }
        every = frozenset[str]().union(*own.values())
        # With two ports it is only on disks of data with two ports.
        alone = {pool.name for group, _ in self._stores if not group.shared for pool in group.pools}
        return {
            name: own[name] if name in alone or pool.dual_ported else every
            for name, pool in self.devices.pools.items()
        }

    def _least_meeting(self, choice: PartialSolution) -> Cost:
        """What the rules count at least of mirrors still to be stored whose copies must meet.

        They do on the only channel of its kind.
        """
        channels = self.channels(choice)
        key = (channels, choice.groups)
        if key not in self._meetings:
            rows = self.guide.table("disks").rows
            coming = [pool for group, _ in self._stores[choice.groups :] for pool in group.pools]
            number = sum(
                len(pool.volumes) for pool in coming
                if pool.copies > 1
                and len(_on(channels, (rows[model] for model in self._homes[pool.name]))) == 1
            )  # fmt: skip
            self._meetings[key] = self.devices.meeting().times(number) if number else FREE
        return self._meetings[key]

    def _wired_to(
        self, choice: PartialSolution, busses: frozenset[str], free: tuple[str, ...] | None = None
    ) -> Cost:
        """What the rules count if the disks' adapters are on these busses."""
        key = (choice.accelerator and choice.accelerator.id, choice.gathering, busses, free)
        if key not in self._wired:
            given: dict[str, Any] = {"disk_adapter_busses": tuple(sorted(busses))}
            if free is not None:
                given["free_slot_busses"] = free
            self._wired[key] = self.rules.cost(given, accelerated(choice))
        return self._wired[key]

    def _free_busses(self, choice: PartialSolution) -> tuple[str, ...]:
        """Return the busses with a slot free for any board; all boards have to be chosen."""
        taken = {(b.bus, number) for b in self.boards(choice) or () for number in b.slots}
        return tuple(sorted({
            slot.bus for slot in self.machine.slots
            if ANY in slot.takes and (slot.bus, slot.number) not in taken
        }))  # fmt: skip


def _on(channels: Iterable[tuple[str, str]], disks: Iterable[Row]) -> list[str]:
    """Return the I/O bus of each channel that takes one of some models of disks."""
    kinds = {kind for disk in disks for kind in disk.list("disk_busses")}
    return [bus for kind, bus in channels if kind in kinds]
