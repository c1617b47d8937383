"""Plans for commands that put several beside each other: read as written, or made now."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import click

from sizewright.cli.inputs import End, planned_from
from sizewright.cli.options import Common
from sizewright.documents import Document, parse_document, read_bytes
from sizewright.errors import collect_errors
from sizewright.limits import PLAN_BYTES_AT_MOST

if TYPE_CHECKING:
    from sizewright.output.reports import PlanReport

_STDIN = "-"


def plan_or_document(name: str) -> dict[str, Any] | Document:
    """A plan that was written, or a workload file as it stands; raises InputFaults."""
    from sizewright.diff.planfile import is_plan, parse_plan

    raw, called = read_bytes(name, PLAN_BYTES_AT_MOST)
    return parse_plan(raw, called) if is_plan(raw, called) else parse_document(raw, called)


def plans_of(
    common: Common, names: Iterable[str], size_for: End | None, systems: int | None
) -> tuple[dict[str, Any], ...]:
    """The plan of each file as plain data; raises InputFaults with the faults of all."""

    def one(name: str) -> dict[str, Any]:
        found = plan_or_document(name)
        if isinstance(found, dict):
            return found
        return written(planned_from(common, found, size_for, systems=systems))

    with collect_errors() as errors:
        return errors.for_each(one, names)


def written(report: PlanReport) -> dict[str, Any]:
    """A plan as it would be read back from its JSON."""
    from sizewright.output.jsonform import plan_data

    data: dict[str, Any] = json.loads(json.dumps(plan_data(report), allow_nan=False))
    return data


def input_once(names: Iterable[str]) -> None:
    """Refuse standard input given twice; raises UsageError."""
    if list(names).count(_STDIN) > 1:
        raise click.UsageError("standard input (-) can be read once only")
