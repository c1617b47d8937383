"""Service tables of the 1992 guide, typed from its pages and not from the table files.

Cells stand as printed. `NA` marks a cell that the guide fills with N/A; `None` one that it leaves
empty; `mbit` a cell printed in megabits a second whose column is in KB/s.
"""

from __future__ import annotations

from tables.printed_hardware import NA, Cell, PrintedTable

MB = 1024


def mbit(rate: float) -> float:
    """A rate printed in megabits a second, in KB/s."""
    return rate * 1_000_000 / 8 / 1024


TABLE_2 = PrintedTable(
    2, "1.1.2", "network-interfaces",
    ("name", "nfs_ops_per_s", "latency_ms"),
    8, 12,
    {
        "lance-ethernet": ("Lance Ethernet", 400, (12, 42)),
        "intel-ethernet-builtin": ("Intel Ethernet built-in", 220, (42, 69)),
        "intel-ethernet-vme": ("Intel Ethernet, VME", 190, (45, 68)),
        "network-coprocessor": ("Network CoProcessor, VME", 290, (9, 37)),
        "token-ring-4mb": ("4Mb token ring", 200, (16, 42)),
        "token-ring-16mb": ("16Mb token ring", 390, (16, 36)),
        "fddi-dx": ("FDDI/DX", None, None),
        "fddi-s": ("FDDI/S", None, None),
    },
)  # fmt: skip

# Two cells of the basic requirement hold two figures each; the second ones stand in SECOND_FIGURES.
TABLE_3 = PrintedTable(
    3, "1.2.7", "database-systems",
    ("name", "basic_memory_mb", "per_client_memory_kb", "additional_percent"),
    5, 9,
    {
        "sybase": ("Sybase", (0, 10), 60, NA),
        "oracle": ("Oracle", 4, (1 * MB, 2 * MB), (30, 50)),
        "informix-online": ("Informix Online", 570 / MB, 70, NA),
        "ingres": ("Ingres", None, None, None),
        "interbase": ("Interbase", None, None, None),
    },
)  # fmt: skip

SECOND_FIGURES: tuple[tuple[str, str, Cell], ...] = (
    ("sybase", "procedure_cache_kb", (5, 15)),
    ("informix-online", "shared_memory_mb", (1, 80)),
)

TABLE_10 = PrintedTable(
    10, "2.5", "network-media",
    (
        "name", "media_speed_mbit_per_s", "effective_speed_kb_per_s",
        "maximum_transfer_unit_byte", "maximum_length_m",
    ),
    6, 24,
    {
        "ethernet": ("Ethernet", 10, 440, 1500, 500),
        "token-ring-4mb": ("4 Mb token ring", 4, 320, 2048, 100),
        "token-ring-16mb": ("16 Mb token ring", 16, 500, 2048, 100),
        "fddi": ("FDDI", 100, 900, 4500, 62_500),
        "t1-line": ("T1 line via HSI", 1.5, mbit(1.5), NA, NA),
        "t3-line": ("T3 line", 45, mbit(45), NA, NA),
    },
)  # fmt: skip

OPERATIONS = (
    "random_read_percent", "random_write_percent", "sequential_read_percent",
    "sequential_write_percent",
)  # fmt: skip

TABLE_11 = PrintedTable(
    11, "2.11", "volume-manager-overheads",
    ("option_printed", *OPERATIONS),
    8, 32,
    {
        "690mp-ipi-striped-8kb": ("Striped, 8K", 33, 27, 57, 50),
        "690mp-ipi-concatenated": ("Concatenated", 25, 20, 64, 54),
        "690mp-ipi-mirrored-serial-geometric": ("Mirrored, -Sg", 27, 35, 14, 34),
        "690mp-ipi-mirrored-geometric": ("Mirrored, -g", 30, 49, 14, 37),
        "630mp-670mp-scsi-striped-8kb": ("Striped, 8K", 34, 44, 80, 34),
        "630mp-670mp-scsi-concatenated": ("Concatenated", 35, 38, 81, 56),
        "630mp-670mp-scsi-mirrored-serial-geometric": ("Mirrored, -Sg", 36, 44, 17, 19),
        "630mp-670mp-scsi-mirrored-geometric": ("Mirrored, -g", 27, 46, 18, 18),
    },
)  # fmt: skip

