"""`sizewright check`: what is wrong with a box that exists, and how far its load can grow."""

from __future__ import annotations

import click

from sizewright.cli.exits import Exit
from sizewright.cli.inputs import checked
from sizewright.cli.options import JSON, Common, example, shared
from sizewright.cli.output import check_output, emit, emit_json, style_for


@click.command("check", epilog=example("sizewright check box.yaml --severity advice"))
@click.argument("box")
@shared
@click.pass_context
def command(ctx: click.Context, common: Common, box: str) -> None:
    """Judge BOX, a machine that exists, by the rules and budgets of a plan.

    BOX is a YAML file, or - for standard input.
    """
    check_output(common.output)
    found = checked(common, box)
    if common.form == JSON:
        from sizewright.report.checkform import check_data

        emit_json(check_data(found), common.output)
    else:
        from sizewright.report.checktext import check_text

        emit(check_text(found, style_for(common.output)), common.output)
    ctx.exit(Exit.HOLDS if found.check.holds else Exit.BROKEN)
