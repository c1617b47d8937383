"""The parts that rules are about, and their facts with unit and meaning."""

from typing import Any, NamedTuple

from sizewright.facts.fact import (
    Fact,
    Flag,
    Names,
    Number,
    Reported,
    Text,
    flag,
    names,
    number,
    record,
    reported_facts,
    seen,
    text,
)
from sizewright.facts.storage_records import ChannelFacts, DiskFacts, EnclosureFacts, VolumeFacts
from sizewright.guide.model import REPORTED, Guide


@record
class SystemFacts(NamedTuple):
    """One server as a whole."""

    id: str = text("Id of the system")
    platform: Text = text("Row of the platforms table")
    desktop: Flag = flag("The platform is a desktop machine")
    architecture_version: Number = number("1", "Version of the processors' instruction set")
    mmu_kind: Text = text("How memory is mapped: sram or tlb")
    mmu_contexts: Number = number("1", "Address spaces that are mapped at once")
    processors: Number = number("1", "Processors configured")
    fewest_processors: Number = number("1", "Fewest processors that the platform is sold with")
    most_processors: Number = number("1", "Most processors that the platform is sold with")
    processors_wanted: Number = number("1", "Processors that services can use: one in the kernel")
    kernel_locks: Number = number("1", "Locks of the operating system's kernel")
    operating_system: Text = text("Row of the operating-systems table")
    services: Names = names(
        "What the system does: nfs, database, timesharing, compute, mail, print, gateway, "
        "serial, batch, paging"
    )
    networks: Number = number("1", "Networks attached")
    nfs_networks: Number = number("1", "Networks that carry NFS; all networks if none does")
    required_networks: Number = number("1", "Networks that the sustained NFS load needs")
    clients: Number = number("client", "NFS clients served")
    diskless_clients: Number = number("client", "NFS clients that page over the network")
    nfs_ops_per_s: Number = number("op/s", "NFS operations as they come, of all mixes")
    nfs_weighted_ops_per_s: Number = number("op/s", "NFS operations, as those of the reference mix")
    nfs_maximum_ops_per_s: Number = number("op/s", "Most NFS operations, reference mix")
    nfs_rated_ops_per_s: Number = number("op/s", "Largest rated NFS load of the reference mix")
    rated_memory_mb: Number = number("MB", "Memory when that load was measured", optional=True)
    rated_boards_missing: Number = number("1", "Processors fewer than measured with", optional=True)
    nfs_load_share: Number = number("1", "NFS operations, over the most that the platform serves")
    nfs_sustained_ops_per_s: Number = number("op/s", "Sustained NFS operations, reference mix")
    others_sustain_more: Flag = flag("Another platform that is sold sustains more NFS operations")
    interfaces_ops_per_s: Number = number("op/s", "NFS operations that interfaces with NFS pass")
    over_networks_ops_per_s: Number = number("op/s", "NFS load of Table 1 over networks with NFS")
    stack_kb_per_s: Number = number("KB/s", "Data on networks that the stack limits", optional=True)
    stack_limit_kb_per_s: Number = number("KB/s", "Most data through the machine's protocol stack")
    nfs_sustained_share: Number = number(
        "1",
        "Sustained part of the NFS operations that the system is rated for, if it serves any",
        optional=True,
    )
    nfs_write_share: Number = number("1", "Share of writes among the NFS operations")
    kernel_lock_share: Number = number("1", "Kernel time demanded, over what one lock allows")
    kernel_time_complete: Flag = flag("The time of every service in the kernel is known")
    kernel_lock_stretch: Number = number("1", "Time in the kernel with waiting ÷ time without")
    kernel_spin_ms_per_s: Number = seen(
        number("ms/s", "Time processors wait for the kernel's lock")
    )
    processor_share: Number = number("1", "Processor time demanded, over all processors' time")
    processor_time_complete: Flag = flag("The processor time of every service is known")
    processor_stretch: Number = number("1", "Processor time with waiting ÷ time without")
    busiest_process_share: Number = seen(
        number("1", "Share of one processor's time that the busiest single-threaded process takes")
    )
    active_processes: Number = number("1", "Processes active at once")
    compiled_for_processor: Flag = seen(
        flag("Applications are compiled for the processors' version of the instruction set")
    )
    memory_mb: Number = number("MB", "Memory installed")
    file_memory_mb: Number = number(
        "MB", "Memory installed, less what services other than file service are known to take"
    )
    memory_needed_mb: Number = number("MB", "Memory that the demand accounts for")
    onboard_memory_limit_mb: Number = number("MB", "Memory that fits in addition to the processors")
    memory_increment_mb: Number = number("MB", "Step in which the platform takes memory")
    memory_in_steps: Flag = flag("The memory installed is a whole number of the platform's steps")
    expansion_memory_mb: Number = number("MB", "Memory on expansion boards")
    expansion_memory_slower_percent: Number = number(
        "%", "How much slower memory on expansion boards of the platform is than other memory"
    )
    stored_mb: Number = number("MB", "Data stored on all disks, counting one copy of it")
    saved_files_mb: Number = number(
        "MB", "Files that a full backup saves, without the operating system"
    )
    volume_manager: Flag = flag("Software that joins partitions is installed")
    online_backup: Flag = flag("Software for backups of a running system is installed")
    backup_wanted: Flag = flag("Backups are asked for")
    backup_while_in_use: Flag = flag("Backups run while the system serves, by day or by night")
    backup_device: Flag = flag("A device for backups is attached, or a network leads to one")
    backup_hours: Number = number("h", "Time of a full backup")
    backup_window_hours: Number = number("h", "Time in which a full backup must end")
    backup_index_mb: Number = number(
        "MB", "Space that indexes of backups need, without volumes for them"
    )
    free_mb: Number = number("MB", "Space on all disks on which nothing is stored")
    string_controllers: Number = number("1", "String controllers with disks of its trays")
    string_controllers_limit: Number = number("1", "Most string controllers for its trays")
    drives: Number = number("1", "Disks, tapes and the like on all channels together")
    ide_devices: Number = number("1", "Devices on all IDE channels together")
    ide_disks: Number = number("disk", "Disks on all IDE channels together")
    ide_kb_per_s: Number = number("KB/s", "Transfers demanded over all IDE channels together")
    nvram_accelerator: Flag = flag("A board with non-volatile memory speeds writes")
    nvram_bus: Text = text("I/O bus of the board with non-volatile memory; empty without one")
    shares_disks: Flag = flag("A second system has access to some of its disks")
    disk_adapter_busses: Names = names("I/O busses of the adapters of disks")
    inside_disks_on_boards: Names = names("Disks that fit inside, on adapters that are boards")
    write_gathering: Flag = flag("Software that gathers NFS writes is installed")
    protocol_offload: Flag = flag("Some interface processes protocols itself")
    databases: Names = names("Database managers that run on the system")
    database_on_file_system: Flag = flag("A database manager keeps its data in file systems")
    database_accelerator: Flag = flag("Software that tunes the kernel for databases is installed")
    databases_gaining: Names = names("Database managers that gain from such a kernel")
    descriptors_needed: Number = seen(number("1", "Open files that the busiest process needs"))
    measured_processor_share: Number = seen(number("1", "Used part of processors' time, measured"))
    accelerator_fits: Flag = seen(flag("As far as is known, a server can take a write accelerator"))
    descriptors_limit: Number = number("1", "Open files that a process may have")
    many_small_files: Flag = flag("Applications create and remove many small files")
    small_file_share: Number = number(
        "1", "Writes of small files, over the random operations that one disk sustains"
    )
    very_large_files: Flag = seen(flag("Clients work on single files that are very large"))
    database_disk_share: Number = number(
        "1", "Operations of databases, over the random operations that one disk sustains"
    )
    shared_writes: Flag = flag("All data that is written is on disks that a second system reaches")
    controller_may_fail: Flag = flag("Data must survive the failure of any one controller")
    terminal_servers: Number = number("1", "Terminal servers beside the system")
    serial_lines: Number = number("line", "Asynchronous serial lines on the system's own boards")
    serial_boards_bus: Text = text("I/O bus of the preferred boards for serial lines; or empty")
    free_slot_busses: Names = names("I/O busses with a free slot")
    maxusers: Number = number("1", "The kernel's parameter maxusers, which sizes its tables")
    maxusers_advised: Number = number("1", "MAXUSERS that is advised for the memory and services")
    name_cache_hit_share: Number = seen(
        number("1", "Share of name look-ups that the cache answers")
    )
    name_cache_entries: Number = number("1", "Names that the kernel's cache of file names holds")
    buffer_cache_hit_share: Number = seen(
        number("1", "Share of look-ups of file systems' own data that the buffer cache answers")
    )
    clustering_prevented_by: Names = names("Installed software that prevents clustered transfers")
    page_ins_per_s: Number = seen(number("1/s", "Pages brought in from disks"))
    page_outs_per_s: Number = seen(number("1/s", "Pages written out, those of files among them"))
    rr_ticks: Number = seen(
        number("1", "Interrupts a second by the scheduler; absent where not set", optional=True)
    )
    nfs_writes_limit: Flag = seen(flag("NFS writes hold the server back more than anything else"))
    page_scans_per_s: Number = seen(number("1/s", "Pages that the kernel scans for free ones"))
    swapped_processes: Number = seen(number("1", "Processes that are swapped out and could run"))
    swap_outs_per_s: Number = seen(number("1/s", "Processes that are swapped out in a second"))
    load_profiles: Names = seen(names("What the disks are asked for: rows of load-profiles"))
    transfer_kb: Number = seen(number("KB/op", "Data of one disk operation, by the load profiles"))
    random_share: Number = seen(number("1", "Share of random operations, by the load profiles"))
    disk_write_share: Number = seen(number("1", "Share of writes on disks, by the load profiles"))
    bound_by: Names = seen(names("What limits such loads first: disk, channel, bus or loop"))
    spared: Names = seen(names("What such loads are unlikely to be limited by"))


