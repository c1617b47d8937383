"""The configuration that a box file states, and what it states beside; every name is checked."""

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from sizewright.box.schema import (
    BOARDS,
    BUILTIN,
    DEVICES,
    NONE,
    Box,
    BoxBoard,
    BoxChannel,
    BoxDevice,
    BoxEnclosure,
    BoxVolume,
    DiskPart,
    ExpansionBox,
)
from sizewright.configuration.model import (
    Board,
    Channel,
    Device,
    Expansion,
    Extent,
    Partition,
    Port,
    System,
    Volume,
)
from sizewright.configuration.slots import slot_groups
from sizewright.errors import (
    Diagnostic,
    collect_errors,
    did_you_mean,
    join_or,
    refusal,
    shown,
    unknown_name,
)
from sizewright.guide.model import UNKNOWN, Guide, Row, custom_facts, laid_factor, place_of
from sizewright.quantity import Quantity, count
from sizewright.schema.model import InvalidFieldError, not_allowed
from sizewright.schema.quantity import QuantityField, RawValue

_LEVELS = "raid-levels"


def raid_of(volume: BoxVolume, guide: Guide) -> str | None:
    """Return the id of the RAID level; empty if the volume is no array, None if not stated.

    Raises InputError for a level that the guide lacks.
    """
    if volume.raid in (None, NONE):
        return "" if volume.raid is not None or volume.layout == "single" else None
    row = _level_row(volume, guide)
    if row is None:
        known = (NONE, *map(str, _numbered(guide)), *guide.table(_LEVELS).rows)
        what = f"raid: guide {guide.id} has no level {shown(volume.raid)}"
        hint = did_you_mean(str(volume.raid), known)
        raise refusal(place_of(volume.raid, "box"), what, join_or(known), hint)
    return row.id


def laid_mb(volume: BoxVolume, guide: Guide) -> Quantity | None:
    """Return MB that one copy of a volume takes on its disks, with parity."""
    row, size = _level_row(volume, guide), volume.size_mb
    if row is None or size is None or len(volume.copies) != 1:
        return size
    factor = laid_factor(row, len(volume.copies[0]))
    return size * factor if factor else size


def _level_row(volume: BoxVolume, guide: Guide) -> Row | None:
    """Return the row of a volume's RAID level, by its number or id."""
    said = volume.raid
    if isinstance(said, int):
        return _numbered(guide).get(said)
    return None if said is None else guide.table(_LEVELS).rows.get(said)


def _numbered(guide: Guide) -> dict[int, Row]:
    rows = guide.table(_LEVELS)
    return {int(level.likely): row for row in rows if (level := row.cell("level")) is not None}


_MEMORY = BOARDS[-1]


def system_of(box: Box, processors: int | None, guide: Guide) -> System:
    """Return the system of a box all of whose names are known.

    Raises InputError for slots of a bus that the platform does not have.
    """
    boards = tuple(_board(each, guide) for each in box.boards or ())
    total, beyond = box.memory.total_mb, box.memory.expansion_mb
    system = System(
        id=str(box.name),
        platform=str(box.platform),
        processors=processors,
        operating_system=str(box.operating_system or ""),
        memory_mb=total.likely if total is not None and total.low == total.high else total,
        boards=boards,
        channels=tuple(_channel(c, box, guide) for c in box.channels or ()),
        ports=tuple(
            Port(n.name, n.segment, str(n.interface), n.provider or "") for n in box.networks or ()
        ),
        volumes=tuple(_volume(v, guide) for v in box.volumes or ()),
        software=tuple(sorted(str(name) for name in box.software or ())),
        accelerator=_or_none(box.accelerator),
        expansion_memory_mb=beyond.likely if beyond else _no_memory_boards(box, boards),
        expansions=tuple(_expansion(e, guide) for e in box.expansion_boxes),
        tunables={name: it for name, it in box.tunables if isinstance(it, Quantity)},
        databases=tuple(sorted(str(name) for name in box.databases or ())),
        unstated=_unstated(box, boards),
        beside=tuple(str(unit) for unit in box.beside),
        serial_lines=box.serial_lines,
    )
    busses = [group.name for group in slot_groups(guide, system)]
    with collect_errors() as errors:
        for bus, said in box.slots.items():
            if bus not in busses:
                place = place_of(said.gaps_without_jumpers, "box")
                errors.append(unknown_name(place, "bus", bus, busses, "a bus of this box"))
    return system


