"""The factor by which today's load can grow, for each resource that grows with it."""

from __future__ import annotations

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from check.test_first_step import busy, disk, server, text_for
from generated_boxes import FILE, checked
from generated_workloads import ENGINE, Plain, text_of
from sizewright.api import load_engine, report_check
from sizewright.box.reading import read_box
from sizewright.check.check import next_limit
from sizewright.documents import parse_document

# Section 2.4.4, Table 8: a disk should be busy for 65 % of its time at most. A 1.3 GB SCSI disk
# sustains 60 op/s at random.
MOST_BUSY_PERCENT, SUSTAINED = 65, 60
# So near a limit, the least part of a load decides on which side of it the server is.
BEFORE, BEYOND = 0.99, 1.01


def headrooms(observed: Plain) -> dict[str, float]:
    found = checked(server([disk("a")], [disk("b")], observed=observed)).headroom
    return {each.resource: each.factor.low for each in found}


def broken(observed: Plain) -> set[str]:
    """Resources that are over their limits at the worse end of all ranges."""
    found = checked(server([disk("a")], [disk("b")], observed=observed)).judged.budgets
    return {each.resource for each in found if each.verdict in ("tight", "violated")}


def rules_not_followed(observed: Plain) -> set[tuple[str, str]]:
    """Violations that are certain or possible, each as rule and subject."""
    found = checked(server([disk("a")], [disk("b")], observed=observed)).findings
    return {
        (each.rule, each.subject) for each in found
        if each.severity == "violation" and each.verdict in ("tight", "violated")
    }  # fmt: skip


def test_the_measured_busy_time_of_a_disk_has_headroom() -> None:
    """The issue's figure: 42 % of 65 % leaves 1.55."""
    found = headrooms({"disks": {"a": {"busy_percent": 42}}})
    assert found["primary/busy/a"] == pytest.approx(MOST_BUSY_PERCENT / 42)
    assert round(found["primary/busy/a"], 2) == 1.55


@pytest.mark.parametrize("seen", [28, [5, 28]])
def test_the_measured_utilisation_of_an_ethernet_has_headroom(seen: object) -> None:
    """Section 2.5.1: 35 % is close to the practical limit; quiet hours do not help."""
    networks = [{"name": "le0", "interface": "lance-ethernet"}]
    observed = {"networks": {"le0": {"utilisation_percent": seen}}}
    found = checked(server([disk("a")], networks=networks, observed=observed))
    factors = {each.resource: each.factor for each in found.headroom}
    factor = factors["primary/utilisation/le0"]
    assert (factor.low, factor.high) == (pytest.approx(35 / 28), pytest.approx(35 / 28))


def test_what_a_table_states_of_a_board_does_not_grow() -> None:
    """Without measured transfers, a board on a bus counts with its typical demand (Rule V)."""
    found = headrooms({"cpu": {"user_percent": 20, "system_percent": 20}})
    assert "primary/bus/sbus" not in found


def test_only_the_part_of_a_use_that_grows_is_multiplied() -> None:
    """Table 6: an Sbus Ethernet typically moves 0.9 MB/s, whatever a disk does with its 1 MB/s."""
    boards = [
        {"id": "adapter-1", "board": "sbus-scsi"}, {"id": "ethernet", "board": "sbus-ethernet"}
    ]  # fmt: skip
    seen = {"disks": {name: {"ops_per_s": 20, "kb_per_s": 1024} for name in "ab"}}
    found = checked({**server([disk("a")], [disk("b")], observed=seen), "boards": boards})
    bus = next(each for each in found.judged.budgets if each.resource == "primary/bus/sbus")
    factor = next(each.factor for each in found.headroom if each.resource == bus.resource)
    assert bus.used is not None and bus.used.low == pytest.approx(1.9)
    assert bus.limit is not None and factor.low == pytest.approx(bus.limit.low - 0.9)


def test_stated_growth_tells_when_the_limit_is_reached() -> None:
    """65 / 42 is reached after ln(65 / 42) / ln(1.2) = 2.395 years of 20 % growth."""
    seen = {"disks": {"a": {"busy_percent": 42}}}
    growing = checked(server([disk("a")], observed=seen, growth={"percent": 20}))
    first = growing.headroom[0]
    assert (first.resource, first.years) == ("primary/busy/a", pytest.approx(2.3953, abs=1e-4))


@pytest.mark.parametrize(("growth", "years"), [([10, 20], 2.3953), (0.1, 436.94)])
def test_the_fastest_growth_counts(growth: object, years: float) -> None:
    seen = {"disks": {"a": {"busy_percent": 42}}}
    found = checked(server([disk("a")], observed=seen, growth={"percent": growth})).headroom
    assert found[0].years == pytest.approx(years, abs=0.01)


