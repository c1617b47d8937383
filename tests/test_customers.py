"""Customers of our own: what an engineer expects from the guide alone.

`cases/test_case_studies.py` compares it with the plans. The expectations were written before any
plan was seen. A difference between the two is settled in writing in the customer's expectation.md.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from functools import cache
from pathlib import Path

import pytest
from click.testing import CliRunner

from cases.test_case_studies import CASES
from depth import part_of
from sizewright.api import Engine, load_engine, plan, stages
from sizewright.cases.reading import case_folders
from sizewright.cli.main import main
from sizewright.documents import read_document
from sizewright.output.bill_of_materials import stage_orders
from sizewright.workload.reading import read_workload

EXAMPLES = Path(__file__).resolve().parent.parent / "examples"
CUSTOMERS = EXAMPLES / "customers"
WORKLOADS = [
    path for of in (CUSTOMERS, EXAMPLES / "sun-1992") for path in sorted(of.glob("*/workload.yaml"))
]


@cache
def engine() -> Engine:
    return load_engine("sun-1992")


def test_every_customer_states_what_is_expected() -> None:
    folders = [folder for folder in sorted(CUSTOMERS.iterdir()) if folder.is_dir()]
    assert len(folders) == 26
    assert list(case_folders(CUSTOMERS)) == folders
    assert all((folder / "expectation.md").is_file() for folder in folders)
    # Each plan is made and compared there, with those of the guides' own case studies.
    assert {str(folder) for folder in folders} <= {case.folder for case in CASES}


def test_the_growing_office_buys_each_year_what_it_needs() -> None:
    workload = read_workload(read_document(CUSTOMERS / "growing-office" / "workload.yaml"))
    (found,) = stages(workload, engine(), plan(workload, engine()))
    orders = stage_orders(found, engine().guide, "high")
    bought = [Counter({line.row: line.quantity for line in each.lines}) for each in orders]
    # In the end designs have equal parts of two drives, so that the system has one of its own.
    wanted = [(2, 0), (0, 0), (1, 1), (0, 0)]
    assert [(year["1-3gb-scsi"], year["sbus-ethernet"]) for year in bought] == wanted


@cache
def _report(customer: str, file: str = "workload") -> str:
    path = CUSTOMERS / customer / f"{file}.yaml"
    return CliRunner().invoke(main, ["plan", "--full", str(path)]).output


def _flat(customer: str, file: str = "workload") -> str:
    return " ".join(_report(customer, file).split())


@pytest.mark.in_part
@pytest.mark.parametrize(
    "path", part_of(WORKLOADS, 7), ids=lambda path: f"{path.parent.name}/{path.stem}"
)
def test_the_first_screen_has_24_lines(path: Path) -> None:
    text = CliRunner().invoke(main, ["plan", str(path)]).output
    assert text.startswith("Plan for ") and "--full prints" in text
    assert text.count("\n") <= 24
    assert max(map(len, text.splitlines())) <= 80


def test_what_sets_no_limit_is_not_borderline() -> None:
    """Stripes gain 0 to 45 % of random writes on a SPARCstation-2 (Table 13): a note at one end."""
    text = _report("weather-network")
    assert "\nRecommended: SPARCstation-2." in text and "\nBorderline" not in text
    assert "\nNotes\n  Rule 2.11.2-stripe-gain on volume forecasts: " in text
    assert " 1 to note." in text and " borderline" not in text


def test_the_next_larger_plan_has_a_second_network() -> None:
    """315 of the 360 op/s that the machine sustains leave 12.5 %."""
    text = " ".join(_report("photo-agency").split())
    assert "and 2 networks for desk (`segments_at_most`) would leave 13%." in text


def test_a_bottleneck_at_almost_no_load_has_no_false_precision() -> None:
    """0.174 of 60 op/s."""
    text = " ".join(_report("law-office").split())
    assert "Bottleneck: load, 1.3 GB disk, less than 1% of 60 op/s [rule 2.4.4-random]" in text


def test_limits_are_met_for_the_load_that_is_stated_if_some_is_not() -> None:
    """Not for backups alone: they are no load."""
    said = "every limit at the high end of all ranges for the load that is stated."
    assert said in " ".join(_report("language-school").split())
    assert "at the high end of all ranges. It is" in " ".join(_report("ship-designers").split())


def test_one_processor_is_not_counted_once_for_the_kernel_and_once_for_services() -> None:
    text = _report("print-shop")
    assert "One processor serves the kernel and these services. The machine has 1." in text
    assert "Processors needed" not in text


def test_a_network_of_files_is_advised_fddi_and_has_it() -> None:
    """Rule XI (b): 85 % of the operations move data. On an Ethernet the rule is not followed."""
    text = _report("ship-designers")
    assert "FDDI concentrator hub" in text and "Rule XI on" not in text
    path = str(CUSTOMERS / "ship-designers" / "workload.yaml")
    ethernet = ["--set", "networks.yard.medium=ethernet"]
    told = CliRunner().invoke(main, ["plan", "--full", *ethernet, path]).output
    assert "Rule XI on network yard: Ethernet for most networks" in told


def test_a_bank_is_told_what_it_did_not_state() -> None:
    _, _, rest = _report("bank-branch").partition("\nNot counted ")
    told, *_ = rest.partition("\n\n")
    assert "processor time of its own programs  user_processors" in told
    assert "writes on its log (volume log)" in told and "operation write" in told


def test_a_refusal_names_the_drives_that_are_not_enough() -> None:
    """54 GB more in three years; trays for five string controllers with eight drives each."""
    path = CUSTOMERS / "insurer-claims" / "workload.yaml"
    found = CliRunner().invoke(main, ["plan", str(path)])
    text = " ".join(found.output.split())
    assert found.exit_code == 1
    assert "claims: 114 GB of data in each of 2 copies" in text and "40 of 1.3 GB" in text
    assert "It fails after 3 years of growth for these reasons:" in text


def test_a_refused_machine_has_the_most_exceeded_limit_first() -> None:
    """2500 op/s are 7.8 times what one network sustains; the slots would be 2.3 times over."""
    _, _, rejected = _report("newspaper").partition("\nRejected as a single system\n")
    smallest, *_ = rejected.split("  SS630MP")
    first, *others = smallest.split("\n    - ")[1:]
    assert " ".join(first.split()).endswith("(rule 1.1.1-interface-sustained)")
    assert any("(rule 2.3-slots" in " ".join(other.split()) for other in others)


@pytest.mark.parametrize(
    ("file", "wish", "kept", "dropped"),
    [
        # A CD-ROM, a tape and one disk beside the owned ones; three more disks in their place.
        ("workload", "carry_forward", "and 3 devices to order", "and 6 devices to order"),
        ("survives", "survives", "; SS690MP", "SPARCstation-2 with"),
    ],
)
def test_a_refusal_names_the_wishes_that_conflict(
    file: str, wish: str, kept: str, dropped: str
) -> None:
    path = CUSTOMERS / "design-bureau-conflict" / f"{file}.yaml"
    text = " ".join(CliRunner().invoke(main, ["plan", str(path), "--full"]).output.split())
    _, conflict = text.split("Wishes that conflict")
    both, without_platform, without_wish = conflict.split(" - without ")
    assert "platforms:" in both and wish in both and "removable_media" not in both
    assert "SS690MP" in without_platform and kept in without_platform
    assert wish in without_wish and "SPARCstation-2" in without_wish and dropped in without_wish


def test_wiring_that_stays_is_advised_no_other_medium() -> None:
    """More than 100 clients on one Ethernet (Rule XI); their wiring is kept."""
    path = str(CUSTOMERS / "law-office" / "workload.yaml")
    change = ["--set", "services.documents.clients=300", "--section", "Advice not followed"]
    text = " ".join(CliRunner().invoke(main, ["plan", *change, path]).output.split())
    assert "and for more on several networks (segments_at_most), because the wiring stays" in text
    assert "FDDI" not in text


@pytest.mark.parametrize(("night", "when"), [("false", "is not in use"), ("true", "is in use")])
def test_the_report_says_whether_backups_run_while_people_work(night: str, when: str) -> None:
    path = str(CUSTOMERS / "hospital-tapes" / "workload.yaml")
    change = ["--set", f"backup.at_night_in_use={night}", "--section", "Backup"]
    text = CliRunner().invoke(main, ["plan", *change, path]).output
    assert f"window 8 h; while the system {when}" in " ".join(text.split())


def test_a_standby_that_fails_stops_nothing() -> None:
    path = str(CUSTOMERS / "harbour-standby" / "workload.yaml")
    failed = ["--failed", "alternate", "--failed", "primary", "--section", "Failure"]
    text = " ".join(CliRunner().invoke(main, ["plan", *failed, path]).output.split())
    assert "Without the alternate, the primary runs everything." in text
    assert "Failure of system alternate Pass: every service runs and meets every limit" in text
    assert "every other service runs" in text
    assert "As planned, charts stops and planning stops." in text


def _more_charts(*options: str) -> str:
    """100 clients of charts are 400 op/s, more than an Ethernet sustains for one system (1.1.1)."""
    path = str(CUSTOMERS / "harbour-standby" / "workload.yaml")
    more = ["--set", "services.charts.clients=100", *options]
    return " ".join(CliRunner().invoke(main, ["plan", *more, path]).output.split())


def test_a_part_of_which_all_services_may_stop_has_one_system() -> None:
    text = _more_charts("--failed", "primary-2", "--section", "Failure")
    assert "Without primary-2, what runs there of charts stops, as it may." in text
    assert "every other service runs and meets every limit as before. As planned, charts" in text
    first = _more_charts()
    assert "borderline: three systems, the primary (SS690MP) for charts, pilots and" in first
    assert "fails and primary-2 (SPARCstation-2) for charts, which may stop." in first
    # On two networks one system of a pair has room for all charts.
    assert "Nearly full: 0% free. Two systems (SS690MP with" in first


def test_as_many_pairs_are_planned_as_are_asked_for() -> None:
    text = _more_charts("--systems", "4")
    assert "four systems in two pairs" in text
    assert "alternate-2 (SPARCstation-2), idle even if the other fails." in text


def test_a_standby_has_swap_space_for_what_it_may_run() -> None:
    """450 − 64 MB, and 100 to 300 for the database: not the 120 MB of programs that stop."""
    standby = _report("harbour-standby").partition("\nSystem alternate")[2]
    primary = _report("harbour-standby").partition("\nSystem primary")[2]
    assert "operating system  486–686 MB" in standby
    assert "swap space: 100–300 MB" in standby
    assert "operating system  606–806 MB" in primary
    assert "swap space: 220–420 MB" in primary


# --- what another capacity planner objected to ---------------------------------------------------


def test_findings_and_rejections_have_the_names_that_reports_print() -> None:
    text = _flat("newspaper")
    assert "SPARCstation-2 sustains 360 op/s (rule 1.1.1-sustained)" in text
    assert "slots of Sbus are used; it has 3 slots" in text
    assert not any(ident in text for ident in ("builtin-1", "sbus-scsi-1", "lance-ethernet"))
    # 90 % would be its limit; two decimals more say nothing.
    pictures = ["plan", "--full", "--set", "volumes.pictures.size_mb=1450"]
    path = str(CUSTOMERS / "photo-agency" / "workload.yaml")
    text = " ".join(CliRunner().invoke(main, [*pictures, path]).output.split())
    assert "The file systems of 1.3 GB disk #2 are 90.4% full" in text


def test_a_factor_has_two_digits() -> None:
    assert "Waiting multiplies its time by 5 to 21. A system that" in _flat("newspaper")


def test_advice_that_the_plan_meets_another_way_is_silent() -> None:
    """No slot is left for a board, so Rule XXVIII asks for eNFS, which is ordered."""
    text = _flat("branch-lines", "five")
    assert "eNFS" in text and "Rule XIV" not in text


def test_advice_that_a_machine_cannot_follow_has_no_remedy() -> None:
    """A SPARCstation-2 has no VME slots for a Network CoProcessor (Rule XII)."""
    _, advice = _flat("branch-lines", "five").split("Advice not followed No configuration of ")
    assert "office, Lance Ethernet, is of the kind no offload; the guide" in advice
    assert "a board for the VME bus. Free slots are on none of its busses." in advice
    assert "To do:" not in advice


def test_swap_space_is_a_file_where_the_first_disk_has_a_busy_file_system() -> None:
    """Rule XXIV: one partition with a swap file in it, rather than two partitions."""
    for customer, volume in (("photo-agency", "pictures"), ("weather-network", "forecasts")):
        assert f"A file in the partition of {volume}, which is in frequent use" in _flat(customer)
    assert "The basic partition on the disk that the machine starts from" in _flat("print-shop")
    # 350 MB and the file's 64 MB in cylinders of 700 KB (2.11.2).
    assert "files at cylinder 0, operating system at cylinder 606" in _flat("branch-lines")


def test_swap_space_with_a_volume_of_its_own_is_no_file(tmp_path: Path) -> None:
    stated = (CUSTOMERS / "branch-lines" / "workload.yaml").read_text(encoding="utf-8")
    own = "volumes:\n  - {name: paging, size_mb: 64, access: random, use: swap}\n"
    file = tmp_path / "workload.yaml"
    file.write_text(stated.replace("volumes:\n", own), encoding="utf-8")
    text = CliRunner().invoke(main, ["plan", "--full", str(file)]).output
    assert "swap space: 64 MB" in text and "A file in the partition" not in text


def test_old_disks_that_are_kept_need_no_tray() -> None:
    """2.4.3: disks before the 690MP's trays were not tied to them; 1.2.9.1 has a rack for them."""
    text = _flat("county-records-strings")
    assert "Old disks (1.0 GB IPI disk) need no tray: they are in what they came in." in text
    assert "The disks are in at least" not in text


