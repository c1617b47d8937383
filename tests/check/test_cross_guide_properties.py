"""What must hold of other guides' opinions, whatever the box."""

from __future__ import annotations

import pytest
from hypothesis import given

from generated_boxes import boxes, checked
from generated_workloads import ENGINE, Plain
from settled import settled
from sizewright.api import check_against, load_engine
from sizewright.check.check import Check
from sizewright.guide.loader import guide_ids
from sizewright.rules.rule import VERDICTS
from small import told

pytestmark = pytest.mark.no_cover

OTHERS = [load_engine(guide) for guide in guide_ids() if guide != ENGINE.guide.id]


@settled(25)
@given(boxes())
def test_every_guide_has_an_opinion_and_changes_nothing(plain: Plain) -> None:
    own = checked(plain)
    for other in OTHERS:
        found = check_against(own, other)
        assert {f.guide for f in found.findings} <= {other.guide.id}
        assert {f.verdict for f in found.findings} <= set(VERDICTS) - {"waived"}
        subjects = {f.subject for f in found.findings}
        assert all(subject.startswith(own.judged.system.id) for subject in subjects)
    assert _words(own) == _words(checked(plain))


def _words(found: Check) -> tuple[object, ...]:
    """Findings and budgets, figures as they are printed."""
    return told(found.findings), str(found.judged.budgets)


@settled(25)
@given(boxes())
def test_a_guide_that_reads_its_own_facts_finds_the_same(plain: Plain) -> None:
    plain = {**plain, "policy": {}}
    own = checked(plain)
    of_guide = {rule.id for rule in ENGINE.rule_set.rules if not rule.own}
    found = tuple(f for f in own.findings if f.rule in of_guide)
    assert told(check_against(own, ENGINE).findings) == told(found)
