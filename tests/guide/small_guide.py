"""A small guide: the rows of a real one that a small workload needs, and some of its rules."""

from __future__ import annotations

import json
import marshal
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from typing import Any

from sizewright.api import report_check, report_plan
from sizewright.box.reading import read_box
from sizewright.documents import Document, parse_document
from sizewright.engine import Engine
from sizewright.errors import collect_errors
from sizewright.guide.loader import _build, _contents, _merged, data_root
from sizewright.guide.merge import apply_overlays
from sizewright.guide.model import is_own
from sizewright.guide.table_schema import TABLES
from sizewright.output.box_file import box_text
from sizewright.output.check import check_text
from sizewright.output.json.check import check_data
from sizewright.output.json.plan import plan_data
from sizewright.output.plan import plan_text
from sizewright.workload.reading import read_workload

FULL = "sun-1992"
PLATFORM = "sparcstation-2"
SEEDS = (("platforms", PLATFORM), ("disks", "424mb-scsi"), ("boards", "sbus-scsi"))
RULES = (
    "VII", "IX", "XIII", "XXIII", "1.1.1-sustained", "1.1.5-memory", "1.2.4-full", "2.3-slots",
    "2.3.3-targets", "2.4.4-random", "2.4.4-busy", "2.10.1-kernel-lock",
)  # fmt: skip
WORKLOAD = """\
name: few files
networks: [{name: office, medium: ethernet}]
volumes: [{name: homes, size_mb: 300, access: random}]
services:
  - kind: nfs
    name: homes
    network: office
    clients: 10
    load: {ops_per_s_each: 2}
    uses: [homes]
"""
BOX = """\
name: shelf
guide: sun-1992
platform: sparcstation-2
processors: 1
operating_system: solaris-1.0.1
memory: {total_mb: 32}
channels:
  - id: esp0
    kind: scsi-synchronous
    provider: builtin
    devices:
      - {id: sd0, device: 424mb-scsi, access: random, target: 0}
networks:
  - {name: le0, interface: lance-ethernet, provider: builtin, clients: 10}
volumes:
  - {name: homes, copies: [[sd0]], size_mb: 300, access: random}
observed:
  disks: {sd0: {ops_per_s: 20, busy_percent: [20, 50]}}
  cpu: {user_percent: 5, system_percent: [30, 60]}
"""

Rows = dict[str, set[str]]


@cache
def small_guide() -> dict[str, Any]:
    """The guide as plain data, with its tables marshalled, as the program keeps it."""
    whole, _ = _merged(_contents(data_root(), FULL, data_root()), ())
    tables = {name: marshal.loads(it) for name, it in whole["tables"].items()}
    rules = {n: r for n, r in whole["rules"].items() if n in RULES or is_own(r["file"])}
    kept = rows_needed(tables, rules.values(), whole["defaults"].values())
    for name, table in tables.items():
        table["rows"] = {row: it for row, it in table["rows"].items() if row in kept[name]}
    packed = {name: marshal.dumps(table) for name, table in tables.items()}
    return {**whole, "tables": packed, "rules": rules}


def rows_needed(
    tables: Mapping[str, Any], rules: Iterable[Mapping[str, Any]], names: Iterable[str]
) -> Rows:
    """The rows that the seeds, the rules and the defaults name, those that these name, and so on;
    of every other table the first row."""
    kept: Rows = {name: set() for name in tables}
    defaults = set(names)
    todo = list(SEEDS)
    todo += [(p["table"], p["row"]) for r in rules for p in r["parameters"].values() if "row" in p]
    for name, table in tables.items():
        for row, it in table["rows"].items():
            if row in defaults or it["values"].get("platform") == PLATFORM:
                todo.append((name, row))
        todo += [(name, row) for row in list(table["rows"])[:1]]
    while todo:
        table, row = todo.pop()
        if row not in kept[table]:
            kept[table].add(row)
            values = tables[table]["rows"][row]["values"]
            todo += [(use.names, n) for use, n in _named(table, values) if use.names in tables]
    return kept


def _named(table: str, values: Mapping[str, Any]) -> Iterator[tuple[Any, str]]:
    for column, use in TABLES.get(table, {}).items():
        value = values.get(column)
        if use.names and value is not None:
            for name in value if isinstance(value, list) else [value]:
                yield use, name


def engine_with(*overlays: tuple[str, str]) -> Engine:
    """The small guide with overlays of one file, each a name and its text."""
    layers = [[(name, text.encode())] for name, text in overlays]
    plain = apply_overlays(small_guide(), layers) if layers else small_guide()
    return Engine(_build(plain, "", ""))


def workload_document() -> Document:
    return parse_document(WORKLOAD, "workload.yaml")


def box_document() -> Document:
    return parse_document(BOX, "box.yaml")


def plan_and_check(engine: Engine) -> None:
    """Plan the workload and check the box by an engine, and print the reports in every form.

    Raises InputError.
    """
    document, box = workload_document(), box_document()
    with collect_errors() as errors:
        with errors.catch():
            planned = report_plan(read_workload(document), document, engine)
            plan_text(planned)
            json.dumps(plan_data(planned))
            if planned.plan.chosen:
                box_text(planned, planned.plan.chosen)
        with errors.catch():
            checked = report_check(read_box(box), box, engine)
            check_text(checked)
            json.dumps(check_data(checked))