def test_active_disks_are_limited_by_a_rule_and_not_by_a_capacity() -> None:
    """Rule IX: up to three disks in random use on a string, which takes eight."""
    assert "2.46 of 3 disks (18% headroom) [rule IX]" in _flat("blood-bank-standby")
    assert "[its capacity]" not in _flat("county-records-strings")


def test_terminal_servers_are_ordered_with_their_ports() -> None:
    """2.9: "256 serial ports are reasonably common", so that 300 lines need two of them."""
    ordered = "2 Ethernet terminal server 300 serial lines, up to 256 ports each"
    assert ordered in _flat("terminal-room", "three-hundred")


def test_data_that_is_kept_in_memory_is_named() -> None:
    assert "kept in memory: 100 MB of catalogue." in _flat("campus-library", "two")
    assert "kept in memory" not in _flat("hospital-tapes")


def test_assumptions_say_how_a_machine_has_its_slots() -> None:
    """The guide prints no slots of a SS670MP; the fourth Sbus slot is from another document."""
    assumed = _flat("newspaper").split(" Assumptions ")[1]
    assert "slots of sparcserver-670mp-sbus counted, section 1.3.1.2, inferred 3 slots" in assumed
    assert "slots of counted, The Sun Hardware 1 slot" in assumed and "outside" in assumed
    # No board is in its VME slots, so that the plan does not depend on how many there are.
    assert "670mp-vme" not in assumed


