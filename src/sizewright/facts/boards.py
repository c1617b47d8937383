"""The facts of boards, their slots and busses, and of boxes that extend a bus."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from sizewright.configuration.model import DISK, Board, System
from sizewright.configuration.slots import Slot, SlotGroup, free_for, roles_of, slots_of
from sizewright.demand.model import sum_lines
from sizewright.facts.built import Built, movable, moved_by, spread_of
from sizewright.facts.fact import sum_known
from sizewright.facts.records import BoardFacts, BusFacts, ExpansionFacts, SlotsFacts
from sizewright.guide.model import Guide, Row, least_revision
from sizewright.load.model import Load
from sizewright.quantity import Quantity, count

_SERIAL = "serial_lines"


def slots_facts(
    system: System, groups: Iterable[SlotGroup], guide: Guide
) -> tuple[SlotsFacts, ...]:
    """Return the slots of each bus; how many are used only if the boards are stated."""
    stated = "boards" not in system.unstated
    return tuple(
        SlotsFacts(
            group.name,
            count(sum(n for _, n in group.taken), "slots used", "slot") if stated else None,
            count(group.available, "slots there are", "slot"),
            count(_serial_boards(system, group.name, guide), "boards with serial lines")
            if stated else None,
        )
        for group in groups
    )  # fmt: skip


def _serial_boards(system: System, bus: str, guide: Guide) -> int:
    return sum(
        1 for b in system.boards
        if b.bus == bus and guide.row(b.table, b.model).list("role").count(_SERIAL)
    )  # fmt: skip


def board_facts(system: System, guide: Guide) -> Iterator[BoardFacts]:
    """Yield the facts of each board in the cage."""
    slots = slots_of(guide, system.platform, system.processors)
    for board in system.boards:
        row = guide.row(board.table, board.model)
        need = row.find("slots_used")
        yield BoardFacts(
            id=board.id,
            model=board.model,
            bus=board.bus,
            roles=roles_of(row),
            first_slot=count(board.slots[0], "first slot") if board.slots else None,
            slots_taken=count(len(board.slots), "slots taken", "slot") if board.slots else None,
            slots_needed=need,
            in_fitting_slots=_fits(board, row, system, slots) if board.slots else None,
            least_revision=least_revision(row, guide),
        )


def _fits(board: Board, row: Row, system: System, slots: Iterable[Slot]) -> bool:
    free = set(free_for(slots, board.bus, roles_of(row)))
    others = {
        number
        for other in system.boards
        if other.bus == board.bus and other.id != board.id
        for number in other.slots
    }
    return free.issuperset(board.slots) and others.isdisjoint(board.slots)


def expansion_facts(system: System, guide: Guide) -> Iterator[ExpansionFacts]:
    """Yield the facts of each box that extends a bus from one of its slots."""
    for box in system.expansions:
        carrier = guide.row("boards", box.carrier) if box.carrier else None
        rows = [guide.row(b.table, b.model) for b in box.boards]
        yield ExpansionFacts(
            id=box.id,
            bus=box.bus,
            needed_mb=sum_known(
                (row.find("address_space_mb") for row in (*rows, *((carrier,) if carrier else ()))),
                "MB",
            ),
            slot_mb=_slot_mb(box.bus, system, guide),
            boards=count(len(box.boards), "boards in the box"),
            masters_needed=_masters(rows),
            masters_provided=carrier.find_flag("provides_masters") if carrier else None,
        )


def _slot_mb(bus: str, system: System, guide: Guide) -> Quantity | None:
    """Return the address space of a slot of a bus; None if the slots differ."""
    spaces = [
        row.find("address_space_mb")
        for row in guide.table("platform-slots")
        if row.text("platform") == system.platform and row.text("bus") == bus
    ]
    sizes = {(space.low, space.high) if space else None for space in spaces}
    return spaces[0] if len(sizes) == 1 else None


def _masters(rows: list[Row]) -> Quantity | None:
    flags = [row.find_flag("requires_master") for row in rows]
    return None if None in flags else count(flags.count(True), "boards that lead transfers")


def bus_facts(system: System, load: Load, guide: Guide) -> tuple[BusFacts, ...]:
    """Return the facts of each I/O bus with boards on it."""
    rates: dict[str, Row] = {
        row.text("bus"): row
        for row in guide.table("platform-busses")
        if row.text("platform") == system.platform
    }
    return tuple(
        BusFacts(
            bus, sum_lines(lines, "MB/s"), rates[bus].find("sustained_mb_per_s") if bus in rates
            else None,
        )
        for bus, lines in load.busses.items()
    )  # fmt: skip


def controller_facts(board: Board, built: Built) -> dict[str, Any]:
    """Return what is attached to a board; few facts if a channel, or its board, is not stated."""
    row, system = built.row(board), built.system
    provided = row.find("channels")
    facts: dict[str, Any] = {"channel_limit": provided, "disk_limit": row.find("disks_limit")}
    unstated = {"channels", "devices"} & system.unstated
    if unstated or not all(channel.provider for channel in system.channels):
        return facts
    channels = [channel for channel in system.channels if channel.provider == board.id]
    disks = [[d for d in channel.devices if d.kind == DISK] for channel in channels]
    every = [disk for each in disks for disk in each]
    facts |= {
        "channels": count(len(channels), "channels"),
        "disks": count(len(every), "disks", "disk"),
    }
    if not every or provided is None:
        return facts
    busses = int(provided.likely)
    most, fewest = spread_of([len(each) for each in disks], busses)
    moved = [moved_by(built.load.channels[c.id], [d.id for d in c.devices]) for c in channels]
    empty = [dict[str, Quantity]()] * (busses - len(channels))
    return facts | {
        "most_channel_disks": most,
        "fewest_channel_disks": fewest,
        "disks_alike": built.are_alike(every),
        "movable_kb_per_s": movable([*moved, *empty]),
    }


_NETWORK, _ARRAY = "network_interface", "raid_controller"
_DIRECT = ("", "nothing")


class _Placed(NamedTuple):
    """A board with its row, the segment that its slot is on, and the KB/s that it moves."""

    board: Board
    row: Row
    segment: str
    moves: Quantity | None


def segment_facts(bus: str, built: Built) -> dict[str, Any]:
    """Return how boards are spread over the segments of a bus.

    Nothing if it has one segment, little if the slot of a board is not stated.
    """
    system, platform = built.system, built.system.platform
    slots = _segment_of_slots(bus, platform, built.guide)
    segments = sorted(set(slots.values()))
    behind = _segments_behind(bus, platform, built.guide)
    if len(segments) < 2:
        return {}
    facts: dict[str, Any] = {"shares_path": None if behind is None else bool(behind)}
    boards = [board for board in system.boards if board.bus == bus]
    stated = all(board.slots and board.slots[0] in slots for board in boards)
    if "boards" in system.unstated or not stated:
        return facts
    placed = [_Placed(b, built.row(b), slots[b.slots[0]], _moved(b, built)) for b in boards]
    pairs = [p for p in placed if p.board.id in built.shown.partners]
    single = [p for p in placed if p not in pairs]
    networks, arrays = (
        [p for p in single if role in p.row.list("role")] for role in (_NETWORK, _ARRAY)
    )
    loads = [
        {p.board.id: p.moves for p in placed if p.segment == segment and p.moves is not None}
        for segment in segments
    ]
    are_known = all(p.moves is not None for p in placed)
    facts |= {
        "uneven_boards": _unevenness(single, segments),
        "uneven_network_boards": _unevenness(networks, segments),
        "uneven_array_boards": _unevenness(arrays, segments),
        "single_port_boards": _fewest_of_one_port(networks, segments),
        "split_pairs": _split_pairs(pairs, placed, built),
        "movable_kb_per_s": movable(loads) if are_known else None,
    }
    if behind:
        hidden = [p for p in placed if p.segment in behind]
        ahead = [p for p in placed if p.segment not in behind]
        free = {n for n, segment in slots.items() if segment not in behind}
        free -= {number for p in ahead for number in p.board.slots}
        facts |= {
            "boards_behind": count(len(hidden), "boards behind another bus"),
            "free_slots_ahead": count(len(free), "free slots", "slot"),
            "heavier_behind": _heavier(hidden, ahead) if are_known else None,
        }
    return facts


def _segment_of_slots(bus: str, platform: str, guide: Guide) -> dict[int, str]:
    """Return number of each slot -> the segment that it is on."""
    found: dict[int, str] = {}
    for row in guide.table("platform-slots").by("platform").get((platform,), ()):
        if row.text("bus") == bus and row.text("segment"):
            numbers = range(int(row.number("first")), int(row.number("last")) + 1)
            found |= dict.fromkeys(numbers, row.text("segment"))
    return found


def _segments_behind(bus: str, platform: str, guide: Guide) -> frozenset[str] | None:
    """Return the segments that reach the host through another; None if the guide has no data."""
    rows = [
        row for row in guide.table("platform-busses").by("platform").get((platform,), ())
        if row.text("bus") == bus and row.text("segment")
    ]  # fmt: skip
    if not rows or any(not row.text("behind") for row in rows):
        return None
    return frozenset(row.text("segment") for row in rows if row.text("behind") not in _DIRECT)


def _moved(board: Board, built: Built) -> Quantity | None:
    """Return what a board's channels and networks move; None if unknown, or if it has neither."""
    system, load = built.system, built.load
    lines = [load.channels[c.id] for c in system.channels if c.provider == board.id]
    lines += [load.data.get(port.id) for port in system.ports if port.provider == board.id]
    return sum_known((sum_lines(each, "KB/s") for each in lines), "KB/s") if lines else None


