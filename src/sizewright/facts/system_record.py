"""The facts of one server as a whole: what it is, what is asked of it, what was observed."""

from typing import Annotated, NamedTuple

from sizewright.facts.fact import Flag, Names, Number, Text, flag, names, number, seen, text


class SystemFacts(NamedTuple):
    """One server as a whole."""

    id: Annotated[str, text("Id of the system")] = ""
    platform: Annotated[Text, text("Row of the platforms table")] = None
    desktop: Annotated[Flag, flag("The platform is a desktop machine")] = None
    architecture_version: Annotated[
        Number, number("1", "Version of the processors' instruction set")
    ] = None
    mmu_kind: Annotated[Text, text("How memory is mapped: sram or tlb")] = None
    mmu_contexts: Annotated[Number, number("1", "Address spaces that are mapped at once")] = None
    processors: Annotated[Number, number("1", "Processors configured")] = None
    fewest_processors: Annotated[
        Number, number("1", "Fewest processors that the platform is sold with")
    ] = None
    most_processors: Annotated[
        Number, number("1", "Most processors that the platform is sold with")
    ] = None
    processors_wanted: Annotated[
        Number,
        number("1", "Processors that the services can use: one in the kernel, the rest outside"),
    ] = None
    kernel_locks: Annotated[Number, number("1", "Locks of the operating system's kernel")] = None
    operating_system: Annotated[Text, text("Row of the operating-systems table")] = None
    services: Annotated[
        Names,
        names(
            "What the system does: nfs, database, timesharing, compute, mail, print, gateway, "
            "serial, batch, paging"
        ),
    ] = None
    networks: Annotated[Number, number("1", "Networks attached")] = None
    required_networks: Annotated[
        Number, number("1", "Networks that the sustained NFS load must be spread over")
    ] = None
    clients: Annotated[Number, number("client", "NFS clients served")] = None
    diskless_clients: Annotated[
        Number, number("client", "NFS clients that page over the network")
    ] = None
    nfs_ops_per_s: Annotated[
        Number, number("op/s", "NFS operations as they come, of all mixes")
    ] = None
    nfs_weighted_ops_per_s: Annotated[
        Number, number("op/s", "NFS operations in equivalents of the reference mix")
    ] = None
    nfs_maximum_ops_per_s: Annotated[
        Number, number("op/s", "Most NFS operations of the reference mix that the system serves")
    ] = None
    nfs_rated_ops_per_s: Annotated[
        Number,
        number("op/s", "Largest NFS load of the reference mix that the platform is rated for"),
    ] = None
    rated_memory_mb: Annotated[
        Number, number("MB", "Memory with which that load was measured", optional=True)
    ] = None
    rated_boards_missing: Annotated[
        Number,
        number("1", "Processors fewer than that load was measured with", optional=True),
    ] = None
    nfs_sustained_ops_per_s: Annotated[
        Number, number("op/s", "NFS operations of the reference mix that the system sustains")
    ] = None
    interfaces_ops_per_s: Annotated[
        Number, number("op/s", "NFS operations that all network interfaces pass together")
    ] = None
    stack_kb_per_s: Annotated[
        Number,
        number(
            "KB/s", "Data over all networks whose speed the protocol stack limits", optional=True
        ),
    ] = None
    stack_limit_kb_per_s: Annotated[
        Number, number("KB/s", "Data that the protocol stack of the machine passes")
    ] = None
    nfs_sustained_share: Annotated[
        Number,
        number(
            "1",
            "Sustained part of the NFS operations that the system is rated for, if it serves any",
            optional=True,
        ),
    ] = None
    nfs_write_share: Annotated[Number, number("1", "Share of writes among the NFS operations")] = (
        None
    )
    kernel_lock_share: Annotated[
        Number, number("1", "Kernel time demanded, over what one lock allows")
    ] = None
    kernel_lock_stretch: Annotated[
        Number, number("1", "How much longer time in the kernel takes, as others hold its lock")
    ] = None
    processor_share: Annotated[
        Number, number("1", "Processor time demanded, over all processors' time")
    ] = None
    processor_stretch: Annotated[
        Number, number("1", "How much longer processor time takes, as processors are busy")
    ] = None
    busiest_process_share: Annotated[
        Number,
        seen(
            number(
                "1", "Share of one processor's time that the busiest single-threaded process takes"
            )
        ),
    ] = None
    active_processes: Annotated[Number, number("1", "Processes active at once")] = None
    compiled_for_processor: Annotated[
        Flag,
        seen(flag("Applications are compiled for the processors' version of the instruction set")),
    ] = None
    memory_mb: Annotated[Number, number("MB", "Memory installed")] = None
    memory_needed_mb: Annotated[Number, number("MB", "Memory that the demand accounts for")] = None
    onboard_memory_limit_mb: Annotated[
        Number, number("MB", "Memory that fits in addition to the processors")
    ] = None
    memory_increment_mb: Annotated[
        Number, number("MB", "Step in which the platform takes memory")
    ] = None
    memory_in_steps: Annotated[
        Flag, flag("The memory installed is a whole number of the platform's steps")
    ] = None
    expansion_memory_mb: Annotated[Number, number("MB", "Memory on expansion boards")] = None
    stored_mb: Annotated[
        Number, number("MB", "Data stored on all disks, counting one copy of it")
    ] = None
    mirrored: Annotated[Flag, flag("Some volume is mirrored by software")] = None
    volume_manager: Annotated[Flag, flag("Software that joins partitions is installed")] = None
    online_backup: Annotated[
        Flag, flag("Software for backups of a running system is installed")
    ] = None
    backup_wanted: Annotated[Flag, flag("Backups are asked for")] = None
    backup_while_in_use: Annotated[
        Flag, flag("Backups run while the system serves, by day or by night")
    ] = None
    backup_device: Annotated[Flag, flag("A device fit for backups is attached")] = None
    backup_index_mb: Annotated[
        Number, number("MB", "Space that the backup software needs for its indexes")
    ] = None
    free_mb: Annotated[Number, number("MB", "Space on all disks on which nothing is stored")] = None
    string_controllers: Annotated[
        Number, number("1", "String controllers with disks of the platform's trays")
    ] = None
    string_controllers_limit: Annotated[
        Number, number("1", "Most string controllers that the platform's trays can be joined to")
    ] = None
    drives: Annotated[Number, number("1", "Disks, tapes and the like on all channels together")] = (
        None
    )
    ide_devices: Annotated[Number, number("1", "Devices on all IDE channels together")] = None
    ide_disks: Annotated[Number, number("disk", "Disks on all IDE channels together")] = None
    ide_kb_per_s: Annotated[
        Number, number("KB/s", "Transfers demanded over all IDE channels together")
    ] = None
    nvram_accelerator: Annotated[Flag, flag("A board with non-volatile memory speeds writes")] = (
        None
    )
    nvram_bus: Annotated[
        Text, text("I/O bus of the board with non-volatile memory; empty where there is none")
    ] = None
    disk_adapter_busses: Annotated[Names, names("I/O busses that the adapters of disks sit on")] = (
        None
    )
    write_gathering: Annotated[Flag, flag("Software that gathers NFS writes is installed")] = None
    protocol_offload: Annotated[Flag, flag("Some interface processes protocols itself")] = None
    databases: Annotated[Names, names("Database managers that run on the system")] = None
    database_on_file_system: Annotated[
        Flag, flag("A database manager keeps its data in file systems")
    ] = None
    database_accelerator: Annotated[
        Flag, flag("Software that adapts the kernel to database managers is installed")
    ] = None
    databases_gaining: Annotated[
        Names, names("Database managers on the system that gain from a kernel adapted to them")
    ] = None
    descriptors_needed: Annotated[
        Number, seen(number("1", "Open files that the busiest process needs"))
    ] = None
    descriptors_limit: Annotated[Number, number("1", "Open files that a process may have")] = None
    many_small_files: Annotated[Flag, flag("Applications create and remove many small files")] = (
        None
    )
    serial_lines: Annotated[
        Number, number("line", "Asynchronous serial lines that end on the system's own boards")
    ] = None
    serial_boards_bus: Annotated[
        Text,
        text("I/O bus of the boards for serial lines that are preferred on the platform; or empty"),
    ] = None
    free_slot_busses: Annotated[Names, names("I/O busses with a free slot")] = None
    maxusers: Annotated[
        Number, number("1", "The kernel's parameter maxusers, which sizes its tables")
    ] = None
    name_cache_hit_share: Annotated[
        Number, seen(number("1", "Share of look-ups of file names that the kernel's cache answers"))
    ] = None
    name_cache_entries: Annotated[
        Number, number("1", "Names that the kernel's cache of file names holds")
    ] = None
    buffer_cache_hit_share: Annotated[
        Number,
        seen(
            number("1", "Share of look-ups of file systems' own data that the buffer cache answers")
        ),
    ] = None
    clustering_prevented_by: Annotated[
        Names, names("Installed software that switches clustered transfers of files off")
    ] = None
    page_ins_per_s: Annotated[Number, seen(number("1/s", "Pages brought in from disks"))] = None
    page_outs_per_s: Annotated[
        Number, seen(number("1/s", "Pages written out, those of files among them"))
    ] = None
    rr_ticks: Annotated[
        Number,
        seen(
            number("1", "Interrupts a second by the scheduler; absent where not set", optional=True)
        ),
    ] = None
    nfs_writes_limit: Annotated[
        Flag, seen(flag("NFS writes hold the server back more than anything else"))
    ] = None
    page_scans_per_s: Annotated[
        Number, seen(number("1/s", "Pages that the kernel looks through for some to take away"))
    ] = None
    load_profiles: Annotated[
        Names, seen(names("What the disks are asked for: rows of load-profiles"))
    ] = None
    transfer_kb: Annotated[
        Number, seen(number("KB/op", "What an operation on a disk moves, by the load profiles"))
    ] = None
    random_share: Annotated[
        Number, seen(number("1", "Share of random operations, by the load profiles"))
    ] = None
    disk_write_share: Annotated[
        Number, seen(number("1", "Share of writes among operations on disks, by the load profiles"))
    ] = None
    bound_by: Annotated[
        Names, seen(names("What limits such loads first: disk, channel, bus or loop"))
    ] = None
    spared: Annotated[Names, seen(names("What such loads are unlikely to be limited by"))] = None
