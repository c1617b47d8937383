"""Commands about a guide: `tables` and `rules` show it, `test` runs its case studies."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import click

from sizewright.api import Engine
from sizewright.cli.exits import Exit
from sizewright.cli.inputs import engine_of, name_in_guide
from sizewright.cli.options import (
    Common,
    complete_row,
    complete_rule,
    complete_table,
    example,
    shared,
)
from sizewright.cli.output import check_output, emit, write_result
from sizewright.documents import Document
from sizewright.engine import workload_guide
from sizewright.guide.loader import data_root, default_guide, guide_ids
from sizewright.output import browse
from sizewright.rules.compiler import RuleSet

_SHOW = "show"


@click.command("tables", epilog=example("sizewright tables disks"))
@click.argument("table", required=False, default="", shell_complete=complete_table)
@click.argument("row", required=False, default="", shell_complete=complete_row)
@shared()
def tables_command(common: Common, table: str, row: str) -> None:
    """Browse the guide's tables.

    Lists all tables, the rows of TABLE, or every cell of its ROW.
    """
    check_output(common.output)
    guide = engine_of(common).guide
    if not table:
        write_result(
            common, guide,
            lambda it: [browse.table_data(it, it.table(name)) for name in it.tables],
            browse.tables_text,
        )  # fmt: skip
        return
    found = guide.table(name_in_guide(guide, "table", table, guide.tables))
    if not row:
        write_result(common, found, lambda it: browse.table_data(guide, it), browse.table_text)
        return
    one = found[name_in_guide(guide, f"row of table {found.name}", row, found.rows)]
    write_result(common, one, browse.row_data, browse.row_text)


@click.command("rules", epilog=example("sizewright rules show XIII"))
@click.argument("show", required=False, type=click.Choice((_SHOW,)), metavar=f"[{_SHOW} RULE]")
@click.argument("rule", required=False, default="", metavar="", shell_complete=complete_rule)
@shared()
def rules_command(common: Common, show: str | None, rule: str) -> None:
    """Browse the guide's rules.

    Lists all rules, or shows one with its condition, numbers and examples.
    """
    if show and not rule:
        raise click.UsageError("which rule? sizewright rules lists them all")
    check_output(common.output)
    engine = engine_of(common)
    guide, rule_set = engine.guide, engine.rule_set
    if not show:
        write_result(
            common, rule_set,
            lambda it: [browse.rule_data(one) for one in it.rules],
            lambda it, style: browse.rules_text(guide, it, style),
        )  # fmt: skip
        return
    found = rule_set.rule(name_in_guide(guide, "rule", rule, [one.id for one in rule_set.rules]))
    write_result(
        common, found, browse.rule_data, lambda it, style: browse.rule_text(it, rule_set, style)
    )


@click.command("test", epilog=example("sizewright test examples/"))
@click.argument("folder", metavar="[DIR]", required=False, type=click.Path(path_type=Path))
@click.option("--errata", is_flag=True, help="Print the guide's errata as Markdown, and stop.")
@shared()
@click.pass_context
def test_command(ctx: click.Context, common: Common, folder: Path | None, errata: bool) -> None:
    """Run the guide's case studies and the examples of its rules as tests.

    DIR contains case studies, or folders of them (default: those that come with the source).
    A box file with a file of expected findings next to it (box.yaml, box-expected.yaml) is
    checked too: the findings must be exactly the expected ones.
    """
    from sizewright.cases.boxes import run_fixtures
    from sizewright.cases.results import all_pass, cases_data, cases_text
    from sizewright.rules.examples import run_examples

    check_output(common.output)
    folders, boxes = _fixtures(common, folder)
    if errata:
        from sizewright.cases.reading import read_case
        from sizewright.cases.results import errata_page

        emit(errata_page(read_case(one) for one in folders), common.output)
        return
    engines = _Engines(common)
    outcomes, checked = run_fixtures(folders, boxes, engines)
    examples = tuple(
        result for rule_set in engines.rule_sets() for result in run_examples(rule_set)
    )
    write_result(
        common, (outcomes, examples, checked),
        lambda found: cases_data(*found),
        lambda found, style: cases_text(*found, style),
    )  # fmt: skip
    ctx.exit(Exit.PASS if all_pass(outcomes, examples, checked) else Exit.FAIL)


def _fixtures(common: Common, folder: Path | None) -> tuple[tuple[Path, ...], tuple[Path, ...]]:
    from sizewright.cases.boxes import find_fixtures

    if folder is not None:
        return find_fixtures(folder)
    own = data_root() / "examples" / common.guide
    if not own.is_dir():
        click.echo("no case studies next to the tables: rule examples only", err=True)
        return (), ()
    return find_fixtures(own)


class _Engines:
    """The guides that workloads, boxes and examples ask for, each loaded once."""

    def __init__(self, common: Common) -> None:
        self.common = common
        self.known: dict[str, Engine] = {}

    def __call__(self, document: Document) -> Engine:
        return self._of(workload_guide(document, self.common.guide, default_guide()), document)

    def rule_sets(self) -> Iterator[RuleSet]:
        """The rules of the guide that is named or has overlays; without either, of every guide."""
        one = self.common.guide or (default_guide() if self.common.overlays else "")
        for name in (one,) if one else guide_ids():
            yield self._of(name).rule_set

    def _of(self, name: str, document: Document | None = None) -> Engine:
        if name not in self.known:
            common = self.common if document else self.common._replace(guide=name)
            self.known[name] = engine_of(common, document)
        return self.known[name]
