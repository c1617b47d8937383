"""The options that every command has, from one decorator."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from pathlib import Path
from typing import Any, NamedTuple

import click

from sizewright.check.rule_filter import RuleFilter
from sizewright.cli.completing import guides, rules
from sizewright.errors import Location, join_or, refusal
from sizewright.guide.model import SEVERITIES
from sizewright.quantity import Provenance, Quantity
from sizewright.units import PERCENT

TEXT, JSON, SARIF, JUNIT = "text", "json", "sarif", "junit"
HTML, SVG = "html", "svg"
YAML, MARKDOWN, CSV = "yaml", "markdown", "csv"


class Common(NamedTuple):
    """What the shared options say; empty `guide` and no `output` stand for the usual ones.

    `reserve` is stated on the command line, in place of the file's.
    """

    form: str
    guide: str
    overlays: tuple[Path, ...]
    output: Path | None
    reserve: Quantity | None = None


def example(line: str) -> str:
    """The example at the end of a command's help, kept on a line of its own."""
    return f"\b\nExample:\n  {line}"


size_for_option = click.option(
    "--size-for",
    type=click.Choice(("low", "likely", "high")),
    help="End of each range to size for (default: the workload's policy).",
)


def _reserve(_ctx: click.Context, _param: click.Parameter, value: str | None) -> Quantity | None:
    if value is None:
        return None
    try:
        percent = float(value.strip().removesuffix("%"))
    except ValueError:
        percent = PERCENT
    if not 0 <= percent < PERCENT:
        raise click.BadParameter(f"{value!r} is not a percentage from 0 to less than 100")
    return Quantity(
        percent, percent, percent, "%", name=RESERVE, source=Provenance("input", RESERVE)
    )


RESERVE = "--reserve"
reserve_option = click.option(
    RESERVE, metavar="PERCENT", callback=_reserve,
    help="Share of each limit on a load to keep free (default: the file's policy).",
)  # fmt: skip

BORDERLINE = "borderline"
fail_on_option = click.option(
    "--fail-on", type=click.Choice(("fail", BORDERLINE)), default="fail", show_default=True,
    help="Exit with code 1 at this verdict or a worse one.",
)  # fmt: skip

systems_option = click.option(
    "--systems", type=click.IntRange(1, 2),
    help="Number of systems to plan (default: the workload's, or the smallest number that works).",
)  # fmt: skip


def _written(_ctx: click.Context, _param: click.Parameter, value: Path | None) -> Path | None:
    return None if value is None or str(value) == "-" else value


output_option = click.option(
    "-o", "--output", type=click.Path(path_type=Path), metavar="FILE", callback=_written,
    help="Write the result to FILE, whole or not at all.",
)  # fmt: skip


def check_told(asked: object, option: str, form: str, *more: str) -> None:
    """Refuse a form that has no place for what an option asks, if it does; raises InputFaults.

    Text and JSON have one, and so have `more` of the forms of a command.
    """
    telling = (TEXT, JSON, *more)
    if asked and form not in telling:
        what, expected = f"has no place in --format {form}", f"--format {join_or(telling)}"
        raise refusal(Location(option), what, expected)


def shared(function: Callable[..., Any]) -> Callable[..., Any]:
    """Give a command the shared options; its function takes a Common first."""
    return shared_with()(function)


def shared_with(*forms: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Make the decorator for a command that prints further forms beside text and JSON."""

    def decorated(function: Callable[..., Any]) -> Callable[..., Any]:
        @click.option(
            "--format", "form", type=click.Choice((TEXT, JSON, *forms)), default=TEXT,
            show_default=True, help="How to print the result.",
        )  # fmt: skip
        @click.option(
            "--guide", default="", metavar="ID", shell_complete=guides,
            help="Planning guide (default: the one that the input names).",
        )  # fmt: skip
        @click.option(
            "--overlay", "overlays", multiple=True, type=click.Path(path_type=Path), metavar="DIR",
            help="Folder with tables or rules that override the guide's. Repeatable.",
        )  # fmt: skip
        @output_option
        @wraps(function)
        def command(
            form: str, guide: str, overlays: tuple[Path, ...], output: Path | None, **rest: Any
        ) -> Any:
            return function(Common(form, guide, overlays, output), **rest)

        return command

    return decorated


def selecting(function: Callable[..., Any]) -> Callable[..., Any]:
    """Give a command the options that choose rules; its function takes a `selection`."""

    @click.option(
        "--rule", "only", multiple=True, metavar="ID", shell_complete=rules,
        help="Report this rule only. Repeatable.",
    )  # fmt: skip
    @click.option(
        "--ignore", "ignored", multiple=True, metavar="ID", shell_complete=rules,
        help="Leave this rule out of the report. Repeatable.",
    )  # fmt: skip
    @click.option(
        "--severity", type=click.Choice(SEVERITIES), help="Report rules at least this severe."
    )
    @wraps(function)
    def command(
        *arguments: Any, only: tuple[str, ...], ignored: tuple[str, ...], severity: str | None,
        **rest: Any,
    ) -> Any:  # fmt: skip
        return function(*arguments, selection=RuleFilter(only, ignored, severity or ""), **rest)

    return command
