"""The comparison of predictions finds what differs by more than rounding."""

from __future__ import annotations

from typing import Any

import pytest

from predictions.comparing import slip, worst
from predictions.entries import entries
from small import given

RANGE = {"low": 10, "high": 20, "unit": "%"}


@pytest.mark.parametrize(
    ("expected", "value", "agrees"),
    [
        ({"equals": 100}, given(100.9), True),
        ({"equals": 100}, given(101.1), False),
        ({"equals": 100}, given(100, 102), False),
        (RANGE, given(0.1, 0.2), True),
        (RANGE, given(0.15), False),
        (RANGE, given(0.1, 0.3), False),
        ({"low": 4, "high": 5}, 4.5, True),
        ({"low": 4, "high": 5}, 6, False),
        ({"at_most": 52}, given(40, 52), True),
        ({"at_most": 52}, given(40, 53), False),
        ({"at_least": 2}, 1, False),
        ({"verdict": "borderline"}, "tight", True),
        ({"verdict": "pass"}, "tight", False),
        ({"not": "fail"}, "violated", False),
        ({"equals": True}, False, False),
        ({"equals": 1}, (1, 2), False),
        ({"equals": 1}, (), False),
        ({"equals": 1}, None, False),
    ],
)
def test_more_than_rounding_is_a_difference(
    expected: dict[str, Any], value: Any, agrees: bool
) -> None:
    assert (slip(expected, value) == "") is agrees


@pytest.mark.parametrize(
    ("ratio", "now", "agrees"),
    [(2.0, 6, True), (2.0, 3, False), ("at least 1", 3, True), ("at least 1", 2.9, False),
     ("at most 1", 3.1, False)],
)  # fmt: skip
def test_a_ratio_is_of_what_was_before(ratio: Any, now: float, agrees: bool) -> None:
    assert (slip({"ratio": ratio}, given(now), given(3)) == "") is agrees


def test_the_worst_verdict_counts() -> None:
    assert worst(["holds", "tight"]) == "borderline"
    assert worst(["tight", "violated", "holds"]) == "fail"


def test_what_is_settled_keeps_the_prediction_and_says_why() -> None:
    values = {"equals", "low", "high", "verdict", "not", "at_least", "at_most", "ratio"}
    for entry in entries().values():
        for predicted in entry["expect"]:
            assert values & set(predicted), entry["id"]
            if "settled" in predicted:
                assert values & set(predicted["settled"]), entry["id"]
                assert predicted["settled"]["reason"], entry["id"]
