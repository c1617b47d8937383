"""Facts that may be absent: refused where nothing shows that they are there."""

from itertools import product
from typing import Any, NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from settled import settled
from sizewright.facts.fact import Fact, Kind
from sizewright.rules.checker import compile_condition
from sizewright.rules.parser import ConditionError, Schema
from sizewright.rules.values import FALSE, TRUE, UNKNOWN

NUMBER, TEXT, FLAG, LIST = Kind.NUMBER, Kind.TEXT, Kind.FLAG, Kind.NAMES
SCHEMA = Schema(
    {
        "v": {
            "on": Fact(FLAG),
            "load": Fact(NUMBER),
            "piece": Fact(NUMBER, optional=True),
            "gap": Fact(NUMBER, optional=True),
            "maker": Fact(TEXT, optional=True),
            "quick": Fact(FLAG, optional=True),
            "uses": Fact(LIST, optional=True),
        },
        "w": {"piece": Fact(NUMBER, optional=True)},
    },
    {"most": Fact(NUMBER), "extra": Fact(NUMBER, optional=True)},
)


class Volume(NamedTuple):
    on: Any = True
    load: Any = 1.0
    piece: Any = None
    gap: Any = None
    maker: Any = None
    quick: Any = None
    uses: Any = None


@pytest.mark.parametrize(
    "text",
    [
        "known(v.piece) and v.piece > most",
        "v.piece is not None and v.piece > most",
        "not known(v.piece) or v.piece > most",
        "v.piece is None or v.piece > most",
        "not (v.piece is None) and v.piece > most",
        "not not known(v.piece) and v.piece > most",
        "not not not known(v.piece) or v.piece > most",
        "v.on and known(v.piece) and v.load > 1 and v.piece > most",
        "v.on or v.piece is None or v.load > 1 or v.piece > most",
        "known(v.piece) and (v.on or v.piece > most)",
        "known(v.piece) and not (v.on and v.piece > most)",
        "known(v.piece) and known(v.gap) and v.piece > v.gap",
        "(known(v.piece) and v.on) and v.piece > most",
        "(v.piece is None or v.on) and known(v.piece) and v.piece > most",
        "not (v.piece is None or v.on) and v.piece > most",
        "not (known(v.piece) and v.on) or v.load > 1",
        "not (known(v.piece) and known(v.gap)) or v.piece > v.gap",
        "(known(v.piece) and v.on or known(v.piece) and v.load > 1) and v.piece > most",
        "known(v.piece) and 0 < v.piece <= most",
        "known(v.piece) and min(v.piece, -v.piece, most) < abs(v.piece) + v.piece / 2",
        "known(v.maker) and v.maker in ('a', 'b')",
        "known(v.maker) and (v.maker == 'a' or v.maker != 'b')",
        "known(v.quick) and v.quick",
        "v.quick is None or not v.quick",
        "known(v.uses) and len(v.uses) > 1",
        "known(v.uses) and 'a' in v.uses",
        "known(extra) and v.load > extra",
        "extra is None or v.load > extra",
        "known(v.piece)",
        "v.piece is None",
        "not known(v.piece) and v.on",
    ],
)
def test_a_guarded_fact_may_be_used(text: str) -> None:
    compile_condition(text, SCHEMA)


@pytest.mark.parametrize(
    ("text", "column", "fact"),
    [
        ("v.piece > most", 1, "v.piece"),
        ("most > v.piece", 8, "v.piece"),
        ("not v.piece > most", 5, "v.piece"),
        ("v.piece > most and known(v.piece)", 1, "v.piece"),
        ("known(v.piece) or v.piece > most", 19, "v.piece"),
        ("not known(v.piece) and v.piece > most", 24, "v.piece"),
        ("v.piece is None and v.piece > most", 21, "v.piece"),
        ("v.piece is not None or v.piece > most", 24, "v.piece"),
        ("not (known(v.piece) and v.on) and v.piece > most", 35, "v.piece"),
        ("(known(v.piece) or v.on) and v.piece > most", 30, "v.piece"),
        ("(v.piece is None and v.on) or v.piece > most", 31, "v.piece"),
        ("(known(v.piece) and v.on or v.load > 1) and v.piece > most", 45, "v.piece"),
        ("(known(v.piece) and v.on) or v.piece > most", 30, "v.piece"),
        ("known(v.gap) and v.piece > most", 18, "v.piece"),
        ("known(w.piece) and v.piece > most", 20, "v.piece"),
        ("known(v.piece) and v.piece > v.gap", 30, "v.gap"),
        ("known(v.load) and v.piece > most", 19, "v.piece"),
        ("(known(v.piece) and v.on) and v.on or v.piece > most", 39, "v.piece"),
        ("(known(v.piece) or known(v.gap)) and v.gap > most", 38, "v.gap"),
        ("v.maker == 'a'", 1, "v.maker"),
        ("v.maker in ('a', 'b')", 1, "v.maker"),
        ("v.quick", 1, "v.quick"),
        ("v.on and not v.quick", 14, "v.quick"),
        ("len(v.uses) > 1", 5, "v.uses"),
        ("'a' in v.uses", 8, "v.uses"),
        ("1 < max(v.load, v.piece)", 17, "v.piece"),
        ("v.load < most * (1 + v.piece)", 22, "v.piece"),
        ("v.load > extra", 10, "extra"),
        ("known(v.piece) and v.load > extra", 29, "extra"),
    ],
)
def test_an_unguarded_fact_is_refused_with_the_guard_to_write(
    text: str, column: int, fact: str
) -> None:
    with pytest.raises(ConditionError) as caught:
        compile_condition(text, SCHEMA)
    error = caught.value
    assert error.column == column, str(error)
    assert error.caret().split("\n")[1] == " " * (column - 1) + "^"
    assert f"`{fact}`" in error.message and "may be absent" in error.message
    assert f"`known({fact}) and …`" in error.hint
    assert f"`not known({fact}) or …`" in error.hint


