"""Boards for gateways, serial lines and printers, by the guide's tables of them."""

from __future__ import annotations

import time
from itertools import combinations, permutations, product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from generated_workloads import Plain, planned
from serving import demanded
from sizewright.planner.connections import LineBoards, line_boards
from sizewright.planner.parts import Machine
from small import GUIDE, row


def ways(*services: Plain, platform: str = "sparcserver-690mp") -> set[LineBoards]:
    machine = Machine(GUIDE, row("platforms", platform), 2, "solaris-1.0.1")
    found = line_boards(machine, demanded(*services))
    assert len(set(found)) == len(found)
    return set(found)


def gateway(*speeds: float) -> Plain:
    lines = [{"name": f"l{n}", "protocol": "sna", "kbit_per_s": s} for n, s in enumerate(speeds)]
    return {"kind": "gateway", "name": "sna", "lines": lines}


def printing(*printers: Plain) -> Plain:
    named = [{"name": f"p{n}", **p} for n, p in enumerate(printers)]
    return {"kind": "print", "name": "paper", "printers": named}


def modems(lines: int, name: str = "modems") -> Plain:
    return {"kind": "serial", "name": name, "lines": lines}


def test_nothing_to_attach_needs_nothing() -> None:
    assert ways({"kind": "paging", "name": "vm", "faults_per_s": 1}) == {LineBoards()}


def test_a_gateway_takes_as_many_boards_as_its_lines_need_ports() -> None:
    """2.6: four lines on the Sbus board, two on the VME one."""
    assert ways(gateway(1500, 256, 56)) == {
        LineBoards(("hsi-s",)), LineBoards(("hsi-vme", "hsi-vme")),
    }  # fmt: skip


def test_a_board_carries_no_more_than_its_total() -> None:
    """2.6: 3.5 Mb/s are two T1 lines on the Sbus board, and the VME board has two ports."""
    assert ways(gateway(1500, 1500, 1500)) == {
        LineBoards(("hsi-s", "hsi-s")), LineBoards(("hsi-vme", "hsi-s")),
        LineBoards(("hsi-vme", "hsi-vme")),
    }  # fmt: skip


def test_slow_lines_fill_what_full_ones_leave() -> None:
    """Two boards with two T1 lines and two of 64 Kb/s each: 3128 of 3500 Kb/s on four ports."""
    lines = (1500,) * 4 + (64,) * 4
    assert ways(gateway(*lines), platform="sparcstation-2") == {LineBoards(("hsi-s",) * 2)}
    assert ways(gateway(*lines, 64), platform="sparcstation-2") == {LineBoards(("hsi-s",) * 3)}


def test_a_t1_line_has_its_nominal_rate_or_the_printed_one() -> None:
    """1544 Kb/s are the 1.5 Mb/s of Table 10; 1545 Kb/s are more than a port has."""
    assert ways(gateway(1544, 1544)) == ways(gateway(1500, 1500))
    assert ways(gateway(1545)) == set()


def test_a_line_faster_than_its_port_cannot_be_had() -> None:
    assert ways(gateway(45000)) == set()


def test_lines_end_on_boards_or_on_a_terminal_server() -> None:
    """2.9: 16 lines an ALM-2, 8 an Sbus board, up to 256 a terminal server, which takes no slot."""
    assert ways(modems(20)) == {
        LineBoards(("alm-2",) * 2, on_boards=20),
        LineBoards(("alm-2", "sbus-serial-parallel"), on_boards=20),
        LineBoards(("sbus-serial-parallel",) * 3, on_boards=20),
        LineBoards((), ("terminal-server",)),
    }


@pytest.mark.parametrize(("lines", "units"), [(256, 1), (257, 2), (10_000, 40)])
def test_as_many_terminal_servers_as_the_lines_need(lines: int, units: int) -> None:
    """2.9: 256 ports are reasonably common."""
    assert LineBoards((), ("terminal-server",) * units) in ways(modems(lines))


def test_a_desktop_has_no_board_for_another_bus() -> None:
    found = ways(modems(8), platform="sparcstation-2")
    assert {way.boards for way in found} == {("sbus-serial-parallel",), ()}


def test_a_board_with_lines_drives_parallel_printers_too() -> None:
    """1.3.1.2: ten serial and two parallel printers fit two Sbus boards neatly."""
    two = {"attached": "parallel", "count": 2}
    found = ways(printing({"attached": "serial", "count": 10}, two))
    assert LineBoards(("sbus-serial-parallel",) * 2, on_boards=10) in found


