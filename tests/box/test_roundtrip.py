"""A plan written as a box file and checked says what the plan said, to the last digit."""

from __future__ import annotations

import copy
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
import yaml
from click.testing import CliRunner, Result
from hypothesis import assume, example, given
from hypothesis import strategies as st

from generated_workloads import ENGINE, GUIDE, Plain, fitting, planned, text_of, workloads
from guide.overlays import overlay, parameter
from settled import settled
from sizewright.api import load_engine, plan
from sizewright.check.check import Check
from sizewright.cli.main import main
from sizewright.documents import parse_document, read_document
from sizewright.limits import NAME_CHARACTERS
from sizewright.planner.plan import Plan
from sizewright.workload.reading import read_workload
from small import plain, volume
from written_plans import differences, exact, reread, written

pytestmark = pytest.mark.no_cover

EXAMPLES = Path(__file__).resolve().parent.parent.parent / "examples" / GUIDE
CASE_1 = EXAMPLES / "case-1-departmental-nfs" / "workload.yaml"
SILENT = EXAMPLES / "case-2-training-center" / "silent.yaml"
# Too small for 400 op/s.
DESKTOP = {"platforms": ["sparcstation-2"]}


# What YAML, in one version or another, takes for something else than a name.
NAMES = (
    "no", "Yes", "null", "~", "true", "1e3", "1E-3", "12", "1_000", "0x1f", "0o17", "017", "1:30",
    ".5", "5.", "+.e", ".inf", ".nan", "2024-01-01", "=", "<<", "-", "?", "#", "# one", "a #b",
    "a: b", "a:", "- a", "? a", "[a]", "{a: b}", "a, b", "&a", "*a", "!a", "!!int", "%a", "@a",
    "`a", "|", ">", "'", '"', "it's", 'so "called"', "---", "...", " a", "a ", "a\tb", "a\nb",
    "a\\", "\x07bell", "\x1b[31m", "a\x85b", "a\u2028b", "\ufeff", "\xa0a", "grün", "数", "🦄",
    "e\u0301", "x" * 200, "a  b", "\u202eevil", "operating system", "eNFS", "none", "builtin",
    "measured",
)  # fmt: skip


# Invented: a database whose answers share a network with files, beside terminals.
DATABASE: Plain = {
    "name": "orders",
    "networks": [
        {"name": "floor", "medium": "ethernet"}, {"name": "office", "medium": "ethernet"},
    ],
    "volumes": [
        {"name": "rows", "size_mb": 700, "access": "serial", "use": "raw"},
        {"name": "home", "size_mb": [150, 200], "access": "random"},
    ],
    "wishes": {"platforms": ["sparcserver-630mp"]},
    "services": [
        {
            "kind": "database", "name": "orders", "product": "oracle", "clients": [8, 12],
            "network": "floor",
            "work": [
                {"name": "report", "volume": "rows", "mb": 20, "block_kb": 8, "every_s": 900,
                 "returns_mb": [3, 5], "user_processors": 0.2},
                {"name": "load", "volume": "rows", "operation": "update", "ops_per_s": [7, 11],
                 "block_kb": 2, "user_processors": 0.1},
            ],
        },
        {"kind": "nfs", "name": "files", "clients": [10, 15], "network": "floor",
         "load": {"ops_per_s_each": 2}, "uses": ["home"]},
        {"kind": "timesharing", "name": "desks", "sessions": [10, 14], "private_mb": 2,
         "network": "office", "traffic": {"packets_per_s": [90, 120], "packet_byte": 1500}},
    ],
}  # fmt: skip
# Invented: terminals, printers and a line to another place on one machine.
LINES: Plain = {
    "name": "desks",
    "networks": [{"name": "office", "medium": "ethernet"}],
    "volumes": [{"name": "spool", "size_mb": 100, "access": "serial"}],
    "wishes": {"platforms": ["sparcserver-670mp"]},
    "services": [
        {"kind": "timesharing", "name": "desks", "sessions": 12, "private_mb": 2,
         "network": "office", "traffic": {"packets_per_s": 100, "packet_byte": 1500}},
        {"kind": "serial", "name": "modems", "lines": 12, "bits_per_s": 2400},
        {"kind": "print", "name": "printers", "spool": "spool",
         "printers": [{"name": "line", "attached": "parallel", "count": 1}]},
        {"kind": "gateway", "name": "sna",
         "lines": [{"name": "t1", "protocol": "sna", "kbit_per_s": 56}]},
    ],
}  # fmt: skip


