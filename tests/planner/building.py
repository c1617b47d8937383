"""Builds the system that a candidate of the enumerator stands for."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from planner.offers import BUILTIN, Candidate, Devices, Offers, Stored
from sizewright.configuration.model import Board, Channel, Device, Extent, Port, System, Volume


def build(offers: Offers, candidate: Candidate) -> System:
    """Boards in slots, ports on boards, devices on channels, volumes on disks."""
    boards = _boards(offers, candidate)
    ids: dict[str, list[str]] = {}
    for board in boards:
        ids.setdefault(board.model, []).append(board.id)
    channels, members = _channels(offers, candidate, ids)
    managers = offers.software("volume_manager") or [""]
    volumes = _volumes(candidate.stored, members, managers[0], offers)
    used = {volume.manager for volume in volumes}
    software = {candidate.gathering, candidate.backup, *used} - {""}
    return System(
        id="primary",
        platform=offers.platform.id,
        processors=offers.processors,
        operating_system=offers.os.id,
        memory_mb=candidate.memory_mb,
        boards=boards,
        channels=channels,
        ports=_ports(offers, candidate, ids),
        volumes=volumes,
        software=tuple(sorted(software)),
        accelerator=candidate.accelerator,
    )


def _boards(offers: Offers, candidate: Candidate) -> tuple[Board, ...]:
    runs = offers.packed(candidate.memory_boards, candidate.in_slots)
    assert runs is not None
    names = [("memory-boards", name) for name in sorted(candidate.memory_boards)]
    names += [("boards", name) for name in sorted(candidate.in_slots)]
    counts: Counter[str] = Counter()
    found = []
    for (table, name), run in zip(names, runs, strict=True):
        counts[name] += 1
        bus = offers.guide.row(table, name).text("bus")
        found.append(Board(f"{name}-{counts[name]}", table, name, bus, run, ""))
    return tuple(found)


def _ports(
    offers: Offers, candidate: Candidate, ids: Mapping[str, Sequence[str]]
) -> tuple[Port, ...]:
    """Ports on as few boards as have them, each board for one kind of interface."""
    spare: dict[tuple[str, str], list[str]] = {}
    unused = {board: list(names) for board, names in ids.items()}
    found = []
    for attached in candidate.networks:
        for number, provider in enumerate(attached.providers, start=1):
            source = BUILTIN
            if provider != BUILTIN:
                free = spare.setdefault((attached.interface, provider), [])
                if not free:
                    ports = offers.ports_of(attached.interface, provider)
                    free.extend([unused[provider].pop(0)] * ports)
                source = free.pop()
            segment = number if len(attached.providers) > 1 else 0
            found.append(Port(attached.network, segment, attached.interface, source))
    return tuple(found)


def _channels(
    offers: Offers, candidate: Candidate, ids: Mapping[str, Sequence[str]]
) -> tuple[tuple[Channel, ...], dict[str, list[str]]]:
    providers = [(kind, BUILTIN) for kind, _ in offers.channels(())]
    used: Counter[str] = Counter()
    for board in candidate.in_slots:
        providers += [(kind, ids[board][used[board]]) for kind in offers.kinds(board)]
        used[board] += 1
    members: dict[str, list[str]] = {group.name: [] for group in candidate.groups}
    channels = []
    for number, (kind, provider) in enumerate(providers):
        devices = []
        for group, here in zip(candidate.groups, candidate.contents[number], strict=True):
            for _ in range(here):
                ident = f"{group.name}#{len(members[group.name]) + 1}"
                members[group.name].append(ident)
                devices.append(_device(ident, group))
        channels.append(Channel(f"channel-{number}", kind, provider, tuple(devices)))
    return tuple(channels), members


def _device(ident: str, group: Devices) -> Device:
    row = group.row
    kind = "disk" if row.table == "disks" else row.text("kind")
    return Device(ident, kind, row.table, row.id, "backup" if "backup" in row.list("use") else "")


def _volumes(
    stored: Sequence[Stored], members: Mapping[str, Sequence[str]], manager: str, offers: Offers
) -> tuple[Volume, ...]:
    """Whole guests first; the host and other guests are spread over what is left.

    A manager makes stripes, which have equal parts.
    """
    laid: dict[str, list[tuple[Extent, ...]]] = {}
    end = offers.demand.size_for
    for s in stored:
        if s.disk is None:
            continue
        guests = [t for t in stored if t.host == s.name]
        for copy in range(s.copies):
            disks = members[f"{s.name}/{copy}"]
            spare = dict.fromkeys(disks, s.disk.number("capacity_mb"))
            for guest in guests:
                if guest.at is not None:
                    for volume in guest.pools[0].volumes:
                        part = Extent(disks[-1 - guest.at], volume.size_mb.at(end))
                        spare[part.disk] -= part.size_mb
                        laid.setdefault(volume.name, []).append((part,))
            room = sum(spare.values()) or 1
            over_all = [*s.pools, *(guest.pools[0] for guest in guests if guest.at is None)]
            for volume in (v for pool in over_all for v in pool.volumes):
                size = volume.size_mb.at(end)
                shares = {d: 1 / len(disks) if manager else spare[d] / room for d in disks}
                laid.setdefault(volume.name, []).append(
                    tuple(Extent(d, size * share) for d, share in shares.items() if share > 0)
                )
    # Files over several disks are striped by the manager; of tiny guides nobody else does it.
    return tuple(
        Volume(
            name, tuple(copies), manager if len(copies) > 1 or len(copies[0]) > 1 else "",
            "stripe" if manager and len(copies[0]) > 1 else "",
        )
        for name, copies in sorted(laid.items())
    )  # fmt: skip
