"""Which facts a condition shows to be there: what `known(x) and …` and its kin guard."""

from __future__ import annotations

import ast
from typing import Final

# A fact as (subject, field), a parameter as ("", name).
Name = tuple[str, str]
Names = frozenset[Name]

_NONE: Final[Names] = frozenset()


def guarded(node: ast.expr, outcome: bool) -> Names:
    """Find the names that are present wherever the condition comes out as `outcome`.

    Holds for every answer but the opposite one: `known` and `is None` are never unknown or tight,
    and an `and` with a false part is false, whatever else it holds.
    """
    match node:
        case ast.BoolOp(op=op, values=values):
            parts = [guarded(value, outcome) for value in values]
            every = isinstance(op, ast.And) is outcome
            return _NONE.union(*parts) if every else parts[0].intersection(*parts[1:])
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            return guarded(operand, not outcome)
        case ast.Call(func=ast.Name(id="known"), args=[fact], keywords=[]) if outcome:
            return _name(fact)
        case ast.Compare(left=fact, ops=[op], comparators=[ast.Constant(value=None)]):
            if isinstance(op, ast.IsNot if outcome else ast.Is):
                return _name(fact)
    return _NONE


def _name(node: ast.expr) -> Names:
    match node:
        case ast.Attribute(value=ast.Name(id=subject), attr=field):
            return frozenset({(subject, field)})
        case ast.Name(id=name):
            return frozenset({("", name)})
    return _NONE
