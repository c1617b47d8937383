"""What the load profiles of a box say of its work, and what such work waits for first."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sizewright import units
from sizewright.box.profile import weighted
from sizewright.demand.usage import Usage
from sizewright.guide.model import Guide, Row
from sizewright.quantity import Quantity


def profile_facts(profiles: tuple[str, ...], usage: Usage, guide: Guide) -> dict[str, Any]:
    """Shares over all accesses of the profiles; nothing where none is stated."""
    if not profiles:
        return {}
    rows = [guide.row("load-profiles", name) for name in profiles]
    return {
        "load_profiles": profiles,
        "transfer_kb": usage.transfer_kb,
        "random_share": _share(rows, "random_percent"),
        "disk_write_share": _share(rows, "writes_percent"),
        "bound_by": _said(profiles, "binds", guide),
        "spared": _said(profiles, "spared", guide),
    }


def _share(rows: Sequence[Row], column: str) -> Quantity | None:
    found = weighted(rows, column)
    return found and found.to(units.PURE)


def _said(profiles: tuple[str, ...], column: str, guide: Guide) -> tuple[str, ...] | None:
    """What the guide says of the servers with these loads; None where it says nothing of one."""
    mixes = {row.text("load_profile"): row.list(column) for row in guide.table("server-mixes")}
    found = [mixes.get(name, ()) for name in profiles]
    return tuple(sorted({what for each in found for what in each})) if all(found) else None
