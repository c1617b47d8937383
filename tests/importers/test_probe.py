from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
import yaml

from importers.outputs import text
from sizewright.documents import parse_document, read_document
from sizewright.errors import InputError
from sizewright.guide.loader import load_guide
from sizewright.guide.model import Guide
from sizewright.importers.draft import Draft, draft_box
from sizewright.importers.messages import read_patterns

EXAMPLE = Path(__file__).parents[2] / "examples" / "sun-1992" / "appendix-d"
PROBE = (EXAMPLE / "probe.txt").read_text(encoding="utf-8")

SMALL = """\
SunOS Release 4.1.1 (GENERIC) #1: Thu Oct 10 23:12:08 PDT 1991
cpu = SUNW,Sun 4/75
mem = 32768K (0x2000000)
"""


@pytest.fixture(scope="module")
def guide() -> Guide:
    return load_guide("sun-1992")


@pytest.fixture(scope="module")
def appendix_d(guide: Guide) -> Draft:
    return draft_box(text(PROBE), guide)


def remarks(draft: Draft) -> str:
    return "\n".join(line for line in draft.text().splitlines() if line.lstrip().startswith("#"))


def drafted(messages: str, guide: Guide, **stated: str) -> Draft:
    return draft_box(text(SMALL + messages), guide, **stated)


# --- the guide's own messages ---------------------------------------------------------------------


def test_processors_memory_and_system(appendix_d: Draft) -> None:
    data = appendix_d.data
    assert data["processors"] == 4
    # 64932 KB are 63.4 MB; machines have whole megabytes.
    assert data["memory"] == {"total_mb": 64}
    assert data["operating_system"] == "solaris-1.0.1"
    assert data["name"] == "terabyte"
    assert "the kernel counts 64932 KB (63.41" in remarks(appendix_d)


def test_five_disks_and_a_cd_rom_on_one_bus(appendix_d: Draft) -> None:
    (channel,) = appendix_d.data["channels"]
    assert (channel["id"], channel["kind"], channel["provider"]) == (
        "esp0", "scsi-synchronous", "builtin",
    )  # fmt: skip
    found = {d["id"]: (d["device"], d["target"], d["rate_mb_per_s"]) for d in channel["devices"]}
    assert found == {
        "sd0": ("669mb-scsi", 3, 3.572),
        "sd1": ("1-3gb-scsi", 1, 5.0),
        "sd2": ("1-3gb-scsi", 2, 5.0),
        "sd3": ("669mb-scsi", 0, 4.167),
        "sd16": ("669mb-scsi", 5, 3.572),
        # Asynchronous devices agree on no rate.
        "sr0": ("cd-rom", 6, 0),
    }


def test_root_and_swap(appendix_d: Draft) -> None:
    (disk,) = (d for d in appendix_d.data["channels"][0]["devices"] if d["id"] == "sd0")
    # 259200 KB / 1024.
    assert disk["partitions"] == [
        {"name": "a", "use": "root"}, {"name": "b", "size_mb": 253.125, "use": "swap"},
    ]  # fmt: skip


def test_one_ethernet(appendix_d: Draft) -> None:
    assert appendix_d.data["networks"] == [
        {"name": "le0", "interface": "lance-ethernet", "provider": "builtin"}
    ]


def test_no_platform_is_taken_silently(appendix_d: Draft) -> None:
    assert "platform" not in appendix_d.data
    wanted = "sparcserver-630mp, sparcserver-670mp or sparcserver-690mp"
    assert f"# platform: the machine calls itself 'SUNW,Sun 4/600'. State one of {wanted}" in (
        appendix_d.text())  # fmt: skip
    assert any(wanted in note for note in appendix_d.notes)


def test_what_no_message_says_is_asked_for(appendix_d: Draft) -> None:
    said = remarks(appendix_d)
    for asked in (
        "# services:", "# access: random or serial? state it", "# cable_m, connector_pairs:",
        "# expansion_mb:", "# clients, diskless_clients:", "# boards: cgtwelve0 in sbus slot 0",
        "# volumes:",
    ):  # fmt: skip
        assert asked in said.replace("  #", "#"), asked


