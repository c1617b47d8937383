"""How long a full backup takes, on drives of the system and over a network (2.4.2)."""

from __future__ import annotations

from typing import Any

import pytest

from sizewright.demand.model import Backup
from sizewright.demand.rates import TO_TAPES, LineItem, Lines
from sizewright.demand.usage import UsageProfile
from sizewright.load.backup import backup_elsewhere, backup_of, backup_on
from sizewright.load.model import Load
from small import GUIDE, given, port, system

NIGHTLY = Backup(True, False, False)
DATA = (
    LineItem("homes", given(1200, unit="MB")),
    LineItem("mail", given(300, 600, unit="MB")),
)
DRIVE = "8mm-helical-scan-tape"


def load_of(asked: Backup | None, **wires: Lines) -> Load:
    """A load of nothing but a backup, and data on networks."""
    needed = [name for name in Load._fields if name not in Load._field_defaults]
    nothing: dict[str, Any] = dict.fromkeys(needed)
    return Load(**nothing | {"usage": UsageProfile(backup=asked), "wires": wires})


@pytest.mark.parametrize(("drives", "hours"), [(1, 1800 * 1024 / 220 / 3600), (2, 1.16364)])
def test_drives_save_together(drives: int, hours: float) -> None:
    """220 KB/s a drive."""
    run = backup_of(NIGHTLY, DATA, {DRIVE: drives}, GUIDE)
    assert run.full_hours is not None and run.full_hours.high == pytest.approx(hours, rel=1e-5)
    assert run.data_mb is not None and (run.data_mb.low, run.data_mb.high) == (1500, 1800)
    assert run.daily_hours is None


def test_a_daily_backup_saves_its_share() -> None:
    run = backup_of(NIGHTLY._replace(incremental=given(0.1)), DATA, {DRIVE: 1}, GUIDE)
    assert run.full_hours is not None and run.daily_hours is not None
    assert run.daily_hours.high == pytest.approx(run.full_hours.high / 10)


@pytest.mark.parametrize(("tape_mb", "tapes"), [(2000, 1), (1800, 1), (1799, 2), (500, 4)])
def test_tapes_are_counted_whole(tape_mb: float, tapes: int) -> None:
    asked = NIGHTLY._replace(tape_mb=given(tape_mb, unit="MB"))
    run = backup_of(asked, DATA, {DRIVE: 1}, GUIDE)
    assert run.media is not None and run.media.high == tapes


@pytest.mark.parametrize(
    ("data_mb", "tape_mb", "drives", "exceeds"),
    [
        (6400, None, {DRIVE: 1}, None), (6500, None, {DRIVE: 1}, True),
        (12800, None, {DRIVE: 2}, None), (13000, None, {DRIVE: 2}, True),
        (9000, None, {"8mm-tape-stacker": 1}, None), (9000, None, {}, None),
        (9000, 4500, {DRIVE: 1}, True), (9000, 9000, {DRIVE: 1}, False),
        (9000, 4500, {DRIVE: 2}, False), (9000, 2250, {"8mm-tape-stacker": 1}, False),
    ],
)  # fmt: skip
def test_more_data_than_the_tapes_in_the_drives_hold_needs_a_change_of_tapes(
    data_mb: float, tape_mb: float | None, drives: dict[str, int], exceeds: bool | None
) -> None:
    """6.5 GB greatly exceed a single 8mm tape; a stacker has four (1.3.1.2)."""
    asked = NIGHTLY._replace(tape_mb=None if tape_mb is None else given(tape_mb, unit="MB"))
    run = backup_of(asked, (LineItem("models", given(data_mb, unit="MB")),), drives, GUIDE)
    assert run.exceeds_tapes is exceeds


def test_nothing_is_known_of_data_without_a_size_or_without_drives() -> None:
    unknown = backup_of(NIGHTLY, None, {DRIVE: 1}, GUIDE)
    assert (unknown.data_mb, unknown.hours, unknown.full_hours, unknown.media) == (None,) * 4
    assert backup_of(NIGHTLY, DATA, {}, GUIDE).full_hours is None


def test_over_a_network_the_stated_rate_of_the_drives_counts() -> None:
    asked = NIGHTLY._replace(over="office", over_kb_per_s=given(512, unit="KB/s"))
    run = backup_elsewhere(asked, DATA, GUIDE)
    assert run.kb_per_s == asked.over_kb_per_s
    assert run.full_hours is not None and run.full_hours.high == pytest.approx(1)


@pytest.mark.parametrize(
    ("network", "drives", "rate"),
    [("office", 512, 440), ("office", 400, 400), ("ring", 512, 320), ("elsewhere", 512, None)],
)
def test_a_network_may_be_slower_than_the_drives(
    network: str, drives: float, rate: float | None
) -> None:
    """440 KB/s over an Ethernet, 320 over a token ring of 4 Mb/s (Table 10)."""
    on = system(ports=(port("office"), port("ring", interface="token-ring-4mb")))
    asked = NIGHTLY._replace(over=network, over_kb_per_s=given(drives, unit="KB/s"))
    run = backup_on(load_of(asked), on, GUIDE)
    assert run is not None
    assert (run.kb_per_s and run.kb_per_s.high) == rate


@pytest.mark.parametrize(
    ("in_use", "others", "rate"),
    [(False, 240, 440), (True, 240, 200), (True, 0, 440), (True, 440, 1), (True, 500, 1)],
)
def test_a_network_in_use_leaves_a_backup_what_other_data_leaves(
    in_use: bool, others: float, rate: float
) -> None:
    """The backup's own data takes nothing from it. A full network leaves next to nothing."""
    asked = NIGHTLY._replace(
        at_night_in_use=in_use, over="office", over_kb_per_s=given(512, unit="KB/s")
    )
    wire = (
        LineItem("homes: data", given(others, unit="KB/s")),
        LineItem(TO_TAPES, given(512, unit="KB/s")),
    )
    run = backup_on(load_of(asked, office=wire), system(ports=(port("office"),)), GUIDE)
    assert run is not None
    assert (run.kb_per_s and run.kb_per_s.high) == rate


def test_no_backup_is_made_that_nobody_wants() -> None:
    assert backup_on(load_of(None), system(), GUIDE) is None
    assert backup_on(load_of(NIGHTLY._replace(wanted=False)), system(), GUIDE) is None
