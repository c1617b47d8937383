"""What a search gives up, told by counting what it looks at."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from generated_workloads import ENGINE, Plain, planned
from serving import demanded, measured
from sizewright.demand.model import Demand
from sizewright.guide.model import Guide
from sizewright.planner.choice import Choice
from sizewright.planner.judge import costs_of
from sizewright.planner.parts import Machine
from sizewright.planner.policy import Policy
from sizewright.planner.search import Search
from sizewright.rules.book import RuleBook, rule_book
from small import GUIDE, demand, row, volume

BOOK = ENGINE.book.judging("plan")
STEPS = 300


class Counted(Search):
    """A search that keeps every step down and every whole configuration that it looks at."""

    def __init__(self, *args: Any, **more: Any) -> None:
        super().__init__(*args, **more)
        self.descents = 0
        self.whole: list[Choice] = []

    def _descend(self, *args: Any) -> None:
        self.descents += 1
        super()._descend(*args)

    def _complete(self, choice: Choice, *args: Any) -> None:
        self.whole.append(choice)
        super()._complete(choice, *args)

    @property
    def last(self) -> Counter[Choice]:
        """How many ways to choose memory and software for backups, by what is chosen before."""
        return Counter(c._replace(memory=Choice().memory, backup_software="") for c in self.whole)


def counted(
    wanted: Demand, platform: str = "sparcstation-2", book: RuleBook = BOOK, guide: Guide = GUIDE
) -> Counted:
    machine = Machine(guide, row("platforms", platform), 1, "solaris-1.0.1")
    return Counted(machine, wanted, book, Policy(), STEPS)


@pytest.mark.parametrize("platform", ["sparcstation-2", "sparcserver-670mp"])
def test_a_machine_without_a_disk_for_some_pool_is_given_up_at_once(platform: str) -> None:
    """1.1.3: only a 690MP shares its disks with a second system."""
    wanted = demand({"uses": ["data"]}, volumes=[volume("data", dual_ported=True)])
    search = counted(wanted, platform)
    assert any(dimension.none for dimension in search.space.dimensions)
    assert search.run() is None
    assert (search.descents, search.steps) == (0, STEPS)


def test_any_disk_is_enough_to_begin() -> None:
    wanted = demand({"uses": ["data"]}, volumes=[volume("data", dual_ported=True)])
    search = counted(wanted, "sparcserver-690mp")
    assert not any(dimension.none for dimension in search.space.dimensions)
    search.run()
    assert search.descents


# Broken on every machine with one network or more until it has so much memory.
ROOMY: Plain = {
    "id": "memory-a-network", "title": "invented", "message": "told", "subject": "system",
    "when": None, "severity": "violation",
    "require": "system.memory_mb >= each_mb * system.networks", "bounds": [],
    "parameters": {"each_mb": {"value": 64, "unit": "MB"}},
}  # fmt: skip


def blind(search: Counted) -> Counted:
    """A search that foresees nothing of the processor's time."""
    search.space.floor.limits.rules = []
    return search


def overloaded(**more: Any) -> Demand:
    """Files on a network, beside twice the work in the kernel that one lock lets pass."""
    files = {"kind": "nfs", "name": "files", "clients": 10, "load": {"ops_per_s": 1},
             "network": "north"}  # fmt: skip
    kernel = {"kind": "measured", "name": "kernel", "kernel_ms_per_s": 2000,
              "measured_on": "sparcstation-2"}  # fmt: skip
    networks = [{"name": "north", "medium": "ethernet"}]
    return demanded(files, kernel, networks=networks, volumes=[volume("data")], **more)


def test_what_nothing_chosen_last_mends_sends_back_to_the_adapters() -> None:
    """2.10.1: twice what the kernel lock allows, whatever the memory."""
    search = blind(counted(overloaded()))
    assert search.run() is None
    assert len(search.whole) > 1
    assert set(search.last.values()) == {1}


def test_software_for_backups_is_not_tried_in_vain_either() -> None:
    search = blind(counted(overloaded(backup={"during_working_hours": True})))
    assert search.run() is None
    assert len(search.whole) > 1
    assert set(search.last.values()) == {1}


def test_what_more_memory_may_mend_is_tried_with_more() -> None:
    guide = GUIDE._replace(rules={**GUIDE.rules, ROOMY["id"]: ROOMY})
    book = rule_book(guide).judging("plan")
    wanted = demand({"uses": ["data"]}, volumes=[volume("data")])
    search = counted(wanted, book=book, guide=guide)
    found = search.run()
    assert found is not None
    assert found.system.memory_mb == 64
    first, *_ = search.last.values()
    assert first > 1