def processors_of(box: Box, guide: Guide) -> int | None:
    """Return the number of processors: as stated, or the only one that the platform has."""
    counts = guide.row_or_blank("platforms", box.platform).list("processor_counts")
    return box.processors or (int(counts[0]) if len(counts) == 1 else None)


def _or_none(name: str | None) -> str:
    return "" if name in (None, NONE) else str(name)


def _unstated(box: Box, boards: tuple[Board, ...]) -> frozenset[str]:
    parts = {
        "boards": box.boards, "channels": box.channels, "ports": box.networks,
        "volumes": box.volumes, "software": box.software, "databases": box.databases,
        "accelerator": box.accelerator,
    }  # fmt: skip
    found = {name for name, stated in parts.items() if stated is None}
    if any(channel.devices is None for channel in box.channels or ()):
        found.add("devices")
    if any(volume.manager is None for volume in box.volumes or ()):
        found.add("managers")
    if box.memory.expansion_mb is None and _no_memory_boards(box, boards) is None:
        found.add("expansion_memory")
    return frozenset(found)


def _no_memory_boards(box: Box, boards: tuple[Board, ...]) -> float | None:
    """Return 0 MB if all boards are stated and none is a memory board, else None."""
    return None if box.boards is None or any(b.table == _MEMORY for b in boards) else 0


def _only_provider(box: Box, guide: Guide) -> str:
    """Return the platform itself if no board has disk busses, else unknown."""
    rows = guide.table("boards").rows
    bringing = [
        b for b in box.boards or () if b.board in rows and rows[b.board].list("disk_busses")
    ]
    return "" if box.boards is None or bringing else BUILTIN


def _either_row(guide: Guide, tables: tuple[str, ...], name: str) -> Row:
    return next(rows[name] for t in tables if name in (rows := guide.table(t).rows))


def _board(each: BoxBoard, guide: Guide) -> Board:
    row = _either_row(guide, BOARDS, each.board)
    purpose = "memory" if row.table == _MEMORY else ", ".join(row.list("role"))
    return Board(each.id, row.table, row.id, each.bus or row.text("bus"), each.slots, purpose)


def _expansion(each: ExpansionBox, guide: Guide) -> Expansion:
    carrier, *inside = (_either_row(guide, BOARDS, name) for name in (each.carrier, *each.boards))
    bus = carrier.text("bus")
    boards = (
        Board(f"{each.id}-{n}", row.table, row.id, bus, (), each.id)
        for n, row in enumerate(inside, 1)
    )
    return Expansion(each.id, bus, carrier.id, tuple(boards))


def _channel(channel: BoxChannel, box: Box, guide: Guide) -> Channel:
    pairs = channel.connector_pairs
    return Channel(
        channel.id, channel.kind, channel.provider or _only_provider(box, guide),
        tuple(_device(device, guide) for device in channel.parts),
        channel.cable_m, None if pairs is None else count(pairs, "connector pairs"),
    )  # fmt: skip


def _has_two_ports(device: BoxDevice, row: Row) -> bool | None:
    """Return whether a second system has access: as stated, and never to a disk of one port."""
    cannot = row.get_flag("dual_portable") is False
    return False if device.dual_ported is None and cannot else device.dual_ported


def _device(device: BoxDevice, guide: Guide) -> Device:
    unknown = device.device == UNKNOWN
    row = guide.row("disks", UNKNOWN) if unknown else _either_row(guide, DEVICES, device.device)
    disk = row.table == "disks"
    use = row.list("use") if not disk else ()
    purpose = device.purpose or ("backup" if "backup" in use else ", ".join(use))
    return Device(
        device.id, "disk" if disk else row.text("kind"), row.table, row.id, str(purpose),
        device.target, device.rate_mb_per_s, _has_two_ports(device, row),
        tuple(
            Partition(p.name, p.size_mb, p.start_cylinder, p.use, p.heat and p.heat == "hot")
            for p in device.partitions
        ),
        device.owner or "",
    )  # fmt: skip


