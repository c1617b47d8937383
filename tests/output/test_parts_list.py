"""The parts list as comma-separated values: what the text orders, safe in a spreadsheet."""

from __future__ import annotations

import csv
from io import StringIO

import pytest

import hand_plans
from generated_workloads import planned
from sizewright.output.bill_of_materials import bill_of_materials
from sizewright.output.plan import plan_text
from sizewright.output.prices import HEADERS, harmless, parts_list
from small import plain

from .conftest import CASES, Reporter

OVER = hand_plans.report_on(hand_plans.missing(hand_plans.BUSY, hand_plans.DESKTOP))


def rows(text: str) -> list[dict[str, str]]:
    found = list(csv.DictReader(StringIO(text, newline="")))
    assert all(None not in row and None not in row.values() for row in found)
    return found


@pytest.mark.parametrize("case", CASES)
def test_quantities_are_those_of_the_order(case: str, reported: Reporter) -> None:
    report = reported(case)
    wanted = [
        (judged.system.id, str(line.quantity), line.row, line.table, str(line.kept))
        for judged in report.systems if report.plan.chosen
        for line in bill_of_materials(report.plan.guide, report.plan.demand, judged.system)
    ]  # fmt: skip
    found = rows(parts_list(report.order))
    assert [
        (r["system"], r["quantity"], r["part"], r["table"], r["already_there"]) for r in found
    ] == wanted
    text = " ".join(plan_text(report).split())
    # A name that is wider than its column goes on in the next line.
    names = [(r["quantity"], r["name"].split(",")[0].split(" (")[0]) for r in found]
    assert all(f" {number} {name}" in text for number, name in names)


@pytest.mark.parametrize("case", ["case-1", "case-3", "case-7"])
def test_every_board_and_device_has_its_places(case: str, reported: Reporter) -> None:
    report = reported(case)
    systems = {judged.system.id: judged.system for judged in report.systems}
    for row in rows(parts_list(report.order)):
        system = systems[row["system"]]
        if row["part"] in {board.model for board in system.boards}:
            slots = row["where"].split("; ")
            assert len(slots) == int(row["quantity"])
        elif row["part"] in {device.model for device in system.devices()}:
            counts = [int(place.rpartition(": ")[2]) for place in row["where"].split("; ")]
            assert sum(counts) == int(row["quantity"])
        else:
            assert row["where"] == ""


def test_lines_end_as_the_standard_says(reported: Reporter) -> None:
    text = parts_list(reported("case-1").order)
    assert text.startswith(",".join(HEADERS) + "\r\n")
    assert text.endswith("\r\n") and "\n" not in text.replace("\r\n", "")


def test_a_nearest_miss_is_not_ordered() -> None:
    assert OVER.bill and not OVER.order
    assert parts_list(OVER.order) == ",".join(HEADERS) + "\r\n"


@pytest.mark.parametrize(
    ("cell", "shown"),
    [
        ("=1+1", "'=1+1"), ("+1", "'+1"), ("-1", "'-1"), ("@SUM(A1)", "'@SUM(A1)"),
        ("\t=1", "'\\t=1"), ("  =1", "'  =1"), ("\r=1", "\\r=1"), ("＝1", "'＝1"),
        ("a=1", "a=1"), ("1/4\" tape", "1/4\" tape"), ("", ""), ("a\u00a0b", "a b"),
    ],
)  # fmt: skip
def test_a_cell_is_never_a_formula(cell: str, shown: str) -> None:
    assert harmless(cell) == shown


def test_what_a_file_calls_a_thing_stays_text(reported: Reporter) -> None:
    name = '=HYPERLINK("x", "y")'
    report = reported(
        "case-1", ("name: mail\n", f"name: '{name}'\n"), ("{mail: ", f"{{'{name}': "),
        ("[mail, ", f"['{name}', "),
    )  # fmt: skip
    found = rows(parts_list(report.order))
    assert any(name in row["for"] for row in found)
    assert not any(
        value.startswith(("=", "+", "-", "@")) for row in found for value in row.values()
    )


def test_a_terminal_server_is_for_the_lines_that_do_not_end_on_boards() -> None:
    """Two boards for the two parallel printers have eight serial ports each (1.3.1.2)."""
    services = [
        {"kind": "print", "name": "office",
         "printers": [{"name": "line", "attached": "parallel", "count": 2}]},
        {"kind": "serial", "name": "desks", "lines": 29},
    ]  # fmt: skip
    found = planned(plain(services=services, volumes=[]))
    assert found.chosen is not None
    lines = bill_of_materials(found.guide, found.demand, found.chosen.system)
    purposes = [line.purpose for line in lines if line.kind == "unit"]
    assert purposes == ["13 of 29 serial lines, up to 256 ports each"]
