"""Addresses and partitions of a configuration as it is to be installed."""

from __future__ import annotations

import pytest

from sizewright.configuration.model import Channel, Device, Extent, Volume
from sizewright.demand.usage import UsageProfile, VolumeUse
from sizewright.setup.installation import install, installed_facts, maxusers
from small import GUIDE, disk, system, tape

SCSI = "scsi-synchronous"


def addressed(*devices: Device, usage: UsageProfile | None = None) -> list[int | None]:
    """The addresses that devices of one bus get."""
    channel = Channel("c", SCSI, "builtin", devices)
    found = install(system(channels=(channel,)), usage or UsageProfile(), GUIDE)
    return [device.target for device in found.devices()]


def test_devices_have_the_addresses_that_are_customary_for_their_kind() -> None:
    """2.3.3: disks 0 to 3, tapes 4 and 5, CD-ROM drives 6."""
    cd_rom = Device("cd", "cd_rom", "removable-media", "cd-rom")
    assert addressed(tape(), disk("a"), cd_rom, disk("b")) == [4, 0, 6, 1]


def test_a_fifth_disk_has_an_address_that_is_left_and_never_the_adapters() -> None:
    """2.3.3: the adapter is target 7."""
    assert addressed(*map(disk, "abcde"), tape()) == [0, 1, 2, 3, 5, 4]
    assert addressed(*map(disk, "abcdefg")) == [0, 1, 2, 3, 4, 5, 6]


def test_the_first_address_stays_free_for_a_disk_with_the_system_that_is_not_planned() -> None:
    data = UsageProfile(volumes={"data": VolumeUse()})
    assert addressed(disk("a"), tape(), disk("b"), usage=data) == [1, 4, 2]
    assert addressed(*map(disk, "abcdef"), usage=data) == [1, 2, 3, 4, 5, 6]
    whole = UsageProfile(volumes={"data": VolumeUse(), "system": VolumeUse(use="root")})
    assert addressed(disk("a"), tape(), disk("b"), usage=whole) == [0, 4, 1]


def test_hot_partitions_are_first_and_begin_where_whole_cylinders_end() -> None:
    """Rule X; a cylinder is about 700 KB, and 350 MB are 350 x 1024 / 700 = 512 of them."""
    use = {"cold": VolumeUse("random", False), "hot": VolumeUse("random", True)}
    parts = {"cold": 100, "hot": 350}
    volumes = tuple(Volume(name, ((Extent("a", mb),),)) for name, mb in parts.items())
    channel = Channel("c", SCSI, "builtin", (disk("a", "1-3gb-scsi"),))
    found = install(system(channels=(channel,), volumes=volumes), UsageProfile(volumes=use), GUIDE)
    (only,) = found.devices()
    begins = [(p.name, p.start_cylinder and p.start_cylinder.likely) for p in only.partitions]
    assert begins == [("hot", 0), ("cold", 512)]


def test_of_partitions_that_are_not_hot_the_busiest_is_first() -> None:
    """Rule X: the most heavily used partitions are in the fast zones, whatever their names."""
    use = {
        "a-idle": VolumeUse("random", False), "b-stated": VolumeUse("random", True, busy=0.01),
        "c-used": VolumeUse("random", False, busy=0.1),
        "d-used": VolumeUse("serial", False, busy=0.2),
    }  # fmt: skip
    volumes = tuple(Volume(name, ((Extent("a", 100),),)) for name in use)
    channel = Channel("c", SCSI, "builtin", (disk("a", "1-3gb-scsi"),))
    found = install(system(channels=(channel,), volumes=volumes), UsageProfile(volumes=use), GUIDE)
    (only,) = found.devices()
    assert [part.name for part in only.partitions] == ["b-stated", "d-used", "c-used", "a-idle"]


def test_no_bus_lacks_jumpers_whether_boards_are_in_it_or_not() -> None:
    """2.3.1, footnote 28: a 690MP has a VME and an Sbus cage; whoever installs it sets jumpers."""
    found = installed_facts(system(platform="sparcserver-690mp"), UsageProfile(), GUIDE)["slots"]
    lacking = {bus: facts["gaps_without_jumpers"].likely for bus, facts in found.items()}
    assert lacking["vme"] == lacking["sbus"] == 0


@pytest.mark.parametrize(
    ("memory_mb", "files"),
    [(16, 64), (32, 64), (48, 64), (64, 128), (96, 128), (128, 160), (256, 160)],
)
def test_a_server_of_files_is_advised_the_printed_maxusers(memory_mb: float, files: float) -> None:
    """Section 2.10.4; a gap takes the lower bracket. Any other server goes by Rule XXII."""
    for services, expected in ((("nfs",), files), (("timesharing",), memory_mb), (None, memory_mb)):
        found = maxusers(memory_mb, UsageProfile(services=services), GUIDE)
        assert found is not None and found.likely == expected


@pytest.mark.parametrize(
    ("disks", "low", "high"), [(2, 8, 32), (3, 8, 16), (4, 8, 16), (5, 8, 8), (6, 8, 8), (10, 8, 8)]
)
def test_disks_of_a_stripe_share_one_transfer(disks: int, low: float, high: float) -> None:
    """2.11.2: up to 32 KB for two disks, less for more, at least a block of 8 KB.

    32 KB × 2 ÷ 3 are 21 KB, two blocks; ÷ 4 are two blocks, ÷ 5 one and a half.
    """
    names = [f"d{n}" for n in range(disks)]
    channel = Channel("c", SCSI, "builtin", tuple(disk(name, "1-3gb-scsi") for name in names))
    parts = tuple(Extent(name, 100) for name in names)
    volume = Volume("data", (parts,), "online-disksuite", "stripe")
    found = install(system(channels=(channel,), volumes=(volume,)), UsageProfile(), GUIDE)
    size = found.volumes[0].interlace_kb
    assert size is not None and (size.low, size.high) == (low, high)
