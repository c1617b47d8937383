"""What a report says of what no plan has: expansion boxes, interfaces of clients, operators."""

from __future__ import annotations

from pathlib import Path

from click.testing import CliRunner

from sizewright.cli.main import main

CUSTOMERS = Path(__file__).resolve().parents[2] / "examples" / "customers"


def report(customer: str, *changes: str) -> str:
    """The whole report of a customer's plan, in one line."""
    words = ["plan", "--full", str(CUSTOMERS / customer / "workload.yaml")]
    for change in changes:
        words += ["--set", change]
    return " ".join(CliRunner().invoke(main, words).output.split())


def test_a_machine_that_lacks_only_slots_is_rejected_without_expansion_boxes() -> None:
    """Case study 7 puts printers' boards into one; campus-library lacks processor time as well."""
    said = "The plan puts no boards into 3rd-party Sbus expanders (4 slots each)."
    assert said in report("print-room").partition(" Rejected ")[2]
    campus = report("campus-library")
    assert "8 slots of Sbus are used; it has 3 slots" in campus and "expanders" not in campus


def test_wishes_that_exclude_machines_are_named_where_none_is_recommended() -> None:
    """An SS690MP meets every limit, but is not among the platforms that the customer wishes."""
    said = "no single machine that the wishes allow meets every limit"
    assert f"Fail: {said} at the high end" in report("design-bureau-conflict")


def test_clients_of_a_medium_that_the_plan_chooses_need_interfaces() -> None:
    """2.5: Ethernet is there by default. Large models get FDDI (Rule XI)."""
    needed = "The machines of its 12 clients need interfaces for it; these are not in this order."
    why = "because its data, 367–714 KB/s, is more than the 440 KB/s that users see of Ethernet"
    said = f"The plan chooses FDDI for network yard, {why}. {needed}"
    assert said in report("ship-designers")
    assert "need interfaces" not in report("ship-designers", "networks.yard.medium=ethernet")
    assert "need interfaces" not in report("ship-designers", "networks.yard.medium=fddi")


def test_data_that_exceeds_the_tapes_in_the_drives_needs_a_change_of_tapes() -> None:
    """6.5 GB greatly exceed a single 8mm tape (1.3.1.2); these are 9.4 GB."""
    text = report("ship-designers")
    assert "tapes for a full backup more than 1 6500 MB exceed one tape [table" in text
    assert "needed 1 tape inside the drives: someone must change tapes within the window" in text
