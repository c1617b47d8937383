"""`sizewright compare`: platforms, workloads or plans side by side."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from sizewright.api import policy_of
from sizewright.cli.also import engine_of
from sizewright.cli.also import other_guides as named_guides
from sizewright.cli.completing import files as any_file
from sizewright.cli.completing import other_guides
from sizewright.cli.exits import Exit
from sizewright.cli.inputs import End, asked_for, engine, planned_from, reported
from sizewright.cli.options import (
    JSON,
    RESERVE,
    Common,
    example,
    reserve_option,
    shared,
    size_for_option,
    systems_option,
)
from sizewright.cli.output import check_output, emit, emit_json, style_for
from sizewright.cli.planfiles import input_once, plan_or_document, written
from sizewright.documents import Document
from sizewright.errors import Location, collect_errors, refusal

if TYPE_CHECKING:
    from sizewright.compare.columns import Column, Comparison
    from sizewright.quantity import Quantity

GUIDES = "--guides"


@click.command("compare", epilog=example("sizewright compare workload.yaml"))
@click.argument("files", nargs=-1, required=True, metavar="WORKLOAD...", shell_complete=any_file)
@size_for_option
@reserve_option
@systems_option
@click.option(
    GUIDES, multiple=True, metavar="GUIDE", shell_complete=other_guides,
    help="Compare its file service with the machines of another guide, or of all others. "
    "Repeatable.",
)  # fmt: skip
@shared
@click.pass_context
def command(
    ctx: click.Context, common: Common, files: tuple[str, ...], size_for: End | None,
    reserve: Quantity | None, systems: int | None, guides: tuple[str, ...],
) -> None:  # fmt: skip
    """Compare all platforms for WORKLOAD, or compare several workloads or plans.

    Each WORKLOAD is a YAML file, a plan written by sizewright plan --format json, or - for
    standard input. If there is one workload, it is planned on each platform of the guide, even
    on those that it does not list. With --guides nothing is planned: its file service is compared
    with the largest machines of each guide. The exit code is 1 if no column passes.
    """
    common = common._replace(reserve=reserve)
    check_output(common.output)
    input_once(files)
    if guides and reserve is not None:
        raise refusal(Location(RESERVE), f"has no meaning with {GUIDES}", f"no {GUIDES}")
    if guides:
        ctx.exit(_over_guides(common, files, size_for, systems, guides))
    found = _comparison(common, files, size_for, systems)
    if common.form == JSON:
        from sizewright.compare.form import comparison_data

        emit_json(comparison_data(found), common.output)
    else:
        from sizewright.compare.text import comparison_text

        emit(comparison_text(found, style_for(common.output)), common.output)
    ctx.exit(Exit.HOLDS if found.holds else Exit.BROKEN)


def _over_guides(
    common: Common, files: tuple[str, ...], size_for: End | None, systems: int | None,
    guides: tuple[str, ...],
) -> Exit:  # fmt: skip
    from sizewright.compare.assessment import across

    if len(files) > 1:
        raise click.UsageError(f"{GUIDES} takes one workload, not {len(files)}")
    if systems is not None:
        raise click.UsageError(f"{GUIDES} computes the number of machines; leave out --systems")
    document = plan_or_document(files[0])
    if not isinstance(document, Document):
        raise refusal(Location(files[0]), "is a written plan", "the workload that it was made for")
    asked, own = asked_for(common, document, size_for), engine(common, document)
    others = named_guides(guides, own.guide.id, GUIDES)
    found = across(asked, own, (engine_of(guide, common.overlays) for guide in others))
    if common.form == JSON:
        from sizewright.compare.guides_form import across_data

        emit_json(across_data(found), common.output)
    else:
        from sizewright.compare.guides_text import across_text

        emit(across_text(found, style_for(common.output)), common.output)
    return Exit.HOLDS if found.holds else Exit.BROKEN


def _comparison(
    common: Common, files: tuple[str, ...], size_for: End | None, systems: int | None
) -> Comparison:
    from sizewright.compare.columns import Comparison, column

    with collect_errors() as errors:
        read = errors.for_each(plan_or_document, files)
    if len(read) == 1 and isinstance(read[0], Document):
        return _platforms(common, read[0], size_for, systems)
    by_name = dict(zip(files, read, strict=True))

    def one(name: str) -> Column:
        found = by_name[name]
        if isinstance(found, Document):
            found = written(planned_from(common, found, size_for, systems=systems))
        return column(found, name)

    with collect_errors() as errors:
        columns = errors.for_each(one, files)
    return Comparison("", columns)


def _platforms(
    common: Common, document: Document, size_for: End | None, systems: int | None
) -> Comparison:
    from sizewright.compare.columns import Comparison, column, impossible, on_each

    asked = asked_for(common, document, size_for)
    own = engine(common, document)
    kept_free = policy_of(asked.policy, own.guide).reserve_percent
    columns = [
        column(written(reported(each.plan, asked, document)), each.name)
        if each.plan
        else impossible(each.name, asked.name, asked.policy.size_for, kept_free, each.why)
        for each in on_each(asked, own, systems)
    ]
    return Comparison(asked.name, tuple(columns))
