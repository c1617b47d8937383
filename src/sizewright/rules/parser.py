"""From the text of a condition to a syntax tree of bounded size; the names that it may use."""

import ast
import warnings
from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import NamedTuple, NoReturn, TypeGuard

from sizewright.facts.fact import Fact
from sizewright.limits import CONDITION_CHARACTERS, CONDITION_DEPTH, CONDITION_NODES, NAMES_SHOWN

_SPLIT = "split the rule in two"
# A comment would silence what follows it, an escape would hide what a text says.
_HIDING = frozenset("#\\")
# Nodes without expressions in them.
_LEAVES = (ast.Name, ast.Constant, ast.expr_context, ast.operator, ast.cmpop, ast.boolop)
_BLANKS = "\t\n\r"
_TO_SPACES = str.maketrans(_BLANKS, " " * len(_BLANKS))
_INSTEAD = {"&&": "write `and`", "||": "write `or`", "!": "write `not`", "=": "write `==`"}


class ConditionError(ValueError):
    """A condition that was refused: what is wrong, at which column (from 1), how to fix it."""

    def __init__(self, message: str, column: int, hint: str = "", text: str = "") -> None:
        super().__init__(message, column, hint, text)
        self.message = message
        self.column = column
        self.hint = hint
        self.text = text

    def __str__(self) -> str:
        hint = f" ({self.hint})" if self.hint else ""
        return f"column {self.column}: {self.message}{hint}"

    def caret(self) -> str:
        """Return the condition on one line, and a caret under the column."""
        start = self.text[: CONDITION_CHARACTERS + 1]
        line = "".join(c if c.isprintable() else " " for c in start)
        return f"{line}\n{' ' * (self.column - 1)}^"


_REFUSED: dict[str, str] = {
    "NamedExpr": "`:=` gives names, and a condition has none to give",
    "Lambda": "a condition defines no functions",
    "IfExp": "`if` … `else` has no place in a condition: use `and` and `or`, or two rules",
    "Dict": "a condition has no mappings",
    "Set": "a condition has no sets: write a list in parentheses",
    "ListComp": "a condition has no loops",
    "SetComp": "a condition has no loops",
    "DictComp": "a condition has no loops",
    "GeneratorExp": "a condition has no loops",
    "Await": "`await` has no place in a condition",
    "Yield": "`yield` has no place in a condition",
    "YieldFrom": "`yield` has no place in a condition",
    "JoinedStr": "a condition has no f-strings",
    "FormattedValue": "a condition has no f-strings",
    "TemplateStr": "a condition has no t-strings",
    "Interpolation": "a condition has no t-strings",
    "Subscript": "`[…]` picks no parts of a fact in a condition",
    "Slice": "`[…]` picks no parts of a fact in a condition",
    "Starred": "`*` unpacks nothing in a condition",
    "List": "a list stands only to the right of `in`",
    "Tuple": "a list stands only to the right of `in`",
}


def fail(column: int, message: str, hint: str = "") -> NoReturn:
    """Raise a ConditionError."""
    raise ConditionError(message, column, hint)


def refuse(node: ast.expr) -> NoReturn:
    """Raise a ConditionError for a node that is not allowed in conditions."""
    kind = type(node).__name__
    fail(node.col_offset + 1, _REFUSED.get(kind, f"{kind} has no place in a condition"))


def list_allowed(names: Iterable[str], prefix: str = "") -> str:
    """Return the allowed names as a hint; a long list is cut."""
    listed = [f"{prefix}.{name}" if prefix else name for name in sorted(names)]
    if len(listed) > NAMES_SHOWN:
        listed[NAMES_SHOWN:] = ["…"]
    return f"allowed: {', '.join(listed)}" if listed else "there are none"


def fail_unknown(column: int, message: str, name: str, allowed: Iterable[str]) -> NoReturn:
    """Raise a ConditionError for an unknown name, with the nearest one or all."""
    from sizewright.errors import nearest

    names = list(allowed)
    near = nearest(name, names)
    fail(column, message, f"did you mean `{near}`?" if near else list_allowed(names))


def parse(text: str) -> ast.expr:
    """Return the tree of a condition; raises ConditionError if it is unreadable or too large.

    Column offsets in the tree count the characters of `text`, from 0.
    """
    text = _readable(text)
    line = text.translate(_TO_SPACES)
    tree = _tree(line)
    _check_size(tree)
    return tree


