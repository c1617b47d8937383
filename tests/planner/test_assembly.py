"""The boards that a choice comes to, where ports are shared and some boards are there anyway."""

from __future__ import annotations

from collections import Counter
from itertools import product

import pytest

from functional import KINDS, machine
from sizewright.evaluate.policy import FREE
from sizewright.planner.assembly import (
    boards_of,
    fewest_added,
    left_over,
    port_boards,
    really_added,
)
from sizewright.planner.choice import PartialSolution, Step
from sizewright.planner.connections import Attachment
from sizewright.planner.parts import BUILTIN, Machine
from small import GUIDE, row

LARGE = machine("ns-5500")
PLAIN = Machine(GUIDE, row("platforms", "sparcserver-690mp"), 2, "solaris-1.0.1")
BOARD, CACHE, ADAPTER = "ethernet-processor", "write-cache", "storage-processor"
ACCELERATOR = KINDS.row("nvram-accelerators", CACHE)


def attached(ports: int, name: str = "net") -> Attachment:
    return Attachment(name, BOARD, (BOARD,) * ports, FREE)


def networks(*ports: int) -> PartialSolution:
    return PartialSolution(attachments=tuple(attached(n, f"net{i}") for i, n in enumerate(ports)))


def counted(choice: PartialSolution) -> dict[str, int]:
    return Counter(boards_of(LARGE, choice))


def test_a_machine_with_nothing_chosen_has_its_base() -> None:
    """Figure 12 and 4.2: its load was measured with two file and two storage processors."""
    assert sorted(boards_of(LARGE, PartialSolution())) == [
        BOARD, "file-processor", "file-processor", "host-processor-sun-4", ADAPTER, ADAPTER,
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("ports", "number"),
    [((1,), 1), ((1, 1), 1), ((2,), 1), ((1, 1, 1), 2), ((3, 1), 2), ((3, 2), 3), ((1,) * 8, 4)],
)
def test_communities_share_the_ports_of_boards(ports: tuple[int, ...], number: int) -> None:
    """3.3: two parallel Ethernets on each; the first board is one of the base.

    Beside these are two file processors, two storage processors and the host processor.
    """
    assert counted(networks(*ports))[BOARD] == number
    assert len(boards_of(LARGE, networks(*ports))) == number + 2 + 2 + 1


def test_each_port_is_on_the_next_board_with_one_to_spare() -> None:
    choice = networks(1, 2, 1)
    assert list(port_boards(LARGE, choice.attachments)) == [
        (BOARD, 0), (BOARD, 0), (BOARD, 1), (BOARD, 1),
    ]  # fmt: skip


def test_ports_of_the_platform_itself_are_on_no_board() -> None:
    two = Attachment("net", "lance-ethernet", (BUILTIN, BUILTIN), FREE)
    assert list(port_boards(PLAIN, (two,))) == [(BUILTIN, 0), (BUILTIN, 0)]
    assert boards_of(PLAIN, PartialSolution(attachments=(two,))) == ()


def test_where_each_port_has_a_board_the_boards_are_those_that_are_named() -> None:
    assert PLAIN.plain and not LARGE.plain
    nc = "network-coprocessor"
    choice = PartialSolution(
        attachments=(Attachment("net", nc, (nc, nc), FREE),), adapters=("isp-80",),
        accelerator=row("nvram-accelerators", "vme-prestoserve"),
    )  # fmt: skip
    assert boards_of(PLAIN, choice) == choice.boards()
    assert boards_of(PLAIN, choice)[:2] == (nc, nc)


def test_adapters_are_added_to_those_of_the_base() -> None:
    """3.3: up to three storage processors, two of which the base has."""
    assert counted(PartialSolution(adapters=(ADAPTER,)))[ADAPTER] == 2 + 1


def test_an_accelerator_that_goes_onto_boards_is_on_each_of_them() -> None:
    """Figure 8: each serves the disks of its own storage processor."""
    assert counted(PartialSolution(accelerator=ACCELERATOR))[CACHE] == 2
    assert counted(PartialSolution(accelerator=ACCELERATOR, adapters=(ADAPTER,)))[CACHE] == 2 + 1


def test_a_step_adds_what_the_choices_before_it_do_not_bring() -> None:
    third = Step("attachments", attached(1, "third"))
    assert len(really_added(LARGE, networks(1), third).boards) == 0
    assert len(really_added(LARGE, networks(1, 1), third).boards) == 1
    more = Step("adapters", (ADAPTER,), boards=(ADAPTER,))
    assert len(really_added(LARGE, PartialSolution(), more).boards) == 1
    assert len(really_added(LARGE, PartialSolution(accelerator=ACCELERATOR), more).boards) == 2


@pytest.mark.parametrize("base", [(), (BOARD,), (BOARD, BOARD, ADAPTER)])
def test_communities_add_no_fewer_boards_than_is_told_before(base: tuple[str, ...]) -> None:
    """Whatever is attached before, and however many communities share what is there."""
    found = machine("ns-5500")
    found.base = base
    reached = False
    for ports in product(range(1, 7), repeat=3):
        choice, added = PartialSolution(), []
        for n, number in enumerate(ports):
            step = Step("attachments", attached(number, f"net{n}"))
            added.append(len(really_added(found, choice, step).boards))
            choice = choice.after(step)
        told = [len(fewest_added(found, attached(number))) for number in ports]
        assert all(sum(told[n:]) <= sum(added[n:]) for n in range(len(ports)))
        assert sum(added) == len(boards_of(found, choice)) - len(base)
        reached |= sum(told) == sum(added) > 0
    assert reached or base


def test_the_base_serves_before_boards_are_added() -> None:
    assert left_over(LARGE, (BOARD, BOARD, CACHE)) == (BOARD, CACHE)
    assert left_over(PLAIN, ("isp-80",)) == ("isp-80",)
