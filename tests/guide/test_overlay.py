"""An overlay changes what it names, says so, and is refused where it is broken."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import pytest

from guide.overlays import GUIDE, cell, overlay, parameter
from sizewright.api import Engine, load_engine, plan
from sizewright.documents import read_document
from sizewright.errors import InputError
from sizewright.guide.loader import load_guide
from sizewright.guide.model import Change
from sizewright.output.provenance import overlay_uses
from sizewright.planner.plan import Plan
from sizewright.quantity import Quantity, leaves
from sizewright.workload.reading import read_workload

EXAMPLES = Path(__file__).resolve().parent.parent.parent / "examples" / GUIDE
CASE_1 = EXAMPLES / "case-1-departmental-nfs" / "workload.yaml"
SILENT = EXAMPLES / "case-2-training-center" / "silent.yaml"
COPROCESSOR = "network-interfaces/network-coprocessor/nfs_ops_per_s"
TWO_NETWORKS = ("nfs-capacity", "sparcstation-2-two-networks", "sustained_ops_per_s")


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder that keeps the guide itself, so that it is read once."""
    return tmp_path_factory.mktemp("kept")


@pytest.fixture(autouse=True)
def _own_cache(monkeypatch: pytest.MonkeyPatch, kept: Path) -> None:
    monkeypatch.setenv("SIZEWRIGHT_CACHE", str(kept))


def under(*overlays: Path) -> Engine:
    return load_engine(GUIDE, overlays)


def planned(path: Path, engine: Engine) -> Plan:
    return plan(read_workload(read_document(path)), engine)


def coprocessors(found: Plan) -> int:
    assert found.chosen is not None
    return sum(port.interface == "network-coprocessor" for port in found.chosen.system.ports)


def sources(figures: Iterable[Quantity]) -> set[tuple[str, str]]:
    return {(leaf.source.cite, leaf.source.status) for f in figures for leaf in leaves(f)
            if leaf.source}  # fmt: skip


def faults(*overlays: Path) -> str:
    with pytest.raises(InputError) as caught:
        under(*overlays)
    return caught.value.text()


def test_a_lower_limit_of_rule_xiii_changes_the_plan_of_case_2(tmp_path: Path) -> None:
    """At 290 four coprocessors carry the silent courseware; at 200 they pass 160 each."""
    site = overlay(tmp_path, "site", rule=parameter(200))
    engine = under(site)
    found = planned(SILENT, engine)
    assert coprocessors(planned(SILENT, under())) == 4
    assert coprocessors(found) > 4
    assert found.guide.changes == (
        Change("site", "rule XIII parameter max_nfs_ops_per_s", COPROCESSOR, "200"),
    )
    assert found.chosen is not None
    budget = next(b for b in found.chosen.budgets if b.kind == "network")
    assert budget.capacity is not None
    assert budget.limit is not None
    assert (budget.capacity.high, budget.limit.high) == (200, 160)
    assert ("overlay site", "overlay") in sources([budget.capacity])


def test_a_changed_cell_changes_the_plan_of_case_1(tmp_path: Path) -> None:
    """208 operations a second no longer fit a platform that sustains 200."""
    engine = under(overlay(tmp_path, "site", table=cell(*TWO_NETWORKS, 200)))
    found = planned(CASE_1, engine)
    assert found.chosen is not None
    assert found.chosen.system.platform == "sparcserver-630mp"
    (rejection,) = found.rejected
    assert rejection.platform == "sparcstation-2"
    assert any("208 op/s" in why and "200 op/s" in why for why in rejection.reasons)
    assert found.guide.changes == (Change("site", "/".join(TWO_NETWORKS), "360", "200"),)
    sustained = engine.guide.row(*TWO_NETWORKS[:2]).require(TWO_NETWORKS[2])
    assert sources([sustained]) == {("overlay site", "overlay")}