class _Quoted(yaml.SafeDumper):
    """Puts every text in quotes, so that a workload may have any name."""

    def ignore_aliases(self, data: Any) -> bool:
        return True


_Quoted.add_representer(
    str, lambda dumper, text: dumper.represent_scalar("tag:yaml.org,2002:str", text, style='"')
)


def read_quoted(workload: Plain) -> Plan:
    text = yaml.dump(workload, Dumper=_Quoted, sort_keys=False)
    return plan(read_workload(parse_document(text, "generated.yaml")), ENGINE, systems=1)


def renamed(value: Any, names: Mapping[str, str]) -> Any:
    if isinstance(value, dict):
        return {names.get(key, key): renamed(each, names) for key, each in value.items()}
    if isinstance(value, list):
        return [renamed(each, names) for each in value]
    return names.get(value, value) if isinstance(value, str) else value


def with_policy(workload: Plain, **policy: Any) -> Plain:
    other = copy.deepcopy(workload)
    other.setdefault("policy", {}).update(policy)
    return other


@pytest.mark.parametrize("path", (CASE_1, SILENT), ids=lambda path: path.stem)
def test_a_case_study(path: Path) -> None:
    found = plan(read_workload(read_document(path)), ENGINE)
    assert differences(found, reread(written(found))) == []


LONGEST = "x" * NAME_CHARACTERS


def test_volumes_of_diskless_clients_of_services_with_the_longest_names() -> None:
    names = LONGEST, LONGEST[:-1] + "y"
    clients: Plain = {"kind": "nfs", "clients": 2, "diskless": True, "network": LONGEST}
    found = planned({
        "name": LONGEST,
        "networks": [{"name": LONGEST, "medium": "ethernet"}],
        "services": [{**clients, "name": name,
         "load": {"ops_per_s_each": 1}} for name in names],
    })  # fmt: skip
    text = written(found)
    assert differences(found, reread(text)) == []
    volumes = [volume["name"] for volume in yaml.safe_load(text)["volumes"]]
    assert len(set(volumes)) == len(volumes) == 3
    assert sum(len(name) == NAME_CHARACTERS for name in volumes) == 2


def used(again: Check) -> set[str]:
    """Every resource of which it is known how much is asked of it."""
    return {b.resource.removeprefix("primary/") for b in again.judged.budgets if b.used is not None}


def test_a_database_beside_files_and_terminals() -> None:
    found = planned(DATABASE)
    text = written(found)
    again = reread(text)
    assert differences(found, again) == []
    resources = {"kernel_lock", "processors", "data/floor", "network/floor", "data/office"}
    assert resources <= used(again)
    data = yaml.safe_load(text)
    assert {v["name"]: (v["use"], v["database"]) for v in data["volumes"]} == {
        "rows": ("raw", "oracle"), "home": ("file_system", "none"),
        "operating system": ("root", "none"),
    }  # fmt: skip


@pytest.mark.parametrize(("lines", "on_boards"), [(12, 12), (120, 16)])
def test_lines_on_boards_and_beside_the_server(lines: int, on_boards: int) -> None:
    """2.9: some of many end on the printer's ALM-2; the unit for the others is written as well."""
    workload = copy.deepcopy(LINES)
    workload["services"][1]["lines"] = lines
    found = planned(workload)
    assert found.chosen is not None
    again = reread(written(found))
    assert differences(found, again) == []
    assert {"kernel_lock", "data/office"} <= used(again)
    assert again.box.serial_lines == on_boards
    assert bool(again.box.beside) is (on_boards < lines)
    assert again.judged.system.beside == found.chosen.system.beside


