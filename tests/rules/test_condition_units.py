"""Numbers in different units are neither compared nor added."""

import pytest

from sizewright.facts.fact import Fact, Kind
from sizewright.rules.checker import compile_condition
from sizewright.rules.parser import ConditionError, Schema

UNITS = {
    "mb": "MB", "mb2": "MB", "kb": "KB", "ops": "op/s", "pages": "1/s", "ms": "ms",
    "share": "1", "percent": "%", "clients": "client", "disks": "disk", "slots": "slot",
    "each_mb": "MB/client", "cost": "ms/op", "rate": "MB/s", "untold": "", "cable": "m",
    "kb_rate": "KB/s", "bytes": "op*KB/s", "bytes2": "KB*op/s",
}  # fmt: skip
NUMBERS = {name: Fact(Kind.NUMBER, unit=unit) for name, unit in UNITS.items()}
SCHEMA = Schema(
    {"s": {**NUMBERS, "uses": Fact(Kind.NAMES)}},
    {f"most_{name}": fact for name, fact in NUMBERS.items()},
)


@pytest.mark.parametrize(
    "text",
    [
        "s.mb <= most_mb",
        "s.mb + most_mb2 <= s.mb",
        "s.mb > 0",
        "1 <= s.ms <= 2",
        "s.mb + 1 <= s.mb2",
        "s.ms - -1 <= 2",
        "max(0, s.mb) > s.mb2",
        "s.untold <= s.mb",
        "s.mb <= s.untold",
        "s.untold + s.mb <= s.mb2",
        "s.untold * s.mb <= s.kb",
        "s.mb / s.untold <= s.kb",
        "s.bytes <= s.bytes2",
        # counts and pure numbers
        "s.clients <= s.disks",
        "s.clients + s.slots <= s.share",
        "len(s.uses) <= s.slots",
        "s.ops <= s.pages",
        "min(s.clients, s.share, s.disks) == 1",
        # products and quotients
        "s.mb * s.share <= s.mb2",
        "s.share * s.mb <= s.mb2",
        "s.mb / s.share <= s.mb2",
        "2 * s.mb <= s.mb2",
        "s.mb / 2 + s.mb2 <= s.mb",
        "s.clients * s.each_mb <= s.mb",
        "s.share * s.each_mb <= s.mb",
        "s.mb / s.clients <= s.each_mb",
        "s.mb / s.share <= s.each_mb",
        "s.each_mb * 2 <= s.each_mb",
        "s.bytes * s.share <= s.kb_rate",
        "s.bytes * s.share <= s.kb_rate + s.kb_rate",
        "len(s.uses) * s.each_mb <= s.mb",
        "s.ops * s.cost <= s.share",
        "s.ops * s.cost <= s.percent",
        "s.mb / s.mb2 <= s.share",
        "1 / s.ms <= s.ops",
        "s.mb * s.mb2 <= s.mb * s.mb2",
        "s.disks / most_disks + s.clients / most_clients <= 1",
        "s.mb >= either(most_each_mb * s.clients, min(most_each_mb * s.clients, most_mb))",
        "-s.mb <= abs(s.mb2)",
    ],
)
def test_what_goes_together_compiles(text: str) -> None:
    compile_condition(text, SCHEMA)


@pytest.mark.parametrize(
    ("text", "column", "units", "hint"),
    [
        ("s.mb <= s.kb", 9, ("MB", "KB"), "give both in `MB`"),
        ("s.kb == s.mb", 9, ("KB", "MB"), "give both in `KB`"),
        ("s.mb != most_kb", 9, ("MB", "KB"), "give both in `MB`"),
        ("s.ops > most_ms", 9, ("op/s", "ms"), "multiply or divide"),
        ("s.share < most_percent", 11, ("1", "%"), "give both in `1`"),
        ("s.percent < s.clients", 13, ("%", "client"), "multiply or divide"),
        ("s.percent < len(s.uses)", 13, ("%", "1"), "give both in `%`"),
        ("s.mb < s.share", 8, ("MB", "1"), "multiply or divide"),
        ("s.clients < s.mb", 13, ("client", "MB"), "multiply or divide"),
        ("s.mb <= s.rate", 9, ("MB", "MB/s"), "multiply or divide"),
        ("s.each_mb <= s.mb", 14, ("MB/client", "MB"), "multiply or divide"),
        ("s.mb + s.kb > 0", 8, ("MB", "KB"), "give both in `MB`"),
        ("0 < s.mb - s.ms", 12, ("MB", "ms"), "multiply or divide"),
        ("s.mb + s.mb2 < s.kb", 16, ("MB", "KB"), "give both"),
        ("s.mb + (s.mb2 + s.kb) < 1", 17, ("MB", "KB"), "give both"),
        ("1 + s.mb < s.kb", 12, ("MB", "KB"), "give both"),
        ("s.untold + s.mb < s.kb", 19, ("MB", "KB"), "give both"),
        ("1 < min(1, s.mb, s.kb)", 18, ("MB", "KB"), "give both"),
        ("max(s.mb, s.mb2) < s.kb", 20, ("MB", "KB"), "give both"),
        ("either(s.mb, s.ms) < 1", 14, ("MB", "ms"), "multiply"),
        ("-s.mb < s.kb", 9, ("MB", "KB"), "give both"),
        ("abs(s.mb) < s.kb", 13, ("MB", "KB"), "give both"),
        ("s.mb * s.share < s.kb", 18, ("MB", "KB"), "give both"),
        ("s.share * s.mb < s.kb", 18, ("MB", "KB"), "give both"),
        ("s.kb < s.clients * s.each_mb", 8, ("KB", "MB/client"), "multiply"),
        ("s.mb / s.share < s.kb", 18, ("MB", "KB"), "give both"),
        ("2 * s.mb < s.kb", 12, ("MB", "KB"), "give both"),
        ("s.mb < s.mb2 < s.kb", 16, ("MB", "KB"), "give both"),
        ("s.share * s.share < s.mb", 21, ("1", "MB"), "multiply"),
        ("s.disks / s.slots < s.percent", 21, ("disk", "%"), "multiply"),
        ("s.clients + s.share < s.mb", 23, ("client", "MB"), "multiply"),
        ("s.bytes > s.rate", 11, ("op*KB/s", "MB/s"), "multiply"),
        ("s.bytes > s.kb_rate", 11, ("op*KB/s", "KB/s"), "multiply"),
        ("s.ops > s.share", 9, ("op/s", "1"), "multiply"),
        ("s.cable > s.ms", 11, ("m", "ms"), "multiply"),
    ],
)
def test_what_does_not_is_refused_with_both_units(
    text: str, column: int, units: tuple[str, str], hint: str
) -> None:
    with pytest.raises(ConditionError) as caught:
        compile_condition(text, SCHEMA)
    error = caught.value
    assert error.message == "`{}` and `{}` are different units".format(*units)
    assert error.column == column, str(error)
    assert hint in error.hint
    assert error.caret().split("\n")[1] == " " * (column - 1) + "^"
