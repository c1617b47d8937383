"""`sizewright tables` and `sizewright rules`: browse a guide."""

from __future__ import annotations

import click

from sizewright.cli.completion import complete_row, complete_rule, complete_table
from sizewright.cli.inputs import engine_of, name_in_guide
from sizewright.cli.options import Common, example, shared
from sizewright.cli.output import check_output, write_result

_SHOW = "show"


@click.command("tables", epilog=example("sizewright tables disks"))
@click.argument("table", required=False, default="", shell_complete=complete_table)
@click.argument("row", required=False, default="", shell_complete=complete_row)
@shared()
def tables_command(common: Common, table: str, row: str) -> None:
    """Browse the guide's tables.

    Lists all tables, the rows of TABLE, or every cell of its ROW.
    """
    from sizewright.output import tables as report

    check_output(common.output)
    guide = engine_of(common).guide
    if not table:
        write_result(
            common, guide,
            lambda it: [report.table_data(it, it.table(name)) for name in it.tables],
            report.tables_text,
        )  # fmt: skip
        return
    found = guide.table(name_in_guide(guide, "table", table, guide.tables))
    if not row:
        write_result(common, found, lambda it: report.table_data(guide, it), report.table_text)
        return
    one = found[name_in_guide(guide, f"row of table {found.name}", row, found.rows)]
    write_result(common, one, report.row_data, report.row_text)


@click.command("rules", epilog=example("sizewright rules show XIII"))
@click.argument("show", required=False, type=click.Choice((_SHOW,)), metavar=f"[{_SHOW} RULE]")
@click.argument("rule", required=False, default="", metavar="", shell_complete=complete_rule)
@shared()
def rules_command(common: Common, show: str | None, rule: str) -> None:
    """Browse the guide's rules.

    Lists all rules, or shows one with its condition, numbers and examples.
    """
    from sizewright.output import rules as report

    if show and not rule:
        raise click.UsageError("which rule? sizewright rules lists them all")
    check_output(common.output)
    engine = engine_of(common)
    guide, book = engine.guide, engine.book
    if not show:
        write_result(
            common, book,
            lambda it: [report.rule_data(one) for one in it.rules],
            lambda it, style: report.rules_text(guide, it, style),
        )  # fmt: skip
        return
    found = book.rule(name_in_guide(guide, "rule", rule, [one.id for one in book.rules]))
    write_result(
        common, found, report.rule_data, lambda it, style: report.rule_text(it, book, style)
    )
