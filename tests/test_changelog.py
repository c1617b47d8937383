"""The changelog says what each example orders, so that no change of an answer goes without one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from depth import part_of
from sizewright.api import Engine, load_engine, plan
from sizewright.documents import read_document
from sizewright.output.reports import PlanReport
from sizewright.workload.reading import read_workload

ROOT = Path(__file__).resolve().parent.parent
EXAMPLES = ROOT / "examples"
STUDIES = (EXAMPLES / "sun-1992").glob("case-*")
FILES = tuple(
    path
    for folder in sorted((*STUDIES, *(EXAMPLES / "customers").iterdir()))
    for path in sorted(folder.glob("*.yaml"))
    if "\nservices:\n" in path.read_text(encoding="utf-8")
)
COUNTED = ("platforms", "boards", "disks")


def _name(path: Path) -> str:
    return path.parent.name if path.stem == "workload" else f"{path.parent.name}, {path.stem}"


@cache
def _engine() -> Engine:
    return load_engine("sun-1992")


@cache
def _entries() -> dict[str, str]:
    """What the newest section of the changelog says of each example."""
    newest = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8").split("\n## ")[1]
    table = newest.partition("### What the examples order\n")[2].partition("\n### ")[0]
    rows = (line.strip("| ").split(" | ") for line in table.splitlines() if line.startswith("|"))
    return {name.strip(): answer.strip() for name, answer in rows}


def _ordered(path: Path) -> Iterator[str]:
    workload = read_workload(read_document(path))
    found = PlanReport(plan(workload, _engine()), workload.name, "", str(path), "")
    parts: Counter[str] = Counter()
    for line in found.order:
        if line.table in COUNTED:
            parts[line.name] += line.quantity
    for name, number in parts.items():
        yield f"{number} × {name}"


@pytest.mark.in_part
@pytest.mark.parametrize("path", part_of(FILES, 3), ids=_name)
def test_the_changelog_says_what_an_example_orders(path: Path) -> None:
    assert _entries().get(_name(path)) == (", ".join(_ordered(path)) or "no plan")


def test_the_changelog_has_no_other_examples() -> None:
    assert {*_entries()} == {"Example", "---", *map(_name, FILES)}
