"""From the validator's errors to faults with places, in plain words."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import is_dataclass
from types import NoneType, UnionType
from typing import Annotated, Any, NamedTuple, Union, get_args, get_origin

from pydantic_core import ValidationError

from sizewright.documents import Document
from sizewright.errors import Diagnostic, did_you_mean, join_or, shown
from sizewright.limits import FAULTS_LISTED
from sizewright.schema.objections import ObjectionsError
from sizewright.schema.schema import hints_of, variant_name

Path = tuple[str | int, ...]


class _Spot(NamedTuple):
    """A path in the document, and the fields that the object around its last key may have."""

    path: Path
    fields: dict[str, Any]


def validation_faults(
    error: ValidationError, document: Document, model: type
) -> Iterator[Diagnostic]:
    """Turn each error into a fault; past a hundred no near names are sought."""
    for number, one in enumerate(error.errors(include_url=False)):
        spot = _spot(one["loc"], model)
        cause = one.get("ctx", {}).get("error")
        if isinstance(cause, ObjectionsError):
            for what, expected, hint, at in cause.objections:
                path = (*spot.path, *at)
                yield Diagnostic(document.place(path), _labelled(path, what), expected, hint)
        elif one["type"] == "unexpected_keyword_argument":
            key = str(spot.path[-1])
            near = did_you_mean(key, spot.fields) if number < FAULTS_LISTED else ""
            allowed = [*(name for name in spot.fields if name != "said"), "said"]
            what = f"unknown key {shown(key)}"
            yield Diagnostic(document.place(spot.path), what, f"one of {join_or(allowed)}", near)
        elif one["type"] == "missing":
            yield Diagnostic(document.place(spot.path), f"{spot.path[-1]} is missing")
        else:
            yield _misshapen(one, spot, document)


def _misshapen(one: Any, spot: _Spot, document: Document) -> Diagnostic:
    shapes = {"dataclass_type": "a mapping", "dict_type": "a mapping", "tuple_type": "a list"}
    value, expected = one["input"], shapes.get(one["type"], "")
    what = "no value is given" if value is None else f"{shown(value)} is not allowed here"
    return Diagnostic(document.place(spot.path), _labelled(spot.path, what), expected)


def _labelled(path: Path, what: str) -> str:
    keys = [step for step in path if isinstance(step, str)]
    return f"{keys[-1]}: {what}" if keys else what


def _spot(location: Path, model: type) -> _Spot:
    """Follow the validator's location, leaving out the names of classes tried in a union."""
    path: list[str | int] = []
    fields: dict[str, Any] = {}
    shape: Any = model
    for step in location:
        variants = {variant_name(member): member for member in _members(shape)}
        if len(variants) > 1 and step in variants:
            shape = variants[str(step)]
            continue
        path.append(step)
        if isinstance(step, int):
            shape = _item(shape)
            continue
        if get_origin(shape) is dict:
            fields, shape = {}, get_args(shape)[1]
        else:
            owner = next(_models(shape), None)
            fields = hints_of(owner) if owner else {}
            shape = fields.get(step)
    return _Spot(tuple(path), fields)


def _item(shape: Any) -> Any:
    """What a list, however wrapped, holds."""
    for member in _members(shape):
        bare = get_args(member)[0] if get_origin(member) is Annotated else member
        if get_origin(bare) is tuple:
            return get_args(bare)[0]
    return shape


def _members(shape: Any) -> Iterator[Any]:
    """Yield what a union, however wrapped, may be besides nothing."""
    origin = get_origin(shape)
    if origin is Annotated and not isinstance(get_args(shape)[0], type):
        yield from _members(get_args(shape)[0])
    elif origin in (Union, UnionType):
        for part in get_args(shape):
            yield from _members(part)
    elif shape is not NoneType:
        yield shape


def _models(shape: Any) -> Iterator[type]:
    if isinstance(shape, type) and is_dataclass(shape):
        yield shape
    for part in get_args(shape):
        yield from _models(part)
