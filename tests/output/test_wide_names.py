"""Names in wide characters or with combining marks take the room that they take on a terminal."""

from __future__ import annotations

import re

import pytest
from wcwidth import wcswidth

from sizewright.output.check import check_text
from sizewright.output.plan import plan_text

from .conftest import Checker, Reporter

# Each with a plain name that takes as many columns.
NAMES = pytest.mark.parametrize("name", ["共有郵便", "zo\u0301ne\u0302s", "메일 함"])


def plain(name: str) -> str:
    return "".join(" " if c == " " else "z" * wcswidth(c) for c in name)


@NAMES
def test_a_plan_is_laid_out_as_with_a_plain_name(reported: Reporter, name: str) -> None:
    text, other = (
        plan_text(reported("case-1", ("name: mail", f"name: {one}"), ("{mail:", f"{{{one}:"),
                           ("[mail,", f"[{one},")))
        for one in (name, plain(name))
    )  # fmt: skip
    assert name in text
    assert [wcswidth(line) for line in text.splitlines()] == [*map(len, other.splitlines())]
    # A name takes other columns of the file than of a terminal.
    assert _placeless(text.replace(name, plain(name))) == _placeless(other)


def _placeless(text: str) -> str:
    return re.sub(r":\d+:\d+", "", text)


@NAMES
def test_a_check_is_laid_out_as_with_a_plain_name(checked: Checker, name: str) -> None:
    volume = "volumes: [{{name: {0}, size_mb: 900, copies: [[sd0]], activity: hot}}]\nobserved:"
    text, other = (
        check_text(checked(("sd0", f"{one} 0"), ("observed:", volume.format(one)),
                           ("[[sd0]]", f"[[{one} 0]]")))
        for one in (name, plain(name))
    )  # fmt: skip
    assert name in text
    assert [wcswidth(line) for line in text.splitlines()] == [*map(len, other.splitlines())]
    assert text.replace(name, plain(name)) == other
