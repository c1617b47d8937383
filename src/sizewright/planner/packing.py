"""Puts whole volumes on as few disks as take them, and then evenly on as many."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from math import fsum, inf
from operator import add, le
from typing import NamedTuple

from sizewright.evaluate.policy import FREE, Cost
from sizewright.guide.model import Row
from sizewright.limits import PACKING_STEPS, PART_ROUNDING
from sizewright.planner.pools import Company, Pool
from sizewright.planner.storage import Shelf
from sizewright.quantity import count

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

    def is_like(self, other: Bin) -> bool:
        """Return whether another disk is of the same model and holds the same."""
        return self.disk is other.disk and self.held == other.held


# Volumes, and megabytes, reads and writes at each end of their ranges.
Amounts = tuple[float, ...]
# The kinds of work on a disk, and how much it is; None if that does not add up.
Load = tuple[frozenset[object], Amounts] | None


def _load_of(pool: Pool) -> Load:
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


class _Sum(NamedTuple):
    """Needs of all pools on a disk together, and which others may be there."""

    mb: float
    load: Load
    uses: frozenset[tuple[int, str]]
    company: Company


_NOTHING = _Sum(0, (frozenset(), ()), frozenset(), Company())


class Packer:
    """What disks take of some pools, by room and by rules, remembered.

    A `roomy` one keeps the recommended limits for which no disk is added (1.2.4) as well.
    """

    def __init__(self, shelf: Shelf, roomy: bool = False) -> None:
        self.shelf = shelf
        self.roomy = roomy
        self._loads: dict[str, Load] = {}
        self._sizes: dict[str, float] = {}
        self._most_mb: dict[object, float] = {}
        # What disks were found to take of work of some kinds, and what not.
        self._tried: dict[object, tuple[list[Amounts], list[Amounts]]] = {}

    def cost(self, disk: Row, held: Held) -> Cost:
        """What rules count against a disk with pools on it."""
        return self.shelf.cost(disk, held)[0]

    def takes(self, bin_: Bin, pool: Pool, freely: bool) -> bool:
        """Whether a disk has room for more, and breaks no limit by it, nor advice if `freely`."""
        return self._with(bin_, self._sum(bin_), (pool,), freely) is not None

    def _with(
        self, bin_: Bin, there: _Sum | None, pools: Sequence[Pool], freely: bool
    ) -> _Sum | None:
        """The sum on a disk with more pools; None if it does not take them."""
        disk, sum_ = bin_.disk, there
        for pool in pools:
            sum_ = sum_ and self._plus(disk, sum_, pool)
        if sum_ is None or sum_.mb > disk.number("capacity_mb"):
            return None
        if sum_.load is None or self.shelf.demand.exclusive:
            return sum_ if self._allows(disk, bin_.plus(*pools).held, freely) else None
        # More of the same kind of work never costs less, so most answers follow from others.
        kinds, amounts = sum_.load
        taken, refused = self._tried.setdefault((disk.id, freely, kinds, sum_.uses), ([], []))
        if any(all(map(le, amounts, each)) for each in taken):
            return sum_
        if any(all(map(le, each, amounts)) for each in refused):
            return None
        if self._allows(disk, bin_.plus(*pools).held, freely):
            taken[:] = [amounts, *(each for each in taken if not all(map(le, each, amounts)))]
            return sum_
        refused[:] = [amounts, *(each for each in refused if not all(map(le, amounts, each)))]
        return None

    def _is_full(self, disk: Row, there: _Sum | None, pool: Pool, freely: bool) -> bool:
        """Whether a pool is too large for a disk with data of its kind, whatever its rates."""
        load = self._load(pool)
        if there is None or there.load is None or load is None:
            return there is None
        kinds = load[0]
        if len(kinds) > 1 or not there.load[0] <= kinds:
            return False
        key = (disk.id, freely, kinds)
        if key not in self._most_mb:
            self._most_mb[key] = self._largest_mb(disk, pool, freely)
        return there.mb + self.size_mb(pool) > self._most_mb[key]

    def _largest_mb(self, disk: Row, pool: Pool, freely: bool) -> float:
        """Return the size in MB from which data like a pool's is too large for a disk."""

        def is_too_large(mb: int) -> bool:
            size = count(mb, "MB of a volume", "MB")
            volumes = tuple(
                v._replace(name=f"{mb} MB", size_mb=size, hot=False, reads=(), writes=())
                for v in pool.volumes[:1]
            )
            alone = pool._replace(name=f"{mb} MB like {pool.name}", volumes=volumes)
            return not self._allows(disk, ((alone, 1),), freely)

        return bisect_left(range(int(disk.number("capacity_mb")) + 1), True, key=is_too_large)

    def size_mb(self, pool: Pool) -> float:
        """Return the megabytes of one copy at the end of ranges that a plan is sized for."""
        if pool.name not in self._sizes:
            self._sizes[pool.name] = pool.size_mb(self.shelf.demand.size_for)
        return self._sizes[pool.name]

    def _sums(self, bins: Sequence[Bin]) -> list[_Sum | None]:
        """The needs of the pools on each disk; of neighbours that hold the same, added up once."""
        sums: list[_Sum | None] = []
        for n, bin_ in enumerate(bins):
            same = n and bin_.is_like(bins[n - 1])
            sums.append(sums[-1] if same else self._sum(bin_))
        return sums

    def _sum(self, bin_: Bin) -> _Sum | None:
        """Needs of the pools on a disk; None if they do not go together."""
        sum_: _Sum | None = _NOTHING
        for pool, over in bin_.held:
            sum_ = sum_ and self._plus(bin_.disk, sum_, pool, over)
        return sum_

    def _plus(self, disk: Row, sum_: _Sum, pool: Pool, over: int = 1) -> _Sum | None:
        """The same with one pool more; None if it does not go with those that are there."""
        traits = self.shelf.evaluated.traits(pool, disk)
        company = sum_.company.plus(pool, traits)
        if company is None:
            return None
        load, own = None, self._load(pool)
        if own is not None and sum_.load is not None and over == 1:
            kinds, amounts = sum_.load
            both = tuple(map(add, amounts, own[1])) if amounts else own[1]
            load = kinds | own[0], both
        return _Sum(
            sum_.mb + self.size_mb(pool) / over, load, sum_.uses | {(traits.hot, traits.access)},
            company,
        )  # fmt: skip

    def _load(self, pool: Pool) -> Load:
        if pool.name not in self._loads:
            self._loads[pool.name] = _load_of(pool)
        return self._loads[pool.name]

    def _allows(self, disk: Row, held: Held, freely: bool) -> bool:
        cost = self.cost(disk, held)
        if cost.broken or (freely and cost != FREE):
            return False
        evaluated, system = self.shelf.evaluated, self.shelf.system
        return not (self.roomy and evaluated.exceeds_unweighed(system, disk, held))

    def pack(
        self, pools: Sequence[Pool], disk: Row, fixed: Sequence[Bin], freely: bool,
        smaller: Sequence[Row] = (),
    ) -> Sequence[Bin] | None:  # fmt: skip
        """Return what `fixed` disks hold, and the fewest others, evenly if that is possible.

        None if an empty disk does not take a pool. With `smaller` models they are not even: the
        last ones are of the smallest model that takes what they hold. Machines whose facts are
        equal for rules about disks have the same packing.
        """
        key = (
            self.shelf.evaluated.known(self.shelf.system), disk.id, freely,
            tuple(row.id for row in smaller),
            tuple(pool.name for pool in pools),
            tuple((b.disk.id, b.host, b.at, *((p.name, n) for p, n in b.held)) for b in fixed),
        )  # fmt: skip
        packings: dict[object, Sequence[Bin] | None] = self.shelf.evaluated.packings
        if key not in packings:
            tried = ((self._fewest(order, disk, fixed, freely), order) for order in _orders(pools))
            packed = [(bins, order) for bins, order in tried if bins is not None]
            bins, order = min(packed, key=lambda each: len(each[0]), default=(None, ()))
            if bins is None:
                packings[key] = None
            elif smaller:
                own = (self._shrunk(bin_, smaller, freely) for bin_ in bins[len(fixed) :])
                packings[key] = [*bins[: len(fixed)], *own]
            else:
                packings[key] = self._evened(order, fixed, bins[len(fixed) :], freely) or bins
        return packings[key]

    def _shrunk(self, bin_: Bin, smaller: Sequence[Row], freely: bool) -> Bin:
        """The same on a disk of the first of some models that takes it, if one does."""
        others = (Bin(disk, ()) for disk in smaller)
        takes = (b for b in others if self._with(b, _NOTHING, bin_.pools, freely) is not None)
        return next((bin_._replace(disk=b.disk) for b in takes), bin_)

    def _fewest(
        self, pools: Sequence[Pool], disk: Row, fixed: Sequence[Bin], freely: bool
    ) -> list[Bin] | None:
        """The bins of a packing: each pool goes into the first that takes it, else a new one.

        None if an empty disk does not take a pool.
        """
        bins = list(fixed)
        sums = self._sums(bins)
        rooms = [self._room_mb(bin_, sum_) for bin_, sum_ in zip(bins, sums, strict=True)]
        for run in _runs(pools):
            left, size, n = list(run), self.size_mb(run[0]), 0
            refusing: Bin | None = None
            while left:
                is_new, taken = n == len(bins), 0
                if not is_new and refusing is not None and bins[n].is_like(refusing):
                    n += 1
                    continue
                if is_new:
                    bins.append(Bin(disk, ()))
                    sums.append(_NOTHING)
                    rooms.append(self._room_mb(bins[n], _NOTHING))
                # Most bins are full, which shows sooner than what rules say of them.
                if size <= rooms[n] and not self._is_full(bins[n].disk, sums[n], run[0], freely):
                    taken, sums[n] = self._most(bins[n], sums[n], left, freely)
                if taken:
                    bins[n] = bins[n].plus(*left[:taken])
                    rooms[n] = self._room_mb(bins[n], sums[n])
                    left = left[taken:]
                elif is_new:
                    # No further disk takes what an empty one does not.
                    return None
                else:
                    refusing = bins[n]
                n += 1
        return bins

    def _room_mb(self, bin_: Bin, sum_: _Sum | None) -> float:
        """Megabytes that a disk has left, rather too many than too few by what is rounded."""
        return bin_.disk.number("capacity_mb") * (1 + PART_ROUNDING) - (sum_.mb if sum_ else inf)

    def _most(
        self, bin_: Bin, there: _Sum | None, alike: Sequence[Pool], freely: bool
    ) -> tuple[int, _Sum | None]:
        """How many of pools that are identical a bin takes, by bisection, and the sum with them."""
        low, high = 0, len(alike) + 1
        step = 1
        while high - low > 1:
            middle = min(low + step, (low + high) // 2)
            more = self._with(bin_, there, alike[:middle], freely)
            if more is not None:
                low, step, sum_ = middle, 2 * step, more
            else:
                high, step = middle, len(alike)
        return (low, sum_) if low else (0, there)

    def _evened(
        self, pools: Sequence[Pool], fixed: Sequence[Bin], own: Sequence[Bin], freely: bool
    ) -> list[Bin] | None:
        """The pools divided over as many bins, each into the one that is least full after it."""
        bins = [*fixed, *(bin_._replace(held=()) for bin_ in own)]
        if len(pools) * len(bins) > PACKING_STEPS:
            return None
        sums = self._sums(bins)
        for pool in pools:
            size = self.size_mb(pool)
            # Of neighbours that hold the same, the first one is asked.
            shares = sorted(
                (self.shelf.evaluated.share(b.disk, b.plus(pool).held), n)
                for n, b in enumerate(bins)
                if size <= self._room_mb(b, sums[n]) and not (n and b.is_like(bins[n - 1]))
            )
            for _, n in shares:
                sum_ = self._with(bins[n], sums[n], (pool,), freely)
                if sum_ is not None:
                    bins[n], sums[n] = bins[n].plus(pool), sum_
                    break
            else:
                return None
        return bins if all(bin_.held for bin_ in bins) else None


def _orders(pools: Sequence[Pool]) -> Iterator[Sequence[Pool]]:
    """Orders to pack pools in: as they are, and those first that keep others off their disks."""
    yield pools
    if any(pool.keeps_apart for pool in pools):
        yield sorted(pools, key=lambda pool: not pool.keeps_apart)


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
