"""More or faster hardware never turns a system that passes into one that fails.

An arm more on one of two strings moves data there and may load that string beyond its limit, so
that arms are added evenly here, or stay unused. A planner chooses how many it uses: what better
hardware on offer does to plans is in tests/test_properties.py.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from generated_workloads import ENGINE, Plain
from serving import demanded, server
from settled import settled
from sizewright.configuration.model import Channel, System
from sizewright.demand.model import Demand
from sizewright.evaluate.findings import broken_rules, costs_of
from sizewright.evaluate.policy import Policy
from sizewright.evaluate.system import evaluate
from small import GUIDE, disk, laid

RULES = ENGINE.rule_set.judging("plan")


@dataclass(frozen=True)
class Shape:
    """The number of disks on each of two strings, and of processors."""

    disks: tuple[int, int]
    processors: int = 2
    model: str = "1-0gb-ipi"
    spare: bool = False


def built(shape: Shape) -> System:
    """A server with two strings; a spare disk holds nothing."""
    ids = [[f"{n}-{d}" for d in range(number)] for n, number in enumerate(shape.disks)]
    channels = tuple(
        Channel(f"isp-80-{n + 1}", "ipi-2", f"isp-80-{n + 1}",
                tuple(disk(name, shape.model) for name in names))
        for n, names in enumerate(ids)
    )  # fmt: skip
    if shape.spare:
        more = (*channels[0].devices, disk("spare", shape.model))
        channels = (channels[0]._replace(devices=more), *channels[1:])
    data = {name: 100 for names in ids for name in names}
    return server(channels=channels, processors=shape.processors, volumes=(laid("tables", data),))


def broken(system: System, wanted: Demand, *rules: str) -> frozenset[str]:
    """The limits that a system breaks of these rules."""
    judged = evaluate(wanted, system, GUIDE, RULES, Policy())
    found = {rule.id for rule in broken_rules(costs_of(judged.facts, RULES, Policy()))}
    return frozenset(found.intersection(rules))


LOAD = ("1.2.9.2-completion", "2.4.4-random", "2.10.1-kernel-lock", "1.2.8-processors",
        "VII", "IX", "V")  # fmt: skip
RUN = st.fixed_dictionaries(
    {
        "ops": st.integers(100, 20000), "within_s": st.integers(5, 200),
        "block_kb": st.integers(1, 32),
    },
    optional={"outstanding": st.integers(1, 20), "runs_at_once": st.integers(1, 5)},
)  # fmt: skip


def program(run: Plain) -> Any:
    work = {"name": "run", "volume": "tables", **run}
    volumes = [{"name": "tables", "size_mb": 100, "access": "random", "use": "raw"}]
    service = {"kind": "measured", "name": "program", "work": [work], "network": "ring"}
    return demanded(service, volumes=volumes)


@pytest.mark.parametrize(
    "better",
    [
        {"disks": (4, 4)}, {"spare": True}, {"processors": 4}, {"model": "1-3gb-ipi"},
    ],
    ids=str,
)  # fmt: skip
@settled(25)
@given(run=RUN)
def test_what_passes_passes_with_more(better: dict[str, Any], run: Plain) -> None:
    """More arms on each string, one that stays unused, faster ones, and more processors."""
    wanted = program(run)
    before = Shape((3, 3))
    after = Shape(**{"disks": before.disks, **better})
    assert broken(built(after), wanted, *LOAD) <= broken(built(before), wanted, *LOAD)


def test_a_wanted_time_is_a_limit_and_only_the_better_end_decides() -> None:
    """Six active drives of 43 to 67 reads a second: 1000 take 2.5 s at the best, 3.9 s else."""

    def verdicts(within_s: float) -> set[str]:
        wanted = program({"ops": 1000, "block_kb": 8, "within_s": within_s, "outstanding": 99})
        judged = evaluate(wanted, built(Shape((3, 3))), GUIDE, RULES, Policy())
        return {
            f"{f.rule}: {f.verdict}" for f in judged.findings
            if f.rule in ("1.2.9.2-completion", "1.2.9.2-recommended-rates")
        }  # fmt: skip

    # 1000 ÷ (6 × 67) = 2.488 s, 1000 ÷ (6 × 43) = 3.876 s.
    assert verdicts(2.4) == {"1.2.9.2-completion: violated", "1.2.9.2-recommended-rates: tight"}
    assert verdicts(3) == {"1.2.9.2-completion: holds", "1.2.9.2-recommended-rates: tight"}
    assert verdicts(4) == {"1.2.9.2-completion: holds", "1.2.9.2-recommended-rates: holds"}
