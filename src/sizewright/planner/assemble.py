"""Builds a system out of the planner's choices: boards in slots, devices on channels, layout."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from sizewright.configuration.model import (
    Board,
    Channel,
    Device,
    Part,
    Port,
    System,
    Volume,
)
from sizewright.configuration.slots import free_for, runs, slot_need
from sizewright.guide.model import Row
from sizewright.planner.choice import Choice
from sizewright.planner.parts import BUILTIN, Machine
from sizewright.planner.placement import Content, Placement
from sizewright.planner.storage import Pool, Store

MEMORY = "memory"


def channel_sources(machine: Machine, choice: Choice) -> tuple[tuple[str, str], ...]:
    """The channels that a choice has: (kind, provider row or `builtin`), built-in ones first."""
    found = [(kind, BUILTIN) for kind in machine.platform.list("builtin_disk_busses")]
    for board in choice.boards():
        row = machine.guide.row("boards", board)
        found += [(kind, board) for kind in row.list("disk_busses")]
    return tuple(found)


class _Slotted(NamedTuple):
    table: str
    row: str
    bus: str
    role: str
    need: int
    purpose: str


def slotted(machine: Machine, choice: Choice) -> tuple[Board, ...] | None:
    """Every board in a slot, None where a bus has too few."""
    guide = machine.guide
    wanted = []
    for name in choice.memory.boards:
        row = guide.row("memory-boards", name)
        wanted.append(_Slotted(row.table, name, row.text("bus"), MEMORY, slot_need(row), MEMORY))
    for name in choice.boards():
        row = guide.row("boards", name)
        purpose = ", ".join(row.list("role"))
        wanted.append(_Slotted(row.table, name, row.text("bus"), "", slot_need(row), purpose))
    slots = machine.slots
    taken: dict[str, set[int]] = {}
    counts: dict[str, int] = {}
    boards = []
    for want in wanted:
        used = taken.setdefault(want.bus, set())
        left = [n for n in free_for(slots, want.bus, want.role) if n not in used]
        # Slots that only this role can use go first, so that the others stay free for any board.
        shared = free_for(slots, want.bus, "")
        own = tuple(n for n in left if n not in shared)
        fitting = runs(own, want.need) or runs(tuple(left), want.need)
        if not fitting:
            return None
        used.update(fitting[0])
        counts[want.row] = counts.get(want.row, 0) + 1
        ident = f"{want.row}-{counts[want.row]}"
        boards.append(Board(ident, want.table, want.row, want.bus, fitting[0], want.purpose))
    return tuple(boards)


def assemble(
    machine: Machine,
    choice: Choice,
    boards: tuple[Board, ...],
    placement: Placement,
    lots: Mapping[str, Row],
    pools: tuple[Pool, ...],
    size_for: str,
    software: tuple[str, ...],
    manager: str,
) -> System:
    """The whole system; `lots` maps each placement lot to its device's row."""
    ids = {model: _ids(boards, model) for model in {b.model for b in boards}}
    ports: list[Port] = []
    for attachment in choice.attachments:
        feed = (next(ids[b]) for b in attachment.boards)
        ports.extend(attachment.ports(feed))
    channels, disks = _channels(machine, choice, boards, placement, lots)
    return System(
        id="primary",
        platform=machine.platform.id,
        processors=machine.processors,
        operating_system=machine.operating_system,
        memory_mb=choice.memory.size_mb,
        boards=boards,
        channels=channels,
        ports=tuple(ports),
        volumes=_layout(machine, choice.stores, pools, disks, size_for, manager),
        software=tuple(sorted(software)),
        accelerator=choice.accelerator.id if choice.accelerator else "",
        beside=choice.lines.beside,
        serial_lines=int(choice.lines.on_boards),
    )


def _ids(boards: tuple[Board, ...], model: str) -> Iterator[str]:
    return iter([b.id for b in boards if b.model == model])


