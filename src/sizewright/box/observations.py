"""What was measured on a box, and the rates that a written plan has."""

import math
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Annotated, Any

from pydantic import Field

from sizewright import units
from sizewright.demand.rates import READ, WRITE, data_of
from sizewright.formula import quantity_text
from sizewright.quantity import Quantity, total
from sizewright.schema.model import (
    FieldError,
    Flag,
    Name,
    PlainField,
    SourcedModel,
    Text,
    both_or_none,
    mapping_or_other,
    not_allowed,
)
from sizewright.schema.quantity import (
    Bytes,
    Kilobytes,
    KilobytesPerSecond,
    Megabytes,
    MemoryMegabytes,
    Operations,
    Packets,
    Percent,
    Pure,
    QuantityField,
    Seconds,
)
from sizewright.workload.volume import Access
from sizewright.workload.work import Layer, Operation

_TIME = re.compile(r"(\d{4}-\d{2}-\d{2} )?\d{2}:\d{2}(:\d{2})?", re.ASCII)


def _read_time(value: Any) -> str:
    """Return a time of day as text, with or without its date; raises InvalidFieldError."""
    if not isinstance(value, str) or not _TIME.fullmatch(value):
        raise not_allowed(value, "a time: HH:MM or YYYY-MM-DD HH:MM")
    return value


PerSecond = Annotated[Quantity, QuantityField("1/s")]


class Cpu(SourcedModel):
    """Shares of all processors' time.

    vmstat counts waiting for the kernel lock as system time. If `spin_percent` is stated, as kmeter
    and statit show it, system time is without it.
    """

    user_percent: Percent | None = None
    system_percent: Percent | None = None
    spin_percent: Percent | None = None
    wait_percent: Percent | None = None
    idle_percent: Percent | None = None

    def _field_errors(self) -> Iterator[FieldError]:
        worked = (self.user_percent, self.system_percent, self.spin_percent)
        yield from _within_the_whole((*worked, self.wait_percent, self.idle_percent))


def _within_the_whole(parts: Sequence[Quantity | None]) -> Iterator[FieldError]:
    """Object to shares that add up to more; each may be rounded up by half of one percent."""
    known = [part.low for part in parts if part is not None]
    least = math.fsum(known)
    if least > units.PERCENT + len(known) / 2:
        yield FieldError(f"the shares add up to {least:g} %", "no more than the whole")


def more_than_whole(
    parts: Iterable[Quantity | None], whole: Quantity | None, at: tuple[str | int, ...], what: str
) -> Iterator[FieldError]:
    """Object to parts whose least sum is more than the most that the whole can be.

    Tools print rates as whole numbers: each part may be rounded up by half of one, the whole down.
    """
    known = [part for part in parts if part is not None and part.low > 0]
    least = math.fsum(part.low for part in known)
    unit = whole.unit if whole is not None else ""
    rounded = (len(known) + 1) / 2 if unit.endswith("/s") else 0
    if whole is not None and known and least > whole.high + rounded:
        yield FieldError(
            f"{what} {quantity_text(least, unit)}",
            f"at most {quantity_text(whole.high, unit)}",
            at=at,
        )


class NfsObserved(SourcedModel):
    """NFS operations served, and their mix; `mix` is a row of nfs-mixes.

    `writes_limit` says that writes hold the server back more than anything else.
    """

    ops_per_s: Operations | None = None
    reads_percent: Percent | None = None
    writes_percent: Percent | None = None
    mix: Name | None = None
    writes_limit: Flag | None = None

    def _field_errors(self) -> Iterator[FieldError]:
        yield from _within_the_whole((self.reads_percent, self.writes_percent))


