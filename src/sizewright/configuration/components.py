"""A system with one of its parts gone."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping

from sizewright.configuration.model import System, Volume

DISK, CONTROLLER, NETWORK, SYSTEM = "disk", "controller", "network", "system"


def components(system: System) -> Mapping[str, str]:
    """Every part that can be taken away, by its id: a disk, a controller or a network.

    A controller is a channel or the board that brings it; a network is a port or a board that
    brings nothing but ports.
    """
    found = {d.id: DISK for d in system.devices() if d.kind == DISK}
    boards = {board.id for board in system.boards}
    bringing = [c.provider for c in system.channels if c.provider in boards]
    for name in (*(c.id for c in system.channels), *bringing):
        found.setdefault(name, CONTROLLER)
    for port in system.ports:
        found.setdefault(port.id, NETWORK)
        if port.provider in boards:
            found.setdefault(port.provider, NETWORK)
    return found


def remove_component(system: System, component: str) -> System:
    """What is left of a system; a board takes all that it brings with it.

    A disk stays where it also stands on a channel that is left. A copy of a volume that loses a
    part is gone, and a volume whose last copy is gone is lost. Raises KeyError for a part that is
    not there.
    """
    kind = components(system)[component]
    if kind == DISK:
        channels = tuple(
            c._replace(devices=tuple(d for d in c.devices if d.id != component))
            for c in system.channels
        )
        return _stored(system._replace(channels=channels))
    return _stored(
        system._replace(
            boards=tuple(b for b in system.boards if b.id != component),
            channels=tuple(c for c in system.channels if component not in (c.id, c.provider)),
            ports=tuple(
                p for p in system.ports
                if p.provider != component and (kind != NETWORK or p.id != component)
            ),
        )
    )  # fmt: skip


def lost_volumes(before: System, after: System) -> tuple[str, ...]:
    """The volumes of which no copy is left."""
    left = {volume.name for volume in after.volumes}
    return tuple(v.name for v in before.volumes if v.name not in left)


def disconnected(before: System, after: System) -> tuple[str, ...]:
    """The communities of clients that no network is left for."""
    left = {port.network for port in after.ports}
    return tuple(dict.fromkeys(p.network for p in before.ports if p.network not in left))


def removed_parts(before: System, after: System) -> tuple[str, ...]:
    """The ids of all boards, channels, devices and ports that are there no more."""
    left = set(_ids(after))
    return tuple(dict.fromkeys(name for name in _ids(before) if name not in left))


def _ids(system: System) -> Iterator[str]:
    yield from (board.id for board in system.boards)
    yield from (channel.id for channel in system.channels)
    yield from (device.id for device in system.devices())
    yield from (port.id for port in system.ports)


def _stored(system: System) -> System:
    """The same with the volumes as far as their disks are there."""
    disks = {device.id for device in system.devices()}
    return system._replace(
        volumes=tuple(left for v in system.volumes if (left := _left(v, disks)) is not None)
    )


def _left(volume: Volume, disks: Collection[str]) -> Volume | None:
    """A volume with its whole copies; where it lies may not be known, and it stays as it is."""
    copies = tuple(c for c in volume.copies if all(part.disk in disks for part in c))
    return volume._replace(copies=copies) if copies or not volume.copies else None
