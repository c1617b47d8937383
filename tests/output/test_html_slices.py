"""A drawing in slices: all of it, each part once, and nothing higher than a page of paper."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise

import pytest

from sizewright.output.html.arrange import Box, Drawing, slice_drawing
from sizewright.output.html.page import make_drawing
from sizewright.output.layout import PAPER

from .conftest import CASES, Reporter
from .test_drawing import every_box, loaded

# A sheet of A4 or of letter paper, without its margins, is higher than this many of its widths.
SHEET = 1.3


def _check(whole: Drawing) -> None:
    slices = slice_drawing(whole)
    assert (slices[0].top, slices[-1].top + slices[-1].height) == (0, whole.height)
    assert all(one.top + one.height == other.top for one, other in pairwise(slices))
    assert all(0 < each.height < SHEET * whole.width for each in slices)
    parts = {box.key: box for box in every_box(whole.boxes)}
    seen = [(each, box) for each in slices for box in every_box(each.boxes)]
    for found, box in seen:
        _is_shown_as_it_was(found, box, parts[box.key])
    leaves = Counter(box.key for _, box in seen if not parts[box.key].children)
    assert leaves == Counter(key for key, box in parts.items() if not box.children)
    lines = Counter((box.key, line) for _, box in seen for line in box.lines)
    assert lines == Counter((box.key, line) for box in every_box(whole.boxes) for line in box.lines)
    gauges = Counter(box.key for _, box in seen if box.share is not None)
    assert gauges == Counter(box.key for box in every_box(whole.boxes) if box.share is not None)


def _is_shown_as_it_was(found: Drawing, box: Box, was: Box) -> None:
    """A part is whole; of a group there is as much as is seen, its border only where it ends."""
    bottom = found.top + found.height
    if not was.children:
        assert box == was._replace(title="")
        assert found.top < box.y and box.y + box.h < bottom
        return
    assert (box.x, box.w, box.level) == (was.x, was.w, was.level)
    assert box.y == was.y if was.y > found.top else box.y < found.top
    end = was.y + was.h
    assert box.y + box.h == pytest.approx(end) if end < bottom else box.y + box.h > bottom


@pytest.mark.parametrize("disks", [1, 7, 60])
def test_any_number_of_disks(disks: int) -> None:
    _check(make_drawing(loaded(disks), PAPER))


@pytest.mark.parametrize("case", CASES)
def test_the_case_studies(reported: Reporter, case: str) -> None:
    whole = make_drawing(reported(case), PAPER)
    _check(whole)
    assert len(slice_drawing(whole)) > 3
