"""What must fail: a wrong figure, a wrong excuse, a fixture that says what is not so."""

from __future__ import annotations

import pytest

from cases.copies import Copy
from sizewright.errors import InputError

EXPECTED = "expected.yaml"
INVENTORY = "inventory.yaml"


@pytest.mark.parametrize(
    ("before", "after", "failing"),
    [
        ("printed: 208", "printed: 209", "total-load"),
        ("printed: [120, 150]", "printed: [120, 151]", "ecad-load"),
        ("printed: [12, 15]", "printed: [12, 16]", "pc-email-load"),
        ("printed: sparcstation-2", "printed: sparcserver-630mp", "platform"),
        ("printed: 3\n", "printed: 4\n", "second-adapter-slot"),
        ("printed: 50", "printed: 42", "technical-share-of-plain-interface"),
        ("printed: 32", "printed: 33", "memory-base"),
    ],
)
def test_a_wrong_printed_value_fails(one: Copy, before: str, after: str, failing: str) -> None:
    assert failing in one.change(INVENTORY, before, after).fails([failing])


@pytest.mark.parametrize(
    ("file", "before", "after", "failing", "reason"),
    [
        (INVENTORY, 'right: "150 + 20"', 'right: "150 + 10"', "technical-load",
         "called sound, but its own inputs give 160 for the printed 170"),
        (INVENTORY, "printed: 220", "printed: 208", "total-load-rounded",
         "called unsound, but its own inputs give 208 for the printed 208"),
        (EXPECTED, 'right: "100 * 170 / 290"', 'right: "100 * 180 / 290"',
         "technical-share-of-offload-interface", "58.62, not 62.07"),
        (EXPECTED, 'right: "100 * 170 / 290"', 'right: "60"',
         "technical-share-of-offload-interface", "what is printed is right"),
        (EXPECTED, 'right: "(6 + 3 - 1) / 2"', 'right: "(6 + 5 - 1) / 2"',
         "devices-on-sbus-adapter", "4, not 5"),
        (EXPECTED, "forced_by: 2.11.1-halves-apart", "forced_by: XIII", "devices-on-sbus-adapter",
         "the guide's choice does not break rule XIII"),
        (EXPECTED, "forced_by: 2.11.1-halves-apart", "forced_by: XCIX", "devices-on-sbus-adapter",
         "the guide's choice does not break rule XCIX"),
        (EXPECTED, "forced_by: 2.11.1-halves-apart", "forced_by: smaller",
         "devices-on-sbus-adapter", "the guide's choice is not larger"),
        (EXPECTED, "of them, and the rest is spread.\n      proof: {box: box.yaml}\n",
         "of them.\n", "devices-on-sbus-adapter",
         "nothing proves that 2.11.1-halves-apart forces it"),
        (INVENTORY, "printed: 6\n", "printed: 4\n", "devices-on-sbus-adapter",
         "called sound, but"),
        (EXPECTED, "decision: nfs", "decision: network/technical", "limiting-resource",
         "'nfs', not 'network/technical'"),
        (EXPECTED, "bound: at_most", "bound: at_least", "technical-share-of-plain-interface",
         "called sound, but"),
        (EXPECTED, "path: system.software[enfs]", "path: system.software[newsprint]",
         "write-gathering", "the plan has no 'newsprint'"),
        (EXPECTED, "decision: token-ring-4mb", "decision: token-ring-16mb", "pc-medium",
         "'token-ring-4mb', not 'token-ring-16mb'"),
        (EXPECTED, "path: system.accelerator", "path: count(devices)", "nvram-accelerator",
         "'9', not 'none'"),
    ],
)  # fmt: skip
def test_a_wrong_excuse_fails(
    one: Copy, file: str, before: str, after: str, failing: str, reason: str
) -> None:
    result = one.change(file, before, after).results([failing])[failing]
    assert result.fails
    assert reason in result.reason


def test_unsound_arithmetic_must_be_listed_as_an_erratum(one: Copy) -> None:
    text = (one.folder / EXPECTED).read_text(encoding="utf-8")
    start = text.index("    erratum:\n")
    end = text.index("  - id: pc-email-load")
    one.change(EXPECTED, text[start:end], "")
    name = "technical-share-of-offload-interface"
    result = one.results([name])[name]
    assert result.fails
    assert "is not listed as an erratum" in result.reason


def test_a_choice_that_is_an_erratum_must_be_chosen_otherwise(two: Copy) -> None:
    two.change(INVENTORY, "printed: close to saturation", "printed: holds")
    assert "what is printed is right" in two.results(["cpu-saturation"])["cpu-saturation"].reason


@pytest.mark.parametrize(
    ("before", "after", "message"),
    [
        ("    tolerance_reason: Printed", "    note: Printed",
         "beyond the printed precision, 0.5, needs"),
        ("path: system.accelerator", "tolerance: 1\n    path: system.accelerator",
         "a choice in words has no tolerance"),
        ("path: facts.system.memory_mb", "path: facts.system.memory_gb", "did you mean"),
        ("path: facts.system.memory_mb", "path: budgets[nfs].used", "cannot be expressed in MB"),
        ("path: platform.base_memory_mb", "arithmetic: true", "neither a path nor"),
        ('        right: "3 - 2"\n', "", "needs what is right, or a decision"),
    ],
)  # fmt: skip
def test_a_path_that_cannot_be_followed_stops_the_run(
    one: Copy, before: str, after: str, message: str
) -> None:
    with pytest.raises(InputError) as caught:
        one.change(EXPECTED, before, after).run()
    assert message in caught.value.text()
    assert "expected.yaml:" in caught.value.text()


def test_a_workload_that_cannot_be_read_stops_the_run(one: Copy) -> None:
    with pytest.raises(InputError) as caught:
        one.change("workload.yaml", "clients: 75", "cleints: 75").run()
    assert "workload.yaml:" in caught.value.text()


def test_a_tolerance_is_used_and_its_reason_shown(one: Copy) -> None:
    result = one.results(["cpu-idle"])["cpu-idle"]
    assert result.tolerance == 2.5
    assert result.verdict == "agrees"
    assert result.reason.startswith("Printed as about 40 %")


def test_a_bound_shows_the_words_that_make_it_one(one: Copy) -> None:
    result = one.results(["pc-load"])["pc-load"]
    assert (result.verdict, result.computed) == ("agrees", (30, 30))
    assert "or less" in result.reason


def test_a_further_comparison_shows_the_value_it_is_held_against(two: Copy) -> None:
    result = two.results(["courseware-load"])["courseware-load+1"]
    assert result.verdict == "agrees"
    assert tuple(result.guide) == pytest.approx((656.41, 656.41), abs=0.01)
    assert result.reason.startswith("follows from 256 * 2")