def test_a_refusal_without_budgets_does_not_say_that_nothing_is_assumed() -> None:
    assumed = _flat("insurer-claims").split(" Assumptions ")[1]
    assert assumed.startswith("No machine has budgets, so that none are listed.")


def test_that_a_full_line_has_the_printed_rate_is_an_assumption() -> None:
    """Its nominal rate is 1544 Kb/s; Table 10 prints 1.5 Mb/s, and 2.6 two lines on a board."""
    assumed = _flat("branch-lines").split(" Assumptions ")[1]
    assert "full t1-line: its rate, as a part the method, inferred 1 of the printed one" in assumed


def test_advice_that_a_limit_forbids_names_that_limit() -> None:
    """A single processor above 85 % must have no accelerator (1.1.7); 80 % are recommended."""
    _, advice = _flat("photo-agency").split("Advice not followed No configuration of ")
    advice, _ = advice.split(" Notes ")
    accelerator, gathering = advice.split("Rule XXVIII: ")
    assert "the limit is 85% (rule 1.1.7-nvram-uniprocessor). [section 2.8]" in accelerator
    without = "Without it: The processors are busy 72 to 85% of the time; sizewright recommends at "
    assert f"{without}most 80% (rule busy-processors). [section" in gathering


def test_an_alternate_that_nobody_wants_idle_is_told_how_it_would_work() -> None:
    said = "Both systems of a pair work if the load is stated as two services"
    assert said in _flat("land-registry-pairs")
    # There the standby is a wish, and what it does until then is no bottleneck.
    text = _flat("harbour-standby")
    assert said not in text
    assert "Bottleneck of the primary: " in text and "of the alternate: data" not in text


def test_a_refusal_for_advice_alone_names_the_advice() -> None:
    """A SPARCstation-2 has no VME slot for a Network CoProcessor (Rule XII)."""
    changes = ("services.layouts.clients=60", "policy.follow_advice=always",
               "wishes.platforms=[sparcstation-2]", "availability.systems=1")  # fmt: skip
    path = str(CUSTOMERS / "print-shop" / "workload.yaml")
    sets = (word for each in changes for word in ("--set", each))
    text = " ".join(CliRunner().invoke(main, ["plan", path, *sets]).output.split())
    assert (
        "Fail: no single machine that the wishes allow meets every limit at the high end of all "
        "ranges for the load that is stated and follows the advice of rule XII."
    ) in text


def _surviving_lines(tmp_path: Path) -> str:
    """The report on thirty terminals whose system may fail."""
    path = tmp_path / "lines.yaml"
    thirty = (CUSTOMERS / "terminal-room" / "thirty.yaml").read_text(encoding="utf-8")
    path.write_text(f"{thirty}availability: {{survives: [system]}}\n", encoding="utf-8")
    return " ".join(CliRunner().invoke(main, ["plan", str(path), "--full"]).output.split())


def test_sessions_on_serial_lines_are_not_to_be_stated_as_two_services(tmp_path: Path) -> None:
    """1.3.1.1: they are where their lines end, which is one system."""
    text = _surviving_lines(tmp_path)
    assert "idle until the other fails" in text and "Both systems of a pair work" not in text


