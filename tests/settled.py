"""Settings of generated tests: the same examples every time, whatever the machine's speed."""

from __future__ import annotations

from hypothesis import HealthCheck, settings

from depth import DEEP

# `make test` draws one in PART of the examples of `make test-deep`, and no fewer than FEWEST.
PART, FEWEST = 8, 3


def settled(examples: int) -> settings:
    """This number of examples in depth, the same on every run, without a limit on their time."""
    return settings(
        max_examples=examples if DEEP else max(FEWEST, examples // PART),
        derandomize=True,
        database=None,
        deadline=None,
        suppress_health_check=[HealthCheck.too_slow],
    )
