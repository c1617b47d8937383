"""How much longer a request takes where others use a resource too."""

from __future__ import annotations

import pytest

from sizewright.load.model import stretch
from small import given, three


@pytest.mark.parametrize(
    ("used", "servers", "factor"),
    [
        (0.5, 1, 2),  # 1 ÷ (1 − 0.5)
        (0.96, 1, 25),  # 1 ÷ 0.04
        (0.5, 2, 1 / 0.75),  # 1 ÷ (1 − 0.5²)
        (0.8, 4, 1 / (1 - 0.4096)),  # 0.8⁴ = 0.4096
        (0, 1, 1),
    ],
)
def test_it_is_one_over_what_is_free(used: float, servers: int, factor: float) -> None:
    found = stretch(given(used), servers)
    assert found is not None and found.high == pytest.approx(factor)


def test_it_is_worst_where_most_is_used_and_has_no_end_at_the_whole() -> None:
    found = stretch(given(0.5, 0.75))
    assert found is not None and three(found)[::2] == (2, 4)
    assert stretch(given(0.9, 1)) is None
