"""What a database tells of its clients and of where its data lies."""

from __future__ import annotations

from typing import Any

import pytest

from generated_workloads import Plain
from serving import demanded, measured
from sizewright.demand.usage import usage_of


def database(name: str = "base", product: str = "oracle", **more: Any) -> Plain:
    work = [{"name": "work", "volume": "files", "ops_per_s": 1}]
    return {
        "kind": "database", "name": name, "product": product, "clients": 10, "network": "ring",
        "traffic": {"kb_per_s": 1}, "work": work, **more,
    }  # fmt: skip


def test_clients_of_two_services_are_counted_once() -> None:
    first, same = database("loading"), database("saving", same_clients_as="loading")
    (network,) = demanded(first, same).networks
    assert network.clients.high == 10
    (network,) = demanded(first, database("saving")).networks
    assert network.clients.high == 20


def files(**more: Any) -> Plain:
    return {
        "kind": "nfs", "name": "homes", "clients": 2, "load": {"ops_per_s_each": 3},
        "network": "ring", "uses": ["files"], **more,
    }  # fmt: skip


def test_only_clients_of_file_services_are_nfs_clients() -> None:
    """Rule III is for NFS servers: case study 7 counts 63 + 10 + 60, not the 90 of Oracle."""
    found = demanded(database(), files())
    assert usage_of(found).clients == found.clients
    assert found.clients.high == 2
    assert found.networks[0].clients.high == 2 + 10


def test_nfs_clients_that_a_database_counts_are_on_the_network_once() -> None:
    found = demanded(database(), files(same_clients_as="base", diskless=True))
    assert (found.clients.high, found.diskless_clients.high) == (2, 2)
    assert found.networks[0].clients.high == 10


def test_several_file_services_with_the_clients_of_a_database_count_the_most() -> None:
    more = files(name="more", clients=5, same_clients_as="base")
    found = demanded(database(), files(same_clients_as="base"), more)
    assert found.clients.high == 5


def test_memory_is_for_each_connection_whoever_counts_the_people() -> None:
    first, same = database("loading"), database("saving", same_clients_as="loading")
    lines = demanded(first, same).memory
    assert [line.name for line in lines] == ["loading: back end", "saving: back end"]
    assert lines[0].figure.high == lines[1].figure.high


@pytest.mark.parametrize(
    ("services", "found"),
    [
        ([database(layer="raw")], False),
        ([database(layer="file_system")], True),
        ([database(product="interbase")], True),
        ([database()], False),
        ([database("a", layer="raw"), database("b", layer="file_system")], True),
        ([database(work=[])], None),
        ([measured(volume="files")], False),
    ],
)
def test_a_database_is_on_a_file_system_if_it_works_through_one(
    services: list[Plain], found: bool | None
) -> None:
    assert usage_of(demanded(*services)).database_on_file_system is found


@pytest.mark.parametrize(
    ("product", "use", "layer"),
    [
        ("oracle", "file_system", "file_system"),
        ("interbase", "raw", "raw"),
        ("interbase", "log", "raw"),
    ],
)
def test_a_database_uses_a_volume_as_stated_whatever_its_product_usually_does(
    product: str, use: str, layer: str
) -> None:
    """2.4: the space of a file system and the time of operations through it go together."""
    volumes = [{"name": "files", "size_mb": 1000, "access": "random", "use": use}]
    found = demanded(database(product=product), volumes=volumes)
    assert [work.layer for work in found.operations] == [layer]
    assert usage_of(found).database_on_file_system is (layer == "file_system")