def test_every_line_of_it_is_understood(appendix_d: Draft) -> None:
    assert appendix_d.unknown == ()


def test_every_pattern_of_the_guide_is_needed(guide: Guide) -> None:
    lines = [line.strip() for line in (PROBE + SMALL).splitlines()] + ["esp0: parity error"]
    idle = [
        each.makes for each in read_patterns(guide)
        if each.makes != "prefix" and not any(map(each.match, lines))
    ]  # fmt: skip
    assert idle == []


def test_the_text_says_what_the_data_says(appendix_d: Draft) -> None:
    assert parse_document(appendix_d.text(), "draft").data == appendix_d.data
    assert yaml.safe_load(appendix_d.text()) == appendix_d.data


def test_the_example_is_what_comes_of_the_messages(guide: Guide) -> None:
    draft = draft_box(text(PROBE), guide, platform="sparcserver-690mp")
    assert draft.text() == (EXAMPLE / "box.yaml").read_text(encoding="utf-8")
    assert read_document(EXAMPLE / "box.yaml").data["platform"] == "sparcserver-690mp"


# --- other machines -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("machine", "platform"),
    [
        ("SUNW,Sun 4/75", "sparcstation-2"),
        ("Sun 4/60", "sparcstation-1"),
        ("SUNW,Sun 4/50", "sparcstation-ipx"),
        ("SUNW,Sun 4/490", "sun-4-490"),
        ("SUNW,Sun 4/999", None),
        ("Sun", None),
    ],
)
def test_the_platform_that_alone_fits(guide: Guide, machine: str, platform: str | None) -> None:
    draft = draft_box(text(SMALL.replace("SUNW,Sun 4/75", machine)), guide)
    assert draft.data.get("platform") == platform
    assert ("# platform: " in draft.text()) is (platform is None)


def test_a_stated_platform_that_does_not_fit_is_remarked(guide: Guide) -> None:
    draft = drafted("", guide, platform="sparcserver-690mp", name="big")
    assert (draft.data["platform"], draft.data["name"]) == ("sparcserver-690mp", "big")
    assert "which is not known to be a sparcserver-690mp" in draft.notes[0]


def test_a_platform_that_is_none(guide: Guide) -> None:
    with pytest.raises(InputError) as refused:
        drafted("", guide, platform="sparcserver-690")
    assert "--platform: table platforms has no row 'sparcserver-690'" in str(refused.value)
    assert "did you mean 'sparcserver-690mp'?" in str(refused.value)


def test_what_is_unknown_is_no_default(guide: Guide) -> None:
    data = draft_box(text("IOC enabled\n"), guide).data
    assert data == {"name": "drafted", "guide": "sun-1992"}


CARDS = """\
sbus0 at SBus slot 0 0x0
esp0 at SBus slot 0 0x800000 pri 3
le0 at SBus slot 0 0xc00000 pri 5
dma1 at SBus slot 1 0x81000
esp1 at SBus slot 1 0x80000 pri 3
lebuffer1 at SBus slot 1 0x40000
le1 at SBus slot 1 0x60000 pri 5
esp2 at SBus slot 2 0x80000 pri 3
dma2 at SBus slot 2 0x81000
le2 at SBus slot 3 0x60000 pri 5
st0 at esp1 target 4 lun 0
sd9 at esp2 target 0 lun 0
sd9: <SUN0424 cyl 1151 alt 2 hd 9 sec 80>
sd8 at esp2 target 1 lun 0
sd8: <WREN cyl 1 alt 2 hd 3 sec 4>
esp2: Target 0 now Synchronous at 4.0 mb/s max transmit rate
sd0 at esp0 target 3 lun 0
sd0: <SUN0669 cyl 1615 alt 2 hd 15 sec 54>
"""


