"""Commands that write a file: `new`, `schema`, `completion` and `man`."""

from __future__ import annotations

from collections.abc import Iterator
from functools import reduce
from operator import or_
from pathlib import Path
from typing import TYPE_CHECKING

import click

from sizewright import __version__
from sizewright.cli.options import NameChoice, example, output_option
from sizewright.cli.output import check_output, emit, emit_json, load
from sizewright.errors import Location, refusal

if TYPE_CHECKING:
    from sizewright.schema.model import JsonSchema

# The folder `starting` has a file of each of these names.
STARTING_FILES = ("nfs", "database", "mixed", "box")
_FOLDER = Path(__file__).resolve().parent.parent / "starting"

WORKLOAD, BOX, TABLE, RULE = "workload", "box", "table", "rule"
SCHEMAS = (WORKLOAD, BOX, TABLE, RULE)
# The models of input files, that of a rule apart; a table of an overlay may leave things out.
_SHAPES = {
    WORKLOAD: ("workload.workload:Workload",),
    BOX: ("box.schema:Box",),
    TABLE: ("guide.files:TableFile", "guide.files:GuideFile"),
}
_CHANGES = ("guide.files:TableChange", "guide.files:NewTable", "guide.files:PriceFile")
# The records of the results that --format json prints; `across` is `compare --guides`.
_RECORDS = {
    "plan": "output.json.plan:Plan", "check": "output.json.check:Check",
    "explain": "output.json.explain:Explanation", "compare": "compare.plans:Comparison",
    "across": "compare.guides:Across", "diff": "diff.model:Difference",
}  # fmt: skip
RESULTS = tuple(_RECORDS)
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

    nfs, database and mixed (files, sessions, mail, printers) are workloads for plan; box is a
    server for check. Each file is complete: edit its numbers.
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
    "schema", epilog=example(f"sizewright schema workload -o workload.schema.json\n\n{_FIRST_LINE}")
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
    from sizewright.output.json.common import record_schema
    from sizewright.rules.examples import rule_schema
    from sizewright.schema.jsonschema import json_schema

    if kind == RULE:
        return rule_schema(partial)
    if kind in _RECORDS:
        return record_schema(load(_RECORDS[kind]))
    shapes = _CHANGES if partial else _SHAPES[kind]
    return json_schema(reduce(or_, map(load, shapes)))


SHELLS = ("bash", "zsh", "fish")
PROGRAM = "sizewright"
VARIABLE = "_SIZEWRIGHT_COMPLETE"
_EXAMPLES = "sizewright completion bash >> ~/.bashrc\n  sizewright completion zsh >> ~/.zshrc"
_VERBATIM = "\b"
_HIDDEN = "\f"
_SECTION = "1"


@click.command("completion", epilog=example(_EXAMPLES))
@click.argument("shell", type=NameChoice(SHELLS))
@output_option
def completion_command(shell: str, output: Path | None) -> None:
    """Print the script that completes in a shell.

    It completes commands, options, files, and the names of a guide's tables, rows and rules. For
    fish, write it to ~/.config/fish/completions/sizewright.fish.
    """
    check_output(output)
    emit(completion_script(shell), output)


def completion_script(shell: str) -> str:
    """The script for a shell; it does not depend on the version that is installed."""
    from click.shell_completion import ShellComplete, get_completion_class

    from sizewright.cli.main import main

    kind = get_completion_class(shell)
    assert kind is not None
    # The method of the class itself would start a shell to ask for its version.
    return ShellComplete.source(kind(main, {}, PROGRAM, VARIABLE))


@click.command("man", epilog=example("sizewright man | man -l -"))
@output_option
def man_command(output: Path | None) -> None:
    """Print the manual page, with every command and option.

    To install it: sizewright man -o ~/.local/share/man/man1/sizewright.1
    """
    from sizewright.cli.main import main

    check_output(output)
    emit(man_page(main, PROGRAM, __version__), output)


def man_page(main: click.Group, name: str, version: str) -> str:
    """One page in roff, with every command and every option."""
    context = main.context_class(main, info_name=name, **main.context_settings)
    short, *more = _split_paragraphs(main.help or "")
    lines = [
        f'.TH {name.upper()} {_SECTION} "" "{_escape(f"{name} {version}")}"',
        ".SH NAME",
        f"{_escape(name)} \\- {_escape(_to_phrase(short))}",
        ".SH SYNOPSIS",
        f".B {_escape(name)}",
        _escape(" ".join(main.collect_usage_pieces(context))),
        *([".SH DESCRIPTION", *_format_paragraphs(more)] if more else []),
        ".SH OPTIONS",
        *_format_options(main, context),
        ".SH COMMANDS",
        *(line for command in _commands(main, context) for line in _format_command(command)),
        ".SH EXAMPLE AND EXIT STATUS",
        *_format_paragraphs(_split_paragraphs(main.epilog or "")),
    ]
    return "\n".join(lines) + "\n"


def _commands(group: click.Group, context: click.Context) -> Iterator[click.Context]:
    """Every command that runs; for a group, those in it."""
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        if command is None or command.hidden:
            continue
        below = click.Context(command, info_name=name, parent=context)
        if isinstance(command, click.Group):
            yield from _commands(command, below)
        else:
            yield below


def _format_command(context: click.Context) -> Iterator[str]:
    command = context.command
    pieces = " ".join((context.command_path, *command.collect_usage_pieces(context)))
    yield f".SS {_escape(pieces)}"
    yield from _format_paragraphs(_split_paragraphs(command.help or ""))
    yield from _format_options(command, context)
    yield from _format_paragraphs(_split_paragraphs(command.epilog or ""))


def _format_options(command: click.Command, context: click.Context) -> Iterator[str]:
    for param in command.get_params(context):
        record = param.get_help_record(context)
        # The text of the command describes its arguments.
        if record is not None and isinstance(param, click.Option):
            names, meaning = record
            yield ".TP"
            yield f"\\fB{_escape(names)}\\fR"
            yield _escape(meaning)


def _split_paragraphs(text: str) -> list[str]:
    return [part for part in text.partition(_HIDDEN)[0].split("\n\n") if part.strip()]


def _format_paragraphs(paragraphs: list[str]) -> Iterator[str]:
    """Paragraphs in roff; one that is marked as verbatim keeps its lines."""
    for paragraph in paragraphs:
        yield ".PP"
        if paragraph.startswith(_VERBATIM):
            yield ".nf"
            yield from map(_escape, paragraph.removeprefix(_VERBATIM).strip("\n").split("\n"))
            yield ".fi"
        else:
            yield _escape(" ".join(paragraph.split()))


def _to_phrase(text: str) -> str:
    """A sentence as the list of all pages shows it: without a capital and a full stop."""
    joined = " ".join(text.split()).removesuffix(".")
    return joined[:1].lower() + joined[1:]


def _escape(text: str) -> str:
    """Text without meaning in roff; a hyphen can still be copied as one."""
    escaped = text.replace("\\", "\\e").replace("-", "\\-").replace('"', "\\(dq")
    plain = "".join(c if c.isascii() else f"\\[u{ord(c):04X}]" for c in escaped)
    return f"\\&{plain}" if plain.startswith((".", "'")) else plain
