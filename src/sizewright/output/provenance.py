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
from sizewright.quantity import Quantity, leaves
from sizewright.rules.rule import Finding

#: What a user can change; counts of a configuration and definitions follow from elsewhere.
KINDS = ("table", "parameter", "input")


class Origin(NamedTuple):
    """A leaf of some figure by its kind, place and name."""

    kind: str
    where: str
    name: str


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

    def uses(self) -> Iterator[tuple[str, Quantity, list[str]]]:
        """Yield the key of every origin, its leaf, and the rules that use it, sorted by key."""
        for each in sorted(self._leaves, key=self._keys.__getitem__):
            yield self._keys[each], self._leaves[each], sorted(self._rules.get(each, ()))


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


def overlay_uses(plan: Plan) -> tuple[tuple[Change, bool], ...]:
    """Every change of the guide's overlays, and whether a plan depends on it."""
    tried = (plan, *(plan.plans if plan.group else ()))
    judged = [r.judgement for each in tried for r in each.rejected if r.judgement]
    return uses_in(plan.guide, (*judged, *(each.chosen for each in plan.plans if each.chosen)))


def uses_in(guide: Guide, judged: Iterable[Evaluation]) -> tuple[tuple[Change, bool], ...]:
    """Every change of the guide's overlays, and whether a figure of the results depends on it."""
    if not guide.changes:
        return ()
    figures = (
        figure for each in judged
        for figures in (*map(_ends, each.budgets), *(f.figures.values() for f in each.findings))
        for figure in figures
    )  # fmt: skip
    places = {leaf.source.where for figure in figures for leaf in leaves(figure) if leaf.source}
    found = []
    for change in guide.changes:
        where = change.what.replace(" parameter ", ", ")
        within = any(place.startswith((f"{where}/", f"{where},")) for place in places)
        found.append((change, within or where in places))
    return tuple(found)


_ASSUMPTION = "assumption"
_OF_THE_GUIDE = ("inferred", "outside")
_COLUMNS = "what | where | >value"


def add_assumptions(document: Document, budgets: Iterable[Budget]) -> None:
    """A table of what the workload assumes, and one of values that the guide does not print."""
    known = tuple(budgets)
    figures = (figure for each in known for figure in _deciding(each))
    rows = {
        (leaf.source.status, exact(leaf), *origin(leaf))
        for figure in figures if figure is not None for leaf in leaves(figure) if leaf.source
    }  # fmt: skip
    stated, others = (
        sorted((what, where, value) for status, value, what, where in rows if status in wanted)
        for wanted in ((_ASSUMPTION,), _OF_THE_GUIDE)
    )
    document.heading("Assumptions")
    if not known:
        document.say(
            "No machine has budgets, so that none are listed. The reasons above may depend on "
            "values that the guide does not print, such as how many slots a machine has."
        )
    elif not stated and not others:
        document.say(
            "None. Each value that the budgets depend on is stated as a fact by the workload, or "
            "printed by the guide."
        )
    if stated:
        document.say("From the workload, stated as assumptions:")
        document.table(_COLUMNS, stated)
    if others:
        document.say("From the tables, inferred or taken from a document other than the guide:")
        document.table(_COLUMNS, others)


def _deciding(budget: Budget) -> Iterator[Quantity | None]:
    """Yield what a budget's verdict depends on: of what nothing uses, the limit does not count."""
    yield from (item.figure for item in budget.items)
    if budget.used is None or budget.used.high > 0:
        yield from (budget.capacity, budget.limit)
