"""What a box shows of its boards: their revisions, and how busy the memory on each is."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from sizewright.box.observations import BoardObserved
from sizewright.box.schema import Box, BoxBoard
from sizewright.guide.model import Guide
from sizewright.guide.revisions import least_revision
from sizewright.quantity import Quantity, count, total
from sizewright.schema.revision import serves


def boards_seen(box: Box, guide: Guide) -> dict[str, dict[str, Any]]:
    """Facts by board."""
    boards = box.boards or ()
    traffic = {name: _traffic(each) for name, each in box.observed.boards.items()}
    free = (traffic.get(b.id) for b in boards if b.kernel_memory is False)
    usual = _mean([each for each in free if each is not None])
    return {
        board.id: {
            "revision": board.revision,
            "revision_serves": _serves(board, guide),
            "kernel_memory": board.kernel_memory,
            "memory_traffic_factor": _factor(board, traffic, usual),
        }
        for board in boards
    }


def _serves(board: BoxBoard, guide: Guide) -> bool | None:
    rows = guide.table("boards").rows
    least = least_revision(rows[board.board], guide) if board.board in rows else None
    return None if board.revision is None or least is None else serves(board.revision, least)


def _traffic(seen: BoardObserved) -> Quantity | None:
    reads, writes = seen.memory_reads_per_s, seen.memory_writes_per_s
    return None if reads is None or writes is None else reads + writes


def _mean(traffic: Iterable[Quantity]) -> Quantity | None:
    known = tuple(traffic)
    return total(known, "1/s") / count(len(known), "boards") if known else None


def _factor(
    board: BoxBoard, traffic: Mapping[str, Quantity | None], usual: Quantity | None
) -> Quantity | None:
    """How many times the traffic of the other boards; None where they have none."""
    own = traffic.get(board.id)
    if not board.kernel_memory or own is None or usual is None or usual.low <= 0:
        return None
    return own / usual
