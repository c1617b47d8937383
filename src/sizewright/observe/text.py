"""The lines of a tool's output, once they are known to be text of a sensible size."""

from __future__ import annotations

from typing import NamedTuple

from sizewright.errors import Diagnostic, InputError, Location, refusal
from sizewright.limits import BYTES_AT_MOST, TEXT_CHARACTERS


class Text(NamedTuple):
    """An output's name and its lines; the first line is line 1."""

    name: str
    lines: tuple[str, ...]

    def place(self, index: int) -> Location:
        """Where the line at an index stands."""
        return Location(self.name, index + 1)


def text_of(raw: bytes, name: str) -> Text:
    """Decode an output; raises InputFaults where it is empty, binary, or too large."""
    if len(raw) > BYTES_AT_MOST:
        raise refusal(Location(name), "is too large", f"at most {BYTES_AT_MOST} bytes")
    if b"\0" in raw:
        place = Location(name, raw[: raw.index(b"\0")].count(b"\n") + 1)
        raise refusal(place, "is binary, not text", "what the tool prints, as text")
    try:
        decoded = raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        place = Location(name, raw[: error.start].count(b"\n") + 1)
        what = f"byte 0x{raw[error.start]:02x} is not UTF-8"
        raise refusal(place, what, "a text in UTF-8") from None
    # Only the ends of lines that a terminal knows; the others would make the line numbers differ
    # from what an editor shows.
    lines = tuple(decoded.replace("\r\n", "\n").replace("\r", "\n").split("\n"))
    if not any(line.strip() for line in lines):
        raise refusal(Location(name), "is empty")
    text = Text(name, lines)
    faults = [
        Diagnostic(text.place(n), "the line is too long", f"at most {TEXT_CHARACTERS} characters")
        for n, line in enumerate(lines)
        if len(line) > TEXT_CHARACTERS and not is_json(text)
    ]
    if faults:
        raise InputError(faults)
    return text


def is_json(text: Text) -> bool:
    """Whether an output begins as JSON does; its lines may be of any length."""
    first = next(line for line in text.lines if line.strip())
    return first.lstrip().startswith(("{", "["))
