"""What a platform offers to build with: interfaces, adapters, disks, memory sizes, boards."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from functools import cached_property
from typing import Any, NamedTuple, TypeVar

from sizewright.configuration.model import System
from sizewright.configuration.slots import (
    ANY,
    Run,
    Slot,
    base_boards,
    channels_of,
    fitting_runs,
    free_for,
    group_for,
    is_disk_adapter,
    ports_of,
    roles_of,
    slot_need,
    slots_of,
    supported_boards,
)
from sizewright.demand.model import Demand, NetworkDemand
from sizewright.demand.usage import UsageProfile, usage_of
from sizewright.facts.system import machine_facts
from sizewright.guide.model import Guide, Row
from sizewright.load.cpu_load import nfs_capacity
from sizewright.load.derive import memory_lines
from sizewright.load.model import NfsCapacity
from sizewright.quantity import Quantity

T = TypeVar("T")

BUILTIN = "builtin"


class Machine:
    """A platform with a number of processors, and what fits into its slots.

    `spare_slots` are added to each bus, to find whether slots are what the machine lacks. One that
    `serves` files has the processors that its load was measured with.
    """

    def __init__(
        self, guide: Guide, platform: Row, processors: int, operating_system: str,
        spare_slots: int = 0, serves: bool = False,
    ) -> None:  # fmt: skip
        self.guide = guide
        self.platform = platform
        self.processors = processors
        self.operating_system = operating_system
        self.spare_slots = spare_slots
        self.serves = serves
        self._groups_of: dict[str, tuple[str, ...]] = {}
        self._channels: dict[str, tuple[str, ...]] = {}
        self._places: dict[tuple[str, str], tuple[Run, ...]] = {}
        self._most_of: dict[str, int] = {}
        # The disks that data may be on, by what the customer has and allows.
        self.suitable: dict[object, tuple[Row, ...]] = {}
        self._taken: dict[tuple[str, tuple[str, ...]], frozenset[Slot]] = {}
        self._capacities: dict[tuple[str, ...], NfsCapacity | None] = {}

    def bare(self) -> System:
        """Return a system without any parts, on which work costs what it does on the machine."""
        return System(
            "", self.platform.id, self.processors, self.operating_system, None, (), (), (), (), ()
        )

    def with_spare_slots(self, number: int) -> Machine:
        """The same machine with slots that it does not have."""
        return Machine(
            self.guide, self.platform, self.processors, self.operating_system, number, self.serves
        )

    @cached_property
    def slots(self) -> tuple[Slot, ...]:
        """Every slot of the machine."""
        found = slots_of(self.guide, self.platform.id, self.processors)
        last = {slot.bus: slot.number for slot in found}
        spare = [
            Slot(bus, number + n, (ANY,))
            for bus, number in last.items()
            for n in range(1, self.spare_slots + 1)
        ]
        return (*found, *spare)

    @cached_property
    def boards(self) -> Mapping[str, Row]:
        """Boards that are supported and have a slot here, by row id."""
        return {name: row for name, row in self.supported.items() if self._taking(row)}

    @cached_property
    def supported(self) -> Mapping[str, Row]:
        """Boards for sale that are supported on this platform, by row id."""
        return {row.id: row for row in supported_boards(self.guide, self.platform.id)}

    @cached_property
    def base(self) -> tuple[str, ...]:
        """Rows of the boards that are in every such machine, chosen or not."""
        return base_boards(self.guide, self.platform.id, self.serves)

    @cached_property
    def plain(self) -> bool:
        """Whether each port and each part that is chosen needs a board of its own."""
        onto_boards = any(b.text("bus") in self.guide.table("boards").rows for b in self._known)
        return not self.base and not onto_boards and all(n == 1 for n in self._ports.values())

    @cached_property
    def _known(self) -> tuple[Row, ...]:
        """Boards for sale, and those of the base."""
        base = {name: self.guide.row("boards", name) for name in self.base}
        return tuple((base | dict(self.boards)).values())

    @cached_property
    def _ports(self) -> Mapping[tuple[str, str], int]:
        return {
            (row.id, board): ports_of(row, self.boards[board])
            for row in self.guide.table("network-interfaces")
            for board in row.list("boards") if board in self.boards
        }  # fmt: skip

    def ports(self, interface: str, board: str) -> int:
        """How many networks one board attaches through an interface."""
        return self._ports[interface, board]

    @cached_property
    def _groups(self) -> Mapping[str, frozenset[Slot]]:
        """The slots by what can go into them: those of a bus for any board, and wider groups."""
        found = {bus: self._open(bus, ()) for bus in dict.fromkeys(slot.bus for slot in self.slots)}
        for row in self._known:
            found[self._group(row)] = self._taking(row)
        return found

    def _taking(self, row: Row) -> frozenset[Slot]:
        """The slots that a board can go into."""
        return self._open(row.text("bus"), roles_of(row))

    def _open(self, bus: str, roles: tuple[str, ...]) -> frozenset[Slot]:
        key = (bus, roles)
        if key not in self._taken:
            numbers = free_for(self.slots, bus, roles)
            self._taken[key] = frozenset(
                [s for s in self.slots if s.bus == bus and s.number in numbers]
            )
        return self._taken[key]

    def _group(self, row: Row) -> str:
        return group_for(self.slots, row.text("bus"), roles_of(row))

    @cached_property
    def free_slots(self) -> Mapping[str, int]:
        """How many slots there are of each group, memory's own apart."""
        return {name: len(slots) for name, slots in self._groups.items()}

    def groups(self, row: Row) -> tuple[str, ...]:
        """The groups of slots of which a board takes some in any place; its own one first."""
        if row.id not in self._groups_of:
            own = self._group(row)
            slots = self._groups[own]
            wider = (n for n, others in self._groups.items() if n != own and slots <= others)
            self._groups_of[row.id] = (own, *wider)
        return self._groups_of[row.id]

    def least_taken(self, row: Row, number: int) -> Mapping[str, int]:
        """Return the slots of each group that a number of boards take, if others are used first."""
        open_ = self._taking(row)
        need = slot_need(row) * number
        return {name: max(0, need - len(open_ - slots)) for name, slots in self._groups.items()}

    def places(self, row: Row) -> tuple[Run, ...]:
        """The runs of slots that a board, of memory too, can go into."""
        key = (row.table, row.id)
        if key not in self._places:
            self._places[key] = fitting_runs(row, self.slots)
        return self._places[key]

    def channels(self, row: Row) -> tuple[str, ...]:
        """The kinds of the channels that a board brings here."""
        if row.id not in self._channels:
            self._channels[row.id] = channels_of(self.guide, self.platform.id, row)
        return self._channels[row.id]

    @cached_property
    def channel_kinds(self) -> frozenset[str]:
        """Kinds of peripheral bus that the machine has or can get."""
        kinds = set(self.platform.list("builtin_disk_busses"))
        return frozenset(kinds.union(*map(self.channels, self._known)))

    @cached_property
    def channels_at_most(self) -> int:
        """No more channels than this can be had."""
        builtin = len(self.platform.list("builtin_disk_busses"))
        return builtin + self._at_most({row.id: len(self.channels(row)) for row in self._known})

    @cached_property
    def networks_at_most(self) -> int:
        """No more networks than this can be attached."""
        ports: dict[str, int] = {}
        for (_, board), number in self._ports.items():
            ports[board] = max(number, ports.get(board, 0))
        return len(self.platform.list("builtin_networks")) + self._at_most(ports)

    def _at_most(self, brings: Mapping[str, int]) -> int:
        """Return an upper bound on what all boards bring: channels, ports, or places for devices.

        Each slot is assumed to have the board with the most of those that it takes.
        """
        most: dict[Slot, int] = {}
        for row in self._known:
            number = brings.get(row.id, 0)
            for slot in self._taking(row) if number else ():
                most[slot] = max(number, most.get(slot, 0))
        return sum(most.values())

    @cached_property
    def devices_a_channel(self) -> int:
        """The most devices that any channel of the machine can address."""
        table = self.guide.table("disk-busses")
        most = (table[kind].number("targets_limit") for kind in self.channel_kinds)
        return int(max(most, default=0))

    @cached_property
    def devices_at_most(self) -> int:
        """No more devices than this can be had."""
        return self.channels_at_most * self.devices_a_channel

    def most_of(self, device: Row) -> int:
        """No more devices of this model can be had: each channel for them is full of them."""
        if device.id not in self._most_of:
            self._most_of[device.id] = self._places_for(device)
        return self._most_of[device.id]

    def _places_for(self, device: Row) -> int:
        busses = {name: self.guide.row("disk-busses", name) for name in device.list("disk_busses")}

        def places(kinds: Iterable[str]) -> int:
            return sum(int(busses[k].number("targets_limit")) for k in kinds if k in busses)

        builtin = places(self.platform.list("builtin_disk_busses"))
        return builtin + self._at_most({row.id: places(self.channels(row)) for row in self._known})

    def capacity(self, interfaces: Iterable[str]) -> NfsCapacity | None:
        """Return what the platform serves over interfaces, by row id; None if no row states it."""
        names = tuple(sorted(interfaces))
        if names not in self._capacities:
            rows = [self.guide.row("network-interfaces", name) for name in names]
            self._capacities[names] = nfs_capacity(self.guide, self.platform.id, rows)
        return self._capacities[names]

    def free(self, bus: str, roles: Collection[str] = ()) -> int:
        """How many slots of a bus take a board of these roles."""
        return len(free_for(self.slots, bus, roles))


