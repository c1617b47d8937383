"""What rules let a channel transfer, whatever hangs on it."""

from __future__ import annotations

from math import inf

import pytest

from sizewright.facts.records import blank
from sizewright.planner.devices import ANY, RANDOM, SERIAL
from sizewright.planner.policy import Policy
from sizewright.planner.rates import RateLimits
from sizewright.rules.book import rule_book
from small import GUIDE

KB = 1024


def limits(policy: Policy) -> RateLimits:
    return RateLimits(GUIDE, rule_book(GUIDE).judging("plan"), policy, blank("system", {}))


@pytest.mark.parametrize(("size_for", "rate_mb"), [("high", 4.1), ("likely", 4.55), ("low", 5.0)])
def test_a_scsi_bus_is_held_to_a_fifth_with_random_disks(size_for: str, rate_mb: float) -> None:
    """2.4.2, Rule VII: 20 % with random disks, 65 % where all is read serially; 4.1 to 5 MB/s."""
    found = limits(Policy(size_for))
    assert found.of("scsi-synchronous", RANDOM) == pytest.approx(0.2 * rate_mb * KB)
    assert found.of("scsi-synchronous", SERIAL) == pytest.approx(0.65 * rate_mb * KB)
    assert found.of("scsi-synchronous", ANY) == pytest.approx(0.65 * rate_mb * KB)


def test_a_string_is_held_to_its_rate() -> None:
    """2.3.4: 6 MB/s."""
    assert limits(Policy()).of("ipi-2", RANDOM) == pytest.approx(6 * KB)


def test_rules_that_are_waived_limit_nothing() -> None:
    assert limits(Policy(waived={"VII": "so agreed"})).of("scsi-synchronous", RANDOM) == inf
