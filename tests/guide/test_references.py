"""The guide's data hang together: what a cell names is there, and nothing stands unused."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest
import yaml

from guide.overlays import GUIDE
from sizewright.guide.loader import data_root, guide_files, load_guide
from sizewright.guide.model import Row
from sizewright.rules.compiler import compile_rules

LOADED = load_guide(GUIDE)
TABLES = {name: LOADED.table(name) for name in LOADED.tables}
FILES = [path for path in guide_files(data_root(), GUIDE) if path.name != "guide.yaml"]
HEAD = yaml.load(
    (data_root() / "tables" / GUIDE / "guide.yaml").read_text(encoding="utf-8"), yaml.CSafeLoader
)

# What a column's meaning does not say literally.
REFERS: dict[tuple[str, str], tuple[str, ...]] = {
    ("network-interfaces", "boards"): ("boards",),
    ("network-interfaces", "needs"): tuple(TABLES),
    ("serial-line-options", "preferred_on"): ("platforms",),
    ("nfs-mixes", "evidence_platform"): ("platforms",),
    ("nfs-mixes", "saturation_platform"): ("platforms",),
    ("software", "needs"): tuple(TABLES),
    ("software", "conflicts"): tuple(TABLES),
}
_ROWS_OF = re.compile(r"Rows? of ([a-z-]+)(?: or ([a-z-]+))?")


def targets(table: str, column: str) -> tuple[str, ...]:
    """The tables whose rows a column names; none where it names no rows."""
    known = REFERS.get((table, column))
    if known:
        return known
    found = _ROWS_OF.match(TABLES[table].columns[column].doc)
    return tuple(name for name in found.groups() if name) if found else ()


def named(row: Row, column: str) -> tuple[Any, ...]:
    value = row.values.get(column)
    return tuple(value) if isinstance(value, list) else () if value is None else (value,)


REFERENCES = sorted(
    (table, column)
    for table in TABLES
    for column in TABLES[table].columns
    if targets(table, column)
)


def test_many_columns_refer_to_rows() -> None:
    assert len(REFERENCES) > 30
    assert {"platforms", "boards", "disk-busses"} <= {t for r in REFERENCES for t in targets(*r)}


@pytest.mark.parametrize(("table", "column"), REFERENCES, ids="/".join)
def test_every_row_that_a_cell_names_is_there(table: str, column: str) -> None:
    known = {row for name in targets(table, column) for row in TABLES[name].rows}
    lost = [
        f"{row.id}: {name}"
        for row in TABLES[table]
        for name in named(row, column)
        if name not in known
    ]
    assert lost == []


def test_the_defaults_are_rows() -> None:
    tables = {
        "operating_system": "operating-systems",
        "nfs_mix": "nfs-mixes",
        "nfs_transfer": "protocol-costs",
        "nfs_disk_share": "protocol-costs",
        "packet": "protocol-costs",
        "page_fault": "protocol-costs",
        "database": "database-systems",
        "wide_line": "network-media",
    }
    assert set(LOADED.defaults) == set(tables)
    for key, table in tables.items():
        assert LOADED.defaults[key] in TABLES[table].rows


@pytest.mark.parametrize("name", TABLES)
def test_a_column_has_a_meaning_and_some_cell(name: str) -> None:
    table = TABLES[name]
    assert table.title
    for column, spec in table.columns.items():
        assert spec.doc, column
        assert any(column in row.values for row in table), column


def test_ids_are_unique_and_fit_for_a_command_line() -> None:
    ids = [(name, row.id) for name, table in TABLES.items() for row in table]
    assert len(ids) == len(set(ids))
    assert all(re.fullmatch(r"[a-z0-9][a-z0-9.-]*", row) for _, row in ids)
    assert len({rule.id for rule in compile_rules(LOADED).rules}) == len(LOADED.rules)


def test_a_row_of_two_tables_is_one_device() -> None:
    """Parts are counted by row id, so that one id never means two different boards."""
    boards = set(TABLES["boards"].rows)
    assert boards.isdisjoint(TABLES["memory-boards"].rows)
    assert set(TABLES["disks"].rows).isdisjoint(TABLES["removable-media"].rows)


def sources() -> Iterator[dict[str, Any]]:
    for path in FILES:
        yield from _sources(yaml.load(path.read_text(encoding="utf-8"), yaml.CSafeLoader))


def _sources(data: Any) -> Iterator[dict[str, Any]]:
    if isinstance(data, dict):
        if isinstance(data.get("source"), dict):
            yield data["source"]
        for value in data.values():
            yield from _sources(value)
    elif isinstance(data, list):
        for value in data:
            yield from _sources(value)


def test_every_source_is_in_the_guide() -> None:
    sections = {each["section"] for each in HEAD["sections"]}
    tables = {each["table"] for each in HEAD["tables"]}
    documents = {each["id"] for each in HEAD["documents"]}
    found = list(sources())
    assert len(found) > 500
    for source in found:
        assert source.get("section", "1") in sections
        assert source.get("table", 1) in tables
        assert source.get("document") in {None, *documents}
        assert source.get("appendix") in (None, "A", "B", "C", "D")
        assert source.keys() & {"section", "appendix", "document", "own"}


def test_every_document_and_every_printed_table_is_used() -> None:
    found = list(sources())
    documents = {source["document"] for source in found if "document" in source}
    assert documents == {each["id"] for each in HEAD["documents"]}
    tables = {source["table"] for source in found if "table" in source}
    assert tables == {each["table"] for each in HEAD["tables"]} == set(range(1, 15))


def test_outside_values_name_a_document_and_printed_ones_none() -> None:
    for table in TABLES.values():
        for row in table:
            for mark in (row.mark, *row.marks.values()):
                by_document = any(title in mark.cite for title in LOADED.documents.values())
                assert by_document == (mark.status == "outside"), (table.name, row.id, mark)
                assert bool(mark.origin) == (mark.status == "inferred"), (table.name, row.id)


def test_sections_come_in_order_and_once() -> None:
    names = [each["section"] for each in HEAD["sections"]]
    assert len(names) == len(set(names))
    numbered = [tuple(map(int, name.split("."))) for name in names if name[0].isdigit()]
    assert numbered == sorted(numbered)


def test_no_platform_on_offer_lacks_what_a_plan_needs() -> None:
    offered = [row for row in TABLES["platforms"] if row.flag("orderable")]
    assert sorted(row.number("rank") for row in offered) == [1, 2, 3, 4]
    busses = {(row.text("platform"), row.text("bus")) for row in TABLES["platform-busses"]}
    for row in offered:
        slots = {s.text("bus") for s in TABLES["platform-slots"] if s.text("platform") == row.id}
        assert slots
        assert {(row.id, bus) for bus in slots if bus != "memory"} <= busses
        assert any(each.text("platform") == row.id for each in TABLES["nfs-capacity"])
        assert row.list("processor_counts")
        assert row.number("memory_increment_mb") > 0
        assert row.number("onboard_memory_limit_mb") % row.number("memory_increment_mb") == 0


def test_a_larger_platform_sustains_no_less() -> None:
    rows = sorted(
        (
            TABLES["platforms"][row.text("platform")].number("rank"),
            row.number("sustained_ops_per_s"),
        )
        for row in TABLES["nfs-capacity"]
    )
    assert rows == sorted(rows, key=lambda pair: (pair[1], pair[0]))


def test_what_is_sustained_is_about_four_fifths_of_the_maximum() -> None:
    """Section 1.1.1 says 80 %; Table 1 prints 432 as 440 and 640 as 650."""
    for row in TABLES["nfs-capacity"]:
        share = row.number("sustained_ops_per_s") / row.number("maximum_ops_per_s")
        assert share == pytest.approx(0.8, abs=0.02)


def test_a_disk_sustains_65_percent_of_its_random_operations() -> None:
    for row in TABLES["disks"]:
        if row.cell("random_ops_per_s_at_65_percent"):
            wanted = row.number("maximum_random_ops_per_s") * 0.65
            assert row.number("random_ops_per_s_at_65_percent") == pytest.approx(wanted, abs=1)


@pytest.mark.parametrize("rule", compile_rules(LOADED).rules, ids=lambda rule: rule.id)
def test_a_rule_bounds_only_what_is_a_fact_and_a_limit_that_is_there(rule: Any) -> None:
    from sizewright.facts.records import facts_of

    for bound in rule.bounds:
        subject, _, fact = bound.resource.partition(".")
        assert subject == rule.subject
        assert fact in facts_of(subject)
        (limit,) = filter(None, (bound.at_most, bound.share, bound.capacity))
        if "." in limit:
            owner, _, name = limit.partition(".")
            assert owner in (subject, "system")
            assert name in facts_of(owner)
        else:
            assert limit in rule.parameters
