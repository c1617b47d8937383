"""The columns that the program reads are named in one place, and the guide has them."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import sizewright
from cases.copies import engine_of
from guide.overlays import GUIDE
from guide.test_unread_columns import READ, cells_of_rules
from sizewright.api import check, plan, read_workload
from sizewright.box.reading import read_box
from sizewright.documents import read_document
from sizewright.errors import Diagnostic
from sizewright.guide.cell_checks import column_errors
from sizewright.guide.loader import guide_ids, load_guide
from sizewright.guide.model import Row
from sizewright.guide.table_schema import TABLES

SOURCE = Path(sizewright.__file__).parent
EXAMPLES = SOURCE.parents[1] / "examples"
ROOMS = ("demand", "configuration", "load", "evaluate", "facts", "planner", "setup")
READERS = ("require", "cell", "number", "text", "flag", "get_flag", "list")
PROMISED = {column for _, column in READ}
# Columns whose names are put together: f"{kind}_targets" and the like.
PUT_TOGETHER = r"\w+_targets|(random|sequential)_(read|write)_percent"
MANY = 100


def as_tables(**changed: dict[str, list[str]]) -> dict[str, dict[str, dict[str, list[str]]]]:
    """Tables as they are kept: column -> [type, unit]; `changed` replaces some tables' columns."""
    tables = {
        name: {column: ["number", use.unit] for column, use in columns.items() if use.needed}
        for name, columns in TABLES.items()
    }
    tables |= {name.replace("_", "-"): columns for name, columns in changed.items()}
    return {name: {"columns": columns} for name, columns in tables.items()}


def list_errors(tables: dict[str, Any]) -> list[Diagnostic]:
    return list(column_errors(tables))


def test_tables_with_every_column_are_taken() -> None:
    assert list_errors(as_tables()) == []


def test_a_table_that_is_not_there_is_not_asked_for() -> None:
    assert list_errors({}) == []


def test_a_lacking_column_is_told() -> None:
    columns = as_tables()["disk-busses"]["columns"]
    del columns["targets_limit"]
    (fault,) = list_errors(as_tables(disk_busses=columns))
    assert fault.what == "table disk-busses lacks the column 'targets_limit'"


def test_a_column_in_another_unit_is_told() -> None:
    columns = as_tables()["disk-busses"]["columns"]
    columns["rate_mb_per_s"] = ["number", "KB/s"]
    (fault,) = list_errors(as_tables(disk_busses=columns))
    assert (fault.what, fault.expected) == ("disk-busses.rate_mb_per_s is in KB/s", "in MB/s")


@pytest.mark.parametrize("table", TABLES)
def test_the_guide_has_every_needed_column(table: str) -> None:
    columns = load_guide(GUIDE).table(table).columns
    for name, use in TABLES[table].items() if columns else ():
        assert not use.needed or columns[name].unit == use.unit


@pytest.mark.parametrize("table", TABLES)
def test_some_guide_has_every_column_that_may_be_left_out(table: str) -> None:
    guides = [guide for guide in map(load_guide, guide_ids()) if table in guide.tables]
    for name, use in TABLES[table].items():
        units = [
            guide.table(table).columns[name].unit for guide in guides
            if name in guide.table(table).columns
        ]  # fmt: skip
        assert set(units) == {use.unit}


def test_a_column_that_may_be_left_out_has_its_unit() -> None:
    tables = as_tables()
    tables["disk-busses"]["columns"]["cable_limit_m"] = ["number", "km"]
    (fault,) = list_errors(tables)
    assert (fault.what, fault.expected) == ("disk-busses.cable_limit_m is in km", "in m")


def columns_read() -> set[str]:
    """Every column that the program asks a row for by name."""
    found = set()
    for path in (path for room in ROOMS for path in (SOURCE / room).glob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
                first = node.args[0] if node.args else None
                if node.func.attr in READERS and isinstance(first, ast.Constant):
                    found.add(first.value)
    return {name for name in found if isinstance(name, str)}


def texts_of_the_source() -> set[str]:
    """Every text in the program, the contract apart."""
    return {
        node.value
        for path in SOURCE.rglob("*.py") if path.name != "table_schema.py"
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    }  # fmt: skip


def test_every_column_that_is_read_is_in_the_contract() -> None:
    assert columns_read() - PROMISED == set()


def test_every_column_of_the_contract_is_named_where_columns_are_read() -> None:
    left = PROMISED - texts_of_the_source()
    assert [column for column in left if not re.fullmatch(PUT_TOGETHER, column)] == []


@pytest.fixture
def looked_up(monkeypatch: pytest.MonkeyPatch) -> set[tuple[str, str]]:
    """Table and column of each cell that is looked up, as the test goes on."""
    found: set[tuple[str, str]] = set()
    for name in ("cell", "text", "flag", "get_flag", "list"):
        monkeypatch.setattr(Row, name, _noting(getattr(Row, name), found))
    return found


def _noting(look_up: Callable[..., Any], found: set[tuple[str, str]]) -> Callable[..., Any]:
    def noted(row: Row, column: str, *unit: str) -> Any:
        if column in row.columns:
            found.add((row.table, column))
        return look_up(row, column, *unit)

    return noted


def test_what_plans_and_checks_look_up_is_in_the_contract(
    looked_up: set[tuple[str, str]],
) -> None:
    """Cells of rules are looked up while the rules are read, names to show what was found."""
    for path in sorted(EXAMPLES.glob("*/*/box.yaml")):
        document = read_document(path)
        check(read_box(document), engine_of(document))
    document = read_document(EXAMPLES / GUIDE / "case-1-departmental-nfs" / "workload.yaml")
    plan(read_workload(document), engine_of(document))
    cells = {cell for guide in guide_ids() for cell in cells_of_rules(guide)}
    assert {each for each in looked_up - READ - cells if each[1] != "name"} == set()
    assert len(looked_up & READ) > MANY
