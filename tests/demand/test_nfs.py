"""Operations a second of a service, reckoned by hand from the guide's own numbers."""

from __future__ import annotations

from typing import Any

import pytest

from generated_workloads import FILE
from sizewright.demand.rates import Stream
from sizewright.errors import InputError
from small import demand, plain, three, volume

PC_MAIL = {"activity": "286-pc-load-email", "burst_s": [5, 6], "every_s": 300}


def stream(**service: Any) -> Stream:
    (found,) = demand(service, volumes=[volume("alpha"), volume("beta")]).streams
    return found


@pytest.mark.parametrize(
    ("changes", "writes"),
    [
        ({"mix": {"reads_percent": 60, "writes_percent": 10}}, "files writes"),
        ({"mix": {"reads_percent": 60, "writes_percent": [0, 5]}}, ""),
        ({"mix": "legato"}, "files writes (mix 'legato')"), ({"mix": "brown"}, ""),
        ({}, "files writes (mix 'legato')"), ({"uses": ["alpha", "beta"]}, ""),
    ],
)  # fmt: skip
def test_files_are_written_only_on_a_volume_that_takes_writes(changes: Any, writes: str) -> None:
    """Legato is the default, with 15 % of writes; Brown has perhaps no writes at all."""
    service = {"name": "files", "uses": ["alpha"], **changes}
    volumes = [volume("alpha", read_only=True), volume("beta")]
    if not writes:
        assert demand(service, volumes=volumes).streams
        return
    with pytest.raises(InputError) as caught:
        demand(service, volumes=volumes)
    (found,) = caught.value.faults
    assert found.what == f"{writes}, and uses nothing but alpha, which is read_only"


def test_five_of_twelve_at_once_by_1_1_8() -> None:
    """Four to five of twelve clients at 30 operations each are 120 to 150."""
    active = {"of": 12, "at_once": [4, 5]}
    ecad = stream(clients=12, active=active, load={"ops_per_s": 30})
    assert three(ecad.ops) == (120, 135, 150)
    assert three(ecad.clients) == (12, 12, 12)


def test_a_share_at_once_grows_with_the_clients() -> None:
    active = {"of": 12, "at_once": [4, 5]}
    doubled = stream(clients=24, active=active, load={"ops_per_s": 30})
    assert three(doubled.ops) == (240, 270, 300)


def test_a_number_at_once_does_not_grow_with_the_clients() -> None:
    for clients in (12, 24):
        assert three(stream(clients=clients, active=[4, 5], load={"ops_per_s": 30}).ops) == (
            120, 135, 150,
        )  # fmt: skip


def test_three_or_four_programmers_by_1_1_8() -> None:
    assert three(stream(clients=[3, 4], load={"ops_per_s": 5}).ops) == (15, 17.5, 20)


def test_mail_of_75_pcs_by_1_1_8_and_appendix_b() -> None:
    """8 to 10 operations for 5 to 6 of every 300 seconds: 10 to 15; as much again for the rest."""
    mail = stream(clients=75, load=PC_MAIL)
    assert three(mail.ops)[::2] == (10, 15)
    both = stream(clients=75, load={**PC_MAIL, "times": 2})
    assert three(both.ops)[::2] == (20, 30)


def test_an_activity_without_a_duty_cycle_goes_on_all_the_time() -> None:
    """Appendix B: 27 to 35 operations a second while a file of 30 MB is loaded."""
    assert three(stream(clients=2, load={"activity": "ss2-load-30mb-file"}).ops) == (54, 62, 70)


def test_silent_frames_by_1_1_9() -> None:
    """80 clients read 250 to 256 KB each half minute in blocks of 8 KB; 13 % are reads."""
    data = [{"name": "frame", "kb": [250, 256]}]
    found = stream(clients=80, load={"data": data, "every_s": 30}, mix="brown")
    assert three(found.reads)[::2] == pytest.approx((80 * 250 / 30 / 8, 80 * 256 / 30 / 8))
    assert three(found.ops)[::2] == pytest.approx((83.3333 / 0.13, 85.3333 / 0.13), rel=1e-5)


