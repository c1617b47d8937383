"""The options of the commands, what a shell may complete, and the exit code of `--fail-on`."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from datetime import date
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

import click

from sizewright.check.rule_filter import RuleFilter
from sizewright.cli.exits import Exit
from sizewright.errors import Location, did_you_mean, join_or, refusal
from sizewright.guide.model import SEVERITIES
from sizewright.limits import SYSTEMS_AT_MOST
from sizewright.quantity import Provenance, Quantity
from sizewright.rules.rule import LIMITS, Finding
from sizewright.units import PERCENT

if TYPE_CHECKING:
    # Imported only if a shell completes.
    from click.shell_completion import CompletionItem

    from sizewright.failure import Failure
    from sizewright.guide.model import Guide

    Items = list[CompletionItem]
    Completer = Callable[[click.Context, click.Parameter, str], Items]
    _Choice = click.Choice[str]
else:
    # In older releases of click the type has no parameter.
    _Choice = click.Choice

# Means every guide except the input's own.
ALL = "all"


def complete_file(_ctx: click.Context, _param: click.Parameter, incomplete: str) -> Items:
    """Leave files to the shell."""
    from click.shell_completion import CompletionItem

    return [CompletionItem(incomplete, type="file")]


def _completer(find: Callable[[click.Context], Mapping[str, str]]) -> Completer:
    """Make a completer of names with descriptions; it offers nothing if finding them fails."""

    def complete(ctx: click.Context, _param: click.Parameter, incomplete: str) -> Items:
        # A message would be printed over the command line that is being typed.
        with suppress(Exception):
            return list(_matching(find(ctx), incomplete))
        return []

    return complete


def _matching(names: Mapping[str, str], incomplete: str) -> Iterable[CompletionItem]:
    from click.shell_completion import CompletionItem

    begun = incomplete.lower()
    return (CompletionItem(n, help=t) for n, t in names.items() if n.lower().startswith(begun))


def _guide(ctx: click.Context) -> Guide:
    """The guide that the options before ask for, without compiled rules."""
    from sizewright.guide.loader import default_guide, load_guide

    given = ctx.params
    return load_guide(given.get("guide") or default_guide(), given.get("overlays") or ())


def _guide_names(_ctx: click.Context) -> dict[str, str]:
    from sizewright.guide.loader import guide_ids

    return dict.fromkeys(guide_ids(), "")


def _row_names(ctx: click.Context, table: str) -> dict[str, str]:
    return {row.id: row.text("name") for row in _guide(ctx).table(table)}


complete_guide = _completer(_guide_names)
complete_other_guide = _completer(lambda ctx: {ALL: "every other guide", **_guide_names(ctx)})
complete_table = _completer(
    lambda ctx: {name: table.title for name, table in _guide(ctx).tables.items()}
)
complete_row = _completer(lambda ctx: _row_names(ctx, ctx.params["table"]))
complete_platform = _completer(lambda ctx: _row_names(ctx, "platforms"))
complete_rule = _completer(
    lambda ctx: {name: str(rule["title"]) for name, rule in _guide(ctx).rules.items()}
)


End = Literal["low", "likely", "high"]

TEXT, JSON, SARIF, JUNIT = "text", "json", "sarif", "junit"
HTML, SVG = "html", "svg"
LOGO = "--logo"
YAML, MARKDOWN, CSV = "yaml", "markdown", "csv"


class Common(NamedTuple):
    """The values of the shared options, and of those that only some commands have.

    An empty `guide` means the one that the input names, no `output` means standard output.
    `reserve`, `day` and `size_for` replace the reserve, the date and the end in the file's policy.
    `systems` is the number of systems to plan, None if it is not stated.
    """

    form: str
    guide: str
    overlays: tuple[Path, ...]
    output: Path | None
    reserve: Quantity | None = None
    day: date | None = None
    size_for: End | None = None
    systems: int | None = None


class CoverOptions(NamedTuple):
    """The values of the options of a report's head."""

    title: str
    customer: str
    author: str
    valid_until: date | None
    logo: Path | None


