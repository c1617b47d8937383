"""The facts of enclosures, channels, disks and volumes, with unit and meaning."""

from typing import NamedTuple, get_args

from sizewright.facts.fact import Flag, Names, Number, Text, flag, names, number, record, seen, text
from sizewright.workload.volume import Use


@record
class EnclosureFacts(NamedTuple):
    """A box of drives with busses of its own."""

    id: str = seen(text("Id of the enclosure"))
    model: Text = seen(text("Row of the trays table"))
    disks: Number = seen(number("disk", "Disks in the enclosure"))
    places: Number = seen(number("disk", "Most disks that fit in the enclosure, by their height"))
    busses: Number = seen(number("1", "Busses inside the enclosure"))
    most_bus_disks: Number = seen(number("disk", "Disks on the enclosure's fullest bus"))
    fewest_bus_disks: Number = seen(number("disk", "Disks on the enclosure's emptiest bus"))
    disks_alike: Flag = seen(flag("All its disks are of one model and made for one bus"))
    imbalance_loss_percent: Number = seen(
        number(
            "%",
            "Highest loss of performance that the guide states for this number of disks "
            "on one bus; absent if it states none",
            optional=True,
        )
    )
    demanded_kb_per_s: Number = seen(number("KB/s", "Transfers demanded of the enclosure's disks"))
    maximum_kb_per_s: Number = seen(number("KB/s", "Most that the enclosure delivers"))
    unadvised_disks: Number = seen(number("disk", "Disks made for other busses than the best"))


@record
class ChannelFacts(NamedTuple):
    """A peripheral bus: a host adapter's or a string controller's."""

    id: str = text("Id of the channel")
    kind: Text = text("Row of the disk-busses table")
    family: Text = text("Kind of bus", one_of=("scsi", "ipi", "ide", "fibre_channel", "other"))
    devices: Number = number("1", "Devices on the channel")
    device_limit: Number = number("1", "Devices that the channel can address")
    random_disks: Number = number("disk", "Hot disks on the channel that are accessed at random")
    serial_disks: Number = number("disk", "Hot disks on the channel that are accessed serially")
    demanded_kb_per_s: Number = number("KB/s", "Transfers demanded over the channel")
    rate_kb_per_s: Number = number("KB/s", "Speed of the channel")
    active_disks: Number = number("disk", "Disks active at once: the sum of load ÷ sustained rate")
    active_limit: Number = number("disk", "Most active disks for the channel's adapter")
    bus_ms_per_s: Number = number("ms/s", "Time of devices on a SCSI bus, serial reads weighted")
    bus_limit_ms_per_s: Number = number("ms/s", "Longest such time that does not slow its disks")
    backup_while_in_use: Flag = flag("A backup device on the channel works while disks are busy")
    mirror_detached: Flag = flag("What is backed up is a half of a mirror, detached for the backup")
    signalling: Text = text("Form of its signals", one_of=("single-ended", "differential", ""))
    cable_m: Number = number("m", "Length of the channel's cable, in and between boxes")
    cable_limit_m: Number = number("m", "Length of cable that the channel allows")
    connector_pairs: Number = number("1", "Pairs of connectors along the channel")
    same_targets: Number = number("1", "Devices with the address of another device on the channel")
    unusual_targets: Number = number("1", "Devices at addresses unusual for their kind")
    asynchronous_disks: Number = number("disk", "Disks that negotiated no synchronous transfers")
    width: Text = seen(text("Width of the channel's data path", one_of=("narrow", "wide")))
    clock_mhz: Number = seen(number("MHz", "Clock of the channel, by its kind"))
    adapter_clock_mhz: Number = seen(number("MHz", "Fastest clock of the channel's adapter"))
    adapter_in_middle: Flag = seen(flag("The adapter is between devices, not at an end"))
    narrow_devices: Number = seen(number("1", "Narrow devices on the channel"))
    wide_devices: Number = seen(number("1", "Wide devices on the channel"))
    slower_devices: Number = seen(number("1", "Devices made for a slower clock than the channel's"))
    fast_narrow_devices: Number = seen(number("1", "Narrow devices at the channel's clock"))
    fallback_kb_per_s: Number = seen(number("KB/s", "Speed if the channel cannot keep its clock"))
    delay_ms: Number = seen(number("ms", "Time that data takes once round the channel's cables"))


