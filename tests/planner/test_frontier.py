"""The options of one choice: what is left of them, and in which order."""

from __future__ import annotations

import pytest

from sizewright.evaluate.policy import Cost
from sizewright.planner.choice import NOTHING, PartialSolution, Step, heavier, raised
from sizewright.planner.frontier import Decision, Least, Weighed

FEW = Step("memory", 1, devices=1, name="few")
MANY = Step("memory", 2, devices=2, name="a name that comes first")
ADVISED = Step("memory", 3, Cost(advice=1), name="advised")


def names(dimension: Decision, choice: PartialSolution | None = None) -> list[str]:
    return [each.name for each in dimension.of(choice or PartialSolution())]


def test_options_are_tried_lightest_first() -> None:
    found = Decision([ADVISED, MANY, FEW])
    assert names(found) == ["few", "a name that comes first", "advised"]
    assert found.least == FEW.weight()


def test_options_of_a_choice_keep_their_order() -> None:
    def options(_choice: PartialSolution) -> list[Weighed]:
        return [Weighed(s.weight(), s.name, s, s.weight()) for s in (MANY, FEW)]

    assert names(Decision(options=options)) == ["a name that comes first", "few"]
    kept = Decision(options=options, allowed=lambda _choice: lambda step: step is FEW)
    assert names(kept) == ["few"]


def test_the_least_of_choices_is_known_whole_and_in_each_part() -> None:
    """The lightest option has no advice and two devices; another has none, against advice."""
    found = Decision([ADVISED, MANY])
    least = Least(found.least, found.least_parts)
    assert found.least == MANY.weight()
    assert found.least_parts == Step("", None).weight()
    assert least.bound(NOTHING) == MANY.weight()
    # No lighter than five boards, so with five boards at least, and then with any devices.
    five = Step("", None, boards=("",) * 5).weight()
    assert least.bound(NOTHING, five) == five
    assert least.bound(FEW.weight(), five) == heavier(five, FEW.weight())


def test_a_bound_is_raised_in_the_first_part_that_needs_more() -> None:
    assert raised((0, 2, 5, 9), (0, 1, 7, 3)) == (0, 2, 7, 3)
    assert raised((0, 2, 5, 9), (1, 0, 0, 0)) == (1, 0, 0, 0)
    assert raised((0, 2, 5, 9), (0, 2, 5, 1)) == (0, 2, 5, 9)


def test_options_are_sorted_by_what_they_add_to_the_choices_before() -> None:
    def added(choice: PartialSolution, step: Step) -> Step:
        return step._replace(devices=0) if step is MANY and choice.gathering else step

    found = Decision([FEW, MANY], added=added)
    assert names(found) == ["few", "a name that comes first"]
    assert names(found, PartialSolution(gathering="enfs")) == ["a name that comes first", "few"]
    assert found.least == FEW.weight()
    kept = Decision([FEW, MANY], lambda _choice: lambda step: step is FEW, added=added)
    assert names(kept, PartialSolution(gathering="enfs")) == ["few"]


def test_what_is_not_allowed_is_left_out() -> None:
    found = Decision([FEW, MANY], lambda choice: lambda step: bool(choice.gathering) or step is FEW)
    assert names(found) == ["few"]
    assert names(found, PartialSolution(gathering="enfs")) == ["few", "a name that comes first"]


@pytest.mark.parametrize(
    ("dimension", "none"),
    [
        (Decision(), True), (Decision([FEW]), False),
        # Whether any is allowed hangs on what is chosen before.
        (Decision([FEW], lambda _choice: lambda _step: False), False),
        (Decision(options=lambda _choice: ()), False),
    ],
)  # fmt: skip
def test_there_is_none_where_no_earlier_choice_brings_one(dimension: Decision, none: bool) -> None:
    assert dimension.none is none
