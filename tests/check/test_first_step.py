"""What to do first: causes before effects, what is there before what is bought, tried in full."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from generated_boxes import FILE, checked
from generated_workloads import ENGINE, Plain, text_of
from settled import settled
from sizewright.api import report_check
from sizewright.box.reading import read_box
from sizewright.check.advice import Step
from sizewright.documents import parse_document
from sizewright.output.check import check_text
from sizewright.quantity import Quantity


def disk(name: str, **more: Any) -> Plain:
    """A 1.3 GB SCSI disk that is read at random."""
    return {"id": name, "device": "1-3gb-scsi", "access": "random", **more}


def server(*channels: list[Plain], **more: Any) -> Plain:
    """A server with these disks on SCSI channels esp0, esp1 and so on."""
    boards = [{"id": f"adapter-{n}", "board": "sbus-scsi"} for n in range(1, len(channels))]
    return {
        "name": "primary", "platform": "sparcserver-670mp", "processors": 2,
        "operating_system": "solaris-1.0.1", "boards": boards, "volumes": [],
        "channels": [
            {
                "id": f"esp{n}", "kind": "scsi-synchronous",
                "provider": f"adapter-{n}" if n else "builtin", "devices": devices,
            }
            for n, devices in enumerate(channels)
        ], **more,
    }  # fmt: skip


def busy(**ops: float) -> Plain:
    """What each disk was seen to do, in op/s of 8 KB."""
    return {"disks": {name: {"ops_per_s": n, "kb_per_s": 8 * n} for name, n in ops.items()}}


def step_of(plain: Plain) -> Step | None:
    document = parse_document(text_of(plain), FILE)
    return report_check(read_box(document), document, ENGINE).first_step


def text_for(plain: Plain) -> str:
    document = parse_document(text_of(plain), FILE)
    return check_text(report_check(read_box(document), document, ENGINE))


@pytest.mark.parametrize(
    ("idle", "change"),
    [
        # 80 % against 50 % in the same report: 50 + 40 % is over 65 %, so nothing is gained.
        ((50, 5), None),
        # In another report: 10 + 40 % and 50 + 5 % are both below it.
        ((10, 50), ("data", "a", "b")),
    ],
)
def test_busy_times_of_different_reports_are_not_added(
    idle: tuple[int, int], change: tuple[str, str, str] | None
) -> None:
    reports = [
        {
            "disks": {
                name: {"ops_per_s": 10, "kb_per_s": 80, "busy_percent": percent}
                for name, percent in (("a", here), ("b", there))
            }
        }
        for here, there in zip((80, 10), idle, strict=True)
    ]
    volume = {"name": "data", "copies": [["a"]], "size_mb": 100}
    plain = server([disk("a"), disk("b")], observed={"reports": {"iostat": reports}})
    step = step_of(plain | {"volumes": [volume]})
    assert step is not None and step.change == change


FOUR = [disk("a"), disk("b"), disk("c"), disk("d")]


def test_a_disk_moves_to_a_channel_with_room() -> None:
    """4 × 40 op/s of 8 KB at 4.1 to 5.0 MB/s use 250 to 305 ms/s of 200 (2.4.2)."""
    plain = server(
        FOUR, [disk("e")], observed=busy(a=40, b=40, c=40, d=40, e=10)
    )  # fmt: skip
    step = step_of(plain)
    assert step is not None
    assert step.change == ("disk", "a", "esp1")
    assert step.figures is not None
    before, after = step.figures
    assert (before.low, before.high) == pytest.approx((4 * 320 / 5.12, 4 * 320 / 4.1984))
    assert (after.low, after.high) == pytest.approx((before.low * 0.75, before.high * 0.75))
    assert "Move disk a to channel esp1." in text_for(plain)


# A disk goes to a second adapter of the kind that is there; Sbus slots are free.
ADAPTER = ("controller", "a", "sbus-scsi")


def test_no_disk_moves_to_a_channel_that_it_would_overload() -> None:
    """Where 3 disks of 40 op/s work already, a fourth is as much too many as here."""
    more = [disk("e"), disk("f"), disk("g")]
    seen = busy(a=40, b=40, c=40, d=40, e=40, f=40, g=40)
    step = step_of(server(FOUR, more, observed=seen))
    assert step is not None
    assert step.change == ADAPTER


def test_no_disk_moves_to_a_channel_whose_bus_it_would_overload() -> None:
    """600 KB/s use 117 to 143 ms/s there; with 320 more it is up to 219 of 200 (2.4.2)."""
    seen = busy(a=40, b=40, c=40, d=40)
    seen["disks"]["e"] = {"ops_per_s": 10, "kb_per_s": 600}
    step = step_of(server(FOUR, [disk("e")], observed=seen))
    assert step is not None
    assert step.change == ADAPTER


def test_no_disk_moves_to_a_channel_whose_load_is_unknown() -> None:
    step = step_of(server(FOUR, [disk("e")], observed=busy(a=40, b=40, c=40, d=40)))
    assert step is not None
    assert step.change == ADAPTER


def test_no_controller_is_added_without_a_free_slot() -> None:
    """An SS670MP has four Sbus slots."""
    full = server(FOUR, *([disk(f"e{n}")] for n in range(4)), observed=busy(a=40, b=40, c=40, d=40))
    step = step_of(full)
    assert step is not None
    assert step.change is None
    assert step.needs_measuring
    assert "Then measure again." in " ".join(text_for(full).split())


FULL = [{"id": f"ethernet-{slot}", "board": "sbus-ethernet", "slots": [slot]} for slot in (1, 2, 3)]


@pytest.mark.parametrize(
    ("boards", "change"), [([], ADAPTER), (FULL, None), (None, None)],
    ids=["slots are free", "no slot is free", "boards are unknown"],
)  # fmt: skip
def test_a_first_controller_needs_a_free_slot(boards: list[Plain] | None, change: object) -> None:
    """All disks are on the channel that is built in; an SS2 has three Sbus slots."""
    plain = server(FOUR, observed=busy(a=40, b=40, c=40, d=40), boards=boards) | {
        "platform": "sparcstation-2", "processors": 1
    }  # fmt: skip
    step = step_of({key: value for key, value in plain.items() if value is not None})
    assert step is not None
    assert step.change == change


def test_clients_move_to_the_network_with_room() -> None:
    """An Ethernet passes 400 op/s (Table 2): 440 are too many, 220 and 50 + 220 are not."""
    networks = [
        {"name": name, "interface": "lance-ethernet", "provider": provider, "clients": clients}
        for name, provider, clients in (("north", "builtin", 44), ("south", "second", 5))
    ]
    seen = {"north": {"ops_per_s": 440, "data_kb_per_s": 470},
            "south": {"ops_per_s": 50, "data_kb_per_s": 53}}  # fmt: skip
    plain = server(networks=networks, observed={"networks": seen})
    step = step_of(plain | {"boards": [{"id": "second", "board": "sbus-ethernet"}]})
    assert step is not None
    assert step.change == ("clients", "north", "south")
    assert step.figures is not None
    assert [figure.high for figure in step.figures] == [440, 220]


def test_a_disk_in_a_tray_needs_one_on_the_other_string() -> None:
    """All disks in a tray of a 690MP are on one string controller (2.4.3)."""
    plain = server(FOUR, [disk("e")], observed=busy(a=55, b=55, c=54, d=53, e=8)) | {
        "platform": "sparcserver-690mp",
        "boards": [{"id": f"isp-{n}", "board": "isp-80"} for n in range(2)],
    }
    for n, channel in enumerate(plain["channels"]):
        channel |= {"kind": "ipi-2", "provider": f"isp-{n}"}
        channel["devices"] = [d | {"device": "1-3gb-ipi"} for d in channel["devices"]]
    told = " ".join(text_for(plain).split())
    assert "Move disk a to channel esp1, into a tray that is connected there. Active" in told


def test_the_utilisation_of_a_network_moves_with_its_clients() -> None:
    """35 % is the limit of an Ethernet (2.5.1): 41 are too many, 20.5 and 7 + 20.5 are not."""
    networks = [
        {"name": "north", "interface": "lance-ethernet", "provider": "builtin"},
        {"name": "south", "interface": "lance-ethernet", "provider": "second"},
    ]
    seen = {"north": {"utilisation_percent": 41, "collisions_percent": 3},
            "south": {"utilisation_percent": 7}}  # fmt: skip
    plain = server(networks=networks, observed={"networks": seen})
    plain |= {"boards": [{"id": "second", "board": "sbus-ethernet"}]}
    step = step_of(plain)
    assert step is not None
    assert step.change == ("clients", "north", "south")
    assert step.figures is not None
    assert [figure.high for figure in step.figures] == pytest.approx([0.41, 0.205])
    # The other network would exceed the limit.
    seen["south"]["utilisation_percent"] = 20
    step = step_of(plain)
    assert step is not None
    assert step.change is None


@pytest.mark.parametrize(("later", "moves"), [(20, True), (30, False)])
def test_utilisations_of_different_reports_are_not_added(later: int, moves: bool) -> None:
    """Half of 41 and 5, then half of 20 and 20 or 30: 30 % are within the limit, 40 are not."""
    networks = [
        {"name": "north", "interface": "lance-ethernet", "provider": "builtin"},
        {"name": "south", "interface": "lance-ethernet", "provider": "second"},
    ]
    reports = [
        {"networks": {"north": {"utilisation_percent": a}, "south": {"utilisation_percent": b}}}
        for a, b in ((41, 5), (20, later), (10, 4))
    ]
    plain = server(networks=networks, observed={"reports": {"monitor": reports}})
    step = step_of(plain | {"boards": [{"id": "second", "board": "sbus-ethernet"}]})
    assert step is not None
    assert (step.change is not None) is moves


def test_data_moves_to_the_disk_that_does_least() -> None:
    """80 op/s are more than the disk sustains (Table 8); half goes with half of the data."""
    plain = server([disk("a"), disk("b")], [disk("c")], observed=busy(a=80, b=20, c=10))
    step = step_of(plain)
    assert step is not None
    assert step.change == ("data", "a", "c")
    assert step.figures is not None
    assert [figure.high for figure in step.figures] == [80, 40]
    # It is not stated what is on the disks.
    del plain["volumes"]
    told = " ".join(text_for(plain).split())
    assert "Move half of the data of disk a to disk c, if it has the space." in told


def test_space_that_was_checked_is_no_condition_of_a_step() -> None:
    """Half of 800 MB goes to a disk with 100 of 1300 MB."""
    volumes = [
        {"name": name, "size_mb": size, "copies": [[name]], "access": "random"}
        for name, size in (("a", 800), ("b", 800), ("c", 100))
    ]
    plain = server([disk("a"), disk("b")], [disk("c")], observed=busy(a=80, b=20, c=10))
    assert "Move half of the data of disk a to disk c. " in text_for(plain | {"volumes": volumes})


def test_reports_of_another_tool_do_not_change_where_data_moves() -> None:
    """Half of 45 + 24 op/s goes to a disk with 3: 37.5 op/s are within the limit (Table 8)."""
    rates = {"a": (45, 24), "b": (3, 0)}
    disks = {name: {"reads_per_s": r, "writes_per_s": w} for name, (r, w) in rates.items()}
    reports = [{"cpu": {"user_percent": user, "system_percent": 20}} for user in (30, 32)]
    for each in ({}, {"reports": {"vmstat": reports}}):
        step = step_of(server([disk("a")], [disk("b")], observed={"disks": disks, **each}))
        assert step is not None
        assert step.change == ("data", "a", "b")


@pytest.mark.parametrize(
    "seen", [{"a": 80, "b": 30}, {"a": 80}], ids=["40 + 30 op/s are too many", "unknown"]
)
def test_data_moves_to_no_disk_without_room(seen: dict[str, float]) -> None:
    step = step_of(server([disk("a")], [disk("b")], observed=busy(**seen)))
    assert step is not None
    assert step.change is None


def test_more_processors_share_their_work() -> None:
    """2500 ms/s are too much for two processors, and fit four of them; three are not sold."""
    step = step_of(server([disk("a")], load={"processors": {"batch": "2500 ms/s"}}))
    assert step is not None
    assert step.change == ("processors", "sparcserver-670mp", "4")
    assert step.after is not None
    assert step.after.verdict == "holds"


def test_the_fewest_processors_that_are_enough_are_added() -> None:
    """One processor is busy all the time, of two 50 %, of four 25 %; two are enough."""
    seen = {"cpu": {"system_percent": 20, "user_percent": 80}}
    step = step_of(server([disk("a")], observed=seen) | {"processors": 1})
    assert step is not None
    assert step.change == ("processors", "sparcserver-670mp", "2")


def test_memory_comes_before_the_disk_that_swaps() -> None:
    """The disk is over its limit only because pages are written to it (1.2.7)."""
    swap = disk("a", partitions=[{"name": "b", "use": "swap"}])
    paging = {"paging": {"page_outs_per_s": 40, "scans_per_s": 200}}
    step = step_of(server([swap], observed={**busy(a=80), **paging}))
    assert step is not None
    assert step.finding.rule == "1.2.7-paging"
    assert step.needs_measuring
    quiet = step_of(server([swap], observed=busy(a=80)))
    assert quiet is not None
    assert quiet.finding.rule == "2.4.4-random"


def test_memory_comes_first_if_the_server_swaps() -> None:
    """Page thrashing makes what was measured on a disk invalid (case study 3), here 90 of 65 %."""
    volume = {"name": "data", "copies": [["a"]], "size_mb": 100}
    seen = busy(a=20, b=5)
    seen["disks"]["a"]["busy_percent"] = 90
    quiet = server([disk("a"), disk("b")], observed=seen) | {"volumes": [volume]}
    swaps = quiet | {"observed": {**seen, "swapping": {"outs_per_s": 2}}}
    before, step = step_of(quiet), step_of(swaps)
    assert before is not None
    assert before.finding.rule == "2.4.4-busy"
    assert step is not None
    assert step.finding.rule == "1.2.7-swapping"
    assert step.needs_measuring
    headline = "No headroom: memory is short (rule 1.2.7-swapping). Also: busy time, a,"
    assert headline in " ".join(text_for(swaps).split())


def test_what_does_not_work_comes_before_what_is_over_its_limit() -> None:
    """VME PrestoServe hangs a system with Sbus disks (2.8); 80 op/s of 60 only make it slow."""
    seen = busy(a=80)
    works = server([disk("a")], observed=seen, accelerator="none")
    hangs = works | {
        "accelerator": "vme-prestoserve",
        "boards": [{"id": "presto", "board": "vme-prestoserve"}],
        "observed": {**seen, "swapping": {"outs_per_s": 2}},
    }
    before, step = step_of(works), step_of(hangs)
    assert before is not None and before.finding.rule == "2.4.4-random"
    assert step is not None and step.finding.rule == "2.8-bus"
    assert not step.needs_measuring


def test_slots_are_counted_and_not_measured_again() -> None:
    """Four boards are too many for the three Sbus slots of an SS2 (1.3.1.2)."""
    boards = [{"id": f"ethernet-{n}", "board": "sbus-ethernet"} for n in range(4)]
    plain = server([disk("a")], observed=busy(a=20), boards=boards)
    step = step_of(plain | {"platform": "sparcstation-2", "processors": 1})
    assert step is not None and step.finding.rule == "2.3-slots"
    assert step.change is None
    assert not step.needs_measuring


@st.composite
def crowded(draw: st.DrawFn) -> Plain:
    """A server with a busy channel beside one or two with room, all of its disks measured."""
    channels, seen = [], {}
    for n in range(draw(st.integers(2, 3))):
        disks, ops = (
            (st.integers(1, 3), st.integers(0, 15)) if n else (st.just(4), st.integers(20, 60))
        )
        names = [f"disk-{n}-{k}" for k in range(draw(disks))]
        channels.append([disk(name) for name in names])
        seen |= {name: draw(ops) for name in names}
    return server(*channels, observed=busy(**seen))


@given(crowded())
@settled(100)
def test_a_disk_that_is_moved_in_the_file_has_the_effect_that_was_told(plain: Plain) -> None:
    step, broken = step_of(plain), broken_limits(plain)
    assume(step is not None and step.change is not None and step.change.kind == "disk")
    assert step is not None
    assert step.change is not None
    assert step.after is not None
    (moved,) = (d for c in plain["channels"] for d in c["devices"] if d["id"] == step.change.part)
    for channel in plain["channels"]:
        channel["devices"] = [d for d in channel["devices"] if d != moved]
        channel["devices"] += [moved] if channel["id"] == step.change.to else []
    assert broken_limits(plain) <= broken
    key = step.finding.rule, step.finding.subject
    (now,) = (f for f in checked(plain).findings if (f.rule, f.subject) == key)
    assert now.verdict == step.after.verdict
    for name, figure in now.figures.items():
        assert three(figure) == pytest.approx(three(step.after.figures[name]))


def broken_limits(plain: Plain) -> set[tuple[str, str]]:
    """The limits that a server breaks, by rule and part."""
    found = checked(plain).findings
    return {(f.rule, f.subject) for f in found if f.asked.blocks and f.verdict == "violated"}


def three(figure: Quantity) -> tuple[float, float, float]:
    """The ends of a figure, and its likely value."""
    return figure.low, figure.likely, figure.high


def test_a_healthy_server_is_told_nothing() -> None:
    plain = server([disk("a")], observed=busy(a=20))
    assert not [f for f in checked(plain).findings if f.verdict == "violated"]
    assert step_of(plain) is None
    assert "Do this first" not in text_for(plain)


def test_a_recommended_limit_has_a_step_if_a_change_helps() -> None:
    """Two processors that are busy all the time are within their limit, and above our 80 %."""
    seen = {"cpu": {"system_percent": 20, "user_percent": 80}}
    step = step_of(server([disk("a")], observed=seen))
    assert step is not None and step.change == ("processors", "sparcserver-670mp", "4")
    four = server([disk("a")], observed=seen) | {"processors": 4}
    assert step_of(four) is None


def test_swapped_processes_alone_are_no_shortage() -> None:
    """They were idle for long: nothing is scanned, and nothing is to be done (1.2.7)."""
    idle = {"swapping": {"processes": 4}, "paging": {"scans_per_s": 0}}
    plain = server([disk("a")], observed={**busy(a=20), **idle})
    assert "Rule 1.2.7-swapped-processes" in text_for(plain)
    assert step_of(plain) is None


def test_a_server_that_swaps_has_no_headroom() -> None:
    """The disk could do three times as much, but the memory is too small already (1.2.7)."""
    plain = server([disk("a")], observed={**busy(a=20), "swapping": {"outs_per_s": 14}})
    told = "No headroom: memory is short (rule 1.2.7-swapping). Next: load, a, at 3 times"
    assert told in " ".join(text_for(plain).split())


def test_too_much_memory_is_no_shortage() -> None:
    plain = server([disk("a")], services=["nfs"], memory={"total_mb": 256, "expansion_mb": 128})
    plain["boards"] = [{"id": "memory-1", "board": "sparcserver-600mp-memory-board"}]
    assert step_of(plain) is None


def test_devices_are_counted_and_no_share() -> None:
    """Eight disks are on a bus for seven devices (2.3.3)."""
    names = "abcdefgh"
    plain = server([disk(n) for n in names], [disk("i")], observed=busy(**dict.fromkeys(names, 1)))
    plain["observed"]["disks"] |= busy(i=1)["disks"]
    assert "on channel esp0: 7 instead of 8 " in " ".join(text_for(plain).split())


@pytest.mark.parametrize(
    ("platform", "told"),
    [
        # Table 1 of 1.1.1: an SS670MP and an SS690MP sustain 650 op/s, an SS630MP 440.
        ("sparcserver-690mp", "servers. No platform of this guide sustains more."),
        ("sparcserver-670mp", "servers. No platform of this guide sustains more."),
        ("sparcserver-630mp", "servers, or choose a platform that sustains more."),
    ],
)
def test_no_larger_platform_is_advised_for_the_largest(platform: str, told: str) -> None:
    nets = [f"net{n}" for n in range(4)]
    observed = {
        "networks": {name: {"ops_per_s": 200} for name in nets},
        "nfs": {"ops_per_s": 800, "mix": "legato"},
    }
    stated = {
        "name": "files", "platform": platform, "processors": 4, "services": ["nfs"],
        "operating_system": "solaris-1.0.1", "channels": [], "volumes": [],
        "networks": [{"name": name, "interface": "lance-ethernet"} for name in nets],
        "observed": observed,
    }  # fmt: skip
    document = parse_document(text_of(stated), FILE)
    found = report_check(read_box(document), document, ENGINE)
    (broken,) = [f for f in found.findings if f.rule == "1.1.1-sustained"]
    assert broken.verdict == "violated"
    assert broken.remedy == f"Split the clients across {told}"
