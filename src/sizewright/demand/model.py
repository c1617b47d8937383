"""Demand: streams of operations, volumes, networks, and what must not be left out."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import NamedTuple

from sizewright.figure import Figure, largest


class Use(NamedTuple):
    """The share of a stream's data operations that goes to one volume."""

    volume: str
    share: Figure


class Stream(NamedTuple):
    """NFS operations of one service, in op/s.

    `weighted` counts them as operations of the reference mix that cost the server as much.
    """

    service: str
    network: str
    clients: Figure
    diskless: bool
    ops: Figure
    reads: Figure
    writes: Figure
    weighted: Figure
    write_share: Figure
    mix: str
    uses: tuple[Use, ...]


class Item(NamedTuple):
    """A line of a budget: who asks, and how much."""

    name: str
    figure: Figure


class NetworkDemand(NamedTuple):
    """A community of clients on one medium. Empty `medium` leaves the choice to the planner."""

    name: str
    medium: str
    keep_medium: bool
    segments_at_most: int
    fastest_response: bool
    ops: tuple[Item, ...]
    clients: Figure
    diskless_clients: Figure


class VolumeDemand(NamedTuple):
    """Data to be stored.

    `pool` is the set of volumes that share disks. Data held in memory is not hot on its disks.
    """

    name: str
    pool: str
    size_mb: Figure
    access: str
    protection: str
    hot: bool
    reads: tuple[Item, ...]
    writes: tuple[Item, ...]
    cached_mb: Figure | None


class Backup(NamedTuple):
    """When backups may run; of a box it may not be known."""

    wanted: bool
    during_working_hours: bool | None
    at_night_in_use: bool | None


class Demand(NamedTuple):
    """Everything a workload asks for, at its worst moment."""

    streams: tuple[Stream, ...]
    exclusive: tuple[tuple[str, ...], ...]
    networks: tuple[NetworkDemand, ...]
    volumes: tuple[VolumeDemand, ...]
    clients: Figure
    diskless_clients: Figure
    transfer_kb: Figure
    backup: Backup
    removable_media: tuple[str, ...]
    carry_forward: tuple[tuple[str, int], ...]
    platforms: tuple[str, ...]
    size_for: str

    def moments(self) -> Iterator[tuple[Stream, ...]]:
        """The streams of every moment: of each exclusive set one service is active."""
        for active in product(*self.exclusive):
            resting = {name for names in self.exclusive for name in names}.difference(active)
            yield tuple(s for s in self.streams if s.service not in resting)

    def at_worst(self, items: tuple[Item, ...]) -> tuple[Item, ...]:
        """Lines of services that exclude each other in time, folded into the larger of them."""
        return worst_moment(items, self.exclusive)


def worst_moment(
    items: tuple[Item, ...], exclusive: tuple[tuple[str, ...], ...]
) -> tuple[Item, ...]:
    """Fold each set of services that never coincide into one line: the larger, end by end."""
    if not exclusive:
        return items
    folded: list[Item] = []
    done: set[str] = set()
    for item in items:
        if item.name in done:
            continue
        rivals = next((names for names in exclusive if item.name in names), None)
        members = [i for i in items if rivals and i.name in rivals] or [item]
        done.update(m.name for m in members)
        folded.append(
            item if len(members) == 1
            else Item(" or ".join(m.name for m in members), largest(*(m.figure for m in members)))
        )  # fmt: skip
    return tuple(folded)
