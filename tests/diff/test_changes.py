"""What moved between two plans, and which row, parameter or input line moved it."""

from __future__ import annotations

import copy
import json
import re
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from case_reports import CASES, Reporter
from guide.overlays import cell, overlay, parameter
from sizewright.cli.files import schema_of
from sizewright.diff.changes import diff_results
from sizewright.diff.model import (
    CAUSE_KINDS,
    SECTIONS,
    Cause,
    ChangedPart,
    ChangedValue,
    Difference,
    InputValue,
    Side,
    diff_tree,
)
from sizewright.diff.text import difference_text
from sizewright.output.json.plan import plan_data
from sizewright.output.provenance import KINDS
from sizewright.quantity import leaves

MORE = ("clients: 12\n", "clients: 15\n")
CLIENTS = "services.ecad.clients"
NAMES = ("before.json", "after.json")


@pytest.fixture
def plan_of(reported: Reporter) -> Any:
    """A plan as it is read back from its JSON."""

    def plan(*arguments: Any, **more: Any) -> dict[str, Any]:
        data = json.loads(json.dumps(plan_data(reported(*arguments, **more)), allow_nan=False))
        assert isinstance(data, dict)
        return data

    return plan


def changed_value(figure: str, before: Any, after: Any) -> ChangedValue:
    """A value before and after."""
    return ChangedValue.make(figure=figure, before=before, after=after)


def cause(found: Difference, key: str) -> Cause:
    """The cause of a key."""
    return next(each for each in found.causes if each.key == key)


@pytest.mark.parametrize("case", CASES)
def test_a_plan_does_not_differ_from_itself(plan_of: Any, case: str) -> None:
    plan = plan_of(case)
    found = diff_results(plan, copy.deepcopy(plan), NAMES)
    assert found.same
    assert (found.changes, found.causes) == ((), ())
    assert difference_text(found) == "no difference\n"
    assert found.as_data()["same"] is True


@pytest.mark.parametrize("case", CASES)
def test_every_source_of_a_budget_is_listed_once_with_its_value(
    reported: Reporter, plan_of: Any, case: str
) -> None:
    """By the leaves of the figures themselves, collected here in another way."""
    data, report = plan_of(case), reported(case)
    keys = [each["key"] for each in data["sources"]]
    assert keys == sorted(set(keys))
    by_key = {each["key"]: each for each in data["sources"]}
    for budget, written in zip(report.budgets, data["budgets"], strict=True):
        known = set()
        for figure in (budget.used, budget.capacity, budget.limit):
            for leaf in leaves(figure) if figure else ():
                if leaf.source and leaf.source.kind in KINDS:
                    known.add((leaf.source.where, leaf.low, leaf.high, leaf.unit))
        told = [by_key[key] for key in written["sources"]]
        values = {(t["where"], *(t["value"][k] for k in ("low", "high", "unit"))) for t in told}
        assert values == known, budget.resource
        assert len(told) == len(known)


def test_the_figures_that_more_clients_move_are_told_with_the_input_line(plan_of: Any) -> None:
    before, after = plan_of("case-1"), plan_of("case-1", MORE)
    found = diff_results(before, after, NAMES)
    old, new = ({b["resource"]: b for b in plan["budgets"]} for plan in (before, after))
    both = old.keys() & new.keys()
    unlike = {r for r in both if old[r]["used"] != new[r]["used"]}
    assert "primary/network/technical" in unlike and "primary/kernel_lock" in unlike
    budgets = {c.subject: c for c in found.changes if c.section == "budget" and c.subject in both}
    assert set(budgets) == unlike
    for resource, change in budgets.items():
        used = next(f for f in change.figures if f.figure == "used")
        assert (used.before, used.after) == (old[resource]["used"], new[resource]["used"])
        # Data may lie on other disks than before, by no value of the budget itself.
        if not change.causes and resource.startswith("primary/space/"):
            continue
        # Whatever else is named is a cell of a part that only one of the two plans takes.
        assert change.causes[0] == CLIENTS
        others = [cause(found, key) for key in change.causes[1:]]
        assert all(each.kind == "table" for each in others)
        assert all(None in (each.before, each.after) for each in others)
    clients = cause(found, CLIENTS)
    assert clients.before and clients.after and clients.kind == "input"
    assert (clients.before.value["high"], clients.after.value["high"]) == (12, 15)
    assert clients.before.where == clients.after.where == "case-1.yaml:75:14"
    assert cause(found, "workload").kind == "workload"
    text = " ".join(difference_text(found).split())
    assert "services.ecad.clients: 12 clients → 15 clients [input value; case-1.yaml:75:14" in (
        text
    )
    assert "used 135–170 op/s → 165–208 op/s because of services.ecad.clients" in text