def test_cards_are_told_from_what_is_built_in(guide: Guide) -> None:
    data = drafted(CARDS, guide).data
    assert [(b["id"], b["board"], b["bus"]) for b in data["boards"]] == [
        ("sbus-1", "scsi-buffered-ethernet", "sbus"),
        ("sbus-2", "sbus-scsi", "sbus"),
        ("sbus-3", "sbus-ethernet", "sbus"),
    ]
    providers = {c["id"]: c["provider"] for c in data["channels"]}
    assert providers == {"esp0": "builtin", "esp1": "sbus-1", "esp2": "sbus-2"}
    assert {n["name"]: n["provider"] for n in data["networks"]} == {
        "le0": "builtin", "le1": "sbus-1", "le2": "sbus-3",
    }  # fmt: skip


def test_what_could_be_several_things_is_left_open(guide: Guide) -> None:
    draft = drafted(CARDS, guide)
    devices = {d["id"]: d for c in draft.data["channels"] for d in c["devices"]}
    assert "device" not in devices["st0"]
    assert "device" not in devices["sd8"]
    assert devices["sd9"]["device"] == "424mb-scsi"
    said = remarks(draft)
    assert "device: st0 could be several things. State one of quarter-inch-tape" in said
    assert "device: the label is 'WREN'. State a row of disks" in said
    # The guide prints 1614 cylinders.
    assert "sd0: the label says 1615 x 15 x 54, where 669mb-scsi has 1614 x 15 x 54" in said


def test_without_any_rate_none_is_taken_for_asynchronous(guide: Guide) -> None:
    draft = drafted("sd0 at esp0 target 3 lun 0\n", guide)
    (device,) = draft.data["channels"][0]["devices"]
    assert "rate_mb_per_s" not in device
    assert "rate_mb_per_s: no message of sd0 gives it" in remarks(draft)


@pytest.mark.parametrize(
    ("messages", "processors", "remark"),
    [
        ("", None, "no message counts them"),
        ("mod0 = A\nmod1 = A\nentering multiprocessor mode\n", 2, "counted by its 2 cpu modules"),
        ("cpu0 at Mbus 0x8 0x1\ncpu1 at Mbus 0x9 0x2\n", 2, "no message says that the kernel"),
        ("mod0 = A\nmod1 = A\ncpu0 at Mbus 0x8 0x1\n", 1, "found 2 modules for 1 cpus"),
    ],
)
def test_processors(guide: Guide, messages: str, processors: int | None, remark: str) -> None:
    draft = drafted(messages, guide, platform="sparcserver-690mp")
    assert draft.data.get("processors") == processors
    assert remark in remarks(draft)


def test_an_unknown_release_is_asked_for(guide: Guide) -> None:
    draft = draft_box(text(SMALL.replace("4.1.1", "4.1.9")), guide)
    assert "operating_system" not in draft.data
    assert "operating_system: release 4.1.9. State a row of operating-systems" in remarks(draft)


def test_a_log_with_prefixes_and_two_starts(guide: Guide) -> None:
    log = "".join(
        f"Oct  9 08:00:00 host vmunix: {line}\n"
        for line in [*SMALL.splitlines(), *SMALL.replace("32768K", "65536K").splitlines()]
    )
    before = "Oct  9 07:59:59 host login: no matter\n"
    # A disk that only the first start found is gone.
    gone = "Oct  9 08:00:00 host vmunix: sd7 at esp0 target 3 lun 0\n"
    at = len(log) // 2
    draft = draft_box(text(before + log[:at] + gone + log[at:]), guide)
    assert "channels" not in draft.data
    assert draft.data["memory"] == {"total_mb": 64}
    assert "starts 2 times" in draft.notes[0]
    assert draft.unknown == ()


def test_lines_that_are_not_understood_are_listed_and_harmless(guide: Guide) -> None:
    odd = "tape drive: \x1b[2J on fire\nname: evil\nroot on srv:/x fstype nfs\n"
    draft = drafted(odd, guide)
    assert [number for number, _ in draft.unknown] == [4, 5, 6]
    ending = draft.text().splitlines()[-4:]
    assert ending == [
        "# Lines that were not understood:",
        r"#   line 4: tape drive: \x1b[2J on fire",
        "#   line 5: name: evil",
        "#   line 6: root on srv:/x fstype nfs",
    ]
    assert parse_document(draft.text(), "draft").data == draft.data


