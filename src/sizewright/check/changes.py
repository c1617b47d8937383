"""The changes of a server that may help against a limit, each with what is known after it.

What was measured on a disk moves with the disk, or with its data, and nothing measured is edited.
So there are only changes whose effect can be computed: first of what is there (disks and tapes on
other channels, also free ones of a controller, data on other disks, clients on other networks),
then one more controller or more processors.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import Literal, NamedTuple

from sizewright.box.reading import Known
from sizewright.check.check import forget_measured
from sizewright.configuration.model import Board, Channel, Device, System, Volume
from sizewright.configuration.slots import is_disk_adapter, supported_boards
from sizewright.demand.rates import LineItem, Lines, divided_lines
from sizewright.demand.usage import NetworkUse
from sizewright.facts.derive import Observed
from sizewright.guide.model import Guide
from sizewright.load.measured import with_tapes
from sizewright.load.storage import backup_kb_per_s
from sizewright.quantity import Quantity, count
from sizewright.rules.rule import Finding
from sizewright.units import PURE

_TWO = count(2, "parts that share evenly")
_ASKED = frozenset({"disk.operations_per_s", "disk.demanded_kb_per_s", "disk.busy_share"})


class Change(NamedTuple):
    """A change of a server: `part` goes `to` another part, or something is added.

    A `disk` or a `tape` goes to another channel, to a free `channel` of a controller, which goes by
    the controller, or to that of an added `controller`, which goes by its model.
    Half of the `data` of a disk goes to another disk, half of the `clients` of a network to another
    network. Or there are as many `processors` as `to` says.
    """

    kind: Literal["disk", "tape", "data", "clients", "channel", "controller", "processors"]
    part: str
    to: str

    @property
    def buys(self) -> bool:
        """Whether it needs a part that is not there."""
        return self.kind in ("controller", "processors")


def limited_fact(finding: Finding) -> tuple[str, str]:
    """Return the subject and the name of the fact that its rule limits; empty if it has none."""
    resource = finding.asked.bounds[0].resource if finding.asked.bounds else ""
    subject, _, name = resource.partition(".")
    return subject, name


def changes(finding: Finding, known: Known, guide: Guide) -> Iterator[tuple[Change, Known]]:
    """Yield changes that may help, each with what is known about the changed server."""
    subject, name = limited_fact(finding)
    if subject == "channel":
        part = finding.read[subject].id
        for channel in known.system.channels:
            yield from _moved_devices(part, channel.id, known, guide)
        for board, more in _with_free_channels(part, known, guide):
            for change, moved in _moved_devices(part, board, more, guide):
                yield change._replace(kind="channel"), moved
        for model, more in _with_controllers(part, known, guide):
            for change, moved in _moved_devices(part, model, more, guide):
                yield change._replace(kind="controller"), moved
    elif subject == "network":
        yield from _moved_clients(finding.read[subject].id, known, guide)
    elif f"{subject}.{name}" in _ASKED:
        yield from _moved_data(finding.read[subject].id, known)
    elif name == "processor_share":
        yield from _more_processors(known, guide)


def _moved_devices(
    crowded: str, other: str, known: Known, guide: Guide
) -> Iterator[tuple[Change, Known]]:
    """Yield a server for each disk or tape of a channel that may go to another of its kind.

    Only what has a known load moves: disks at work, and tapes on which backups run meanwhile.
    """
    measured, system = known.measured, known.system
    boxed = {disk for each in known.shown.enclosures for disk in each.disks}
    arrays = _array_controllers(known, guide)
    channels = {channel.id: channel for channel in system.channels}
    source, target = channels[crowded], channels[other]
    carried = dict(measured.channels)
    if crowded in carried:
        carried[crowded] = with_tapes(source, carried[crowded], known.usage, guide) or ()
        if not target.devices and "devices" not in system.unstated:
            carried.setdefault(other, ())
    for device in source.devices if target.kind == source.kind and target != source else ():
        lines = _moved_lines(carried, device.id, crowded, other)
        if device.dual_ported or device.id in boxed or lines is None:
            continue
        if arrays.get(device.id, target.provider) != target.provider:
            continue
        is_tape = backup_kb_per_s(device, known.usage.backup, guide) is not None
        if not is_tape and not measured.disks.get(device.id):
            continue
        left = source._replace(devices=tuple(d for d in source.devices if d != device))
        more = target._replace(devices=(*target.devices, _addressed(device, target)))
        changed = {**channels, crowded: left, other: more}
        yield (
            Change("tape" if is_tape else "disk", device.id, other),
            known._replace(
                system=system._replace(channels=tuple(changed.values())),
                measured=measured._replace(channels=lines),
            ),
        )


def _array_controllers(known: Known, guide: Guide) -> Mapping[str, str]:
    """Return the controller of each disk that is part of its array: it must stay on it."""
    system = known.system
    raid = {
        board.id for board in system.boards
        if "raid_controller" in guide.row(board.table, board.model).list("role")
    }  # fmt: skip
    on = {d.id: channel.provider for channel in system.channels for d in channel.devices}
    arrays = [v.disks for v in system.volumes if known.shown.raids.get(v.name)]
    return {
        disk: on[disk] for disks in arrays for disk in disks
        if on.get(disk) in raid and len({on.get(each) for each in disks}) == 1
    }  # fmt: skip


def _with_free_channels(crowded: str, known: Known, guide: Guide) -> Iterator[tuple[str, Known]]:
    """Yield the server with one more channel of each controller that has more than are stated."""
    system = known.system
    kind = next(channel.kind for channel in system.channels if channel.id == crowded)
    used = Counter(channel.provider for channel in system.channels)
    names = {channel.id for channel in system.channels}
    for board in system.boards if all(c.provider for c in system.channels) else ():
        row = guide.row(board.table, board.model)
        several = row.cell("channels")
        fits = several is not None and used[board.id] < several.low
        if fits and kind in row.list("disk_busses") and board.id not in names:
            yield board.id, _with_channel(known, crowded, Channel(board.id, kind, board.id))


def _with_channel(known: Known, crowded: str, channel: Channel) -> Known:
    """Return the server with one more channel, whose load is known if that of another one is."""
    system, measured = known.system, known.measured
    lines = {**measured.channels, channel.id: ()} if crowded in measured.channels else {}
    return known._replace(
        system=system._replace(channels=(*system.channels, channel)),
        measured=measured._replace(channels=lines or measured.channels),
    )


def _with_controllers(crowded: str, known: Known, guide: Guide) -> Iterator[tuple[str, Known]]:
    """Yield the server with one more controller of each model that has such a channel.

    Models that are there come before others. Its channel goes by the model.
    """
    system = known.system
    kinds = {channel.id: channel.kind for channel in system.channels}
    providers = {c.provider for c in system.channels if c.kind == kinds[crowded]}
    models = {board.model: board for board in system.boards if board.id in providers}
    if not models and "boards" not in system.unstated:
        models = {
            row.id: Board(row.id, "boards", row.id, row.text("bus"), (), "")
            for row in supported_boards(guide, system.platform)
            if is_disk_adapter(row, (kinds[crowded],))
        }
    for model, board in models.items():
        if model in kinds or model in {each.id for each in system.boards}:
            continue
        boards = (*system.boards, board._replace(id=model, slots=()))
        more = known._replace(system=system._replace(boards=boards))
        yield model, _with_channel(more, crowded, Channel(model, kinds[crowded], model))


def _moved_lines(
    channels: Mapping[str, Lines], disk: str, source: str, target: str, other: str = ""
) -> Mapping[str, Lines] | None:
    """Return what channels carry if a disk moves from one to another, or half of its work does.

    Half of the work moves to the `other` disk. None if the share of the disk was not measured by
    itself.
    """
    if source not in channels and target not in channels:
        return channels
    own = tuple(line for line in channels.get(source, ()) if line.name == disk)
    if not own or target not in channels:
        # Within one channel nothing changes for the channel.
        return channels if source == target else None
    rest = tuple(line for line in channels[source] if line.name != disk)
    if not other:
        return {**channels, source: rest, target: (*channels[target], *own)}
    half = divided_lines(own, _TWO)
    found = {**channels, source: (*rest, *half)}
    more = (line._replace(name=other) for line in half)
    return {**found, target: _added(found[target], more)}


def _addressed(device: Device, channel: Channel) -> Device:
    """Return a device at its own address, or at the first that is free on a channel."""
    taken = {each.target for each in channel.devices}
    if device.target is None or device.target not in taken:
        return device
    return device._replace(target=next(n for n in range(len(taken) + 1) if n not in taken))


def _moved_data(busy: str, known: Known) -> Iterator[tuple[Change, Known]]:
    """Yield a server for each disk that can take half of the data of a busy one."""
    measured, system = known.measured, known.system
    lines = measured.disks.get(busy)
    if not lines or busy in measured.asked:
        return
    on = {disk.id: channel.id for channel in system.channels for disk in channel.devices}
    for disk in system.disks():
        own = measured.disks.get(disk.id)
        channels = _moved_lines(measured.channels, busy, on[busy], on[disk.id], disk.id)
        if disk.id == busy or own is None or disk.id in measured.asked or channels is None:
            continue
        stored = _shared_load(measured.stored, busy, disk.id)
        moved = _shared_load(measured.moved, busy, disk.id)
        half = divided_lines(lines, _TWO)
        disks = {**measured.disks, busy: half, disk.id: _added(own, half)}
        yield (
            Change("data", busy, disk.id),
            known._replace(
                system=system._replace(volumes=tuple(_divided(system, busy, disk.id))),
                measured=measured._replace(
                    disks=disks, channels=channels, stored=stored or {}, moved=moved or {}
                ),
                observed=_with_shared_time(known, known.observed, "disk", busy, disk.id),
            ),
        )


def _added(own: Lines, more: Iterable[LineItem]) -> Lines:
    """Return lines with more of them, those of the same name in one: peaks find lines by name."""
    found: dict[tuple[str, str], LineItem] = {}
    for line in (*own, *more):
        key = line.name, line.service
        before = found.get(key)
        found[key] = line._replace(figure=before.figure + line.figure) if before else line
    return tuple(found.values())


def _divided(system: System, busy: str, other: str) -> Iterator[Volume]:
    """Yield the volumes of a system, with half of each part on a disk on another."""
    for volume in system.volumes:
        copies = tuple(
            tuple(
                part._replace(disk=disk, size_mb=part.size_mb / len(disks))
                for part in copy
                for disks in ((busy, other) if part.disk == busy else (part.disk,),)
                for disk in disks
            )
            for copy in volume.copies
        )
        yield volume._replace(copies=copies)


# The share of time that a part is busy, as a fact and as its value is named.
_BUSY = {
    "disk": ("busy_share", "observed.disks.{}.busy_percent"),
    "network": ("utilisation_share", "observed.networks.{}.utilisation_percent"),
}


def _with_shared_time(
    known: Known, observed: Observed, subject: str, busy: str, other: str
) -> Observed:
    """Return what is observed after half of the work of one part has moved to another.

    `observed` has the rest of it. The busy time of a part of which it was not measured becomes
    unknown. Times of one moment are added if there are reports, else the greatest.
    """
    fact, name = _BUSY[subject]
    measured = known.observed.get(subject, {})
    before, own = (measured.get(part, {}).get(fact) for part in (busy, other))
    if before is None and own is None:
        return observed
    half = before / _TWO if isinstance(before, Quantity) else None
    more = None
    if isinstance(own, Quantity) and half is not None:
        more = _greatest_sum(known, name.format(busy), name.format(other)) or own + half
    parts = observed.get(subject, {})
    changed = {
        busy: {**parts.get(busy, {}), fact: half}, other: {**parts.get(other, {}), fact: more}
    }  # fmt: skip
    return {**observed, subject: {**parts, **changed}}


def _greatest_sum(known: Known, busy: str, other: str) -> Quantity | None:
    """Return the greatest sum at one moment of a share of time and half of another.

    None if one of them was not measured at each moment.
    """
    sums = []
    for moment in known.moments:
        here, there = moment.get(busy), moment.get(other)
        if here is None or there is None:
            return None
        sums.append((there + here / _TWO).to(PURE))
    return max(sums, key=lambda share: share.high, default=None)


def _moved_clients(busy: str, known: Known, guide: Guide) -> Iterator[tuple[Change, Known]]:
    """Yield a server for each network of the same medium with half of the clients of a busy one."""
    measured, system, usage = known.measured, known.system, known.usage
    media = {
        port.id: guide.row("network-interfaces", port.interface).text("medium")
        for port in system.ports
    }
    for other, medium in media.items():
        ops = _shared_load(measured.networks, busy, other)
        data = _shared_load(measured.data, busy, other)
        if other == busy or medium != media[busy] or ops is None or data is None:
            continue
        uses = {**usage.networks, **_shared_clients(usage.networks, busy, other)}
        # How many packets collide then, and how long they wait, is not known.
        left = forget_measured(known.observed, {"network": (busy, other)})
        yield (
            Change("clients", busy, other),
            known._replace(
                usage=usage._replace(networks=uses),
                measured=measured._replace(networks=ops, data=data),
                observed=_with_shared_time(known, left, "network", busy, other),
            ),
        )


def _shared_load(loads: Mapping[str, Lines], busy: str, other: str) -> Mapping[str, Lines] | None:
    """Return loads with half of one moved to another; None if only one of them was measured."""
    if (busy in loads) != (other in loads):
        return None
    if busy not in loads:
        return loads
    half = divided_lines(loads[busy], _TWO)
    return {**loads, busy: half, other: _added(loads[other], half)}


def _shared_clients(
    uses: Mapping[str, NetworkUse], busy: str, other: str
) -> Mapping[str, NetworkUse]:
    """Return how two networks are used if half of the clients of one are on the other."""
    here, there = uses.get(busy, NetworkUse()), uses.get(other, NetworkUse())
    for name in ("clients", "diskless_clients"):
        whole, own = getattr(here, name), getattr(there, name)
        half = None if whole is None else whole / _TWO
        here = here._replace(**{name: half})
        there = there._replace(**{name: None if half is None or own is None else own + half})
    return {busy: here, other: there}


def _more_processors(known: Known, guide: Guide) -> Iterator[tuple[Change, Known]]:
    """Yield the server with each larger number of processors that its platform may have."""
    counts = guide.row("platforms", known.system.platform).list("processor_counts")
    for number in counts if known.system.processors is not None else ():
        if number > known.system.processors:
            change = Change("processors", known.system.platform, str(number))
            yield change, known._replace(system=known.system._replace(processors=int(number)))
