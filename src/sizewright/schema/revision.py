"""Revisions of parts, which are no numbers: 6.10 comes after 6.2."""

from __future__ import annotations

import re
from itertools import zip_longest

_REVISION = re.compile(r"\d{1,9}(\.\d{1,9})*", re.ASCII)


def is_revision(text: str) -> bool:
    """Whether a text is numbers with points between them."""
    return _REVISION.fullmatch(text) is not None


def serves(revision: str, least: str) -> bool:
    """Whether a revision is the least that serves, or a later one; both must be revisions."""
    pairs = zip_longest(_numbers(revision), _numbers(least), fillvalue=0)
    ours, theirs = zip(*pairs, strict=True)
    return ours >= theirs


def _numbers(revision: str) -> list[int]:
    return [int(part) for part in revision.split(".")]
