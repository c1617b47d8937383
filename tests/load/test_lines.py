"""The data of serial lines on terminal servers, on the network that these use."""

from __future__ import annotations

import pytest

from generated_workloads import Plain, read
from sizewright.configuration.model import Port
from sizewright.demand.build import demand_of
from sizewright.demand.model import Demand, NetworkDemand
from sizewright.demand.rates import LineDemand, Traffic, sum_lines
from sizewright.load.derive import usage_on
from sizewright.load.lines import (
    SERVER_NETWORK,
    lines_on_boards,
    on_system,
    rates_of,
    with_line_traffic,
    with_server_network,
)
from sizewright.quantity import as_quantity
from small import GUIDE, board, given, port, system

SLOW: Plain = {"kind": "serial", "name": "slow", "lines": 10, "bits_per_s": 2400}
QUICK: Plain = {"kind": "serial", "name": "quick", "lines": 4, "bits_per_s": 9600}
UNKNOWN: Plain = {"kind": "serial", "name": "plotters", "lines": 2}
# KB/s of one line: bits a second of 8 bits, 1024 bytes.
SLOW_KB, QUICK_KB = 2400 / 8192, 9600 / 8192

NFS: Plain = {
    "kind": "nfs", "name": "files", "clients": 9, "network": "office",
     "load": {"ops_per_s_each": 9},
}  # fmt: skip
FEW: Plain = {**NFS, "name": "few", "clients": 1, "network": "hall"}
OFFICE = {"name": "office", "medium": "ethernet"}
HALL = {"name": "hall", "medium": "ethernet"}
RING = {"name": "ring", "medium": "token-ring-4mb"}


def demand(*services: Plain, networks: tuple[Plain, ...] = (), **more: object) -> Demand:
    stated = {"name": "lines", "services": list(services), "networks": list(networks), **more}
    return demand_of(read({"wishes": {"system_elsewhere": True}, **stated}), GUIDE)


def added(before: Demand, after: Demand) -> list[Traffic]:
    assert after.traffic[: len(before.traffic)] == before.traffic
    return list(after.traffic[len(before.traffic) :])


@pytest.mark.parametrize(
    ("on_boards", "slow", "quick"),
    [(0, 10, 4), (3, 7, 4), (10, 0, 4), (12, 0, 2), (14, 0, 0), (20, 0, 0)],
)
def test_the_slowest_lines_are_on_boards_and_the_others_on_the_network(
    on_boards: int, slow: int, quick: int
) -> None:
    asked = demand(QUICK, SLOW)
    found = added(asked, with_line_traffic(asked, on_boards, "office"))
    wanted = {"slow": slow * SLOW_KB, "quick": quick * QUICK_KB}
    assert {each.service: each.kb_per_s.high for each in found} == pytest.approx(
        {name: kb for name, kb in wanted.items() if kb}
    )
    assert {(each.network, each.kb_per_s.unit) for each in found} <= {("office", "KB/s")}
    assert all(each.name.endswith(" on terminal servers") for each in found)


def test_lines_without_a_rate_have_no_data_and_are_on_boards_first() -> None:
    asked = demand(SLOW, UNKNOWN)
    (found,) = added(asked, with_line_traffic(asked, 2, "office"))
    assert (found.service, found.kb_per_s.high) == ("slow", pytest.approx(10 * SLOW_KB))


def test_other_lines_are_not_on_terminal_servers() -> None:
    """A printer's port and a synchronous line end at the system."""
    printers = [{"name": "laser", "attached": "serial", "count": 3}]
    asked = demand({"kind": "print", "name": "laser", "printers": printers}, SLOW)
    assert [t.service for t in added(asked, with_line_traffic(asked, 0, "office"))] == ["slow"]


def test_terminal_servers_may_have_a_network_of_their_own() -> None:
    asked = demand(NFS, SLOW, networks=(OFFICE,))
    found = with_server_network(asked, "ethernet")
    office, own = found.networks
    assert office == asked.networks[0]
    nobody = as_quantity(0, "client")
    assert own == NetworkDemand(SERVER_NETWORK, "ethernet", True, 1, False, (), nobody, nobody)
    assert with_server_network(found, "ethernet") is found


