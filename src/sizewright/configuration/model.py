"""The tree of a configuration: complex, systems, boards in slots, channels, devices, volumes."""

from __future__ import annotations

from typing import NamedTuple


class Board(NamedTuple):
    """A board in a run of slots of a bus; `table` and `model` name its row.

    `purpose` says what it was put there for.
    """

    id: str
    table: str
    model: str
    bus: str
    slots: tuple[int, ...]
    purpose: str


class Device(NamedTuple):
    """A disk, tape, cd-rom or the like on a channel; `table` and `model` name its row."""

    id: str
    kind: str
    table: str
    model: str
    purpose: str = ""


class Channel(NamedTuple):
    """A peripheral bus with its devices.

    `kind` is a row of disk-busses, `provider` a board id or `builtin`.
    """

    id: str
    kind: str
    provider: str
    devices: tuple[Device, ...] = ()


class Port(NamedTuple):
    """A network attached through an interface; `interface` is a row of network-interfaces."""

    network: str
    segment: int
    interface: str
    provider: str

    @property
    def id(self) -> str:
        """The network's name, numbered where its clients are split over several."""
        return f"{self.network}-{self.segment}" if self.segment else self.network


class Part(NamedTuple):
    """A piece of a volume: so many megabytes on one disk."""

    disk: str
    size_mb: float


class Volume(NamedTuple):
    """Data over partitions.

    `copies` are sets of parts that hold the same data: one for plain data, two for a mirror.
    `manager` names who joins them, empty for plain file systems.
    """

    name: str
    copies: tuple[tuple[Part, ...], ...]
    manager: str = ""


class System(NamedTuple):
    """One server."""

    id: str
    platform: str
    processors: int
    operating_system: str
    memory_mb: float
    boards: tuple[Board, ...]
    channels: tuple[Channel, ...]
    ports: tuple[Port, ...]
    volumes: tuple[Volume, ...]
    software: tuple[str, ...]
    accelerator: str = ""

    def devices(self) -> tuple[Device, ...]:
        """Every device of every channel."""
        return tuple(device for channel in self.channels for device in channel.devices)


class Configuration(NamedTuple):
    """A complex of one or more systems."""

    systems: tuple[System, ...]
