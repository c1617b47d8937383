"""A file as plain data from YAML, each value with its line; everything else is refused."""

from __future__ import annotations

import math
import re
import sys
from codecs import BOM_UTF16_BE, BOM_UTF16_LE, BOM_UTF32_BE, BOM_UTF32_LE
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Never

import yaml

from sizewright.errors import Diagnostic, InputError, Location, refusal, shown
from sizewright.limits import (
    BYTES_AT_MOST,
    DIGITS_AT_MOST,
    FAULTS_LISTED,
    NESTING_AT_MOST,
    NODES_AT_MOST,
)

ValuePath = tuple[str | int, ...]
_LOADER: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)

_TOO_DEEP = "values are nested too deeply here"
_NULLS = frozenset(("", "~", "null", "Null", "NULL"))
_FLAGS = {
    "true": True, "True": True, "TRUE": True,
    "false": False, "False": False, "FALSE": False,
}  # fmt: skip
_NUMBER = re.compile(
    r"[-+]?(?:(?P<whole>0|[1-9][0-9]*)|(?:0|[1-9][0-9]*)(?:\.[0-9]*)?(?:[eE][-+]?[0-9]+)?"
    r"|\.[0-9]+(?:[eE][-+]?[0-9]+)?)",
    re.ASCII,
)
_NO_NUMBER = re.compile(r"[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN)", re.ASCII)


class PlacedStr(str):
    """A text that knows its location."""

    place: Location


class PlacedInt(int):
    """A whole number that knows its location."""

    place: Location


class PlacedFloat(float):
    """A number that knows its location."""

    place: Location


class SourceMap:
    """The location of a value, and those of the values below it by key or index."""

    __slots__ = ("below", "place")

    def __init__(self, place: Location) -> None:
        self.place = place
        self.below: dict[str | int, SourceMap] = {}


class _Open:
    """A mapping or sequence whose end has not been read."""

    def __init__(self, value: Any, marks: SourceMap) -> None:
        self.value = value
        self.marks = self.key_mark = marks
        self.expects_key = isinstance(value, dict)
        self.key: str | None = None
        self.first: dict[str, int] = {}


