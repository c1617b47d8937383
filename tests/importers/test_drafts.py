"""A draft is always a file that `check` reads, whatever happened to the output it was made from."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path

import pytest

from sizewright.api import load_engine, report_check
from sizewright.box.reading import read_box
from sizewright.documents import parse_document
from sizewright.errors import InputError
from sizewright.importers.draft import draft_box
from sizewright.importers.formats import Text
from sizewright.output.reports import CheckReport

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
LOGS = (
    EXAMPLES / "sun-1992/appendix-d/probe.txt",
    EXAMPLES / "servers/long-chain/messages.txt",
)  # fmt: skip
ENGINE = load_engine("sun-1992")
PLATFORMS = ("", "sparcserver-690mp", "sparcstation-2")
ODD = ("", "0", "-1", "9" * 20, "x" * 300, "sd99", "~", "[", "{", "'", ":", "#", "le0", "esp0")


def checked(text: str) -> CheckReport:
    document = parse_document(text, "box.yaml")
    return report_check(read_box(document), document, ENGINE)


def mutated(lines: list[str], draw: random.Random) -> list[str]:
    """Lines of which some are gone, doubled, swapped, or have another word."""
    lines = list(lines)
    for _ in range(draw.randint(1, 4)):
        at, other = draw.randrange(len(lines)), draw.randrange(len(lines))
        kind = draw.choice(("gone", "doubled", "swapped", "word", "word", "word"))
        if kind == "gone":
            del lines[at]
        elif kind == "doubled":
            lines.insert(at, lines[other])
        elif kind == "swapped":
            lines[at], lines[other] = lines[other], lines[at]
        else:
            words = lines[at].split(" ")
            more = (*ODD, *lines[other].split(" "), str(draw.randint(0, 10 ** draw.randint(1, 12))))
            words[draw.randrange(len(words))] = draw.choice(more)
            lines[at] = " ".join(words)
    return lines


def damaged(seed: int, number: int) -> Iterator[tuple[str, ...]]:
    draw = random.Random(seed)
    logs = [log.read_text(encoding="utf-8").splitlines() for log in LOGS]
    for _ in range(number):
        yield tuple(mutated(draw.choice(logs), draw))


@pytest.mark.parametrize("platform", PLATFORMS)
def test_the_check_reads_every_draft(platform: str) -> None:
    drafted = 0
    for lines in damaged(len(platform), 40):
        try:
            draft = draft_box(Text("messages.txt", lines), ENGINE.guide, platform)
        except InputError:
            continue
        drafted += 1
        assert parse_document(draft.text(), "box.yaml").data == draft.data
        checked(draft.text())
    assert drafted > 20


BOX = """\
name: partly-known
guide: sun-1992
memory: {total_mb: 64}
channels:
  - id: esp0
    devices:
      - {id: sd0, device: 424mb-scsi, target: 3}
      - {id: sd1, target: 1}
networks:
  - {name: le0}
observed:
  cpu: {user_percent: 20, system_percent: 10}
  disks: {sd0: {busy_percent: 20, ops_per_s: 20}, sd1: {busy_percent: 80, ops_per_s: 20}}
"""


def test_what_is_known_of_an_unknown_model_is_judged_all_the_same() -> None:
    found = checked(BOX)
    verdicts = {
        (f.rule, f.subject.rpartition("/")[2]): f.verdict for f in found.check.findings
    }  # fmt: skip
    assert verdicts["2.4.4-busy", "sd1"] == "violated"
    assert verdicts["2.4.4-busy", "sd0"] == "holds"
    assert verdicts["2.4.4-random", "sd1"] == "unknown"
    assert verdicts["VII", "esp0"] == "unknown"


def test_an_unknown_platform_and_channel_have_no_facts_of_a_table() -> None:
    facts = checked(BOX).check.judged.facts
    system, (channel,), (network,) = facts.system, facts.channels, facts.networks
    for name in ("platform", "desktop", "fewest_processors", "most_processors", "mmu_kind",
                 "processors_wanted", "serial_boards_bus", "nfs_maximum_ops_per_s",
                 "expansion_memory_mb", "protocol_offload", "backup_device"):  # fmt: skip
        assert getattr(system, name) is None, name
    for name in ("medium", "interface", "interface_kind", "limited_by_stack", "medium_kb_per_s"):
        assert getattr(network, name) is None, name
    for name in ("kind", "family", "rate_kb_per_s", "device_limit", "active_disks", "bus_ms_per_s"):
        assert getattr(channel, name) is None, name


@pytest.mark.parametrize(
    ("lines", "platform", "note"),
    [
        (("cpu0 at Mbus 0x8 0x2", "mem = 999999K"), "sparcstation-2", "do not fit in"),
        (("mem = 262144K (0x10000000)",), "sparcstation-2", "MB do not fit in sparcstation-2"),
    ],
)
def test_what_cannot_be_is_left_to_be_stated(
    lines: tuple[str, ...], platform: str, note: str
) -> None:
    draft = draft_box(Text("messages.txt", lines), ENGINE.guide, platform)
    assert "memory" not in draft.data
    assert any(note in each for each in draft.notes)
    checked(draft.text())


def test_memory_of_a_platform_without_a_printed_limit_is_stated() -> None:
    """512 MB are what dense SIMMs on the board of a 690MP have (2.2.5); boards take more."""
    blank = ENGINE.guide.with_values("platforms", "sparcserver-690mp", {"memory_limit_mb": None})
    lines = ("mem = 614400K (0x25800000)",)
    draft = draft_box(Text("messages.txt", lines), blank, "sparcserver-690mp")
    assert draft.data["memory"] == {"total_mb": 600}
