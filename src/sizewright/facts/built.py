"""An existing server by its file: what adapters and devices are made for, and their spread."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from sizewright.box.parts import AsBuilt
from sizewright.box.schema import BoxChannel
from sizewright.configuration.model import DISK, Board, Channel, Device, System
from sizewright.demand.rates import Known, sum_lines
from sizewright.facts.fact import count_true
from sizewright.guide.model import Guide, Row
from sizewright.load.model import Load
from sizewright.quantity import Quantity, count, sum_known, total

BUS_KINDS = "disk-busses"


class Built(NamedTuple):
    """An existing server under its load, with what only its file states of its parts."""

    system: System
    load: Load
    shown: AsBuilt
    guide: Guide

    def row(self, part: Board | Device) -> Row:
        """Return the row of a board's or a device's model."""
        return self.guide.row(part.table, part.model)

    def made_for(self, device: Device) -> Row | None:
        """Return the fastest bus that a device is made for; None if it may be one of several."""
        known = self.row(device).list("disk_busses")
        kind = self.shown.bus_kinds.get(device.id) or (known[0] if len(known) == 1 else "")
        return self.guide.row(BUS_KINDS, kind) if kind else None

    def are_alike(self, disks: Sequence[Device]) -> bool | None:
        """Return whether disks are of one model and made for one bus; None if unknown."""
        rows = [self.made_for(disk) for disk in disks]
        kinds = {row.id for row in rows if row is not None}
        if len({disk.model for disk in disks}) > 1 or len(kinds) > 1:
            return False
        return None if kinds and None in rows else True


def spread_of(numbers: Sequence[int], busses: int) -> tuple[Quantity, Quantity] | None:
    """Return the disks on the fullest and on the emptiest of some busses; None if unknown.

    Busses without a number are empty.
    """
    if busses < 1 or not numbers:
        return None
    least = min(numbers) if len(numbers) >= busses else 0
    most = count(max(numbers), "disks on the fullest bus", "disk")
    return most, count(least, "disks on the emptiest bus", "disk")


def moved_by(lines: Known, parts: Sequence[str]) -> dict[str, Quantity] | None:
    """Return what each part moves in KB/s; None if a line is of none of them."""
    if lines is None or any(line.name not in parts for line in lines):
        return None
    found = {part: [line.figure for line in lines if line.name == part] for part in parts}
    return {part: total(figures, "KB/s") for part, figures in found.items()}


def movable(busses: Sequence[Mapping[str, Quantity] | None]) -> Quantity | None:
    """Return by how much moving one part to the least busy bus relieves the busiest, in KB/s.

    By likely values. It is 0 if every move makes another bus the busiest; None if there is one bus,
    or if what a bus moves is unknown.
    """
    known = [bus for bus in busses if bus is not None]
    if len(busses) < 2 or len(known) < len(busses):
        return None
    loads = [sum(figure.likely for figure in bus.values()) for bus in known]
    order = sorted(range(len(known)), key=loads.__getitem__)
    least, most = order[0], order[-1]
    # With more than two busses the next busiest stays as it is.
    rest = loads[order[-2]] if len(known) > 2 else 0.0
    spared = [
        loads[most] - max(loads[most] - figure.likely, loads[least] + figure.likely, rest)
        for figure in known[most].values()
    ]
    return count(max(0.0, *spared) if spared else 0.0, "spared by moving one part", "KB/s")


_BUILTIN = "builtin"
_NARROW, _WIDTHS = "narrow", ("narrow", "wide")


def chain_facts(channel: Channel, built: Built) -> dict[str, Any]:
    """Return widths and clocks of a channel's adapter and devices; few of a kind without clock."""
    guide = built.guide
    kind = guide.row(BUS_KINDS, channel.kind)
    stated = built.shown.channels.get(channel.id)
    facts: dict[str, Any] = {
        "adapter_in_middle": stated.adapter_in_middle if stated else None,
        "delay_ms": _loop_delay(channel, kind, guide),
    }
    clock = kind.cell("clock_mhz")
    if clock is None:
        return facts
    facts |= {
        "width": kind.text("width") if kind.text("width") in _WIDTHS else None,
        "clock_mhz": clock,
        "adapter_clock_mhz": _adapter_clock(channel, stated, built),
        "fallback_kb_per_s": guide.row(BUS_KINDS, below).cell("rate_mb_per_s", "KB/s")
        if (below := kind.text("falls_back_to"))
        else None,
    }
    if "devices" in built.system.unstated and not channel.devices:
        return facts
    made = [(device, built.made_for(device)) for device in channel.devices]
    narrow = [None if row is None else row.text("width") == _NARROW for _, row in made]
    clocks = [row.cell("clock_mhz") if row else None for _, row in made]
    slower = [None if own is None else own.high < clock.low for own in clocks]
    fast = [_is_fast_and_narrow(device, row, clock) for device, row in made]
    return facts | {
        "narrow_devices": count_true(narrow, "narrow devices"),
        "wide_devices": count_true([None if n is None else not n for n in narrow], "wide devices"),
        "slower_devices": count_true(slower, "devices made for a slower clock"),
        "fast_narrow_devices": count_true(fast, "narrow devices at the channel's clock"),
    }


