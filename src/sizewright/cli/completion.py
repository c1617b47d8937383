"""`sizewright completion`: the script by which a shell completes commands, options and names."""

from __future__ import annotations

from pathlib import Path

import click

from sizewright.cli.named import Named
from sizewright.cli.options import example, output_option
from sizewright.cli.output import check_output, emit

SHELLS = ("bash", "zsh", "fish")
PROGRAM = "sizewright"
VARIABLE = "_SIZEWRIGHT_COMPLETE"
_EXAMPLES = "sizewright completion bash >> ~/.bashrc\n  sizewright completion zsh >> ~/.zshrc"


@click.command("completion", epilog=example(_EXAMPLES))
@click.argument("shell", type=Named(SHELLS))
@output_option
def command(shell: str, output: Path | None) -> None:
    """Print the script that completes in a shell.

    It completes commands, options, files, and the names of a guide's tables, rows and rules. For
    fish, write it to ~/.config/fish/completions/sizewright.fish.
    """
    check_output(output)
    emit(script(shell), output)


def script(shell: str) -> str:
    """The script, for whichever version of the shell is there."""
    from click.shell_completion import ShellComplete, get_completion_class

    from sizewright.cli.main import main

    kind = get_completion_class(shell)
    assert kind is not None
    # The class's own way starts a shell to ask for its version.
    return ShellComplete.source(kind(main, {}, PROGRAM, VARIABLE))
