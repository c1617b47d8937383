"""What a box file states of its parts that no plan decides; every name is checked."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from sizewright.box.parts import raid_of
from sizewright.box.schema import PROFILES, Box, BoxChannel, BoxEnclosure, BoxVolume
from sizewright.configuration.model import AsBuilt, ChannelAsBuilt, EnclosureAsBuilt, VolumeAsBuilt
from sizewright.errors import (
    Diagnostic,
    InputError,
    collect_errors,
    did_you_mean,
    join_or,
    shown,
    unknown_name,
)
from sizewright.guide.lookup import custom_facts, place_of, require_row
from sizewright.guide.model import Guide, Row
from sizewright.schema.model import FieldError, InvalidFieldError
from sizewright.schema.quantity import QuantityField, RawValue

_BUSSES = "disk-busses"


def as_built_of(box: Box, guide: Guide) -> AsBuilt:
    """Return what the file states of parts as built; raises InputError for every unknown name."""
    with collect_errors() as errors:
        errors.extend(_lost(box))
        errors.for_each(lambda each: require_row(guide, *each), _rows(box))
        raids = dict(errors.for_each(lambda v: (v.name, _raid(v, guide)), box.volumes or ()))
    return AsBuilt(
        channels={
            c.id: ChannelAsBuilt(str(c.adapter_bus_kind or ""), c.adapter_in_middle)
            for c in box.channels or ()
        },
        bus_kinds={
            d.id: str(d.bus_kind) for c in box.channels or () for d in c.parts if d.bus_kind
        },
        volumes=raids,
        enclosures=tuple(map(_enclosure, box.enclosures)),
        partners={b.id: str(b.redundant_with) for b in box.boards or () if b.redundant_with},
        profiles=tuple(map(str, box.load_profiles)),
    )


def _raid(volume: BoxVolume, guide: Guide) -> VolumeAsBuilt:
    return VolumeAsBuilt(raid_of(volume, guide))


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


def custom_facts_of(told: Mapping[str, RawValue], guide: Guide) -> dict[str, Any]:
    """Return facts by name; raises InputError for every unknown name and every wrong value."""
    known = custom_facts(guide)
    faults, found = [], {}
    for name, each in told.items():
        first = each.value[0] if isinstance(each.value, list) and each.value else each.value
        place = place_of(first, "box")
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
