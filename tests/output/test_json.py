from __future__ import annotations

import json
from pathlib import Path
from typing import Any, get_args, get_type_hints

import jsonschema
import pytest

import hand_plans
from sitebuild.json_page import json_page, meaning
from sizewright.cli.files import RESULTS, schema_of
from sizewright.configuration.model import (
    Board,
    Channel,
    Device,
    Expansion,
    Extent,
    Partition,
    Port,
    System,
    Volume,
)
from sizewright.evaluate.limits import RESOURCES
from sizewright.guide.model import SEVERITIES
from sizewright.load.pace import STATIONS
from sizewright.output.json.configuration import Configuration
from sizewright.output.json.explain import explain_data
from sizewright.output.json.plan import plan_data
from sizewright.output.reports import CHECK_VERDICTS, PLAN_VERDICTS
from sizewright.rules.rule import VERDICTS
from sizewright.schema.policy import FollowAdvice, SizeFor
from sizewright.workload.services import _BY_KIND, Printer, Protocol
from sizewright.workload.volume import Use
from sizewright.workload.work import Layer, Operation
from sizewright.workload.workload import Failure

from .conftest import CASES, ROOT, Reporter

PROPOSALS = ("disk_interface", "protocol_interface", "many_locks", "two_systems")


@pytest.mark.parametrize("command", RESULTS)
def test_the_schema_is_one(command: str) -> None:
    jsonschema.Draft202012Validator.check_schema(schema_of(command))
    assert schema_of(command)["$id"] == f"sizewright.{command}/1"


def test_an_object_is_the_same_in_all_results() -> None:
    known: dict[str, Any] = {}
    for command in RESULTS:
        for name, part in schema_of(command)["$defs"].items():
            assert known.setdefault(name, part) == part, name


@pytest.mark.parametrize("case", CASES)
def test_every_plan_keeps_the_contract(reported: Reporter, case: str) -> None:
    data = json.loads(json.dumps(plan_data(reported(case)), allow_nan=False))
    jsonschema.Draft202012Validator(schema_of("plan")).validate(data)


PAIR = hand_plans.paired(hand_plans.BUSY, hand_plans.DESKTOP, *hand_plans.PAIR)
HAND = {
    "every service": hand_plans.holding(hand_plans.EVERY, hand_plans.SERVER),
    "lock exceeded": hand_plans.missing(hand_plans.BUSY, hand_plans.DESKTOP),
    "two systems": PAIR,
    "survivors": hand_plans.surviving(PAIR),
}


def by_hand(name: str) -> dict[str, Any]:
    """What is printed of a plan that was put together by hand."""
    data = json.loads(json.dumps(plan_data(hand_plans.report_on(HAND[name])), allow_nan=False))
    assert isinstance(data, dict)
    return data


@pytest.mark.parametrize("name", HAND)
def test_plans_of_services_of_every_kind_keep_the_contract(name: str) -> None:
    jsonschema.Draft202012Validator(schema_of("plan")).validate(by_hand(name))


def test_of_two_systems_both_are_listed() -> None:
    """Orders take 300 + 100 × 5.91 + 250 KB/s in packets of 1500 byte at 0.2 ms."""
    data = by_hand("two systems")
    assert [system["id"] for system in data["systems"]] == ["primary", "alternate"]
    # Where the disks have their ports and addresses is stated nowhere.
    assert data["verdict"] == "unknown"
    assert {line["system"] for line in data["order"]} == {"primary", "alternate"}
    used = {b["resource"]: b["used"]["high"] for b in data["budgets"] if b["kind"] == "kernel_lock"}
    packets = 500 * 0.2  # 250 KB/s in packets of 512 bytes
    assert used == {
        "primary/kernel_lock": pytest.approx(300 + 591 + packets),
        "alternate/kernel_lock": pytest.approx(400),
    }
    assert {f["subject"].split("/")[0] for f in data["findings"]} == {"primary", "alternate"}
    members = {each["name"]: each["services"] for each in data["group"]["members"]}
    assert members == {"primary": ["orders"], "alternate": ["reports"]}
    assert (data["group"]["standby"], data["group"]["failover"]) == ("", [])
    assert [r["system"] for r in data["rejected"]] == [""]
    assert sum(data["coverage"]["judgements"].values()) == len(data["findings"])


