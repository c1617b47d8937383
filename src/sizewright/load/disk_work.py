"""What disks deliver of operations of each kind, and what these cost the processors."""

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from sizewright.configuration.model import System, Volume
from sizewright.demand.model import Demand, VolumeDemand
from sizewright.demand.rates import (
    RANDOM,
    RAW,
    READ,
    SEQUENTIAL,
    WRITE,
    Known,
    LineItem,
    Operations,
)
from sizewright.demand.usage import UsageProfile, VolumeUse
from sizewright.guide.model import Guide, Row
from sizewright.load.model import Asked, DiskPattern, speed_ratio
from sizewright.quantity import (
    Quantity,
    ambiguous,
    as_quantity,
    count,
    largest,
    leaves,
    limited_from,
    total,
)
from sizewright.units import PURE
from sizewright.workload.volume import OWN


class DiskRate(NamedTuple):
    """Operations a second of one disk: at `full` utilisation, and `sustained` at the advised one.

    If a guide advises no utilisation, both are the same.
    """

    full: Quantity
    sustained: Quantity


def disk_rate(disk: Row, pattern: str, asked: Asked | Operations, guide: Guide) -> DiskRate | None:
    """Return what a disk delivers of operations of this kind; None if no rate is printed.

    `pattern` is that of the disk, random or serial (sequential). On a disk that is read at random
    all operations are random. On one that is read in sequence, a random one takes the time of two,
    because the heads move there and back, less that of the sequential one after it.
    """
    if pattern == RANDOM:
        return _random(disk, asked.block_kb)
    serial = _serial(disk, asked, guide)
    alone = _random(disk, asked.block_kb) if asked.pattern == RANDOM else None
    if alone is None or serial is None:
        return serial
    return DiskRate(*map(_there_and_back, alone, serial))


def _there_and_back(random: Quantity, sequential: Quantity) -> Quantity:
    """Return the rate of random operations, each of which makes a sequential one random too."""
    one = as_quantity(1)
    move, stay = one / random, one / sequential
    return one / (move + (largest(move, stay) - stay))


def _random(disk: Row, block_kb: Quantity) -> DiskRate | None:
    """Return the printed rates × the printed time ÷ the time of an operation of this size."""
    full = disk.cell("maximum_random_ops_per_s")
    if full is None:
        return None
    sustained = disk.cell("random_ops_per_s_at_65_percent")
    slower = _slower(disk, full, block_kb)
    if slower is not None:
        full = full / slower
        sustained = None if sustained is None else sustained / slower
    return DiskRate(full, full if sustained is None else sustained)


def _slower(disk: Row, full: Quantity, block_kb: Quantity) -> Quantity | None:
    """Return the time of an operation of this size ÷ the printed time; None if it has that size.

    A size that is stated or measured has a factor even if it is equal, because sensitivity changes
    it. The time of an operation is the printed one − printed size ÷ media rate + its own size ÷
    media rate, with the same media rate in both places, and at least that of the transfer. It is
    never less than the printed one: a disk does not do more operations because they are smaller.
    """
    printed_kb, media = disk.cell("random_block_kb"), disk.cell("transfer_mb_per_s", "KB/s")
    if printed_kb is None or media is None:
        return None
    is_equal = (printed_kb.low, printed_kb.high) == (block_kb.low, block_kb.high)
    if is_equal and not any(
        each.source and each.source.kind == "input" for each in leaves(block_kb)
    ):
        return None
    printed = disk.cell("typical_8kb_transfer_ms")
    printed_s = as_quantity(1) / full if printed is None else printed.to("s") / as_quantity(1, "op")
    more = (block_kb - printed_kb) / media
    one = as_quantity(1)
    return largest(one, one + more / printed_s, block_kb / media / printed_s)


def _serial(disk: Row, asked: Asked | Operations, guide: Guide) -> DiskRate | None:
    """Return media rate ÷ size, at most what was measured with blocks of this size or smaller."""
    media = disk.cell("transfer_mb_per_s", "KB/s")
    if media is None:
        return None
    full = media / asked.block_kb
    for measured, at_kb in _measured(disk, asked.layer, asked.operation, guide):
        full = limited_from(full, measured, asked.block_kb, at_kb)
    share = disk.cell("sustained_percent", PURE)
    return DiskRate(full, full if share is None else full * share)


