"""A workload from an existing server: what was observed, ready to be planned."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given

from check.test_first_step import disk, server
from generated_boxes import boxes
from generated_workloads import ENGINE, Plain, text_of
from settled import settled
from sizewright.api import report_plan
from sizewright.box.reading import read_box
from sizewright.box.workload import DraftedWorkload, draft_workload
from sizewright.demand.build import demand_of
from sizewright.documents import parse_document
from sizewright.errors import InputError
from sizewright.output.box_file import box_text
from sizewright.plans import plan
from sizewright.workload.reading import read_workload
from sizewright.workload.workload import Workload


def drafted(plain: Plain) -> DraftedWorkload:
    return draft_workload(read_box(parse_document(text_of(plain), "box.yaml")), ENGINE.guide)


def read(found: DraftedWorkload) -> Workload:
    return read_workload(parse_document(found.text(), "workload.yaml"))


NETWORK = {"name": "le0", "interface": "lance-ethernet", "clients": 20, "diskless_clients": 0}
VOLUME = {"name": "data", "copies": [["a"]], "size_mb": 500, "access": "random"}


def service(found: DraftedWorkload, name: str) -> dict[str, Any]:
    return next(each for each in found.data["services"] if each["name"] == name)


def test_what_was_observed_is_stated() -> None:
    """200 op/s of 20 clients are 10 each; 30 % of two processors are 0.6 of one.

    NFS has 20 % of 200 = 40 of the 70 reads on the disk, and 5 % = 10 of the 16 writes. These 50
    move 8 KB each (1.1.9): 400 of the 460 KB/s on the network.
    """
    seen = {
        "nfs": {"ops_per_s": 200, "reads_percent": 20, "writes_percent": 5},
        "cpu": {"user_percent": 30, "system_percent": 40},
        "networks": {"le0": {"ops_per_s": 200, "data_kb_per_s": 460}},
        "disks": {"a": {"reads_per_s": 70, "writes_per_s": 16, "kb_per_s": 688}},
    }
    found = drafted(
        server(
            [disk("a")], services=["nfs", "timesharing"], networks=[NETWORK], observed=seen,
            memory={"total_mb": 64},
        ) | {"volumes": [VOLUME]}
    )  # fmt: skip
    assert service(found, "nfs") == {
        "kind": "nfs", "name": "nfs", "clients": 20, "load": {"ops_per_s_each": 10},
        "mix": {"reads_percent": 20, "writes_percent": 5}, "network": "le0",
        "uses": {"data": 86},
    }  # fmt: skip
    assert service(found, "traffic-le0")["traffic"] == {"kb_per_s": 60}
    own = service(found, "measured")
    assert own["user_processors"] == pytest.approx(0.6)
    assert own["measured_on"] == "sparcserver-670mp"
    assert [(w["operation"], w["ops_per_s"], w["block_kb"]) for w in own["work"]] == [
        ("read", 30, 8), ("update", 6, 8),
    ]  # fmt: skip
    # Solaris 1.0.1 itself needs 12 MB (1.1.5).
    assert own["memory_mb"] == 64 - 12
    assert found.data["volumes"] == [{"name": "data", "size_mb": 500, "access": "random"}]
    assert plan(read(found), ENGINE).chosen is not None


@pytest.mark.parametrize("roots", [["whole"], ["root", "usr"]])
def test_the_operating_system_of_a_server_is_not_added_a_second_time(roots: list[str]) -> None:
    """Also if it is on two volumes."""
    volumes = [{**VOLUME, "name": name, "use": "root"} for name in roots]
    seen = {"nfs": {"ops_per_s": 50}}
    stated = server([disk("a")], services=["nfs"], networks=[NETWORK], observed=seen)
    stated["memory"] = {"total_mb": 64}
    found = drafted(stated | {"volumes": [VOLUME, *volumes]})
    demand = demand_of(read(found), ENGINE.guide)
    assert [v.name for v in demand.volumes if v.use == "root"] == roots
    assert not [v for v in demand.volumes if v.added and v.use == "root"]


def test_reads_and_writes_have_the_sizes_that_were_measured() -> None:
    """1280 KB/s of 20 reads are 64 KB each, 160 of 20 writes 8 KB; their mean is 36."""
    seen = {"reads_per_s": 20, "writes_per_s": 20, "read_kb_per_s": 1280, "write_kb_per_s": 160}
    plain = server([disk("a")], services=["database"], observed={"disks": {"a": seen}})
    own = service(drafted(plain | {"volumes": [VOLUME]}), "measured")
    assert [(each["operation"], each["block_kb"]) for each in own["work"]] == [
        ("read", 64), ("update", 8),
    ]  # fmt: skip


def test_the_growth_of_a_volume_is_missing_until_a_horizon_is_stated() -> None:
    grows = VOLUME | {"growth_mb_per_year": 120}
    seen = {"nfs": {"ops_per_s": 200, "reads_percent": 20, "writes_percent": 5}}
    plain = server([disk("a")], services=["nfs"], networks=[NETWORK], observed=seen)
    found = drafted(plain | {"volumes": [grows]})
    assert "volume data: state growth_mb_per_year: 120 with growth" in found.missing
    assert read(found).volumes[0].size_mb is not None


def test_user_time_is_scaled_by_the_speed_of_the_processor() -> None:
    """A SPARCstation 1 does 12.5 MIPS, a SPARCserver 630MP 28.5 (section 1.2.9.3)."""
    own = {"kind": "measured", "name": "m", "user_processors": 0.5, "measured_on": "sparcstation-1"}
    plain = {"name": "w", "services": [own]}
    rates = {}
    for measured_on in ("sparcstation-1", "sparcserver-670mp"):
        own["measured_on"] = measured_on
        found = plan(read_workload(parse_document(text_of(plain), "w.yaml")), ENGINE)
        assert found.chosen is not None
        (line,) = [x for x in found.chosen.load.processors or () if "its own work" in x.name]
        rates[measured_on] = line.figure.high
    mips = {name: ENGINE.guide.row("platforms", name).require("mips").high for name in rates}
    assert rates["sparcserver-670mp"] == 500
    assert rates["sparcstation-1"] == pytest.approx(
        500 * mips["sparcstation-1"] / mips["sparcserver-670mp"]
    )


def test_file_service_alone_uses_volumes_by_their_operations() -> None:
    seen = {
        "nfs": {"ops_per_s": 60}, "disks": {"a": {"ops_per_s": 30}, "b": {"ops_per_s": 10}},
    }  # fmt: skip
    volumes = [VOLUME, VOLUME | {"name": "more", "copies": [["b"]]}]
    found = drafted(
        server([disk("a"), disk("b")], services=["nfs"], networks=[NETWORK], observed=seen)
        | {"volumes": volumes}
    )
    assert service(found, "nfs")["uses"] == {"data": 30, "more": 10}
    assert not [each for each in found.data["services"] if "work" in each]


def test_a_mirror_has_its_writes_once_and_the_reads_of_both_copies() -> None:
    rate = {"reads_per_s": 10, "writes_per_s": 6, "kb_per_s": 128}
    found = drafted(
        server(
            [disk("a"), disk("b")], services=["batch"], observed={"disks": {"a": rate, "b": rate}}
        )
        | {"volumes": [VOLUME | {"copies": [["a"], ["b"]]}]}
    )
    assert found.data["volumes"][0]["protection"] == "mirror"
    work = service(found, "measured")["work"]
    assert [(each["operation"], each["ops_per_s"]) for each in work] == [
        ("read", 20),
        ("update", 6),
    ]


def test_peaks_of_disks_at_different_moments_are_not_added() -> None:
    """Together 60 op/s in the first report; the second disk does 20 at its own peak."""
    reports = [{"disks": {"a": {"ops_per_s": 50}, "b": {"ops_per_s": 10}}},
               {"disks": {"a": {"ops_per_s": 5}, "b": {"ops_per_s": 20}}}]  # fmt: skip
    volumes = [VOLUME, VOLUME | {"name": "more", "copies": [["b"]]}]
    found = drafted(
        server(
            [disk("a"), disk("b")], services=["batch"], observed={"reports": {"iostat": reports}}
        )
        | {"volumes": volumes}
    )
    assert [each["ops_per_s"] for each in service(found, "measured")["work"]] == [50, 10]
    assert "disk b at its own peak: 20 op/s; 10 are counted" in found.missing


def test_what_is_missing_is_listed_once() -> None:
    seen = {"cpu": {"user_percent": 10, "system_percent": 20}}
    asked = {"services": ["timesharing"], "volumes": [VOLUME], "memory": {}, "observed": seen}
    found = drafted(server([disk("a")]) | asked)
    assert "memory: state total_mb of memory in the box file" in found.missing
    assert len(found.missing) == len(set(found.missing))


def test_what_is_not_known_is_a_remark_and_a_missing_key() -> None:
    volume = {key: VOLUME[key] for key in ("name", "copies")}
    unused = {key: value for key, value in disk("a").items() if key != "access"}
    found = drafted(server([unused], services=["nfs"], networks=[NETWORK]) | {"volumes": [volume]})
    text = found.text()
    assert "# access: the box file does not state it" in text
    assert "#   volume data: state its access" in text.partition("# Not counted:")[2]
    with pytest.raises(InputError) as caught:
        read(found)
    texts = [fault.text() for fault in caught.value.faults]
    for key in ("load", "access"):
        assert any(f"{key} is missing" in each for each in texts)


def test_a_volume_without_a_size_has_what_its_disks_hold_for_it() -> None:
    """A 1.3 GB disk holds 1300 MB; of a mirror each copy has that; a size beside it counts."""

    def sizes(*volumes: Plain, disks: str = "ab") -> list[Any]:
        found = drafted(server([disk(name) for name in disks]) | {"volumes": list(volumes)})
        remark = "# size_mb: what its disks hold, because the box file does not state it"
        unsized = [each for each in volumes if "size_mb" not in each]
        assert found.text().count(remark) == len(unsized)
        assert all(f"volume {each['name']}: state its size_mb" in found.missing for each in unsized)
        return [each["size_mb"] for each in found.data["volumes"]]

    one: Plain = {"name": "one", "copies": [["a"]]}
    assert sizes(one) == [1300]
    assert sizes({"name": "both", "copies": [["a", "b"]]}) == [2600]
    assert sizes({"name": "twice", "copies": [["a"], ["b"]]}) == [1300]
    assert sizes(one, {"name": "two", "copies": [["a"]]}) == [650, 650]
    assert sizes(one, {"name": "two", "copies": [["a"]], "size_mb": 400}) == [900, 400]


def test_a_volume_has_the_access_that_all_of_its_disks_state() -> None:
    def access(*stated: str) -> Any:
        names = "abc"[: len(stated)]
        disks = [disk(name, access=each) for name, each in zip(names, stated, strict=True)]
        volume = {"name": "data", "copies": [list(names)], "size_mb": 500}
        found = drafted(server(disks) | {"volumes": [volume]})
        return found.data["volumes"][0].get("access")

    assert access("random") == "random"
    assert access("serial", "serial") == "serial"
    assert access("random", "serial") is None


def test_cold_data_has_no_file_service_and_equal_parts_are_said_to_be_assumed() -> None:
    def nfs(*activities: str) -> tuple[Plain, bool]:
        volumes = [
            {**VOLUME, "name": name, "activity": each}
            for name, each in zip("xyz", activities, strict=False)
        ]
        seen = {"nfs": {"ops_per_s": 50}}
        stated = server([disk("a")], services=["nfs"], networks=[NETWORK], observed=seen)
        stated["memory"] = {"total_mb": 64}
        found = drafted(stated | {"volumes": volumes})
        said = "nfs: state in which parts it uses its volumes" in found.missing
        assert service(found, "measured")["user_processors"] == 0
        return service(found, "nfs")["uses"], said

    assert nfs("cold", "hot") == ({"y": 1}, False)
    assert nfs("hot", "cold", "hot") == ({"x": 1, "z": 1}, True)
    assert nfs("cold", "cold") == ({"x": 1, "y": 1}, True)


def test_processor_time_that_is_not_known_is_missing_unless_files_alone_are_served() -> None:
    seen = {"nfs": {"ops_per_s": 50}}
    asked = {"networks": [NETWORK], "observed": seen, "memory": {"total_mb": 64}}
    found = drafted(server([disk("a")], services=["nfs", "timesharing"], **asked))
    assert "processor time: measure it with vmstat" in found.missing
    assert "user_processors" not in service(found, "measured")


def test_file_service_on_several_networks_is_not_put_on_the_first_without_a_word() -> None:
    other = {**NETWORK, "name": "le1"}
    nfs = {"services": ["nfs"], "observed": {"nfs": {"ops_per_s": 50}}}
    one, two = (drafted(server([disk("a")], networks=each, **nfs) | {"volumes": [VOLUME]})
                for each in ([NETWORK], [NETWORK, other]))  # fmt: skip
    divide = "nfs: divide its clients over the networks"
    assert divide in two.missing and divide not in one.missing
    assert "# network: all of it is on the first; the box file does not divide it" in two.text()


def test_file_service_is_divided_over_networks_as_they_were_measured() -> None:
    """90 and 30 of 120 op/s; 30 clients by 20 and 10, or by operations: 22.5 and 7.5."""

    def divided(*clients: int) -> list[tuple[str, int, float]]:
        hosts = [{"clients": each} for each in clients] or [{}, {}]
        networks = [
            {"name": name, "interface": "lance-ethernet", **each}
            for name, each in zip(("le0", "le1"), hosts, strict=True)
        ]
        rates = {"le0": {"ops_per_s": 90}, "le1": {"ops_per_s": 30}}
        seen = {"nfs": {"ops_per_s": 120}, "networks": rates}
        box = server([disk("a")], services=["nfs"], networks=networks, observed=seen)
        found = drafted(box | {"volumes": [VOLUME], "clients": 30})
        assert not any("divide" in each for each in found.missing)
        nfs = [each for each in found.data["services"] if each["kind"] == "nfs"]
        return [(n["network"], n["clients"], n["load"]["ops_per_s_each"]) for n in nfs]

    assert divided(20, 10) == [("le0", 20, 4.5), ("le1", 10, 3)]
    assert divided() == [("le0", 22, 4.09091), ("le1", 8, 3.75)]


def test_backup_and_growth_that_the_box_states_are_not_asked_for_again() -> None:
    when = {"during_working_hours": True, "window": "8 h", "incremental_percent": 10}
    terms = {"backup": {**when, "over": "le0"}}
    seen = {"services": ["nfs"], "observed": {"nfs": {"ops_per_s": 50}}}
    plain = server([disk("a")], networks=[NETWORK], **seen) | {"volumes": [VOLUME]}
    found = drafted(plain | terms | {"growth": {"percent": 25}})
    assert found.data["backup"] == {
        "window": 8, "incremental_percent": 10, "over": "le0", "during_working_hours": True,
    }  # fmt: skip
    assert read(found).backup is not None
    assert found.missing[-1] == "growth: state growth with percent: 25 and years"
    none = drafted(plain | {"backup": {"wanted": False}})
    assert "backup" not in none.data
    assert none.missing[-1] == "growth: state growth with percent and years"
    assert drafted(plain).missing[-1] == "backups: state backup"


@given(boxes())
@settled(160)
def test_a_draft_reads_back_or_names_the_keys_that_are_missing(plain: Plain) -> None:
    found = drafted(plain)
    try:
        demand_of(read(found), ENGINE.guide)
    except InputError as error:
        what = {fault.text() for fault in error.faults}
        assert all("is missing" in each or "measures nothing" in each for each in what), what


def test_operations_that_are_stated_by_kind_go_to_the_data_that_may_have_them() -> None:
    """10 reads, 4 updates and 3 writes; a log has writes only, the operating system nothing."""
    data = {**VOLUME, "use": "raw", "activity": "cold"}
    log = {**VOLUME, "name": "log", "use": "log", "access": "serial", "activity": "cold"}
    root = {**VOLUME, "name": "system", "use": "root", "activity": "cold"}
    rates = {"read": 10, "update": 4, "write": 3}
    kinds = [
        {"service": "orders", "layer": "raw", "operation": kind, "block_kb": 2, "ops_per_s": rate}
        for kind, rate in rates.items()
    ]
    load = {"work": {"a": kinds}, "disks": {"a": {"orders": 17}}, "nfs_ops_per_s": 0}
    box = server([disk("a")], services=["database"], networks=[NETWORK])
    found = drafted(box | {"volumes": [data, log, root], "load": load})
    work = service(found, "measured")["work"]
    assert [(each["volume"], each["operation"], each["ops_per_s"]) for each in work] == [
        ("data", "read", 10), ("data", "update", 4), ("data", "write", 1.5),
        ("log", "write", 1.5),
    ]  # fmt: skip
    # Whether data is hot follows from its load.
    assert [volume.get("activity") for volume in found.data["volumes"]] == [None, None, "cold"]
    assert [each["kind"] for each in found.data["services"]] == ["measured"]


def test_a_log_has_its_part_of_the_writes_that_were_measured_beside_other_data() -> None:
    """35 reads are of the data alone; 30 writes are of both, and two volumes have equal parts."""
    hot = {"activity": "hot", "copies": [["a"]]}
    data = {**VOLUME, **hot, "use": "raw"}
    log = {**VOLUME, **hot, "name": "log", "use": "log", "access": "serial"}
    seen = {"disks": {"a": {"reads_per_s": 35, "writes_per_s": 30, "kb_per_s": 130}}}
    box = server([disk("a")], services=["database"], networks=[NETWORK], observed=seen)
    work = service(drafted(box | {"volumes": [data, log]}), "measured")["work"]
    assert [(each["volume"], each["operation"], each["ops_per_s"]) for each in work] == [
        ("data", "read", 35), ("data", "update", 15), ("log", "write", 15),
    ]  # fmt: skip


DEPOT = """\
name: depot
networks: [{name: lan, medium: ethernet}]
volumes: [{name: files, size_mb: 900, access: random}]
services:
  - {kind: nfs, name: files, clients: 40, load: {ops_per_s_each: 4}, mix: legato,
      network: lan,
     uses: [files]}
  - {kind: gateway, name: wan, lines: [{name: x25, protocol: x25, kbit_per_s: 64, count: 6}]}
