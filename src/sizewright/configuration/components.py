"""The parts of a system that can fail, and a system without one of them."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping

from sizewright.configuration.model import DISK, System, Volume

CONTROLLER, NETWORK, SYSTEM = "controller", "network", "system"


def components(system: System) -> Mapping[str, str]:
    """Return the kind of every part that can fail, by its id: a disk, a controller or a network.

    A controller is a channel or the board that brings it. A network is a port or a board that
    brings only ports.
    """
    found = {disk.id: DISK for disk in system.disks()}
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
    """Return a system without one part, and without everything that depends on it.

    A board takes its channels and ports with it. A disk stays if it is also on another channel.
    A copy of a volume that loses a disk is removed, and so is a volume without copies. Raises
    KeyError for a part that the system does not have.
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
    """Return the names of the volumes of which no copy is left."""
    left = {volume.name for volume in after.volumes}
    return tuple(v.name for v in before.volumes if v.name not in left)


def disconnected(before: System, after: System) -> tuple[str, ...]:
    """Return the communities of clients for which no network is left."""
    left = {port.network for port in after.ports}
    return tuple(dict.fromkeys(p.network for p in before.ports if p.network not in left))


def removed_parts(before: System, after: System) -> tuple[str, ...]:
    """Return the ids of all boards, channels, devices and ports that are removed."""
    left = set(_ids(after))
    return tuple(dict.fromkeys(name for name in _ids(before) if name not in left))


def _ids(system: System) -> Iterator[str]:
    yield from (board.id for board in system.boards)
    yield from (channel.id for channel in system.channels)
    yield from (device.id for device in system.devices())
    yield from (port.id for port in system.ports)


def _stored(system: System) -> System:
    """Return a system with only the volumes and copies whose disks it has."""
    disks = {device.id for device in system.devices()}
    return system._replace(
        volumes=tuple(left for v in system.volumes if (left := _left(v, disks)) is not None)
    )


def _left(volume: Volume, disks: Collection[str]) -> Volume | None:
    """Return a volume with its whole copies; None if it had copies and none is left."""
    copies = tuple(c for c in volume.copies if all(part.disk in disks for part in c))
    return volume._replace(copies=copies) if copies or not volume.copies else None