@record
class DiskFacts(NamedTuple):
    """One disk."""

    id: str = text("Id of the disk")
    model: Text = text("Row of the disks table")
    access: Text = text("Access pattern of the disk's hot data", one_of=("random", "serial", ""))
    operations_per_s: Number = number("op/s", "Operations demanded of the disk")
    maximum_ops_per_s: Number = number("op/s", "Operations that the disk can do at most")
    sustained_ops_per_s: Number = number("op/s", "Operations of the disk at advised utilisation")
    demanded_kb_per_s: Number = number("KB/s", "Transfers demanded of the disk")
    maximum_kb_per_s: Number = number("KB/s", "Transfers that the disk can do at most")
    sustained_kb_per_s: Number = number("KB/s", "Transfers of the disk at advised utilisation")
    busy_share: Number = number("1", "Share of time that the disk is busy, as measured")
    measured_ops_per_s: Number = seen(number("op/s", "Operations that were measured at the peak"))
    measured_kb_per_s: Number = seen(number("KB/s", "Transfers that were measured at the peak"))
    stored_mb: Number = number("MB", "Data on the disk")
    capacity_mb: Number = number("MB", "Space on the disk")
    only_files: Flag = flag("All data on the disk is in file systems")
    file_system_share: Number = number(
        "1", "How full the file systems are, in what raw data leaves of the disk", optional=True
    )
    partitions: Number = number("1", "Partitions of the disk")
    hot_partitions: Number = number("1", "Partitions of the disk that are in frequent use")
    hot_file_systems: Number = number("1", "File systems on the disk that are in frequent use")
    swap_partitions: Number = number("1", "Partitions of the disk that are for swap")
    zones: Number = number("1", "Zones of the disk that differ in speed; 1 if all are equally fast")
    zone_inversions: Number = number("1", "Hot partitions in slower zones than cold ones")
    uses: Names = names("What the disk's partitions are for: file_system, raw, log, swap, root …")
    dual_ported: Flag = flag("A second system has access to the disk")
    accelerated: Flag = flag("A write accelerator serves the disk")
    interface: Text = text("Interface of the disk: scsi, ipi, smd or esdi")


@record
class VolumeFacts(NamedTuple):
    """Data over one disk or several."""

    id: str = text("Name of the volume")
    use: Text = text("Contents of the volume", one_of=get_args(Use))
    access: Text = text("Access pattern of the volume's data", one_of=("random", "serial"))
    size_mb: Number = number("MB", "Size of the volume")
    hot: Flag = flag("The volume's data is in frequent use")
    protection: Text = text("Protection of the data", one_of=("none", "mirror", "redundant"))
    layout: Text = text(
        "Whether it is striped or concatenated over its disks",
        one_of=("single", "stripe", "concatenation"),
    )
    joined_disks: Number = number("disk", "Disks with one copy of the volume")
    interlace_kb: Number = number("KB", "Piece of a stripe; absent without stripes", optional=True)
    manager: Text = text("Software row that joins its parts; absent on plain disks", optional=True)
    copies: Number = number("1", "Copies of the volume that are kept")
    copies_share_channel: Flag = flag("Two copies of the volume depend on one channel")
    copies_share_disk: Flag = flag("Two copies of the volume depend on one disk")
    dual_ported: Flag = flag("A second system has access to a disk that the volume is on")
    mirrored_for: Text = text("Why the volume is mirrored", one_of=("reliability", "performance"))
    mirror_gain: Number = number("1", "Share of operations gained by mirroring; may be negative")
    full_share: Number = number("1", "Share of the volume's space that is used")
    clustered: Flag = flag("The volume's file system is tuned to transfer clusters of blocks")
    database: Text = text("Row of database-systems whose data is on the volume; empty if none")
    file_access: Text = seen(text("Row of file-access-methods that programs use"))
    page_cache: Flag = seen(flag("Reads and writes pass through the page cache"))
    file_access_advised: Flag = seen(flag("The guide recommends this access method"))
    database_mirrors: Flag = flag("The volume belongs to a database manager that can mirror it")
    shares_disk_with: Names = names("Uses of others on its disks, as of a volume")
    shares_disk_with_hot: Flag = flag("Another volume on the volume's disks is in frequent use")
    accelerated: Flag = flag("A write accelerator serves the volume")
    shares_disk_with_database: Flag = flag("Another volume on its disks has a database, not a log")
    database_stripes: Flag = flag("The volume belongs to a database manager that can stripe it")
    stripe_gain: Number = number(
        "1", "Share of operations that striping gains, measured with these disks on this machine"
    )
    raid_level: Text = seen(text("Row of the raid-levels table; empty if it is no array"))
    usable_mb: Number = seen(number("MB", "Room for data on the array's disks, by its level"))
    survives_disk: Flag = seen(flag("The volume's data survives the failure of any one disk"))
    parity: Flag = seen(flag("Parity is computed for what is written"))
    uncommon_for: Names = seen(names("Uses for which the array's level is not common: database"))
    bus_kinds: Names = seen(names("Busses that its disks are made for: rows of disk-busses"))
    controllers: Number = seen(number("1", "Boards that connect the volume's disks"))
    second_controller_gain_percent: Number = seen(
        number("%", "Most throughput that a second controller gains at the array's level")
    )
