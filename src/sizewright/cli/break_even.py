"""The option that asks for what decides, for the commands that judge a system."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

import click

from sizewright.cli.options import JSON, TEXT
from sizewright.errors import Fault, InputFaults, Place

if TYPE_CHECKING:
    from sizewright.budgets.model import Budget
    from sizewright.decide.break_even import BreakEven

_OPTION = "--break-even"

break_even_option = click.option(
    _OPTION, "deciding", is_flag=True,
    help="Tell for each figure the value at which a verdict flips.",
)  # fmt: skip


def check_form(deciding: bool, form: str) -> None:
    """Refuse a form that has no place for it; raises InputFaults."""
    if deciding and form not in (TEXT, JSON):
        what, expected = f"is not told by --format {form}", f"--format {TEXT} or {JSON}"
        raise InputFaults([Fault(Place(_OPTION), what, expected)])


def decided(budgets: Iterable[Budget], end: str) -> BreakEven:
    """What decides over budgets; only who asks pays for the import."""
    from sizewright.decide.break_even import break_even

    return break_even(budgets, end)
