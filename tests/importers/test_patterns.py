from __future__ import annotations

import time

import pytest

from sizewright.importers.messages import PatternError, compile_pattern
from sizewright.limits import CONDITION_CHARACTERS


@pytest.mark.parametrize(
    ("pattern", "why"),
    [
        ("(a+)+$", "a group is"),
        ("(?:a++)+", "a group is repeated"),
        ("(?:a++)++", "a group is repeated"),
        ("(?>a|b)*+", "a group is repeated"),
        ("a+", "give back; write it ++"),
        ("a*b", "write it *+"),
        (r"\d{1,3}x", "write it {1,3}+"),
        ("a?" * 40 + "a" * 40, "write it ?+"),
        ("a+?", "give back"),
        ("a+++", "a repetition, is repeated"),
        ("+a", "is repeated"),
        ("a|b", "a choice"),
        ("(?:a|b)", "a choice"),
        ("(?P<x>a|b)", "a choice"),
        (r"(?P<x>a)\1", r"\1 is not allowed"),
        ("(?P<x>a)(?P=x)", "a group is"),
        ("(?=a)b", "a group is"),
        ("(?!a)b", "a group is"),
        ("(?<=a)b", "a group is"),
        ("(?<!a)b", "a group is"),
        ("(?i)a", "a group is"),
        ("(?#a)b", "a group is"),
        ("(?P<x>a)(?(x)b|c)", "a group is"),
        (r"\bword", r"\b is not allowed"),
        (r"\x41", r"\x is not allowed"),
        ("a\\", "ends in a \\"),
        ("[a", "not closed"),
        ("a)", "not opened"),
        ("(?:a", "no regular expression"),
        ("a{b}", "as itself"),
        ("a{99999999999999999999}", "no regular expression"),
        ("a" * (CONDITION_CHARACTERS + 1), "longer than"),
    ],
)
def test_a_pattern_that_could_take_long_is_refused(pattern: str, why: str) -> None:
    with pytest.raises(PatternError) as refused:
        compile_pattern(pattern)
    assert why in str(refused.value)


@pytest.mark.parametrize(
    ("pattern", "line"),
    [
        (r"(?P<unit>\w++) at .++", "sd0 at esp0"),
        (r"mem = (?P<kb>\d{1,9}+)K(?> \(0x[0-9a-f]++\)|)", "mem = 64K (0x1f)"),
        (r"[]a\]]{2}\(\)", "]a()"),
        (r"[^)(|]*+x?+", "plain "),
        (r"\{\}\|\.", "{}|."),
    ],
)
def test_a_pattern_that_keeps_what_it_takes_is_taken(pattern: str, line: str) -> None:
    assert compile_pattern(pattern).fullmatch(line)


def test_what_is_taken_is_quick_on_the_lines_that_hurt_others() -> None:
    # Each of these would try its line in exponentially or cubically many ways if it could go back.
    hostile = ["a?+" * 60 + "a" * 60, "a*+" * 60 + "b", "(?>a|a)" * 60 + "b", ".*+.*+.*+x"]
    start = time.perf_counter()
    for pattern in hostile:
        assert not compile_pattern(pattern).fullmatch("a" * 4000)
    assert time.perf_counter() - start < 1
