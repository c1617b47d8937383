from __future__ import annotations

import re

import pytest

from generated_workloads import ENGINE
from sizewright.api import report_check
from sizewright.box.reading import read_box
from sizewright.check.rule_filter import EVERYTHING, RuleFilter
from sizewright.documents import parse_document
from sizewright.output.check import check_text
from sizewright.output.json.check import check_data
from sizewright.output.json.common import Finding
from sizewright.output.render import PLAIN, Style
from two_guides import engine

from .conftest import SITE, Checker

BARE = RuleFilter(only=("site-clients", "site-lines", "site-strings"))


def _section(text: str, title: str) -> str:
    return text.split(f"\n{title}\n")[1].split("\n\n")[0]


def _flat(text: str) -> str:
    return " ".join(text.split())


def test_the_verdict_comes_first_then_what_runs_out_first(checked: Checker) -> None:
    text = check_text(checked())
    assert text.splitlines()[:4] == [
        "Check of primary: The machine in the cellar",
        "Guide sun-1992: Configuration and Capacity Planning for Sun Servers",
        "",
        "Fail: 1 limit not met, 1 piece of advice not followed, 1 note. 2 rules could not",
    ]
    assert "2 rules could not be checked: missing data (see What to measure)." in _flat(text)
    assert "Selected: only rules site-" in _flat(text)
    # Whether the disks are read at random is not said, so 0.2 of 4.1 MB/s may be the limit; 80 op/s
    # of 8 KB are 640 KB/s.
    assert "Next: transfers, esp0, at 1.31–" in _flat(text)


BUSY = """\
name: busy
platform: sparcserver-670mp
processors: 2
operating_system: solaris-1.0.1
networks: [{name: ring, interface: fddi-dx, large_packets: true}]
observed: {cpu: {user_percent: 10, system_percent: SYSTEM}, networks: {ring: {data_kb_per_s: 600}}}
"""


def _busy(system_percent: int) -> str:
    document = parse_document(BUSY.replace("SYSTEM", str(system_percent)), "busy.yaml")
    return _flat(check_text(report_check(read_box(document), document, ENGINE)))


def test_a_lock_without_an_end_of_waiting_has_no_factor() -> None:
    """45 % of two processors hold the lock for 90 %, which waits 1 ÷ 0.1 times as long."""
    waiting = "Waiting multiplies its time by"
    assert f"{waiting} 10." in _busy(45)
    full = _busy(58)
    assert "The kernel lock is busy 116% of the time" in full
    assert waiting not in full


def test_what_has_only_a_recommended_limit_has_no_unknown_one() -> None:
    """The protocol stack passes 900 to 1024 KB/s at most (Table 10); no guide limits it."""
    text = _busy(45)
    assert "data through the protocol stack 67% 600 900–1024 KB/s 2.5-stack-speed" in text
    assert "data through the – 600 no limit pass protocol stack" in text
    assert "Data through the protocol stack is all data on FDDI, in KB/s." in text


def test_the_sections_come_in_the_order_of_use(checked: Checker) -> None:
    titles = [line for line in check_text(checked()).splitlines() if line[:1].isupper()]
    wanted = [
        "Limits not met", "Advice not followed", "Notes",
        "Borderline: passes at best case only, or exceeds a recommended limit", "Waived",
        "Budgets (load and limit of each resource)",
        "Headroom (the factor by which today's load can grow)", "What to measure",
        "Rule coverage",
    ]  # fmt: skip
    assert [title for title in titles if title in wanted] == wanted


def test_a_finding_has_subject_figure_limit_remedy_and_source(checked: Checker) -> None:
    assert _section(check_text(checked()), "Limits not met") == (
        "  Rule site-devices on channel esp0: Title of site-devices\n"
        "    3 devices on esp0, at most 2.\n"
        "    To do: Move a device to another bus.\n"
        "    [section 1.1.1]"
    )


def test_a_waiver_is_shown_with_its_reason_and_severity(checked: Checker) -> None:
    waived = _section(check_text(checked()), "Waived")
    assert "Waived because: The boards are on order.\n    [section 1.1.1; advice]" in waived


def test_several_subjects_of_a_rule_are_told_one_by_one(checked: Checker) -> None:
    report = checked(
        ("{sd0: {ops_per_s: 40}, sd1: {ops_per_s: 20}", "{sd0: {ops_per_s: 50}, sd1: "
         "{ops_per_s: 60}"),
    )  # fmt: skip
    broken = _section(check_text(report), "Limits not met")
    assert "  Rule site-operations: Title of site-operations\n" in broken
    assert "    - disk sd0: 30 to 45 op/s is the limit.\n    - disk sd1: " in broken
    assert "sd2" not in broken


