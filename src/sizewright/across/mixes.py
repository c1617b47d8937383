"""What an operation of one guide's mix is worth in another's."""

from __future__ import annotations

from collections.abc import Iterator
from functools import reduce
from typing import NamedTuple

from sizewright.demand.model import Demand
from sizewright.guide.model import Guide
from sizewright.guide.rated import rated
from sizewright.quantity import Quantity, ambiguous, as_quantity


class Translation(NamedTuple):
    """By how much a load in one guide's reference mix is multiplied for another guide.

    Without `by` nothing tells what an operation of either mix costs in the other, and it counts as
    one. `by` are the machines that both guides rate.
    """

    factor: Quantity | None
    by: tuple[str, ...] = ()


def translation(own: Guide, other: Guide) -> Translation:
    """The factor between the mixes that two guides state their capacities in.

    A machine that both guides rate serves so many operations of the one mix or so many of the
    other. Their authors measured under unlike conditions, so that an operation may be worth
    another as well: both readings are kept.
    """
    ratios = dict(_ratios(own, other)) if own.id != other.id else {}
    if not ratios:
        return Translation(None)
    whole = reduce(
        ambiguous, ratios.values(), as_quantity(1).named("an operation for an operation")
    )
    return Translation(whole.named(f"operations by {other.id} for one by {own.id}"), tuple(ratios))


def _ratios(own: Guide, other: Guide) -> Iterator[tuple[str, Quantity]]:
    """Machines by their ids in the tables: the same id is the same machine in every guide."""
    theirs = rated(other)
    for platform, mine in rated(own).items():
        if platform in theirs:
            there = theirs[platform].figure("maximum_ops_per_s")
            here = mine.figure("maximum_ops_per_s")
            yield platform, (there / here).named(f"{platform}: {other.id} over {own.id}")


def translated(demand: Demand, factor: Quantity | None) -> Demand:
    """A demand with its operations counted in the other guide's mix; data stays what it is."""
    if factor is None:
        return demand
    streams = tuple(s._replace(weighted=s.weighted * factor) for s in demand.streams)
    return demand._replace(streams=streams)
