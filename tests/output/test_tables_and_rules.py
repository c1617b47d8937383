from __future__ import annotations

import json

import pytest

import site_rules
from sizewright.api import Engine, load_engine
from sizewright.output.browse import (
    row_data,
    row_text,
    rule_data,
    rule_text,
    rules_text,
    table_data,
    table_text,
    tables_text,
)
from sizewright.rules.compiler import RuleSet
from sizewright.rules.rule import VERDICTS


@pytest.fixture(scope="module")
def engine() -> Engine:
    return load_engine("sun-1992")


def _fits(text: str) -> bool:
    return all(len(line) <= 80 for line in text.splitlines())


def test_every_table_and_row_fits_the_page(engine: Engine) -> None:
    assert _fits(tables_text(engine.guide))
    for name in engine.guide.tables:
        table = engine.guide.table(name)
        text = table_text(table)
        assert _fits(text), name
        for row in table:
            assert f"  {row.id}" in text
            assert _fits(row_text(row)), row


def test_the_list_counts_rows(engine: Engine) -> None:
    lines = [line.split() for line in tables_text(engine.guide).splitlines()]
    assert ["disks", str(len(engine.guide.table("disks").rows)), "Disk", "drives"] in lines


def test_a_table_shows_numbers_first_and_names_the_rest(engine: Engine) -> None:
    lines = table_text(engine.guide.table("nfs-capacity")).splitlines()
    assert lines[0] == "nfs-capacity: NFS load that each platform sustains"
    row = next(line for line in lines if line.startswith("  sparcserver-670mp "))
    assert [word for word in row.split() if word.isdigit()] == ["650", "800", "4"]


def test_a_row_gives_each_cell_with_source_and_status(engine: Engine) -> None:
    text = row_text(engine.guide.row("disks", "424mb-scsi"))
    assert "  capacity_mb: 424 MB\n    [section 2.4.4, Table 8; printed]\n" in text
    assert "  transfer_mb_per_s: 2.2–3.0 MB/s\n" in text
    # Printed in another unit than its column's, it keeps its own.
    assert "  capacity_mb: 1.3 GB\n" in row_text(engine.guide.row("disks", "1-3gb-scsi"))
    assert "Left blank by the guide: " in text
    assert "inferred: " in text


def test_json_gives_every_cell(engine: Engine) -> None:
    for name in engine.guide.tables:
        table = engine.guide.table(name)
        data = json.loads(json.dumps(table_data(engine.guide, table)))
        assert [row["id"] for row in data["rows"]] == list(table.rows)
        for row in data["rows"]:
            assert list(row["cells"]) == list(table.columns)
            for cell in row["cells"].values():
                assert (cell["value"] is None) == (cell["source"] == "")
    cell = row_data(engine.guide.row("disks", "424mb-scsi"))["cells"]["capacity_mb"]
    assert cell == {
        "value": 424, "unit": "MB", "source": "section 2.4.4, Table 8", "status": "printed",
        "from": "",
    }  # fmt: skip


def test_every_rule_fits_the_page_and_stands_in_the_list(engine: Engine) -> None:
    listed = rules_text(engine.guide, engine.rule_set)
    assert _fits(listed)
    for rule in engine.rule_set.rules:
        assert f"\n  {rule.id} " in listed
        assert _fits(rule_text(rule, engine.rule_set)), rule.id


def test_a_rule_shows_condition_numbers_and_examples(engine: Engine) -> None:
    text = rule_text(engine.rule_set.rule("XIII"), engine.rule_set)
    for part in (
        "Rule XIII: Load on a network behind a protocol-offload interface\n  [section 2.5.2]\n",
        "  severity: violation: ",
        "  applies when: network.interface_kind == 'protocol_offload_nic'\n",
        "  requires: network.nfs_ops_per_s <= max_nfs_ops_per_s\n",
        "  max_nfs_ops_per_s = 290 op/s",
        "table network-interfaces/network-coprocessor/nfs_ops_per_s",
        "  network.nfs_ops_per_s, op/s: NFS operations on this network\n",
        "  tight: network: interface_kind protocol_offload_nic, nfs_ops_per_s 250–300\n",
    ):
        assert part in text, part


def test_rules_as_json_have_the_keys_that_readers_were_promised(engine: Engine) -> None:
    for rule in engine.rule_set.rules:
        data = json.loads(json.dumps(rule_data(rule)))
        assert set(data) == {
            "id", "guide", "title", "source", "severity", "severity_reason", "does_not_work",
            "subject", "judges", "when", "require", "bounds", "parameters", "no_parameters",
            "message", "remedy", "measure", "note", "examples", "cannot", "not_monotone",
        }  # fmt: skip
        assert data["source"], rule.id
        assert bool(data["parameters"]) is not bool(data["no_parameters"]), rule.id
        assert set(data["judges"]) <= {"plan", "box"} and data["judges"]
        shown = {example["expect"] for example in data["examples"]}
        assert shown | set(data["cannot"]) == set(VERDICTS) - {"waived"}, rule.id
        assert all(data["cannot"].values())
        for parameter in data["parameters"].values():
            assert set(parameter) == {"value", "source", "doc"}


@pytest.fixture(scope="module")
def strings(tmp_path_factory: pytest.TempPathFactory) -> RuleSet:
    """With a rule of a site's own that is not monotone, and is asked of boxes only."""
    folder = site_rules.overlay(tmp_path_factory.mktemp("overlays"))
    extra = "judges: [box]\nmeasure: Count them.\n"
    with (folder / "rules" / "sun-1992" / "site-strings.yaml").open("a") as file:
        file.write(extra)
    return load_engine("sun-1992", (folder,)).rule_set


def test_a_rule_says_whom_it_judges_and_what_it_is_not(strings: RuleSet) -> None:
    rule = strings.rule("site-strings")
    text = rule_text(rule, strings)
    for line in (
        "  severity: note\n", "  checks: existing servers\n", "  not monotone: A word on it\n",
        "  to measure: Count them.\n", "  never holds: The box shows it\n", "[section 1.1.1]\n",
    ):  # fmt: skip
        assert line in text, line
    data = rule_data(rule)
    never = dict.fromkeys(("holds", "violated"), "The box shows it")
    assert (data["judges"], data["cannot"]) == (["box"], never)
    assert (data["not_monotone"], data["measure"]) == ("A word on it", "Count them.")


def test_a_rule_says_that_a_system_that_breaks_it_does_not_work(engine: Engine) -> None:
    rules = engine.rule_set
    told = {rule: "  if broken: the system does not work\n" in rule_text(rules.rule(rule), rules)
            for rule in ("2.8-bus", "XIII")}  # fmt: skip
    assert told == {"2.8-bus": True, "XIII": False}


def test_a_rule_for_all_says_so(engine: Engine) -> None:
    text = rule_text(engine.rule_set.rule("XIII"), engine.rule_set)
    assert "  checks: plans and existing servers\n" in text
