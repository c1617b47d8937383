"""Rules whose facts a plan settles judge plans, and the planner follows them where it can."""

from __future__ import annotations

import pytest

from generated_workloads import ENGINE, Plain, planned
from sizewright.evaluate.policy import Policy
from sizewright.evaluate.system import evaluate
from sizewright.planner.plan import Plan
from small import channel, demand, disk, laid, system, volume


def database(product: str, **more: object) -> Plain:
    """Invented: one database on raw partitions."""
    service = {
        "kind": "database", "name": "orders", "product": product, "clients": 5,
        "network": "floor", "memory_mb": 12,
        "work": [{"name": "look-up", "volume": "rows", "ops_per_s": 10, "block_kb": 2}],
    }  # fmt: skip
    return {
        "name": "orders", "networks": [{"name": "floor", "medium": "ethernet"}],
        "volumes": [{"name": "rows", "size_mb": 300, "access": "random", "use": "raw"}],
        "services": [{**service, **more}],
    }  # fmt: skip


def verdicts(found: Plan, rule: str) -> set[str]:
    """What a rule says of a plan's configuration."""
    assert found.chosen is not None
    return {finding.verdict for finding in found.chosen.findings if finding.rule == rule}


@pytest.mark.parametrize(
    ("product", "software", "verdict"),
    [
        # 1.2.6: "if your database management system is Sybase, Informix, Oracle, or Ingres".
        ("oracle", {"sundbe-1.1"}, "holds"), ("sybase", {"sundbe-1.1"}, "holds"),
        ("interbase", set(), "not_applicable"),
    ],
)  # fmt: skip
def test_databases_that_gain_from_tuning_get_the_fuller_release(
    product: str, software: set[str], verdict: str
) -> None:
    found = planned(database(product))
    assert found.chosen is not None
    assert set(found.chosen.system.software) == software
    assert found.chosen.system.databases == (product,)
    assert verdicts(found, "1.2.6-database-tuning") == {verdict}


def lines(platform: str) -> Plain:
    """Invented: twelve serial printers and a parallel one, which no terminal server drives."""
    return {
        "name": "desks", "networks": [{"name": "office", "medium": "ethernet"}],
        "volumes": [{"name": "spool", "size_mb": 100, "access": "serial"}],
        "wishes": {"platforms": [platform]},
        "services": [
            {"kind": "nfs", "name": "files", "clients": 5, "network": "office",
             "load": {"ops_per_s_each": 1}},
            {"kind": "print", "name": "printers", "spool": "spool",
             "printers": [{"name": "serial", "attached": "serial", "count": 12},
                          {"name": "line", "attached": "parallel", "count": 1}]},
        ],
    }  # fmt: skip


@pytest.mark.parametrize(
    ("platform", "board", "verdicts_of_xx"),
    [
        # 2.9: the VME version in SS670 and SS690, which have many VME slots; 12 of its 16 lines.
        ("sparcserver-670mp", "alm-2", {"not_applicable"}),
        ("sparcserver-690mp", "alm-2", {"not_applicable"}),
    ],
)
def test_serial_lines_are_on_the_vme_bus_where_the_guide_prefers_it(
    platform: str, board: str, verdicts_of_xx: set[str]
) -> None:
    found = planned(lines(platform))
    assert found.chosen is not None
    assert [b.model for b in found.chosen.system.boards if b.model == board] == [board]
    assert verdicts(found, "XX") == verdicts_of_xx


def sessions(number: int, **more: object) -> Plain:
    """Invented: people who work on the machine itself, beside a few files."""
    return {
        "name": "desks", "networks": [{"name": "office", "medium": "ethernet"}],
        "volumes": [volume("home")],
        "services": [
            {"kind": "timesharing", "name": "desks", "sessions": number, "private_mb": 1,
             "network": "office", "traffic": {"packets_per_s": 10, "packet_byte": 100}},
        ],
        **more,
    }  # fmt: skip


FILES = {
    "kind": "nfs", "name": "files", "clients": 5, "network": "office",
     "load": {"ops_per_s_each": 1},
    "uses": ["home"],
}  # fmt: skip


@pytest.mark.parametrize(
    ("number", "fits"),
    # Table 4: 16 contexts; Rule II asks for fewer than 16 active processes.
    [(15, True), (16, False), (30, False)],
)
def test_active_sessions_need_a_context_each(number: int, fits: bool) -> None:
    found = planned(sessions(number, wishes={"platforms": ["sparcstation-2"]}))
    assert found.holds is fits
    assert found.shown is not None
    (finding,) = [f for f in found.shown.findings if f.rule == "II"]
    assert finding.verdict == ("holds" if fits else "violated")
    fact = found.shown.facts.system.active_processes
    assert fact is not None and (fact.low, fact.high) == (number, number)


