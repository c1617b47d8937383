"""What NFS service costs a platform, reckoned by hand from Table 1 and the sections named."""

from __future__ import annotations

import pytest

from generated_workloads import planned
from sizewright.guide.loader import load_guide
from sizewright.load.cpu_load import kernel_lines, measured_transfers, nfs_capacity
from sizewright.load.derive import derive_load
from sizewright.load.model import processor_second
from sizewright.quantity import leaves
from small import GUIDE, demand, plain, port, row, system, three

TWO_PORTS = (port("north"), port("south"))


LANCE = row("network-interfaces", "lance-ethernet")


@pytest.mark.parametrize(
    ("platform", "networks", "maximum", "sustained", "required", "in_sum"),
    [
        ("sparcstation-2", 1, 450, 360, 2, 400),
        ("sparcstation-2", 2, 450, 360, 2, 800),
        ("sparcstation-2", 3, 450, 360, 2, 1200),
        ("sparcserver-630mp", 2, 540, 440, 2, 800),
        ("sparcserver-670mp", 1, 800, 650, 4, 400),
        ("sparcserver-670mp", 4, 800, 650, 4, 1600),
        ("sparcserver-690mp", 0, 800, 650, 4, 0),
        ("sparcserver-690mp", 6, 800, 650, 4, 2400),
    ],
)
def test_the_largest_load_of_table_1_and_the_sum_of_table_2(
    platform: str, networks: int, maximum: float, sustained: float, required: float, in_sum: float
) -> None:
    """A Lance Ethernet passes 400 op/s; fewer wires than Table 1 prints do not change its load."""
    found = nfs_capacity(GUIDE, platform, [LANCE] * networks)
    assert found is not None and found.sustained is not None and found.in_sum is not None
    assert (found.maximum.high, found.sustained.high) == (maximum, sustained)
    assert found.rated.high == maximum
    assert found.required_networks is not None and found.required_networks.high == required
    assert found.in_sum.high == in_sum


@pytest.mark.parametrize("platform", ["sparcstation-2", "sparcserver-670mp"])
@pytest.mark.parametrize(("clients", "holds"), [(300, True), (320, True), (330, False)])
def test_one_ethernet_sustains_320_operations_on_any_machine(
    platform: str, clients: int, holds: bool
) -> None:
    """80 % of the 400 of Table 2, below the 360 and 650 of Table 1 (1.1.1)."""
    one = {"wishes": {"platforms": [platform]}, "availability": {"systems": 1}}
    plan = planned({**plain({"clients": clients}), **one})
    assert plan.holds is holds
    assert plan.shown is not None
    said = {f.rule: f.verdict for f in plan.shown.findings}
    assert said["1.1.1-interfaces-in-sum"] == ("holds" if holds else "violated")
    assert said["1.1.1-sustained"] == "holds"
    # Table 1 has 320 op/s over one network, on whatever machine.
    assert said["1.1.1-required-networks"] == ("holds" if clients <= 320 else "tight")


@pytest.mark.parametrize(
    ("networks", "most"), [(0, 0), (1, 320), (2, 440), (3, 650 * 3 / 4), (4, 650), (6, 650)]
)
def test_what_table_1_spreads_over_networks(networks: int, most: float) -> None:
    """The rows of one, two and four networks; three pass three quarters of what four pass."""
    found = nfs_capacity(GUIDE, "sparcserver-690mp", [LANCE] * networks)
    assert found is not None and found.over_networks is not None
    assert found.over_networks.high == most


def test_only_networks_with_nfs_spread_its_load() -> None:
    """NFS on one of two Ethernets has the 320 op/s of one network, and the 400 of one interface."""
    capacity = derive_load(demand({"clients": 90}), system(ports=TWO_PORTS), GUIDE).nfs_capacity
    assert capacity is not None and capacity.over_networks is not None and capacity.in_sum
    found = capacity.networks.high, capacity.over_networks.high, capacity.in_sum.high
    assert found == (1, 320, 400)


@pytest.mark.parametrize(
    ("clients", "at_most", "attached", "passes"),
    [(600, 6, 4, True), (600, 3, 3, False)],
)
def test_as_many_networks_as_table_1_asks_for(
    clients: int, at_most: int, attached: int, passes: bool
) -> None:
    """Two Ethernets pass 600 op/s by Table 2, but Table 1 requires four for 650 op/s."""
    office = {"name": "north", "medium": "ethernet", "segments_at_most": at_most}
    one = {"wishes": {"platforms": ["sparcserver-670mp"]}, "availability": {"systems": 1}}
    plan = planned({**plain({"clients": clients}), "networks": [office], **one})
    assert plan.chosen is not None and len(plan.chosen.system.ports) == attached
    borderline = {finding.rule for finding in plan.chosen.borderline}
    assert ("1.1.1-required-networks" not in borderline) is passes


