"""What one service asks for, whatever its kind; and what every kind needs to know for that."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from sizewright.demand.model import Item, KernelTime, LineDemand, Operations, Traffic, UserTime
from sizewright.errors import InputError, refusal
from sizewright.guide.model import Guide
from sizewright.guide.named import place_of
from sizewright.quantity import Quantity
from sizewright.workload import Volume


class Context(NamedTuple):
    """What services are read against: the guide, the volumes, and the factor of growth."""

    guide: Guide
    volumes: Mapping[str, Volume]
    growth: Quantity | None = None

    def grown(self, rate: Quantity) -> Quantity:
        """A rate after the growth that the workload foresees."""
        return rate if self.growth is None else rate * self.growth


class Part(NamedTuple):
    """The demand of one service beside NFS streams."""

    operations: tuple[Operations, ...] = ()
    traffic: tuple[Traffic, ...] = ()
    kernel: tuple[KernelTime, ...] = ()
    user: tuple[UserTime, ...] = ()
    memory: tuple[Item, ...] = ()
    swap: tuple[Item, ...] = ()
    lines: tuple[LineDemand, ...] = ()
    databases: tuple[str, ...] = ()
    processes: tuple[Item, ...] = ()


def lacking(name: str, what: str, expected: str, hint: str = "") -> InputError:
    """The fault of a service without a figure that its model needs."""
    return refusal(place_of(name), what, expected, hint)
