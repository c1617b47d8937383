"""On one machine: what scales with the rates, what with the processors, and what moves nothing."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from copy import deepcopy
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from generated_workloads import Plain, read
from serving import server, workload
from settled import settled
from sizewright.demand.build import demand_of
from sizewright.guide.loader import load_guide
from sizewright.guide.model import Guide
from sizewright.load.derive import derive_load
from sizewright.load.model import Load
from sizewright.quantity import Quantity
from small import GUIDE, board

pytestmark = pytest.mark.no_cover

SERVICES: list[Plain] = [
    {"kind": "nfs", "name": "homes", "clients": 20, "load": {"ops_per_s_each": 2},
     "network": "ring",
     "uses": ["files"]},
    {"kind": "database", "name": "db", "product": "oracle", "clients": 40, "network": "ring",
     "user_processors": 0.5, "work": [
         {"name": "keyed", "volume": "tables", "ops": 12, "every_s": 30, "returns_mb": 0.1},
         {"name": "log", "volume": "scans", "operation": "write", "ops_per_s": 7}]},
    {"kind": "timesharing", "name": "people", "sessions": 12, "private_mb": 2, "network": "ring",
     "traffic": {"kb_per_s": 40}},
    {"kind": "mail", "name": "post", "volume": "files", "messages_a_day": 20000,
     "prime_messages": 15000, "prime_s": 28800, "temporary_files": 2},
    {"kind": "gateway", "name": "sna",
     "lines": [{"name": "t1", "protocol": "sna", "kbit_per_s": 1000}]},
    {"kind": "paging", "name": "vm", "faults_per_s": 25},
    {"kind": "measured", "name": "program", "kernel_ms_per_s": 30, "measured_on": "sun-4-490"},
]  # fmt: skip
# Figures that are rates, by key; those told for so long go the other way.
RATES = {"ops_per_s", "ops_per_s_each", "kb_per_s", "faults_per_s", "prime_messages",
         "messages_a_day", "kernel_ms_per_s", "kbit_per_s", "user_processors"}  # fmt: skip
PERIODS = {"every_s"}
MACHINE = server(boards=(*server().boards, board("hsi-s-1", "hsi-s", "sbus", 1)))


def times(plain: Any, factor: float) -> Any:
    """The same services with every rate multiplied."""
    if isinstance(plain, list):
        return [times(one, factor) for one in plain]
    if not isinstance(plain, dict):
        return plain
    return {
        key: value * factor if key in RATES
        else value / factor if key in PERIODS else times(value, factor)
        for key, value in plain.items()
    }  # fmt: skip


def load(services: list[Plain], guide: Guide = GUIDE) -> Load:
    return derive_load(demand_of(read(workload(*services)), guide), MACHINE, guide)


def figures(found: Load) -> Mapping[str, Quantity]:
    """Every line that is proportional to the rates."""
    parts = {"kernel": {"": found.kernel_lock}, "processors": {"": found.processors},
             "disks": found.disks, "channels": found.channels, "data": found.data,
             "networks": found.networks}  # fmt: skip
    return {
        f"{part}/{node}/{line.name}": line.figure
        for part, nodes in parts.items() for node, lines in nodes.items() for line in lines or ()
    }  # fmt: skip


@settled(25)
@given(factor=st.sampled_from([2.0, 0.5, 3.0]), chosen=st.sets(st.integers(0, len(SERVICES) - 1),
                                                               min_size=1))  # fmt: skip
def test_rates_times_so_much_are_lines_times_as_much(factor: float, chosen: set[int]) -> None:
    services = [SERVICES[n] for n in sorted(chosen)]
    before, after = figures(load(services)), figures(load(times(services, factor)))
    assert before.keys() == after.keys()
    for name, figure in before.items():
        assert after[name].high == pytest.approx(figure.high * factor), name
        assert after[name].low == pytest.approx(figure.low * factor), name


@pytest.fixture(scope="module")
def half_as_fast(tmp_path_factory: pytest.TempPathFactory) -> Guide:
    """The guide with an overlay that halves the speed of the machine at hand."""
    folder = tmp_path_factory.mktemp("overlay") / "tables" / GUIDE.id
    folder.mkdir(parents=True)
    mips = GUIDE.row("platforms", MACHINE.platform).require("mips").high / 2
    (folder / "platforms.yaml").write_text(
        "table: platforms\nrows:\n"
        f"  - {{id: {MACHINE.platform}, mips: {mips}, source: {{section: '1.1'}}, "
        "status: printed}\n"
    )
    return load_guide(GUIDE.id, [folder.parent.parent])


# Served by the platform as a whole, or the same on any machine: no MIPS in them.
UNHURRIED = ("kernel//homes", "processors//homes", "kernel//vm: page faults",
             "processors//vm: page faults", "processors//db: its own work")  # fmt: skip


def test_half_the_speed_doubles_every_cost_that_goes_by_it(half_as_fast: Guide) -> None:
    before, after = figures(load(SERVICES)), figures(load(SERVICES, half_as_fast))
    assert before.keys() == after.keys()
    doubled = 0
    for name, figure in before.items():
        by_speed = name.startswith(("kernel/", "processors/")) and name not in UNHURRIED
        doubled += by_speed
        assert after[name].high == pytest.approx(figure.high * (2 if by_speed else 1)), name
    assert doubled > len(SERVICES)


@settled(15)
@given(order=st.permutations(range(len(SERVICES))))
def test_the_order_of_services_moves_nothing(order: list[int]) -> None:
    shuffled = figures(load([SERVICES[n] for n in order]))
    plain = figures(load(SERVICES))
    assert {name: (f.low, f.high) for name, f in shuffled.items()} == {
        name: (f.low, f.high) for name, f in plain.items()
    }


def numbers(plain: Any, path: tuple[str | int, ...] = ()) -> Iterator[tuple[str | int, ...]]:
    if isinstance(plain, dict):
        for key, value in plain.items():
            yield from numbers(value, (*path, key))
    elif isinstance(plain, list):
        for n, value in enumerate(plain):
            yield from numbers(value, (*path, n))
    elif isinstance(plain, (int, float)) and not isinstance(plain, bool):
        yield path


# The day's messages only bound those of the busy hours.
IDLE = {"messages_a_day"}
WHOLE = {"clients", "sessions"}


@pytest.mark.parametrize("path", [p for p in numbers(SERVICES) if p[-1] not in IDLE], ids=str)
def test_every_figure_of_a_workload_moves_something(path: tuple[str | int, ...]) -> None:
    changed: Any = deepcopy(SERVICES)
    place = changed
    for step in path[:-1]:
        place = place[step]
    # Clients and sessions are whole.
    place[path[-1]] *= 2 if path[-1] in WHOLE else 1.01
    before, after = load(SERVICES), load(changed)

    def told(found: Load) -> dict[str, float]:
        memory = {f"memory/{line.name}": line.figure for line in found.memory or ()}
        return {name: f.high for name, f in {**figures(found), **memory}.items()}

    assert told(before) != told(after)