class _Builder:
    def __init__(self, name: str) -> None:
        self.name = name
        self.faults: list[Diagnostic] = []
        self.open: list[_Open] = []
        self.nodes = 0
        self.documents = 0
        self.data: Any = None
        self.marks: SourceMap | None = None

    def fault(self, mark: Any, what: str, expected: str = "", hint: str = "") -> None:
        self.faults.append(Diagnostic(self.place(mark), what, expected, hint))
        if len(self.faults) >= FAULTS_LISTED:
            raise InputError(self.faults)

    def stop(self, mark: Any, what: str, expected: str) -> Never:
        self.fault(mark, what, expected)
        raise InputError(self.faults)

    def take(self, event: Any) -> None:
        """Account for one event of the parser."""
        kind = type(event)
        if kind is yaml.ScalarEvent:
            self.node(event)
            self.scalar(event)
        elif kind is yaml.MappingStartEvent or kind is yaml.SequenceStartEvent:
            self.node(event)
            self.start(event, {} if kind is yaml.MappingStartEvent else [])
        elif kind is yaml.MappingEndEvent or kind is yaml.SequenceEndEvent:
            self.open.pop()
        elif kind is yaml.AliasEvent:
            self.refuse_anchor(event)
            self.pass_over(event.start_mark)
        elif kind is yaml.DocumentStartEvent:
            self.documents += 1
            if self.documents > 1:
                self.stop(event.start_mark, "a second document begins here", "one document a file")

    def node(self, event: Any) -> None:
        self.nodes += 1
        if self.nodes > NODES_AT_MOST:
            what = "there are too many values from here on"
            self.stop(event.start_mark, what, f"at most {NODES_AT_MOST}")
        if event.tag is not None:
            what = f"the tag {shown(event.tag)} is not allowed"
            self.fault(event.start_mark, what, hint="leave it out")
        if event.anchor is not None:
            self.refuse_anchor(event)

    def refuse_anchor(self, event: Any) -> None:
        what = f"anchors (&) and aliases (*) are not allowed: {shown(event.anchor)}"
        self.fault(event.start_mark, what, hint="write the value out")

    def start(self, event: Any, value: dict[str, Any] | list[Any]) -> None:
        if len(self.open) >= NESTING_AT_MOST:
            self.stop(event.start_mark, _TOO_DEEP, f"at most {NESTING_AT_MOST} levels")
        self.open.append(_Open(value, self.put(event.start_mark, value)))

    def scalar(self, event: Any) -> None:
        # An explicit tag is a fault already; its value is then read as if it had none.
        plain = event.implicit[0]
        top = self.open[-1] if self.open else None
        if top is not None and top.expects_key:
            self.key(top, event, plain)
        else:
            self.put(event.start_mark, self.value(event, plain))

    def pass_over(self, mark: Any) -> None:
        top = self.open[-1] if self.open else None
        if top is not None and top.expects_key:
            top.expects_key = False
            top.key = None
        else:
            self.put(mark, None)

    def key(self, top: _Open, event: Any, plain: bool) -> None:
        key, mark = event.value, event.start_mark
        top.expects_key = False
        top.key = None
        if plain and key == "<<":
            self.fault(mark, "merge keys (<<) are not allowed", hint="write the values out")
        elif plain and (key in _NULLS or key in _FLAGS or _NUMBER.fullmatch(key)):
            what = f"the key {shown(key)} is not text" if key else "a key is missing here"
            self.fault(mark, what, hint="put it in quotes" if key else "")
        elif key in top.first:
            line = top.first[key] + 1
            self.fault(mark, f"duplicate key {shown(key)}; first on line {line}")
        else:
            top.key = key
            top.first[key] = mark.line
            top.key_mark = SourceMap(self.place(mark))

    def put(self, mark: Any, value: Any) -> SourceMap:
        """Add a value to its parent; return the locations for its own children."""
        if not self.open:
            self.data = value
            self.marks = SourceMap(self.place(mark))
            return self.marks
        top = self.open[-1]
        if isinstance(top.value, list):
            marks = SourceMap(self.place(mark))
            top.marks.below[len(top.value)] = marks
            top.value.append(value)
            return marks
        if top.expects_key:
            top.expects_key = False
            top.key = None
            self.fault(mark, "this key is not text", "a name")
            return SourceMap(self.place(mark))
        top.expects_key = True
        if top.key is not None:
            top.value[top.key] = value
            top.marks.below[top.key] = top.key_mark
            return top.key_mark
        return SourceMap(self.place(mark))

    def value(self, event: Any, plain: bool) -> Any:
        text = event.value
        if plain:
            if text in _NULLS:
                return None
            if text in _FLAGS:
                return _FLAGS[text]
            found = _NUMBER.fullmatch(text)
            if found:
                return self.number(event, text, found["whole"] is not None)
            if _NO_NUMBER.fullmatch(text):
                self.fault(event.start_mark, f"{text} is not a number that can be used")
                return None
        placed = PlacedStr(text)
        placed.place = self.place(event.start_mark)
        return placed

    def number(self, event: Any, text: str, whole: bool) -> PlacedInt | PlacedFloat | None:
        if sum(map(text.count, "0123456789")) > DIGITS_AT_MOST:
            what = f"the number {shown(text)} is too long"
            self.fault(event.start_mark, what, f"at most {DIGITS_AT_MOST} digits")
            return None
        number = PlacedInt(text) if whole else PlacedFloat(text)
        if not math.isfinite(number):
            self.fault(event.start_mark, f"the number {shown(text)} is too large")
            return None
        number.place = self.place(event.start_mark)
        return number

    def place(self, mark: Any) -> Location:
        return Location(self.name, mark.line + 1, mark.column + 1)


def build(text: str, name: str) -> tuple[Any, SourceMap]:
    """Turn a YAML text into plain data and its places; raises InputError with every error."""
    builder = _Builder(name)
    try:
        for event in yaml.parse(text, Loader=_LOADER):
            builder.take(event)
    except yaml.YAMLError as error:
        builder.faults.append(_syntax(error, name, text))
    except (ValueError, OverflowError):
        # The parser in Python lets an escape beyond Unicode through to chr().
        builder.faults.append(Diagnostic(Location(name), "is not valid YAML: an impossible escape"))
    if not builder.faults and builder.data is None:
        builder.faults.append(Diagnostic(Location(name), "is empty"))
    if builder.faults or builder.marks is None:
        raise InputError(builder.faults)
    return builder.data, builder.marks


def _syntax(error: yaml.YAMLError, name: str, text: str) -> Diagnostic:
    mark = getattr(error, "problem_mark", None)
    if mark is None:
        position = getattr(error, "position", 0) or 0
        before = text[:position]
        place = Location(name, before.count("\n") + 1, position - before.rfind("\n"))
        return Diagnostic(place, "is not valid YAML: a control character", "plain text")
    place = Location(name, mark.line + 1, mark.column + 1)
    parts = (getattr(error, "context", None), getattr(error, "problem", None))
    what = ", ".join(part for part in parts if part) or "it cannot be parsed"
    if "maximum nesting depth" in what:
        # Some versions of libyaml have a limit of their own, and look far ahead within brackets.
        return Diagnostic(place, _TOO_DEEP, f"at most {NESTING_AT_MOST} levels")
    lines = text.splitlines()
    line = lines[mark.line] if mark.line < len(lines) else ""
    hint = "indent with spaces, not tabs" if "\t" in line[: mark.column + 1] else ""
    return Diagnostic(place, f"is not valid YAML: {what}", hint=hint)


