"""Volumes that a workload needs and does not state: operating system, swap space, clients."""

from __future__ import annotations

from typing import Any

import pytest

from sizewright.demand.model import VolumeDemand
from sizewright.demand.subset import restrict_demand
from sizewright.guide.loader import load_guide
from small import GUIDE, demand, three, volume

DATABASE = {
    "kind": "database", "name": "orders", "product": "oracle", "clients": 10, "memory_mb": 20,
}  # fmt: skip


def added(*services: dict[str, Any], wishes: Any = None, **more: Any) -> list[VolumeDemand]:
    wishes = {"system_elsewhere": False} if wishes is None else wishes
    found = demand(*services, wishes=wishes, **more)
    return [each for each in found.volumes if each.added]


def test_a_file_server_has_the_space_that_the_guide_prints() -> None:
    (system,) = added({})
    assert (system.use, system.protection, system.hot) == ("root", "none", False)
    # Case study 5: about 450 MB for the operating system, swap space and application binaries.
    assert three(system.size_mb) == (450, 450, 450)


def test_a_database_server_has_more_swap_space() -> None:
    (system,) = added(services=[DATABASE])
    # 450 MB with the 64 MB of a file server; 100 to 300 MB for a large database (1.2.3).
    assert three(system.size_mb) == (450 - 64 + 100, 450 - 64 + 200, 450 - 64 + 300)


def test_several_databases_have_the_swap_space_of_one_server() -> None:
    """1.2.3 prints 100 to 300 MB for a server, however many databases it has."""
    (system,) = added(services=[DATABASE, {**DATABASE, "name": "stock"}])
    assert three(system.size_mb) == (450 - 64 + 100, 450 - 64 + 200, 450 - 64 + 300)


def test_programs_have_swap_space_for_their_memory() -> None:
    desks = {"kind": "timesharing", "name": "desks", "sessions": 50, "private_mb": 4}
    (system,) = added(services=[desks])
    assert system.size_mb.high == 450 - 64 + 50 * 4
    few = {**desks, "sessions": 3}
    # 12 MB are less than what a file server has.
    assert added(services=[few])[0].size_mb.high == 450
    twice = {"parameters": {"system-disk": {"swap_per_memory": 2}}}
    assert added(services=[desks], policy=twice)[0].size_mb.high == 450 - 64 + 2 * 50 * 4


def test_a_part_of_the_services_has_its_own_swap_space() -> None:
    """On a system of its own, each has swap space for what runs there, and not for the rest."""
    desks = {"kind": "timesharing", "name": "desks", "sessions": 100, "private_mb": 4}
    both = demand(services=[DATABASE, desks], wishes={"system_elsewhere": False})

    def size(*services: str) -> float:
        part = restrict_demand(both, services)
        return next(each.size_mb.high for each in part.volumes if each.use == "root")

    assert size("orders", "desks") == 450 - 64 + 300 + 400
    assert size("orders") == 450 - 64 + 300
    assert size("desks") == 450 - 64 + 400
    assert size() == 450


def test_swap_space_that_no_disk_holds_beside_the_system_is_a_volume_of_its_own() -> None:
    """Of the largest disk, 1,300 MB, 90 % may be full: 1,170 MB hold 386 and 784."""
    desks = {"kind": "timesharing", "name": "desks", "sessions": 98, "private_mb": 8}
    (system,) = added(services=[desks])
    assert (system.use, system.size_mb.high) == ("root", 386 + 784)
    system, swap = added(services=[{**desks, "sessions": 99}])
    assert (system.use, system.size_mb.high) == ("root", 386)
    assert (swap.use, swap.size_mb.high) == ("swap", 792)


@pytest.mark.parametrize(
    ("stated", "size"),
    [({"use": "root"}, None), ({"use": "swap"}, 450 - 64), ({"use": "file_system"}, 450)],
)
def test_what_a_workload_states_is_not_added(stated: dict[str, str], size: float | None) -> None:
    found = added({}, volumes=[volume("own", **stated)])
    assert [each.size_mb.high for each in found] == ([] if size is None else [size])


def test_a_system_that_is_elsewhere_has_no_volume() -> None:
    assert added({"diskless": True}, wishes={"system_elsewhere": True}) == []


def test_a_name_that_is_taken_is_not_used_again() -> None:
    (system,) = added({}, volumes=[volume("operating system")])
    assert system.name == "operating system*"


def test_each_diskless_client_has_a_root_and_swap_space_once() -> None:
    same = {"name": "more", "same_clients_as": "paging", "diskless": True}
    clients, system = added({"name": "paging", "diskless": True, "clients": 25}, same)
    # 8 and 16 MB each, by parameters of sizewright's own rule.
    assert (clients.size_mb.high, clients.use) == (25 * (8 + 16), "file_system")
    assert system.use == "root"
    found = demand({"name": "paging", "diskless": True}, wishes={"system_elsewhere": False})
    assert found.services[0].volumes == (clients.name,)


def test_swap_space_of_diskless_clients_is_not_saved() -> None:
    """80 × 24 MB are 1920 MB beside 297 MB of files, but only 80 × 8 MB of them are saved.

    So 937 MB need no software for backups, which 1.1.7 advises above 2 GB.
    """
    files = [volume("courses", 297)]
    paging = {"name": "paging", "diskless": True, "clients": 80}
    read = {"name": "courses", "uses": ["courses"]}
    backup = {"during_working_hours": False}
    clients, _ = added(paging, read, volumes=files, backup=backup)
    assert (clients.size_mb.high, clients.saved_mb and clients.saved_mb.high) == (1920, 640)
    # 250 × 8 MB and 297 MB are above 2 GB.
    many = added({**paging, "clients": 250}, read, volumes=files, backup=backup)
    assert [each.use for each in many] == ["backup_index", "file_system", "root"]


@pytest.mark.parametrize("use", ["swap", "file_system"])
def test_volumes_of_diskless_clients_may_be_stated(use: str) -> None:
    served = {"name": "paging", "diskless": True, "uses": ["export"]}
    found = added(served, volumes=[volume("export", use=use)])
    assert [each.use for each in found] == ["root"]


def test_a_guide_without_the_size_adds_nothing() -> None:
    auspex = load_guide("auspex-1992")
    name = auspex.defaults.get("operating_system")
    assert name is None or auspex.row("operating-systems", name).cell("system_mb") is None
    assert GUIDE.row("operating-systems", "solaris-1.0.1").cell("system_mb") is not None