def _measured(
    disk: Row, layer: str, operation: str, guide: Guide
) -> Iterator[tuple[Quantity, Quantity]]:
    """Yield the serial rates measured on this disk: op/s, and KB an operation.

    A disk on which such operations were not measured does at most what one with the same mechanics
    does on another bus, or the quickest of those whose media rate is no lower.
    """
    rows = guide.table("disk-operation-costs").by("layer", "pattern", "operation")
    found = [
        (row.text("disk"), measured, at_kb / as_quantity(1, "op"))
        for row in rows.get((layer, SEQUENTIAL, operation), ())
        if (measured := row.cell("rate_ops_per_s")) is not None
        and (at_kb := row.cell("block_kb")) is not None
    ]
    printed_kb = disk.cell("random_block_kb")
    prose = disk.cell("sequential_raw_8kb_reads_per_s")
    if (layer, operation) == (RAW, READ) and prose is not None and printed_kb is not None:
        found.insert(0, (disk.id, prose, printed_kb))
    own = [each for each in found if each[0] == disk.id]
    disks, mechanics = guide.table("disks"), _mechanics(disk)
    alike = [each for each in found if mechanics and _mechanics(disks[each[0]]) == mechanics]
    no_slower = [each for each in found if _media_rate(disks[each[0]]) >= _media_rate(disk)]
    quickest = sorted(no_slower, key=lambda each: each[1].likely)[-1:]
    for _, measured, at_kb in own or alike or quickest:
        yield measured, at_kb


def _media_rate(disk: Row) -> float:
    rate = disk.cell("transfer_mb_per_s")
    return 0 if rate is None else rate.likely


def _mechanics(disk: Row) -> tuple[tuple[float, float], ...]:
    """Return what a drive holds and does on any bus; nothing if some of it is not printed."""
    cells = [
        disk.cell(name) for name in ("capacity_mb", "transfer_mb_per_s", "maximum_random_ops_per_s")
    ]
    return tuple((cell.low, cell.high) for cell in cells if cell is not None) if all(cells) else ()


def disk_patterns(usage: UsageProfile, system: System) -> Mapping[str, DiskPattern]:
    """Return the use of each disk: as stated of the disk itself, else as of the volumes on it.

    A volume whose disks are not stated may be on any disk. What a system has for itself counts
    if it is hot, or where nothing else is.
    """
    here: dict[str, list[DiskPattern]] = {disk.id: [] for disk in system.disks()}
    own: dict[str, list[DiskPattern]] = {disk: [] for disk in here}
    anywhere = []
    for volume in system.volumes:
        use = usage.volumes.get(volume.name)
        if not volume.copies:
            anywhere.append(_stated(use or VolumeUse()))
        elif use:
            pattern = _stated(use)
            for disk in volume.disks & here.keys():
                (own if use.use in OWN and not pattern.hot else here)[disk].append(pattern)
    found = {}
    for disk in here:
        on_it = here[disk] or own[disk]
        stated = usage.disks.get(disk)
        if stated is not None and (stated.access is not None or stated.hot is not None):
            found[disk] = _stated(stated)
        elif "volumes" in system.unstated:
            found[disk] = DiskPattern(None, None)
        else:
            hot = _hot(on_it, anywhere)
            found[disk] = DiskPattern(hot, _access(on_it, anywhere, hot))
    return found


def _hot(here: list[DiskPattern], anywhere: list[DiskPattern]) -> bool | None:
    if any(each.hot for each in here):
        return True
    return False if all(each.hot is False for each in (*here, *anywhere)) else None


def _access(here: list[DiskPattern], anywhere: list[DiskPattern], hot: bool | None) -> str | None:
    """Return the pattern of the hot data, or of all if none is hot; random if both occur."""
    counting = [each for each in here if each.hot is hot and hot is not None]
    if any(each.access == RANDOM for each in counting):
        return RANDOM
    possible = [each for each in (*here, *anywhere) if not hot or each.hot is not False]
    if not possible:
        return ""
    kinds = {each.access for each in possible}
    return possible[0].access if here and len(kinds) == 1 else None


