"""Which of the values that overlays changed the figures of a plan or a check rest on."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from sizewright.evaluate.system import Evaluation
from sizewright.guide.model import Change, Guide
from sizewright.planner.plan import Plan
from sizewright.quantity import Quantity, leaves


class OverlayUse(NamedTuple):
    """A change, and whether some figure rests on it."""

    change: Change
    used: bool


def overlay_uses(plan: Plan) -> tuple[OverlayUse, ...]:
    """Every change of the guide's overlays, and whether a plan rests on it."""
    tried = (plan, *(plan.plans if plan.pair else ()))
    judged = [r.judgement for each in tried for r in each.rejected if r.judgement]
    return uses_in(plan.guide, (*judged, *(each.chosen for each in plan.plans if each.chosen)))


def uses_in(guide: Guide, judged: Iterable[Evaluation]) -> tuple[OverlayUse, ...]:
    """Every change of the guide's overlays, and whether a figure of the judgements rests on it."""
    if not guide.changes:
        return ()
    places = {
        leaf.source.where for figure in _figures(judged) for leaf in leaves(figure) if leaf.source
    }
    return tuple(OverlayUse(change, _is_among(change, places)) for change in guide.changes)


def _is_among(change: Change, places: set[str]) -> bool:
    where = change.what.replace(" parameter ", ", ")
    return where in places or any(place.startswith((f"{where}/", f"{where},")) for place in places)


def _figures(judged: Iterable[Evaluation]) -> Iterator[Quantity]:
    for judgement in judged:
        for budget in judgement.budgets:
            ends = (budget.used, budget.capacity, budget.limit)
            yield from (f for f in ends if f is not None)
        for finding in judgement.findings:
            yield from finding.figures.values()