def test_parts_go_by_the_names_of_the_file(checked: Checker) -> None:
    budgets = _section(check_text(checked()), "Budgets (load and limit of each resource)")
    for label in ("transfers, esp0 ", "load, sd0 ", "load, sd1, sd2 ", "network le0 "):
        assert f"\n  {label}" in budgets


def test_headroom_is_told_in_order_with_limit_and_rule(checked: Checker) -> None:
    section = _section(
        check_text(checked()), "Headroom (the factor by which today's load can grow)"
    )
    rows = section.partition("\n  Recommended limits: ")[0].splitlines()[1:]
    factors = [float(re.split(r"\s{2,}", row.strip())[1].split("–")[0]) for row in rows]
    assert factors == sorted(factors)
    (network,) = (row for row in rows if "network le0" in row)
    assert re.split(r"\s{2,}", network.strip())[1:] == [
        "1.6", "320 op/s", "rule 1.1.1-interface-sustained",
    ]  # fmt: skip


def test_no_known_load_leaves_headroom_unknown(checked: Checker) -> None:
    text = check_text(checked(("  nfs: {ops_per_s: 200, writes_percent: 15, mix: legato}\n", ""),
                              ("{sd0: {ops_per_s: 40}, sd1: {ops_per_s: 20}, sd2: "
                               "{ops_per_s: 20}}", "{}")))  # fmt: skip
    assert "Headroom: unknown. No resource has" in text
    assert "\nHeadroom (" not in text


def test_a_load_at_its_limit_has_no_headroom(checked: Checker) -> None:
    # A quarter of four processors is all that one lock lets into the kernel.
    text = check_text(checked(("processors: 4", "processors: 4\nservices: [nfs]\n"
                                   "operating_system: solaris-1.0.1"),
                              ("  nfs: {ops_per_s: 200, writes_percent: 15, mix: legato}\n",
                               "  cpu: {system_percent: 25, idle_percent: 75}\n"),
                              ("{sd0: {ops_per_s: 40}, sd1: {ops_per_s: 20}, sd2: "
                               "{ops_per_s: 20}}", "{}")))  # fmt: skip
    assert "No headroom: kernel lock is at its limit. Next: processor time," in _flat(text)


def test_what_to_measure_has_the_keys_and_the_rules(checked: Checker) -> None:
    text = check_text(checked(), all_missing=True)
    assert text.split("\nWhat to measure\n")[1].split("\nChanged by overlays")[0] == (
        "  2 rules could not be checked, because 2 values are missing. The measurements\n"
        "  that decide most come first. OUT is the output of a command, BOX this file.\n"
        "\n"
        "  Count the clients: clients and diskless_clients of each of networks\n"
        "    Decides rule site-clients.\n"
        "  Count the serial ports in use: serial_lines\n"
        "    Decides rule site-lines.\n"
        "\n"
        "Missing values\n"
        "  2 rules could not be checked, because 2 values are missing. Values for limits\n"
        "  come first, then those that most rules need.\n"
        "\n"
        "  Clients on this network (network le0)\n"
        "    Count the clients of the network. Needed for rule site-clients.\n"
        "  Asynchronous serial lines on the system's own boards\n"
        "    Count the lines in use. Needed for rule site-lines.\n"
    )


def test_coverage_closes_the_page(checked: Checker) -> None:
    assert _flat(check_text(checked()).split("Rule coverage\n")[1]) == (
        "Rules: 8. Ran: 5 (1 borderline, 1 fail, 1 waived, 1 advice not followed, 1 to note). "
        "Not applicable: 1. Unknown: 2. Results for all parts: 10."
    )


def test_a_run_that_judged_nothing_says_so(checked: Checker) -> None:
    report = checked(asked=BARE)
    assert (report.verdict, report.holds) == ("unknown", False)
    assert "\nNot enough data: none of the selected rules " in check_text(report)


@pytest.mark.parametrize(
    ("asked", "verdict"),
    [
        (RuleFilter(only=("site-processors",)), "holds"),
        (RuleFilter(only=("site-processors",), severity="advice"), "violated"),
        (RuleFilter(only=("site-networks", "site-processors"), severity="note"), "violated"),
        (RuleFilter(only=("site-networks",)), "holds"),
        (RuleFilter(only=("site-operations",)), "tight"),
        (RuleFilter(only=("site-memory",), severity="advice"), "holds"),
        (SITE, "violated"),
        (SITE._replace(ignored=("site-devices",)), "tight"),
    ],
)
def test_what_counts_is_what_was_asked(checked: Checker, asked: RuleFilter, verdict: str) -> None:
    report = checked(asked=asked)
    assert report.verdict == verdict
    assert report.holds is (verdict in ("holds", "tight"))