def test_boards_of_a_standby_are_for_what_they_take_over(tmp_path: Path) -> None:
    """No line ends on the standby until the first system fails, and there is no printer."""
    text = _surviving_lines(tmp_path)
    assert "4 ALM-2 Asynchronous Line Multiplexor serial lines" in text
    assert "printer" not in text


def test_a_plan_says_why_nothing_accelerates_writes() -> None:
    """Disks with two ports exclude the board, a Network CoProcessor the software."""
    text = _flat("ticket-office-pair")
    assert "Rule 2.12-neither: Writes that neither a board nor software accelerates" in text
    assert "2.12-neither" not in _flat("land-registry-pairs")


@pytest.mark.parametrize(
    "customer", ["blood-bank-standby", "county-records-strings", "surveyors-drives"]
)
def test_a_customer_is_not_asked_about_choices_of_the_plan(customer: str) -> None:
    assert "\nWhat is not known\n" not in _report(customer)


def test_advice_that_is_not_checked_is_named_with_what_is_not_known() -> None:
    """Table 13 has no row for the disks that are owned."""
    text = _flat("surveyors-drives")
    _, _, told = text.partition(" Advice not checked Rule 2.11.2-stripe-gain on volume plans: ")
    unknown = "share of operations that striping gains, measured with these disks on this machine"
    said = f"Stripes for speed only if they gain speed Not known: {unknown}. [section"
    assert told.startswith(said)


def test_a_database_manager_that_spreads_its_data_needs_no_advice_on_stripes() -> None:
    """Case study 3 leaves out the software that stripes, because Sybase provides this (1.2.9.1)."""
    for customer in ("blood-bank-standby", "county-records-strings"):
        assert "Stripes" not in _flat(customer)


def test_disks_that_are_too_full_say_why_no_disk_is_added() -> None:
    text = _flat("university-terminals")
    assert "Nothing is added for this rule: a fuller file system works, but its files are" in text


def test_what_is_nobodys_question_is_not_listed_as_advice_not_checked() -> None:
    text = _report("ship-designers")
    assert "Advice not checked" not in text and "advice not checked" not in text
    # The indexes of the software for backups are files on joined disks too.
    assert "maxcontig (backup indexes, models): 7 (tunefs -a 7 -d 0)" in text


@pytest.mark.parametrize("file", ["three", "thirty"])
def test_the_time_of_lines_on_boards_is_not_counted(file: str) -> None:
    """The guide prints no cost for their interrupts (2.9)."""
    text = _flat("terminal-room", file)
    assert "terminals processor time of lines on boards kernel_ms_per_s" in text
    assert "What is not known" not in text


def test_boards_with_ports_are_for_what_uses_them() -> None:
    assert "printer interface" not in _report("terminal-room", "thirty")
    assert "serial lines, printer interface" in _report("print-room")


def test_growth_of_data_is_told() -> None:
    text = _report("software-house")
    assert "  Growth: 100 MB/year of data for 2 years; it is included in the plan.\n" in text


def test_of_equally_full_parts_bottleneck_and_headroom_name_the_same() -> None:
    """The copies of a mirror have equal loads."""
    text = _report("bank-branch")
    assert "Bottleneck: load, 424 MB disk #1, " in text
    assert "\n  load, 424 MB disk #1 " in text


def test_what_exceeds_its_limit_most_is_named_first() -> None:
    """50,000 ÷ 650 op/s are 77 machines, 400 ÷ 49.4 GB nine (40 drives of 1.3 GB, 95 % full)."""
    text = _flat("film-library")
    _, _, reasons = text.partition("It fails for these reasons: ")
    assert reasons.startswith(
        "- frames: 50000 op/s in the reference mix; it sustains 650 op/s "
        "- frames: 400 GB of data; the most disks of one model, 40 of 1.3 GB, hold 49.4 GB "
    )


def test_a_comparison_names_machines() -> None:
    paths = [str(CUSTOMERS / "terminal-room" / f"{name}.yaml") for name in ("three", "thirty")]
    text = CliRunner().invoke(main, ["compare", *paths]).output
    assert "SPARCstation-2" in text and "sparcstation-2" not in text


def test_two_networks_that_cannot_be_more_are_told_on_the_first_screen(tmp_path: Path) -> None:
    """Table 1 requires four for 650 op/s; two pass 600 by Table 2."""
    path = tmp_path / "fixed.yaml"
    path.write_text(_FIXED_NETWORKS)
    text = " ".join(CliRunner().invoke(main, ["plan", str(path)]).output.split())
    assert (
        "Borderline: 2 networks have 600 op/s of NFS; Table 1 has at most 440 op/s over as "
        "many, and requires 4 for 650 op/s (rule 1.1.1-required-networks)."
    ) in text


_FIXED_NETWORKS = """\
name: fixed
guide: sun-1992
networks: [{name: a, medium: ethernet}, {name: b, medium: ethernet}]
services:
  - {kind: nfs, name: one, clients: 60, load: {ops_per_s_each: 5}, network: a}
  - {kind: nfs, name: two, clients: 60, load: {ops_per_s_each: 5}, network: b}
wishes: {system_elsewhere: true}
availability: {systems: 1}
"""


# --- what a third reader objected to -------------------------------------------------------------


@pytest.mark.parametrize(
    ("customer", "networks"),
    [("newspaper", "its own (16 for newsroom"), ("campus-library", "its own (12 for campus"),
     ("land-registry-pairs", "its pair alone (4 for offices"),
     ("language-school", "its own (10 for rooms")],
)  # fmt: skip
def test_systems_that_divide_clients_have_networks_of_their_own(
    customer: str, networks: str
) -> None:
    assert f"on networks of {networks} in all)." in _flat(customer)


def test_what_a_larger_plan_leaves_of_a_recommended_limit_is_said() -> None:
    """475 op/s on each of four systems: Table 1 has 488 over three networks."""
    said = "would leave 27%, but only 3% below what rule 1.1.1-required-networks recommends for"
    assert f"{said} NFS load." in _flat("campus-library")


def test_each_pair_says_which_part_of_the_data_it_has() -> None:
    flat = _flat("land-registry-pairs")
    assert "2 × SS690MP (primary) with equal parts of maps and of the data and 2 ×" in flat
    assert "Each has 4000 MB of the 8000 MB of maps, which only its own clients reach." in flat


