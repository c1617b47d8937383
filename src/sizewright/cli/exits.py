"""What the exit code says; the only place that gives one a number."""

from __future__ import annotations

from enum import IntEnum


class Exit(IntEnum):
    """The exit codes of every command."""

    #: Everything holds.
    HOLDS = 0
    #: A limit is broken, no plan was found, or a figure differs.
    BROKEN = 1
    #: The input or the usage is wrong; nothing was written. Or the output cannot be written.
    BAD_INPUT = 2
    #: The program itself is at fault.
    FAULT = 70
    #: Interrupted from the keyboard.
    INTERRUPTED = 130
