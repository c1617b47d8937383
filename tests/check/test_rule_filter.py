"""Which rules are asked where several guides speak."""

from __future__ import annotations

import pytest

from sizewright.api import load_engine
from sizewright.check.rule_filter import RuleFilter, filter_of_guide, filter_of_own_guide, qualified
from sizewright.errors import InputError

OTHER = "auspex-1992"
ASKED = RuleFilter(("VII", "sun-1992/VIII", f"{OTHER}/4.2-NFS"), (f"{OTHER}/6-availability", "IX"))


def test_a_rule_is_of_the_guide_that_it_names_or_of_the_boxs_own() -> None:
    assert filter_of_own_guide("sun-1992", ASKED, (OTHER,)) == RuleFilter(("VII", "VIII"), ("IX",))
    rule_set = load_engine(OTHER).judging("box")
    assert filter_of_guide(OTHER, ASKED, rule_set) == RuleFilter(("4.2-nfs",), ("6-availability",))


def test_a_severity_is_for_all_guides() -> None:
    asked = RuleFilter(severity="advice")
    assert filter_of_own_guide("sun-1992", asked, (OTHER,)) == asked
    assert filter_of_guide(OTHER, asked, load_engine(OTHER).judging("box")) == asked


def test_a_rule_of_a_guide_that_is_not_asked_stays_with_the_own() -> None:
    left = filter_of_own_guide("sun-1992", ASKED, ("compaq-1999",))
    assert left.only == ("VII", "VIII", f"{OTHER}/4.2-NFS")


def test_a_rule_that_the_other_guide_lacks_is_refused_with_the_nearest() -> None:
    with pytest.raises(InputError) as refused:
        filter_of_guide(OTHER, RuleFilter((f"{OTHER}/4.2-nsf",)), load_engine(OTHER).judging("box"))
    (fault,) = refused.value.faults
    assert fault.what == f"there is no rule '{OTHER}/4.2-nsf'"
    assert fault.expected.startswith(f"one of {OTHER}/1.2-clients-per-network, ")
    assert fault.hint == f"did you mean '{OTHER}/4.2-nfs'?"


def test_an_id_with_its_guide() -> None:
    assert qualified("auspex-1992", "4.2-nfs") == "auspex-1992/4.2-nfs"
