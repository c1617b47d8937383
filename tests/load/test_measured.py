"""The load of a box: what was measured stands, what was not is derived or stays unknown."""

from __future__ import annotations

from typing import Any

import pytest

from serving import demanded
from serving import measured as working
from sizewright.demand.model import Backup
from sizewright.demand.rates import LineItem
from sizewright.demand.usage import UsageProfile, VolumeUse
from sizewright.load.measured import Measured, derive_measured
from sizewright.load.model import Load, Share
from small import GUIDE, board, channel, disk, given, laid, port, system, tape, three, unsaid

TWO_PORTS = (port("north"), port("south"))
DISKS = (channel("builtin-1", disk("a"), disk("b"), tape()),)


def lines(unit: str, **rates: float) -> tuple[LineItem, ...]:
    return tuple(LineItem(name, given(rate, unit=unit)) for name, rate in rates.items())


def load(
    measured: Measured | None = None, usage: UsageProfile | None = None, **changes: Any
) -> Load:
    return derive_measured(
        measured or Measured(), usage or UsageProfile(), system(**changes), GUIDE
    )


def tops(found: Any) -> list[tuple[str, float, str]] | None:
    if found is None:
        return None
    return [(i.name, pytest.approx(i.figure.high), i.figure.unit) for i in found]


def test_a_box_of_which_nothing_is_known_has_an_unknown_load() -> None:
    found = load(channels=DISKS, unstated=frozenset({"boards", "volumes"}), operating_system="")
    assert (found.nfs, found.kernel_lock, found.processors, found.memory) == (None,) * 4
    assert found.networks == {"north": None}
    assert found.disks == {"a": None, "b": None}
    assert found.stored == {"a": None, "b": None}
    assert found.channels == {"builtin-1": None}
    assert found.busses == {}