def test_the_pairs_of_a_group_are_told_from_each_other() -> None:
    text = _flat("land-registry-pairs")
    assert "Idle until the other of its pair fails." in text
    assert "Without a primary, its alternate runs everything of its pair." in text


@pytest.mark.parametrize(
    ("customer", "row"),
    [
        # There are two because an Ethernet passes 440 KB/s (Table 10), not for its raw speed.
        ("growing-office", "data on network office-1 and 66% 292 440 KB/s 2.5-effective-speed"),
        ("ship-designers", "protocol stack"),
    ],
)
def test_budgets_state_recommended_limits_that_decide_a_plan(customer: str, row: str) -> None:
    _, _, rest = _report(customer).partition("\nRecommended limits, lower than those above\n")
    told, *_ = rest.partition("\n\n")
    assert row in " ".join(told.split())


def test_recommended_limits_above_the_limit_are_not_told() -> None:
    """Two networks may have 440 op/s (Table 1); the machine sustains 360."""
    _, _, rest = _report("growing-office").partition("\nRecommended limits, lower than those above")
    assert "440 op/s" not in rest.partition("\n\n")[0]


def test_a_stripe_that_is_needed_is_not_called_needless() -> None:
    """6.5 GB are on six disks because no disk is larger."""
    text = _flat("hospital-tapes")
    assert "records is a stripe over 6 disks, for random access." in text
    assert "divide it into volumes that each fit on a disk" in text


def test_parts_are_for_what_they_do_here() -> None:
    hospital, harbour = _report("hospital-tapes"), _report("harbour-standby")
    assert "Online:DiskSuite 1.0   joins disks" in hospital
    assert "Sbus SCSI              disks and CD-ROM" in hospital
    # A string of IPI disks has no tapes.
    assert "disks and tapes\n" not in harbour
    assert "1.3 GB IPI disk                 documents, operating system, ticket-log,\n" in (
        together := _report("ticket-office-pair")
    )
    assert "tickets; operating system" not in together


def test_a_rejected_machine_has_one_reason_for_each_resource() -> None:
    """The share that an interface sustains is its strictest limit."""
    text = _flat("newspaper")
    assert "(rule 1.1.1-interface-sustained" in text and "(rule 1.1.2-interface" not in text
    assert "not measured" not in text


def test_time_below_an_hour_is_in_minutes() -> None:
    assert "full backup 46.2 min" in _flat("law-office")
    assert "daily backup 26.7 min 10% of the data" in _flat("hospital-tapes")


def test_data_that_exceeds_one_tape_needs_more_than_one_whatever_the_drives() -> None:
    """6886 MB and "6.5 GB, greatly exceeding the capacity of single 8mm tape drives" (1.3.1.2)."""
    for customer in ("hospital-tapes", "ship-designers"):
        assert "tapes for a full backup more than 1 6500 MB exceed one tape" in _flat(customer)


def test_a_system_that_takes_over_needs_the_database_manager_too() -> None:
    text = _flat("blood-bank-standby")
    assert text.count("Not in this order: Sybase, cables, terminators") == 3


def test_data_counted_in_full_packets_is_an_assumption() -> None:
    """Of 300 terminals the size of packets decides the kernel time (1.2.5); 12 tellers state it."""
    said = "Data of terminals on networks is in full packets, because the size of packets"
    path = str(CUSTOMERS / "terminal-room" / "three-hundred.yaml")
    text = CliRunner().invoke(main, ["plan", "--full", path]).output
    assert said in " ".join(text.split())
    assert "in full packets" not in _flat("bank-branch")


def test_a_first_screen_without_tables_names_what_is_nearly_full() -> None:
    path = str(CUSTOMERS / "county-records-strings" / "workload.yaml")
    text = " ".join(CliRunner().invoke(main, ["plan", path]).output.split())
    assert "is 30% free, worst case 30%; nearly full: space, 1.0 GB disk #1; 10 more kinds" in text


def test_growth_is_not_forecast_far_beyond_its_horizon() -> None:
    assert "reaches its limit after more than 10 years." in _flat("law-office")


def test_advice_that_was_not_checked_is_not_an_unknown_limit() -> None:
    """What striping gains on the owned disks is not known, and no limit."""
    last = _report("surveyors-drives").rstrip().rpartition("\n")[2]
    assert "unknown" not in last and last.endswith("1 advice not checked.")


def test_a_comparison_names_the_parts_of_a_machine_that_fails(tmp_path: Path) -> None:
    path = tmp_path / "large.yaml"
    path.write_text(_FIXED_NETWORKS.replace("ops_per_s_each: 5", "ops_per_s_each: 9"))
    text = " ".join(CliRunner().invoke(main, ["compare", str(path)]).output.split())
    assert "SPARCstation-2 sustains 360 op/s" in text and "sparcstation-2" not in text


def test_a_drawing_states_how_many_identical_systems_there_are() -> None:
    path = str(CUSTOMERS / "newspaper" / "workload.yaml")
    drawn = CliRunner().invoke(main, ["plan", "--format", "svg", path]).output
    assert "4 &#215; SS670MP (server)" in drawn


@pytest.mark.parametrize("customer", ["university-terminals", "harbour-standby"])
def test_needed_memory_on_expansion_boards_is_called_slower(customer: str) -> None:
    """2.2.5: about 15 %, whatever the memory is used for."""
    text = _flat(customer)
    assert "64 MB are on expansion boards, which are about 15% slower" in text
    assert "2.2.5-slower-memory" not in _flat("campus-library")


def test_a_bottleneck_that_no_rule_limits_says_that_it_is_a_capacity() -> None:
    """The accelerator's rate on the bus: 5 MB/s of 20, whatever the load (rule V)."""
    assert "Bottleneck: Sbus bus, 5 of 20 MB/s (75% headroom) [its capacity]" in _flat(
        "surveyors-drives"
    )


def _changed(customer: str, *changes: str, full: bool = True) -> str:
    path = CUSTOMERS / customer / "workload.yaml"
    sets = [word for change in changes for word in ("--set", change)]
    output = CliRunner().invoke(main, ["plan", *["--full"] * full, str(path), *sets]).output
    return " ".join(output.split())


