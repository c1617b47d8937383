"""Stored data, and its operations on disks, channels and I/O busses."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import product
from typing import NamedTuple, TypeVar

from sizewright.configuration.model import DISK, Board, Device, System
from sizewright.demand.model import Backup, Demand, VolumeDemand
from sizewright.demand.rates import (
    FILE_SYSTEM,
    RANDOM,
    READ,
    WRITE,
    Known,
    LineItem,
    Lines,
    pattern_of,
    peak,
    sum_lines,
)
from sizewright.guide.model import Guide, Row
from sizewright.load.disk_work import DiskRate, disk_rate
from sizewright.load.model import Asked, DiskLimits, DiskPattern, Exclusive
from sizewright.quantity import (
    Provenance,
    Quantity,
    as_quantity,
    count,
    harmonic_mean,
    leaves,
    mean,
    smallest,
    total,
)

R = TypeVar("R")


class Stored(NamedTuple):
    """A volume with the number of disks that it is on, and of its copies."""

    need: VolumeDemand
    disks: int
    copies: int


OnDisks = Mapping[str, Sequence[Stored]]


def on_disks(demand: Demand, system: System) -> OnDisks:
    """Return each disk with the volumes that are on it."""
    wanted = {volume.name: volume for volume in demand.volumes}
    stored: dict[str, list[Stored]] = {disk.id: [] for disk in system.disks()}
    for volume in system.volumes:
        need = wanted.get(volume.name)
        if need is None:
            continue
        disks = sorted(volume.disks)
        for disk in disks:
            stored[disk].append(Stored(need, len(disks), len(volume.copies)))
    return stored


def asked_by_disk(demand: Demand, stored: OnDisks) -> dict[str, tuple[Asked, ...]]:
    """Return what is demanded of each disk: one value for all disks with the same volumes."""
    known: dict[tuple[str, ...], tuple[Asked, ...]] = {}
    found = {}
    for disk, volumes in stored.items():
        names = tuple([volume.need.name for volume in volumes])
        if names not in known:
            known[names] = asked_of(demand, volumes)
        found[disk] = known[names]
    return found


def for_equal_disks(
    system: System,
    guide: Guide,
    patterns: Mapping[str, DiskPattern],
    asked: Mapping[str, Sequence[Asked] | None],
    work: Callable[[Row, DiskPattern, Sequence[Asked] | None], R],
) -> Mapping[str, R]:
    """Return the result of a function for each disk, calculated once for equal disks.

    Equal disks are of one model and have the same pattern and the same operations.
    """
    results: dict[tuple[str, DiskPattern, int], R] = {}
    found = {}
    for disk in system.disks():
        each, pattern = asked.get(disk.id), patterns[disk.id]
        key = disk.model, pattern, id(each)
        if key not in results:
            results[key] = work(guide.row(disk.table, disk.model), pattern, each)
        found[disk.id] = results[key]
    return found


def asked_of(demand: Demand, stored: Sequence[Stored]) -> tuple[Asked, ...]:
    """Return what is demanded of one of the disks that some volumes are on.

    A volume's operations spread evenly over its disks: reads over all copies, writes to each. Where
    each copy must do alone, it has all reads too.
    """
    found = []
    for volume in stored:
        need, block = volume.need, demand.transfer_kb
        pattern = pattern_of(need.access)
        for kind, items in ((READ, need.reads), (WRITE, need.writes)):
            for item in items:
                rate = _on_one(volume, item.figure, kind)
                found.append(Asked(item.name, rate, block, FILE_SYSTEM, kind, pattern))
        for work in need.work:
            if work.ops is not None and not work.low:
                rate = _on_one(volume, work.ops, work.operation)
                kind, block = work.operation, work.block_kb
                found.append(Asked(work.service, rate, block, work.layer, kind, work.pattern))
    return tuple(found)


def _on_one(volume: Stored, rate: Quantity, operation: str) -> Quantity:
    if volume.copies > 1 and (operation != READ or volume.need.copies_alone):
        rate = rate * count(volume.copies, "copies")
    if volume.disks > 1:
        rate = rate / count(volume.disks, f"disks of {volume.need.name}")
    return rate.with_name(f"{volume.need.name} {'reads' if operation == READ else 'writes'}")


def by_service(
    asked: Iterable[Asked], exclusive: Exclusive, unit: str, of: Callable[[Asked], Quantity]
) -> Lines:
    """Return a line for each service; of services that exclude each other in time, the larger."""
    lines: dict[str, list[Quantity]] = {}
    for each in asked:
        lines.setdefault(each.service, []).append(of(each))
    items = tuple(LineItem(name, total(figures, unit)) for name, figures in sorted(lines.items()))
    return peak(items, exclusive)


def operations_of(asked: Sequence[Asked], exclusive: Exclusive = ()) -> Lines:
    """Return operations a second, a line for each service."""
    return by_service(asked, exclusive, "op/s", lambda each: each.rate)


def moved_of(asked: Sequence[Asked], exclusive: Exclusive = ()) -> Lines:
    """Return kilobytes a second, a line for each service."""
    return by_service(asked, exclusive, "KB/s", lambda each: each.kb_per_s)


def disk_limits(
    disk: Row,
    access: str | None,
    asked: Sequence[Asked] | None,
    transfer_kb: Quantity | None,
    guide: Guide,
    exclusive: Exclusive = (),
) -> DiskLimits:
    """Return what a disk does of the operations that are demanded of it, with its access pattern.

    Of several kinds it is the mean over all, at the peak; if nothing is asked, that of
    operations that move `transfer_kb`. If the pattern is unknown, all limits are. A disk without
    data counts as a random one.
    """
    if access is None:
        return DiskLimits()
    access = access or RANDOM
    found = [
        _limits(disk, access, moment, guide)
        for moment in _moments(asked or (), exclusive)
        if any(each.rate.high > 0 for each in moment)
    ]
    if not found:
        block = transfer_kb or disk.cell("random_block_kb") or as_quantity(1, "KB/op")
        usual = Asked("", as_quantity(1, "op/s"), block, "", READ)
        found = [_limits(disk, access, (usual,), guide)]
    return DiskLimits(*map(_least, zip(*found, strict=True)))


def _least(figures: Sequence[Quantity | None]) -> Quantity | None:
    known = [figure for figure in figures if figure is not None]
    return smallest(*known) if len(known) == len(figures) else None


def _moments(asked: Sequence[Asked], exclusive: Exclusive) -> Iterator[Sequence[Asked]]:
    """Yield what is asked while one service of each exclusive set is active."""
    resting = {name for names in exclusive for name in names}
    if not any(each.service in resting for each in asked):
        yield asked
        return
    for active in product(*exclusive):
        yield [each for each in asked if each.service in active or each.service not in resting]


def _limits(disk: Row, access: str, asked: Sequence[Asked], guide: Guide) -> DiskLimits:
    """Return the rate of a kind of operations, or the harmonic mean over several.

    Operations are of one kind if they have their size from the same lines of a file or table:
    equal sizes from two lines can change apart. Transfers at random are limited by their number,
    and otherwise by the media rate alone.
    """
    media = disk.cell("transfer_mb_per_s", "KB/s") if access == RANDOM else None
    kinds: dict[tuple[object, ...], list[Asked]] = {}
    for each in asked:
        block = each.block_kb
        key: tuple[object, ...] = (
            *(block.low, block.likely, block.high),
            *((leaf.source, leaf.name) for leaf in leaves(block)),
        )
        if access != RANDOM:
            key = (*key, each.layer, each.operation)
        kinds.setdefault(key, []).append(each)
    rates: list[DiskRate] = []
    for first, *_ in kinds.values():
        rate = disk_rate(disk, access, first, guide)
        if rate is None:
            return DiskLimits(maximum_kb=media)
        rates.append(rate)
    weights = [total((one.rate for one in alike), "op/s") for alike in kinds.values()]
    names = [f"{alike[0].service}: rate of operations of this size" for alike in kinds.values()]
    full = _mean_rate([rate.full for rate in rates], names, weights)
    sustained = _mean_rate([rate.sustained for rate in rates], names, weights)
    if access == RANDOM:
        return DiskLimits(full, sustained, media)
    sizes = [alike[0].block_kb for alike in kinds.values()]
    block = sizes[0] if len(sizes) == 1 else mean(sizes, weights)
    return DiskLimits(full, sustained, full * block, sustained * block)


def _mean_rate(
    rates: Sequence[Quantity], names: Sequence[str], weights: Sequence[Quantity]
) -> Quantity:
    if len(rates) == 1:
        return rates[0]
    return harmonic_mean([r.with_name(n) for r, n in zip(rates, names, strict=True)], weights)


def stored_lines(sizes: Mapping[str, Quantity], system: System) -> Mapping[str, Lines]:
    """Return the megabytes on each disk, a line for each volume with a part there."""
    lines: dict[str, list[LineItem]] = {disk.id: [] for disk in system.disks()}
    for volume in system.volumes:
        for copy in volume.copies:
            whole = sum(part.size_mb for part in copy)
            size = sizes.get(volume.name) or count(whole, "MB as laid out", "MB")
            for part in copy:
                lines[part.disk].append(LineItem(volume.name, _share(size, part.size_mb, whole)))
    return {disk: tuple(items) for disk, items in lines.items()}


def _share(size: Quantity, part_mb: float, whole_mb: float) -> Quantity:
    if part_mb == whole_mb or whole_mb == 0:
        return size
    share = part_mb / whole_mb
    return size * Quantity(
        share, share, share, "1", name="part of the volume laid out here",
        source=Provenance("count", "layout"),
    )  # fmt: skip


def channel_lines(
    demand: Demand, system: System, guide: Guide, moved: Mapping[str, Lines]
) -> Mapping[str, Lines]:
    """Return the KB/s over each channel: transfers of its disks, and backups while in use."""

    def rate(device: Device) -> Quantity | None:
        if moved.get(device.id):
            return sum_lines(moved[device.id], "KB/s")
        return backup_kb_per_s(device, demand.backup, guide)

    return {
        channel.id: tuple(LineItem(d.id, kb) for d in channel.devices if (kb := rate(d)))
        for channel in system.channels
    }


def backup_kb_per_s(device: Device, backup: Backup | None, guide: Guide) -> Quantity | None:
    """Return what a drive transfers if backups run while the system is in use; else None."""
    if device.kind == DISK or device.purpose != "backup" or backup is None:
        return None
    row = guide.row(device.table, device.model)
    return row.cell("transfer_kb_per_s") if backup.while_in_use else None


def bus_lines(system: System, guide: Guide, channels: Mapping[str, Known]) -> Mapping[str, Lines]:
    """Return bandwidth that the boards on each I/O bus demand of it, in MB/s.

    A board with only channels asks for what they transfer, if it is known; none transfer nothing.
    Any other board asks for what the guide calls typical under heavy load.
    """
    lines: dict[str, list[LineItem]] = {}
    all_stated = "channels" not in system.unstated and all(c.provider for c in system.channels)
    for board in system.boards:
        if board.table != "boards":
            continue
        row = guide.row(board.table, board.model)
        demand = _typical_demand(row)
        if demand is None:
            continue
        if len(row.list("role")) == 1 and row.list("disk_busses"):
            carried = [channels[c.id] for c in system.channels if c.provider == board.id]
            if None not in carried and (carried or all_stated):
                sum_ = total((i.figure for lines in carried for i in lines or ()), "KB/s")
                demand = sum_.to("MB/s")
        lines.setdefault(board.bus, []).append(LineItem(board.id, demand))
    return {bus: tuple(items) for bus, items in sorted(lines.items())}


def _typical_demand(board: Row) -> Quantity | None:
    return board.cell("typical_bandwidth_mb_per_s") or board.cell("maximum_bandwidth_mb_per_s")


def uncounted_boards(system: System, guide: Guide) -> tuple[Board, ...]:
    """Return the boards that demand of their I/O bus what the guide does not state."""
    return tuple(
        board for board in system.boards
        if board.table == "boards"
        and _typical_demand(guide.row(board.table, board.model)) is None
    )  # fmt: skip
