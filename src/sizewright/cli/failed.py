"""The option that takes parts away, for the commands that judge a system."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

import click

from sizewright.errors import Diagnostic, InputError, Location, did_you_mean, join_or, shown

if TYPE_CHECKING:
    from sizewright.output.reports import CheckReport, PlanReport
    from sizewright.planner.failure import Failure

FAILED = "--failed"

failed_option = click.option(
    FAILED, "gone", multiple=True, metavar="COMPONENT",
    help="Show the effect of the failure of a disk, channel, board, network or system. "
    "Repeatable: each failure is evaluated alone.",
)  # fmt: skip


def plan_failures(report: PlanReport, gone: tuple[str, ...]) -> tuple[Failure, ...]:
    """What a plan is without each of the parts; none where no plan was found.

    Raises InputFaults for a part that is not there.
    """
    plan = report.plan
    if not gone or plan.chosen is None:
        return ()
    from sizewright.planner.failing import plan_components, plan_failure
    from sizewright.rules.compiler import compile_rules

    _check_names(gone, plan_components(plan))
    book = compile_rules(plan.guide, plan.policy.parameters).only(rule.id for rule in plan.rules)
    return tuple(plan_failure(plan, name, book) for name in gone)


def check_failures(report: CheckReport, gone: tuple[str, ...]) -> tuple[Failure, ...]:
    """What a box is without each of the parts; raises InputFaults for one that is not there."""
    if not gone:
        return ()
    from sizewright.check.failing import box_failure
    from sizewright.configuration.components import components
    from sizewright.rules.compiler import compile_rules

    check, policy = report.check, report.policy
    _check_names(gone, components(check.judged.system))
    book = compile_rules(check.guide, policy.parameters).judging("box")
    return tuple(box_failure(check, name, book, policy) for name in gone)


def _check_names(gone: Iterable[str], known: Iterable[str]) -> None:
    names = tuple(known)
    short = [one for one in names if "/" not in one or one.rpartition("/")[2] not in names]
    faults = []
    for name in dict.fromkeys(gone):
        if name in names:
            continue
        alike = [one for one in names if one.rpartition("/")[2] == name]
        what = "both systems have a part" if alike else "there is no part"
        expected = f"one of {join_or(alike or short)}" if names else "a part of the system"
        hint = "" if alike else did_you_mean(name, names)
        faults.append(Diagnostic(Location(FAILED), f"{what} {shown(name)}", expected, hint))
    if faults:
        raise InputError(faults)
