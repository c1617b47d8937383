"""The facts of peripheral busses, disks, and the data on them."""

from typing import Annotated, NamedTuple

from sizewright.facts.fact import Flag, Names, Number, Text, flag, names, number, text


class ChannelFacts(NamedTuple):
    """A peripheral bus: a host adapter's or a string controller's."""

    id: Annotated[str, text("Id of the channel")] = ""
    kind: Annotated[Text, text("Row of the disk-busses table")] = None
    family: Annotated[Text, text("Peripheral bus family", one_of=("scsi", "ipi", "other"))] = None
    devices: Annotated[Number, number("1", "Devices on it")] = None
    device_limit: Annotated[Number, number("1", "Devices that it can address")] = None
    random_disks: Annotated[Number, number("disk", "Hot disks accessed at random")] = None
    serial_disks: Annotated[Number, number("disk", "Hot disks accessed serially")] = None
    demanded_kb_per_s: Annotated[Number, number("KB/s", "Transfers demanded")] = None
    rate_kb_per_s: Annotated[Number, number("KB/s", "Speed of the bus")] = None
    backup_while_in_use: Annotated[
        Flag, flag("A backup device on it works while disks are busy")
    ] = None
    mirror_detached: Annotated[
        Flag, flag("What is backed up is a half of a mirror, detached for it")
    ] = None
    signalling: Annotated[
        Text, text("Electrical form of the bus", one_of=("single-ended", "differential", ""))
    ] = None
    cable_m: Annotated[Number, number("m", "Cable, in and between boxes")] = None
    cable_limit_m: Annotated[Number, number("m", "Cable that the bus allows")] = None
    connector_pairs: Annotated[Number, number("1", "Pairs of connectors along the bus")] = None
    same_targets: Annotated[Number, number("1", "Devices whose address another has too")] = None
    unusual_targets: Annotated[
        Number, number("1", "Devices at addresses that the kernel does not expect for their kind")
    ] = None
    asynchronous_disks: Annotated[
        Number, number("disk", "Disks that negotiated no synchronous transfers")
    ] = None


class DiskFacts(NamedTuple):
    """One disk."""

    id: Annotated[str, text("Id of the disk")] = ""
    model: Annotated[Text, text("Row of the disks table")] = None
    access: Annotated[
        Text, text("Access pattern of its hot data", one_of=("random", "serial", ""))
    ] = None
    operations_per_s: Annotated[Number, number("op/s", "Operations demanded")] = None
    maximum_ops_per_s: Annotated[Number, number("op/s", "Operations it can do")] = None
    sustained_ops_per_s: Annotated[
        Number, number("op/s", "Operations it does at the advised utilisation")
    ] = None
    busy_share: Annotated[Number, number("1", "Share of its time that it is busy, as measured")] = (
        None
    )
    stored_mb: Annotated[Number, number("MB", "Data on it")] = None
    capacity_mb: Annotated[Number, number("MB", "What it holds")] = None
    partitions: Annotated[Number, number("1", "Partitions on it")] = None
    hot_partitions: Annotated[Number, number("1", "Partitions in frequent use")] = None
    hot_file_systems: Annotated[Number, number("1", "File systems in frequent use on it")] = None
    swap_partitions: Annotated[Number, number("1", "Partitions for swap on it")] = None
    zones: Annotated[
        Number, number("1", "Zones of different speed; 1 where all tracks are alike")
    ] = None
    zone_inversions: Annotated[
        Number, number("1", "Hot partitions behind cold ones in slower zones")
    ] = None
    uses: Annotated[
        Names, names("What its partitions are for: file_system, raw, log, swap, root …")
    ] = None
    dual_ported: Annotated[Flag, flag("A second system has access to it")] = None
    accelerated: Annotated[Flag, flag("A write accelerator serves it")] = None
    interface: Annotated[Text, text("Interface of the drive: scsi, ipi, smd or esdi")] = None


class VolumeFacts(NamedTuple):
    """Data over one disk or several."""

    id: Annotated[str, text("Name of the volume")] = ""
    use: Annotated[Text, text("What lies on it", one_of=("file_system", "raw", "log", "swap"))] = (
        None
    )
    access: Annotated[Text, text("Access pattern", one_of=("random", "serial"))] = None
    hot: Annotated[Flag, flag("Its data is in frequent use")] = None
    protection: Annotated[Text, text("Protection asked for", one_of=("none", "mirror"))] = None
    layout: Annotated[
        Text, text("How its parts are joined", one_of=("single", "stripe", "concatenation"))
    ] = None
    joined_disks: Annotated[Number, number("disk", "Disks that one copy lies on")] = None
    interlace_kb: Annotated[
        Number, number("KB", "Piece of a stripe; absent where nothing is striped", optional=True)
    ] = None
    manager: Annotated[
        Text, text("Row of software that joins its parts; absent on plain disks", optional=True)
    ] = None
    copies: Annotated[Number, number("1", "Copies kept")] = None
    copies_share_channel: Annotated[Flag, flag("Two copies depend on one channel")] = None
    copies_share_disk: Annotated[Flag, flag("Two copies depend on one disk")] = None
    mirrored_for: Annotated[
        Text, text("Why it is mirrored", one_of=("reliability", "performance"))
    ] = None
    mirror_gain: Annotated[
        Number,
        number("1", "Operations gained by mirroring on this platform; negative where lost"),
    ] = None
    full_share: Annotated[Number, number("1", "Share of its space that is used")] = None
    clustered: Annotated[Flag, flag("Its file system is tuned to transfer clusters of blocks")] = (
        None
    )
    database_mirrors: Annotated[
        Flag, flag("Its data belongs to a database manager that can mirror it")
    ] = None
    shares_disk_with: Annotated[
        Names, names("Uses of other volumes on its disks: file_system, raw, log, swap")
    ] = None
    shares_disk_with_hot: Annotated[
        Flag, flag("Another volume on its disks is in frequent use")
    ] = None
    accelerated: Annotated[Flag, flag("A write accelerator serves it")] = None
    shares_disk_with_database: Annotated[
        Flag, flag("Another volume on its disks belongs to a database manager")
    ] = None
    database_stripes: Annotated[
        Flag, flag("Its data belongs to a database manager that can spread it over disks")
    ] = None
    stripe_gain: Annotated[
        Number,
        number("1", "Operations gained by striping on this platform; negative where lost"),
    ] = None