class TestOperations:
    def test_are_those_of_its_use_in_the_reference_mix(self) -> None:
        """225 of 450 operations take 500 of 1000 ms (Table 1)."""
        usage = UsageProfile(services=("nfs",), nfs_weighted_ops_per_s=given(225, unit="op/s"))
        found = load(usage=usage, ports=TWO_PORTS)
        assert tops(found.nfs) == [("NFS operations", 225, "op/s")]
        assert tops(found.kernel_lock) == [("NFS operations", 500, "ms/s")]
        assert found.processors == found.kernel_lock
        assert found.nfs_capacity is not None
        assert found.nfs_capacity.maximum.high == 450

    def test_that_were_measured_stand_before_those_of_its_use(self) -> None:
        measured = Measured(nfs=lines("op/s", x=90, y=45))
        usage = UsageProfile(nfs_weighted_ops_per_s=given(225, unit="op/s"))
        found = load(measured, usage, ports=TWO_PORTS)
        assert tops(found.nfs) == [("x", 90, "op/s"), ("y", 45, "op/s")]
        assert tops(found.kernel_lock) == [("NFS operations", 300, "ms/s")]

    def test_move_their_data_over_the_network(self) -> None:
        """100 operations of 1.07 KB each (2.5.1) are 107 KB/s; what was measured comes first."""
        each = given(0.35 * 10e6 / 8 / 1024 / 400, unit="KB/op")
        usage = UsageProfile(
            services=("nfs",), nfs_ops_per_s=given(100, unit="op/s"), nfs_kb_per_op=each
        )
        assert tops(load(usage=usage).data["north"]) == [
            ("NFS data", pytest.approx(106.8, abs=0.1), "KB/s")
        ]
        seen = Measured(data={"north": lines("KB/s", x=50)})
        assert tops(load(seen, usage).data["north"]) == [("x", 50, "KB/s")]
        # Beside other services the data of NFS is not all that there is.
        assert load(usage=usage._replace(services=("mail", "nfs"))).data == {}

    def test_cost_less_where_all_networks_are_offloaded(self) -> None:
        """2.5.2: whether 40 % are spared under the lock is open."""
        ports = tuple(port("north", n, "network-coprocessor") for n in (1, 2, 3, 4))
        usage = UsageProfile(nfs_weighted_ops_per_s=given(400, unit="op/s"))
        large = {"platform": "sparcserver-670mp", "processors": 2, "ports": ports}
        (line,) = load(usage=usage, **large).kernel_lock or ()
        assert three(line.figure) == (300, 500, 500)
        large["ports"] = (*ports[:3], port("south"))
        (line,) = load(usage=usage, **large).kernel_lock or ()
        assert three(line.figure) == (500, 500, 500)
        # 100 of 400 operations pass over the interface that spares nothing.
        each = {name.id: lines("op/s", x=100) for name in large["ports"]}
        (line,) = load(Measured(networks=each), usage, **large).kernel_lock or ()
        assert three(line.figure) == pytest.approx((350, 500, 500))

    @pytest.mark.parametrize(("south", "most"), [(0, 320), (5, 440)])
    def test_are_spread_over_networks_that_may_carry_them(self, south: float, most: float) -> None:
        """Table 1 has 320 op/s over one network; 440 over two."""
        measured = Measured(networks={"south": lines("op/s", x=south)})
        usage = UsageProfile(nfs_weighted_ops_per_s=given(225, unit="op/s"))
        found = load(measured, usage, ports=TWO_PORTS).nfs_capacity
        assert found is not None and found.over_networks is not None
        assert found.over_networks.high == most

    def test_bear_the_overhead_of_an_accelerator(self) -> None:
        """2.8: 5 % on a single processor."""
        usage = UsageProfile(nfs_weighted_ops_per_s=given(225, unit="op/s"))
        found = load(usage=usage, ports=TWO_PORTS, accelerator="sbus-prestoserve")
        _, extra = found.kernel_lock or ()
        assert extra.figure.high == pytest.approx(25)

    def test_cost_what_the_platform_takes_where_no_network_is_attached(self) -> None:
        """Table 1: 450 operations at most."""
        usage = UsageProfile(nfs_weighted_ops_per_s=given(112.5, unit="op/s"))
        assert tops(load(usage=usage, ports=()).kernel_lock) == [("NFS operations", 250, "ms/s")]

    def test_are_served_at_an_unknown_cost_where_the_ports_or_the_platform_are(self) -> None:
        usage = UsageProfile(nfs_weighted_ops_per_s=given(225, unit="op/s"))
        for changes in ({"unstated": frozenset({"ports"})}, {"platform": "sun-4-260"}):
            found = load(usage=usage, **changes)
            assert (found.nfs_capacity, found.kernel_lock, found.processors) == (None, None, None)
            assert tops(found.nfs) == [("NFS operations", 225, "op/s")]

    def test_of_nobody_take_no_time(self) -> None:
        assert load(Measured(nfs=())).kernel_lock is None


class TestProcessors:
    def test_are_as_busy_as_was_measured(self) -> None:
        usage = UsageProfile(services=("nfs",), nfs_weighted_ops_per_s=given(225, unit="op/s"))
        measured = Measured(kernel_lock=lines("ms/s", system=300))
        found = load(measured, usage)
        assert tops(found.kernel_lock) == [("system", 300, "ms/s")]
        assert found.processors == found.kernel_lock
        found = load(measured._replace(processors=lines("ms/s", all=700)), usage)
        assert tops(found.processors) == [("all", 700, "ms/s")]
        assert tops(found.kernel_lock) == [("system", 300, "ms/s")]

    @pytest.mark.parametrize(
        ("services", "kernel", "processors"),
        [
            (("nfs",), True, True), ((), True, True), (None, True, False),
            (("database", "nfs"), False, False), (("database",), False, False),
        ],
    )  # fmt: skip
    def test_are_as_busy_as_the_kernel_only_where_it_does_all_work(
        self, services: tuple[str, ...] | None, kernel: bool, processors: bool
    ) -> None:
        """NFS is kernel time alone; what others take nobody can derive from NFS operations."""
        usage = UsageProfile(services=services, nfs_weighted_ops_per_s=given(225, unit="op/s"))
        found = load(usage=usage, ports=TWO_PORTS)
        assert (found.kernel_lock is not None, found.processors is not None) == (kernel, processors)
        seen = load(Measured(kernel_lock=lines("ms/s", system=300)), usage)
        assert tops(seen.kernel_lock) == [("system", 300, "ms/s")]
        assert (seen.processors is not None) is processors


