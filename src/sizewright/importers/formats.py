"""Outputs that can be read: their forms in `formats.yaml`, and which tool printed a text."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from sizewright.documents import read_document
from sizewright.errors import Diagnostic, InputError, Location, collect_errors, refusal
from sizewright.limits import BYTES_AT_MOST, TEXT_CHARACTERS

_FILE = "formats.yaml"


class Formats(NamedTuple):
    """The description of all outputs, as plain data."""

    data: Mapping[str, Any]

    def of_tool(self, kind: str, tool: str) -> tuple[Mapping[str, Any], ...]:
        """What there is of a kind for one tool: its `formats` in columns, or its `sentences`."""
        return tuple(one for one in self.data[kind] if one["tool"] == tool)

    def tool(self, name: str) -> Mapping[str, Any]:
        """A tool: its own name as `called`, and the `command` that reads its output."""
        return self.of_tool("tools", name)[0]

    def titles(self) -> tuple[re.Pattern[str], ...]:
        """Patterns of lines above the columns that contain no values."""
        return tuple(pattern(one) for one in self.data["titles"])


def load_formats() -> Formats:
    """Read the description that comes with the program."""
    return Formats(read_document(Path(__file__).with_name(_FILE)).data)


def pattern(text: str) -> re.Pattern[str]:
    """A pattern of the description, which ignores case."""
    return re.compile(str(text), re.IGNORECASE | re.ASCII)


class Text(NamedTuple):
    """An output's name and its lines; the first line is line 1."""

    name: str
    lines: tuple[str, ...]

    def place(self, index: int) -> Location:
        """The location of the line at an index."""
        return Location(self.name, index + 1)


def decode_output(raw: bytes, name: str) -> Text:
    """Decode an output; raises InputError if it is empty, binary, or too large."""
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
    # Only the line ends of a terminal; with others the line numbers would differ from an editor's.
    lines = tuple(decoded.replace("\r\n", "\n").replace("\r", "\n").split("\n"))
    if not any(line.strip() for line in lines):
        raise refusal(Location(name), "is empty")
    text = Text(name, lines)
    with collect_errors() as errors:
        for n, line in enumerate(lines):
            if len(line) > TEXT_CHARACTERS and not is_json(text):
                expected = f"at most {TEXT_CHARACTERS} characters"
                errors.append(Diagnostic(text.place(n), "the line is too long", expected))
    return text


def is_json(text: Text) -> bool:
    """Whether an output begins like JSON; its lines may have any length."""
    first = next(line for line in text.lines if line.strip())
    return first.lstrip().startswith(("{", "["))


_OTHERS = "*"


# The subject and the name of each column; a column of names has None.
About = list[tuple[tuple[str, str], str] | None]


class ColumnHeader(NamedTuple):
    """A line of column names: its position, and what each column is about.

    If `each` is set, every row is a report. Columns from `short` on may be missing.
    """

    at: int
    about: About
    each: bool
    short: int
    skip: int
    fault: str
    format: Mapping[str, Any]


def column_headers(text: Text, wanted: Sequence[Mapping[str, Any]]) -> Iterator[ColumnHeader]:
    """Every line of a text that is a header of one of the given formats."""
    above = -1
    for index, line in enumerate(text.lines):
        tokens = line.lower().split()
        if not tokens:
            continue
        for one in wanted:
            names = text.lines[above].split() if above >= 0 else []
            about, fits = _SHAPES[one["shape"]](tokens, names, one)
            if about:
                what = f"the heading has {len(tokens)} columns, which do not fit the names above it"
                once = sum(token in one.get("first_line_only", ()) for token in tokens)
                yield ColumnHeader(
                    index, about, one["shape"] != "down", len(tokens) - once,
                    above if one["shape"] == "across" else index, "" if fits else what, one,
                )  # fmt: skip
                break
        above = index


