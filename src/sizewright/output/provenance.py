"""Where the values behind a plan come from: their origins, overlays and assumptions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from sizewright.evaluate.budgets import Budget
from sizewright.evaluate.system import Evaluation
from sizewright.guide.model import Change, Guide
from sizewright.output.document import Document
from sizewright.output.explain import exact, origin
from sizewright.planner.plan import Plan
from sizewright.quantity import Provenance, Quantity, leaves
from sizewright.rules.rule import Finding

#: What a user can change; counts of a configuration and definitions follow from elsewhere.
KINDS = ("table", "parameter", "input")


class Origin(NamedTuple):
    """A leaf of some figure by its kind, place and name."""

    kind: str
    where: str
    name: str


class SourceUse(NamedTuple):
    """An origin by its key, with its value and the rules whose findings depend on it."""

    key: str
    kind: str
    where: str
    cite: str
    status: str
    value: Quantity
    rules: tuple[str, ...]


class Origins:
    """Every origin of a plan's budgets and findings, with its key, its value and its users."""

    def __init__(self, budgets: Iterable[Budget], findings: Iterable[Finding]) -> None:
        self._leaves: dict[Origin, Quantity] = {}
        self._of = {budget.resource: self._known(_ends(budget)) for budget in budgets}
        self._rules: dict[Origin, set[str]] = {}
        for finding in findings:
            for each in self._known(finding.figures.values()):
                self._rules.setdefault(each, set()).add(finding.rule)
        self._keys = _keys(self._leaves)

    def _known(self, figures: Iterable[Quantity]) -> tuple[Origin, ...]:
        found = dict(_origins(figures))
        self._leaves |= found
        return tuple(found)

    def of(self, budget: Budget) -> list[str]:
        """The keys of what a budget's figures came from, sorted."""
        return sorted(self._keys[origin] for origin in self._of[budget.resource])

    def uses(self) -> list[SourceUse]:
        """Return every origin with its value and its users, sorted by key."""
        found = (self._use(origin, leaf) for origin, leaf in self._leaves.items())
        return sorted(found, key=lambda use: use.key)

    def _use(self, origin: Origin, leaf: Quantity) -> SourceUse:
        source = leaf.source or Provenance(*origin)
        return SourceUse(
            self._keys[origin], source.kind, source.where, source.cite, source.status, leaf,
            tuple(sorted(self._rules.get(origin, ()))),
        )  # fmt: skip


def _ends(budget: Budget) -> Iterator[Quantity]:
    yield from (f for f in (budget.used, budget.capacity, budget.limit) if f is not None)


def _origins(figures: Iterable[Quantity]) -> Iterator[tuple[Origin, Quantity]]:
    """Leaves that a user can change; what several figures share is walked once."""
    waiting, seen = list(figures), set[int]()
    while waiting:
        figure = waiting.pop()
        if id(figure) in seen:
            continue
        seen.add(id(figure))
        waiting += figure.args
        source = figure.source
        if not figure.args and source is not None and source.kind in KINDS:
            yield Origin(source.kind, source.where, figure.name), figure


def _keys(origins: Iterable[Origin]) -> Mapping[Origin, str]:
    """A key for each; an input line goes by its name, for its number moves with its neighbours."""
    named = {each: (each.name if each.kind == "input" else "") or each.where for each in origins}
    many = Counter(named.values())
    return {
        origin: key if many[key] == 1 else f"{key} ({origin.where})"
        for origin, key in named.items()
    }


class OverlayUse(NamedTuple):
    """A change, and whether some figure rests on it."""

    change: Change
    used: bool


def overlay_uses(plan: Plan) -> tuple[OverlayUse, ...]:
    """Every change of the guide's overlays, and whether a plan rests on it."""
    tried = (plan, *(plan.plans if plan.group else ()))
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


_ASSUMPTION = "assumption"
_OF_THE_GUIDE = ("inferred", "outside")
_HEADERS = ("value", "what", "where")


def add_assumptions(document: Document, budgets: Iterable[Budget]) -> None:
    """A table of what the workload assumes, and one of values that the guide does not print."""
    rows: dict[str, dict[tuple[str, str, str], None]] = {}
    for figure in _budget_figures(budgets):
        for leaf in leaves(figure):
            if leaf.source is not None and leaf.source.status:
                row = (exact(leaf), *origin(leaf))
                rows.setdefault(leaf.source.status, {})[row] = None
    stated = sorted(rows.get(_ASSUMPTION, ()), key=lambda row: row[1:])
    others = sorted((row for status in _OF_THE_GUIDE for row in rows.get(status, ())),
                    key=lambda row: row[1:])  # fmt: skip
    document.heading("Assumptions")
    if not stated and not others:
        document.say("None. The workload states every value as a fact, or the guide prints it.")
    if stated:
        document.say("From the workload, stated as assumptions:")
        document.table(_HEADERS, stated, right=_HEADERS[:1])
    if others:
        document.say("From the tables, inferred or taken from a document other than the guide:")
        document.table(_HEADERS, others, right=_HEADERS[:1])


def _budget_figures(budgets: Iterable[Budget]) -> Iterator[Quantity]:
    for budget in budgets:
        yield from (item.figure for item in budget.items)
        yield from (bound for bound in (budget.capacity, budget.limit) if bound is not None)
