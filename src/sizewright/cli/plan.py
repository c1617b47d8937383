"""`sizewright plan`: the smallest configuration that carries a workload."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from sizewright.check.rule_filter import RuleFilter
from sizewright.cli.break_even import BREAK_EVEN, break_even_option, decided
from sizewright.cli.completing import files
from sizewright.cli.exits import Exit
from sizewright.cli.failed import FAILED, failed_option, plan_failures
from sizewright.cli.inputs import End, planned
from sizewright.cli.locked import keeps, locked_option, read_lock
from sizewright.cli.options import (
    BORDERLINE,
    CSV,
    HTML,
    JSON,
    MARKDOWN,
    SVG,
    YAML,
    Common,
    check_told,
    example,
    fail_on_option,
    reserve_option,
    selecting,
    shared_with,
    size_for_option,
    systems_option,
)
from sizewright.cli.output import check_output, emit, emit_json, style_for
from sizewright.cli.progress import progress, verbose_option
from sizewright.errors import Location, printable, refusal
from sizewright.planner.pair import ALTERNATE, PRIMARY

if TYPE_CHECKING:
    from sizewright.output.reports import PlanReport
    from sizewright.quantity import Quantity

_SYSTEM = "--system"


@click.command("plan", epilog=example("sizewright plan workload.yaml --size-for likely"))
@click.argument("workload", shell_complete=files)
@size_for_option
@reserve_option
@systems_option
@click.option(
    _SYSTEM,
    "of",
    type=click.Choice((PRIMARY, ALTERNATE)),
    help="If there are two systems, the one that --format yaml writes (default: primary).",
)
@fail_on_option
@break_even_option
@failed_option
@locked_option
@verbose_option
@selecting
@shared_with(YAML, MARKDOWN, CSV, HTML, SVG)
@click.pass_context
def command(
    ctx: click.Context, common: Common, workload: str, size_for: End | None, systems: int | None,
    of: str | None, reserve: Quantity | None, fail_on: str, deciding: bool, gone: tuple[str, ...],
    lock: str | None, verbose: bool, selection: RuleFilter,
) -> None:  # fmt: skip
    """Find the smallest machine that meets every limit for WORKLOAD.

    WORKLOAD is a YAML file, or - for standard input. If no single machine meets every limit, the
    services are split across two. --rule, --ignore and --severity select the findings to report;
    the plan obeys all rules that the workload's policy does not waive.
    """
    common = common._replace(reserve=reserve)
    check_output(common.output)
    check_told(deciding, BREAK_EVEN, common.form, MARKDOWN, HTML)
    check_told(gone, FAILED, common.form, MARKDOWN, HTML)
    if of and common.form != YAML:
        what = f"has no meaning with --format {common.form}"
        raise refusal(Location(_SYSTEM), what, f"--format {YAML}")
    locked = read_lock(lock, workload)
    with progress(verbose) as watch:
        report = planned(common, workload, size_for, selection, systems, watch)
    if not keeps(lock, locked, report):
        ctx.exit(Exit.BROKEN)
    if deciding:
        found = decided(report.budgets, report.plan.policy.size_for)
        report = report._replace(break_even=found)
    report = report._replace(failed=plan_failures(report, gone))
    if common.form == YAML:
        _emit_box(report, of, common.output)
    else:
        _emit(report, common.form, common.output)
    holds = report.plan.holds and all(each.holds for each in report.failed)
    if fail_on == BORDERLINE:
        holds = holds and not any(judged.borderline for judged in report.systems)
    ctx.exit(Exit.HOLDS if holds else Exit.BROKEN)


def _emit(report: PlanReport, form: str, output: Path | None) -> None:
    """Write the report in one of its forms; each form's code is imported by those who want it."""
    if form == JSON:
        from sizewright.output.jsonform import plan_data

        emit_json(plan_data(report), output)
    elif form == MARKDOWN:
        from sizewright.output.planmarkdown import plan_markdown

        emit(plan_markdown(report), output)
    elif form == CSV:
        if report.plan.chosen is None:
            _say_none(report, "parts list")
            return
        from sizewright.output.bill_of_materials import parts_list

        emit(parts_list(report), output)
    elif form == HTML:
        from sizewright.output.html.page import plan_html

        emit(plan_html(report), output)
    elif form == SVG:
        from sizewright.output.html.page import plan_svg

        emit(plan_svg(report), output)
    else:
        from sizewright.output.plan import plan_text

        emit(plan_text(report, style_for(output)), output)


def _emit_box(report: PlanReport, of: str | None, output: Path | None) -> None:
    """Write one system as a box file; a closest alternative is not written."""
    from sizewright.output.boxform import box_text

    asked = of or PRIMARY
    system = {part.plan.chosen.system.id: part for part in report.parts if part.plan.chosen}
    if not system:
        _say_none(report, "box file")
        return
    if asked not in system:
        what = f"the plan has no system '{asked}'"
        hint = "--systems 2 plans two systems"
        raise refusal(Location(_SYSTEM), what, f"one of {', '.join(system)}", hint)
    part = system[asked]
    assert part.plan.chosen is not None
    emit(box_text(part, part.plan.chosen), output)
    others = [name for name in system if name != asked]
    if others and of is None:
        click.echo(
            f"sizewright: this is the {asked} of two systems; "
            f"{_SYSTEM} {others[0]} writes the other",
            err=True,
        )


def _say_none(report: PlanReport, what: str) -> None:
    """Say that nothing of a kind was written: a closest alternative is not to be ordered."""
    none = "two systems in this guide meet" if report.plan.demand.systems == 2 else (
        "machine in this guide meets"
    )  # fmt: skip
    click.echo(
        f"sizewright: no {none} every limit for {printable(report.workload)}; no {what} "
        "was written\n  --format text shows what was tried and the closest alternative",
        err=True,
    )
