"""Records of a demand: what a workload asks for, before any hardware is chosen."""

from __future__ import annotations

from typing import Literal

from sizewright.demand import model
from sizewright.output.json.common import Count, End, Number, Part, Positive, Quantity, Record, doc
from sizewright.workload.volume import Use

Operation = Literal["read", "update", "write"]
Pattern = Literal["random", "sequential"]
Layer = Literal["raw", "file_system"]


class Item(Record):
    """A part of a demand, with the service that needs it."""

    name: str = doc("Service, or one of its lines.")
    figure: Quantity = doc("How much it needs.")
    service: str = doc("Service, if it has several lines; else empty.")


class VolumeShare(Record):
    """A volume that a service uses."""

    volume: str = doc("Volume.")
    share: Quantity = doc("Share of the data operations on this volume.")


class Stream(Record):
    """The NFS operations of one service."""

    service: str = doc("Service of the workload.")
    network: str = doc("Its network.")
    clients: Quantity = doc("Clients counted for it.")
    diskless: bool = doc("Whether its clients page over the network.")
    ops: Quantity = doc("Operations per second.")
    reads: Quantity = doc("Read operations per second.")
    writes: Quantity = doc("Write operations per second.")
    weighted: Quantity = doc("The same load in operations of the guide's reference mix.")
    kb_per_s: Quantity = doc("Data on the network in both directions.")
    read_share: Quantity = doc("Share of the operations that are reads.")
    write_share: Quantity = doc("Share of the operations that are writes.")
    mix: str = doc("Row of `nfs-mixes`, or `own`.")
    uses: list[VolumeShare] = doc("Volumes that it uses.")


class NetworkDemand(Record):
    """A community of clients."""

    name: str = doc("Network.")
    medium: str = doc("Row of `network-media`; empty if any medium is allowed.")
    keep_medium: bool = doc("Whether the medium must stay.")
    segments_at_most: Positive = doc("Number of networks that it may be split across.")
    fastest_response: bool = doc("Whether the fastest response is requested.")
    ops: list[Item] = doc("Operations by service.")
    clients: Quantity = doc("Clients.")
    diskless_clients: Quantity = doc("Clients that page over it.")
    large_packets: bool | None = doc(
        "Whether most of its NFS operations move data; null if other traffic is on it."
    )


class Runs(Record):
    """The size of a run, and when runs begin and end."""

    run_ops: Quantity | None = doc("Operations of a run; null if it has no size.")
    returns_kb: Quantity | None = doc("Data that a run sends; null if none.")
    within_s: Quantity | None = doc("Target time of a run; null if none.")
    every_s: Quantity | None = doc("Interval between the starts of runs; null if not stated.")
    at_once: Quantity | None = doc("Number of runs in progress; null if not stated.")
    outstanding: Quantity | None = doc("Outstanding requests of a run; null if not stated.")


class Work(Record):
    """Operations of one kind that a service does itself on one volume."""

    service: str = doc("Service.")
    name: str = doc("Name of this work of the service.")
    volume: str = doc("Volume.")
    network: str = doc("Network that its results are sent over; empty if none.")
    layer: Layer = doc("Raw, or through the file system.")
    pattern: Pattern = doc("Access pattern.")
    operation: Operation = doc("Kind of operation: an update writes in place, a write appends.")
    block_kb: Quantity = doc("Size of one operation.")
    ops: Quantity | None = doc("Operations per second; null for open-ended work.")
    runs: Runs = doc("The size of a run, and when runs begin and end.")
    processors: Quantity | None = doc(
        "Processors that it uses outside the kernel while it runs; null if not stated."
    )
    low: bool = doc("Whether it has low priority and yields to all other work.")


class VolumeDemand(Record):
    """Data to be stored."""

    name: str = doc("Volume.")
    pool: str = doc("First name of the volumes that are to be on the same disks.")
    size_mb: Quantity = doc("Size.")
    access: Literal["random", "serial"] = doc("Access pattern.")
    protection: Literal["none", "mirror"] = doc("Protection.")
    hot: bool | None = doc("Whether it is stated as frequently used; null if the load decides.")
    reads: list[Item] = doc("Reads by service.")
    writes: list[Item] = doc("Writes by service.")
    cached_mb: Quantity | None = doc("The part in memory; null if none.")
    work: list[Work] = doc("Work of the server itself on it.")
    use: Use = doc("What it is for.")
    saved_mb: Quantity | None = doc(
        "What a full backup saves of it, if not all, or what its use implies; else null."
    )
    apart_from: list[str] = doc("Volumes that must be on other disks.")
    dual_ported: bool = doc("Whether two systems must reach its disks.")
    database: str = doc("Row of `database-systems` whose data it is; empty if none.")
    own_disks: bool = doc("Whether it must have disks of its own.")
    added: bool = doc("Whether the plan added it, because the workload does not state it.")