def test_without_growth_the_limit_is_never_reached() -> None:
    seen = {"disks": {"a": {"busy_percent": 42}}}
    found = checked(server([disk("a")], observed=seen, growth={"percent": 0})).headroom
    assert found[0].years is None


def test_what_is_over_its_limit_leaves_no_years() -> None:
    seen = {"disks": {"a": {"busy_percent": 70}}}
    found = checked(server([disk("a")], observed=seen, growth={"percent": 20})).headroom
    assert found[0].years == 0


@pytest.mark.parametrize(("busy", "over"), [(65, False), (66, True), (95, True)])
def test_what_is_over_its_limit_today_has_a_headroom_below_one(busy: int, over: bool) -> None:
    found = headrooms({"disks": {"a": {"busy_percent": busy}}})
    assert (found["primary/busy/a"] < 1) == over


def test_transfers_on_channels_and_busses_have_headroom() -> None:
    """A sum is known if each disk was seen; only the second channel is on a bus."""
    rates = {"ops_per_s": 20, "kb_per_s": 160}
    found = headrooms({"disks": {"a": rates, "b": rates}})
    kinds = {resource.split("/")[1] for resource in found}
    assert {"disk", "active", "channel", "bus"} <= kinds


def test_a_bus_that_tapes_fill_meets_its_limit_at_no_load() -> None:
    """Two tapes use 2 × 220 KB/s ÷ 1.2 MB/s = 358 ms/s of a bus that has 200 ms/s (2.4.2)."""
    tapes = [{"id": name, "device": "8mm-helical-scan-tape"} for name in ("t0", "t1")]
    night = {"wanted": True, "at_night_in_use": True}
    plain = server([disk("a"), disk("b"), *tapes], observed=busy(a=20, b=20), backup=night)
    first = checked(plain).headroom[0]
    assert first.resource == "primary/channel/esp0"
    assert (first.factor.low, first.factor.high) == (0, 0)
    assert "No headroom: transfers, esp0 meets its limit at no load." in text_for(plain)


def test_memory_grows_with_the_services_alone() -> None:
    """64 MB less 8 to 12 for the system (1.1.5) and 20 of data leave 32 to 36 for 16 of users."""
    volumes = [{"name": "homes", "copies": [["a"]], "cached_mb": 20}]
    plain = server(
        [disk("a")], services=["timesharing"], memory={"total_mb": 64}, volumes=volumes,
        load={"memory": {"operating system": [8, 12], "homes kept in memory": 20, "users": 16}},
    )  # fmt: skip
    found = {each.resource: each.factor for each in checked(plain).headroom}["primary/memory"]
    assert (found.low, found.high) == pytest.approx((2, 36 / 16))


def test_memory_is_not_reached_by_a_growth_of_rates() -> None:
    """Programs may take 48 MB − 12 MB, 1.2 times 30 MB; 65 / 42 % is reached after 2.395 years.

    workload.md, growth: clients, sessions and their memory do not grow with the rates.
    """
    plain = server(
        [disk("a")], services=["timesharing"], memory={"total_mb": 48}, volumes=[],
        load={"memory": {"operating system": [8, 12], "users": 30}},
        observed={"disks": {"a": {"busy_percent": 42}}}, growth={"percent": 20},
    )  # fmt: skip
    memory, busy_disk, *_ = checked(plain).headroom
    assert (memory.resource, memory.factor.low) == ("primary/memory", pytest.approx(1.2))
    assert memory.years is None
    assert (busy_disk.resource, busy_disk.years) == ("primary/busy/a", pytest.approx(2.3953, 1e-4))
    text = " ".join(text_for(plain).split())
    assert "today's load. Next: busy time, a, at 1.55 times, after 2.3 years of 20% growth." in text


def test_memory_that_only_the_system_and_kept_data_need_has_no_headroom() -> None:
    volumes = [{"name": "homes", "copies": [["a"]], "cached_mb": 20}]
    plain = server([disk("a")], services=["nfs"], memory={"total_mb": 64}, volumes=volumes)
    found = checked(plain)
    memory = next(each for each in found.judged.budgets if each.kind == "memory")
    assert memory.used is not None
    assert memory.resource not in {each.resource for each in found.headroom}


