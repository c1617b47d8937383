"""Numbers, ranges and texts with units become figures that know where they stand."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sizewright.documents import parse_document
from sizewright.errors import Location
from sizewright.limits import QUANTITY_AT_MOST
from sizewright.quantity import Quantity
from sizewright.schema.model import InvalidFieldError
from sizewright.schema.quantity import FieldOrigin, QuantityField, field_origins, origin_of

PLAIN = FieldOrigin("volumes.homes.size_mb", "w.yaml:3:7", "1.1.8", "fact")


def ends(value: object, quantity: QuantityField) -> tuple[float, float, float]:
    figure = quantity.read(value, {})
    assert figure.unit == quantity.unit
    return figure.low, figure.likely, figure.high


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (150, (150, 150, 150)),
        (2.5, (2.5, 2.5, 2.5)),
        (0, (0, 0, 0)),
        ([250, 256], (250, 253, 256)),
        ([1, 2, 6], (1, 2, 6)),
        ((3, 3), (3, 3, 3)),
        ("3.1 GB", (3100, 3100, 3100)),
        ("512KB", (0.5, 0.5, 0.5)),
        (" 1e2  MB ", (100, 100, 100)),
        (["3 GB", 3100], (3000, 3050, 3100)),
        (["1 GB", "2 GB", 6000], (1000, 2000, 6000)),
    ],
)
def test_sizes_are_read_in_megabytes(value: object, expected: tuple[float, float, float]):
    assert ends(value, QuantityField("MB")) == pytest.approx(expected)


@pytest.mark.parametrize("text", ["30 op/s", "30 ops/s", "30 op/s*client", "1800 op/min", "30op/s"])
def test_a_rate_per_client_may_leave_the_client_out(text: str):
    quantity = QuantityField("op/s", per="client")
    assert quantity.unit == "op/s*client"
    assert ends(text, quantity) == pytest.approx((30, 30, 30))


@pytest.mark.parametrize(
    ("text", "unit", "expected"),
    [
        ("12 clients", "client", 12), ("5 min", "s", 300), ("1 h", "s", 3600),
        ("2 days", "s", 172800),
        ("2 hours", "s", 7200),
        ("1 minute", "s", 60),
        ("3 seconds", "s", 3),
        ("600 op/hour", "op/s", 1 / 6),
        ("250 ms", "s", 0.25), ("50 %", "%", 50), ("50%", "1", 0.5), ("1 KB", "byte", 1024),
        ("8 Mb/s", "Mb/s", 8),
    ],
)  # fmt: skip
def test_units_convert_and_may_stand_in_the_plural(text: str, unit: str, expected: float):
    assert ends(text, QuantityField(unit)) == pytest.approx((expected,) * 3)


@pytest.mark.parametrize(
    "value",
    [
        None, True, False, {}, [], [1], [1, 2, 3, 4], [[1, 2], 3], [None, 1], [True, 2], [2, 1],
        [1, 3, 2], -1, [-1, 1], math.nan, math.inf, [1, math.nan], [1, math.inf], 10**400, 1e13,
        "", " ", "MB", "x", "5", "5 x", "5 op/s", "5 MB/s", "5 MB MB", "-5 MB", "1,000 MB",
        "1e999 MB",
        "٣ MB", "5 MB " * 30, "nan MB", "5 /", "5 *", "5 a/b/c",
    ],
)  # fmt: skip
def test_what_is_no_size_is_refused(value: object):
    with pytest.raises(InvalidFieldError):
        QuantityField("MB").read_from(value, PLAIN)


def test_every_end_that_is_wrong_is_named():
    with pytest.raises(InvalidFieldError) as caught:
        QuantityField("MB").read_from(["a", 1, "b"], PLAIN)
    assert [objection.at for objection in caught.value.errors] == [(0,), (2,)]


def test_bounds_are_kept():
    assert ends(100, QuantityField("%", at_most=100)) == (100, 100, 100)
    assert ends(QUANTITY_AT_MOST, QuantityField("MB"))
    for value in (101, [0, 101]):
        with pytest.raises(InvalidFieldError, match="too large"):
            QuantityField("%", at_most=100).read_from(value, PLAIN)
    for value in (0, "0 s", [0, 1]):
        with pytest.raises(InvalidFieldError, match="must not be 0"):
            QuantityField("s", above_zero=True).read_from(value, PLAIN)


def test_a_figure_is_converted_not_read_again():
    figure = Quantity(1, 2, 3, "GB")
    assert ends(figure, QuantityField("MB")) == (1000, 2000, 3000)


def test_the_leaf_says_where_it_stands_and_what_the_source_says():
    figure = QuantityField("MB").read_from(5, PLAIN)
    assert figure.name == "volumes.homes.size_mb"
    assert figure.source == ("input", "w.yaml:3:7", "1.1.8", "fact")


SMALL = st.floats(0, 1e9)


@given(st.lists(SMALL, min_size=2, max_size=3))
def test_a_range_that_rises_is_read_as_it_stands(values: list[float]):
    values.sort()
    low, likely, high = ends(values, QuantityField("MB"))
    assert (low, high) == (values[0], values[-1])
    assert low <= likely <= high
    assert likely == values[1] if len(values) == 3 else likely == pytest.approx(sum(values) / 2)


@given(st.text(max_size=70) | st.floats() | st.integers() | st.lists(st.floats() | st.text()))
def test_any_value_is_a_figure_within_bounds_or_refused(value: object):
    try:
        low, likely, high = ends(value, QuantityField("MB"))
    except InvalidFieldError as error:
        assert error.errors
    else:
        assert 0 <= low <= likely <= high <= QUANTITY_AT_MOST


def test_statements_name_things_by_their_names_and_follow_what_is_said():
    document = parse_document(
        "volumes:\n"
        "  - name: homes\n"
        "    size_mb: [1, 2]\n"
        "    said: {size_mb: {section: '1.2', kind: fact}, cached_mb: 3}\n"
        "  - {size_mb: 5}\n"
        "services:\n"
        "  - name: mail\n"
        "    load: {ops_per_s_each: 3, every_s: 4, said: {ops_per_s_each: {section: '2'}}}\n"
        "    uses: {homes: 1}\n"
        "    said: {load: {section: '9', kind: assumption}, uses: {section: '8', kind: fact}}\n",
        "w.yaml",
    )
    known = field_origins(document)
    homes, other = document.data["volumes"]
    mail = document.data["services"][0]
    assert origin_of(homes["size_mb"], known) == (
        "volumes.homes.size_mb", "w.yaml:3:15", "1.2", "fact",
    )  # fmt: skip
    assert origin_of(other["size_mb"], known) == ("volumes.1.size_mb", "w.yaml:5:15", "", "")
    assert origin_of(mail["load"]["ops_per_s_each"], known)[2:] == ("2", "")
    assert origin_of(mail["load"]["every_s"], known)[2:] == ("9", "assumption")
    assert origin_of(mail["uses"]["homes"], known)[::2] == ("services.mail.uses.homes", "8")
    assert origin_of(5, known) == FieldOrigin()
    assert origin_of([], known) == FieldOrigin()
    assert origin_of(other["size_mb"], None) == FieldOrigin(where=str(Location("w.yaml", 5, 15)))