class Backup(Record):
    """When backups may run, how long, and how much they save."""

    wanted: bool = doc("Whether backups are requested.")
    during_working_hours: bool = doc("Whether they may run in working hours.")
    at_night_in_use: bool = doc("Whether the system is in use at night too.")
    window: Quantity | None = doc("Time in which a full backup must end; null if not stated.")
    drives_at_most: Count = doc("Most drives that may work at once; 0 if not stated.")
    incremental: Quantity | None = doc("Share of the data in a daily backup; null if it saves all.")
    tape_mb: Quantity | None = doc("What one tape holds; null if not stated.")
    over: str = doc("Network to drives on another system; empty if the drives are its own.")
    over_kb_per_s: Quantity | None = doc("Rate of the drives there; null if none, or unknown.")


class OwnedDevices(Record):
    """Devices that exist and are used again."""

    device: str = doc("Row of `disks` or `removable-media`.")
    count: Positive = doc("How many.")
    optional: Count = doc("How many of them may be used, but need not be.")


class ServiceDemand(Record):
    """A service."""

    name: str = doc("Service.")
    kind: Literal[
        "nfs", "database", "timesharing", "mail", "gateway", "serial", "print", "batch", "paging",
        "measured",
    ] = doc("Its kind.")  # fmt: skip
    volumes: list[str] = doc("Volumes that it uses.")
    networks: list[str] = doc("Networks that it uses.")
    back_within_s: Quantity | None = doc(
        "Time after a failure in which it must be available again; null if not stated."
    )
    replicated: bool = doc("Whether it runs on both of two systems, each with its own data.")


class Traffic(Record):
    """Data of one service on one network, without NFS."""

    service: str = doc("Service.")
    name: str = doc("What the data are.")
    network: str = doc("Network.")
    kb_per_s: Quantity = doc("Rate.")
    low: bool = doc("Whether it has low priority and yields to all other work.")
    packets_per_s: Quantity | None = doc("Packets per second; null if not stated.")
    packet_byte: Quantity | None = doc("Size of a packet; null if not stated.")


class KernelTime(Record):
    """Kernel time of a service."""

    service: str = doc("Service.")
    name: str = doc("What uses it.")
    ms_per_s: Quantity = doc("Kernel time.")
    mips: Quantity | None = doc("Speed of the processor that it applies to; null if to any.")


class ProcessorTime(Record):
    """Processors that a service uses."""

    service: str = doc("Service.")
    processors: Quantity | None = doc("How many; null if all.")
    mips: Quantity | None = doc(
        "Speed of the processors that they are; null if they are those of the planned machine."
    )
    single: bool = doc("Whether one process with one thread uses at most one processor.")
    low: bool = doc("Whether it has low priority and yields to all other work.")


class Lines(Record):
    """Lines of one kind."""

    service: str = doc("Service.")
    name: str = doc("Their name.")
    kind: Literal["wide", "serial", "parallel", "scsi", "video"] = doc(
        "Synchronous (`wide`), asynchronous (`serial`), or the port of a printer."
    )
    number: Quantity = doc("How many.")
    kbit_per_s: Quantity | None = doc("Speed of each; null if not stated.")
    kb_per_s: Quantity | None = doc("Data rate that each must support; null if not stated.")
    protocol: Literal["", "sna", "x25", "tcp"] = doc("Protocol of a wide line; empty for others.")


class Demand(Record):
    """What the workload asks for, before any hardware is chosen."""

    streams: list[Stream] = doc("NFS operations by service.")
    exclusive: list[list[str]] = doc("Services that are never active at the same time.")
    networks: list[NetworkDemand] = doc("Networks.")
    volumes: list[VolumeDemand] = doc("Volumes.")
    clients: Quantity = doc("All NFS clients.")
    diskless_clients: Quantity = doc("All NFS clients that page over a network.")
    transfer_kb: Quantity = doc("Data of one read or write.")
    backup: Backup = doc("When backups may run, how long, and how much they save.")
    removable_media: list[str] = doc("Media that must be readable.")
    carry_forward: list[OwnedDevices] = doc("Devices that exist and are used again.")
    platforms: list[str] = doc("Platforms that are allowed; empty if all are.")
    size_for: End = doc("As in `policy`.")
    services: list[ServiceDemand] = doc("Services. Each runs on one system, unless replicated.")
    operations: list[Work] = doc("Work of services themselves on their volumes.")
    traffic: list[Traffic] = doc("Data on networks, without NFS.")
    kernel: list[KernelTime] = doc("Kernel time of other work than disk operations and packets.")
    user: list[ProcessorTime] = doc("Processors that services use outside the kernel.")
    memory: list[Item] = doc("Memory that services need.")
    swap: list[Item] = doc("Swap space that services need.")
    lines: list[Lines] = doc("Lines that end at the server.")
    databases: list[str] = doc("Database managers.")
    processes: list[Item] = doc("Processes active at the same time, without nfsd.")
    systems: Count = doc("Number of systems requested; 0 if left open.")
    survives: list[Part] = doc("Kinds of part of which any one may fail.")
    third_party_disks: bool = doc("Whether disks of other vendors may be chosen.")
    hot_share: Number = doc("Share of a disk's sustained rate above which a volume is hot on it.")
    elsewhere: list[Traffic] = doc("Data of services of the other system on the same networks.")


def demand_record(demand: model.Demand) -> Demand:
    """Return the record of a demand."""
    owned = [OwnedDevices.make(each, count=each.number) for each in demand.carry_forward]
    return Demand.make(demand, carry_forward=owned)
