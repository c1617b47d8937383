"""What a box shows of single boards, and of the two ways of a network."""

from __future__ import annotations

import pytest

from sizewright.api import check, load_engine
from sizewright.box.reading import read_box
from sizewright.check.check import Check
from sizewright.check.measurements import measurements
from sizewright.documents import parse_document
from sizewright.errors import InputError
from sizewright.quantity import Quantity
from small import three

GUIDE = "sun-fire-2005"
BOARDS = """\
boards:
  - {id: sb-0, board: system-board, kernel_memory: false}
  - {id: sb-1, board: system-board, kernel_memory: false}
  - {id: sb-2, board: system-board}
  - {id: sb-17, board: system-board, kernel_memory: true}
"""


def checked(text: str, platform: str = "e25k") -> Check:
    whole = f"name: big\nguide: {GUIDE}\nplatform: {platform}\n{text}"
    return check(read_box(parse_document(whole, "box.yaml")), load_engine(GUIDE))


def traffic(**counts: tuple[object, object]) -> str:
    lines = "".join(
        f"    {name.replace('_', '-')}: {{memory_reads_per_s: {r}, memory_writes_per_s: {w}}}\n"
        for name, (r, w) in counts.items()
    )
    return f"observed:\n  boards:\n{lines}"


def factors(text: str) -> dict[str, tuple[float, float, float] | None]:
    boards = checked(BOARDS + text).judged.facts.boards
    return {
        b.id: three(b.memory_traffic_factor) if isinstance(b.memory_traffic_factor, Quantity)
        else None
        for b in boards
    }  # fmt: skip


def verdicts(found: Check, rule: str) -> dict[str, str]:
    return {f.subject.rpartition("/")[2]: f.verdict for f in found.findings if f.rule == rule}


def test_the_kernels_board_is_held_against_the_mean_of_those_without() -> None:
    """800 over the mean of 150 and 250; the board of which nobody told is left out."""
    found = factors(traffic(sb_0=(100, 50), sb_1=(150, 100), sb_2=(9000, 0), sb_17=(600, 200)))
    assert found == {"sb-0": None, "sb-1": None, "sb-2": None, "sb-17": (4, 4, 4)}


def test_counts_may_be_ranges() -> None:
    found = factors(traffic(sb_0=("[100, 200]", 0), sb_17=(600, "[0, 200]")))
    assert found["sb-17"] == (3, pytest.approx(700 / 150), 8)


@pytest.mark.parametrize(
    "text",
    [
        "", traffic(sb_17=(600, 200)), traffic(sb_0=(100, 50)), traffic(sb_0=(0, 0), sb_17=(5, 5)),
        traffic(sb_2=(100, 50), sb_17=(600, 200)),
        "observed: {boards: {sb-0: {memory_reads_per_s: 5}, sb-17: {memory_reads_per_s: 9}}}\n",
    ],
)  # fmt: skip
def test_without_counts_to_compare_it_is_unknown(text: str) -> None:
    assert factors(text)["sb-17"] is None


@pytest.mark.parametrize(("reads", "verdict"), [(599, "holds"), (600, "violated")])
def test_four_times_is_a_hot_spot(reads: int, verdict: str) -> None:
    """Section 8: 799 and 800 over 200."""
    text = BOARDS + traffic(sb_0=(100, 50), sb_1=(150, 100), sb_17=(reads, 200))
    found = verdicts(checked(text), "8-cage-imbalance")
    not_judged = dict.fromkeys(("sb-0", "sb-1"), "not_applicable")
    assert found == {**not_judged, "sb-2": "unknown", "sb-17": verdict}


@pytest.mark.parametrize(
    ("revision", "verdict"), [('"6.2"', "holds"), ('"6.10"', "holds"), ('"6.1"', "violated")]
)
def test_an_expander_board_needs_a_revision(revision: str, verdict: str) -> None:
    """Section 1: 6.2 of the ASIC."""
    text = f"boards: [{{id: ex-0, board: expander-board, revision: {revision}}}]\n"
    (board,) = checked(text).judged.facts.boards
    assert (board.least_revision, board.revision) == ("6.2", revision.strip('"'))
    assert verdicts(checked(text), "1-asic-revision") == {"ex-0": verdict}


def test_a_revision_that_nobody_tells_or_that_decides_nothing_is_unknown() -> None:
    text = "boards: [{id: a, board: expander-board}, {id: b, board: hpci, revision: '1.0'}]\n"
    first, second = checked(text).judged.facts.boards
    assert (first.revision_serves, second.revision_serves, second.least_revision) == (None,) * 3


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("boards: [{id: a, board: hpci, revision: 6.2}]\n", "put it in quotes"),
        ("boards: [{id: a, board: hpci, revision: six}]\n", "'six' is no revision"),
        (BOARDS + traffic(sb_3=(1, 1)), "there is no board 'sb-3'"),
        (BOARDS + traffic(sb_0=("5 MB", 1)), "cannot be converted"),
    ],
)
def test_what_cannot_be_is_refused(text: str, told: str) -> None:
    with pytest.raises(InputError) as refused:
        checked(text)
    assert told in refused.value.text()


