"""Reads a document as a box; finds references and values that no machine can have."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping

from sizewright.box.schema import Box, BoxChannel
from sizewright.configuration.slots import ANY, slots_of
from sizewright.documents import Document
from sizewright.errors import (
    Diagnostic,
    InputError,
    shown,
    unknown_name,
)
from sizewright.guide.model import Guide, Row, place_of
from sizewright.schema.reading import read_model

Path = tuple[str, ...]


def reference_errors(box: Box, document: Document) -> Iterator[Diagnostic]:
    """Yield each part that has a load or a measurement but is not in the box."""
    known = {
        "network": [n.id for n in box.networks or ()],
        "disk": [d.id for c in box.channels or () for d in c.parts],
        "channel": [c.id for c in box.channels or ()],
        "board": [b.id for b in box.boards or ()],
    }
    for path, kind, named in _named(box):
        for name in named:
            if name not in known[kind]:
                place = document.place((*path, name))
                yield unknown_name(place, kind, name, known[kind], f"a {kind} of this box")


def _named(box: Box) -> Iterator[tuple[Path, str, Mapping[str, object]]]:
    for key, part in (("observed", box.observed), ("load", box.load)):
        yield (key, "networks"), "network", part.networks
        yield (key, "disks"), "disk", part.disks
        yield (key, "channels"), "channel", part.channels
    yield ("observed", "boards"), "board", box.observed.boards
    over = box.backup and box.backup.over
    yield ("backup",), "network", {str(over): over} if over else {}
    yield ("load", "data"), "network", box.load.data
    yield ("load", "stored"), "disk", box.load.stored
    yield ("load", "work"), "disk", box.load.work


_ITS_OWN = "one that nothing else has"
# A target of this interface may have several units, so that a rule judges those that share one.
_WITH_UNITS = "scsi"
_FILES, _RAW, _NO_FILES = "file_system", "raw", "none"


def plausibility_errors(box: Box, processors: int | None, guide: Guide) -> Iterator[Diagnostic]:
    """Yield what no machine can have; unknown names are reported elsewhere."""
    yield from _processors(box, guide)
    yield from _slots(box, processors, guide)
    yield from _reached(box, guide)
    busses = guide.table("disk-busses").rows
    for channel in box.channels or ():
        if channel.kind in busses:
            yield from _devices(channel, busses[channel.kind], guide, _boxed(channel, box))
            yield from _targets(channel, busses[channel.kind])


def _processors(box: Box, guide: Guide) -> Iterator[Diagnostic]:
    platform = guide.table("platforms").rows.get(box.platform)
    counts = platform.list("processor_counts") if platform else ()
    if counts and box.processors is not None and box.processors > max(counts):
        what = f"processors: {box.processors} do not go into {shown(box.platform)}"
        yield Diagnostic(place_of(box.processors, "box"), what, _at_most(max(counts)))


def _slots(box: Box, processors: int | None, guide: Guide) -> Iterator[Diagnostic]:
    """Yield slots that do not exist or are taken, on busses whose slots take any board.

    Where a bus keeps slots for some boards, a rule judges what stands in each. Slots may be counted
    from 0, as kernels do, or from 1.
    """
    slots = slots_of(guide, box.platform, processors)
    kept = {slot.bus for slot in slots if slot.takes != (ANY,)}
    highest = {slot.bus: slot.number for slot in slots if slot.bus not in kept}
    rows = {**guide.table("boards").rows, **guide.table("memory-boards").rows}
    taken: dict[tuple[str, int], str] = {}
    for board in box.boards or ():
        row = rows.get(board.board)
        bus = board.bus or (row.text("bus") if row else "")
        if bus not in highest:
            continue
        for number in board.slots:
            place = place_of(number, "box")
            if number > highest[bus]:
                what = f"slots: {shown(box.platform)} has no {bus} slot {number}"
                yield Diagnostic(place, what, _at_most(highest[bus]))
            elif (bus, number) in taken:
                what = f"slots: {bus} slot {number} is that of board {shown(taken[bus, number])}"
                yield Diagnostic(place, what, _ITS_OWN)
            else:
                taken[bus, number] = board.id


def _boxed(channel: BoxChannel, box: Box) -> frozenset[str]:
    """Return disks of enclosures that attach to the channel as one unit."""
    ours = (each for each in box.enclosures if each.channel == channel.id)
    return frozenset(str(disk) for each in ours for bus in each.busses for disk in bus)


def _devices(
    channel: BoxChannel, kind: Row, guide: Guide, boxed: Collection[str]
) -> Iterator[Diagnostic]:
    """Yield devices of another interface; a device without listed busses is not checked."""
    busses = guide.table("disk-busses").rows
    rows = {**guide.table("disks").rows, **guide.table("removable-media").rows}
    ours = kind.text("interface")
    for device in channel.parts:
        if device.id in boxed:
            continue
        row = rows.get(device.device)
        fitting = (device.bus_kind,) if device.bus_kind else row.list("disk_busses") if row else ()
        theirs = {busses[bus].text("interface") for bus in fitting if bus in busses}
        if ours and theirs and ours not in theirs:
            what = (
                f"device: {shown(device.device)} attaches to {' or '.join(sorted(theirs))}, and "
                f"channel {shown(channel.id)} is {ours}"
            )
            yield Diagnostic(place_of(device.device, "box"), what, f"a device for {ours}")


def _targets(channel: BoxChannel, kind: Row) -> Iterator[Diagnostic]:
    """Yield SCSI targets past the last, and targets that two devices share."""
    limit = kind.find("targets_limit")
    seen: dict[int, str] = {}
    for device in channel.parts:
        target = device.target
        if target is None:
            continue
        if limit is not None and target > limit.high:
            what = f"target: channel {shown(channel.id)} has no target {target}"
            yield Diagnostic(place_of(target, "box"), what, _at_most(int(limit.high)))
        elif target in seen and kind.text("interface") != _WITH_UNITS:
            what = f"target: {target} is that of {shown(seen[target])}"
            yield Diagnostic(place_of(target, "box"), what, _ITS_OWN)
        seen.setdefault(target, device.id)


def _reached(box: Box, guide: Guide) -> Iterator[Diagnostic]:
    """Yield volumes whose file access method does not fit their use."""
    ways = guide.table("file-access-methods").rows
    for volume in box.volumes or ():
        way = ways.get(volume.file_access or "")
        system = way.text("file_system") if way else ""
        if way is None or not system or volume.use not in (_FILES, _RAW):
            continue
        if (volume.use == _RAW) != (system == _NO_FILES):
            what = f"file_access: {shown(way.id)} on {shown(volume.name)}, of use {volume.use}"
            expected = "a way to files" if volume.use == _FILES else "a way to raw partitions"
            yield Diagnostic(place_of(volume.file_access, "box"), what, expected)


def _at_most(number: int) -> str:
    return f"at most {number}"


def read_box(document: Document) -> Box:
    """Return the box of a document; raises InputError with all errors."""
    box = read_model(document, Box)
    faults = list(reference_errors(box, document))
    if faults:
        raise InputError(faults)
    return box
