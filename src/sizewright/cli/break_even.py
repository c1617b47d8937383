"""The option that asks for what decides, for the commands that judge a system."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from sizewright.evaluate.budgets import Budget
    from sizewright.sensitivity.thresholds import BreakEven

BREAK_EVEN = "--break-even"

break_even_option = click.option(
    BREAK_EVEN, "deciding", is_flag=True,
    help="Show how far each input can change before a verdict changes.",
)  # fmt: skip


def decided(budgets: Iterable[Budget], end: str) -> BreakEven:
    """What decides over budgets; only who asks pays for the import."""
    from sizewright.sensitivity.thresholds import break_even

    return break_even(budgets, end)
