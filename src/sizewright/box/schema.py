"""The box file: what a machine is made of, and what was observed of it.

Everything but the names may be left out. What is left out is unknown, never a default.
"""

from collections.abc import Iterator
from typing import Annotated, Literal

from pydantic import Field

from sizewright.box.observations import Observations, Rates, more_than_whole
from sizewright.errors import shown
from sizewright.guide.model import UNKNOWN, is_revision
from sizewright.quantity import Quantity
from sizewright.schema.model import (
    Count,
    FieldError,
    Flag,
    Name,
    Number,
    SourcedModel,
    TaggedUnion,
    Text,
    mapping_or_other,
)
from sizewright.schema.policy import Policy
from sizewright.schema.quantity import (
    Clients,
    Megabytes,
    MemoryMegabytes,
    Operations,
    Pure,
    QuantityField,
    RawValue,
    RawValueField,
)
from sizewright.workload.volume import Access, Activity, Use
from sizewright.workload.workload import BackupTerms

BUILTIN = "builtin"
NONE = "none"
# The tables that may have a board, and those that may have a device.
BOARDS, DEVICES = ("boards", "memory-boards"), ("disks", "removable-media")
PROFILES = "load-profiles"


class RowOf:
    """Annotates a field, or a list, that names rows of tables; `none` is allowed if stated."""

    def __init__(self, *tables: str, or_none: bool = False) -> None:
        self.tables = tables
        self.or_none = or_none


_A_BOARD, _A_BUS = RowOf(*BOARDS), RowOf("disk-busses")

Layout = Literal["single", "stripe", "concatenation"]
# Beside those of a workload: that data is to survive the loss of a disk, by whatever means.
BoxProtection = Literal["none", "mirror", "redundant"]
Reason = Literal["reliability", "performance"]
Service = Literal[
        "nfs", "database", "timesharing", "compute", "mail", "print", "gateway", "serial", "batch",
        "paging", "measured",
    ]  # fmt: skip


class Memory(SourcedModel):
    """Memory in all, and how much of it is on expansion boards."""

    total_mb: MemoryMegabytes | None = None
    expansion_mb: MemoryMegabytes | None = None

    def _field_errors(self) -> Iterator[FieldError]:
        whole, part = self.total_mb, self.expansion_mb
        if whole is not None and part is not None and part.low > whole.high:
            what = f"{part.low:g} MB of {whole.high:g} MB are on expansion boards"
            yield FieldError(what, "no more than the whole", at=("expansion_mb",))


class BoxBoard(SourcedModel):
    """A board in its slots; `board` is a row of boards or memory-boards.

    `revision` is that of the component that limits it. `kernel_memory` says that the kernel's own
    memory is kept on it. It is on standby for the board that it is `redundant_with`.
    """

    id: Name
    board: Annotated[Name, _A_BOARD]
    bus: Name | None = None
    slots: tuple[Number, ...] = ()
    revision: Text | None = None
    kernel_memory: Flag | None = None
    redundant_with: Name | None = None

    def _field_errors(self) -> Iterator[FieldError]:
        if self.revision is not None and not is_revision(self.revision):
            what = f"{shown(self.revision)} is no revision"
            yield FieldError(what, "numbers with points between them", at=("revision",))


class ExpansionBox(SourcedModel):
    """A box with boards behind a board that has the bus.

    `sparse_boards` of them use little of the address space that they claim; with
    `sparse_addressing` the box divides its slot's space on demand.
    """

    id: Name
    carrier: Annotated[Name, _A_BOARD]
    boards: Annotated[tuple[Name, ...], _A_BOARD] = ()
    sparse_addressing: Flag | None = None
    sparse_boards: Number | None = None


class BoxPartition(SourcedModel):
    """A piece of a disk."""

    name: Name
    size_mb: Megabytes | None = None
    start_cylinder: Annotated[Quantity, QuantityField("cylinder")] | None = None
    use: Use | None = None
    heat: Activity | None = None