def test_a_guide_without_loads_of_interfaces_goes_by_networks() -> None:
    """The NS 5500 serves 2250 over eight networks; over two a quarter of it."""
    guide = load_guide("auspex-1992")
    ethernet = guide.row("network-interfaces", "ethernet-processor")
    found = nfs_capacity(guide, "ns-5500", [ethernet] * 2)
    assert found is not None
    assert (found.maximum.high, found.rated.high) == (2250 * 2 / 8, 2250)
    assert "networks with NFS" in {leaf.name for leaf in leaves(found.maximum)}


@pytest.mark.parametrize(
    ("networks", "load"),
    [(1, (172, 172)), (2, (344, 344)), (3, (344, 653)), (4, (653, 653)), (7, (653, 1241)),
     (8, (1241, 1241))],
)  # fmt: skip
def test_between_two_printed_numbers_of_networks_the_load_is_a_range(
    networks: int, load: tuple[float, float]
) -> None:
    """1241 op/s over eight; ÷ 1.9 are 653 over four, ÷ 1.9 again 344 over two (Figure 12)."""
    guide = load_guide("auspex-1992")
    ethernet = guide.row("network-interfaces", "ethernet-processor")
    found = nfs_capacity(guide, "ns-5000", [ethernet] * networks)
    assert found is not None
    assert (found.maximum.low, found.maximum.high) == load


def test_a_platform_that_table_1_leaves_out_has_no_capacity() -> None:
    assert nfs_capacity(GUIDE, "sun-4-260", [LANCE]) is None
    assert kernel_lines(demand({}), system(), GUIDE, None) == ()
    load = derive_load(demand({}), system(platform="sun-4-260"), GUIDE)
    assert load.nfs_capacity is None
    assert load.kernel_lock == ()


def test_a_processor_has_1000_ms_a_second() -> None:
    assert three(processor_second()) == (1000, 1000, 1000)
    assert three(processor_second(4)) == (4000, 4000, 4000)
    assert processor_second().unit == "ms/s"


def test_an_operation_costs_a_second_over_the_maximum_load() -> None:
    """208 of 450 operations take 462 of 1000 ms (1.1.8, Table 1)."""
    load = derive_load(demand({"clients": 208}), system(ports=TWO_PORTS), GUIDE)
    (line,) = load.kernel_lock
    assert (line.name, line.figure.unit) == ("service-0", "ms/s")
    assert line.figure.high == pytest.approx(208 * 1000 / 450)
    assert load.processors == load.kernel_lock


def test_operations_of_another_mix_cost_less() -> None:
    """787 of the Brown mix are 787 ÷ 1.75 (1.1.9) to 787 ÷ 1.81 (1.3.1.2) of the Legato mix."""
    load = derive_load(demand({"clients": 787, "mix": "brown"}), system(ports=TWO_PORTS), GUIDE)
    assert load.kernel_lock[0].figure.high == pytest.approx(787 / 1.75 * 1000 / 450)
    assert load.nfs[0].figure.low == pytest.approx(787 / 1.81)
    assert load.nfs[0].figure.high == pytest.approx(787 / 1.75)


def test_write_gathering_adds_12_to_20_percent() -> None:
    """2.12: about 12 % among updates, about 20 % among writes; the higher is taken first."""
    found = system(ports=TWO_PORTS, software=("enfs",))
    service, gathering = derive_load(demand({"clients": 225}), found, GUIDE).kernel_lock
    assert service.figure.high == pytest.approx(500)
    assert three(gathering.figure) == pytest.approx((60, 100, 100))
    assert gathering.figure.op == "*"


def test_write_gathering_costs_its_part_of_all_services() -> None:
    """20 % of the 500 ms that three services take together."""
    found = system(ports=TWO_PORTS, software=("enfs",))
    wanted = demand(*({"clients": 75},) * 3)
    lines = derive_load(wanted, found, GUIDE).kernel_lock
    services, gathering = lines[:3], lines[3:]
    assert sum(item.figure.high for item in services) == pytest.approx(500)
    assert sum(item.figure.high for item in gathering) == pytest.approx(100)


def test_a_write_accelerator_costs_a_single_processor_its_overhead() -> None:
    """2.8: the Sbus board adds 5 %, the VME board 10 %."""
    for accelerator, overhead in (("sbus-prestoserve", 25), ("vme-prestoserve", 50)):
        found = system(ports=TWO_PORTS, accelerator=accelerator)
        _, extra = derive_load(demand({"clients": 225}), found, GUIDE).kernel_lock
        assert extra.figure.high == pytest.approx(overhead)


def test_a_write_accelerator_costs_several_processors_nothing() -> None:
    """2.10.1: on a multiprocessor it gains instead, outside the kernel lock."""
    found = system(
        platform="sparcserver-630mp", processors=2, ports=TWO_PORTS, accelerator="sbus-prestoserve"
    )
    (service,) = derive_load(demand({"clients": 270}), found, GUIDE).kernel_lock
    assert service.figure.high == pytest.approx(500)


def test_protocol_offload_may_or_may_not_spare_40_percent() -> None:
    """2.5.2 says 40 %; whether under the lock is open, so both are ends of one figure."""
    ports = tuple(port("north", n, "network-coprocessor") for n in (1, 2, 3, 4))
    found = system(platform="sparcserver-670mp", processors=2, ports=ports)
    (service,) = derive_load(demand({"clients": 400}), found, GUIDE).kernel_lock
    assert three(service.figure) == (300, 500, 500)