@record
class WorkFacts(NamedTuple):
    """Work of a service on the server's own disks that comes in runs."""

    id: str = text("Service and name of the work")
    service: Text = text("Name of the service")
    run_s: Number = number("s", "How long one run takes, at the rate at which it goes")
    best_run_s: Number = number(
        "s",
        "How long one run takes if disks are busy all the time and networks pass their raw speed",
    )
    lasts: Flag = flag("Other demand leaves some of the recommended rate of every part")
    wanted_s: Number = number("s", "How long a run may take; absent if not stated", optional=True)
    every_s: Number = number("s", "How often a run begins; absent if not stated", optional=True)
    access: Text = text("Access pattern of the work", one_of=("random", "sequential"))
    low_priority: Flag = flag("The work yields to all others")


@record
class NetworkFacts(NamedTuple):
    """One network and the interface that the server has on it."""

    id: str = text("Id of the network")
    medium: Text = text("Row of the network-media table")
    interface: Text = text("Row of the network-interfaces table")
    interface_kind: Text = text(
        "What the interface processes itself",
        one_of=("plain", "header_offload_nic", "protocol_offload_nic"),
    )
    keep_medium: Flag = flag("The customer keeps the wiring that is there")
    fastest_response: Flag = flag("The customer asks for the quickest response")
    large_packets: Flag = flag("Most of the network's traffic is large packets of data")
    concentrator: Flag = flag("A concentrator joins the network's stations")
    interface_needs: Names = names("Rows of other tables that the interface needs")
    diskless_clients: Number = number("client", "Diskless clients that page over the network")
    clients: Number = number("client", "Clients on this network")
    nfs_ops_per_s: Number = number("op/s", "NFS operations on this network")
    interface_ops_per_s: Number = number("op/s", "NFS operations that the interface can pass")
    capacity_ops_per_s: Number = number("op/s", "Most NFS operations by all rules on the interface")
    shared_ops_per_s: Number = number(
        "op/s", "NFS operations of all systems on this network, if others have some", optional=True
    )
    medium_ops_per_s: Number = number(
        "op/s", "Most NFS operations that an interface passes over a medium like this"
    )
    data_kb_per_s: Number = number("KB/s", "Data on this network, with NFS", optional=True)
    sent_kb_per_s: Number = seen(number("KB/s", "Data that the machine sends, as measured"))
    received_kb_per_s: Number = seen(number("KB/s", "Data that the machine receives, as measured"))
    measured_kb_per_s: Number = seen(number("KB/s", "Data that was measured at the peak"))
    measured_ops_per_s: Number = seen(number("op/s", "NFS operations measured at the peak"))
    effective_kb_per_s: Number = number("KB/s", "Data that users see the medium pass")
    limited_by_stack: Flag = flag("The protocol stack limits the effective speed of the medium")
    medium_kb_per_s: Number = number("KB/s", "Raw speed of the medium")
    latency_ms: Number = number("ms", "Typical latency of the interface: the middle of its range")
    least_latency_ms: Number = number("ms", "Least typical latency of the possible interfaces")
    measured_latency_ms: Number = number("ms", "Latency of NFS operations, as measured")
    utilisation_share: Number = number("1", "Share of time that the medium is busy, as measured")
    collision_share: Number = number("1", "Share of collisions among the packets sent, as measured")