# The headings that stand between the rows of Table 11, each over four of them.
TABLE_11_GROUPS = (("SS690MP, IPI", 4), ("SS630MP or SS670MP, SCSI", 4))

# One cell of Table 12 carries the option under which alone it holds: "-20 (-r only)".
TABLE_12 = PrintedTable(
    12, "2.11.1", "mirroring-effects",
    ("platform_group", *OPERATIONS),
    3, 12,
    {
        "ss2-scsi": ("SS-2 SCSI", 10, 15, -1, -22),
        "630mp-670mp-scsi": ("SS630/670 SCSI", -5, -7, -10, -20),
        "690mp-ipi": ("SS690 IPI", -2, -15, -12, -30),
    },
)  # fmt: skip

TABLE_13 = PrintedTable(
    13, "2.11.2", "striping-effects",
    ("platform_group", *OPERATIONS),
    4, 16,
    {
        "ss2-1.3gb": ("SS2 1.3GB", 0, 45, -21, -60),
        "ss2-669mb": ("SS2 669MB", 10, 17, 15, 55),
        "630mp-670mp-scsi": ("SS630/670 SCSI", -3, 2, -40, -55),
        "690mp-ipi": ("SS690 IPI", 28, 30, -32, -30),
    },
)  # fmt: skip

TABLE_14 = PrintedTable(
    14, "2.12", "write-acceleration",
    ("name", "sequential_writes", "random_updates"),
    4, 8,
    {
        "base": ("base system", 20, 30),
        "base-nvram": ("base + Presto", 55, 51),
        "base-write-gathering": ("base + eNFS", 66, 54),
        "base-nvram-write-gathering": ("base + Presto + eNFS", 82, 55),
    },
)  # fmt: skip

TABLES = (TABLE_2, TABLE_3, TABLE_10, TABLE_11, TABLE_12, TABLE_13, TABLE_14)

# Client, action, operations a second, dominant operations, duration as printed and in seconds.
APPENDIX_B: dict[str, tuple[str, str, Cell, tuple[str, ...], str, Cell]] = {
    "ss2-load-30mb-file": (
        "SS2", "load 30MB file", (27, 35), ("read", "getattr"), "1.5-2 minutes", (90, 120)),
    "ss1-load-30mb-file": (
        "SS1", "load 30MB file", (25, 30), ("read", "getattr"), "2-2.5 minutes", (120, 150)),
    "ss1-write-10mb-file": (
        "SS1", "write 10MB file", (10, 12), ("write",), "90 seconds", 90),
    "286-pc-load-email": (
        "286 PC", "load email file via PC-NFS", (8, 10), ("read", "getattr"), "5-10 seconds",
        (5, 10)),
    "386-pc-run-spreadsheet": (
        "386 PC", "run 1-2-3", (10, 15), ("read", "getattr"), "4 seconds", 4),
    "ss1-slc-large-make": (
        "SS1/SLC", "large make", (4, 7), ("read", "getattr", "write"), "10 minutes", 600),
    "diskless-slc-office": (
        "diskless SLC (12MB memory)", "typical O/A", (0.3, 1.2), ("getattr", "read"),
        "indefinite", None),
    "hp-730-cat-remote-file": (
        "HP 730", "cat remote >/dev/null", (70, 90), ("read", "getattr"), "duration of cat(1)",
        None),
    "diskless-3-60-interleaf": (
        "diskless 3/60 (8MB memory)", "Interleaf", (2, 3), ("read", "write"), "indefinite", None),
}  # fmt: skip

APPENDIX_B_ROWS = 9
APPENDIX_B_CELLS = 36  # action, rate, operations and duration of nine rows