def test_lines_use_the_boards_of_printers_first() -> None:
    """1.3.1.1: of 75 lines 32 end on the two ALM-2 boards of the line printers."""
    found = ways(printing({"attached": "parallel", "count": 2}), modems(75))
    assert LineBoards(("alm-2",) * 2, ("terminal-server",), 32) in found
    assert LineBoards(("alm-2",) * 5, (), 75) in found


def test_boards_of_several_kinds_fill_a_machine() -> None:
    """One VME slot and four Sbus slots of a 630MP: five parallel ports, and no sixth."""
    five, six = ({"attached": "parallel", "count": n} for n in (5, 6))
    every = ("alm-2", *("sbus-serial-parallel",) * 4)
    assert ways(printing(five), platform="sparcserver-630mp") == {LineBoards(every)}
    assert ways(printing(six), platform="sparcserver-630mp") == set()


def test_a_fast_printer_needs_a_port_that_passes_its_data() -> None:
    """1.3.1.2: nearly 1 MB/s is more than most parallel ports pass, and no more than one board."""
    found = ways(printing({"attached": "parallel", "count": 2, "kb_per_s": 1000}))
    assert {way.boards for way in found} == {("sparcprinter-interface",) * 2}


def test_pages_in_points_need_a_fast_port_whatever_their_rate() -> None:
    """1.3.1.2: the Sbus interface is there for them; slow parallel ports are for line printers."""
    found = ways(printing({"attached": "video", "count": 2}, {"attached": "parallel"}))
    assert found and all(way.boards.count("sparcprinter-interface") == 2 for way in found)
    assert all(len(way.boards) == 3 for way in found)


@pytest.mark.parametrize(
    ("lines", "boards", "servers"),
    [(1, 1, 0), (16, 1, 0), (17, 2, 0), (30, 2, 0), (31, 0, 1), (50, 0, 1), (300, 0, 2)],
)
def test_terminal_servers_are_for_the_range_of_rule_xxi(
    lines: int, boards: int, servers: int
) -> None:
    """16 lines an ALM-2 and 256 a terminal server; more than 30 lines are in the range."""
    found = planned({
        "name": "lines", "services": [modems(lines)],
        "wishes": {"platforms": ["sparcserver-690mp"]},
    }).chosen  # fmt: skip
    assert found is not None
    assert [board.model for board in found.system.boards] == ["alm-2"] * boards
    assert len(found.system.beside) == servers
    networks = ["terminal-servers"] if servers else []
    assert [port.network for port in found.system.ports] == networks


def test_a_terminal_server_stands_in_for_slots_that_there_are_not() -> None:
    """Three Sbus slots have 24 lines; 30 lines, which is not above the range, have no other way."""
    desktop = {"platforms": ["sparcstation-2"]}
    few, many = (
        planned({"name": "lines", "services": [modems(n)], "wishes": desktop}).chosen
        for n in (24, 30)
    )
    assert few is not None and many is not None
    assert (len(few.system.boards), few.system.beside) == (3, ())
    assert (len(many.system.boards), many.system.beside) == (0, ("terminal-server",))


def test_data_of_a_terminal_server_counts_on_the_network_that_it_is_on() -> None:
    """300 lines of 2400 bit/s are 300 × 2400 ÷ 8 ÷ 1024 = 87.9 KB/s, on an Ethernet in use too."""
    lines = modems(300) | {"bits_per_s": 2400}
    office: Plain = {
        "kind": "timesharing", "name": "desks", "sessions": 1, "private_mb": 1,
        "network": "office", "traffic": {"kb_per_s": 10},
    }  # fmt: skip
    networks = [{"name": "office", "medium": "ethernet"}]
    for others, network, data in (((), "terminal-servers", 87.9), ((office,), "office", 97.9)):
        used, services = networks if others else [], [lines, *others]
        found = planned({"name": "lines", "networks": used, "services": services}).chosen
        assert found is not None
        (port,) = found.facts.networks
        assert port.id == network and port.data_kb_per_s is not None
        assert port.data_kb_per_s.high == pytest.approx(data, abs=0.05)


SPEEDS = (56, 500, 1000, 1200, 1500)
PRINTERS = ("serial", "parallel", "video")