def test_a_guard_ends_with_its_parenthesis() -> None:
    with pytest.raises(ConditionError, match=r"column 46: `v\.piece`"):
        compile_condition("(known(v.piece) and v.piece > 1) or v.on or (v.piece > 2)", SCHEMA)


@pytest.mark.parametrize(
    ("text", "guards"),
    [
        ("v.on", []),
        ("known(v.piece)", [("v", "piece")]),
        ("v.piece is not None", [("v", "piece")]),
        ("v.piece is None", []),
        ("not v.piece is None", [("v", "piece")]),
        ("v.on and known(v.piece) and known(v.gap)", [("v", "gap"), ("v", "piece")]),
        ("v.on or known(v.piece)", []),
        ("known(v.gap) or known(v.piece)", []),
        ("known(v.gap) and v.on or known(v.gap) and known(v.piece)", [("v", "gap")]),
        ("not (v.gap is None or v.on)", [("v", "gap")]),
        ("not (known(v.gap) and v.on)", []),
        ("known(w.piece) and known(extra)", [("", "extra"), ("w", "piece")]),
        ("known(v.load)", [("v", "load")]),
    ],
)
def test_a_condition_says_what_it_guards(text: str, guards: list[tuple[str, str]]) -> None:
    assert sorted(compile_condition(text, SCHEMA).guards) == guards


def test_what_is_known_beforehand_needs_no_guard() -> None:
    when = compile_condition("v.on and v.piece is not None", SCHEMA)
    compile_condition("v.piece > most", SCHEMA, when.guards)
    compile_condition("v.on or (v.piece > most)", SCHEMA, present=when.guards)
    with pytest.raises(ConditionError, match=r"`v\.gap`"):
        compile_condition("v.piece > v.gap", SCHEMA, when.guards)
    with pytest.raises(ConditionError, match=r"`v\.piece`"):
        compile_condition("v.piece > most", SCHEMA)


def test_a_guard_changes_no_answer() -> None:
    guarded = compile_condition("known(v.piece) and v.piece > most", SCHEMA)
    assert guarded.evaluate({"v": Volume()}, {"most": 1}) is FALSE
    assert guarded.evaluate({"v": Volume(piece=2)}, {"most": 1}) is TRUE
    assert guarded.evaluate({"v": Volume(piece=2)}, {"most": None}) is UNKNOWN
    spared = compile_condition("v.piece is None or v.piece > most", SCHEMA)
    assert spared.evaluate({"v": Volume()}, {"most": None}) is TRUE
    assert spared.evaluate({"v": Volume(piece=2)}, {"most": 2}) is FALSE


ATOMS = [
    "v.on", "v.load > most", "known(v.piece)", "known(v.gap)", "v.piece is None",
    "v.gap is not None", "v.piece > most", "v.gap > v.load", "v.piece == v.gap",
]  # fmt: skip
conditions = st.recursive(
    st.sampled_from(ATOMS),
    lambda inner: st.one_of(
        inner.map(lambda text: f"not ({text})"),
        st.tuples(inner, st.sampled_from(["and", "or"]), inner).map(
            lambda parts: "({}) {} ({})".format(*parts)
        ),
    ),
    max_leaves=6,
)
WORLDS = [
    Volume(on=on, piece=piece, gap=gap)
    for on, piece, gap in product((True, False), (None, 0.0, 2.0), (None, 0.0, 2.0))
]


@settled(400)
@given(conditions, conditions)
def test_absent_facts_never_leave_a_condition_unknown(first: str, second: str) -> None:
    """Where all else is known, a condition that compiles is true or false."""
    try:
        when = compile_condition(first, SCHEMA)
    except ConditionError:
        return
    says = {world: when.evaluate({"v": world}, {"most": 1}) for world in WORLDS}
    assert set(says.values()) <= {TRUE, FALSE}
    for world in WORLDS:
        if says[world] is TRUE:
            assert all(getattr(world, field) is not None for _, field in when.guards)
    try:
        require = compile_condition(second, SCHEMA, when.guards)
    except ConditionError:
        return
    for world in WORLDS:
        if says[world] is TRUE:
            assert require.evaluate({"v": world}, {"most": 1}) is not UNKNOWN
