"""Over how many channels disks are spread whose work is to be done in a wanted time.

Each channel keeps some disks at work, so that fewer channels make it slower, and take less of the
processors' time. Work that nobody wants in a certain time goes as fast as it can.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product
from math import ceil

from sizewright.configuration.model import Channel, Device, Part, Volume
from sizewright.limits import SPREADS_TRIED
from sizewright.planner.storage import Pool, Store

# Pools, each with how many channels hold the disks of each of its copies, as evenly as can be.
Spread = tuple[tuple[str, int], ...]


def spreads(
    pools: Sequence[Pool], stores: Sequence[Store], channels: int, devices: float
) -> Iterator[Spread]:
    """Ways worth trying, the narrowest first: they need the fewest channels.

    There are no more than so many channels, nor devices on any of them. Disks that lend room to
    others are left to go over any number.
    """
    hosts = {store.host for store in stores}
    timed = {pool.name for pool in pools if _timed(pool)} - hosts
    spread = [store for store in stores if store.pool in timed and store.disk]
    each = max(n for n in range(1, SPREADS_TRIED + 1) if n ** len(spread) <= SPREADS_TRIED)
    levels = [
        _levels(ceil(store.per_copy / devices), min(store.per_copy, channels), each)
        for store in spread
    ]
    for widths in sorted(product(*levels), key=lambda found: (sum(found), found)):
        yield tuple(zip((store.pool for store in spread), widths, strict=True))


def _levels(narrowest: int, widest: int, most: int) -> tuple[int, ...]:
    """The narrowest and the widest, in all no more than so many; none where they do not fit."""
    if narrowest > widest:
        return ()
    return (*range(narrowest, min(widest, narrowest + most - 1)), widest)


def _timed(pool: Pool) -> bool:
    """Whether some run on a pool's disks is wanted in some time."""
    return any(o.runs.within_s is not None for v in pool.volumes for o in v.work)


def laid_out(
    store: Store, width: int, kind: str, apart: bool = True
) -> tuple[tuple[Channel, ...], Volume]:
    """Channels of a kind with a store's disks, each copy over so many, and data that fills them.

    Copies lie `apart`, or all over the same channels.
    """
    devices: list[list[Device]] = [[] for _ in range(width * (store.copies if apart else 1))]
    copies: list[list[Part]] = [[] for _ in range(store.copies)]
    for copy, parts in enumerate(copies):
        first = copy * width if apart else 0
        for n in range(store.per_copy):
            name = f"{copy}/{n}"
            parts.append(Part(name, 1))
            devices[first + n % width].append(Device(name, "disk", "disks", store.disk))
    channels = tuple(Channel(str(n), kind, "", tuple(each)) for n, each in enumerate(devices))
    return channels, Volume(store.pool, tuple(map(tuple, copies)))
