"""Which networks may change places, because their loads are equal."""

from __future__ import annotations

from typing import Any

import pytest

from generated_workloads import Plain, read
from sizewright.demand.build import demand_of
from sizewright.planner.connections import in_order_of_choice, shape_of
from small import GUIDE, volume


def files(name: str, **changed: Any) -> Plain:
    return {"kind": "nfs", "name": f"files-{name}", "network": name, "clients": 10,
            "load": {"ops_per_s_each": 2}, "diskless": False, "uses": ["data"],
             **changed}  # fmt: skip


MIX = {"reads_percent": 20, "writes_percent": 10}


def are_alike(*services: Plain, north: Plain | None = None, **more: Any) -> bool:
    """Whether the networks north and south have the same shape."""
    networks = [{"name": "north", **(north or {})}, {"name": "south"}]
    wanted: Plain = {
        "name": "two", "volumes": [volume("data", 500)], "services": list(services),
        "networks": [{"medium": "ethernet", **each} for each in networks], **more,
    }  # fmt: skip
    found = demand_of(read(wanted), GUIDE)
    one, other = (shape_of(network, found) for network in found.networks)
    return one == other


def test_networks_with_equal_loads_are_alike() -> None:
    assert are_alike(files("north"), files("south"))


@pytest.mark.parametrize(
    "changed",
    [{"clients": 11}, {"load": {"ops_per_s_each": 3}}, {"diskless": True}, {"mix": MIX}],
)
def test_any_difference_of_load_counts(changed: Plain) -> None:
    assert not are_alike(files("north"), files("south", **changed))


def test_terms_of_a_network_count() -> None:
    both = files("north"), files("south")
    assert not are_alike(*both, north={"segments_at_most": 2})
    assert not are_alike(*both, north={"medium": "token-ring-4mb"})


def test_other_data_on_a_network_counts() -> None:
    talk = {"kind": "measured", "name": "talk", "network": "north", "traffic": {"kb_per_s": 1}}
    assert not are_alike(files("north"), files("south"), talk)


def test_a_network_that_a_backup_goes_over_is_like_no_other() -> None:
    assert not are_alike(files("north"), files("south"), backup={"over": "south"})


def test_services_that_exclude_each_other_are_told_apart() -> None:
    """Which of them are active together depends on more than their loads."""
    exclusive = [["files-north", "files-south"]]
    assert not are_alike(files("north"), files("south"), exclusive=exclusive)


@pytest.mark.parametrize("names", [("north", "south"), ("south", "north")])
def test_names_do_not_decide_which_network_comes_first(names: tuple[str, str]) -> None:
    """With equal loads an Ethernet comes before a ring, whatever both are called."""
    ethernet, ring = names
    media = {ethernet: "ethernet", ring: "fddi"}
    wanted: Plain = {
        "name": "two", "volumes": [volume("data", 500)],
        "services": [files("north"), files("south")],
        "networks": [{"name": name, "medium": medium} for name, medium in media.items()],
    }  # fmt: skip
    found = in_order_of_choice(demand_of(read(wanted), GUIDE))
    assert [network.name for network in found] == [ethernet, ring]


def test_of_equal_networks_the_one_with_less_load_is_chosen_first() -> None:
    for more in ("north", "south"):
        services = [files("north"), files("south"), {**files(more), "name": "more"}]
        wanted: Plain = {
            "name": "two", "volumes": [volume("data", 500)], "services": services,
            "networks": [{"name": name, "medium": "ethernet"} for name in ("north", "south")],
        }  # fmt: skip
        _, second = in_order_of_choice(demand_of(read(wanted), GUIDE))
        assert second.name == more
