from __future__ import annotations

import json
from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from sizewright.documents import parse_document
from sizewright.errors import InputError
from sizewright.importers.formats import decode_output, tidy
from sizewright.limits import BYTES_AT_MOST, TEXT_CHARACTERS
from sizewright.yaml_text import flow, remark, yaml_lines


@pytest.mark.parametrize(
    ("raw", "fault"),
    [
        (b"", "f: is empty"),
        (b" \n\t\n", "f: is empty"),
        (b"a\nb\0c", "f:2: is binary, not text"),
        (b"a\n\xff", "f:2: byte 0xff is not UTF-8"),
        (b"a" * (BYTES_AT_MOST + 1), "f: is too large"),
        (b"a\n" + b"b" * (TEXT_CHARACTERS + 1), "f:2: the line is too long"),
    ],
)
def test_what_is_no_text(raw: bytes, fault: str) -> None:
    with pytest.raises(InputError) as refused:
        decode_output(raw, "f")
    assert str(refused.value).startswith(fault)


def test_lines_end_as_an_editor_ends_them() -> None:
    assert decode_output(b"\xef\xbb\xbfa\r\nb\x0bc\n", "f").lines == ("a", "b\x0bc", "")


def test_json_may_be_one_line() -> None:
    line = json.dumps({"a": ["b"] * TEXT_CHARACTERS})
    assert decode_output(line.encode(), "f").lines == (line,)


@pytest.mark.parametrize(
    ("number", "short"),
    [(5.0, "5"), (3.572, "3.572"), (20 / 3, "6.66667"), (0.0, "0"), (1e9 + 1, "1000000000")],
)
def test_numbers_without_needless_digits(number: float, short: str) -> None:
    assert str(tidy(number)) == short


KEYS = st.from_regex("[a-z]{2,5}x", fullmatch=True)

plain = st.recursive(
    st.one_of(
        st.integers(-9, 9), st.booleans(),
        st.text(st.characters(codec="utf-8", exclude_categories=["Cs"]), max_size=6),
        st.sampled_from(["no", "null", "1-3gb", "669mb-scsi", "1e55", "0x1f", "0o17", "-", "a: b",
                         "2001-01-01", "# a", "1_0", "12:30:45", "~"]),
    ),
    lambda inner: st.one_of(
        st.lists(inner, max_size=3), st.dictionaries(KEYS, inner, max_size=3)
    ),
    max_leaves=6,
)  # fmt: skip


@given(plain)
def test_what_is_written_is_read_back(value: Any) -> None:
    text = f"key: {flow(value)}\n"
    assert parse_document(text, "f").data == {"key": value}
    assert yaml.safe_load(text) == {"key": value}


@given(st.dictionaries(KEYS, plain, min_size=1, max_size=3))
def test_blocks_are_read_back(value: dict[str, Any]) -> None:
    text = "\n".join(yaml_lines(value)) + "\n"
    assert parse_document(text, "f").data == value


@pytest.mark.parametrize("empty", [{}, []])
def test_an_empty_value_is_written_on_the_line_of_a_long_key(empty: object) -> None:
    value = {"loads": {"x" * 200: empty}}
    text = "\n".join(yaml_lines(value)) + "\n"
    assert parse_document(text, "f").data == value


@pytest.mark.parametrize(
    ("about", "line"),
    [
        (("a", 0, "id"), "  - {id: 1}"), (("a", 0, "missing"), "  - {id: 1}"),
        (("b", "c"), "b: {c: 2}"), (("b", "missing"), "b: {c: 2}"), (("e", 1), "e: [3, 4]"),
    ],
)  # fmt: skip
def test_a_remark_on_a_part_of_a_line_is_above_the_line(about: Any, line: str) -> None:
    value = {"a": [{"id": 1}], "b": {"c": 2}, "e": [3, 4]}
    lines = list(yaml_lines(value, {about: ("state it",)}))
    place = next(n for n, each in enumerate(lines) if each.strip() == "# state it")
    assert lines[place + 1] == line


@given(st.text(max_size=30))
def test_a_remark_stays_a_remark(words: str) -> None:
    assert parse_document(f"a: 1\n{remark(words)}\nb: 2\n", "f").data == {"a": 1, "b": 2}
