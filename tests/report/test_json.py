from __future__ import annotations

import json
from pathlib import Path
from typing import Any, get_args

import jsonschema
import pytest

from sizewright.configuration.model import (
    Board,
    Channel,
    Device,
    Expansion,
    Part,
    Partition,
    Port,
    System,
    Volume,
)
from sizewright.forms.policy import FollowAdvice, SizeFor
from sizewright.guide.rulefile import SEVERITIES
from sizewright.report.checkmodel import CHECK_VERDICTS
from sizewright.report.explainform import explain_data
from sizewright.report.jsondoc import page, schema
from sizewright.report.jsonform import plan_data
from sizewright.report.model import PLAN_VERDICTS
from sizewright.rules.model import VERDICTS

from .conftest import CASES, ROOT, Reporter

COMMANDS = ("plan", "check")


@pytest.mark.parametrize("command", COMMANDS)
def test_the_schema_is_one(command: str) -> None:
    jsonschema.Draft202012Validator.check_schema(schema(command))
    assert schema(command)["$id"] == f"sizewright.{command}/1"


def test_what_both_schemas_use_is_the_same() -> None:
    plan, check = schema("plan"), schema("check")
    for name, part in check["$defs"].items():
        assert part == plan["$defs"][name], name
    budgets = [s["properties"]["budgets"]["items"] for s in (plan, check)]
    known, maybe = (b["properties"].pop("used") for b in budgets)
    assert budgets[0] == budgets[1]
    assert known["$ref"] == maybe["anyOf"][0]["$ref"]


@pytest.mark.parametrize("case", CASES)
def test_every_plan_keeps_the_contract(reported: Reporter, case: str) -> None:
    data = json.loads(json.dumps(plan_data(reported(case)), allow_nan=False))
    jsonschema.Draft202012Validator(schema()).validate(data)


def test_a_plan_with_overlays_waivers_and_wishes_keeps_it(
    reported: Reporter, tmp_path: Path
) -> None:
    folder = tmp_path / "tables" / "sun-1992"
    folder.mkdir(parents=True)
    (folder / "ours.yaml").write_text(
        "table: disks\nrows:\n  - id: 424mb-scsi\n    capacity_mb: 500\n"
        '    source: {section: "2.4.4"}\n    status: printed\n'
    )
    changes = (
        ("default_mix: legato", "default_mix: legato\n  size_for: likely\n  waive: "
                                "[{rule: XIV, reason: no use}]"),
        ("wishes:\n", "wishes:\n  carry_forward: [{device: 424mb-scsi, count: 1}]\n"
                      "  platforms: [sparcstation-2]\n"),
    )  # fmt: skip
    data = plan_data(reported("case-1", *changes, overlays=(tmp_path,)))
    jsonschema.Draft202012Validator(schema()).validate(data)
    assert data["overlays"] == [
        {"overlay": tmp_path.name, "what": "disks/424mb-scsi/capacity_mb", "before": "424",
         "after": "500", "used": True}
    ]  # fmt: skip
    assert data["policy"]["waived"] == [{"rule": "XIV", "reason": "no use"}]
    assert data["verdict"] == "waived"


def _objects(part: Any, path: str = "") -> Any:
    if isinstance(part, dict):
        if "properties" in part:
            yield path, part
        for key, child in part.items():
            yield from _objects(child, f"{path}/{key}")
    elif isinstance(part, list):
        for index, child in enumerate(part):
            yield from _objects(child, f"{path}/{index}")


@pytest.mark.parametrize("command", COMMANDS)
def test_no_key_is_undeclared_and_none_may_be_left_out(command: str) -> None:
    for path, part in _objects(schema(command)):
        assert part["additionalProperties"] is False, path
        assert part["required"] == list(part["properties"]), path


@pytest.mark.parametrize("command", COMMANDS)
def test_every_key_says_what_it_means(command: str) -> None:
    for path, part in _objects(schema(command)):
        for name, child in part["properties"].items():
            assert child.get("description"), f"{path}/{name}"


