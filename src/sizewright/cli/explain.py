"""Command `explain`: the arithmetic of a plan or of a check."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from sizewright.api import report_check, report_plan
from sizewright.cli import options as option
from sizewright.cli.completion import complete_file
from sizewright.cli.exits import Exit
from sizewright.cli.inputs import (
    box_of,
    engine_of,
    is_box,
    load_document,
    workload_of,
)
from sizewright.cli.options import Common, End, example, shared
from sizewright.cli.output import check_output, write_form
from sizewright.errors import Location, refusal

if TYPE_CHECKING:
    from sizewright.output.reports import CheckReport, PlanReport

_EXPLAIN_FORMS = {
    "text": "explain:explain_text", "json": "json.explain:explain_data",
    "markdown": "explain:explain_markdown",
}  # fmt: skip


@click.command("explain", epilog=example('sizewright explain box.yaml "Rule VII"'))
@click.argument("file", shell_complete=complete_file)
@click.argument("wanted", metavar="[NAME]", required=False, default="")
@option.set_option
@option.size_for_option
@option.date_option
@option.systems_option
@shared(option.MARKDOWN)
@click.pass_context
def explain_command(
    ctx: click.Context, common: Common, file: str, wanted: str, assignments: tuple[str, ...],
    size_for: End | None, systems: int | None,
) -> None:  # fmt: skip
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
        if systems is not None:
            raise refusal(Location("--systems"), "has no meaning for a server", "a workload")
        box = box_of(common, document, size_for)
        report = report_check(box, document, engine_of(common, document))
        passed = report.holds
    else:
        asked = workload_of(common, document, size_for)
        report = report_plan(asked, document, engine_of(common, document), systems=systems)
        passed = report.plan.holds
    write_form(common, _EXPLAIN_FORMS, report, wanted)
    ctx.exit(Exit.PASS if passed else Exit.FAIL)