def platforms_on_offer(guide: Guide) -> tuple[Row, ...]:
    """The platforms that may be proposed, smallest first."""
    rows = [row for row in guide.table("platforms") if row.flag("orderable")]
    return tuple(sorted(rows, key=lambda row: (row.number("rank"), row.id)))


def machines(guide: Guide, demand: Demand) -> tuple[Machine, ...]:
    """The machines that may be proposed, smallest first.

    Each comes with every number of processors. If services keep none busy outside of a kernel with
    one lock, it comes only with the fewest: more serve nothing.
    """
    usage = usage_of(demand)
    rows = [
        row for row in platforms_on_offer(guide)
        if not demand.platforms or row.id in demand.platforms
    ]  # fmt: skip
    system = guide.defaults.get("operating_system", "")
    return tuple(
        Machine(guide, row, n, system, serves=bool(demand.streams))
        for row in rows
        for n in _processor_counts(guide, row, usage, system)
    )


def settled(machine: Machine, usage: UsageProfile) -> dict[str, Any]:
    """The facts of a system that the machine and its usage settle, whatever else is chosen."""
    guide, runs = machine.guide, machine.operating_system
    memory = memory_lines(usage, runs, guide)
    return machine_facts(usage, machine.platform, machine.processors, runs, memory, guide)


