"""Columns that the program reads from tables of a known kind; a guide's own tables are free."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sizewright.errors import Diagnostic, Location

# Table -> column -> unit ("" for text, flags and lists).
CONTRACT: Mapping[str, Mapping[str, str]] = {
    "platforms": {
        "name": "", "disk_interfaces": "", "rank": "1", "orderable": "", "desktop": "",
        "processor_counts": "", "builtin_disk_busses": "",
        "builtin_io_bus": "", "builtin_networks": "", "memory_increment_mb": "MB",
        "onboard_memory_limit_mb": "MB", "memory_limit_mb": "MB", "memory_boards": "",
    },
    "platform-slots": {
        "platform": "", "bus": "", "first": "slot", "last": "slot", "takes": "",
        "processors_at_most": "1",
    },
    "platform-busses": {"platform": "", "bus": "", "sustained_mb_per_s": "MB/s"},
    "memory-boards": {"slots_used": "slot", "bus": "", "capacity_limit_mb": "MB"},
    "nfs-capacity": {
        "platform": "", "sustained_ops_per_s": "op/s", "maximum_ops_per_s": "op/s",
        "required_networks": "1",
    },
    "network-interfaces": {
        "name": "", "medium": "", "interface_kind": "", "nfs_ops_per_s": "op/s",
        "latency_ms": "ms", "boards": "", "processor_relief_percent": "%",
    },
    "boards": {
        "name": "", "bus": "", "slots_used": "slot", "role": "", "disk_busses": "", "not_on": "",
        "orderable": "",
        "typical_bandwidth_mb_per_s": "MB/s", "maximum_bandwidth_mb_per_s": "MB/s",
    },
    "disks": {
        "name": "", "disk_busses": "", "capacity_mb": "MB", "transfer_mb_per_s": "MB/s",
        "maximum_random_ops_per_s": "op/s", "random_ops_per_s_at_65_percent": "op/s",
        "orderable": "",
    },
    "disk-busses": {"interface": "", "rate_mb_per_s": "MB/s", "targets_limit": "1"},
    "removable-media": {"name": "", "kind": "", "disk_busses": "", "use": "",
                        "transfer_kb_per_s": "KB/s"},
    "client-activities": {"nfs_ops_per_s": "op/s"},
    "nfs-mixes": {
        "reads_percent": "%", "writes_percent": "%", "operations_per_reference": "1",
    },
    "protocol-costs": {"transfer_kb_per_op": "KB/op"},
    "operating-systems": {"kernel_locks": "1", "working_memory_mb": "MB", "needs": ""},
    "software": {
        "kind": "", "update_cpu_overhead_percent": "%", "write_cpu_overhead_percent": "%",
    },
    "nvram-accelerators": {"board": "", "bus": "", "uniprocessor_overhead_percent": "%"},
}  # fmt: skip

# Columns that are read where a guide has them, in these units.
OPTIONAL: Mapping[str, Mapping[str, str]] = {
    "reported-facts": {"kind": "", "unit": "", "doc": "", "one_of": "", "memory": ""},
    "platforms": {
        "aliases": "",
        "processor": "",
        "mmu": "",
        "mips": "mips",
        "dual_port_disks": "",
        "host_serves_nfs": "",
    },
    "nfs-capacity": {"response_ms": "ms", "slower_at_maximum": "1"},
    "nfs-file-tests": {
        "server": "",
        "operation": "",
        "rate_mb_per_s": "MB/s",
        "server_user_percent": "%",
        "server_system_percent": "%",
    },
    "response-times": {"judgement": "", "response_ms": "ms"},
    "network-media": {
        "practical_utilisation_limit_percent": "%",
        "limited_by_stack": "",
        "low_delay_utilisation_percent": "%",
        "effective_speed_kb_per_s": "KB/s",
        "expected_transfer_mb_per_s": "MB/s",
        "media_speed_mbit_per_s": "Mb/s",
        "maximum_transfer_unit_byte": "byte",
    },
    "disk-operation-costs": {
        "disk": "",
        "measured_on": "",
        "layer": "",
        "pattern": "",
        "operation": "",
        "rate_ops_per_s": "op/s",
        "cost_ms_per_op": "ms/op",
        "block_kb": "KB",
    },
    "disk-interface-overheads": {"interface": "", "over": "", "more_percent": "%"},
    "volume-manager-overheads": {
        "option": "",
        "platforms": "",
        "disk_interface": "",
        "random_read_percent": "%",
        "random_write_percent": "%",
        "sequential_read_percent": "%",
        "sequential_write_percent": "%",
    },
    "protocol-costs": {
        "cost_ms_per_packet": "ms/packet",
        "cost_ms_per_op": "ms/op",
        "share_percent": "%",
        "measured_on": "",
    },
    "gateways": {
        "board": "",
        "mips_per_line": "mips/line",
        "ports": "port",
        "line_rate_mbit_per_s": "Mb/s",
    },
    "serial-line-options": {
        "name": "",
        "board": "",
        "attaches_to": "",
        "lines": "line",
        "parallel_ports": "port",
        "parallel_rate_kb_per_s": "KB/s",
        "preferred_on": "",
    },
    "processors": {"architecture_version": "1"},
    "mmu": {"mmu_type": "", "contexts": "1"},
    "raid-levels": {
        "level": "1",
        "layout": "",
        "usable_capacity_percent": "%",
        "redundancy_disks": "disk",
        "disk_cost_factor": "1",
        "fault_tolerant": "",
        "disk_failures_survived": "disk",
        "parity": "",
        "uncommon_for": "",
        "second_controller_gain_percent": "%",
    },
    "trays": {
        "attaches_to": "",
        "platforms": "",
        "interface": "",
        "controllers_without_expansion_cabinet": "1",
        "controllers_limit": "1",
        "channels": "1",
        "disks_limit": "disk",
        "one_inch_disks_limit": "disk",
        "tall_disks_limit": "disk",
        "maximum_mb_per_s": "MB/s",
        "advised_disk_busses": "",
    },
    "bus-imbalance-effects": {"enclosure": "", "disks_on_one_bus": "disk", "loss_percent": "%"},
    "loop-delays": {"passes_per_cable": "1", "loop_km": "km", "delay_ms": "ms"},
    "load-profiles": {
        "access_percent": "%",
        "transfer_kb": "KB",
        "writes_percent": "%",
        "sequential_percent": "%",
        "random_percent": "%",
    },
    "server-mixes": {"load_profile": "", "binds": "", "spared": ""},
    "platform-slots": {"segment": "", "counted": "", "address_space_mb": "MB"},
    "platform-boards": {
        "platform": "",
        "board": "",
        "base": "1",
        "channels_in_use": "1",
        "tested": "1",
    },
    "benchmark-configurations": {"platform": "", "memory_mb": "MB"},
    "platform-busses": {"segment": "", "behind": ""},
    "boards": {
        "channels": "1",
        "networks": "1",
        "disks_limit": "disk",
        "network_ports": "port",
        "address_space_mb": "MB",
        "requires_master": "",
        "provides_masters": "",
        "component": "",
    },
    "component-revisions": {"least_revision": ""},
    "file-access-methods": {"file_system": "", "page_cache": "", "advised": ""},
    "network-interfaces": {"mix": "", "needs": "", "networks_per_board": "1"},
    "removable-media": {"asynchronous": ""},
    "disks": {
        "dual_portable": "",
        "third_party": "",
        "interface": "",
        "zone_gain_percent": "%",
        "sequential_raw_8kb_reads_per_s": "op/s",
        "typical_8kb_transfer_ms": "ms",
        "random_block_kb": "KB/op",
        "sustained_percent": "%",
        "cylinder_kb": "KB",
        "cylinders": "cylinder",
        "heads": "1",
        "sectors_per_track": "sector",
    },
    "disk-zones": {"disks": "", "start_cylinder": "cylinder", "track_size_sectors": "sector"},
    "disk-busses": {
        "disk_targets": "",
        "tape_targets": "",
        "cd_rom_targets": "",
        "width": "",
        "clock_mhz": "MHz",
        "falls_back_to": "",
        "signalling": "",
        "cable_limit_m": "m",
        "connector_pair_m": "m",
        "adapter_target": "1",
        "random_disks_limit": "disk",
        "serial_disks_limit": "disk",
        "random_utilisation": "1",
        "serial_utilisation": "1",
        "asynchronous_bus": "",
    },
    "operating-systems": {
        "file_descriptors": "1",
        "default_maxusers": "1",
        "nfs_swap_mb": "MB",
        "disks_per_host_adapter": "disk",
        "parallel_efficiency_percent": "%",
    },
    "software": {
        "needs": "",
        "users": "",
        "gives": "",
        "index_space_percent": "%",
        "replaces_clustering_on": "",
        "file_descriptors": "1",
        "mirroring_cpu_overhead_percent": "%",
        "striping_cpu_overhead_percent": "%",
    },
    "database-systems": {
        "mirrors_itself": "",
        "stripes_itself": "",
        "raw_partitions": "",
        "basic_memory_mb": "MB",
        "shared_memory_mb": "MB",
        "procedure_cache_kb": "KB/client",
        "per_client_memory_kb": "KB/client",
        "additional_percent": "%",
        "application_basic_memory_mb": "MB",
        "application_per_client_memory_mb": "MB/client",
        "front_end_memory_mb": "MB/client",
        "dbms_memory_mb": "MB",
        "swap_mb": "MB",
        "operating_system_memory_mb": "MB",
        "usual_io_kb": "KB",
        "back_end_processes": "1",
        "serial_raw_io_kb": "KB",
    },
    "mirroring-effects": {
        "platforms": "",
        "disk_interface": "",
        "disk": "",
        "random_read_percent": "%",
        "random_write_percent": "%",
        "sequential_read_percent": "%",
        "sequential_write_percent": "%",
    },
    "striping-effects": {
        "platforms": "",
        "disk_interface": "",
        "disk": "",
        "layout": "",
        "random_read_percent": "%",
        "random_write_percent": "%",
        "sequential_read_percent": "%",
        "sequential_write_percent": "%",
    },
    "probe-names": {"prints": "", "kind": "", "rows": "", "role": "", "drivers": ""},
    "probe-messages": {"pattern": "", "makes": ""},
    "tunables": {
        "name": "",
        "kind": "",
        "set_with": "",
        "favours": "",
        "base_entries": "1",
        "entries_per_maxusers": "1",
        "memory_from_mb": "MB",
        "memory_to_mb": "MB",
        "recommended": "1",
        "recommended_per_mb": "1/MB",
        "recommended_kb": "KB",
        "penalty_percent": "%",
    },
    "third-party-parts": {"kind": ""},
    "memory-boards": {"increment_mb": "MB", "boards_limit": "1"},
    "nvram-accelerators": {"name": ""},
}


# Tables that the program knows; a guide without one of them has nothing of the kind.
KINDS = frozenset((*CONTRACT, *OPTIONAL))


def missing_columns(tables: Mapping[str, Any]) -> list[Diagnostic]:
    """A fault for each column that a table of a known kind lacks or gives in another unit."""
    faults = []
    for name, wanted in CONTRACT.items():
        if name not in tables:
            continue
        columns = tables[name]["columns"]
        for column, unit in wanted.items():
            place = Location(f"tables/{name}.yaml")
            if column not in columns:
                faults.append(Diagnostic(place, f"table {name} lacks the column '{column}'", unit))
            elif unit and columns[column][1] != unit:
                faults.append(_other_unit(place, name, column, columns[column][1], unit))
    for name, free in OPTIONAL.items():
        columns = tables[name]["columns"] if name in tables else {}
        for column, unit in free.items():
            if unit and column in columns and columns[column][1] != unit:
                place = Location(f"tables/{name}.yaml")
                faults.append(_other_unit(place, name, column, columns[column][1], unit))
    return faults


def _other_unit(place: Location, table: str, column: str, found: str, unit: str) -> Diagnostic:
    return Diagnostic(place, f"{table}.{column} is in {found}", f"in {unit}")
