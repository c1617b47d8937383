from __future__ import annotations

from pathlib import Path

import pytest

from cases.copies import EXAMPLES, Copy
from sizewright.cases.boxes import find_fixtures
from sizewright.cases.reading import case_folders, read_case
from sizewright.errors import InputError

EXPECTED = "expected.yaml"
INVENTORY = "inventory.yaml"


def faults(folder: Path) -> str:
    with pytest.raises(InputError) as caught:
        read_case(folder)
    return caught.value.text()


def test_every_case_study_is_found_below_a_folder() -> None:
    names = [folder.relative_to(EXAMPLES).as_posix() for folder in case_folders(EXAMPLES)]
    assert names == sorted(names)
    assert {"case-1-departmental-nfs", "worked-examples/disks"} <= set(names)
    assert [f.name for f in case_folders(EXAMPLES / names[0])] == names[:1]


@pytest.mark.parametrize(
    ("name", "what"), [("none", "there is no such folder"), ("file", "is not a folder")]
)
def test_a_folder_that_is_none_is_refused(tmp_path: Path, name: str, what: str) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(InputError, match=what):
        case_folders(tmp_path / name)


def test_a_folder_without_case_studies_and_boxes_is_no_success(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no case study and no box"):
        find_fixtures(tmp_path)


def test_every_printed_figure_has_an_expectation_and_the_reverse() -> None:
    for folder in case_folders(EXAMPLES):
        case = read_case(folder)
        assert case.entries
        assert all(printed.id == expected.id for printed, expected in case.entries)


def test_nobody_moves_the_bound_beyond_which_a_tolerance_needs_a_reason() -> None:
    for folder in case_folders(EXAMPLES):
        assert read_case(folder).reason_beyond_percent == 3


def test_a_figure_without_an_expectation_fails(one: Copy) -> None:
    entry = "  - id: administrative-load\n    path: demand.streams[administrative].ops\n"
    one.change(EXPECTED, entry, "")
    text = faults(one.folder)
    assert "inventory.yaml:" in text
    assert f"figure 'administrative-load' has no entry in {EXPECTED}" in text


def test_an_expectation_without_a_figure_fails_and_offers_the_nearest(one: Copy) -> None:
    one.change(EXPECTED, "- id: ecad-load", "- id: ecad-laod")
    text = faults(one.folder)
    assert "there is no figure 'ecad-laod'" in text
    assert "did you mean 'ecad-load'?" in text
    assert "figure 'ecad-load' has no entry" in text


@pytest.mark.parametrize("file", [EXPECTED, INVENTORY])
def test_an_id_stands_once(one: Copy, file: str) -> None:
    one.change(file, "- id: programming-load", "- id: ecad-load")
    assert "a second" in faults(one.folder)


@pytest.mark.parametrize(
    ("file", "before", "after", "message"),
    [
        (EXPECTED, "    end: range", "    and: range", "unknown key 'and'"),
        (EXPECTED, "    end: range", "    end: middle", "end: 'middle' is not allowed here"),
        (EXPECTED, "    bound: at_most", "    bound: about", "bound: 'about' is not allowed here"),
        (
            EXPECTED,
            "    tolerance: 2.5",
            "    tolerance: some",
            "tolerance: 'some' is not allowed here",
        ),
        (EXPECTED, "    tolerance: 2.5", "    tolerance: -1", "a number of 0 or more"),
        (EXPECTED, "    path: demand.streams[ecad].ops\n", "", "path: is missing"),
        (EXPECTED, 'right: "100 * 170 / 290"', 'right: "100 ** 2"', "is not arithmetic"),
        (
            EXPECTED,
            'right: "100 * 170 / 290"',
            'right: ["1", "2", "3"]',
            "right: a list is not allowed here",
        ),
        (
            EXPECTED,
            'survives: "yes"',
            "survives: perhaps",
            "survives: 'perhaps' is not allowed here",
        ),
        (EXPECTED, "      consequence: Nothing", "      consequences: Nothing", "consequence"),
        (EXPECTED, "      forced_by: 2.11.1-halves-apart\n", "", "forced_by is missing"),
        (
            EXPECTED,
            '      right: "2 / 1"\n',
            "      instead: [2, 1]\n",
            "instead: a list is not allowed here",
        ),
        (EXPECTED, '      right: "2 / 1"\n', "", "right: is missing"),
        (
            EXPECTED,
            '      right: "2 / 1"\n',
            '      right: "2"\n      instead: two\n',
            "right: cannot be given with instead",
        ),
        (EXPECTED, "      inputs: two halves", "      reason: two halves", "duplicate key"),
        (EXPECTED, "proof: {box: box.yaml}", "proof: {box: shed.yaml}", "no file 'shed.yaml'"),
        (EXPECTED, "proof: {box: box.yaml}", "proof: {workload: workload.yaml}", "set: is missing"),
        (EXPECTED, "workload: workload.yaml", "workload: other.yaml", "no file 'other.yaml'"),
        (EXPECTED, "workload: workload.yaml\n", "", "workload: is missing"),
        (
            EXPECTED,
            "workload: workload.yaml",
            "guide: sun-1992\nworkload: workload.yaml",
            "guide: cannot be given with a workload",
        ),
        (EXPECTED, "workload: workload.yaml", "guide: 1992", "guide: 1992 is not allowed here"),
        (EXPECTED, "workload: workload.yaml", "guide:", "guide: no value is given"),
        (EXPECTED, "case: case-1-departmental-nfs", "case: case-9", "is not the inventory's"),
        (
            EXPECTED,
            "reason_beyond_percent: 3",
            "reason_beyond_percent: x",
            "'x' is not allowed here",
        ),
        (EXPECTED, "    erratum:", "    undecided: No.\n    erratum:", "cannot be given with"),
        (
            EXPECTED,
            "    also:\n",
            "    also: {}\n    xalso:\n",
            "also: a mapping is not allowed here",
        ),
        (INVENTORY, "    sound: true", "    sound: maybe", "sound: 'maybe' is not allowed here"),
        (
            INVENTORY,
            "    printed: [120, 150]",
            "    printed: [150, 120]",
            "printed: a list is not allowed here",
        ),
        (INVENTORY, "    unit: op/s\n", "", "unit: is missing"),
        (INVENTORY, '    section: "1.1.8"\n', "", "section is missing"),
        (INVENTORY, "figures:", "figures: []\nlist:", "unknown key 'list'"),
    ],
)
def test_each_fault_says_where_and_what(
    one: Copy, file: str, before: str, after: str, message: str
) -> None:
    text = faults(one.change(file, before, after).folder)
    assert message in text
    assert f"{file}:" in text


def test_all_faults_of_both_files_come_at_once(one: Copy) -> None:
    one.change(INVENTORY, "    sound: true", "    sound: maybe")
    one.change(EXPECTED, "    end: range", "    end: middle")
    assert {f.place.file.rsplit("/", 1)[-1] for f in _raised(one.folder)} == {INVENTORY, EXPECTED}


def _raised(folder: Path) -> tuple[object, ...]:
    with pytest.raises(InputError) as caught:
        read_case(folder)
    return caught.value.faults


def test_a_case_that_is_no_mapping_is_refused(one: Copy) -> None:
    (one.folder / EXPECTED).write_text("- a\n", encoding="utf-8")
    assert "a list is not allowed here" in faults(one.folder)
