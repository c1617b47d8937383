"""A data set with one access pattern, and the volumes that a service uses."""

from collections.abc import Iterable, Iterator
from typing import Annotated, Any, Literal

from sizewright.errors import shown
from sizewright.quantity import Quantity
from sizewright.schema.model import (
    FieldError,
    FieldMarker,
    Flag,
    InvalidFieldError,
    JsonSchema,
    Name,
    SourcedModel,
    marker_of,
    not_allowed,
    raise_errors,
)
from sizewright.schema.quantity import Megabytes, QuantityField, origin_of
from sizewright.units import PURE

_WEIGHT = QuantityField(PURE, above_zero=True)
_EXPECTED = "volumes with weights, {mail: 60, binaries: 40}, or a list of volumes"


class _UsesField(FieldMarker):
    __slots__ = ()

    def read(self, value: Any, origins: Any) -> dict[str, Quantity]:
        """Return weights by volume, equal for a list; raises InvalidFieldError."""
        if isinstance(value, (list, tuple)):
            pairs: list[tuple[Any, Any, str | int]] = [
                (name, None, index) for index, name in enumerate(value)
            ]
        elif isinstance(value, dict):
            pairs = [(name, weight, name) for name, weight in value.items()]
        else:
            raise not_allowed(value, _EXPECTED)
        uses: dict[str, Quantity] = {}
        objections: list[FieldError] = []
        for name, weight, step in pairs:
            if not isinstance(name, str) or not name.strip():
                objections.append(FieldError(f"{shown(name)} is no volume", _EXPECTED, at=(step,)))
            elif name in uses:
                objections.append(FieldError(f"{shown(name)} is listed twice", at=(step,)))
            elif isinstance(value, dict):
                try:
                    uses[name] = _WEIGHT.read(weight, origins)
                except InvalidFieldError as error:
                    objections += [o._replace(at=(step, *o.at)) for o in error.errors]
            else:
                origin = origin_of(name, origins)
                uses[name] = _WEIGHT.read_from(1, origin._replace(name=f"{origin.name}.{name}"))
        if not pairs:
            objections.append(FieldError("names no volume", _EXPECTED))
        raise_errors(objections)
        return uses

    def json_schema(self) -> JsonSchema:
        """Return weights by volume, or a list of volumes."""
        weights = {
            "type": "object", "additionalProperties": _WEIGHT.json_schema(),
            "propertyNames": {"pattern": r"\S"}, "minProperties": 1,
        }  # fmt: skip
        volumes = {
            "type": "array",
            "minItems": 1,
            "uniqueItems": True,
            "items": marker_of(Name).json_schema(),
        }
        return {"anyOf": [weights, volumes]}


Uses = Annotated[dict[str, Quantity], _UsesField()]


Access = Literal["random", "serial"]
Protection = Literal["none", "mirror"]
Use = Literal["file_system", "raw", "log", "swap", "root", "backup_index"]
ROOT, SWAP, BACKUP_INDEX = "root", "swap", "backup_index"
# What a system cannot run without; and all that is its own, and no data of services.
ESSENTIAL = (ROOT, SWAP)
OWN = (*ESSENTIAL, BACKUP_INDEX)
Activity = Literal["hot", "cold"]


class Volume(SourcedModel):
    """A data set: its size, how it is read and how it is protected."""

    name: Name
    size_mb: Megabytes
    """Size of one copy of the data."""
    access: Access
    """How most of the data is read. If most of the operations of `work` on it are otherwise, that
    counts."""
    protection: Protection = "none"
    """A mirror has copies on different disks."""
    activity: Activity | None = None
    """Whether the data is in frequent use during the load; a disk takes at most one hot volume.
    Default: by its load."""
    shares_disks_with: Name | None = None
    """A volume with the same protection that must be on the same disks. Default: the planner's
    choice."""
    own_disks: Flag = False
    """No other volume may be on its disks."""
    read_only: Flag = False
    """Takes no writes: those of file service go to other volumes that it uses, and work that writes
    on it is refused."""
    cached_mb: Megabytes | None = None
    """Part of the volume that is in use and kept in memory; its reads do not reach the disks; at
    most the size of the volume, with its growth. Default: all reads reach the disks."""
    growth_mb_per_year: Annotated[Quantity, QuantityField("MB/year")] | None = None
    """Growth in each of the `years` of growth, which must be stated; the plan has room for the
    final size."""
    use: Use | None = None
    """How the data is stored on its disks; `root` is the server's own operating system, with its
    swap space if no volume is for `swap`; `backup_index` has the indexes of backup software.
    Default: a file system, also for the roots of diskless clients."""
    saved_mb: Megabytes | None = None
    """What a full backup saves of the volume after its growth; at most the size then. Default: all
    of it, and nothing of swap space and of indexes of backups."""
    apart_from: tuple[Name, ...] = ()
    """Volumes that must not be lost together with this one: the plan keeps them on other disks."""
    dual_ported: Flag = False
    """On disks with two ports, so that a second system can reach them."""

    def size_after(self, years: Quantity) -> Quantity:
        """Return the size after a number of years of growth."""
        more = self.growth_mb_per_year
        return self.size_mb if more is None else self.size_mb + more * years


def pools_of(volumes: Iterable[Volume]) -> dict[str, str]:
    """Return for each volume the alphabetically first volume of those that share its disks."""
    volumes = tuple(volumes)
    together: dict[str, set[str]] = {v.name: {v.name} for v in volumes}
    for volume in volumes:
        if volume.shares_disks_with in together:
            joined = together[volume.name] | together[volume.shares_disks_with]
            for name in joined:
                together[name] = joined
    return {name: min(names) for name, names in together.items()}


def volume_errors(volumes: tuple[Volume, ...]) -> Iterator[FieldError]:
    """Yield volumes of nothing, and those on the same disks that differ or must be apart."""
    by_name = {volume.name: volume for volume in volumes}
    pools = pools_of(volumes)
    for index, volume in enumerate(volumes):
        if volume.size_mb.high == 0 and volume.growth_mb_per_year is None:
            what = f"{volume.name} holds nothing"
            hint = "leave out the volume, or state its growth"
            yield FieldError(what, "more than 0 MB", hint, (index, "size_mb"))
        host = by_name.get(volume.shares_disks_with or "")
        if host is not None and host.protection != volume.protection:
            what = f"{volume.name} has protection {volume.protection}, "
            what += f"{host.name} on the same disks {host.protection}"
            yield FieldError(what, "the same protection", at=(index, "shares_disks_with"))
        alone = next((v for v in (volume, host) if v is not None and v.own_disks), None)
        if host is not None and host is not volume and alone is not None:
            what = f"{volume.name} is to share the disks of {host.name}, and {alone.name} has "
            hint = "leave out one of the two, own_disks or shares_disks_with"
            here = (index, "shares_disks_with")
            yield FieldError(f"{what}its own", "volumes without own_disks", hint, here)
        for number, name in enumerate(volume.apart_from):
            at = (index, "apart_from", number)
            if name == volume.name:
                yield FieldError(f"{name} cannot be apart from itself", "another volume", at=at)
            elif pools.get(name) == pools[volume.name]:
                what = f"{volume.name} must be apart from {name} but is on the same disks"
                hint = "leave out one of the two, apart_from or shares_disks_with"
                yield FieldError(what, "a volume on other disks", hint, at)
