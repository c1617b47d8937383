"""Checks the cells that plans follow or divide by: names that lead somewhere, possible numbers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from sizewright.errors import Diagnostic, Location, did_you_mean
from sizewright.guide.contract import CONTRACT
from sizewright.guide.model import ends

# (table, column) -> the table whose rows its cells name.
_LEADS_TO: Mapping[tuple[str, str], str] = {
    ("platforms", "builtin_disk_busses"): "disk-busses",
    ("platforms", "builtin_networks"): "network-interfaces",
    ("platforms", "memory_boards"): "memory-boards",
    ("platform-slots", "platform"): "platforms",
    ("platform-busses", "platform"): "platforms",
    ("platform-boards", "platform"): "platforms",
    ("platform-boards", "board"): "boards",
    ("nfs-capacity", "platform"): "platforms",
    ("network-interfaces", "medium"): "network-media",
    ("network-interfaces", "boards"): "boards",
    ("boards", "disk_busses"): "disk-busses",
    ("disks", "disk_busses"): "disk-busses",
    ("removable-media", "disk_busses"): "disk-busses",
    ("nvram-accelerators", "board"): "boards",
}  # fmt: skip
# Numbers that plans divide by.
_ABOVE_ZERO = (
    ("nfs-capacity", "maximum_ops_per_s"), ("nfs-capacity", "sustained_ops_per_s"),
    ("nfs-capacity", "required_networks"), ("protocol-costs", "transfer_kb_per_op"),
    ("disks", "capacity_mb"), ("disks", "transfer_mb_per_s"), ("disk-busses", "rate_mb_per_s"),
    ("network-interfaces", "nfs_ops_per_s"), ("nfs-mixes", "operations_per_reference"),
)  # fmt: skip
_COUNTS = (("platforms", "processor_counts"),)


def broken_cells(tables: Mapping[str, Any]) -> Iterator[Diagnostic]:
    """A fault for each cell that leads nowhere or holds a number that cannot be meant."""
    for (table, column), target in _LEADS_TO.items():
        known = tables.get(target, {}).get("rows", {})
        for place, value in _cells(tables, table, column):
            for name in value if isinstance(value, list) else [value]:
                if name not in known and target in tables:
                    hint = did_you_mean(str(name), known)
                    yield Diagnostic(place, f"table {target} has no row '{name}'", hint=hint)
    for table, columns in CONTRACT.items():
        for column, unit in columns.items():
            above_zero = (table, column) in _ABOVE_ZERO
            for place, value in _cells(tables, table, column) if unit else ():
                low, _, _ = ends(value, unit)
                if low < 0 or (above_zero and low == 0):
                    least = "more than 0" if above_zero else "0 or more"
                    yield Diagnostic(place, f"{low:g} {unit}", least)
    for table, column in _COUNTS:
        for place, value in _cells(tables, table, column):
            if not all(isinstance(n, int) and not isinstance(n, bool) and n > 0 for n in value):
                yield Diagnostic(place, f"{value} are not counts", "whole numbers from 1")


def _cells(tables: Mapping[str, Any], table: str, column: str) -> Iterator[tuple[Location, Any]]:
    for row_id, row in tables.get(table, {}).get("rows", {}).items():
        value = row["values"].get(column)
        if value is not None:
            yield Location(f"{row.get('file', table)}, {row_id}, {column}"), value
