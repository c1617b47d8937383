"""The expressions of case studies: the guide's own arithmetic, and paths into a plan.

Both are read by the parser of rule conditions. Arithmetic has numbers, ``+ - * /``, parentheses
and ``ceil(…)``, and nothing else. A path says which quantity or choice of a plan is compared:

    demand.streams[ecad].ops                         a record of a list, by its key
    count(devices[model=424mb-scsi])                 the records with a field, counted
    demand.streams[pcs].ops{services.pcs.clients}    a named quantity from which another is computed
    1 - budgets[nfs].used / budgets[nfs].limit       quantities combine as ranges do
    largest(budgets[nfs].utilisation, budgets[network/technical].utilisation)

The only numbers in a path are 1 and 2: ``1 - share``, ``2 * rate`` and ``rate / 2``. Other
constants belong in tables. So numbers are never combined with each other, 2 is neither added nor
subtracted, and a product contains 2 at most once.

`trials.py` lists the names that a path begins with. A field of a list is the list of the fields. A
sum has the unit of its first quantity. Functions: ``count``, ``distinct`` and ``total`` of a list,
``ceil``, ``number`` (without its unit), and ``largest``, which returns the first key of the path
that leads to the largest quantity.
"""

import ast
import math
import operator
import re
from collections.abc import Callable, Mapping
from functools import partial, reduce
from typing import Any, Literal, NamedTuple

from sizewright.errors import did_you_mean, join_or
from sizewright.guide.model import NoSuchRowError, Row, Table
from sizewright.quantity import Quantity, as_quantity, ceil
from sizewright.quantity import count as counted
from sizewright.rules.parser import ConditionError, parse
from sizewright.units import PURE, UnitError

Kind = Literal["plan", "demand", "cell", "arithmetic"]

_OPERATIONS: Mapping[type[ast.operator], Callable[[Any, Any], Any]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
}
_SIGNS = {ast.Add: "+", ast.Sub: "-"}
# The keys and names in brackets and braces, which need no quotes.
_KEY = re.compile(r"\[([^\]]+)\]|(\{[^}]+)\}")
_WITHIN = "{"
# The field that identifies a record of a list: the first of these that it has.
_KEY_FIELDS = ("resource", "id", "rule", "service", "platform", "survivor", "name")
# Names of what is stated or printed; everything else is computed.
_GIVEN = frozenset(("table", "parameter", "printed"))
_CELLS = _GIVEN | {"platform"}


class ExpressionError(ValueError):
    """Text that is not plain arithmetic."""


class PathError(ValueError):
    """A path that cannot be read, or that leads nowhere in this plan."""


class NothingThereError(PathError):
    """A valid path to something that this plan does not have."""


def evaluate(text: str) -> float:
    """The value of plain arithmetic; raises ExpressionError."""
    try:
        value = _evaluate(parse(text))
    except ConditionError as error:
        raise ExpressionError(f"'{text}' is not arithmetic: {error.message}") from None
    except (ZeroDivisionError, OverflowError):
        raise ExpressionError(f"'{text}' has no value") from None
    if not math.isfinite(value):
        raise ExpressionError(f"'{text}' has no value")
    return value


def _evaluate(node: ast.expr) -> float:
    match node:
        case ast.Constant(value=int() | float() as number) if not isinstance(number, bool):
            return number
        case ast.BinOp(left=left, op=op, right=right) if type(op) in _OPERATIONS:
            value: float = _OPERATIONS[type(op)](_evaluate(left), _evaluate(right))
            return value
        case ast.Call(func=ast.Name(id="ceil"), args=[inner], keywords=[]):
            return math.ceil(_evaluate(inner))
    raise ExpressionError(f"'{ast.unparse(node)}' is not arithmetic")


def kind_of(path: str) -> Kind:
    """What a path leads to, by the names with which it and its parts begin.

    `plan` if any part is computed from a configuration, else `demand` if any part is computed from
    a workload, else `cell`; `arithmetic` without a path.
    """
    if not path:
        return "arithmetic"
    names = _first_names(path)
    if names - _CELLS - {"demand"}:
        return "plan"
    return "demand" if "demand" in names else "cell"


