"""Platforms and plans side by side, held against what `plan` says of each."""

from __future__ import annotations

import json
from functools import cache
from typing import Any

import jsonschema
import pytest

import hand_plans
from case_reports import CASES, Reporter
from sizewright import plans
from sizewright.api import Engine, load_engine, plan, read_workload
from sizewright.cli.files import schema_of
from sizewright.compare.plans import (
    Column,
    PlatformPlan,
    comparison,
    comparison_text,
    impossible_column,
    make_column,
    plan_each_platform,
    short_names,
)
from sizewright.documents import read_document
from sizewright.errors import Diagnostic, InputError, Location
from sizewright.evaluate.policy import Policy
from sizewright.output.findings import rejection_reasons
from sizewright.output.json.plan import plan_data
from sizewright.output.reports import PlanReport
from sizewright.planner.parts import platforms_on_offer
from sizewright.planner.plan import Plan
from sizewright.workload.workload import Wishes, Workload

COMPARED = ("case-1", "silent", "with-sound", "case-3", "case-6")


@pytest.fixture(scope="module")
def engine() -> Engine:
    """The guide of the case studies."""
    return load_engine("sun-1992")


def workload_of(case: str) -> Workload:
    """A case study's workload."""
    return read_workload(read_document(CASES[case]))


def column_of(found: Plan, name: str = "x") -> Column:
    """The column of a plan."""
    return make_column(plan_data(PlanReport(found, "w", "", "w.yaml", "0" * 64)), name)


@cache
def tried_on(case: str) -> tuple[PlatformPlan, ...]:
    """A case study planned on each platform by itself, made once."""
    return tuple(plan_each_platform(workload_of(case), load_engine("sun-1992"), 1))


@pytest.mark.no_cover
@pytest.mark.parametrize("case", COMPARED)
def test_every_platform_on_offer_has_a_column_smallest_first(case: str, engine: Engine) -> None:
    rows = [row for row in engine.guide.table("platforms") if row.values.get("orderable")]
    tried = tried_on(case)
    assert {each.platform for each in tried} == {row.id for row in rows}
    ranks = [engine.guide.row("platforms", each.platform).number("rank") for each in tried]
    assert ranks == sorted(ranks)
    assert [each.name for each in tried] == [
        engine.guide.row("platforms", each.platform).text("name") for each in tried
    ]


@pytest.mark.no_cover
@pytest.mark.parametrize("case", COMPARED)
def test_the_columns_agree_with_the_plan(case: str, reported: Reporter, engine: Engine) -> None:
    """The platform that plan chooses says the same; of those before it none holds by itself."""
    report = reported(case)
    tried = {each.platform: each.plan for each in tried_on(case)}
    chosen = report.plan.chosen
    if chosen is None:
        assert not any(each and each.holds for each in tried.values())
        return
    same = tried[chosen.system.platform]
    assert same is not None and same.chosen is not None
    # Figures of two plans are equal only in what they say.
    assert repr(same.chosen.system) == repr(chosen.system)
    assert column_of(same).model_copy(update={"workload": "", "reasons": ()}) == (
        column_of(report.plan).model_copy(update={"workload": "", "reasons": ()})
    )
    names = list(tried)
    wished = (workload_of(case).wishes or Wishes()).platforms or names
    for name in names[: names.index(chosen.system.platform)]:
        alone = tried[name] if name in wished else None
        # By itself a platform also holds with an unknown limit, if it has nothing better to offer.
        if alone is not None and alone.chosen is not None and alone.holds:
            rules = {rule.id: rule for rule in engine.judging("plan").rules}
            missing = [
                finding for finding in alone.chosen.findings
                if Policy().blocks(rules[finding.rule])
                and Policy().breaks(rules[finding.rule], finding.verdict)
            ]  # fmt: skip
            assert missing
            assert {finding.verdict for finding in missing} == {"unknown"}


