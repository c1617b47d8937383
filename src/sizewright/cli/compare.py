"""`sizewright compare` and `sizewright diff`: plans side by side, and what changed between two."""

from __future__ import annotations

import click

from sizewright.api import plan_report, policy_of, written_plan
from sizewright.cli import options as option
from sizewright.cli.exits import Exit
from sizewright.cli.inputs import (
    engine_of,
    load_plan_or_document,
    other_engines,
    plan_data_of,
    read_stdin_once,
    result_of,
    workload_of,
)
from sizewright.cli.options import GUIDES, RESERVE, Common, complete_file, example, shared
from sizewright.cli.output import check_output, write_result
from sizewright.compare.assessment import compare_guides
from sizewright.compare.guides import across_data, across_text
from sizewright.compare.plans import (
    Comparison,
    comparison,
    comparison_text,
    impossible_column,
    make_column,
    plan_each_platform,
)
from sizewright.diff.changes import diff_results
from sizewright.diff.model import Difference
from sizewright.diff.text import difference_text
from sizewright.documents import Document
from sizewright.errors import Location, collect_errors, refusal


@click.command("compare", epilog=example("sizewright compare workload.yaml"))
@click.argument(
    "files", nargs=-1, required=True, metavar="WORKLOAD...", shell_complete=complete_file
)
@option.size_for_option
@option.reserve_option
@option.systems_option
@option.guides_option
@shared()
@click.pass_context
def compare_command(
    ctx: click.Context, common: Common, files: tuple[str, ...], guides: tuple[str, ...]
) -> None:
    """Compare all platforms for WORKLOAD, or compare several workloads or plans.

    Each WORKLOAD is a YAML file, a plan written by sizewright plan --format json, or - for
    standard input. If there is one workload, it is planned on each platform of the guide, even
    on those that it does not list. With --guides nothing is planned: its file service is compared
    with the largest machines of each guide. The exit code is 1 if no column passes.
    """
    check_output(common.output)
    read_stdin_once(*files)
    if guides and common.reserve is not None:
        raise refusal(Location(RESERVE), f"has no meaning with {GUIDES}", f"no {GUIDES}")
    if guides:
        ctx.exit(_compare_guides(common, files, guides))
    found = _comparison(common, files)
    write_result(common, found, Comparison.as_data, comparison_text)
    ctx.exit(Exit.PASS if found.holds else Exit.FAIL)


def _compare_guides(common: Common, files: tuple[str, ...], guides: tuple[str, ...]) -> Exit:
    if len(files) > 1:
        raise click.UsageError(f"{GUIDES} takes one workload, not {len(files)}")
    if common.systems is not None:
        raise click.UsageError(f"{GUIDES} computes the number of machines; leave out --systems")
    document = load_plan_or_document(files[0])
    if not isinstance(document, Document):
        raise refusal(Location(files[0]), "is a written plan", "the workload that it was made for")
    workload, engine = workload_of(common, document), engine_of(common, document)
    found = compare_guides(workload, engine, other_engines(common, guides, engine.guide.id, GUIDES))
    write_result(common, found, across_data, across_text)
    return Exit.PASS if found.holds else Exit.FAIL


def _comparison(common: Common, files: tuple[str, ...]) -> Comparison:
    with collect_errors() as errors:
        loaded = dict(errors.for_each(lambda name: (name, load_plan_or_document(name)), files))
    first = loaded[files[0]]
    if len(files) == 1 and isinstance(first, Document):
        return _compare_platforms(common, first)
    with collect_errors() as errors:
        columns = errors.for_each(
            lambda name: make_column(plan_data_of(common, loaded[name]), name), files
        )
    return comparison("", columns)


def _compare_platforms(common: Common, document: Document) -> Comparison:
    asked, engine = workload_of(common, document), engine_of(common, document)
    kept_free = policy_of(asked.policy, engine.guide).reserve_percent
    columns = [
        make_column(written_plan(plan_report(each.plan, asked, document)), each.name)
        if each.plan
        else impossible_column(each.name, asked.name, asked.policy.size_for, kept_free, each.why)
        for each in plan_each_platform(asked, engine, common.systems)
    ]
    return comparison(asked.name, columns)


@click.command("diff", epilog=example("sizewright diff plan.json workload.yaml"))
@click.argument("before", shell_complete=complete_file)
@click.argument("after", shell_complete=complete_file)
@option.size_for_option
@option.date_option
@option.systems_option
@shared()
@click.pass_context
def diff_command(ctx: click.Context, common: Common, before: str, after: str) -> None:
    """Show what changed from BEFORE to AFTER, and why.

    Both are plans, or both are checks of a server. Each is a result written by sizewright plan or
    check with --format json, a workload or box file, which is planned or checked now, or - for
    standard input. The other options apply to workloads and box files only. The exit code is 1 if
    the results differ. Inputs that differ but change no result are not a difference.
    """
    check_output(common.output)
    names = (before, after)
    read_stdin_once(*names)
    with collect_errors() as errors:
        results = errors.for_each(lambda name: result_of(common, name), names)
    kinds = [result["schema"].partition("/")[0].rpartition(".")[2] for result in results]
    if kinds[0] != kinds[1]:
        what, expected = f"is a {kinds[1]}, and {before} is a {kinds[0]}", f"two {kinds[0]}s"
        raise refusal(Location(after), what, expected)
    found = diff_results(results[0], results[1], names)
    write_result(common, found, Difference.as_data, difference_text)
    ctx.exit(Exit.PASS if found.same else Exit.FAIL)