def test_what_is_left_after_a_failure_is_listed_with_its_budgets() -> None:
    """Reports take 300 to 400 ms/s; orders 300 + 591 + 100, of which half are left."""
    group = by_hand("survivors")["group"]
    sides = {each["failed"]: each for each in group["failover"]}
    assert {name: each["survivor"] for name, each in sides.items()} == {
        "primary": "alternate", "alternate": "primary",
    }  # fmt: skip
    assert sides["primary"]["served"] == [{"service": "orders", "share": 0.5}]
    (lock,) = (b for b in sides["primary"]["budgets"] if b["kind"] == "kernel_lock")
    assert lock["used"]["high"] == pytest.approx(400 + (300 + 591 + 100) / 2)


@pytest.mark.parametrize("name", ["lock exceeded", "two systems"])
def test_a_lock_that_is_exceeded_says_by_how_much_and_what_would_help(name: str) -> None:
    found = by_hand(name)["kernel_lock"]
    packets = 500 * 0.2  # 250 KB/s in packets of 512 bytes
    assert found["over"] == pytest.approx(300 + 591 + packets + 400 - 1000)
    most = [item["used"]["high"] for item in found["items"]]
    assert most == sorted(most, reverse=True) and len(most) == 4
    kinds = [proposal["kind"] for proposal in found["proposals"]]
    assert kinds == list(PROPOSALS)


def test_where_no_lock_is_exceeded_nothing_is_said_of_it() -> None:
    data = by_hand("every service")
    assert (data["kernel_lock"], data["group"]) == (None, None)


def test_work_on_disks_tells_how_fast_it_goes() -> None:
    """100 MB in pieces of 8 KB are 12,800 operations; 18 clients begin one in 900 s each."""
    data = by_hand("every service")
    (work,) = data["work"]
    assert (work["service"], work["name"], work["limited_by"]) == ("books", "sum", "disks")
    assert work["demand"]["high"] == pytest.approx(18 / 900 * 100 * 1024 / 8)
    assert (work["requests"]["high"], work["requests_assumed"]) == (1, True)
    assert work["run_s"]["low"] == work["best_run_s"]["low"]
    assert work["best_run_s"]["high"] < work["wanted_s"]["high"] == 60
    (scan,) = data["yielding"]
    assert scan["name"] == "night: scan"
    assert scan["used"]["high"] == pytest.approx(10 * 4.21 * 22 / 28.5)


def _enum(of: str, name: str, command: str = "plan") -> list[Any]:
    """The values that a key of an object may have, without null."""
    part = schema_of(command)["$defs"][of]["properties"][name]
    part = part.get("items", part)
    found: list[Any] = part.get("anyOf", [part])[0]["enum"]
    return found


def _named(literal: Any) -> list[str]:
    return list(get_args(literal))


def test_the_enums_of_the_demand_are_those_of_the_workload() -> None:
    assert _enum("ServiceDemand", "kind") == list(_BY_KIND)
    assert _enum("VolumeDemand", "use") == _named(Use)
    assert _enum("Demand", "survives") == _named(Failure)
    assert _enum("Lines", "protocol") == ["", *_named(Protocol)]
    ports = _named(get_type_hints(Printer, include_extras=True)["attached"])
    assert set(_enum("Lines", "kind")) == {"wide", "serial", *ports}
    assert _enum("Work", "operation") == _named(Operation)
    assert _enum("Work", "layer") == _named(Layer)


def test_the_enums_of_budgets_work_and_ways_out_are_the_programs() -> None:
    for of, command in (("TracedBudget", "check"), ("TracedBudget", "plan"), ("Load", "compare")):
        kinds = dict.fromkeys(resource.kind for resource in RESOURCES.values())
        assert _enum(of, "kind", command) == list(kinds), command
    assert _enum("Run", "limited_by") == list(STATIONS)
    assert _enum("Remedy", "kind") == list(PROPOSALS)


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
    jsonschema.Draft202012Validator(schema_of("plan")).validate(data)
    assert data["overlays"] == [
        {"overlay": tmp_path.name, "what": "disks/424mb-scsi/capacity_mb", "before": "424",
         "after": "500", "used": True}
    ]  # fmt: skip
    assert data["policy"]["waived"] == [
        {"rule": "XIV", "reason": "no use", "subjects": [], "until": "", "expired": False}
    ]  # fmt: skip
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


