"""The configuration that a box file states, and what it states beside; every name is checked."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from sizewright.box.schema import (
    BUILTIN,
    PROFILES,
    Box,
    BoxChannel,
    BoxDevice,
    BoxEnclosure,
    BoxVolume,
    DiskPart,
    ExpansionBox,
)
from sizewright.configuration.model import (
    AsBuilt,
    Board,
    Channel,
    ChannelAsBuilt,
    Device,
    EnclosureAsBuilt,
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
    ErrorList,
    InputError,
    Location,
    collect_errors,
    did_you_mean,
    join_or,
    refusal,
    shown,
    unknown_name,
)
from sizewright.guide.model import Guide, Row, custom_facts, laid_factor, place_of, require_row
from sizewright.quantity import Quantity, count
from sizewright.schema.model import FieldError, InvalidFieldError
from sizewright.schema.quantity import QuantityField, RawValue

_LEVELS, _NO_RAID = "raid-levels", "none"


def raid_of(volume: BoxVolume, guide: Guide) -> str | None:
    """Return the id of the RAID level; empty if the volume is no array, None if not stated.

    Raises InputError for a level that the guide lacks.
    """
    if volume.raid in (None, _NO_RAID):
        return "" if volume.raid is not None or volume.layout == "single" else None
    row = _level_row(volume, guide)
    if row is None:
        known = (_NO_RAID, *map(str, _numbered(guide)), *guide.table(_LEVELS).rows)
        what = f"raid: guide {guide.id} has no level {shown(volume.raid)}"
        raise refusal(
            place_of(volume.raid, "box"),
            what,
            join_or(known),
            did_you_mean(str(volume.raid), known),
        )
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
    return {int(level.likely): row for row in rows if (level := row.find("level")) is not None}


NONE = "none"
_MEMORY = "memory-boards"
_DATABASES = "database-systems"


def system_of(box: Box, processors: int | None, guide: Guide) -> System:
    """Return the system of a box; raises InputError for every unknown name."""
    names = _Names(guide)
    platform = names.row("platforms", box.platform)
    runs = names.row("operating-systems", box.operating_system)
    boards = tuple(_boards(box, names))
    channels = tuple(_channel(c, box, names) for c in box.channels or ())
    names.known("board", (n.provider for n in box.networks or () if n.provider), _providers(box))
    for software in box.software or ():
        names.row("software", software)
    for database in box.databases or ():
        names.database(database)
    for unit in box.beside:
        names.unit(unit)
    accelerator = _or_none(box.accelerator)
    if accelerator:
        names.row("nvram-accelerators", box.accelerator)
    total, beyond = box.memory.total_mb, box.memory.expansion_mb
    system = System(
        id=str(box.name),
        platform=platform.id if platform else "",
        processors=processors,
        operating_system=runs.id if runs else "",
        memory_mb=_exact(total),
        boards=boards,
        channels=channels,
        ports=tuple(
            Port(n.name, n.segment, interface.id, n.provider or "")
            for n in box.networks or ()
            if (interface := names.row("network-interfaces", n.interface))
        ),
        volumes=tuple(_volumes(box, names)),
        software=tuple(sorted(str(name) for name in box.software or ())),
        accelerator=accelerator,
        expansion_memory_mb=beyond.likely if beyond else _no_memory_boards(box, boards),
        expansions=tuple(_expansion(e, names) for e in box.expansion_boxes),
        tunables=_tuned(box),
        databases=tuple(sorted(str(name) for name in box.databases or ())),
        unstated=_unstated(box, boards),
        beside=tuple(str(unit) for unit in box.beside),
        serial_lines=box.serial_lines,
    )
    names.raise_faults()
    _check_slots(box, system, names)
    return system


def _check_slots(box: Box, system: System, names: _Names) -> None:
    """Raise InputError if slots of a bus are stated that the platform does not have."""
    busses = [group.name for group in slot_groups(names.guide, system)]
    for bus, said in box.slots.items():
        if bus not in busses:
            names.fault("bus", bus, busses, place_of(said.gaps_without_jumpers, "box"))
    names.raise_faults()


def _exact(figure: Quantity | None) -> float | Quantity | None:
    """Return a plain number if no range is stated."""
    return figure.likely if figure is not None and figure.low == figure.high else figure


def processors_of(box: Box, guide: Guide) -> int | None:
    """Return the number of processors: as stated, or the only one that the platform has."""
    platform = guide.table("platforms").rows.get(box.platform)
    counts = platform.list("processor_counts") if platform else ()
    return box.processors or (int(counts[0]) if len(counts) == 1 else None)


def _tuned(box: Box) -> dict[str, Quantity]:
    said = box.tunables
    values = {"maxusers": said.maxusers, "rr_ticks": said.rr_ticks, "nfsd": said.nfsd}
    return {name: value for name, value in values.items() if value is not None}


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


def _providers(box: Box) -> tuple[str, ...]:
    return (BUILTIN, *(b.id for b in box.boards or ()))


def _only_provider(box: Box, guide: Guide) -> str:
    """Return the platform itself if no board has disk busses, else unknown."""
    rows = guide.table("boards").rows
    bringing = [
        b for b in box.boards or () if b.board in rows and rows[b.board].list("disk_busses")
    ]
    return "" if box.boards is None or bringing else BUILTIN


def _boards(box: Box, names: _Names) -> Iterator[Board]:
    for each in box.boards or ():
        row = names.board(each.board)
        if row is not None:
            purpose = "memory" if row.table == _MEMORY else ", ".join(row.list("role"))
            bus = each.bus or row.text("bus")
            yield Board(each.id, row.table, row.id, bus, tuple(each.slots), purpose)


def _expansion(each: ExpansionBox, names: _Names) -> Expansion:
    carrier = names.board(each.carrier)
    inside = [row for model in each.boards if (row := names.board(model))]
    bus = carrier.text("bus") if carrier else ""
    return Expansion(
        each.id, bus, carrier.id if carrier else "",
        tuple(
            Board(f"{each.id}-{n + 1}", row.table, row.id, bus, (), each.id)
            for n, row in enumerate(inside)
        ),
    )  # fmt: skip


def _channel(channel: BoxChannel, box: Box, names: _Names) -> Channel:
    names.row("disk-busses", channel.kind)
    provider = channel.provider or _only_provider(box, names.guide)
    names.known("board", (provider,) if provider else (), _providers(box))
    pairs = channel.connector_pairs
    return Channel(
        channel.id, channel.kind, provider,
        tuple(device for d in channel.parts if (device := _device(d, names))),
        channel.cable_m, None if pairs is None else count(pairs, "connector pairs"),
    )  # fmt: skip


def _device(device: BoxDevice, names: _Names) -> Device | None:
    row = names.device(device.device)
    if row is None:
        return None
    disk = row.table == "disks"
    use = row.list("use") if not disk else ()
    purpose = device.purpose or ("backup" if "backup" in use else ", ".join(use))
    return Device(
        device.id, "disk" if disk else row.text("kind"), row.table, row.id, str(purpose),
        device.target, device.rate_mb_per_s, device.dual_ported,
        tuple(
            Partition(
                p.name, p.size_mb, p.start_cylinder, p.use, None if p.heat is None
                else p.heat == "hot",
            )
            for p in device.partitions
        ),
        device.owner or "",
    )  # fmt: skip


def _volumes(box: Box, names: _Names) -> Iterator[Volume]:
    disks = [d.id for c in box.channels or () for d in c.parts]
    for volume in box.volumes or ():
        if volume.manager != NONE:
            names.row("software", volume.manager)
        if volume.database not in (None, NONE):
            names.database(volume.database)
        names.row("file-access-methods", volume.file_access)
        named = [p.disk if isinstance(p, DiskPart) else p for copy in volume.copies for p in copy]
        names.known("disk", named, disks)
        size = laid_mb(volume, names.guide)
        copies = tuple(tuple(_parts(copy, volume, size)) for copy in volume.copies)
        yield Volume(
            str(volume.name), copies, _or_none(volume.manager), str(volume.layout or ""),
            volume.interlace_kb,
        )  # fmt: skip


def _parts(
    copy: tuple[str | DiskPart, ...], volume: BoxVolume, size: Quantity | None
) -> Iterator[Extent]:
    """Yield the parts of a copy; parts without a size share evenly what the others leave.

    Of a stripe, and of one part alone, that is how it is; of others it is not known.
    """
    told = [p.size_mb.likely for p in copy if isinstance(p, DiskPart) and p.size_mb is not None]
    left = len(copy) - len(told)
    rest = max(0.0, size.likely - sum(told)) if size else 0.0
    settled = volume.layout == "stripe" or volume.raid not in (None, NONE) or left == 1
    for part in copy:
        if isinstance(part, DiskPart) and part.size_mb is not None:
            yield Extent(part.disk, part.size_mb.likely)
        else:
            disk = part.disk if isinstance(part, DiskPart) else part
            yield Extent(disk, rest / left, settled)


class _Names:
    """Looks up names; an unknown name becomes an error at its location."""

    def __init__(self, guide: Guide) -> None:
        self.guide = guide
        self.faults = ErrorList()

    def row(self, table: str, name: str | None) -> Row | None:
        if name is None:
            return None
        found = None
        with self.faults.catch():
            found = require_row(self.guide, table, name)
        return found

    def unit(self, name: str) -> None:
        """Look up a unit beside the system; a board, which takes a slot, is none."""
        row = self.row("serial-line-options", name)
        with self.faults.catch():
            if row is not None and row.text("board"):
                what = f"beside: {shown(name)} is a board, which takes a slot"
                raise refusal(place_of(name, "box"), what, "a board under boards")

    def database(self, name: str | None) -> None:
        """Look up a database manager; a guide without the table takes any name."""
        if _DATABASES in self.guide.tables:
            self.row(_DATABASES, name)

    def board(self, name: str) -> Row | None:
        return self._either(("boards", _MEMORY), name, "board")

    def device(self, name: str) -> Row | None:
        return self._either(("disks", "removable-media"), name, "device")

    def _either(self, tables: tuple[str, ...], name: str, kind: str) -> Row | None:
        known: list[str] = []
        for table in tables:
            rows = self.guide.table(table).rows
            if name in rows:
                return rows[name]
            known += rows
        self.fault(kind, name, known, place_of(name, "box"))
        return None

    def known(self, kind: str, wanted: Iterable[str], known: Iterable[str]) -> None:
        names = tuple(known)
        for name in wanted:
            if name not in names:
                self.fault(kind, name, names, place_of(name, "box"))

    def fault(self, kind: str, name: str, known: Iterable[str], place: Location) -> None:
        self.faults.append(unknown_name(place, kind, name, known, f"a {kind} of this box"))

    def raise_faults(self) -> None:
        if self.faults:
            raise InputError(self.faults)


_BUSSES = "disk-busses"


def as_built_of(box: Box, guide: Guide) -> AsBuilt:
    """Return what the file states of parts as built; raises InputError for every unknown name."""
    with collect_errors() as errors:
        errors.extend(_lost(box))
        errors.for_each(lambda each: require_row(guide, *each), _rows(box))
        raids = dict(errors.for_each(lambda v: (v.name, raid_of(v, guide)), box.volumes or ()))
    return AsBuilt(
        channels={
            c.id: ChannelAsBuilt(str(c.adapter_bus_kind or ""), c.adapter_in_middle)
            for c in box.channels or ()
        },
        bus_kinds={
            d.id: str(d.bus_kind) for c in box.channels or () for d in c.parts if d.bus_kind
        },
        raids=raids,
        enclosures=tuple(map(_enclosure, box.enclosures)),
        partners={b.id: str(b.redundant_with) for b in box.boards or () if b.redundant_with},
        profiles=tuple(map(str, box.load_profiles)),
    )


def _enclosure(each: BoxEnclosure) -> EnclosureAsBuilt:
    busses = tuple(tuple(map(str, bus)) for bus in each.busses)
    return EnclosureAsBuilt(
        each.id, str(each.enclosure), str(each.channel or ""), each.tall_disks, busses
    )


def _rows(box: Box) -> Iterator[tuple[str, str]]:
    """Yield the table and the name of each row that the file names."""
    for channel in box.channels or ():
        if channel.adapter_bus_kind:
            yield _BUSSES, channel.adapter_bus_kind
        yield from ((_BUSSES, d.bus_kind) for d in channel.parts if d.bus_kind)
    yield from (("trays", each.enclosure) for each in box.enclosures)
    yield from ((PROFILES, name) for name in box.load_profiles)


def _lost(box: Box) -> Iterator[Diagnostic]:
    """Yield names of parts that the box does not have, and disks that are in two enclosures."""
    boards = [b.id for b in box.boards or ()]
    channels: list[BoxChannel] = list(box.channels or ())
    disks = [d.id for c in channels for d in c.parts]
    for board in box.boards or ():
        if board.redundant_with:
            yield from _known("board", board.redundant_with, [b for b in boards if b != board.id])
    placed: dict[str, str] = {}
    for each in box.enclosures:
        if each.channel:
            yield from _known("channel", each.channel, [c.id for c in channels])
        for disk in (disk for bus in each.busses for disk in bus):
            yield from _known("disk", disk, disks)
            if disk in placed:
                what = f"disk {shown(disk)} is also in enclosure {shown(placed[disk])}"
                yield Diagnostic(place_of(disk, "box"), what, "one place for each disk")
            placed[disk] = each.id


def _known(kind: str, name: str, known: Sequence[str]) -> Iterator[Diagnostic]:
    if name not in known:
        place, otherwise = place_of(name, "box"), f"another {kind} of this box"
        yield unknown_name(place, kind, name, known, otherwise)


def custom_facts_of(box: Box, guide: Guide) -> dict[str, Any]:
    """Return reported facts by name; raises InputError for unknown names and wrong values."""
    known = custom_facts(guide)
    faults, found = [], {}
    for name, each in box.reported.items():
        first = each.value[0] if isinstance(each.value, list) and each.value else each.value
        # An empty list has no place of its own.
        place = place_of(first, place_of(box.name, "box").file)
        if name not in known:
            what = f"reported: guide {guide.id} has no {shown(name)}"
            expected = f"one of {join_or(known)}" if known else ""
            faults.append(Diagnostic(place, what, expected, did_you_mean(name, known)))
            continue
        try:
            found[name] = _read(known[name], each)
        except InvalidFieldError as error:
            faults += [
                Diagnostic(place, f"{name}: {objection.what}", objection.expected, objection.hint)
                for objection in error.errors
            ]
    if faults:
        raise InputError(faults)
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
        what = f"{shown(name)} is not allowed here"
        raise InvalidFieldError(FieldError(what, join_or(one_of), did_you_mean(name, one_of)))
    return name


def _of_kind(value: Any, kind: type, expected: str) -> Any:
    if isinstance(value, kind):
        return value
    raise InvalidFieldError(FieldError(f"{shown(value)} is not allowed here", expected))
