"""The tree of a configuration: systems, boards in slots, channels, devices, volumes."""

from collections.abc import Callable, Collection, Iterator, Mapping
from typing import NamedTuple

from sizewright.quantity import Quantity

DISK = "disk"


class Board(NamedTuple):
    """A board in adjacent slots of a bus; `table` and `model` name its row.

    `purpose` is what it was chosen for.
    """

    id: str
    table: str
    model: str
    bus: str
    slots: tuple[int, ...]
    purpose: str


class Partition(NamedTuple):
    """A partition of a disk: where it begins and its use; None is unknown."""

    name: str
    size_mb: Quantity | None = None
    start_cylinder: Quantity | None = None
    use: str | None = None
    hot: bool | None = None


class Device(NamedTuple):
    """A disk, tape, cd-rom or the like on a channel; `table` and `model` name its row.

    `target` is its address there, `rate_mb_per_s` what it negotiated (0 if it transfers
    asynchronously). `owner` is the system that it is part of, if only its second port ends here.
    """

    id: str
    kind: str
    table: str
    model: str
    purpose: str = ""
    target: int | None = None
    rate_mb_per_s: Quantity | None = None
    dual_ported: bool | None = None
    partitions: tuple[Partition, ...] = ()
    owner: str = ""


class Channel(NamedTuple):
    """A peripheral bus with its devices.

    `kind` is a row of disk-busses, `provider` a board id or `builtin`; empty is unknown.
    """

    id: str
    kind: str
    provider: str
    devices: tuple[Device, ...] = ()
    cable_m: Quantity | None = None
    connector_pairs: Quantity | None = None


class Port(NamedTuple):
    """A network attached through an interface; `interface` is a row of network-interfaces."""

    network: str
    segment: int
    interface: str
    provider: str

    @property
    def id(self) -> str:
        """Return the network's name, with a number if its clients are split over several."""
        return f"{self.network}-{self.segment}" if self.segment else self.network


class Extent(NamedTuple):
    """A part of a volume: its megabytes on one disk.

    If the size is not stated, it is an even share, and the part is not `sized`.
    """

    disk: str
    size_mb: float
    sized: bool = True


class Volume(NamedTuple):
    """Data on one or more disks.

    `copies` are sets of parts with the same data: one for plain data, two for a mirror. `manager`
    is the software that joins them, empty for plain file systems. `layout` is how the parts of a
    copy are joined (single, stripe, concatenation), empty if it is not stated.
    """

    name: str
    copies: tuple[tuple[Extent, ...], ...]
    manager: str = ""
    layout: str = ""
    interlace_kb: Quantity | None = None

    @property
    def disks(self) -> frozenset[str]:
        """Return the ids of the disks that its parts are on."""
        return frozenset(part.disk for copy in self.copies for part in copy)

    def is_on(self, disk: str) -> bool:
        """Return whether some part of it is on a disk."""
        return any(part.disk == disk for copy in self.copies for part in copy)

    def of_size(self, size_mb: float) -> "Volume":
        """Return the volume with another size, all parts of a copy changed by the same factor."""

        def resized(copy: tuple[Extent, ...]) -> Iterator[Extent]:
            whole = sum(part.size_mb for part in copy)
            for part in copy:
                share = part.size_mb / whole if whole else 1 / len(copy)
                yield part._replace(size_mb=share * size_mb)

        return self._replace(copies=tuple(tuple(resized(copy)) for copy in self.copies))


class Expansion(NamedTuple):
    """An expansion box with boards, connected to a slot of an I/O bus."""

    id: str
    bus: str
    carrier: str
    boards: tuple[Board, ...]


