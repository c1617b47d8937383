"""Revisions are numbers with points between them, compared from the first on."""

from __future__ import annotations

import pytest

from sizewright.guide.model import is_revision, serves


@pytest.mark.parametrize(
    ("revision", "least", "expected"),
    [
        ("6.2", "6.2", True), ("6.10", "6.2", True), ("6.1", "6.2", False), ("7", "6.2", True),
        ("6", "6.0", True), ("6", "6.2", False), ("6.2.1", "6.2", True), ("06.2", "6.2", True),
        ("5.99.9", "6", False),
    ],
)  # fmt: skip
def test_a_later_one_serves(revision: str, least: str, expected: bool) -> None:
    assert serves(revision, least) is expected


@pytest.mark.parametrize("text", ["6", "6.2", "0.0.1", "10.20.30"])
def test_numbers_with_points_are_revisions(text: str) -> None:
    assert is_revision(text)


@pytest.mark.parametrize("text", ["", ".", "6.", ".2", "6..2", "6.x", "v6", "٣", "-1", "1" * 10])
def test_anything_else_is_none(text: str) -> None:
    assert not is_revision(text)