def _is_fast_and_narrow(device: Device, row: Row | None, clock: Quantity) -> bool | None:
    """Return whether a narrow device transfers at a clock, as negotiated or else as made for."""
    if row is None:
        return None
    if row.text("width") != _NARROW:
        return False
    own, rate = row.cell("clock_mhz"), row.cell("rate_mb_per_s")
    if own is not None and rate is not None and device.rate_mb_per_s is not None:
        own = own * (device.rate_mb_per_s / rate)
    return None if own is None else own.high >= clock.low


def _adapter_clock(channel: Channel, stated: BoxChannel | None, built: Built) -> Quantity | None:
    """Return the fastest clock of the busses of an adapter; None if one has no clock."""
    own = stated.adapter_bus_kind if stated else None
    kinds = (own,) if own else _provided(channel, built)
    clocks = [built.guide.row(BUS_KINDS, kind).cell("clock_mhz") for kind in kinds]
    known = [clock for clock in clocks if clock is not None]
    return max(known, key=lambda each: each.high) if known and len(known) == len(clocks) else None


def _provided(channel: Channel, built: Built) -> tuple[str, ...]:
    if channel.provider == _BUILTIN:
        return built.guide.row("platforms", built.system.platform).list("builtin_disk_busses")
    boards = (board for board in built.system.boards if board.id == channel.provider)
    return next((built.row(board).list("disk_busses") for board in boards), ())


def _loop_delay(channel: Channel, kind: Row, guide: Guide) -> Quantity | None:
    """Return the time that data takes once round the cables of a loop, in ms.

    Kinds of bus that whole enclosures attach to are loops. The speed is that of the loop whose
    length and delay the guide states.
    """
    if kind.id not in {row.text("attaches_to") for row in guide.table("trays")}:
        return None
    for row in guide.table("loop-delays"):
        passes, length = row.cell("passes_per_cable"), row.cell("loop_km")
        delay = row.cell("delay_ms")
        if passes is not None and length is not None and delay is not None and channel.cable_m:
            return (channel.cable_m.to("km") * passes) * (delay / length)
    return None


def controller_facts(board: Board, built: Built) -> dict[str, Any]:
    """Return what is attached to a board; few facts if a channel, or its board, is not stated."""
    row, system = built.row(board), built.system
    provided = row.cell("channels")
    facts: dict[str, Any] = {"channel_limit": provided, "disk_limit": row.cell("disks_limit")}
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
    most, fewest = spread_of([len(each) for each in disks], busses) or (None, None)
    moved = [moved_by(built.load.channels[c.id], [d.id for d in c.devices]) for c in channels]
    empty = [dict[str, Quantity]()] * (busses - len(channels))
    return facts | {
        "most_channel_disks": most,
        "fewest_channel_disks": fewest,
        "disks_alike": built.are_alike(every),
        "movable_kb_per_s": movable([*moved, *empty]),
    }


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
    networks = [p for p in single if "network_interface" in p.row.list("role")]
    arrays = [p for p in single if "raid_controller" in p.row.list("role")]
    loads = [
        {p.board.id: p.moves for p in placed if p.segment == segment and p.moves is not None}
        for segment in segments
    ]
    are_known = all(p.moves is not None for p in placed)
    simple = [p for p in networks if p.row.number("network_ports") == 1]
    where, partners = {p.board.id: p.segment for p in placed}, built.shown.partners
    split = [p for p in pairs if where.get(partners[p.board.id], p.segment) != p.segment]
    facts |= {
        "uneven_boards": _unevenness(single, segments),
        "uneven_network_boards": _unevenness(networks, segments),
        "uneven_array_boards": _unevenness(arrays, segments),
        "single_port_boards": count(min(_numbers(simple, segments)), "network boards of one port")
        if all(p.row.cell("network_ports") for p in networks)
        else None,
        "split_pairs": count(len(split), "pairs on two busses"),
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
    for row in guide.table("platform-slots").by("platform", "bus").get((platform, bus), ()):
        if row.text("segment"):
            numbers = range(int(row.number("first")), int(row.number("last")) + 1)
            found |= dict.fromkeys(numbers, row.text("segment"))
    return found


def _segments_behind(bus: str, platform: str, guide: Guide) -> frozenset[str] | None:
    """Return the segments that reach the host through another; None if the guide has no data."""
    here = guide.table("platform-busses").by("platform", "bus").get((platform, bus), ())
    rows = [row for row in here if row.text("segment")]
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


def _heavier(hidden: list[_Placed], ahead: list[_Placed]) -> Quantity:
    """Return the boards behind that move more than the board before that moves least."""
    least = min((p.moves.likely for p in ahead if p.moves), default=0.0)
    heavier = [p for p in hidden if p.moves and p.moves.likely > least]
    return count(len(heavier), "heavier boards")
