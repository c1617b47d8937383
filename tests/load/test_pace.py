"""How fast runs go, reckoned by hand from the guide's tables, and what may never slow them down.

A raw read of 8 KB in sequence from the 911 MB drive: 530 a second (1.2.9.2), 65 % of it sustained.
A random read of 8 KB from the 1.3 GB drive: 92 a second, 60 at 65 % (Table 8). On 28.5 MIPS a raw
read costs 0.67 and 0.95 ms × 22 ÷ 28.5 in the kernel (Table 7).
"""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluator import complaints
from generated_workloads import Plain
from serving import demanded, server
from settled import settled
from sizewright.configuration.model import Channel, Port, System
from sizewright.load.derive import derive_load
from sizewright.load.model import Pace
from sizewright.load.pace import ACTIVE, CHANNEL, DISKS, LOCK, NETWORK
from small import GUIDE, board, channel, disk, laid

SERIAL, RANDOM, SUSTAINED = 530, 92, 60
LOCK_SERIAL_S, LOCK_RANDOM_S = 0.67 * 22 / 28.5 / 1000, 0.95 * 22 / 28.5 / 1000


def strings(*numbers: int, model: str, volume: str) -> System:
    """A server with these numbers of disks on its string controllers, all for one volume."""
    ids = [[f"{n}-{d}" for d in range(number)] for n, number in enumerate(numbers)]
    channels = tuple(
        Channel(f"isp-80-{n}", "ipi-2", f"isp-80-{n}", tuple(disk(name, model) for name in names))
        for n, names in enumerate(ids)
    )
    boards = tuple(board(f"isp-80-{n}", "isp-80", "vme", 9 + n) for n in range(len(numbers)))
    volumes = (laid(volume, {name: 100 for names in ids for name in names}),)
    return server(channels=channels, boards=boards, volumes=volumes)


def scans(*numbers: int) -> System:
    return strings(*numbers, model="911mb-ipi", volume="scans")


def tables(*numbers: int) -> System:
    return strings(*numbers, model="1-3gb-ipi", volume="tables")


def program(*works: Plain, name: str = "program") -> Plain:
    items = [{"name": f"work {n}", "block_kb": 8, **work} for n, work in enumerate(works)]
    return {"kind": "measured", "name": name, "network": "ring", "work": items}


def open_ended(volume: str, **more: Any) -> Plain:
    return {"volume": volume, "as_fast_as_disks": True, **more}


def paces(on: System, *services: Plain, **more: Any) -> list[Pace]:
    found = [work.pace for work in derive_load(demanded(*services, **more), on, GUIDE).works]
    assert None not in found
    return [pace for pace in found if pace is not None]


def pace(on: System, *works: Plain) -> Pace:
    return paces(on, program(*works))[0]


def ends(figure: Any) -> Any:
    return pytest.approx((figure.low, figure.likely, figure.high))


def test_one_serial_run_waits_for_as_many_disks_as_the_strings_let_be_active() -> None:
    """Two strings, one disk each: 2 ÷ (1 ÷ 530 s + 0.517 ms) = 832 a second, 689 at 65 %."""
    found = pace(scans(3, 2), open_ended("scans", ops=1000))
    alone = 2 / (1 / SERIAL + LOCK_SERIAL_S)
    assert found.requests.high == 2
    assert (found.rate.low, found.rate.likely, found.rate.high) == pytest.approx(
        (2 * SERIAL * 0.65, alone, alone)
    )
    assert (found.station, found.by_requests) == (DISKS, True)
    assert found.run_s is not None and found.best_run_s is not None
    assert (found.run_s.low, found.run_s.high) == pytest.approx(
        (1000 / alone, 1000 / (2 * SERIAL * 0.65))
    )
    assert found.best_run_s.high == pytest.approx(1000 / alone)


def test_fourteen_serial_drives_on_three_controllers_run_as_three() -> None:
    """Rule IX; 14 requests return sooner than three disks serve them."""
    found = pace(scans(5, 5, 4), open_ended("scans", outstanding=14))
    assert found.rate.high == pytest.approx(3 * SERIAL)
    assert (found.station, found.by_requests) == (ACTIVE, False)