NETWORK = "networks: [{name: lan, interface: cassini}]\noperating_system: %s\n%s"
TUNED = "reported: {ce_interrupts: 1, ce_taskq_disable: 1}\n"
UNTUNED = "reported: {ce_interrupts: 0, ce_taskq_disable: 0}\n"


def rates(sent: object, received: object) -> str:
    seen = f"{{sent_kb_per_s: {sent}, received_kb_per_s: {received}}}"
    return f"observed: {{networks: {{lan: {seen}}}}}\n"


def test_both_ways_of_a_network_are_known_by_themselves() -> None:
    text = NETWORK % ("solaris-9", rates("80 Mb/s", "[8 Mb/s, 16 Mb/s]"))
    (lan,) = checked(text, "sun-fire-15k").judged.facts.networks
    assert isinstance(lan.sent_kb_per_s, Quantity)
    assert isinstance(lan.received_kb_per_s, Quantity)
    assert three(lan.sent_kb_per_s) == (9765.625,) * 3
    assert three(lan.received_kb_per_s) == (976.5625, 1464.84375, 1953.125)
    assert isinstance(lan.data_kb_per_s, Quantity)
    assert three(lan.data_kb_per_s) == three(lan.sent_kb_per_s)


@pytest.mark.parametrize(("sent", "verdict"), [(700, "holds"), (1010, "violated")])
def test_a_medium_that_passes_both_ways_at_once_is_used_by_the_larger(
    sent: int, verdict: str
) -> None:
    """Gigabit Ethernet has 1000 Mb/s (section 10), and Table 3 898 out beside 650 in."""
    found = checked(NETWORK % ("solaris-9", rates(f"{sent} Mb/s", "650 Mb/s")), "sun-fire-15k")
    assert verdicts(found, "10-medium")["lan"] == verdict
    assert "networks" in found.loads


def test_data_of_both_ways_may_add_up_if_the_guide_does_not_state_it() -> None:
    """On an Ethernet of sun-1992: 300 KB/s sent and 200 received are from 300 to 500."""
    networks = "networks: [{name: lan, interface: lance-ethernet}]\n"
    text = f"platform: sparcserver-670mp\n{networks}{rates(300, 200)}"
    document = parse_document(f"name: both\n{text}", "box.yaml")
    (lan,) = check(read_box(document), load_engine("sun-1992")).judged.facts.networks
    assert isinstance(lan.data_kb_per_s, Quantity)
    assert (lan.data_kb_per_s.low, lan.data_kb_per_s.high) == (300, 500)


def test_nfsstat_is_no_measurement_of_a_server_without_file_service() -> None:
    text = NETWORK % ("solaris-9", "services: [database]\n")
    (way,) = (w for w in measurements(checked(text, "sun-fire-15k")) if "networks" in w.loads)
    assert way.command.startswith("Network monitor")


@pytest.mark.parametrize(
    ("release", "tuning", "sent", "received", "verdicts_expected"),
    [
        ("solaris-9", UNTUNED, 640, 340, ("holds", "holds")),
        ("solaris-9", UNTUNED, 650, 350, ("violated", "violated")),
        ("solaris-9", TUNED, 890, 640, ("holds", "holds")),
        ("solaris-9", TUNED, 900, 660, ("violated", "violated")),
        ("solaris-9", "", 700, 340, ("unknown", "holds")),
        ("solaris-10", TUNED, 990, 990, ("not_applicable", "not_applicable")),
    ],
)
def test_each_way_has_its_printed_rate(
    release: str, tuning: str, sent: int, received: int, verdicts_expected: tuple[str, str]
) -> None:
    """Table 3: 646 out and 345 in as it comes, 898 and 650 tuned."""
    text = NETWORK % (release, tuning + rates(f"{sent} Mb/s", f"{received} Mb/s"))
    found = checked(text, "sun-fire-15k")
    told = tuple(verdicts(found, f"10-{way}-rate")["lan"] for way in ("transmit", "receive"))
    assert told == verdicts_expected


def test_the_two_ways_leave_nothing_to_the_rule_on_both_together() -> None:
    whole = "observed: {networks: {lan: {data_kb_per_s: 900 Mb/s%s}}}\n"
    apart = ", sent_kb_per_s: 600 Mb/s, received_kb_per_s: 300 Mb/s"
    for more, verdict in (("", "violated"), (apart, "not_applicable")):
        found = checked(NETWORK % ("solaris-9", whole % more), "sun-fire-15k")
        assert verdicts(found, "10-bulk-rate")["lan"] == verdict
