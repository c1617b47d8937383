"""A machine's own row of Table 1 decides what NFS costs it; other rows change nothing."""

from __future__ import annotations

from pathlib import Path

import pytest

from generated_workloads import read
from guide.overlays import GUIDE, cell, overlay
from sizewright.api import Engine, load_engine, plan
from sizewright.demand.build import demand_of
from sizewright.load.derive import derive_load
from sizewright.planner.parts import machines
from sizewright.planner.plan import Plan
from small import plain, port, system

MAXIMUM, SUSTAINED = "maximum_ops_per_s", "sustained_ops_per_s"
SERVED = plain({"clients": 240, "mix": "brown"})


def with_rows(folder: Path, platform: str, maximum: float, sustained: float) -> Engine:
    """The guide with another load of one platform in Table 1."""
    return load_engine(GUIDE, [
        overlay(folder, "most", cells=cell("nfs-capacity", platform, MAXIMUM, maximum)),
        overlay(folder, "usual", cells=cell("nfs-capacity", platform, SUSTAINED, sustained)),
    ])  # fmt: skip


def with_locks(folder: Path, number: int) -> Engine:
    """The guide with this number of locks in the kernel of its system."""
    changed = cell("operating-systems", "solaris-1.0.1", "kernel_locks", number)
    return load_engine(GUIDE, [overlay(folder, "locks", cells=changed)])


def planned(engine: Engine, **more: object) -> Plan:
    return plan(read({**SERVED, **more}), engine)


def kernel_ms(engine: Engine, platform: str, processors: int = 2) -> float:
    """Kernel time of NFS on a platform with two Ethernets, in ms/s."""
    found = system(
        platform=platform, processors=processors, ports=(port("north", 1), port("north", 2))
    )
    lines = derive_load(demand_of(read(SERVED), engine.guide), found, engine.guide).kernel_lock
    return sum(line.figure.high for line in lines or ())


def test_half_the_load_of_its_row_is_twice_the_time(tmp_path: Path) -> None:
    """240 Brown operations are 240 ÷ 1.75 × 1000 ÷ 800 = 171 ms, and 343 at 400 for the 690MP."""
    halved = with_rows(tmp_path, "sparcserver-690mp", 400, 325)
    own = kernel_ms(load_engine(GUIDE), "sparcserver-690mp")
    assert own == pytest.approx(240 / 1.75 * 1000 / 800)
    assert kernel_ms(halved, "sparcserver-690mp") == pytest.approx(2 * own)


@pytest.mark.parametrize("factor", [0.5, 2])
def test_the_row_of_another_machine_moves_no_plan(factor: float, tmp_path: Path) -> None:
    other = with_rows(tmp_path, "sparcserver-690mp", 800 * factor, 650 * factor)
    wishes = {"platforms": ["sparcserver-670mp"], "system_elsewhere": True}
    before, after = (planned(engine, wishes=wishes) for engine in (load_engine(GUIDE), other))
    assert before.chosen is not None and after.chosen is not None
    assert before.chosen.system._replace(tunables={}) == after.chosen.system._replace(tunables={})
    assert [
        (b.resource, b.used and b.used.high, b.limit and b.limit.high, b.verdict)
        for b in before.chosen.budgets
    ] == [
        (b.resource, b.used and b.used.high, b.limit and b.limit.high, b.verdict)
        for b in after.chosen.budgets
    ]  # fmt: skip


@pytest.mark.parametrize("processors", [2, 4])
def test_without_one_lock_the_rated_load_takes_all_processors_it_was_rated_with(
    processors: int, tmp_path: Path
) -> None:
    """Two processors serve 800: an operation costs 2 × 1000 ÷ 800 ms."""
    engine = with_locks(tmp_path, 130)
    time = kernel_ms(engine, "sparcserver-670mp", processors)
    assert time == pytest.approx(240 / 1.75 * 2 * 1000 / 800)
    single = kernel_ms(engine, "sparcstation-2", 1)
    assert single == pytest.approx(240 / 1.75 * 1000 / 450)


def test_without_one_lock_every_number_of_processors_is_tried(tmp_path: Path) -> None:
    wishes = {"platforms": ["sparcserver-670mp"]}
    for engine, counts in ((load_engine(GUIDE), [2]), (with_locks(tmp_path, 130), [2, 4])):
        demand = demand_of(read({**SERVED, "wishes": wishes}), engine.guide)
        assert [machine.processors for machine in machines(engine.guide, demand)] == counts
