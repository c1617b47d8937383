"""Checked boxes as text and as a part of the JSON contract; decides nothing."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from sizewright.cases.boxmodel import BoxOutcome, BoxResult


def box_lines(outcome: BoxOutcome) -> Iterator[str]:
    """The counts of a box, then what is not as explained and what its file waives."""
    name = Path(outcome.box.file).stem
    counted = f"{outcome.explained} finding{'' if outcome.explained == 1 else 's'} as expected"
    yield f"{name}: {counted}, {outcome.differs} differ"
    for result in outcome.results:
        if not result.agrees:
            yield f"DIFFERS  {name}: {_difference(result)}"
        elif result.reason:
            yield f"waived  {name}: rule {result.rule} on {result.subject}. {result.reason}"


def _difference(result: BoxResult) -> str:
    what = f"rule {result.rule} on {result.subject}"
    if not result.expected:
        return f"{what}: unexpected {result.found}. {result.message}"
    if not result.found:
        return f"{what}: expected {result.expected}, but the rule has no such subject."
    told = f" {result.message}" if result.message else ""
    return f"{what}: expected {result.expected}, found {_word(result.found)}.{told}"


def _word(verdict: str) -> str:
    return verdict.replace("_", " ")


def box_data(outcome: BoxOutcome) -> dict[str, Any]:
    """One box of the contract `sizewright.test/1`."""
    return {
        "case": outcome.box.case,
        "box": outcome.box.file,
        "explained": outcome.explained,
        "differs": outcome.differs,
        "findings": [
            {
                "rule": result.rule,
                "subject": result.subject,
                "expected": result.expected,
                "found": result.found,
                "agrees": result.agrees,
                "why": result.why,
                "message": result.message,
                "reason": result.reason,
            }
            for result in outcome.results
        ],
    }
