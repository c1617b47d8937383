"""`sizewright explain`: every number of a plan's budgets, down to where it stands."""

from __future__ import annotations

import click

from sizewright.cli.completing import files
from sizewright.cli.exits import Exit
from sizewright.cli.inputs import End, planned
from sizewright.cli.options import (
    JSON,
    MARKDOWN,
    Common,
    example,
    shared_with,
    size_for_option,
    systems_option,
)
from sizewright.cli.output import check_output, emit, emit_json, style_for


@click.command("explain", epilog=example("sizewright explain workload.yaml network/technical"))
@click.argument("workload", shell_complete=files)
@click.argument("resource", required=False, default="")
@size_for_option
@systems_option
@shared_with(MARKDOWN)
@click.pass_context
def command(
    ctx: click.Context, common: Common, workload: str, resource: str, size_for: End | None,
    systems: int | None,
) -> None:  # fmt: skip
    """Trace each number of a plan to its source.

    WORKLOAD is a YAML file, or - for standard input. RESOURCE is one budget, such as kernel_lock,
    all budgets of a kind, such as network, or one of two systems, such as alternate.
    """
    check_output(common.output)
    report = planned(common, workload, size_for, systems=systems)
    if common.form == JSON:
        from sizewright.output.explainform import explain_data

        emit_json(explain_data(report, resource), common.output)
    elif common.form == MARKDOWN:
        from sizewright.output.explain import explain_markdown

        emit(explain_markdown(report, resource), common.output)
    else:
        from sizewright.output.explain import explain_text

        emit(explain_text(report, resource, style_for(common.output)), common.output)
    ctx.exit(Exit.HOLDS if report.plan.holds else Exit.BROKEN)