def test_sessions_without_work_have_an_unknown_processor_time() -> None:
    found = planned({"name": "desks", "services": [
        {"kind": "timesharing", "name": "desks", "sessions": 3},
    ]})  # fmt: skip
    back = reread(written(found))
    assert differences(found, back) == []
    assert back.judged.facts.system.kernel_time_complete is None


def test_a_file_leaves_out_only_rules_that_judge_plans_alone() -> None:
    found = planned(DATABASE)
    asked = {f.rule for f in reread(written(found)).findings}
    assert found.chosen is not None
    assert {f.rule for f in found.chosen.findings} - asked == {
        "1.2.8-user-processors", "1.2.9.2-completion", "1.2.9.2-overlap",
        "1.2.9.2-recommended-rates", "controller-may-fail", "system-disk",
    }  # fmt: skip


CASES = sorted(
    path for path in EXAMPLES.glob("case-*/*.yaml")
    if not any(other in path.stem for other in ("box", "expected", "inventory"))
)  # fmt: skip


def named_by_check(found: Plan) -> set[tuple[str, str, str]]:
    """What `check` of the written plan finds wrong that the plan did not say."""
    assert found.chosen is not None
    said = {(f.rule, f.subject, f.verdict) for f in found.chosen.findings}
    again = {(f.rule, f.subject, f.verdict) for f in reread(written(found)).findings}
    return {each for each in again - said if each[2] in ("violated", "tight")}