def test_all_pairs_are_ordered_with_their_second_ports() -> None:
    """Two pairs with four disks each that the second system reaches (2.4.3)."""
    assert "12 1.3 GB IPI disk maps, operating system; 8 with two ports" in _flat(
        "land-registry-pairs"
    )


def test_owned_disks_may_need_a_second_port() -> None:
    wishes = "wishes.platforms=[sparcserver-690mp]"
    text = _changed("design-bureau-conflict", wishes, "availability.survives=[system]")
    assert "4 to be fitted with a second port, if that is not there yet" in text


def test_no_board_speeds_writes_that_a_second_system_reaches() -> None:
    """Also where no volume is named for the diskless clients' paging (rule XIX)."""
    text = _changed("language-school", "availability.survives=[system]")
    assert "2 pairs of systems, each for a part of the clients: courseware on one" in text
    assert "PrestoServe" not in text.partition("Rejected")[0]
    assert "Rule XIV" not in text


def test_mirrors_cost_nothing_of_what_is_read_from_memory() -> None:
    """1900 op/s on three systems of 800 op/s: 792 ms/s and nothing for the mirrors (2.11)."""
    text = _changed("campus-library", "availability.survives=[disk]")
    assert "on joined disks" not in text
    assert "Recommended: three systems, 3 × SS670MP" in text and "borderline" not in text[:600]


def test_a_board_whose_demand_on_its_bus_is_not_known_is_named() -> None:
    """Table 5 has no row for it."""
    says = "VME bus: the guide does not state what VME PrestoServe transfers over it"
    assert says in _flat("harbour-standby")
    assert "does not state what" not in _flat("law-office")


def test_a_database_manager_joins_unlike_disks_itself() -> None:
    """1.2.6 does not recommend the other software where the manager stripes its data itself."""
    text = _changed("county-records-strings", "volumes.records.size_mb=6500")
    assert "Sybase can join such disks" in text and "DiskSuite" not in text


def test_a_terminal_server_is_chosen_where_boards_have_enough_ports_too() -> None:
    """Above 30 lines on boards the guide advises one (rule XXI); it takes no slot (2.9)."""
    lines, follow = "services.terminals.lines=40", "policy.follow_advice=always"
    text = _changed("print-room", lines, follow)
    assert "1 Ethernet terminal server 40 serial lines" in text
    assert "two systems" not in text


def test_the_board_comes_before_the_software_also_with_disks_on_both_busses() -> None:
    """There it is on the Sbus (2.8); XXVIII has the software where no board can be."""
    owned = "wishes.carry_forward=[{device: 1-0gb-ipi, count: 2}, {device: 424mb-scsi, count: 1}]"
    text = _changed("surveyors-drives", owned)
    assert "1 Sbus PrestoServe speeds up writes" in text and "eNFS" not in text


def test_disks_of_both_interfaces_are_noted() -> None:
    text = _changed("hospital-tapes", "availability.survives=[system]")
    assert "With SCSI and IPI disks a system works, but is not officially supported" in text
    assert "2.8-both-interfaces" not in _flat("blood-bank-standby")


def test_a_change_names_all_rates_that_it_reduces() -> None:
    """The processors are too few, not the lines: 77 % of each is what passes."""
    text = _changed("university-terminals", "services.students.user_processors=[4,5]")
    said = "reduce the load to 77% (all rates: 23.9 of 31.1 op/s on volumes, 3.85 of 5"
    assert said in text


def test_too_few_ports_are_named_before_slower_work() -> None:
    """Six interfaces for printers of 1 MB/s, and four slots on the Sbus."""
    text = _changed("print-shop", "services.printers.printers.page.count=6")
    assert "Change this first: ask for at most 4 ports for page; or reduce the load" in text


def test_wishes_that_conflict_come_before_less_load() -> None:
    """Four systems need two drives each for 4 h, and there may be seven."""
    text = _changed("newspaper", "backup.window=4 h", "backup.tapes_at_most=7")
    first = "drop one of `backup.window: 4 h` and `backup.tapes_at_most: 7` (others may conflict"
    assert f"Change this first: {first} too); or reduce the load" in text


def test_the_software_that_draws_pages_is_ordered() -> None:
    """Case study 7 requires it for the printers whose pages the server draws (1.3.1.2)."""
    assert "1 NeWSprint draws pages for printers" in _flat("print-shop")
    assert "NeWSprint" not in _flat("print-room")


def test_only_the_space_that_is_missing_for_diskless_clients_is_not_counted() -> None:
    """48 × 24 MB on volumes of 360 and 768 MB."""
    clients = ("services.paging.clients=48", "services.make.clients=48")
    assert "24 MB of 1152 MB for roots and swap space" in _changed("software-house", *clients)


def test_disks_of_other_vendors_are_in_no_tray() -> None:
    """They are "individually mounted" (1.3.1.2); the cabinet is for the controllers (2.4.3)."""
    drops = ("volumes.claims.protection=none", "wishes.third_party_disks=true")
    text = _changed("insurer-claims", *drops)
    assert "What disks of other vendors are mounted in is not in this order." in text
    assert "trays" not in text
    assert "1 expansion cabinet 5 string controllers; without it there are 2 at most" in text


def test_more_drives_are_ordered_for_a_backup_that_is_longer_than_a_weekend() -> None:
    """149 h on one drive: two take 75 h, three 50 h of the 62 h that there are."""
    drops = ("volumes.claims.protection=none", "wishes.third_party_disks=true")
    text = _changed("insurer-claims", *drops)
    assert "3 8mm helical scan tape backup" in text and "Rule long-backup" not in text


def test_a_larger_plan_tells_which_limits_it_alone_exceeds() -> None:
    """Two networks for each of four systems: Table 1 has 440 op/s over two, and each has 475."""
    text = _changed("campus-library", "networks.campus.segments_at_most=5")
    assert "would leave 26%, but exceed what rule 1.1.1-required-networks recommends." in text


def test_memory_that_advice_asks_for_is_told_with_it() -> None:
    says = "For advice, the plan has 2 × Sbus Ethernet and 32 MB more memory. Planned without, it "
    assert says in _flat("mail-exchange")


