"""The facts of peripheral busses, disks, and the data on them."""

from typing import Annotated, NamedTuple

from sizewright.facts.fact import Flag, Names, Number, Text, flag, names, number, seen, text


class ChannelFacts(NamedTuple):
    """A peripheral bus: a host adapter's or a string controller's."""

    id: Annotated[str, text("Id of the channel")] = ""
    kind: Annotated[Text, text("Row of the disk-busses table")] = None
    family: Annotated[
        Text, text("Peripheral bus family", one_of=("scsi", "ipi", "ide", "fibre_channel", "other"))
    ] = None
    devices: Annotated[Number, number("1", "Devices on the channel")] = None
    device_limit: Annotated[Number, number("1", "Devices that the channel can address")] = None
    random_disks: Annotated[
        Number, number("disk", "Hot disks on the channel that are accessed at random")
    ] = None
    serial_disks: Annotated[
        Number, number("disk", "Hot disks on the channel that are accessed serially")
    ] = None
    demanded_kb_per_s: Annotated[Number, number("KB/s", "Transfers demanded over the channel")] = (
        None
    )
    rate_kb_per_s: Annotated[Number, number("KB/s", "Speed of the channel")] = None
    active_disks: Annotated[
        Number,
        number(
            "disk",
            "Disks active on the channel: the sum of their loads over sustained rates",
        ),
    ] = None
    active_limit: Annotated[
        Number, number("disk", "Active disks that the channel's controller or adapter serves well")
    ] = None
    bus_ms_per_s: Annotated[
        Number, number("ms/s", "Time that the devices of a SCSI bus hold it, serial reads weighed")
    ] = None
    bus_limit_ms_per_s: Annotated[
        Number, number("ms/s", "Time that a SCSI bus may be held without slowing its disks")
    ] = None
    backup_while_in_use: Annotated[
        Flag, flag("A backup device on the channel works while disks are busy")
    ] = None
    mirror_detached: Annotated[
        Flag, flag("What is backed up is a half of a mirror, detached for the backup")
    ] = None
    signalling: Annotated[
        Text,
        text(
            "Electrical form of the channel's signals", one_of=("single-ended", "differential", "")
        ),
    ] = None
    cable_m: Annotated[
        Number, number("m", "Length of the channel's cable, in and between boxes")
    ] = None
    cable_limit_m: Annotated[Number, number("m", "Length of cable that the channel allows")] = None
    connector_pairs: Annotated[Number, number("1", "Pairs of connectors along the channel")] = None
    same_targets: Annotated[
        Number, number("1", "Devices whose address another device on the channel has too")
    ] = None
    unusual_targets: Annotated[
        Number, number("1", "Devices at addresses that the kernel does not expect for their kind")
    ] = None
    asynchronous_disks: Annotated[
        Number, number("disk", "Disks that negotiated no synchronous transfers")
    ] = None
    width: Annotated[
        Text, seen(text("Width of the channel's data path", one_of=("narrow", "wide")))
    ] = None
    clock_mhz: Annotated[Number, seen(number("MHz", "Clock of the channel, by its kind"))] = None
    adapter_clock_mhz: Annotated[
        Number, seen(number("MHz", "Fastest clock that the channel's adapter is made for"))
    ] = None
    adapter_in_middle: Annotated[
        Flag, seen(flag("The channel's adapter is between devices, not at an end of the chain"))
    ] = None
    narrow_devices: Annotated[Number, seen(number("1", "Narrow devices on the channel"))] = None
    wide_devices: Annotated[Number, seen(number("1", "Wide devices on the channel"))] = None
    slower_devices: Annotated[
        Number, seen(number("1", "Devices that are made for a slower clock than the channel's"))
    ] = None
    fast_narrow_devices: Annotated[
        Number, seen(number("1", "Narrow devices that transfer at the clock of the channel"))
    ] = None
    fallback_kb_per_s: Annotated[
        Number,
        seen(number("KB/s", "Speed that the channel falls back to where it cannot keep its clock")),
    ] = None
    delay_ms: Annotated[
        Number, seen(number("ms", "Time that data takes once round the channel's cables"))
    ] = None


class DiskFacts(NamedTuple):
    """One disk."""

    id: Annotated[str, text("Id of the disk")] = ""
    model: Annotated[Text, text("Row of the disks table")] = None
    access: Annotated[
        Text, text("Access pattern of the disk's hot data", one_of=("random", "serial", ""))
    ] = None
    operations_per_s: Annotated[Number, number("op/s", "Operations demanded of the disk")] = None
    maximum_ops_per_s: Annotated[
        Number, number("op/s", "Operations that the disk can do at most")
    ] = None
    sustained_ops_per_s: Annotated[
        Number, number("op/s", "Operations that the disk does at the advised utilisation")
    ] = None
    demanded_kb_per_s: Annotated[Number, number("KB/s", "Transfers demanded of the disk")] = None
    maximum_kb_per_s: Annotated[
        Number, number("KB/s", "Transfers that the disk can do at most")
    ] = None
    sustained_kb_per_s: Annotated[
        Number, number("KB/s", "Transfers that the disk does at the advised utilisation")
    ] = None
    busy_share: Annotated[
        Number, number("1", "Share of time that the disk is busy, as measured")
    ] = None
    stored_mb: Annotated[Number, number("MB", "Data on the disk")] = None
    capacity_mb: Annotated[Number, number("MB", "Space on the disk")] = None
    file_system_share: Annotated[
        Number,
        number(
            "1",
            "How full the file systems are, in what raw data leaves of the disk",
            optional=True,
        ),
    ] = None
    partitions: Annotated[Number, number("1", "Partitions of the disk")] = None
    hot_partitions: Annotated[
        Number, number("1", "Partitions of the disk that are in frequent use")
    ] = None
    hot_file_systems: Annotated[
        Number, number("1", "File systems on the disk that are in frequent use")
    ] = None
    swap_partitions: Annotated[Number, number("1", "Partitions of the disk that are for swap")] = (
        None
    )
    zones: Annotated[
        Number,
        number("1", "Zones of the disk that differ in speed; 1 if all are equally fast"),
    ] = None
    zone_inversions: Annotated[
        Number, number("1", "Hot partitions of the disk that lie behind cold ones, in slower zones")
    ] = None
    uses: Annotated[
        Names, names("What the disk's partitions are for: file_system, raw, log, swap, root …")
    ] = None
    dual_ported: Annotated[Flag, flag("A second system has access to the disk")] = None
    accelerated: Annotated[Flag, flag("A write accelerator serves the disk")] = None
    interface: Annotated[Text, text("Interface of the disk: scsi, ipi, smd or esdi")] = None


