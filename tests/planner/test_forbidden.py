"""Why a plan does not follow advice: what its machine would exceed."""

from __future__ import annotations

from typing import Any

import pytest

from generated_workloads import ENGINE, planned
from sizewright.planner.forbidden import Followed, with_advice
from sizewright.planner.plan import Plan
from small import plain, volume

WISHES = {"platforms": ["sparcstation-2"]}


def files(ops_per_s: float, **service: Any) -> Plan:
    """A desktop for ten clients, of whose operations 15 % are writes (legato)."""
    load = {"uses": ["data"], "load": {"ops_per_s_each": ops_per_s}, "mix": "legato"}
    found = planned(plain({**load, **service}, volumes=[volume("data", 500)], wishes=WISHES))
    assert found.chosen is not None
    return found


def followed(plan: Plan, rule: str) -> Followed | None:
    return with_advice(plan, rule, ENGINE.judging("plan"))


def test_a_limit_that_forbids_advice_is_found() -> None:
    """A single processor that is busy above 85 % has no accelerator (1.1.7)."""
    found = followed(files(31.5), "XIV")
    assert found is not None
    assert found.judged.facts.system.nvram_accelerator
    assert [each.rule for each in found.findings] == ["1.1.7-nvram-uniprocessor"]


def test_advice_is_followed_by_what_it_names_and_not_by_what_makes_it_needless() -> None:
    """Rule XXVIII asks for software, and does not apply beside a board (XIV)."""
    found = followed(files(5), "XXVIII")
    assert found is not None
    assert found.judged.facts.system.write_gathering
    assert not found.judged.facts.system.nvram_accelerator
    assert [each.rule for each in found.findings] == ["XIV"]


def test_of_advice_that_no_part_follows_nothing_is_found() -> None:
    """A SPARCstation-2 has no VME slot for a board that processes protocols (1.1.2)."""
    assert followed(files(5, diskless=True), "1.1.2-diskless") is None


@pytest.mark.parametrize("rule", ["XIV", "III"])
def test_nothing_is_worse_with_what_is_followed_already(rule: str) -> None:
    found = followed(files(5), rule)
    assert found is not None and found.findings == ()