@pytest.mark.parametrize("case", CASES)
def test_a_column_tells_the_figures_of_its_plan(case: str, reported: Reporter) -> None:
    report = reported(case)
    found, end = column_of(report.plan), report.plan.policy.size_for
    fullest: dict[str, float] = {}
    for budget in report.budgets:
        share = budget.share_of_limit(end)
        if share is not None:
            fullest[budget.kind] = max(share, fullest.get(budget.kind, 0))
    assert {load.kind: load.share for load in found.loads} == fullest
    decided = report.determinant
    assert decided is not None and found.bottleneck is not None
    assert (found.bottleneck.resource, found.bottleneck.share) == (decided.resource, decided.share)
    assert found.bottleneck.headroom == 1 - decided.share
    assert found.holds is report.plan.holds
    for part, judged in zip(found.parts, report.systems, strict=True):
        system = judged.system
        models = [device.kind for device in system.devices() if not device.owner]
        assert (part.platform, part.memory_mb) == (system.platform, system.memory_mb)
        extra = sum(len(box.boards) for box in system.expansions)
        assert part.boards == len(system.boards) + extra
        assert part.disks == models.count("disk")


def test_why_not_tells_the_nearest_miss_shortest_first(reported: Reporter) -> None:
    report = reported("with-sound")
    nearest = report.plan.nearest
    found = column_of(report.plan)
    assert nearest is not None and not found.holds
    assert sorted(found.reasons) == sorted(rejection_reasons(report.plan.guide, nearest))
    assert [len(reason) for reason in found.reasons] == sorted(map(len, found.reasons))
    assert column_of(reported("case-1").plan).reasons == ()


def test_what_a_machine_lacks_is_told_though_there_is_no_configuration() -> None:
    tried = tried_on("case-7")
    found = column_of(tried[0].plan) if tried[0].plan else None
    assert found is not None and found.parts == () == found.loads
    assert any("two ports" in reason for reason in found.reasons)


def _faults(*names: str) -> Any:
    def refusing(workload: Workload, engine: Engine, systems: int | None) -> Plan:
        assert workload.wishes is not None
        if workload.wishes.platforms[0] in names:
            what = "speed is blank, and this plan needs it"
            raise InputError([Diagnostic(Location("table platforms"), what)])
        return plan(workload, engine, systems)

    return refusing