def is_of_demand(path: str) -> bool:
    """Whether a path needs a demand only, and no plan."""
    if not path:
        return False
    names = _first_names(path)
    return "demand" in names and names <= _GIVEN | {"demand"}


def _first_names(path: str) -> set[str]:
    tree = _parse_path(path)
    functions = {id(node.func) for node in ast.walk(tree) if isinstance(node, ast.Call)}
    nodes = (node for node in ast.walk(tree) if id(node) not in functions)
    return {node.id for node in nodes if isinstance(node, ast.Name)}


def resolve(path: str, start: Mapping[str, Any], end: str = "high") -> Any:
    """What a path leads to: a quantity, a text, a flag, a record or a list; raises PathError.

    `start` has the values of the names that a path begins with. `end` is the end of the ranges at
    which quantities are compared to find the largest.
    """

    def value(node: ast.expr) -> Any:
        match node:
            case ast.Name(id=name):
                if name in start:
                    return start[name]
                hint = _hint(name, (*start, *_FUNCTIONS, "largest"))
                raise PathError(f"there is no '{name}' to begin with; {hint}")
            case ast.Constant(value=int() as number) if repr(number) in ("1", "2"):
                return as_quantity(float(number))
            case ast.Attribute(value=of, attr=name):
                return _field(value(of), name)
            case ast.Subscript(value=of, slice=ast.Constant(value=str() as key)):
                return _step(value(of), key)
            case ast.BinOp(left=left, op=op, right=right) if type(op) in _OPERATIONS:
                return _combine(op, _quantity(value(left)), _quantity(value(right)))
            case ast.Call(func=ast.Name(id="largest"), args=paths, keywords=[]) if paths:
                found = [_quantity(value(one)).at(end) for one in paths]
                return _first_key(paths[found.index(max(found))])
            case ast.Call(func=ast.Name(id=name), args=args, keywords=[]):
                if len(args) != 1 or name not in _FUNCTIONS:
                    known = (*_FUNCTIONS, "largest")
                    raise PathError(f"{name} of {len(args)} is not one of {join_or(known)}")
                return _FUNCTIONS[name](value(args[0]))
        raise PathError(f"'{ast.unparse(node)}' is not expected")

    return value(_parse_path(path))


class Step(NamedTuple):
    """One step of a plain path: a field, or the key of a record in a list."""

    name: str
    is_field: bool


def path_steps(path: str) -> tuple[Step, ...]:
    """The steps of a path without arithmetic, from the left; raises PathError."""
    node: ast.expr = _parse_path(path)
    steps: list[Step] = []
    while True:
        match node:
            case ast.Name(id=name):
                return (Step(name, True), *reversed(steps))
            case ast.Attribute(value=node, attr=name):
                steps.append(Step(name, True))
            case ast.Subscript(value=node, slice=ast.Constant(value=str() as key)):
                steps.append(Step(key, False))
            case _:
                raise PathError(f"'{ast.unparse(node)}' is not expected")


def _parse_path(path: str) -> ast.expr:
    # The parser sees the number of each key in place of the key.
    keys: list[str] = []

    def number(match: re.Match[str]) -> str:
        keys.append(match[1] or match[2])
        return f"[{len(keys) - 1}]"

    try:
        tree = parse(_KEY.sub(number, path))
    except ConditionError as error:
        raise PathError(f"cannot be read: {error.message}") from None
    for node in ast.walk(tree):
        match node:
            case ast.Subscript(slice=ast.Constant(value=int() as position) as key):
                key.value = keys[position]
            case ast.BinOp():
                _check_constants(node)
    return tree


def _check_constants(node: ast.BinOp) -> None:
    """Raise PathError for numbers that belong in a table."""
    left, right = (isinstance(one, ast.Constant) for one in (node.left, node.right))
    if left and right:
        raise PathError(f"two numbers are a typed constant in '{ast.unparse(node)}'")
    sign = _SIGNS.get(type(node.op))
    if sign and 2 in (_number(node.left), _number(node.right)):
        raise PathError(f"2 is a typed constant beside '{sign}'")
    if not sign and _twos(node) > 1:
        raise PathError(f"a second 2 is a typed constant in '{ast.unparse(node)}'")