def test_the_other_way_round_before_and_after_are_swapped(plan_of: Any) -> None:
    plans = plan_of("case-1"), plan_of("with-sound")
    there, back = diff_results(*plans, NAMES), diff_results(*plans[::-1], NAMES[::-1])
    assert (there.before, there.after) == (back.after, back.before)
    assert [(c.section, c.subject, c.causes) for c in there.changes] == [
        (c.section, c.subject, c.causes) for c in back.changes
    ]
    for one, other in zip(there.changes, back.changes, strict=True):
        assert one.figures == tuple(
            changed_value(f.figure, f.after, f.before) for f in other.figures
        )
    assert there.causes == tuple(
        c.model_copy(update={"before": c.after, "after": c.before}) for c in back.causes
    )


def test_a_cell_that_an_overlay_changes_is_named(plan_of: Any, tmp_path: Path) -> None:
    key = "nfs-capacity/sparcstation-2-two-networks/maximum_ops_per_s"
    laid = overlay(
        tmp_path, "ours", cells=cell("nfs-capacity", "sparcstation-2-two-networks",
                                     "maximum_ops_per_s", 440),
    )  # fmt: skip
    found = diff_results(plan_of("case-1"), plan_of("case-1", overlays=(laid,)), NAMES)
    lock = next(c for c in found.changes if c.subject == "primary/kernel_lock")
    assert lock.causes == (key,)
    told = cause(found, key)
    assert told.before and told.after and told.kind == "table"
    assert (told.before.value["high"], told.after.value["high"]) == (450, 440)
    assert cause(found, "guide digest").kind == "guide"
    assert not any(c.kind in ("workload", "input") for c in found.causes)


def test_a_rule_s_parameter_is_named(plan_of: Any, tmp_path: Path) -> None:
    rule, name = "1.1.1-interface-sustained", "sustained_share"
    laid = overlay(tmp_path, "ours", rule=parameter(0.75, rule, name))
    found = diff_results(plan_of("case-1"), plan_of("case-1", overlays=(laid,)), NAMES)
    network = next(c for c in found.changes if c.subject == "primary/network/technical")
    assert network.causes == (f"rule {rule}, {name}",)
    assert cause(found, f"rule {rule}, {name}").kind == "parameter"


def test_a_cell_on_which_no_figure_rests_any_more_is_told_with_its_new_value(
    plan_of: Any, tmp_path: Path
) -> None:
    """Smaller disks are chosen no more: what moved the choice is the cell, not those instead."""
    laid = overlay(tmp_path, "ours", cells=cell("disks", "424mb-scsi", "capacity_mb", 300))
    found = diff_results(plan_of("case-1"), plan_of("case-1", overlays=(laid,)), NAMES)
    told = cause(found, "disks/424mb-scsi/capacity_mb")
    assert told.differs and told.before and told.after
    assert (told.before.value, told.after.value) == ("424", "300")
    parts = {c.subject: c.figures for c in found.changes if c.section == "order"}
    assert parts["primary: disks/1-3gb-scsi"] == (changed_value("quantity", 4, 6),)
    assert parts["primary: disks/424mb-scsi"] == (changed_value("quantity", 2, 0),)