def _processor_counts(
    guide: Guide, platform: Row, usage: UsageProfile, system: str
) -> tuple[int, ...]:
    counts = tuple(sorted(platform.list("processor_counts") or (1,)))
    locks = guide.row("operating-systems", system).cell("kernel_locks") if system else None
    many = locks is not None and locks.low > 1
    user = usage.user_processors
    is_any = user is not None and (_any(user.processors) or _any(user.mips))
    return counts if many or usage.takes_all_processors or is_any else counts[:1]


def _any(figure: Quantity | None) -> bool:
    return figure is not None and figure.high > 0


def interfaces_for(machine: Machine, network: NetworkDemand) -> tuple[Row, ...]:
    """Interfaces that the machine can have on a network's medium (any medium if none is named)."""
    return interfaces_with(machine, network, machine.boards)


def interfaces_with(
    machine: Machine, network: NetworkDemand, boards: Collection[str]
) -> tuple[Row, ...]:
    """The same where these are the boards that it can have."""
    return tuple(
        row for row in machine.guide.table("network-interfaces")
        if network.medium in ("", row.text("medium")) and
        (row.id in machine.platform.list("builtin_networks")
         or any(board in boards for board in row.list("boards")))
    )  # fmt: skip


def adapters_for(machine: Machine, disk_busses: frozenset[str]) -> tuple[Row, ...]:
    """Boards that bring a channel of one of these kinds and nothing else."""
    return tuple(
        row for row in machine.boards.values() if is_disk_adapter(row, disk_busses)
    )  # fmt: skip


