"""The option that tells what a long search is at; on a terminal only, and gone when it ends."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager

import click

from sizewright.errors import printable
from sizewright.planner.watch import Watch, unwatched

# Back to the beginning of the line, and what stands there wiped out.
_AFRESH = "\r\x1b[K"

verbose_option = click.option(
    "--verbose", is_flag=True, help="Show progress on standard error if it is a terminal."
)


@contextmanager
def progress(verbose: bool) -> Iterator[Watch]:
    """Whom to tell what is being tried: one line of the terminal, if it is wanted and there."""
    if not verbose or not sys.stderr.isatty():
        yield unwatched
        return
    try:
        yield _tell
    finally:
        click.echo(_AFRESH, err=True, nl=False)


def _tell(doing: str) -> None:
    click.echo(f"{_AFRESH}{printable(doing)} …", err=True, nl=False)
