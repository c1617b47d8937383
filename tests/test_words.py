"""The program, its rules and expected files are written in plain terms, comments too."""

from __future__ import annotations

import ast
import io
import tokenize
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml
from click import Context, Group

from case_reports import Reporter
from plain_terms import avoided_terms
from sizewright.cli.main import main
from sizewright.output.plan import plan_text

ROOT = Path(__file__).resolve().parent.parent
SOURCES = ROOT / "src" / "sizewright"
# The keys of rules and of expected files whose values are prose, and not quoted from a guide.
PROSE = frozenset((
    "title", "severity_reason", "message", "remedy", "measure", "note", "observed", "doc", "own",
    "no_parameters", "tight", "violated", "unknown", "not_applicable", "why", "consequence",
    "reason", "said", "then", "inputs", "tolerance_reason", "undecided", "about",
))  # fmt: skip
FILES = sorted([*ROOT.glob("rules/*/*.yaml"), *ROOT.glob("examples/*/**/*expected.yaml")])


def texts(source: str) -> Iterator[tuple[int, str]]:
    """Yield every text of more than a word in a module, and every comment, each with its line."""
    for node in ast.walk(ast.parse(source)):
        value = node.value if isinstance(node, ast.Constant) else None
        if isinstance(value, str) and " " in value.strip():
            yield node.lineno, value
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type == tokenize.COMMENT:
            yield token.start[0], token.string


def helps(context: Context) -> Iterator[tuple[str, str]]:
    """Yield every command below the group of a context with its help text."""
    group = context.command
    assert isinstance(group, Group)
    for name in group.list_commands(context):
        found = group.get_command(context, name)
        assert found is not None
        # The context above gives the names of the option for help, which a command keeps.
        below = Context(found, parent=context, info_name=name)
        yield name, found.get_help(below)
        if isinstance(found, Group):
            yield from helps(below)


@pytest.mark.parametrize(
    "folder", sorted({path.parent for path in SOURCES.rglob("*.py")}), ids=lambda path: path.name
)
def test_texts_of_the_code_use_plain_terms(folder: Path) -> None:
    found = [
        (path.name, line, text)
        for path in folder.glob("*.py")
        for line, text in texts(path.read_text(encoding="utf-8")) if avoided_terms(text)
    ]  # fmt: skip
    assert found == []


@pytest.mark.parametrize(
    ("name", "text"),
    list(helps(main.make_context("sizewright", ["plan"]))),
    ids=lambda text: text[:12],
)
def test_help_uses_plain_terms(name: str, text: str) -> None:
    assert avoided_terms(text) == [], name


@pytest.mark.parametrize("case", ["case-1", "case-5"])
def test_reports_use_plain_terms(case: str, reported: Reporter) -> None:
    assert avoided_terms(plan_text(reported(case))) == []


def prose_of(value: Any, key: str = "") -> Iterator[str]:
    """Yield the prose of a file's data."""
    if isinstance(value, dict):
        for name, below in value.items():
            yield from prose_of(below, name)
    elif isinstance(value, list):
        for below in value:
            yield from prose_of(below, key)
    elif isinstance(value, str) and key in PROSE:
        yield value


@pytest.mark.parametrize(
    "folder", sorted({path.parent for path in FILES}), ids=lambda path: path.name
)
def test_rules_and_expected_files_use_plain_terms(folder: Path) -> None:
    found = [
        (path.name, hit)
        for path in FILES if path.parent == folder
        for text in prose_of(yaml.load(path.read_text(encoding="utf-8"), yaml.CSafeLoader))
        for hit in avoided_terms(text)
    ]  # fmt: skip
    assert found == []


def test_avoided_terms_are_found_outside_of_quotations() -> None:
    assert avoided_terms("it rests\non the slip") == ["rests on", "slip"]
    assert avoided_terms('the guide says "it rests on the slip"') == []
