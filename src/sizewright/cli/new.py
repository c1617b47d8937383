"""`sizewright new`: a commented file to start from."""

from __future__ import annotations

from pathlib import Path

import click

from sizewright.cli.named import Named
from sizewright.cli.options import example, output_option
from sizewright.cli.output import check_output, emit
from sizewright.errors import Location, refusal

# The files of these names lie in the folder `starting`.
KINDS = ("nfs", "database", "mixed", "box")
_FOLDER = Path(__file__).resolve().parent.parent / "starting"


@click.command("new", epilog=example("sizewright new nfs -o workload.yaml"))
@click.argument("kind", type=Named(KINDS))
@output_option
@click.option("--force", is_flag=True, help="Overwrite FILE if it exists.")
def command(kind: str, output: Path | None, force: bool) -> None:
    """Write a commented file to start from.

    nfs, database and mixed are workloads for plan; box is a server for check. Each file is
    complete: edit its numbers.
    """
    check_output(output)
    if output is not None and output.exists() and not force:
        hint = "use --force to overwrite it"
        raise refusal(Location(str(output)), "exists", "the name of a new file", hint)
    emit(starting_file(kind), output)


def starting_file(kind: str) -> str:
    """The text of a starting file."""
    return (_FOLDER / f"{kind}.yaml").read_text(encoding="utf-8")