@record
class SlotsFacts(NamedTuple):
    """The slots of one I/O bus."""

    id: str = text("Bus")
    used: Number = number("slot", "Slots of the bus that are taken")
    available: Number = number("slot", "Slots of the bus in all")
    serial_boards: Number = number("1", "Boards with serial lines in the slots of the bus")
    processors_for_slots: Number = number(
        "1", "Most processors with which the bus has the slots that it lacks", optional=True
    )
    gaps_without_jumpers: Number = number(
        "slot", "Empty slots without jumpers before the last board"
    )
    shares_path: Flag = seen(flag("Some busses of the slots reach the host through another"))
    boards_behind: Number = seen(number("1", "Boards on busses that are behind another bus"))
    free_slots_ahead: Number = seen(number("slot", "Free slots of busses directly at the host"))
    heavier_behind: Number = seen(number("1", "Boards behind a bus with more load than one before"))
    uneven_boards: Number = seen(
        number("1", "Boards that the fullest bus has more than the emptiest; a pair is one")
    )
    uneven_network_boards: Number = seen(number("1", "The same of network controllers alone"))
    uneven_array_boards: Number = seen(number("1", "The same of array controllers alone"))
    single_port_boards: Number = seen(number("1", "One-port network boards on the bus with fewest"))
    split_pairs: Number = seen(number("1", "Standby boards for a board on another bus"))
    movable_kb_per_s: Number = seen(number("KB/s", "What moving a board spares the busiest bus"))


