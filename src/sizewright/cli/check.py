"""`sizewright check`: what is wrong with a box that exists, and how far its load can grow."""

from __future__ import annotations

import click

from sizewright.check.rule_filter import RuleFilter
from sizewright.cli.also import also_by_option
from sizewright.cli.break_even import BREAK_EVEN, break_even_option, decided
from sizewright.cli.completing import files
from sizewright.cli.exits import Exit
from sizewright.cli.failed import FAILED, check_failures, failed_option
from sizewright.cli.inputs import checked
from sizewright.cli.options import (
    BORDERLINE,
    JSON,
    JUNIT,
    SARIF,
    Common,
    check_told,
    example,
    fail_on_option,
    reserve_option,
    selecting,
    shared_with,
)
from sizewright.cli.output import check_output, emit, emit_json, style_for
from sizewright.quantity import Quantity


@click.command("check", epilog=example("sizewright check box.yaml --severity advice"))
@click.argument("box", shell_complete=files)
@reserve_option
@fail_on_option
@break_even_option
@failed_option
@also_by_option
@selecting
@shared_with(SARIF, JUNIT)
@click.pass_context
def command(
    ctx: click.Context, common: Common, box: str, reserve: Quantity | None, fail_on: str,
    deciding: bool, gone: tuple[str, ...], also_by: tuple[str, ...], selection: RuleFilter,
) -> None:  # fmt: skip
    """Check an existing server (BOX) against the guide's rules and limits.

    BOX is a YAML file, or - for standard input. The exit code is 1 if a limit is not met, or if no
    rule could be checked. With --severity it is 1 also if advice or a note of at least that
    severity is not followed. With --failed it is 1 also if the server does not survive a failure.
    With --fail-on borderline it is 1 also if the verdict is borderline. Findings of other guides
    (--also-by) do not change the exit code.
    """
    common = common._replace(reserve=reserve)
    check_output(common.output)
    check_told(deciding, BREAK_EVEN, common.form)
    check_told(gone, FAILED, common.form)
    report = checked(common, box, selection, also_by)
    if deciding:
        budgets = report.check.judged.budgets
        report = report._replace(break_even=decided(budgets, report.policy.size_for))
    report = report._replace(failed=check_failures(report, gone))
    if common.form == JSON:
        from sizewright.output.checkform import check_data

        emit_json(check_data(report), common.output)
    elif common.form == SARIF:
        from sizewright.output.sarif import sarif_data

        emit_json(sarif_data(report), common.output)
    elif common.form == JUNIT:
        from sizewright.output.junit import junit_text

        emit(junit_text(report), common.output)
    else:
        from sizewright.output.check import check_text

        emit(check_text(report, style_for(common.output)), common.output)
    holds = report.holds and all(each.holds for each in report.failed)
    if fail_on == BORDERLINE:
        holds = holds and not report.borderline
    ctx.exit(Exit.HOLDS if holds else Exit.BROKEN)
