"""Every column is read by something, or its table says which decision it cannot change.

The program reads the columns of its contract, which tests/guide/test_contract.py compares with what
it looks up. Rules read the cells that are their parameters; of a table that only rules read they
choose the row by its id, so that columns which only refer to other rows say what the id says.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import cache
from typing import Any

import pytest
import yaml

from sizewright.guide.loader import data_root, guide_ids
from sizewright.guide.table_schema import TABLES

Column = tuple[str, str]

READ = {(table, column) for table, columns in TABLES.items() for column in columns}
REFERS = ("Row of ", "Rows of ")
# What a row is called is shown wherever the row is.
NAME = "name"


@cache
def tables_of(guide: str) -> tuple[dict[str, Any], ...]:
    files = sorted((data_root() / "tables" / guide).glob("*.yaml"))
    data = (yaml.load(path.read_text(encoding="utf-8"), yaml.CSafeLoader) for path in files)
    return tuple(table for table in data if "columns" in table)


def cells_of_rules(guide: str) -> Iterator[Column]:
    """The table and column of every rule's parameter that is a cell."""
    for path in (data_root() / "rules" / guide).glob("*.yaml"):
        rule = yaml.load(path.read_text(encoding="utf-8"), yaml.CSafeLoader)
        for parameter in (rule.get("parameters") or {}).values():
            if isinstance(parameter, dict) and "table" in parameter:
                yield parameter["table"], parameter["field"]


def unread(guide: str) -> set[Column]:
    """The columns of a guide that neither the program nor a rule reads."""
    read = READ.union(cells_of_rules(guide))
    return {
        (table["table"], column)
        for table in tables_of(guide) for column in table["columns"]
        if column != NAME and (table["table"], column) not in read
    }  # fmt: skip


def references(guide: str) -> set[Column]:
    """Columns that refer to other rows, of tables that only rules read."""
    return {
        (table["table"], column)
        for table in tables_of(guide) if table["table"] not in TABLES
        for column, spec in table["columns"].items() if spec["doc"].startswith(REFERS)
    }  # fmt: skip


def reasons(guide: str) -> dict[Column, str]:
    """Why columns are not read, as their tables say."""
    return {
        (table["table"], column): reason
        for table in tables_of(guide)
        for column, reason in (table.get("unread") or {}).items()
    }


@pytest.mark.parametrize("guide", guide_ids())
def test_every_column_has_a_reader_or_a_reason(guide: str) -> None:
    assert unread(guide) - references(guide) - reasons(guide).keys() == set()


@pytest.mark.parametrize("guide", guide_ids())
def test_no_reason_stands_at_a_column_that_is_read(guide: str) -> None:
    assert sorted(reasons(guide).keys() - unread(guide)) == []


def test_no_reason_is_used_twice() -> None:
    every = Counter(reason for guide in guide_ids() for reason in reasons(guide).values())
    assert [reason for reason, times in every.items() if times > 1] == []
