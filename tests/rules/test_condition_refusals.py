"""What the language refuses: every other kind of syntax, wrong types, wrong names, hostile text."""

import ast
import time
from typing import Any

import pytest

from sizewright.facts.fact import Fact, Kind
from sizewright.limits import CONDITION_CHARACTERS, CONDITION_DEPTH, CONDITION_NODES
from sizewright.rules.checker import compile_condition
from sizewright.rules.parser import ConditionError, Schema

SCHEMA = Schema(
    {
        "network": {
            "load": Fact(Kind.NUMBER),
            "spare": Fact(Kind.NUMBER, optional=True),
            "kind": Fact(Kind.TEXT, one_of=("ring", "bus")),
            "wired": Fact(Kind.FLAG),
            "uses": Fact(Kind.NAMES, one_of=("backup", "paging")),
            "_hidden": Fact(Kind.NUMBER),
        },
        "system": {"boards": Fact(Kind.NUMBER)},
    },
    {
        "most": Fact(Kind.NUMBER),
        "name": Fact(Kind.TEXT),
        "kinds": Fact(Kind.NAMES),
        "_secret": Fact(Kind.NUMBER),
    },
)


def refusal(text: str) -> ConditionError:
    with pytest.raises(ConditionError) as caught:
        compile_condition(text, SCHEMA)
    return caught.value