def test_offload_spares_what_passes_over_it_of_a_community() -> None:
    """Two of three networks have a third of the operations each: 2/3 × 40 % of 500 ms/s."""
    offload = (port("north", n, "network-coprocessor") for n in (1, 2))
    ports = (*offload, port("north", 3), *TWO_PORTS[1:])
    (service,) = derive_load(demand({"clients": 225}), system(ports=ports), GUIDE).kernel_lock
    assert three(service.figure) == pytest.approx((500 * (1 - 0.8 / 3), 500, 500))


def test_offload_spares_only_the_community_behind_it() -> None:
    networks = [{"name": "north"}, {"name": "south"}]
    wanted = demand(
        {"clients": 90}, {"clients": 90, "network": "south"}, networks=networks
    )  # fmt: skip
    ports = (port("north", 0, "network-coprocessor"), port("south"))
    north, south = derive_load(wanted, system(ports=ports), GUIDE).kernel_lock
    assert three(north.figure) == (120, 200, 200)
    assert three(south.figure) == (200, 200, 200)


def test_rivals_in_time_cost_what_the_dearer_costs() -> None:
    wanted = demand(
        {"name": "lab", "clients": 90}, {"name": "talk", "clients": 45},
        exclusive=[["lab", "talk"]],
    )  # fmt: skip
    (both,) = derive_load(wanted, system(ports=TWO_PORTS, software=("enfs",)), GUIDE).kernel_lock
    assert both.name == "lab or talk"
    assert both.figure.high == pytest.approx(200 * 1.2)


def test_the_time_of_processors_is_a_definition_and_says_whose() -> None:
    one, four = processor_second(), processor_second(4)
    assert (one.name, four.name) == ("one processor's time", "the time of 4 processors")
    assert one.source == four.source == ("definition", "1 s = 1000 ms", "", "")
    assert processor_second(2).name == "the time of 2 processors"


def test_lines_of_overhead_are_named_after_what_causes_it() -> None:
    wanted = demand({"clients": 225})
    for changes, name in (
        ({"software": ("enfs",)}, row("software", "enfs").text("name")),
        (
            {"accelerator": "sbus-prestoserve"},
            row("nvram-accelerators", "sbus-prestoserve").text("name"),
        ),
    ):
        found = system(ports=TWO_PORTS, **changes)
        assert [i.name for i in derive_load(wanted, found, GUIDE).kernel_lock] == [
            "service-0",
            name,
        ]
        assert name


def test_software_of_other_kinds_costs_no_time() -> None:
    """2.12 speaks of write gathering alone."""
    others = tuple(r.id for r in GUIDE.table("software") if r.text("kind") != "write_gathering_nfs")
    assert others
    found = system(ports=TWO_PORTS, software=others)
    assert len(derive_load(demand({"clients": 225}), found, GUIDE).kernel_lock) == 1


def test_without_service_there_is_no_overhead_of_it() -> None:
    found = system(ports=TWO_PORTS, software=("enfs",))
    capacity = nfs_capacity(GUIDE, found.platform, [LANCE] * 2)
    assert kernel_lines(demand({})._replace(streams=()), found, GUIDE, capacity) == ()


def test_each_service_is_a_line_of_the_load() -> None:
    wanted = demand({"name": "lab", "clients": 90}, {"name": "talk", "clients": 45})
    load = derive_load(wanted, system(ports=TWO_PORTS), GUIDE)
    assert [(i.name, i.figure.high) for i in load.nfs] == [("lab", 90), ("talk", 45)]


def test_what_transfers_took_of_a_measured_server_is_its_cost_of_data() -> None:
    """Three clients read at 1.90, 1.88 and 0.94 MB/s; the server was busy for 100, 98 and 49 %."""
    guide = load_guide("solaris-x86-1998")
    costs = measured_transfers(guide, "pc-file-server")
    assert set(costs) == {"read", "write"}
    read = [1000 * busy / (rate * 1024) for busy, rate in ((1, 1.90), (0.98, 1.88), (0.49, 0.94))]
    wrote = [
        1000 * busy / (rate * 1024) for busy, rate in ((0.93, 1.68), (0.72, 1.36), (0.55, 0.95))
    ]
    for operation, each in (("read", read), ("write", wrote)):
        cost = costs[operation]
        assert cost.unit == "ms/KB"
        assert (cost.low, cost.likely, cost.high) == (
            pytest.approx(min(each)), pytest.approx(max(each)), pytest.approx(max(each)),
        )  # fmt: skip
    assert measured_transfers(guide, "nobody") == {}


def test_a_server_with_four_processors_took_four_times_the_share() -> None:
    """7 % of four processors at 1.95 MB/s and 4 % at 1.04."""
    cost = measured_transfers(load_guide("solaris-x86-1998"), "alphaserver-2100-5-250")["read"]
    assert cost.high == pytest.approx(4000 * 0.04 / (1.04 * 1024))
    assert cost.low == pytest.approx(4000 * 0.07 / (1.95 * 1024))
