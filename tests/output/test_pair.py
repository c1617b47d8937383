"""Two systems on one page, a lock that is exceeded, and services of every kind, as text.

The plans are put together by hand (tests/hand_plans.py): orders take 991 ms/s of kernel time on a
desktop (300 of their own, 591 for 100 op/s on disks, 100 for 500 packets), reports 300 to 400.
"""

from __future__ import annotations

import re
from typing import Any

import pytest

import hand_plans
import small
from generated_workloads import ENGINE, read
from sizewright.api import report_plan
from sizewright.documents import parse_document
from sizewright.output.plan import plan_text
from sizewright.output.render import Style
from sizewright.output.reports import PlanReport
from sizewright.planner.infeasibility import Rejection
from sizewright.planner.plan import Plan
from sizewright.planner.structural_limits import Shortfall
from sizewright.quantity import count
from sizewright.workload.reading import read_workload

from .conftest import Reporter

PAIR = hand_plans.paired(hand_plans.BUSY, hand_plans.DESKTOP, *hand_plans.PAIR)
OVER = hand_plans.missing(hand_plans.BUSY, hand_plans.DESKTOP)
EVERY = hand_plans.holding(hand_plans.EVERY, hand_plans.SERVER)
LOCK = "Kernel lock of a single system (SPARCstation-2)"


def said(plan: Plan) -> str:
    """The page on a plan, in one line."""
    return " ".join(plan_text(hand_plans.report_on(plan)).split())


def section(plan: Plan, title: str) -> list[str]:
    """The lines below a heading."""
    text = plan_text(hand_plans.report_on(plan))
    return text.split(f"\n{title}\n")[1].split("\n\n")[0].splitlines()


def asking(systems: int, plan: Plan = PAIR) -> Plan:
    """The same plan if this number of systems is asked for."""
    return plan._replace(demand=plan.demand._replace(systems=systems))


@pytest.mark.parametrize("plan", [PAIR, OVER, EVERY])
@pytest.mark.parametrize("unicode", [True, False])
def test_the_page_is_80_columns_wide(plan: Plan, unicode: bool) -> None:
    text = plan_text(hand_plans.report_on(plan), style=Style(colour=False, unicode=unicode))
    assert [line for line in text.splitlines() if len(line) > 80] == []
    assert unicode or text.isascii()


@pytest.mark.parametrize("plan", [PAIR, OVER, EVERY])
def test_colour_changes_no_word(plan: Plan) -> None:
    report = hand_plans.report_on(plan)
    coloured = plan_text(report, style=Style(colour=True, unicode=True))
    assert re.sub("\x1b\\[[0-9;]*m", "", coloured) == plan_text(report)


# --- two systems ----------------------------------------------------------------------------------


def test_the_verdict_says_which_services_run_where() -> None:
    assert (
        "Recommended as far as is known: two systems, the primary (SPARCstation-2) for orders and "
        "the alternate (SPARCstation-2) for reports. They meet every limit that could be checked "
        "(see What is not known) at the high end of all ranges. No single machine that the wishes "
        "allow meets every limit (see Rejected). Borderline in the primary: "
        "The kernel lock is busy 99% of the time; sizewright recommends at most 80% (rule "
        "busy-kernel-lock). The processors are busy 99% of the time; sizewright recommends at most "
        "80% (rule busy-processors). "
        "Bottleneck of the primary: active disks, built-in SCSI, 2 of 2 disks (no headroom)"
    ) in said(PAIR)
    assert "Bottleneck of the alternate: kernel lock, 400 of 1000 ms/s (60% " in said(PAIR)


def test_two_systems_that_were_asked_for_say_so() -> None:
    assert (
        "Two systems were requested. No single machine that the wishes allow meets every limit (s"
    ) in said(asking(2))
    held = hand_plans.refusing(asking(2), ())
    assert "Two systems were requested. A single machine would be enough. " in said(held)
    assert LOCK not in said(held)


def test_each_system_has_sections_of_its_own_and_the_failover_follows() -> None:
    text = plan_text(hand_plans.report_on(PAIR))
    first = text.index("\nSystem primary: SPARCstation-2\n==============================\n")
    second = text.index("\nSystem alternate: SPARCstation-2\n================================\n")
    last = text.index("\nFailure of a system\n")
    assert first < second < last < text.index("\nRejected as a single system\n")
    for part, service in ((text[first:second], "orders"), (text[second:last], "reports")):
        assert f"For {service}.\n" in part
        for title in ("What to order", "Boards in slots", "Budgets (load and limit"):
            assert part.count(f"\n{title}") == 1
    assert "  kernel lock " in text[first:second] and "   991 " in text[first:second]
    assert "  300–400  1000 ms/s  pass" in text[second:last]


