"""The choices there are on one machine, each with its options and what they alone cost."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import combinations_with_replacement, pairwise, product
from math import inf
from typing import Any, NamedTuple

from sizewright.configuration.model import Board
from sizewright.configuration.slots import ANY, slot_need
from sizewright.demand.backup import backup_drives
from sizewright.demand.model import Demand, NetworkDemand
from sizewright.demand.usage import usage_of
from sizewright.evaluate.findings import cost_on
from sizewright.evaluate.policy import FREE, Cost, Policy
from sizewright.facts.networks import stack_facts
from sizewright.facts.records import SystemFacts, blank, facts_of
from sizewright.facts.system import memory_facts, nfs_facts
from sizewright.guide.model import Row
from sizewright.limits import SETS_A_STEP
from sizewright.load.backup import backup_elsewhere, backup_of, saved_data
from sizewright.load.lines import (
    OPTIONS,
    SERVER_NETWORK,
    with_line_traffic,
    with_server_network,
)
from sizewright.load.nfs import nfs_capacity
from sizewright.planner.assembly import (
    boards_of,
    channel_sources,
    fewest_added,
    has_slots,
    left_over,
    really_added,
    slotted,
)
from sizewright.planner.channel_bound import ChannelBound, Stored
from sizewright.planner.choice import NOTHING, Choice, Step, heavier
from sizewright.planner.connections import attachments, line_boards
from sizewright.planner.cpu_bound import Floor
from sizewright.planner.devices import Lots, backup_sets
from sizewright.planner.frontier import Decision, Least, Weighed, ordered
from sizewright.planner.parts import (
    BUILTIN,
    Machine,
    accelerators_for,
    adapters_for,
    fullest,
    memory_sizes,
    settled,
    software_of,
)
from sizewright.planner.placement import Lot, Outcome, Patterns, Placement, Price, arranged, place
from sizewright.planner.sharing import Group, Host, Sharing, groups_of, sharing_sets
from sizewright.planner.storage import (
    HotVolumes,
    Shelf,
    Store,
    disks_of,
    on_offer,
    owned_disks,
    suitable,
)
from sizewright.quantity import count
from sizewright.rules.compiler import SYSTEM, RuleSet

# Choices between those of networks and of stores.
_BEFORE_STORES = (
    "reach", "acceleration", "backup device", "memory", "backup software",
    "tuning software", "adapters",
)  # fmt: skip

_NOTHING_YET: Mapping[str, Any] = {}
# What only a box shows stays unknown whatever is chosen, so no rule need wait for it.
_NEVER_PLANNED = frozenset(name for name, fact in facts_of(SYSTEM).items() if fact.seen)


def _accelerated(choice: Choice) -> dict[str, Any]:
    """The facts that the choice of a write accelerator settles."""
    board = choice.accelerator
    return {
        "nvram_accelerator": board is not None,
        "nvram_bus": board.text("bus") if board else "",
        "write_gathering": bool(choice.gathering),
    }


def _suffice(left: Mapping[str, int], needs: Iterable[tuple[tuple[str, ...], int]]) -> bool:
    """Whether the slots left of each group are enough for boards that need so many of some."""
    taken: Counter[str] = Counter()
    for groups, slots in needs:
        for group in groups:
            taken[group] += slots
    return all(number <= left[group] for group, number in taken.items())


class _Reached(NamedTuple):
    """The facts that the networks settle, what rules count for them, and the steps after them."""

    facts: Mapping[str, Any]
    step: Step
    accelerations: tuple[Step, ...]


class SearchSpace:
    """Every choice on one machine, and the rules' say in each."""

    def __init__(self, machine: Machine, demand: Demand, book: RuleSet, policy: Policy) -> None:
        self.machine = machine
        self.demand = demand
        self.book = book
        self.policy = policy
        self.guide = machine.guide
        self.usage = usage_of(demand)
        self.known = settled(machine, self.usage)
        self.system: SystemFacts = blank(SYSTEM, self.known)
        self._asked = tuple(
            (rule, rule.facts_of(SYSTEM).difference(self.known, _NEVER_PLANNED))
            for rule in book.by_subject[SYSTEM] if policy.counts(rule)
        )  # fmt: skip
        self.ground = self._alone({})
        hot = HotVolumes(demand, machine.guide)
        self.shelf = Shelf(machine, demand, book, policy, self.system, hot)
        disks = self.guide.table("disks").rows
        self._owned = Counter({m: n for m, n in demand.owned.items() if m in disks})
        self._required = Counter({m: n for m, n in demand.required.items() if m in disks})
        self.groups = groups_of(self.shelf)
        self._repeats = tuple(
            second.first.alike(first.first) for first, second in pairwise(self.groups)
        )
        self.pools = {pool.name: pool for group in self.groups for pool in group.pools}
        self.lots = Lots(machine, demand, self.pools.values(), book, policy, self.system, hot)
        self._placed: dict[Any, Outcome] = {}
        self._boards: dict[Any, tuple[Board, ...] | None] = {}
        self._slots: dict[Any, bool] = {}
        self._patterns: Patterns = {}
        self._channels: dict[tuple[str, ...], tuple[tuple[str, str], ...]] = {}
        self._reached: dict[Any, _Reached] = {}
        self._wired: dict[Any, Cost] = {}
        self._servers: dict[int, tuple[Step, ...]] = {}
        self.dimensions = self._dimensions()
        self.least = self._remaining()
        # The choice of lines comes before networks, that of their terminal servers' network after.
        self.networks_until = 1 + len(demand.networks) + 1
        self.stores_at = self.networks_until + len(_BEFORE_STORES)
        stored = self.dimensions[self.stores_at : self.stores_at + len(self.groups)]
        self._stored = tuple(zip(self.groups, stored, strict=True))

    @cached_property
    def floor(self) -> Floor:
        """The least processor time that choices leave possible."""
        attached = self.dimensions[1 : 1 + len(self.demand.networks)]
        return Floor(
            self.machine, self.demand, [
                (pool, tuple(disk.id for disk in suitable(self.machine, self.demand, pool)))
                for pool in self.pools.values()
            ],
            [[way.step.value for way in each.steps] for each in attached],
            self.book, self.policy, self.known,
        )  # fmt: skip

    @cached_property
    def channel_bound(self) -> ChannelBound:
        """The channels that devices need at least."""
        groups = []
        for n, (group, each) in enumerate(self._stored):
            # Of groups that share disks only the first has none that it may be a guest on, unless
            # some are owned.
            guest = n or self._owned
            ways = each.options(Choice()) if each.options and not guest else each.steps
            models: dict[str, int] = {}
            for way in ways:
                disks = disks_of(way.step.value).total()
                for store in way.step.value[:1]:
                    models[store.disk] = min(models.get(store.disk, disks), disks)
            fewest = (disks_of(way.step.value).total() for way in each.steps)
            groups.append(Stored(group, min(fewest, default=0), models))
        return ChannelBound(self.lots, groups, sharing_sets(self.shelf), self._is_barred)

    def _dimensions(self) -> list[Decision]:
        demand = self.demand
        added = None if self.machine.plain else self._added
        return [
            Decision(self._lines(), added=added),
            *(
                Decision(self._attachments(n, demand), self._port_left, added=added)
                for n in self.demand.networks
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
                Decision(options=self._sharing(group), allowed=self._can_have)
                if group.shared
                else Decision(
                    self._stores(group), self._can_have,
                    added=self._after_others if self._owned else None,
                )
                for group in self.groups
            ),
            # No choice: what is owned and must be used is there without data too.
            *([Decision(options=self._idle)] if self._required else ()),
        ]  # fmt: skip

    def _remaining(self) -> list[Least]:
        """Per depth, the least that all choices from there on add."""
        found = [Least(NOTHING, NOTHING)]
        for each in reversed(self.dimensions):
            whole, parts = found[-1]
            found.append(Least(heavier(whole, each.least), heavier(parts, each.least_parts)))
        return found[::-1]

    def boards(self, choice: Choice) -> tuple[Board, ...] | None:
        """Every board in a slot, None if the slots do not suffice."""
        key = (boards_of(self.machine, choice), choice.memory.boards)
        if key not in self._boards:
            self._boards[key] = slotted(self.machine, choice)
        return self._boards[key]

    def has_slots(self, choice: Choice) -> bool:
        """Whether there are slots for the boards that are chosen so far."""
        key = (boards_of(self.machine, choice), choice.memory.boards)
        if key not in self._slots:
            self._slots[key] = has_slots(self.machine, choice)
        return self._slots[key]

    def channels(self, choice: Choice) -> tuple[tuple[str, str], ...]:
        """The kind of each channel of a choice, and the I/O bus that it is on."""
        key = boards_of(self.machine, choice)
        if key not in self._channels:
            own = self.machine.platform.text("builtin_io_bus")
            self._channels[key] = tuple(
                (kind, own if board == BUILTIN else self.guide.row("boards", board).text("bus"))
                for kind, board in channel_sources(self.machine, choice)
            )
        return self._channels[key]

    def storage_key(self, choice: Choice) -> Any:
        """What of a system, disks apart, changes how its data can be stored."""
        channels = tuple(sorted(self.channels(choice)))
        return channels, choice.backup_devices, self.floor.key(choice)

    def placed(self, choice: Choice) -> Outcome:
        """The cheapest placement of a choice's devices on its channels."""
        channels, barred = self.channels(choice), self._barred(choice)
        key = (channels, choice.stores, choice.backup_devices, barred)
        if key not in self._placed:
            self._placed[key] = place(*self._to_place(choice), self._patterns)
        return self._placed[key]

    def arranged(self, choice: Choice) -> Placement | None:
        """The same placement with each device on the emptiest channel that it can be on."""
        placed = self.placed(choice)
        if placed.placement is None or placed.straight:
            return placed.placement
        return arranged(*self._to_place(choice), placed.placement)

    def _to_place(
        self, choice: Choice
    ) -> tuple[Sequence[Lot], Sequence[str], Price, Callable[[], Cost]]:
        """Return the devices of a choice, its channels, and the prices of both together."""
        kinds = [kind for kind, _ in self.channels(choice)]
        lots = self._kept(choice, self._barred(choice))
        return lots, kinds, self.lots.price(kinds), self.lots.meeting

    def _barred(self, choice: Choice) -> tuple[int, ...]:
        channels = enumerate(self.channels(choice))
        return tuple(n for n, (_, bus) in channels if self._is_barred(choice, bus))

    def _kept(self, choice: Choice, barred: tuple[int, ...]) -> tuple[Lot, ...]:
        _, lots = self.lots.of(choice)
        return tuple(self._kept_off(lot, choice, barred) for lot in lots)

    def _kept_off(self, lot: Lot, choice: Choice, barred: tuple[int, ...]) -> Lot:
        """A lot that stays off channels whose I/O bus the write accelerator cannot serve."""
        removable = lot.name in self.lots.removable(choice.backup_devices)
        if removable or not barred:
            return lot
        # Rivals know each other by their kinds, which are their own anyway.
        kind = lot.kind if lot.rivals else f"{lot.kind} kept off"
        self.lots.add_kind(kind, self.lots.uses[lot.kind])
        return lot._replace(barred=frozenset(barred), kind=kind)

    def _is_barred(self, choice: Choice, bus: str) -> bool:
        """Whether the write accelerator cannot serve disks on an I/O bus."""
        return bool(self._wired_to(choice, frozenset((bus,))).broken)

    def _alone(self, given: dict[str, Any], earlier: Mapping[str, Any] = _NOTHING_YET) -> Cost:
        """What the rules count that these facts decide, and that were not decided before.

        `earlier` are facts of choices made before. A rule that asks for facts of further choices
        is left to the judge of whole systems.
        """
        decided = (
            rule for rule, open_facts in self._asked
            if (open_facts - earlier.keys()).issubset(given)
            and (bool(open_facts.intersection(given)) if given else not open_facts)
        )  # fmt: skip
        record = blank(SYSTEM, {**self.known, **earlier, **given})
        return cost_on(decided, {SYSTEM: record}, self.policy)

    def wired(self, choice: Choice, placement: Placement) -> Cost:
        """What the rules count that accelerator and placement decide together."""
        removable = self.lots.removable(choice.backup_devices)
        contents = zip(self.channels(choice), placement.contents, strict=True)
        return self._wired_to(
            choice,
            frozenset(
                bus for (_, bus), content in contents
                if any(name not in removable for name, _ in content)
            ),
            self._free_busses(choice),
        )  # fmt: skip

    def _wired_to(
        self, choice: Choice, busses: frozenset[str], free: tuple[str, ...] | None = None
    ) -> Cost:
        """What the rules count if the disks' adapters are on these busses."""
        key = (choice.accelerator and choice.accelerator.id, choice.gathering, busses, free)
        if key not in self._wired:
            given: dict[str, Any] = {"disk_adapter_busses": tuple(sorted(busses))}
            if free is not None:
                given["free_slot_busses"] = free
            self._wired[key] = self._alone(given, _accelerated(choice))
        return self._wired[key]

    def _free_busses(self, choice: Choice) -> tuple[str, ...]:
        """Return the busses with a slot free for any board; all boards have to be chosen."""
        taken = {(b.bus, number) for b in self.boards(choice) or () for number in b.slots}
        return tuple(sorted({
            slot.bus for slot in self.machine.slots
            if ANY in slot.takes and (slot.bus, slot.number) not in taken
        }))  # fmt: skip

    def _added(self, choice: Choice, step: Step) -> Step:
        """A step with the boards that it adds to a choice."""
        return step if self.machine.plain else really_added(self.machine, choice, step)

    def _attachments(self, network: NetworkDemand, demand: Demand) -> Iterator[Step]:
        for each in attachments(self.machine, demand, network, self.system, self.book, self.policy):
            name = f"{each.interface} {' '.join(each.providers)}"
            boards = fewest_added(self.machine, each)
            yield Step(
                "attachments", each, each.cost, boards, unrelieved=each.unrelieved, name=name
            )

    def _server_networks(self, choice: Choice) -> tuple[Weighed, ...]:
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

    def _port_left(self, choice: Choice) -> Callable[[Step], bool]:
        """Whether the platform has the ports of its own that a step takes."""
        left = Counter(self.machine.platform.list("builtin_networks"))
        for way in choice.attachments:
            left[way.interface] -= way.providers.count(BUILTIN)
        return lambda step: step.value.providers.count(BUILTIN) <= left[step.value.interface]

    def _reach(self, choice: Choice) -> _Reached:
        """What the networks chosen let the platform serve, and what can speed writes on them."""
        ways = choice.attachments
        rows = {way.interface: self.guide.row("network-interfaces", way.interface) for way in ways}
        key = tuple((way.network, way.interface, len(way.providers)) for way in ways)
        if key not in self._reached:
            interfaces = [rows[way.interface] for way in ways for _ in way.providers]
            capacity = nfs_capacity(self.guide, self.machine.platform.id, interfaces)
            kinds = frozenset(row.text("interface_kind") for row in interfaces)
            facts = nfs_facts(capacity, len(interfaces), kinds)
            facts |= stack_facts(((rows[way.interface], way.data) for way in ways), self.guide)
            steps = tuple(self._accelerated_on(facts))
            self._reached[key] = _Reached(facts, Step("", None, self._alone(facts)), steps)
        return self._reached[key]

    def _accelerations(self, choice: Choice) -> Iterable[Weighed]:
        return ordered(self._added(choice, step) for step in self._reach(choice).accelerations)

    def _accelerated_on(self, reached: Mapping[str, Any]) -> Iterator[Step]:
        """Ways to speed writes, where the networks settle these facts."""
        yield Step("", None, self._alone(_accelerated(Choice()), reached))
        for row in accelerators_for(self.machine):
            cost = self._alone(_accelerated(Choice(accelerator=row)), reached)
            yield Step("accelerator", row, cost, (row.text("board"),), name=row.id)
        for row in software_of(self.guide, "write_gathering_nfs"):
            cost = self._alone(_accelerated(Choice(gathering=row.id)), reached)
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
        return self._alone(
            {
                "serial_lines": count(on_boards, "serial lines on boards", "line"),
                "terminal_servers": count(servers, "terminal servers"),
            }
        )

    def _most_on_boards(self, lines: int) -> int:
        """The most of some serial lines for which no rule asks for more terminal servers."""

        def are_too_many(number: int) -> bool:
            return self._lines_cost(number, 1)._replace(tight=0) != FREE

        return bisect_left(range(1, lines + 1), True, key=are_too_many)

    def _backup_devices(self) -> Iterator[Step]:
        asked, data = self.demand.backup, saved_data(self.usage)
        fit = {row.id for row in backup_drives(self.guide)}
        for names in backup_sets(self.machine, self.demand, data):
            drives = Counter(name for name in self.lots.removable(names) if name in fit)
            run = (
                backup_elsewhere(asked, data, self.guide)
                if asked.over
                else backup_of(asked, data, drives, self.guide)
            )
            given = {
                "backup_device": bool(asked.over or drives), "backup_hours": run.full_hours,
            }  # fmt: skip
            cost = self._alone(given)
            devices = (Counter(self.lots.removable(names)) - Counter(self.demand.owned)).total()
            yield Step("backup_devices", names, cost, devices=devices, name=" ".join(names))

    def _stores(self, group: Group) -> Iterator[Step]:
        """Ways to store a pool on disks of its own, that may lend room to groups that share."""
        pool, end = group.first, self.demand.size_for
        lodgers = (p for g in self.groups if g.shared for p in g.pools if p.copies == pool.copies)
        room_mb = sum(each.size_mb(end) for each in (pool, *lodgers))
        spare = self.machine.channels_at_most
        for disk in suitable(self.machine, self.demand, pool):
            for store in self.shelf.stores(pool, disk, (pool.name,), room_mb, spare):
                yield self._storing((store,), disk.id)

    def _storing(
        self, stores: tuple[Store, ...], name: str, before: tuple[Store, ...] = ()
    ) -> Step:
        """A step that stores a group; only disks that are not owned count in its size."""
        cost = FREE
        for store in stores:
            cost = cost.plus(store.cost)
        used = disks_of((*before, *stores))
        new = (used - self._owned) - (disks_of(before) - self._owned)
        disks = self.guide.table("disks").rows
        installed = sum(n * disks[model].figure("capacity_mb").likely for model, n in new.items())
        idle = (self._required - used).total()
        # Of owned disks that are attached anyway, the more are used the better.
        name = f"{idle:03d} {name}" if self._required else name
        return Step("stores", stores, cost, devices=new.total(), installed_mb=installed, name=name)

    def _after_others(self, choice: Choice, step: Step) -> Step:
        """The same step after choices that have taken some of the disks that are owned."""
        (store,) = step.value
        return self._storing(step.value, store.disk, choice.stores)

    def _idle(self, choice: Choice) -> Iterable[Weighed]:
        """The disks that must be used and have no data."""
        used = disks_of(choice.stores)
        left = sorted((self._required - used).items())
        disks = self.guide.table("disks")
        idle = tuple(owned_disks(disks[model], n, used[model]) for model, n in left)
        return ordered((self._storing(idle, "", choice.stores),))

    def _lending(self, group: Group, stores: tuple[Store, ...]) -> Iterator[tuple[Store, ...]]:
        """Owned disks without data that may lend room to a group: every number of each model.

        Of a group that is packed only the most.
        """
        used, copies = disks_of(stores), group.first.copies
        ways: list[list[tuple[Store, ...]]] = []
        for disk in suitable(self.machine, self.demand, group.first) if self._owned else ():
            most = (self._owned[disk.id] - used[disk.id]) // copies
            numbers = range(1, most + 1) if group.is_divided else range(most, most + 1)
            lent = [(owned_disks(disk, n, used[disk.id], copies),) for n in numbers if n > 0]
            if lent:
                ways.append([(), *lent])
        for each in product(*ways):
            yield tuple(store for stores in each for store in stores)

    def _sharing(self, group: Group) -> Callable[[Choice], Iterable[Weighed]]:
        """The ways to store a group that shares disks, some of them on others' disks."""
        sharing = Sharing(self.shelf, group)
        known: dict[tuple[Store, ...], tuple[Weighed, ...]] = {}

        def options(choice: Choice) -> Iterable[Weighed]:
            stores = tuple(store for store in choice.stores if not store.host)
            if stores not in known:
                hosts = [Host(s, tuple(self.pools[name] for name in s.pools)) for s in stores]
                lent = self._lending(group, stores)
                ways = dict.fromkeys(way for each in lent for way in sharing.ways(hosts, each))
                known[stores] = ordered(
                    self._storing(way.stores, f"{way.split:03d} {way.share:06.3f}", stores)
                    for way in ways
                )
            return known[stores]

        return options

    def _can_have(self, choice: Choice) -> Callable[[Step], bool]:
        """Whether there are the disks of a step, and addresses for them, after some choices.

        Of pools that are just alike a later one has no lighter disks than an earlier one: the same
        disks dealt the other way round are the same configuration.
        """
        left = self.channel_bound.disks_at_most(choice, self.channels(choice))
        used = disks_of(choice.stores)
        # Owned disks that cannot be ordered are as many as there are.
        rows = self.guide.table("disks")
        for model in left.keys() & self._owned.keys():
            if not on_offer(rows[model], self.demand):
                left[model] = min(left[model], self._owned[model] - used[model])
        repeats = choice.groups and self._repeats[choice.groups - 1]
        before = choice.stores[-1] if repeats else None

        def can_have(step: Step) -> bool:
            if any(n > left[model] for model, n in disks_of(step.value).items()):
                return False
            (store, *_) = step.value
            return before is None or (before.disks, before.installed_mb, before.disk) <= (
                store.disks, store.installed_mb, store.disk,
            )  # fmt: skip

        return can_have

    def _adapters(self, choice: Choice) -> Iterator[Weighed]:
        """Sets of adapters for which there are slots, the fewest that may do first."""
        kinds = frozenset(kind for row in self._devices for kind in row.list("disk_busses"))
        rows = sorted(row.id for row in adapters_for(self.machine, kinds))
        fewest = self.channel_bound.further_adapters(choice, self.channels(choice))
        if fewest == inf:
            return
        left = self._left(choice)
        needs = {name: self._need(name) for name in rows}
        most = sum(left[group] for group in {groups[0] for groups, _ in needs.values()})
        skipped = 0
        for number in range(int(fewest), most + 1):
            for names in combinations_with_replacement(rows, number):
                if not _suffice(left, [needs[name] for name in names]):
                    continue
                channels = self.channels(choice._replace(adapters=names))
                if not self.channel_bound.fits(choice, channels):
                    # Now and then one is returned, so that a long search takes steps.
                    skipped += 1
                    if skipped % SETS_A_STEP:
                        continue
                step = Step("adapters", names, boards=names, name=" ".join(names))
                weight = self._added(choice, step).weight()
                yield Weighed(weight, step.name, step, weight)

    def _left(self, choice: Choice) -> Mapping[str, int]:
        """How many slots each group has left beside the boards of a choice."""
        left = dict(self.machine.free_slots)
        for name, number in Counter(choice.memory.boards).items():
            row = self.guide.row("memory-boards", name)
            for group, taken in self.machine.least_taken(row, number).items():
                left[group] -= taken
        for board in boards_of(self.machine, choice):
            groups, need = self._need(board)
            for group in groups:
                left[group] -= need
        return left

    def _need(self, board: str) -> tuple[tuple[str, ...], int]:
        """The groups of slots of which a board takes some, and how many."""
        row = self.guide.row("boards", board)
        return self.machine.groups(row), slot_need(row)

    @cached_property
    def _devices(self) -> tuple[Row, ...]:
        """Every model of device that the machine may need channels for."""
        pools = self.pools.values()
        disks = {d.id: d for pool in pools for d in suitable(self.machine, self.demand, pool)}
        disks |= {name: self.guide.row("disks", name) for name in self._required}
        return (*disks.values(), *self.guide.table("removable-media"))

    def _memories(self) -> Iterator[Step]:
        for memory in memory_sizes(self.machine):
            cost = self._alone(memory_facts(self.machine.platform, memory.size_mb))
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
        yield Step(field, "", self._alone({fact: False}))
        for row in rows:
            yield Step(field, row.id, self._alone({fact: True}), options=1, name=row.id)
