"""What the program prints avoids phrases that readers stumbled over; each has a plain term instead.

A phrase is listed if it has no honest meaning in what a planner of servers writes.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from click import Context, Group

from case_reports import Reporter
from sizewright.cli.main import main
from sizewright.output.plan import plan_text

SOURCES = Path(__file__).resolve().parent.parent / "src" / "sizewright"
AVOIDED = re.compile(
    r"\b(determinants?|bodies of data|makers?|nearest miss|better end|flips?"
    r"|stands? (in|at|on|for|here|between|there|by)|hangs? on|lies? (on|in|below|above|at)"
    r"|comes? to|tells|told|says? nothing|does not say|what carries|carries (this|the|it)"
    r"|(would|may) carry|dealt|waits? for facts|rules? waits?|reckon\w*|slips?|be it|for want of"
    r"|alike|so many|as few as|at hand|held (against|to)|likewise|besides|to mend|mended"
    r"|lai?d over|unfold\w*|worst moment|busy stretch|on offer|rests? on|not hold|limits? broken"
    r"|in the way|is known of|nobody|whoever|a second time|there is use for)\b",
    re.I,
)


def printed(tree: ast.AST) -> Iterator[tuple[int, str]]:
    """Yield every text of more than a word in a module, with its line; docstrings are left out."""
    silent = {
        id(node.body[0].value)
        for node in ast.walk(tree)
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef)
        and node.body and isinstance(node.body[0], ast.Expr)
    }  # fmt: skip
    for node in ast.walk(tree):
        if not isinstance(node, ast.Constant) or id(node) in silent:
            continue
        if isinstance(node.value, str) and " " in node.value.strip():
            yield node.lineno, node.value


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


@pytest.mark.parametrize("path", sorted(SOURCES.rglob("*.py")), ids=lambda path: path.stem)
def test_texts_of_the_code_use_plain_terms(path: Path) -> None:
    found = printed(ast.parse(path.read_text(encoding="utf-8")))
    assert [(line, text) for line, text in found if AVOIDED.search(text)] == []


@pytest.mark.parametrize(
    ("name", "text"),
    list(helps(main.make_context("sizewright", ["plan"]))),
    ids=lambda text: text[:12],
)
def test_help_uses_plain_terms(name: str, text: str) -> None:
    assert [hit[0] for hit in AVOIDED.finditer(" ".join(text.split()))] == [], name


@pytest.mark.parametrize("case", ["case-1", "case-5"])
def test_reports_use_plain_terms(case: str, reported: Reporter) -> None:
    text = " ".join(plan_text(reported(case)).split())
    assert [hit[0] for hit in AVOIDED.finditer(text)] == []
