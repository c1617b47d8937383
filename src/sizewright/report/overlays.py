"""Which of the values that overlays changed a plan's figures rest on."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from sizewright.figure import Figure, leaves
from sizewright.guide.model import Change
from sizewright.planner.plan import Plan


class OverlayUse(NamedTuple):
    """A change, and whether some figure of the plan rests on it."""

    change: Change
    used: bool


def overlay_uses(plan: Plan) -> tuple[OverlayUse, ...]:
    """Every change of the guide's overlays."""
    if not plan.guide.changes:
        return ()
    places = {
        leaf.source.where for figure in _figures(plan) for leaf in leaves(figure) if leaf.source
    }
    return tuple(OverlayUse(change, _is_among(change, places)) for change in plan.guide.changes)


def _is_among(change: Change, places: set[str]) -> bool:
    where = change.what.replace(" parameter ", ", ")
    return where in places or any(place.startswith(f"{where}/") for place in places)


def _figures(plan: Plan) -> Iterator[Figure]:
    judged = [r.judgement for r in plan.rejected if r.judgement]
    for judgement in (*judged, *([plan.chosen] if plan.chosen else [])):
        for budget in judgement.budgets:
            ends = (budget.used, budget.capacity, budget.limit)
            yield from (f for f in ends if f is not None)
        for finding in judgement.findings:
            yield from finding.figures.values()
