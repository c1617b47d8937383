"""Copies of the case studies for tests to spoil."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from cases.copies import EXAMPLES, GUIDE, Copy
from sizewright.api import Engine, load_engine


@pytest.fixture(scope="session")
def engine() -> Engine:
    return load_engine(GUIDE)


@pytest.fixture
def copied(tmp_path: Path, engine: Engine) -> Callable[[str], Copy]:
    def copy(case: str) -> Copy:
        (source,) = EXAMPLES.glob(f"{case}-*")
        folder = tmp_path / source.name
        shutil.copytree(source, folder)
        return Copy(folder, engine)

    return copy


@pytest.fixture
def one(copied: Callable[[str], Copy]) -> Copy:
    return copied("case-1")


@pytest.fixture
def two(copied: Callable[[str], Copy]) -> Copy:
    return copied("case-2")


@pytest.fixture
def machines(tmp_path: Path, engine: Engine) -> Copy:
    """A case without a workload: worked examples, held against tables and rules."""
    folder = tmp_path / "machines"
    shutil.copytree(EXAMPLES / "worked-examples" / "machines", folder)
    return Copy(folder, engine)