@pytest.mark.parametrize(
    ("messages", "faults"),
    [
        (
            "sd0 at esp0 target 1 lun 0\nsd0 at esp0 target 2 lun 0\n"
            "sd1: <SUN0669 cyl 1 alt 2 hd 3 sec 4>\n",
            ["5: 'sd0' is listed twice in different places (first on line 4)",
             "6: 'sd1' has a label, and no message says where it is attached"],
        ),
    ],
)  # fmt: skip
def test_messages_that_contradict_each_other(
    guide: Guide, messages: str, faults: list[str]
) -> None:
    with pytest.raises(InputError) as refused:
        drafted(messages, guide)
    assert str(refused.value).splitlines() == [f"out.txt:{fault}" for fault in faults]


def test_no_message_at_all(guide: Guide) -> None:
    with pytest.raises(InputError, match="no line is a message of a kernel"):
        draft_box(text("hello\n"), guide)


# --- tables of an overlay -------------------------------------------------------------------------


def overlaid(folder: Path, **tables: list[dict[str, Any]]) -> Guide:
    site = folder / "site"
    place = site / "tables" / "sun-1992"
    place.mkdir(parents=True)
    for name, rows in tables.items():
        table = name.replace("_", "-")
        (place / f"{table}.yaml").write_text(yaml.safe_dump({"table": table, "rows": rows}))
    return load_guide("sun-1992", [site])


MARK = {"new": True, "source": {"appendix": "D"}, "status": "printed"}


@pytest.mark.parametrize(
    ("row", "fault"),
    [
        ({"pattern": "(a+)+$", "makes": "nothing"}, "the pattern cannot be used: a group is"),
        ({"pattern": "mem .++", "makes": "memory"}, "the pattern has no group named kb"),
        ({"pattern": "((", "makes": "nothing"}, "the pattern cannot be used"),
    ],
)
def test_a_pattern_that_cannot_be_taken(tmp_path: Path, row: dict[str, str], fault: str) -> None:
    guide = overlaid(tmp_path, probe_messages=[{"id": "ours", **row, **MARK}])
    with pytest.raises(InputError, match=re.escape(f"table probe-messages, ours: {fault}")):
        draft_box(text(SMALL), guide)


def test_an_overlay_teaches_new_words(tmp_path: Path) -> None:
    guide = overlaid(
        tmp_path,
        probe_messages=[{"id": "ours", "pattern": "hello .++", "makes": "nothing", **MARK}],
        probe_names=[
            {"id": "wren", "kind": "disk_label", "prints": "WREN", "rows": ["327mb-scsi"], **MARK}
        ],
    )
    draft = draft_box(text(SMALL + CARDS + "hello world\n"), guide)
    devices = {d["id"]: d for c in draft.data["channels"] for d in c["devices"]}
    assert devices["sd8"]["device"] == "327mb-scsi"
    assert draft.unknown == ()


def test_a_word_that_leads_nowhere(tmp_path: Path) -> None:
    rows = [{"id": "wren", "kind": "disk_label", "prints": "W", "rows": ["327mb-scs"], **MARK}]
    with pytest.raises(InputError, match="table disks has no row '327mb-scs'"):
        draft_box(text(SMALL), overlaid(tmp_path, probe_names=rows))


@pytest.mark.parametrize(
    ("lines", "number"),
    [
        # The words of footnote 38 of section 2.3.3.
        (["esp0: incomplete SCSI command", "esp0: Data overrun, target 1"], 2),
        (["sd0: parity error", "sd1: disk label is corrupt"], 2), (["sd0: missing disk label."], 1),
        (["esp0: SCSI command done", "esp0: parity checked", "hello: overrun"], 0),
    ],
)  # fmt: skip
def test_symptoms_of_a_long_bus_are_named_at_its_channel(
    guide: Guide, lines: list[str], number: int
) -> None:
    found = drafted("\n".join([PROBE.rstrip(), *lines]) + "\n", guide)
    told = [note for note in found.notes if "too long" in note]
    assert [note.split()[:2] for note in told] == ([["esp0:", str(number)]] if number else [])
    assert ("Measure cable_m" in found.text()) == bool(number)
