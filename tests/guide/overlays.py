"""Overlay folders for tests."""

from __future__ import annotations

from pathlib import Path

GUIDE = "sun-1992"


def overlay(parent: Path, name: str, **files: str) -> Path:
    """A folder `name` with one file for each keyword; those named `rule…` hold rules."""
    folder = parent / name
    for stem, text in files.items():
        kind = "rules" if stem.startswith("rule") else "tables"
        path = folder / kind / GUIDE / f"{stem}.yaml"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return folder


def parameter(value: object, rule: str = "XIII", name: str = "max_nfs_ops_per_s") -> str:
    """An overlay's file that gives a rule's parameter another value."""
    return f"id: {rule}\nparameters: {{{name}: {value}}}\n"


def cell(table: str, row: str, column: str, value: object) -> str:
    """An overlay's file that gives a table's cell another value."""
    return f"table: {table}\nrows:\n  - id: {row}\n    {column}: {value}\n"


# The table of what a box may report, without rows.
REPORTED_FACTS = """\
table: reported-facts
new: true
title: What a box may report
columns:
  kind: {type: text, doc: Kind of value, one_of: [number, text, flag, names]}
  unit: {type: text, doc: Unit of a number}
  doc: {type: text, doc: What it is}
  one_of: {type: list, doc: Values that a text may have}
"""
