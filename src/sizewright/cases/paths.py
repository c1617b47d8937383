"""The path language: where in a plan a figure or a choice stands.

    demand.streams[ecad].ops                         a record of a list, by its key
    count(devices[model=424mb-scsi])                 the records with a field, counted
    demand.streams[pcs].ops{services.pcs.clients}    a named figure inside a figure's own tree
    1 - budgets[nfs].used / budgets[nfs].limit       figures combine as ranges do
    largest(budgets[nfs].utilisation, budgets[network/technical].utilisation)

The numbers 1 and 2 stand for themselves: ``1 - share``, ``2 * rate`` and ``rate / 2``. Other
constants belong into tables, so numbers are never combined with each other, 2 is neither added nor
subtracted, and a product has one 2 at most.

Roots: ``holds``, ``demand``, ``rejected``, ``table`` (the guide's), ``printed`` (other figures of
the inventory, by id), and of the configuration shown ``system``, ``devices``, ``platform``,
``facts``, ``budgets``, ``work`` (with its pace, by service and name), ``findings``; ``parameter``
holds the rules' by rule and name. Where two systems were planned the primary is shown;
``alternate`` has the same roots for the other (``alternate.budgets``), ``single`` for the plan of
one system alone, ``deal`` the services of each, ``failover`` what is left to do for a survivor. A
field of a list is the list of the fields. A sum has the unit of its first figure. Functions:
``count``, ``distinct``, ``total`` of a list, ``ceil``, ``number`` (without its unit), and
``largest``, which says the first key of the path that leads to the largest figure.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, NamedTuple

from sizewright.cases.model import Kind
from sizewright.errors import did_you_mean, join_or
from sizewright.evaluate.system import Evaluation
from sizewright.guide.model import Guide, NoSuchRowError, Row, Table
from sizewright.limits import CONDITION_CHARACTERS, CONDITION_DEPTH
from sizewright.planner.plan import Plan
from sizewright.quantity import Quantity, as_quantity, ceil
from sizewright.quantity import count as counted
from sizewright.rules.compiler import RuleSet
from sizewright.units import PURE, UnitError

_TOKEN = re.compile(
    r"\s*(?:(?P<name>[a-z][a-z0-9_]*)|\[(?P<key>[^\]]+)\]|\{(?P<within>[^}]+)\}"
    r"|(?P<number>[12](?![0-9.]))|(?P<sign>[-+*/().,]))"
)
# The field by which records of a list are told apart, first found.
_KEYS = ("resource", "id", "rule", "service", "platform", "survivor", "name")
# Roots that hold what was stated or printed; every other is computed.
_GIVEN_ROOTS = frozenset(("table", "parameter", "printed"))
_CELL_ROOTS = _GIVEN_ROOTS | {"platform"}
_LITERALS = {text: as_quantity(float(text)) for text in ("1", "2")}
_FUNCTIONS = ("count", "distinct", "total", "ceil", "number", "largest")


class PathError(ValueError):
    """A path that cannot be read, or that leads nowhere in this plan."""


class NothingThereError(PathError):
    """A sound path to something that this plan does not have."""


class _Token(NamedTuple):
    kind: str
    text: str


def roots(plan: Plan, book: RuleSet, single: Plan | None = None) -> Mapping[str, Any]:
    """Where paths into a plan begin; `single` is that of one system where it has two."""
    found = guide_roots(plan.guide, book) | {
        "holds": plan.holds,
        "demand": plan.demand,
        "rejected": plan.rejected,
    }
    if plan.pair is not None:
        found |= {
            "alternate": _shown(plan.pair.alternate.shown, plan.guide),
            "single": _shown(single.shown if single else None, plan.guide),
            "deal": plan.pair.deal,
            "failover": plan.pair.failover,
        }
    return found | _shown(plan.shown, plan.guide)


def box_roots(judged: Evaluation, guide: Guide, book: RuleSet) -> Mapping[str, Any]:
    """Where paths into the check of a box begin."""
    return guide_roots(guide, book) | _shown(judged, guide)


def guide_roots(guide: Guide, book: RuleSet) -> dict[str, Any]:
    """Where paths begin if nothing is planned or checked."""
    return {
        "table": guide.tables,
        "parameter": {rule.id: rule.parameters for rule in book.rules},
    }


def kind_of(path: str) -> Kind:
    """What a path leads to, by where it begins.

    `plan` if any part of it was computed from a configuration, else `demand` if any part was
    computed from a workload, else `cell`; `arithmetic` without a path.
    """
    begins = _begins(path)
    if not begins:
        return "arithmetic"
    if begins - _CELL_ROOTS - {"demand"}:
        return "plan"
    return "demand" if "demand" in begins else "cell"


def is_of_demand(path: str) -> bool:
    """Return whether a path needs a demand only, and no plan."""
    begins = _begins(path)
    return "demand" in begins and begins <= _GIVEN_ROOTS | {"demand"}


def _begins(path: str) -> set[str]:
    """Return the roots where a path begins, or begins anew."""
    tokens = _tokens(path)
    return {
        token.text
        for before, token, after in zip((None, *tokens), tokens, (*tokens[1:], None), strict=False)
        if token.kind == "name" and before != _Token("sign", ".") and after != _Token("sign", "(")
    }


def _shown(judged: Evaluation | None, guide: Guide) -> dict[str, Any]:
    """The roots of one system; none where there is nothing to show."""
    if judged is None:
        return {}
    return {
        "system": judged.system,
        "devices": judged.system.devices(),
        "platform": guide.row("platforms", judged.system.platform),
        "facts": judged.facts,
        "budgets": judged.budgets,
        "work": {each.operations.title: each for each in judged.load.works},
        "findings": judged.findings,
    }


def resolve(path: str, start: Mapping[str, Any], end: str = "high") -> Any:
    """What a path leads to: a Quantity, a text, a flag, a record or a list; raises PathError."""
    reader = _Reader(_tokens(path), start, end)
    value = reader.sum(0)
    if reader.at < len(reader.tokens):
        raise PathError(f"'{reader.tokens[reader.at].text}' is not expected in '{path}'")
    return value


def _tokens(path: str) -> tuple[_Token, ...]:
    if len(path) > CONDITION_CHARACTERS:
        raise PathError(f"longer than {CONDITION_CHARACTERS} characters")
    text, at, found = path.rstrip(), 0, []
    while at < len(text):
        match = _TOKEN.match(text, at)
        if match is None or match.lastgroup is None:
            raise PathError(f"cannot be read from '{text[at:].lstrip()}' on")
        found.append(_Token(match.lastgroup, match[match.lastgroup]))
        at = match.end()
    return tuple(found)


class _Reader:
    """Reads tokens from the left and resolves as it goes."""

    def __init__(self, tokens: tuple[_Token, ...], start: Mapping[str, Any], end: str) -> None:
        self.tokens = tokens
        self.start = start
        self.end = end
        self.at = 0

    def next_is(self, *signs: str) -> bool:
        at = self.at
        return at < len(self.tokens) and self.tokens[at] in [_Token("sign", s) for s in signs]

    def take(self) -> _Token:
        if self.at >= len(self.tokens):
            raise PathError("ends too early")
        self.at += 1
        return self.tokens[self.at - 1]

    def expect(self, sign: str) -> None:
        token = self.take()
        if token != _Token("sign", sign):
            raise PathError(f"'{sign}' is missing before '{token.text}'")

    def sum(self, depth: int) -> Any:
        if depth > CONDITION_DEPTH:
            raise PathError("nested too deeply")
        value = self.product(depth)
        while self.next_is("+", "-"):
            sign, other = self.take().text, self.product(depth)
            if _literal(value) == 2 or _literal(other) == 2:
                raise PathError(f"2 is a typed constant beside '{sign}'")
            value = _combined(sign, value, other)
        return value

    def product(self, depth: int) -> Any:
        value = self.part(depth)
        twos = int(_literal(value) == 2)
        while self.next_is("*", "/"):
            sign, other = self.take().text, self.part(depth)
            twos += int(_literal(other) == 2)
            if twos > 1:
                raise PathError(f"a second 2 is a typed constant beside '{sign}'")
            value = _combined(sign, value, other)
        return value

    def part(self, depth: int) -> Any:
        token = self.take()
        if token == _Token("sign", "("):
            value = self.sum(depth + 1)
            self.expect(")")
            return value
        if token.kind == "number":
            return _LITERALS[token.text]
        if token.kind != "name":
            raise PathError(f"'{token.text}' is not expected")
        if self.next_is("("):
            return self.call(token.text, depth)
        if token.text not in self.start:
            known = (*self.start, *_FUNCTIONS)
            raise PathError(f"there is no '{token.text}' to begin with; {_hint(token.text, known)}")
        return self.steps(self.start[token.text])

    def steps(self, value: Any) -> Any:
        while self.at < len(self.tokens):
            kind, text = self.tokens[self.at]
            if kind == "key":
                self.at += 1
                value = _matching(value, text) if "=" in text else _keyed(value, text)
            elif kind == "within":
                self.at += 1
                value = _within(value, text)
            elif self.next_is("."):
                self.at += 1
                value = _field(value, self.take().text)
            else:
                break
        return value

    def call(self, name: str, depth: int) -> Any:
        self.expect("(")
        given, first_keys = [], []
        while True:
            before = self.at
            given.append(self.sum(depth + 1))
            keys = [t.text for t in self.tokens[before : self.at] if t.kind == "key"]
            first_keys.append(keys[0] if keys else "")
            if not self.next_is(","):
                break
            self.take()
        self.expect(")")
        if name == "largest":
            figures = [_figure(value) for value in given]
            best = max(range(len(figures)), key=lambda n: figures[n].at(self.end))
            return first_keys[best]
        if len(given) != 1 or name not in _FUNCTIONS:
            raise PathError(f"{name} of {len(given)} is not one of {join_or(_FUNCTIONS)}")
        if name == "ceil":
            return ceil(_figure(given[0]))
        if name == "number":
            figure = _figure(given[0])
            return Quantity(figure.low, figure.likely, figure.high, PURE, name=figure.name)
        if name == "total":
            return _total(_list(given[0]))
        if name == "count":
            return counted(len(_list(given[0])), "counted")
        return tuple(sorted(set(map(text_of, _list(given[0])))))


def _hint(name: str, known: tuple[str, ...]) -> str:
    return did_you_mean(name, known) or f"known: {join_or(known)}"


def _figure(value: Any) -> Quantity:
    if isinstance(value, Quantity):
        return value
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        return as_quantity(value)
    raise PathError(f"{text_of(value)} is not a figure")


def _list(value: Any) -> tuple[Any, ...]:
    if isinstance(value, tuple) and not hasattr(value, "_fields"):
        return value
    raise PathError(f"{text_of(value)} is not a list")


def _total(values: tuple[Any, ...]) -> Quantity:
    if not values:
        raise NothingThereError("nothing to add up")
    sum_ = _figure(values[0])
    for value in values[1:]:
        sum_ = _combined("+", sum_, value)
    return sum_


def _literal(value: Any) -> float:
    """The number that a path writes out, 0 for anything else."""
    return value.likely if any(value is one for one in _LITERALS.values()) else 0


def _combined(sign: str, left: Any, right: Any) -> Quantity:
    if _literal(left) and _literal(right):
        raise PathError(f"two numbers are a typed constant beside '{sign}'")
    a, b = _figure(left), _figure(right)
    try:
        match sign:
            case "+":
                return a + _alike(b, a)
            case "-":
                return a - _alike(b, a)
            case "*":
                return a * b
            case _:
                return a / b
    except (UnitError, ZeroDivisionError) as error:
        raise PathError(str(error)) from None


def _alike(figure: Quantity, other: Quantity) -> Quantity:
    """A figure in the unit of another, as it is where that makes no sense."""
    try:
        return figure.to(other.unit)
    except UnitError:
        return figure


def _key(record: Any) -> str:
    if isinstance(record, str):
        return record
    for name in _KEYS:
        value = getattr(record, name, None)
        if isinstance(value, str) and value:
            # A budget's resource names its system first; a case study has one.
            return value.partition("/")[2] if name == "resource" else value
    return ""


def _keyed(value: Any, key: str) -> Any:
    if isinstance(value, Table):
        try:
            return value[key]
        except NoSuchRowError as error:
            raise PathError(str(error)) from None
    if isinstance(value, Mapping):
        if key not in value:
            raise PathError(f"there is no '{key}'; {_hint(key, tuple(value))}")
        return value[key]
    records = _list(value)
    found = [record for record in records if _key(record) == key]
    if not found:
        raise NothingThereError(f"no '{key}'; {_hint(key, tuple(map(_key, records)))}")
    if len(found) > 1:
        raise PathError(f"there are {len(found)} of '{key}'; choose by [field=value]")
    return found[0]


def _matching(value: Any, text: str) -> tuple[Any, ...]:
    name, _, wanted = text.partition("=")
    return tuple(r for r in _list(value) if text_of(_field(r, name.strip())) == wanted.strip())


def _field(value: Any, name: str) -> Any:
    if isinstance(value, Row):
        return _cell(value, name)
    if isinstance(value, Mapping):
        return _keyed(value, name)
    fields: tuple[str, ...] | None = getattr(value, "_fields", None)
    if fields is None:
        return tuple(_field(one, name) for one in _list(value))
    if name not in fields:
        raise PathError(f"there is no field '{name}'; {_hint(name, fields)}")
    return getattr(value, name)


def _cell(row: Row, name: str) -> Any:
    if name not in row.columns:
        raise PathError(f"table {row.table} has no '{name}'; {_hint(name, tuple(row.columns))}")
    match row.columns[name].type:
        case "number" | "range":
            return row.find(name)
        case "flag":
            return row.flag(name)
        case "list":
            return row.list(name)
        case _:
            return row.text(name)


def _within(value: Any, name: str) -> Quantity:
    names: list[str] = []
    todo = [_figure(value)]
    while todo:
        figure = todo.pop()
        if figure.name == name:
            return figure
        names.append(figure.name)
        todo.extend(reversed(figure.args))
    raise NothingThereError(f"no '{name}' in it; {_hint(name, tuple(filter(None, names)))}")


def text_of(value: Any) -> str:
    """A choice in words, as expectations write it."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if value is None or value == "" or value == ():
        return "none"
    if isinstance(value, Quantity):
        return f"{value.likely:g}"
    if isinstance(value, (int, float)):
        return f"{value:g}"
    if isinstance(value, tuple):
        if hasattr(value, "_fields"):
            return _key(value)
        return ", ".join(dict.fromkeys(sorted(map(text_of, value))))
    if isinstance(value, Row):
        return value.id
    return str(value)
