"""What is read out of a page's console blocks."""

from __future__ import annotations

import pytest

from shown import Shown, agrees, shown_in


def test_console_blocks_are_read() -> None:
    text = (
        "before\n```console\n$ sizewright plan \\\n    x.yaml\n\nholds\n  twice  \n\n$ make demo\n"
        "```\n```yaml\n$ not one\n```\n"
    )
    assert list(shown_in(text)) == [
        Shown(3, "sizewright plan x.yaml", ("holds", "  twice")),
        Shown(9, "make demo", ()),
    ]
    with pytest.raises(ValueError, match="never closed"):
        list(shown_in("```console\n$ make demo\n"))


@pytest.mark.parametrize(
    ("shown", "real", "same"),
    [
        ("a b c", "a b c", True),
        ("a b", "a b c", False),
        ("a … c", "a b b c", True),
        ("a …", "a", True),
        ("… c", "a b c", True),
        ("… b … c", "a b c c", True),
        ("a … b … c", "a c", False),
        ("a … c", "a b", False),
        ("a … a", "a", False),
        ("b …", "a b", False),
    ],
)
def test_lines_may_be_left_out_but_not_changed(shown: str, real: str, same: bool) -> None:
    assert agrees(tuple(shown.split()), tuple(real.split())) is same