def test_words_of_the_workload_and_the_policy_are_causes_too(plan_of: Any) -> None:
    changes = (
        ("    protection: mirror\n", "    protection: none\n"),
        ("default_mix: legato", "default_mix: legato\n  size_for: likely"),
    )
    found = diff_results(plan_of("case-1"), plan_of("case-1", *changes), NAMES)
    size_for, word = cause(found, "policy.size_for"), cause(found, "volumes.binaries.protection")
    assert (size_for.kind, word.kind) == ("policy", "input")
    assert word.before and word.after
    assert (word.before.value, word.after.value) == ("mirror", "none")


def test_what_moves_no_figure_is_no_difference(plan_of: Any) -> None:
    found = diff_results(
        plan_of("case-1"), plan_of("case-1", ("# Three groups", "# 3 groups")), NAMES
    )
    assert found.same and [c.kind for c in found.causes] == ["workload"]
    assert difference_text(found) == (
        "no difference\ninputs differ (input file), but no result changes\n"
    )


def test_a_program_that_answers_otherwise_is_told_as_such(plan_of: Any) -> None:
    plan = plan_of("case-1")
    other = copy.deepcopy(plan)
    other["budgets"][0]["used"]["high"] += 1e-9
    found = diff_results(plan, other, NAMES)
    (change,) = found.changes
    assert (change.subject, change.causes, found.causes) == ("primary/kernel_lock", (), ())
    text = difference_text(found)
    assert "No input differs" in text
    assert repr(plan["budgets"][0]["used"]["high"]) in text


@pytest.mark.parametrize(
    ("case", "keys"),
    [
        ("case-1", ("verdict", "determinant", "order", "systems", "budgets", "findings")),
        ("with-sound", ("nearest", "change", "rejected")),
    ],
)
def test_no_part_of_the_answer_goes_missing_unseen(
    plan_of: Any, case: str, keys: tuple[str, ...]
) -> None:
    plan = plan_of(case)
    for key in keys:
        empty = [] if isinstance(plan[key], list) else "violated" if key == "verdict" else None
        found = diff_results(plan, {**plan, key: empty}, NAMES)
        assert not found.same, key


@pytest.mark.parametrize(
    ("severity", "said"),
    [("note", " (note)"), ("advice", " (advice)"), ("violation", ""), ("recommended", "")],
)
@pytest.mark.parametrize(
    ("verdict", "words", "of_advice"),
    [
        ("violated", "fail", {"note": "to note", "advice": "advice not followed"}),
        ("tight", "borderline", {"note": "to note", "advice": "advice not followed"}),
        ("unknown", "unknown", dict.fromkeys(("note", "advice"), "advice not checked")),
    ],
)
def test_a_rule_that_limits_nothing_is_called_so(
    plan_of: Any, severity: str, said: str, verdict: str, words: str, of_advice: dict[str, str]
) -> None:
    plan = plan_of("case-1")
    at = next(
        n for n, each in enumerate(plan["findings"])
        if each["severity"] == severity and each["verdict"] == "holds"
    )  # fmt: skip
    finding = plan["findings"][at]
    worse = [*plan["findings"]]
    worse[at] = {**finding, "verdict": verdict}
    found = diff_results(plan, {**plan, "findings": worse}, NAMES)
    (change,) = [change for change in found.changes if change.section == "finding"]
    assert change.subject == f"rule {finding['rule']}{said} on {finding['subject']}"
    told = " ".join(difference_text(found).split())
    assert f"{change.subject}: verdict pass → {of_advice.get(severity, words)}" in told


def test_parts_of_a_kind_are_counted_together(plan_of: Any) -> None:
    plan = plan_of("case-1")
    again = {**plan, "order": [*plan["order"], {**plan["order"][1], "purpose": "spare"}]}
    (change,) = diff_results(plan, again, NAMES).changes
    line = plan["order"][1]
    assert change.subject == f"primary: {line['table']}/{line['row']}"
    assert change.figures == (changed_value("quantity", line["quantity"], line["quantity"] + 1),)