@pytest.mark.parametrize(
    ("more", "resource", "factor"),
    [
        # Rule II: 16 contexts of a SPARCstation-2 (2.2.3, Table 4).
        ({"platform": "sparcstation-2", "processors": 1, "observed": {"processes": {"active": 8}}},
         "processes", 2),
        # 2.13: a process may have 256 files open.
        ({"observed": {"processes": {"descriptors": 128}}, "software": []}, "descriptors", 2),
        # 1.1.1: 80 % of 2 × 400 op/s on Ethernets of one machine.
        ({"observed": {"nfs": {"ops_per_s": 320, "mix": "legato"}}, "networks": "two"},
         "interfaces", 2),
    ],
)  # fmt: skip
def test_limits_of_processes_files_and_all_interfaces_have_headroom(
    more: Plain, resource: str, factor: float
) -> None:
    networks = [{"name": n, "interface": "lance-ethernet"} for n in ("le0", "le1")]
    if more.pop("networks", None):
        more = {**more, "networks": networks, "services": ["nfs"]}
    found = checked(server([disk("a")], **more))
    factors = {each.resource: each.factor for each in found.headroom}
    assert factors[f"primary/{resource}"].low == pytest.approx(factor)


@pytest.mark.parametrize(("policy", "factor"), [("", 2), ("policy: {reserve: 20 %}\n", 1.6)])
def test_a_share_that_a_machine_reports_has_the_headroom_of_its_rule(
    policy: str, factor: float
) -> None:
    """Auspex, figure 11: file processors are overloaded above 90 %; 90 ÷ 45 is 2, 72 ÷ 45 1.6."""
    document = parse_document(
        "name: files\nguide: auspex-1992\nplatform: ns-5500\n"
        f"reported: {{file_processor_busy_share: 0.45}}\n{policy}",
        "box.yaml",
    )
    found = report_check(read_box(document), document, load_engine("auspex-1992")).check
    (room,) = (each for each in found.headroom if "file_processor" in each.resource)
    assert room.resource == "files/file_processor_busy_share"
    assert (room.factor.low, room.limit_rule) == (pytest.approx(factor), "4.1-overload")


def test_a_reserve_is_kept_of_all_interfaces_together() -> None:
    """80 % of 80 % of 2 × 400 op/s on Ethernets of one machine are 512 op/s (1.1.1)."""
    networks = [{"name": n, "interface": "lance-ethernet"} for n in ("le0", "le1")]
    nfs = {"nfs": {"ops_per_s": 320, "mix": "legato"}}
    more = {"networks": networks, "services": ["nfs"], "policy": {"reserve": "20 %"}}
    found = checked(server([disk("a")], observed=nfs, **more))
    factors = {each.resource: each.factor for each in found.headroom}
    assert factors["primary/interfaces"].low == pytest.approx(512 / 320)


@pytest.mark.parametrize(
    ("accelerator", "sustained"),
    # Figure 12: 2,250 op/s over eight Ethernets with write caches, which give 20 % (3.4).
    [("write-cache", 2250), ("none", 2250 / 1.2)],
)
def test_a_machine_without_an_option_has_the_headroom_of_less_load(
    accelerator: str, sustained: float
) -> None:
    networks = [{"name": f"e{n}", "interface": "ethernet-processor"} for n in range(8)]
    nfs = {"ops_per_s": 1500, "reads_percent": 22, "writes_percent": 15}
    plain = {
        "name": "files", "guide": "auspex-1992", "platform": "ns-5500", "services": ["nfs"],
        "accelerator": accelerator, "networks": networks, "observed": {"nfs": nfs},
    }  # fmt: skip
    document = parse_document(text_of(plain), "box.yaml")
    found = report_check(read_box(document), document, load_engine("auspex-1992")).check
    (room,) = (each for each in found.headroom if each.resource == "files/nfs")
    assert room.factor.low == pytest.approx(sustained / 1500)


def test_break_even_includes_what_was_measured() -> None:
    plain = server([disk("a")], observed={"disks": {"a": {"busy_percent": 40}}})
    document = parse_document(text_of(plain), FILE)
    report = report_check(read_box(document), document, ENGINE, break_even=True)
    assert report.break_even is not None
    found = {flip.resource: flip for flip in report.break_even.flips if flip.leaf.high == 40}
    assert found["primary/busy/a"].value == pytest.approx(MOST_BUSY_PERCENT)


@given(
    st.floats(1, 100), st.floats(1, 100), st.floats(0.5, 90), st.floats(0.5, 90),
    st.integers(1, 8),
)  # fmt: skip
def test_the_first_to_fail_is_the_one_that_was_named(
    busy: float, other: float, ops: float, more: float, blocks: int
) -> None:
    """Short of the headroom nothing fails that held before; beyond it the named resource does."""

    def load(factor: float) -> Plain:
        def seen(time: float, rate: float) -> Plain:
            return {
                "busy_percent": time * factor, "ops_per_s": rate * factor,
                "kb_per_s": rate * blocks * factor,
            }  # fmt: skip

        return {"disks": {"a": seen(busy, ops), "b": seen(other, more)}}

    found = {name: factor for name, factor in headrooms(load(1)).items() if factor >= 1}
    assume(found)
    first = min(found.values())
    assume(first * BEYOND * max(busy, other) <= 100)
    assert broken(load(first * BEFORE)) <= broken(load(1))
    over = {subject for _, subject in rules_not_followed(load(1))}
    assert {part for _, part in rules_not_followed(load(first * BEFORE))} <= over
    named = {name for name, factor in found.items() if factor < first * BEYOND}
    assert broken(load(first * BEYOND)) - broken(load(1)) >= {
        name for name in named if found[name] == first
    }