def test_the_enums_are_the_programs() -> None:
    whole = schema()
    assert whole["$defs"]["finding"]["properties"]["verdict"]["enum"] == list(VERDICTS)
    assert whole["properties"]["verdict"]["enum"] == list(PLAN_VERDICTS)
    policy = whole["properties"]["policy"]["properties"]
    assert policy["size_for"]["enum"] == list(get_args(get_args(SizeFor)[0]))
    assert policy["follow_advice"]["enum"] == list(get_args(get_args(FollowAdvice)[0]))
    check = schema("check")["properties"]
    assert check["verdict"]["enum"] == list(CHECK_VERDICTS)
    assert check["policy"]["properties"]["severity"]["enum"] == ["", *SEVERITIES]
    for counts in ("by_rule", "judgements"):
        assert list(check["coverage"]["properties"][counts]["properties"]) == list(VERDICTS)


def test_the_documentation_is_made_from_the_schema() -> None:
    written = (ROOT / "docs" / "json.md").read_text(encoding="utf-8")
    assert written == page(), "python -m sizewright.report.jsondoc > docs/json.md"


@pytest.mark.parametrize("command", COMMANDS)
def test_the_documentation_names_every_key(command: str) -> None:
    text = page()
    for path, part in _objects(schema(command)):
        for name in part["properties"]:
            assert f"| `{name}` |" in text, f"{path}/{name}"


def _board(data: dict[str, Any]) -> Board:
    return Board(**{**data, "slots": tuple(data["slots"])})


def _device(data: dict[str, Any]) -> Device:
    parts = tuple(Partition(**part) for part in data["partitions"])
    return Device(**{**data, "partitions": parts})


def _volume(data: dict[str, Any]) -> Volume:
    copies = tuple(tuple(Part(**part) for part in copy) for copy in data["copies"])
    return Volume(**{**data, "copies": copies})


def _system(data: dict[str, Any]) -> System:
    """A system read back from JSON, by nothing but the keys."""
    return System(
        **{
            **data,
            "boards": tuple(map(_board, data["boards"])),
            "channels": tuple(
                Channel(**{**c, "devices": tuple(map(_device, c["devices"]))})
                for c in data["channels"]
            ),
            "ports": tuple(Port(**p) for p in data["ports"]),
            "volumes": tuple(map(_volume, data["volumes"])),
            "software": tuple(data["software"]),
            "expansions": tuple(
                Expansion(**{**e, "boards": tuple(map(_board, e["boards"]))})
                for e in data["expansions"]
            ),
            "databases": tuple(data["databases"]),
            "unstated": frozenset(data["unstated"]),
        }
    )


@pytest.mark.parametrize("case", ["case-1", "silent"])
def test_the_configuration_can_be_read_back(reported: Reporter, case: str) -> None:
    report = reported(case)
    (written,) = json.loads(json.dumps(plan_data(report)))["systems"]
    assert report.plan.chosen is not None
    assert _system(written["configuration"]) == report.plan.chosen.system


@pytest.mark.parametrize("case", CASES)
def test_budgets_add_up_and_name_their_sources(reported: Reporter, case: str) -> None:
    for budget in plan_data(reported(case))["budgets"]:
        for end in ("low", "likely", "high"):
            items = sum(item["used"][end] for item in budget["items"])
            assert items == pytest.approx(budget["used"][end], abs=1e-9)
        for item in budget["items"]:
            assert item["formula"]
            assert item["sources"], item


def test_where_nothing_fits_there_is_no_system_but_a_nearest_miss(reported: Reporter) -> None:
    data = plan_data(reported("with-sound"))
    assert (data["verdict"], data["systems"], data["order"]) == ("violated", [], [])
    assert data["nearest"]["configuration"]["platform"] == data["nearest"]["platform"]
    assert 0 < data["change"]["load_share"] < 1
    assert len(data["rejected"]) == 4
    assert all(r["reasons"] for r in data["rejected"])
    assert data["determinant"]["headroom"] < 0


def test_two_runs_print_the_same(reported: Reporter) -> None:
    first = json.dumps(plan_data(reported("case-1")))
    again = json.dumps(plan_data(reported("case-1", ("name: departmental-nfs", "name: x"))))
    assert json.loads(first)["budgets"] == json.loads(again)["budgets"]
    assert list(json.loads(first)) == list(schema()["properties"])


def test_an_explanation_is_a_tree_down_to_sources(reported: Reporter) -> None:
    data = explain_data(reported("case-1"), "network/technical")
    (budget,) = data["budgets"]

    def check(node: dict[str, Any]) -> None:
        assert ("args" in node) != ("source" in node)
        for child in node.get("args", ()):
            check(child)

    for item in budget["items"]:
        check(item["figure"])
        assert item["figure"]["formula"]
    check(budget["limit"])