@pytest.mark.parametrize("other", ["with-sound", "case-4", "case-7", "printing"])
def test_a_difference_keeps_its_contract_and_its_width(plan_of: Any, other: str) -> None:
    found = diff_results(plan_of("case-1"), plan_of(other), NAMES)
    data = json.loads(json.dumps(found.as_data(), allow_nan=False))
    jsonschema.Draft202012Validator(schema_of("diff")).validate(data)
    assert list(data) == list(schema_of("diff")["properties"])
    keys = {each["key"] for each in data["causes"]}
    assert all(key in keys for change in data["changes"] for key in change["causes"])
    assert [line for line in difference_text(found).splitlines() if len(line) > 80] == []


def test_the_enums_are_the_programs() -> None:
    parts = schema_of("diff")["$defs"]
    assert tuple(parts["ChangedPart"]["properties"]["section"]["enum"]) == SECTIONS
    assert tuple(parts["Cause"]["properties"]["kind"]["enum"]) == CAUSE_KINDS
    source = schema_of("plan")["$defs"]["Origin"]["properties"]["kind"]
    assert tuple(source["enum"]) == KINDS


ONE = {"low": 1, "likely": 1, "high": 1, "unit": "s"}
TWO = {**ONE, "high": 2}


@pytest.mark.parametrize(
    ("before", "after", "found"),
    [
        ({"a": 1}, {"a": 1.0}, []),
        ({"a": {"b": 1}}, {"a": {"b": 2}}, [("a.b", 1, 2)]),
        ({"a": ONE}, {"a": TWO}, [("a", ONE, TWO)]),
        ({"a": None}, {"a": ONE}, [("a", None, ONE)]),
        ({"a": None}, {"a": {"b": 1}}, [("a", None, "there")]),
        ({"a": ["x", "y"]}, {"a": ["y"]}, [("a", "x, y", "y")]),
        ([{"id": "x", "n": 1}, {"id": "y"}], [{"id": "y"}, {"id": "x", "n": 2}], [("x.n", 1, 2)]),
        ([{"id": "x"}], [], [("x", "there", None)]),
        ([{"id": "x"}, {"id": "x"}], [{"id": "x"}], [("x #2", "there", None)]),
        ([[1]], [[2]], [("one", "1", "2")]),
        ([{"n": 1}], [{"n": True}], []),
    ],
)
def test_values_that_differ_are_found_by_name(before: Any, after: Any, found: Any) -> None:
    assert [(each.figure, each.before, each.after) for each in diff_tree(before, after)] == found


def test_a_difference_begins_with_what_a_buyer_asks(plan_of: Any) -> None:
    before = plan_of("case-1")
    after = copy.deepcopy(before)
    machine, *others = after["order"]
    disks = next(line for line in others if line["row"] == "424mb-scsi")
    machine["name"], machine["row"] = "SS630MP", "sparcserver-630mp"
    disks["quantity"] += 1
    after["order"] = [line for line in after["order"] if line["row"] != "tri-s"]
    after["verdict"] = "violated"
    price = {"currency": "USD", "unpriced": [], "total": 12850.5, "running_per_year": None}
    before["price"], after["price"] = price, {**price, "total": 9000, "unpriced": ["CD-ROM"]}
    found = diff_results(before, after, NAMES)
    assert found.summary == (
        "verdict borderline → fail",
        "SPARCstation-2 → SS630MP",
        "+1 424 MB SCSI disk",
        "−1 TRI/S (4- or 16Mb)",
        "price 12,850.50 USD → 9,000 USD and more",
    )
    second = difference_text(found).splitlines()[1]
    assert second.startswith("verdict borderline → fail; SPARCstation-2 → SS630MP; +1 424 MB")
    assert diff_results(before, copy.deepcopy(before), NAMES).summary == ()


