"""What an error says, and that it is safe to print."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sizewright.errors import (
    Diagnostic,
    InputError,
    Location,
    collect_errors,
    counted,
    did_you_mean,
    join_or,
    nearest,
    printable,
    refusal,
    shown,
)
from sizewright.limits import FAULTS_LISTED


def test_a_place_is_written_as_editors_read_it():
    assert str(Location("workload.yaml", 14, 7)) == "workload.yaml:14:7"
    assert str(Location("workload.yaml", 14)) == "workload.yaml:14"
    assert str(Location("workload.yaml")) == "workload.yaml"


def test_a_fault_needs_one_line_or_two():
    place = Location("w.yaml", 1, 2)
    assert Diagnostic(place, "is wrong").text() == "w.yaml:1:2: is wrong"
    assert Diagnostic(place, "is wrong", "right").text() == "w.yaml:1:2: is wrong\n  expected right"
    assert (
        Diagnostic(place, "is wrong", "", "try again").text() == "w.yaml:1:2: is wrong\n  try again"
    )
    both = Diagnostic(place, "is wrong", "right", "try again").text()
    assert both == "w.yaml:1:2: is wrong\n  expected right; try again"


def test_faults_stand_in_the_order_of_their_places():
    places = [
        Location("b"),
        Location("a", 10, 1),
        Location("a", 9, 2),
        Location("a", 9, 1),
        Location("a"),
    ]
    faults = InputError(Diagnostic(place, "is wrong") for place in places)
    assert [str(fault.place) for fault in faults.faults] == ["a", "a:9:1", "a:9:2", "a:10:1", "b"]
    assert str(faults) == faults.text()
    assert faults.text().count("is wrong") == len(places)


def test_a_flood_of_faults_is_counted_not_listed():
    faults = InputError(
        Diagnostic(Location("a", n + 1), "is wrong") for n in range(FAULTS_LISTED + 7)
    )
    lines = faults.text().splitlines()
    assert len(lines) == FAULTS_LISTED + 1
    assert lines[-1] == "… and 7 more"
    assert len(faults.faults) == FAULTS_LISTED + 7


def test_the_nearest_name_is_found_in_any_case_or_none():
    assert nearest("Etherent", ["token-ring", "ethernet"]) == "ethernet"
    assert nearest("ETHERNET", ["token-ring", "ethernet"]) == "ethernet"
    assert nearest("fddi", ["token-ring", "ethernet"]) == ""
    assert nearest("x" * 10_000, ["x" * 10_000]) == ""
    assert did_you_mean("etherent", ["ethernet"]) == "did you mean 'ethernet'?"
    assert did_you_mean("fddi", []) == ""


def test_values_are_shown_briefly():
    assert shown(None) == "nothing"
    assert shown(True) == "true"
    assert shown(False) == "false"
    assert shown({"a": 1}) == "a mapping"
    assert shown([1]) == "a list"
    assert shown(2.5) == "2.5"
    assert shown("text") == "'text'"
    assert len(shown("x" * 10_000)) < 100


def test_names_are_listed_as_in_a_sentence():
    assert join_or([]) == "none"
    assert join_or(["a"]) == "a"
    assert join_or(["a", "b"]) == "a or b"
    assert join_or(["a", "b", "c"]) == "a, b or c"
    assert join_or(str(n) for n in range(1000)).endswith(", …")


@given(st.text() | st.text(alphabet=st.characters(categories=["Cs", "Cc", "Zl"])))
def test_whatever_a_file_holds_a_message_prints_on_its_lines(text: str):
    assert printable(text).isprintable()
    lines = Diagnostic(Location(text, 1, 1), text, text, text).text().split("\n")
    assert len(lines) == (2 if text else 1)
    assert all(line.isprintable() for line in lines)
    "\n".join(lines).encode("utf-8")


def _refuse_odd(number: int) -> int:
    if number % 2:
        raise refusal(Location("a.yaml", number), f"{number} is odd")
    return number * 10


def test_the_errors_of_all_steps_are_raised_together():
    with pytest.raises(InputError) as caught, collect_errors() as errors:
        with errors.catch():
            _refuse_odd(3)
        errors.append(Diagnostic(Location("a.yaml", 2), "is wrong"))
        assert errors.for_each(_refuse_odd, [2, 5, 4]) == (20, 40)
        _refuse_odd(7)
    assert [fault.place.line for fault in caught.value.faults] == [2, 3, 5, 7]


def test_nothing_is_raised_if_all_steps_pass():
    with collect_errors() as errors:
        with errors.catch():
            first = _refuse_odd(2)
        rest = errors.for_each(_refuse_odd, [4, 6])
    assert (first, rest) == (20, (40, 60))


def test_other_exceptions_are_not_collected():
    with pytest.raises(ZeroDivisionError), collect_errors() as errors:
        with errors.catch():
            _refuse_odd(3)
        with errors.catch():
            _ = 1 / 0


@pytest.mark.parametrize(
    ("number", "words", "text"),
    [
        (0, ("rule",), "0 rules"), (1, ("rule",), "1 rule"), (2, ("rule",), "2 rules"),
        (1, ("value is", "values are"), "1 value is"),
        (3, ("value is", "values are"), "3 values are"),
    ],
)  # fmt: skip
def test_a_count_has_its_word_in_the_right_number(number, words, text):
    assert counted(number, *words) == text


def test_an_error_that_two_steps_find_is_reported_once() -> None:
    twice = [Diagnostic(Location("a.yaml", 1, 2), "is wrong") for _ in range(2)]
    assert InputError(twice).text() == "a.yaml:1:2: is wrong"