@record
class BoardFacts(NamedTuple):
    """One board in its slots."""

    id: str = text("Id of the board")
    model: Text = text("Row of the table that describes the board")
    bus: Text = text("Bus whose slots the board takes")
    roles: Names = names("What the board is for: memory, disk, network, serial …")
    first_slot: Number = number("1", "Number of the first slot that the board takes")
    slots_taken: Number = number("slot", "Slots that the board was given")
    slots_needed: Number = number("slot", "Slots that the board's model needs")
    in_fitting_slots: Flag = flag("Its slots exist, take its role, and have no other board")
    fitting_slots: Names = names("Slots of its bus that take the board, as runs of numbers")
    boards_in_its_way: Names = names("Other boards in its slots, or in those that take it")
    channels: Number = seen(number("1", "Peripheral busses on the board"))
    channel_limit: Number = seen(number("1", "Peripheral busses that the board provides"))
    disks: Number = seen(number("disk", "Disks on all busses of the board"))
    disk_limit: Number = seen(number("disk", "Most disks that the board takes"))
    most_channel_disks: Number = seen(number("disk", "Disks on the board's bus that has most"))
    fewest_channel_disks: Number = seen(number("disk", "Disks on the board's bus that has fewest"))
    disks_alike: Flag = seen(flag("All disks of the board are of one model and made for one bus"))
    movable_kb_per_s: Number = seen(number("KB/s", "What moving a disk spares the busiest bus"))
    lines_kbit_per_s: Number = number("Kb/s", "Rate of all synchronous lines on the board")
    lines_limit_kbit_per_s: Number = number("Kb/s", "Most for all lines on the board together")
    revision: Text = seen(text("Revision of the component that limits the board"))
    least_revision: Text = text("Revision from which on the board does all that it is meant to do")
    revision_serves: Flag = seen(flag("The board does all that it is meant to do, by its revision"))
    kernel_memory: Flag = seen(flag("The kernel's own memory is kept together on the board"))
    memory_traffic_factor: Number = seen(
        number(
            "1",
            "Reads and writes of the board's memory, over the mean of those boards that "
            "the kernel's memory is not on",
        )
    )


@record
class ExpansionFacts(NamedTuple):
    """A box that extends an I/O bus from one of its slots."""

    id: str = text("Id of the box")
    bus: Text = text("Bus that the box extends")
    needed_mb: Number = number("MB", "Address space of its boards and of the board with the bus")
    slot_mb: Number = number("MB", "Address space of the slot of the box's cable")
    boards: Number = number("1", "Boards in the box")
    sparse_boards: Number = number("1", "Boards that use little of the address space they claim")
    masters_needed: Number = number("1", "Boards in the box that must be able to lead transfers")
    masters_provided: Flag = flag("The box's slots let a board lead transfers")
    sparse_addressing: Flag = flag("The box divides its slot's address space on demand")


@record
class BusFacts(NamedTuple):
    """One I/O bus of the system."""

    id: str = text("Bus")
    demanded_mb_per_s: Number = number("MB/s", "Typical demand of the bus's boards, summed")
    sustained_mb_per_s: Number = number("MB/s", "Rate of transfer that the bus sustains")


RECORDS: dict[str, type[Any]] = {
    "system": SystemFacts,
    "network": NetworkFacts,
    "slots": SlotsFacts,
    "board": BoardFacts,
    "expansion": ExpansionFacts,
    "bus": BusFacts,
    "enclosure": EnclosureFacts,
    "channel": ChannelFacts,
    "disk": DiskFacts,
    "volume": VolumeFacts,
    "work": WorkFacts,
}


def facts_of(subject: str, guide: Guide | None = None) -> dict[str, Fact]:
    """Return name -> Fact for one subject; each guide declares what systems report."""
    if subject == REPORTED:
        return reported_facts(guide) if guide is not None else {}
    known: dict[str, Fact] = RECORDS[subject]._field_defaults
    return known


def blank(subject: str, given: dict[str, Any]) -> Any:
    """Return a record with the given facts; all others are unknown."""
    return Reported("", given) if subject == REPORTED else RECORDS[subject](**given)
