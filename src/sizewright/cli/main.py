"""The `sizewright` command: its subcommands, loaded when asked for, and its error handling."""

from __future__ import annotations

import os
import sys
from typing import Any

import click

from sizewright import __version__
from sizewright.cli.exits import Exit
from sizewright.errors import InputError, nearest

# Each command with its module, in the order in which a user meets them.
COMMANDS = {
    "plan": "plan", "check": "check", "box": "box", "workload": "box", "explain": "check",
    "compare": "compare", "diff": "compare", "tables": "browse", "rules": "browse",
    "test": "browse", "new": "files", "schema": "files", "completion": "files", "man": "files",
}  # fmt: skip
SHOW_TRACEBACK = "SIZEWRIGHT_DEBUG"


def _is_stream_error(error: OSError) -> bool:
    """Whether an error comes from writing to a stream; errors of files name the file."""
    return error.errno is not None and error.filename is None


class LazyGroup(click.Group):
    """A group that imports the module of a command only when it is used."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Every command, in the order of COMMANDS."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command, from its module."""
        if cmd_name not in COMMANDS:
            return None
        from importlib import import_module

        module = import_module(f"sizewright.cli.{COMMANDS[cmd_name]}")
        command: click.Command = getattr(module, f"{cmd_name}_command")
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """The command that is named; the message on a wrong name suggests the nearest."""
        name = str(args[0])
        # Completion needs the possible names, not a message.
        known = name in COMMANDS or ctx.resilient_parsing
        if not known and not name.startswith("-"):
            near = nearest(name, COMMANDS)
            hint = f"did you mean '{near}'?" if near else f"one of {', '.join(COMMANDS)}"
            ctx.fail(f"there is no command '{name}'; {hint}")
        return super().resolve_command(ctx, args)

    def main(self, *args: Any, **extra: Any) -> Any:
        """Run; report it if standard output cannot be written."""
        try:
            return super().main(*args, **extra)
        except OSError as error:
            if not _is_stream_error(error):
                raise
            from sizewright.cli.output import report_unwritable_output

            report_unwritable_output(error)
            sys.exit(Exit.BAD_INPUT)

    def invoke(self, ctx: click.Context) -> Any:
        """Run; every error ends in a message and its exit code, never in a traceback."""
        try:
            return super().invoke(ctx)
        except InputError as faults:
            click.echo(faults.text(), err=True)
            ctx.exit(Exit.BAD_INPUT)
        except KeyboardInterrupt:
            ctx.exit(Exit.INTERRUPTED)
        except (click.ClickException, click.exceptions.Exit, click.Abort):
            raise
        except Exception as error:
            if isinstance(error, OSError) and _is_stream_error(error):
                raise
            if os.environ.get(SHOW_TRACEBACK):
                raise
            kind = type(error).__name__
            click.echo(
                f"sizewright: internal error: {kind}: {error}\n"
                f"  this is a bug in sizewright; {SHOW_TRACEBACK}=1 shows the traceback",
                err=True,
            )
            ctx.exit(Exit.INTERNAL_ERROR)


@click.command(
    cls=LazyGroup,
    context_settings={"help_option_names": ["-h", "--help"]},
    epilog="\b\nExample:\n  sizewright plan workload.yaml\n\nExit codes: 0 pass; 1 a limit is not "
    "met, no plan was found, or a value differs; 2 the input or the usage is wrong and nothing "
    "was written, or the output cannot be written.",
)
@click.version_option(__version__, "--version", prog_name="sizewright")
def main() -> None:
    """Size servers by a vendor's planning guide, and show the arithmetic."""
