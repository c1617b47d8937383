"""What conditions answer, with plain numbers, ranges and unknowns."""

import math
from typing import Any, NamedTuple

import pytest

from sizewright.facts.fact import Fact, Kind
from sizewright.quantity import Quantity
from sizewright.rules import values
from sizewright.rules.checker import compile_condition
from sizewright.rules.parser import Schema
from sizewright.rules.values import FALSE, TIGHT, TRUE, UNKNOWN, Truth


class Network(NamedTuple):
    load: Any = 200.0
    other: Any = 100.0
    spare: Any = None
    kind: Any = "ring"
    medium: Any = None
    wired: Any = True
    quiet: Any = None
    lane: Any = None
    uses: Any = ("backup", "paging")


class System(NamedTuple):
    boards: Any = 3


NUMBER, TEXT, FLAG, LIST = Kind.NUMBER, Kind.TEXT, Kind.FLAG, Kind.NAMES
SCHEMA = Schema(
    {
        "network": {
            "load": Fact(NUMBER, unit="op/s"),
            "other": Fact(NUMBER),
            "spare": Fact(NUMBER),
            "kind": Fact(TEXT, one_of=("ring", "bus", "star")),
            "medium": Fact(TEXT),
            "wired": Fact(FLAG),
            "quiet": Fact(FLAG),
            "lane": Fact(NUMBER, optional=True),
            "uses": Fact(LIST, one_of=("backup", "paging", "mail")),
        },
        "system": {"boards": Fact(NUMBER)},
    },
    {
        "most": Fact(NUMBER),
        "name": Fact(TEXT),
        "kinds": Fact(LIST),
        "strict": Fact(FLAG),
        "extra": Fact(NUMBER, optional=True),
    },
)
PARAMETERS = {"most": 290, "name": "ring", "kinds": ("ring",), "strict": False, "extra": None}


def judge(text: str, network: Network | None = None, **parameters: Any) -> Truth:
    subjects = {"network": network or Network(), "system": System()}
    return compile_condition(text, SCHEMA).evaluate(subjects, {**PARAMETERS, **parameters})


def span(low: float, high: float) -> Quantity:
    return Quantity(low, (low + high) / 2, high, "op/s")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("network.load <= most", TRUE),
        ("network.load < most", TRUE),
        ("network.load >= most", FALSE),
        ("network.load > most", FALSE),
        ("network.load == most", FALSE),
        ("network.load != most", TRUE),
        ("most > network.load", TRUE),
        ("0 < network.load <= most", TRUE),
        ("0 < network.other < network.load < most", TRUE),
        ("network.load < network.other < most", FALSE),
        ("network.load == network.other * 2", TRUE),
        ("network.load - network.other == network.other", TRUE),
        ("network.load / network.other == 2", TRUE),
        ("network.load + network.other > most", TRUE),
        ("-network.load < -1", TRUE),
        ("min(network.load, network.other, most) == network.other", TRUE),
        ("max(network.load, most) == most", TRUE),
        ("abs(network.other - network.load) == network.other", TRUE),
        ("abs(-network.load) == network.load", TRUE),
        ("system.boards > 2.0", TRUE),
        ("network.kind == 'ring'", TRUE),
        ('network.kind != "ring"', FALSE),
        ("network.kind == name", TRUE),
        ("network.kind in ('ring', 'bus')", TRUE),
        ("network.kind in ['bus', 'star']", FALSE),
        ("network.kind not in ('bus',)", TRUE),
        ("network.kind in kinds", TRUE),
        ("'backup' in network.uses", TRUE),
        ("'mail' not in network.uses", TRUE),
        ("name in network.uses", FALSE),
        ("len(network.uses) == 2", TRUE),
        ("len(network.uses) <= len(kinds)", FALSE),
        ("network.wired", TRUE),
        ("not network.wired", FALSE),
        ("strict", FALSE),
        ("network.wired and not strict", TRUE),
        ("network.quiet", UNKNOWN),
        ("network.quiet or network.wired", TRUE),
        ("network.quiet and strict", FALSE),
        ("not (network.wired and network.quiet)", UNKNOWN),
        ("network.spare <= most", UNKNOWN),
        ("network.spare + 1 - most * 2 / network.load > 0", UNKNOWN),
        ("-network.spare == 0", UNKNOWN),
        ("abs(network.spare) == 0", UNKNOWN),
        ("min(network.spare, 1) > 2", UNKNOWN),
        ("max(network.spare, 1) > 2", UNKNOWN),
        ("network.medium == 'fibre'", UNKNOWN),
        ("network.medium != 'fibre'", UNKNOWN),
        ("network.medium in ('fibre',)", UNKNOWN),
        ("network.medium not in ('fibre',)", UNKNOWN),
        ("network.spare <= most and network.load > most", FALSE),
        ("network.spare <= most or network.load <= most", TRUE),
        ("network.lane is None", TRUE),
        ("network.lane is not None", FALSE),
        ("network.lane is not None and network.lane > 1", FALSE),
        ("network.lane is None or network.lane > 1", TRUE),
        ("extra is None", TRUE),
        ("known(network.spare)", FALSE),
        ("known(network.load)", TRUE),
        ("known(network.wired) and known(network.uses) and known(most)", TRUE),
        ("not known(network.medium)", TRUE),
        ("network.load / 0 > 1", UNKNOWN),
        ("(network.load\n  <= most)", TRUE),
        ("network.load\n\t<= most\r\n  and network.wired\n", TRUE),
        ("  network.wired  ", TRUE),
    ],
)
def test_plain_facts(text: str, expected: Truth) -> None:
    assert judge(text) is expected