def _numbers(placed: list[_Placed], segments: list[str]) -> list[int]:
    return [sum(p.segment == segment for p in placed) for segment in segments]


def _unevenness(placed: list[_Placed], segments: list[str]) -> Quantity:
    numbers = _numbers(placed, segments)
    return count(max(numbers) - min(numbers), "boards more on the fullest bus")


def _fewest_of_one_port(networks: list[_Placed], segments: list[str]) -> Quantity | None:
    """Return the boards of one port on the segment with the fewest; None if ports are unknown."""
    if any(p.row.find("network_ports") is None for p in networks):
        return None
    single = [p for p in networks if p.row.number("network_ports") == 1]
    return count(min(_numbers(single, segments)), "network boards of one port")


def _split_pairs(pairs: list[_Placed], placed: list[_Placed], built: Built) -> Quantity:
    where, partners = {p.board.id: p.segment for p in placed}, built.shown.partners
    apart = [p for p in pairs if where.get(partners[p.board.id], p.segment) != p.segment]
    return count(len(apart), "pairs on two busses")


def _heavier(hidden: list[_Placed], ahead: list[_Placed]) -> Quantity:
    """Return the boards behind that move more than the board before that moves least."""
    least = min((p.moves.likely for p in ahead if p.moves), default=0.0)
    heavier = [p for p in hidden if p.moves and p.moves.likely > least]
    return count(len(heavier), "heavier boards")
