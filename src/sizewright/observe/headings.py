"""Headings: lines of column names by which an output is known, and what their columns are about."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from sizewright.observe.text import Text

_OTHERS = "*"


class Heading(NamedTuple):
    """A line of column names: its place, its tokens, and what each column is about.

    `about` holds, for each column, what it is about and its name; a name column has None. Where
    `each` is set, every row is a report of its own. Columns from `short` on may be missing.
    """

    at: int
    width: int
    about: tuple[tuple[tuple[str, str], str] | None, ...]
    each: bool
    short: int
    skip: int
    fault: str
    format: Mapping[str, Any]


def headings(text: Text, wanted: Sequence[Mapping[str, Any]]) -> Iterator[Heading]:
    """Every line of a text that is the heading of one of the wanted outputs."""
    above = -1
    for index, line in enumerate(text.lines):
        tokens = line.lower().split()
        if not tokens:
            continue
        for one in wanted:
            names = text.lines[above].split() if above >= 0 else []
            found = _SHAPES[one["shape"]](tokens, names, one)
            if found is not None:
                yield found._replace(at=index, skip=above if one["shape"] == "across" else index)
                break
        above = index


def _across(tokens: list[str], names: list[str], one: Mapping[str, Any]) -> Heading | None:
    beside: Mapping[str, Any] = one["beside"]
    every = {c for group in (*beside.values(), one["disk"]) for columns in group for c in columns}
    if not names or not set(tokens) <= every:
        return None
    about: list[tuple[tuple[str, str], str] | None] = []
    for name in names:
        other = name.lower() in beside
        columns = _next(tokens[len(about) :], beside[name.lower()] if other else one["disk"])
        who = (name.lower(), "") if other else ("disks", name)
        about += [(who, column) for column in columns]
        if not columns:
            break
    if not about:
        return None
    fault = "" if len(about) == len(tokens) and columns else (
        f"the heading has {len(tokens)} columns, which do not fit the names above it")  # fmt: skip
    return _heading(len(tokens), about, one, each=True, fault=fault)


def _next(tokens: list[str], variants: Iterable[list[str]]) -> list[str]:
    return next((list(v) for v in variants if tokens[: len(v)] == list(v)), [])


def _down(tokens: list[str], _names: list[str], one: Mapping[str, Any]) -> Heading | None:
    named = [n for n, token in enumerate(tokens) if token in one["name"]]
    once = [token for token in tokens if token in one["first_line_only"]]
    known = {*one["columns"], *one["name"], *once}
    if len(named) != 1 or len(tokens) == 1 or not set(tokens) <= known:
        return None
    about: list[tuple[tuple[str, str], str] | None] = [
        None if n == named[0] else (("cpu" if token in once else "disks", ""), token)
        for n, token in enumerate(tokens)
    ]
    return _heading(len(tokens), about, one, each=False, short=len(tokens) - len(once))


def _rows(tokens: list[str], _names: list[str], one: Mapping[str, Any]) -> Heading | None:
    if not _like(tokens, one["heading"]):
        return None
    # A column that is named twice is the later one: system calls, then time in the system.
    about = [(("+".join(one["about"]), ""), token) for token in tokens]
    return _heading(len(tokens), about, one, each=True)


def _like(tokens: Sequence[str], heading: Sequence[str]) -> bool:
    if not heading:
        return not tokens
    if heading[0] == _OTHERS:
        rest = heading[1:]
        return any(_like(tokens[n:], rest) for n in range(len(tokens) + 1))
    return bool(tokens) and tokens[0] == heading[0] and _like(tokens[1:], heading[1:])


def _heading(
    width: int,
    about: Sequence[tuple[tuple[str, str], str] | None],
    one: Mapping[str, Any],
    each: bool,
    short: int = 0,
    fault: str = "",
) -> Heading:
    return Heading(0, width, tuple(about), each, short or width, 0, fault, one)


_SHAPES: Mapping[
    str, Callable[[list[str], list[str], Mapping[str, Any]], Heading | None]
] = {"across": _across, "down": _down, "rows": _rows}  # fmt: skip