def test_what_comes_next_is_no_part_that_is_over_a_limit_already() -> None:
    """Disk a is busy for 80 of 65 %; its 20 op/s and those of b are within their limits."""
    seen = {"a": {"busy_percent": 80, "ops_per_s": 40}, "b": {"ops_per_s": 20}}
    found = checked(server([disk("a")], [disk("b")], observed={"disks": seen})).headroom
    (over,) = (each.resource for each in found if each.factor.low < 1)
    after = next_limit(found)
    assert over == "primary/busy/a"
    assert after is not None and not after.resource.endswith("/a")
    assert after == min(
        (f for f in found if not f.resource.endswith("/a")), key=lambda f: f.factor.low
    )


def test_the_headline_names_what_else_is_over_its_limit() -> None:
    """Disk a is busy for 80 of 65 %, b for 70, c for 66; 65 ÷ 70 is 0.929."""
    seen = {name: {"busy_percent": busy} for name, busy in (("a", 80), ("b", 70), ("c", 66))}
    plain = server([disk("a"), disk("b"), disk("c")], observed={"disks": seen})
    told = " ".join(text_for(plain).split())
    assert "today's load. Also: busy time, b, at 0.929 times, and 1 more." in told


def test_the_headline_counts_the_advice_that_is_listed() -> None:
    """46 op/s of 16 KB are above 60 % of 74, not of 79 (1.2.4-uneven-load)."""
    seen: Plain = {"disks": {"a": {"ops_per_s": 46, "kb_per_s": 736}}}
    seen["cpu"] = {"user_percent": 20, "system_percent": 10}
    told = text_for(server([disk("a")], observed=seen))
    listed = told.partition("\nAdvice not followed\n")[2].partition("\n\n")[0]
    assert "(at one end of a range)" in " ".join(listed.split())
    number = sum(line.startswith("  Rule ") for line in listed.splitlines())
    assert f"{number} piece" in " ".join(told.split())


def test_a_load_that_is_rounded_to_its_limit_is_at_it() -> None:
    """Of floating-point numbers, 70 % and 30 % of one processor are a little more than all."""
    seen = {"cpu": {"user_percent": 70, "system_percent": 30}}
    plain = server([disk("a")], observed=seen, accelerator="none") | {"processors": 1}
    assert "No headroom: processor time is at its limit." in text_for(plain)


def test_the_first_recommended_limit_and_the_first_within_it_are_beside_the_headroom() -> None:
    """Two processors are busy 900 of 1600 ms/s, the kernel lock 500 of 800, le0 880 of 440 KB/s."""
    network = {"name": "le0", "interface": "lance-ethernet"}
    seen = {
        "cpu": {"user_percent": 20, "system_percent": 25},
        "networks": {"le0": {"data_kb_per_s": 880}},
    }
    told = " ".join(text_for(server([disk("a")], networks=[network], observed=seen)).split())
    assert (
        "Recommended limits: data on network le0 at 0.5 times (rule 2.5-effective-speed); next "
        "kernel lock at 1.6 times (rule busy-kernel-lock)." in told
    )


def test_spin_is_no_load_that_grows() -> None:
    """Of 2400 ms/s of system time 1050 are spin: 2950 of 4000 ms/s are left for 1350 + 400."""
    seen = {"cpu": {"system_percent": 60, "user_percent": 10}}
    plain = server([disk("a")], observed=seen) | {"processors": 4}
    found = {each.resource: each.factor.low for each in checked(plain).headroom}
    assert found["primary/processors"] == pytest.approx((4000 - 1050) / 1750)


def test_what_does_not_grow_with_the_load_has_no_headroom() -> None:
    """Slots, addresses and space are stated; nothing says which part of them the load needs."""
    volume = {"name": "data", "size_mb": 500, "copies": [["a"]], "access": "random"}
    found = checked(server([disk("a")], observed=busy(a=10)) | {"volumes": [volume]})
    kinds = {each.resource.split("/")[1] for each in found.headroom}
    known = {each.kind for each in found.judged.budgets if each.used and each.used.low > 0}
    assert {"space", "targets"} <= known and "disk" in kinds
    assert not kinds & {"space", "targets", "slots"}
