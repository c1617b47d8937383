"""How much more is asked for when the growth that a workload foresees has come."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from sizewright import units
from sizewright.demand.model import Demand
from sizewright.quantity import Quantity, as_quantity, count, leaves, power
from sizewright.workload.volume import Volume
from sizewright.workload.workload import Growth

# How the horizon is called wherever a figure hangs on it: the key of the workload file.
YEARS = "growth.years"


def growth_factor(growth: Growth | None) -> Quantity | None:
    """What every rate is multiplied by; None where no growth is stated.

    Without years it comes once. With them it comes every year, on top of what has grown before.
    """
    if growth is None:
        return None
    once = as_quantity(1) + growth.percent.to(units.PURE)
    if growth.years is None:
        return once
    years = growth.years / count(1, "one year", growth.years.unit)
    return power(once, years).named("growth")


def grown_volume(volume: Volume, growth: Growth | None) -> Volume:
    """A volume of the size that it has at the end of the years of growth."""
    if volume.growth_mb_per_year is None or growth is None or growth.years is None:
        return volume
    size = volume.size_after(growth.years)
    return replace(volume, size_mb=size.named(f"{volume.name}: size after growth"))


def horizon(demand: Demand) -> Quantity | None:
    """The years that what is asked for grows; None where no growth with years is stated."""
    for figure in _figures(demand):
        for leaf in leaves(figure):
            if leaf.name == YEARS:
                return leaf
    return None


def _figures(value: Any) -> Iterator[Quantity]:
    if isinstance(value, Quantity):
        yield value
    elif isinstance(value, tuple):
        for each in value:
            yield from _figures(each)
