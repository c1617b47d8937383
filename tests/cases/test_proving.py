"""What forces a difference is tried: the guide's choice breaks the rule, or is larger."""

from __future__ import annotations

import pytest

from cases.copies import GUIDE, Copy
from sizewright.cases.expected import Proof
from sizewright.cases.reading import Result
from sizewright.cases.trials import withdraw_rows
from sizewright.errors import InputError
from sizewright.guide.loader import load_guide

EXPECTED = "expected.yaml"
INVENTORY = "inventory.yaml"

# Ethernet interfaces of case study 1: two, as printed. Here the guide is said to have three, so
# that the two of the plan differ.
BEFORE = """    path: count(facts.networks[medium=ethernet])
"""
AFTER = """    path: count(facts.networks[medium=ethernet])
    differs:
      right: "1 + 1"
      inputs: one network of the ECAD group, one of the administration
      forced_by: {forced_by}
      reason: said
      proof:
        workload: workload.yaml
        {tried}
"""


def tried(one: Copy, forced_by: str, change: str) -> Result:
    """The figure where a proof sets or withdraws something."""
    one.change(EXPECTED, BEFORE, AFTER.format(forced_by=forced_by, tried=change))
    (printed,) = (
        text for text in (one.folder / INVENTORY).read_text(encoding="utf-8").split("  - id: ")
        if text.startswith("ethernet-interfaces\n")
    )  # fmt: skip
    other = printed.replace("printed: 2", "printed: 3")
    without_right = "".join(
        line for line in other.splitlines(keepends=True) if not line.startswith("    right:")
    )
    one.change(INVENTORY, printed, without_right)
    return one.results(["ethernet-interfaces"])["ethernet-interfaces"]


def test_a_rule_that_the_guides_choice_breaks_forces_a_difference(one: Copy) -> None:
    # With 400 clients of 30 op/s a sixth of the ECAD group alone asks for 2000 op/s and more.
    result = tried(one, "1.1.1-sustained", "set: {'services[ecad].clients': 400}")
    assert (result.verdict, result.fails) == ("differs", False)
    assert result.forced_by == "1.1.1-sustained"


def test_a_rule_that_it_keeps_forces_nothing(one: Copy) -> None:
    result = tried(one, "2.4.4-space", "set: {'services[ecad].clients': 400}")
    assert result.fails
    assert result.reason == "the guide's choice does not break rule 2.4.4-space"


def test_a_larger_configuration_that_holds_is_not_needed(one: Copy) -> None:
    result = tried(one, "smaller", "set: {wishes.platforms: [sparcserver-670mp]}")
    assert (result.fails, result.forced_by) == (False, "smaller")


def test_the_same_configuration_is_not_larger(one: Copy) -> None:
    result = tried(one, "smaller", "set: {wishes.platforms: [sparcstation-2]}")
    assert result.fails
    assert result.reason == "the guide's choice is not larger"


def test_what_does_not_hold_is_forbidden_by_a_rule(one: Copy) -> None:
    result = tried(one, "smaller", "set: {'services[ecad].clients': 400}")
    assert result.fails
    assert result.reason == "the guide's choice does not meet every limit, so a rule forbids it"


def test_a_row_that_is_withdrawn_leaves_a_larger_one(one: Copy) -> None:
    result = tried(one, "smaller", "withdraw: {disks: [424mb-scsi]}")
    assert (result.fails, result.forced_by) == (False, "smaller")


def test_a_difference_that_is_not_there_is_no_difference(one: Copy) -> None:
    one.change(
        EXPECTED, BEFORE,
        AFTER.format(forced_by="smaller", tried="set: {wishes.platforms: [sparcserver-670mp]}"),
    )  # fmt: skip
    result = one.results(["ethernet-interfaces"])["ethernet-interfaces"]
    assert result.fails
    assert result.reason == "listed as a difference, but the plan has what is printed"


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ("set: {'services[nobody].clients': 1}", "'services[nobody].clients' leads nowhere"),
        ("set: {'services.ecad.clients': 1}", "'services.ecad.clients' leads nowhere"),
        ("set: {'services[ecad': 1}", "leads nowhere"),
        ("set: {'services[ecad].cleints': 1}", "did you mean 'clients'"),
        ("withdraw: {disks: [none]}", "there is no row 'none' in table disks"),
        ("withdraw: {drives: [none]}", "there is no row 'none' in table drives"),
    ],
)
def test_a_proof_that_cannot_be_tried_says_why(one: Copy, change: str, message: str) -> None:
    with pytest.raises(InputError) as caught:
        tried(one, "smaller", change)
    assert message in caught.value.text()
    assert ".yaml:" in caught.value.text()


def test_a_guide_without_a_row_has_every_other_table() -> None:
    """A guide that was kept between runs makes its tables when they are first asked for."""
    load_guide(GUIDE)
    proof = Proof(workload="workload.yaml", withdraw={"disks": ("424mb-scsi",)})
    found = withdraw_rows(load_guide(GUIDE), proof)
    assert not found.row("disks", "424mb-scsi").flag("orderable")
    assert found.row("platforms", "sparcstation-2").flag("desktop")
