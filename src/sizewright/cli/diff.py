"""`sizewright diff`: what moved between two plans, and what moved it."""

from __future__ import annotations

import click

from sizewright.cli.completing import files
from sizewright.cli.exits import Exit
from sizewright.cli.inputs import End
from sizewright.cli.options import (
    JSON,
    Common,
    example,
    shared,
    size_for_option,
    systems_option,
)
from sizewright.cli.output import check_output, emit, emit_json, style_for
from sizewright.cli.planfiles import input_once, plans_of


@click.command("diff", epilog=example("sizewright diff plan.json workload.yaml"))
@click.argument("before", shell_complete=files)
@click.argument("after", shell_complete=files)
@size_for_option
@systems_option
@shared
@click.pass_context
def command(
    ctx: click.Context, common: Common, before: str, after: str, size_for: End | None,
    systems: int | None,
) -> None:  # fmt: skip
    """Show what changed from plan BEFORE to plan AFTER, and why.

    Each is a plan written by sizewright plan --format json, a workload file, which is planned
    now, or - for standard input. The other options apply to workload files only. The exit code is
    1 if the plans differ. Inputs that differ but change no result are not a difference.
    """
    from sizewright.diff.changes import difference

    check_output(common.output)
    names = (before, after)
    input_once(names)
    first, second = plans_of(common, names, size_for, systems)
    found = difference(first, second, names)
    if common.form == JSON:
        from sizewright.diff.form import difference_data

        emit_json(difference_data(found), common.output)
    else:
        from sizewright.diff.text import difference_text

        emit(difference_text(found, style_for(common.output)), common.output)
    ctx.exit(Exit.HOLDS if found.same else Exit.BROKEN)
