"""Columns that the program reads from tables of a known kind; a guide's own tables are free.

A column is declared once: its unit, whether a table must have it, and what its cells may be.
Overlays are checked by the same declarations as the guide.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from sizewright.errors import shown
from sizewright.limits import QUANTITY_AT_MOST
from sizewright.units import factor


class Column(NamedTuple):
    """One field of a table: its type (number, range, text, flag, list), unit and meaning.

    A text is `one_of` these, if there are any; a number is `more_than` one and `at_most` the other.
    """

    type: str
    unit: str = ""
    doc: str = ""
    one_of: tuple[str, ...] = ()
    more_than: float | None = None
    at_most: float = QUANTITY_AT_MOST

    @classmethod
    def of(cls, plain: Sequence[Any]) -> Column:
        """Return a column from its cached form."""
        kind, unit, doc, one_of, *bounds = plain
        return cls(kind, unit, doc, tuple(one_of), *bounds)


class ColumnUse(NamedTuple):
    """A column that the program reads.

    Its cells are in `unit` ("" for texts, flags and lists). `names` is the table whose rows they
    name. Numbers are 0 or more unless `signed`, and more if `above_zero`; `counts` are lists of
    whole numbers. Every row has one of the texts `one_of`, if there are any.
    """

    unit: str = ""
    needed: bool = False
    names: str = ""
    above_zero: bool = False
    counts: bool = False
    signed: bool = False
    one_of: tuple[str, ...] = ()


def needed(
    unit: str = "", names: str = "", above_zero: bool = False, counts: bool = False
) -> ColumnUse:
    """Declare a column that every table of its kind must have."""
    return ColumnUse(unit, True, names, above_zero, counts)


def optional(unit: str = "", names: str = "", signed: bool = False) -> ColumnUse:
    """Declare a column that is read if a table has it."""
    return ColumnUse(unit, False, names, signed=signed)


# Changes of the rates of operations, by joining disks.
_EFFECTS = {
    f"{pattern}_{operation}_percent": optional("%", signed=True)
    for pattern in ("random", "sequential") for operation in ("read", "write")
}  # fmt: skip

TABLES: Mapping[str, Mapping[str, ColumnUse]] = {
    "platforms": {
        "name": needed(), "disk_interfaces": needed(), "rank": needed("1"), "orderable": needed(),
        "desktop": needed(), "processor_counts": needed(counts=True),
        "builtin_disk_busses": needed(names="disk-busses"), "builtin_io_bus": needed(),
        "builtin_networks": needed(names="network-interfaces"),
        "memory_increment_mb": needed("MB"), "onboard_memory_limit_mb": needed("MB"),
        "memory_limit_mb": needed("MB"), "onboard_memory_limit_dense_simms_mb": optional("MB"),
        "memory_boards": needed(names="memory-boards"),
        "aliases": optional(), "processor": optional(names="processors"),
        "internal_disks": optional(names="disks"), "mmu": optional(names="mmu"),
        "mips": optional("mips"), "dual_port_disks": optional(), "host_serves_nfs": optional(),
        "serial_ports": optional("port"),
    },
    "platform-slots": {
        "platform": needed(names="platforms"), "bus": needed(), "first": needed("slot"),
        "last": needed("slot"), "takes": needed(), "processors_at_most": needed("1"),
        "segment": optional(), "counted": optional(), "address_space_mb": optional("MB"),
    },
    "platform-busses": {
        "platform": needed(names="platforms"), "bus": needed(),
        "sustained_mb_per_s": needed("MB/s"), "segment": optional(), "behind": optional(),
        "jumpers": optional(),
    },
    "memory-boards": {
        "slots_used": needed("slot"), "bus": needed(), "capacity_limit_mb": needed("MB"),
        "increment_mb": optional("MB"), "boards_limit": optional("1"),
        "slower_than_onboard_percent": optional("%"),
    },
    "nfs-capacity": {
        "platform": needed(names="platforms"),
        "sustained_ops_per_s": needed("op/s", above_zero=True),
        "maximum_ops_per_s": needed("op/s", above_zero=True),
        "required_networks": needed("1", above_zero=True), "response_ms": optional("ms"),
        "slower_at_maximum": optional("1"),
    },
    "network-interfaces": {
        "name": needed(), "medium": needed(names="network-media"), "interface_kind": needed(),
        "nfs_ops_per_s": needed("op/s", above_zero=True), "latency_ms": needed("ms"),
        "boards": needed(names="boards"), "processor_relief_percent": needed("%"),
        "mix": optional(names="nfs-mixes"), "needs": optional(),
        "networks_per_board": optional("1"),
    },
    "boards": {
        "name": needed(), "bus": needed(), "slots_used": needed("slot"), "role": needed(),
        "disk_busses": needed(names="disk-busses"), "not_on": needed(), "orderable": needed(),
        "typical_bandwidth_mb_per_s": needed("MB/s"), "maximum_bandwidth_mb_per_s": needed("MB/s"),
        "channels": optional("1"), "networks": optional("1"), "disks_limit": optional("disk"),
        "network_ports": optional("port"), "address_space_mb": optional("MB"),
        "requires_master": optional(), "provides_masters": optional(),
        "component": optional(names="component-revisions"),
    },
    "disks": {
        "name": needed(), "disk_busses": needed(names="disk-busses"),
        "capacity_mb": needed("MB", above_zero=True),
        "transfer_mb_per_s": needed("MB/s", above_zero=True),
        "maximum_random_ops_per_s": needed("op/s"),
        "random_ops_per_s_at_65_percent": needed("op/s"), "orderable": needed(),
        "dual_portable": optional(), "third_party": optional(), "interface": optional(),
        "zone_gain_percent": optional("%"), "sequential_raw_8kb_reads_per_s": optional("op/s"),
        "typical_8kb_transfer_ms": optional("ms"), "random_block_kb": optional("KB/op"),
        "sustained_percent": optional("%"), "cylinder_kb": optional("KB"),
        "cylinders": optional("cylinder"), "heads": optional("1"),
        "sectors_per_track": optional("sector"),
    },
    "disk-busses": {
        "interface": needed(), "rate_mb_per_s": needed("MB/s", above_zero=True),
        "targets_limit": needed("1"), "disk_targets": optional(), "tape_targets": optional(),
        "cd_rom_targets": optional(), "width": optional(), "clock_mhz": optional("MHz"),
        "falls_back_to": optional(names="disk-busses"), "signalling": optional(),
        "cable_limit_m": optional("m"), "connector_pair_m": optional("m"),
        "adapter_target": optional("1"), "random_disks_limit": optional("disk"),
        "serial_disks_limit": optional("disk"), "random_utilisation": optional("1"),
        "serial_utilisation": optional("1"), "asynchronous_bus": optional(names="disk-busses"),
    },
    "removable-media": {
        "name": needed(), "kind": needed(), "disk_busses": needed(names="disk-busses"),
        "use": needed(), "transfer_kb_per_s": needed("KB/s", above_zero=True),
        "asynchronous": optional(), "capacity_mb": optional("MB"), "drives": optional("1"),
        "third_party": optional(), "too_much_mb": optional("MB"),
    },
    "client-activities": {
        "nfs_ops_per_s": needed("op/s"),
    },
    "nfs-mixes": {
        "reads_percent": needed("%"), "writes_percent": needed("%"),
        "operations_per_reference": needed("1", above_zero=True),
    },
    "protocol-costs": {
        "transfer_kb_per_op": needed("KB/op", above_zero=True),
        "cost_ms_per_packet": optional("ms/packet"), "cost_ms_per_op": optional("ms/op"),
        "share_percent": optional("%"), "measured_on": optional(names="platforms"),
    },
    "operating-systems": {
        "kernel_locks": needed("1"), "working_memory_mb": needed("MB"), "needs": needed(),
        "file_descriptors": optional("1"), "default_maxusers": optional("1"),
        "nfs_swap_mb": optional("MB"), "system_mb": optional("MB"),
        "disks_per_host_adapter": optional("disk"),
        "parallel_efficiency_percent": optional("%"), "lock_release_gain_percent": optional("%"),
    },
    "software": {
        "kind": needed(), "update_cpu_overhead_percent": needed("%"),
        "write_cpu_overhead_percent": needed("%"), "needs": optional(), "users": optional(),
        "gives": optional(), "index_space_percent": optional("%"),
        "replaces_clustering_on": optional(), "file_descriptors": optional("1"),
        "mirroring_cpu_overhead_percent": optional("%"),
        "striping_cpu_overhead_percent": optional("%"), "working_set_mb": optional("MB"),
    },
    "nvram-accelerators": {
        "board": needed(names="boards"), "bus": needed(),
        "uniprocessor_overhead_percent": needed("%"), "name": optional(),
    },
    "reported-facts": {
        "kind": ColumnUse(needed=True, one_of=("number", "text", "flag", "names")),
        "unit": optional(), "doc": optional(), "one_of": optional(), "memory": optional(),
    },
    "nfs-file-tests": {
        "server": optional(), "operation": optional(), "rate_mb_per_s": optional("MB/s"),
        "server_user_percent": optional("%"), "server_system_percent": optional("%"),
    },
    "response-times": {
        "judgement": optional(), "response_ms": optional("ms"),
    },
    "network-media": {
        "practical_utilisation_limit_percent": optional("%"), "limited_by_stack": optional(),
        "passes_both_ways": optional(),
        "low_delay_utilisation_percent": optional("%"),
        "effective_speed_kb_per_s": optional("KB/s"),
        "expected_transfer_mb_per_s": optional("MB/s"), "media_speed_mbit_per_s": optional("Mb/s"),
        "maximum_transfer_unit_byte": optional("byte"),
        "nominal_speed_mbit_per_s": optional("Mb/s"),
    },
    "disk-operation-costs": {
        "disk": optional(names="disks"), "measured_on": optional(names="platforms"),
        "layer": optional(), "pattern": optional(), "operation": optional(),
        "rate_ops_per_s": optional("op/s"), "cost_ms_per_op": optional("ms/op"),
        "block_kb": optional("KB"),
    },
    "disk-interface-overheads": {
        "interface": optional(), "over": optional(), "more_percent": optional("%"),
    },
    "volume-manager-overheads": {
        "option": optional(), "platforms": optional(names="platforms"),
        "disk_interface": optional(), "random_read_percent": optional("%"),
        "random_write_percent": optional("%"), "sequential_read_percent": optional("%"),
        "sequential_write_percent": optional("%"),
    },
    "gateways": {
        "board": optional(names="boards"), "mips_per_line": optional("mips/line"),
        "ports": optional("port"), "line_rate_mbit_per_s": optional("Mb/s"),
        "total_rate_mbit_per_s": optional("Mb/s"),
    },
    "serial-line-options": {
        "name": optional(), "board": optional(names="boards"), "attaches_to": optional(),
        "lines": optional("line"), "parallel_ports": optional("port"),
        "parallel_rate_kb_per_s": optional("KB/s"), "preferred_on": optional(),
    },
    "processors": {
        "architecture_version": optional("1"),
    },
    "mmu": {
        "mmu_type": optional(), "contexts": optional("1"), "page_size_kb": optional("KB"),
    },
    "raid-levels": {
        "level": optional("1"), "layout": optional(), "usable_capacity_percent": optional("%"),
        "redundancy_disks": optional("disk"), "disk_cost_factor": optional("1"),
        "fault_tolerant": optional(), "disk_failures_survived": optional("disk"),
        "parity": optional(), "uncommon_for": optional(),
        "second_controller_gain_percent": optional("%"),
    },
    "trays": {
        "attaches_to": optional(), "platforms": optional(names="platforms"),
        "interface": optional(), "controllers_without_expansion_cabinet": optional("1"),
        "controllers_limit": optional("1"), "channels": optional("1"),
        "disks_limit": optional("disk"), "one_inch_disks_limit": optional("disk"),
        "tall_disks_limit": optional("disk"), "maximum_mb_per_s": optional("MB/s"),
        "advised_disk_busses": optional(names="disk-busses"),
    },
    "bus-imbalance-effects": {
        "enclosure": optional(names="trays"), "disks_on_one_bus": optional("disk"),
        "loss_percent": optional("%"),
    },
    "loop-delays": {
        "passes_per_cable": optional("1"), "loop_km": optional("km"), "delay_ms": optional("ms"),
    },
    "load-profiles": {
        "access_percent": optional("%"), "transfer_kb": optional("KB"),
        "writes_percent": optional("%"), "sequential_percent": optional("%"),
        "random_percent": optional("%"),
    },
    "server-mixes": {
        "load_profile": optional(names="load-profiles"), "binds": optional(), "spared": optional(),
    },
    "platform-boards": {
        "platform": optional(names="platforms"), "board": optional(names="boards"),
        "base": optional("1"), "channels_in_use": optional("1"), "tested": optional("1"),
    },
    "benchmark-configurations": {
        "platform": optional(names="platforms"), "memory_mb": optional("MB"),
    },
    "component-revisions": {
        "least_revision": optional(),
    },
    "file-access-methods": {
        "file_system": optional(), "page_cache": optional(), "advised": optional(),
    },
    "disk-zones": {
        "disks": optional(names="disks"), "start_cylinder": optional("cylinder"),
        "track_size_sectors": optional("sector"),
    },
    "database-systems": {
        "mirrors_itself": optional(), "stripes_itself": optional(), "raw_partitions": optional(),
        "basic_memory_mb": optional("MB"), "shared_memory_mb": optional("MB"),
        "procedure_cache_kb": optional("KB/client"), "per_client_memory_kb": optional("KB/client"),
        "additional_percent": optional("%"), "application_basic_memory_mb": optional("MB"),
        "application_per_client_memory_mb": optional("MB/client"),
        "front_end_memory_mb": optional("MB/client"), "dbms_memory_mb": optional("MB"),
        "swap_mb": optional("MB"), "operating_system_memory_mb": optional("MB"),
        "usual_io_kb": optional("KB"), "back_end_processes": optional("1"),
        "serial_raw_io_kb": optional("KB"),
    },
    "mirroring-effects": {
        "platforms": optional(names="platforms"), "disk_interface": optional(), "disk": optional(),
        "random_option": optional(names="tunables"),
        **_EFFECTS,
    },
    "striping-effects": {
        "platforms": optional(names="platforms"), "disk_interface": optional(), "disk": optional(),
        "layout": optional(), **_EFFECTS,
    },
    "probe-names": {
        "prints": optional(), "kind": optional(), "rows": optional(), "role": optional(),
        "drivers": optional(),
    },
    "probe-messages": {
        "pattern": optional(), "makes": optional(), "words": optional(),
    },
    "tunables": {
        "name": optional(), "kind": optional(), "set_with": optional(), "favours": optional(),
        "base_entries": optional("1"), "entries_per_maxusers": optional("1"),
        "memory_from_mb": optional("MB"), "memory_to_mb": optional("MB"),
        "recommended": optional("1"), "recommended_per_mb": optional("1/MB"),
        "recommended_kb": optional("KB"), "recommended_disks": ColumnUse("disk", above_zero=True),
        "lowest_kb": ColumnUse("KB", above_zero=True), "penalty_percent": optional("%"),
        "limit_percent": optional("%"),
    },
    "prices": {
        "part": optional(), "part_table": optional(), "kind": optional(),
        "price_usd": optional("USD"),
    },
    "third-party-parts": {
        "kind": optional(),
    },
}  # fmt: skip


def expected_ends(low: float, likely: float, high: float, column: Column) -> str:
    """Return what the ends of a cell or parameter should be instead; empty if they fit."""
    if not low <= likely <= high:
        return "low before high"
    most = f"at most {column.at_most:g}"
    if column.more_than is not None and low <= column.more_than:
        bounded = column.at_most < QUANTITY_AT_MOST
        return f"more than {column.more_than:g}" + (f", {most}" if bounded else "")
    return "" if max(-low, high) <= column.at_most else most


def expected_parameter(value: Any, unit: str, column: Column) -> str:
    """Return what a parameter in `unit` should be instead; empty if it fits its column.

    Raises UnitError, TypeError or ValueError for a value that is no quantity of the column.
    """
    scale = factor(unit, column.unit) if unit != column.unit else 1
    low, likely, high = (scale * end for end in ends(value, unit))
    return expected_ends(low, likely, high, column) or ("0 or more" if low < 0 else "")


def shown_cell(value: Any) -> str:
    """Return a cell as it is written, as far as messages show it."""
    return f"[{', '.join(map(shown, value))}]" if isinstance(value, list) else shown(value)


def ends(value: Any, unit: str) -> tuple[float, float, float]:
    """Return low, likely and high of a cell: a number, a pair, a triple, or one with its unit."""
    if isinstance(value, (list, tuple)):
        if len(value) == 2:
            low, high = (one(v, unit) for v in value)
            return low, (low + high) / 2, high
        low, likely, high = (one(v, unit) for v in value)
        return low, likely, high
    number = one(value, unit)
    return number, number, number


def one(value: Any, unit: str) -> float:
    """Return a number of a cell, converted if it has a unit of its own."""
    if isinstance(value, str):
        number, _, its_unit = value.partition(" ")
        return float(number) * factor(its_unit.strip(), unit)
    return float(value)
