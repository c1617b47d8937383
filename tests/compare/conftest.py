"""Guides, and small loads to hold against them."""

from __future__ import annotations

import pytest

from sizewright.api import Ready, ready
from sizewright.guide.paths import guide_ids


@pytest.fixture(scope="session")
def engines() -> dict[str, Ready]:
    """Every guide that comes with the program."""
    return {guide: ready(guide) for guide in guide_ids()}
