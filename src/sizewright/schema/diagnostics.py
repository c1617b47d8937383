"""From pydantic's errors to diagnostics with locations, in plain words."""

from collections.abc import Iterator, Mapping
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, NamedTuple, Union, get_args, get_origin

from pydantic import ValidationError

from sizewright.documents import Document, ValuePath
from sizewright.errors import Diagnostic, did_you_mean, join_or, shown
from sizewright.limits import FAULTS_LISTED
from sizewright.schema.model import InputModel, InvalidFieldError, TaggedUnion

_EXPECTED = {
    "model_type": "a mapping", "dict_type": "a mapping", "tuple_type": "a list",
    "bool_type": "true or false",
}  # fmt: skip
_FLAGS = {"yes": "true", "on": "true", "no": "false", "off": "false"}

# The last step of pydantic's path to a key of a mapping that is wrong itself.
_KEY = "[key]"


class _Spot(NamedTuple):
    """What the value at a path should be, and the fields that the object around it may have."""

    shape: Any
    fields: Mapping[str, Any]


def validation_diagnostics(
    error: ValidationError, document: Document, model: type[InputModel]
) -> Iterator[Diagnostic]:
    """Turn each error into a diagnostic; past a hundred no similar names are looked for."""
    for number, one in enumerate(error.errors(include_url=False)):
        path: ValuePath = one["loc"]
        cause = one.get("ctx", {}).get("error")
        if isinstance(cause, InvalidFieldError):
            for what, expected, hint, at in cause.errors:
                place = document.place((*path, *at))
                yield Diagnostic(place, _labelled((*path, *at), what), expected, hint)
        elif one["type"] == "extra_forbidden":
            fields = _spot(path, document.data, model).fields
            key, known = str(path[-1]), sorted(fields, key="said".__eq__)
            near = did_you_mean(key, known) if number < FAULTS_LISTED else ""
            what = f"unknown key {shown(key)}"
            yield Diagnostic(document.place(path), what, f"one of {join_or(known)}", near)
        elif one["type"] == "missing":
            choices = _choices(_spot(path, document.data, model).shape)
            expected = join_or(choices) if choices else ""
            yield Diagnostic(document.place(path), f"{path[-1]} is missing", expected)
        else:
            yield _misshapen(one, path, document, model)


def _misshapen(
    one: Any, path: ValuePath, document: Document, model: type[InputModel]
) -> Diagnostic:
    kind, value, hint = one["type"], one["input"], ""
    expected = _EXPECTED.get(kind, "")
    what = "no value is given" if value is None else f"{shown(value)} is not allowed here"
    if kind == "literal_error":
        choices = _choices(_spot(path, document.data, model).shape)
        expected = join_or(choices)
        hint = did_you_mean(value, choices) if isinstance(value, str) else ""
    elif kind == "bool_type" and isinstance(value, str) and value.lower() in _FLAGS:
        hint = f"did you mean {_FLAGS[value.lower()]}?"
    return Diagnostic(document.place(path), _labelled(path, what), expected, hint)


def _choices(shape: Any) -> list[str]:
    """Return the values of a literal type, as they are written."""
    values = get_args(shape) if get_origin(shape) is Literal else ()
    return [value if isinstance(value, str) else shown(value) for value in values]


def _labelled(path: ValuePath, what: str) -> str:
    keys = [step for step in path if isinstance(step, str) and step != _KEY]
    return f"{keys[-1]}: {what}" if keys else what


def _spot(path: ValuePath, data: Any, model: type[InputModel]) -> _Spot:
    """Follow a path through the annotations, choosing the members of unions by the data."""
    shape: Any = model
    fields: Mapping[str, Any] = {}
    keys: Any = None
    for step in path:
        if step == _KEY:
            return _Spot(_unwrapped(keys, None), {})
        shape = _unwrapped(shape, data)
        if isinstance(shape, type) and issubclass(shape, InputModel):
            fields = {field.alias or name: field for name, field in shape.model_fields.items()}
            shape = fields[str(step)].rebuild_annotation() if step in fields else None
        elif get_origin(shape) in (dict, tuple):
            fields = {}
            keys, *values = get_args(shape)
            shape = values[0] if get_origin(shape) is dict else keys
        inside = isinstance(data, list) or (isinstance(data, dict) and step in data)
        data = data[step] if inside else None
    return _Spot(_unwrapped(shape, data), fields)


def _unwrapped(shape: Any, data: Any) -> Any:
    """Return a type without what annotates it, and the member of a union that the data mean."""
    while get_origin(shape) in (Annotated, Union, UnionType):
        inner, *markers = get_args(shape)
        union = next((one for one in markers if isinstance(one, TaggedUnion)), None)
        if union is not None:
            try:
                shape = union.choose(data)
            except InvalidFieldError:
                return None
        elif get_origin(shape) is Annotated:
            shape = inner
        else:
            shape = next(part for part in get_args(shape) if part is not NoneType)
    return shape
