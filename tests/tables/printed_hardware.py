"""Hardware tables of the 1992 guide, typed from its pages and not from the table files.

Cells stand as printed. `kb` marks a cell printed in KB whose column is in MB; `NA` a cell that the
guide fills with N/A; `None` one that it leaves empty.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

NA = "N/A"
Cell = float | str | bool | tuple[float, float] | None


class PrintedTable(NamedTuple):
    """One numbered table: where its rows are kept, and what stands in each of them."""

    number: int
    section: str
    table: str
    columns: tuple[str, ...]
    printed_rows: int
    printed_cells: int
    rows: Mapping[str, tuple[Cell, ...]]


def kb(amount: float) -> float:
    """A cell printed in KB, in MB."""
    return amount / 1024


TABLE_1 = PrintedTable(
    1, "1.1.1", "nfs-capacity",
    ("platform", "sustained_ops_per_s", "maximum_ops_per_s", "required_networks"),
    5, 15,
    {
        "sparcstation-2-one-network": ("sparcstation-2", 320, 400, 1),
        "sparcstation-2-two-networks": ("sparcstation-2", 360, 450, 2),
        "sparcserver-630mp": ("sparcserver-630mp", 440, 540, 2),
        "sparcserver-670mp": ("sparcserver-670mp", 650, 800, 4),
        "sparcserver-690mp": ("sparcserver-690mp", 650, 800, 4),
    },
)  # fmt: skip

# The last cell of the Ross module is printed "all"; the table file has a flag of its own for it.
TABLE_4 = PrintedTable(
    4, "2.2.3", "mmu",
    ("name", "mmu_type", "contexts", "pmegs", "page_size_kb", "mappable_memory_mb"),
    6, 30,
    {
        "sun-4-280": ("Sun-4/280", "SRAM", 8, 512, 8, 128),
        "sparcstation-1": ("SPARCstation-1, 1+", "SRAM", 8, 128, 4, 32),
        "sparcserver-390": ("SPARCserver 390", "SRAM", 8, 256, 8, 64),
        "sparcserver-490": ("SPARCserver 490", "SRAM", 64, 1024, 8, 256),
        "sparcstation-2": ("SPARCstation-2", "SRAM", 16, 256, 4, 64),
        "ross-6002": ("Ross 6002 module", "TLB", 4096, NA, 4, NA),
    },
)  # fmt: skip

TABLE_5 = PrintedTable(
    5, "2.3.1.1", "boards",
    ("name", "maximum_bandwidth_mb_per_s", "typical_bandwidth_mb_per_s"),
    10, 19,
    {
        "isp-80": ("ISP-80 IPI-2 String Controller", 6, 6),
        "fddi-dx": ("FDDI/DX Dual-Attach FDDI", 12.5, 4),
        "scsi-598a": ("Asynchronous SCSI host adapter (598A)", 1.2, 1.0),
        "alm-2": ("ALM-2 Asynchronous Line Multiplexor", kb(350), kb(10)),
        "network-coprocessor": ("Network CoProcessor", 0.9, 0.9),
        "ie2-ethernet": ("ie2 Ethernet", 1.0, 0.5),
        "mcp": ("MCP", kb(750), kb(250)),
        "ibm-channel-attach": ("IBM Channel Attach", 3, 3),
        "vx": ("VX image processing accelerator", 8, (4, 8)),
        "mvx": ("MVX image processing accelerator", 0, None),
    },
)  # fmt: skip

TABLE_6 = PrintedTable(
    6, "2.3.2", "boards",
    (
        "name", "requires_master", "address_space_mb", "maximum_bandwidth_mb_per_s",
        "typical_bandwidth_mb_per_s",
    ),
    17, 42,
    {
        "gx": ("GX (1- or 2-slot versions)", False, 16, None, None),
        "gxplus": ("GXplus", False, 16, None, None),
        "ecl-monochrome": ("ECL (hires) monochrome", False, 1, None, None),
        "analog-monochrome": ("analog (low-res) mono", False, 1, None, None),
        "gs": ("GS", False, None, None, None),
        "gt": ("GT", True, None, None, None),
        "vx-mvx-sbus": ("VX, MVX", True, None, 8, (4, 8)),
        "fddi-s": ("FDDI/S", None, None, 12.5, 4),
        "hsi-s": ("HSI/S", None, None, 0.768, kb(192)),
        "sbus-ethernet": ("Sbus Ethernet", False, None, 1.2, 0.9),
        "tri-s": ("TRI/S (4- or 16Mb)", False, None, 2, kb(600)),
        "scsi-buffered-ethernet": ("SCSI/Buffered Ethernet", False, None, 6.25, 3),
        "sbus-scsi": ("Sbus SCSI", False, None, 4.8, 2.5),
        "sbus-serial-parallel": ("Sbus Serial/Parallel", False, None, kb(250), kb(10)),
        "sbus-prestoserve": ("Sbus PrestoServe", True, None, 5, 5),
        "sparcprinter-interface": ("SPARCprinter interface", True, None, 4, 2),
        "sbus-expander": ("3rd-party Sbus expanders", True, kb(40), NA, NA),
    },
)  # fmt: skip

TABLE_8 = PrintedTable(
    8, "2.4.4", "disks",
    (
        "capacity_mb", "interface", "format", "read_cache_kb", "average_seek_ms",
        "rotational_latency_ms", "transfer_mb_per_s", "typical_8kb_transfer_ms",
        "maximum_random_ops_per_s", "random_ops_per_s_at_65_percent",
    ),
    8, 72,
    {
        "104mb-scsi": (104, "scsi", "RLL,2", 8, 23, 8.3, 1.0, 23.7, 42, 27),
        "207mb-scsi": (207, "scsi", "RLL,2", 8, 18, 8.3, 1.2, 20.8, 48, 31),
        "424mb-scsi": (424, "scsi", "ZBR", 64, 14, 6.8, (2.2, 3.0), 12.7, 78, 50),
        "669mb-scsi": (669, "scsi", "RLL,2", 8, 16, 8.3, 1.8, 17.9, 56, 36),
        "1-3gb-scsi": (1300, "scsi", "ZBR", 192, 11, 5.53, (3.0, 4.5), 10.9, 92, 60),
        "911mb-ipi": (911, "ipi", "RLL,2", NA, 15, 8.3, 6.0, 14.5, 69, 45),
        "1-0gb-ipi": (1000, "ipi", "RLL,2", NA, 15, 8.3, 3.0, 14.9, 67, 43),
        "1-3gb-ipi": (1300, "ipi", "ZBR", NA, 11, 5.53, (3.0, 4.5), 10.9, 92, 60),
    },
)  # fmt: skip

TABLE_9 = PrintedTable(
    9, "2.4.4", "disk-zones",
    (
        "zone", "start_cylinder", "track_size_sectors", "start_cylinder_424mb",
        "track_size_424mb_sectors",
    ),
    14, 28,
    {
        "zone-0": (0, 0, 78, None, None),
        "zone-1": (1, 626, 78, None, None),
        "zone-2": (2, 701, 76, None, None),
        "zone-3": (3, 801, 74, None, None),
        "zone-4": (4, 926, 72, None, None),
        "zone-5": (5, 1051, 72, None, None),
        "zone-6": (6, 1176, 70, None, None),
        "zone-7": (7, 1301, 68, None, None),
        "zone-8": (8, 1401, 66, None, None),
        "zone-9": (9, 1501, 64, None, None),
        "zone-10": (10, 1601, 62, None, None),
        "zone-11": (11, 1801, 60, None, None),
        "zone-12": (12, 1901, 58, None, None),
        "zone-13": (13, 2001, 58, None, None),
    },
)  # fmt: skip


class PrintedBlock(NamedTuple):
    """One of Table 7's three blocks: heading letters → rate, utilisation in %, cost in ms."""

    disk: str
    measured_on: str
    block_kb: float
    cells: Mapping[str, tuple[float, float, float]]


