"""A GB of memory is 1024 MB, wherever memory is stated; a GB of anything else stays 1000 MB."""

from __future__ import annotations

from typing import Any

import pytest

from sizewright import api
from sizewright.box.reading import read_box
from sizewright.documents import parse_document
from sizewright.errors import InputError
from sizewright.quantity import Quantity
from sizewright.schema.model import InvalidFieldError
from sizewright.schema.quantity import FieldOrigin, QuantityField

PLAIN = FieldOrigin("memory.total_mb", "b.yaml:3:7", "", "")


@pytest.mark.parametrize(
    ("value", "ends"),
    [
        ("64 GB", (65536, 65536, 65536)),
        ("0.5GB", (512, 512, 512)),
        ("2 GBs", (2048, 2048, 2048)),
        (["1 GB", "2 GB", 3000], (1024, 2048, 3000)),
        ("64 MB", (64, 64, 64)),
        ("512 KB", (0.5, 0.5, 0.5)),
        (64, (64, 64, 64)),
    ],
)
def test_memory_counts_in_powers_of_two(value: object, ends: tuple[float, float, float]) -> None:
    read = QuantityField("MB", memory=True).read_from(value, PLAIN)
    assert ((read.low, read.likely, read.high), read.unit) == (ends, "MB")


def test_memory_for_each_client_does_too() -> None:
    assert QuantityField("MB/client", memory=True).read_from("0.25 GB/client", PLAIN).likely == 256
    assert QuantityField("MB/client").read_from("0.25 GB/client", PLAIN).likely == 250


@pytest.mark.parametrize("value", [256, "256 MB", "0.25 GB", "0.25 GB/client", [256, "256 MB"]])
def test_what_each_client_has_may_be_written_without_the_client(value: object) -> None:
    read = QuantityField("MB", per="client", memory=True).read_from(value, PLAIN)
    assert (read.likely, read.unit) == (256, "MB/client")


@pytest.mark.parametrize("value", ["64 GB/s", "64 s", "64", "GB", -1, "64 GBx"])
def test_what_is_no_size_is_refused_as_written(value: object) -> None:
    with pytest.raises(InvalidFieldError) as refused:
        QuantityField("MB", memory=True).read_from(value, PLAIN)
    (objection,) = refused.value.errors
    assert str(value).split()[-1] in objection.what


BOX = """\
name: ours
platform: sparcserver-690mp
memory: {total_mb: 0.5 GB, expansion_mb: 0.25 GB}
volumes: [{name: data, size_mb: 2 GB, cached_mb: 1 GB}]
load: {memory: {kernel: 1 GB}, stored: {}}
"""


def test_a_box_has_memory_of_one_kind_of_gb_and_volumes_of_the_other() -> None:
    box = read_box(parse_document(BOX, "box.yaml"))
    (data,) = box.volumes or ()
    sizes: list[Quantity | None] = [
        box.memory.total_mb, box.memory.expansion_mb, data.size_mb, data.cached_mb,
        (box.load.memory or {})["kernel"],
    ]  # fmt: skip
    assert [each.likely for each in sizes if each] == [512, 256, 2000, 1000, 1024]


def test_the_box_is_judged_by_it() -> None:
    found = api.check(
        read_box(parse_document(BOX.split("volumes")[0], "box.yaml")), api.load_engine("sun-1992")
    ).judged.facts.system
    assert isinstance(found.memory_mb, Quantity)
    assert found.memory_mb.likely == 512


WORKLOAD = """\
name: ours
volumes: [{name: data, size_mb: 2 GB, access: random, cached_mb: 1 GB}]
services:
  - {kind: timesharing, name: desks, sessions: 4, shared_mb: 1 GB, private_mb: 0.25 GB/client}
  - {kind: batch, name: jobs, jobs: 2, job_mb: 1 GB, memory_mb: 2 GB}
  - kind: database
    name: rows
    product: oracle
    clients: 4
    per_client_mb: 0.25 GB/client
    front_ends: here
    front_end_mb: 0.25 GB/client
  - kind: print
    name: pages
    printers: [{name: laser, attached: serial, rasterising: true, raster_mb: 0.5 GB}]
"""


def test_a_workload_counts_memory_in_the_one_gb_and_data_in_the_other() -> None:
    desks, jobs, rows, pages = _services(WORKLOAD)
    assert (desks.shared_mb.likely, desks.private_mb.likely) == (1024, 256)
    assert (jobs.job_mb.likely, jobs.memory_mb.likely) == (1024, 2048)
    assert (rows.per_client_mb.likely, rows.front_end_mb.likely) == (256, 256)
    assert pages.printers[0].raster_mb.likely == 512
    (data,) = api.read_workload(parse_document(WORKLOAD, "w.yaml")).volumes
    assert (data.size_mb.likely, data.cached_mb and data.cached_mb.likely) == (2000, 1000)


def _services(text: str) -> tuple[Any, ...]:
    return tuple(api.read_workload(parse_document(text, "w.yaml")).services)


def test_all_of_a_volume_may_be_held_in_memory() -> None:
    whole = WORKLOAD.replace("cached_mb: 1 GB", "cached_mb: 2 GB")
    assert api.read_workload(parse_document(whole, "w.yaml")).volumes[0].cached_mb
    with pytest.raises(InputError):
        api.read_workload(parse_document(whole.replace("cached_mb: 2 GB", "cached_mb: 3 GB"), "w"))