def _volume(volume: BoxVolume, guide: Guide) -> Volume:
    size = laid_mb(volume, guide)
    return Volume(
        str(volume.name), tuple(tuple(_parts(copy, volume, size)) for copy in volume.copies),
        _or_none(volume.manager), str(volume.layout or ""), volume.interlace_kb,
    )  # fmt: skip


def _parts(
    copy: tuple[str | DiskPart, ...], volume: BoxVolume, size: Quantity | None
) -> Iterator[Extent]:
    """Yield the parts of a copy; parts without a size share evenly what the others leave.

    Of a stripe, and of one part alone, that is how it is; of others it is not known.
    """
    stated = [(p.disk, p.size_mb) if isinstance(p, DiskPart) else (p, None) for p in copy]
    told = [mb.likely for _, mb in stated if mb is not None]
    left = len(copy) - len(told)
    rest = max(0.0, size.likely - sum(told)) if size else 0.0
    settled = volume.layout == "stripe" or volume.raid not in (None, NONE) or left == 1
    for disk, mb in stated:
        yield Extent(disk, rest / left, settled) if mb is None else Extent(disk, mb.likely)


class AsBuilt(NamedTuple):
    """What a box file states of parts that no plan decides, by their ids.

    `bus_kinds` are rows of disk-busses by device: the fastest that it is made for. `raids` are rows
    of raid-levels by volume: empty if it is no array, None if that is not stated. `partners` are
    boards by the board that they replace if it fails. `profiles` are rows of load-profiles.
    """

    channels: Mapping[str, BoxChannel] = {}
    bus_kinds: Mapping[str, str] = {}
    raids: Mapping[str, str | None] = {}
    enclosures: tuple[BoxEnclosure, ...] = ()
    partners: Mapping[str, str] = {}
    profiles: tuple[str, ...] = ()


def as_built_of(box: Box, guide: Guide) -> AsBuilt:
    """Return what the file states of parts as built; raises InputError for unknown RAID levels."""
    with collect_errors() as errors:
        raids = dict(errors.for_each(lambda v: (v.name, raid_of(v, guide)), box.volumes or ()))
    return AsBuilt(
        channels={channel.id: channel for channel in box.channels or ()},
        bus_kinds={
            d.id: str(d.bus_kind) for c in box.channels or () for d in c.parts if d.bus_kind
        },
        raids=raids,
        enclosures=box.enclosures,
        partners={b.id: str(b.redundant_with) for b in box.boards or () if b.redundant_with},
        profiles=tuple(map(str, box.load_profiles)),
    )


def custom_facts_of(box: Box, guide: Guide) -> dict[str, Any]:
    """Return reported facts by name; raises InputError for unknown names and wrong values."""
    known, found = custom_facts(guide), {}
    with collect_errors() as errors:
        for name, each in box.reported.items():
            first = each.value[0] if isinstance(each.value, list) and each.value else each.value
            # An empty list has no place of its own.
            place = place_of(first, place_of(box.name, "box").file)
            if name not in known:
                what = f"reported: guide {guide.id} has no {shown(name)}"
                expected = f"one of {join_or(known)}" if known else ""
                errors.append(Diagnostic(place, what, expected, did_you_mean(name, known)))
                continue
            try:
                found[name] = _read(known[name], each)
            except InvalidFieldError as error:
                errors += [
                    Diagnostic(place, f"{name}: {wrong.what}", wrong.expected, wrong.hint)
                    for wrong in error.errors
                ]
    return found


def _read(row: Row, told: RawValue) -> Any:
    value, kind, one_of = told.value, row.text("kind"), row.list("one_of")
    if kind == "number":
        field = QuantityField(row.text("unit"), memory=row.flag("memory"))
        return field.read_from(value, told.origin)
    if kind == "flag":
        return _of_kind(value, bool, "true or false")
    if kind == "names":
        return tuple(_name(each, one_of) for each in _of_kind(value, list, "a list of names"))
    return _name(value, one_of)


def _name(value: Any, one_of: tuple[str, ...]) -> str:
    name = str(_of_kind(value, str, join_or(one_of) if one_of else "a name"))
    if one_of and name not in one_of:
        raise not_allowed(name, join_or(one_of), did_you_mean(name, one_of))
    return name


def _of_kind(value: Any, kind: type, expected: str) -> Any:
    if isinstance(value, kind):
        return value
    raise not_allowed(value, expected)