def test_a_changed_cell_reaches_the_rule_that_refers_to_it(tmp_path: Path) -> None:
    table, row, column = COPROCESSOR.split("/")
    engine = under(overlay(tmp_path, "site", table=cell(table, row, column, 200)))
    limit = engine.rule_set.rule("XIII").parameters["max_nfs_ops_per_s"]
    assert isinstance(limit, Quantity)
    assert (limit.high, limit.unit) == (200, "op/s")
    assert coprocessors(planned(SILENT, engine)) > 4


def test_the_later_overlay_wins_and_both_are_told(tmp_path: Path) -> None:
    first = overlay(tmp_path, "first", rule=parameter(200))
    second = overlay(tmp_path, "second", rule=parameter(250))
    for order, value in (((first, second), 250), ((second, first), 200)):
        engine = under(*order)
        limit = engine.rule_set.rule("XIII").parameters["max_nfs_ops_per_s"]
        assert isinstance(limit, Quantity)
        assert limit.high == value
        assert [change.overlay for change in engine.guide.changes] == [p.name for p in order]
        assert engine.guide.changes[1].before == engine.guide.changes[0].after


def test_an_overlay_of_the_same_cell_twice_keeps_what_the_later_says(tmp_path: Path) -> None:
    first = overlay(tmp_path, "first", table=cell(*TWO_NETWORKS, 200))
    second = overlay(tmp_path, "second", table=cell(*TWO_NETWORKS, 300))
    guide = load_guide(GUIDE, [first, second])
    row = guide.row(*TWO_NETWORKS[:2])
    assert row.require(TWO_NETWORKS[2]).high == 300
    assert row.mark_of(TWO_NETWORKS[2]).cite == "overlay second"
    assert [c[1:] for c in guide.changes] == [
        ("/".join(TWO_NETWORKS), "360", "200"), ("/".join(TWO_NETWORKS), "200", "300"),
    ]  # fmt: skip


def test_the_guide_itself_is_left_as_it_is(tmp_path: Path) -> None:
    under(overlay(tmp_path, "site", rule=parameter(200), table=cell(*TWO_NETWORKS, 200)))
    guide = load_guide(GUIDE)
    assert guide.changes == ()
    assert guide.row(*TWO_NETWORKS[:2]).require(TWO_NETWORKS[2]).high == 360


def test_only_the_changed_cells_are_marked(tmp_path: Path) -> None:
    guide = load_guide(GUIDE, [overlay(tmp_path, "site", table=cell(*TWO_NETWORKS, 200))])
    row = guide.row(*TWO_NETWORKS[:2])
    assert row.mark_of("maximum_ops_per_s").status == "printed"
    assert guide.row("nfs-capacity", "sparcserver-670mp").mark.status == "printed"


def test_an_overlay_may_cite_a_source_of_its_own(tmp_path: Path) -> None:
    text = cell(*TWO_NETWORKS, 300) + '    status: printed\n    source: {section: "1.1.8"}\n'
    guide = load_guide(GUIDE, [overlay(tmp_path, "site", table=text)])
    assert guide.row(*TWO_NETWORKS[:2]).mark_of(TWO_NETWORKS[2]).cite == "section 1.1.8"


def test_a_severity_can_be_lowered(tmp_path: Path) -> None:
    engine = under(overlay(tmp_path, "site", rule="id: XIII\nseverity: advice\n"))
    assert engine.rule_set.rule("XIII").severity == "advice"
    assert engine.guide.changes == (Change("site", "rule XIII severity", "violation", "advice"),)


NEW_ROW = """\
table: nfs-capacity
rows:
  - id: sparcstation-2-three-networks
    new: true
    platform: sparcstation-2
    sustained_ops_per_s: 500
    maximum_ops_per_s: 600
    required_networks: 3
"""
SOURCED = NEW_ROW + '    status: printed\n    source: {section: "1.1.1"}\n'


