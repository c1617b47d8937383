"""`sizewright man`: the manual page."""

from __future__ import annotations

from pathlib import Path

import click

from sizewright import __version__
from sizewright.cli.options import example, output_option
from sizewright.cli.output import check_output, emit


@click.command("man", epilog=example("sizewright man | man -l -"))
@output_option
def command(output: Path | None) -> None:
    """Print the manual page, with every command and option.

    To install it: sizewright man -o ~/.local/share/man/man1/sizewright.1
    """
    from sizewright.cli.main import main
    from sizewright.cli.manpage import man_page

    check_output(output)
    emit(man_page(main, "sizewright", __version__), output)
