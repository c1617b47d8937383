"""The subjects of rules and their facts, with unit and meaning.

Annotations are read by the condition checker: `Number("unit", …)`, `Text(…)`, `Flag(…)`,
`Names(…)`. A fact that may be missing says `optional=True`; its absence makes a verdict unknown.
Facts filled in by budgets are `None` until the budget stands.
"""

from typing import Annotated, Any, NamedTuple

from sizewright.figure import Figure


class Fact(NamedTuple):
    """Type, unit and meaning of one fact."""

    kind: str
    unit: str
    doc: str
    optional: bool = False
    one_of: tuple[str, ...] = ()


def _number(unit: str, doc: str, optional: bool = False) -> Fact:
    return Fact("number", unit, doc, optional)


def _text(doc: str, optional: bool = False, one_of: tuple[str, ...] = ()) -> Fact:
    return Fact("text", "", doc, optional, one_of)


def _flag(doc: str, optional: bool = False) -> Fact:
    return Fact("flag", "", doc, optional)


def _names(doc: str, optional: bool = False) -> Fact:
    return Fact("names", "", doc, optional)


Number = Figure | float | None
Flag = bool | None
Names = tuple[str, ...] | None


class SystemFacts(NamedTuple):
    """One server as a whole."""

    id: Annotated[str, _text("Id of the system")]
    platform: Annotated[str, _text("Row of the platforms table")]
    desktop: Annotated[Flag, _flag("The platform is a desktop machine")]
    processors: Annotated[Number, _number("1", "Processors configured")]
    fewest_processors: Annotated[Number, _number("1", "Fewest processors it is sold with")]
    kernel_locks: Annotated[
        Number, _number("1", "Locks of the kernel of its operating system", True)
    ]
    networks: Annotated[Number, _number("1", "Networks attached")]
    required_networks: Annotated[
        Number, _number("1", "Networks that the sustained NFS load must be spread over", True)
    ]
    clients: Annotated[Number, _number("client", "NFS clients served")]
    diskless_clients: Annotated[Number, _number("client", "NFS clients that page over the network")]
    nfs_ops_per_s: Annotated[Number, _number("op/s", "NFS operations as they come, of all mixes")]
    nfs_weighted_ops_per_s: Annotated[
        Number, _number("op/s", "NFS operations in equivalents of the reference mix")
    ]
    nfs_maximum_ops_per_s: Annotated[
        Number,
        _number("op/s", "Most operations of the reference mix that it serves", True),
    ]
    nfs_sustained_ops_per_s: Annotated[
        Number, _number("op/s", "Operations of the reference mix that it sustains", True)
    ]
    nfs_write_share: Annotated[Number, _number("1", "Writes among the NFS operations", True)]
    kernel_lock_share: Annotated[
        Number, _number("1", "Kernel time demanded, over what one lock allows", True)
    ]
    processor_share: Annotated[
        Number, _number("1", "Processor time demanded, over all processors' time", True)
    ]
    memory_mb: Annotated[Number, _number("MB", "Memory installed")]
    memory_needed_mb: Annotated[Number, _number("MB", "Memory that the demand accounts for")]
    onboard_memory_limit_mb: Annotated[
        Number, _number("MB", "Memory that fits beside the processors", True)
    ]
    expansion_memory_mb: Annotated[Number, _number("MB", "Memory on expansion boards")]
    stored_mb: Annotated[Number, _number("MB", "Data stored, one copy of it")]
    mirrored: Annotated[Flag, _flag("Some volume is mirrored by software")]
    volume_manager: Annotated[Flag, _flag("Software that joins partitions is installed")]
    online_backup: Annotated[Flag, _flag("Software for backups of a running system is installed")]
    backup_wanted: Annotated[Flag, _flag("The workload asks for backups")]
    backup_while_in_use: Annotated[
        Flag, _flag("Backups run while the system serves, by day or by night")
    ]
    backup_device: Annotated[Flag, _flag("A device fit for backups is attached")]
    nvram_accelerator: Annotated[Flag, _flag("A board with non-volatile memory speeds writes")]
    nvram_bus: Annotated[str, _text("I/O bus of that board; empty without one")]
    disk_adapter_busses: Annotated[Names, _names("I/O busses that its disks' adapters sit on")]
    write_gathering: Annotated[Flag, _flag("Software that gathers NFS writes is installed")]
    protocol_offload: Annotated[Flag, _flag("Some interface processes protocols itself")]