class VolumeFacts(NamedTuple):
    """Data over one disk or several."""

    id: Annotated[str, text("Name of the volume")] = ""
    use: Annotated[
        Text, text("Contents of the volume", one_of=("file_system", "raw", "log", "swap"))
    ] = None
    access: Annotated[
        Text, text("Access pattern of the volume's data", one_of=("random", "serial"))
    ] = None
    size_mb: Annotated[Number, number("MB", "Size of the volume")] = None
    hot: Annotated[Flag, flag("The volume's data is in frequent use")] = None
    protection: Annotated[
        Text, text("Protection asked for the volume", one_of=("none", "mirror", "redundant"))
    ] = None
    layout: Annotated[
        Text,
        text("How the volume's parts are joined", one_of=("single", "stripe", "concatenation")),
    ] = None
    joined_disks: Annotated[Number, number("disk", "Disks with one copy of the volume")] = None
    interlace_kb: Annotated[
        Number, number("KB", "Piece of a stripe; absent where nothing is striped", optional=True)
    ] = None
    manager: Annotated[
        Text,
        text("Row of software that joins the volume's parts; absent on plain disks", optional=True),
    ] = None
    copies: Annotated[Number, number("1", "Copies of the volume that are kept")] = None
    copies_share_channel: Annotated[
        Flag, flag("Two copies of the volume depend on one channel")
    ] = None
    copies_share_disk: Annotated[Flag, flag("Two copies of the volume depend on one disk")] = None
    dual_ported: Annotated[
        Flag, flag("A second system has access to a disk that the volume is on")
    ] = None
    mirrored_for: Annotated[
        Text, text("Why the volume is mirrored", one_of=("reliability", "performance"))
    ] = None
    mirror_gain: Annotated[
        Number,
        number(
            "1",
            "Share of operations that mirroring gains on this platform; negative where it loses",
        ),
    ] = None
    full_share: Annotated[Number, number("1", "Share of the volume's space that is used")] = None
    clustered: Annotated[
        Flag, flag("The volume's file system is tuned to transfer clusters of blocks")
    ] = None
    database: Annotated[
        Text, text("Row of database-systems whose data is on the volume; empty if none")
    ] = None
    file_access: Annotated[
        Text, seen(text("Row of file-access-methods by which programs reach the volume's files"))
    ] = None
    page_cache: Annotated[
        Flag, seen(flag("What is read and written on the volume passes through the page cache"))
    ] = None
    file_access_advised: Annotated[
        Flag, seen(flag("The guide recommends the way by which the volume's files are reached"))
    ] = None
    database_mirrors: Annotated[
        Flag, flag("The volume's data belongs to a database manager that can mirror it")
    ] = None
    shares_disk_with: Annotated[
        Names, names("Uses of other volumes on the volume's disks: file_system, raw, log, swap")
    ] = None
    shares_disk_with_hot: Annotated[
        Flag, flag("Another volume on the volume's disks is in frequent use")
    ] = None
    accelerated: Annotated[Flag, flag("A write accelerator serves the volume")] = None
    shares_disk_with_database: Annotated[
        Flag, flag("Another volume on the volume's disks belongs to a database manager")
    ] = None
    database_stripes: Annotated[
        Flag, flag("The volume's data belongs to a database manager that can spread it over disks")
    ] = None
    stripe_gain: Annotated[
        Number,
        number(
            "1", "Share of operations that striping gains on this platform; negative where it loses"
        ),
    ] = None
    raid_level: Annotated[
        Text, seen(text("Row of the raid-levels table; empty where the volume is no array"))
    ] = None
    usable_mb: Annotated[
        Number, seen(number("MB", "Room for data on the array's disks, by its level"))
    ] = None
    survives_disk: Annotated[
        Flag, seen(flag("The volume's data survives the failure of any one disk"))
    ] = None
    parity: Annotated[Flag, seen(flag("Parity is computed for what is written"))] = None
    uncommon_for: Annotated[
        Names, seen(names("Uses for which the array's level is not common: database"))
    ] = None
    bus_kinds: Annotated[
        Names, seen(names("Busses that the volume's disks are made for: rows of disk-busses"))
    ] = None
    controllers: Annotated[Number, seen(number("1", "Boards that connect the volume's disks"))] = (
        None
    )
    second_controller_gain_percent: Annotated[
        Number,
        seen(number("%", "Most throughput that a second controller gains at the array's level")),
    ] = None