def test_seven_random_drives_on_two_controllers_run_as_six() -> None:
    found = pace(tables(4, 3), open_ended("tables", outstanding=20))
    assert (found.rate.low, found.rate.high) == pytest.approx((6 * SUSTAINED, 6 * RANDOM))
    assert pace(tables(4, 3), open_ended("tables")).requests.high == 6


def test_a_scsi_bus_passes_a_fifth_of_its_time_at_random() -> None:
    """2.4.2: 0.20 × (4.1 to 5.0 MB/s) ÷ 8 KB are 105 to 128 a second; two disks could 184."""
    disks = channel("builtin-1", disk("a", "1-3gb-scsi"), disk("b", "1-3gb-scsi"))
    on = strings(volume="tables", model="")._replace(
        channels=(disks,), volumes=(laid("tables", {"a": 100, "b": 100}),)
    )
    found = pace(on, open_ended("tables", outstanding=99))
    assert (found.rate.low, found.rate.high) == pytest.approx((0.2 * 4.1 * 128, 0.2 * 5 * 128))
    assert found.station == CHANNEL


def test_a_run_that_keeps_one_request_outstanding_keeps_one_disk_busy() -> None:
    one = 1 / (1 / RANDOM + LOCK_RANDOM_S)
    for disks in (1, 6):
        found = pace(tables(disks), open_ended("tables", outstanding=1, ops=100))
        assert found.rate.high == pytest.approx(one)
    assert found.run_s is not None and found.run_s.high == pytest.approx(100 / one)


def test_stated_runs_at_once_share_what_is_there() -> None:
    """Four runs of one request each go as one of four, and each takes four times as long."""
    four = pace(tables(3, 3), open_ended("tables", outstanding=1, ops=100, by=4))
    one = pace(tables(3, 3), open_ended("tables", outstanding=4, ops=100))
    assert (four.rate.low, four.rate.high) == pytest.approx((one.rate.low, one.rate.high))
    assert four.run_s is not None and one.run_s is not None
    assert four.run_s.high == pytest.approx(4 * one.run_s.high)


def test_arrivals_put_more_runs_in_progress_if_a_run_takes_longer_than_they_are_apart() -> None:
    """Runs of 100 reads, one each second; with one request outstanding a run takes 1.16 s."""
    arriving = {"volume": "tables", "ops": 100, "every_s": 1, "by": 1, "outstanding": 1}
    found = pace(tables(3), arriving)
    alone = 100 * (1 / RANDOM + LOCK_RANDOM_S)
    assert alone > 1
    assert found.rate.high == pytest.approx(100), "as many as arrive"
    assert found.run_s is not None and found.run_s.high == pytest.approx(alone)


def test_the_wanted_time_sets_no_runs_in_progress() -> None:
    found = {
        pace(tables(2), {"volume": "tables", "ops": 100, "within_s": s}).rate.high
        for s in (5, 5000)
    }
    assert len(found) == 1


def test_what_others_use_of_a_disk_is_not_left_and_slows_down_the_rest() -> None:
    """46 of 92 operations: half of the disk; an operation waits twice as long for it."""
    other = {"volume": "tables", "ops_per_s": 46}
    one = program(open_ended("tables", outstanding=1), other)
    (found, *_) = paces(tables(1), one)
    kernel = LOCK_RANDOM_S / (1 - 46 * LOCK_RANDOM_S)
    # 8 KB over the string take 8 ÷ 6144 s, which is part of the disk's time but for the stretch.
    string = 8 / 6144 * (1 / (1 - 46 * 8 / 6144) - 1)
    bus = 8 / (25 * 1024) * (1 / (1 - 46 * 8 / 1024 / 25) - 1)
    assert found.rate.high == pytest.approx(1 / (2 / RANDOM + kernel + string + bus))
    assert found.rate.low == pytest.approx(SUSTAINED - 46)
    (many, *_) = paces(tables(1), program(open_ended("tables", outstanding=99), other))
    assert (many.rate.low, many.rate.high) == pytest.approx((SUSTAINED - 46, RANDOM - 46))


