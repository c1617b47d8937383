"""Which facts mean the same in another guide's words."""

from __future__ import annotations

from pathlib import Path

import pytest

from sizewright.check.cross_guide import known_kinds, shared_reports
from sizewright.facts.derive import Facts
from sizewright.guide.loader import load_guide
from sizewright.guide.model import Guide
from two_guides import OTHER, OWN, REPORTED, case_1, checked, engine, overlay


@pytest.fixture(scope="module")
def both(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return overlay(tmp_path_factory.mktemp("overlays") / "both")


@pytest.fixture(scope="module")
def facts(both: Path) -> Facts:
    return checked(case_1(REPORTED), both).judged.facts


def test_a_report_counts_where_name_kind_unit_and_value_are_the_others_too(
    both: Path, facts: Facts
) -> None:
    own, other = engine(OWN, both).guide, engine(OTHER, both).guide
    shared = shared_reports(facts, own, other).reported
    assert set(shared.values) == {"queue", "shift", "patches"}
    assert shared.queue.high == 40
    assert (shared.shift, shared.patches) == ("ia", ("a", "b"))
    assert shared.id == facts.reported.id
    assert shared.pace is None and shared.there is None


def test_nothing_but_reports_is_kept_back(both: Path, facts: Facts) -> None:
    own, other = engine(OWN, both).guide, engine(OTHER, both).guide
    shared = shared_reports(facts, own, other)
    assert shared._replace(reported=facts.reported) == facts


def test_a_guide_that_asks_for_no_report_gets_none(facts: Facts, both: Path) -> None:
    own = engine(OWN, both).guide
    assert shared_reports(facts, own, load_guide(OWN)).reported.values == {}


@pytest.mark.parametrize(
    ("guide", "kinds"),
    [
        (OWN, ["scsi-synchronous", "scsi-fast"]),
        # Has scsi-fast, and a kind of its own in place of the other.
        (OTHER, [None, "scsi-fast"]),
        # Has no channels at all.
        ("sun-fire-2005", [None, None]),
    ],
)
def test_a_kind_that_the_other_guide_lacks_is_unknown_to_it(
    facts: Facts, guide: str, kinds: list[str | None]
) -> None:
    first, second = facts.channels
    drawn = facts._replace(channels=(first, second._replace(kind="scsi-fast")))
    known = known_kinds(drawn, _guide(guide))
    assert [channel.kind for channel in known.channels] == kinds
    assert [c._replace(kind=None) for c in known.channels] == [
        c._replace(kind=None) for c in drawn.channels
    ]
    assert known._replace(channels=drawn.channels) == drawn


def _guide(name: str) -> Guide:
    return load_guide(name)