def test_a_platform_that_cannot_be_planned_says_why(
    engine: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, *others = (row.id for row in platforms_on_offer(engine.guide))
    monkeypatch.setattr(plans, "plan", _faults(first))
    tried = list(plan_each_platform(workload_of("case-1"), engine, None))
    assert (tried[0].plan, tried[0].why) == (None, ("speed is blank, and this plan needs it",))
    assert all(each.plan for each in tried[1:])
    monkeypatch.setattr(plans, "plan", _faults(first, *others))
    with pytest.raises(InputError, match="speed is blank"):
        list(plan_each_platform(workload_of("case-1"), engine, None))


@pytest.fixture(scope="module")
def columns(reported: Reporter) -> tuple[Column, ...]:
    """A column of each case study, and one of what cannot be planned."""
    found = (
        make_column(
            plan_data(reported(case)),
            f"examples/sun-1992/{case}/a-rather-long-name-of-a/workload.yaml",
        )
        for case in CASES
    )
    why = ("speed is blank, and this plan needs it", "short")
    return (*found, impossible_column("never", "w", "high", 0, why))


@pytest.mark.parametrize("of", ["", "a-workload"])
def test_a_comparison_keeps_its_contract_and_its_width(
    of: str, columns: tuple[Column, ...]
) -> None:
    found = comparison(of, columns)
    data = json.loads(json.dumps(found.as_data(), allow_nan=False))
    jsonschema.Draft202012Validator(schema_of("compare")).validate(data)
    assert list(data) == list(schema_of("compare")["properties"])
    text = comparison_text(found)
    assert [line for line in text.splitlines() if len(line) > 80] == []
    assert text.count("verdict") == text.count("headroom") > 1
    assert "- short\n    - speed is blank" in text


def test_what_is_not_counted_comes_before_the_numbers(reported: Reporter) -> None:
    """Of one workload once, though each platform has it; of several by name, but what all lack."""
    data = plan_data(reported("case-1"))
    memory = {"subject": "desks", "what": "memory", "add": "private_mb", "typical": ""}
    backup = {"subject": "backups", "what": "a drive", "add": "backup", "typical": ""}
    one = make_column({**data, "not_counted": [backup, memory]}, "a.yaml")
    other = make_column({**data, "not_counted": [backup]}, "b.yaml")
    assert [each.add for each in one.not_counted] == ["backup", "private_mb"]
    text = comparison_text(comparison("", (one, other)))
    assert text.index("Not counted") < text.index("verdict")
    rows = [line.split() for line in text.split("\n\n")[1].splitlines()[2:]]
    assert rows == [
        ["backups", "a", "drive", "backup"],
        ["a.yaml:", "desks", "memory", "private_mb"],
    ]
    text = comparison_text(comparison("w", (one, other)))
    rows = [line.split() for line in text.split("\n\n")[1].splitlines()[2:]]
    assert rows == [["backups", "a", "drive", "backup"], ["desks", "memory", "private_mb"]]
    whole = make_column({**data, "not_counted": []}, "a.yaml")
    assert "Not counted" not in comparison_text(comparison("w", (whole,)))


def test_as_many_columns_stand_beside_each_other_as_fit(columns: tuple[Column, ...]) -> None:
    some = tuple(each.model_copy(update={"name": f"p{n}"}) for n, each in enumerate(columns))
    text = comparison_text(comparison("w", some))
    heads = [line.split() for line in text.splitlines() if line.split()[:1] in (["p0"], ["p3"])]
    assert heads[0][0] == "p0" and len(heads[0]) > 1
    told = [name for line in text.splitlines() for name in line.split() if name == "p5"]
    assert told == ["p5"]


def test_boards_in_an_expansion_box_count(reported: Reporter) -> None:
    data = plan_data(reported("case-1"))
    (system,) = data["systems"]
    boards = system["configuration"]["boards"]
    inside = {**system["configuration"], "expansions": [{"id": "box", "boards": boards}]}
    both = make_column({**data, "systems": [{**system, "configuration": inside}]}, "x")
    assert both.parts[0].boards == 2 * make_column(data, "x").parts[0].boards > 0


def test_a_bottleneck_that_does_not_decide_is_not_shown(reported: Reporter) -> None:
    """What fails by its memory has room on the kernel lock, which tells nothing."""
    found = make_column(plan_data(reported("case-1")), "x")
    assert found.bottleneck is not None and found.bottleneck.headroom > 0
    told = found.bottleneck.name
    assert told in _bottleneck_row(found)
    failed = found.model_copy(update={"holds": False, "reasons": ("why",)})
    assert told not in _bottleneck_row(failed)


def test_a_standby_is_called_idle() -> None:
    pair = hand_plans.paired(hand_plans.BUSY, hand_plans.DESKTOP, *hand_plans.PAIR)
    data = plan_data(PlanReport(pair, "w", "", "w.yaml", "0" * 64))
    both, group = make_column(data, "x"), data["group"]
    (first, second) = group["members"]
    standby = {**group, "members": [first, {**second, "services": []}]}
    idle = make_column({**data, "group": standby}, "x")
    for of, working, waiting in (("w", " 2\n", " 2 (1 idle)\n"), ("", "-2\n", "-2 (idle)\n")):
        texts = [comparison_text(comparison(of, (each,))) for each in (both, idle)]
        assert working in texts[0] and "idle" not in texts[0]
        assert waiting in texts[1] and "An idle system runs no service while" in texts[1]
        assert all("of two systems." in " ".join(each.split()) for each in texts)


def _bottleneck_row(column: Column) -> str:
    text = comparison_text(comparison("w", (column,)))
    return next(line for line in text.splitlines() if line.strip().startswith("bottleneck"))


@pytest.mark.parametrize(
    ("files", "names"),
    [
        (("a/x/w.yaml", "a/y/w.yaml"), ["x", "y"]),
        (("a/one.yaml", "a/two.yaml"), ["one.yaml", "two.yaml"]),
        (("a/w.yaml", "/b/w.yaml"), ["a", "/b"]),
        (("w.yaml", "a/w.yaml"), ["w.yaml", "a/w.yaml"]),
        (("w.yaml", "w.yaml"), ["w.yaml", "w.yaml"]),
    ],
)
def test_files_are_named_by_what_they_do_not_share(
    files: tuple[str, ...], names: list[str]
) -> None:
    assert short_names(files) == names