STDIN = "<stdin>"
_FOREIGN = (BOM_UTF16_BE, BOM_UTF16_LE, BOM_UTF32_BE, BOM_UTF32_LE)


@dataclass(frozen=True, eq=False, repr=False)
class Document:
    """An input file's name and plain data; knows the location of each value.

    `changes` are assignments (`path=value`) by which the data differs from the file.
    """

    name: str
    data: Any
    _marks: SourceMap
    _raw: bytes
    changes: tuple[str, ...] = ()

    @property
    def digest(self) -> str:
        """SHA-256 of the bytes that were read, in hexadecimal."""
        from hashlib import sha256

        return sha256(self._raw).hexdigest()

    def with_data(self, data: Any) -> Document:
        """Return the same file with other data; places are those of the file."""
        return replace(self, data=data)

    def with_value(self, path: ValuePath, text: str, option: str, change: str) -> Document:
        """Return the same file with the YAML `text` as the value at a path, which may be new.

        The path has one step at least, and leads through mappings and lists. The value's location
        is the `option` that states it. Raises InputError if the text is not YAML.
        """
        value, below = build(text, option)
        place = Location(option)
        _relocate(value, place)
        marks = SourceMap(place)
        marks.below = {key: SourceMap(place) for key in below.below}
        data, root = _grafted(self.data, self._marks, path, value, marks)
        return replace(self, data=data, _marks=root, changes=(*self.changes, change))

    def place(self, path: ValuePath = ()) -> Location:
        """Return the location of the value at `path`, or of its key, or of the nearest ancestor."""
        mark = self._marks
        for step in path:
            below = mark.below.get(step)
            if below is None:
                break
            mark = below
        return mark.place


def _grafted(
    data: Any, marks: SourceMap, path: ValuePath, value: Any, new: SourceMap
) -> tuple[Any, SourceMap]:
    """Return data and locations with another value at a path; the rest is shared."""
    if not path:
        return value, new
    step, *rest = path
    changed: Any = dict(data) if isinstance(data, dict) else list(data or ()) or {}
    old = changed[step] if isinstance(step, int) else changed.get(step)
    place = SourceMap(marks.place)
    inner = marks.below.get(step, SourceMap(new.place))
    changed[step], below = _grafted(old, inner, tuple(rest), value, new)
    place.below = {**marks.below, step: below}
    return changed, place


def _relocate(value: Any, place: Location) -> None:
    """Give a value, and all values in it, the location of an option."""
    if isinstance(value, PlacedStr | PlacedInt | PlacedFloat):
        value.place = place
    elif isinstance(value, dict | list):
        for each in value.values() if isinstance(value, dict) else value:
            _relocate(each, place)


def read_document(path: str | Path) -> Document:
    """Read a file, or standard input for ``-``.

    Raises InputError if it cannot be read or is not a document of plain data.
    """
    return parse_document(*read_bytes(path, BYTES_AT_MOST))


def read_bytes(path: str | Path, at_most: int) -> tuple[bytes, str]:
    """Return the bytes of a file, or of standard input for the text ``-``, and its name.

    At most one byte more than `at_most` is read. Raises InputError if it cannot be read.
    """
    # A path of this name is that of a file: ``./-`` names one.
    if path == "-":
        return sys.stdin.buffer.read(at_most + 1), STDIN
    name = str(path)
    try:
        with Path(path).open("rb") as file:
            return file.read(at_most + 1), name
    except FileNotFoundError:
        raise refusal(Location(name), "there is no such file") from None
    except IsADirectoryError:
        raise refusal(Location(name), "is a directory", "a file") from None
    except (OSError, ValueError) as error:
        why = getattr(error, "strerror", None) or str(error)
        raise refusal(Location(name), f"cannot be read: {why.lower()}") from None


def parse_document(content: str | bytes, name: str) -> Document:
    """Read a text, or bytes of UTF-8, as a document; `name` is that of its locations.

    Raises InputError with every error found.
    """
    raw = content.encode("utf-8", "surrogatepass") if isinstance(content, str) else content
    data, marks = build(decoded(raw, name, BYTES_AT_MOST), name)
    return Document(name, data, marks, raw)


def decoded(raw: bytes, name: str, at_most: int) -> str:
    """Return the text of UTF-8 bytes; raises InputError for more than `at_most` bytes."""
    if len(raw) > at_most:
        raise refusal(Location(name), "is too large", f"at most {at_most} bytes")
    if raw.startswith(_FOREIGN) or b"\0" in raw:
        raise refusal(
            Location(name), "is not UTF-8 text, but UTF-16, UTF-32 or binary", "a text in UTF-8"
        )
    try:
        return raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        before = raw[: error.start]
        line = before.count(b"\n") + 1
        column = len(before[before.rfind(b"\n") + 1 :].decode("utf-8-sig")) + 1
        what = f"byte 0x{raw[error.start]:02x} is not UTF-8"
        raise refusal(Location(name, line, column), what, "a text in UTF-8") from None
