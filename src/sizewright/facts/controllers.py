"""The facts of boards that bring peripheral busses: how many, and what hangs on them."""

from __future__ import annotations

from typing import Any

from sizewright.configuration.model import Board, System
from sizewright.configuration.shown import Shown
from sizewright.facts.spread import alike, movable, moved_by, spread_of
from sizewright.guide.model import Guide
from sizewright.load.model import Load
from sizewright.quantity import count

_DISK = "disk"


def controller_facts(
    board: Board, system: System, load: Load, shown: Shown, guide: Guide
) -> dict[str, Any]:
    """What hangs on a board; nothing where some channel, or a channel's board, is not stated."""
    row = guide.row(board.table, board.model)
    limits = {"channel_limit": row.find("channels"), "disk_limit": row.find("disks_limit")}
    open_parts = {"channels", "devices"} & system.unstated
    if open_parts or not all(channel.provider for channel in system.channels):
        return limits
    channels = [channel for channel in system.channels if channel.provider == board.id]
    disks = [[d for d in channel.devices if d.kind == _DISK] for channel in channels]
    every = [device for each in disks for device in each]
    facts: dict[str, Any] = {
        **limits,
        "channels": count(len(channels), "channels"),
        "disks": count(len(every), "disks", "disk"),
    }
    provided = limits["channel_limit"]
    if not every or provided is None:
        return facts
    busses = int(provided.likely)
    spread = spread_of([len(each) for each in disks], busses)
    moved = [moved_by(load.channels[c.id], [d.id for d in c.devices]) for c in channels]
    known = [each for each in moved if each is not None]
    empty = [dict[str, Any]()] * (busses - len(channels))
    return facts | {
        "most_channel_disks": spread.most if spread else None,
        "fewest_channel_disks": spread.fewest if spread else None,
        "disks_alike": alike(every, shown, guide),
        "movable_kb_per_s": movable([*known, *empty]) if len(known) == len(moved) else None,
    }
