"""What holds for all tests: plans of case studies made once, and the same examples every time.

A busy machine would make a timed property fail for no reason, and so would an unlucky draw.
"""

from __future__ import annotations

import gc
from collections.abc import Iterable
from functools import cache
from importlib import import_module
from pathlib import Path
from pkgutil import walk_packages

import pytest
from hypothesis import settings

import sizewright
from case_reports import Reporter, case_report
from settled import settled
from sizewright.cli import inputs
from sizewright.engine import Engine, load_engine
from sizewright.guide import loader
from sizewright.limits import OBJECTS_BETWEEN_COLLECTIONS
from sizewright.output.reports import PlanReport

# As the program does: it makes nothing in cycles, and to look for them takes a tenth of the time.
gc.set_threshold(OBJECTS_BETWEEN_COLLECTIONS)

# Generated tests also draw constants of those modules of the program that are imported. All are
# imported here, so that a test has the same examples alone, with others and in each worker.
for found in walk_packages(sizewright.__path__, "sizewright."):
    import_module(found.name)

settings.register_profile("settled", settled(400))
settings.load_profile("settled")

# Thousands of commands ask for the same guides. Tests that change one do so in another folder.
_kept_engine = cache(load_engine)
_PACKAGE = loader.PACKAGE


def _load_engine(guide: str, overlays: Iterable[Path] = ()) -> Engine:
    own = tuple(overlays)
    its_own = own or loader.PACKAGE != _PACKAGE
    return load_engine(guide, own) if its_own else _kept_engine(guide)


inputs.load_engine = _load_engine

# Each of them takes much longer than other files, most of it in depth.
LONG = (
    "test_types", "test_minimality", "test_sabotage", "test_case_studies", "test_fuzz",
    "test_pages",
)  # fmt: skip


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Put long files first and short ones last, so that no worker waits long for another."""

    def turn(item: pytest.Item) -> int:
        if item.path.stem in LONG:
            return LONG.index(item.path.stem) - len(LONG)
        return int(item.path.parent.name == "tables")

    items.sort(key=turn)


def pytest_collection_finish() -> None:
    """Leave what was collected out of every later search for cycles."""
    gc.freeze()


@pytest.fixture(scope="session")
def reported() -> Reporter:
    """A report on a case study by its short name, changed by pairs of text and overlays."""
    kept: dict[object, PlanReport] = {}

    def report(case: str, *changes: tuple[str, str], overlays: tuple[Path, ...] = ()) -> PlanReport:
        key = (case, changes, overlays)
        if key not in kept:
            kept[key] = case_report(case, *changes, overlays=overlays)
        return kept[key]

    return report
