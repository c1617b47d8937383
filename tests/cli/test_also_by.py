"""`sizewright check BOX --also-by GUIDE`: names, exit codes, what stays as it is."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from sizewright.cli.exits import Exit
from sizewright.guide.loader import guide_ids
from two_guides import OTHER, OWN, REPORTED, case_1, overlay

from .conftest import EXAMPLES, Run
from .test_completion import completed

BOX = EXAMPLES / "case-1-departmental-nfs" / "box.yaml"
OTHERS = [guide for guide in guide_ids() if guide != OWN]
FORMS = ("text", "json", "sarif", "junit")


def also(*guides: str) -> list[str]:
    return [word for guide in guides for word in ("--also-by", guide)]


@pytest.mark.parametrize("form", FORMS)
def test_the_order_in_which_guides_are_named_does_not_matter(run: Run, form: str) -> None:
    one, two, three = OTHERS[:3]
    printed = {
        run("check", BOX, "--format", form, *also(*order)).stdout
        for order in ((one, two, three), (three, two, one), (two, three, one))
    }
    assert len(printed) == 1


def test_all_is_every_other_guide(run: Run) -> None:
    assert run("check", BOX, *also("all")).stdout == run("check", BOX, *also(*OTHERS)).stdout


def test_own_findings_come_first_and_are_the_same(run: Run) -> None:
    alone, more = run("check", BOX), run("check", BOX, *also("all"))
    assert more.stdout.startswith(alone.stdout)
    assert (alone.exit_code, more.exit_code, more.stderr) == (Exit.PASS, Exit.PASS, "")
    data, whole = (
        json.loads(run("check", BOX, "--format", "json", *words).stdout)
        for words in ((), also("all"))
    )
    assert [each["guide"]["id"] for each in whole.pop("also_by")] == OTHERS
    assert whole == data


def test_what_another_guide_finds_does_not_decide(run: Run, tmp_path: Path) -> None:
    """Its rule VII is a limit, and broken; the own guide holds."""
    path, both = tmp_path / "box.yaml", overlay(tmp_path / "both")
    path.write_text(case_1(REPORTED), encoding="utf-8")
    words = ("check", path, "--overlay", both, *also(OTHER))
    result = run(*words)
    assert "\nLimits not met\n  Rule VII on channel pedestal" in result.stdout
    assert result.exit_code == Exit.PASS
    assert run(*words, "--severity", "violation").exit_code == Exit.PASS


def test_a_box_that_its_own_guide_cannot_judge_is_no_success(run: Run) -> None:
    """What other guides judge does not stand in for it."""
    words = ("check", BOX, "--rule", "2.11.2-interlace")
    assert run(*words).exit_code == Exit.FAIL
    more = run(*words, *also("auspex-1992"))
    assert more.exit_code == Exit.FAIL
    assert "Rule 3.4-accelerate-writes" in more.stdout


def test_a_part_that_is_gone_and_other_guides_can_be_asked_together(run: Run) -> None:
    words = ("--failed", "mirror-a", "--break-even")
    alone, more = run("check", BOX, *words), run("check", BOX, *words, *also("compaq-1999"))
    assert more.stdout.startswith(alone.stdout)
    assert more.exit_code == alone.exit_code


def test_rules_of_other_guides_are_chosen_by_their_guide(run: Run) -> None:
    words = (*also("auspex-1992", "compaq-1999"), "--format", "json", "--rule", "VII")
    chosen = ("--rule", "auspex-1992/4.2-NFS", "--ignore", "compaq-1999/scsi-3-wide")
    data = json.loads(run("check", BOX, *words, *chosen).stdout)
    assert {f["rule"] for f in data["findings"]} == {"VII"}
    assert data["policy"]["rules"] == ["VII"]
    auspex, compaq = data["also_by"]
    assert (auspex["rules"], compaq["ignored"]) == (["4.2-nfs"], ["scsi-3-wide"])
    assert {f["rule"] for f in auspex["findings"]} == {"4.2-nfs"}
    ids = {f["rule"] for f in compaq["findings"]}
    assert "scsi-2-targets" in ids and "scsi-3-wide" not in ids


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (
            also("auspx-1992"),
            "--also-by: there is no guide 'auspx-1992'\n"
            "  expected one of auspex-1992, compaq-1999, solaris-x86-1998, sun-fire-2005 or all; "
            "did you mean 'auspex-1992'?\n",
        ),
        (
            also(OWN),
            "--also-by: sun-1992 is the input's own guide\n"
            "  expected one of auspex-1992, compaq-1999, solaris-x86-1998, sun-fire-2005 or all\n",
        ),
        (
            also("compaq-1999", "compaq-1999"),
            "--also-by: compaq-1999 is named more than once\n  expected each guide once\n",
        ),
        (
            also("all", "compaq-1999"),
            "--also-by: compaq-1999 is among all\n"
            "  expected all by itself, or each guide by its name\n",
        ),
        (
            also("all", "all"),
            "--also-by: all is named more than once\n  expected each guide once\n",
        ),
    ],
)
def test_names_that_cannot_be_meant(run: Run, words: list[str], told: str) -> None:
    result = run("check", BOX, *words)
    assert (result.exit_code, result.stdout, result.stderr) == (Exit.BAD_INPUT, "", told)


def test_all_wrong_names_are_told_at_once(run: Run) -> None:
    told = run("check", BOX, *also("nowhere", OWN)).stderr
    assert "no guide 'nowhere'" in told and "own guide" in told


def test_a_rule_of_another_guide_that_is_not_there(run: Run) -> None:
    result = run("check", BOX, *also("auspex-1992"), "--rule", "auspex-1992/4.2-nsf")
    assert (result.exit_code, result.stdout) == (Exit.BAD_INPUT, "")
    assert "there is no rule 'auspex-1992/4.2-nsf'" in result.stderr
    assert "did you mean 'auspex-1992/4.2-nfs'?" in result.stderr


@pytest.mark.parametrize("guide", OTHERS)
def test_every_explained_box_can_be_asked_of_every_other_guide(run: Run, guide: str) -> None:
    for path in sorted((EXAMPLES.parent / guide).glob("*/box.yaml")):
        alone = run("check", path)
        more = run("check", path, *also("all"))
        assert (more.exit_code, more.stderr) == (alone.exit_code, "")
        assert more.stdout.startswith(alone.stdout)


def test_guides_are_completed() -> None:
    assert set(completed("check", "box.yaml", "--also-by", "")) == {"all", *guide_ids()}
    assert completed("check", "box.yaml", "--also-by", "comp") == ["compaq-1999"]
