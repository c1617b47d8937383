"""What a box file shows of a machine's parts that no plan settles; by the ids of the parts."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple


class ChannelShown(NamedTuple):
    """The adapter of a peripheral bus: the fastest kind that it is made for, and its place.

    `adapter_bus_kind` is a row of disk-busses, empty where it is not stated.
    """

    adapter_bus_kind: str = ""
    adapter_in_middle: bool | None = None


class VolumeShown(NamedTuple):
    """The array that a volume is: a row of raid-levels, empty for none, None where not stated."""

    raid: str | None = None


class EnclosureShown(NamedTuple):
    """A box of drives; `model` is a row of trays, `busses` are the ids of the disks on each.

    `channel` is the one that it hangs on as a whole, empty where it is not stated. `tall_disks`
    says of what height its drives are.
    """

    id: str
    model: str
    channel: str = ""
    tall_disks: bool | None = None
    busses: tuple[tuple[str, ...], ...] = ()

    @property
    def disks(self) -> tuple[str, ...]:
        """Every disk in it."""
        return tuple(disk for bus in self.busses for disk in bus)


class Shown(NamedTuple):
    """Everything of the kind.

    `bus_kinds` are rows of disk-busses by device: the fastest that it is made for. `partners` are
    boards by the board that they stand by for. `profiles` are rows of load-profiles.
    """

    channels: Mapping[str, ChannelShown] = {}
    bus_kinds: Mapping[str, str] = {}
    volumes: Mapping[str, VolumeShown] = {}
    enclosures: tuple[EnclosureShown, ...] = ()
    partners: Mapping[str, str] = {}
    profiles: tuple[str, ...] = ()
