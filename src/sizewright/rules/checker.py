"""A condition checked against the schema and translated into calls of the functions of `values`.

What is not on the allow-list is refused. The translation is made of names that the schema declares
and of literals; it has nothing else of the text that was read.
"""

import ast
from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple

from sizewright.facts.fact import Fact, Kind
from sizewright.rules.condition import PARAMETER, Condition, Names
from sizewright.rules.parser import (
    ConditionError,
    Schema,
    check_differences,
    divisors,
    fail,
    fail_unknown,
    list_allowed,
    parse,
    refuse,
)
from sizewright.units import PURE, UnitError, countless, factor, uncounted

_NONE: Final[Names] = frozenset()


def compile_condition(text: str, schema: Schema, present: Names = _NONE) -> Condition:
    """Return a condition checked against the schema; raises ConditionError at its first error.

    `present` names the optional facts that are there whenever this condition is asked: the
    `guards` of the condition that is asked before it.
    """
    translator = Translator(schema, present)
    try:
        tree = parse(text)
        check_differences(tree)
        expression = translator.condition(tree)
    except ConditionError as error:
        error.text = str(text)
        raise
    names, guards = frozenset(translator.names), guarded(tree, True)
    made = f"lambda subjects: {expression}"
    return Condition(text, names, translator.parameters, guards, divisors(tree), made)


