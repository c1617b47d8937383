"""One broken file for each message, with the whole expected text beside it."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml

from sizewright.documents import read_document
from sizewright.errors import InputError
from sizewright.workload.reading import read_workload

BAD = Path(__file__).resolve().parent.parent / "bad" / "workload"
FILES = sorted(BAD.glob("*.yaml"))

# The parser in Python words its complaints in another way than the one in C.
WORDED_BY_THE_PARSER = ("tab", "unclosed")


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_the_whole_message_is_as_expected(path: Path):
    if path.stem in WORDED_BY_THE_PARSER and not hasattr(yaml, "CSafeLoader"):
        pytest.skip("this PyYAML has no parser in C")
    with pytest.raises(InputError) as caught:
        read_workload(read_document(path))
    text = caught.value.text().replace(str(path.parent), "bad")
    assert text + "\n" == path.with_suffix(".txt").read_text(encoding="utf-8")


def test_every_file_has_its_text_and_every_text_its_file():
    assert FILES
    assert {path.stem for path in BAD.glob("*.txt")} == {path.stem for path in FILES}
