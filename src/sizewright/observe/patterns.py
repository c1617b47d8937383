r"""Regular expressions that a table brings along, held to those that match in linear time.

An overlay is untrusted input. A pattern that cannot give back what it has taken cannot try the
same line in exponentially many ways, so every repetition has to be possessive (``\w++``) and every
choice atomic (``(?>a|b)``); a repeated group, a backreference and a look around are refused.
"""

from __future__ import annotations

import re

from sizewright.limits import CONDITION_CHARACTERS

_GROUP = re.compile(r"\((?:\?P<[A-Za-z_]\w*>|\?:|\?>)")
_CLASS = re.compile(r"\[\^?\]?(?:\\.|[^\]\\])*\]")
_COUNT = re.compile(r"\{(\d+)(,\d*)?\}")
_KINDS = "dDsSwW"
_ATOMIC = "(?>"


class PatternError(ValueError):
    """A pattern that is not taken, and why."""


def compiled(pattern: str) -> re.Pattern[str]:
    """Compile a pattern; raises PatternError where it could take more than linear time."""
    if len(pattern) > CONDITION_CHARACTERS:
        raise PatternError(f"it is longer than {CONDITION_CHARACTERS} characters")
    _check(pattern)
    try:
        return re.compile(pattern, re.ASCII)
    except (re.error, OverflowError, RecursionError) as error:
        raise PatternError(f"it is no regular expression: {error}") from None


def _check(pattern: str) -> None:
    at = 0
    groups: list[str] = []
    # What a repetition would repeat: one character, a group, or nothing.
    before = ""
    while at < len(pattern):
        sign = pattern[at]
        if sign in "*+?{":
            at = _repetition(pattern, at, before)
            before = ""
            continue
        step, before = 1, "one"
        if sign == "\\":
            step = _escape(pattern, at)
        elif sign == "[":
            found = _CLASS.match(pattern, at)
            if not found:
                raise PatternError("a [ is not closed")
            step = len(found.group())
        elif sign == "(":
            found = _GROUP.match(pattern, at)
            if not found:
                raise PatternError("a group is (?P<name>…), (?:…) or (?>…), and nothing else")
            groups.append(found.group())
            step, before = len(found.group()), ""
        elif sign == ")":
            if not groups:
                raise PatternError("a ) is not opened")
            groups.pop()
            before = "group"
        elif sign == "|":
            if not groups or groups[-1] != _ATOMIC:
                raise PatternError("a choice (|) is allowed in (?>…) only")
            before = ""
        at += step


def _escape(pattern: str, at: int) -> int:
    after = pattern[at + 1 : at + 2]
    if not after:
        raise PatternError("it ends in a \\")
    if after.isalnum() and after not in _KINDS:
        kinds = ", ".join(f"\\{kind}" for kind in _KINDS)
        raise PatternError(f"\\{after} is not allowed; of letters and digits, only {kinds}")
    return 2


def _repetition(pattern: str, at: int, before: str) -> int:
    if before != "one":
        what = "a group" if before == "group" else "nothing, or a repetition,"
        raise PatternError(f"{what} is repeated; repeat single characters only")
    end = at + 1
    if pattern[at] == "{":
        found = _COUNT.match(pattern, at)
        if not found:
            raise PatternError("a { is written \\{ where it is meant as itself")
        end = found.end()
        if found.group(2) is None:
            return end
    if pattern[end : end + 1] != "+":
        taken = pattern[at:end]
        raise PatternError(f"the repetition {taken} can give back; write it {taken}+")
    return end + 1
