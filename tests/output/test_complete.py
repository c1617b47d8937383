"""Reports on what nobody stated: the system's own disk, backups, and parts for almost no load."""

from __future__ import annotations

from math import log
from typing import Any

import pytest
import yaml

from generated_workloads import ENGINE, planned, read
from sizewright.api import load_engine, plan_report, report_plan
from sizewright.configuration.model import System
from sizewright.documents import parse_document
from sizewright.output.plan import plan_text
from sizewright.planner.plan import Plan
from sizewright.workload.reading import read_workload
from small import plain, volume

FEW = {"name": "homes", "clients": 2, "mix": "legato", "uses": ["homes"]}


def small(load: float = 1, **more: Any) -> dict[str, Any]:
    homes = volume("homes", 650, activity="cold")
    service = {**FEW, "load": {"ops_per_s_each": load}}
    return plain(service, volumes=[homes], wishes={"system_elsewhere": False}, **more)


def chosen(found: Plan) -> System:
    assert found.chosen is not None
    return found.chosen.system


def text_of(workload: dict[str, Any]) -> str:
    document = parse_document("{}", "small.yaml")
    return " ".join(plan_text(plan_report(planned(workload), read(workload), document)).split())


def test_the_disk_of_the_system_is_ordered_and_its_size_explained() -> None:
    """650 MB and 450 MB: no drive of 424 MB holds either, one of 1.3 GB both (85 %)."""
    workload = small()
    system = chosen(planned(workload))
    assert [d.model for d in system.devices() if d.kind == "disk"] == ["1-3gb-scsi"]
    text = text_of(workload)
    assert "The workload does not state operating system: 450 MB" in text
    assert "section 1.2.9.3" in text


def test_a_system_that_must_survive_a_disk_has_its_own_disk_twice() -> None:
    system = chosen(planned(small(availability={"survives": ["disk"]})))
    copies = {each.name: len(each.copies) for each in system.volumes}
    assert copies == {"homes": 2, "operating system": 2}


def test_a_plan_without_backups_says_so() -> None:
    said = "Backups are not planned: the workload states no `backup`."
    assert said in text_of(small())
    asked = {"during_working_hours": False}
    assert said not in text_of(small(backup=asked))


def test_what_the_guide_has_for_memory_that_is_not_stated_is_offered() -> None:
    """ArcInfo's working set is 8 to 10 MB (1.3.1.2)."""
    sessions = {"kind": "timesharing", "name": "desks", "sessions": 10}
    offered = "For memory of its sessions the guide has 8–10 MB for ArcInfo [section 1.3.1.2]"
    assert offered in text_of(plain(services=[sessions], volumes=[]))
    stated = {**sessions, "private_mb": 2}
    assert "the guide has" not in text_of(plain(services=[stated], volumes=[]))


def test_that_processor_time_was_measured_on_the_planned_machine_is_an_assumption() -> None:
    """A slower machine that it was measured on makes it less; `measured_on` names it."""
    desks = {"kind": "timesharing", "name": "desks", "sessions": 10, "user_processors": 0.2}
    said = "The processor time of desks is as measured on the planned machine"
    assert said in text_of(plain(services=[desks], volumes=[]))
    stated = {**desks, "measured_on": "SPARCstation-2"}
    assert said not in text_of(plain(services=[stated], volumes=[]))


def test_what_a_buyer_needs_beside_the_order_is_named() -> None:
    """No guide prices or counts them; a database manager is bought from its vendor."""
    beside = "cables, terminators and a power supply for outages."
    assert f"Not in this order: {beside}" in text_of(small())
    work = [{"name": "reads", "volume": "rows", "ops_per_s": 5}]
    orders = {"kind": "database", "name": "orders", "product": "oracle", "clients": 5, "work": work}
    asked = plain(services=[orders], volumes=[volume("rows", 200)], networks=[])
    assert f"Not in this order: Oracle, {beside}" in text_of(asked)


def test_disks_for_which_the_guide_has_no_housings_are_named() -> None:
    """2.4.3 has trays for IPI drives; of SCSI drives nobody prints how many a machine holds."""
    said = "No housings for disks of interface SCSI: the guide does not state how many"
    assert said in text_of(small())
    ported = {**small(), "volumes": [volume("homes", 650, dual_ported=True)]}
    text = text_of({**ported, "wishes": {"system_elsewhere": True}})
    assert "IPI disk" in text and "No housings" not in text


