"""`sizewright schema`: what input files may hold, for editors that complete and check them."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from sizewright.cli.named import Named
from sizewright.cli.options import example, output_option
from sizewright.cli.output import check_output, emit_json

if TYPE_CHECKING:
    from sizewright.schema.model import JsonSchema

WORKLOAD, BOX, TABLE, RULE = "workload", "box", "table", "rule"
KINDS = (WORKLOAD, BOX, TABLE, RULE)
_OF_A_GUIDE = (TABLE, RULE)
_PARTIAL = "--for-overlay"
_FIRST_LINE = (
    "\b\nFirst line of a workload:\n  # yaml-language-server: $schema=workload.schema.json"
)


@click.command(
    "schema",
    epilog=example(f"sizewright schema workload -o workload.schema.json\n\n{_FIRST_LINE}"),
)
@click.argument("kind", type=Named(KINDS))
@click.option(
    _PARTIAL, "partial", is_flag=True,
    help="For a table or rule in an overlay, which may leave out what the guide states.",
)  # fmt: skip
@output_option
def command(kind: str, partial: bool, output: Path | None) -> None:
    """Print the JSON Schema of an input file.

    Many editors use it to complete and check each YAML file whose first line names it.
    """
    check_output(output)
    if partial and kind not in _OF_A_GUIDE:
        raise click.UsageError(f"{_PARTIAL} is for {' and '.join(_OF_A_GUIDE)}")
    emit_json(schema_of(kind, partial), output)


def schema_of(kind: str, partial: bool = False) -> JsonSchema:
    """The schema of a kind of file."""
    if kind == TABLE:
        from sizewright.guide.jsonschema import table_schema

        return table_schema(partial)
    if kind == RULE:
        from sizewright.rules.jsonschema import rule_schema

        return rule_schema(partial)
    from sizewright.schema.jsonschema import json_schema

    if kind == BOX:
        from sizewright.box.schema import Box

        return json_schema(Box)
    from sizewright.workload import Workload

    return json_schema(Workload)
