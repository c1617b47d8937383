"""`sizewright new` and `sizewright schema`: a file to start from, and what files contain."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from sizewright.cli.options import NameChoice, example, output_option
from sizewright.cli.output import check_output, emit, emit_json
from sizewright.errors import Location, refusal

if TYPE_CHECKING:
    from sizewright.output.json.record import Record
    from sizewright.schema.model import JsonSchema

# The folder `starting` has a file of each of these names.
STARTING_FILES = ("nfs", "database", "mixed", "box")
_FOLDER = Path(__file__).resolve().parent.parent / "starting"

WORKLOAD, BOX, TABLE, RULE = "workload", "box", "table", "rule"
SCHEMAS = (WORKLOAD, BOX, TABLE, RULE)
# The results that --format json prints; `across` is `compare --guides`.
RESULTS = ("plan", "check", "explain", "compare", "across", "diff")
_OF_A_GUIDE = (TABLE, RULE)
_PARTIAL = "--for-overlay"
_FIRST_LINE = (
    "\b\nFirst line of a workload:\n  # yaml-language-server: $schema=workload.schema.json"
)


@click.command("new", epilog=example("sizewright new nfs -o workload.yaml"))
@click.argument("kind", type=NameChoice(STARTING_FILES))
@output_option
@click.option("--force", is_flag=True, help="Overwrite FILE if it exists.")
def new_command(kind: str, output: Path | None, force: bool) -> None:
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


@click.command(
    "schema",
    epilog=example(f"sizewright schema workload -o workload.schema.json\n\n{_FIRST_LINE}"),
)
@click.argument("kind", type=NameChoice((*SCHEMAS, *RESULTS)))
@click.option(
    _PARTIAL, "partial", is_flag=True,
    help="For a table or rule in an overlay, which may leave out what the guide states.",
)  # fmt: skip
@output_option
def schema_command(kind: str, partial: bool, output: Path | None) -> None:
    """Print the JSON Schema of an input file or of a result.

    Many editors use it to complete and check each YAML file whose first line names it. For a result
    (plan, check, explain, compare, across, diff) it describes the output of --format json; across
    is compare with --guides.
    """
    check_output(output)
    if partial and kind not in _OF_A_GUIDE:
        raise click.UsageError(f"{_PARTIAL} is for {' and '.join(_OF_A_GUIDE)}")
    emit_json(schema_of(kind, partial), output)


def schema_of(kind: str, partial: bool = False) -> JsonSchema:
    """Return the schema of a kind of input file or of a result; a `partial` one is for overlays."""
    if kind in RESULTS:
        from sizewright.output.json.record import record_schema

        return record_schema(_record(kind))
    from sizewright.schema.jsonschema import json_schema

    if kind == TABLE:
        from sizewright.guide.files import GuideFile, NewTable, TableChange, TableFile

        return json_schema(TableChange | NewTable if partial else TableFile | GuideFile)
    if kind == RULE:
        from sizewright.rules.jsonschema import rule_schema

        return rule_schema(partial)
    if kind == BOX:
        from sizewright.box.schema import Box

        return json_schema(Box)
    from sizewright.workload.workload import Workload

    return json_schema(Workload)


def _record(kind: str) -> type[Record]:
    """Return the record of a result."""
    from sizewright.compare.json import Across, Comparison
    from sizewright.diff.json import Difference
    from sizewright.output.json.check import Check
    from sizewright.output.json.explain import Explanation
    from sizewright.output.json.plan import Plan

    records: dict[str, type[Record]] = {
        "plan": Plan, "check": Check, "explain": Explanation, "compare": Comparison,
        "across": Across, "diff": Difference,
    }  # fmt: skip
    return records[kind]
