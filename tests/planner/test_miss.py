"""A part of a load: what is multiplied, what stays, and how much of it a machine carries."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from generated_workloads import ENGINE, read
from hand_plans import EVERY
from serving import demanded
from settled import settled
from sizewright.demand.build import demand_of
from sizewright.demand.model import Demand
from sizewright.figure import Figure
from sizewright.planner.judge import broken_rules, costs_of, judge
from sizewright.planner.miss import Attempt, rejection, scaled
from sizewright.planner.parts import Machine
from sizewright.planner.policy import Policy
from sizewright.planner.search import Search
from small import GUIDE, row

WHOLE: Demand = demand_of(read(EVERY), GUIDE)
RATES = frozenset(
    (
        "streams.ops", "streams.reads", "streams.writes", "streams.weighted",
        "networks.ops.figure", "volumes.reads.figure", "volumes.writes.figure",
        *(f"{of}.{what}" for of in ("volumes.work", "operations")
          for what in ("ops", "pace.run_ops", "pace.returns_kb")),
        "traffic.kb_per_s", "kernel.ms_per_s", "user.processors",
    )
)  # fmt: skip


def leaves(value: Any, path: str = "") -> Iterator[tuple[str, Any]]:
    """Every figure and text of a demand, with the names of the fields that lead to it."""
    if isinstance(value, tuple) and not isinstance(value, Figure):
        names = getattr(value, "_fields", ("",) * len(value))
        for name, each in zip(names, value, strict=True):
            yield from leaves(each, f"{path}.{name}".strip("."))
    else:
        yield path, value


def ends(figure: Figure) -> tuple[float, float, float]:
    return figure.low, figure.likely, figure.high


@pytest.fixture(scope="module")
def stated() -> set[str]:
    """What of the demand is a figure above zero."""
    return {path for path, leaf in leaves(WHOLE) if isinstance(leaf, Figure) and leaf.high > 0}


def test_the_demand_has_every_rate_and_more(stated: set[str]) -> None:
    assert stated >= RATES
    assert stated >= {
        "clients", "volumes.size_mb", "lines.number", "lines.kbit_per_s", "memory.figure",
        "operations.pace.within_s", "operations.pace.every_s", "operations.block_kb",
        "streams.clients", "streams.write_share", "streams.uses.share",
    }  # fmt: skip


@settled(30)
@given(share=st.floats(0.001, 50))
def test_every_rate_is_multiplied_and_nothing_else(share: float) -> None:
    before, after = list(leaves(WHOLE)), list(leaves(scaled(WHOLE, share)))
    assert [path for path, _ in before] == [path for path, _ in after]
    for (path, old), (_, new) in zip(before, after, strict=True):
        if path in RATES and old is not None:
            assert ends(new) == pytest.approx([end * share for end in ends(old)]), path
            assert new.unit == old.unit
        else:
            assert new == old, path


def test_the_whole_of_a_load_is_that_load() -> None:
    for (path, old), (_, new) in zip(leaves(WHOLE), leaves(scaled(WHOLE, 1)), strict=True):
        assert (ends(new), new.unit) == (ends(old), old.unit) if path in RATES and old else True


def test_what_has_no_rate_gets_none() -> None:
    paced = [o for o in WHOLE.operations if o.ops is None]
    assert paced
    found = {o.name: o for o in scaled(WHOLE, 0.5).operations}
    assert all(found[o.name].ops is None for o in paced)
    assert [u.processors is None for u in scaled(WHOLE, 0.5).user] == [
        u.processors is None for u in WHOLE.user
    ]
    assert any(u.processors is None for u in WHOLE.user)


BOOK = ENGINE.book.judging("plan")


@pytest.fixture(scope="module")
def late() -> tuple[Search, Demand]:
    """Work as fast as its disks, whose time only whole systems show, beside much in the kernel."""
    kernel = {"kind": "measured", "name": "kernel", "kernel_ms_per_s": 900,
              "measured_on": "sparcserver-690mp"}  # fmt: skip
    scan = {"name": "scan", "volume": "tables", "as_fast_as_disks": True}
    reading = {"kind": "measured", "name": "reading", "work": [scan]}
    tables = {"name": "tables", "size_mb": 2000, "access": "random", "use": "raw"}
    wanted = demanded(kernel, reading, volumes=[tables], networks=[])
    machine = Machine(GUIDE, row("platforms", "sparcserver-690mp"), 2, "solaris-1.0.1")
    search = Search(machine, wanted, BOOK, Policy())
    assert search.run() is None
    return search, wanted


def test_what_comes_late_under_the_whole_load_tells_what_part_a_machine_carries(
    late: tuple[Search, Demand],
) -> None:
    """Without it the same part is found, from the least load upwards."""
    search, wanted = late
    known = rejection(Attempt(search.machine, (), search.late), wanted, BOOK, Policy())
    anew = rejection(Attempt(search.machine, ()), wanted, BOOK, Policy())
    assert 0 < known.load_share < 1
    assert known.load_share == anew.load_share
    assert known.judgement is not None and known.judgement.system == search.late


def test_what_comes_late_breaks_nothing_but_time(late: tuple[Search, Demand]) -> None:
    """2.10.1: one lock."""
    search, wanted = late
    assert search.late is not None
    judged = judge(wanted, search.late, GUIDE, BOOK, Policy())
    broken = broken_rules(costs_of(judged.facts, BOOK, Policy()))
    assert [rule.id for rule in broken] == ["2.10.1-kernel-lock"]
