from __future__ import annotations

import pytest

from sizewright.cases.expressions import ExpressionError, evaluate


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("170 + 30 + 8", 208),
        ("80 * 300 / 8", 3000),
        ("100 * (1 - 220 / 360)", 100 * (1 - 220 / 360)),
        ("2 * ceil((150 + 250) / 424)", 2),
        ("735 / 8 / 0.13", 735 / 8 / 0.13),
        ("7.5", 7.5),
    ],
)
def test_plain_arithmetic_has_its_value(text: str, value: float) -> None:
    assert evaluate(text) == value


@pytest.mark.parametrize(
    "text",
    [
        "",
        "1 +",
        "x + 1",
        "2 ** 8",
        "7 // 2",
        "-1",
        "True",
        "'a'",
        "ceil(1, 2)",
        "ceil(x=1)",
        "floor(1)",
        "__import__('os')",
        "(1).real",
        "[1][0]",
        "1 if 1 else 2",
        "1 / 0",
        "1e308 * 10",
        "\0",
        "(" * 200 + "1" + ")" * 200 + "+1" * 30,
        "1+" * 400 + "1",
    ],
)
def test_all_else_is_refused(text: str) -> None:
    with pytest.raises(ExpressionError):
        evaluate(text)
