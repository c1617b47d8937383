"""Every violated example of every rule, as a box in a file that `check` is asked about."""

from __future__ import annotations

import json
from collections import Counter
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from broken import CASES, Broken
from sizewright import api
from sizewright.box.reading import read_box
from sizewright.check.check import Check
from sizewright.cli import inputs
from sizewright.cli.exits import Exit
from sizewright.documents import read_document
from sizewright.facts.records import facts_of
from sizewright.guide.model import ends
from sizewright.quantity import Quantity
from sizewright.rules.rule import Rule

from .conftest import Run

pytestmark = pytest.mark.no_cover

ready = cache(api.load_engine)
READY = ready("sun-1992", ())
RULES = READY.rule_set.judging("box")
# Those of the guide, and those about measurements that contradict each other.
ASKED = tuple(
    rule for rule in READY.rule_set.rules if not rule.own or rule.id.startswith("plausible-")
)
ALL = pytest.mark.parametrize("case", CASES, ids=lambda c: f"{c.rule}-{c.example}")
MENDED = tuple(case for case in CASES if case.mended)
TITLES = {"violation": "Limits not met", "advice": "Advice not followed", "note": "Notes"}
IN_TEXT = ("2.4.4-busy", "III", "1.2.4-full")


@pytest.fixture(autouse=True)
def _one_guide(monkeypatch: pytest.MonkeyPatch) -> None:
    """Keep the guide between commands; loading it is tested elsewhere."""
    monkeypatch.setattr(inputs, "load_engine", ready)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "box.yaml"


def example(case: Broken) -> dict[str, Any]:
    """The rule's own example."""
    found: dict[str, Any] = RULES.rule(case.rule).spec["examples"][case.example - 1]
    return found


def judged(path: Path, rule: str) -> Check:
    return api.check(read_box(read_document(path)), READY, [rule])


def findings(run: Run, path: Path, rule: str) -> tuple[int, dict[str, dict[str, Any]]]:
    """The exit code, and each subject's finding."""
    result = run("check", path, "--rule", rule, "--format", "json")
    assert result.stderr == ""
    found = json.loads(result.stdout)["findings"]
    assert {finding["rule"] for finding in found} <= {rule}
    return result.exit_code, {finding["subject"]: finding for finding in found}


def test_each_violated_example_has_a_box_and_no_box_is_left_over() -> None:
    violated = [
        (rule.id, number)
        for rule in ASKED
        if "box" in rule.judges
        for number, one in enumerate(rule.spec["examples"], 1)
        if one["expect"] == "violated"
    ]
    assert Counter((case.rule, case.example) for case in CASES) == Counter(violated)


@pytest.mark.parametrize("rule", ASKED, ids=lambda rule: rule.id)
def test_a_rule_has_no_box_if_and_only_if_it_says_that_none_can_break_it(rule: Rule) -> None:
    if "box" not in rule.judges:
        assert not any(case.rule == rule.id for case in CASES)
        return
    cannot = "violated" in (rule.spec.get("cannot") or {})
    assert cannot != any(one["expect"] == "violated" for one in rule.spec["examples"])
    assert cannot != any(case.rule == rule.id for case in CASES)


@ALL
def test_check_finds_the_rule_broken(run: Run, path: Path, case: Broken) -> None:
    path.write_text(case.text(), encoding="utf-8")
    code, found = findings(run, path, case.rule)
    assert code == (Exit.FAIL if case.severity == "violation" else Exit.PASS)
    finding = found[case.found_on]
    assert (finding["verdict"], finding["severity"]) == ("violated", case.severity)
    assert [words for words in case.says if words not in finding["message"]] == []
    assert finding["remedy"]


@ALL
def test_the_box_has_the_facts_and_parameters_of_the_example(path: Path, case: Broken) -> None:
    path.write_text(case.text(), encoding="utf-8")
    check = judged(path, case.rule)
    subject, _, name = case.subject.partition("/")
    records = check.judged.facts.by_subject()
    ours = {"system": records["system"][0]}
    if subject:
        (ours[subject],) = (record for record in records[subject] if record.id == name)
    given = example(case)["given"]
    differing = {
        fact
        for kind, facts in given.items()
        for fact, value in facts.items()
        if not same(value, getattr(ours[kind], fact), facts_of(kind)[fact].unit)
    }
    assert differing == set(case.differs)

    parameters = check.rule_set.rule(case.rule).parameters
    given = example(case).get("parameters", {})
    assert set(parameters) == set(given)
    for name, figure in parameters.items():
        assert isinstance(figure, Quantity)
        assert same(given[name], figure, figure.unit), name


def same(wanted: Any, drawn: Any, unit: str) -> bool:
    """Whether a fact as an example writes it is the one that was drawn."""
    if isinstance(wanted, list) and not (wanted and isinstance(wanted[0], (int, float))):
        return isinstance(drawn, tuple) and sorted(drawn) == sorted(wanted)
    if isinstance(wanted, (str, bool)) or wanted is None:
        return bool(drawn == wanted)
    low, _, high = ends(wanted, unit)
    if isinstance(drawn, Quantity):
        return (drawn.low, drawn.high) == pytest.approx((low, high))
    return drawn is not None and (drawn, drawn) == pytest.approx((low, high))


def test_differences_are_explained() -> None:
    assert all(why.strip() for case in CASES for why in case.differs.values())


@pytest.mark.parametrize("rule", IN_TEXT)
def test_the_text_tells_the_finding_and_what_to_do(run: Run, path: Path, rule: str) -> None:
    case = next(case for case in CASES if case.rule == rule)
    path.write_text(case.text(), encoding="utf-8")
    stated = RULES.rule(rule)
    result = run("check", path, "--rule", rule)
    words = " ".join(result.stdout.split())
    assert f"\n{TITLES[case.severity]}\n" in result.stdout
    assert f"Rule {rule} " in words or f"Rule {rule}:" in words
    assert [each for each in case.says if each not in words] == []
    assert f"To do: {stated.remedy.split('{')[0].strip()}" in words
    assert stated.cite in words


def test_the_texts_are_of_every_severity() -> None:
    assert {case.severity for case in CASES if case.rule in IN_TEXT} == set(TITLES)


@pytest.mark.parametrize("case", MENDED, ids=lambda c: f"{c.rule}-{c.example}")
def test_the_remedy_removes_the_finding(run: Run, path: Path, case: Broken) -> None:
    path.write_text(case.text(**case.mended), encoding="utf-8")
    code, found = findings(run, path, case.rule)
    assert "violated" not in {finding["verdict"] for finding in found.values()}
    assert found[case.found_on]["verdict"] == case.then
    judged = {f["verdict"] for f in found.values()} - {"not_applicable", "unknown"}
    assert code == (Exit.PASS if judged else Exit.FAIL)


def test_a_dozen_rules_and_more_are_mended() -> None:
    assert len({case.rule for case in MENDED}) >= 12
    assert {case.severity for case in MENDED} == set(TITLES)
