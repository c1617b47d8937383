"""Customers of our own: what an engineer expects from the guide alone, compared with the plan.

The expectations were written before any plan was seen. A difference between the two is settled in
writing in the customer's expectation.md.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest

from sizewright.api import Engine, load_engine
from sizewright.cases.reading import case_folders, read_case
from sizewright.cases.running import run_case

CUSTOMERS = Path(__file__).resolve().parent.parent / "examples" / "customers"

#: What a plan does not meet yet, by customer. What it meets must not be listed.
OPEN: dict[str, set[str]] = {}


@cache
def engine() -> Engine:
    return load_engine("sun-1992")


def test_every_customer_states_what_is_expected() -> None:
    folders = [folder for folder in sorted(CUSTOMERS.iterdir()) if folder.is_dir()]
    assert len(folders) == 12
    assert list(case_folders(CUSTOMERS)) == folders
    assert all((folder / "expectation.md").is_file() for folder in folders)


@pytest.mark.parametrize("folder", case_folders(CUSTOMERS), ids=lambda folder: folder.name)
def test_the_plan_is_what_was_expected(folder: Path) -> None:
    outcome = run_case(read_case(folder), lambda document: engine())
    open_ones = OPEN.get(folder.name, set())
    differing = {result.id: result.reason for result in outcome.results if result.fails}
    assert {name: why for name, why in differing.items() if name not in open_ones} == {}
    assert open_ones <= set(differing)