@pytest.mark.parametrize(
    ("text", "low", "high", "expected"),
    [
        ("network.load <= most", 100, 290, TRUE),
        ("network.load <= most", 100, 300, TIGHT),
        ("network.load <= most", 291, 300, FALSE),
        ("network.load < most", 100, 290, TIGHT),
        ("network.load < most", 290, 300, FALSE),
        ("network.load > most", 290, 300, TIGHT),
        ("network.load >= most", 290, 300, TRUE),
        ("not network.load <= most", 100, 300, TIGHT),
        ("network.load == most", 100, 300, TIGHT),
        ("network.load == most", 291, 300, FALSE),
        ("network.load == most", 290, 290, TRUE),
        ("network.load != most", 291, 300, TRUE),
        ("network.load != most", 100, 300, TIGHT),
        ("network.load <= most and network.spare > 0", 100, 300, UNKNOWN),
        ("network.load <= most or network.spare > 0", 100, 300, UNKNOWN),
        ("network.load <= most and strict", 100, 300, FALSE),
        ("network.load <= most or network.wired", 100, 300, TRUE),
        ("network.load <= most and network.wired", 100, 300, TIGHT),
        ("network.load - most <= 0", 100, 300, TIGHT),
        ("most - network.load >= 0", 100, 290, TRUE),
        ("most / network.load >= 1", 100, 300, TIGHT),
        ("most / (network.load - 1) > 1", 0, 2, UNKNOWN),
        ("network.load * network.load >= 0", -2, 2, TIGHT),
        ("abs(network.load) >= 0", -2, 2, TRUE),
        ("abs(network.load) <= 1", -2, 0, TIGHT),
        ("abs(network.load) >= 1", -2, -1, TRUE),
        ("min(network.load, most) <= most", 100, 300, TRUE),
        ("max(network.load, most) >= most", 100, 300, TRUE),
        ("max(network.load, most) <= most", 100, 300, TIGHT),
        ("0 <= network.load <= most", 100, 300, TIGHT),
        ("known(network.load)", 100, 300, TRUE),
    ],
)
def test_ranges(text: str, low: float, high: float, expected: Truth) -> None:
    assert judge(text, Network(load=span(low, high))) is expected


R = values.Range


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (values.add(R(1, 2), R(-4, 8)), R(-3, 10)),
        (values.add(R(1, 2), 1.0), R(2, 3)),
        (values.add(R(1, 2), R(-2, -1)), R(-1, 1)),
        (values.subtract(R(1, 2), R(-4, 8)), R(-7, 6)),
        (values.subtract(1.0, R(1, 2)), R(-1, 0)),
        (values.negative(R(-1, 2)), R(-2, 1)),
        (values.multiply(R(2, 4), R(1, 8)), R(2, 32)),
        (values.multiply(R(-2, 4), R(1, 8)), R(-16, 32)),
        (values.multiply(R(-2, 4), R(-8, 1)), R(-32, 16)),
        (values.multiply(R(-4, -2), R(-8, -1)), R(2, 32)),
        (values.multiply(R(-4, 2), 0.0), 0),
        (values.divide(R(2, 4), R(1, 8)), R(1 / 4, 4)),
        (values.divide(R(-4, -2), R(1, 8)), R(-4, -1 / 4)),
        (values.divide(R(-4, 2), R(1, 8)), R(-4, 2)),
        (values.divide(R(2, 4), R(-8, -1)), R(-4, -1 / 4)),
        (values.divide(R(-4, 2), R(-8, -1)), R(-2, 4)),
        (values.divide(1.0, R(0, 1)), None),
        (values.divide(1.0, R(-1, 0)), None),
        (values.divide(1.0, R(-1, 1)), None),
        (values.absolute(R(-4, 2)), R(0, 4)),
        (values.absolute(R(-4, -2)), R(2, 4)),
        (values.smallest(R(1, 4), R(2, 3), 5.0), R(1, 3)),
        (values.largest(R(1, 4), R(2, 3), 0.0), R(2, 4)),
        (values.number(span(3, 3)), 3.0),
        (values.number(span(3, 4)), R(3, 4)),
        (values.number(3), 3.0),
    ],
)
def test_range_arithmetic(value: object, expected: object) -> None:
    assert value == expected
    assert type(value) is (float if expected == 0 or expected == 3 else type(expected))


