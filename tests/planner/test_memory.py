"""More clients never get less memory."""

from __future__ import annotations

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from generated_workloads import Plain, planned
from serving import demanded
from settled import settled
from small import plain

PLATFORMS = ("sparcstation-2", "sparcserver-630mp", "sparcserver-690mp")


def installed(platform: str, clients: int) -> float | None:
    """The memory of a plan on one platform, in MB; None if it carries no such load."""
    networks = [{"name": "north", "medium": "ethernet", "segments_at_most": 8}]
    found = planned(plain(
        {"clients": clients}, networks=networks, wishes={"platforms": [platform]}
    ))  # fmt: skip
    return found.chosen.system.memory_mb if found.chosen else None


def test_65_clients_get_no_less_than_64() -> None:
    """2 MB a client (Rule III), up to 64 MB (1.1.5)."""
    assert [installed("sparcserver-690mp", n) for n in (16, 32, 64, 65, 300)] == [64] * 5


@settled(12)
@given(st.sampled_from(PLATFORMS), st.integers(1, 400), st.integers(1, 200))
def test_installed_memory_never_falls(platform: str, clients: int, more: int) -> None:
    few, many = installed(platform, clients), installed(platform, clients + more)
    if few is None:
        assert many is None
    elif many is not None:
        assert few <= many


def needed(kind: str, number: int) -> float:
    service: Plain = {"name": "users", "kind": kind}
    more: dict[str, Any] = {
        "database": {"product": "oracle", "clients": number, "front_ends": "here"},
        "timesharing": {"sessions": number, "private_mb": 3, "shared_mb": 1},
    }[kind]
    return sum(item.figure.high for item in demanded({**service, **more}).memory)


@settled(30)
@given(st.sampled_from(("database", "timesharing")), st.integers(1, 300), st.integers(1, 100))
def test_needed_memory_never_falls(kind: str, number: int, more: int) -> None:
    assert needed(kind, number) <= needed(kind, number + more)