@pytest.mark.parametrize("path", CASES, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_check_of_a_plan_of_a_case_study_finds_nothing_new(path: Path) -> None:
    found = plan(read_workload(read_document(path)), ENGINE)
    for each in found.plans:
        assert each.chosen is None or named_by_check(each) == set()


@settled(30)
@given(workloads())
def test_check_of_any_plan_finds_nothing_new(workload: Plain) -> None:
    found = fitting(workload)
    assert all(named_by_check(each) == set() for each in found.plans)


@settled(40)
@given(workloads())
def test_any_plan(workload: Plain) -> None:
    found = fitting(workload)
    assert all(differences(each, reread(written(each))) == [] for each in found.plans)


@settled(30)
@given(workloads(), st.permutations(NAMES))
def test_any_names(workload: Plain, names: list[str]) -> None:
    own = ("alpha", "beta", "gamma", "north", "south", "west", "edit", "mail", "build")
    found = read_quoted(renamed(workload, dict(zip(own, names, strict=False))))
    assume(found.chosen is not None)
    text = written(found, names[-1], names[-2])
    assert differences(found, reread(text)) == []
    assert reread(text).box.title == names[-2]


@pytest.mark.parametrize("name", NAMES)
def test_other_readers_of_yaml_see_the_same_names(name: str) -> None:
    workload = plain({"name": name, "network": name, "uses": [name]}, volumes=[volume(name)])
    workload["networks"] = [{"name": name, "medium": "ethernet"}]
    text = written(read_quoted(workload), name, name)
    assert yaml.safe_load(text) == parse_document(text, "plan.yaml").data
    assert parse_document(text, "plan.yaml").data["volumes"][0]["name"] == name


def test_lines_of_one_name_stay_apart() -> None:
    """A service may be called as the accelerator whose cost stands beside it."""
    name = "PrestoServe, Sbus"
    service = {
        "name": name,
        "load": {"ops_per_s_each": 12},
        "uses": ["files"],
        "mix": "brown",
    }
    found = planned(plain(service, volumes=[volume("files")]))
    assert found.chosen is not None
    (lock, *_) = found.chosen.budgets
    assert [line.name for line in lock.items] == [name, name]
    (again, *_) = reread(written(found)).judged.budgets
    assert [exact(line.figure) for line in again.items] == [exact(i.figure) for i in lock.items]
    assert exact(again.used) == exact(lock.used)


RULES = st.sampled_from([str(rule.id) for rule in ENGINE.rule_set.rules])
REASONS = st.one_of(st.sampled_from(NAMES), st.text(min_size=1)).filter(
    lambda text: bool(text.strip())
)


@settled(30)
@given(
    workloads(),
    st.dictionaries(RULES, REASONS, max_size=4),
    st.sampled_from((200, 250, [200, 260])),
)
def test_waivers_parameters_and_the_end_sized_for(
    workload: Plain, waived: dict[str, str], most: Any
) -> None:
    waive = [{"rule": rule, "reason": reason} for rule, reason in waived.items()]
    parameters = {"XIII": {"max_nfs_ops_per_s": most}}
    found = read_quoted(with_policy(workload, waive=waive, parameters=parameters))
    assume(found.chosen is not None)
    again = reread(written(found))
    assert differences(found, again) == []
    assert again.box.policy.size_for == workload["policy"]["size_for"]
    assert {w.rule: w.reason for w in again.box.policy.waive} == waived
    stated = again.box.policy.parameters["XIII"]["max_nfs_ops_per_s"]
    assert stated == (tuple(most) if isinstance(most, list) else most)


def test_overlays_are_to_be_given_again_and_the_file_says_so(tmp_path: Path) -> None:
    site = overlay(tmp_path, "site", rule=parameter(200))
    engine = load_engine(GUIDE, (site,))
    found = plan(read_workload(read_document(SILENT)), engine)
    text = written(found)
    assert "# Overlays, to be given to `check` as well: site.\n" in text
    assert differences(found, reread(text, engine)) == []
    assert differences(found, reread(text)) != []


def run(*arguments: object) -> Result:
    result = CliRunner().invoke(main, [str(a) for a in arguments], prog_name="sizewright")
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    return result


def test_the_command_writes_what_check_reads(tmp_path: Path) -> None:
    target = tmp_path / "plan.yaml"
    told = run("plan", CASE_1, "--format", "yaml", "-o", target)
    assert (told.exit_code, told.stdout, told.stderr) == (0, "", "")
    text = target.read_text(encoding="utf-8")
    assert run("plan", CASE_1, "--format", "yaml").stdout == text
    found = plan(read_workload(read_document(CASE_1)), ENGINE)
    assert differences(found, reread(text)) == []
    assert run("check", target).exit_code == 0


def test_the_end_sized_for_on_the_command_line_is_written() -> None:
    told = run("plan", CASE_1, "--format", "yaml", "--size-for", "low").stdout
    assert "\npolicy: {size_for: low, follow_advice: where_free}\n" in told


def test_where_nothing_fits_nothing_is_written(tmp_path: Path) -> None:
    target = tmp_path / "plan.yaml"
    target.write_text("what was there\n", encoding="utf-8")
    refused = tmp_path / "small.yaml"
    too_much = plain({"clients": 400}, availability={"systems": 1}, wishes=DESKTOP)
    refused.write_text(text_of(too_much), encoding="utf-8")
    told = run("plan", refused, "--format", "yaml", "-o", target)
    assert (told.exit_code, told.stdout) == (1, "")
    assert target.read_text(encoding="utf-8") == "what was there\n"
    assert told.stderr == (
        "sizewright: no plan meets every limit for small; no box file was written\n"
        "  --format text shows what was tried and the closest alternative\n"
    )


def test_the_file_is_for_people() -> None:
    text = run("plan", CASE_1, "--format", "yaml").stdout
    head = text.splitlines()[:3]
    assert all(line.startswith("# ") for line in head)
    assert "sizewright plan" in head[0] and "workload.yaml" in head[0] and GUIDE in head[1]
    assert "  - {name: technical" not in text
    assert "          - name: binaries\n            size_mb: 250\n" in text
    assert "    technical: {ecad: [120, 135, 150], programming: [15, 17.5, 20]}\n" in text
    assert "&" not in text and "!!" not in text


@example("plan\n# name: other")
@given(st.sampled_from(NAMES))
@settled(5)
def test_the_head_stays_a_remark_whatever_the_file_is_called(name: str) -> None:
    from sizewright.output.box_file import box_text
    from sizewright.output.reports import PlanReport

    found = planned(plain({}))
    assert found.chosen is not None
    text = box_text(PlanReport(found, "small", "", name, "0" * 64), found.chosen)
    assert reread(text).box.name == "primary"