class BoxDevice(SourcedModel):
    """A disk, tape or the like; `device` is a row of disks or removable-media.

    Without it, it counts as a disk of an unknown model.
    `bus_kind` is a row of disk-busses: the fastest that it is made for, where its own row does not
    name the only one. A `rate_mb_per_s` of 0 says that it transfers asynchronously. `access` and
    `activity` speak of the disk as a whole, where no volumes are stated. `owner` is the other
    system that a disk is part of, if only its second port ends here.
    """

    id: Name
    device: Annotated[Name, RowOf(*DEVICES)] = UNKNOWN
    bus_kind: Annotated[Name | None, _A_BUS] = None
    target: Number | None = None
    rate_mb_per_s: Annotated[Quantity, QuantityField("MB/s")] | None = None
    purpose: Text | None = None
    access: Access | None = None
    activity: Activity | None = None
    dual_ported: Flag | None = None
    owner: Name | None = None
    accelerated: Flag | None = None
    partitions: tuple[BoxPartition, ...] = ()


class BoxChannel(SourcedModel):
    """A peripheral bus; `kind` is a row of disk-busses, `provider` a board or `builtin`.

    `adapter_bus_kind` is a row of disk-busses as well: the fastest that its adapter is made for,
    where the guide does not state. The adapter is at an end of the chain of devices or
    `adapter_in_middle`.
    """

    id: Name
    kind: Annotated[Name, _A_BUS] = UNKNOWN
    provider: Name | None = None
    adapter_bus_kind: Annotated[Name | None, _A_BUS] = None
    adapter_in_middle: Flag | None = None
    cable_m: Annotated[Quantity, QuantityField("m")] | None = None
    connector_pairs: Number | None = None
    mirror_detached: Flag | None = None
    devices: tuple[BoxDevice, ...] | None = None

    @property
    def parts(self) -> tuple[BoxDevice, ...]:
        """The devices that are stated."""
        return self.devices or ()


class BoxNetwork(SourcedModel):
    """A network; `interface` is a row of network-interfaces.

    `any_medium` says that it could as well be wired in another way; where it is not said, the
    opposite of `keep_medium` is taken.
    """

    name: Name
    segment: Number = 0
    interface: Annotated[Name, RowOf("network-interfaces")] = UNKNOWN
    provider: Name | None = None
    keep_medium: Flag | None = None
    any_medium: Flag | None = None
    fastest_response: Flag | None = None
    large_packets: Flag | None = None
    concentrator: Flag | None = None
    clients: Clients | None = None
    diskless_clients: Clients | None = None

    @property
    def id(self) -> str:
        """The network's name, numbered where its clients are split over several."""
        return f"{self.name}-{self.segment}" if self.segment else self.name


class DiskPart(SourcedModel):
    """The part of a volume on one disk."""

    disk: Name
    size_mb: Megabytes | None = None


PartOfCopy = Annotated[Name | DiskPart, mapping_or_other(DiskPart, Name)]
RaidLevel = Annotated[
    Name | Number,
    TaggedUnion(lambda v: Number if isinstance(v, int) and not isinstance(v, bool) else Name),
]


class BoxVolume(SourcedModel):
    """Data over disks; each of `copies` is a list of disks, plain or with sizes.

    Disks of data that is read `in_turns` work one after another. `file_access` is a row of
    file-access-methods: how programs reach the files on it. `raid` is a level of raid-levels, or
    `none`; then one of the `copies` is all disks of the array. A full backup saves `saved_mb` of
    it; the default is all, and nothing of swap space and of indexes of backups.
    """

    name: Name
    use: Use | None = None
    access: Access | None = None
    activity: Activity | None = None
    in_turns: Flag | None = None
    protection: BoxProtection | None = None
    raid: RaidLevel | None = None
    manager: Annotated[Name | None, RowOf("software", or_none=True)] = None
    layout: Layout | None = None
    interlace_kb: Annotated[Quantity, QuantityField("KB")] | None = None
    mirrored_for: Reason | None = None
    clustered: Flag | None = None
    accelerated: Flag | None = None
    database: Annotated[Name | None, RowOf("database-systems", or_none=True)] = None
    file_access: Annotated[Name | None, RowOf("file-access-methods")] = None
    size_mb: Megabytes | None = None
    growth_mb_per_year: Annotated[Quantity, QuantityField("MB/year")] | None = None
    full_percent: Annotated[Quantity, QuantityField("%")] | None = None
    cached_mb: Megabytes | None = None
    saved_mb: Megabytes | None = None
    copies: tuple[tuple[PartOfCopy, ...], ...] = ()

    @property
    def disks(self) -> tuple[str, ...]:
        """The disks of all copies, as stated."""
        parts = (part for copy in self.copies for part in copy)
        return tuple(part.disk if isinstance(part, DiskPart) else part for part in parts)


