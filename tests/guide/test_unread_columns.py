"""Every column is read by something, or its table says which decision it cannot change."""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import yaml

from sizewright.guide.loader import guide_ids
from sizewright.guide.paths import data_root

SOURCE = Path(__file__).resolve().parent.parent.parent / "src" / "sizewright"
# The list of columns that the program may read is no reader.
NO_READERS = {"guide/contract.py"}
# Columns that are asked for by names put together: f"{kind}_targets" and the like.
PUT_TOGETHER = (r"\w+_targets", r"(random|sequential)_(read|write)_percent")
Column = tuple[str, str]


@cache
def named_in_code() -> frozenset[str]:
    """Every text in the program's source."""
    found = set()
    for path in SOURCE.rglob("*.py"):
        if path.relative_to(SOURCE).as_posix() in NO_READERS:
            continue
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                found.add(node.value)
    return frozenset(found)


@cache
def tables_of(guide: str) -> tuple[dict[str, Any], ...]:
    files = sorted((data_root() / "tables" / guide).glob("*.yaml"))
    data = (yaml.safe_load(path.read_text(encoding="utf-8")) for path in files)
    return tuple(table for table in data if "columns" in table)


def cells_of_rules(guide: str) -> Iterator[Column]:
    """The table and column of every rule's parameter that is a cell."""
    for path in (data_root() / "rules" / guide).glob("*.yaml"):
        rule = yaml.safe_load(path.read_text(encoding="utf-8"))
        for parameter in (rule.get("parameters") or {}).values():
            if isinstance(parameter, dict) and "table" in parameter:
                yield parameter["table"], parameter["field"]


def unread(guide: str) -> set[Column]:
    """The columns of a guide that neither the program nor a rule reads."""
    cells = set(cells_of_rules(guide))
    return {
        (table["table"], column)
        for table in tables_of(guide) for column in table["columns"]
        if column not in named_in_code() and (table["table"], column) not in cells
        and not any(re.fullmatch(pattern, column) for pattern in PUT_TOGETHER)
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
    assert unread(guide) - reasons(guide).keys() == set()


@pytest.mark.parametrize("guide", guide_ids())
def test_no_reason_stands_at_a_column_that_is_read(guide: str) -> None:
    assert sorted(reasons(guide).keys() - unread(guide)) == []


def test_no_reason_is_used_twice() -> None:
    every = Counter(reason for guide in guide_ids() for reason in reasons(guide).values())
    assert [reason for reason, times in every.items() if times > 1] == []
