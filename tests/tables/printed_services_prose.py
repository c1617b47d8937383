"""What the 1992 guide says of services in running text, typed from its pages.

Figures stand in the unit of their column, whatever unit the page uses.
"""

from __future__ import annotations

from typing import NamedTuple

from tables.printed_hardware import Cell, PrintedFact

MB = 1024


class PrintedList(NamedTuple):
    """Things that the text enumerates, and the section where it does."""

    table: str
    row: str
    column: str
    members: tuple[str, ...]
    section: str


# Row, column, value, section.
FACTS: dict[str, tuple[tuple[str, str, Cell, str], ...]] = {
    "network-interfaces": (
        ("lance-ethernet", "prose_nfs_ops_per_s", 400, "2.5.1"),
        ("intel-ethernet-builtin", "prose_nfs_ops_per_s", 230, "2.5.1"),
        ("intel-ethernet-vme", "prose_nfs_ops_per_s", 230, "2.5.1"),
        ("network-coprocessor", "prose_nfs_ops_per_s", 290, "2.5.2"),
        ("network-coprocessor", "processor_relief_percent", 40, "2.5.2"),
        ("network-coprocessor", "latency_relief_percent", 40, "2.5.2"),
        ("network-coprocessor", "protocol_processor_clock_mhz", 16, "2.5.4"),
        ("token-ring-4mb", "prose_nfs_ops_per_s", 200, "2.5.3"),
        ("token-ring-4mb", "prose_latency_ms", (16, 40), "2.5.3"),
        ("token-ring-16mb", "prose_nfs_ops_per_s", 400, "2.5.3"),
        ("token-ring-16mb", "prose_latency_ms", (14, 40), "2.5.3"),
        ("token-ring-16mb", "observed_loading_limit_percent", 41, "2.5.3"),
        ("token-ring-16mb", "observed_systems", 18, "2.5.3"),
        ("fddi-dx", "ethernet_bandwidth_factor", 3, "2.5.4"),
        ("fddi-dx", "ring_class", "A", "2.5.4"),
        ("fddi-s", "ring_class", "B", "2.5.5"),
        ("fddi-s", "benchmarked", False, "2.5.5"),
    ),
    "network-media": (
        ("ethernet", "interface_nfs_ops_per_s", (220, 400), "2.5.1"),
        ("ethernet", "practical_utilisation_limit_percent", 35, "2.5.1"),
        ("ethernet", "danger_collision_percent", 2, "1.2.9.1"),
        ("ethernet", "observed_utilisation_percent", 95, "2.5.3"),
        ("token-ring-16mb", "expected_transfer_mb_per_s", 1, "2.7"),
        ("fddi", "expected_transfer_mb_per_s", 1, "1.2.9.2"),
        ("fddi", "future_transfer_mb_per_s", (4, 8), "2.7"),
        ("fddi", "protocol_saving_percent", 70, "1.2.9.1"),
    ),
    "database-systems": (
        ("default", "operating_system_memory_mb", 8, "1.2.7"),
        ("default", "dbms_memory_mb", 4, "1.2.7"),
        ("default", "swap_mb", (100, 300), "1.2.3"),
        ("default", "usual_io_kb", 2, "1.2.9.3"),
        ("sybase", "mirrors_itself", True, "1.2.9.1"),
        ("sybase", "backs_up_itself", True, "1.2.9.1"),
        ("sybase", "front_end_memory_mb", (300 / MB, 6), "1.2.9.1"),
        ("oracle", "front_end_memory_mb", 1, "1.3.1.2"),
        ("oracle", "serial_raw_io_kb", 8, "1.2.9.2"),
        ("oracle", "replicates_itself", True, "1.3.1.2"),
        ("informix-online", "uses_many_descriptors", True, "2.13"),
        ("ingres", "profits_from_database_tuning", True, "1.2.6"),
        ("interbase", "object_oriented", True, "1.2.1"),
        ("interbase", "raw_partitions", False, "1.2.9.3"),
        ("interbase", "application_basic_memory_mb", 16, "1.2.9.3"),
        ("interbase", "application_per_client_memory_mb", 2, "1.2.9.3"),
    ),
    "mirroring-effects": (
        ("ss2-scsi", "prose_random_read_percent", 10, "2.11.1"),
        ("ss2-scsi", "prose_random_write_percent", 15, "2.11.1"),
        ("ss2-scsi", "prose_sequential_read_percent", -1, "2.11.1"),
        ("ss2-scsi", "prose_sequential_write_percent", -22, "2.11.1"),
        ("ss2-scsi", "multiuser_percent", (3, 6), "2.11.1"),
        ("630mp-670mp-scsi", "prose_random_read_percent", -5, "2.11.1"),
        ("630mp-670mp-scsi", "prose_random_write_percent", -7, "2.11.1"),
        ("630mp-670mp-scsi", "prose_sequential_read_percent", -10, "2.11.1"),
        ("630mp-670mp-scsi", "prose_sequential_write_percent", -50, "2.11.1"),
        ("630mp-670mp-scsi", "sequential_write_option", "-r", "2.11.1"),
        ("690mp-ipi", "prose_random_read_percent", (-5, -2), "2.11.1"),
        ("690mp-ipi", "prose_random_write_percent", (-20, -10), "2.11.1"),
        ("690mp-ipi", "prose_sequential_read_percent", -12, "2.11.1"),
        ("690mp-ipi", "prose_sequential_write_percent", -30, "2.11.1"),
        ("690mp-ipi", "multiuser_percent", (-6, -2), "2.11.1"),
    ),
    "striping-effects": (
        ("ss2-669mb", "interlace_kb", 8, "2.11.2"),
        ("690mp-ipi", "random_percent", (15, 30), "1.1.7"),
        ("690mp-ipi", "prose_random_percent", 30, "2.11.2"),
        ("690mp-concatenated", "any_operation_percent", (-30, -10), "2.11.3"),
        ("630mp-670mp-concatenated", "any_operation_percent", (-72, -5), "2.11.3"),
        ("ss2-concatenated", "any_operation_percent", (-42, -5), "2.11.3"),
    ),
    "write-acceleration": (
        ("base-write-gathering", "disk_utilisation_saving_percent", 40, "2.12"),
        ("base-nvram-write-gathering", "write_speed_factor", 4, "2.12"),
        ("base-nvram-write-gathering", "update_gain_percent", 8, "2.12"),
    ),
    "client-activities": (
        ("286-pc-load-email", "prose_nfs_ops_per_s", 10, "1.1.8"),
        ("diskless-slc-office", "prose_nfs_ops_per_s", 1, "1.1.9"),
        ("diskless-3-60-interleaf", "prose_nfs_ops_per_s", 1.5, "1.3.1.2"),
        ("ecad-workstation-load-save", "nfs_ops_per_s", 30, "1.1.8"),
        ("ecad-workstation-load-save", "data_mb", (40, 100), "1.1.8"),
        ("workstation-programming", "nfs_ops_per_s", 5, "1.1.8"),
        ("workstation-administrative", "nfs_ops_per_s", 1, "1.1.8"),
        ("vaxstation-3100-modelling", "nfs_ops_per_s", (1.0, 1.25), "1.3.1.2"),
        ("ipx-load-save-dataset", "nfs_ops_per_s", 35, "1.3.1.2"),
        ("ipx-load-save-dataset", "data_mb", 6, "1.3.1.2"),
        ("386-pc-load-application", "nfs_ops_per_s", 10, "1.3.1.2"),
        ("386-pc-load-application", "duration_s", (4, 5), "1.3.1.2"),
    ),
    "nfs-mixes": (
        ("legato", "writes_percent", 15, "2.12"),
        ("brown", "reads_percent", 13, "1.1.9"),
        ("brown", "evidence_ops_per_s", 435, "1.3.1.2"),
        ("brown", "evidence_capacity_percent", 30, "1.3.1.2"),
        ("brown", "saturation_ops_per_s", 787, "1.1.9"),
    ),
    "nvram-accelerators": (
        ("sbus-prestoserve", "nvram_kb", 1 * MB, "2.8"),
        ("sbus-prestoserve", "uniprocessor_overhead_percent", 5, "2.8"),
        ("sbus-prestoserve", "mismatched_bus_overhead_factor", 2, "2.8"),
        ("sbus-prestoserve", "multiprocessor_gain_percent", 7, "2.10.1"),
        ("vme-prestoserve", "nvram_kb", 1 * MB, "2.8"),
        ("vme-prestoserve", "uniprocessor_overhead_percent", 10, "2.8"),
        ("vme-prestoserve", "multiprocessor_gain_percent", (10, 11), "2.10.1"),
        ("legato-sbus-prestoserve", "nvram_kb", 512, "2.8"),
    ),
    "operating-systems": (
        ("solaris-1.0.1", "kernel_locks", 1, "2.10.1"),
        ("solaris-1.0.1", "released_lock_instances", 8, "2.10.1"),
        ("solaris-1.0.1", "lock_release_gain_percent", 35, "2.10.1"),
        ("solaris-1.0.1", "parallel_efficiency_percent", None, "2.10.1"),
        ("solaris-1.0.1", "working_memory_mb", (8, 12), "1.1.5"),
        ("solaris-1.0.1", "nfs_usual_memory_mb", 64, "1.1.5"),
        ("solaris-1.0.1", "nfs_large_file_mb", 100, "1.1.5"),
        ("solaris-1.0.1", "nfs_swap_mb", 64, "1.2.3"),
        ("solaris-1.0.1", "minimum_memory_mb", 32, "1.2.7"),
        ("solaris-1.0.1", "prototype_memory_mb", 16, "1.2.7"),
        ("solaris-1.0.1", "file_descriptors", 256, "2.13"),
        ("solaris-1.0.1", "disks_per_host_adapter", 4, "2.4.2"),
        ("solaris-1.0.1", "affinity_gain_percent", (5, 6), "2.10.2.1"),
        ("solaris-1.0.1", "affinity_loss_percent", 15, "2.10.2.1"),
        ("solaris-1.0", "default_maxusers", 16, "2.10.4"),
        ("solaris-2.0", "kernel_locks", 130, "2.10.1"),
        ("sunos-3.x", "buffer_cache_percent", 10, "2.10.3"),
        ("sunos-4.1.1", "default_maxusers", 8, "2.10.4"),
        ("vms-5.2", "parallel_efficiency_percent", 90, "2.10.1"),
    ),
    "software": (
        ("online-disksuite", "striping_cpu_overhead_percent", (5, 15), "1.1.7"),
        ("online-disksuite", "mirroring_cpu_overhead_percent", (2, 8), "1.1.7"),
        ("online-disksuite", "mirroring_disk_cpu_percent", 20, "1.1.7"),
        ("online-disksuite", "untuned_penalty_percent", 60, "2.11"),
        ("online-disksuite", "mirror_copies", (2, 3), "2.11.1"),
        ("online-backupcopilot", "index_space_percent", 15, "1.2.9.3"),
        ("enfs", "update_cpu_overhead_percent", 12, "2.12"),
        ("enfs", "write_cpu_overhead_percent", 20, "2.12"),
        ("sundbe-1.0", "file_descriptors", 1024, "2.13"),
        ("sundbe-1.0", "asynchronous_io_limit_kb", 63, "2.13"),
        ("sunnet-manager", "log_mb_per_week", (40, 60), "1.3.1.2"),
        ("sunnet-manager", "sampling_interval_min", (1, 5), "1.3.1.2"),
        ("newsprint", "host_memory_mb", 32, "1.3.1.2"),
        ("openwindows-2", "working_set_mb", 7, "1.1.5"),
        ("arcinfo", "working_set_mb", (8, 10), "1.3.1.2"),
        ("arcinfo", "shared_working_set_mb", (1, 2), "1.3.1.2"),
        ("sybase-data-workbench", "working_set_mb", (300 / MB, 6), "1.2.9.1"),
    ),
    "tunables": (
        ("maxusers-16-to-32mb", "recommended", 64, "2.10.4"),
        ("maxusers-16-to-32mb", "memory_from_mb", 16, "2.10.4"),
        ("maxusers-16-to-32mb", "memory_to_mb", 32, "2.10.4"),
        ("maxusers-64-to-96mb", "recommended", 128, "2.10.4"),
        ("maxusers-64-to-96mb", "memory_from_mb", 64, "2.10.4"),
        ("maxusers-64-to-96mb", "memory_to_mb", 96, "2.10.4"),
        ("maxusers-larger", "recommended", 160, "2.10.4"),
        ("dnlc-size", "base_entries", 80, "2.10.4"),
        ("dnlc-size", "entries_per_maxusers", 17, "2.10.4"),
        ("dnlc-size", "attention_below_percent", 85, "2.10.4"),
        ("dnlc-size", "operations_share_percent", 50, "2.10.4"),
        ("nbuf", "highest", 255, "2.10.3"),
        ("nbuf", "unit_kb", 8, "2.10.3"),
        ("nbuf", "highest_kb", 2 * MB, "2.10.3"),
        ("nbuf", "attention_below_percent", (50, 60), "2.10.3"),
        ("nbuf-before-solaris-1.0", "recommended", 0x70, "2.10.3"),
        ("rr-ticks", "default", 40, "2.10.2.2"),
        ("rr-ticks", "lowest", 10, "2.10.2.2"),
        ("rr-ticks", "highest", 160, "2.10.2.2"),
        ("maxcontig", "recommended", 7, "2.11"),
        ("maxcontig", "penalty_percent", 60, "2.11"),
        ("rotdelay", "recommended", 0, "2.11"),
        ("cluster", "highest_kb", 56, "2.4"),
        ("cluster", "device_limit_kb", 64, "2.4"),
        ("cluster", "standard_limit_kb", 1 * MB, "2.4"),
        ("interlace", "recommended_kb", (8, 32), "2.11.3"),
        ("interlace", "lowest_kb", 8, "2.11.2"),
        ("interlace", "recommended_disks", 2, "2.11.2"),
        ("interlace", "near_kb", 56, "2.11.2"),
        ("interlace", "near_percent", 5, "2.11.2"),
        ("interlace-default-1.3gb", "default_kb", 700, "2.11.2"),
        ("interlace-default-424mb", "default_kb", 240, "2.11.2"),
        ("mirror-geometric-read", "favours", "sequential", "1.1.8"),
        ("mirror-round-robin-read", "favours", "random", "1.1.8"),
        ("nfsd", "recommended", (8, 16), "2.2.3"),
        ("biod", "recommended", (4, 8), "2.12"),
        ("file-system-fill", "limit_percent", 90, "1.2.4"),
    ),
    "serial-line-options": (
        ("alm-2", "lines", 16, "2.9"),
        ("sbus-serial-parallel", "lines", 8, "2.9"),
        ("scsi-line-multiplexor", "lines", (4, 16), "2.9"),
        ("sparcprinter-interface", "parallel_rate_kb_per_s", 2 * MB, "1.3.1.2"),
        ("third-party-parallel", "parallel_rate_kb_per_s", 100, "1.3.1.2"),
    ),
    "gateways": (
        ("hsi-vme", "ports", 2, "2.6"),
        ("hsi-vme", "line_rate_mbit_per_s", 1.5, "2.6"),
        ("hsi-vme", "mips_per_line", 2.5, "2.6"),
        ("hsi-vme", "observed_mips_per_line", 3, "2.6"),
        ("hsi-s", "ports", 4, "2.6"),
        ("hsi-s", "line_rate_mbit_per_s", 1.5, "2.6"),
        ("hsi-s", "total_rate_mbit_per_s", 3.5, "2.6"),
        ("hsi-s", "mips_per_line", 2, "2.6"),
        ("hsi-s", "efficiency_gain_percent", (15, 20), "2.6"),
        ("channel-to-channel", "boards_used", 2, "2.7"),
        ("channel-to-channel", "transfer_mb_per_s", 3, "2.7"),
        ("x25-line", "t1_share_percent", 3, "1.3.1.2"),
    ),
    "protocol-costs": (
        ("packet", "cost_ms_per_packet", 0.2, "1.2.5"),
        ("nfs-disk-share", "share_percent", 50, "1.3.1.2"),
        ("file-system-layer", "share_percent", (80, 90), "2.4"),
        ("memory-copy", "block_kb", (2, 8), "2.10.1"),
        ("nfs-transfer", "transfer_kb_per_op", 8, "1.1.9"),
    ),
    "third-party-parts": (
        ("tape-stacker-8mm", "media_count", 4, "1.3.1.2"),
        ("matrix-film-recorder", "colour_depth_bit", 24, "1.3.1.2"),
        ("rasterops-printer", "colour_depth_bit", 24, "1.3.1.2"),
        ("xerox-page-printer", "pages_per_min", 60, "1.3.1.2"),
        ("xerox-page-printer", "transfer_mb_per_s", 1, "1.3.1.2"),
        ("line-printer", "lines_per_min", 2500, "1.3.1.1"),
        ("texas-microsystems-expander", "sparse_addressing", True, "2.3.2"),
        ("uninterruptible-power-supply", "rating_va_per_watt", 1.43, "1.3.1.2"),
        ("uninterruptible-power-supply", "heat_btu_per_hour_per_watt", 3.412, "1.3.1.2"),
        ("uninterruptible-power-supply", "run_time_min", 15, "1.3.1.2"),
    ),
}  # fmt: skip

