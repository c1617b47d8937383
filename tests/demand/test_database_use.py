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
