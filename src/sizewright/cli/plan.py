"""`sizewright plan`: the smallest configuration that carries a workload."""

from __future__ import annotations

import click

from sizewright.cli.exits import Exit
from sizewright.cli.inputs import End, planned
from sizewright.cli.options import JSON, Common, example, shared, size_for_option
from sizewright.cli.output import check_output, emit, emit_json, style_for


@click.command("plan", epilog=example("sizewright plan workload.yaml --size-for likely"))
@click.argument("workload")
@size_for_option
@shared
@click.pass_context
def command(ctx: click.Context, common: Common, workload: str, size_for: End | None) -> None:
    """Find the smallest machine that carries WORKLOAD, and say why.

    WORKLOAD is a YAML file, or - for standard input.
    """
    check_output(common.output)
    report = planned(common, workload, size_for)
    if common.form == JSON:
        from sizewright.report.jsonform import plan_data

        emit_json(plan_data(report), common.output)
    else:
        from sizewright.report.text import plan_text

        emit(plan_text(report, style_for(common.output)), common.output)
    ctx.exit(Exit.HOLDS if report.plan.holds else Exit.BROKEN)