def test_another_price_is_a_difference_by_itself(plan_of: Any) -> None:
    before = plan_of("case-1")
    before["price"] = {"currency": "USD", "unpriced": [], "total": 100, "running_per_year": None}
    after = copy.deepcopy(before)
    after["price"]["total"] = 90
    found = diff_results(before, after, NAMES)
    assert not found.same and found.summary == ("price 100 USD → 90 USD",)
    (change,) = found.changes
    assert (change.section, change.subject) == ("order", "price")
    assert [(f.figure, f.before, f.after) for f in change.figures] == [("total", 100, 90)]


def test_a_finding_on_a_subject_without_a_name_is_compared(plan_of: Any) -> None:
    """A subject that is cut off after its kind was an IndexError."""
    before = plan_of("case-1")
    after = copy.deepcopy(before)
    after["findings"][0]["subject"] = "primary/disk"
    subjects = {c.subject for c in diff_results(before, after, NAMES).changes}
    assert any("primary/disk" in subject for subject in subjects)


def test_objects_that_only_one_plan_has_are_told_together() -> None:
    """Networks that are added in the same way share a line, in natural order."""
    side = Side.make(
        name="a", workload="a", workload_digest="", guide="", guide_version="", guide_digest="",
        verdict="holds", not_counted=(),
    )  # fmt: skip
    changed = (changed_value("verdict", "holds", "violated"),)
    result = ChangedPart.make(
        section="plan", subject="", name="", severity="", trend="", figures=changed, causes=()
    )
    numbers = {figure: changed_value(figure, 1.0, None) for figure in ("used", "limit")}
    budgets = [
        ChangedPart.make(
            section="budget", subject=f"primary/network/n{n}", name="", severity="", trend="",
            figures=tuple(numbers.values()), causes=(f"services.s{n}.clients",),
        )
        for n in (1, 10, 2, 3)
    ]  # fmt: skip
    gone, there = (InputValue.make(value=each, where="", cite="") for each in (None, "there"))
    causes = [
        Cause.make(kind="input", key=key, before=gone, after=there)
        for key in ("networks.n10", "networks.n11", "networks.n9", "services.s1", "streams.s1 n9")
    ]
    found = Difference.make(
        schema="sizewright.diff/1", summary=(), same=False, before=side, after=side,
        changes=(result, *budgets), causes=tuple(causes),
    )  # fmt: skip
    text = " ".join(difference_text(found).split())
    assert "network n1 to n3 and n10: removed; " in text
    assert "Causes 3 networks added: n9 to n11 1 service added: s1" in text
    assert "streams" not in text and "there" not in text


def test_parts_have_their_names_and_shares_no_more_digits_than_they_need(plan_of: Any) -> None:
    before = plan_of("case-1")
    after = copy.deepcopy(before)
    (line,) = (each for each in after["order"] if each["row"] == "1-3gb-scsi")
    line["quantity"] += 2
    budget = next(each for each in after["budgets"] if each["share_of_limit"])
    budget["share_of_limit"] += 1e-3
    found = diff_results(before, after, NAMES)
    text = difference_text(found)
    number = line["quantity"]
    assert f"primary: 1.3 GB SCSI disk: quantity {number - 2} → {number}" in text
    shares = re.findall(r"share ([0-9.]+%) → ([0-9.]+%)", text)
    assert shares and all(len(each.partition(".")[2]) <= 2 for pair in shares for each in pair)


def test_what_is_not_counted_on_either_side_is_listed(plan_of: Any) -> None:
    before, after = plan_of("case-1"), plan_of("silent")
    after["not_counted"] = [
        {"subject": "s", "what": "its traffic", "add": "traffic", "typical": ""}
    ]
    before["not_counted"] = []
    assert "Not counted in after.json (not stated): s: its traffic." in " ".join(
        difference_text(diff_results(before, after, NAMES)).split()
    )
    before["not_counted"] = after["not_counted"]
    assert "Not counted in either (not stated): s: its traffic." in " ".join(
        difference_text(diff_results(before, after, NAMES)).split()
    )