class NameChoice(_Choice):
    """A choice of names; the message on a wrong name suggests the nearest."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """The name that was given."""
        try:
            return super().convert(value, param, ctx)
        except click.BadParameter as error:
            near = did_you_mean(str(value), self.choices)
            hint = f" {near[:1].upper()}{near[1:]}" if near else ""
            raise click.BadParameter(f"{error.message}{hint}", ctx, param) from None


def _together(
    name: str, record: type[Common | CoverOptions | RuleFilter], *options: Callable[..., Any]
) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Give a command some options; its function takes their values as one record of this name.

    The record also takes its fields from other options of the command.
    """

    def decorated(function: Callable[..., Any]) -> Callable[..., Any]:
        @wraps(function)
        def command(*arguments: Any, **values: Any) -> Any:
            own = {field: values.pop(field) for field in record._fields if field in values}
            return function(*arguments, **{name: record(**own)}, **values)

        for option in reversed(options):
            command = option(command)
        return command

    return decorated


def example(line: str) -> str:
    """The example at the end of a command's help, on a line of its own."""
    return f"\b\nExample:\n  {line}"


def _read_percent(
    _ctx: click.Context, _param: click.Parameter, value: str | None
) -> Quantity | None:
    if value is None:
        return None
    try:
        percent = float(value.strip().removesuffix("%"))
    except ValueError:
        percent = PERCENT
    if not 0 <= percent < PERCENT:
        raise click.BadParameter(f"{value!r} is not a percentage from 0 to less than 100")
    source = Provenance("input", RESERVE)
    return Quantity(percent, percent, percent, "%", name=RESERVE, source=source)


def _read_day(_ctx: click.Context, _param: click.Parameter, value: str | None) -> date | None:
    try:
        return None if value is None else date.fromisoformat(value)
    except ValueError:
        raise click.BadParameter(f"{value!r} is not a date such as 1993-06-30") from None


def _read_output(_ctx: click.Context, _param: click.Parameter, value: Path | None) -> Path | None:
    return None if value is None or str(value) == "-" else value


ENDS = ("low", "likely", "high")
size_for_option = click.option(
    "--size-for", type=click.Choice(ENDS),
    help="End of each range to size for (default: the workload's policy).",
)  # fmt: skip

RESERVE = "--reserve"
reserve_option = click.option(
    RESERVE, metavar="PERCENT", callback=_read_percent,
    help="Share of each limit on a load to keep free (default: the file's policy).",
)  # fmt: skip

date_option = click.option(
    "--date",
    "day",
    metavar="DAY",
    callback=_read_day,
    help="Day of the report, such as 1993-06-30; waivers are in force or expired on it (default: "
    "today).",
)

BORDERLINE, UNKNOWN, ADVICE = "borderline", "unknown", "advice"
fail_on_option = click.option(
    "--fail-on", type=click.Choice(("fail", BORDERLINE, UNKNOWN, ADVICE)), multiple=True,
    default=("fail",), show_default=True,
    help="Exit with code 1 also if a verdict is borderline, if a limit could not be checked, or if "
    "advice is not followed. Repeatable.",
)  # fmt: skip

strict_option = click.option(
    "--strict", is_flag=True,
    help="Exit with 1 also if load is not counted because the workload does not state it.",
)  # fmt: skip

set_option = click.option(
    "--set", "assignments", multiple=True, metavar="KEY=VALUE",
    help="Change a value of the file for this run: services.orders.active=20. Repeatable.",
)  # fmt: skip

systems_option = click.option(
    "--systems", type=click.IntRange(1, SYSTEMS_AT_MOST),
    help="Number of systems to plan (default: the workload's, or the smallest number that works).",
)  # fmt: skip

BREAK_EVEN = "--break-even"
break_even_option = click.option(
    BREAK_EVEN, is_flag=True,
    help="Show how far each input can change before a verdict changes.",
)  # fmt: skip

STAGES = "--stages"
stages_option = click.option(
    STAGES, is_flag=True,
    help="Show what to buy today and in each year of growth; --format yaml writes today's server.",
)  # fmt: skip

FAILED = "--failed"
failed_option = click.option(
    FAILED, multiple=True, metavar="COMPONENT",
    help="Show the effect of the failure of a disk, channel, board, network or system. "
    "Repeatable: each failure is evaluated alone.",
)  # fmt: skip

full_option = click.option(
    "--full", is_flag=True,
    help="Write the whole report (text): of a plan, or of each of several servers.",
)  # fmt: skip

SECTION = "--section"
section_option = click.option(
    SECTION, "sections", multiple=True, metavar="NAME",
    help="Write only the section whose title begins with NAME (text), such as budgets. Repeatable.",
)  # fmt: skip