def _number(node: ast.expr) -> Any:
    return node.value if isinstance(node, ast.Constant) else None


def _twos(node: ast.expr) -> int:
    """How many factors and divisors of a product are 2."""
    if isinstance(node, ast.BinOp) and type(node.op) not in _SIGNS:
        return _twos(node.left) + _twos(node.right)
    return int(_number(node) == 2)


def _first_key(path: ast.expr) -> str:
    keys = [
        (node.col_offset, node.value)
        for node in ast.walk(path)
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
        if not node.value.startswith(_WITHIN)
    ]
    return min(keys)[1] if keys else ""


def _hint(name: str, known: tuple[str, ...]) -> str:
    return did_you_mean(name, known) or f"known: {join_or(known)}"


def _quantity(value: Any) -> Quantity:
    if isinstance(value, Quantity):
        return value
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        return as_quantity(value)
    raise PathError(f"{text_of(value)} is not a quantity")


def _list(value: Any) -> tuple[Any, ...]:
    if isinstance(value, tuple) and not hasattr(value, "_fields"):
        return value
    raise PathError(f"{text_of(value)} is not a list")


def _combine(op: ast.operator, left: Quantity, right: Quantity) -> Quantity:
    try:
        if type(op) in _SIGNS:
            right = _in_unit(right, left.unit)
        combined: Quantity = _OPERATIONS[type(op)](left, right)
    except (UnitError, ZeroDivisionError) as error:
        raise PathError(str(error)) from None
    return combined


def _in_unit(quantity: Quantity, unit: str) -> Quantity:
    """A quantity in a unit; unchanged if it cannot be converted."""
    try:
        return quantity.to(unit)
    except UnitError:
        return quantity


def _total(value: Any) -> Quantity:
    if not value:
        raise NothingThereError("nothing to add up")
    return reduce(partial(_combine, ast.Add()), map(_quantity, _list(value)))


def _without_unit(value: Any) -> Quantity:
    quantity = _quantity(value)
    return Quantity(quantity.low, quantity.likely, quantity.high, PURE, name=quantity.name)


_FUNCTIONS: Mapping[str, Callable[[Any], Any]] = {
    "count": lambda value: counted(len(_list(value)), "counted"),
    "distinct": lambda value: tuple(sorted(set(map(text_of, _list(value))))),
    "total": _total,
    "ceil": lambda value: ceil(_quantity(value)),
    "number": _without_unit,
}


def _step(value: Any, key: str) -> Any:
    if key.startswith(_WITHIN):
        return _within(value, key.removeprefix(_WITHIN))
    if "=" in key:
        name, _, wanted = key.partition("=")
        records = _list(value)
        return tuple(r for r in records if text_of(_field(r, name.strip())) == wanted.strip())
    return _keyed(value, key)


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


def _key(record: Any) -> str:
    if isinstance(record, str):
        return record
    for name in _KEY_FIELDS:
        value = getattr(record, name, None)
        if isinstance(value, str) and value:
            # A budget's resource begins with its system, of which a case study has one.
            return value.partition("/")[2] if name == "resource" else value
    return ""


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
    kind = row.columns[name].type
    readers: dict[str, Callable[[str], Any]] = {
        "number": row.cell, "range": row.cell, "flag": row.flag, "list": row.list
    }  # fmt: skip
    return readers.get(kind, row.text)(name)


def _within(value: Any, name: str) -> Quantity:
    """The named quantity from which another is computed."""
    names: list[str] = []
    todo = [_quantity(value)]
    while todo:
        quantity = todo.pop()
        if quantity.name == name:
            return quantity
        names.append(quantity.name)
        todo.extend(reversed(quantity.args))
    raise NothingThereError(f"no '{name}' in it; {_hint(name, tuple(filter(None, names)))}")


def text_of(value: Any) -> str:
    """A choice in words, as expected files write it."""
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