TABLE_7_ROWS, TABLE_7_CELLS = 9, 48
TABLE_7 = (
    PrintedBlock(
        "1-3gb-ipi", "sun-4-490", 8,
        {
            "FRR": (47, 12, 4.21), "FRU": (89, 24, 7.61), "FRW": (86, 26, 5.71),
            "FSR": (368, 89, 1.52), "FSU": (363, 91, 1.43), "FSW": (358, 97, 1.21),
        },
    ),
    PrintedBlock(
        "1-3gb-ipi", "sun-4-490", 2,
        {
            "RRR": (74, 7, 0.95), "RRU": (83, 7, 0.84),
            "RSR": (505, 34, 0.67), "RSW": (85, 6, 0.71),
        },
    ),
    PrintedBlock(
        "1-3gb-scsi", "sparcstation-2", 8,
        {
            "FRR": (49, 11, 5.91), "FRU": (61, 13, 8.31), "FRW": (86, 16, 8.67),
            "FSR": (446, 91, 2.65), "FSU": (262, 48, 1.88), "FSW": (259, 52, 1.56),
        },
    ),
)  # fmt: skip


class PrintedFact(NamedTuple):
    """A figure that stands only in prose, and the section that prints it."""

    table: str
    row: str
    column: str
    value: Cell
    section: str


