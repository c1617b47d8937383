"""What the customer insists on, whatever else the plan holds."""

from __future__ import annotations

from dataclasses import dataclass

from sizewright.schema.fields import Count, Flag, Name
from sizewright.schema.said import Stated


@dataclass(frozen=True, kw_only=True, eq=False)
class CarryForward(Stated):
    """Devices that exist and are to be used on; `device` is an id of the guide's."""

    device: Name
    count: Count = 1


@dataclass(frozen=True, kw_only=True, eq=False)
class Wishes(Stated):
    """Platforms to choose from (all, if none is named), media to read, devices to keep.

    Media that stand in `removable_media` twice are two devices.
    With `third_party_disks`, disks of other makers may be chosen beside those on offer.
    """

    platforms: tuple[Name, ...] = ()
    removable_media: tuple[Name, ...] = ()
    carry_forward: tuple[CarryForward, ...] = ()
    third_party_disks: Flag = False
