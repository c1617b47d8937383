"""One broken file of a guide for each message, with the whole expected text beside it."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from sizewright.errors import InputError
from sizewright.guide.loader import load_guide

BAD = Path(__file__).resolve().parent.parent / "bad" / "guide"
FILES = sorted(BAD.glob("*.yaml"))

GUIDE = """\
guide: tiny
title: A guide of a test
version: "1"
documents:
  - {id: manual, title: The manual}
sections:
  - {section: "1", title: All}
  - {section: "1.1", title: Some}
"""


def tiny_guide(root: Path, *files: Path) -> Path:
    """A guide with nothing in it but these files; returns the folder to load it from."""
    tables = root / "tables" / "tiny"
    rules = root / "rules" / "tiny"
    for folder in (tables, rules):
        folder.mkdir(parents=True)
    (tables / "guide.yaml").write_text(GUIDE, encoding="utf-8")
    for file in files:
        shutil.copy(file, rules if file.stem.startswith("rule-") else tables)
    return root


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_the_whole_message_is_as_expected(
    path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SIZEWRIGHT_CACHE", "")
    with pytest.raises(InputError) as caught:
        load_guide("tiny", root=tiny_guide(tmp_path, path))
    assert caught.value.text() + "\n" == path.with_suffix(".txt").read_text(encoding="utf-8")


def test_every_file_has_its_text_and_every_text_its_file() -> None:
    assert FILES
    assert {path.stem for path in BAD.glob("*.txt")} == {path.stem for path in FILES}


def test_the_same_table_in_two_files_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SIZEWRIGHT_CACHE", "")
    root = tiny_guide(tmp_path)
    table = (
        "table: things\ncolumns: {size_mb: {type: number, unit: MB}}\n"
        'rows: [{id: first, size_mb: 1, status: printed, source: {section: "1.1"}}]\n'
    )
    for name in ("one.yaml", "two.yaml"):
        (root / "tables" / "tiny" / name).write_text(table, encoding="utf-8")
    with pytest.raises(InputError, match=r"two\.yaml:1:1: table 'things' is defined in two files"):
        load_guide("tiny", root=root)


def test_the_same_rule_in_two_files_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SIZEWRIGHT_CACHE", "")
    root = tiny_guide(tmp_path)
    rule = (BAD / "rule-severity.yaml").read_text(encoding="utf-8").replace("grave", "note")
    for name in ("one.yaml", "two.yaml"):
        (root / "rules" / "tiny" / name).write_text(rule, encoding="utf-8")
    with pytest.raises(InputError, match=r"two\.yaml:1:1: rule T1 is defined in two files"):
        load_guide("tiny", root=root)


def test_faults_of_all_files_come_together(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SIZEWRIGHT_CACHE", "")
    some = [path for path in FILES if path.stem in ("cell-one-of", "rule-severity", "row-twice")]
    with pytest.raises(InputError) as caught:
        load_guide("tiny", root=tiny_guide(tmp_path, *some))
    assert {fault.place.file.split("/")[-1] for fault in caught.value.faults} >= {
        "cell-one-of.yaml", "rule-severity.yaml", "row-twice.yaml",
    }  # fmt: skip
