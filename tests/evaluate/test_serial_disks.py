"""Serial disks and the channels above them, loaded by the bytes of their operations."""

from __future__ import annotations

from typing import Any

import pytest

from generated_boxes import checked
from generated_workloads import ENGINE, Plain
from serving import demanded, measured
from sizewright.evaluate.budgets import Budget
from sizewright.evaluate.policy import Policy
from sizewright.evaluate.system import evaluate
from sizewright.quantity import Quantity
from small import GUIDE, channel, disk, laid, system

KB = 1024


def share(budget: Budget) -> tuple[float, float]:
    assert isinstance(budget.utilisation, Quantity)
    return budget.utilisation.low, budget.utilisation.high


def planned(
    disks: int, ops: float, block_kb: float, model: str = "424mb-scsi", **work: Any
) -> dict[str, Budget]:
    """Budgets of serial reads of a raw volume that is spread over some disks of one channel."""
    service = measured(volume="scans", ops_per_s=ops, block_kb=block_kb, **work)
    wanted = demanded(service)
    names = [chr(ord("a") + n) for n in range(disks)]
    kind = "ipi-2" if "ipi" in model else "scsi-synchronous"
    on = system(
        channels=(channel("c", *(disk(name, model) for name in names), kind=kind),),
        volumes=(laid("scans", dict.fromkeys(names, 100)),),
    )
    found = evaluate(wanted, on, GUIDE, ENGINE.rule_set, Policy())
    return {b.resource.removeprefix("primary/"): b for b in found.budgets}


def observed(model: str, use: str, **seen: float) -> dict[str, Budget]:
    """Budgets of a box with one serial disk."""
    kind = "ipi-2" if "ipi" in model else "scsi-synchronous"
    box: Plain = {
        "name": "primary", "platform": "sparcserver-690mp",
        "channels": [{"id": "c", "kind": kind, "devices": [{"id": "a", "device": model}]}],
        "volumes": [{"name": "scans", "size_mb": 100, "use": use, "access": "serial",
                     "activity": "hot", "copies": [["a"]]}],
        "observed": {"disks": {"a": seen}},
    }  # fmt: skip
    found = checked(box).judged.budgets
    return {b.resource.removeprefix("primary/"): b for b in found}


def test_60_operations_of_56_kb_over_two_drives() -> None:
    """1680 KB/s on each, of 2.2 to 3.0 MB/s: 55 to 75 %."""
    found = planned(2, 60, 56)["disk/a"]
    assert share(found) == (pytest.approx(1680 / 3072), pytest.approx(1680 / 2252.8))


def test_60_operations_of_56_kb_on_one_drive_fail_planned_or_observed() -> None:
    """3360 KB/s: 109 to 149 %."""
    expected = (pytest.approx(3360 / 3072), pytest.approx(3360 / 2252.8))
    for found in (
        planned(1, 60, 56)["disk/a"],
        observed("424mb-scsi", "raw", ops_per_s=60, kb_per_s=3360)["disk/a"],
        observed("424mb-scsi", "raw", kb_per_s=3360)["disk/a"],
    ):
        assert share(found) == expected
        assert found.verdict == "violated"


def test_plan_and_check_use_one_rate_for_one_device() -> None:
    """1.2.9.2: the 911 MB drive does 530 raw serial reads of 8 KB; 265 are half of its time."""
    for found in (
        planned(1, 265, 8, "911mb-ipi")["disk/a"],
        observed("911mb-ipi", "raw", ops_per_s=265)["disk/a"],
    ):
        assert share(found) == (pytest.approx(0.5), pytest.approx(0.5))


def test_fourteen_serial_drives_on_a_string_are_limited_as_one() -> None:
    """Rule IX: 265 reads of 8 KB of 65 % of 530, however many drives they are spread over."""
    for disks in (1, 7):
        found = planned(disks, 265, 8, "911mb-ipi")["active/c"]
        assert found.used is not None
        assert found.used.high == pytest.approx(265 / (0.65 * 530))
        assert (found.limit and found.limit.high) == 1
    assert planned(7, 400, 8, "911mb-ipi")["active/c"].verdict == "violated"


def test_four_serial_disks_share_a_scsi_adapter_by_count_and_less_by_time() -> None:
    """4 × 300 KB/s: 0.6 to 0.8 of 4 active disks, 1200 KB/s of 65 % of 4.1 to 5.0 MB/s."""
    found = planned(4, 150, 8)
    active, time = found["active/c"], found["channel/c"]
    assert active.limit is not None
    assert active.limit.high == 4
    assert active.used is not None
    assert active.used.high == pytest.approx(1200 / (0.65 * 2252.8))
    assert time.limit is not None
    assert time.limit.high == pytest.approx(650)
    assert share(time) == (pytest.approx(1200 / (5 * KB)), pytest.approx(1200 / (4.1 * KB)))


def test_serial_writes_are_no_serial_reads_on_the_bus() -> None:
    """2.4.2: .65 for sequential reads, .20 for any other I/O."""
    time = planned(1, 10, 8, operation="write")["channel/c"]
    assert time.limit is not None
    assert time.limit.high == pytest.approx(200)


@pytest.mark.parametrize(
    ("use", "ms"), [({"access": "random"}, (200, 200)),
                    ({"access": "random", "activity": "cold"}, (200, 200)),
                    ({"access": "serial"}, (650, 650)), ({}, (200, 650))],
)  # fmt: skip
def test_the_access_pattern_sets_the_limit_of_a_bus_not_what_is_called_cold(
    use: dict[str, str], ms: tuple[float, float]
) -> None:
    """2.4.2: 20 % beside random disks; a pattern that is not known allows no more than 65 %."""
    device = {"id": "a", "device": "424mb-scsi", **use}
    box: Plain = {
        "name": "primary", "platform": "sparcstation-2",
        "channels": [{"id": "c", "kind": "scsi-synchronous", "devices": [device]}],
        "observed": {"disks": {"a": {"kb_per_s": 400}}},
    }  # fmt: skip
    budgets = {b.resource: b for b in checked(box).judged.budgets}
    found = budgets["primary/channel/c"]
    assert found.limit is not None
    assert (found.limit.low, found.limit.high) == pytest.approx(ms)
    assert found.used is not None
    # The time is known whatever the pattern is: 400 KB/s at 4.1 to 5.0 MB/s.
    assert (found.used.low, found.used.high) == pytest.approx(
        (400 / (5 * KB) * 1000, 400 / (4.1 * KB) * 1000)
    )
