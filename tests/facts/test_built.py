"""What a chain of devices is made for, and what is left of its speed."""

from __future__ import annotations

from typing import Any

import pytest

from server_boxes import NARROW, OLD, WIDE, chain, checked, controller, drives, ends, record, server
from sizewright.box.parts import AsBuilt
from sizewright.facts.built import Built
from small import GUIDE, disk

FAST = "scsi-fast-wide"


def facts(*kinds: str, board: str = "smart-2dh", **more: Any) -> Any:
    box = server(boards=controller(board), channels=[chain(*drives(*kinds), **more)])
    return record(box, "channel", "scsi")


@pytest.mark.parametrize(
    ("kinds", "narrow", "wide", "slower", "fast_narrow"),
    [
        ((WIDE, WIDE, WIDE), 0, 3, 0, 0),
        ((WIDE, OLD), 1, 1, 1, 0),
        ((WIDE, NARROW, NARROW), 2, 1, 0, 2),
        ((WIDE, FAST), 0, 2, 1, 0),
        ((), 0, 0, 0, 0),
        ((WIDE, ""), None, (1, 2), None, None),
        ((OLD, ""), (1, 2), None, (1, 2), None),
    ],
)
def test_devices_are_counted_by_width_and_clock(
    kinds: tuple[str, ...], narrow: Any, wide: Any, slower: Any, fast_narrow: Any
) -> None:
    """Table 2: Ultra is 20 MHz; SCSI-1 is narrow, at 5 MHz. One that is not told may be either."""
    found = facts(*kinds)
    counted = (
        found.narrow_devices, found.wide_devices, found.slower_devices, found.fast_narrow_devices,
    )  # fmt: skip
    assert tuple(map(ends, counted)) == (narrow, wide, slower, fast_narrow)


@pytest.mark.parametrize(("model", "kind"), [("1-3gb-ipi", "ipi-2"), ("424mb-scsi", None)])
def test_a_device_of_one_bus_is_made_for_that_one(model: str, kind: str | None) -> None:
    """A SCSI disk of its day attaches to several kinds, and may be made for any."""
    nothing: Any = None
    found = Built(nothing, nothing, AsBuilt(), GUIDE).made_for(disk("d", model))
    assert (found.id if found else None) == kind
    stated = AsBuilt(bus_kinds={"d": "scsi-synchronous"})
    told = Built(nothing, nothing, stated, GUIDE).made_for(disk("d", model))
    assert told is not None and told.id == "scsi-synchronous"


def test_a_narrow_device_counts_by_what_it_negotiated() -> None:
    """Narrow Ultra is 20 MB/s at 20 MHz: at 10 MB/s it runs at half the clock."""
    (device,) = drives(NARROW)
    for rate, fast in ((20, 1), (10, 0)):
        box = server(channels=[chain({**device, "rate_mb_per_s": rate}, provider="builtin")])
        assert ends(record(box, "channel", "scsi").fast_narrow_devices) == fast


@pytest.mark.parametrize(
    ("board", "more", "clock"),
    [
        ("smart-2dh", {}, 20),
        ("smart-array-3200", {}, 40),
        ("smart-2p", {}, None),
        ("smart-2p", {"adapter_bus_kind": FAST}, 10),
        ("smart-2p", {"adapter_bus_kind": WIDE}, 20),
    ],
)
def test_the_adapter_is_made_for_the_fastest_of_its_busses(
    board: str, more: dict[str, Any], clock: float | None
) -> None:
    assert ends(facts(WIDE, board=board, **more).adapter_clock_mhz) == clock


@pytest.mark.parametrize(
    ("kind", "rate"), [(WIDE, 20 * 1024), (NARROW, 10 * 1024), (FAST, None), ("fc-al", None)]
)
def test_a_bus_of_ultra_speed_falls_back_to_half_its_rate(kind: str, rate: float | None) -> None:
    """SCSI-3: to 10 MHz, which are 20 MB/s on a wide bus and 10 on a narrow one."""
    found = facts(kind=kind, devices=[])
    assert ends(found.fallback_kb_per_s) == rate


@pytest.mark.parametrize(
    ("more", "kinds", "limit", "rule"),
    [
        ({"adapter_in_middle": True}, (WIDE,), 20480, "scsi-3-fallback"),
        ({"adapter_in_middle": False}, (WIDE,), 40960, ""),
        ({"adapter_in_middle": False}, (WIDE, OLD), 40960, ""),
        ({"adapter_in_middle": False}, (WIDE, NARROW), 20480, "scsi-3-fallback"),
        ({"adapter_in_middle": False}, (OLD,) * 5, 20480, "scsi-3-fallback"),
        ({"adapter_in_middle": False}, (OLD,) * 5 + (WIDE,), 40960, ""),
        ({}, (WIDE,), (20480, 40960), "scsi-3-fallback"),
    ],
)
def test_the_budget_of_a_bus_shows_what_it_fell_back_to(
    more: dict[str, Any], kinds: tuple[str, ...], limit: Any, rule: str
) -> None:
    """Where it is not known whether a condition is broken, both limits are its ends."""
    box = server(boards=controller(), channels=[chain(*drives(*kinds), **more)])
    (budget,) = [b for b in checked(box).judged.budgets if b.kind == "channel"]
    assert (ends(budget.limit), budget.limit_rule) == (limit, rule)


@pytest.mark.parametrize(
    ("cable", "delay"), [("70 km", 0.467), ("20 km", 0.467 * 40 / 140), (None, None)]
)
def test_data_goes_round_a_loop_at_the_speed_of_light(
    cable: str | None, delay: float | None
) -> None:
    """Six arrays 10 km from a hub 10 km away: 70 km passed twice are 140, in 0.467 ms."""
    told = {"cable_m": cable} if cable else {}
    loop = {"id": "loop", "kind": "fc-al", "devices": [], **told}
    found = ends(record(server(channels=[loop]), "channel", "loop").delay_ms)
    assert found == (delay and pytest.approx(delay))


def test_a_cable_of_a_scsi_bus_is_no_loop() -> None:
    assert facts(WIDE, cable_m=3).delay_ms is None