@pytest.mark.parametrize(("load", "accelerated"), [(1, False), (11, False), (12, True)])
def test_no_board_for_almost_no_load(load: float, accelerated: bool) -> None:
    """Rule XIV: 2 × 11 of 450 op/s (Table 1) are 4.9 %; from 5 % on the advice is followed."""
    assert bool(chosen(planned(small(load))).accelerator) is accelerated


@pytest.mark.parametrize(("reads", "tuned"), [(2.9, False), (3, True), (None, True)])
def test_no_software_for_a_database_that_does_almost_nothing(
    reads: float | None, tuned: bool
) -> None:
    """Rule 1.2.6: a drive sustains 60 op/s at 65 % (2.4.4); of unknown load it is ordered."""
    work = {"ops_per_s": reads} if reads else {"mb": 1, "as_fast_as_disks": True}
    rows = {
        "kind": "database", "name": "rows", "product": "oracle", "clients": 2, "network": "north",
        "work": [{"name": "reads", "volume": "homes", "block_kb": 2, **work}],
    }  # fmt: skip
    found = {**plain(volumes=[volume("homes", 100)]), "services": [rows]}
    assert any(s.startswith("sundbe") for s in chosen(planned(found)).software) is tuned


@pytest.mark.parametrize(("each", "networks"), [(0.17, 1), (0.18, 2)])
def test_no_second_network_for_many_clients_with_almost_no_data(each: float, networks: int) -> None:
    """Rule XI: 5 % of the 440 KB/s that an Ethernet passes of small requests are 22 KB/s.

    35 % of 10 Mb/s, 427 KB/s, are 400 op/s of the mix (Table 2): 20.6 op/s are 22 KB/s.
    """
    many = {**FEW, "clients": 120, "load": {"ops_per_s_each": each}}
    wires = [{"name": "north", "medium": "ethernet", "segments_at_most": 2}]
    found = plain(many, volumes=[volume("homes", 100)], networks=wires)
    assert len(chosen(planned(found)).ports) == networks


def test_the_threshold_is_a_parameter() -> None:
    policy = {"parameters": {"XIV": {"least_load": 0}, "XXVIII": {"least_load": 0}}}
    assert chosen(planned(small(policy=policy))).accelerator
    assert ENGINE.guide.rules["XIV"]["parameters"]["least_load"]["value"] == 0.05


@pytest.mark.parametrize(
    ("clients", "said"),
    [
        # The largest machine sustains 650 op/s (Table 1): 27,000 ÷ 650 = 41.5.
        (2700, "about 42 of the SS690MP: outside this guide's range"),
        # No more systems than may be planned.
        (200, ""),
    ],
)
def test_a_load_far_beyond_the_guide_is_called_so(clients: int, said: str) -> None:
    service = {**FEW, "clients": clients, "load": {"ops_per_s_each": 10}}
    networks = [{"name": "north", "medium": "ethernet", "segments_at_most": 1}]
    workload = plain(service, volumes=[volume("homes")], networks=networks)
    text = text_of(workload)
    assert "reduce the load to" in text
    assert said in text if said else "outside this guide's range" not in text


def test_a_load_of_which_not_a_percent_passes_is_called_so_too() -> None:
    """300,000 op/s ÷ the 650 that the largest machine sustains (Table 1) are 461.5."""
    service = {**FEW, "clients": 30_000, "load": {"ops_per_s_each": 10}}
    networks = [{"name": "north", "medium": "ethernet", "segments_at_most": 1}]
    text = text_of(plain(service, volumes=[volume("homes")], networks=networks))
    first = text.split("Change this first:")[1].split("Closest alternative")[0]
    assert "about 462 of the SS690MP: outside this guide's range" in first
    assert "meet rule" not in first