BOTH_SAVE = """\
name: pair
networks: [{name: office, medium: ethernet, segments_at_most: 8}]
volumes:
  - {name: homes, size_mb: 4000, access: random}
  - {name: work, size_mb: 4000, access: random}
services:
  - {kind: nfs, name: homes, clients: 40, load: {ops_per_s_each: 2}, mix: legato,
      network: office,
     uses: [homes]}
  - {kind: nfs, name: work, clients: 40, load: {ops_per_s_each: 2}, mix: legato,
      network: office,
     uses: [work]}
availability: {survives: [system]}
backup: {window: 6 h, tapes_at_most: 4}
"""


STANDBY = """\
name: toll-roads
networks: [{name: lan, medium: ethernet}]
volumes: [{name: trips, size_mb: 1000, access: random, use: raw, dual_ported: true}]
services:
  - {kind: database, name: trips, product: sybase, clients: 10, network: lan,
     user_processors: 0.2, work: [{name: read, volume: trips, ops_per_s: 20}]}
availability: {survives: [system], standby: true}
backup: {window: 8 h}
"""


def test_after_the_loss_of_the_system_with_the_tape_nothing_is_saved() -> None:
    document = parse_document(STANDBY.encode(), "toll.yaml")
    report = report_plan(read_workload(document), document, ENGINE, failed=("primary",))
    assert [failure.backups_wait for failure in report.failed] == [True]
    text = " ".join(plan_text(report).split())
    waits = "It has no drive for backups, which wait until the other is repaired. Without the alt"
    assert text.count(waits) == 1
    assert "before. Backups cannot be made as planned until it is repaired." in text


def test_a_standby_runs_nothing_if_every_service_may_stop() -> None:
    may_stop = "standby: true, degraded: [{service: trips, at_least: 0 %}]"
    document = parse_document(STANDBY.replace("standby: true", may_stop).encode(), "toll.yaml")
    report = report_plan(read_workload(document), document, ENGINE, failed=("primary",))
    text = " ".join(plan_text(report).split())
    assert "Pass: no service is left to run. Backups cannot be made as planned" in text
    assert "the alternate (SPARCstation-2), idle even if the other fails." in text
    assert "No service moves to the alternate, because all of them may stop." in text
    assert "Idle even if the other system fails." in text
    assert "Without the primary, the alternate runs nothing, because trips may stop." in text
    assert "Without the alternate, the primary runs everything." in text


def test_only_parts_with_a_section_have_a_heading_and_failures_state_their_backups() -> None:
    """4386 MB take 5.67 h on one drive with 220 KB/s; 8386 MB 10.84 h on the drive that is left."""
    document = parse_document(BOTH_SAVE.encode(), "pair.yaml")
    report = report_plan(read_workload(document), document, ENGINE)
    text = plan_text(report, sections=("Failure",))
    assert re.findall(r"^(?=[A-Z])(.*)$", text, re.MULTILINE) == [
        "All systems", "Failure of a system",
    ]  # fmt: skip
    long = "runs everything. A full backup takes 10.8 h then, longer than its window of 6 h."
    assert " ".join(text.split()).count(long) == 2
    both = plan_text(report, sections=("Failure", "Backup"))
    assert len(re.findall("^={5}", both, re.MULTILINE)) == 3


def divided(orders: float, reports: float, **more: Any) -> str:
    """What is said of the division of two services with these loads in ms/s."""
    plain = {
        "name": "busy",
        "services": [
            hand_plans.measured("orders", orders), hand_plans.measured("reports", reports),
        ],
    }  # fmt: skip
    alternate = (hand_plans.PAIR[1][0], ("reports",))
    plan = hand_plans.paired(plain, hand_plans.DESKTOP, hand_plans.PAIR[0], alternate)
    assert plan.group is not None
    plan = plan._replace(group=plan.group._replace(**more))
    return " ".join(" ".join(section(plan, "Division of the services")).split())


def test_the_division_says_why_it_is_not_more_even() -> None:
    """920 and 190 of 1000 ms/s are 92% and 19%; one service each, so none can be moved."""
    used = "The primary uses 92% of its kernel lock and the alternate 19%."
    assert divided(920, 190) == (
        f"{used} Service orders takes 92% by itself and cannot be divided."
    )
    assert divided(920, 190, passed_over=2) == (
        f"{used} 2 more even divisions were tried first. None meets every limit."
    )
    assert divided(500, 500) == ("The primary uses 50% of its kernel lock and the alternate 50%.")


