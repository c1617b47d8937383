"""The commands that a page shows, with what it says that they print."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

LEFT_OUT = "…"


class Shown(NamedTuple):
    """A command in a page, and the lines that the page says it prints."""

    line: int
    command: str
    output: tuple[str, ...]


def shown_in(text: str) -> Iterator[Shown]:
    """Every `$ command` of the page's console blocks with the output below it."""
    in_block, at, command, output = False, 0, "", []
    for number, line in enumerate(text.splitlines(), start=1):
        if not in_block:
            in_block = line.strip() == "```console"
        elif line.startswith("$ ") or line.strip() == "```":
            if command:
                yield Shown(at, command, _trimmed(output))
            in_block = line.startswith("$ ")
            at, command, output = number, line[2:] if in_block else "", []
        elif command.endswith("\\"):
            command = command[:-1] + line.strip()
        else:
            output.append(line)
    if in_block:
        raise ValueError(f"the console block at line {at} is never closed")


def _trimmed(lines: list[str]) -> tuple[str, ...]:
    return tuple("\n".join(line.rstrip() for line in lines).strip("\n").splitlines())


def agrees(shown: tuple[str, ...], real: tuple[str, ...]) -> bool:
    """Whether the shown lines are the real ones; a line `…` stands for any lines left out."""
    parts: list[list[str]] = [[]]
    for line in shown:
        if line.strip() == LEFT_OUT:
            parts.append([])
        else:
            parts[-1].append(line)
    first, *rest = parts
    if not rest:
        return tuple(first) == real
    if list(real[: len(first)]) != first:
        return False
    at = len(first)
    *middle, last = rest
    for part in middle:
        while list(real[at : at + len(part)]) != part:
            at += 1
            if at + len(part) > len(real):
                return False
        at += len(part)
    return len(real) - len(last) >= at and list(real[len(real) - len(last) :]) == last