def test_busy_processors_name_volumes_that_need_no_joined_disks() -> None:
    """332 op/s at 1000 ms/s ÷ 450 op/s take 737 ms/s; the rest is of joined disks (Table 13)."""
    text = _flat("growing-office")
    says = "Divide designs into volumes that one disk each holds, so that no software joins disks"
    assert f"{says}: 134 ms/s less; leaves 737 ms/s, under the limit." in text
    assert says not in _flat("weather-network")


def test_volumes_divided_for_the_same_machine_are_named_before_a_larger_one() -> None:
    """315 op/s at 1000 ms/s ÷ 450 op/s take 700 of 800 ms/s once no software joins disks."""
    divide = "Divide pictures into 2 volumes of one disk each: then no software joins their disks"
    for screen in (_flat("photo-agency"), _changed("photo-agency", full=False)):
        assert f"{divide}, and this machine meets rules busy-kernel-lock" in screen
        assert screen.index(divide) < screen.index("Nearly full: 2% free. SPARCstation-2 with")
    on_each = "Divide pages into 5 volumes of one disk each on each machine: then no"
    assert on_each in _flat("newspaper") and "they meet rule busy-kernel-lock" in _flat("newspaper")
    assert "into 2 volumes" not in _flat("weather-network")


def test_volumes_that_are_divided_as_named_meet_the_limits_as_named() -> None:
    halves = "[{name: a, size_mb: 350, access: random}, {name: b, size_mb: 350, access: random}]"
    text = _changed("photo-agency", f"volumes={halves}", "services.pictures.uses=[a, b]")
    assert "Recommended: SPARCstation-2." in text and "Borderline" not in text


def test_pairs_say_that_one_disk_stops_both_and_how_to_plan_for_it() -> None:
    text = _flat("land-registry-pairs")
    assert "maps has one copy, on disks that both systems of a pair reach: if such a disk" in text
    both = _changed("ticket-office-pair", "availability.survives=[system, disk]")
    assert "All data is mirrored for that." in both and "one copy" not in both


def test_todays_load_with_disks_of_other_vendors_is_a_way_to_keep_a_mirror() -> None:
    """2 × 60 GB are 38 drives of 3.2 GB; 40 is the most that five ISP-80 attach (2.4.3)."""
    text = _flat("insurer-claims")
    assert "or plan for today's load and permit disks of other vendors" in text
    changes = ("growth.years=0", "wishes.third_party_disks=true")
    assert "Recommended: SS690MP" in _changed("insurer-claims", *changes)


def test_sessions_that_all_count_as_active_are_an_assumption() -> None:
    """30 of them are too many for the 16 contexts of a SPARCstation-2 (2.2.3)."""
    says = (
        "All clients or sessions of desks count as active at once, because `active` is not stated"
    )
    assert says in _flat("terminal-room", "thirty")
    assert "count as active" not in _flat("university-terminals")


def test_the_first_screen_says_what_an_order_depends_on() -> None:
    screen = _changed("ship-designers", full=False)
    assert (
        "The machines of the 12 clients of yard need FDDI interfaces. Someone must change" in screen
    )
    text = _flat("hospital-tapes", "elsewhere")
    assert "A full backup needs 2 × 8mm helical scan tape of another system over network" in text
    assert "change of tapes unknown 2 tapes inside the drives; state `tape_mb`" in text


def test_the_first_screen_says_which_owned_devices_are_used() -> None:
    path = str(CUSTOMERS / "surveyors-drives" / "optional.yaml")
    screen = " ".join(CliRunner().invoke(main, ["plan", path]).output.split())
    says = "Of what is owned: 2 × 424 MB SCSI disk used; 4 × 1.0 GB IPI disk not used."
    assert says in screen and "Of what is owned" not in _changed("print-shop", full=False)


def test_owned_devices_without_data_are_not_called_used() -> None:
    owned = "wishes.carry_forward=[{device: 424mb-scsi, count: 5}, {device: cd-rom, count: 2}]"
    screen = _changed("surveyors-drives", owned, full=False)
    assert "2 × 424 MB SCSI disk and 2 × CD-ROM used; 3 × 424 MB SCSI disk attached" in screen


def test_a_system_without_any_of_the_owned_devices_has_no_line_for_them() -> None:
    path = str(CUSTOMERS / "newspaper" / "workload.yaml")
    owned = "wishes.carry_forward=[{device: 424mb-scsi, count: 1}]"
    found = CliRunner().invoke(main, ["plan", path, "--set", owned, "--format", "json"])
    assert all(line["quantity"] for line in json.loads(found.output)["owned"])


def test_a_plan_of_fewer_years_leaves_no_rule_to_meet() -> None:
    _, first = _changed("growing-office", "growth.years=100", full=False).split(
        "Change this first:"
    )
    change, _, _ = first.partition(" Bottleneck: ")
    assert "plan for 7 instead of 100 years of growth" in change and "meet rule" not in change


def test_disks_to_mirror_are_planned_for_beside_what_is_stated() -> None:
    text = _changed("ticket-office-pair", "availability.survives=[system, network]")
    assert "state availability: {survives: [network, system, disk]}." in text


def test_lines_are_listed_with_their_boards() -> None:
    """Two full T1 lines are on a board (2.6)."""
    text = _flat("branch-lines")
    assert "HSI/S #1 serial gateway: 2 × branch, 2 × depot" in text
    assert "Lines of branches count as full in the kernel and on their boards, 746 KB/s in" in text
    assert "Sbus 1 Sbus Serial/Parallel serial lines Sbus 2" in _flat("print-shop")


def test_the_disk_of_a_system_that_is_elsewhere_has_the_first_target() -> None:
    assert "424 MB disk #1 at 1, 424 MB disk #2 at 2" in _flat("surveyors-drives")
    assert "1.3 GB disk at 0" in _flat("branch-lines")


def test_growth_in_years_names_the_option_that_prints_its_purchases() -> None:
    assert "--stages what to buy when." in _changed("growing-office", full=False)
    assert "--stages" not in _changed("photo-agency", full=False)


def test_a_medium_that_the_plan_chooses_has_a_reason() -> None:
    """Users see 440 KB/s of an Ethernet (Table 10)."""
    text = _flat("ship-designers")
    assert "because its data, 367–714 KB/s, is more than the 440 KB/s that users see of" in text


