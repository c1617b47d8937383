"""Commands `check` and `explain`: an existing server, and the arithmetic of a plan or a check."""

from __future__ import annotations

from functools import partial

import click

from sizewright.api import report_check, report_plan
from sizewright.check.rule_filter import RuleFilter
from sizewright.cli import options as option
from sizewright.cli.exits import Exit
from sizewright.cli.inputs import (
    box_of,
    engine_of,
    is_box,
    load_document,
    other_engines,
    read_stdin_once,
    workload_of,
)
from sizewright.cli.options import Common
from sizewright.cli.output import check_output, emit, style_for, write_form
from sizewright.errors import Location, collect_errors, refusal
from sizewright.output.reports import CheckReport, PlanReport

_CHECK_FORMS = {
    "json": "json.check:check_data", "sarif": "exchange:sarif_data", "junit": "exchange:junit_text",
}  # fmt: skip


@click.command("check", epilog=option.example("sizewright check box.yaml --severity advice"))
@click.argument(
    "boxes", metavar="BOX...", nargs=-1, required=True, shell_complete=option.complete_file
)
@option.reserve_option
@option.date_option
@option.fail_on_option
@option.break_even_option
@option.failed_option
@option.also_by_option
@option.full_option
@option.all_missing_option
@option.selecting
@option.shared(option.SARIF, option.JUNIT)
@click.pass_context
def check_command(
    ctx: click.Context, common: Common, boxes: tuple[str, ...], fail_on: tuple[str, ...],
    break_even: bool, failed: tuple[str, ...], also_by: tuple[str, ...], full: bool,
    all_missing: bool, selection: RuleFilter,
) -> None:  # fmt: skip
    """Check an existing server (BOX) against the guide's rules and limits.

    BOX is a YAML file, or - for standard input. Several have a line each (text only), and the
    exit code is that of the worst; --full, --break-even, --failed and --also-by give the whole
    report of each. The exit code is 1 if a limit is not met, or if there is
    not enough data: fewer than two of processors, memory, disks and networks have a known load.
    With --severity it is 1 also if advice or a note of at least that severity is not followed. With
    --failed it is 1 also if the server does not survive a failure. With --fail-on it is 1 also if
    the verdict is borderline, if a limit could not be checked, or if advice is not followed.
    Findings of other guides (--also-by) do not change the exit code.
    """
    check_output(common.output)
    option.check_form(break_even, option.BREAK_EVEN, common.form, option.TEXT, option.JSON)
    option.check_form(failed, option.FAILED, common.form, option.TEXT, option.JSON)
    if len(boxes) > 1 and common.form != option.TEXT:
        what = f"--format {common.form} reports one box"
        raise refusal(Location("BOX"), what, f"one file, or --format {option.TEXT}")
    read_stdin_once(*boxes)
    with collect_errors() as errors:
        documents = errors.for_each(load_document, boxes)
    with collect_errors() as errors:
        asked = errors.for_each(partial(box_of, common), documents)
    reports = []
    for document, box in zip(documents, asked, strict=True):
        engine = engine_of(common, document)
        reports.append(report_check(
            box, document, engine, selection=selection, break_even=break_even, failed=failed,
            others=other_engines(common, also_by, engine.guide.id, option.ALSO_BY),
        ))  # fmt: skip
    in_full = full or break_even or all_missing or bool(failed or also_by) or len(reports) == 1
    if common.form != option.TEXT:
        write_form(common, _CHECK_FORMS, reports[0])
    else:
        from sizewright.output.check import check_text, checks_text

        style = style_for(common.output)
        texts = (check_text(report, style, all_missing) for report in reports)
        emit("\n".join(texts) if in_full else checks_text(reports, style), common.output)
    passed = all(report.holds for report in reports)
    judged = [(bool(report.borderline), report.check.findings) for report in reports]
    failures = [failure for report in reports for failure in report.failed]
    ctx.exit(option.exit_of(passed, judged, failures, fail_on))


_EXPLAIN_FORMS = {
    "text": "explain:explain_text", "json": "json.explain:explain_data",
    "markdown": "explain:explain_markdown",
}  # fmt: skip


@click.command("explain", epilog=option.example('sizewright explain box.yaml "Rule VII"'))
@click.argument("file", shell_complete=option.complete_file)
@click.argument("wanted", metavar="[NAME]", required=False, default="")
@option.set_option
@option.size_for_option
@click.option(
    "--end",
    type=click.Choice(option.ENDS),
    help="End of each range whose arithmetic is shown (default: the one that is sized for).",
)
@option.date_option
@option.systems_option
@option.shared(option.MARKDOWN)
@click.pass_context
def explain_command(
    ctx: click.Context,
    common: Common,
    file: str,
    wanted: str,
    assignments: tuple[str, ...],
    end: str | None,
) -> None:
    """Trace each number of a plan or of a check to its source.

    FILE is a workload or a box file, or - for standard input. NAME is one budget, such as
    kernel_lock; all budgets of a kind, such as network; one of two systems, such as alternate; the
    findings of a rule, such as "Rule VII" or "VII on esp0"; or the budgets and findings of a part,
    such as sd1. Without it all budgets are traced.
    """
    check_output(common.output)
    document = load_document(file, assignments)
    report: PlanReport | CheckReport
    if is_box(document):
        if common.systems is not None:
            raise refusal(Location("--systems"), "has no meaning for a server", "a workload")
        box = box_of(common, document)
        report = report_check(box, document, engine_of(common, document))
        passed = report.holds
    else:
        asked = workload_of(common, document)
        engine = engine_of(common, document)
        report = report_plan(asked, document, engine, systems=common.systems)
        passed = report.plan.holds
    write_form(common, _EXPLAIN_FORMS, report, wanted, end)
    ctx.exit(Exit.PASS if passed else Exit.FAIL)