def test_systems_that_do_not_take_over_say_so() -> None:
    text = " ".join(" ".join(section(PAIR, "Failure of a system")).split())
    assert text.startswith("Not planned: no system takes over from another")
    assert "survives: [system]" in text


def test_what_is_left_after_a_failure_is_told_for_either_system() -> None:
    """Reports at 50 %: 991 ms/s of orders, and 150 to 200 of reports."""
    text = " ".join(" ".join(section(hand_plans.surviving(PAIR), "Failure of a system")).split())
    assert (
        "Without the primary, the alternate runs all at its full rates, except orders at 50%. "
        "Without the alternate, the primary runs all at its full rates, except reports at 50%."
    ) in text
    assert "alternate kernel lock 1141–1191 1000 ms/s 119% fail" in text


def test_cables_that_are_moved_after_a_failure_are_named(reported: Reporter) -> None:
    text = " ".join(plan_text(reported("case-7")).split())
    moved = "ports for the lines of gateways. After a failure their cables must be moved."
    assert moved in text


def test_a_replicated_service_is_whole_on_each_of_identical_systems() -> None:
    work = [{"name": "w", "volume": "rows", "ops_per_s": 5}]
    volumes = [small.volume("rows"), small.volume("homes")]
    workload = small.plain({"uses": ["homes"]}, volumes=volumes, availability={"systems": 2})
    workload["services"].append({"kind": "measured", "name": "m", "replicated": True, "work": work})
    document = parse_document("name: small", "small.yaml")
    text = " ".join(plan_text(report_plan(read(workload), document, ENGINE)).split())
    assert (
        "(server) with equal parts of service-0 and of the data, and m on each. They meet" in text
    )


def test_clients_that_do_not_divide_evenly_are_told() -> None:
    """51 clients on two systems: each is for 26."""
    service = {"uses": ["homes"], "clients": 51}
    volumes = [small.volume("homes")]
    workload = small.plain(service, volumes=volumes, availability={"systems": 2})
    document = parse_document("name: small", "small.yaml")
    text = " ".join(plan_text(report_plan(read(workload), document, ENGINE)).split())
    assert "and of the data (each for up to 26 of 51 clients). They meet" in text


def test_the_rules_of_both_are_counted() -> None:
    judged = [part.chosen for part in PAIR.plans if part.chosen]
    number = sum(len(each.findings) for each in judged)
    counted = re.search(r"(\d+) rules, (\d+) results: ", said(PAIR))
    assert counted and int(counted[2]) == number
    assert int(counted[1]) >= len({f.rule for each in judged for f in each.findings})


def test_two_systems_that_cannot_be_had_say_why() -> None:
    services = [hand_plans.measured("orders", 1100)]
    plain = {**hand_plans.BUSY, "services": services, "availability": {"systems": 2}}
    text = said(hand_plans.missing(plain, hand_plans.DESKTOP))
    assert (
        "Fail: no two systems that the wishes allow meet every limit at the high end of all "
        "ranges. Service orders cannot be split over several systems. Change this first: "
    ) in text
    held = hand_plans.refusing(hand_plans.missing(plain, hand_plans.DESKTOP), ())
    assert "over several systems. A single machine would be enough." in said(held)


# --- the lock ------------------------------------------------------------------------------------


@pytest.mark.parametrize("plan", [PAIR, OVER])
def test_the_lock_says_by_how_much_and_which_lines_carry_it(plan: Plan) -> None:
    lines = section(plan, LOCK)
    assert lines[0] == (
        "  Needed: 1391 ms/s of 1000 ms/s, which is 391 ms/s (39%) over. What uses it:"
    )
    assert [line.split() for line in lines[1:6]] == [
        ["line", "ms/s", "share"],
        ["orders:", "lookup", "591", "42%"],
        ["reports:", "kernel", "time", "300–400", "29%"],
        ["orders:", "kernel", "time", "300", "22%"],
        ["orders:", "traffic:", "packets", "100", "7%"],
    ]