def test_frames_with_true_sound_by_1_1_9() -> None:
    """30 seconds of 8000 samples of 2 bytes are 468.75 KB, not the 16 KB that are printed."""
    data = [
        {"name": "frame", "kb": 250},
        {"name": "sound", "byte": 2, "per_s": 8000, "seconds": 30},
    ]
    found = stream(clients=80, load={"data": data, "every_s": 30}, mix="brown")
    assert found.reads.high == pytest.approx(80 * (250 + 468.75) / 30 / 8)


def test_a_rate_given_in_bytes_or_kilobytes_is_the_same() -> None:
    by_byte = [{"name": "a", "byte": 1024, "per_s": 3, "seconds": 2}]
    by_kb = [{"name": "a", "kb": 6}]
    load = {"every_s": 10, "data": by_byte}
    assert stream(load=load, mix="brown").ops.high == pytest.approx(
        stream(load={**load, "data": by_kb}, mix="brown").ops.high
    )


def test_reads_and_writes_follow_from_the_mix() -> None:
    """2.12: about 15 % of the Legato mix are writes; 1.1.9: 13 % of the Brown mix are reads."""
    legato = stream(clients=100)
    assert three(legato.writes) == (15, 15, 15)
    assert three(legato.reads) == (0, 7.5, 15)
    assert legato.mix == "legato"
    brown = stream(clients=100, mix="brown")
    assert three(brown.reads) == (13, 13, 13)
    assert three(brown.writes) == (0, 7.5, 15)


def test_a_mix_may_be_the_users_own() -> None:
    own = stream(clients=100, mix={"reads_percent": [20, 30], "writes_percent": 5})
    assert three(own.reads) == (20, 25, 30)
    assert three(own.writes) == (5, 5, 5)
    assert three(own.weighted) == (100, 100, 100)


def test_the_workload_may_name_another_mix_for_all() -> None:
    (found,) = demand({}, policy={"default_mix": "brown"}).streams
    assert found.mix == "brown"


def test_operations_are_weighed_in_the_reference_mix() -> None:
    """A Brown operation costs less, by 787 ÷ 450 (1.1.9) or 435 ÷ (30 % of 800) (1.3.1.2)."""
    low, _, high = three(stream(clients=145, mix="brown").weighted)
    assert high == pytest.approx(145 / (787 / 450), rel=0.001)
    assert low == pytest.approx(145 / (435 / (0.30 * 800)), rel=0.002)
    assert three(stream(clients=145).weighted) == (145, 145, 145)


def test_the_measured_mix_moves_what_fills_an_ethernet_to_35_percent() -> None:
    """2.5.1: 400 operations are 35 % of 10 Mb/s, 1.1 KB each; 100 of them are 107 KB/s."""
    each = 0.35 * 10e6 / 8 / 1024 / 400
    assert each == pytest.approx(1.07, abs=0.01)
    assert stream(clients=100).kb_per_s.high == pytest.approx(100 * each)


def test_another_mix_moves_its_reads_and_writes() -> None:
    """8 KB each: 13 % reads and up to 15 % writes are 1.04 to 2.24 KB an operation."""
    low, _, high = three(stream(clients=100, mix="brown").kb_per_s)
    assert (low, high) == (pytest.approx(104), pytest.approx(224))
    own = stream(clients=100, mix={"reads_percent": 50, "writes_percent": 10})
    assert own.kb_per_s.high == pytest.approx(100 * 0.6 * 8)


def test_a_load_stated_as_data_moves_its_own_bytes() -> None:
    """30 clients that read 4 MB every 5 minutes are 30 × 4096 ÷ 300 = 410 KB/s."""
    load = {"data": [{"name": "file", "kb": 4096}], "every_s": 300}
    assert three(stream(clients=30, load=load, mix="brown").kb_per_s)[::2] == (409.6, 409.6)
    # With writes of a stated share the other direction is known too: as many writes as reads.
    both = {"reads_percent": 40, "writes_percent": 40}
    assert stream(clients=30, load=load, mix=both).kb_per_s.high == pytest.approx(2 * 409.6)