class NetworkFacts(NamedTuple):
    """One network and the interface that the server has on it."""

    id: Annotated[str, _text("Id of the network")]
    medium: Annotated[str, _text("Row of the network-media table")]
    interface: Annotated[str, _text("Row of the network-interfaces table")]
    interface_kind: Annotated[
        str,
        _text(
            "What the interface processes itself",
            one_of=("plain", "header_offload_nic", "protocol_offload_nic"),
        ),
    ]
    keep_medium: Annotated[Flag, _flag("The customer keeps the wiring that is there")]
    fastest_response: Annotated[Flag, _flag("The customer asks for the quickest response")]
    diskless_clients: Annotated[Number, _number("client", "Clients that page over this network")]
    clients: Annotated[Number, _number("client", "Clients on this network")]
    nfs_ops_per_s: Annotated[Number, _number("op/s", "NFS operations on this network")]
    interface_ops_per_s: Annotated[
        Number, _number("op/s", "NFS operations that the interface is good for", True)
    ]
    capacity_ops_per_s: Annotated[
        Number, _number("op/s", "The same, under every rule that bounds it", True)
    ]
    latency_ms: Annotated[Number, _number("ms", "Typical latency: the middle of its range", True)]
    least_latency_ms: Annotated[
        Number, _number("ms", "Least typical latency of any interface that may be chosen", True)
    ]


class SlotsFacts(NamedTuple):
    """The slots of one I/O bus."""

    id: Annotated[str, _text("Bus")]
    used: Annotated[Number, _number("slot", "Slots taken")]
    available: Annotated[Number, _number("slot", "Slots there are")]


class BusFacts(NamedTuple):
    """One I/O bus of the system."""

    id: Annotated[str, _text("Bus")]
    demanded_mb_per_s: Annotated[Number, _number("MB/s", "Typical demand of its boards, summed")]
    sustained_mb_per_s: Annotated[Number, _number("MB/s", "What the bus sustains", True)]


class ChannelFacts(NamedTuple):
    """A peripheral bus: a host adapter's or a string controller's."""

    id: Annotated[str, _text("Id of the channel")]
    kind: Annotated[str, _text("Row of the disk-busses table")]
    family: Annotated[str, _text("Peripheral bus family", one_of=("scsi", "ipi", "other"))]
    devices: Annotated[Number, _number("1", "Devices on it")]
    device_limit: Annotated[Number, _number("1", "Devices that it can address", True)]
    random_disks: Annotated[Number, _number("disk", "Hot disks accessed at random")]
    serial_disks: Annotated[Number, _number("disk", "Hot disks accessed serially")]
    demanded_kb_per_s: Annotated[Number, _number("KB/s", "Transfers demanded")]
    rate_kb_per_s: Annotated[Number, _number("KB/s", "Speed of the bus", True)]
    backup_while_in_use: Annotated[Flag, _flag("A backup device on it works while disks are busy")]


class DiskFacts(NamedTuple):
    """One disk."""

    id: Annotated[str, _text("Id of the disk")]
    model: Annotated[str, _text("Row of the disks table")]
    access: Annotated[str, _text("Access pattern of its hot data", one_of=("random", "serial", ""))]
    operations_per_s: Annotated[Number, _number("op/s", "Operations demanded")]
    maximum_ops_per_s: Annotated[Number, _number("op/s", "Operations it can do", True)]
    sustained_ops_per_s: Annotated[
        Number, _number("op/s", "Operations it does at the advised utilisation", True)
    ]
    stored_mb: Annotated[Number, _number("MB", "Data on it")]
    capacity_mb: Annotated[Number, _number("MB", "What it holds")]


class VolumeFacts(NamedTuple):
    """Data over one disk or several."""

    id: Annotated[str, _text("Name of the volume")]
    access: Annotated[str, _text("Access pattern", one_of=("random", "serial"))]
    protection: Annotated[str, _text("Protection asked for", one_of=("none", "mirror"))]
    copies: Annotated[Number, _number("1", "Copies kept")]
    copies_share_channel: Annotated[Flag, _flag("Two copies depend on one channel")]
    copies_share_disk: Annotated[Flag, _flag("Two copies depend on one disk")]


RECORDS: dict[str, type[Any]] = {
    "system": SystemFacts,
    "network": NetworkFacts,
    "slots": SlotsFacts,
    "bus": BusFacts,
    "channel": ChannelFacts,
    "disk": DiskFacts,
    "volume": VolumeFacts,
}


def facts_of(subject: str) -> dict[str, Fact]:
    """Name -> Fact for one subject."""
    hints = RECORDS[subject].__annotations__
    return {name: hint.__metadata__[0] for name, hint in hints.items()}


def blank(subject: str, given: dict[str, Any]) -> Any:
    """A record with the given facts and every other one unknown; for a rule's examples."""
    record = RECORDS[subject]
    return record(**{name: given.get(name) for name in record._fields})
