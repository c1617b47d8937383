"""Every node of Python's expression syntax: on the list of what is allowed, or refused.

The nodes are asked of `ast` itself, so a Python that gains one fails here until it is considered.
"""

import ast
import sys
import warnings
from typing import Any

import pytest

from sizewright.facts.fact import Fact, Kind
from sizewright.rules.checker import Translator, compile_condition
from sizewright.rules.parser import ConditionError, Schema

NUMBER, TEXT = Fact(Kind.NUMBER), Fact(Kind.TEXT)
FLAG, LIST = Fact(Kind.FLAG), Fact(Kind.NAMES)
SCHEMA = Schema(
    {"s": {"x": NUMBER, "maybe": Fact(Kind.NUMBER, optional=True), "on": FLAG}},
    {"most": NUMBER, "name": TEXT, "kinds": LIST},
)

ALLOWED = {
    ast.expr: {
        "BoolOp": "s.on and s.on",
        "BinOp": "s.x + most > 1",
        "UnaryOp": "not s.on",
        "Compare": "s.x < most",
        "Call": "known(s.x)",
        "Constant": "s.x < 1",
        "Attribute": "s.on",
        "Name": "most > 1",
        "List": "name in ['a', 'b']",
        "Tuple": "name in ('a', 'b')",
    },
    ast.operator: {
        "Add": "s.x + 1 < most",
        "Sub": "s.x - 1 < most",
        "Mult": "s.x * 2 < most",
        "Div": "s.x / 2 < most",
    },
    ast.cmpop: {
        "Eq": "name == 'a'",
        "NotEq": "name != 'a'",
        "Lt": "s.x < 1",
        "LtE": "s.x <= 1",
        "Gt": "s.x > 1",
        "GtE": "s.x >= 1",
        "Is": "s.maybe is None",
        "IsNot": "s.maybe is not None",
        "In": "name in kinds",
        "NotIn": "name not in kinds",
    },
    ast.unaryop: {"Not": "not s.on", "USub": "-s.x < 1"},
    ast.boolop: {"And": "s.on and s.on", "Or": "s.on or s.on"},
}

# A text for each, and the column that the refusal points at.
REFUSED = {
    ast.expr: {
        "NamedExpr": ("(x := most) > 1", 2),
        "Lambda": ("lambda: most > 1", 1),
        "IfExp": ("s.on if most > 1 else s.on", 1),
        "Dict": ("{'a': 1} == name", 1),
        "Set": ("name in {'a', 'b'}", 9),
        "ListComp": ("name in [k for k in kinds]", 9),
        "SetComp": ("{k for k in kinds} == kinds", 1),
        "DictComp": ("{k: k for k in kinds} == kinds", 1),
        "GeneratorExp": ("max((k for k in kinds), 1) > 1", 5),
        "Await": ("s.on and await s.on", 10),
        "Yield": ("(yield most) > 1", 2),
        "YieldFrom": ("(yield from kinds) > 1", 2),
        "FormattedValue": ("name == f'{name}'", 9),
        "JoinedStr": ("name == f'a'", 9),
        "TemplateStr": ("name == t'a'", 9),
        "Interpolation": ("name == t'{name}'", 9),
        "Subscript": ("name == kinds[0]", 9),
        "Slice": ("name in kinds[0:1]", 9),
        "Starred": ("min(*kinds, 1) > most", 5),
    },
    ast.operator: {
        "MatMult": ("s.on and most @ most > 1", 10),
        "Mod": ("1 < most % 2", 5),
        "Pow": ("1 < most ** 2", 5),
        "LShift": ("1 < most << 2", 5),
        "RShift": ("1 < most >> 2", 5),
        "BitOr": ("(most > 1) | (most < 2)", 1),
        "BitXor": ("1 < most ^ 2", 5),
        "BitAnd": ("(most > 1) & (most < 2)", 1),
        "FloorDiv": ("1 < most // 2", 5),
    },
    ast.unaryop: {"Invert": ("1 < ~most", 5), "UAdd": ("1 < +most", 5)},
    ast.cmpop: {},
    ast.boolop: {},
}

# Pythons before 3.14 do not read them at all, and point where reading ended.
NEW_IN_3_14 = {"TemplateStr", "Interpolation"}

