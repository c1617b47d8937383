"""Whatever is in a file, a command ends with 0, 1 or 2, soon, and its message names the file."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from depth import DEEP
from fuzz import kinds
from fuzz.kinds import KINDS, Kind, fault_of, prepared_once

pytestmark = [pytest.mark.no_cover, pytest.mark.in_part]

# How many times as many inputs the deep tests try.
_MORE = 20
_CASES = [
    pytest.param(kind, part, id=f"{kind.name} {part}")
    for kind in KINDS
    for part in range(_MORE if DEEP else 1)
]


@pytest.mark.parametrize(("kind", "part"), _CASES)
def test_mutated_input_is_refused_with_a_message_or_used(
    kind: Kind, part: int, tmp_path: Path
) -> None:
    with prepared_once():
        for seed in range(part * kind.number, (part + 1) * kind.number):
            arguments = kind.write(Random(seed), tmp_path)
            fault = fault_of(arguments, tmp_path)
            assert not fault, f"seed {seed}: {' '.join(arguments)} {fault}"


def test_a_crash_and_a_message_without_a_file_are_faults(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "box.yaml"
    file.write_text("name: a\n", encoding="utf-8")
    assert fault_of(("check", str(file)), tmp_path) == ""
    assert fault_of(("check", "nowhere.yaml"), tmp_path).startswith("names no file")
    monkeypatch.setattr("sizewright.cli.check.box_of", lambda *_: 1 // 0)
    assert fault_of(("check", str(file)), tmp_path).startswith("ends with 70")


def test_a_run_that_does_not_end_is_a_fault(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "box.yaml"
    file.write_text("name: a\n", encoding="utf-8")
    monkeypatch.setattr(kinds, "SECONDS_AT_MOST", 0.05)
    monkeypatch.setattr("sizewright.cli.check.box_of", lambda *_: [None for _ in iter(int, 1)])
    assert "more than 0.05 s" in fault_of(("check", str(file)), tmp_path)
