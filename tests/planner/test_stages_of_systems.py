"""Stages of several systems: each system grows from its own parts of today to its own final parts.

By hand: the 1.3 GB disk takes 1170 MB of files, if 90 % of it may be full (1.2.4). Systems that
divide clients have the same part of the data; systems that divide services have their own volumes.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
import yaml
from click.testing import CliRunner
from hypothesis import assume, given
from hypothesis import strategies as st

from generated_workloads import ENGINE, Plain, read, text_of, workloads
from settled import settled
from sizewright.api import check, plan, policy_of, report_plan, stages
from sizewright.box.reading import read_box
from sizewright.cli.main import main
from sizewright.demand.build import demand_of
from sizewright.documents import parse_document
from sizewright.engine import rules_for
from sizewright.errors import InputError
from sizewright.output.bill_of_materials import OrderLine, bill_of_materials, stage_orders
from sizewright.output.html.page import plan_html
from sizewright.output.json.plan import plan_data
from sizewright.output.plan import plan_markdown, plan_text
from sizewright.output.reports import PlanReport
from sizewright.output.wording import GLUE
from sizewright.planner.plan import Plan
from sizewright.planner.planning import Planning
from sizewright.planner.protection import plan_surviving
from sizewright.planner.stages import Stage, parts_of
from small import plain, volume

DESKTOP = {"platforms": ["sparcstation-2"], "system_elsewhere": True}
GROWING = {"percent": 10, "years": 2}
HOME = {"name": "home", "clients": 12, "uses": {"files": 1}}
FILES = volume("files", 4400, growth_mb_per_year=4400)
BATCH = {"kind": "measured", "name": "batch", "kernel_ms_per_s": 10,
         "measured_on": "sparcstation-2",
         "work": [{"name": "scan", "volume": "results", "ops_per_s": 1}]}  # fmt: skip


def divided(**more: Any) -> Plain:
    """Files of 4400, 8800 and 13200 MB, whose clients several systems divide."""
    return plain(HOME, volumes=[FILES], wishes=DESKTOP, growth=GROWING, **more)


def with_rest() -> Plain:
    """The same, and a service whose clients cannot be divided, with a volume of its own."""
    results = volume("results", 1000, growth_mb_per_year=1000)
    workload = plain(HOME, volumes=[FILES, results], wishes=DESKTOP, growth=GROWING)
    workload["services"].append(BATCH)
    return workload


def apart(one: str = "cad", other: str = "office") -> Plain:
    """Two services with a volume each; one of them takes two disks more in each year."""
    drawings = volume(f"of-{one}", 2200, growth_mb_per_year=2200)
    letters = volume(f"of-{other}", 1100)
    services = [{"name": name, "uses": {f"of-{name}": 1}} for name in (one, other)]
    return plain(*services, volumes=[drawings, letters], wishes=DESKTOP, growth=GROWING)


WAYS = [(divided(), 4), (with_rest(), 4), (apart(), 2)]
ways = pytest.mark.parametrize(("workload", "systems"), WAYS, ids=["alike", "rest", "services"])


def found_for(workload: Plain, systems: int) -> tuple[Plan, tuple[tuple[Stage, ...], ...]]:
    asked = read(workload)
    found = plan(asked, ENGINE, systems)
    return found, stages(asked, ENGINE, found)


def report_of(workload: Plain, systems: int) -> PlanReport:
    document = parse_document("name: small", "small.yaml")
    return report_plan(read(workload), document, ENGINE, systems=systems, in_stages=True)


def counted(lines: Iterable[OrderLine]) -> Counter[tuple[str, str]]:
    found: Counter[tuple[str, str]] = Counter()
    for line in lines:
        found[line.table, line.row] += line.quantity - line.kept
    return found


def broken(stage: Stage) -> set[str]:
    return {
        finding.rule for finding in stage.judged.findings
        if finding.verdict == "violated" and finding.severity == "violation"
    }  # fmt: skip


def disks(stage: Stage) -> int:
    return len(stage.judged.system.disks())


@ways
def test_each_system_grows_to_its_final_configuration(workload: Plain, systems: int) -> None:
    found, of_systems = found_for(workload, systems)
    assert found.number == systems and len(of_systems) == len(found.plans)
    for own, final in zip(of_systems, found.plans, strict=True):
        assert [stage.years for stage in own] == [0, 1, 2]
        assert own[-1].judged == final.chosen
        for before, after in pairwise(own):
            assert parts_of(before.judged.system) <= parts_of(after.judged.system)


@ways
def test_the_stages_of_all_systems_add_up_to_the_order(workload: Plain, systems: int) -> None:
    report = report_of(workload, systems)
    bought = (line for own in report.stages for order in own for line in order.lines)
    assert counted(bought) == counted(report.order)
    judged = zip(report.plan.numbers, report.systems, report.stages, strict=True)
    for number, each, own in judged:
        assert sum(order.memory_mb for order in own) == number * (each.system.memory_mb or 0)
        assert sum(order.processors for order in own) == number * (each.system.processors or 0)


def size_mb(stage: Stage) -> dict[str, float]:
    return {each.name: each.size_mb.high for each in stage.demand.volumes}


def ops(stage: Stage) -> float:
    return sum(stream.ops.high for stream in stage.demand.streams)


@ways
def test_each_stage_carries_the_load_of_its_year(workload: Plain, systems: int) -> None:
    """The demand of a system in a year is that of a plan which ends in that year."""
    _, of_systems = found_for(workload, systems)
    for year in range(3):
        until = workload | {"growth": GROWING | {"years": year}}
        then = plan(read(until), ENGINE, systems)
        for own, planned in zip(of_systems, then.plans, strict=True):
            assert planned.chosen is not None
            wanted = Stage(year, planned.demand, planned.chosen)
            assert size_mb(own[year]) == pytest.approx(size_mb(wanted))
            assert ops(own[year]) == pytest.approx(ops(wanted))
            assert [s.name for s in own[year].demand.services] == [
                s.name for s in planned.demand.services
            ]  # fmt: skip
    assert not any(broken(stage) for own in of_systems for stage in own)


def test_identical_systems_buy_the_disks_of_their_part_each_year() -> None:
    """Each of four has 1100, 2200 and 3300 MB: one disk more each year, four for all."""
    _, (own,) = found_for(divided(), 4)
    assert [disks(stage) for stage in own] == [1, 2, 3]
    (orders,) = report_of(divided(), 4).stages
    bought = [counted(each.lines)["disks", "1-3gb-scsi"] for each in orders]
    assert bought == [4, 4, 4]


def test_owned_disks_of_all_identical_systems_are_not_bought() -> None:
    """Of 3 disks for each of four systems, 12, they have 4: 8 are to be bought, none today."""
    workload = divided()
    owned = [{"device": "1-3gb-scsi", "count": 4}]
    workload["wishes"] = workload["wishes"] | {"carry_forward": owned}
    report = report_of(workload, 4)
    assert counted(report.order)["disks", "1-3gb-scsi"] == 8
    (orders,) = report.stages
    assert [counted(each.lines)["disks", "1-3gb-scsi"] for each in orders] == [0, 4, 4]


def test_the_first_of_several_systems_has_the_rest_in_all_years() -> None:
    """Its 1000 MB a year more than the others' files take one disk more in each year."""
    _, (first, others) = found_for(with_rest(), 4)
    assert [disks(a) - disks(b) for a, b in zip(first, others, strict=True)] == [1, 2, 3]