def fit(rates: tuple[float, ...], boards: tuple[str, ...]) -> bool:
    """Whether lines fit boards, by every division of them: 4 ports and 3500 Kb/s, or 2 ports."""
    limits = {"hsi-s": (4, 3500.0), "hsi-vme": (2, 3000.0)}
    return any(
        all(
            len(mine) <= limits[board][0] and sum(mine) <= limits[board][1]
            for n, board in enumerate(boards)
            for mine in [[r for r, at in zip(rates, division, strict=True) if at == n]]
        )
        for division in product(range(len(boards)), repeat=len(rates))
    )  # fmt: skip


@given(st.lists(st.sampled_from(SPEEDS), min_size=1, max_size=5))
def test_the_boards_of_gateways_suffice_and_none_is_to_spare(speeds: list[int]) -> None:
    for way in ways(gateway(*speeds)):
        assert fit(tuple(speeds), way.boards)
        fewer = combinations(way.boards, len(way.boards) - 1)
        assert not any(fit(tuple(speeds), boards) for boards in fewer)


def has_ports(serial: int, parallel: int, video: int, boards: tuple[str, ...]) -> bool:
    alm, sbus, fast = (
        boards.count(b) for b in ("alm-2", "sbus-serial-parallel", "sparcprinter-interface")
    )
    return 16 * alm + 8 * sbus >= serial and alm + sbus >= parallel and fast >= video


@given(st.integers(0, 70), st.integers(0, 7), st.integers(0, 3))
def test_the_boards_of_lines_and_printers_suffice_and_none_is_to_spare(
    serial: int, parallel: int, video: int
) -> None:
    """ALM-2: 16 lines and a port; Sbus board: 8 and one; the other has one for pages in points."""
    wanted = {"serial": serial, "parallel": parallel, "video": video}
    printers = [{"attached": kind, "count": n} for kind, n in wanted.items() if n]
    for way in ways(printing(*printers)):
        needed = 0 if way.beside else serial
        assert has_ports(needed, parallel, video, way.boards)
        assert not any(
            has_ports(needed, parallel, video, fewer)
            for fewer in combinations(way.boards, max(0, len(way.boards) - 1))
            if way.boards
        )
        assert way.beside or way.on_boards == serial


@given(st.integers(1, 60), st.integers(0, 4))
def test_more_lines_never_need_fewer_boards_or_units(serial: int, parallel: int) -> None:
    def fewest(lines: int) -> tuple[int, int]:
        printers = [{"attached": "parallel", "count": parallel}] if parallel else []
        found = ways(modems(lines), printing(*printers))
        alone = (len(way.boards) for way in found if not way.beside)
        return min(alone, default=100), min(len(way.beside) for way in found)

    before, after = fewest(serial), fewest(serial + 1)
    assert all(a <= b for a, b in zip(before, after, strict=True))


def test_order_and_names_change_nothing() -> None:
    services = [
        modems(20, "a"), modems(30, "z"), gateway(1500, 56),
        printing({"attached": "parallel"}, {"attached": "video"}),
    ]  # fmt: skip
    renamed = [modems(20, "z"), modems(30, "a"), *services[2:]]
    found = {frozenset(ways(*order)) for order in permutations(services)}
    assert found == {frozenset(ways(*renamed))}


def test_many_printers_of_their_own_take_no_longer() -> None:
    """Counted by ports: each printer assigned by itself took 31 s for 14 of them."""
    printers = [{"attached": "parallel"} for _ in range(200)]
    start = time.process_time()
    assert ways(printing({"attached": "serial"}, *printers)) == set()
    assert time.process_time() - start < 5


@pytest.mark.parametrize(("kb_per_s", "slow"), [(None, True), (1, True), (100, True), (101, False)])
def test_a_printer_of_a_known_rate_uses_any_port_that_passes_it(
    kb_per_s: float | None, slow: bool
) -> None:
    """Footnote 11: most parallel interfaces do about 100 KB/s; a page printer's passes 2 MB/s."""
    rate = {} if kb_per_s is None else {"kb_per_s": kb_per_s}
    found = {way.boards for way in ways(printing({"attached": "parallel", **rate}))}
    assert (("alm-2",) in found) is slow
    assert (("sparcprinter-interface",) in found) is (kb_per_s is not None)
