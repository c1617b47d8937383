"""Work as fast as its disks: how many of them so many runs keep busy, and what a mirror takes."""

from __future__ import annotations

from typing import Any

import pytest

from generated_workloads import Plain
from serving import demanded, server
from sizewright.configuration.model import System
from sizewright.load.place import load_on
from small import GUIDE, laid

SERIAL = 530  # raw reads of 8 KB a second of the 911 MB drive (Table 8)


def runs(at_once: Any = None, **work: Any) -> Plain:
    item = {"name": "run", "volume": "scans", "ops": 100, "as_fast_as_disks": True, **work}
    if at_once is not None:
        item["by"] = at_once
    return {"kind": "measured", "name": "program", "work": [item]}


def rate(service: Plain, on: System | None = None) -> float:
    (work,) = load_on(demanded(service), on or server(), GUIDE).works
    return work.rate.high


@pytest.mark.parametrize(("at_once", "disks"), [(None, 2), (1, 1), ([1, 2], 2), (1.5, 2), (9, 2)])
def test_a_run_keeps_one_disk_at_work(at_once: Any, disks: int) -> None:
    """Two strings of one such drive; a run waits for each of its operations."""
    assert rate(runs(at_once)) == disks * SERIAL


def test_a_stripe_from_end_to_end_keeps_all_of_its_disks_at_work() -> None:
    stripe = laid("scans", {"c": 1000, "f": 1000}, manager="online-disksuite")
    assert rate(runs(1), server(volumes=(stripe._replace(layout="stripe"),))) == 2 * SERIAL


def test_one_run_at_random_keeps_one_disk_of_a_stripe_at_work() -> None:
    """67 raw reads a second of the 1.3 GB drive (Table 7); two drives."""
    stripe = laid("tables", {"a": 500, "d": 500}, manager="online-disksuite")
    on = server(volumes=(stripe._replace(layout="stripe"),))
    one, many = (rate(runs(n, volume="tables"), on) for n in (1, 9))
    assert many == 2 * one


def test_what_is_written_goes_to_both_halves_of_a_mirror() -> None:
    """Two halves read twice as much as one; they write as much as one."""
    mirror = laid("scans", {"c": 1000}, {"f": 1000}, manager="online-disksuite")
    plain = server(volumes=(laid("scans", {"c": 1000}),))
    both = server(volumes=(mirror,))
    assert rate(runs(), both) == 2 * rate(runs(), plain)
    assert rate(runs(operation="write"), both) == rate(runs(operation="write"), plain)