@pytest.mark.parametrize(
    ("data_kb_per_s", "said"),
    [
        # Users see 440 KB/s of an Ethernet's 1221 (Table 10): 22/440 is 5 %, and 22/1221 is 2 %.
        (
            22,
            "Nearest recommended limit on a load: data on network north, 22 of 440 KB/s "
            "(95% headroom)",
        ),
        # Above 440 KB/s the plan is borderline, and says so.
        (500, "Borderline: 500 KB/s"),
    ],
)
def test_the_nearest_recommended_limit_is_named(data_kb_per_s: float, said: str) -> None:
    service = {"kind": "measured", "name": "pages", "network": "north",
               "traffic": {"kb_per_s": data_kb_per_s}}  # fmt: skip
    stated = plain(volumes=[volume("homes")])
    text = text_of({**stated, "services": [service]})
    assert said in text
    assert ("Nearest recommended limit" in text) == said.startswith("Nearest")


def test_the_bottleneck_after_the_worst_failure_is_named() -> None:
    """300 op/s are over two Ethernets of 320 op/s; after a failure one has them all."""
    service = {**FEW, "clients": 30, "load": {"ops_per_s_each": 10}}
    stated = plain(service, volumes=[volume("homes")], availability={"survives": ["network"]},
                   policy={"follow_advice": "never"})  # fmt: skip
    text = text_of(stated)
    assert "Bottleneck after the failure of network north-1: network north-2, 300 of 320" in text
    assert "(6% headroom)" in text
    assert "after the failure" not in text_of({**stated, "availability": {"survives": []}})


def test_growth_and_break_even_count_the_failure_that_is_survived() -> None:
    """300 op/s of the 320 of one Ethernet grow by a tenth a year: ln(320 / 300) / ln(1.1) years."""
    service = {**FEW, "clients": 30, "load": {"ops_per_s_each": 10}}
    stated = plain(service, volumes=[volume("homes")], availability={"survives": ["network"]},
                   growth={"percent": 10, "years": 0.1})  # fmt: skip
    document = parse_document("{}", "small.yaml")
    report = report_plan(read(stated), document, ENGINE, break_even=True)
    first = report.growth[0]
    assert first.resource == "primary/network/north-2"
    assert first.years == pytest.approx(log(320 / 300) / log(1.1), rel=1e-3)
    assert report.break_even is not None
    clients = next(
        flip.value for flip in report.break_even.flips if flip.leaf.name.endswith("clients")
    )
    assert clients == pytest.approx(30 * 320 / 300 / 1.1**0.1)
    text = " ".join(plan_text(report).split())
    assert text.count("Counted as after the failure of network north-1.") == 2


def test_a_range_that_decides_how_much_memory_is_ordered_is_named() -> None:
    """Table 3: 1 to 80 MB of 15 to 94 MB are shared memory of Informix; the middle is 54 MB."""
    rows = volume("rows", 300, use="raw")
    work = [{"name": "find", "volume": "rows", "ops_per_s": 5}]
    service = {"kind": "database", "name": "db", "product": "informix-online", "clients": 15,
               "work": work}  # fmt: skip
    text = text_of({**plain(volumes=[rows], networks=[]), "services": [service]})
    assert (
        "The memory is for the high end of a range: db: back end, 6.58\u201385.6 MB. "
        "With the likely values 64 MB hold all that is counted."
    ) in text
    # At most (4 + 3 × 2) × 1.5 + 8 = 23 MB, and the least memory is 32 MB.
    oracle = {**service, "product": "oracle", "clients": 3}
    assert "high end of a range" not in text_of(
        {**plain(volumes=[rows], networks=[]), "services": [oracle]}
    )


@pytest.mark.parametrize(("clients", "told"), [(16, False), (17, True)])
def test_the_rule_that_asks_for_more_memory_than_is_used_is_named(clients: int, told: bool) -> None:
    """12 MB are used; rule III asks for 2 MB a client, and the least memory is 32 MB."""
    said = "The memory is for rule III: all that is counted takes 12 MB."
    assert (said in text_of(plain({"clients": clients}))) is told


