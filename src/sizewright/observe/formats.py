"""The outputs that are known, as `formats.yaml` describes them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

from sizewright.documents import read_document

_FILE = "formats.yaml"


class Formats(NamedTuple):
    """The description of all outputs, as plain data."""

    data: Mapping[str, Any]

    def columns(self, tool: str) -> tuple[Mapping[str, Any], ...]:
        """The outputs in columns of one tool."""
        return tuple(one for one in self.data["formats"] if one["tool"] == tool)

    def sentences(self, tool: str) -> tuple[Mapping[str, Any], ...]:
        """The sentences of one tool that hold a figure."""
        return tuple(one for one in self.data["sentences"] if one["tool"] == tool)

    def called(self, tool: str) -> str:
        """A tool's own name."""
        return next(str(one["called"]) for one in self.data["tools"] if one["tool"] == tool)

    def command(self, tool: str) -> str:
        """The command that reads a tool's output."""
        return next(str(one["command"]) for one in self.data["tools"] if one["tool"] == tool)

    def titles(self) -> tuple[re.Pattern[str], ...]:
        """Lines above the columns that hold nothing."""
        return tuple(pattern(one) for one in self.data["titles"])


def formats() -> Formats:
    """Read the description that comes with the program."""
    return Formats(read_document(Path(__file__).with_name(_FILE)).data)


def pattern(text: str) -> re.Pattern[str]:
    """A pattern of the description, blind to case."""
    return re.compile(str(text), re.IGNORECASE | re.ASCII)


class Report(NamedTuple):
    """One report: where it begins, and its columns by what they are about."""

    at: int
    cells: Mapping[tuple[str, str], Mapping[str, float]]


class Reading(NamedTuple):
    """What was read: reports in their order, and what is to be said about them.

    `first_since_boot` tells that the first report is an average since the machine started.
    """

    reports: tuple[Report, ...]
    first_since_boot: bool
    notes: tuple[str, ...] = ()
