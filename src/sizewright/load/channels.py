"""What devices keep busy of their channel: disks that it lets be active, and time on its bus."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from sizewright.configuration.model import DISK, Channel, System
from sizewright.demand.rates import RANDOM, READ, SERIAL, LineItem, sum_lines
from sizewright.guide.model import Guide, Row
from sizewright.load.disk_work import disk_rate
from sizewright.load.model import Asked, DiskPattern, Exclusive, Load, Share
from sizewright.load.storage import by_service, for_equal_disks, moved_of
from sizewright.quantity import Quantity, ambiguous, as_quantity, count, largest, smallest, total


class Attached(NamedTuple):
    """What one device demands of its channel; None is unknown.

    A disk of pattern `access` counts as `active` disks, and transfers as much as the part
    `streaming` of a serial reader. `reads` are its serial reads, `others` all other transfers, in
    KB/s. An `asynchronous` device holds the bus longer.
    """

    name: str
    access: str | None = ""
    active: Quantity | None = None
    reads: Quantity | None = None
    others: Quantity | None = None
    asynchronous: bool = False
    disk: bool = False
    streaming: Quantity | None = None


def active_part(
    disk: Row, access: str | None, asked: Sequence[Asked], exclusive: Exclusive, guide: Guide
) -> Quantity | None:
    """Return as how many active disks a disk counts: its operations ÷ what it sustains of them.

    If the pattern is not known, both readings are the range.
    """
    if access is None:
        random, serial = (
            active_part(disk, each, asked, exclusive, guide) for each in (RANDOM, SERIAL)
        )
        return None if random is None or serial is None else ambiguous(random, serial)
    if not asked or not access:
        return as_quantity(0, "disk")
    rates = {}
    for each in asked:
        found = disk_rate(disk, access, each, guide)
        if found is None:
            return None
        rates[each] = found.sustained
    lines = by_service(asked, exclusive, "1", lambda each: each.rate / rates[each])
    return sum_lines(lines, "1") * count(1, "one disk", "disk")


def streaming_part(
    disk: Row, access: str | None, asked: Sequence[Asked], exclusive: Exclusive, guide: Guide
) -> Quantity | None:
    """Return the part of a serial disk that transfers: its KB/s ÷ what it sustains of reads.

    None if it is not known, or as `active_part`, because there are only reads.
    """
    if access == RANDOM or all(each.operation == READ for each in asked):
        return None
    most = {each.layer: serial_read_kb(disk, each.layer, guide) for each in asked}
    rates = {layer: rate for layer, rate in most.items() if rate is not None}
    if len(rates) < len(most):
        return None
    lines = by_service(asked, exclusive, "1", lambda each: each.kb_per_s / rates[each.layer])
    return sum_lines(lines, "1") * count(1, "one disk", "disk")


def serial_read_kb(disk: Row, layer: str, guide: Guide) -> Quantity | None:
    """Return the KB/s that a disk sustains of serial reads of the printed size."""
    block = disk.cell("random_block_kb")
    if block is None:
        return None
    found = disk_rate(disk, SERIAL, Asked("", as_quantity(1, "op/s"), block, layer, READ), guide)
    return None if found is None else found.sustained * block


def transfers(
    access: str | None, asked: Sequence[Asked], exclusive: Exclusive
) -> tuple[Quantity, Quantity]:
    """Return the serial reads of a disk, or possible ones, and all other transfers, in KB/s."""
    reads = [each for each in asked if each.operation == READ and access != RANDOM]
    others = [each for each in asked if each not in reads]
    reading, other = (sum_lines(moved_of(part, exclusive), "KB/s") for part in (reads, others))
    return reading, other


def active_disks(channel: Row, attached: Sequence[Attached]) -> Share:
    """Return the active disks of a channel and their limit.

    The limit is that of random disks, or of serial ones if there are no others. A serial disk on a
    channel with random ones counts random limit ÷ serial limit. What it writes counts as more
    than one random disk only by its KB/s, because that is what saturates a string (1.1.4); if all
    are serial, as the same part of their limit.
    """
    random, serial = active_limit(channel, RANDOM), active_limit(channel, SERIAL)
    if random is None or serial is None:
        return Share()
    disks = [each for each in attached if each.disk and each.access != ""]
    alike = bool(disks) and all(each.access == SERIAL for each in disks)
    limit = serial if alike else random
    lines = []
    for each in disks:
        if each.active is None:
            certain = all(each.access is not None for each in disks)
            return Share(None, limit if certain else None)
        figure, weight = each.active, random / serial
        by_kb = each.streaming is not None and weight.low > 1
        if each.access != RANDOM and (by_kb or not alike):
            weighed = figure * weight
            if each.streaming is not None and by_kb:
                weighed = largest(figure, smallest(figure, each.streaming) * weight)
            if alike:
                weighed /= weight
            figure = weighed if each.access == SERIAL else ambiguous(figure, weighed)
        lines.append(LineItem(each.name, figure))
    return Share(tuple(lines), limit)


def bus_time(channel: Row, attached: Sequence[Attached], guide: Guide) -> Share:
    """Return the time that devices hold the bus, and the limit that keeps its disks fast, in ms/s.

    If there are other transfers, serial reads count other limit ÷ serial limit. If no pattern is
    known, both limits are the range. If no disk has a load, the whole second may be used.
    """
    other = channel.cell("random_utilisation")
    sequential = channel.cell("serial_utilisation")
    if other is None or sequential is None:
        return Share()
    held: list[tuple[Attached, Quantity, Quantity]] = []
    for each in attached:
        if each.reads is None or each.others is None:
            return Share()
        rate = bus_rate(channel, each.asynchronous, guide)
        if rate is not None:
            reads, others = ((moved / rate).to("ms/s") for moved in (each.reads, each.others))
            held.append((each, reads, others))
        elif each.reads.high > 0 or each.others.high > 0:
            return Share()
    quick = any(each.disk and (a.high > 0 or b.high > 0) for each, a, b in held)
    reading = [each.access for each, a, _ in held if a.high > 0]
    alone = all(not b.high for _, _, b in held)
    alike = alone and all(reading)
    unknown = alone and bool(reading) and not any(reading)
    weight = other / sequential
    lines = []
    for each, reads, others in held:
        if reads.high > 0 and quick and not alike and not unknown:
            reads *= weight if each.access else ambiguous(as_quantity(1), weight)
        parts = [part for part in (reads, others) if part.high > 0]
        if parts:
            time = total(parts, "ms/s")
            lines.append(LineItem(each.name, time.with_name(f"{each.name}: time on the bus")))
    limit = bus_second()
    share = ambiguous(other, sequential) if unknown else sequential if alike else other
    return Share(tuple(lines), limit * share if quick else limit)


def bus_second() -> Quantity:
    """Return the time that a bus has in a second, in ms/s."""
    return as_quantity(1).to("ms/s").with_name("one second of the bus")


def active_limit(channel: Row, pattern: str) -> Quantity | None:
    """Return how many disks of a channel work at once, by the pattern of access."""
    return channel.cell("random_disks_limit" if pattern == RANDOM else "serial_disks_limit")


def bus_limit(channel: Row, pattern: str, operation: str) -> Quantity | None:
    """Return the share of its time that a bus should be held for such operations (2.4.2)."""
    serial = pattern != RANDOM and operation == READ
    return channel.cell("serial_utilisation" if serial else "random_utilisation")


def bus_rate(channel: Row, asynchronous: bool, guide: Guide) -> Quantity | None:
    """KB/s at which a device moves its bytes over the bus of a channel."""
    slower = channel.text("asynchronous_bus")
    row = guide.row("disk-busses", slower) if asynchronous and slower else channel
    return row.cell("rate_mb_per_s", "KB/s")


def channel_use(
    load: Load, system: System, guide: Guide
) -> tuple[Mapping[str, Share], Mapping[str, Share]]:
    """Return the active disks of each channel, and the time on its bus, if its kind is known.

    A disk whose operations are not known counts as an unknown part of an active disk, and as none
    if it is cold.
    """

    def part(disk: Row, pattern: DiskPattern, each: Sequence[Asked] | None) -> Quantity | None:
        if each is None:
            return as_quantity(0, "disk") if pattern.hot is False else None
        return active_part(disk, pattern.access, each, load.exclusive, guide)

    parts = for_equal_disks(system, guide, load.patterns, load.asked, part)
    active, time = {}, {}
    for channel in system.channels:
        if channel.kind and (channel.devices or "devices" not in system.unstated):
            kind = guide.row("disk-busses", channel.kind)
            on_it = _attached(channel, load, parts, guide)
            active[channel.id] = active_disks(kind, on_it)
            time[channel.id] = bus_time(kind, on_it, guide)
    return active, time


def _attached(
    channel: Channel, load: Load, active: Mapping[str, Quantity | None], guide: Guide
) -> tuple[Attached, ...]:
    """Return what each device of a channel demands of it; each disk is a part of an `active` one.

    Transfers of the channel as a whole count as those of its disks.
    """
    lines = load.channels[channel.id]
    known = {line.name: line.figure for line in lines or ()}
    nothing = None if lines is None else as_quantity(0, "KB/s")
    found = []
    for device in channel.devices:
        row = guide.row(device.table, device.model)
        slow = row.flag("asynchronous")
        if device.rate_mb_per_s is not None:
            slow = device.rate_mb_per_s.high <= 0
        moved = known.pop(device.id, nothing)
        if device.kind != DISK:
            found.append(Attached(device.id, "", None, nothing, moved, slow))
            continue
        access, asked = load.patterns[device.id].access, load.asked.get(device.id)
        reads, others = _divided(access, asked, moved, load.exclusive)
        part = active[device.id]
        streaming = streaming_part(row, access, asked or (), load.exclusive, guide)
        found.append(Attached(device.id, access, part, reads, others, slow, True, streaming))
    for name, moved in known.items():
        access = _access(found)
        reads, others = _divided(access, None, moved, load.exclusive)
        found.append(Attached(name, access, as_quantity(0, "disk"), reads, others, disk=True))
    return tuple(found)


def _divided(
    access: str | None, asked: Sequence[Asked] | None, moved: Quantity | None, exclusive: Exclusive
) -> tuple[Quantity | None, Quantity | None]:
    """Return serial reads and all other transfers; if writes are not known apart, all are reads."""
    if moved is None:
        return None, None
    nothing = as_quantity(0, "KB/s")
    kinds = {each.operation == READ for each in asked or ()}
    if access == RANDOM or kinds == {False}:
        return nothing, moved
    return transfers(access, asked or (), exclusive) if len(kinds) > 1 else (moved, nothing)


def _access(attached: Sequence[Attached]) -> str | None:
    """Return the pattern of all disks of a channel, random if one is; None if it is not known."""
    patterns = {each.access for each in attached if each.disk and each.access != ""}
    if RANDOM in patterns:
        return RANDOM
    return patterns.pop() if len(patterns) == 1 else None
