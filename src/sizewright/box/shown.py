"""What a box file shows of its parts that no plan settles; every name checked."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from sizewright.box.profile import PROFILES
from sizewright.box.raid import raid_of
from sizewright.box.schema import Box, BoxChannel, BoxEnclosure, BoxVolume
from sizewright.configuration.model import AsBuilt, ChannelAsBuilt, EnclosureAsBuilt, VolumeAsBuilt
from sizewright.errors import Diagnostic, collect_errors, did_you_mean, join_or, shown
from sizewright.guide.model import Guide
from sizewright.guide.named import found_row, place_of

_BUSSES = "disk-busses"


def shown_of(box: Box, guide: Guide) -> AsBuilt:
    """Everything of the kind; raises InputFaults with every name that leads nowhere."""
    with collect_errors() as errors:
        errors.extend(_lost(box))
        errors.for_each(lambda each: found_row(guide, *each), _rows(box))
        raids = dict(errors.for_each(lambda v: (v.name, _raid(v, guide)), box.volumes or ()))
    return AsBuilt(
        channels={
            c.id: ChannelAsBuilt(str(c.adapter_bus_kind or ""), c.adapter_in_middle)
            for c in box.channels or ()
        },
        bus_kinds={
            d.id: str(d.bus_kind) for c in box.channels or () for d in c.parts if d.bus_kind
        },
        volumes=raids,
        enclosures=tuple(map(_enclosure, box.enclosures)),
        partners={b.id: str(b.redundant_with) for b in box.boards or () if b.redundant_with},
        profiles=tuple(map(str, box.load_profiles)),
    )


def _raid(volume: BoxVolume, guide: Guide) -> VolumeAsBuilt:
    return VolumeAsBuilt(raid_of(volume, guide))


def _enclosure(each: BoxEnclosure) -> EnclosureAsBuilt:
    busses = tuple(tuple(map(str, bus)) for bus in each.busses)
    return EnclosureAsBuilt(
        each.id, str(each.enclosure), str(each.channel or ""), each.tall_disks, busses
    )


def _rows(box: Box) -> Iterator[tuple[str, str]]:
    """Every row that is named, with its table."""
    for channel in box.channels or ():
        if channel.adapter_bus_kind:
            yield _BUSSES, channel.adapter_bus_kind
        yield from ((_BUSSES, d.bus_kind) for d in channel.parts if d.bus_kind)
    yield from (("trays", each.enclosure) for each in box.enclosures)
    yield from ((PROFILES, name) for name in box.load_profiles)


def _lost(box: Box) -> Iterator[Diagnostic]:
    """Parts that are named and are no parts of the box, and disks that stand in two places."""
    boards = [b.id for b in box.boards or ()]
    channels: list[BoxChannel] = list(box.channels or ())
    disks = [d.id for c in channels for d in c.parts]
    for board in box.boards or ():
        if board.redundant_with:
            yield from _known("board", board.redundant_with, [b for b in boards if b != board.id])
    placed: dict[str, str] = {}
    for each in box.enclosures:
        if each.channel:
            yield from _known("channel", each.channel, [c.id for c in channels])
        for disk in (disk for bus in each.busses for disk in bus):
            yield from _known("disk", disk, disks)
            if disk in placed:
                what = f"disk {shown(disk)} is also in enclosure {shown(placed[disk])}"
                yield Diagnostic(place_of(disk, "box"), what, "one place for each disk")
            placed[disk] = each.id


def _known(kind: str, name: str, known: Iterable[str]) -> Iterator[Diagnostic]:
    names = tuple(known)
    if name not in names:
        expected = f"one of {join_or(names)}" if names else f"another {kind} of this box"
        what = f"there is no {kind} {shown(name)}"
        yield Diagnostic(place_of(name, "box"), what, expected, did_you_mean(name, names))