MEMORY_BOARD = "sparcserver-600mp-memory-board"
TRAY = "sparcserver-690mp-ipi-tray"

PROSE = tuple(
    PrintedFact(*fact)
    for fact in (
        ("platforms", "sparcstation-2", "mips", 28.5, "1.2.9.3"),
        ("platforms", "sparcstation-2", "base_memory_mb", 32, "1.1.8"),
        ("platforms", "sparcstation-2", "simms_at_a_time", 4, "2.2.5"),
        ("platforms", "sparcserver-690mp", "mips", 28.5, "1.3.1.2"),
        ("platforms", "sparcserver-690mp", "simms_at_a_time", 16, "2.2.5"),
        ("platforms", "sparcserver-690mp", "memory_interleave_ways", 16, "2.2.5"),
        ("platforms", "sparcserver-630mp", "onboard_memory_limit_mb", 128, "2.2.5"),
        ("platforms", "sparcserver-670mp", "onboard_memory_limit_dense_simms_mb", 512, "2.2.5"),
        ("platforms", "sun-4-490", "mips", 22, "2.4"),
        ("platforms", "sun-4-260", "nfs_observed_ops_per_s", (75, 100), "1.3.1.2"),
        ("platforms", "vax-8650", "mips", 6, "1.3.1.2"),
        ("platforms", "prime-9955-ii", "mips", 7.5, "1.3.1.2"),
        ("platforms", "ibm-4381", "mips", 6, "1.3.1.2"),
        ("platforms", "vaxstation-3100", "mips", 3, "1.3.1.2"),
        ("platform-slots", "sparcstation-2-sbus", "last", 3, "1.3.1.2"),
        ("platform-slots", "sparcstation-2-sbus", "address_space_mb", 32, "2.3.2"),
        ("platform-slots", "sparcserver-690mp-sbus", "last", 3, "1.3.1.2"),
        ("platform-slots", "sparcserver-690mp-vme-third", "first", 3, "1.3.1.2"),
        ("platform-slots", "sparcserver-690mp-vme-processors", "first", 4, "1.3.1.2"),
        ("platform-slots", "sparcserver-690mp-vme", "first", 8, "1.3.1.2"),
        ("platform-slots", "sparcserver-690mp-vme", "last", 16, "1.3.1.2"),
        ("platform-slots", "sparcstation-1-sbus-third", "masters", False, "2.3.2"),
        ("platform-busses", "sparcstation-1plus-sbus", "sustained_mb_per_s", 20, "2.3.2"),
        ("platform-busses", "sparcserver-630mp-sbus", "sustained_mb_per_s", 32, "2.3.2"),
        ("platform-busses", "sbus-rev-b-0", "peak_mb_per_s", 200, "2.3.2"),
        ("platform-busses", "sbus-rev-b-0", "sustained_mb_per_s", 160, "2.3.2"),
        ("platform-busses", "sparcserver-690mp-vme", "sustained_mb_per_s", (18, 25), "2.3.1.1"),
        ("platform-busses", "sparcserver-690mp-vme", "practical_limit_mb_per_s", 27.9, "2.3.1.1"),
        ("platform-busses", "sparcserver-690mp-vme", "peak_mb_per_s", 40, "2.3.1"),
        ("platform-busses", "sparcserver-690mp-memory", "peak_mb_per_s", 270, "2.3.1"),
        ("platform-busses", "sun-4-390-vme", "sustained_mb_per_s", 25, "2.3.1"),
        ("platform-busses", "sun-4-390-vme", "programmed_io_mb_per_s", 4, "2.3.1.1"),
        ("platform-busses", "sun-4-490-vme", "programmed_io_mb_per_s", 5, "2.3.1.1"),
        ("platform-busses", "sun-4-490-memory", "sustained_mb_per_s", 120, "2.2.4"),
        ("platform-busses", "sun-4-490-memory", "from_memory_mb_per_s", 90, "2.2.4"),
        ("platform-busses", "sun-4-490-memory", "to_memory_mb_per_s", 150, "2.2.4"),
        ("platform-busses", "sparcstation-2-memory", "sustained_mb_per_s", 66, "2.2.4"),
        ("memory-boards", MEMORY_BOARD, "increment_mb", 64, "1.2.9.1"),
        ("memory-boards", MEMORY_BOARD, "slower_than_onboard_percent", 15, "2.2.5"),
        ("processors", "ross-6002", "cache_kb", 64, "2.10.2.1"),
        ("processors", "ross-6002", "cache_line_byte", 32, "2.2.2"),
        ("processors", "sparcstation-330-cpu", "mflops", 2.7, "2.2.2"),
        ("processors", "sparcstation-1-cpu", "mflops", 1.5, "2.2.2"),
        ("mmu", "sparcstation-2", "pmeg_kb", 256, "2.2.3"),
        ("mmu", "ross-6002", "translations", 4096, "2.2.3"),
        ("boards", "isp-80", "cache_kb", 1024, "2.4.4"),
        ("boards", "alm-2", "lines", 16, "2.9"),
        ("boards", "sbus-serial-parallel", "lines", 8, "2.9"),
        ("boards", "hsi-s", "ports", 4, "2.6"),
        ("boards", "hsi-s", "total_rate_mbit_per_s", 3.5, "2.6"),
        ("boards", "hsi-vme", "ports", 2, "2.6"),
        ("boards", "ibm-channel-attach", "slots_used", 2, "2.7"),
        ("boards", "sbus-expander", "added_slots", 4, "1.3.1.2"),
        ("boards", "sparcprinter-interface", "parallel_port_mb_per_s", 2, "1.3.1.2"),
        ("disks", "911mb-ipi", "sequential_raw_8kb_reads_per_s", 530, "1.2.9.2"),
        ("disks", "911mb-ipi", "active_heads", 2, "2.4.4"),
        ("disks", "1-3gb-scsi", "write_cache_kb", 48, "2.4.4"),
        ("disks", "1-3gb-ipi", "cylinder_kb", 700, "2.11.2"),
        ("disks", "424mb-scsi", "cylinder_kb", 240, "2.11.2"),
        ("disks", "st83200k", "capacity_mb", 3200, "1.3.1.2"),
        ("disks", "st83200k", "transfer_mb_per_s", 3.0, "1.3.1.2"),
        ("disks", "st83200k", "random_ops_per_s_at_65_percent", 60, "1.3.1.2"),
        ("disk-busses", "scsi-synchronous", "rate_mb_per_s", (4.1, 5.0), "2.4.2"),
        ("disk-busses", "scsi-synchronous", "targets_limit", 7, "2.3.3"),
        ("disk-busses", "scsi-synchronous", "devices_limit", 56, "2.3.3"),
        ("disk-busses", "scsi-synchronous", "disks_customary", 4, "2.4.2"),
        ("disk-busses", "scsi-synchronous", "cable_limit_m", 6, "2.3.3"),
        ("disk-busses", "scsi-synchronous", "connector_pair_m", (0.3, 0.5), "2.3.3"),
        ("disk-busses", "scsi-synchronous", "largest_transfer_kb", 56, "2.4.2"),
        ("disk-busses", "scsi-asynchronous", "rate_mb_per_s", 1.2, "2.3.3"),
        ("disk-busses", "scsi-differential", "cable_limit_m", 20, "2.3.3"),
        ("disk-busses", "scsi-fast", "rate_mb_per_s", 10, "2.3.3"),
        ("disk-busses", "scsi-wide", "rate_mb_per_s", 20, "2.3.3"),
        ("disk-busses", "scsi-fast-and-wide", "rate_mb_per_s", 40, "2.3.3"),
        ("disk-busses", "ipi-2", "targets_limit", 8, "2.3.4"),
        ("disk-busses", "ipi-2", "cable_limit_m", 50, "2.3.4"),
        ("disk-busses", "ipi-3", "strings_limit", 16, "2.3.4"),
        ("removable-media", "8mm-helical-scan-tape", "transfer_kb_per_s", 220, "2.4.2"),
        ("removable-media", "8mm-helical-scan-tape", "host_adapter_loading_percent", 18, "2.4.2"),
        ("removable-media", "8mm-helical-scan-tape", "too_much_mb", 6500, "1.3.1.2"),
        ("removable-media", "half-inch-tape", "transfer_kb_per_s", 1024, "2.4.2"),
        ("removable-media", "half-inch-tape", "host_adapter_loading_percent", 87, "2.4.2"),
        ("removable-media", "8mm-tape-stacker", "drives", 4, "1.3.1.2"),
        ("trays", TRAY, "channels", 2, "2.4.3"),
        ("trays", TRAY, "string_controllers", 1, "2.4.3"),
        ("trays", TRAY, "controllers_without_expansion_cabinet", 2, "2.4.3"),
        ("trays", TRAY, "controllers_limit", 5, "1.2.9.1"),
    )
)  # fmt: skip

TABLES = (TABLE_1, TABLE_4, TABLE_5, TABLE_6, TABLE_8, TABLE_9)
