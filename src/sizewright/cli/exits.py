"""The exit codes, which have their numbers only here."""

from __future__ import annotations

from enum import IntEnum


class Exit(IntEnum):
    """The exit codes of every command."""

    #: Everything passes.
    PASS = 0
    #: A limit is not met, there is not enough data, no plan was found, or a value differs.
    FAIL = 1
    #: The input or the usage is wrong; nothing was written. Or the output cannot be written.
    BAD_INPUT = 2
    #: An error of the program itself.
    INTERNAL_ERROR = 70
    #: Interrupted from the keyboard.
    INTERRUPTED = 130