def test_what_is_empty_or_nothing_is_known_all_the_same() -> None:
    nothing = Network(load=0, wired=False, uses=(), kind="", spare=0.0, quiet=False, lane=0)
    for fact in ("load", "wired", "uses", "kind", "spare", "quiet"):
        assert judge(f"known(network.{fact})", nothing) is TRUE
    assert judge("network.lane is not None", nothing) is TRUE


def test_a_part_of_a_text_is_not_in_a_list() -> None:
    assert judge("name in kinds", name="rin") is FALSE
    assert judge("name in ('ring', 'bus')", name="in") is FALSE


def test_a_range_may_be_any_record_with_two_ends() -> None:
    class Ends(NamedTuple):
        low: float
        high: float

    # Tuples have an order of their own, which must not be asked.
    assert judge("network.load < network.other", Network(Ends(1, 9), Ends(2, 3))) is TIGHT
    assert judge("network.load <= most", Network(Ends(1, 9)), most=Ends(9, 10)) is TRUE
    assert judge("network.load <= most", Network(Ends(1, math.nan))) is UNKNOWN


@pytest.mark.parametrize(
    ("text", "load", "other", "expected"),
    [
        ("network.load * network.other <= most", 0.1, 3.0, TRUE),
        ("network.load * network.other > most", 0.1, 3.0, FALSE),
        ("network.load * network.other == most", 0.1, 3.0, TRUE),
        ("most - network.load * network.other >= 0", 0.1, 3.0, TRUE),
        ("most < network.load * network.other", 0.1, 3.0, FALSE),
        ("network.load + network.other <= most", 0.1 + 1e-17, 0.2, TRUE),
        ("network.load <= most", 0.3 * (1 + 1e-10), 0, TRUE),
        ("network.load <= most", 0.3 * (1 + 1e-8), 0, FALSE),
        ("network.load < most", 0.3 * (1 - 1e-8), 0, TRUE),
        ("network.load < most", 0.3 * (1 - 1e-10), 0, FALSE),
    ],
)
def test_rounding_never_decides(text: str, load: float, other: float, expected: Truth) -> None:
    assert judge(text, Network(load=load, other=other), most=0.3) is expected
    ends = Network(load=span(load, load + 1e-13), other=other)
    assert judge(text, ends, most=0.3) is expected


def test_the_tolerance_is_about_a_billionth() -> None:
    assert 0.9e-9 < values.TOLERANCE < 1.1e-9


@pytest.mark.parametrize(
    ("load", "other", "text", "expected"),
    [
        (math.nan, 1, "network.load <= network.other", UNKNOWN),
        (math.nan, 1, "known(network.load)", FALSE),
        (math.inf, 1, "network.load > network.other", TRUE),
        (math.inf, math.inf, "network.load == network.other", TRUE),
        (math.inf, math.inf, "network.load - network.other == 0", UNKNOWN),
        (math.inf, -math.inf, "network.load + network.other == 0", UNKNOWN),
        (math.inf, 0, "network.load * network.other == 0", UNKNOWN),
        (1e308, 1e308, "network.load * network.other > most", TRUE),
        (1e308, 1e308, "network.load * network.load - network.other * network.other > 0", UNKNOWN),
        (10**400, -(10**400), "network.load > most > network.other", TRUE),
        (math.inf, math.inf, "network.load / network.other > 0", UNKNOWN),
        (True, 0, "network.load == 1", TRUE),
    ],
)
def test_numbers_beyond_reckoning_raise_nothing(
    load: Any, other: Any, text: str, expected: Truth
) -> None:
    assert judge(text, Network(load=load, other=other)) is expected
    if isinstance(load, float) and math.isinf(load) and other == 0:
        assert judge(text, Network(load=load, other=span(0, 1))) is UNKNOWN


def test_a_condition_knows_what_it_reads() -> None:
    condition = compile_condition("network.load <= most and known(network.spare)", SCHEMA)
    assert condition.names == {("network", "load"), ("network", "spare")}
    assert condition.parameters == {"most": True}
    assert condition.text == "network.load <= most and known(network.spare)"
    assert condition.text in repr(condition)


def test_what_is_compiled_has_no_builtins_to_reach_for() -> None:
    run: Any = compile_condition("network.wired", SCHEMA).bind({})
    assert run.__globals__["__builtins__"] == {}
    assert run.__code__.co_names == ("flag", "wired")


def test_facts_that_were_not_handed_down_are_the_callers_mistake() -> None:
    condition = compile_condition("network.load <= most", SCHEMA)
    with pytest.raises(KeyError):
        condition.evaluate({}, PARAMETERS)
    with pytest.raises(KeyError):
        condition.evaluate({"network": Network()}, {})
    with pytest.raises(AttributeError):
        condition.evaluate({"network": System()}, PARAMETERS)
