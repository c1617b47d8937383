"""Kernel messages recognised, line by line, by the patterns of a guide's table."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from sizewright.errors import Diagnostic, InputError, Location, refusal
from sizewright.guide.model import Guide
from sizewright.observe.patterns import PatternError, compiled
from sizewright.observe.text import Text

MESSAGES = "probe-messages"

# What a message makes, and the named groups that its pattern must have.
MAKES: Mapping[str, tuple[str, ...]] = {
    "prefix": ("message",),
    "boot": ("release", "kernel"),
    "machine": ("machine",),
    "module": ("unit",),
    "processor": ("unit",),
    "memory": ("kb",),
    "builtin": ("unit", "bus", "slot"),
    "in_slot": ("unit", "bus", "slot"),
    "rate": ("adapter", "target", "mb_per_s"),
    "device": ("unit", "adapter", "target"),
    "label": ("unit", "label", "cylinders", "heads", "sectors"),
    "root": ("unit", "partition"),
    "swap": ("unit", "partition", "kb"),
    "multiprocessor": (),
    "nothing": (),
}


class Message(NamedTuple):
    """A line that was understood: what it makes, and the words it gives."""

    line: int
    makes: str
    words: Mapping[str, str]


class Recognised(NamedTuple):
    """The messages of one start of the machine, and the lines that no pattern knows."""

    messages: tuple[Message, ...]
    unknown: tuple[tuple[int, str], ...]
    starts: int

    def of(self, makes: str) -> Iterator[Message]:
        """The messages that make one kind of thing, in the order printed."""
        return (message for message in self.messages if message.makes == makes)


Patterns = tuple[tuple[str, re.Pattern[str]], ...]


def patterns_of(guide: Guide) -> Patterns:
    """The guide's patterns in their order; raises InputFaults for those that cannot be taken."""
    if MESSAGES not in guide.tables:
        what = f"the guide has no table '{MESSAGES}'"
        raise refusal(Location(f"guide {guide.id}"), what)
    faults, found = [], []
    for row in guide.table(MESSAGES):
        place = Location(f"table {MESSAGES}, {row.id}")
        makes = row.text("makes")
        if makes not in MAKES:
            what, expected = f"makes is '{makes}'", "one of " + ", ".join(MAKES)
            faults.append(Diagnostic(place, what, expected))
            continue
        try:
            pattern = compiled(row.text("pattern"))
        except PatternError as error:
            faults.append(Diagnostic(place, f"the pattern cannot be used: {error}"))
            continue
        lacking = [name for name in MAKES[makes] if name not in pattern.groupindex]
        if lacking:
            what = f"the pattern has no group named {' and none named '.join(lacking)}"
            faults.append(Diagnostic(place, what, f"(?P<{lacking[0]}>…)"))
        found.append((makes, pattern))
    if faults:
        raise InputError(faults)
    return tuple(found)


def recognise(text: Text, patterns: Patterns) -> Recognised:
    """Read kernel messages; of several starts of the machine in one file, the last."""
    messages: list[Message] = []
    unknown: list[tuple[int, str]] = []
    starts = 0
    for number, line in enumerate(text.lines, start=1):
        if not line.strip():
            continue
        found = _message(number, line.strip(), patterns)
        if found is None:
            unknown.append((number, line.strip()))
            continue
        if found.makes == "boot":
            starts += 1
            if starts > 1:
                messages.clear()
                unknown.clear()
        messages.append(found)
    return Recognised(tuple(messages), tuple(unknown), starts)


def _message(number: int, line: str, patterns: Patterns) -> Message | None:
    for makes, pattern in patterns:
        found = pattern.fullmatch(line)
        if found is None:
            continue
        if makes == "prefix":
            # What a log puts before each message is taken off once, not again and again.
            rest = tuple(entry for entry in patterns if entry[0] != "prefix")
            return _message(number, found["message"].strip(), rest)
        return Message(number, makes, {k: v for k, v in found.groupdict().items() if v})
    return None
