"""The facts of boards, their slots and busses, and of boxes that extend a bus."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from sizewright.configuration.model import AsBuilt, Board, System
from sizewright.configuration.slots import Slot, SlotGroup, free_for, roles_of, slots_of
from sizewright.demand.model import sum_lines
from sizewright.facts.records import BoardFacts, BusFacts, ExpansionFacts, SlotsFacts
from sizewright.facts.scsi_chain import alike, movable, moved_by, spread_of
from sizewright.guide.model import Guide, Row
from sizewright.guide.revisions import least_revision
from sizewright.load.model import Load
from sizewright.quantity import Quantity, count, total

_SERIAL = "serial_lines"


def slots_facts(
    system: System, groups: Iterable[SlotGroup], guide: Guide
) -> tuple[SlotsFacts, ...]:
    """The slots of each bus; how many are used only where the boards are stated."""
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
    """Each board in the cage."""
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
    """Each box that extends a bus from one of its slots."""
    for box in system.expansions:
        carrier = guide.row("boards", box.carrier) if box.carrier else None
        rows = [guide.row(b.table, b.model) for b in box.boards]
        yield ExpansionFacts(
            id=box.id,
            bus=box.bus,
            needed_mb=_address_mb([*rows, *((carrier,) if carrier else ())]),
            slot_mb=_slot_mb(box.bus, system, guide),
            boards=count(len(box.boards), "boards in the box"),
            masters_needed=_masters(rows),
            masters_provided=carrier.find_flag("provides_masters") if carrier else None,
        )


def _address_mb(rows: list[Row]) -> Quantity | None:
    spaces = [row.find("address_space_mb") for row in rows]
    known = [space for space in spaces if space is not None]
    return total(known, "MB") if len(known) == len(spaces) else None


def _slot_mb(bus: str, system: System, guide: Guide) -> Quantity | None:
    """Address space of a slot of a bus; None where the slots differ, as no slot is named."""
    spaces = [
        row.find("address_space_mb")
        for row in guide.table("platform-slots")
        if row.text("platform") == system.platform and row.text("bus") == bus
    ]
    sizes = {(space.low, space.high) if space else None for space in spaces}
    return spaces[0] if len(sizes) == 1 else None


def _masters(rows: list[Row]) -> Quantity | None:
    flags = [row.find_flag("requires_master") for row in rows]
    if any(flag is None for flag in flags):
        return None
    return count(sum(1 for flag in flags if flag), "boards that lead transfers")


def bus_facts(system: System, load: Load, guide: Guide) -> tuple[BusFacts, ...]:
    """Each I/O bus with boards on it."""
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


_DISK = "disk"


def controller_facts(
    board: Board, system: System, load: Load, shown: AsBuilt, guide: Guide
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


_NETWORK, _ARRAY = "network_interface", "raid_controller"
_DIRECT = ("", "nothing")


class _Placed(NamedTuple):
    """A board with its row and the bus that its slot is on."""

    board: Board
    row: Row
    segment: str


def segment_facts(
    bus: str, system: System, load: Load, shown: AsBuilt, guide: Guide
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


def _split(pairs: list[_Placed], placed: list[_Placed], shown: AsBuilt) -> Quantity:
    where = {p.board.id: p.segment for p in placed}
    apart = [p for p in pairs if where.get(shown.partners[p.board.id], p.segment) != p.segment]
    return count(len(apart), "pairs on two busses")


def _carried(board: Board, system: System, load: Load) -> Quantity | None:
    """What a board's channels and networks move; None where one is unknown, or it has neither."""
    lines = [load.channels[c.id] for c in system.channels if c.provider == board.id]
    lines += [load.data.get(port.id) for port in system.ports if port.provider == board.id]
    found = [figure for each in lines if (figure := sum_lines(each, "KB/s")) is not None]
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