def test_every_way_out_is_told_with_its_effect() -> None:
    text = " ".join(" ".join(section(OVER, LOCK)[6:]).split())
    told = text.split(" - ")
    assert told == [
        "Remedies of the guide for this lock, each on its own; other limits stay:",
        "IPI disks instead of SCSI: disk operations take 325 ms/s instead of 591 ms/s, 266 less; "
        "leaves 1125 ms/s, still over the limit. The SPARCstation-2 cannot attach them.",
        "An interface that processes protocols itself (Network CoProcessor, VME) on network "
        "office: saves 100 ms/s; leaves 1291 ms/s, still over the limit. The SPARCstation-2 "
        "cannot have it.",
        "Solaris 2.0, whose kernel has 130 locks: no gain, because the SPARCstation-2 has one "
        "processor.",
        "Several systems do not help. The 2 most even splits of the services over two systems were "
        "tried: none meets every limit on both.",
    ]


def test_the_deal_that_was_found_is_one_of_the_ways() -> None:
    text = " ".join(" ".join(section(PAIR, LOCK)).split())
    assert (
        "Two systems: orders on one (991 ms/s in its kernel), reports on the other (400 ms/s). "
        "This plan does so."
    ) in text


def _over(services: list[Any], **changes: Any) -> str:
    server = small.system(
        platform="sparcserver-690mp", processors=2, memory_mb=128, ports=(small.port("office"),)
    )
    plain = {**hand_plans.BUSY, "services": services, "volumes": [], "wishes": {}, **changes}
    return said(hand_plans.missing(plain, server))


FILES = {"kind": "nfs", "name": "files", "clients": 80, "load": {"ops_per_s_each": 2},
         "network": "office"}  # fmt: skip


def test_what_may_or_may_not_count_is_a_range() -> None:
    text = _over([FILES, hand_plans.measured("orders", 900)])
    assert (
        "on network office: saves 0 to 80 ms/s, depending on what counts under the lock; "
        "leaves 1020 to 1100 ms/s, still over the limit. - Solaris 2.0, whose kernel has 130 "
        "locks: up to 4 processors of the SS690MP run in the kernel at the same time; the gain is "
        "not stated. "
    ) in text


@pytest.mark.parametrize(
    ("services", "changes", "told"),
    [
        (["a", "b"], {"availability": {"systems": 1}},
         "Two systems: a on one (700 ms/s in its kernel), b on the other (700 ms/s). Not planned, "
         "because the workload asks for one system (see --systems 2)."),
        (["a"], {}, "do not help. Service a cannot be split over several systems."),
        (["a", "b", "c"], {}, "The 6 most even splits of the services over two systems were tried: "
         "none meets every limit on both. Nor does any that was tried over three systems."),
        (["a", "b", "c"], {"availability": {"systems": 3}},
         "The most even split of the services over three systems was tried and does not meet "
         "every limit on each."),
        (["a", "b"], {"availability": {"systems": 3}},
         "do not help. The services can be divided over at most 2 systems."),
        (["a", "b", "c"], {"availability": {"systems": 1}},
         "Several systems do not help. No split keeps both kernels within their locks."),
        ([*"abcdefghijklm"], {}, "The most even split of the services over two systems was tried "
         "and does not meet every limit on both. Nor does any that was tried over three to 13 "),
    ],
)  # fmt: skip
def test_two_systems_that_are_not_proposed_say_why(
    services: list[str], changes: dict[str, Any], told: str
) -> None:
    given = [hand_plans.measured(n, 700 if len(services) > 1 else 1200) for n in services]
    assert told in _over(given, **changes)


def test_services_that_hold_together_are_named() -> None:
    given = [hand_plans.measured("a", 1200), hand_plans.measured("b", 10)]
    one = {"availability": {"systems": 1}}
    told = "Several systems do not help. a alone would exceed the lock."
    assert told in _over(given, **one) and told not in _over(given)
    volumes = [{"name": "rows", "size_mb": 300, "access": "random"}]
    work = [{"name": "w", "volume": "rows", "ops_per_s": 1, "block_kb": 8}]
    given = [hand_plans.measured(n, 700, work=work) for n in "ab"]
    assert "do not help. The services share rows. Separate data" in _over(given, volumes=volumes)


def test_where_a_lock_is_not_exceeded_nothing_is_said_of_it() -> None:
    assert "Kernel lock of a single system" not in said(EVERY)


# --- work on disks, and processors ----------------------------------------------------------------


def _run() -> list[str]:
    """The cells of the only work in runs; lines below its first wrap what it is called."""
    lines = section(EVERY, "Work on disks")
    assert lines[0].split("  ")[1:2] == ["work"]
    return re.split(r" {2,}", lines[1].strip())


