"""Which tool printed a text; what to say where it was another than was asked for."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from sizewright.errors import InputError, refusal
from sizewright.observe.formats import Formats, pattern
from sizewright.observe.headings import headings
from sizewright.observe.text import Text, is_json


def tool_of(text: Text, known: Formats) -> str:
    """The tool whose output a text looks like; "" where it looks like none."""
    if is_json(text):
        return ""
    for tool in known.data["tools"]:
        name = str(tool["tool"])
        if next(iter(headings(text, known.columns(name))), None) is not None:
            return name
        signs = [pattern(one) for one in tool["lines"]]
        signs += [pattern(one[key]) for one in known.sentences(name) for key in ("pattern", "also")]
        if _any(text, signs):
            return name
    return ""


def instead(text: Text, tool: str, known: Formats) -> str:
    """What to run instead, where an output is known and cannot be used; "" otherwise."""
    for one in known.data["instead"]:
        if one["tool"] == tool and _any(text, [pattern(one["line"])]):
            return str(one["use"])
    return ""


def _any(text: Text, patterns: Iterable[re.Pattern[str]]) -> bool:
    wanted = tuple(patterns)
    return any(one.fullmatch(line.strip()) for line in text.lines for one in wanted)


def wrong_tool(text: Text, wanted: str, known: Formats) -> InputError:
    """The refusal of a text that is no output of the wanted tool."""
    kernel = "no line is a message of a kernel that finds its devices"
    what = (
        kernel if wanted == "probe" else f"no line is a heading that {known.called(wanted)} prints"
    )
    found = tool_of(text, known)
    if found and found != wanted:
        return _refusal(
            text, f"{what}; it looks like {_a(found, known)}", f"try {known.command(found)}"
        )
    use = instead(text, wanted, known)
    return _refusal(text, what, f"try {use}" if use else "")


def _a(tool: str, known: Formats) -> str:
    return f"the output of {known.called(tool)}" if tool != "probe" else "the messages of a kernel"


def _refusal(text: Text, what: str, hint: str) -> InputError:
    return refusal(text.place(_first(text)), what, hint=hint)


def _first(text: Text) -> int:
    return next(_filled(text), 0)


def _filled(text: Text) -> Iterator[int]:
    return (n for n, line in enumerate(text.lines) if line.strip())
