"""The reference that is made from code and data leaves nothing out."""

from __future__ import annotations

import json
import re

import pytest

from sitebuild.build import all_pages
from sitebuild.markdown import code, plain, slug, table
from sizewright import api
from sizewright.cli.exits import Exit
from sizewright.cli.files import SCHEMAS, schema_of
from sizewright.cli.main import COMMANDS
from sizewright.facts.records import RECORDS, facts_of
from sizewright.guide.loader import guide_ids
from sizewright.guide.table_schema import TABLES
from sizewright.rules.rule import Rule

GUIDE = "sun-1992"
OWN = f"reference/{GUIDE}"
ENGINE = api.load_engine(GUIDE)


@pytest.fixture(scope="module")
def pages() -> dict[str, str]:
    return dict(all_pages(guide_ids()))


@pytest.mark.parametrize("name", ENGINE.guide.tables)
def test_every_cell_of_a_table_is_there_with_its_source(name: str, pages: dict[str, str]) -> None:
    page = pages[f"{OWN}/tables/{name}"]
    assert f"(tables/{name}.md)" in pages[f"{OWN}/tables"]
    told = ENGINE.guide.table(name)
    for column in told.columns:
        assert f"\n| `{column}` | " in page, column
    rows = page.partition("\n## Rows\n")[2].partition("\n## ")[0].splitlines()
    for row in told:
        (line,) = (line for line in rows if line.startswith(f"| `{row.id}` | "))
        assert plain(row.mark.cite) in line
        for column, value in row.values.items():
            if isinstance(value, int | float) and not isinstance(value, bool):
                assert f"| {value} |" in line, column
            mark = row.mark_of(column)
            if value is not None and mark != row.mark:
                assert f"| {code(row.id)} | {code(column)} | {plain(mark.cite)}; " in page


@pytest.mark.parametrize("rule", ENGINE.rule_set.rules, ids=lambda rule: rule.id)
def test_every_rule_is_there_with_all_that_it_says(rule: Rule, pages: dict[str, str]) -> None:
    heading = f"{rule.id}: {rule.title}"
    assert f"rules/{rule.subject}.md#{slug(heading)})" in pages[f"{OWN}/rules"]
    page = pages[f"{OWN}/rules/{rule.subject}"]
    own = page.partition(f"\n## {plain(heading)}\n")[2].partition("\n## ")[0]
    assert f"* **source**: {plain(rule.cite)}\n" in own
    assert f"* **severity**: {rule.severity}" in own
    assert f"* **requires**: {code(rule.spec['require'])}\n" in own
    assert f"* **says**: {plain(rule.message)}\n" in own
    for name in rule.parameters:
        assert f"\n| `{name}` | " in own
    assert own.count("\n| ") >= len(rule.spec["examples"])


@pytest.mark.parametrize("kind", SCHEMAS)
def test_every_field_of_a_file_is_there(kind: str, pages: dict[str, str]) -> None:
    page = pages[f"reference/schemas/{kind}"]
    whole = schema_of(kind)
    for name, part in whole["$defs"].items():
        if kind == "rule" and name in RECORDS:
            continue
        own = page.partition(f"\n## {name}\n")[2].partition("\n## ")[0]
        for field in part.get("properties", ()):
            assert f"\n| `{field}` | " in own, f"{name}.{field}"
    for name in set(re.findall(r'"#/\$defs/(\w+)"', json.dumps(whole))):
        assert f"\n## {name}\n" in page or name in RECORDS


def test_every_fact_is_there(pages: dict[str, str]) -> None:
    page = pages["reference/facts"]
    for subject in RECORDS:
        own = page.partition(f"\n## {subject}\n")[2].partition("\n## ")[0]
        for name, fact in facts_of(subject).items():
            assert f"\n| `{name}` | {fact.kind} | {plain(fact.unit)} | {plain(fact.doc)}" in own


def test_every_command_is_there_as_it_explains_itself(pages: dict[str, str]) -> None:
    page = pages["reference/commands"]
    for name in COMMANDS:
        assert f"\n## sizewright {name}\n" in page
        assert f"\nUsage: sizewright {name} " in page
    assert "\n## sizewright box from-probe\n" in page
    assert max(map(len, page.splitlines())) <= 80


def test_every_exit_code_says_what_it_means(pages: dict[str, str]) -> None:
    page = pages["reference/exit-codes"]
    told = dict(re.findall(r"^\| (\d+) \| (.+) \|$", page, re.M))
    assert set(told) == {str(code.value) for code in Exit}
    assert told[str(Exit.PASS.value)] == "Everything passes."
    assert all(told.values())


def test_every_column_that_is_read_by_name_is_there(pages: dict[str, str]) -> None:
    page = pages["reference/contract"]
    for name, columns in TABLES.items():
        for column, use in columns.items():
            needed = "yes" if use.needed else "no"
            assert f"| `{name}` | `{column}` | {plain(use.unit)} | {needed} |" in page
    assert "| `disks` | `capacity_mb` | MB | yes | above 0 |\n" in page
    assert "| `nvram-accelerators` | `board` |  | yes | rows of `boards` |\n" in page


def test_any_text_is_shown_as_it_is() -> None:
    assert plain("a_b [c](d) <e> | *f*\n {g}") == r"a\_b \[c\](d) \<e\> \| \*f\* \{g\}"
    assert plain("say `a_b | c` or `") == r"say `a_b \| c` or \`"
    assert code("") == ""
    assert table(("a", "b"), [("1", "2")]) == "| a | b |\n| --- | --- |\n| 1 | 2 |\n"
    assert (
        slug("2.4.4-random: Operations `a_b`, on a disk") == "244-random-operations-a_b-on-a-disk"
    )
