"""Sums since boot, printed as sentences: a number, and what it counts."""

from __future__ import annotations

from sizewright.errors import Diagnostic, InputError
from sizewright.observe.columns import number_of
from sizewright.observe.formats import Formats, pattern
from sizewright.observe.reports import Observation
from sizewright.observe.text import Text
from sizewright.observe.whose import instead
from sizewright.observe.yamltext import tidy
from sizewright.units import PERCENT


def read_sentences(text: Text, tool: str, known: Formats) -> Observation | None:
    """The figures of an output in sentences; None where it is none.

    Raises InputFaults where the sentence that holds a figure is missing or cannot be true.
    """
    observed: dict[str, dict[str, float]] = {}
    faults, seen = [], False
    for one in known.sentences(tool):
        wanted, also = pattern(one["pattern"]), pattern(one["also"])
        subject, name = one["into"]
        for index, line in enumerate(text.lines):
            found = wanted.fullmatch(line.rstrip())
            seen = seen or found is not None or also.fullmatch(line.rstrip()) is not None
            number = number_of(found["figure"]) if found else None
            if number is not None and number > PERCENT:
                what = f"a share of {number:g} % is more than all"
                faults.append(Diagnostic(text.place(index), what, "0 to 100"))
            elif number is not None:
                observed.setdefault(subject, {})[name] = tidy(number)
    if not seen:
        return None
    if not observed and not faults:
        use = instead(text, tool, known)
        what = "no sentence of this output holds a figure of a box file"
        expected = "total name lookups (cache hits …%)"
        hint = f"try {use}" if use else ""
        faults.append(Diagnostic(text.place(0), what, expected, hint))
    if faults:
        raise InputError(faults)
    note = "counted since boot: quiet hours weigh as much as busy ones"
    return Observation(dict(observed), (note,))
