"""The section Set-up: what is set, for which part, with which value, by hand from the guide."""

from __future__ import annotations

import pytest

from generated_workloads import read
from sizewright.configuration.model import Board, Channel, Extent, Partition, Volume
from sizewright.demand.build import demand_of
from sizewright.demand.usage import usage_of
from sizewright.quantity import count
from sizewright.setup.installation import install
from sizewright.setup.settings import Setting, list_settings
from small import GUIDE, demand, disk, plain, system, volume

SCSI = "scsi-synchronous"


def settings(asked: object = None, **changes: object) -> dict[str, list[Setting]]:
    """The settings of a system with one file service, by name."""
    wanted = asked or demand({"uses": ["home"]}, volumes=[volume("home")])
    planned = install(system(**changes), usage_of(wanted), GUIDE)
    found: dict[str, list[Setting]] = {}
    for each in list_settings(planned, wanted, GUIDE):
        found.setdefault(each.name, []).append(each)
    return found


def test_a_file_server_gets_maxusers_nfsd_and_swap_space() -> None:
    """2.10.4: 64 for 16 to 32 MB; 16 - 1 contexts; 1.2.3: NFS servers rarely need over 64 MB."""
    found = settings(memory_mb=32)
    values = {name: each.value.likely for name, (each,) in found.items() if each.value}
    assert values == {"MAXUSERS": 64, "nfsd": 15, "swap space": 64}
    # 80 names and 17 for each of the 64.
    assert "1168 entries" in found["MAXUSERS"][0].why
    assert found["MAXUSERS"][0].cite == "section 2.10.4"


def test_a_rule_is_named_only_in_reports_of_the_guide_that_has_it() -> None:
    """The paper about the NS 5500 numbers no rules; XVII is one of the other guide's (2.8)."""
    wanted = demand({"uses": ["home"]}, volumes=[volume("home")])
    planned = system(accelerator="sbus-prestoserve", volumes=(Volume("home", ()),))
    for guide, words in ((GUIDE, "equally (Rule XVII)."), (GUIDE._replace(rules={}), "equally.")):
        every = list_settings(planned, wanted, guide)
        (serves,) = (each for each in every if each.name.endswith(" serves"))
        assert serves.why == f"It serves all partitions {words}"


def test_a_mail_server_gets_the_swap_space_that_its_system_has_room_for() -> None:
    """450 MB (1.2.9.3) are with 64 MB of swap space (1.2.3); the service asks for none."""
    mail = {
        "kind": "mail", "name": "post", "volume": "boxes", "messages_a_day": 100,
        "prime_messages": 80, "prime_s": 14400, "temporary_files": 2,
    }  # fmt: skip
    workload = {**plain(volumes=[volume("boxes")]), "services": [mail]}
    (swap,) = settings(demand_of(read(workload), GUIDE))["swap space"]
    assert swap.value is not None and swap.value.likely == 64


def test_disks_that_the_kernel_does_not_expect_are_added_to_its_configuration() -> None:
    """2.4.2: kernels support four disks a SCSI host adapter; two of six are left."""
    found = settings(channels=(Channel("c", SCSI, "builtin", tuple(map(disk, "abcdef"))),))
    (added,) = found["disks to add to the kernel's configuration"]
    assert (added.part, added.value and added.value.likely) == ("c", 2)
    (cable,) = found["most cable"]
    assert (cable.part, cable.value and cable.value.likely) == ("c", 6)


def test_empty_slots_of_the_vme_cage_need_jumpers() -> None:
    """2.3.1, footnote 28: those between the cpu complex and the last board.

    Case study 7: the cpu complex of a 690MP is in slots 4-5, memory in 1-2 and 6-7.
    """
    boards = tuple(
        Board(f"isp-80-{n}", "boards", "isp-80", "vme", (n,), "disk") for n in (8, 10)
    )  # fmt: skip
    low, high = (
        Board(
            f"memory-{first}",
            "memory-boards",
            "sparcserver-600mp-memory-board",
            "vme",
            (first, first + 1),
            "",
        )
        for first in (1, 6)
    )

    def jumpers(*boards: Board, platform: str = "sparcserver-690mp") -> list[tuple[str, str]]:
        found = settings(platform=platform, boards=boards).get("jumpers", [])
        return [(each.part, each.text) for each in found]

    assert jumpers(low, *boards) == [("vme", "slots 6, 7, 9")]
    assert jumpers(low, high, *boards) == [("vme", "slots 9")]
    assert jumpers(boards[0]) == [("vme", "slots 6, 7")]
    assert jumpers(low) == []
    # It is not stated where the processors of a 4/490 are.
    assert jumpers(*boards, platform="sun-4-490") == [("vme", "slots 9")]


def test_file_systems_and_mirrors_of_the_volume_manager_are_tuned() -> None:
    """2.11: tunefs -a 7 -d 0, or 60 % is lost; 2.11.1: geometric reads gain on a SPARCstation-2."""
    both = Volume("home", ((Extent("a", 100),), (Extent("b", 100),)), "online-disksuite")
    channels = (Channel("c", SCSI, "builtin", (disk("a"), disk("b"))),)
    found = settings(channels=channels, volumes=(both,))
    values = [(name, found[name][0].value) for name in ("maxcontig", "rotdelay")]
    assert [(name, value and value.likely) for name, value in values] == [
        ("maxcontig", 7), ("rotdelay", 0),
    ]  # fmt: skip
    assert found["maxcontig"][0].part == "home" and "60 %" in found["maxcontig"][0].why
    assert found["mirror"][0].text == "geometric reads of a mirror (-g)"
    # 1.1.8: round-robin reads favour random access.
    other = settings(platform="sparcserver-670mp", channels=channels, volumes=(both,))
    assert other["mirror"][0].text == "round-robin (balanced) reads of a mirror (-r)"


@pytest.mark.parametrize(
    ("model", "why"),
    [
        ("1-3gb-ipi", "Those in frequent use first: the fastest zone ends at cylinder 701."),
        ("424mb-scsi", "Those in frequent use first: outer cylinders are faster."),
        ("1-0gb-ipi", ""),
    ],
)
def test_only_drives_with_zones_have_faster_cylinders(model: str, why: str) -> None:
    """2.4.4: RLL drives have constant radial density; Table 9 leaves out the zones of 424 MB."""
    parts = (Partition("a", count(9, "size", "MB")), Partition("b", count(9, "size", "MB")))
    both = disk("d", model)._replace(partitions=parts)
    (order,) = settings(channels=(Channel("c", SCSI, "builtin", (both,)),))["partitions"]
    assert order.why == why and bool(order.cite) == bool(why)


def test_what_needs_nothing_is_left_out() -> None:
    found = settings()
    assert not {"jumpers", "mirror", "interlace", "partitions", "targets"} & found.keys()