def test_work_on_disks_says_how_fast_it_goes_and_what_sets_that() -> None:
    """18 clients every 900 s ask 256 op/s; 12,800 operations take 12,800 ÷ pace at best."""
    _, demand, pace, by, run, wanted = _run()
    assert (demand, by, wanted) == ("256", "disks", "60 s")
    best = float(pace.split("–")[1])
    assert float(run.split("–")[0]) == pytest.approx(12800 / best, rel=0.005)


def test_low_priority_work_yields_and_is_not_counted() -> None:
    text = " ".join(" ".join(section(EVERY, "Work on disks")).split())
    assert text.endswith(
        "night: scan has low priority: it uses up to 32.5 ms/s of kernel time that other work "
        "leaves. No budget includes it."
    )
    assert EVERY.chosen is not None
    assert not any("night" in line.name for line in EVERY.chosen.load.kernel_lock or ())


def _set_by(returns_mb: Any, **work: Any) -> tuple[str, str]:
    services = [{**service} for service in hand_plans.EVERY["services"]]
    own = {**services[1]["work"][0], "returns_mb": returns_mb, **work}
    services[1]["work"] = [{key: value for key, value in own.items() if value is not None}]
    plan = hand_plans.holding({**hand_plans.EVERY, "services": services}, hand_plans.SERVER)
    cells = re.split(r" {2,}", section(plan, "Work on disks")[1].strip())
    return cells[2], cells[3]


def test_what_limits_the_pace_is_disks_or_the_network() -> None:
    """12,800 operations that return 50 MB are 4 KB each: FDDI passes 900 ÷ 4 = 225 a second.

    What returns 20 MB is passed at 900 ÷ 1.6 = 562 a second, faster than the disk reads.
    """
    pace, by = _set_by(50)
    assert (pace.split("–")[0], by) == ("225", "network")
    assert _set_by(20)[1] == "disks"
    assert _set_by(None, within_s=None)[1] == "disks"


def test_processors_outside_of_the_kernel() -> None:
    title = "Processors used by services outside the kernel"
    lines = section(EVERY, title)
    assert [re.split(r" {2,}", line.strip()) for line in lines[1:]] == [
        ["books", "0.5"],
        ["desk", "all"],
        ["night", "2", "low priority"],
        ["rest", "1–2", "one thread: at most one"],
        ["Processors used at most: 4, one of them for the kernel. The machine has 2."],
    ]


def _machines_rejected(*rejected: Rejection) -> list[str]:
    report: PlanReport = hand_plans.report_on(hand_plans.refusing(PAIR, rejected))
    text = plan_text(report).split("Rejected as a single system\n")[1]
    return re.findall(r"^  (S.*)$", text, re.MULTILINE)


def test_machines_of_one_name_are_told_apart_by_their_processors_if_reasons_differ() -> None:
    (one,) = OVER.rejected
    two = one._replace(processors=2, findings=one.findings[:1])
    assert len(one.findings) > 1
    assert _machines_rejected(one, two) == [
        "SPARCstation-2 with 1 processor", "SPARCstation-2 with 2 processors",
    ]  # fmt: skip
    lacking = [
        one._replace(processors=n, judgement=None, lacks=(_lacks(f"only {n} disks"),))
        for n in (1, 2)
    ]
    assert _machines_rejected(*lacking) == [
        "SPARCstation-2 with 1 processor", "SPARCstation-2 with 2 processors",
    ]  # fmt: skip


def test_machines_of_one_name_with_the_same_reasons_are_listed_once() -> None:
    (one,) = OVER.rejected
    assert _machines_rejected(one, one._replace(processors=2)) == ["SPARCstation-2"]


def test_the_closest_alternative_is_not_listed_again_among_other_platforms() -> None:
    (one,) = OVER.rejected
    alike = hand_plans.refusing(OVER, (one, one._replace(processors=2)), one)
    assert "Other platforms" not in plan_text(hand_plans.report_on(alike))


def test_no_parts_are_listed_of_an_alternative_that_could_not_be_put_together() -> None:
    """A heading without a part under it says nothing."""
    (one,) = OVER.rejected
    bare = one._replace(judgement=None, findings=(), lacks=(_lacks("it can attach no disks"),))
    assert "Parts of the closest alternative" in plan_text(hand_plans.report_on(OVER))
    text = plan_text(hand_plans.report_on(hand_plans.refusing(OVER, (bare,), bare)))
    assert "Parts of the closest alternative" not in text
    assert "No drive for backups" not in text


def _lacks(message: str) -> Shortfall:
    return Shortfall(
        "disks", "data", count(2, "needed", "disk"), count(1, "there", "disk"), message
    )