@pytest.mark.parametrize(
    ("text", "column", "message", "hint"),
    [
        # arithmetic
        ("network.load / (most - most) > 1", 17, "two equal terms is always 0", ""),
        # types
        ("network.kind == most", 17, "`network.kind` (a text) cannot be compared with", ""),
        ("network.kind <= 1", 17, "cannot be compared with a number", ""),
        ("1 < 'a'", 1, "both sides are literals", ""),
        ("most == 'a'", 9, "`most` (a number) cannot be compared with a text", ""),
        ("name != 1", 9, "`name` (a text) cannot be compared with a number", ""),
        ("name in kinds and name <= most", 27, "cannot be compared with `most` (a number)", ""),
        ("name == most + 1", 9, "cannot be compared with a number", ""),
        ("most > 1 or most + name > 1", 20, "`name` (a text) cannot be in arithmetic", ""),
        ("'a' * 2 == name", 1, "a text cannot be in arithmetic", ""),
        ("2 * name == name", 5, "`name` (a text) cannot be in arithmetic", ""),
        ("kinds * 2 == kinds", 1, "`kinds` (a list of texts) cannot be in arithmetic", ""),
        ("name in ('a',) * 2", 9, "a list stands only to the right of `in`", ""),
        ("most ** most > 1", 1, "arithmetic has only", ""),
        ("pow(most, 2) > 1", 1, "no function is called `pow`", "allowed"),
        ("network.kind < name", 1, "texts have no order", "`in`"),
        ("most", 1, "`most` (a number) alone is no condition", ""),
        ("network.kind", 1, "alone is no condition", ""),
        ("network.wired and network.uses", 19, "(a list of texts) alone is no condition", ""),
        ("not most", 5, "alone is no condition", ""),
        ("'ring'", 1, "a text alone is no condition", ""),
        ("most + 1", 1, "a number alone is no condition", ""),
        ("network.wired == True", 18, "`True` has no place", "write the flag"),
        ("network.wired == (most > 1)", 1, "cannot be compared", "`and`"),
        ("(most > 1) == network.wired", 2, "a flag cannot be compared", "`and`"),
        ("network.uses == kinds", 1, "cannot be compared", "`in`"),
        ("network.kind + 1 > 2", 1, "cannot be in arithmetic", ""),
        ("1 + (not network.wired) > 2", 6, "a flag cannot be in arithmetic", ""),
        ("-network.kind == name", 2, "cannot be negative", ""),
        ("max(network.kind, 1) > 1", 5, "cannot be given to `max`", ""),
        ("len(network.kind) > 1", 5, "has no length", ""),
        ("len(most) > 1", 5, "has no length", ""),
        ("len('abc') > 1", 5, "asks about a fact or a parameter", ""),
        ("len(('a', 'b')) > 1", 5, "a list stands only to the right of `in`", ""),
        ("known(most + 1)", 7, "asks about a fact or a parameter", ""),
        ("known(known(most))", 7, "asks about a fact or a parameter", ""),
        ("most in kinds", 1, "cannot be in a list of texts", ""),
        ("name in network.kind", 9, "is no list", "('a', 'b')"),
        ("'r' in 'ring'", 8, "a text is no list", "('a', 'b')"),
        ("name in ('ring')", 10, "a text is no list", "('a',)"),
        ("name in ()", 9, "empty list", ""),
        ("name in ('a', 1)", 15, "only texts", ""),
        ("name in ('a', name)", 15, "only texts", ""),
        ("'a' in ('a', 'b')", 1, "both sides are literals", ""),
        ("network.load is None", 1, "is never None", "optional"),
        ("most is not None", 1, "is never None", "optional"),
        ("(network.load + 1) is None", 2, "is never None", "optional"),
        ("network.spare is 1", 18, "`is` stands only before `None`", "`==`"),
        ("None is network.spare", 9, "`is` stands only before `None`", ""),
        ("network.spare == None", 18, "`None` has no place here", "`is None`"),
        # literals
        ("most <= 290", 9, "other than 0, 1 and 2 are parameters", "`parameters`"),
        ("most <= 0.8", 9, "other than 0, 1 and 2 are parameters", ""),
        ("most <= 10**9", 9, "arithmetic has only", ""),
        ("most <= 1 + 2", 9, "from literals alone is a parameter", "`parameters`"),
        ("most <= max(1, 2) * 2", 9, "from literals alone is a parameter", ""),
        ("most <= -1 - 2", 9, "from literals alone", ""),
        ("1 <= 2", 1, "both sides are literals", ""),
        ("1 < most < 2 < 1", 12, "both sides are literals", ""),
        ("most <= 1e999", 9, "other than 0, 1 and 2 are parameters", ""),
        ("most <= 0xffffffffffffffffffff", 9, "other than 0, 1 and 2 are parameters", ""),
        ("most <= 1j", 9, "a number or a text", ""),
        ("most <= 0j", 9, "a number or a text", ""),
        ("b'ring' == name", 1, "a number or a text", ""),
        ("most > ...", 8, "a number or a text", ""),
        ("True", 1, "`True` has no place", ""),
        ("None", 1, "`None` has no place", ""),
        ("name in ('a' 'b', 'c')", 10, "one pair of quotes", "comma"),
        ("name == 'a' 'b'", 9, "one pair of quotes", ""),
        ("name == u'a'", 9, "one pair of quotes", ""),
        ("name == '''a'''", 9, "one pair of quotes", ""),
        # names
        ("netwrk.load > 1", 1, "no subject is called `netwrk`", "`network`"),
        ("zzz.load > 1", 1, "no subject is called `zzz`", "allowed: network, system"),
        ("network.laod > 1", 9, "`network` has no field `laod`", "`load`"),
        ("network . laod > 1", 11, "`network` has no field `laod`", "`load`"),
        ("system.zzz > 1", 8, "`system` has no field `zzz`", "allowed: boards"),
        ("mots > 1", 1, "no parameter is called `mots`", "`most`"),
        ("load > 1", 1, "no parameter is called `load`", "`network.load`"),
        ("network > 1", 1, "`network` is a subject", "network.load"),
        ("most.real > 1", 1, "is a parameter, it has no fields", ""),
        ("network.load.real > 1", 1, "one level deep", ""),
        ("network.kind.upper == name", 1, "one level deep", ""),
        ("'a'.upper == name", 1, "one level deep", ""),
        ("network.kind == 'rign'", 17, "`network.kind` is never 'rign'", "`ring`"),
        ("'zzz' != network.kind", 1, "is never 'zzz'", "allowed: bus, ring"),
        ("network.kind in ('ring', 'buss')", 17, "is never 'buss'", "`bus`"),
        ("'pagin' in network.uses", 1, "`network.uses` is never 'pagin'", "`paging`"),
        # functions
        ("mni(most, 1) > 1", 1, "no function is called `mni`", "`min`"),
        ("sum(most) > 1", 1, "no function is called `sum`", "allowed"),
        ("most(1) > 1", 1, "no function is called `most`", ""),
        ("network.kind.upper() == name", 1, "facts have no functions", "known"),
        ("maxx(most, 1) > 1", 1, "no function is called `maxx`", "`max`"),
        ("knwon(most)", 1, "no function is called `knwon`", "`known`"),
        ("known(x=most)", 1, "no named arguments", ""),
        ("known(**kinds)", 1, "no named arguments", ""),
        ("known(*kinds)", 7, "`*` unpacks nothing", ""),
        ("(lambda: 1)() > most", 1, "facts have no functions", ""),
        ("min(most) > 1", 1, "`min` takes two or more arguments", ""),
        ("max() > most", 1, "`max` takes two or more arguments", ""),
        ("abs(most, most) > 1", 1, "`abs` takes one argument", ""),
        ("known()", 1, "`known` takes one argument", ""),
        ("min(most, most, key=most) > 1", 1, "no named arguments", ""),
        ("max(*kinds, most) > 1", 5, "`*` unpacks nothing", ""),
        # reading
        ("", 1, "empty", ""),
        (" \n\t ", 1, "empty", ""),
        ("most >", 6, "cannot be read", ""),
        ("most = 1", 6, "cannot be read", "`==`"),
        ("most > 1 && network.wired", 11, "cannot be read", "`and`"),
        ("most > 1 || network.wired", 11, "cannot be read", "`or`"),
        ("!network.wired", 1, "cannot be read", "`not`"),
        ("(most > 1", 1, "cannot be read", ""),
        ("most > 1) or (most < 1", 9, "cannot be read", ""),
        ("import os", 1, "cannot be read", ""),
        ("most > 1; most < 2", 9, "cannot be read", ""),
        ("1or most", 1, "cannot be read", ""),
        ("most > 1 # always", 10, "`#` has no place", ""),
        ("name == 'a\\x41'", 11, "`\\` has no place", ""),
        ("most > 1\0", 9, "U+0000", ""),
        ("most \u202e> 1", 6, "U+202E", ""),
        ("most\x0c> 1", 5, "U+000C", ""),
        ("name == '\ud800'", 10, "U+D800", ""),
        # letters that look like others, which Python would read as the plain ones
        ("𝐦ost > 1", 1, "only looks like `most`", "plain letters"),
        ("1 < ｍost", 5, "only looks like `most`", "plain letters"),
        ("  1 < network.lo𝐚d", 7, "only looks like `load`", "plain letters"),
        ("𝐧etwork.load > 1", 1, "only looks like `", "plain letters"),
        ("𝐦in(most, 1) > 1", 1, "only looks like `min`", "plain letters"),
        ("oﬃce > 1", 1, "only looks like `office`", "plain letters"),
        ("mоst > 1", 1, "no parameter is called `mоst`", "`most`"),
        ("most ＞ 1", 6, "cannot be read", ""),
        ("most > １", 8, "cannot be read", ""),
        ("most ≤ 1", 6, "cannot be read", ""),
        ("name == ‘a’", 9, "cannot be read", ""),
        # columns count characters, from the margin
        ("   mots > 1", 4, "no parameter", "`most`"),
        ("\n  most >\n  mots", 13, "no parameter", "`most`"),
        ("name == 'größe' and mots > 1", 21, "no parameter", "`most`"),
        (" name == '日本' and mots > 1", 19, "no parameter", "`most`"),
    ],
)
def test_a_refusal_says_where_what_and_what_to_try(
    text: str, column: int, message: str, hint: str
) -> None:
    error = refusal(text)
    assert (error.column, message in error.message) == (column, True), str(error)
    assert hint in error.hint
    line, caret = error.caret().split("\n")
    assert len(line) == len(text)
    assert caret == " " * (column - 1) + "^"
    assert error.text == text


