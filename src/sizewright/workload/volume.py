"""A body of data to be stored, with one access pattern."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Annotated, Literal

from sizewright.quantity import Quantity
from sizewright.schema.fields import Flag, Name, OneOf
from sizewright.schema.objections import Objection
from sizewright.schema.quantity import QuantityField
from sizewright.schema.said import Stated

Access = Annotated[Literal["random", "serial"], OneOf()]
Protection = Annotated[Literal["none", "mirror"], OneOf()]
Use = Annotated[Literal["file_system", "raw", "log", "swap"], OneOf()]
Activity = Annotated[Literal["hot", "cold"], OneOf()]


@dataclass(frozen=True, kw_only=True, eq=False)
class Volume(Stated):
    """What is stored, how large, and how it is read.

    `cached_mb` is the part in use, to be held in memory, so that reads do not reach the disks.
    `read_only` data takes no writes. It grows by `growth_mb_per_year` until the end of the years
    that the workload's growth goes on. It lies on raw partitions or
    in a file system, or is a log or swap space (`use`); `apart_from` names volumes that must not
    lose a disk with it. `dual_ported` disks can be reached from a second system. Without an
    `activity` its load shows whether it is hot. With `own_disks` no other volume is on its disks.
    """

    name: Name
    size_mb: Annotated[Quantity, QuantityField("MB")]
    access: Access
    protection: Protection = "none"
    activity: Activity | None = None
    shares_disks_with: Name | None = None
    own_disks: Flag = False
    read_only: Flag = False
    cached_mb: Annotated[Quantity, QuantityField("MB")] | None = None
    growth_mb_per_year: Annotated[Quantity, QuantityField("MB/year")] | None = None
    use: Use | None = None
    apart_from: tuple[Name, ...] = ()
    dual_ported: Flag = False

    def size_after(self, years: Quantity) -> Quantity:
        """How large it has grown after so many years."""
        more = self.growth_mb_per_year
        return self.size_mb if more is None else self.size_mb + more * years


def pools_of(volumes: Iterable[Volume]) -> dict[str, str]:
    """Volume -> the alphabetically first volume of those that share disks with it."""
    volumes = tuple(volumes)
    together: dict[str, set[str]] = {v.name: {v.name} for v in volumes}
    for volume in volumes:
        if volume.shares_disks_with in together:
            joined = together[volume.name] | together[volume.shares_disks_with]
            for name in joined:
                together[name] = joined
    return {name: min(names) for name, names in together.items()}


def volume_objections(volumes: tuple[Volume, ...]) -> Iterator[Objection]:
    """Object to volumes on the same disks that are not protected alike, or that are to be apart."""
    by_name = {volume.name: volume for volume in volumes}
    pools = pools_of(volumes)
    for index, volume in enumerate(volumes):
        host = by_name.get(volume.shares_disks_with or "")
        if host is not None and host.protection != volume.protection:
            what = f"{volume.name} has protection {volume.protection}, "
            what += f"{host.name} on the same disks {host.protection}"
            yield Objection(what, "the same protection", at=(index, "shares_disks_with"))
        alone = next((v for v in (volume, host) if v is not None and v.own_disks), None)
        if host is not None and host is not volume and alone is not None:
            what = f"{volume.name} is to share the disks of {host.name}, and {alone.name} has "
            hint = "leave out one of the two, own_disks or shares_disks_with"
            here = (index, "shares_disks_with")
            yield Objection(f"{what}its own", "volumes without own_disks", hint, here)
        for number, name in enumerate(volume.apart_from):
            at = (index, "apart_from", number)
            if name == volume.name:
                yield Objection(f"{name} cannot be apart from itself", "another volume", at=at)
            elif pools.get(name) == pools[volume.name]:
                what = f"{volume.name} must be apart from {name} but is on the same disks"
                hint = "leave out one of the two, apart_from or shares_disks_with"
                yield Objection(what, "a volume on other disks", hint, at)
