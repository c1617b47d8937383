"""Settings of generated tests: the same examples every time, whatever the machine's speed."""

from __future__ import annotations

from hypothesis import HealthCheck, settings


def settled(examples: int) -> settings:
    """So many examples, drawn alike on every run, without a limit on their time."""
    return settings(
        max_examples=examples,
        derandomize=True,
        database=None,
        deadline=None,
        suppress_health_check=[HealthCheck.too_slow],
    )
