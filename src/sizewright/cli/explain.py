"""`sizewright explain`: every number of a plan's budgets, down to where it stands."""

from __future__ import annotations

import click

from sizewright.cli.exits import Exit
from sizewright.cli.inputs import End, planned
from sizewright.cli.options import JSON, Common, example, shared, size_for_option
from sizewright.cli.output import check_output, emit, emit_json, style_for


@click.command("explain", epilog=example("sizewright explain workload.yaml network/technical"))
@click.argument("workload")
@click.argument("resource", required=False, default="")
@size_for_option
@shared
@click.pass_context
def command(
    ctx: click.Context, common: Common, workload: str, resource: str, size_for: End | None
) -> None:
    """Unfold every number of a plan, down to its source.

    WORKLOAD is a YAML file, or - for standard input. RESOURCE is one budget, such as kernel_lock,
    or all of a kind, such as network.
    """
    check_output(common.output)
    report = planned(common, workload, size_for)
    if common.form == JSON:
        from sizewright.report.explainform import explain_data

        emit_json(explain_data(report, resource), common.output)
    else:
        from sizewright.report.explain import explain_text

        emit(explain_text(report, resource, style_for(common.output)), common.output)
    ctx.exit(Exit.HOLDS if report.plan.holds else Exit.BROKEN)
