"""What varies in time is judged at its peak: quiet hours do not make a server less busy."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from check.test_first_step import disk, server
from generated_boxes import checked
from settled import settled
from sizewright.check.check import Check

# Section 2.4.4, Table 8: a disk should be busy for 65 % of its time at most. A 1.3 GB SCSI disk
# can do 92 op/s at random, and 60 at 65 %.
MOST_BUSY = 65
BUSY, RANDOM = "2.4.4-busy", "2.4.4-random"


def verdict(rule: str, **observed: object) -> str:
    found = checked(server([disk("a")], observed={"disks": {"a": observed}})).findings
    return next(each.verdict for each in found if each.rule == rule)


@pytest.mark.parametrize(
    ("busy", "expected"),
    [
        ([5, 65, 95], "violated"), ([5, 95], "violated"), ([60, 66], "violated"),
        ([5, 30, 65], "holds"), (66, "violated"), (65, "holds"),
    ],
)  # fmt: skip
def test_the_high_value_of_a_range_of_busy_time_counts(busy: object, expected: str) -> None:
    assert verdict(BUSY, busy_percent=busy) == expected


@given(st.integers(0, 100), st.integers(0, 100))
def test_a_quiet_report_never_helps(busy: int, quiet: int) -> None:
    """A range from a quiet report to the busiest has the verdict of the busiest alone."""
    low, high = sorted((busy, quiet))
    expected = "holds" if high <= MOST_BUSY else "violated"
    assert verdict(BUSY, busy_percent=[low, high]) == verdict(BUSY, busy_percent=high) == expected


@pytest.mark.parametrize(
    ("ops", "busy", "broken"),
    [(30, 40, set()), (30, 80, {BUSY}), (70, 40, {RANDOM}), (70, 80, {BUSY, RANDOM})],
)
def test_a_disk_is_judged_by_its_busy_time_and_by_its_operations(
    ops: int, busy: int, broken: set[str]
) -> None:
    seen = {"ops_per_s": ops, "busy_percent": busy}
    assert {rule for rule in (BUSY, RANDOM) if verdict(rule, **seen) == "violated"} == broken


def used(kind: str, found: Check) -> float:
    """What is used of a resource at its peak."""
    (figure,) = (each.used for each in found.judged.budgets if each.kind == kind)
    assert figure is not None
    assert figure.low == figure.high
    return figure.high


def processors(**observed: object) -> float:
    """What is used of the two processors, in ms/s."""
    return used("processors", checked(server([disk("a")], observed={"cpu": observed})))


def reported(*shares: tuple[int, int], **more: object) -> dict[str, object]:
    """Observations with a report for each pair of user and system time in percent."""
    cpus = [{"user_percent": user, "system_percent": system} for user, system in shares]
    return {"reports": {"vmstat": [{"cpu": cpu, **more} for cpu in cpus]}}


def test_user_and_system_time_are_added_report_by_report() -> None:
    """40 + 40 % is the most; 50 % of user time and 50 % of system time were at other moments."""
    seen = reported((50, 20), (20, 50), (40, 40))
    found = checked(server([disk("a")], observed=seen))
    assert used("processors", found) == pytest.approx(0.80 * 2000)
    (peak,) = (each for each in found.peaks if each.resource.endswith("/processors"))
    assert (peak.at, peak.report_at) == ("report 3", "report 3")


def test_without_single_reports_one_peak_counts() -> None:
    """At the peak of user time, 50 %, system time is at least 20; the means are 35 + 30 %."""
    found = processors(user_percent=[20, 35, 50], system_percent=[20, 30, 40])
    assert found == pytest.approx(0.70 * 2000)


def test_of_two_tools_with_the_same_values_the_last_counts() -> None:
    seen = {
        "reports": {
            **reported((90, 5))["reports"],
            "sar": [{"cpu": {"user_percent": 10, "system_percent": 20}}],
        }
    }
    assert used("processors", checked(server([disk("a")], observed=seen))) == pytest.approx(600)


def busy(reports: list[dict[str, object]], **policy: object) -> Check:
    """A disk that is busy for some percent of the time in each report."""
    tool = [
        {k: v for k, v in each.items() if k != "busy"}
        | {
            "disks": {
                "a": {
                    "busy_percent": each["busy"],
                    "ops_per_s": each["busy"],
                    "kb_per_s": 8 * each["busy"],
                }
            }
        }
        for each in reports
    ]
    return checked(server([disk("a")], observed={"reports": {"iostat": tool}}, **policy))


def busiest(found: Check) -> float:
    return next(b.used for b in found.judged.budgets if b.kind == "busy").high


def lasting(seconds: int, *percents: int) -> list[dict[str, object]]:
    return [{"busy": percent, "seconds": seconds} for percent in percents]


@pytest.mark.parametrize(
    ("reports", "mean"),
    [
        # Half an hour each: 90 and 42 follow one another, 90 and 80 do not.
        (lasting(1800, 90, 42, 10, 80, 20), 66), (lasting(1800, 10, 90, 10), 50),
        # An hour is one and a half reports, the second of which counts for a half.
        (lasting(2400, 30, 60, 90), (2 * 90 + 60) / 3), (lasting(7200, 20, 70), 70),
        # Less than an hour in all.
        (lasting(600, 20, 70), 45),
        # One report does not state its length: each counts by itself.
        ([*lasting(600, 20, 70), {"busy": 10}], 70),
    ],
)  # fmt: skip
def test_the_mean_of_the_busiest_hour_is_judged(
    reports: list[dict[str, object]], mean: float
) -> None:
    assert busiest(busy(reports)) == pytest.approx(mean)


def test_how_long_the_busiest_hour_is_can_be_stated() -> None:
    shorter = {"parameters": {"plausible-disk": {"busiest_s": 1800}}}
    reports = lasting(1800, 90, 42, 10)
    found = busy(reports, policy=shorter)
    assert busiest(busy(reports)) == pytest.approx(66)
    assert busiest(found) == pytest.approx(90)


def test_the_busiest_report_is_shown_beside_the_busiest_hour() -> None:
    times = [
        {**each, "at": f"{8 + n}:30".zfill(5)} for n, each in enumerate(lasting(1800, 60, 90, 42))
    ]
    (peak,) = (each for each in busy(times).peaks if "busy" in each.resource)
    assert (peak.at, peak.used.high) == ("08:30 to 09:30", pytest.approx(75))
    assert (peak.report_at, peak.report_used.high) == ("09:30", pytest.approx(90))


@given(
    st.lists(st.tuples(st.integers(1, 9), st.integers(0, 100)), min_size=1, max_size=8), st.data()
)
def test_splitting_and_order_of_reports_change_nothing(
    told: list[tuple[int, int]], data: st.DataObject
) -> None:
    """Reports with their times are sorted; halves of a report are as busy as the whole."""
    times = [
        {"busy": share, "seconds": 600 * n, "at": f"{8 + i:02}:00"}
        for i, (n, share) in enumerate(told)
    ]  # fmt: skip
    before = busiest(busy(times))
    at = data.draw(st.integers(0, len(times) - 1))
    first = {**times[at], "seconds": times[at]["seconds"] / 2}
    halves = [*times[:at], first, {**first, "at": f"{8 + at:02}:01"}, *times[at + 1 :]]
    for changed in (halves, data.draw(st.permutations(times)), data.draw(st.permutations(halves))):
        assert busiest(busy(changed)) == pytest.approx(before)


@given(st.lists(st.lists(st.integers(0, 60), min_size=4, max_size=4), min_size=2, max_size=6))
@settled(60)
def test_a_channel_is_judged_by_the_report_with_its_largest_sum(told: list[list[int]]) -> None:
    """Two channels of two disks each have their largest sums in reports of their own."""
    rows = [dict(zip("abcd", each, strict=True)) for each in told]
    reports = [
        {"disks": {name: {"ops_per_s": n, "kb_per_s": 8 * n} for name, n in row.items()}}
        for row in rows
    ]  # fmt: skip
    seen = {"reports": {"iostat": reports}}
    found = checked(server([disk("a"), disk("b")], [disk("c"), disk("d")], observed=seen))
    for at, names in (("esp0", "ab"), ("esp1", "cd")):
        assert kb_per_s(found, at) == pytest.approx(
            8 * max(sum(row[n] for n in names) for row in rows)
        )
        alone = [channel(**{name: row[name] for name in names}) for row in rows]
        for kind in ("active", "channel"):
            most = max(peak_of(kind, "esp0", each) for each in alone)
            assert peak_of(kind, at, found) == pytest.approx(most)


def peak_of(kind: str, name: str, found: Check) -> float:
    used = next(b.used for b in found.judged.budgets if (b.kind, b.name) == (kind, name))
    return 0 if used is None else used.high


def channel(**ops: object) -> Check:
    """Disks on one adapter, in op/s of 8 KB."""
    seen = {
        name: {"ops_per_s": n, "kb_per_s": [8 * e for e in n] if isinstance(n, list) else 8 * n}
        for name, n in ops.items()
    }
    return checked(server([disk(name) for name in ops], observed={"disks": seen}))


def test_peaks_of_disks_at_different_moments_are_not_added() -> None:
    """Each disk does 56 op/s in an hour of its own, and 5 in the two others: 528 KB/s in each."""
    alone = channel(a=56, b=5, c=5)
    varied = channel(a=[5, 22, 56], b=[5, 22, 56], c=[5, 22, 56])
    for kind in ("channel", "active"):
        (one,), (other,) = (
            [b.used for b in found.judged.budgets if b.kind == kind] for found in (alone, varied)
        )
        assert one is not None and other is not None
        assert (other.low, other.high) == pytest.approx((one.low, one.high))
    assert {f.rule for f in varied.findings if f.verdict in ("tight", "violated")} == {
        f.rule for f in alone.findings if f.verdict in ("tight", "violated")
    }


@given(st.lists(st.lists(st.integers(0, 60), min_size=1, max_size=5), min_size=1, max_size=4))
@settled(60)
def test_a_sum_is_never_more_than_its_peaks_nor_less_than_one_of_them(
    seen: list[list[int]],
) -> None:
    names = "abcd"[: len(seen)]
    reports = dict(zip(names, seen, strict=True))
    ranges = {n: [min(v), sum(v) / len(v), max(v)] for n, v in reports.items()}
    found = kb_per_s(channel(**ranges))
    peaks = [8 * max(v) for v in seen]
    means = [8 * sum(v) / len(v) for v in seen]
    assert max(*peaks, sum(means)) <= found * (1 + 1e-9)
    assert found <= sum(peaks) * (1 + 1e-9)


def kb_per_s(found: Check, at: str = "esp0") -> float:
    lines = found.judged.load.channels[at]
    assert lines is not None
    return sum(line.figure.high for line in lines)


def test_the_high_value_of_a_range_counts_for_a_network() -> None:
    """An Ethernet of 400 op/s sustains 320 (1.1.1)."""
    networks = [{"name": "le0", "interface": "lance-ethernet"}]
    seen = {"networks": {"le0": {"ops_per_s": [100, 330]}}}
    found = checked(server([disk("a")], networks=networks, services=["nfs"], observed=seen))
    rules = {f.rule: f.verdict for f in found.findings if f.subject == "primary/network/le0"}
    assert rules["1.1.1-interface-sustained"] == "violated"


@pytest.mark.parametrize(
    ("seen", "named"),
    [
        ({"ops_per_s": 2000}, ["plausible-disk"]),
        ({"ops_per_s": 2000, "kb_per_s": 10}, ["plausible-disk-size", "plausible-disk"]),
        ({"ops_per_s": 0, "busy_percent": 60}, ["plausible-disk-busy"]),
        ({"ops_per_s": 40, "kb_per_s": 320}, []),
        ({"ops_per_s": [0, 40], "kb_per_s": [0, 320], "busy_percent": [0, 60]}, []),
    ],
)  # fmt: skip
def test_measurements_that_contradict_each_other_are_named_and_left_out(
    seen: dict[str, object], named: list[str]
) -> None:
    """A 1.3 GB disk does 92 op/s at random; an operation moves a block of 512 bytes or more."""
    found = checked(server([disk("a")], observed={"disks": {"a": seen}}))
    asked = [f for f in found.findings if f.rule.startswith("plausible-disk")]
    violated = [f for f in asked if f.verdict == "violated"]
    assert sorted(f.rule for f in violated) == sorted(named)
    verdicts = {f.rule: f.verdict for f in found.findings if f.subject == "primary/disk/a"}
    assert (verdicts[RANDOM] == "unknown") == bool(named)
    for finding in violated:
        first = finding.message.partition(". ")[0]
        assert first.endswith(")") and ":" in first.rsplit("(")[-1]
        assert not [b for b in found.judged.budgets if b.verdict == "violated"]


UTILISATION = "2.5.1-utilisation"
CONTRADICTIONS = ("plausible-network", "plausible-network-busy", "plausible-network-size")


@pytest.mark.parametrize(
    ("seen", "named"),
    [
        ({"data_kb_per_s": 1_000_000, "utilisation_percent": 30}, ["-busy", ""]),
        ({"data_kb_per_s": 1000, "utilisation_percent": 1}, ["-busy"]),
        ({"data_kb_per_s": 1, "utilisation_percent": 90}, ["-busy"]),
        ({"data_kb_per_s": 10, "ops_per_s": 300, "utilisation_percent": 20}, ["-size"]),
        ({"data_kb_per_s": 10, "utilisation_percent": 0}, []),
        ({"data_kb_per_s": 380, "ops_per_s": 50, "utilisation_percent": 32}, []),
    ],
)
def test_measurements_of_a_network_that_contradict_each_other_are_named_and_left_out(
    seen: dict[str, object], named: list[str]
) -> None:
    """10 Mb/s are 1221 KB/s; a packet of an Ethernet has 64 bytes or more."""
    networks = [{"name": "le0", "interface": "lance-ethernet"}]
    found = checked(server([disk("a")], networks=networks, observed={"networks": {"le0": seen}}))
    violated = [f for f in found.findings if f.verdict == "violated" and f.rule in CONTRADICTIONS]
    assert [f.rule for f in violated] == [f"plausible-network{name}" for name in named]
    verdicts = {f.rule: f.verdict for f in found.findings}
    assert (verdicts[UTILISATION] == "unknown") == bool(named)
    assert all(":" in finding.message.rsplit("(")[-1] for finding in violated)
    assert not [b for b in found.judged.budgets if b.verdict == "violated"]


def test_nobody_is_asked_for_a_second_port_of_a_scsi_disk() -> None:
    found = checked(server([disk("a")], accelerator="sbus-prestoserve"))
    assert {f.verdict for f in found.findings if f.rule == "2.4.3-dual-port"} == {"not_applicable"}
    assert {f.verdict for f in found.findings if f.rule == "XIX"} == {"holds"}
