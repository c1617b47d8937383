"""`sizewright rules`: browse a guide's rules."""

from __future__ import annotations

import click

from sizewright.cli.completing import rules
from sizewright.cli.inputs import engine, named
from sizewright.cli.options import JSON, Common, example, shared
from sizewright.cli.output import check_output, emit, emit_json, style_for

_SHOW = "show"


@click.command("rules", epilog=example("sizewright rules show XIII"))
@click.argument("show", required=False, type=click.Choice((_SHOW,)), metavar=f"[{_SHOW} RULE]")
@click.argument("rule", required=False, default="", metavar="", shell_complete=rules)
@shared
def command(common: Common, show: str | None, rule: str) -> None:
    """Browse the guide's rules.

    Lists all rules, or shows one with its condition, numbers and examples.
    """
    from sizewright.output import rules as report

    if show and not rule:
        raise click.UsageError("which rule? sizewright rules lists them all")
    check_output(common.output)
    ready = engine(common)
    guide, book = ready.guide, ready.book
    style = style_for(common.output)
    if not show:
        if common.form == JSON:
            emit_json([report.rule_data(one) for one in book.rules], common.output)
        else:
            emit(report.rules_text(guide, book, style), common.output)
        return
    found = book.rule(named(guide, "rule", rule, [one.id for one in book.rules]))
    if common.form == JSON:
        emit_json(report.rule_data(found), common.output)
    else:
        emit(report.rule_text(found, book, style), common.output)
