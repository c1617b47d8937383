"""`sizewright plan`: the smallest configuration that carries a workload."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from sizewright.check.select import Selection
from sizewright.cli.exits import Exit
from sizewright.cli.inputs import End, planned
from sizewright.cli.options import (
    JSON,
    YAML,
    Common,
    example,
    selecting,
    shared_with,
    size_for_option,
)
from sizewright.cli.output import check_output, emit, emit_json, style_for
from sizewright.errors import printable

if TYPE_CHECKING:
    from sizewright.report.model import PlanReport


@click.command("plan", epilog=example("sizewright plan workload.yaml --size-for likely"))
@click.argument("workload")
@size_for_option
@selecting
@shared_with(YAML)
@click.pass_context
def command(
    ctx: click.Context, common: Common, workload: str, size_for: End | None, selection: Selection
) -> None:
    """Find the smallest machine that carries WORKLOAD, and say why.

    WORKLOAD is a YAML file, or - for standard input. --rule, --ignore and --severity choose which
    findings are reported; the plan keeps to every rule that the workload's policy does not waive.
    """
    check_output(common.output)
    report = planned(common, workload, size_for, selection)
    if common.form == JSON:
        from sizewright.report.jsonform import plan_data

        emit_json(plan_data(report), common.output)
    elif common.form == YAML:
        _emit_box(report, common.output)
    else:
        from sizewright.report.text import plan_text

        emit(plan_text(report, style_for(common.output)), common.output)
    ctx.exit(Exit.HOLDS if report.plan.holds else Exit.BROKEN)


def _emit_box(report: PlanReport, output: Path | None) -> None:
    """Write the configuration as a box file; a nearest miss is none to be built."""
    from sizewright.report.boxform import box_text

    chosen = report.plan.chosen
    if chosen is None:
        click.echo(
            f"sizewright: no machine on offer carries {printable(report.workload)}, so no box file "
            "is written\n  --format text tells what was tried and what comes nearest",
            err=True,
        )
    else:
        emit(box_text(report, chosen), output)
