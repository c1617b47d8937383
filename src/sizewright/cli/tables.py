"""`sizewright tables`: browse a guide's tables."""

from __future__ import annotations

import click

from sizewright.cli.completing import rows, tables
from sizewright.cli.inputs import engine, named
from sizewright.cli.options import JSON, Common, example, shared
from sizewright.cli.output import check_output, emit, emit_json, style_for


@click.command("tables", epilog=example("sizewright tables disks"))
@click.argument("table", required=False, default="", shell_complete=tables)
@click.argument("row", required=False, default="", shell_complete=rows)
@shared
def command(common: Common, table: str, row: str) -> None:
    """Browse the guide's tables.

    Lists all tables, the rows of TABLE, or every cell of its ROW.
    """
    from sizewright.output import tables as report

    check_output(common.output)
    guide = engine(common).guide
    style = style_for(common.output)
    if not table:
        if common.form == JSON:
            everything = [report.table_data(guide, guide.table(name)) for name in guide.tables]
            emit_json(everything, common.output)
        else:
            emit(report.tables_text(guide, style), common.output)
        return
    found = guide.table(named(guide, "table", table, guide.tables))
    if not row:
        if common.form == JSON:
            emit_json(report.table_data(guide, found), common.output)
        else:
            emit(report.table_text(found, style), common.output)
        return
    one = found[named(guide, f"row of table {found.name}", row, found.rows)]
    if common.form == JSON:
        emit_json(report.row_data(one), common.output)
    else:
        emit(report.row_text(one, style), common.output)
