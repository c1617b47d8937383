"""YAML in, plain data with places out, in bounded time and memory.

A document is read from the parser's events and never composed: the depth, the number of nodes and
every construct that is not allowed are seen before anything is built from them, and nothing
recurses. Only true and false are flags; yes, no, dates, octal and sexagesimal numbers stay text.
"""

from __future__ import annotations

import sys
from codecs import BOM_UTF16_BE, BOM_UTF16_LE, BOM_UTF32_BE, BOM_UTF32_LE
from pathlib import Path
from typing import IO, Any

from sizewright.errors import Location, refusal
from sizewright.limits import BYTES_AT_MOST
from sizewright.yaml_data import PlacedFloat, PlacedInt, PlacedStr, SourceMap, build

__all__ = [
    "Document",
    "PlacedFloat",
    "PlacedInt",
    "PlacedStr",
    "decoded",
    "parse_document",
    "read_bytes",
    "read_document",
]

STDIN = "<stdin>"
_FOREIGN = (BOM_UTF16_BE, BOM_UTF16_LE, BOM_UTF32_BE, BOM_UTF32_LE)


class Document:
    """An input file's name and plain data; knows the location of each value."""

    __slots__ = ("_marks", "_raw", "data", "name")

    def __init__(self, name: str, data: Any, marks: SourceMap, raw: bytes) -> None:
        self.name = name
        self.data = data
        self._marks = marks
        self._raw = raw

    @property
    def digest(self) -> str:
        """SHA-256 of the bytes that were read, in hexadecimal."""
        from hashlib import sha256

        return sha256(self._raw).hexdigest()

    def with_data(self, data: Any) -> Document:
        """Return the same file with other data; places are those of the file."""
        return Document(self.name, data, self._marks, self._raw)

    def place(self, path: tuple[str | int, ...] = ()) -> Location:
        """Return the location of the value at `path`, or of its key, or of the nearest ancestor."""
        mark = self._marks
        for step in path:
            below = mark.below.get(step)
            if below is None:
                break
            mark = below
        return Location(self.name, mark.line, mark.column)


def read_document(path: str | Path, stdin: IO[bytes] | None = None) -> Document:
    """Read a file, or standard input for ``-``.

    Raises InputError if it cannot be read or is not a document of plain data.
    """
    return parse_document(*read_bytes(path, BYTES_AT_MOST, stdin))


def read_bytes(path: str | Path, at_most: int, stdin: IO[bytes] | None = None) -> tuple[bytes, str]:
    """Return the bytes of a file, or of standard input for ``-``, and its name.

    At most one byte more than `at_most` is read. Raises InputError if it cannot be read.
    """
    if str(path) == "-":
        return (sys.stdin.buffer if stdin is None else stdin).read(at_most + 1), STDIN
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