class BoxEnclosure(SourcedModel):
    """A box of drives; `enclosure` is a row of trays, `busses` are the disks on each bus inside.

    `channel` is the one that it is attached to as a whole. `tall_disks`: its drives are of the
    taller kind.
    """

    id: Name
    enclosure: Annotated[Name, RowOf("trays")]
    channel: Name | None = None
    tall_disks: Flag | None = None
    busses: tuple[tuple[Name, ...], ...] = ()

    @property
    def disks(self) -> tuple[str, ...]:
        """Every disk in it."""
        return tuple(disk for bus in self.busses for disk in bus)


class BoxBackup(BackupTerms):
    """When the tapes run."""

    wanted: Flag = True
    during_working_hours: Flag | None = None
    at_night_in_use: Flag | None = None


class Applications(SourcedModel):
    """What is known about the programs that run on it."""

    compiled_for_processor: Flag | None = None
    many_small_files: Flag | None = None
    small_file_ops_per_s: Operations | None = None
    """Operations by which these files are made and removed, in a peak period."""
    very_large_files: Flag | None = None
    shared_writes: Flag | None = None
    database_on_file_system: Flag | None = None
    database_ops_per_s: Operations | None = None
    """Operations of database managers on all disks, in a peak period."""


class Tunables(SourcedModel):
    """The kernel's parameters that rules ask for."""

    maxusers: Pure | None = None
    rr_ticks: Pure | None = None
    nfsd: Pure | None = None


class BusSlots(SourcedModel):
    """What is known about a bus's slots in addition to the boards in them."""

    gaps_without_jumpers: Number | None = None


def named_parts(box: "Box") -> Iterator[tuple[tuple[str | int, ...], str, str]]:
    """Yield each part: where it is, the kind within which its name is its own, and the name."""
    kinds: tuple[tuple[str, list[str]], ...] = (
        ("boards", [b.id for b in box.boards or ()]),
        ("expansion_boxes", [e.id for e in box.expansion_boxes]),
        ("networks", [n.id for n in box.networks or ()]),
        ("volumes", [v.name for v in box.volumes or ()]),
        ("enclosures", [e.id for e in box.enclosures]),
    )
    for kind, names in kinds:
        for index, name in enumerate(names):
            yield (kind, index), kind, name
    for index, channel in enumerate(box.channels or ()):
        yield ("channels", index), "channels", channel.id
        for number, device in enumerate(channel.parts):
            place = ("channels", index, "devices", number)
            yield place, "devices", device.id
            for part, partition in enumerate(device.partitions):
                kind = f"partitions of {device.id}"
                yield (*place, "partitions", part), kind, partition.name


# Parts that reports and options name by their ids alone.
_PARTS = ("boards", "networks", "channels", "devices")


def _unique(box: "Box") -> Iterator[FieldError]:
    """Object to names that two parts have.

    A channel or a network may be called like the board that brings it, which takes it along.
    """
    seen: set[tuple[str, str]] = set()
    kinds: dict[str, str] = {}
    brought = {channel.id for channel in box.channels or () if channel.id == channel.provider}
    brought |= {network.id for network in box.networks or () if network.id == network.provider}
    for place, kind, name in named_parts(box):
        other = kinds.setdefault(name, kind) if kind in _PARTS else kind
        if (kind, name) in seen:
            yield FieldError(f"{shown(name)} is named twice", "a name for each", at=place)
        elif other != kind and (other != "boards" or name not in brought):
            what = f"{shown(name)} is also the name of one of the {other}"
            yield FieldError(what, "a name for each", at=place)
        seen.add((kind, name))


