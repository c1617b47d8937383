"""Every command with its options, and what its exit code says."""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator

import click

from sitebuild.markdown import block, plain, table
from sizewright.cli.exits import Exit
from sizewright.cli.main import main

_NAME = "sizewright"
_WIDTH = 80
_COMMENTED = re.compile(r"((?:[ ]*#: .*\n)+)[ ]*(\w+) = ")


def commands_page() -> str:
    """The help of every command, as it prints it."""
    parts = ["# Commands\n", "What `--help` prints, command by command.\n"]
    context = main.context_class(main, info_name=_NAME, **main.context_settings)
    for below in _commands(context):
        below.terminal_width = below.max_content_width = _WIDTH
        parts += [f"## {below.command_path}\n", block("text", below.command.get_help(below))]
    return "\n".join(parts)


def _commands(context: click.Context) -> Iterator[click.Context]:
    yield context
    group = context.command
    if isinstance(group, click.Group):
        for name in group.list_commands(context):
            command = group.get_command(context, name)
            if command is not None and not command.hidden:
                settings = command.context_settings
                yield from _commands(
                    click.Context(command, info_name=name, parent=context, **settings)
                )


def exits_page() -> str:
    """Every exit code with the comment that stands above it in the source."""
    said = {
        name: " ".join(line.strip().removeprefix("#: ") for line in lines.splitlines())
        for lines, name in _COMMENTED.findall(inspect.getsource(Exit))
    }
    rows = ((str(code.value), plain(said[code.name])) for code in Exit)
    return (
        "# Exit codes\n\nOf every command. Results go to standard output, all else to standard "
        "error.\n\n" + table(("code", "meaning"), rows)
    )