def guarded(node: ast.expr, outcome: bool) -> Names:
    """Return the names that are present if the condition has not the opposite `outcome`.

    `known` and `is None` are never unknown or tight, and an `and` with a false part is false,
    whatever its other parts are.
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


class Measure(NamedTuple):
    """A unit, "" if it is unknown, and whether a count may be a factor of it.

    MB multiplied or divided by a pure number may mean MB/client, and the reverse.
    """

    unit: str = ""
    scaled: bool = False


UNKNOWN_UNIT: Final = Measure()
COUNT: Final = Measure(PURE)


def fits(a: Measure, b: Measure) -> bool:
    """Return whether two numbers may be compared and added; an unknown unit fits any."""
    if not (a.unit and b.unit) or uncounted(a.unit) == uncounted(b.unit):
        return True
    return (a.scaled or b.scaled) and countless(a.unit) == countless(b.unit)


def product(a: Measure, b: Measure) -> Measure:
    """Return the measure of a product: unknown unless a factor is a count or a pure number."""
    return b._replace(scaled=True) if _counts(a) else quotient(a, b)


def quotient(a: Measure, b: Measure) -> Measure:
    """Return the measure of a quotient: unknown unless the divisor is a count or pure number."""
    return a._replace(scaled=True) if _counts(b) else UNKNOWN_UNIT


def _counts(measure: Measure) -> bool:
    return bool(measure.unit) and uncounted(measure.unit) == PURE


def advice(a: Measure, b: Measure) -> str:
    """Return what to do about two numbers with different units."""
    try:
        factor(b.unit, a.unit)
    except UnitError:
        return "multiply or divide by what lies between them"
    return f"give both in `{a.unit}`"


_ARITHMETIC: dict[type[ast.operator], str] = {
    ast.Add: "add",
    ast.Sub: "subtract",
    ast.Mult: "multiply",
    ast.Div: "divide",
}
# The function that answers, and whether it takes the operands the other way round.
_ORDER: dict[type[ast.cmpop], tuple[str, bool]] = {
    ast.Lt: ("below", False),
    ast.LtE: ("at_most", False),
    ast.Gt: ("below", True),
    ast.GtE: ("at_most", True),
}
_NUMERIC = {"min": "smallest", "max": "largest", "either": "spanning", "abs": "absolute"}
_OF_SEVERAL = ("min", "max", "either")
_FUNCTIONS = (*_NUMERIC, "len", "known")


class Part(NamedTuple):
    """A translated part: `raw` is its code, `origin` the fact or parameter, if it is one."""

    raw: str
    kind: Kind
    column: int
    constant: bool = False
    origin: str = ""
    type: Fact | None = None
    measure: Measure = UNKNOWN_UNIT
    texts: tuple[str, ...] = ()


class Translator:
    """Translates one condition, and collects the facts and parameters that it reads."""

    def __init__(self, schema: Schema, present: Names = frozenset()) -> None:
        self._schema = schema
        self._present = present
        self.names: set[tuple[str, str]] = set()
        # The parameters by name, and whether each is a number.
        self.parameters: dict[str, bool] = {}
        self._results = 0

    def condition(self, node: ast.expr) -> str:
        """Return the code of a part that must be true or false; its value is a Truth."""
        if isinstance(node, ast.BoolOp):
            return self._joined(node)
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
            return call("negation", self.condition(node.operand))
        if isinstance(node, ast.Compare):
            return self._compare(node)
        part = self._part(node)
        if part.kind is not Kind.FLAG:
            fail(part.column, f"{_the(part)} alone is no condition", "compare it with something")
        return part.raw if not part.origin else call("flag", part.raw)

    def _joined(self, node: ast.BoolOp) -> str:
        # The right side of `and` matters only if the left is not false, that of `or` only if the
        # left is not true; so it may use the facts that the left side shows to be present.
        if not isinstance(node.op, (ast.And, ast.Or)):
            refuse(node)
        every, outside = isinstance(node.op, ast.And), self._present
        parts = []
        for value in node.values:
            parts.append(self.condition(value))
            self._present |= guarded(value, every)
        self._present = outside
        return self._until_settled(every, parts)

    def _until_settled(self, every: bool, parts: Sequence[str]) -> str:
        """Return the code of `and` (`every`) or `or`; it ends at the first part that decides."""
        end, function = ("FALSE", "conjunction") if every else ("TRUE", "disjunction")
        names = [f"t{self._results + n}" for n in range(len(parts))]
        self._results += len(parts)
        ends = " or ".join(
            f"({name} := {part}) is {end}" for name, part in zip(names, parts, strict=True)
        )
        return f"({end} if {ends} else {call(function, *names)})"

    def _part(self, node: ast.expr) -> Part:
        part = self._asked(node)
        if part.type is not None and part.type.optional:
            subject, _, field = part.origin.rpartition(".")
            if (subject, field) not in self._present:
                guard = f"known({part.origin})"
                fail(part.column, f"{_the(part)} may be absent",
                      f"write `{guard} and …` before it, or `not {guard} or …`")  # fmt: skip
        return part

    def _asked(self, node: ast.expr) -> Part:
        """Translate a part whose presence is asked, not its value."""
        match node:
            case ast.Attribute():
                return self._attribute(node)
            case ast.Name():
                return self._name(node)
            case ast.Constant():
                return self._constant(node)
            case ast.BinOp():
                return self._binary(node)
            case ast.UnaryOp(op=ast.Not()) | ast.BoolOp() | ast.Compare():
                return Part(self.condition(node), Kind.FLAG, node.col_offset + 1)
            case ast.UnaryOp():
                return self._unary(node)
            case ast.Call():
                return self._function(node)
        refuse(node)

    def _constant(self, node: ast.Constant) -> Part:
        value, column = node.value, node.col_offset + 1
        if isinstance(value, str):
            quoted = (node.end_col_offset or 0) - node.col_offset == len(value) + 2
            if not quoted:
                fail(column, "a text is one pair of quotes, without prefix", "is a comma missing?")
            return Part(repr(value), Kind.TEXT, column, True, texts=(value,))
        if isinstance(value, bool):
            fail(column, f"`{value}` has no place in a condition", "write the flag, or `not` flag")
        if value is None:
            fail(column, "`None` has no place here", "write `is None` after an optional fact")
        if not isinstance(value, (int, float)):
            fail(column, "a literal is a number or a text")
        if value not in (0, 1, 2):
            fail(column, "numbers other than 0, 1 and 2 are parameters of the rule",
                  "give it a name under `parameters`")  # fmt: skip
        return Part(repr(float(value)), Kind.NUMBER, column, True)

    def _name(self, node: ast.Name) -> Part:
        name, column = node.id, node.col_offset + 1
        known = None if name.startswith("_") else self._schema.parameters.get(name)
        if known is not None:
            self.parameters[name] = known.kind is Kind.NUMBER
            return _read(PARAMETER + name, name, known, column)
        fields = self._schema.subjects.get(name)
        if fields is not None:
            fail(
                column, f"`{name}` is a subject: name one of its fields", list_allowed(fields, name)
            )
        holders = [f"{s}.{name}" for s, has in self._schema.subjects.items() if name in has]
        if holders:
            fail(column, f"no parameter is called `{name}`", f"did you mean `{holders[0]}`?")
        names = [*self._schema.parameters, *self._schema.subjects]
        fail_unknown(column, f"no parameter is called `{name}`", name, names)

    def _attribute(self, node: ast.Attribute) -> Part:
        column = node.col_offset + 1
        if not isinstance(node.value, ast.Name):
            fail(column, "a fact is `subject.field`, one level deep")
        subject, field = node.value.id, node.attr
        fields = self._schema.subjects.get(subject)
        if fields is None:
            if subject in self._schema.parameters:
                fail(column, f"`{subject}` is a parameter, it has no fields")
            fail_unknown(
                column, f"no subject is called `{subject}`", subject, self._schema.subjects
            )
        known = None if field.startswith("_") else fields.get(field)
        if known is None:
            at = (node.end_col_offset or 0) - len(field) + 1
            fail_unknown(max(at, column), f"`{subject}` has no field `{field}`", field, fields)
        self.names.add((subject, field))
        raw = f"subjects[{subject!r}].{field}"
        if known.kind is Kind.NUMBER:
            raw = call("number", raw)
        return _read(raw, f"{subject}.{field}", known, column)

    def _number(self, node: ast.expr, why: str) -> Part:
        part = self._part(node)
        if part.kind is not Kind.NUMBER:
            fail(part.column, f"{_the(part)} cannot be {why}")
        return part

    def _numbers(self, name: str, nodes: Iterable[ast.expr], why: str, column: int) -> Part:
        parts = [self._number(node, why) for node in nodes]
        if all(part.constant for part in parts):
            fail(column, "a number worked out from literals alone is a parameter of the rule",
                  "give it a name under `parameters`")  # fmt: skip
        raw = call(name, *[part.raw for part in parts])
        return Part(raw, Kind.NUMBER, column, measure=_measure(name, parts))

    def _binary(self, node: ast.BinOp) -> Part:
        name = _ARITHMETIC.get(type(node.op))
        if name is None:
            fail(node.col_offset + 1, "arithmetic has only `+`, `-`, `*` and `/`")
        return self._numbers(name, (node.left, node.right), "in arithmetic", node.col_offset + 1)

    def _unary(self, node: ast.UnaryOp) -> Part:
        if not isinstance(node.op, ast.USub):
            sign = "+" if isinstance(node.op, ast.UAdd) else "~"
            fail(node.col_offset + 1, f"`{sign}` stands before no number")
        part = self._number(node.operand, "negative")
        column, raw = node.col_offset + 1, call("negative", part.raw)
        return Part(raw, Kind.NUMBER, column, part.constant, measure=part.measure)

    def _function(self, node: ast.Call) -> Part:
        column = node.col_offset + 1
        if not isinstance(node.func, ast.Name):
            fail(column, "facts have no functions", f"there are {', '.join(_FUNCTIONS)}")
        name = node.func.id
        if name not in _FUNCTIONS:
            fail_unknown(column, f"no function is called `{name}`", name, _FUNCTIONS)
        if node.keywords:
            fail(column, f"`{name}` takes no named arguments")
        count, several = len(node.args), name in _OF_SEVERAL
        if count < 2 if several else count != 1:
            fail(column, f"`{name}` takes {'two or more arguments' if several else 'one argument'}")
        if name in _NUMERIC:
            return self._numbers(_NUMERIC[name], node.args, f"given to `{name}`", column)
        part = (self._asked if name == "known" else self._part)(node.args[0])
        if not part.origin:
            fail(part.column, f"`{name}` asks about a fact or a parameter")
        if name == "known":
            return Part(call("present", part.raw), Kind.FLAG, column)
        if part.kind is not Kind.NAMES:
            fail(part.column, f"{_the(part)} has no length")
        return Part(call("length", part.raw), Kind.NUMBER, column, measure=COUNT)

    def _compare(self, node: ast.Compare) -> str:
        operands = [node.left, *node.comparators]
        pairs = [
            self._pair(left, op, right)
            for left, op, right in zip(operands, node.ops, operands[1:], strict=False)
        ]
        return pairs[0] if len(pairs) == 1 else self._until_settled(True, pairs)

    def _pair(self, left: ast.expr, op: ast.cmpop, right: ast.expr) -> str:
        if isinstance(op, (ast.Is, ast.IsNot)):
            answer = self._is_none(left, right)
            return answer if isinstance(op, ast.IsNot) else call("negation", answer)
        if isinstance(right, ast.Constant) and right.value is None:
            self._constant(right)
        a = self._part(left)
        if isinstance(op, (ast.In, ast.NotIn)):
            answer = self._among(a, right)
            return answer if isinstance(op, ast.In) else call("negation", answer)
        b = self._part(right)
        if a.constant and b.constant:
            fail(a.column, "both sides are literals, so the answer never changes")
        for part in (a, b):
            if part.kind is Kind.FLAG:
                fail(part.column, f"{_the(part)} cannot be compared", "use `and`, `or`, `not`")
            if part.kind is Kind.NAMES:
                fail(part.column, f"{_the(part)} cannot be compared", "use `in` or `len`")
        if a.kind is not b.kind:
            fail(b.column, f"{_the(a)} cannot be compared with {_the(b)}")
        _check_units(a, b)
        if type(op) in _ORDER:
            if a.kind is not Kind.NUMBER:
                fail(a.column, "texts have no order", "use `==`, `!=` or `in`")
            name, turned = _ORDER[type(op)]
            return call(name, b.raw, a.raw) if turned else call(name, a.raw, b.raw)
        if not isinstance(op, (ast.Eq, ast.NotEq)):
            fail(b.column, f"{type(op).__name__} compares nothing in a condition")
        _check_texts(a, b)
        answer = call("equal" if a.kind is Kind.NUMBER else "same_text", a.raw, b.raw)
        return answer if isinstance(op, ast.Eq) else call("negation", answer)

    def _is_none(self, left: ast.expr, right: ast.expr) -> str:
        if not (isinstance(right, ast.Constant) and right.value is None):
            fail(right.col_offset + 1, "`is` stands only before `None`", "write `==`")
        part = self._asked(left)
        if part.type is None or not part.type.optional:
            fail(part.column, f"{_the(part)} is never None", "ask it of optional facts")
        return call("present", part.raw)

    def _among(self, text: Part, node: ast.expr) -> str:
        if text.kind is not Kind.TEXT:
            fail(text.column, f"{_the(text)} cannot be in a list of texts")
        texts = self._list(node) if isinstance(node, (ast.List, ast.Tuple)) else self._part(node)
        if texts.kind is not Kind.NAMES:
            fail(texts.column, f"{_the(texts)} is no list", "write ('a', 'b') or ('a',)")
        if text.constant and texts.constant:
            fail(text.column, "both sides are literals, so the answer never changes")
        _check_texts(text, texts)
        return call("among", text.raw, texts.raw)

    def _list(self, node: ast.List | ast.Tuple) -> Part:
        column = node.col_offset + 1
        if not node.elts:
            fail(column, "nothing is in an empty list")
        for element in node.elts:
            if not (isinstance(element, ast.Constant) and isinstance(element.value, str)):
                fail(element.col_offset + 1, "a list has only texts in quotes")
        texts = tuple(text for element in node.elts for text in self._part(element).texts)
        return Part(repr(texts), Kind.NAMES, column, True, texts=texts)


def call(function: str, *arguments: str) -> str:
    """Return the code of a call of a function of `values`."""
    return f"{function}({', '.join(arguments)})"


def _check_texts(a: Part, b: Part) -> None:
    """Refuse a literal text that is not a value of the other side."""
    for said, fact in ((a, b), (b, a)):
        if fact.type is None or not fact.type.one_of:
            continue
        for text in said.texts:
            if text not in fact.type.one_of:
                wrong = f"`{fact.origin}` is never '{text}'"
                fail_unknown(said.column, wrong, text, fact.type.one_of)


def _measure(name: str, parts: list[Part]) -> Measure:
    if name in ("multiply", "divide"):
        combine = product if name == "multiply" else quotient
        a, b = (COUNT if part.constant else part.measure for part in parts)
        return combine(a, b)
    # A sum, or one number among several, whose units are equal.
    told = [part for part in parts if part.measure.unit]
    for part in told[1:]:
        _check_units(told[0], part)
    scaled = any(part.measure.scaled for part in told)
    return Measure(told[0].measure.unit, scaled) if told else UNKNOWN_UNIT


def _check_units(a: Part, b: Part) -> None:
    if not fits(a.measure, b.measure):
        fail(b.column, f"`{a.measure.unit}` and `{b.measure.unit}` are different units",
              advice(a.measure, b.measure))  # fmt: skip


def _read(raw: str, origin: str, known: Fact, column: int) -> Part:
    return Part(raw, known.kind, column, False, origin, known, Measure(known.unit))


def _the(part: Part) -> str:
    return f"`{part.origin}` ({part.kind.words})" if part.origin else part.kind.words
