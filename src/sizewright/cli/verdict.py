"""The exit code of plans and checks: what passes, and what --fail-on lets fail."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from sizewright.cli import options as option
from sizewright.cli.exits import Exit
from sizewright.rules.rule import LIMITS, Finding

if TYPE_CHECKING:
    from sizewright.failure import Failure


def exit_of(
    passed: bool,
    judged: Iterable[tuple[bool, Iterable[Finding]]],
    failed: Iterable[Failure],
    fail_on: tuple[str, ...],
) -> Exit:
    """Return the exit code of a plan or of checks that have `passed` their own limits or not.

    `judged` are the systems: whether each is borderline, and its findings; `failed` are failures.
    """
    for borderline, findings in judged:
        passed = passed and not (borderline and option.BORDERLINE in fail_on)
        passed = passed and not _counts(findings, fail_on)
    for failure in failed:
        passed = passed and failure.holds
        passed = passed and not (failure.borderline and option.BORDERLINE in fail_on)
    return Exit.PASS if passed else Exit.FAIL


def _counts(findings: Iterable[Finding], fail_on: tuple[str, ...]) -> bool:
    """Whether a limit could not be checked, or advice is not followed, if that is to fail."""
    return any(
        (option.UNKNOWN in fail_on and found.verdict == "unknown" and found.severity in LIMITS)
        or (option.ADVICE in fail_on and found.verdict == "violated" and found.severity == "advice")
        for found in findings
    )
