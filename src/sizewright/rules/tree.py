"""Builds the tree of what is compiled: a function of subjects and parameters, made of calls."""

from __future__ import annotations

import ast
from collections.abc import Iterable
from typing import Final

SUBJECTS: Final = "subjects"
PARAMETERS: Final = "parameters"

_LOAD = ast.Load()


def function(body: ast.expr) -> ast.Expression:
    """Make a translated condition a function of the subjects and the parameters."""
    names = [ast.arg(name, lineno=1, col_offset=0) for name in (SUBJECTS, PARAMETERS)]
    signature = ast.arguments(
        posonlyargs=[], args=names, kwonlyargs=[], kw_defaults=[], defaults=[]
    )
    return ast.Expression(ast.Lambda(signature, body, lineno=1, col_offset=0))


def name_of(variable: str) -> ast.expr:
    """The value of a variable."""
    return ast.Name(variable, _LOAD, lineno=1, col_offset=0)


def item(holder: str, key: str) -> ast.expr:
    """What a mapping holds under a key."""
    return ast.Subscript(name_of(holder), literal(key), _LOAD, lineno=1, col_offset=0)


def field(value: ast.expr, name: str) -> ast.expr:
    """An attribute; its name must have been found in the schema."""
    return ast.Attribute(value, name, _LOAD, lineno=1, col_offset=0)


def call(function: str, *args: ast.expr) -> ast.expr:
    """A call of a function of ours."""
    return ast.Call(name_of(function), list(args), [], lineno=1, col_offset=0)


def literal(value: str | float) -> ast.expr:
    """A text or a number."""
    return ast.Constant(value, lineno=1, col_offset=0)


def sequence(values: Iterable[str]) -> ast.expr:
    """A list of texts."""
    return ast.Tuple([literal(value) for value in values], _LOAD, lineno=1, col_offset=0)