@pytest.mark.parametrize(
    ("number", "nfsd", "active"),
    # 8 to 16 nfsd are customary (Rule II): 16 contexts - 1 - 0 sessions = 15; - 3 = 12.
    [(0, 15, 15), (3, 12, 15)],
)
def test_nfsd_take_the_contexts_that_are_left(number: int, nfsd: int, active: int) -> None:
    workload = sessions(number or 1, wishes={"platforms": ["sparcstation-2"]})
    workload["services"] = [*(workload["services"] if number else ()), FILES]
    found = planned(workload)
    assert found.shown is not None
    assert found.shown.system.tunables["nfsd"].likely == nfsd
    fact = found.shown.facts.system.active_processes
    assert fact is not None and fact.likely == active
    assert found.holds


def test_the_fewest_nfsd_and_many_sessions_are_too_many() -> None:
    """8 + 9 = 17 processes, and 16 contexts: no single SPARCstation-2."""
    workload = sessions(9, wishes={"platforms": ["sparcstation-2"]})
    workload["services"] = [*workload["services"], FILES]
    assert planned(workload).group is not None


def mail(messages: int = 4000, **more: object) -> Plain:
    """Invented: messages stored and forwarded, with six writes each (1.3.1.2)."""
    return {
        "name": "post", "networks": [{"name": "office", "medium": "ethernet"}],
        "volumes": [volume("boxes", **more)],
        "wishes": {"platforms": ["sparcserver-690mp"]},
        "services": [
            {"kind": "mail", "name": "post", "volume": "boxes", "messages_a_day": 2 * messages,
             "prime_messages": messages, "prime_s": 7200, "temporary_files": 2},
        ],
    }  # fmt: skip


@pytest.mark.parametrize(
    ("messages", "verdict"), [(3600, "holds"), (3599, "not_applicable"), (1000, "not_applicable")]
)
def test_mail_gets_a_write_accelerator(messages: int, verdict: str) -> None:
    """Rule XVI: 3600 × 6 ÷ 7200 s = 3 op/s are 5 % of the 60 op/s of one disk (2.4.4)."""
    found = planned(mail(messages))
    assert found.chosen is not None
    assert bool(found.chosen.system.accelerator) is (verdict == "holds")
    assert verdicts(found, "XVI") == {verdict}


def test_a_write_accelerator_serves_no_disks_of_two_ports() -> None:
    """Rule XIX goes before XVI; 1.3.1.2 has dual-ported disks on IPI strings."""
    found = planned(mail(dual_ported=True))
    assert found.chosen is not None
    assert not found.chosen.system.accelerator
    assert [d.dual_ported for d in found.chosen.system.devices() if d.kind == "disk"] == [True]
    assert verdicts(found, "XVI") == {"not_applicable"}
    assert verdicts(found, "2.4.3-dual-port") == {"holds"}


@pytest.mark.parametrize(("ports", "verdict"), [(False, "violated"), (True, "holds")])
def test_a_customer_hears_of_mirrors_that_a_write_accelerator_serves(
    ports: bool, verdict: str
) -> None:
    """Rule XVIII is about writes that the accelerator commits; XIX keeps it off two ports."""
    disks = (disk(name)._replace(dual_ported=ports) for name in "ab")
    found = evaluate(
        demand({"uses": ["data"]}, volumes=[volume("data", protection="mirror")]),
        system(
            accelerator="sbus-prestoserve", channels=(channel("builtin-1", *disks),),
            volumes=(laid("data", {"a": 100}, {"b": 100}),),
        ),
        ENGINE.guide, ENGINE.judging("plan"), Policy(),
    )  # fmt: skip
    assert {f.verdict for f in found.findings if f.rule == "XVIII"} == {verdict}


@pytest.mark.parametrize("when", ["during_working_hours", "at_night_in_use"])
@pytest.mark.parametrize("activity", ["hot", "cold"])
def test_tapes_that_run_while_the_system_is_in_use_keep_off_disks_in_use(
    when: str, activity: str
) -> None:
    """Rule VIII: of disks with a load, hot or not."""
    workload = sessions(2, backup={when: True}, wishes={"platforms": ["sparcstation-2"]})
    workload["services"] = [{**FILES, "load": {"ops_per_s_each": 2}}]
    workload["volumes"] = [volume("home", activity=activity)]
    found = planned(workload)
    assert found.chosen is not None
    kinds = [{d.kind for d in channel.devices} for channel in found.chosen.system.channels]
    assert not any({"disk", "tape"} <= each for each in kinds)
    assert verdicts(found, "VIII") == {"holds", "not_applicable"}


@pytest.mark.parametrize(("ops", "shared"), [(0.02, True), (2, False)])
def test_tapes_keep_off_disks_with_more_than_a_least_load(ops: float, shared: bool) -> None:
    """Rule VIII: of 60 op/s of a disk, 0.1 are almost nothing (2.4.2), and 10 are not."""
    backup = {"during_working_hours": True}
    workload = sessions(2, backup=backup, wishes={"platforms": ["sparcstation-2"]})
    workload["services"] = [{**FILES, "load": {"ops_per_s_each": ops}}]
    workload["volumes"] = [volume("home", activity="cold")]
    found = planned(workload)
    assert found.chosen is not None
    kinds = [{d.kind for d in channel.devices} for channel in found.chosen.system.channels]
    assert any({"disk", "tape"} <= each for each in kinds) is shared
