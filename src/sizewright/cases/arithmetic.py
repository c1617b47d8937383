"""Evaluates the guide's own arithmetic, apart from the code that plans.

Numbers, ``+ - * /``, parentheses and ``ceil(…)``: nothing else, so that an expression over printed
inputs can be read and trusted by itself.
"""

from __future__ import annotations

import ast
import math
import operator
from collections.abc import Callable

from sizewright.limits import CONDITION_CHARACTERS, CONDITION_DEPTH

_OPERATIONS: dict[type[ast.operator], Callable[[float, float], float]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
}


class ExpressionError(ValueError):
    """An expression that is not plain arithmetic."""


def evaluate(text: str) -> float:
    """The value of an expression; raises ExpressionError."""
    if len(text) > CONDITION_CHARACTERS:
        raise ExpressionError(f"longer than {CONDITION_CHARACTERS} characters")
    try:
        tree = ast.parse(text, mode="eval")
    except (SyntaxError, ValueError, MemoryError, RecursionError):
        raise ExpressionError(f"'{text}' is not arithmetic") from None
    try:
        value = _value(tree.body, 0)
    except (ZeroDivisionError, OverflowError):
        raise ExpressionError(f"'{text}' has no value") from None
    if not math.isfinite(value):
        raise ExpressionError(f"'{text}' has no value")
    return value


def _value(node: ast.expr, depth: int) -> float:
    if depth > CONDITION_DEPTH:
        raise ExpressionError("nested too deeply")
    match node:
        case ast.Constant(value=int() | float() as number) if not isinstance(number, bool):
            return number
        case ast.BinOp(left=left, op=op, right=right) if type(op) in _OPERATIONS:
            return _OPERATIONS[type(op)](_value(left, depth + 1), _value(right, depth + 1))
        case ast.Call(func=ast.Name(id="ceil"), args=[inner], keywords=[]):
            return math.ceil(_value(inner, depth + 1))
    raise ExpressionError(f"'{ast.unparse(node)}' is not arithmetic")