"""


def test_the_draft_of_a_planned_server_has_its_file_service_once_and_misses_its_lines() -> None:
    """160 op/s are 356 ms/s of kernel time and 171 KB/s, before and after."""
    document = parse_document(DEPOT, "depot.yaml")
    before = report_plan(read_workload(document), document, ENGINE)
    assert before.shown is not None
    box = read_box(parse_document(box_text(before, before.shown), "primary.yaml"))
    found = draft_workload(box, ENGINE.guide)
    assert [each["kind"] for each in found.data["services"]] == ["nfs", "measured"]
    assert any("wan: x25" in each for each in found.missing)
    draft = read(found)
    assert {v.name: v.saved_mb and v.saved_mb.likely for v in draft.volumes} == {
        "files": None, "operating system": 386,
    }  # fmt: skip
    after = plan(draft, ENGINE)
    assert after.chosen is not None
    for kind in ("kernel_lock", "data"):
        used = [
            next(b.used for b in budgets if b.kind == kind)
            for budgets in (before.shown.budgets, after.chosen.budgets)
        ]
        assert used[0] is not None and used[1] is not None
        assert used[1].high == pytest.approx(used[0].high, rel=0.001), kind


FOUNDRY = """\
name: foundry
networks: [{name: shop, medium: ethernet}, {name: desks, medium: ethernet}]
volumes:
  - {name: moulds, size_mb: 2400, access: serial}
  - {name: stock, size_mb: 500, access: random}
