"""Laws that hold for all numbers and ranges, and for all texts that a rule could hold."""

import math
import operator
from collections.abc import Callable
from itertools import product
from typing import Any, NamedTuple

from hypothesis import assume, given, settings
from hypothesis import strategies as st

from sizewright.facts.fact import Fact, Kind
from sizewright.rules.checker import compile_condition
from sizewright.rules.condition import Condition
from sizewright.rules.parser import ConditionError, Schema
from sizewright.rules.values import FALSE, TIGHT, TRUE, UNKNOWN, Truth

# A machine under load proves nothing about a law.
law = settings(deadline=None)


class Ends(NamedTuple):
    low: float
    high: float


class Subject(NamedTuple):
    a: Any
    b: Any
    c: Any = None
    d: Any = None


NUMBER = Fact(Kind.NUMBER)
SCHEMA = Schema(
    {"s": {"a": NUMBER, "b": NUMBER, "c": NUMBER, "d": Fact(Kind.NUMBER, optional=True)}}
)

# Quarters are exact in binary, so that the tolerance never enters.
exact = st.integers(-40, 40).map(lambda n: n / 4)
spans = st.tuples(exact, exact).map(lambda ends: Ends(min(ends), max(ends)))
known = st.one_of(exact, spans, st.integers(-9, 9))
values = st.one_of(known, st.none())

COMPARE: dict[str, Callable[[float, float], bool]] = {
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}
RECKON: dict[str, Callable[[float, float], float]] = {
    "s.a + s.b": operator.add,
    "s.a - s.b": operator.sub,
    "s.a * s.b": operator.mul,
    "s.a / s.b": operator.truediv,
    "min(s.a, s.b)": min,
    "max(s.a, s.b)": max,
    "abs(s.a) + s.b": lambda a, b: abs(a) + b,
    "-s.a + s.b": lambda a, b: -a + b,
}
COMPILED = {
    text: compile_condition(text, SCHEMA)
    for text in (
        *(f"s.a {sign} s.b" for sign in (*COMPARE, "==", "!=")),
        *(f"{left} {sign} s.c" for left in RECKON for sign in COMPARE),
        "not not s.a < s.b",
        "not (s.a < s.b and s.b <= s.c)",
        "not s.a < s.b or not s.b <= s.c",
        "not (s.a < s.b or s.b == s.c)",
        "not s.a < s.b and s.b != s.c",
        "s.a < s.b <= s.c",
        "s.a < s.b and s.b <= s.c",
        "not s.a <= s.b",
        "s.a - s.b <= 0",
    )
}


def judge(text: str, *values: Any) -> Truth:
    condition: Condition = COMPILED[text]
    return condition.evaluate({"s": Subject(*values)}, {})


def ends(value: Any) -> tuple[float, float]:
    return (value.low, value.high) if isinstance(value, Ends) else (value, value)


def verdict(answers: list[bool]) -> Truth:
    return TRUE if all(answers) else TIGHT if any(answers) else FALSE


@law
@given(known, known, st.sampled_from(sorted(COMPARE)))
def test_a_comparison_is_what_trying_all_ends_gives(a: Any, b: Any, sign: str) -> None:
    tried = [COMPARE[sign](x, y) for x, y in product(ends(a), ends(b))]
    assert judge(f"s.a {sign} s.b", a, b) is verdict(tried)


@law
@given(spans, spans)
def test_equality_is_what_trying_all_quarters_gives(a: Ends, b: Ends) -> None:
    def quarters(span: Ends) -> list[float]:
        return [n / 4 for n in range(round(span.low * 4), round(span.high * 4) + 1)]

    tried = [x == y for x, y in product(quarters(a), quarters(b))]
    assert judge("s.a == s.b", a, b) is verdict(tried)
    assert judge("s.a != s.b", a, b) is verdict([not same for same in tried])


@law
@given(
    known, known, known, st.sampled_from(sorted(RECKON)), st.sampled_from(sorted(COMPARE)),
    st.data(),
)  # fmt: skip
def test_a_certain_verdict_holds_for_every_value_inside(
    a: Any, b: Any, c: Any, left: str, sign: str, data: st.DataObject
) -> None:
    says = judge(f"{left} {sign} s.c", a, b, c)
    inside = [
        data.draw(st.sampled_from([low, (low + high) / 2, high]))
        for low, high in map(ends, (a, b, c))
    ]
    if "/" in left and ends(b)[0] <= 0 <= ends(b)[1]:
        assert says is UNKNOWN
        return
    one = judge(f"{left} {sign} s.c", *inside)
    assert one in (TRUE, FALSE)
    if says is not TIGHT:
        assert one is says
    if "/" not in left:
        assert one is verdict([COMPARE[sign](RECKON[left](inside[0], inside[1]), inside[2])])


