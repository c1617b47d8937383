"""The platforms whose file service a guide rates."""

from __future__ import annotations

from sizewright.guide.model import Guide, Row


def rated(guide: Guide) -> dict[str, Row]:
    """Platform -> the row of its capacity over as many networks as the guide rates it with."""
    found: dict[str, Row] = {}
    for row in guide.table("nfs-capacity"):
        name = row.text("platform")
        before = found.get(name)
        if before is None or row.number("required_networks") > before.number("required_networks"):
            found[name] = row
    return found