def parts_by_year(workload: Plain) -> set[tuple[frozenset[tuple[str, int]], ...]]:
    """The parts of each system in each year, without their names."""
    _, of_systems = found_for(workload, 2)
    return {
        tuple(frozenset(Counter(d.model for d in s.judged.system.devices()).items())
              for s in own)
        for own in of_systems
    }  # fmt: skip


def test_order_and_names_do_not_matter() -> None:
    wanted = parts_by_year(apart())
    assert len(wanted) == 2
    assert parts_by_year(apart("office", "cad")) == wanted
    turned = apart()
    for key in ("services", "volumes"):
        turned[key] = turned[key][::-1]
    assert parts_by_year(turned) == wanted


def test_systems_that_survive_a_failure_have_no_stages() -> None:
    workload = plain(HOME, volumes=[volume("files", 100, dual_ported=True)], growth=GROWING)
    workload["availability"] = {"survives": ["system"]}
    asked = read(workload)
    found = plan(asked, ENGINE)
    assert found.group is not None and found.group.failover
    with pytest.raises(InputError) as caught:
        stages(asked, ENGINE, found)
    assert caught.value.text() == (
        "--stages: stages of systems that survive a failure are not planned\n"
        "  expected a workload without availability: {survives: [system]}"
    )


def test_a_network_that_must_survive_has_its_spare_one_today() -> None:
    workload = divided(availability={"survives": ["network"]})
    for systems in (1, 2):
        _, of_systems = found_for(workload, systems)
        for own in of_systems:
            assert [len(stage.judged.system.ports) for stage in own] == [2, 2, 2]


def lines(text: str) -> list[str]:
    return [" ".join(line.split()) for line in text.splitlines()]