class BoxWideLine(SourcedModel):
    """Synchronous lines of one speed that end on the machine's own boards."""

    name: Name
    kbit_per_s: Annotated[Quantity, QuantityField("Kb/s", above_zero=True)]
    count: Count = 1


class YearlyGrowth(SourcedModel):
    """Growth of every rate in each year, on top of what has grown before."""

    percent: Annotated[Quantity, QuantityField("%")]


class Box(SourcedModel):
    """One machine that exists.

    `beside` are rows of serial-line-options: units next to it that take no slot. `serial_lines` end
    on its own boards. `load_profiles` are rows of that name: what its disks are asked for, and in
    which pieces. What is `reported` goes by names of the guide's table reported-facts.
    """

    name: Name
    title: Text | None = None
    guide: Name | None = None
    platform: Annotated[Name, RowOf("platforms")] = UNKNOWN
    processors: Count | None = None
    operating_system: Annotated[Name | None, RowOf("operating-systems")] = None
    services: tuple[Service, ...] | None = None
    load_profiles: Annotated[tuple[Name, ...], RowOf(PROFILES)] = ()
    clients: Clients | None = None
    diskless_clients: Clients | None = None
    memory: Memory = Field(default_factory=Memory)
    boards: tuple[BoxBoard, ...] | None = None
    expansion_boxes: tuple[ExpansionBox, ...] = ()
    slots: dict[str, BusSlots] = Field(default_factory=dict)
    channels: tuple[BoxChannel, ...] | None = None
    enclosures: tuple[BoxEnclosure, ...] = ()
    networks: tuple[BoxNetwork, ...] | None = None
    serial_lines: Number | None = None
    wide_lines: tuple[BoxWideLine, ...] | None = None
    beside: Annotated[tuple[Name, ...], RowOf("serial-line-options")] = ()
    volumes: tuple[BoxVolume, ...] | None = None
    accelerator: Annotated[Name | None, RowOf("nvram-accelerators", or_none=True)] = None
    software: Annotated[tuple[Name, ...] | None, RowOf("software")] = None
    databases: Annotated[tuple[Name, ...] | None, RowOf("database-systems")] = None
    backup: BoxBackup | None = None
    applications: Applications = Field(default_factory=Applications)
    tunables: Tunables = Field(default_factory=Tunables)
    observed: Observations = Field(default_factory=Observations)
    reported: dict[str, Annotated[RawValue, RawValueField()]] = Field(default_factory=dict)
    load: Rates = Field(default_factory=Rates)
    growth: YearlyGrowth | None = None
    policy: Policy = Field(default_factory=Policy)

    def _field_errors(self) -> Iterator[FieldError]:
        yield from _unique(self)
        yield from _sums(self)


def _sums(box: "Box") -> Iterator[FieldError]:
    """Object to parts that are more than what they are a part of.

    The clients in all are those of NFS, whereas those on a network may be of any service, and of
    other systems of the plan.
    """
    own = [network for network in box.networks or () if network.id not in box.load.all_systems]
    counted: tuple[str, ...] = ("diskless_clients",)
    if set(map(str, box.services or ("nfs",))) == {"nfs"}:
        counted = ("clients", *counted)
    for kind in counted:
        parts = [getattr(network, kind) for network in own]
        what = f"the networks have more {kind.replace('_', ' ')} than there are in all:"
        yield from more_than_whole(parts, getattr(box, kind), ("networks",), what)
    what = "there are more diskless clients than clients:"
    yield from more_than_whole([box.diskless_clients], box.clients, ("diskless_clients",), what)
    for index, network in enumerate(box.networks or ()):
        at = ("networks", index, "diskless_clients")
        yield from more_than_whole([network.diskless_clients], network.clients, at, what)
    seen = box.observed
    for channel in box.channels or ():
        whole = seen.channels[channel.id].kb_per_s if channel.id in seen.channels else None
        disks = [seen.disks[d.id].data for d in channel.parts if d.id in seen.disks]
        what = f"the disks of channel {shown(channel.id)} transfer more than the channel:"
        place = ("observed", "channels", channel.id)
        yield from more_than_whole(disks, whole, place, what)
