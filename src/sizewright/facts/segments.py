"""How boards are spread over the busses of one kind, by the slots that they stand in."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from sizewright.configuration.model import Board, System
from sizewright.configuration.shown import Shown
from sizewright.facts.spread import movable
from sizewright.guide.model import Guide, Row
from sizewright.load.model import Load, sum_of
from sizewright.quantity import Quantity, count, total

_NETWORK, _ARRAY = "network_interface", "raid_controller"
_DIRECT = ("", "nothing")


class _Placed(NamedTuple):
    """A board with its row and the bus that its slot is on."""

    board: Board
    row: Row
    segment: str


def segment_facts(
    bus: str, system: System, load: Load, shown: Shown, guide: Guide
) -> dict[str, Any]:
    """The boards on each bus of a kind; nothing where there is one, or a slot is not stated."""
    slots = _slots(bus, system.platform, guide)
    segments = sorted(set(slots.values()))
    behind = _behind(bus, system.platform, guide)
    if len(segments) < 2:
        return {}
    facts: dict[str, Any] = {"shares_path": None if behind is None else bool(behind)}
    ours = [board for board in system.boards if board.bus == bus]
    if "boards" in system.unstated or any(not _on(board, slots) for board in ours):
        return facts
    placed = [_Placed(b, guide.row(b.table, b.model), _on(b, slots)) for b in ours]
    pairs = [p for p in placed if p.board.id in shown.partners]
    counted = [p for p in placed if p not in pairs]
    networks, arrays = _has(_NETWORK), _has(_ARRAY)
    facts |= {
        "uneven_boards": _uneven(counted, segments, lambda _: True),
        "uneven_network_boards": _uneven(counted, segments, networks),
        "uneven_array_boards": _uneven(counted, segments, arrays),
        "single_port_boards": _fewest_single(counted, segments),
        "split_pairs": _split(pairs, placed, shown),
        "movable_kb_per_s": _movable(placed, segments, system, load),
    }
    if behind:
        hidden = [p for p in placed if p.segment in behind]
        ahead = [p for p in placed if p.segment not in behind]
        free = [n for n, segment in slots.items() if segment not in behind]
        taken = {number for p in ahead for number in p.board.slots}
        facts |= {
            "boards_behind": count(len(hidden), "boards behind another bus"),
            "free_slots_ahead": count(len(set(free) - taken), "free slots", "slot"),
            "heavier_behind": _heavier(hidden, ahead, system, load),
        }
    return facts


def _slots(bus: str, platform: str, guide: Guide) -> dict[int, str]:
    """Number of each slot -> the bus that it is on."""
    found: dict[int, str] = {}
    for row in guide.table("platform-slots").by("platform").get((platform,), ()):
        if row.text("bus") == bus and row.text("segment"):
            numbers = range(int(row.number("first")), int(row.number("last")) + 1)
            found |= dict.fromkeys(numbers, row.text("segment"))
    return found


def _behind(bus: str, platform: str, guide: Guide) -> frozenset[str] | None:
    """The busses that reach the host through another; None where the guide does not tell."""
    rows = [
        row for row in guide.table("platform-busses").by("platform").get((platform,), ())
        if row.text("bus") == bus and row.text("segment")
    ]  # fmt: skip
    if not rows or any(not row.text("behind") for row in rows):
        return None
    return frozenset(row.text("segment") for row in rows if row.text("behind") not in _DIRECT)


def _on(board: Board, slots: Mapping[int, str]) -> str:
    """The bus that a board stands on; empty where its slot is not stated, or is none of them."""
    return slots.get(board.slots[0], "") if board.slots else ""


def _has(role: str) -> Callable[[_Placed], bool]:
    return lambda placed: role in placed.row.list("role")


def _numbers(
    placed: list[_Placed], segments: list[str], which: Callable[[_Placed], bool]
) -> list[int]:
    return [sum(1 for p in placed if p.segment == s and which(p)) for s in segments]


def _uneven(
    placed: list[_Placed], segments: list[str], which: Callable[[_Placed], bool]
) -> Quantity:
    numbers = _numbers(placed, segments, which)
    return count(max(numbers) - min(numbers), "boards more on the fullest bus")


def _fewest_single(placed: list[_Placed], segments: list[str]) -> Quantity | None:
    """Network boards of one port on the bus that has fewest; None where ports are not told."""
    networks = [p for p in placed if _has(_NETWORK)(p)]
    if any(p.row.find("network_ports") is None for p in networks):
        return None
    numbers = _numbers(networks, segments, lambda p: p.row.number("network_ports") == 1)
    return count(min(numbers), "network boards of one port")


def _split(pairs: list[_Placed], placed: list[_Placed], shown: Shown) -> Quantity:
    where = {p.board.id: p.segment for p in placed}
    apart = [p for p in pairs if where.get(shown.partners[p.board.id], p.segment) != p.segment]
    return count(len(apart), "pairs on two busses")


def _carried(board: Board, system: System, load: Load) -> Quantity | None:
    """What a board's channels and networks move; None where one is unknown, or it has neither."""
    lines = [load.channels[c.id] for c in system.channels if c.provider == board.id]
    lines += [load.data.get(port.id) for port in system.ports if port.provider == board.id]
    found = [figure for each in lines if (figure := sum_of(each, "KB/s")) is not None]
    return total(found, "KB/s") if found and len(found) == len(lines) else None


def _movable(
    placed: list[_Placed], segments: list[str], system: System, load: Load
) -> Quantity | None:
    loads = {p.board.id: _carried(p.board, system, load) for p in placed}
    if None in loads.values():
        return None
    return movable([
        {p.board.id: figure for p in placed if p.segment == s and (figure := loads[p.board.id])}
        for s in segments
    ])  # fmt: skip


def _heavier(
    hidden: list[_Placed], ahead: list[_Placed], system: System, load: Load
) -> Quantity | None:
    """Boards behind that move more than the board before that moves least."""
    loads = {p.board.id: _carried(p.board, system, load) for p in (*hidden, *ahead)}
    if None in loads.values():
        return None
    known = {name: figure.likely for name, figure in loads.items() if figure is not None}
    least = min((known[p.board.id] for p in ahead), default=0.0)
    return count(sum(1 for p in hidden if known[p.board.id] > least), "heavier boards")
