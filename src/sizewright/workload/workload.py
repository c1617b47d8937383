"""The workload whole: what the customer said, nothing computed."""

from collections.abc import Iterator
from math import log10, prod
from typing import Annotated

from pydantic import Field

from sizewright.limits import MOMENTS_AT_MOST, QUANTITY_AT_MOST, YEARS_AT_MOST
from sizewright.quantity import Quantity
from sizewright.schema.model import NOT_EMPTY, FieldError, Flag, Name, SourcedModel, Text, Validated
from sizewright.schema.policy import Policy
from sizewright.schema.quantity import QuantityField
from sizewright.units import PERCENT
from sizewright.workload.agreement import beyond
from sizewright.workload.availability import Availability
from sizewright.workload.network import Network
from sizewright.workload.services import Service
from sizewright.workload.together import service_objections
from sizewright.workload.volume import Volume, volume_objections
from sizewright.workload.wishes import Wishes


class Growth(SourcedModel):
    """By how much every rate is to grow, in percent: once, or every year for `years`.

    Volumes that tell their own growth grow for `years` too.
    """

    percent: Annotated[Quantity, QuantityField("%")]
    """Growth of every rate; `0` if only volumes grow."""
    years: Annotated[Quantity, QuantityField("year", at_most=YEARS_AT_MOST)] | None = None
    """Growth is applied in each of these years, compounded. Default: once."""

    def field_errors(self) -> Iterator[FieldError]:
        """Object to growth beyond any quantity."""
        yield from SourcedModel.field_errors(self)
        if self.years is None:
            return
        decades = self.years.high * log10(1 + self.percent.high / PERCENT)
        if decades > log10(QUANTITY_AT_MOST):
            what = f"grows more than {QUANTITY_AT_MOST:,.0f} times in {self.years.high:g} years"
            yield FieldError(what, "less growth, or fewer years", at=("years",))


class Backup(SourcedModel):
    """When the tapes may run, and whether the system is in use at night too."""

    during_working_hours: Flag = False
    """Tapes run during the load."""
    at_night_in_use: Flag = False
    """The system is also in use at night."""


def _moments_counted(exclusive: tuple[tuple[str, ...], ...]) -> Iterator[FieldError]:
    moments = prod(len(names) for names in exclusive)
    if moments > MOMENTS_AT_MOST:
        what = f"the sets make {moments} different moments"
        yield FieldError(what, f"at most {MOMENTS_AT_MOST}: leave out services with little load")


class Workload(SourcedModel):
    """Everything that is asked of the systems to be planned.

    Each of `exclusive` is a set of services that are never active at the same moment.
    """

    name: Name
    """Name of the plan."""
    title: Text | None = None
    """One line for the head of the report."""
    guide: Name | None = None
    """Guide to plan with; `--guide` overrides it. Default: the default guide."""
    networks: tuple[Network, ...] = ()
    """Networks."""
    volumes: Annotated[tuple[Volume, ...], Validated(volume_objections)] = ()
    """Data sets."""
    services: Annotated[tuple[Service, ...], NOT_EMPTY]
    """The work to be done, at least one service."""
    availability: Availability | None = None
    """Failures that the plan must survive. Default: no requirement."""
    exclusive: Annotated[tuple[tuple[Name, ...], ...], Validated(_moments_counted)] = ()
    """Sets of services of which only one is active at any moment; each resource counts the
    largest."""
    growth: Growth | None = None
    """Growth of every rate, and the number of years for which volumes grow."""
    backup: Backup | None = None
    """When tapes run. Default: no requirement."""
    wishes: Wishes | None = None
    """What the customer insists on."""
    policy: Policy = Field(default_factory=Policy)
    """How to plan if the guide leaves a choice, or if you override the guide. Default: its own
    defaults."""

    def field_errors(self) -> Iterator[FieldError]:
        """Object to volumes that grow for nobody knows how long, and to contradictions."""
        yield from SourcedModel.field_errors(self)
        yield from service_objections(self.services, self.volumes)
        years = self.growth.years if self.growth is not None else None
        for index, volume in enumerate(self.volumes):
            if years is None and volume.growth_mb_per_year is not None:
                what = f"states the growth of {volume.name}, but the workload states no horizon"
                hint = "percent: 0 where only volumes grow"
                at = ("volumes", index, "growth_mb_per_year")
                yield FieldError(what, "growth with percent and years", hint, at)
            elif volume.cached_mb is not None:
                whole = volume.size_after(years) if years is not None else volume.size_mb
                yield from beyond(
                    ("volumes", index, "cached_mb"), volume.cached_mb, whole,
                    f"the whole of {volume.name}:", "at most size_mb, with what it grows by",
                )  # fmt: skip