# Keys that are there only where they have something to say.
OPTIONAL = {
    "plan": ("relief", "divided_volumes", "fewer_systems", "without_owned", "reduced_load",
             "fewer_lines", "fewer_users", "fewer_years", "less_memory", "price",
             "no_kernel_lock", "not_tried", "owned", "stages", "conflicts"),
    "plan/$defs/PurchaseStage": ("system",),
    "check": ("no_kernel_lock", "also_by"),
    "explain/$defs/Node": ("source", "op", "formula", "args"),
}  # fmt: skip


@pytest.mark.parametrize("command", RESULTS)
def test_no_key_is_undeclared_and_none_may_be_left_out(command: str) -> None:
    for path, part in _objects(schema_of(command)):
        assert part["additionalProperties"] is False, path
        optional = OPTIONAL.get(f"{command}{path}", ())
        assert part["required"] == [key for key in part["properties"] if key not in optional], path


@pytest.mark.parametrize("command", RESULTS)
def test_every_key_says_what_it_means(command: str) -> None:
    whole = schema_of(command)
    for path, part in _objects(whole):
        assert part["description"], path
        for name, child in part["properties"].items():
            assert meaning(child, whole["$defs"]), f"{path}/{name}"


def test_the_enums_are_the_programs() -> None:
    assert _enum("Finding", "verdict") == list(VERDICTS)
    assert _enum("Finding", "severity") == list(SEVERITIES)
    assert list(schema_of("plan")["properties"]["verdict"]["enum"]) == list(PLAN_VERDICTS)
    assert _enum("Policy", "size_for") == _named(SizeFor)
    assert _enum("Policy", "follow_advice") == _named(FollowAdvice)
    check = schema_of("check")
    assert check["properties"]["verdict"]["enum"] == list(CHECK_VERDICTS)
    assert _enum("CheckPolicy", "severity", "check") == ["", *SEVERITIES]
    assert list(check["$defs"]["Verdicts"]["properties"]) == list(VERDICTS)


def test_the_documentation_is_made_from_the_schema() -> None:
    written = (ROOT / "docs" / "json.md").read_text(encoding="utf-8")
    assert written == json_page(), "PYTHONPATH=docs python -m sitebuild.json_page > docs/json.md"


@pytest.mark.parametrize("command", RESULTS)
def test_the_documentation_names_every_key(command: str) -> None:
    text = json_page()
    for path, part in _objects(schema_of(command)):
        for name in part["properties"]:
            assert f"| `{name}` |" in text, f"{path}/{name}"


def _board(data: dict[str, Any]) -> Board:
    return Board(**{**data, "slots": tuple(data["slots"])})


def _device(data: dict[str, Any]) -> Device:
    parts = tuple(Partition(**part) for part in data["partitions"])
    return Device(**{**data, "partitions": parts})


def _volume(data: dict[str, Any]) -> Volume:
    copies = tuple(tuple(Extent(**part) for part in copy) for copy in data["copies"])
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
            "beside": tuple(data["beside"]),
            "unstated": frozenset(data["unstated"]),
        }
    )


@pytest.mark.parametrize("case", ["case-1", "silent"])
def test_the_configuration_can_be_read_back(reported: Reporter, case: str) -> None:
    report = reported(case)
    (written,) = json.loads(json.dumps(plan_data(report)))["systems"]
    assert report.plan.chosen is not None
    again = Configuration.make(_system(written["configuration"]))
    assert again == Configuration.make(report.plan.chosen.system)


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
    # Its volumes over several disks are the only thing that not every plan has to say.
    required = list(schema_of("plan")["required"])
    assert [key for key in json.loads(first) if key != "not_tried"] == required


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
