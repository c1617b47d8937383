"""Who joins or mirrors disks (1.2.6, 2.11), and what that costs."""

from __future__ import annotations

from typing import Any

import pytest

from generated_workloads import Plain
from serving import demanded
from sizewright.configuration.model import Volume
from sizewright.load.disk_work import joined_by, overhead
from small import GUIDE, disk, laid, row, system, unsaid

SUITE = "online-disksuite"
ONE, TWO = {"a": 50.0}, {"a": 50.0, "b": 50.0}
OTHER = {"c": 50.0}


def joined(*copies: dict[str, float], product: str = "", **more: Any) -> Volume:
    """A volume of a database product, or of a program, with who joins its disks."""
    work = {"name": "work", "volume": "data", "ops_per_s": 1}
    service: Plain = {"kind": "measured", "name": "program", "work": [work]}
    if product:
        service = service | {"kind": "database", "product": product, "clients": 1, "memory_mb": 4}
    wanted = demanded(service, volumes=[unsaid("data", **more)])
    return joined_by(laid("data", *copies), wanted.volumes[0], SUITE, GUIDE)


def test_one_disk_needs_nobody() -> None:
    assert joined(ONE).manager == ""


def test_a_file_system_over_several_disks_is_striped_by_the_manager() -> None:
    """2.11.3: recommended is that all concatenated partitions be striped."""
    found = joined(TWO)
    assert (found.manager, found.layout) == (SUITE, "stripe")


@pytest.mark.parametrize(("product", "manager"), [("sybase", ""), ("oracle", SUITE), ("", SUITE)])
def test_a_database_that_mirrors_needs_no_manager(product: str, manager: str) -> None:
    """1.2.9.1: Sybase mirrors; of Oracle the guide does not say it."""
    found = joined(ONE, OTHER, product=product, use="raw", protection="mirror")
    assert found.manager == manager


@pytest.mark.parametrize("product", ["sybase", "oracle", ""])
def test_raw_partitions_are_spread_by_the_program_that_uses_them(product: str) -> None:
    """2.11.2: the database's own manager spreads data over raw partitions."""
    assert joined(TWO, product=product, use="raw").manager == ""


def test_swap_space_on_several_disks_needs_no_manager() -> None:
    assert joined(TWO, use="swap").manager == ""


def test_a_stripe_costs_what_table_11_says() -> None:
    """690MP with IPI disks, striped, 8K: 33 % more for a random read; mirrored with -g 30 %."""
    large = system(platform="sparcserver-690mp")
    rows = (row("disks", disk("a", "1-3gb-ipi").model),)
    column = "random_read_percent"
    stripe = overhead(joined(TWO), column, rows, large, GUIDE)
    assert stripe is not None and stripe.likely == pytest.approx(0.33)
    both = overhead(
        joined(TWO, {"c": 50, "d": 50}, protection="mirror"), column, rows, large, GUIDE
    )
    mirror = overhead(joined(ONE, OTHER, protection="mirror"), column, rows, large, GUIDE)
    assert both is not None and mirror is not None
    assert both.likely == pytest.approx(stripe.likely + mirror.likely)
