"""Puts whole volumes on as few disks as take them, and then evenly on as many."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import fsum
from operator import le
from typing import NamedTuple

from sizewright.evaluate.policy import FREE, Cost
from sizewright.guide.model import Row
from sizewright.limits import PACKING_STEPS, PART_ROUNDING
from sizewright.planner.storage import Pool, Shelf

Held = tuple[tuple[Pool, int], ...]


class Bin(NamedTuple):
    """One disk of each copy, with what it holds; of a host's disks, which one from the last."""

    disk: Row
    held: Held
    host: str = ""
    at: int = 0

    @property
    def pools(self) -> tuple[Pool, ...]:
        """The pools on it."""
        return tuple(pool for pool, _ in self.held)

    def plus(self, *pools: Pool) -> Bin:
        """Return the same with more pools that are whole on it."""
        return self._replace(held=(*self.held, *((pool, 1) for pool in pools)))


# Volumes, and megabytes, reads and writes at each end of their ranges.
Amounts = tuple[float, ...]
# The kinds of work on a disk, and how much it is; None if that does not add up.
Load = tuple[frozenset[object], Amounts] | None


def _load(pool: Pool) -> Load:
    """The kinds of work of a pool, and how much it is; None if that does not add up."""
    volumes = pool.volumes
    if any(volume.work for volume in volumes):
        return None
    kinds = frozenset((pool.copies, v.access, v.use, v.dual_ported, v.database) for v in volumes)
    sizes = [volume.size_mb for volume in volumes]
    reads = [item.figure for volume in volumes for item in volume.reads]
    writes = [item.figure for volume in volumes for item in volume.writes]
    sums = (
        fsum(figure.at(end) for figure in figures)
        for figures in (sizes, reads, writes) for end in ("low", "likely", "high")
    )  # fmt: skip
    return kinds, (len(volumes), *sums)


