"""Arithmetic by other code than the program's: two stacks, and fractions in place of floats."""

from __future__ import annotations

import math
import re
from fractions import Fraction

_TOKEN = re.compile(r"\s*(\d+(?:\.\d+)?|ceil|[-+*/()])")
_RANK = {"+": 1, "-": 1, "*": 2, "/": 2}


def second_value(text: str) -> Fraction:
    """The exact value of an expression of numbers, + - * /, parentheses and ceil."""
    tokens = _TOKEN.findall(text)
    assert "".join(tokens) == text.replace(" ", ""), text
    values: list[Fraction] = []
    waiting: list[str] = []
    for token in tokens:
        if token[0].isdigit():
            values.append(Fraction(token))
        elif token in _RANK:
            while waiting and waiting[-1] in _RANK and _RANK[waiting[-1]] >= _RANK[token]:
                _apply(values, waiting.pop())
            waiting.append(token)
        elif token == ")":
            while waiting[-1] != "(":
                _apply(values, waiting.pop())
            waiting.pop()
            if waiting and waiting[-1] == "ceil":
                waiting.pop()
                values.append(Fraction(math.ceil(values.pop())))
        else:
            waiting.append(token)
    while waiting:
        _apply(values, waiting.pop())
    (value,) = values
    return value


def _apply(values: list[Fraction], sign: str) -> None:
    right, left = values.pop(), values.pop()
    values.append(
        left + right if sign == "+"
        else left - right if sign == "-"
        else left * right if sign == "*"
        else left / right
    )  # fmt: skip
