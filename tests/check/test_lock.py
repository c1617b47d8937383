"""The kernel lock of a server that exists: what its kernel does, and what its processors wait."""

from __future__ import annotations

import pytest

from check.test_first_step import server, text_for
from generated_boxes import checked

LOCK = "2.10.1-kernel-lock"


def lock(**cpu: object) -> tuple[float, str, float | None]:
    """What four processors use of the lock in ms/s, the verdict, and spin in ms/s."""
    found = checked(server(processors=4, observed={"cpu": cpu}))
    used = next(each.used for each in found.judged.budgets if each.kind == "kernel_lock")
    verdict = next(each.verdict for each in found.findings if each.rule == LOCK)
    spin = found.judged.facts.system.kernel_spin_ms_per_s
    assert used is not None
    return used.high, verdict, spin and spin.high


@pytest.mark.parametrize(
    ("system", "used", "verdict", "spin"),
    [
        (25, 1000, "holds", 0), (30, 1200, "violated", 0),
        (33.75, 1350, "violated", 0), (60, 2400 - 1050, "violated", 1050),
    ],
)  # fmt: skip
def test_the_kernel_works_no_more_than_released_copies_allow(
    system: float, used: float, verdict: str, spin: float
) -> None:
    """Of 4000 ms/s; one lock and 35 % of it for released copies are 1350 (2.10.1)."""
    assert lock(system_percent=system) == (pytest.approx(used), verdict, pytest.approx(spin))


def test_a_range_has_the_spin_of_its_busy_end() -> None:
    """20 to 60 % of 4000 ms/s are 800 to 2400."""
    assert lock(system_percent=[20, 60]) == (pytest.approx(1350), "violated", pytest.approx(1050))


def test_kernel_time_and_spin_of_a_tool_are_used_as_measured() -> None:
    assert lock(system_percent=36, spin_percent=24) == (1440, "violated", 960)
    assert lock(system_percent=24, spin_percent=36) == (960, "holds", 1440)


def test_spin_takes_processor_time_and_is_named() -> None:
    """60 % + 20 % of 4000 ms/s, of which the kernel works 1350."""
    plain = server(
        processors=4, observed={"cpu": {"system_percent": 60, "user_percent": 20}}
    )  # fmt: skip
    budgets = checked(plain).judged.budgets
    items = next(each.items for each in budgets if each.kind == "processors")
    assert [(item.name, item.figure.high) for item in items] == [
        ("system time", pytest.approx(1350)), ("spin", pytest.approx(1050)), ("user time", 800),
    ]  # fmt: skip
    text = " ".join(text_for(plain).split())
    assert "240%" not in text
    assert "needs 135% of the time that its one lock allows" in text
    assert "Processors wait 1050 ms/s for the lock (spin)" in text


def test_several_locks_have_no_spin() -> None:
    plain = server(
        processors=4, operating_system="solaris-2.0", observed={"cpu": {"system_percent": 60}}
    )  # fmt: skip
    assert checked(plain).judged.facts.system.kernel_spin_ms_per_s is None


def test_a_processor_more_is_no_remedy_for_a_busy_lock() -> None:
    """System code runs on one processor at a time, so that one more does not help (1.1.6)."""
    plain = server(observed={"cpu": {"system_percent": 55, "user_percent": 35}})
    text = " ".join(text_for(plain).split())
    assert "Rule busy-processors" in text
    assert "or one more" not in text
    helps = "that helps only if the kernel lock is not busy."
    assert f"If the machine takes another processor, {helps}" in text
    assert "nearly full" not in text