def test_a_rule_is_named_if_less_memory_holds_also_the_high_end_of_a_range() -> None:
    """Oracle has up to (4 + 12 × 2) × 1.5 = 42 MB and the system 12 MB: 64 MB hold the 54 MB.

    Rule III asks for 32 MB beside the 42, so that a SPARCstation-2 has 96 MB.
    """
    rows = volume("rows", 300, use="raw")
    work = [{"name": "find", "volume": "rows", "ops_per_s": 5}]
    database = {"kind": "database", "name": "db", "product": "oracle", "clients": 12, "work": work,
                "user_processors": 0.1, "active": 1}  # fmt: skip
    wishes = {"platforms": ["sparcstation-2"]}
    files = {**FEW, "clients": 30, "load": {"ops_per_s_each": 1}}
    stated = plain(files, volumes=[rows, volume("homes")], wishes=wishes)
    stated["services"].append(database)
    text = text_of(stated)
    assert "1 processor, 96 MB memory" in text
    assert "The memory is for rule III: all that is counted takes 54 MB." in text
    assert "high end of a range" not in text


def test_a_log_with_one_copy_beside_mirrored_data_is_named() -> None:
    data = volume("rows", 300, use="raw", protection="mirror")
    work = [{"name": "change", "volume": "rows", "operation": "update", "ops_per_s": 5}]
    service = {"kind": "database", "name": "db", "product": "sybase", "clients": 5, "work": work,
               "log": "journal"}  # fmt: skip
    lost = "if the disk of journal fails, what journal holds is lost."
    said = f"rows is mirrored, and journal is not: {lost}"
    for protection, told in (("none", True), ("mirror", False)):
        log = volume("journal", 50, use="log", access="serial", protection=protection)
        stated = {**plain(volumes=[data, log], networks=[]), "services": [service]}
        assert (said in text_of(stated)) is told


def test_a_load_is_reduced_to_no_more_than_is_supported() -> None:
    """One Ethernet takes 320 op/s: 16.8 % of 1900, so that 17 % would be too much."""
    service = {**FEW, "clients": 100, "active": 100, "load": {"ops_per_s_each": 19}}
    networks = [{"name": "north", "medium": "ethernet", "segments_at_most": 1}]
    text = text_of(plain(service, volumes=[volume("homes")], networks=networks))
    assert "reduce the load to 16% (304 of 1900 op/s of NFS)" in text


@pytest.mark.parametrize(
    ("gigabytes", "ops", "said"),
    [
        # Five controllers with eight drives of 1.3 GB hold 49,400 MB: 3,000,000 ÷ 49,400 = 60.7.
        (3000, 10, "about 61 of the SS690MP: outside this guide's range"),
        # The load needs more machines than the data: 42,000 ÷ 650 = 64.6 (Table 1).
        (3000, 4200, "about 65 of the SS690MP: outside this guide's range"),
        (200, 10, ""),
    ],
)
def test_data_far_beyond_the_guide_is_called_so(gigabytes: int, ops: int, said: str) -> None:
    service = {**FEW, "clients": 10, "active": 10, "load": {"ops_per_s_each": ops}}
    text = " ".join(text_of(plain(service, volumes=[volume("homes", gigabytes * 1000)])).split())
    assert "at most 49.4 GB of room for data for homes" in text
    assert "; or use a machine of another guide." in text
    assert said in text if said else "outside this guide's range" not in text


def test_of_too_many_printers_it_says_how_many_can_be_connected() -> None:
    """An SS690MP has slots for nine ALM-2 and four Serial/Parallel boards, a port on each (2.9)."""
    pages = {"name": "pages", "attached": "parallel", "count": 20}
    stated = plain(volumes=[volume("spool")], networks=[])
    stated["services"] = [{"kind": "print", "name": "lp", "spool": "spool", "printers": [pages]}]
    assert "Change this first: ask for at most 13 ports for pages; or" in text_of(stated)


def test_what_no_machine_can_have_is_named_where_the_change_is() -> None:
    line = {"name": "trunk", "protocol": "tcp", "kbit_per_s": 45000}
    stated = plain(volumes=[], networks=[])
    stated["services"] = [{"kind": "gateway", "name": "far", "lines": [line]}]
    text = text_of(stated)
    assert "Change this first: ask for less: it has no port for trunk at 45000 Kb/s; or use" in text