PROSE = tuple(PrintedFact(table, *fact) for table, facts in FACTS.items() for fact in facts)

SYSTEMS_THAT_PROFIT = ("sybase", "oracle", "informix-online", "ingres")
SPARCSERVER_600MP = ("sparcserver-630mp", "sparcserver-670mp", "sparcserver-690mp")
# "4.1.1 and earlier" (footnote 46).
UP_TO_SUNOS_4_1_1 = ("sunos-3.x", "sunos-4.0", "sunos-4.1.1")
DRIVES = (
    "scsi 104 MB", "scsi 207 MB", "scsi 327 MB", "scsi 424 MB", "scsi 669 MB", "scsi 1.3 GB",
    "smd 280 MB", "smd 575 MB", "smd 688 MB", "smd 892 MB",
    "ipi 911 MB", "ipi 1.0 GB", "ipi 1.3 GB",
)  # fmt: skip

LISTS = tuple(
    PrintedList(*fact)
    for fact in (
        ("network-interfaces", "network-coprocessor", "offloads",
         ("tcp", "udp", "ip", "nfs"), "2.5.2"),
        ("network-interfaces", "token-ring-16mb", "offloads", ("tcp", "ip", "udp"), "2.5.3"),
        ("network-interfaces", "fddi-s", "offloads", (), "2.5.5"),
        ("network-interfaces", "fddi-s", "needs", ("fddi-concentrator",), "2.5.5"),
        ("network-interfaces", "fddi-dx", "needs", (), "2.5.4"),
        ("nvram-accelerators", "sbus-prestoserve", "serves_disk_busses", ("sbus", "vme"), "2.8"),
        ("nvram-accelerators", "vme-prestoserve", "serves_disk_busses", ("vme",), "2.8"),
        ("nvram-accelerators", "vme-prestoserve", "conflicts", ("dual-ported-disk",), "2.8"),
        ("operating-systems", "solaris-1.0.1", "needs", ("cd-rom",), "1.1.8"),
        ("software", "online-disksuite", "supported_drives", DRIVES, "2.11"),
        ("software", "enfs", "conflicts", ("network-coprocessor",), "2.12"),
        ("software", "sundbe-1.1", "users", SYSTEMS_THAT_PROFIT, "1.2.6"),
        ("software", "quickcheck-1.0", "replaces_clustering_on", UP_TO_SUNOS_4_1_1, "2.4"),
        ("software", "sparcserver-manager-1.0", "replaces_clustering_on",
         UP_TO_SUNOS_4_1_1, "2.4"),
        ("serial-line-options", "alm-2", "preferred_on",
         ("sparcserver-670mp", "sparcserver-690mp"), "2.9"),
        ("protocol-costs", "packet", "measured_on",
         ("sparcstation-2", *SPARCSERVER_600MP), "1.2.5"),
    )
)  # fmt: skip
