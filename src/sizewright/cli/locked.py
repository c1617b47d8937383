"""The option that holds a plan against one that was written before, as a lock."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from sizewright.check.rule_filter import EVERYTHING
from sizewright.cli.completing import files
from sizewright.cli.planfiles import input_once, written
from sizewright.errors import printable

if TYPE_CHECKING:
    from sizewright.output.reports import PlanReport

locked_option = click.option(
    "--locked", "lock", metavar="FILE", shell_complete=files,
    help="Plan written by --format json. If today's plan differs, show what changed and write "
    "nothing.",
)  # fmt: skip


def read_lock(lock: str | None, workload: str) -> dict[str, Any] | None:
    """The plan of a lock file, if one is given; raises InputFaults where it is none."""
    if lock is None:
        return None
    from sizewright.diff.planfile import read_plan

    input_once((lock, workload))
    return read_plan(lock)


def keeps(lock: str | None, locked: dict[str, Any] | None, report: PlanReport) -> bool:
    """Whether a plan gives the answer that is locked; says so, or what moved, on stderr."""
    if lock is None or locked is None:
        return True
    from sizewright.diff.changes import difference
    from sizewright.diff.text import difference_text

    now = written(report._replace(selection=EVERYTHING))
    found = difference(locked, now, (lock, report.file))
    if found.same:
        click.echo(f"same as the lock {printable(lock)}", err=True)
        return True
    text = difference_text(found)
    click.echo(f"sizewright: differs from the lock {printable(lock)}\n\n{text}", err=True, nl=False)
    return False
