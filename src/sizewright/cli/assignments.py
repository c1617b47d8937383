"""Option --set: values of an input file that are changed for one run."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from sizewright.documents import Document, ValuePath
from sizewright.errors import Diagnostic, InputError, Location, did_you_mean, join_or, shown

SET = "--set"
_EXPECTED = "KEY=VALUE, for example services.NAME.clients=20"


def with_assignments(document: Document, assignments: Iterable[str]) -> Document:
    """Return a document with the value of each `path=value`; items of lists go by their names.

    Raises InputError with every path that leads to nothing, and every value that is not YAML.
    """
    errors: list[Diagnostic] = []
    for assignment in assignments:
        option = f"{SET} {assignment}"
        keys, equals, text = assignment.partition("=")
        try:
            if not equals or not keys.strip() or not text.strip():
                what = f"{shown(assignment)} is not an assignment"
                raise InputError([Diagnostic(Location(SET), what, _EXPECTED)])
            path = _resolve(document.data, keys.strip(), Location(option))
            document = document.with_value(path, text, option, assignment)
        except InputError as error:
            errors.extend(error.faults)
    if errors:
        raise InputError(errors)
    return document


def _resolve(data: Any, keys: str, place: Location) -> ValuePath:
    """Return the path to a value: keys of mappings, which may be new, and items of lists."""
    path: ValuePath = ()
    left = keys
    while left:
        before = keys[: len(keys) - len(left)].rstrip(".")
        if isinstance(data, list):
            names = {_name_of(item, at): at for at, item in enumerate(data)}
            # A name may itself have dots in it.
            fitting = [name for name in names if left == name or left.startswith(f"{name}.")]
            if not fitting:
                tried = left.partition(".")[0]
                what = f"{before} has no item {shown(tried)}"
                near = did_you_mean(tried, names)
                raise InputError([Diagnostic(place, what, f"one of {join_or(names)}", near)])
            name = max(fitting, key=len)
            path, left = (*path, names[name]), left[len(name) + 1 :]
            data = data[names[name]]
        elif isinstance(data, dict) or data is None:
            key, _, left = left.partition(".")
            path = (*path, key)
            data = data.get(key) if data else None
        else:
            what = f"{before} is one value and has no {shown(left)}"
            raise InputError([Diagnostic(place, what, "a shorter path")])
    return path


def _name_of(item: Any, at: int) -> str:
    """Return the name of an item of a list, or its number from 1 if it has none."""
    name = item.get("name") if isinstance(item, dict) else None
    return str(name) if isinstance(name, str) else str(at + 1)