def test_a_new_row_counts_like_one_of_the_guide(tmp_path: Path) -> None:
    engine = under(overlay(tmp_path, "site", table=SOURCED))
    found = planned(CASE_1, engine)
    assert found.chosen is not None
    nfs = next(b for b in found.chosen.budgets if b.kind == "nfs")
    assert nfs.capacity is not None
    assert nfs.capacity.high == 600
    assert found.guide.changes == (
        Change("site", "nfs-capacity/sparcstation-2-three-networks", "", "added"),
    )


def test_a_new_row_without_a_source_is_refused(tmp_path: Path) -> None:
    text = faults(overlay(tmp_path, "site", table=NEW_ROW))
    where = f"site/tables/{GUIDE}/table.yaml:3:5"
    assert text.splitlines() == [
        f"{where}: source is missing", f"{where}: status is missing",
        "  expected printed, inferred or outside",
    ]  # fmt: skip


ADD = "expected new: true, if it is to be added"
NEW_DISK = 'source: {section: "2.4.4"}, status: printed, capacity_mb: 400'


@pytest.mark.parametrize(
    ("text", "place", "what", "more"),
    [
        ("table: diskz\nrows: [{id: 424mb-scsi, capacity_mb: 400}]\n", "1:1",
         "unknown table 'diskz'", f"{ADD}; did you mean 'disks'?"),
        ("table: diskz\ncolumns: {capacity_mb: {type: number, unit: MB}}\n"
         f"rows: [{{id: 424mb-scsi, {NEW_DISK}}}]\n", "1:1",
         "unknown table 'diskz'", f"{ADD}; did you mean 'disks'?"),
        (f"table: disks\nrows:\n  - {{id: 424mb-scsii, {NEW_DISK}}}\n", "3:6",
         "table disks has no row '424mb-scsii'",
         "expected new: true, if it is to be added; did you mean '424mb-scsi'?"),
        (f"table: disks\nrows:\n  - {{id: 424mb-scsi, new: true, {NEW_DISK}}}\n", "3:6",
         "table disks has a row '424mb-scsi' already", "leave out 'new'"),
        ("table: disks\nnew: true\nrows: []\n", "1:1", "table 'disks' exists already",
         "leave out 'new'"),
        ("table: boards\nrows:\n  - id: sbus-scsi\n    disk_busses: [scsi-synchronos]\n", "4:5",
         "table disk-busses has no row 'scsi-synchronos'", "did you mean 'scsi-synchronous'?"),
        ("table: disks\nrows:\n  - id: 424mb-scsi\n    capacity_mb: 0\n", "4:5",
         "capacity_mb is 0 MB", "expected more than 0"),
    ],
    ids=["table", "whole-table", "row", "row-that-is-there", "table-that-is-there", "name",
         "number"],
)  # fmt: skip
def test_an_overlay_is_checked_as_strictly_as_the_guide(
    text: str, place: str, what: str, more: str, tmp_path: Path
) -> None:
    told = faults(overlay(tmp_path, "site", table=text))
    assert told == f"site/tables/{GUIDE}/table.yaml:{place}: {what}\n  {more}"


def test_a_misspelt_rule_is_told_with_the_nearest(tmp_path: Path) -> None:
    told = faults(overlay(tmp_path, "site", rule="id: XIIII\nseverity: advice\n"))
    assert told == (
        f"site/rules/{GUIDE}/rule.yaml:1:1: unknown rule 'XIIII'\n"
        "  expected all keys of a rule, if it is to be added; did you mean 'XIII'?"
    )


def test_a_broken_table_is_told_with_file_line_and_row(tmp_path: Path) -> None:
    text = faults(overlay(tmp_path, "site", table=cell(*TWO_NETWORKS, "many")))
    where = f"site/tables/{GUIDE}/table.yaml:4:5"
    assert text == f"{where}: sustained_ops_per_s is 'many'\n  expected a number in op/s"


def test_a_misspelt_column_is_told_with_the_nearest(tmp_path: Path) -> None:
    text = faults(overlay(tmp_path, "site", table=cell(*TWO_NETWORKS[:2], "sustaned_ops_per_s", 1)))
    assert "table.yaml:4:5: unknown column 'sustaned_ops_per_s'" in text
    assert "did you mean 'sustained_ops_per_s'?" in text