def _stated(use: VolumeUse) -> DiskPattern:
    """Return a stated use; data with a pattern of access and no activity is hot."""
    return DiskPattern(True if use.hot is None and use.access is not None else use.hot, use.access)


def joined_by(volume: Volume, need: VolumeDemand, manager: str, guide: Guide) -> Volume:
    """Return the volume with the software that joins or mirrors its disks (1.2.6, 2.11)."""
    owner = _database_of(need, guide)
    own_mirror = owner is not None and owner.flag("mirrors_itself")
    mirrored = len(volume.copies) > 1 and not own_mirror
    joined = any(len(copy) > 1 for copy in volume.copies) and is_striped(need, manager, guide)
    if not manager or not (mirrored or joined):
        return volume
    return volume._replace(manager=manager, layout="stripe" if joined else "")


def is_striped(need: VolumeDemand, manager: str, guide: Guide) -> bool:
    """Return whether a manager stripes the volume if it is spread over several disks (2.11.3).

    Programs that use raw partitions spread their data themselves, and swap space needs no joined
    disks.
    """
    owner = _database_of(need, guide)
    layers = {work.layer for work in need.work}
    raw = need.use in ("raw", "log") or (owner is not None and layers == {"raw"})
    return bool(manager) and need.use != "swap" and not raw


def _database_of(need: VolumeDemand, guide: Guide) -> Row | None:
    """Return the database manager whose data a volume has, None if there is none."""
    return guide.table("database-systems").rows.get(need.database) if need.database else None


def overhead_of(
    volume: Volume, operations: Operations, disks: tuple[Row, ...], system: System, guide: Guide
) -> Quantity | None:
    """Return the share that a volume manager adds to the cost of an operation; None without one."""
    kind = READ if operations.operation == READ else WRITE
    return overhead(volume, f"{operations.pattern}_{kind}_percent", disks, system, guide)


def overhead(
    volume: Volume, column: str, disks: tuple[Row, ...], system: System, guide: Guide
) -> Quantity | None:
    """Return the overheads of a volume's layouts together, each by the table and by the text.

    Each share is of the plain operation, so the shares add up. If the table and the text both
    state an overhead, they are the ends of the range, and that of the table is likely. On a machine
    that was not measured, disks cost what disks of their interface cost on another.
    """
    product = volume.manager and guide.row("software", volume.manager)
    if not product or product.text("kind") != "volume_manager":
        return None
    interfaces = {disk.text("interface") for disk in disks}
    measured = guide.table("volume-manager-overheads").by("option")
    found: Quantity | None = None
    for option, stated in _options(volume):
        rows = [r for r in measured.get((option,), ()) if r.text("disk_interface") in interfaces]
        share = text = product.cell(stated, PURE) if stated else None
        if rows:
            row = min(rows, key=lambda row: system.platform not in row.list("platforms"))
            share = row.require(column, PURE)
            share = share if text is None else ambiguous(share, text)
        if share is not None:
            found = share if found is None else found + share
    return found


def _options(volume: Volume) -> Iterator[tuple[str, str]]:
    """Yield the options of the table, each with the column of the product for the same overhead."""
    if len(volume.copies) > 1:
        yield "mirrored_geometric", "mirroring_cpu_overhead_percent"
    if volume.layout == "stripe":
        yield "striped_8kb", "striping_cpu_overhead_percent"
    elif volume.layout == "concatenation":
        yield "concatenated", ""


_WRITING = ("update", "write")


def disk_rows(volume: Volume, system: System, guide: Guide) -> Iterator[Row]:
    """Yield the row of each disk that a volume is on, in order of their ids."""
    models = {disk.id: disk.model for disk in system.disks()}
    for disk in sorted(volume.disks):
        yield guide.row("disks", models[disk])