def _channels(
    machine: Machine,
    choice: Choice,
    boards: tuple[Board, ...],
    placement: Placement,
    lots: Mapping[str, Row],
) -> tuple[tuple[Channel, ...], dict[str, list[str]]]:
    sources = channel_sources(machine, choice)
    providers = _providers(machine, choice, boards)
    counts: dict[str, int] = {}
    members: dict[str, list[str]] = {}
    seen: dict[str, int] = {}
    channels = []
    for (kind, _), provider, content in zip(sources, providers, placement.contents, strict=True):
        seen[provider] = number = seen.get(provider, 0) + 1
        numbered = provider == BUILTIN or number > 1
        ident = f"{provider}-{number}" if numbered else provider
        devices = tuple(_devices(content, lots, counts, members))
        channels.append(Channel(ident, kind, provider, devices))
    return tuple(channels), members


def _providers(machine: Machine, choice: Choice, boards: tuple[Board, ...]) -> Iterator[str]:
    """For each channel of a choice, the id of the board that brings it, or `builtin`."""
    for _ in machine.platform.list("builtin_disk_busses"):
        yield BUILTIN
    ids = {model: _ids(boards, model) for model in {b.model for b in boards}}
    for model in choice.boards():
        ident = next(ids[model])
        for _ in machine.guide.row("boards", model).list("disk_busses"):
            yield ident


def _devices(
    content: Content,
    lots: Mapping[str, Row],
    counts: dict[str, int],
    members: dict[str, list[str]],
) -> Iterator[Device]:
    for lot, number in content:
        row = lots[lot]
        for _ in range(number):
            counts[row.id] = counts.get(row.id, 0) + 1
            ident = f"{row.id}-{counts[row.id]}"
            members.setdefault(lot, []).append(ident)
            if row.table == "disks":
                yield Device(ident, "disk", row.table, row.id, lot)
            else:
                purpose = "backup" if "backup" in row.list("use") else ", ".join(row.list("use"))
                yield Device(ident, row.text("kind"), row.table, row.id, purpose)


def lot_name(pool: str, copy: int, copies: int) -> str:
    """The name of the disks that hold one copy of a pool."""
    return f"{pool} copy {copy + 1}" if copies > 1 else pool


def _layout(
    machine: Machine,
    chosen: tuple[Store, ...],
    pools: tuple[Pool, ...],
    disks: Mapping[str, list[str]],
    size_for: str,
    manager: str,
) -> tuple[Volume, ...]:
    by_pool = {pool.name: pool for pool in pools}
    volumes: list[Volume] = []
    for store in chosen:
        if store.host:
            continue
        capacity = machine.guide.row("disks", store.disk).number("capacity_mb")
        guests = [by_pool[s.pool] for s in chosen if s.host == store.pool]
        copies: dict[str, list[tuple[Part, ...]]] = {}
        for copy in range(store.copies):
            members = disks[lot_name(store.pool, copy, store.copies)]
            rooms = dict.fromkeys(members, capacity)
            for pool in guests:
                for volume in pool.volumes:
                    parts = _at_the_end(rooms, volume.size_mb.at(size_for))
                    copies.setdefault(volume.name, []).append(parts)
            share = dict(rooms)
            whole = sum(share.values()) or 1
            for volume in by_pool[store.pool].volumes:
                size = volume.size_mb.at(size_for)
                parts = tuple(Part(d, size * share[d] / whole) for d in members if share[d] > 0)
                copies.setdefault(volume.name, []).append(parts)
        for name, laid in copies.items():
            volumes.append(Volume(name, tuple(laid), manager if len(laid) > 1 else ""))
    return tuple(sorted(volumes))


def _at_the_end(rooms: dict[str, float], size_mb: float) -> tuple[Part, ...]:
    """Parts from the last disk backwards; `rooms` shrinks by what is taken."""
    parts = []
    left = size_mb
    for disk in reversed(list(rooms)):
        part = min(left, rooms[disk])
        if part > 0:
            parts.append(Part(disk, part))
            rooms[disk] -= part
            left -= part
    return tuple(reversed(parts))
