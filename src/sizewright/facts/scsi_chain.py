"""What devices of a channel are made for, and how evenly disks are spread over channels."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from sizewright.configuration.model import AsBuilt, Channel, ChannelAsBuilt, Device, System
from sizewright.demand.model import Known
from sizewright.facts.storage import told
from sizewright.guide.model import Guide, Row
from sizewright.quantity import Quantity, count, total

_BUSSES, _BUILTIN = "disk-busses", "builtin"
_NARROW, _WIDTHS = "narrow", ("narrow", "wide")
_UNKNOWN = ChannelAsBuilt()


def made_for(device: Device, shown: AsBuilt, guide: Guide) -> Row | None:
    """The fastest kind of bus that a device is made for; None where it may be one of several."""
    stated = shown.bus_kinds.get(device.id)
    known = guide.row(device.table, device.model).list("disk_busses")
    kind = stated or (known[0] if len(known) == 1 else "")
    return guide.row(_BUSSES, kind) if kind else None


def chain_facts(system: System, channel: Channel, shown: AsBuilt, guide: Guide) -> dict[str, Any]:
    """Widths and clocks of a channel's adapter and devices; nothing of a kind without a clock."""
    kind = guide.row(_BUSSES, channel.kind)
    said = shown.channels.get(channel.id, _UNKNOWN)
    facts: dict[str, Any] = {
        "adapter_in_middle": said.adapter_in_middle,
        "delay_ms": _delay(channel, guide) if kind.id in _looped(guide) else None,
    }
    clock = kind.find("clock_mhz")
    if clock is None:
        return facts
    facts |= {
        "width": kind.text("width") if kind.text("width") in _WIDTHS else None,
        "clock_mhz": clock,
        "adapter_clock_mhz": _adapter_clock(system, channel, said, guide),
        "fallback_kb_per_s": _fallback(kind, guide),
    }
    if "devices" in system.unstated and not channel.devices:
        return facts
    made = [(device, made_for(device, shown, guide)) for device in channel.devices]
    narrow = [None if row is None else row.text("width") == _NARROW for _, row in made]
    return facts | {
        "narrow_devices": told(narrow, "narrow devices"),
        "wide_devices": told((None if n is None else not n for n in narrow), "wide devices"),
        "slower_devices": told(
            (_below(row.find("clock_mhz") if row else None, clock) for _, row in made),
            "devices made for a slower clock",
        ),
        "fast_narrow_devices": told(
            (_fast_and_narrow(device, row, clock) for device, row in made),
            "narrow devices at the channel's clock",
        ),
    }


def _below(ours: Quantity | None, clock: Quantity) -> bool | None:
    return None if ours is None else ours.high < clock.low


def _fast_and_narrow(device: Device, row: Row | None, clock: Quantity) -> bool | None:
    """Whether a narrow device transfers at a clock: as it negotiated, else as it is made for."""
    if row is None:
        return None
    if row.text("width") != _NARROW:
        return False
    own, rate = row.find("clock_mhz"), row.find("rate_mb_per_s")
    if own is not None and rate is not None and device.rate_mb_per_s is not None:
        own = own * (device.rate_mb_per_s / rate)
    slower = _below(own, clock)
    return None if slower is None else not slower


def _adapter_clock(
    system: System, channel: Channel, said: ChannelAsBuilt, guide: Guide
) -> Quantity | None:
    """The fastest clock of the busses that an adapter provides; None where one has no clock."""
    kinds = (said.adapter_bus_kind,) if said.adapter_bus_kind else _provided(system, channel, guide)
    clocks = [guide.row(_BUSSES, kind).find("clock_mhz") for kind in kinds]
    known = [clock for clock in clocks if clock is not None]
    return max(known, key=lambda each: each.high) if known and len(known) == len(clocks) else None


def _provided(system: System, channel: Channel, guide: Guide) -> tuple[str, ...]:
    if channel.provider == _BUILTIN:
        return guide.row("platforms", system.platform).list("builtin_disk_busses")
    boards = (board for board in system.boards if board.id == channel.provider)
    return next((guide.row(b.table, b.model).list("disk_busses") for b in boards), ())


def _fallback(kind: Row, guide: Guide) -> Quantity | None:
    slower = kind.text("falls_back_to")
    rate = guide.row(_BUSSES, slower).find("rate_mb_per_s") if slower else None
    return rate.to("KB/s") if rate else None


def _looped(guide: Guide) -> frozenset[str]:
    """The kinds of bus that whole enclosures hang on: loops, whose data goes all the way round."""
    return frozenset(row.text("attaches_to") for row in guide.table("trays")) - {""}


def _delay(channel: Channel, guide: Guide) -> Quantity | None:
    """Once round the cables, at the speed that the guide's loop of known way and delay shows."""
    for row in guide.table("loop-delays"):
        passes, way, delay = (
            row.find(name) for name in ("passes_per_cable", "loop_km", "delay_ms")
        )  # fmt: skip
        if passes is not None and way is not None and delay is not None and channel.cable_m:
            return (channel.cable_m.to("km") * passes) * (delay / way)
    return None


class Spread(NamedTuple):
    """Disks on the bus that has most, and on the one that has fewest."""

    most: Quantity
    fewest: Quantity


def spread_of(numbers: Sequence[int], busses: int) -> Spread | None:
    """The spread over so many busses, of which those that are not told of are empty."""
    if busses < 1 or not numbers:
        return None
    filled = [*numbers, *[0] * (busses - len(numbers))]
    return Spread(
        count(max(filled), "disks on the fullest bus", "disk"),
        count(min(filled), "disks on the emptiest bus", "disk"),
    )


def alike(devices: Sequence[Device], shown: AsBuilt, guide: Guide) -> bool | None:
    """Whether disks are of one model, and made for one bus; None where that is not told."""
    if len({device.model for device in devices}) > 1:
        return False
    rows = [made_for(device, shown, guide) for device in devices]
    kinds = {row.id for row in rows if row is not None}
    if len(kinds) > 1:
        return False
    return None if kinds and None in rows else True


def moved_by(lines: Known, parts: Sequence[str]) -> dict[str, Quantity] | None:
    """What each of some parts moves, by the lines of a bus; None where the lines do not say."""
    if lines is None or any(line.name not in parts for line in lines):
        return None
    found = {part: [line.figure for line in lines if line.name == part] for part in parts}
    return {part: total(figures, "KB/s") for part, figures in found.items()}


def movable(busses: Sequence[Mapping[str, Quantity]]) -> Quantity | None:
    """By how much the busiest bus is spared where one of its parts moves to the least busy one.

    Told by the likely values; nothing where every move would only make another bus the busiest.
    """
    if len(busses) < 2:
        return None
    loads = [sum(figure.likely for figure in bus.values()) for bus in busses]
    order = sorted(range(len(busses)), key=loads.__getitem__)
    least, most = order[0], order[-1]
    # With more busses than two the next busiest stays as it is.
    rest = loads[order[-2]] if len(busses) > 2 else 0.0
    spared = [
        loads[most] - max(loads[most] - figure.likely, loads[least] + figure.likely, rest)
        for figure in busses[most].values()
    ]
    return count(max(0.0, *spared) if spared else 0.0, "spared by moving one part", "KB/s")
