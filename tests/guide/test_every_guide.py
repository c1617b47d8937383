"""What holds of the tables and rules of every guide that comes with the program."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import yaml

from sizewright.guide.loader import (
    OWN,
    data_root,
    default_guide,
    guide_files,
    guide_ids,
    load_guide,
)
from sizewright.guide.model import custom_facts
from sizewright.rules.compiler import compile_rules

GUIDES = {name: load_guide(name) for name in guide_ids()}
FILES = sorted({
    path for name in GUIDES for path in guide_files(data_root(), name) if path.stem != "guide"
})  # fmt: skip
EVERY = pytest.mark.parametrize("name", GUIDES)
_ROWS_OF = re.compile(r"Rows? of ([a-z-]+)(?: or ([a-z-]+))?")


def head(name: str) -> dict[str, Any]:
    path = data_root() / "tables" / name / "guide.yaml"
    data = yaml.load(path.read_text(encoding="utf-8"), yaml.CSafeLoader)
    assert isinstance(data, dict)
    return data


def sources(data: Any) -> Iterator[dict[str, Any]]:
    """Every citation below some data, however deep."""
    if isinstance(data, dict):
        if isinstance(data.get("source"), dict):
            yield data["source"]
        for value in data.values():
            yield from sources(value)
    elif isinstance(data, list):
        for value in data:
            yield from sources(value)


@cache
def cited(name: str) -> list[dict[str, Any]]:
    """Every citation in the files of a guide."""
    return [
        source for path in FILES if path.parent.name == name
        for source in sources(yaml.load(path.read_text(encoding="utf-8"), yaml.CSafeLoader))
    ]  # fmt: skip


def test_the_default_is_one_of_them() -> None:
    assert default_guide() in GUIDES


def test_a_file_is_named_after_what_it_holds() -> None:
    def expected(path: Path) -> str:
        data = yaml.load(path.read_text(encoding="utf-8"), yaml.CSafeLoader)
        number = "" if path.parent.name == OWN else f"{path.stem.partition('-')[0]}-"
        return str(data.get("table") or f"{number}{data['id']}")

    assert [path for path in FILES if path.stem != expected(path)] == []


@EVERY
def test_every_row_that_a_cell_names_is_there(name: str) -> None:
    """A column whose meaning begins with rows of a table names rows of that table."""
    guide, lost = GUIDES[name], []
    for table in guide.tables.values():
        for column, spec in table.columns.items():
            found = _ROWS_OF.match(spec.doc)
            targets = [each for each in (found.groups() if found else ()) if each in guide.tables]
            if not targets:
                continue
            known = {row for target in targets for row in guide.table(target).rows}
            for row in table:
                value = row.values.get(column)
                names = value if isinstance(value, list) else [value] if value is not None else []
                lost += [f"{table.name}/{row.id}/{column}: {n}" for n in names if n not in known]
    assert lost == []


@EVERY
def test_a_column_has_a_meaning(name: str) -> None:
    for table in GUIDES[name].tables.values():
        assert table.title
        assert all(spec.doc for spec in table.columns.values()), table.name


@EVERY
def test_every_section_that_is_cited_is_one_of_the_guide(name: str) -> None:
    sections = {str(each["section"]) for each in head(name)["sections"]}
    documents = {each["id"] for each in head(name).get("documents") or ()}
    assert cited(name)
    for source in cited(name):
        assert "section" not in source or str(source["section"]) in sections, source
        assert source.get("document") in {None, *documents}, source


@EVERY
def test_every_document_is_cited(name: str) -> None:
    documents = {each["id"] for each in head(name).get("documents") or ()}
    assert documents <= {source.get("document") for source in cited(name)}


@EVERY
def test_outside_values_name_a_document_and_inferred_ones_say_from_what(name: str) -> None:
    guide = GUIDES[name]
    for table in guide.tables.values():
        for row in table:
            for mark in (row.mark, *row.marks.values()):
                by_document = any(title in mark.cite for title in guide.documents.values())
                assert by_document or mark.status != "outside", (table.name, row.id, mark)
                assert mark.status != "printed" or not by_document, (table.name, row.id, mark)
                assert bool(mark.origin) == (mark.status == "inferred"), (table.name, row.id)


@EVERY
def test_ids_fit_for_a_command_line(name: str) -> None:
    tables = GUIDES[name].tables.values()
    # Reported facts have the names of keys in a box file.
    ids = [row.id for table in tables if table.name != "reported-facts" for row in table]
    assert all(re.fullmatch(r"[a-z0-9][a-z0-9.-]*", row) for row in ids)
    assert compile_rules(GUIDES[name]).rules


@EVERY
def test_a_fact_that_boxes_report_is_asked_by_some_rule(name: str) -> None:
    guide = GUIDES[name]
    rule_set = compile_rules(guide)
    asked = {
        fact for rule in rule_set.rules for subject, fact in rule.reads if subject == "reported"
    }
    assert asked == set(rule_set.facts["reported"])


@EVERY
def test_the_table_of_reported_facts_lists_the_names_that_box_files_state(name: str) -> None:
    guide = GUIDES[name]
    assert set(custom_facts(guide)) == set(guide.table("reported-facts").rows)