services:
  - {kind: nfs, name: moulds, clients: 10, load: {ops_per_s_each: 4}, network: shop,
     mix: {reads_percent: 60, writes_percent: 5}, uses: [moulds]}
  - {kind: nfs, name: stock, clients: 25, load: {ops_per_s_each: 1}, mix: legato,
      network: desks,
     uses: [stock]}
"""


def test_the_draft_of_a_planned_server_has_its_networks_mixes_and_all_volumes() -> None:
    document = parse_document(FOUNDRY, "foundry.yaml")
    before = report_plan(read_workload(document), document, ENGINE)
    assert before.shown is not None
    box = read_box(parse_document(box_text(before, before.shown), "primary.yaml"))
    desks, shop = (
        each for each in draft_workload(box, ENGINE.guide).data["services"] if each["kind"] == "nfs"
    )
    assert (desks["network"], desks["clients"], desks["mix"]) == ("desks", 25, "legato")
    assert (shop["network"], shop["clients"]) == ("shop", 10)
    assert shop["mix"] == {"reads_percent": 60, "writes_percent": 5}
    assert (list(desks["uses"]), list(shop["uses"])) == (["stock"], ["moulds"])
    assert (desks["load"], shop["load"]) == ({"ops_per_s_each": 1}, {"ops_per_s_each": 4})


def test_memory_of_a_server_that_is_short_of_it_is_a_lower_bound_in_the_draft() -> None:
    """Section 1.2.7: the memory of a server that swaps is too small (56 MB in case study 3)."""

    def bound(**seen: Plain) -> tuple[bool, bool]:
        found = drafted(server([disk("a")], observed=seen, memory={"total_mb": 64}))
        missing = "memory: state what the programs need, above memory_mb" in found.missing
        return "# memory_mb: a lower bound" in found.text(), missing

    assert bound(swapping={"outs_per_s": 1.5}) == (True, True)
    assert bound(paging={"page_outs_per_s": 9, "scans_per_s": 320}) == (True, True)
    # Files are written through the pager as well (1.2.7, footnote 4).
    assert bound(paging={"page_outs_per_s": 9, "scans_per_s": 0}) == (False, False)
    assert bound(swapping={"outs_per_s": 0, "processes": 2}) == (False, False)


def test_swap_space_in_use_has_its_part_of_the_operations_on_its_disk() -> None:
    def ops(swap: Plain, other: Plain, **seen: Plain) -> tuple[Plain, bool]:
        volumes = [{**VOLUME, "name": "swap", "use": "swap", **swap}, {**VOLUME, **other}]
        seen = {"disks": {"a": {"reads_per_s": 40, "writes_per_s": 0}}, **seen}
        found = drafted(server([disk("a")], observed=seen) | {"volumes": volumes})
        work = {each["volume"]: each["ops_per_s"] for each in service(found, "measured")["work"]}
        return work, any(each.startswith("disk a: state the op") for each in found.missing)

    swaps = {"swapping": {"outs_per_s": 1}}
    assert ops({}, {}) == ({"data": 40}, False)
    assert ops({"activity": "hot"}, {}) == ({"swap": 20, "data": 20}, True)
    assert ops({}, {}, **swaps) == ({"swap": 20, "data": 20}, True)
    assert ops({}, {"activity": "cold"}, **swaps) == ({"swap": 40}, False)


def test_data_that_is_stated_beside_nfs_is_kept() -> None:
    """Under `load: data:` a box has other data; NFS has 400 KB/s of its own beside it."""
    seen = {"nfs": {"ops_per_s": 200, "reads_percent": 20, "writes_percent": 5}}
    plain = server([disk("a")], services=["nfs", "timesharing"], networks=[NETWORK], observed=seen)
    found = drafted(plain | {"volumes": [VOLUME], "load": {"data": {"le0": {"sessions": 300}}}})
    assert service(found, "traffic-le0")["traffic"] == {"kb_per_s": 300}


@pytest.mark.parametrize(("reads", "named"), [(76, True), (40, False)])
def test_disk_work_that_nfs_does_not_explain_is_named_on_a_server_for_nfs_only(
    reads: int, named: bool
) -> None:
    """Of 200 op/s, 20 % read and 5 % write: 40 + 10 = 50 of the operations on the disk."""
    seen = {
        "nfs": {"ops_per_s": 200, "reads_percent": 20, "writes_percent": 5},
        "disks": {"a": {"reads_per_s": reads, "writes_per_s": 10, "kb_per_s": 688}},
    }
    found = drafted(
        server([disk("a")], services=["nfs"], networks=[NETWORK], observed=seen)
        | {"volumes": [VOLUME]}
    )
    line = "disks: 86 op/s were measured; 50 of NFS are counted"
    assert (line in found.missing) is named