covered = _together(
    "cover", CoverOptions,
    click.option("--title", metavar="TEXT", default="", help="Title of the report."),
    click.option("--customer", metavar="NAME", default="", help="Who the report is for."),
    click.option("--author", metavar="NAME", default="", help="Who the report is from."),
    click.option(
        "--valid-until", metavar="DAY", callback=_read_day,
        help="Last day on which the offer is valid; it is dated with --date (default: today).",
    ),
    click.option(
        LOGO, type=click.Path(path_type=Path), metavar="FILE",
        help="Picture at the top of the page (html): PNG, JPEG or SVG, at most 256 KB.",
    ),
)  # fmt: skip

all_missing_option = click.option(
    "--all-missing", is_flag=True, help="List all missing values (text), not only the first five."
)

locked_option = click.option(
    "--locked", metavar="FILE", shell_complete=complete_file,
    help="Plan written by --format json. If today's plan differs, show what changed and write "
    "nothing.",
)  # fmt: skip

verbose_option = click.option(
    "--verbose", is_flag=True, help="Show progress on standard error if it is a terminal."
)

ALSO_BY = "--also-by"
also_by_option = click.option(
    ALSO_BY, multiple=True, metavar="GUIDE", shell_complete=complete_other_guide,
    help=f"Report the findings of another guide too, or of {ALL} others. Repeatable.",
)  # fmt: skip

GUIDES = "--guides"
guides_option = click.option(
    GUIDES, multiple=True, metavar="GUIDE", shell_complete=complete_other_guide,
    help="Compare its file service with the machines of another guide, or of all others. "
    "Repeatable.",
)  # fmt: skip

output_option = click.option(
    "-o", "--output", type=click.Path(readable=False, path_type=Path), metavar="FILE",
    callback=_read_output,
    help="Write the result to FILE, whole or not at all.",
)  # fmt: skip


def check_form(asked: object, option: str, form: str, *able: str) -> None:
    """Raise InputError if an option is used that a form cannot show; the `able` ones can."""
    if asked and form not in able:
        what, expected = f"has no place in --format {form}", f"--format {join_or(able)}"
        raise refusal(Location(option), what, expected)


def shared(*forms: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Give a command the shared options; its function takes them as `common`.

    `forms` are its forms beside text and JSON.
    """
    return _together(
        "common", Common,
        click.option(
            "--format", "form", type=click.Choice((TEXT, JSON, *forms)), default=TEXT,
            show_default=True, help="How to print the result.",
        ),
        click.option(
            "--guide", default="", metavar="ID", shell_complete=complete_guide,
            help="Planning guide (default: the one that the input names).",
        ),
        click.option(
            "--overlay", "overlays", multiple=True, type=click.Path(path_type=Path), metavar="DIR",
            help="Folder with tables or rules that override the guide's. Repeatable.",
        ),
        output_option,
    )  # fmt: skip


selecting = _together(
    "selection", RuleFilter,
    click.option(
        "--rule", "only", multiple=True, metavar="ID", shell_complete=complete_rule,
        help="Report this rule only. Repeatable.",
    ),
    click.option(
        "--ignore", "ignored", multiple=True, metavar="ID", shell_complete=complete_rule,
        help="Leave this rule out of the report. Repeatable.",
    ),
    click.option(
        "--severity", type=click.Choice(SEVERITIES), help="Report rules at least this severe.",
        callback=lambda _ctx, _param, value: value or "",
    ),
)  # fmt: skip


def exit_of(
    passed: bool,
    judged: Iterable[tuple[bool, Iterable[Finding]]],
    failed: Iterable[Failure],
    fail_on: tuple[str, ...],
) -> Exit:
    """Return the exit code of a plan or of checks that have `passed` their own limits or not.

    `judged` are the systems: whether each is borderline, and its findings; `failed` are failures.
    """
    for borderline, findings in judged:
        passed = passed and not (borderline and BORDERLINE in fail_on)
        passed = passed and not _counts(findings, fail_on)
    for failure in failed:
        passed = passed and failure.holds
        passed = passed and not (failure.borderline and BORDERLINE in fail_on)
    return Exit.PASS if passed else Exit.FAIL


def _counts(findings: Iterable[Finding], fail_on: tuple[str, ...]) -> bool:
    """Whether a limit could not be checked, or advice is not followed, if that is to fail."""
    return any(
        (UNKNOWN in fail_on and found.verdict == "unknown" and found.severity in LIMITS)
        or (ADVICE in fail_on and found.verdict == "violated" and found.severity == "advice")
        for found in findings
    )
