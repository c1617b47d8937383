"""Ways out of a kernel lock that is exceeded, against sums by hand.

A processor of a desktop, 28.5 MIPS, spends on 100 random reads through the file system 5.91 ms each
on SCSI disks, measured there, and 4.21 ms × 22 ÷ 28.5 on IPI ones, measured at 22 MIPS.
"""

from __future__ import annotations

from typing import Any

import pytest

import hand_plans
import small
from generated_workloads import Plain
from sizewright.evaluate.policy import Policy
from sizewright.planner.plan import Plan
from sizewright.sensitivity.remedies import Division, Excess, division, excess, no_single

PACKETS = 500 * 0.2
SCSI, IPI = 100 * 5.91, 100 * 4.21 * 22 / 28.5


def busy(**changes: Any) -> Plain:
    """The busy workload with some keys changed."""
    return {**hand_plans.BUSY, **changes}


def found(plan: Plan) -> Excess:
    """What is over the lock."""
    over = excess(plan)
    assert over is not None
    return over


def server(**changes: Any) -> Any:
    """A server with slots for boards of any kind, and disks on a string."""
    base = small.system(
        platform="sparcserver-690mp", processors=2, memory_mb=128,
        boards=(small.board("isp-80-1", "isp-80", "vme", 8),), ports=(small.port("office"),),
        channels=(small.channel("isp-80-1", small.disk("disk-1", "1-3gb-ipi"), kind="ipi-2"),),
        volumes=(small.laid("rows", {"disk-1": 300}),),
    )  # fmt: skip
    return base._replace(**changes)


def test_lines_come_largest_first() -> None:
    over = found(hand_plans.missing(hand_plans.BUSY, hand_plans.DESKTOP))
    assert over.platform == "sparcstation-2"
    lines = [(line.name, line.figure.high) for line in over.lines]
    assert lines == [
        ("orders: lookup", pytest.approx(SCSI)),
        ("reports: kernel time", pytest.approx(400)),
        ("orders: kernel time", pytest.approx(300)),
        ("orders: traffic: packets", pytest.approx(PACKETS)),
    ]


def test_disks_of_a_cheaper_interface_spare_what_their_operations_cost_less() -> None:
    over = found(hand_plans.missing(hand_plans.BUSY, hand_plans.DESKTOP))
    (way,) = over.disks
    assert (way.interface, way.instead_of, way.attaches) == ("ipi", ("scsi",), False)
    assert (way.before.high, way.after.high) == (pytest.approx(SCSI), pytest.approx(IPI))
    assert way.used.high == pytest.approx(300 + 400 + PACKETS + IPI)
    assert way.used.low == pytest.approx(300 + 300 + PACKETS + IPI)


def test_dearer_disks_are_no_way_out() -> None:
    work = [{"name": "lookup", "volume": "rows", "ops_per_s": 100, "block_kb": 8}]
    services = [hand_plans.measured("orders", 900, work=work)]
    over = found(hand_plans.missing(busy(services=services, wishes={}), server()))
    assert over.disks == ()


def test_an_interface_that_processes_protocols_spares_packets() -> None:
    over = found(hand_plans.missing(hand_plans.BUSY, hand_plans.DESKTOP))
    (way,) = over.interfaces
    assert (way.interface, way.networks) == ("network-coprocessor", ("office",))
    assert not way.attaches
    assert way.used.high == pytest.approx(300 + 400 + SCSI)


def test_a_server_can_have_one_and_its_relief_of_file_service_may_count_or_not() -> None:
    """A 690MP serves 800 op/s at most: 160 take 200 ms/s, and 120 after 40 % of relief."""
    files = {"kind": "nfs", "name": "files", "clients": 80, "load": {"ops_per_s_each": 2},
             "network": "office"}  # fmt: skip
    plain = busy(services=[files, hand_plans.measured("orders", 1000)], wishes={}, volumes=[])
    bare = server(boards=(), channels=(), volumes=())
    over = found(hand_plans.missing(plain, bare))
    (way,) = over.interfaces
    budget = over.budget
    assert budget.used is not None
    assert (budget.used.low, budget.used.high) == (pytest.approx(1200), pytest.approx(1200))
    assert (way.used.low, way.used.high) == (pytest.approx(1120), pytest.approx(1200))
    assert way.attaches


def test_there_is_no_such_interface_for_other_media() -> None:
    networks = [{"name": "office", "medium": "fddi"}]
    ports = (small.port("office", interface="fddi-s"),)
    plan = hand_plans.missing(busy(networks=networks), hand_plans.DESKTOP._replace(ports=ports))
    assert found(plan).interfaces == ()


def test_many_locks_help_by_no_one_knows_how_much() -> None:
    plain = busy(services=[hand_plans.measured("orders", 1100)], wishes={}, volumes=[])
    over = found(hand_plans.missing(plain, server(boards=(), channels=(), volumes=())))
    (way,) = over.many_locks
    assert (way.operating_system, way.locks.likely, way.efficiency) == ("solaris-2.0", 130, None)
    assert way.processors == 4


def test_a_lock_within_its_limit_needs_no_way_out() -> None:
    services = [hand_plans.measured("orders", 900)]
    plain = busy(services=services, volumes=[])
    assert excess(hand_plans.missing(plain, hand_plans.DESKTOP._replace(volumes=()))) is None
    assert excess(hand_plans.holding(hand_plans.BUSY, hand_plans.DESKTOP)) is None


