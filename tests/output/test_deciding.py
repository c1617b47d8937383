"""What decides, as text and as data."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from functools import cache
from math import log
from typing import Any

import jsonschema
import pytest

import hand_plans
from sizewright.cli.files import schema_of
from sizewright.output.budgets import add_growth, add_sensitivity
from sizewright.output.check import check_text
from sizewright.output.document import Document
from sizewright.output.json.check import check_data
from sizewright.output.json.plan import plan_data
from sizewright.output.layout import FLIPS_TOLD
from sizewright.output.names import Names
from sizewright.output.plan import plan_text
from sizewright.output.render import Style, render_text
from sizewright.output.reports import PlanReport
from sizewright.sensitivity.thresholds import BreakEven, Exhaustion
from sizewright.sensitivity.thresholds import break_even as what_decides
from small import GUIDE

from .conftest import CASES, Checker, Reporter

# The kernel lock of case 1, in ms/s: 208 op/s at 1000 ÷ 450 ms, 20 % more for write-gathering
# (2.12), and on half of each operation what Table 11 has of SCSI disks: for the striped disks of
# 150 op/s 57 % (serial, as many reads as writes: 80 and 34 %), and for the mirrors of 58 op/s 46 %
# (random writes, without reads).
EACH, STRIPED, MIRRORED = 1000 / 450, 1.2 + 0.5 * 0.57, 1.2 + 0.5 * 0.46
LOCK = EACH * (150 * STRIPED + 58 * MIRRORED)
TITLE = "Sensitivity (how far one value can change until a result changes)"
GROWING = ("wishes:\n", "growth: {percent: 20, years: 1.5}\nwishes:\n")
GROWN = {"case-1": (GROWING,)}


@pytest.fixture(scope="module")
def asked(reported: Reporter) -> Reporter:
    """A report on a case study with what decides, made once."""

    @cache
    def report(case: str, *changes: tuple[str, str]) -> PlanReport:
        plain = reported(case, *changes)
        found = what_decides(plain.budgets, plain.plan.policy.size_for)
        return replace(plain, break_even=found)

    return report


def section(text: str) -> list[str]:
    """The lines below the heading, up to the next one."""
    return re.split(r"\n\n(?=\S)", text.split(f"\n{TITLE}\n")[1])[0].splitlines()


def keeps_the_contract(data: dict[str, Any], command: str, *keys: str) -> None:
    """Whether these keys are as their schema says."""
    whole = schema_of(command)
    for key in keys:
        part = {**whole["properties"][key], "$defs": whole["$defs"]}
        jsonschema.Draft202012Validator(part).validate(data[key])


def flip_of(data: dict[str, Any], where: str) -> dict[str, Any]:
    leaves = [(each, each["leaf"]) for each in data["break_even"]]
    (found,) = (each for each, leaf in leaves if where in (leaf["name"], leaf["where"]))
    assert isinstance(found, dict)
    return found


def test_what_is_not_asked_for_is_not_told(reported: Reporter) -> None:
    report = reported("case-1")
    assert TITLE not in plan_text(report) and "Growth" not in plan_text(report)
    data = plan_data(report)
    assert (data["break_even"], data["steady"], data["growth"]) == (None, None, [])


def test_the_nearest_flips_stand_in_a_table(asked: Reporter) -> None:
    """Mail and binaries, 150 and 250 MB, fill 400 of 424 MB; file systems may fill 402.8, 95 %."""
    lines = section(plan_text(asked("case-1")))
    assert " ".join(lines[0].split()) == "your input now passes changes"
    told = " ".join(" ".join(lines).split())
    assert "disks: 424mb-scsi, 424 MB down to 421.1 MB" in told
    assert "volumes.binaries.size_mb 250 MB up to 252.8" in told
    assert "volumes.mail.size_mb 150 MB up to 152.8" in told
    assert told.index("binaries") < told.index("mail.size")
    own, rest = told.split("constant of the guide now passes changes")
    of_guide, borderline = rest.split("your input now borderline changes")
    # 90 % of three disks of 1300 MB (1.2.4), and what 525 MB of indexes leave of one.
    assert "volumes.ecad-files.size_mb 3100 MB above 3510" in borderline
    assert "volumes.system.size_mb 300 MB above 645" in borderline
    assert "disks:" not in own and "volumes." not in of_guide
    assert "space, 2 × 424 MB disk" in " ".join(line[60:].strip() for line in lines[1:3])


def test_a_dozen_are_told_and_the_rest_counted(asked: Reporter) -> None:
    report = asked("case-1")
    assert report.break_even is not None
    lines = section(plan_text(report))
    kinds = [flip.leaf.source and flip.leaf.source.kind for flip in report.break_even.flips]
    assert FLIPS_TOLD < kinds.count("input") < len(kinds) - FLIPS_TOLD
    told = sum(" up to " in line or " down to " in line for line in lines)
    assert told == 2 * FLIPS_TOLD
    # All that are borderline from some value on are inputs, or constants that are not told.
    of = [flip.leaf.source and flip.leaf.source.kind for flip in report.break_even.borderline]
    more = len(kinds) - told + of.count("input") - FLIPS_TOLD
    rest = " ".join(" ".join(lines).split())
    assert f"{more} more values would have to change further." in rest
    still = report.break_even.steady
    assert f"{still} values have no effect, even at 1000× or 1/1000." in rest


@pytest.mark.parametrize(
    ("found", "told"),
    [
        (BreakEven((), 1, 0, 1000), "1 value has no effect, even at 1000× or 1/1000."),
        (BreakEven((), 0, 1, 1000), "1 value is 0, and no factor changes 0."),
        (BreakEven((), 0, 2, 1000), "2 values are 0, and no factor changes 0."),
        (BreakEven((), 0, 0, 1000), "No other value changes a result."),
    ],
)
def test_what_flips_nothing_is_counted_in_words(
    reported: Reporter, found: BreakEven, told: str
) -> None:
    report = replace(reported("case-1"), break_even=found)
    assert section(plan_text(report)) == [f"  {told}"]


def test_what_is_broken_is_told_by_what_would_mend_it(asked: Reporter) -> None:
    report = asked("with-sound")
    lines = " ".join(" ".join(section(plan_text(report))).split())
    assert " only from " in lines and " only up " in lines
    mending = [each for each in plan_data(report)["break_even"] if not each["holds_now"]]
    assert {each["holds"] for each in mending} == {"at_most", "at_least"}
    broken = {b.resource for b in report.budgets if b.verdict != "holds"}
    assert {each["resource"] for each in mending} <= broken


@pytest.mark.no_cover
@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize("unicode", [True, False])
def test_the_table_fits_the_page(asked: Reporter, case: str, unicode: bool) -> None:
    report = asked(case, *GROWN.get(case, ()))
    text = plan_text(report, style=Style(colour=False, unicode=unicode))
    assert [line for line in text.splitlines() if len(line) > 80] == []
    assert unicode or text.isascii()


def test_the_data_say_where_each_figure_stands_and_at_which_end_it_flips(
    asked: Reporter,
) -> None:
    """170 of 400 × 0.8 op/s on one network: 5 clients of 30 op/s and 4 of 5 op/s."""
    data = plan_data(asked("case-1"))
    more = (1000 - LOCK) / (EACH * MIRRORED)
    rate = flip_of(data, "services.programming.load.ops_per_s_each")
    assert rate["value"] == pytest.approx(5 + more / 4)
    assert rate["factor"] == pytest.approx(1 + more / 20)
    assert {key: rate[key] for key in ("end", "holds", "holds_now", "resource", "also")} == {
        "end": "high", "holds": "at_most", "holds_now": True,
        "resource": "primary/kernel_lock", "also": ["primary/processors"],
    }  # fmt: skip
    assert rate["leaf"]["kind"] == "input" and rate["leaf"]["where"].startswith("case-1.yaml:")
    lock = flip_of(data, "services.ecad.load.ops_per_s_each")
    assert lock["resource"] == "primary/kernel_lock"
    assert lock["value"] == pytest.approx(30 + (1000 - LOCK) / (5 * EACH * STRIPED))
    clients = flip_of(data, "services.programming.clients")
    assert (clients["end"], clients["value"]) == ("high", pytest.approx(4 + more / 5))
    card = flip_of(data, "network-interfaces/lance-ethernet/nfs_ops_per_s")
    assert (card["holds"], card["value"]) == ("at_least", pytest.approx(170 / 0.8))
    share = flip_of(data, "rule 1.1.1-interface-sustained, sustained_share")
    assert (share["end"], share["value"]) == ("low", pytest.approx(170 / 400))
    distance = [max(each["factor"], 1 / each["factor"]) for each in data["break_even"]]
    assert distance == pytest.approx(sorted(distance))
    assert data["steady"]["within"] == 1000


@pytest.mark.no_cover
@pytest.mark.parametrize("case", CASES)
def test_the_data_keep_the_contract(asked: Reporter, case: str) -> None:
    report = asked(case, *GROWN.get(case, ()))
    data = json.loads(json.dumps(plan_data(report), allow_nan=False))
    keeps_the_contract(data, "plan", "break_even", "steady", "growth")
    assert data["break_even"]


def test_growth_says_what_runs_out_first(reported: Reporter) -> None:
    """The lock, 587 ms/s, grows into 1000, and 208 op/s into 360: log 1.7308 ÷ log 1.2 years.

    Write-gathering would take the processor over 85 % (1.1.7), so that the plan has none.
    """
    report = reported("case-1", GROWING)
    text = " ".join(plan_text(report).split())
    assert (
        "Growth: planned for 1.5 years. First limit: kernel lock reaches its limit after 2.9 years"
        in text
    )
    told = plan_data(report)["growth"]
    assert told[0]["resource"] == "primary/kernel_lock"
    years = {each["resource"]: each["years"] for each in told}
    plain = LOCK - EACH * 0.2 * 208
    assert years["primary/kernel_lock"] == pytest.approx(log(1000 / plain) / log(1.2))
    assert years["primary/nfs"] == pytest.approx(3.00878, rel=1e-5)
    assert {each["horizon_years"] for each in told} == {1.5}


@pytest.mark.parametrize(
    ("found", "told"),
    [
        (
            [Exhaustion("primary/nfs", None, 1)],
            "planned for 1 year. No resource reaches its limit in the foreseeable future.",
        ),
        (
            [Exhaustion("primary/nfs", 0, 6), Exhaustion("primary/memory", 0, 6)],
            "planned for 6 years. First limit: NFS load is already over its limit today.",
        ),
        (
            [Exhaustion("primary/nfs", 1, 0.5), Exhaustion("primary/memory", None, 0.5)],
            "planned for 0.5 years. First limit: NFS load reaches its limit after 1 year.",
        ),
        (
            [Exhaustion("primary/nfs", 0, 6), Exhaustion("primary/memory", 2, 6)],
            "NFS load is already over its limit today; next: memory after 2 years.",
        ),
    ],
)
def test_growth_tells_of_nothing_and_of_too_much(
    reported: Reporter, found: list[Exhaustion], told: str
) -> None:
    page, report = Document(), replace(reported("case-1"))
    vars(report)["growth"] = tuple(found)
    add_growth(page, report)
    assert told in " ".join(render_text(page).split())


def test_of_two_systems_each_is_named(reported: Reporter) -> None:
    (judged,) = reported("case-1").systems
    names = Names(GUIDE, judged.system)
    other = [
        budget._replace(system="other", resource=budget.resource.replace("primary", "other"))
        for budget in judged.budgets
    ]
    budgets = [*judged.budgets, *other]
    page, report = Document(), replace(
        reported("case-1"), break_even=what_decides(budgets, "high")
    )  # fmt: skip
    vars(report).update(
        budgets=budgets, named={"primary": names, "other": names},
        growth=(Exhaustion("other/nfs", 1, 1), Exhaustion("primary/memory", 2, 1)),
    )  # fmt: skip
    add_growth(page, report)
    told = "other NFS load reaches its limit after 1 year; next: primary memory after 2 years."
    assert told in " ".join(render_text(page).split())
    page = Document()
    add_sensitivity(page, report, report.break_even)
    told = " ".join(render_text(page).split())
    assert "other space," in told and "primary space," in told


def test_a_check_tells_the_same_way(checked: Checker) -> None:
    report = checked()
    assert TITLE not in check_text(report)
    assert (check_data(report)["break_even"], check_data(report)["steady"]) == (None, None)
    found = what_decides(report.check.judged.budgets, report.policy.size_for)
    report = replace(report, break_even=found)
    text = check_text(report)
    assert section(text) and [line for line in text.splitlines() if len(line) > 80] == []
    data = json.loads(json.dumps(check_data(report), allow_nan=False))
    keeps_the_contract(data, "check", "break_even", "steady")
    assert data["break_even"] and data["steady"]["leaves"] == found.steady


@pytest.mark.parametrize(
    ("platform", "is_named"), [("sparcserver-690mp", True), ("sparcstation-2", False)]
)
def test_disks_that_take_less_kernel_time_relieve_a_busy_lock(
    platform: str, is_named: bool
) -> None:
    """100 reads × 5.91 ms on SCSI, × 4.21 ms × 22 ÷ 28.5 on IPI, which a desktop cannot attach."""
    service = {**hand_plans.BUSY["services"][0], "kernel_ms_per_s": 150}
    system = hand_plans.DESKTOP._replace(platform=platform)
    plan = hand_plans.holding({**hand_plans.BUSY, "services": [service]}, system)
    text = plan_text(hand_plans.report_on(plan))
    said = "IPI disks instead of SCSI: disk operations take 325 ms/s instead of 591 ms/s, 266 less"
    assert "Rule busy-kernel-lock" in text
    assert (said in " ".join(text.split())) is is_named