class TestData:
    def test_is_what_was_measured_on_the_networks_that_there_are(self) -> None:
        seen = {"north": lines("KB/s", seen=50), "moon": lines("KB/s", seen=1)}
        found = load(Measured(data=seen), ports=TWO_PORTS).data
        assert {name: tops(known) for name, known in found.items()} == {
            "north": [("seen", 50, "KB/s")]
        }


class TestNetworks:
    USAGE = UsageProfile(nfs_ops_per_s=given(80, unit="op/s"))

    def test_that_were_measured_stand(self) -> None:
        measured = Measured(networks={"north": lines("op/s", seen=50)})
        assert tops(load(measured, self.USAGE).networks["north"]) == [("seen", 50, "op/s")]

    def test_carry_all_operations_where_there_is_one(self) -> None:
        found = load(usage=self.USAGE).networks
        assert tops(found["north"]) == [("NFS operations", 80, "op/s")]

    def test_of_several_are_unknown_where_they_were_not_measured(self) -> None:
        measured = Measured(networks={"north": lines("op/s", seen=50)})
        found = load(measured, self.USAGE, ports=TWO_PORTS).networks
        assert tops(found["north"]) == [("seen", 50, "op/s")]
        assert found["south"] is None

    def test_are_none_where_there_is_none(self) -> None:
        assert load(usage=self.USAGE, ports=()).networks == {}


class TestStoredData:
    TWO = (laid("data", {"a": 300, "b": 100}), laid("old", {"b": 50}))

    def test_lies_on_disks_as_it_is_laid_out(self) -> None:
        sizes = {"data": given(200, unit="MB"), "old": given(50, unit="MB")}
        found = load(Measured(sizes=sizes), channels=DISKS, volumes=self.TWO).stored
        assert tops(found["a"]) == [("data", 150, "MB")]
        assert tops(found["b"]) == [("data", 50, "MB"), ("old", 50, "MB")]

    def test_is_unknown_on_a_disk_with_a_volume_of_unknown_size(self) -> None:
        found = load(
            Measured(sizes={"data": given(200, unit="MB")}), channels=DISKS, volumes=self.TWO
        ).stored
        assert tops(found["a"]) == [("data", 150, "MB")]
        assert found["b"] is None

    def test_that_was_measured_stands(self) -> None:
        measured = Measured(stored={"b": lines("MB", seen=70)})
        found = load(measured, channels=DISKS, volumes=self.TWO).stored
        assert tops(found["b"]) == [("seen", 70, "MB")]
        assert found["a"] is None

    def test_is_only_what_was_measured_where_the_volumes_are_not_told(self) -> None:
        measured = Measured(stored={"b": lines("MB", seen=70)})
        found = load(measured, channels=DISKS, unstated=frozenset({"volumes"})).stored
        assert found["a"] is None
        assert tops(found["b"]) == [("seen", 70, "MB")]

    def test_is_none_on_a_disk_without_volumes(self) -> None:
        assert load(channels=DISKS).stored == {"a": (), "b": ()}


