"""Command `plan`: the configuration for a workload."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from sizewright.api import lock_difference, report_plan
from sizewright.check.rule_filter import RuleFilter
from sizewright.cli import options as option
from sizewright.cli.exits import Exit
from sizewright.cli.inputs import cover_of, engine_of, load_document, read_stdin_once, workload_of
from sizewright.cli.options import Common
from sizewright.cli.output import check_output, emit, emit_files, write_form
from sizewright.errors import InputError, Location, printable, refusal, shown
from sizewright.planner.planning import ProgressCallback, unwatched

if TYPE_CHECKING:
    from sizewright.output.reports import PlanReport

_SYSTEM = "--system"
_system_option = click.option(
    _SYSTEM, metavar="NAME",
    help="Of several systems, the one that --format yaml writes (default: all, to a folder).",
)  # fmt: skip

_PLAN_FORMS = {
    "text": "plan:plan_text", "json": "json.plan:plan_data", "markdown": "plan:plan_markdown",
    "csv": "prices:parts_list", "html": "html.page:plan_html",
    "svg": "html.page:plan_svg",
}  # fmt: skip

# Alone it needs less of the program than with the rest of the report.
_FIRST_SCREEN = {option.TEXT: "first_page:first_screen"}

# Back to the beginning of the line, and delete it.
_DELETE_LINE = "\r\x1b[K"


@click.command("plan", epilog=option.example("sizewright plan workload.yaml --size-for likely"))
@click.argument("workload", shell_complete=option.complete_file)
@option.set_option
@option.size_for_option
@option.reserve_option
@option.date_option
@option.systems_option
@_system_option
@option.fail_on_option
@option.strict_option
@option.break_even_option
@option.failed_option
@option.locked_option
@option.stages_option
@option.full_option
@option.section_option
@option.covered
@option.verbose_option
@option.selecting
@option.shared(option.YAML, option.MARKDOWN, option.CSV, option.HTML, option.SVG)
@click.pass_context
def plan_command(
    ctx: click.Context, common: Common, workload: str, assignments: tuple[str, ...],
    system: str | None, fail_on: tuple[str, ...], strict: bool, break_even: bool,
    failed: tuple[str, ...], locked: str | None, stages: bool, full: bool,
    sections: tuple[str, ...], cover: option.CoverOptions, verbose: bool, selection: RuleFilter,
) -> None:  # fmt: skip
    """Find the smallest machine that meets every limit for WORKLOAD.

    WORKLOAD is a YAML file, or - for standard input. If no single machine meets every limit, the
    services are split across two. --rule, --ignore and --severity select the findings to report;
    the plan obeys all rules that the workload's policy does not waive. With --format yaml, -o
    FOLDER writes a box file of each system.
    """
    _check_options(common, system, break_even, failed, stages, cover, sections)
    lock = None
    if locked is not None:
        from sizewright.diff.planfile import read_plan

        read_stdin_once(locked, workload)
        lock = read_plan(locked)
    document = load_document(workload, assignments)
    asked = workload_of(common, document)
    with progress(verbose) as watch:
        report = report_plan(
            asked, document, engine_of(common, document), systems=common.systems,
            selection=selection, break_even=break_even, failed=failed, in_stages=stages,
            watch=watch,
        )  # fmt: skip
    report = replace(report, cover=cover_of(common, cover))
    if locked is not None and lock is not None and not _matches_lock(locked, lock, report):
        ctx.exit(Exit.FAIL)
    _write_report(common, report, system, full, sections)
    passed = report.plan.holds and not (strict and report.not_counted)
    judged = [(bool(each.borderline), each.findings) for each in report.systems]
    ctx.exit(option.exit_of(passed, judged, report.failed, fail_on))


def _check_options(
    common: Common, system: str | None, break_even: bool, failed: tuple[str, ...], stages: bool,
    cover: option.CoverOptions, sections: tuple[str, ...],
) -> None:  # fmt: skip
    """Raise InputError for an output that cannot be, or an option that the form cannot show."""
    check_output(common.output, to_folder=common.form == option.YAML)
    in_reports = (option.TEXT, option.JSON, option.MARKDOWN, option.HTML)
    option.check_form(break_even, option.BREAK_EVEN, common.form, *in_reports)
    option.check_form(failed, option.FAILED, common.form, *in_reports)
    option.check_form(stages, option.STAGES, common.form, *in_reports, option.YAML)
    option.check_form(cover.logo, option.LOGO, common.form, option.HTML)
    option.check_form(sections, option.SECTION, common.form, option.TEXT)
    if system and common.form != option.YAML:
        what = f"has no meaning with --format {common.form}"
        raise refusal(Location(_SYSTEM), what, f"--format {option.YAML}")


def _write_report(
    common: Common, report: PlanReport, system: str | None, full: bool, sections: tuple[str, ...]
) -> None:
    """Write a report in the form that was asked for."""
    if common.form == option.YAML:
        _emit_boxes(report.today, system, common.output)
    elif common.form == option.TEXT:
        more = full or sections or report.stages or report.break_even or report.failed
        form, asked = (_PLAN_FORMS, (full, sections)) if more else (_FIRST_SCREEN, ())
        write_form(common, form, report, *asked)
    elif common.form == option.CSV and report.plan.chosen is None:
        _report_nothing(report, "parts list")
    elif common.form == option.CSV:
        write_form(common, _PLAN_FORMS, report.order, report.cost)
    else:
        write_form(common, _PLAN_FORMS, report)


@contextmanager
def progress(verbose: bool) -> Iterator[ProgressCallback]:
    """Show what is being tried on one line of the terminal, if it is wanted and there is one."""
    if not verbose or not sys.stderr.isatty():
        yield unwatched
        return

    def show(doing: str) -> None:
        click.echo(f"{_DELETE_LINE}{printable(doing)} …", err=True, nl=False)

    try:
        yield show
    finally:
        click.echo(_DELETE_LINE, err=True, nl=False)


def _matches_lock(name: str, lock: dict[str, Any], report: PlanReport) -> bool:
    """Whether a plan has the results of the lock; reports on standard error what differs."""
    from sizewright.diff.text import difference_text

    found = lock_difference(lock, report, name)
    if found.same:
        click.echo(f"same as the lock {printable(name)}", err=True)
        return True
    text = difference_text(found)
    click.echo(f"sizewright: differs from the lock {printable(name)}\n\n{text}", err=True, nl=False)
    return False


def _emit_boxes(report: PlanReport, wanted: str | None, output: Path | None) -> None:
    """Write each system, or the one that is wanted, as a box file; never a closest alternative.

    Several systems need a folder, which gets a file for each.
    """
    from sizewright.output.box_file import box_text

    texts = {
        chosen.system.id: box_text(part, chosen)
        for part in report.parts if (chosen := part.plan.chosen) is not None
    }  # fmt: skip
    if not texts:
        _report_nothing(report, "box file")
        return
    if wanted is not None:
        if wanted not in texts:
            what = f"the plan has no system {shown(wanted)}"
            hint = "" if len(texts) > 1 else "--systems 2 plans two systems"
            raise refusal(Location(_SYSTEM), what, f"one of {', '.join(texts)}", hint)
        texts = {wanted: texts[wanted]}
    if output is not None and output.is_dir():
        files = {output / f"{name}.yaml": text for name, text in texts.items()}
        for file in files:
            _check_replaceable(file)
        emit_files(files)
    elif len(texts) == 1:
        emit(next(iter(texts.values())), output)
    else:
        what = f"a box file has one system, and the plan has {len(texts)}"
        ways = f"-o FOLDER (an existing folder) for all of them, or {_SYSTEM} {' or '.join(texts)}"
        raise refusal(Location("--format yaml"), what, ways)
    for member in report.plan.group.members if report.plan.group else ():
        if member.quantity > 1:
            what = (
                f"the box file of {member.name} is of each of {member.quantity} identical systems"
            )
            click.echo(f"sizewright: {what}", err=True)


def _check_replaceable(file: Path) -> None:
    """Raise InputError for something that exists and is not a box file."""
    from sizewright.box.reading import read_box

    if not file.exists():
        return
    try:
        read_box(load_document(str(file)))
    except InputError:
        hint = "move it away, or choose another folder"
        raise refusal(Location(str(file)), "exists, and is not a box file", hint=hint) from None


def _report_nothing(report: PlanReport, what: str) -> None:
    """Report that nothing was written: the closest alternative is not to be ordered."""
    click.echo(
        f"sizewright: no plan meets every limit for {printable(report.name)}; no {what} "
        "was written\n  --format text shows what was tried and the closest alternative",
        err=True,
    )
