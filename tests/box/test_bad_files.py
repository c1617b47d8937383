"""One broken box file for each message, with the whole expected text beside it."""

from __future__ import annotations

from pathlib import Path

import pytest

from generated_workloads import ENGINE
from sizewright.api import check
from sizewright.box.reading import read_box
from sizewright.documents import read_document
from sizewright.errors import InputError

BAD = Path(__file__).resolve().parent.parent / "bad" / "box"
FILES = sorted(BAD.glob("*.yaml"))


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_the_whole_message_is_as_expected(path: Path) -> None:
    with pytest.raises(InputError) as caught:
        check(read_box(read_document(path)), ENGINE)
    text = caught.value.text().replace(str(path.parent), "bad")
    assert text + "\n" == path.with_suffix(".txt").read_text(encoding="utf-8")


def test_every_file_has_its_text_and_every_text_its_file() -> None:
    assert FILES
    assert {path.stem for path in BAD.glob("*.txt")} == {path.stem for path in FILES}


def test_parts_that_the_box_lacks_and_names_that_the_guide_lacks_are_told_at_their_places() -> None:
    for path in FILES:
        for line in path.with_suffix(".txt").read_text(encoding="utf-8").splitlines():
            if not line.startswith("  "):
                assert line.startswith(f"bad/{path.name}:"), line
                assert line.split(":")[1].isdigit(), line