def test_a_refusal_reads_well() -> None:
    error = refusal("network.laod <= most")
    assert str(error) == "column 9: `network` has no field `laod` (did you mean `load`?)"
    assert error.caret() == "network.laod <= most\n        ^"


@pytest.mark.parametrize(
    "text",
    [
        "network.__class__ == 1",
        "network._hidden > 1",
        "_secret > 1",
        "__builtins__ == 1",
        "__import__('os') == 1",
        "eval('1') > most",
        "known.__globals__ == most",
        "number(most) > 1",
        "subjects['network'] == most",
        "parameters == most",
        "conjunction(network.wired)",
        "network.__init__.__globals__['x'] == 1",
        "'{0.__class__}'.format(most) == name",
        "most.__class__.__mro__[1] == 1",
    ],
)
def test_nothing_leads_out_of_the_language(text: str) -> None:
    refusal(text)


@pytest.mark.parametrize(
    "text",
    [
        "(" * 249 + ")" * 249,
        "(" * 150 + "most > 1" + ")" * 150 + " and mots",
        "(" * 240 + "most > 1" + ")" * 240,
        "[" * 490,
        "-" * 480 + "most > 1",
        "not " * 120 + "network.wired",
        "most" + "+most" * 95 + " > 1",
        "1<" * 240 + "most",
        "most<" * 95 + "most" + "<1" * 5 + " or 3",
        "9" * 480 + " > most",
        "most > 1e999",
        "a." * 240 + "a",
        "f(" * 200 + ")" * 200,
        "10**10**10 > most",
        "'a' * 10**9 == name",
        "lambda:" * 70 + "1",
        "a" * 500,
        "x" * 10_000_000,
        "(" * 10_000_000,
        "most > 1 or " * 1_000_000,
        "\0" * 10_000_000,
    ],
)
def test_hostile_text_ends_quickly(text: str) -> None:
    began = time.process_time()
    error = refusal(text)
    # Generous: a machine under load, never a hang.
    assert time.process_time() - began < 2
    assert len(error.caret()) < 2 * CONDITION_CHARACTERS + 10
    assert len(str(error)) < CONDITION_CHARACTERS + 300