@pytest.mark.parametrize(("end", "over"), [("low", False), ("likely", True), ("high", True)])
def test_the_end_that_counts_is_the_policy_s(end: str, over: bool) -> None:
    plain = busy(services=[hand_plans.measured("orders", [900, 1300])], volumes=[])
    bare = hand_plans.DESKTOP._replace(volumes=())
    plan = hand_plans.missing(plain, bare, Policy(size_for=end))
    assert (excess(plan) is not None) is over


def test_of_two_systems_the_single_one_is_told_of_where_none_holds() -> None:
    plan = hand_plans.paired(hand_plans.BUSY, hand_plans.DESKTOP, *hand_plans.PAIR)
    assert no_single(plan)
    assert found(plan).platform == "sparcstation-2"
    assert no_single(hand_plans.refusing(plan, ())) is False
    assert excess(hand_plans.refusing(plan, ())) is None


# --- division -------------------------------------------------------------------------------------


def divided(plain: Plain) -> Division:
    """How services that one desktop cannot carry are divided."""
    plan = hand_plans.missing(plain, hand_plans.DESKTOP)
    return division(plan, plan.shown)


def test_a_pair_tells_its_deal_and_the_time_of_each() -> None:
    plan = hand_plans.paired(hand_plans.BUSY, hand_plans.DESKTOP, *hand_plans.PAIR)
    told = division(plan, None)
    assert told.partition is not None and (told.why, told.names) == ("", ())
    assert told.partition == (("orders",), ("reports",))
    first, second = told.used
    assert (first.high, second.high) == (pytest.approx(300 + SCSI + PACKETS), pytest.approx(400))


def test_one_service_is_not_divided() -> None:
    told = divided(busy(services=[hand_plans.measured("orders", 1200)]))
    assert (told.partition, told.why, told.names) == (None, "one_service", ("orders",))


def _on_rows(name: str) -> Plain:
    work = [{"name": "lookup", "volume": "rows", "ops_per_s": 1, "block_kb": 8}]
    return hand_plans.measured(name, 600, work=work)


def test_services_that_share_a_volume_stay_together() -> None:
    told = divided(busy(services=[_on_rows("orders"), _on_rows("reports")]))
    assert (told.partition, told.why, told.names) == (None, "shared_volumes", ("rows",))


def test_disks_with_two_ports_do_not_part_them() -> None:
    volumes = [{"name": "rows", "size_mb": 300, "access": "random", "dual_ported": True}]
    told = divided(busy(services=[_on_rows("orders"), _on_rows("reports")], volumes=volumes))
    assert (told.why, told.names) == ("shared_volumes", ("rows",))


def test_services_are_divided_over_two_systems_and_over_as_many_as_there_are() -> None:
    """Thirteen equal ones by number are one way to divide them; three can be divided in six."""
    services = [hand_plans.measured(f"job-{n}", 100) for n in range(13)]
    told = divided(busy(services=services))
    assert (told.why, told.tried, told.systems) == ("limits", 1, (2, 13))
    told = divided(busy(services=services[:3]))
    assert (told.why, told.tried, told.systems) == ("limits", 6, (2, 3))
    told = divided(busy(services=services[:2], availability={"systems": 3}))
    assert (told.why, told.tried) == ("few_groups", 2)


def test_a_service_over_the_lock_by_itself_is_named() -> None:
    services = [hand_plans.measured("orders", 1100), hand_plans.measured("reports", 100)]
    told = divided(busy(services=services, availability={"systems": 1}))
    assert (told.why, told.names) == ("lock", ("orders",))
    # Another machine may spend less: the planner tries every split, and says how many.
    told = divided(busy(services=services))
    assert (told.why, told.names, told.tried) == ("limits", (), 2)


def test_where_none_is_over_it_alone_nobody_is_named() -> None:
    services = [hand_plans.measured(f"job-{n}", 700) for n in range(3)]
    told = divided(busy(services=services, availability={"systems": 1}))
    assert (told.why, told.names) == ("lock", ())


def test_a_wish_for_one_system_leaves_the_first_deal_untried() -> None:
    told = divided(busy(availability={"systems": 1}))
    assert told.why == "not_asked" and told.partition is not None
    assert told.partition == (("orders",), ("reports",))
    assert told.used[1].high == pytest.approx(400)


def test_parts_of_clients_are_said_to_be_tried() -> None:
    """Clients of file services are divided over 2 to 16 systems, or the number that is wanted."""
    files = {"kind": "nfs", "name": "files", "clients": 80, "load": {"ops_per_s_each": 2},
             "network": "office"}  # fmt: skip
    jobs = hand_plans.measured("jobs", 100)
    told = divided(busy(services=[files, jobs]))
    assert (told.why, told.clients, told.shared) == ("limits", ("files",), (2, 16))
    told = divided(busy(services=[files]))
    assert (told.why, told.clients, told.shared) == ("", ("files",), (2, 16))
    told = divided(busy(services=[files, jobs], availability={"systems": 9}))
    assert (told.why, told.clients, told.shared) == ("few_groups", ("files",), (9,))
