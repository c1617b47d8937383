"""Which interfaces go on which networks, and when a second network is worth its board."""

from __future__ import annotations

from typing import Any

import pytest

from generated_workloads import ENGINE, Plain, planned, read
from sizewright.demand.build import demand_of
from sizewright.demand.subset import restrict_demand, split_demand
from sizewright.evaluate.policy import Policy
from sizewright.evaluate.system import Evaluation, evaluate
from sizewright.planner.plan import Plan
from small import plain, port, system


def interfaces(plan: Plan) -> dict[str, list[str]]:
    """Network -> the interfaces of its ports."""
    assert plan.chosen is not None
    found: dict[str, list[str]] = {}
    for each in plan.chosen.system.ports:
        found.setdefault(each.network, []).append(each.interface)
    return found


def verdicts(plan: Plan, rule: str) -> set[str]:
    assert plan.chosen is not None
    return {f.verdict for f in plan.chosen.findings if f.rule == rule}


def talk(name: str, kb_per_s: float, network: str) -> Plain:
    """A service that sends data at a rate over a network."""
    return {"kind": "measured", "name": name, "network": network,
            "traffic": {"kb_per_s": kb_per_s}}  # fmt: skip


def sending(*services: Plain, **network: Any) -> Plain:
    return {"name": "wire", "networks": [{"name": "north", "medium": "ethernet", **network}],
            "services": list(services)}  # fmt: skip


@pytest.mark.parametrize(("busy", "idle"), [("east", "west"), ("west", "east")])
def test_the_interface_that_relieves_the_processor_is_on_the_busiest_wire(
    busy: str, idle: str
) -> None:
    """A 670MP has one Ethernet built in; the other network needs a board (1.1.2)."""
    networks = [{"name": name, "medium": "ethernet"} for name in ("east", "west")]
    found = planned(plain(
        {"clients": 200, "network": busy}, {"clients": 20, "network": idle},
        networks=networks, wishes={"platforms": ["sparcserver-670mp"]},
    ))  # fmt: skip
    assert interfaces(found) == {busy: ["network-coprocessor"], idle: ["lance-ethernet"]}


def test_a_second_segment_is_preferred_to_a_borderline_network() -> None:
    """Table 10: users see 440 KB/s of an Ethernet; 600 KB/s are borderline on one, not on two."""
    one = planned(sending(talk("a", 600, "north")))
    assert one.holds
    assert verdicts(one, "2.5-effective-speed") == {"tight"}
    two = planned(sending(talk("a", 600, "north"), segments_at_most=2))
    assert len(interfaces(two)["north"]) == 2
    assert verdicts(two, "2.5-effective-speed") == {"holds"}


def test_another_medium_is_preferred_to_a_borderline_network() -> None:
    """600 KB/s are within the 900 KB/s of FDDI (Table 10)."""
    found = planned(sending(talk("a", 600, "north"), medium=None))
    assert interfaces(found)["north"][0].startswith("fddi")


def test_above_the_media_speed_a_plan_fails() -> None:
    """10 Mb/s are 1221 KB/s."""
    assert planned(sending(talk("a", 1220, "north"))).holds
    assert not planned(sending(talk("a", 1222, "north"))).holds


def test_nfs_bytes_fill_a_network_that_carries_nothing_else() -> None:
    """30 clients that read 4 MB every 5 minutes are 410 KB/s of 440, 33 are 451."""
    load = {"data": [{"name": "file", "kb": 4096}], "every_s": 300}
    reading = {"reads_percent": 100, "writes_percent": 0}
    for clients, verdict in ((30, "holds"), (33, "tight")):
        found = planned(plain({"clients": clients, "load": load, "mix": reading}))
        assert verdicts(found, "2.5-effective-speed") == {verdict}, clients


def test_a_second_ring_gains_nothing_on_a_system_with_one_lock() -> None:
    """Note under Table 10: 1500 KB/s through one stack of 900, whether over one ring or two."""
    for segments in (1, 2):
        found = planned(sending(talk("a", 1500, "north"), medium="fddi", segments_at_most=segments))
        assert len(interfaces(found)["north"]) == 1
        assert verdicts(found, "2.5-stack-speed") == {"tight"}


def test_two_rings_share_the_stack() -> None:
    """600 KB/s on each of two rings are 1200 of 900 KB/s; one of them alone has room."""
    networks = [{"name": name, "medium": "fddi"} for name in ("east", "west")]
    services = [talk("a", 600, "east"), talk("b", 600, "west")]
    both = planned({"name": "rings", "networks": networks, "services": services})
    assert verdicts(both, "2.5-stack-speed") == {"tight"}
    alone = planned({"name": "ring", "networks": networks[:1], "services": services[:1]})
    assert verdicts(alone, "2.5-stack-speed") == {"holds"}


def test_two_systems_on_one_network_share_its_speed() -> None:
    """300 KB/s of each of two systems are 600 of the 440 KB/s of one Ethernet (Table 10)."""
    both = demand_of(read(sending(talk("a", 300, "north"), talk("b", 300, "north"))), ENGINE.guide)
    primary = restrict_demand(both, ("a",))

    def judged(elsewhere_: Any) -> Evaluation:
        part = primary._replace(elsewhere=elsewhere_)
        found = system(ports=(port("north"),))
        return evaluate(part, found, ENGINE.guide, ENGINE.judging("plan"), Policy())

    alone, together = judged(()), judged(split_demand(both, ("a",)).elsewhere)
    for found, used, verdict in ((alone, 300, "holds"), (together, 600, "tight")):
        (data,) = (budget for budget in found.budgets if budget.kind == "data")
        assert data.used is not None and data.used.high == used
        assert data.verdict == verdict
    # The packets of the other system cost this one nothing.
    assert [line.figure.high for line in alone.load.kernel_lock or ()] == [
        line.figure.high for line in together.load.kernel_lock or ()
    ]


def test_a_system_that_is_not_on_a_network_has_no_part_in_it() -> None:
    services = [talk("a", 300, "north"), talk("b", 300, "south")]
    plain_ = sending(*services)
    plain_["networks"].append({"name": "south", "medium": "ethernet"})
    assert split_demand(demand_of(read(plain_), ENGINE.guide), ("a",)).elsewhere == ()