class System(NamedTuple):
    """One server.

    `beside` are units next to it that take no slot; those of another system, if it is named in
    `beside_of`, which has them in its order. `serial_lines` end on its boards.
    `other_volumes` are those of another system on strings that end in both. `failed_boards` do
    nothing, but take their slots until they are replaced. Unknown are None, an empty operating
    system, and the fields named in `unstated`.
    """

    id: str
    platform: str
    processors: int | None
    operating_system: str
    memory_mb: float | Quantity | None
    boards: tuple[Board, ...]
    channels: tuple[Channel, ...]
    ports: tuple[Port, ...]
    volumes: tuple[Volume, ...]
    software: tuple[str, ...]
    accelerator: str = ""
    expansion_memory_mb: float | None = None
    expansions: tuple[Expansion, ...] = ()
    tunables: Mapping[str, Quantity] = {}
    databases: tuple[str, ...] = ()
    unstated: frozenset[str] = frozenset()
    beside: tuple[str, ...] = ()
    beside_of: str = ""
    serial_lines: int | None = None
    other_volumes: tuple[Volume, ...] = ()
    failed_boards: tuple[Board, ...] = ()

    def devices(self) -> tuple[Device, ...]:
        """Return every device of every channel."""
        return tuple([device for channel in self.channels for device in channel.devices])

    def disks(self) -> tuple[Device, ...]:
        """Return every disk of every channel."""
        return tuple([device for device in self.devices() if device.kind == DISK])

    def with_devices(self, is_kept: Callable[[Device], bool]) -> "System":
        """Return the same with only some of its devices."""
        channels = (c._replace(devices=tuple(filter(is_kept, c.devices))) for c in self.channels)
        return self._replace(channels=tuple(channels))

    @property
    def others_disks(self) -> frozenset[str]:
        """The ids of the disks that have data of another system, and none of this one."""
        own, others = (
            frozenset[str]().union(*(volume.disks for volume in volumes))
            for volumes in (self.volumes, self.other_volumes)
        )
        return others - own


# Kinds of parts that fail; the system as a whole is a subject of rules too.
CONTROLLER, NETWORK, SYSTEM = "controller", "network", "system"


def components(system: System) -> Mapping[str, str]:
    """Return the kind of every part that can fail, by its id: a disk, a controller or a network.

    A controller is a channel or the board that brings it. A network is a port or a board that
    brings only ports.
    """
    found = {disk.id: DISK for disk in system.disks()}
    boards = {board.id for board in system.boards}
    bringing = [c.provider for c in system.channels if c.provider in boards]
    for name in (*(c.id for c in system.channels), *bringing):
        found.setdefault(name, CONTROLLER)
    for port in system.ports:
        found.setdefault(port.id, NETWORK)
        if port.provider in boards:
            found.setdefault(port.provider, NETWORK)
    return found


def remove_component(system: System, component: str) -> System:
    """Return a system without one part, and without everything that depends on it.

    A board takes its channels and ports with it, but its slots stay taken. A disk stays if it is
    also on another channel. A copy of a volume that loses a disk is removed, and so is a volume
    without copies. Raises KeyError for a part that the system does not have.
    """
    kind = components(system)[component]
    if kind == DISK:
        return _stored(system.with_devices(lambda device: device.id != component))
    return _stored(
        system._replace(
            boards=tuple(b for b in system.boards if b.id != component),
            failed_boards=tuple(b for b in system.boards if b.id == component),
            channels=tuple(c for c in system.channels if component not in (c.id, c.provider)),
            ports=tuple(
                p for p in system.ports
                if p.provider != component and (kind != NETWORK or p.id != component)
            ),
        )
    )  # fmt: skip


def lost_volumes(before: System, after: System) -> tuple[str, ...]:
    """Return the names of the volumes of which no copy is left."""
    left = {volume.name for volume in after.volumes}
    return tuple(v.name for v in before.volumes if v.name not in left)


def disconnected(before: System, after: System) -> tuple[str, ...]:
    """Return the communities of clients for which no network is left."""
    left = {port.network for port in after.ports}
    return tuple(dict.fromkeys(p.network for p in before.ports if p.network not in left))


def removed_parts(before: System, after: System) -> tuple[str, ...]:
    """Return the ids of all boards, channels, devices and ports that are removed."""
    left = set(_ids(after))
    return tuple(dict.fromkeys(name for name in _ids(before) if name not in left))


def _ids(system: System) -> Iterator[str]:
    yield from (board.id for board in system.boards)
    yield from (channel.id for channel in system.channels)
    yield from (device.id for device in system.devices())
    yield from (port.id for port in system.ports)


def _stored(system: System) -> System:
    """Return a system with only the volumes and copies whose disks it has."""
    disks = {device.id for device in system.devices()}
    return system._replace(
        volumes=tuple(left for v in system.volumes if (left := _left(v, disks)) is not None)
    )


def _left(volume: Volume, disks: Collection[str]) -> Volume | None:
    """Return a volume with its whole copies; None if it had copies and none is left."""
    copies = tuple(c for c in volume.copies if all(part.disk in disks for part in c))
    return volume._replace(copies=copies) if copies or not volume.copies else None
