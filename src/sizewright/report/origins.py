"""What a plan's figures came from: table cells, rule parameters and input lines, each once.

Each has a key that stays when its file is edited elsewhere, so that two plans can be compared.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from sizewright.evaluate.budgets import Budget
from sizewright.quantity import Provenance, Quantity
from sizewright.report.plain import quantity
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
            for origin in self._known(finding.figures.values()):
                self._rules.setdefault(origin, set()).add(finding.rule)
        self._keys = _keys(self._leaves)

    def _known(self, figures: Iterable[Quantity]) -> tuple[Origin, ...]:
        found = dict(_origins(figures))
        self._leaves |= found
        return tuple(found)

    def of(self, budget: Budget) -> list[str]:
        """The keys of what a budget's figures came from, sorted."""
        return sorted(self._keys[origin] for origin in self._of[budget.resource])

    def data(self) -> list[dict[str, Any]]:
        """Every origin as plain data, sorted by key."""
        ordered = sorted(self._leaves, key=lambda origin: self._keys[origin])
        return [self._one(origin, self._leaves[origin]) for origin in ordered]

    def _one(self, origin: Origin, leaf: Quantity) -> dict[str, Any]:
        source = leaf.source or Provenance(*origin)
        return {
            "key": self._keys[origin],
            "kind": source.kind,
            "where": source.where,
            "cite": source.cite,
            "status": source.status,
            "value": quantity(leaf),
            "rules": sorted(self._rules.get(origin, ())),
        }


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