@law
@given(known, known, known, st.sampled_from(sorted(RECKON)))
def test_where_all_corners_agree_the_verdict_is_certain(a: Any, b: Any, c: Any, left: str) -> None:
    # Each operand stands once and each function is monotone in it between the corners, but `abs`
    # at 0: so the interval is no wider than what it must hold.
    corners: list[tuple[float, ...]] = [ends(a), ends(b), ends(c)]
    if "abs" in left and corners[0][0] < 0 < corners[0][1]:
        corners[0] = (*corners[0], 0)
    if "/" in left and ends(b)[0] <= 0 <= ends(b)[1]:
        return
    tried = [judge(f"{left} <= s.c", *corner) for corner in product(*corners)]
    assert judge(f"{left} <= s.c", a, b, c) is verdict([one is TRUE for one in tried])


@law
@given(values, values, values)
def test_laws_of_logic(a: Any, b: Any, c: Any) -> None:
    assert judge("not not s.a < s.b", a, b) is judge("s.a < s.b", a, b)
    assert judge("not s.a <= s.b", a, b) is judge("s.a > s.b", a, b)
    assert judge("s.a < s.b <= s.c", a, b, c) is judge("s.a < s.b and s.b <= s.c", a, b, c)
    same = "not s.a < s.b or not s.b <= s.c"
    assert judge("not (s.a < s.b and s.b <= s.c)", a, b, c) is judge(same, a, b, c)
    same = "not s.a < s.b and s.b != s.c"
    assert judge("not (s.a < s.b or s.b == s.c)", a, b, c) is judge(same, a, b, c)


@law
@given(values, st.sampled_from(sorted(COMPARE)))
def test_whatever_is_asked_of_an_unknown_is_unknown(a: Any, sign: str) -> None:
    assume(a is None or ends(a)[1] > 0)
    assert judge(f"s.a {sign} s.b", a, None) is UNKNOWN
    assert judge(f"s.a {sign} s.b", None, a) is UNKNOWN
    for left in RECKON:
        assert judge(f"{left} {sign} s.c", a, None, 1) is UNKNOWN


def test_nothing_exceeds_an_unknown_limit() -> None:
    assert judge("s.a <= s.b", 0, None) is TRUE
    assert judge("s.a >= s.b", None, 0) is TRUE
    assert judge("s.a > s.b", 0, None) is FALSE
    # What is unknown may be more than nothing, or nothing too.
    assert judge("s.a < s.b", 0, None) is UNKNOWN
    assert judge("s.a <= s.b", None, 0) is UNKNOWN


numbers = st.floats(allow_nan=True, allow_infinity=True) | st.integers(-(10**400), 10**400)
anything = st.one_of(
    numbers,
    st.tuples(numbers, numbers)
    .filter(lambda ends: ends[0] <= ends[1])
    .map(lambda ends: Ends(*ends)),
)


@law
@given(anything, anything, anything)
def test_no_number_raises(a: Any, b: Any, c: Any) -> None:
    for condition in COMPILED.values():
        assert isinstance(condition.evaluate({"s": Subject(a, b, c)}, {}), Truth)


@law
@given(st.floats(-1e12, 1e12), st.floats(-1e12, 1e12))
def test_comparing_two_numbers_and_their_difference_with_0_agree(a: float, b: float) -> None:
    assert judge("s.a - s.b <= 0", a, b) is judge("s.a <= s.b", a, b)


@law
@given(st.floats(1e-6, 1e6), st.integers(1, 12))
def test_a_sum_of_equal_parts_reaches_its_whole(part: float, times: int) -> None:
    total = sum([part] * times)
    assert judge("s.a <= s.b", total, part * times) is TRUE
    assert judge("s.a >= s.b", total, part * times) is TRUE
    assert judge("s.a < s.b", total, part * times) is FALSE
    assert judge("s.a == s.b", total, math.fsum([part] * times)) is TRUE


NAMES = ["s", "s.a", "s.b", "s.c", "s.d", "a", "min(", "max(", "abs(", "len(", "known("]
LITERALS = ["0", "1", "2", "7", "'x'", "None"]
SIGNS = ["<", "<=", ">", ">=", "==", "!=", "+", "-", "*", "/", "**", "(", ")", ",", "[", "]", "."]
STRANGERS = ["{", "}", "lambda:", "if", "else", "for", ":=", "@", "~", "__class__", "#", "\\", "é"]
WORDS = [*NAMES, *LITERALS, *SIGNS, *STRANGERS, "and", "or", "not", "in", "is"]


@law
@given(st.lists(st.sampled_from(WORDS), max_size=25).map(" ".join) | st.text(max_size=60))
def test_any_text_compiles_or_is_refused(text: str) -> None:
    try:
        condition = compile_condition(text, SCHEMA)
    except ConditionError as error:
        assert error.message
        assert 1 <= error.column <= max(len(text), 1)
        assert "^" in error.caret()
    else:
        assert isinstance(condition.evaluate({"s": Subject(1, Ends(0, 2))}, {}), Truth)