def disks_for(
    machine: Machine, carried: tuple[str, ...] = (), third_party: bool = False
) -> tuple[Row, ...]:
    """Disks for sale, carried forward or (`third_party`) of other vendors that it can attach."""
    return tuple(
        row for row in machine.guide.table("disks")
        if (row.flag("orderable") or row.id in carried
            or (third_party and row.flag("third_party")))
        and can_attach(machine, row)
    )  # fmt: skip


def can_attach(machine: Machine, device: Row) -> bool:
    """Return whether a machine can have a channel for a disk or a removable medium."""
    interfaces = machine.platform.list("disk_interfaces") if device.table == "disks" else ()
    return not machine.channel_kinds.isdisjoint(device.list("disk_busses")) and (
        not interfaces or device.text("interface") in interfaces
    )


class Memory(NamedTuple):
    """An amount of memory and the expansion boards it needs."""

    size_mb: float
    boards: tuple[str, ...]


def memory_sizes(machine: Machine) -> tuple[Memory, ...]:
    """Every amount of memory that the machine can have, ascending."""
    platform = machine.platform
    step = platform.number("memory_increment_mb")
    onboard = platform.number("onboard_memory_limit_mb")
    limit = max(onboard, platform.number("memory_limit_mb"))
    if step <= 0:
        return ()
    sizes = [Memory(step * n, ()) for n in range(1, int(onboard // step) + 1)]
    for name in platform.list("memory_boards"):
        board = machine.guide.row("memory-boards", name)
        each = board.number("capacity_limit_mb")
        room = machine.free(board.text("bus"), roles_of(board)) // slot_need(board)
        room = min(room, int(board.number("boards_limit", room)))
        top = min(limit, onboard + each * room)
        more = max(step, board.number("increment_mb"))
        size = (onboard // step) * step + more
        while each > 0 and size <= top:
            sizes.append(Memory(size, (name,) * int(-(-(size - onboard) // each))))
            size += more
    return tuple(sorted(sizes))


def accelerators_for(machine: Machine) -> tuple[Row, ...]:
    """Boards with non-volatile memory that the machine can have."""
    return tuple(
        row for row in machine.guide.table("nvram-accelerators")
        if row.text("board") in machine.boards
    )  # fmt: skip


def software_of(guide: Guide, kind: str) -> tuple[Row, ...]:
    """Products of one kind."""
    return tuple(row for row in guide.table("software") if row.text("kind") == kind)


def volume_manager(guide: Guide) -> str:
    """Return the software that joins or mirrors disks; empty if the guide has none."""
    return next((row.id for row in software_of(guide, "volume_manager")), "")


def fullest(rows: Iterable[Row]) -> tuple[Row, ...]:
    """The products of which no other gives all that they give, and more."""
    every = tuple(rows)
    gives = {row.id: frozenset(row.list("gives")) for row in every}
    return tuple(
        row for row in every if not any(gives[row.id] < gives[other.id] for other in every)
    )


def join_overlapping(
    items: Iterable[tuple[T, frozenset[str]]],
) -> list[tuple[list[T], frozenset[str]]]:
    """Return items in groups, with the names that each group uses; no two groups share a name."""
    groups: list[tuple[list[T], frozenset[str]]] = []
    for item, names in items:
        joined, apart = [item], []
        for others, theirs in groups:
            if theirs.isdisjoint(names):
                apart.append((others, theirs))
            else:
                joined, names = others + joined, names | theirs
        groups = [*apart, (joined, names)]
    return groups
