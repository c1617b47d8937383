"""A difference of two plans as plain data: the contract `sizewright.diff/1`."""

from __future__ import annotations

from typing import Any

from sizewright.diff.model import Cause, Change, Difference

SCHEMA = "sizewright.diff/1"


def difference_data(found: Difference) -> dict[str, Any]:
    """Everything that a difference says, in the order of the schema."""
    return {
        "schema": SCHEMA,
        "same": found.same,
        "before": found.before._asdict(),
        "after": found.after._asdict(),
        "changes": [_change(change) for change in found.changes],
        "causes": [_cause(cause) for cause in found.causes],
    }


def _change(change: Change) -> dict[str, Any]:
    return {
        "section": change.section,
        "subject": change.subject,
        "figures": [figure._asdict() for figure in change.figures],
        "causes": list(change.causes),
    }


def _cause(cause: Cause) -> dict[str, Any]:
    return {
        "kind": cause.kind,
        "key": cause.key,
        "before": cause.before and cause.before._asdict(),
        "after": cause.after and cause.after._asdict(),
    }