class Packer:
    """What disks take of some pools, by room and by rules, remembered."""

    def __init__(self, shelf: Shelf) -> None:
        self.shelf = shelf
        self._loads: dict[str, Load] = {}
        self._sizes: dict[str, float] = {}
        # What disks were found to take of work of some kinds, and what not.
        self._tried: dict[object, tuple[list[Amounts], list[Amounts]]] = {}

    def cost(self, disk: Row, held: Held) -> Cost:
        """What rules count against a disk with pools on it."""
        return self.shelf.cost(disk, held)[0]

    def takes(self, bin_: Bin, *pools: Pool, freely: bool = False) -> bool:
        """Whether a disk has room for more, and breaks no limit by it, nor advice if `freely`."""
        both = bin_.plus(*pools)
        room = bin_.disk.number("capacity_mb")
        if sum(self.size_mb(p) / n for p, n in both.held) > room:
            return False
        if not self.shelf.agree(both.pools, bin_.disk):
            return False
        load = self._load(both.held)
        if load is None or self.shelf.demand.exclusive:
            return self._allows(bin_.disk, both.held, freely)
        # More of the same kind of work never costs less, so most answers follow from others.
        kinds, amounts = load
        hot = frozenset(self.shelf.evaluated.use_of(pool, bin_.disk) for pool in both.pools)
        taken, refused = self._tried.setdefault((bin_.disk.id, freely, kinds, hot), ([], []))
        if any(all(map(le, amounts, each)) for each in taken):
            return True
        if any(all(map(le, each, amounts)) for each in refused):
            return False
        allows = self._allows(bin_.disk, both.held, freely)
        (taken if allows else refused).append(amounts)
        return allows

    def size_mb(self, pool: Pool) -> float:
        """Return the megabytes of one copy at the end of ranges that a plan is sized for."""
        if pool.name not in self._sizes:
            self._sizes[pool.name] = pool.size_mb(self.shelf.demand.size_for)
        return self._sizes[pool.name]

    def _load(self, held: Held) -> Load:
        """What pools on one disk demand of it together."""
        loads = []
        for pool, over in held:
            if pool.name not in self._loads:
                self._loads[pool.name] = _load(pool)
            load = self._loads[pool.name]
            if load is None or over > 1:
                return None
            loads.append(load)
        kinds, amounts = zip(*loads, strict=True)
        return frozenset().union(*kinds), tuple(map(fsum, zip(*amounts, strict=True)))

    def _allows(self, disk: Row, held: Held, freely: bool) -> bool:
        cost = self.cost(disk, held)
        return cost == FREE if freely else not cost.broken

    def pack(
        self, pools: Sequence[Pool], disk: Row, fixed: Sequence[Bin], freely: bool
    ) -> Sequence[Bin]:
        """Return what `fixed` disks hold, and the fewest others, evenly if that is possible.

        Machines whose facts are equal for rules about disks have the same packing.
        """
        key = (
            self.shelf.evaluated.known(self.shelf.system), disk.id, freely,
            tuple(pool.name for pool in pools),
            tuple((b.disk.id, b.host, b.at, *((p.name, n) for p, n in b.held)) for b in fixed),
        )  # fmt: skip
        packings: dict[object, Sequence[Bin]] = self.shelf.evaluated.packings
        if key not in packings:
            bins = self._fewest(pools, disk, fixed, freely)
            packings[key] = self._evened(pools, fixed, bins[len(fixed) :], freely) or bins
        return packings[key]

    def _fewest(
        self, pools: Sequence[Pool], disk: Row, fixed: Sequence[Bin], freely: bool
    ) -> list[Bin]:
        """The bins of a packing: each pool goes into the first that takes it, else a new one."""
        bins = list(fixed)
        rooms = [self._room_mb(bin_) for bin_ in bins]
        for run in _runs(pools):
            left, size, n = list(run), self.size_mb(run[0]), 0
            while left:
                if n == len(bins):
                    bins.append(Bin(disk, ()))
                    rooms.append(self._room_mb(bins[n]))
                # Most bins are full, which shows sooner than what rules say of them.
                taken = self._most(bins[n], left, freely) if size <= rooms[n] else 0
                if taken:
                    bins[n] = bins[n].plus(*left[:taken])
                    rooms[n] = self._room_mb(bins[n])
                left = left[taken:]
                n += 1
        return bins

    def _room_mb(self, bin_: Bin) -> float:
        """Megabytes that a disk has left, rather too many than too few by what is rounded."""
        capacity = bin_.disk.number("capacity_mb")
        stored = sum(self.size_mb(pool) / over for pool, over in bin_.held)
        return capacity * (1 + PART_ROUNDING) - stored

    def _most(self, bin_: Bin, alike: Sequence[Pool], freely: bool) -> int:
        """How many of pools that are identical a bin takes, by bisection."""
        low, high = 0, len(alike) + 1
        step = 1
        while high - low > 1:
            middle = min(low + step, (low + high) // 2)
            if self.takes(bin_, *alike[:middle], freely=freely):
                low, step = middle, 2 * step
            else:
                high, step = middle, len(alike)
        return low

    def _evened(
        self, pools: Sequence[Pool], fixed: Sequence[Bin], own: Sequence[Bin], freely: bool
    ) -> list[Bin] | None:
        """The pools divided over as many bins, each into the one that is least full after it."""
        bins = [*fixed, *(bin_._replace(held=()) for bin_ in own)]
        if len(pools) * len(bins) > PACKING_STEPS:
            return None
        for pool in pools:
            open_ = [(n, b) for n, b in enumerate(bins) if self.takes(b, pool, freely=freely)]
            if not open_:
                return None
            _, n = min((self.shelf.evaluated.share(b.disk, b.plus(pool).held), n) for n, b in open_)
            bins[n] = bins[n].plus(pool)
        return bins if all(bin_.held for bin_ in bins) else None


def _runs(pools: Sequence[Pool]) -> Iterator[list[Pool]]:
    """Neighbours that are identical, together."""
    run: list[Pool] = []
    for pool in pools:
        if run and not run[-1].alike(pool):
            yield run
            run = []
        run.append(pool)
    if run:
        yield run
