"""How many processors the services of a system can use."""

from __future__ import annotations

import pytest

from generated_workloads import Plain, read
from sizewright.demand.build import demand_of
from sizewright.facts.derive import derive_facts
from sizewright.load.derive import derive_load
from sizewright.quantity import Quantity
from small import GUIDE, plain, row, system


def wanted_by(*services: Plain) -> float:
    """The processors of a 690MP with four that services can use, at the high end."""
    asked = demand_of(read(plain() | {"services": list(services)}), GUIDE)
    machine = system(platform="sparcserver-690mp", processors=4)
    found = derive_facts(machine, derive_load(asked, machine, GUIDE), GUIDE).system
    assert isinstance(found.processors_wanted, Quantity)
    return found.processors_wanted.high


@pytest.mark.parametrize(("busy", "wanted"), [(1.5, 3), (3, 4), (3.5, 5)])
def test_work_outside_of_the_kernel_takes_whole_processors(busy: float, wanted: int) -> None:
    """1.2.8: one in the kernel, and 3.5 rounded up to 4: one more than a 690MP can have."""
    assert max(map(int, row("platforms", "sparcserver-690mp").list("processor_counts"))) == 4
    users = {"kind": "timesharing", "name": "users", "sessions": 9, "user_processors": busy}
    assert wanted_by(users) == wanted


def test_processors_measured_on_a_slower_machine_count_at_its_speed() -> None:
    """0.9 of a 4/280 with 10 mips, twice, are 18 of the 28.5 mips of one processor: 1 + 1."""
    speeds = [row("platforms", name).number("mips") for name in ("sun-4-280", "sparcserver-690mp")]
    assert speeds == [10, 28.5]
    users = {"kind": "timesharing", "sessions": 9, "user_processors": 0.9}
    assert wanted_by(*({**users, "name": name, "measured_on": "sun-4-280"} for name in "ab")) == 2


def test_work_of_low_priority_asks_for_no_more_processors_than_are_sold() -> None:
    """It takes what it gets: 4 beside 1.5 that are needed ask for all of a 690MP."""
    users = {"kind": "timesharing", "name": "users", "sessions": 9, "user_processors": 1.5}
    assert wanted_by(users, {"kind": "batch", "name": "reports", "jobs": 4}) == 4