def test_all_faults_of_all_overlays_come_together(tmp_path: Path) -> None:
    first = overlay(tmp_path, "first", table=cell(*TWO_NETWORKS, "many"), table_2=NEW_ROW)
    second = overlay(tmp_path, "second", rule="id: XIII\nseverity: grave\n")
    text = faults(first, second)
    assert "first/tables" in text
    assert "source is missing" in text
    assert "second/rules" in text


def test_an_overlay_that_is_no_yaml_is_refused(tmp_path: Path) -> None:
    text = faults(overlay(tmp_path, "site", table="table: [things\n"))
    assert text.startswith(f"site/tables/{GUIDE}/table.yaml:2:1: is not valid YAML")


@pytest.mark.parametrize("files", [{}, {"other": "a file\n"}])
def test_a_folder_without_a_file_for_the_guide_is_refused(
    files: dict[str, str], tmp_path: Path
) -> None:
    folder = tmp_path / "site"
    folder.mkdir()
    for name, text in files.items():
        (folder / name).write_text(text, encoding="utf-8")
    text = faults(folder)
    assert f"the overlay has no file for guide {GUIDE}" in text
    assert f"site/tables/{GUIDE}/*.yaml or rules/{GUIDE}/*.yaml in it" in text


def test_a_folder_that_is_not_there_is_refused(tmp_path: Path) -> None:
    assert "the overlay has no file for guide" in faults(tmp_path / "nowhere")


@pytest.mark.parametrize(
    ("text", "what"),
    [
        (parameter(200, name="max_nfs_op_per_s"), "no parameter 'max_nfs_op_per_s'"),
        (parameter("~"), "max_nfs_ops_per_s"),
        (parameter("[300, 200]"), "max_nfs_ops_per_s"),
        (parameter("{value: 200, unit: MB}"), "MB"),
        ("id: XIII\nbounds: {resource: network.nope, at_most: network.nope}\n", "network.nope"),
        (parameter(-5), "max_nfs_ops_per_s is -5\n  expected 0 or more"),
        (parameter(200, "2.5.1-utilisation", "practical_limit"), "at most 100"),
        (parameter(0, "2.5.1-utilisation", "whole"), ":2:14: whole is 0, and rule 2.5.1-util"),
    ],
    ids=["misspelt", "blank", "falling", "unit", "bounds", "negative", "share", "divisor"],
)
def test_a_change_of_a_rule_that_cannot_be_meant_is_refused(
    text: str, what: str, tmp_path: Path
) -> None:
    told = faults(overlay(tmp_path, "site", rule=text))
    assert f"site/rules/{GUIDE}/rule.yaml:" in told
    assert what in told


@pytest.mark.parametrize(
    "text",
    [
        "table: [nfs-capacity]\nrows: []\n",
        "table: nfs-capacity\nrows:\n  - sustained_ops_per_s: 200\n",
        "table: disks\ncolumns: {capacity_mb: {type: text}}\nrows: [{id: 424mb-scsi}]\n",
        "table: prices\ncolumns: {price: {type: number, unit: USD}}\nrows: [{id: a, price: 1}]\n",
        cell("platforms", "sparcstation-2", "builtin_disk_busses", "[nope]"),
        cell("platforms", "sparcstation-2", "processor_counts", "[many]"),
        cell("nfs-capacity", "sparcstation-2-two-networks", "maximum_ops_per_s", -5),
    ],
    ids=[
        "name-a-list", "row-without-id", "column-of-another-type", "new-table-without-sources",
        "reference-to-nothing", "count-a-text", "capacity-negative",
    ],
)  # fmt: skip
def test_a_change_of_a_table_that_cannot_be_meant_is_refused(text: str, tmp_path: Path) -> None:
    site = overlay(tmp_path, "site", table=text)
    with pytest.raises(InputError):
        planned(CASE_1, under(site))


