"""The names in a box file: of rows of the guide, and of parts of the same box."""

from collections.abc import Callable, Iterator
from typing import Any, TypeVar

from sizewright.box.schema import BOARDS, BUILTIN, NONE, Box, RowOf
from sizewright.errors import Diagnostic, InputError, shown, unknown_name
from sizewright.guide.model import UNKNOWN, Guide, place_of, require_row, row_id
from sizewright.schema.model import InputModel

_DATABASES, _BESIDE = ("database-systems",), "serial-line-options"
#: Gives a name of a row, which one of the tables of its field may have, another spelling.
Respell = Callable[[RowOf, Any], Any]
Model = TypeVar("Model", bound=InputModel)


def with_ids(box: Box, guide: Guide) -> Box:
    """Return a box that names rows of the guide by their ids, where it uses their printed names."""

    def respell(field: RowOf, name: Any) -> Any:
        found = ((table, row_id(guide, table, name)) for table in field.tables)
        return next((row for table, row in found if row in guide.table(table).rows), name)

    return _respelled(box, respell)


def _respelled(model: Model, respell: Respell) -> Model:
    """Return a box, or a part of it, with each name of a row as `respell` gives it."""
    changes: dict[str, Any] = {}
    for key, field in type(model).model_fields.items():
        value = getattr(model, key)
        row = next((each for each in field.metadata if isinstance(each, RowOf)), None)
        if isinstance(value, tuple):
            changes[key] = tuple(_changed(each, row, respell) for each in value)
        elif row is not None:
            changes[key] = _changed(value, row, respell)
    return model.replace(**changes)


def _changed(value: Any, row: RowOf | None, respell: Respell) -> Any:
    if isinstance(value, InputModel):
        return _respelled(value, respell)
    if row is None or value in (None, UNKNOWN) or (row.or_none and value == NONE):
        return value
    return respell(row, value)


def name_errors(box: Box, guide: Guide) -> Iterator[Diagnostic]:
    """Yield each name that neither the guide nor the box has, and disks that are in two places."""
    named: list[tuple[RowOf, str]] = []

    def note(field: RowOf, name: str) -> str:
        named.append((field, name))
        return name

    _respelled(box, note)
    for field, name in named:
        tables = field.tables
        # A guide without the table of database managers takes any name.
        any_name = tables == _DATABASES and tables[0] not in guide.tables
        if not any_name and not any(name in guide.table(table).rows for table in tables):
            for error in _missing_row(guide, tables, name):
                expected = f"{NONE}, {error.expected}" if field.or_none else error.expected
                yield error._replace(expected=expected)
    for kind, part, known in _named_parts(box):
        if part and part not in known:
            place = place_of(part, "box")
            yield unknown_name(place, kind, part, known, f"a {kind} of this box")
    for name in box.beside:
        row = guide.table(_BESIDE).rows.get(name)
        if row is not None and row.text("board"):
            what = f"beside: {shown(name)} is a board, which takes a slot"
            yield Diagnostic(place_of(name, "box"), what, "a board under boards")
    placed: dict[str, str] = {}
    for each in box.enclosures:
        for disk in each.disks:
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
        yield from (("disk", name, disks) for name in volume.disks)
    for each in box.enclosures:
        yield "channel", each.channel, [channel.id for channel in channels]
    yield from (("disk", name, disks) for each in box.enclosures for name in each.disks)


def _missing_row(guide: Guide, tables: tuple[str, ...], name: str) -> Iterator[Diagnostic]:
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
