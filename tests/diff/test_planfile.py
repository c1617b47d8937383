"""Plans read back from their JSON, and everything else that such a file may hold."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from case_reports import CASES, Reporter
from sizewright import limits
from sizewright.diff import planfile
from sizewright.diff.planfile import is_plan, parse_plan, read_plan
from sizewright.errors import InputError
from sizewright.output.json.plan import plan_data

NAME = "plan.json"


def written(reported: Reporter, case: str = "case-1") -> dict[str, Any]:
    """A plan as its JSON holds it."""
    data = json.loads(json.dumps(plan_data(reported(case))))
    assert isinstance(data, dict)
    return data


def refusal(raw: str | bytes) -> str:
    """What is said of a file that is no plan."""
    with pytest.raises(InputError) as caught:
        parse_plan(raw.encode() if isinstance(raw, str) else raw, NAME)
    assert len(caught.value.faults) == 1
    return str(caught.value).splitlines()[0].removeprefix(NAME)


@pytest.mark.parametrize("case", CASES)
def test_every_plan_is_read_back_as_it_was(reported: Reporter, case: str, tmp_path: Path) -> None:
    data = written(reported, case)
    path = tmp_path / NAME
    path.write_text(json.dumps(data, indent=2), encoding="utf-8")
    assert read_plan(path) == data


@pytest.mark.parametrize(
    ("raw", "what"),
    [
        ("", ":1:1: is not valid JSON: expecting value"),
        ("{", ":1:2: is not valid JSON: expecting property name enclosed in double quotes"),
        ('{\n  "schema": oops}', ":2:13: is not valid JSON: expecting value"),
        ("name: a\n", ":1:1: is not valid JSON: expecting value"),
        ("[]", ": is no plan"),
        ("3", ": is no plan"),
        ("{}", ": is no plan"),
        ('{"schema": 1}', ": is no plan"),
        ('{"schema": "sizewright.check/1"}', ": holds 'sizewright.check/1', not a plan"),
        (
            '{"schema": "sizewright.plan/2"}',
            ": is a plan of another version, 'sizewright.plan/2'",
        ),
        ('{"schema": "sizewright.plan/1"}', ": guide is missing"),
        ('{"schema": "sizewright.plan/1", "schema": 1}',
         ": the key 'schema' stands twice in one object"),
        ('{"schema": NaN}', ": NaN is not a number that can be used"),
        ('{"schema": -Infinity}', ": -Infinity is not a number that can be used"),
        ('{"schema": 1e999}', ": the number 1e999 is too large"),
        ('{"schema": ' + "9" * 5000 + "}", f": the number {'9' * 60}… is too long"),
        ('{"schema": "\\ud800"}', ": has half of a character"),
        ("[" * 5000 + "]" * 5000, ": values are nested too deeply"),
        (b"\xff\xfe{\0}\0", ": is not UTF-8 text, but UTF-16, UTF-32 or binary"),
        (b'{"schema": "\xe9"}', ":1:13: byte 0xe9 is not UTF-8"),
    ],
)  # fmt: skip
def test_what_is_no_plan_is_refused_in_one_message(raw: str | bytes, what: str) -> None:
    assert refusal(raw) == what


def test_texts_are_bounded_wherever_they_stand() -> None:
    long = "x" * (limits.PLAN_TEXT_CHARACTERS + 1)
    for data in ({"schema": long}, {"a": [{long: 1}]}, [long]):
        assert refusal(json.dumps(data)) == ": has a text that is too long"


def test_size_is_bounded_before_anything_is_built(monkeypatch: pytest.MonkeyPatch) -> None:
    many = "[" + "0," * limits.PLAN_NODES_AT_MOST + "0]"
    assert refusal(many) == ": has too many values"
    monkeypatch.setattr(planfile, "PLAN_BYTES_AT_MOST", 10)
    assert refusal("[" + " " * 10) == ": is too large"


def test_a_file_that_is_not_there_is_told(tmp_path: Path) -> None:
    for path, what in ((tmp_path / NAME, "there is no such file"), (tmp_path, "is a directory")):
        with pytest.raises(InputError, match=what):
            read_plan(path)


Break = Callable[[dict[str, Any]], object]


@pytest.mark.parametrize(
    ("damage", "what"),
    [
        (lambda d: d.pop("sources"), ": sources is missing"),
        (lambda d: d.update(more=1), ": unknown key 'more'"),
        (lambda d: d["budgets"][0].update(used=1), ": budgets[0].used: 1 is not allowed here"),
        (lambda d: d["budgets"][0]["used"].update(high="9"),
         ": budgets[0].used.high: '9' is not allowed here"),
        (lambda d: d["budgets"][0].update(limit={}), ": budgets[0].limit: low is missing"),
        (lambda d: d.update(verdict="fine"), ": verdict: 'fine' is not allowed here"),
        (lambda d: d.update(proven=1), ": proven: 1 is not allowed here"),
        (lambda d: d.update(sources={}), ": sources: a mapping is not allowed here"),
        (lambda d: d["workload"].update(digest="x"), ": workload.digest: 'x' is not allowed here"),
        (lambda d: d["order"][0].update(quantity=-1),
         ": order[0].quantity: -1 is not allowed here"),
        (lambda d: d["order"][0].update(quantity=0.5),
         ": order[0].quantity: 0.5 is not allowed here"),
        (lambda d: d["order"][0].update(quantity=True),
         ": order[0].quantity: true is not allowed here"),
        (lambda d: d["systems"][0]["configuration"].update(unstated=-1),
         ": systems[0].configuration.unstated: -1 is not allowed here"),
        (lambda d: d["budgets"][0]["sources"].append(None),
         "nothing is not allowed here"),
    ],
)  # fmt: skip
def test_a_damaged_plan_is_refused_where_it_is_damaged(
    reported: Reporter, damage: Break, what: str
) -> None:
    data = written(reported)
    damage(data)
    assert refusal(json.dumps(data)).endswith(what)


@pytest.mark.parametrize(
    ("raw", "name", "plan"),
    [
        (b"{}", "x.json", True), (b"name: a", "x.JSON", True), (b"{}", "x.yaml", False),
        (b"{}", "x.yml", False), (b" \n{}", "<stdin>", True), (b"\xef\xbb\xbf[", "x", True),
        (b"name: a", "<stdin>", False), (b"", "x", False),
    ],
)  # fmt: skip
def test_a_plan_is_told_from_a_workload_by_its_name_else_its_look(
    raw: bytes, name: str, plan: bool
) -> None:
    assert is_plan(raw, name) is plan
