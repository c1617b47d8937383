"""`sizewright check`: an existing server against the rules and limits of a guide."""

from __future__ import annotations

import click

from sizewright.api import report_check
from sizewright.check.rule_filter import RuleFilter
from sizewright.cli.completion import complete_file
from sizewright.cli.exits import Exit
from sizewright.cli.inputs import box_of, engine_of, load_document, other_engines
from sizewright.cli.options import (
    ALSO_BY,
    BORDERLINE,
    BREAK_EVEN,
    FAILED,
    JSON,
    JUNIT,
    SARIF,
    Common,
    also_by_option,
    break_even_option,
    check_form,
    example,
    fail_on_option,
    failed_option,
    reserve_option,
    selecting,
    shared,
)
from sizewright.cli.output import check_output, emit, emit_json, style_for


@click.command("check", epilog=example("sizewright check box.yaml --severity advice"))
@click.argument("box", shell_complete=complete_file)
@reserve_option
@fail_on_option
@break_even_option
@failed_option
@also_by_option
@selecting
@shared(SARIF, JUNIT)
@click.pass_context
def check_command(
    ctx: click.Context, common: Common, box: str, fail_on: str, break_even: bool,
    failed: tuple[str, ...], also_by: tuple[str, ...], selection: RuleFilter,
) -> None:  # fmt: skip
    """Check an existing server (BOX) against the guide's rules and limits.

    BOX is a YAML file, or - for standard input. The exit code is 1 if a limit is not met, or if no
    rule could be checked. With --severity it is 1 also if advice or a note of at least that
    severity is not followed. With --failed it is 1 also if the server does not survive a failure.
    With --fail-on borderline it is 1 also if the verdict is borderline. Findings of other guides
    (--also-by) do not change the exit code.
    """
    check_output(common.output)
    check_form(break_even, BREAK_EVEN, common.form)
    check_form(failed, FAILED, common.form)
    document = load_document(box)
    asked, engine = box_of(common, document), engine_of(common, document)
    report = report_check(
        asked, document, engine, selection=selection, break_even=break_even, failed=failed,
        others=other_engines(common, also_by, engine.guide.id, ALSO_BY),
    )  # fmt: skip
    if common.form == JSON:
        from sizewright.output.json.check import check_data

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
    passed = report.holds and all(each.holds for each in report.failed)
    if fail_on == BORDERLINE:
        passed = passed and not report.borderline
    ctx.exit(Exit.PASS if passed else Exit.FAIL)
