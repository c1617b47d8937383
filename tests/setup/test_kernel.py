"""Values of the kernel's parameters, by hand from section 2.10.4 and Rule II."""

from __future__ import annotations

import pytest

from sizewright.demand.rates import LineItem
from sizewright.demand.usage import UsageProfile
from sizewright.setup.installation import install, nfsd
from small import GUIDE, given, system


def planned_maxusers(memory_mb: float) -> float:
    machine = system(memory_mb=memory_mb)
    value = install(machine, UsageProfile(services=("nfs",)), GUIDE).tunables["maxusers"]
    assert value.low == value.high
    return value.likely


@pytest.mark.parametrize(
    ("memory_mb", "value"),
    [
        # Printed: 64 for 16 to 32 MB, 128 for 64 to 96 MB, 160 above; the rule asks for 1 a MB.
        # Nothing is printed for 48 MB, which needs no less than 32 MB.
        (16, 64), (32, 64), (48, 64), (64, 128), (96, 128), (104, 160), (160, 160), (256, 256),
    ],
)  # fmt: skip
def test_maxusers_of_a_plan_is_what_is_printed_and_no_less_than_the_memory(
    memory_mb: float, value: float
) -> None:
    assert planned_maxusers(memory_mb) == value


def test_more_memory_never_lowers_maxusers() -> None:
    values = [planned_maxusers(memory_mb) for memory_mb in range(16, 300, 4)]
    assert values == sorted(values)


@pytest.mark.parametrize(
    ("platform", "others", "value"),
    [
        # 16 contexts less 1 less the others, from 8 to 16; a lookaside buffer leaves room for 16.
        ("sparcstation-2", 3, 12),
        ("sparcstation-2", 9, 8),
        ("sparcserver-670mp", 9, 16),
    ],
)
def test_nfsd_are_8_to_16(platform: str, others: int, value: float) -> None:
    use = UsageProfile(services=("nfs",), processes=(LineItem("desks: sessions", given(others)),))
    found = nfsd(use, GUIDE.row("platforms", platform), GUIDE)
    assert found is not None and found.likely == value


def test_nfsd_are_for_file_servers_whose_processes_are_known() -> None:
    platform = GUIDE.row("platforms", "sparcstation-2")
    assert nfsd(UsageProfile(services=("mail",), processes=()), platform, GUIDE) is None
    assert nfsd(UsageProfile(services=("nfs",)), platform, GUIDE) is None