def test_a_wish_that_conflicts_is_the_first_thing_to_change_without_a_closest_machine() -> None:
    """A single machine would do, so that none is refused."""
    stated = plain(volumes=[volume("rows", use="raw")], networks=[], availability={"systems": 2})
    work = {"name": "find", "volume": "rows", "ops_per_s": 5}
    stated["services"] = [
        {"kind": "database", "name": "rows", "product": "oracle", "clients": 2, "work": [work]}
    ]
    report = report_plan(read(stated), parse_document("{}", "small.yaml"), ENGINE)
    assert report.plan.nearest is None
    text = " ".join(plan_text(report).split())
    assert "Change this first: drop `availability.systems: 2`." in text


def test_a_load_that_is_nearly_all_supported_is_not_to_be_reduced() -> None:
    """What fails is the medium, whose advice must be followed; no load is small enough."""
    wishes = {"policy": {"follow_advice": "always"}, "backup": {"during_working_hours": False}}
    nets = [{"name": "ring", "medium": "token-ring-16mb"}]
    stated = plain({**FEW, "network": "ring"}, volumes=[volume("homes")], networks=nets, **wishes)
    report = report_plan(read(stated), parse_document("{}", "small.yaml"), ENGINE)
    text = " ".join(plan_text(report).split())
    assert "Change this first: drop `networks[ring].medium: token-ring-16mb`" in text
    assert "reduce the load to 100%" not in text


def test_a_volume_named_as_backups_are_is_not_taken_for_them() -> None:
    tapes = {"backup": {"during_working_hours": False}}
    text = text_of(plain(FEW, volumes=[volume("homes"), volume("backups")], **tapes))
    assert "No drive for backups" not in text
    assert "every limit at the high end of all ranges for the load that is stated." in text


def test_a_drive_and_a_disk_of_the_system_are_no_load() -> None:
    """The guide of Auspex gives no size for an operating system."""
    service, wishes = {**FEW, "mix": "average"}, {"system_elsewhere": False}
    stated = plain(service, volumes=[volume("homes")], guide="auspex-1992", wishes=wishes)
    document = parse_document(yaml.safe_dump(stated), "w.yaml")
    report = report_plan(read_workload(document), document, load_engine("auspex-1992"))
    assert {each.subject for each in report.not_counted} == {"backups", "operating system"}
    assert "every limit at the high end of all ranges." in " ".join(plan_text(report).split())


def test_the_year_of_a_recommended_limit_is_named_if_it_comes_first() -> None:
    """Table 10: users see an Ethernet pass 440 KB/s; 1,221 are its speed on the wire."""
    mix = {"reads_percent": 90, "writes_percent": 0}

    def text(growth: float) -> str:
        service = {**FEW, "clients": 10, "mix": mix, "load": {"ops_per_s_each": 5}}
        volumes = [volume("homes", 650, access="serial")]
        return text_of(plain(service, volumes=volumes, growth={"percent": growth, "years": 1}))

    # 50 op/s of which 90 % move 8 KB are 360 KB/s today.
    assert "First recommended limit: data on network north reaches it after 1.1 years." in text(20)
    assert "First recommended limit" not in text(0)


def test_machines_of_one_name_have_their_processors_beside_the_closest() -> None:
    """1,200 op/s are more than it serves; with two processors it lacks processors as well."""
    busy = {
        "kind": "measured", "name": "users", "user_processors": 3.5,
        "measured_on": "sparcserver-690mp",
        "work": [{"name": "look", "volume": "homes", "ops_per_s": 1200, "block_kb": 2}],
    }  # fmt: skip
    rows = volume("homes", 8000, use="raw")
    text = text_of({
        "name": "over", "services": [busy], "volumes": [rows],
        "wishes": {"platforms": ["sparcserver-690mp"]},
    })  # fmt: skip
    assert "Closest alternative: SS690MP with 4 processors." in text
    assert " SS690MP with 2 processors" in text.partition("Other platforms")[2]


