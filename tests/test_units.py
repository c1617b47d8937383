"""Units multiply, cancel and convert."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluator import SCALE, dimension, scale, together
from settled import settled
from sizewright import units
from sizewright.units import UnitError, factor, over, times

NAMES = [*SCALE, "op", "client", "packet", "disk", "slot"]
FACTORS = st.lists(st.sampled_from(NAMES), max_size=3)
SETTINGS = settled(200)


@st.composite
def some_units(draw: st.DrawFn) -> str:
    above, below = draw(FACTORS), draw(FACTORS)
    text = "*".join(above) or "1"
    return text + ("/" + "*".join(below) if below else "")


@pytest.mark.parametrize(
    ("a", "b", "product"),
    [
        ("op/s", "1", "op/s"),
        ("1", "1", "1"),
        ("client", "op/s*client", "op/s"),
        ("op/s", "KB/op", "KB/s"),
        ("op", "KB/s", "KB*op/s"),
        ("s", "1/s", "1"),
        ("ms/s", "s/ms", "1"),
        ("1/%", "%", "1"),
        ("MB", "MB", "MB*MB"),
    ],
)
def test_a_product_cancels_what_stands_above_and_below(a: str, b: str, product: str) -> None:
    assert times(a, b) == product
    assert times(b, a) == product


@pytest.mark.parametrize(
    ("a", "b", "quotient"),
    [
        ("ms/s", "op/s", "ms/op"),
        ("KB/s", "KB/op", "op/s"),
        ("op/s", "op/s", "1"),
        ("1", "s", "1/s"),
        ("MB/s", "KB/s", "MB/KB"),
        ("MB", "1", "MB"),
        ("op", "s*client", "op/client*s"),
    ],
)
def test_a_quotient_turns_the_divisor_over(a: str, b: str, quotient: str) -> None:
    assert over(a, b) == quotient


@pytest.mark.parametrize(
    ("source", "target", "how_many"),
    [
        ("MB", "KB", 1024),
        ("KB", "byte", 1024),
        ("byte", "KB", 1 / 1024),
        ("GB", "MB", 1000),
        ("Mb", "byte", 125_000),
        ("Gb", "Mb", 1000),
        ("TB", "GB", 1000),
        ("GiB", "MB", 1024),
        ("TiB", "GiB", 1024),
        ("s", "µs", 1_000_000),
        ("MB/s", "KB/s", 1024),
        ("s", "ms", 1000),
        ("ms/s", "1", 1 / 1000),
        ("min", "s", 60),
        ("h", "min", 60),
        ("day", "h", 24),
        ("km", "m", 1000),
        ("year", "month", 12),
        ("1", "%", 100),
        ("%", "1", 1 / 100),
        ("op/s", "op/min", 60),
        ("KB/op", "MB/op", 1 / 1024),
        ("op/s", "op/s", 1),
        ("client", "client", 1),
    ],
)
def test_a_conversion_says_how_many_of_one_unit_the_other_is(
    source: str, target: str, how_many: float
) -> None:
    assert factor(source, target) == pytest.approx(how_many, rel=1e-15)


@pytest.mark.parametrize(
    ("source", "target"),
    [
        ("MB", "s"),
        ("op/s", "op"),
        ("op", "packet"),
        ("1", "op"),
        ("MB/s", "s/MB"),
        ("m", "min"),
        ("year", "h"),
    ],
)
def test_what_measures_different_things_is_not_converted(source: str, target: str) -> None:
    with pytest.raises(UnitError, match=f"{source} cannot be expressed in {target}"):
        factor(source, target)


def test_a_unit_error_is_a_value_error() -> None:
    assert issubclass(UnitError, ValueError)


def test_memory_counts_by_1024_and_disks_by_1000() -> None:
    assert (units.BYTES_PER_KB, units.KB_PER_MB, units.MB_PER_GB) == (1024, 1024, 1000)
    assert (units.BITS_PER_BYTE, units.MS_PER_S, units.PERCENT) == (8, 1000, 100)


@SETTINGS
@given(some_units(), some_units())
def test_products_and_quotients_follow_the_powers_of_their_factors(a: str, b: str) -> None:
    assert dimension(times(a, b)) == together(a, b, 1)
    assert dimension(over(a, b)) == together(a, b, -1)
    assert times(a, b) == times(b, a)
    assert over(times(a, b), b) == times(a, "1")


KINDS = (
    ("byte", "KB", "MB", "GB", "TB", "KiB", "MiB", "GiB", "TiB", "Mb", "Gb"),
    ("µs", "ms", "s", "min", "h", "day"),
    ("m", "km"),
    ("month", "year"),
)


def measured(unit: str) -> dict[str, int]:
    """What a unit measures: the power of each kind of thing."""
    powers: dict[str, int] = {}
    for name, power in dimension(unit).items():
        kind = next((names[0] for names in KINDS if name in names), name)
        if kind != "%":
            powers[kind] = powers.get(kind, 0) + power
    return {kind: power for kind, power in powers.items() if power}


@SETTINGS
@given(some_units(), some_units())
def test_conversions_agree_with_sizes_reckoned_otherwise(a: str, b: str) -> None:
    try:
        found = factor(a, b)
    except UnitError:
        assert measured(a) != measured(b)
        return
    assert measured(a) == measured(b)
    assert found == pytest.approx(float(scale(a) / scale(b)), rel=1e-12)
    assert factor(b, a) == pytest.approx(1 / found, rel=1e-12)


@pytest.mark.parametrize(
    ("unit", "first", "last"),
    [
        ("MB", "bit", "TiB"),
        ("KB/s", "bit/s", "TiB/s"),
        ("op/s", "op/µs", "op/day"),
        ("h", "µs", "day"),
    ],
)
def test_the_units_that_convert_into_one_are_listed_by_size(
    unit: str, first: str, last: str
) -> None:
    listed = units.convertible(unit)
    assert (listed[0], listed[-1]) == (first, last) and unit in listed
    assert all(factor(each, unit) > 0 for each in listed)


def test_what_is_counted_converts_into_nothing_else() -> None:
    assert units.convertible("client") == ("client",)
