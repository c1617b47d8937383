"""Which guides tell enough of their machines to put one together."""

from __future__ import annotations

import pytest

from sizewright.errors import InputError
from sizewright.guide.loader import load_guide
from sizewright.planner.plan import check_plannable


@pytest.mark.parametrize("guide", ["sun-1992", "auspex-1992"])
def test_a_guide_with_machines_and_their_slots_plans(guide: str) -> None:
    check_plannable(load_guide(guide))


@pytest.mark.parametrize(
    ("guide", "told"),
    [
        ("compaq-1999", "has no machines"),
        ("solaris-x86-1998", "has no slot data"),
        ("sun-fire-2005", "has no slot data"),
    ],
)
def test_any_other_is_refused_whatever_is_asked(guide: str, told: str) -> None:
    with pytest.raises(InputError) as refused:
        check_plannable(load_guide(guide))
    (fault,) = refused.value.faults
    assert told in fault.what and "check" in fault.what
    assert fault.expected == "another guide for plan"
