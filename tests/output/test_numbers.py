from __future__ import annotations

import pytest

from sizewright.output.wording import (
    bar,
    factor,
    number,
    percent,
    quantity,
    span,
    use_and_limit,
    years,
)
from sizewright.quantity import Quantity, count


def _figure(low: float, high: float, unit: str = "op/s") -> Quantity:
    return Quantity(low, low + (high - low) / 2, high, unit)


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0, "0"), (8, "8"), (208, "208"), (3.98594, "3.99"), (12.04, "12"), (99.6, "99.6"),
        (147.6, "148"), (1119.4444, "1119"), (12_345.6, "12346"), (1e9, "1000000000"),
        (0.1875, "0.188"), (0.00001234, "0.000012"), (1e-300, "less than 0.000001"),
    ],
)  # fmt: skip
def test_a_number_never_has_a_power_of_ten(value: float, text: str) -> None:
    assert number(value) == text


@pytest.mark.parametrize(
    ("low", "high", "text"),
    [(120, 150, "120–150"), (8, 8, "8"), (99.99, 100.01, "100"), (0, 1.2, "0–1.2")],
)
def test_a_range_shows_both_ends_where_they_differ(low: float, high: float, text: str) -> None:
    assert span(_figure(low, high)) == text


@pytest.mark.parametrize(
    ("low", "high", "text"),
    [
        (1.5, 2.25, "1.5–2.25"),
        (1000, 1000, "1000"),
        (35, 1e300, "35 to more than 1000"),
        (3.5e301, 3.5e301, "more than 1000"),
    ],
)
def test_a_factor_is_not_printed_with_more_digits_than_anybody_needs(
    low: float, high: float, text: str
) -> None:
    assert factor(_figure(low, high, "1")) == text


@pytest.mark.parametrize(
    ("figure", "text"),
    [
        (_figure(120, 150), "120–150\u00a0op/s"),
        (_figure(1, 1, "slot"), "1\u00a0slot"),
        (_figure(3, 3, "slot"), "3\u00a0slots"),
        (_figure(85, 85, "%"), "85%"),
        (_figure(7, 7, "1"), "7"),
        (_figure(0.12, 0.178, "s"), "120–178\u00a0ms"),
        (_figure(0.5, 1.5, "s"), "0.5–1.5\u00a0s"),
        (_figure(0, 0, "s"), "0\u00a0s"),
        (_figure(0.2, 0.5, "h"), "12–30\u00a0min"),
        (None, "unknown"),
    ],
)
def test_a_quantity_does_not_break_before_its_unit(figure: Quantity | None, text: str) -> None:
    assert quantity(figure) == text


@pytest.mark.parametrize(
    ("low", "high", "text"),
    [
        (9999, 9999, "9999 MB"), (10_000, 10_000, "10 GB"), (36_401, 36_401, "36.4 GB"),
        (400_000, 400_000, "400 GB"), (5000, 20_000, "5–20 GB"),
    ],
)  # fmt: skip
def test_a_large_size_is_in_gigabytes(low: float, high: float, text: str) -> None:
    assert quantity(_figure(low, high, "MB")) == text.replace(" ", "\u00a0")


def test_memory_stays_in_megabytes() -> None:
    """1 GB of memory is 1024 MB, and 1 GB of a disk 1000 MB."""
    installed = count(32_768, "memory installed", "MB")
    assert quantity(installed) == "32768\u00a0MB"
    assert quantity((installed * 2).with_name("swap space")) == "65536\u00a0MB"


@pytest.mark.parametrize(
    ("used", "limit", "texts"),
    [
        (_figure(9000, 9000, "MB"), _figure(18_200, 18_200, "MB"), ("9", "18.2\u00a0GB")),
        (_figure(12_000, 12_000, "MB"), _figure(9100, 9100, "MB"), ("12000", "9100\u00a0MB")),
        (None, _figure(18_200, 18_200, "MB"), ("unknown", "18.2\u00a0GB")),
        (_figure(300, 300, "MB"), None, ("300\u00a0MB", "unknown")),
    ],
)
def test_a_use_is_in_the_unit_of_its_limit(
    used: Quantity | None, limit: Quantity | None, texts: tuple[str, str]
) -> None:
    assert use_and_limit(used, limit) == texts


@pytest.mark.parametrize(
    ("share", "text"),
    [
        (0, "0%"),
        (0.001, "<1%"),
        (0.426, "43%"),
        (1, "100%"),
        (5.346, "535%"),
        (None, "unknown"),
        (0.105, "11%"),
        (0.945, "95%"),
        (1 - 0.945, "6%"),
    ],
)
def test_a_share_is_in_percent(share: float | None, text: str) -> None:
    assert percent(share) == text


@pytest.mark.parametrize(
    ("share", "text"),
    [
        (None, ""), (0, "░" * 10), (0.04, "░" * 10), (0.42, "████░░░░░░"),
        (1, "█" * 10), (7.3, "█" * 10),
    ],
)  # fmt: skip
def test_a_bar_has_ten_characters(share: float | None, text: str) -> None:
    assert bar(share) == text


@pytest.mark.parametrize(
    ("value", "told"),
    [
        (0, "0 years"), (0.04, "less than 0.1 years"), (1, "1 year"), (1.175, "1.1 years"),
        (2.3, "2.3 years"), (3, "3 years"), (9.96, "9.9 years"), (37.8, "37 years"),
    ],
)  # fmt: skip
def test_years_have_one_digit_and_are_not_rounded_up(value: float, told: str) -> None:
    assert years(value) == told


@pytest.mark.parametrize(
    ("value", "horizon", "told"),
    [
        (9.96, 3, "9.9 years"), (37.3, 3, "more than 10 years"), (15.2, 20, "15 years"),
        (37.3, 20, "more than 20 years"),
    ],
)  # fmt: skip
def test_a_forecast_is_not_stated_far_beyond_its_horizon(
    value: float, horizon: float, told: str
) -> None:
    assert years(value, horizon) == told
