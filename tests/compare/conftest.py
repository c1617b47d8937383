"""Guides, and small loads to hold against them."""

from __future__ import annotations

import pytest

from sizewright.api import Engine, load_engine
from sizewright.guide.loader import guide_ids


@pytest.fixture(scope="session")
def engines() -> dict[str, Engine]:
    """Every guide that comes with the program."""
    return {guide: load_engine(guide) for guide in guide_ids()}
