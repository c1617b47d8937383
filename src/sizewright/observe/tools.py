"""The output of one tool, in whichever form, as the figures of a box file."""

from __future__ import annotations

from sizewright.errors import collect_errors
from sizewright.observe.columns import read_columns
from sizewright.observe.counters import counted_between, mix_of, read_counters
from sizewright.observe.formats import Formats
from sizewright.observe.jsonreports import read_json
from sizewright.observe.reports import Observation, observation
from sizewright.observe.sentences import read_sentences
from sizewright.observe.text import Text, is_json


def observed_in(
    text: Text, tool: str, known: Formats, keep_first: bool = False, page_kb: float | None = None
) -> Observation:
    """Read reports, in columns, in sentences or as JSON; raises InputFaults."""
    if is_json(text):
        return observation(read_json(text, tool, known), known, keep_first, page_kb)
    said = read_sentences(text, tool, known)
    if said is not None:
        return said
    return observation(read_columns(text, tool, known), known, keep_first, page_kb)


def counted_in(
    text: Text, later: Text | None, known: Formats, side: str, seconds: float | None
) -> Observation:
    """Read one output of counters, or what a later one counts beyond it; raises InputFaults."""
    tool = str(known.data["counters"]["tool"])
    if later is None:
        if is_json(text):
            return observation(read_json(text, tool, known), known)
        return mix_of(read_counters(text, known), side, seconds, False, text, known)
    with collect_errors() as errors:
        read = errors.for_each(lambda each: read_counters(each, known), (text, later))
    between = counted_between(read[0], read[1], later, text)
    return mix_of(between, side, seconds, True, later, known)