@pytest.mark.parametrize(
    ("value", "what"),
    [
        ("~", "is blank, and rule 2.5.1-utilisation needs it\n  expected a value"),
        (0, "is 0\n  expected more than 0, at most 100"),
        (-5, "is -5\n  expected more than 0, at most 100"),
        (200, "is 200\n  expected at most 100"),
    ],
)
def test_a_cell_that_a_rule_reads_is_told_in_the_file_of_the_overlay(
    value: object, what: str, tmp_path: Path
) -> None:
    column = "practical_utilisation_limit_percent"
    told = faults(overlay(tmp_path, "site", table=cell("network-media", "ethernet", column, value)))
    assert told.startswith(f"site/tables/{GUIDE}/table.yaml:4:5: {column} {what}")
    assert len(told.splitlines()) == 2


def test_each_share_that_limits_something_states_what_it_may_be() -> None:
    guide = load_guide(GUIDE)
    read = [
        guide.table(parameter["table"]).columns[parameter["field"]]
        for rule in guide.rules.values()
        for parameter in rule["parameters"].values()
        if parameter.get("field", "").endswith("_percent")
    ]
    assert read
    assert all(column.at_most == 100 for column in read)


@pytest.mark.parametrize(
    "text",
    [
        cell("nfs-capacity", "sparcstation-2-two-networks", "maximum_ops_per_s", "~"),
        cell("nfs-capacity", "sparcstation-2-two-networks", "maximum_ops_per_s", 0),
        cell("protocol-costs", "nfs-transfer", "transfer_kb_per_op", "~"),
        cell("protocol-costs", "nfs-transfer", "transfer_kb_per_op", 0),
    ],
    ids=["capacity-blank", "capacity-nothing", "transfer-blank", "transfer-nothing"],
)
def test_a_needed_cell_that_is_blank_or_nothing_is_told(text: str, tmp_path: Path) -> None:
    site = overlay(tmp_path, "site", table=text)
    try:
        found = planned(CASE_1, under(site))
    except InputError as error:
        assert "per_s" in error.text() or "per_op" in error.text()
    else:
        assert found.holds or found.rejected


NEW_RULE = """\
id: fifth-free
title: Room to spare on every disk
source: {section: "2.4.4"}
subject: disk
parameters: {most: {value: 0.8, unit: "1", doc: The operators want a fifth of every disk free}}
bounds: {resource: disk.stored_mb, share: most}
require: disk.stored_mb <= most * disk.capacity_mb
severity: violation
severity_reason: a full disk stops its users
message: "{disk.stored_mb} on {disk.id}"
remedy: Take a larger disk.
measure: Add up the partitions in use.
examples:
  - {given: {disk: {stored_mb: 800, capacity_mb: 1000}}, parameters: {most: 0.8}, expect: holds}
  - given: {disk: {stored_mb: [700, 900], capacity_mb: 1000}}
    parameters: {most: 0.8}
    expect: tight
  - {given: {disk: {stored_mb: 900, capacity_mb: 1000}}, parameters: {most: 0.8}, expect: violated}
  - {given: {disk: {stored_mb: ~, capacity_mb: 1000}}, parameters: {most: 0.8}, expect: unknown}
cannot: {not_applicable: every disk holds something or nothing}
"""
NEW_TABLE = """\
table: site-notes
new: true
title: What the site notes
columns: {remark: {type: text, doc: A remark}}
rows:
  - {id: first, remark: kept, status: printed, source: {section: "1.1.1"}}
"""


def test_a_new_rule_and_a_new_table_are_told_as_added(tmp_path: Path) -> None:
    engine = under(overlay(tmp_path, "site", table=NEW_TABLE, rule=NEW_RULE))
    uses = {change.what: (change, used) for change, used in overlay_uses(planned(CASE_1, engine))}
    assert {what: change.after for what, (change, _) in uses.items()} == {
        "rule fifth-free": "added", "site-notes": "added",
    }  # fmt: skip
    assert uses["rule fifth-free"][1]
    assert not uses["site-notes"][1]