class TestChannels:
    BOTH = Measured(disks={"a": lines("op/s", reads=10, writes=5), "b": lines("op/s", reads=20)})
    USAGE = UsageProfile(transfer_kb=given(8, unit="KB/op"))

    def test_carry_what_their_disks_transfer(self) -> None:
        found = load(self.BOTH, self.USAGE, channels=DISKS)
        assert tops(found.disks["a"]) == [("reads", 10, "op/s"), ("writes", 5, "op/s")]
        assert tops(found.channels["builtin-1"]) == [("a", 120, "KB/s"), ("b", 160, "KB/s")]

    def test_skip_devices_that_are_no_disks(self) -> None:
        first = (channel("builtin-1", tape(), disk("a"), disk("b")),)
        found = load(self.BOTH, self.USAGE, channels=first).channels["builtin-1"]
        assert tops(found) == [("a", 120, "KB/s"), ("b", 160, "KB/s")]

    def test_skip_disks_of_which_nothing_is_asked(self) -> None:
        quiet = self.BOTH._replace(disks={"a": (), "b": lines("op/s", reads=20)})
        found = load(quiet, self.USAGE, channels=DISKS).channels["builtin-1"]
        assert tops(found) == [("b", 160, "KB/s")]

    def test_are_unknown_where_one_of_their_disks_is(self) -> None:
        one = self.BOTH._replace(disks={"a": lines("op/s", reads=10)})
        assert load(one, self.USAGE, channels=DISKS).channels == {"builtin-1": None}

    def test_are_unknown_where_the_size_of_a_transfer_is(self) -> None:
        assert load(self.BOTH, channels=DISKS).channels == {"builtin-1": None}

    def test_that_were_measured_stand(self) -> None:
        measured = self.BOTH._replace(channels={"builtin-1": lines("KB/s", seen=400)})
        found = load(measured, self.USAGE, channels=DISKS).channels
        assert tops(found["builtin-1"]) == [("seen", 400, "KB/s")]

    @pytest.mark.parametrize(("by_day", "tapes"), [(True, 1), (False, 0), (None, 0)])
    def test_have_a_tape_that_runs_while_the_system_is_in_use(
        self, by_day: bool | None, tapes: int
    ) -> None:
        """An 8mm drive transfers 220 KB/s (2.4.2, Table 9)."""
        usage = UsageProfile(backup=Backup(True, by_day, False))
        measured = Measured(channels={"builtin-1": lines("KB/s", a=160, b=80)})
        found = load(measured, usage, channels=DISKS).channels["builtin-1"]
        assert (
            tops(found)
            == [("a", 160, "KB/s"), ("b", 80, "KB/s"), ("tape-1", 220, "KB/s")][: 2 + tapes]
        )

    @pytest.mark.parametrize("name", ["tape-1", "measured"])
    def test_have_a_tape_once(self, name: str) -> None:
        """The lines have it already, by itself or in the total of the channel."""
        usage = UsageProfile(backup=Backup(True, True, False))
        measured = Measured(channels={"builtin-1": lines("KB/s", **{name: 200})})
        found = load(measured, usage, channels=DISKS).channels["builtin-1"]
        assert tops(found) == [(name, 200, "KB/s")]


class TestBusses:
    def test_carry_their_boards(self) -> None:
        """Table 6: 2.5 MB/s for an Sbus SCSI adapter."""
        boards = (board("scsi-1", "sbus-scsi", "sbus", 1),)
        found = load(boards=boards, unstated=frozenset({"channels"})).busses
        assert tops(found["sbus"]) == [("scsi-1", 2.5, "MB/s")]

    def test_are_left_out_where_the_boards_are_not_told(self) -> None:
        boards = (board("scsi-1", "sbus-scsi", "sbus", 1),)
        assert load(boards=boards, unstated=frozenset({"boards"})).busses == {}


class TestMemory:
    USAGE = UsageProfile(cached=(LineItem("data", given(50, unit="MB")),))

    def test_is_for_the_system_and_for_what_is_held(self) -> None:
        """1.1.5: 8 to 12 MB for the system."""
        assert tops(load(usage=self.USAGE).memory) == [
            ("operating system", 12, "MB"), ("data", 50, "MB"),
        ]  # fmt: skip
        assert tops(load(usage=UsageProfile(cached=())).memory) == [("operating system", 12, "MB")]

    def test_is_unknown_without_the_system_or_what_is_held(self) -> None:
        assert load(usage=self.USAGE, operating_system="").memory is None
        assert load().memory is None

    def test_that_was_measured_stands(self) -> None:
        measured = Measured(memory=lines("MB", seen=20))
        assert tops(load(measured, self.USAGE).memory) == [("seen", 20, "MB")]