def test_growth_raises_every_rate() -> None:
    (now,) = demand({"clients": 100}).streams
    (then,) = demand({"clients": 100}, growth={"percent": [10, 20]}).streams
    assert three(then.ops) == (110, 115, 120)
    assert three(then.writes) == (16.5, 17.25, 18)
    assert then.weighted.high == pytest.approx(1.2 * now.weighted.high)
    assert then.kb_per_s.high == pytest.approx(1.2 * now.kb_per_s.high)
    assert three(then.clients) == three(now.clients)


def test_what_a_service_uses_is_shared_by_weight() -> None:
    uses = stream(uses={"beta": 3, "alpha": 1}).uses
    assert [(use.volume, three(use.share)) for use in uses] == [
        ("alpha", (0.25, 0.25, 0.25)), ("beta", (0.75, 0.75, 0.75)),
    ]  # fmt: skip


def test_a_list_of_uses_is_of_equal_weight() -> None:
    assert [use.share.high for use in stream(uses=["alpha", "beta"]).uses] == [0.5, 0.5]
    assert [use.share.high for use in stream(uses=["beta"]).uses] == [1]
    assert stream().uses == ()


def told(*services: dict[str, Any], **more: Any) -> str:
    with pytest.raises(InputError) as caught:
        demand(*services, **more)
    return caught.value.text()


def test_data_needs_a_mix_with_a_known_share_of_reads() -> None:
    load = {"data": [{"name": "frame", "kb": 250}], "every_s": 30}
    text = told({"load": load, "mix": "legato"})
    assert "needs the share of reads, and mix 'legato' has none" in text
    assert text.startswith(f"{FILE}:")


def test_unknown_names_are_told_where_they_stand_with_the_nearest() -> None:
    text = told(
        {"load": {"activity": "286-pc-load-mail"}},
        {"mix": "bruwn"},
        networks=[{"name": "north", "medium": "ethernets"}],
        wishes={
            "platforms": ["sparcstation-3"],
            "removable_media": ["quarter-inch-taep"],
            "carry_forward": [{"device": "1.0gb-ipi", "count": 2}],
        },
    )
    lines = [line for line in text.splitlines() if line.startswith(f"{FILE}:")]
    assert len(lines) == 6
    for near in (
        "286-pc-load-email", "brown", "ethernet", "sparcstation-2", "quarter-inch-tape",
        "1-0gb-ipi",
    ):  # fmt: skip
        assert f"did you mean '{near}'?" in text


def test_a_default_mix_that_is_not_there_is_told() -> None:
    assert "has no 'gulbransen' in table nfs-mixes" in told(
        {}, policy={"default_mix": "gulbransen"}
    )


@pytest.mark.parametrize(
    ("mix", "mostly_data"),
    [
        # Rule XI (b): "most network traffic consists of large data packets".
        ({"reads_percent": 50, "writes_percent": 10}, True),
        ({"reads_percent": 30, "writes_percent": 10}, False),
        # At most 15 % reads and 15 % writes, at most 13 % and 15 %.
        ("legato", False),
        ("brown", False),
    ],
)
def test_a_network_is_mostly_data_if_most_operations_read_or_write(
    mix: object, mostly_data: bool
) -> None:
    service = {"clients": 10, "load": {"ops_per_s_each": 5}, "mix": mix}
    (network,) = demand(service, volumes=[volume("alpha")]).networks
    assert network.large_packets is mostly_data


def test_other_traffic_leaves_open_whether_a_network_is_mostly_data() -> None:
    files, *_ = plain({"mix": {"reads_percent": 80, "writes_percent": 5}})["services"]
    other = {"kind": "measured", "name": "other", "network": "north", "traffic": {"kb_per_s": 20}}
    (network,) = demand(services=[files, other]).networks
    assert network.large_packets is None
