"""The names in a box file: of rows of the guide, and of parts of the same box."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from sizewright.box.parts import BOARDS, DEVICES, NONE
from sizewright.box.schema import (
    BUILTIN,
    PROFILES,
    Box,
    BoxChannel,
    BoxEnclosure,
    BoxVolume,
    DiskPart,
)
from sizewright.errors import Diagnostic, InputError, shown, unknown_name
from sizewright.guide.model import UNKNOWN, Guide, place_of, require_row, row_id

#: Gives a name of a row, which one of the tables may have, another spelling.
Respell = Callable[[tuple[str, ...], Any], Any]

_BUSSES, _SOFTWARE, _DATABASES = ("disk-busses",), ("software",), ("database-systems",)
_BESIDE = ("serial-line-options",)


def with_ids(box: Box, guide: Guide) -> Box:
    """Return a box that names rows of the guide by their ids, where it uses their printed names."""

    def respell(tables: tuple[str, ...], name: Any) -> Any:
        if name in (None, UNKNOWN):
            return name
        for table in tables:
            found = row_id(guide, table, name)
            if found in guide.table(table).rows:
                return found
        return name

    return _respelled(box, respell)


def _respelled(box: Box, respell: Respell) -> Box:
    """Return a box with each name of a row as `respell` gives it."""

    def all_of(tables: tuple[str, ...], names: tuple[Any, ...] | None) -> tuple[Any, ...] | None:
        return None if names is None else tuple(respell(tables, name) for name in names)

    def unless_none(tables: tuple[str, ...], name: Any) -> Any:
        return name if name == NONE else respell(tables, name)

    def channel(each: BoxChannel) -> BoxChannel:
        devices = None if each.devices is None else tuple(
            device.replace(
                device=respell(DEVICES, device.device), bus_kind=respell(_BUSSES, device.bus_kind)
            )
            for device in each.devices
        )  # fmt: skip
        return each.replace(
            kind=respell(_BUSSES, each.kind),
            adapter_bus_kind=respell(_BUSSES, each.adapter_bus_kind),
            devices=devices,
        )

    def volume(each: BoxVolume) -> BoxVolume:
        return each.replace(
            manager=unless_none(_SOFTWARE, each.manager),
            database=unless_none(_DATABASES, each.database),
            file_access=respell(("file-access-methods",), each.file_access),
        )

    return box.replace(
        platform=respell(("platforms",), box.platform),
        operating_system=respell(("operating-systems",), box.operating_system),
        accelerator=unless_none(("nvram-accelerators",), box.accelerator),
        software=all_of(_SOFTWARE, box.software),
        databases=all_of(_DATABASES, box.databases),
        beside=all_of(_BESIDE, box.beside),
        load_profiles=all_of((PROFILES,), box.load_profiles),
        enclosures=tuple(
            each.replace(enclosure=respell(("trays",), each.enclosure)) for each in box.enclosures
        ),
        networks=box.networks and tuple(
            each.replace(interface=respell(("network-interfaces",), each.interface))
            for each in box.networks
        ),
        boards=box.boards and tuple(
            each.replace(board=respell(BOARDS, each.board)) for each in box.boards
        ),
        expansion_boxes=tuple(
            each.replace(
                carrier=respell(BOARDS, each.carrier), boards=all_of(BOARDS, each.boards)
            )
            for each in box.expansion_boxes
        ),
        channels=box.channels and tuple(map(channel, box.channels)),
        volumes=box.volumes and tuple(map(volume, box.volumes)),
    )  # fmt: skip


def name_errors(box: Box, guide: Guide) -> Iterator[Diagnostic]:
    """Yield each name that neither the guide nor the box has, and disks that are in two places."""
    named: list[tuple[tuple[str, ...], str | None]] = []

    def note(tables: tuple[str, ...], name: Any) -> Any:
        named.append((tables, name))
        return name

    _respelled(box, note)
    for tables, name in named:
        # A guide without the table of database managers takes any name.
        if name in (None, UNKNOWN) or (tables == _DATABASES and tables[0] not in guide.tables):
            continue
        if not any(name in guide.table(table).rows for table in tables):
            yield from _missing_row(guide, tables, name)
    for kind, part, known in _named_parts(box):
        if part and part not in known:
            place = place_of(part, "box")
            yield unknown_name(place, kind, part, known, f"a {kind} of this box")
    for name in box.beside:
        row = guide.table(_BESIDE[0]).rows.get(name)
        if row is not None and row.text("board"):
            what = f"beside: {shown(name)} is a board, which takes a slot"
            yield Diagnostic(place_of(name, "box"), what, "a board under boards")
    placed: dict[str, str] = {}
    for each, disk in _enclosed(box):
        if disk in placed:
            what = f"disk {shown(disk)} is also in enclosure {shown(placed[disk])}"
            yield Diagnostic(place_of(disk, "box"), what, "one place for each disk")
        placed[disk] = each.id


def _named_parts(box: Box) -> Iterator[tuple[str, str | None, list[str]]]:
    """Yield each name of a part that another part states, with its kind and the names there are."""
    channels = box.channels or ()
    boards = [BUILTIN, *(board.id for board in box.boards or ())]
    disks = [device.id for channel in channels for device in channel.parts]
    yield from (("board", network.provider, boards) for network in box.networks or ())
    yield from (("board", channel.provider, boards) for channel in channels)
    for board in box.boards or ():
        yield "board", board.redundant_with, [b for b in boards[1:] if b != board.id]
    for volume in box.volumes or ():
        named = (p.disk if isinstance(p, DiskPart) else p for copy in volume.copies for p in copy)
        yield from (("disk", name, disks) for name in named)
    for each in box.enclosures:
        yield "channel", each.channel, [channel.id for channel in channels]
    yield from (("disk", name, disks) for _, name in _enclosed(box))


def _enclosed(box: Box) -> Iterator[tuple[BoxEnclosure, str]]:
    """Yield each disk of each enclosure."""
    for each in box.enclosures:
        yield from ((each, disk) for bus in each.busses for disk in bus)


def _missing_row(guide: Guide, tables: tuple[str, ...], name: str) -> Iterator[Diagnostic]:
    """Yield the error of a name that no row has."""
    if len(tables) > 1:
        known = [row for table in tables for row in guide.table(table).rows]
        yield unknown_name(
            place_of(name, "box"), "board" if tables == BOARDS else "device", name, known
        )
        return
    try:
        require_row(guide, tables[0], name)
    except InputError as error:
        yield from error.faults