def test_the_report_has_the_stages_of_each_system_under_its_name() -> None:
    whole = lines(plan_text(report_of(with_rest(), 4)))
    first = whole.index("System primary: SPARCstation-2")
    others = whole.index("3 systems server, each: SPARCstation-2")
    everything = whole.index("All systems")
    heading = "Purchase in stages (parts to add for the load of each year)"
    tables = [n for n, line in enumerate(whole) if line == heading]
    assert len(tables) == 2
    assert first < tables[0] < others < tables[1] < everything
    assert "in 2 years 3 1.3 GB SCSI disk files" in whole[tables[1] : everything]
    text = " ".join(whole)
    assert text.count("All systems are bought today") == 2
    said = "The quantities are those of all 3 systems. Each of the 3 systems has the same parts"
    assert text.count(said) == 1


def test_the_first_screen_names_the_system_of_each_table() -> None:
    screen = lines(plan_text(report_of(with_rest(), 4), full=False))
    assert "All systems" not in screen
    for name in ("System primary: SPARCstation-2", "3 systems server, each: SPARCstation-2"):
        below = screen[screen.index(name) :]
        assert "Purchase in stages (parts to add for the load of each year)" in below


def test_a_section_of_the_report_has_the_stages_of_all_systems() -> None:
    found = lines(plan_text(report_of(apart(), 2), sections=("purchase in stages",)))
    assert {"System primary: SPARCstation-2", "System alternate: SPARCstation-2"} <= set(found)


def test_markdown_and_html_have_the_stages_of_each_system() -> None:
    report = report_of(with_rest(), 4)
    assert plan_markdown(report).count("# Purchase in stages") == 2
    assert plan_html(report).count(">Purchase in stages") == 2


def test_more_memory_for_identical_systems_is_stated_for_each() -> None:
    report = report_of(divided(), 4)
    (orders,) = report.stages
    more = orders[1]._replace(memory_mb=64.0, lines=())
    assert more.to_add == [("4", f"16{GLUE}MB of memory", "more memory")]


def test_the_record_names_the_system_of_each_stage() -> None:
    records = plan_data(report_of(with_rest(), 4))["stages"]
    assert [(each["system"], each["years"]) for each in records] == [
        ("primary", 0), ("primary", 1), ("primary", 2), ("server", 0), ("server", 1), ("server", 2),
    ]  # fmt: skip
    assert [line["quantity"] for line in records[-1]["order"]] == [3]


def test_the_record_of_one_system_has_no_name_of_it() -> None:
    assert not any("system" in each for each in plan_data(report_of(divided(), 1))["stages"])


def test_the_written_boxes_are_those_of_today_and_pass(tmp_path: Path) -> None:
    file = tmp_path / "workload.yaml"
    file.write_text(text_of(with_rest()))
    done = CliRunner().invoke(
        main, ["plan", str(file), "--systems", "4", "--stages", "--format", "yaml",
               "-o", str(tmp_path)],
    )  # fmt: skip
    assert done.exit_code == 0, done.output
    wanted = {"primary": (2, {"files": 1100, "results": 1000}), "server": (1, {"files": 1100})}
    for name, (number, growth) in wanted.items():
        text = (tmp_path / f"{name}.yaml").read_text()
        written = yaml.safe_load(text)
        assert written["growth"] == {"percent": 10}
        more = {each["name"]: each.get("growth_mb_per_year") for each in written["volumes"]}
        assert {key: more[key] for key in growth} == pytest.approx(growth)
        found = check(read_box(parse_document(text, "box.yaml")), ENGINE)
        assert found.holds
        assert len(found.judged.system.disks()) == number


@settled(10)
@given(workloads(), st.integers(0, 40), st.integers(2, 3))
def test_stages_of_any_systems_are_parts_of_them_and_add_up(
    workload: Plain, percent: int, systems: int
) -> None:
    workload["growth"] = {"percent": percent, "years": 1}
    for each in workload["volumes"]:
        each["growth_mb_per_year"] = 100
    asked = read(workload)
    rules = rules_for(asked.policy, ENGINE, "plan")
    planning = Planning(ENGINE.guide, rules, policy_of(asked.policy, ENGINE.guide))
    demand = demand_of(asked, ENGINE.guide)._replace(systems=systems)
    found = plan_surviving(demand, planning, explain=False)
    assume(found.chosen is not None)
    for own, final in zip(stages(asked, ENGINE, found), found.plans, strict=True):
        assert own[-1].judged == final.chosen
        (before, after) = own
        assert parts_of(before.judged.system) <= parts_of(after.judged.system)
        assert not broken(before)
        orders = stage_orders(own, ENGINE.guide, demand.size_for)
        whole = bill_of_materials(ENGINE.guide, final.demand, after.judged.system)
        assert counted(line for order in orders for line in order.lines) == counted(whole)
