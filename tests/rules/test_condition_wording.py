"""Refusals whole: some of each kind, so that a hint where none belongs is noticed too."""

from __future__ import annotations

from typing import Any

import pytest

from sizewright.facts.fact import Fact, Kind
from sizewright.limits import CONDITION_CHARACTERS, CONDITION_DEPTH, CONDITION_NODES
from sizewright.rules.checker import compile_condition
from sizewright.rules.parser import ConditionError, Schema

SCHEMA = Schema(
    {"network": {"load": Fact(Kind.NUMBER), "spare": Fact(Kind.NUMBER, optional=True)}},
    {
        "most": Fact(Kind.NUMBER),
        "name": Fact(Kind.TEXT),
        "kinds": Fact(Kind.NAMES),
    },
)
UNREADABLE = "this cannot be read as a condition"


def refusal(text: Any, schema: Schema = SCHEMA) -> ConditionError:
    with pytest.raises(ConditionError) as caught:
        compile_condition(text, schema)
    return caught.value


@pytest.mark.parametrize(
    ("text", "whole"),
    [
        ("+most > 1", "column 1: `+` stands before no number"),
        ("1 > ~most", "column 5: `~` stands before no number"),
        ("1 < most or -most",
         "column 13: a number alone is no condition (compare it with something)"),
        ("most ** 2 > 1", "column 1: arithmetic has only `+`, `-`, `*` and `/`"),
        ("name in ()", "column 9: nothing is in an empty list"),
        ("name in (1,)", "column 10: a list has only texts in quotes"),
        ("name in 'a'", "column 9: a text is no list (write ('a', 'b') or ('a',))"),
        ("'a' in ('a',)", "column 1: both sides are literals, so the answer never changes"),
        ("1 < 2", "column 1: both sides are literals, so the answer never changes"),
        ("most <= 3",
         "column 9: numbers other than 0, 1 and 2 are parameters of the rule"
         " (give it a name under `parameters`)"),
        ("most <= 1 + 2",
         "column 9: a number worked out from literals alone is a parameter of the rule"
         " (give it a name under `parameters`)"),
        ("True", "column 1: `True` has no place in a condition (write the flag, or `not` flag)"),
        ("network.spare == None",
         "column 18: `None` has no place here (write `is None` after an optional fact)"),
        ("most is None", "column 1: `most` (a number) is never None (ask it of optional facts)"),
        ("network.spare is 1", "column 18: `is` stands only before `None` (write `==`)"),
        ("name == u'a'",
         "column 9: a text is one pair of quotes, without prefix (is a comma missing?)"),
        ("most > 1j", "column 8: a literal is a number or a text"),
        ("network.load.real > 1", "column 1: a fact is `subject.field`, one level deep"),
        ("name.upper() == name", "column 1: facts have no functions"
         " (there are min, max, either, abs, len, known)"),
        ("known(most) == (most > 1)",
         "column 1: a flag cannot be compared (use `and`, `or`, `not`)"),
        ("kinds == kinds",
         "column 1: `kinds` (a list of texts) cannot be compared (use `in` or `len`)"),
        ("name < name", "column 1: texts have no order (use `==`, `!=` or `in`)"),
        ("𝐦ost > 1", "column 1: this only looks like `most` (write plain letters)"),
        # no hint where the sign is part of a comparison that the language has
        ("most ==", f"column 7: {UNREADABLE}"),
        ("most !=", f"column 7: {UNREADABLE}"),
        ("most <=", f"column 7: {UNREADABLE}"),
        ("most >=", f"column 7: {UNREADABLE}"),
        ("most >", f"column 6: {UNREADABLE}"),
        ("most = 1", f"column 6: {UNREADABLE} (write `==`)"),
        ("most >= 1 && most", f"column 12: {UNREADABLE} (write `and`)"),
    ],
)  # fmt: skip
def test_a_refusal_in_full(text: str, whole: str) -> None:
    assert str(refusal(text)) == whole


@pytest.mark.parametrize(
    ("text", "whole"),
    [
        (3, "column 1: a condition is a text (put it in quotes)"),
        ("", "column 1: the condition is empty"),
        ("a" * (CONDITION_CHARACTERS + 1),
         "column 601: the condition is longer than 600 characters (split the rule in two)"),
        ("  most =", f"column 8: {UNREADABLE} (write `==`)"),
        ("X > most", "column 1: no parameter is called `X` (allowed: kinds, most, name, network)"),
    ],
)  # fmt: skip
def test_what_is_refused_before_it_is_read(text: Any, whole: str) -> None:
    assert str(refusal(text)) == whole


def test_where_nothing_can_be_named_it_is_said() -> None:
    whole = "column 1: no parameter is called `most` (there are none)"
    assert str(refusal("most > 1", Schema({}))) == whole


def test_numbers_in_units_that_never_meet_are_told_apart() -> None:
    units = {"rate": Fact(Kind.NUMBER, unit="op/s"), "size": Fact(Kind.NUMBER, unit="MB")}
    assert str(refusal("rate < size", Schema({}, units))) == (
        "column 8: `op/s` and `MB` are different units"
        " (multiply or divide by what lies between them)"
    )


def test_what_is_too_deep_or_too_long_is_refused_where_it_begins_to_be() -> None:
    deep = "not " * CONDITION_DEPTH + "most"
    assert str(refusal(deep)) == (
        f"column {len(deep) - 3}: nested more than 20 levels deep (split the rule in two)"
    )
    # Sides are counted from the right, so the one too many is the first, after the blank.
    wide = " " + "<".join(["a"] * CONDITION_NODES)
    assert str(refusal(wide)) == "column 2: more than 200 parts (split the rule in two)"


def test_a_refusal_shows_no_more_of_a_text_than_is_read() -> None:
    line, caret = refusal("most > 1".ljust(CONDITION_CHARACTERS + 50)).caret().split("\n")
    assert (len(line), len(caret)) == (CONDITION_CHARACTERS + 1, CONDITION_CHARACTERS + 1)


def test_an_error_keeps_its_parts() -> None:
    error = ConditionError("wrong", 3, "mend it", "a b")
    assert error.args == ("wrong", 3, "mend it", "a b")
    assert (error.message, error.column, error.hint, error.text) == ("wrong", 3, "mend it", "a b")
    assert str(error) == "column 3: wrong (mend it)"
    bare = ConditionError("wrong", 1)
    assert (bare.hint, bare.text, str(bare)) == ("", "", "column 1: wrong")
    assert bare.caret() == "\n^"