def divisors(tree: ast.expr) -> frozenset[str]:
    """Return the names by which a condition divides: those of parameters, and factors of them."""
    pending = [node.right for node in ast.walk(tree) if _is(node, ast.Div)]
    names = set()
    while pending:
        node = pending.pop()
        if _is(node, ast.Mult):
            pending += [node.left, node.right]
        elif isinstance(node, ast.Name):
            names.add(node.id)
    return frozenset(names)


def _is(node: ast.AST, operator: type[ast.operator]) -> TypeGuard[ast.BinOp]:
    return isinstance(node, ast.BinOp) and isinstance(node.op, operator)


def check_differences(tree: ast.expr) -> None:
    """Raise a ConditionError for a difference that is 0 whatever the facts are."""
    for node in ast.walk(tree):
        if _is(node, ast.Sub) and ast.dump(node.left) == ast.dump(node.right):
            fail(node.col_offset + 1, "the difference of two equal terms is always 0")


def _readable(text: object) -> str:
    if not isinstance(text, str):
        fail(1, "a condition is a text", "put it in quotes")
    if len(text) > CONDITION_CHARACTERS:
        what = f"the condition is longer than {CONDITION_CHARACTERS} characters"
        fail(CONDITION_CHARACTERS + 1, what, _SPLIT)
    plain = text.isprintable() and not _HIDING.intersection(text)
    for place, character in enumerate("" if plain else text):
        if not character.isprintable() and character not in _BLANKS:
            fail(place + 1, f"the character U+{ord(character):04X} has no place in a condition")
        if character in _HIDING:
            fail(place + 1, f"`{character}` has no place in a condition")
    if not text.strip():
        fail(1, "the condition is empty")
    return text


def _tree(line: str) -> ast.expr:
    source = line.strip()
    indent = len(line) - len(line.lstrip())
    try:
        with warnings.catch_warnings():
            # A warning (`1or x`) would print a line on the user's terminal.
            warnings.simplefilter("error")
            tree = ast.parse(source, mode="eval").body
    except SyntaxError as error:
        # Python gives 0 if the text ends too early.
        column = min(error.offset or len(source), len(source)) + indent
        raise ConditionError("this cannot be read as a condition", column, _hint(source)) from None
    except (MemoryError, RecursionError, ValueError):
        raise ConditionError("this cannot be read as a condition", 1, _SPLIT) from None
    if indent or not source.isascii():
        _move(tree, source.encode(), indent)
        _check_spelling(tree, line)
    return tree


def _move(tree: ast.expr, source: bytes, indent: int) -> None:
    # The parser counts bytes from its start; people count characters from the margin.
    for node in ast.walk(tree):
        if isinstance(node, ast.expr):
            node.col_offset = indent + len(source[: node.col_offset].decode())
            node.end_col_offset = indent + len(source[: node.end_col_offset].decode())


def _check_spelling(tree: ast.expr, line: str) -> None:
    # Python reads a name in fancy letters as the plain one, so it would not mean what it shows.
    for node in ast.walk(tree):
        name = node.id if isinstance(node, ast.Name) else getattr(node, "attr", "")
        if isinstance(node, ast.expr) and name:
            written = line[node.col_offset : node.end_col_offset]
            if not written.endswith(name):
                fail(node.col_offset + 1, f"this only looks like `{name}`", "write plain letters")


def _hint(source: str) -> str:
    for comparison in ("==", "!=", "<=", ">="):
        source = source.replace(comparison, "")
    return next((hint for sign, hint in _INSTEAD.items() if sign in source), "")


def _check_size(tree: ast.expr) -> None:
    count = 0
    pending: list[tuple[ast.AST, int, int]] = [(tree, 1, 1)]
    while pending:
        node, depth, column = pending.pop()
        if isinstance(node, ast.expr):
            count += 1
            column = node.col_offset + 1
            if depth > CONDITION_DEPTH:
                fail(column, f"nested more than {CONDITION_DEPTH} levels deep", _SPLIT)
            if count > CONDITION_NODES:
                fail(column, f"more than {CONDITION_NODES} parts", _SPLIT)
            depth += 1
        if not isinstance(node, _LEAVES):
            pending.extend((child, depth, column) for child in ast.iter_child_nodes(node))


class Schema(NamedTuple):
    """Every name that a condition may use; names that begin with ``_`` are out of reach."""

    subjects: Mapping[str, Mapping[str, Fact]]
    parameters: Mapping[str, Fact] = MappingProxyType({})