@pytest.mark.parametrize("failure", [MemoryError, RecursionError, ValueError])
def test_a_parser_that_gives_up_is_a_refusal(
    failure: type[Exception], monkeypatch: pytest.MonkeyPatch
) -> None:
    def give_up(*_: object, **__: object) -> None:
        raise failure

    with monkeypatch.context() as patched:
        patched.setattr(ast, "parse", give_up)
        error = refusal("most > 1")
    assert (error.column, error.message) == (1, "this cannot be read as a condition")


def test_length_depth_and_number_of_parts_are_bounded_exactly() -> None:
    longest = "most > 1".ljust(CONDITION_CHARACTERS)
    assert (CONDITION_CHARACTERS, CONDITION_DEPTH) == (600, 20)
    compile_condition(longest, SCHEMA)
    assert refusal(longest + " ").column == CONDITION_CHARACTERS + 1

    # The flag is two levels by itself: the attribute, and the subject below it.
    compile_condition("not " * (CONDITION_DEPTH - 2) + "network.wired", SCHEMA)
    assert "levels deep" in refusal("not " * (CONDITION_DEPTH - 1) + "network.wired").message

    # `or` itself, then three parts (comparison and both sides) a term.
    terms = (CONDITION_NODES - 1) // 3
    narrow = Schema({}, {"a": Fact(Kind.NUMBER)})
    compile_condition("or".join([" a<1 "] * terms).strip()[:CONDITION_CHARACTERS], narrow)
    with pytest.raises(ConditionError, match="more than 200 parts"):
        compile_condition("<".join(["a"] * CONDITION_NODES), narrow)
    compile_condition("<".join(["a"] * (CONDITION_NODES - 1)), narrow)


@pytest.mark.parametrize("text", [None, True, 1, ["most > 1"], b"most > 1"])
def test_what_is_no_text_is_no_condition(text: Any) -> None:
    with pytest.raises(ConditionError, match="a condition is a text"):
        compile_condition(text, SCHEMA)


def test_an_empty_schema_says_that_there_is_nothing_to_name() -> None:
    with pytest.raises(ConditionError, match="there are none"):
        compile_condition("most > 1", Schema({}))