def test_two_groups_of_disks_of_a_model_have_the_numbers_of_their_disks() -> None:
    """Two disks with 15 op/s and two with 6."""
    data = [volume(name, 1000, own_disks=True) for name in ("a", "b", "c", "d")]
    services = [
        {"name": name, "clients": 10, "load": {"ops_per_s_each": rate}, "uses": [name]}
        for name, rate in zip("abcd", (5, 5, 2, 2), strict=True)
    ]
    workload = plain(*services, volumes=data)
    report = plan_report(planned(workload), read(workload), parse_document("{}", "small.yaml"))
    told = [name for name, _, _ in report.names.alike(
        (budget, (str(budget.used),)) for budget in report.budgets if budget.kind == "disk"
    )]  # fmt: skip
    assert told == ["load, 1.3 GB disk #1 and #2", "load, 1.3 GB disk #3 and #4"]


def test_two_systems_of_a_pair_share_networks_that_no_other_pair_is_on() -> None:
    """Each of two pairs has two of four Ethernets, with 190 op/s of both systems on each."""
    files = {"clients": 75, "load": {"ops_per_s_each": 5}}
    stated = plain(
        {**files, "uses": ["a"]}, {**files, "uses": ["b"]},
        volumes=[volume("a", 400), volume("b", 400)], availability={"survives": ["system"]},
        networks=[{"name": "north", "medium": "ethernet", "segments_at_most": 8}],
    )  # fmt: skip
    report = report_plan(read(stated), parse_document("{}", "small.yaml"), ENGINE)
    text = " ".join(plan_text(report).split())
    assert text.count("on networks of its pair alone (4 for north in all).") == 2
    assert "with up to 1 systems" not in text


@pytest.mark.parametrize(
    ("segments", "told"),
    [(1, "on one network for north with up to 4 systems."),
     (3, "on one of 3 networks for north with up to 2 systems."),
     (4, "on networks of its own (4 for north in all).")],
)  # fmt: skip
def test_systems_that_share_networks_say_how_many_there_are(segments: int, told: str) -> None:
    """320 op/s of four systems on one Ethernet; 160 on that of three which two of them share."""
    files = {"clients": 64, "load": {"ops_per_s_each": 5}, "uses": ["files"]}
    workload = read(plain(
        files, volumes=[volume("files", 500)], availability={"systems": 4},
        networks=[{"name": "north", "medium": "ethernet", "segments_at_most": segments}],
    ))  # fmt: skip
    report = report_plan(workload, parse_document("{}", "small.yaml"), ENGINE)
    text = " ".join(plan_text(report).split())
    assert f"Each for a part of service-0, {told}" in text


def test_advice_that_a_pair_could_follow_has_its_remedy() -> None:
    """An SS690MP has up to 4 processors. 1.4 for services and one for the kernel are 3.

    After a failure the job stops, and 0.4 and the kernel need only two.
    """
    rows = volume("rows", 300, use="raw")
    work = [{"name": "find", "volume": "rows", "ops_per_s": 5}]
    database = {"kind": "database", "name": "db", "product": "oracle", "clients": 2, "work": work,
                "user_processors": 0.4, "traffic": {"kb_per_s": 1}, "network": "north"}  # fmt: skip
    job = {"kind": "batch", "name": "job", "jobs": 1, "job_mb": 1, "work": work}
    stated = {**plain(volumes=[rows]), "services": [database, job]}
    stated["availability"] = {
        "survives": ["system"], "degraded": [{"service": "job", "at_least": "0 %"}],
    }  # fmt: skip
    text = text_of(stated)
    assert "SS690MP has 2 processors; the services can use 3. To do: Add processors." in text
    assert "Nothing is added for advice on what it runs otherwise." in text
    assert "No configuration of this machine that was tried passes" not in text


def test_advice_that_costs_more_advice_of_another_rule_says_how_much_there_is_without_it() -> None:
    """One Ethernet has 120 clients, above 100 (XI); two have two interfaces without offload."""
    service = {"clients": 120, "diskless": True, "load": {"ops_per_s_each": 1}}
    network = {"name": "north", "medium": "ethernet", "segments_at_most": 2}
    workload = plain(service, networks=[network], wishes={"platforms": ["sparcstation-2"]})
    assert len(chosen(planned(workload)).ports) == 1
    assert (
        "go over north-1 (rule 1.1.2-diskless; the same for 1 more). Without it, rule "
        "1.1.2-diskless is missed on 1 network instead of 2."
    ) in text_of(workload)
