"""Boards for gateways, serial lines and printers, by the guide's tables of them."""

from __future__ import annotations

from generated_workloads import Plain
from serving import demanded
from sizewright.planner.connections import LineBoards, line_boards
from sizewright.planner.parts import Machine
from small import GUIDE, row


def ways(*services: Plain, platform: str = "sparcserver-690mp") -> set[LineBoards]:
    machine = Machine(GUIDE, row("platforms", platform), 2, "solaris-1.0.1")
    return set(line_boards(machine, demanded(*services)))


def gateway(*speeds: float) -> Plain:
    lines = [{"name": f"l{n}", "protocol": "sna", "kbit_per_s": s} for n, s in enumerate(speeds)]
    return {"kind": "gateway", "name": "sna", "lines": lines}


def printing(*printers: Plain) -> Plain:
    named = [{"name": f"p{n}", **p} for n, p in enumerate(printers)]
    return {"kind": "print", "name": "paper", "printers": named}


def test_nothing_to_attach_needs_nothing() -> None:
    assert ways({"kind": "paging", "name": "vm", "faults_per_s": 1}) == {LineBoards()}


def test_a_gateway_takes_as_many_boards_as_its_lines_need_ports() -> None:
    """2.6: four lines on the Sbus board, two on the VME one."""
    assert ways(gateway(1500, 256, 56)) == {
        LineBoards(("hsi-s",)), LineBoards(("hsi-vme", "hsi-vme")),
    }  # fmt: skip


def test_a_line_faster_than_its_port_cannot_be_had() -> None:
    assert ways(gateway(45000)) == set()


def test_lines_end_on_boards_or_on_a_terminal_server() -> None:
    """2.9: 16 lines an ALM-2, 8 an Sbus board, up to 256 a terminal server, which takes no slot."""
    assert ways({"kind": "serial", "name": "modems", "lines": 20}) == {
        LineBoards(("alm-2",) * 2, on_boards=20),
        LineBoards(("sbus-serial-parallel",) * 3, on_boards=20),
        LineBoards((), ("terminal-server",)),
    }


def test_a_desktop_has_no_board_for_another_bus() -> None:
    found = ways({"kind": "serial", "name": "modems", "lines": 8}, platform="sparcstation-2")
    assert {way.boards for way in found} == {("sbus-serial-parallel",), ()}


def test_a_board_with_lines_drives_parallel_printers_too() -> None:
    """1.3.1.2: ten serial and two parallel printers fit two Sbus boards neatly."""
    two = {"attached": "parallel", "count": 2}
    found = ways(printing({"attached": "serial", "count": 10}, two))
    assert LineBoards(("sbus-serial-parallel",) * 2, on_boards=10) in found


def test_a_fast_printer_needs_a_port_that_passes_its_data() -> None:
    """1.3.1.2: nearly 1 MB/s is more than most parallel ports pass, and no more than one board."""
    found = ways(printing({"attached": "parallel", "count": 2, "kb_per_s": 1000}))
    assert {way.boards for way in found} == {("sparcprinter-interface",) * 2}


def test_pages_in_points_need_a_fast_port_whatever_their_rate() -> None:
    """1.3.1.2: the Sbus interface is there for them; slow parallel ports are for line printers."""
    found = ways(printing({"attached": "video", "count": 2}, {"attached": "parallel"}))
    assert found and all(way.boards.count("sparcprinter-interface") == 2 for way in found)
    assert all(len(way.boards) == 3 for way in found)
