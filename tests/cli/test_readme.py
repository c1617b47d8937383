"""The input files that the front page shows can be read as they stand."""

from __future__ import annotations

import re

import pytest

from sizewright.api import read_workload
from sizewright.box.read import read_box
from sizewright.documents import parse_document

from .conftest import ROOT

BLOCKS = [
    text
    for text in re.findall(
        r"^```yaml\n(.*?)^```$", (ROOT / "README.md").read_text(encoding="utf-8"), re.M | re.S
    )
    if text.startswith("name:")
]


@pytest.mark.parametrize("text", BLOCKS, ids=lambda text: text.splitlines()[0])
def test_a_shown_file_is_read(text: str) -> None:
    document = parse_document(text, "README.md")
    if "\nservices:" in text:
        assert read_workload(document).services
    else:
        assert read_box(document).platform


def test_files_of_both_kinds_are_shown() -> None:
    assert {"\nservices:" in text for text in BLOCKS} == {True, False}