def test_a_network_limits_runs_that_return_data_from_its_effective_to_its_raw_speed() -> None:
    """20 MB for 1280 reads are 16 KB each; FDDI passes 900 to 1024 KB/s to users (Table 10)."""
    run = {"volume": "tables", "ops": 1280, "returns_mb": 20, "within_s": 600, "outstanding": 99}
    found = pace(tables(3, 3), run)
    assert (found.rate.low, found.rate.likely) == pytest.approx((900 / 16, 1024 / 16))
    assert found.rate.high > 1024 / 16
    assert (found.station, found.lasts) == (NETWORK, True)
    assert found.run_s is not None and found.run_s.high == pytest.approx(1280 / (900 / 16))


def test_a_second_ring_passes_no_more_than_the_protocol_stack_does() -> None:
    """Table 10: 900 KB/s are the speed of the machine's protocol stack, for all rings together."""
    run = {"volume": "tables", "ops": 1280, "returns_mb": 20, "within_s": 600, "outstanding": 99}
    two = tuple(Port("ring", n, "fddi-dx", f"fddi-dx-{n}") for n in (1, 2))
    found = pace(tables(3, 3)._replace(ports=two), run)
    assert (found.rate.low, found.rate.likely) == pytest.approx((900 / 16, 1024 / 16))


def test_runs_do_not_end_at_rates_that_others_use_up() -> None:
    run = {"volume": "tables", "ops": 1280, "returns_mb": 20, "within_s": 600, "outstanding": 99}
    talk = {"kind": "timesharing", "name": "people", "sessions": 10, "network": "ring",
            "traffic": {"kb_per_s": 950}}  # fmt: skip
    (found,) = paces(tables(3, 3), program(run), talk)
    assert (found.lasts, found.run_s, found.station) == (False, None, NETWORK)
    assert found.best_run_s is not None and found.best_run_s.high < 600


def test_one_lock_of_the_kernel_limits_many_disks() -> None:
    found = pace(tables(3, 3, 3, 3, 3, 3), open_ended("tables", outstanding=99))
    assert found.rate.high == pytest.approx(1 / LOCK_RANDOM_S)
    assert found.station == LOCK


def test_open_ended_works_share_evenly_what_is_left() -> None:
    alone = pace(tables(2), open_ended("tables", outstanding=99))
    both = paces(tables(2), program(*[open_ended("tables", outstanding=99)] * 2))
    for each in both:
        assert each.rate.high == pytest.approx(alone.rate.high / 2)


def test_a_log_with_few_kilobytes_leaves_most_of_a_string_to_a_serial_run() -> None:
    """40 raw writes of 2 KB are 0.724 of 0.65 × 85 (Table 7): a third of that part of a string."""
    on = strings(3, model="1-3gb-ipi", volume="scans")
    scan = open_ended("scans", outstanding=99)
    log = {"volume": "scans", "ops_per_s": 40, "operation": "write", "block_kb": 2}
    (alone, *_), (beside, *_) = (paces(on, program(*works)) for works in ([scan], [scan, log]))
    assert alone.station == beside.station == ACTIVE
    left = 1 - 40 / (0.65 * 85) / 3
    assert beside.rate.high == pytest.approx(alone.rate.high * left)


def test_what_never_runs_beside_a_work_takes_nothing_from_it() -> None:
    day = program(open_ended("tables", outstanding=99), name="day")
    night = program({"volume": "tables", "ops_per_s": 50}, name="night")
    together = paces(tables(2), day, night)[0]
    apart = paces(tables(2), day, night, exclusive=[["day", "night"]])[0]
    assert apart.rate.high == pytest.approx(2 * RANDOM)
    assert together.rate.high == pytest.approx(2 * RANDOM - 50)