def test_a_selection_changes_no_verdict_no_budget_and_no_headroom(checked: Checker) -> None:
    every = checked(asked=EVERYTHING)
    whole = {(f.rule, f.subject): f for f in every.check.findings}
    assert len({rule for rule, _ in whole}) > len(SITE.only)
    for rule in ("1.1.1-interface-sustained", "VII", "site-devices"):
        one = checked(asked=RuleFilter(only=(rule,)))
        assert one.check.findings
        for finding in one.check.findings:
            assert Finding.make(finding) == Finding.make(whole[finding.rule, finding.subject])
        ours, all_ = check_data(one), check_data(every)
        assert ours["budgets"] == all_["budgets"]
        assert ours["headroom"] == all_["headroom"]


def test_a_selection_is_named(checked: Checker) -> None:
    asked = RuleFilter(only=("VII", "site-devices"), ignored=("XIII",), severity="advice")
    text = _flat(check_text(checked(asked=asked)))
    assert "Selected: only rules VII, site-devices; all but rule XIII; severity advice or" in text
    assert "Asked:" not in check_text(checked(asked=EVERYTHING))


HOSTILE = (
    ("title: The machine in the cellar", 'title: "a\\e[2J\\u202e\\tbox"'),
    ("name: le0", f'name: "{"n" * 120}"'),
    ("id: sd0", 'id: "s\\ed\\n0"'),
    ("{sd0:", '{"s\\ed\\n0":'),
)


@pytest.mark.parametrize("style", [PLAIN, Style(colour=False, unicode=False)])
@pytest.mark.parametrize("changes", [(), HOSTILE])
@pytest.mark.parametrize("asked", [SITE, EVERYTHING])
def test_no_line_is_wider_than_80_and_none_steers_the_terminal(
    checked: Checker, style: Style, changes: tuple[tuple[str, str], ...], asked: RuleFilter
) -> None:
    text = check_text(checked(*changes, asked=asked), style)
    assert [line for line in text.splitlines() if len(line) > 80] == []
    assert text.replace("\n", "").isprintable()
    assert style.unicode or text.isascii()


def test_colour_changes_no_word(checked: Checker) -> None:
    coloured = check_text(checked(), Style(colour=True, unicode=True))
    assert "\x1b[" in coloured
    assert re.sub("\x1b\\[[0-9;]*m", "", coloured) == check_text(checked())


def test_more_memory_than_was_measured_is_not_called_missing() -> None:
    """Figure 12: 32 MB of cache and six boards; here are 48 MB, and one board is missing."""
    models = ["file-processor", *["storage-processor"] * 2, *["write-cache"] * 2]
    document = parse_document(
        "name: files\nguide: auspex-1992\nplatform: ns-5500\nservices: [nfs]\n"
        "memory: {total_mb: 48}\nobserved: {nfs: {ops_per_s: 820, mix: average}}\nboards:\n"
        + "".join(f"- {{id: b{n}, board: {model}}}\n" for n, model in enumerate(models)),
        "box.yaml",
    )
    auspex = engine("auspex-1992")
    text = _flat(check_text(report_check(read_box(document), document, auspex)))
    assert (
        "The load of NS 5500 was measured with 32 MB of I/O cache; it has 48 MB. "
        "It has 1 processor fewer than in that measurement."
    ) in text


def _text_of(box: str) -> str:
    document = parse_document(f"name: files\nplatform: sparcserver-690mp\n{box}", "box.yaml")
    return _flat(check_text(report_check(read_box(document), document, engine("sun-1992"))))


def test_the_maxusers_of_the_remedy_are_in_the_finding() -> None:
    """Section 2.10.4: for NFS 64 with 16 to 32 MB; Rule XXII alone asks for 32."""
    told = _text_of("services: [nfs]\nmemory: {total_mb: 32}\ntunables: {maxusers: 16}\n")
    assert "For this memory and these services 64 is advised. To do: Set MAXUSERS" in told
    assert "configuration file to 64," in told


def test_a_recommended_limit_names_the_reserve_that_exceeds_it() -> None:
    """72 % of the time is within 80 %, but not within 80 % of that."""
    told = _text_of(
        "processors: 4\npolicy: {reserve: 20%}\n"
        "observed: {cpu: {user_percent: 54, system_percent: 18}}\n"
    )
    assert (
        "The processors are busy 72% of the time; sizewright recommends at most 80%; 20 % of the "
        "limit stays free (rule busy-processors)." in told
    )
