"""The columns that the program reads are named in one place, and the guide has them."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

import sizewright
from guide.overlays import GUIDE
from sizewright.guide.contract import CONTRACT, OPTIONAL, missing_columns
from sizewright.guide.loader import load_guide
from sizewright.guide.paths import guide_ids

SOURCE = Path(sizewright.__file__).parent
ROOMS = ("demand", "configuration", "load", "budgets", "facts", "planner", "setup")
READERS = ("figure", "find", "number", "text", "flag", "find_flag", "list")


def as_tables(**changed: dict[str, list[str]]) -> dict[str, dict[str, dict[str, list[str]]]]:
    """Tables as they are kept: column -> [type, unit]; `changed` replaces some tables' columns."""
    tables = {
        name: {column: ["number", unit] for column, unit in columns.items()}
        for name, columns in CONTRACT.items()
    }
    tables |= {name.replace("_", "-"): columns for name, columns in changed.items()}
    return {name: {"columns": columns} for name, columns in tables.items()}


def test_tables_with_every_column_are_taken() -> None:
    assert missing_columns(as_tables()) == []


def test_a_table_that_is_not_there_is_not_asked_for() -> None:
    assert missing_columns({}) == []


def test_a_lacking_column_is_told() -> None:
    columns = {name: ["number", unit] for name, unit in CONTRACT["disk-busses"].items()}
    del columns["targets_limit"]
    (fault,) = missing_columns(as_tables(disk_busses=columns))
    assert fault.what == "table disk-busses lacks the column 'targets_limit'"


def test_a_column_in_another_unit_is_told() -> None:
    columns = {name: ["number", unit] for name, unit in CONTRACT["disk-busses"].items()}
    columns["rate_mb_per_s"] = ["number", "KB/s"]
    (fault,) = missing_columns(as_tables(disk_busses=columns))
    assert (fault.what, fault.expected) == ("disk-busses.rate_mb_per_s is in KB/s", "in MB/s")


@pytest.mark.parametrize("table", CONTRACT)
def test_the_guide_has_every_column_of_the_contract(table: str) -> None:
    columns = load_guide(GUIDE).table(table).columns
    for name, unit in CONTRACT[table].items():
        assert columns[name].unit == unit


@pytest.mark.parametrize("table", OPTIONAL)
def test_some_guide_has_every_column_that_may_be_left_out(table: str) -> None:
    guides = [guide for guide in map(load_guide, guide_ids()) if table in guide.tables]
    for name, unit in OPTIONAL[table].items():
        units = [
            guide.table(table).columns[name].unit for guide in guides
            if name in guide.table(table).columns
        ]  # fmt: skip
        assert set(units) == {unit}


def test_a_column_that_may_be_left_out_has_its_unit() -> None:
    tables = as_tables()
    tables["disk-busses"]["columns"]["cable_limit_m"] = ["number", "km"]
    (fault,) = missing_columns(tables)
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


def test_every_column_that_is_read_is_in_the_contract() -> None:
    tables = (*CONTRACT.values(), *OPTIONAL.values())
    promised = {column for columns in tables for column in columns}
    assert columns_read() - promised == set()
