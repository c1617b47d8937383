"""The workload whole: what the customer said, nothing computed."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from math import log10, prod
from typing import Annotated

from sizewright.limits import MOMENTS_AT_MOST, QUANTITY_AT_MOST, YEARS_AT_MOST
from sizewright.quantity import Quantity
from sizewright.schema.fields import Flag, Name, Text
from sizewright.schema.objections import Objection
from sizewright.schema.policy import Policy
from sizewright.schema.quantity import QuantityField
from sizewright.schema.said import Stated
from sizewright.schema.schema import Checked, not_empty
from sizewright.units import PERCENT
from sizewright.workload.agreement import beyond
from sizewright.workload.availability import Availability
from sizewright.workload.network import Network
from sizewright.workload.services import Service
from sizewright.workload.together import service_objections
from sizewright.workload.volume import Volume, volume_objections
from sizewright.workload.wishes import Wishes


@dataclass(frozen=True, kw_only=True, eq=False)
class Growth(Stated):
    """By how much every rate is to grow, in percent: once, or every year for `years`.

    Volumes that tell their own growth grow for `years` too.
    """

    percent: Annotated[Quantity, QuantityField("%")]
    years: Annotated[Quantity, QuantityField("year", at_most=YEARS_AT_MOST)] | None = None

    def objections(self) -> Iterator[Objection]:
        """Object to growth beyond any quantity."""
        yield from Stated.objections(self)
        if self.years is None:
            return
        decades = self.years.high * log10(1 + self.percent.high / PERCENT)
        if decades > log10(QUANTITY_AT_MOST):
            what = f"grows more than {QUANTITY_AT_MOST:,.0f} times in {self.years.high:g} years"
            yield Objection(what, "less growth, or fewer years", at=("years",))


@dataclass(frozen=True, kw_only=True, eq=False)
class Backup(Stated):
    """When the tapes may run, and whether the system is in use at night too."""

    during_working_hours: Flag = False
    at_night_in_use: Flag = False


def _moments_counted(exclusive: tuple[tuple[str, ...], ...]) -> Iterator[Objection]:
    moments = prod(len(names) for names in exclusive)
    if moments > MOMENTS_AT_MOST:
        what = f"the sets make {moments} different moments"
        yield Objection(what, f"at most {MOMENTS_AT_MOST}: leave out services with little load")


@dataclass(frozen=True, kw_only=True, eq=False)
class Workload(Stated):
    """Everything that is asked of the systems to be planned.

    Each of `exclusive` is a set of services that are never active at the same moment.
    """

    name: Name
    title: Text | None = None
    guide: Name | None = None
    networks: tuple[Network, ...] = ()
    volumes: Annotated[tuple[Volume, ...], Checked(volume_objections)] = ()
    services: Annotated[tuple[Service, ...], Checked(not_empty)]
    availability: Availability | None = None
    exclusive: Annotated[tuple[tuple[Name, ...], ...], Checked(_moments_counted)] = ()
    growth: Growth | None = None
    backup: Backup | None = None
    wishes: Wishes | None = None
    policy: Policy = field(default_factory=Policy)

    def objections(self) -> Iterator[Objection]:
        """Object to volumes that grow for nobody knows how long, and to contradictions."""
        yield from Stated.objections(self)
        yield from service_objections(self.services, self.volumes)
        years = self.growth.years if self.growth is not None else None
        for index, volume in enumerate(self.volumes):
            if years is None and volume.growth_mb_per_year is not None:
                what = f"states the growth of {volume.name}, but the workload states no horizon"
                hint = "percent: 0 where only volumes grow"
                at = ("volumes", index, "growth_mb_per_year")
                yield Objection(what, "growth with percent and years", hint, at)
            elif volume.cached_mb is not None:
                whole = volume.size_after(years) if years is not None else volume.size_mb
                yield from beyond(
                    ("volumes", index, "cached_mb"), volume.cached_mb, whole,
                    f"the whole of {volume.name}:", "at most size_mb, with what it grows by",
                )  # fmt: skip