def test_every_pace_can_be_recomputed_from_its_sources() -> None:
    run = {"volume": "tables", "ops": 1280, "returns_mb": 20, "within_s": 600, "every_s": 30,
           "by": 2, "outstanding": 9}  # fmt: skip
    other = {"volume": "tables", "ops_per_s": 20}
    for each in paces(tables(3, 3), program(run, other, open_ended("tables", ops=3))):
        figures = (each.rate, each.run_s, each.best_run_s, each.requests)
        assert complaints(figure for figure in figures if figure is not None) == []


def test_both_copies_of_a_mirror_are_read_and_both_are_written() -> None:
    def on(*copies: dict[str, float]) -> System:
        return scans(1, 1)._replace(volumes=(laid("scans", *copies, manager="online-disksuite"),))

    plain = scans(1, 1)._replace(volumes=(laid("scans", {"0-0": 100}),))
    mirror = on({"0-0": 100}, {"1-0": 100})
    reads = [pace(s, open_ended("scans", outstanding=9)).rate.high for s in (plain, mirror)]
    assert reads[1] == pytest.approx(2 * reads[0])
    writes = [
        pace(s, open_ended("scans", outstanding=9, operation="write")).rate.high
        for s in (plain, mirror)
    ]
    assert writes[1] == pytest.approx(writes[0])


WORK = st.fixed_dictionaries(
    {"volume": st.just("tables"), "ops": st.integers(1, 5000)},
    optional={
        "outstanding": st.integers(1, 40), "runs_at_once": st.integers(1, 9),
        "returns_mb": st.integers(1, 50),
    },
)  # fmt: skip
OTHER = st.fixed_dictionaries(
    {"volume": st.just("tables"), "ops_per_s": st.integers(0, 50), "block_kb": st.integers(1, 16)}
)


@settled(60)
@given(work=WORK, other=OTHER, small=st.integers(1, 64), large=st.integers(1, 64))
def test_larger_blocks_never_raise_operations_a_second(
    work: Plain, other: Plain, small: int, large: int
) -> None:
    small, large = sorted((small, large))
    found = [
        pace(tables(3, 2), {**work, "as_fast_as_disks": True, "block_kb": kb}, other).rate
        for kb in (small, large)
    ]
    assert found[1].high <= found[0].high * (1 + 1e-9)
    assert found[1].low <= found[0].low * (1 + 1e-9)


def slower(then: Pace, now: Pace) -> bool:
    """Whether a run takes longer than before, or the pace is lower, at any end."""
    if then.lasts and not now.lasts:
        return True
    times = [(then.best_run_s, now.best_run_s), (then.run_s, now.run_s)]
    return any(
        a is not None and b is not None and b.at(end) > a.at(end) * (1 + 1e-9)
        for a, b in times for end in ("low", "likely", "high")
    )  # fmt: skip


@settled(60)
@given(
    work=WORK, other=OTHER, numbers=st.lists(st.integers(1, 5), min_size=1, max_size=4),
    on=st.integers(0, 3),
)  # fmt: skip
def test_more_arms_never_slow_a_run_down(
    work: Plain, other: Plain, numbers: list[int], on: int
) -> None:
    more = list(numbers)
    more[on % len(more)] += 1
    wanted = demanded(program({**work, "as_fast_as_disks": True}, {**other, "volume": "files"}))
    before, after = (derive_load(wanted, tables(*n), GUIDE).works[0].pace for n in (numbers, more))
    assert before is not None and after is not None
    assert not slower(before, after)


@settled(40)
@given(work=WORK, other=OTHER)
def test_a_faster_network_or_more_processors_never_slow_a_run_down(
    work: Plain, other: Plain
) -> None:
    wanted = demanded(program({**work, "as_fast_as_disks": True}, other))
    slow = tables(3, 2)
    ethernet = slow._replace(ports=(Port("ring", 0, "lance-ethernet", "builtin"),))
    for before, after in ((ethernet, slow), (slow, slow._replace(processors=4))):
        then, now = (derive_load(wanted, s, GUIDE).works[0].pace for s in (before, after))
        assert then is not None and now is not None
        assert not slower(then, now)