def test_their_network_has_a_spare_one_if_networks_may_fail() -> None:
    asked = demand(SLOW, networks=(OFFICE,), availability={"survives": ["network"]})
    assert with_server_network(asked, "ethernet").networks[-1].spare == 1


def placed(asked: Demand, *ports: Port, lines: int | None = 0) -> Demand:
    server = system(beside=("terminal-server",), serial_lines=lines, ports=ports)
    return on_system(asked, server, GUIDE)


def test_the_data_is_on_the_network_of_their_medium_with_the_least_data() -> None:
    asked = demand(NFS, FEW, SLOW, networks=(OFFICE, HALL, RING))
    ring = port("ring", interface="token-ring-4mb")
    (found,) = added(asked, placed(asked, port("office"), port("hall"), ring))
    assert found.network == "hall"


def test_the_data_is_on_their_own_network_if_there_is_one() -> None:
    asked = demand(NFS, FEW, SLOW, networks=(OFFICE, HALL))
    found = placed(asked, port("office"), port("hall"), port(SERVER_NETWORK))
    assert [each.name for each in found.networks] == ["hall", "office", SERVER_NETWORK]
    assert [each.network for each in added(asked, found)] == [SERVER_NETWORK]


def test_nothing_is_added_where_no_network_leads_to_them_or_the_lines_are_unknown() -> None:
    asked = demand(SLOW, networks=(RING,))
    assert placed(asked, port("ring", interface="token-ring-4mb")) is asked
    assert placed(asked, port("office"), lines=None) is asked


def test_the_usage_of_a_system_has_the_network_of_its_terminal_servers() -> None:
    asked = demand(NFS, SLOW, networks=(OFFICE,))
    bare = system(ports=(port("office"), port(SERVER_NETWORK)))
    server = bare._replace(beside=("terminal-server",), serial_lines=4)
    assert set(usage_on(asked, bare, GUIDE).networks) == {"office"}
    assert set(usage_on(asked, server, GUIDE).networks) == {"office", SERVER_NETWORK}


def wide(name: str, kbit_per_s: float | None, number: int = 1) -> LineDemand:
    rate = None if kbit_per_s is None else given(kbit_per_s, unit="Kb/s")
    return LineDemand("gateway", name, "wide", given(number, unit="line"), rate)


def test_lines_have_the_sum_of_their_known_rates() -> None:
    found = sum_lines(
        rates_of([wide("t1", 1500, 2), wide("dial", 56, 3), wide("spare", None)]), "Kb/s"
    )
    assert (found.high, found.unit) == (3168, "Kb/s")
    assert rates_of([]) == ()


def on_boards(lines: list[LineDemand], *models: str) -> dict[str, list[tuple[str, float]]]:
    boards = tuple(board(f"{model}-{n}", model, "sbus", n) for n, model in enumerate(models, 1))
    found = lines_on_boards(lines, system(boards=boards), GUIDE)
    return {name: [(each.name, each.number.high) for each in of] for name, of in found.items()}


def test_no_board_has_more_lines_than_its_printed_total_carries() -> None:
    """3.5 Mb/s and four ports of an HSI/S (2.6): two T1 lines each, the third on the next."""
    asked = [wide("slow", 56), wide("t1", 1500, 3)]
    found = on_boards(asked, "hsi-s", "hsi-s")
    assert sum(number for of in found.values() for name, number in of if name == "t1") == 3
    assert all(sum(n for name, n in of if name == "t1") <= 2 for of in found.values())
    assert [name for of in found.values() for name, _ in of].count("slow") == 1


def test_lines_for_which_boards_are_too_few_go_where_most_is_left() -> None:
    found = on_boards([wide("t1", 1500, 5), wide("dial", 56)], "hsi-s", "hsi-s")
    assert found == {"hsi-s-1": [("t1", 5)], "hsi-s-2": [("dial", 1)]}


def test_other_boards_and_other_lines_are_left_out() -> None:
    serial = LineDemand("desks", "lines", "serial", given(3, unit="line"))
    assert on_boards([serial], "hsi-s", "sbus-scsi") == {"hsi-s-1": []}
    assert on_boards([wide("t1", 1500)]) == {}