def test_what_memory_may_mend_in_part_is_tried_with_more() -> None:
    """Of two limits broken one hangs on memory: other adapters wait until it has enough."""
    guide = GUIDE._replace(rules={**GUIDE.rules, ROOMY["id"]: ROOMY})
    book = rule_book(guide).judging("plan")
    search = blind(counted(overloaded(), book=book, guide=guide))
    assert search.run() is None
    assert min(search.last.values()) > 1
    assert max(choice.memory.size_mb for choice in search.whole) == 64


class Broken(Counted):
    """A search whose first whole configuration alone is beyond what is chosen last."""

    def _complete(self, choice: Choice, *_: Any) -> None:
        self.whole.append(choice)
        self._to_adapters |= len(self.whole) == 1


def test_after_other_adapters_everything_is_tried_again() -> None:
    machine = Machine(GUIDE, row("platforms", "sparcstation-2"), 1, "solaris-1.0.1")
    wanted = demand({"uses": ["data"]}, volumes=[volume("data", 900)])
    search = Broken(machine, wanted, BOOK, Policy(), STEPS)
    search.run()
    first, *others = search.last.values()
    # The steps may end in the midst of the last.
    assert first == 1
    assert len(others) > 1 and min(others[:-1]) > 1


def test_what_another_machine_has_found_is_a_bound_that_only_less_gets_below() -> None:
    """With two processors more, which are options, nothing found with fewer is beaten."""
    wanted = demand({"uses": ["data"]}, volumes=[volume("data", 500)])
    platform = row("platforms", "sparcserver-630mp")
    few, many = (
        Machine(GUIDE, platform, number, "solaris-1.0.1") for number in (2, 4)
    )  # fmt: skip
    smaller = Search(few, wanted, BOOK, Policy()).run()
    larger = Search(many, wanted, BOOK, Policy()).run()
    assert smaller is not None and larger is not None and smaller.key < larger.key
    assert Search(many, wanted, BOOK, Policy()).run(smaller) is None
    again = Search(few, wanted, BOOK, Policy()).run(larger)
    assert again is not None and again.key == smaller.key


def test_a_search_that_runs_out_of_steps_says_so() -> None:
    wanted = demand({"uses": ["data"]}, volumes=[volume("data", 500)])
    machine = Machine(GUIDE, row("platforms", "sparcstation-2"), 1, "solaris-1.0.1")
    ended = Search(machine, wanted, BOOK, Policy())
    assert ended.run() is not None and not ended.cut_short
    short = Search(machine, wanted, BOOK, Policy(), steps=3)
    assert short.run() is None and short.cut_short


def test_what_joins_copies_is_foreseen_with_the_work_on_them() -> None:
    """2.11: every read of a mirrored volume costs more; disks need not be placed to tell.

    Both are striped over several disks, which adds 33 %; mirroring adds 30 % (Table 11).
    """
    work = measured(ops_per_s=200, block_kb=2)
    plain, mirrored = (
        demanded(work, volumes=[volume("tables", 20000, protection=kept)])
        for kept in ("none", "mirror")
    )  # fmt: skip
    assert counted(plain, "sparcserver-690mp").run() is not None
    search = counted(mirrored, "sparcserver-690mp")
    assert search.run() is None and not search.whole and not search.cut_short


def test_an_accelerator_on_the_wrong_bus_is_known_before_memory_is_chosen(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """With VME disks only, an Sbus accelerator is advised against if a VME slot is free (2.8)."""
    plain: Plain = {
        "name": "vme-only",
        "networks": [{"name": "office", "medium": "ethernet"}],
        "volumes": [
            {"name": "home", "size_mb": 300, "access": "random", "dual_ported": True},
        ],
        "services": [
            {"kind": "nfs", "name": "home", "clients": 40, "load": {"ops_per_s": 5},
             "mix": "legato", "network": "office", "uses": ["home"]},
        ],
        "wishes": {"platforms": ["sparcserver-690mp"]},
    }  # fmt: skip
    judged: list[set[str]] = []

    def watched(*given: Any) -> Any:
        costs = costs_of(*given)
        judged.append({rule.id for rule, cost in costs if cost.advice})
        return costs

    monkeypatch.setattr("sizewright.planner.search.costs_of", watched)
    assert planned(plain).holds
    # If it is known only of whole configurations, 250 of them are judged with it.
    assert judged.count({"2.8-nearer-bus"}) < 150