BASES = sorted(ALLOWED, key=lambda base: base.__name__)
ACCEPTED = [(name, text) for base in BASES for name, text in ALLOWED[base].items()]
TURNED_AWAY = [(name, *case) for base in BASES for name, case in REFUSED[base].items()]


def kinds_of(base: type[ast.AST]) -> dict[str, type[Any]]:
    # Names kept for old programs (`ast.Num`) have a base that is not `base` itself.
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return {kind.__name__: kind for kind in base.__subclasses__() if kind.__module__ == "ast"}


def nodes_in(text: str) -> set[str]:
    return {type(node).__name__ for node in ast.walk(ast.parse(text, mode="eval"))}


@pytest.mark.parametrize("base", BASES, ids=lambda base: base.__name__)
def test_every_node_was_considered(base: type[ast.AST]) -> None:
    considered = {*ALLOWED[base], *REFUSED[base]}
    if sys.version_info < (3, 14):
        considered -= NEW_IN_3_14
    assert set(kinds_of(base)) == considered
    assert not set(ALLOWED[base]) & set(REFUSED[base])


def test_every_family_of_nodes_was_considered() -> None:
    # What an expression cannot be made of, or only inside a node that is refused itself.
    elsewhere = {
        "mod", "stmt", "expr_context", "excepthandler", "alias", "withitem", "match_case",
        "pattern", "type_ignore", "type_param", "slice", "comprehension", "arguments", "arg",
        "keyword",
    }  # fmt: skip
    assert set(kinds_of(ast.AST)) - elsewhere == {base.__name__ for base in BASES}


@pytest.mark.parametrize(("name", "text"), ACCEPTED)
def test_an_allowed_node_compiles(name: str, text: str) -> None:
    assert name in nodes_in(text)
    compile_condition(text, SCHEMA)


@pytest.mark.parametrize(("name", "text", "column"), TURNED_AWAY)
def test_any_other_node_is_refused_with_a_caret(name: str, text: str, column: int) -> None:
    with pytest.raises(ConditionError) as caught:
        compile_condition(text, SCHEMA)
    line, caret = caught.value.caret().split("\n")
    assert line == text
    assert caret[-1] == "^" and len(caret) <= len(text)
    if name in NEW_IN_3_14 and sys.version_info < (3, 14):
        return
    assert name in nodes_in(text)
    assert caught.value.column == column


@pytest.mark.parametrize("name", sorted({*kinds_of(ast.expr)} - {*ALLOWED[ast.expr]}))
def test_the_translator_itself_refuses_it(name: str) -> None:
    kind = kinds_of(ast.expr)[name]
    # Its own way of being made asks for its parts, which nobody is to look at.
    node = kind.__new__(kind)
    node.col_offset = 4
    with pytest.raises(ConditionError) as caught:
        Translator(SCHEMA).condition(node)
    assert caught.value.column == 5
    assert caught.value.message


@pytest.mark.parametrize(
    ("base", "text", "where"),
    [
        (ast.operator, "s.x + most", "op"),
        (ast.unaryop, "-most", "op"),
        (ast.unaryop, "not s.on", "op"),
        (ast.boolop, "s.on and s.on", "op"),
        (ast.cmpop, "s.x < most", "ops"),
        (ast.cmpop, "name == 'a'", "ops"),
    ],
)
def test_an_operator_of_a_python_to_come_is_refused(base: type[Any], text: str, where: str) -> None:
    novelty = type("Novelty", (base,), {})()
    node = ast.parse(text, mode="eval").body
    setattr(node, where, [novelty] if where == "ops" else novelty)
    # Inside a comparison, so that nothing is refused for being a number alone.
    whole: Any = ast.parse("s.x < most", mode="eval").body
    if base is ast.operator or text == "-most":
        whole.left = node
    else:
        whole = node
    with pytest.raises(ConditionError):
        Translator(SCHEMA).condition(whole)


def test_a_node_of_a_python_to_come_is_refused() -> None:
    class Novelty(ast.expr):
        col_offset = 2

    with pytest.raises(ConditionError, match="column 3: Novelty has no place"):
        Translator(SCHEMA).condition(Novelty())