class NetworkObserved(SourcedModel):
    """What was measured of one network; its data in KB/s, or as packets and their size.

    What the machine sends and receives may be beside it, each by itself.
    """

    ops_per_s: Operations | None = None
    data_kb_per_s: KilobytesPerSecond | None = None
    packets_per_s: Packets | None = None
    packet_byte: Bytes | None = None
    sent_kb_per_s: KilobytesPerSecond | None = None
    received_kb_per_s: KilobytesPerSecond | None = None
    utilisation_percent: Percent | None = None
    collisions_percent: Percent | None = None
    latency_ms: Annotated[Quantity, QuantityField("ms")] | None = None

    def _field_errors(self) -> Iterator[FieldError]:
        yield from both_or_none(self, "packets_per_s", "packet_byte")
        stated = (self.data_kb_per_s, self.packets_per_s, self.packet_byte)
        if None not in stated:
            what = "is stated, and packets as well"
            yield FieldError(what, "one of the two", at=("data_kb_per_s",))
        parts = (self.sent_kb_per_s, self.received_kb_per_s)
        what = "the data sent and received is more than all data of the network:"
        at = ("received_kb_per_s",) if self.sent_kb_per_s is None else ("sent_kb_per_s",)
        yield from more_than_whole(parts, self.data, at, what)

    @property
    def data(self) -> Quantity | None:
        """The data in KB/s."""
        if self.packets_per_s is None or self.packet_byte is None:
            return self.data_kb_per_s
        return data_of(self.packets_per_s, self.packet_byte)


class DiskObserved(SourcedModel):
    """What was measured of one disk: all operations, or reads and writes apart; so its KB/s."""

    ops_per_s: Operations | None = None
    reads_per_s: Operations | None = None
    writes_per_s: Operations | None = None
    busy_percent: Percent | None = None
    kb_per_s: KilobytesPerSecond | None = None
    read_kb_per_s: KilobytesPerSecond | None = None
    write_kb_per_s: KilobytesPerSecond | None = None

    @property
    def data(self) -> Quantity | None:
        """The data of reads and writes together, in KB/s."""
        return total(self.data_by_kind.values(), "KB/s") if self.data_by_kind else self.kb_per_s

    @property
    def data_by_kind(self) -> dict[str, Quantity]:
        """The data of reads and of writes, in KB/s; empty if they were not measured apart."""
        if self.read_kb_per_s is None or self.write_kb_per_s is None:
            return {}
        return {READ: self.read_kb_per_s, WRITE: self.write_kb_per_s}

    @property
    def operations(self) -> dict[str, Quantity]:
        """Return the operations by their kind: reads and writes, else all of them together."""
        if self.reads_per_s is not None and self.writes_per_s is not None:
            return {READ: self.reads_per_s, WRITE: self.writes_per_s}
        return {} if self.ops_per_s is None else {"": self.ops_per_s}

    def _field_errors(self) -> Iterator[FieldError]:
        yield from both_or_none(self, "reads_per_s", "writes_per_s")
        yield from both_or_none(self, "read_kb_per_s", "write_kb_per_s")
        if self.data_by_kind and self.kb_per_s is not None:
            what = "the data of reads and of writes is stated as well"
            yield FieldError(what, "one of the two", at=("kb_per_s",))
        if len(self.operations) > 1 and self.ops_per_s is not None:
            yield FieldError(
                "reads and writes are stated as well", "one of the two", at=("ops_per_s",)
            )


class BoardObserved(SourcedModel):
    """What was measured of the memory on one board."""

    memory_reads_per_s: PerSecond | None = None
    memory_writes_per_s: PerSecond | None = None


class ChannelObserved(SourcedModel):
    """What was measured of one peripheral bus."""

    kb_per_s: KilobytesPerSecond | None = None


class Processes(SourcedModel):
    """What was seen of processes; `busiest_percent` is of one processor."""

    active: Pure | None = None
    busiest_percent: Annotated[Quantity, QuantityField("%")] | None = None
    descriptors: Pure | None = None


class Caches(SourcedModel):
    """Look-ups that the kernel's caches answer."""

    dnlc_hit_percent: Percent | None = None
    buffer_hit_percent: Percent | None = None


class Paging(SourcedModel):
    """Pages moved between memory and disks."""

    page_ins_per_s: PerSecond | None = None
    page_outs_per_s: PerSecond | None = None
    scans_per_s: PerSecond | None = None


class Swapping(SourcedModel):
    """Whole processes moved out of memory: those that are out, and how many go out."""

    processes: Pure | None = None
    outs_per_s: PerSecond | None = None


class Report(SourcedModel):
    """What a tool reports of some `seconds`, which begin `at` a time: its means over them."""

    at: Annotated[str, PlainField(_read_time, type="string", pattern=_TIME.pattern)] | None = None
    """`HH:MM`, or `YYYY-MM-DD HH:MM`; seconds may follow. Reports that all state it are sorted."""
    seconds: Seconds | None = None
    """Default: unknown; then no mean of several reports is formed."""
    cpu: Cpu | None = None
    nfs: NfsObserved | None = None
    networks: dict[str, NetworkObserved] = Field(default_factory=dict)
    disks: dict[str, DiskObserved] = Field(default_factory=dict)
    channels: dict[str, ChannelObserved] = Field(default_factory=dict)
    paging: Paging | None = None
    swapping: Swapping | None = None