def cost_ms(operations: Operations, disk: Row, system: System, guide: Guide) -> Quantity | None:
    """Return the processor time of one operation on this system in ms/op; None if not measured.

    A cost that was measured on another machine is scaled by the ratio of the speeds. The cost
    depends on the interface of the disk: a disk that was not measured costs what another disk of
    its interface costs. If none was measured there, it is the cost on another interface, and the
    printed percentage more.
    """
    interface, more = disk.text("interface"), None
    row = _cost_row(operations, disk, interface, guide)
    for over in guide.table("disk-interface-overheads") if row is None else ():
        more = over.cell("more_percent")
        if over.text("interface") == interface and more is not None:
            row = _cost_row(operations, disk, over.text("over"), guide)
            if row is not None:
                break
    if row is None:
        return None
    cost = row.require("cost_ms_per_op") * speed_ratio(guide, row.text("measured_on"), system)
    return cost if more is None else cost * (as_quantity(1) + more.to(PURE))


def _cost_row(operations: Operations, disk: Row, interface: str, guide: Guide) -> Row | None:
    """Return the row of this disk, else of one with an interface, of the nearest operation."""
    wanted = operations.operation
    kinds = (wanted, *(k for k in _WRITING if k != wanted)) if wanted in _WRITING else (wanted,)
    rows = guide.table("disk-operation-costs").by("layer", "pattern", "operation")
    for kind in kinds:
        alike = [
            row for row in rows.get((operations.layer, operations.pattern, kind), ())
            if guide.row("disks", row.text("disk")).text("interface") == interface
        ]  # fmt: skip
        if alike:
            return min(alike, key=lambda row: row.text("disk") != disk.id)
    return None


def work_lines(demand: Demand, system: System, guide: Guide, low: bool = False) -> Known:
    """Return the kernel time of work on disks, with what a volume manager adds, in ms/s.

    Work of `low` priority is apart. None if the cost of some work is not known.
    """
    laid = {volume.name: volume for volume in system.volumes}
    lines = []
    for operations in demand.operations:
        volume = laid.get(operations.volume)
        if volume is None or operations.low is not low or operations.ops is None:
            continue
        cost, added = _costs(operations, volume, system, guide)
        if cost is None:
            return None
        lines.append(time_line(operations, operations.ops, cost, added))
    return tuple(lines)


def time_line(
    operations: Operations, rate: Quantity, cost: Quantity, added: Quantity | None = None
) -> LineItem:
    """Return the kernel time of work: op/s × ms/op, and the share that a volume manager adds."""
    time = rate * cost
    if added is not None:
        time = time * (as_quantity(1) + added)
    title = operations.title
    return LineItem(title, time.with_name(f"{title}: time"), operations.service)


def operation_ms(
    operations: Operations, volume: Volume, system: System, guide: Guide
) -> Quantity | None:
    """Return the kernel time of one operation in ms/op, with what a volume manager adds."""
    cost, added = _costs(operations, volume, system, guide)
    return cost if cost is None or added is None else cost * (as_quantity(1) + added)


def _costs(
    operations: Operations, volume: Volume, system: System, guide: Guide
) -> tuple[Quantity | None, Quantity | None]:
    """Return the mean cost of an operation over the disks of its volume, and what is added."""
    disks = tuple(disk_rows(volume, system, guide))
    added = overhead_of(volume, operations, disks, system, guide)
    numbers = Counter(disk.id for disk in disks)
    parts = []
    for name, number in numbers.items():
        cost = cost_with_copies(operations, volume, guide.row("disks", name), system, guide)
        if cost is None or len(numbers) == 1:
            return cost, added
        parts.append(cost * count(number, f"disks {name}"))
    mean_ms = total(parts, "ms/op") / count(len(disks), f"disks of {volume.name}")
    return mean_ms, added


def cost_with_copies(
    operations: Operations, volume: Volume, disk: Row, system: System, guide: Guide
) -> Quantity | None:
    """Return the cost of an operation, and of each further write by a program that mirrors itself.

    Tables 7 and 8 are of single operations. Raw data in several copies without a volume manager is
    written by the program, once for each copy (1.2.6, 2.11.1).
    """
    cost, more = cost_ms(operations, disk, system, guide), len(volume.copies) - 1
    is_managed = volume.manager or "managers" in system.unstated
    if more < 1 or is_managed or operations.layer != RAW or operations.operation == READ:
        return cost
    write = cost_ms(operations._replace(operation=WRITE), disk, system, guide)
    if cost is None or write is None:
        return cost
    return cost + write * count(more, f"further copies of {volume.name}")
