"""What a box reports by names of its guide, read as the guide declares it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sizewright.errors import Diagnostic, InputError, did_you_mean, join_or, shown
from sizewright.guide.model import Guide, Row
from sizewright.guide.named import place_of
from sizewright.guide.reported import declared
from sizewright.schema.model import FieldError, InvalidFieldError
from sizewright.schema.quantity import QuantityField, RawValue


def reported_of(told: Mapping[str, RawValue], guide: Guide) -> dict[str, Any]:
    """Facts by name; raises InputFaults with every unknown name and every wrong value."""
    known = declared(guide)
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