def test_a_disk_for_the_system_that_is_elsewhere_is_told() -> None:
    says = "No disk for the operating system is planned"
    assert says in _flat("surveyors-drives") and says not in _flat("print-shop")


def test_copies_of_what_is_only_read_are_told() -> None:
    assert "Each has all of catalogue; such copies have to be kept" in _flat("campus-library")
    assert "all of maps" not in _flat("land-registry-pairs")


def test_a_system_of_the_only_pair_runs_everything() -> None:
    assert "Without the primary, the alternate runs everything." in _flat("ticket-office-pair")


def test_recommended_limits_of_processors_show_before_they_are_exceeded() -> None:
    """A SPARCstation-2 sustains 320 of 400 op/s and 360 of 450 (Table 1), both 80 %."""
    says = "Nearest recommended limit on a load: processor time, 783 of 800 ms/s (2% headroom)"
    assert says in _flat("print-shop")


def test_a_machine_may_be_as_busy_as_its_sustained_load_makes_it() -> None:
    """An SS670MP sustains 650 of 800 op/s (Table 1), which are 812 of 1000 ms/s."""
    limit = r"kernel lock +\d+% +[\d–]+ +812 ms/s +busy-kernel-lock"
    assert re.search(limit, _report("campus-library"))


def test_the_machine_that_meets_recommended_limits_is_named_beside_the_freer_one() -> None:
    """315 of the 540 op/s of an SS630MP are 583 ms/s, where 440 of 540 may be sustained."""
    text = _flat("photo-agency")
    assert "are still exceeded; SS630MP would meet them." in text


def test_what_exceeds_recommended_limits_is_told_in_load() -> None:
    """1 − 800 ÷ 854 is 6.3 %."""
    alone = ("wishes.platforms=[sparcstation-2]", "availability.systems=1")
    text = _changed("photo-agency", *alone)
    assert "are still exceeded; with 7% less load they would be met." in text


def test_an_alternate_has_the_set_up_of_the_volumes_it_takes_over() -> None:
    text = _flat("land-registry-pairs")
    assert "Joined volume maps: set up as on the other system." in text


def test_the_first_screen_does_not_look_for_reasons(monkeypatch: pytest.MonkeyPatch) -> None:
    """Why machines do not pass takes several times as long as the plan."""

    def ask(*_: object) -> None:
        raise AssertionError("a reason is asked for")

    monkeypatch.setattr("sizewright.planner.explanation.rejection", ask)
    told = CliRunner().invoke(main, ["plan", str(CUSTOMERS / "newspaper" / "workload.yaml")])
    assert "no single machine" in " ".join(told.output.lower().split())


def test_a_pair_is_told_which_parts_follow_advice() -> None:
    """Both systems have what follows advice, because either runs the database (1.2.6)."""
    says = "For advice, the plan has 2 × SunDBE 1.1. Planned without, it would not follow rule 1.2."
    assert says in _flat("blood-bank-standby")


def test_advice_after_a_failure_is_told_too() -> None:
    """Whoever is left runs documents and tickets (XII); at work each runs one of them."""
    assert "would not follow rules XII and 1.2.6-database-tuning." in _flat("ticket-office-pair")


def test_memory_for_what_is_taken_over_has_its_reason() -> None:
    """90.6 MB of tickets beside the 8 of the system (1.2.7); at work the primary has 12."""
    text = _flat("ticket-office-pair")
    assert "The memory of the primary is for what it runs after a failure, 98.6 MB;" in text


def test_a_mix_of_its_own_is_an_assumption() -> None:
    assert "readers: cost of an operation of" in _flat("campus-library")
    assert "of the guide's mix" not in _flat("language-school")


def test_disks_that_fit_inside_are_noted_on_an_added_adapter() -> None:
    """The guide says both that it cannot be (1.2.9.3) and that it should (1.1.8)."""
    assert "Rule 1.2.9.3-inside-disk" in _flat("bank-branch")


def test_what_is_not_known_is_no_reason_beside_what_is_exceeded() -> None:
    assert "FDDI/S, is not stated" not in _flat("language-school", "forty")


def test_relief_of_an_interface_is_told_at_one_end() -> None:
    """40 % of 1078 ms/s, all at the high end (2.5.2)."""
    text = _flat("land-registry-pairs")
    assert "saves 0 to 431 ms/s" in text and "leaves 647 to 1078 ms/s" in text


def test_disks_of_another_system_are_busy_and_full_in_its_own_table() -> None:
    text = _report("harbour-standby")
    (line,) = re.findall(r"other system: movements\b.*", text)
    assert line.strip() == "other system: movements"


def test_the_size_of_a_system_disk_is_told_at_the_end_that_counts() -> None:
    """100 to 300 MB of swap space (1.2.3) make 606 to 806 MB."""
    says = "does not state operating system: at most 450 MB − 64 MB + (the larger of 64 MB and 300"
    assert says in _flat("harbour-standby")


def test_budgets_are_of_disks_with_data_of_the_system() -> None:
    alternate = _report("harbour-standby").partition("\nSystem alternate")[2]
    budgets = alternate.partition("\nBudgets")[2].partition("\n\n")[0]
    assert re.findall(r"space, .*?disk", budgets) == ["space, 1.3 GB disk"]


def test_data_that_is_only_read_has_no_writes() -> None:
    """The pages of diskless clients are 40 of 969 op/s; 6 at most are writes (1.1.9)."""
    text = _flat("language-school", "forty")
    says = (
        "For advice, the plan has 1 × Sbus PrestoServe. Planned without, it would not follow rule "
    )
    assert f"{says}1.1.9-pageouts." in text


def test_a_shared_alternate_is_said_not_to_be_tried() -> None:
    text = _flat("land-registry-pairs")
    assert "Either of each pair can run everything of its pair if the other fails." in text
    assert "Not tried: one idle system that takes over from several." in text
    assert "Not tried: one idle" not in _flat("blood-bank-standby")


def test_what_a_failure_fills_most_has_a_number() -> None:
    """One network carries all 240 op/s of the 320 that an Ethernet sustains (1.1.1)."""
    says = "the fullest of what has more to do: network desks-2, 240 of 320 op/s (25% headroom)."
    assert f"After the failure of network desks-1, {says}" in _flat("weather-network")