def _across(tokens: list[str], names: list[str], one: Mapping[str, Any]) -> tuple[About, bool]:
    beside: Mapping[str, Any] = one["beside"]
    every = {c for group in (*beside.values(), one["disk"]) for columns in group for c in columns}
    about: About = []
    for name in names if set(tokens) <= every else ():
        other = name.lower() in beside
        variants = beside[name.lower()] if other else one["disk"]
        left = tokens[len(about) :]
        columns: Sequence[str] = next((v for v in variants if left[: len(v)] == list(v)), [])
        about += [((name.lower(), "") if other else ("disks", name), column) for column in columns]
        if not columns:
            return about, False
    return about, len(about) == len(tokens)


def _down(tokens: list[str], _names: list[str], one: Mapping[str, Any]) -> tuple[About, bool]:
    known = {*one["columns"], *one["name"], *one["first_line_only"]}
    if len(tokens) == 1 or not set(tokens) <= known or sum(t in one["name"] for t in tokens) != 1:
        return [], True
    return [
        None if token in one["name"]
        else (("cpu" if token in one["first_line_only"] else "disks", ""), token)
        for token in tokens
    ], True  # fmt: skip


def _rows(tokens: list[str], _names: list[str], one: Mapping[str, Any]) -> tuple[About, bool]:
    # Of two columns with one name the later counts: system calls, then system time.
    is_heading = _like(tokens, one["heading"])
    return [(("+".join(one["about"]), ""), token) for token in tokens if is_heading], True


def _like(tokens: Sequence[str], heading: Sequence[str]) -> bool:
    if not heading:
        return not tokens
    if heading[0] == _OTHERS:
        rest = heading[1:]
        return any(_like(tokens[n:], rest) for n in range(len(tokens) + 1))
    return bool(tokens) and tokens[0] == heading[0] and _like(tokens[1:], heading[1:])


_SHAPES = {"across": _across, "down": _down, "rows": _rows}


def detect_tool(text: Text, known: Formats) -> str:
    """The tool that printed a text; "" if it is unknown."""
    if is_json(text):
        return ""
    for tool in known.data["tools"]:
        name = str(tool["tool"])
        if next(iter(column_headers(text, known.of_tool("formats", name))), None) is not None:
            return name
        signs = [pattern(one) for one in tool["lines"]]
        sentences = known.of_tool("sentences", name)
        signs += [pattern(one[key]) for one in sentences for key in ("pattern", "also")]
        if _any(text, signs):
            return name
    return ""


def suggest_command(text: Text, tool: str, known: Formats) -> str:
    """The command to run instead if an output is known but cannot be used; "" otherwise."""
    for one in known.data["instead"]:
        if one["tool"] == tool and _any(text, [pattern(one["line"])]):
            return str(one["use"])
    return ""


def _any(text: Text, patterns: Iterable[re.Pattern[str]]) -> bool:
    wanted = tuple(patterns)
    return any(one.fullmatch(line.strip()) for line in text.lines for one in wanted)


def wrong_tool(text: Text, wanted: str, known: Formats) -> InputError:
    """The error for a text that the wanted tool did not print."""
    what = "no line is a message of a kernel that finds its devices"
    if wanted != "probe":
        what = f"no line is a heading that {known.tool(wanted)['called']} prints"
    found = detect_tool(text, known)
    if found in ("", wanted):
        use = suggest_command(text, wanted, known)
    else:
        tool = known.tool(found)
        use, output = tool["command"], f"the output of {tool['called']}"
        what += f"; it looks like {'the messages of a kernel' if found == 'probe' else output}"
    first = next((n for n, line in enumerate(text.lines) if line.strip()), 0)
    return refusal(text.place(first), what, hint=f"try {use}" if use else "")


def tidy(number: float) -> float:
    """A measured number with six significant digits, as an integer if it is whole."""
    short = float(f"{number:.6g}")
    return int(short) if short.is_integer() else short