class TestActiveDisks:
    """Rules VII and IX: what is not measured is not counted."""

    def active(self, access: str, hot: bool, **disks: float) -> Share:
        uses = {name: VolumeUse(access=access, hot=hot) for name in ("a", "b")}
        measured = Measured(disks={n: lines("op/s", x=rate) for n, rate in disks.items()})
        usage = UsageProfile(disks=uses, transfer_kb=given(8, unit="KB/op"))
        return load(measured, usage, channels=DISKS).active["builtin-1"]

    def test_are_unknown_if_a_disk_in_use_was_not_measured(self) -> None:
        for found in (self.active("random", hot=True), self.active("random", hot=True, a=50)):
            assert found.used is None
            assert found.limit is not None and found.limit.high == 2

    def test_have_the_limit_of_serial_disks_if_all_are_serial(self) -> None:
        limit = self.active("serial", hot=True).limit
        assert limit is not None and limit.high == 4

    def test_are_none_if_all_disks_are_cold(self) -> None:
        used = self.active("random", hot=False).used
        assert used is not None and used.high == 0

    def test_are_the_operations_over_what_the_disks_sustain(self) -> None:
        """424 MB, Table 8: 50 op/s; 25 and 50 are half an active disk and a whole one."""
        used = self.active("random", hot=True, a=25, b=50).used
        assert used is not None and used.high == pytest.approx(1.5)


def test_the_size_of_reads_and_of_writes() -> None:
    """Measured apart they have a size each; else both have the mean of all."""
    rates, together = lines("op/s", reads=20, writes=20), lines("KB/s", a=1440)
    apart = lines("KB/s", reads=1280, writes=160)

    def sizes(**measured: Any) -> list[tuple[str, float]]:
        found = load(
            Measured(disks={"a": rates}, channels={"builtin-1": together}, **measured),
            channels=DISKS,
        )
        return [(each.operation, each.block_kb.high) for each in found.asked["a"] or ()]

    assert sizes() == [("read", 36), ("write", 36)]
    assert sizes(moved={"a": apart}) == [("read", 64), ("write", 8)]


@pytest.mark.parametrize(
    ("use", "layer"),
    [("file_system", "file_system"), ("root", "file_system"), ("backup_index", "file_system"),
     ("raw", "raw"), ("log", "raw"), ("swap", "raw")],
)  # fmt: skip
def test_the_layer_of_data_is_that_of_its_use_whether_it_is_planned_or_measured(
    use: str, layer: str
) -> None:
    """The operating system and the indexes of backups are files; swap space is a partition."""
    planned = demanded(working(), volumes=[unsaid("tables", use=use)])
    assert [operations.layer for operations in planned.operations] == [layer]
    found = load(
        Measured(disks={"a": lines("op/s", x=10)}),
        UsageProfile(volumes={"data": VolumeUse(use=use)}, transfer_kb=given(8, unit="KB/op")),
        channels=DISKS, volumes=(laid("data", {"a": 50.0}),),
    )  # fmt: skip
    assert [asked.layer for asked in found.asked["a"] or ()] == [layer]


def test_files_and_the_operating_system_on_one_disk_are_files_together() -> None:
    """Table 7: 446 serial reads of 8 KB a second through the file system of a 1.3 GB SCSI disk."""
    uses = {"root": VolumeUse("serial", True, use="root"),
            "data": VolumeUse("serial", True, use="file_system")}  # fmt: skip
    found = load(
        Measured(disks={"a": lines("op/s", reads=10)}),
        UsageProfile(volumes=uses, transfer_kb=given(8, unit="KB/op")),
        channels=(channel("builtin-1", disk("a", "1-3gb-scsi")),),
        volumes=(laid("root", {"a": 50.0}), laid("data", {"a": 50.0})),
    )
    maximum = found.limits["a"].maximum_ops
    assert maximum is not None and maximum.high == 446