# The parts of a report that have values.
REPORTED: Mapping[str, type[SourcedModel]] = {
    "cpu": Cpu, "nfs": NfsObserved, "networks": NetworkObserved, "disks": DiskObserved,
    "channels": ChannelObserved, "paging": Paging, "swapping": Swapping,
}  # fmt: skip


class Observations(SourcedModel):
    """Everything that was measured; it replaces what could be derived, and never adds to it.

    `reports` are those of each tool, one by one. Their values replace the others.
    """

    cpu: Cpu | None = None
    nfs: NfsObserved | None = None
    networks: dict[str, NetworkObserved] = Field(default_factory=dict)
    disks: dict[str, DiskObserved] = Field(default_factory=dict)
    channels: dict[str, ChannelObserved] = Field(default_factory=dict)
    boards: dict[str, BoardObserved] = Field(default_factory=dict)
    processes: Processes | None = None
    caches: Caches | None = None
    paging: Paging | None = None
    swapping: Swapping | None = None
    serial_lines: Annotated[Quantity, QuantityField("line")] | None = None
    reports: dict[str, tuple[Report, ...]] = Field(default_factory=dict)

    def _field_errors(self) -> Iterator[FieldError]:
        whole = self.nfs.ops_per_s if self.nfs else None
        parts = [network.ops_per_s for network in self.networks.values()]
        what = "the networks have more NFS operations than there are in all:"
        yield from more_than_whole(parts, whole, ("networks",), what)


class DataPackets(SourcedModel):
    """Data on a network as packets of one size."""

    packets_per_s: Packets
    packet_byte: Bytes


Times = dict[str, Annotated[Quantity, QuantityField("ms/s")]]
OpLines = dict[str, Operations]
DataLine = Annotated[
    KilobytesPerSecond | DataPackets, mapping_or_other(DataPackets, KilobytesPerSecond)
]


class DiskWork(SourcedModel):
    """Operations of one kind on a disk: who asks for them, what they are and how large.

    `access` is stated if it is not that of the disk.
    """

    service: Text
    operation: Operation
    ops_per_s: Operations
    block_kb: Kilobytes
    layer: Layer | None = None
    access: Access | None = None


class Rates(SourcedModel):
    """The load of a written plan, line by line, so that reading it back gives the same budgets.

    What was observed replaces it. `nfs` counts in operations of the reference mix, `nfs_ops_per_s`
    as they come. `networks` are NFS operations, `data` all that the system has on a network; if
    other systems have data on it too, `all_systems` is all of both, and `all_systems_ops` all NFS
    operations of both. `work` are the kinds of operations on each disk, of services some of which
    are `exclusive`.
    """

    nfs_ops_per_s: Operations | None = None
    nfs_write_share: Annotated[Quantity, QuantityField("1", at_most=1)] | None = None
    kernel_lock: Times | None = None
    kernel_lock_without: tuple[Name, ...] = ()
    """Services whose time in the kernel is not known, so that `kernel_lock` lacks it."""
    processors: Times | None = None
    processors_without: tuple[Name, ...] = ()
    """Services whose processor time is not known, so that `processors` lacks it."""
    nfs: OpLines | None = None
    memory: dict[str, MemoryMegabytes] | None = None
    processes: dict[str, Pure] | None = None
    networks: dict[str, OpLines] = Field(default_factory=dict)
    data: dict[str, dict[str, DataLine]] = Field(default_factory=dict)
    all_systems: dict[str, dict[str, KilobytesPerSecond]] = Field(default_factory=dict)
    all_systems_ops: dict[str, OpLines] = Field(default_factory=dict)
    disks: dict[str, OpLines] = Field(default_factory=dict)
    channels: dict[str, dict[str, KilobytesPerSecond]] = Field(default_factory=dict)
    stored: dict[str, dict[str, Megabytes]] = Field(default_factory=dict)
    work: dict[str, tuple[DiskWork, ...]] = Field(default_factory=dict)
    exclusive: tuple[tuple[Text, ...], ...] = ()
