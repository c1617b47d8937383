"""What a platform offers to build with: interfaces, adapters, disks, memory sizes, boards."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import Any, NamedTuple

from sizewright.configuration.slots import ANY, Slot, free_for, slot_need, slots_of
from sizewright.demand.model import Demand, NetworkDemand
from sizewright.demand.usage import Usage, usage_of
from sizewright.facts.system import machine_facts, processors_wanted
from sizewright.figure import Figure
from sizewright.guide.model import Guide, Row
from sizewright.load.place import memory_of

BUILTIN = "builtin"


class Machine:
    """A platform with a number of processors, and what fits into its slots.

    With `spare_slots`, each bus is given so many slots that it does not have, to tell whether
    slots are what it lacks.
    """

    def __init__(
        self, guide: Guide, platform: Row, processors: int, operating_system: str,
        spare_slots: int = 0,
    ) -> None:  # fmt: skip
        self.guide = guide
        self.platform = platform
        self.processors = processors
        self.operating_system = operating_system
        self.spare_slots = spare_slots

    def with_spare_slots(self, number: int) -> Machine:
        """The same machine with slots that it does not have."""
        return Machine(self.guide, self.platform, self.processors, self.operating_system, number)

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
        """Boards on offer that are supported on this platform and have a bus here, by row id."""
        return {
            row.id: row
            for row in self.guide.table("boards")
            if row.flag("orderable")
            and self.platform.id not in row.list("not_on")
            and self.free(row.text("bus"))
        }

    @cached_property
    def free_slots(self) -> Mapping[str, int]:
        """How many slots each bus has for boards of any role."""
        busses = dict.fromkeys(slot.bus for slot in self.slots)
        return {bus: self.free(bus) for bus in busses}

    @cached_property
    def channels_a_board(self) -> int:
        """The most channels that one board brings."""
        return max((len(row.list("disk_busses")) for row in self.boards.values()), default=0)

    @cached_property
    def channel_kinds(self) -> frozenset[str]:
        """Kinds of peripheral bus that the machine has or can get."""
        kinds = set(self.platform.list("builtin_disk_busses"))
        for row in self.boards.values():
            kinds.update(row.list("disk_busses"))
        return frozenset(kinds)

    @cached_property
    def channels_at_most(self) -> int:
        """No more channels than this can be had."""
        builtin = len(self.platform.list("builtin_disk_busses"))
        return builtin + sum(self.free_slots.values()) * self.channels_a_board

    @cached_property
    def devices_a_channel(self) -> int:
        """The most devices that any channel of the machine can address."""
        table = self.guide.table("disk-busses")
        most = (table[kind].number("targets_limit") for kind in self.channel_kinds)
        return int(max(most, default=0))

    @property
    def devices_at_most(self) -> int:
        """No more devices than this can be had."""
        return self.channels_at_most * self.devices_a_channel

    def free(self, bus: str, role: str = "") -> int:
        """How many slots of a bus take a board of a role."""
        return len(free_for(self.slots, bus, role))


def platforms_on_offer(guide: Guide) -> tuple[Row, ...]:
    """The platforms that may be proposed, smallest first."""
    rows = [row for row in guide.table("platforms") if row.flag("orderable")]
    return tuple(sorted(rows, key=lambda row: (row.number("rank"), row.id)))


def machines(guide: Guide, demand: Demand) -> tuple[Machine, ...]:
    """The machines that may be proposed, smallest first.

    Each comes with the fewest processors, and where services keep some busy outside of the kernel
    also with as many as they can use: more serve nothing, as one at most works in the kernel.
    """
    usage = usage_of(demand)
    rows = [
        row for row in platforms_on_offer(guide)
        if not demand.platforms or row.id in demand.platforms
    ]  # fmt: skip
    system = guide.defaults.get("operating_system", "")
    return tuple(
        Machine(guide, row, n, system) for row in rows for n in _processor_counts(row, usage)
    )


def settled(machine: Machine, usage: Usage) -> dict[str, Any]:
    """The facts of a system that the machine and its usage settle, whatever else is chosen."""
    guide, runs = machine.guide, machine.operating_system
    memory = memory_of(usage, runs, guide)
    return machine_facts(usage, machine.platform, machine.processors, runs, memory, guide)


def _processor_counts(platform: Row, usage: Usage) -> tuple[int, ...]:
    counts = sorted(platform.list("processor_counts") or (1,))
    wanted = processors_wanted(usage, platform)
    if wanted is None or (not usage.takes_all_processors and not _any(usage.user_processors)):
        return tuple(counts[:1])
    enough = next((n for n in counts if n >= wanted.high), counts[-1])
    return tuple(dict.fromkeys((counts[0], enough)))


def _any(figure: Figure | None) -> bool:
    return figure is not None and figure.high > 0


def interfaces_for(machine: Machine, network: NetworkDemand) -> tuple[Row, ...]:
    """Interfaces that the machine can have on a network's medium (any medium if none is named)."""
    return tuple(
        row for row in machine.guide.table("network-interfaces")
        if network.medium in ("", row.text("medium")) and
        (row.id in machine.platform.list("builtin_networks")
         or any(board in machine.boards for board in row.list("boards")))
    )  # fmt: skip


def adapters_for(machine: Machine, disk_busses: frozenset[str]) -> tuple[Row, ...]:
    """Boards that bring a channel of one of these kinds and nothing else."""
    return tuple(
        row for row in machine.boards.values()
        if disk_busses.intersection(row.list("disk_busses"))
        and "network_interface" not in row.list("role")
    )  # fmt: skip


def disks_for(
    machine: Machine, carried: tuple[str, ...] = (), third_party: bool = False
) -> tuple[Row, ...]:
    """Disks on offer, carried forward or (`third_party`) of other makers that it can attach."""
    interfaces = machine.platform.list("disk_interfaces")
    return tuple(
        row for row in machine.guide.table("disks")
        if (row.flag("orderable") or row.id in carried
            or (third_party and row.flag("third_party")))
        and machine.channel_kinds.intersection(row.list("disk_busses"))
        and (not interfaces or row.text("interface") in interfaces)
    )  # fmt: skip


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
        room = machine.free(board.text("bus"), "memory") // slot_need(board)
        top = min(limit, onboard + each * room)
        size = (onboard // step) * step + step
        while each > 0 and size <= top:
            sizes.append(Memory(size, (name,) * int(-(-(size - onboard) // each))))
            size += step
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
