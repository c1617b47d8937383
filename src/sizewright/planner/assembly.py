"""Builds a system of the planner's choices: boards in slots, devices on channels, volumes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

from sizewright.configuration.model import Board, Channel, Device, Extent, Port, System, Volume
from sizewright.configuration.slots import Run, pack_boards, roles_of, slot_need
from sizewright.demand.rates import LineDemand
from sizewright.guide.model import Row
from sizewright.load.disk_work import joined_by
from sizewright.planner.choice import PartialSolution, Step
from sizewright.planner.connections import Attachment, boards_for_printers
from sizewright.planner.filling import Content
from sizewright.planner.parts import BUILTIN, Machine
from sizewright.planner.placement import Placement
from sizewright.planner.pools import Pool, title
from sizewright.planner.storage import Store

# The roles of boards with ports for lines and for printers.
_SERIAL_LINES, _PRINTER_INTERFACE = "serial_lines", "printer_interface"


def boards_of(machine: Machine, choice: PartialSolution) -> tuple[str, ...]:
    """Rows of all boards in slots, memory boards apart.

    Those chosen for networks, writes and lines come first, in this order; then those of the base
    that serve for none of these, and the adapters that are added to them. A choice that goes
    further never results in fewer boards.
    """
    if machine.plain:
        return choice.boards()
    networks = [row for row, _ in dict.fromkeys(port_boards(machine, choice.attachments))]
    networks = [row for row in networks if row != BUILTIN]
    lines = choice.lines.boards
    accelerators = _accelerators(machine, choice, (*networks, *lines))
    wanted = (*networks, *accelerators, *lines)
    base = Counter(machine.base) - Counter(wanted)
    return (*wanted, *base.elements(), *choice.adapters)


def _accelerators(
    machine: Machine, choice: PartialSolution, chosen: tuple[str, ...]
) -> tuple[str, ...]:
    """The accelerator's board; where it goes onto other boards, one on each of these."""
    if choice.accelerator is None:
        return ()
    board = choice.accelerator.text("board")
    below = machine.guide.row("boards", board).text("bus")
    others = (Counter(machine.base) | Counter(chosen)) + Counter(choice.adapters)
    return (board,) * max(1, others[below])


def fewest_added(machine: Machine, attachment: Attachment) -> tuple[str, ...]:
    """The boards that an attachment adds to any choice, as far as none can spare them.

    Earlier ones may leave all but one port of a board, and the base brings ports of its own.
    """
    if machine.plain:
        return attachment.boards
    on_boards = Counter(attachment.boards)
    whole = (
        board for board, n in on_boards.items()
        for _ in range(n // machine.ports(attachment.interface, board))
    )  # fmt: skip
    return left_over(machine, whole)


def left_over(machine: Machine, boards: Iterable[str]) -> tuple[str, ...]:
    """Those of some boards that the base has not."""
    if not machine.base:
        return tuple(boards)
    return tuple((Counter(boards) - Counter(machine.base)).elements())


def really_added(machine: Machine, choice: PartialSolution, step: Step) -> Step:
    """A step with as many boards as it adds to the choices made."""
    more = len(boards_of(machine, choice.after(step))) - len(boards_of(machine, choice))
    return step._replace(boards=("",) * more)


def port_boards(machine: Machine, attachments: Iterable[Attachment]) -> Iterator[tuple[str, int]]:
    """For each port of all attachments its board's row, and which of these boards it is.

    Ports of one interface fill one board after another; those of the platform itself have none.
    """
    used: Counter[tuple[str, str]] = Counter()
    begun: Counter[str] = Counter()
    current: dict[tuple[str, str], int] = {}
    for attachment in attachments:
        for provider in attachment.providers:
            if provider == BUILTIN:
                yield BUILTIN, 0
                continue
            kind = (attachment.interface, provider)
            if used[kind] % machine.ports(*kind) == 0:
                current[kind] = begun[provider]
                begun[provider] += 1
            used[kind] += 1
            yield provider, current[kind]


def channel_sources(machine: Machine, choice: PartialSolution) -> tuple[tuple[str, str], ...]:
    """The channels that a choice has: (kind, provider row or `builtin`), built-in ones first."""
    found = [(kind, BUILTIN) for kind in machine.platform.list("builtin_disk_busses")]
    for board in boards_of(machine, choice):
        row = machine.guide.row("boards", board)
        found += [(kind, board) for kind in machine.channels(row)]
    return tuple(found)


def _rows(machine: Machine, choice: PartialSolution) -> list[Row]:
    guide = machine.guide
    return [
        *(guide.row("memory-boards", name) for name in choice.memory.boards),
        *(guide.row("boards", name) for name in boards_of(machine, choice)),
    ]


def packed(machine: Machine, choice: PartialSolution) -> list[Run] | None:
    """A run of slots for each board of a choice, which may not be all; None if too few are free."""
    return pack_boards([machine.places(row) for row in _rows(machine, choice)])


def slots_left(machine: Machine, choice: PartialSolution) -> Mapping[str, int]:
    """How many slots each group has left at most beside the boards of a choice."""
    left = dict(machine.free_slots)
    for name, number in Counter(choice.memory.boards).items():
        row = machine.guide.row("memory-boards", name)
        for group, taken in machine.least_taken(row, number).items():
            left[group] -= taken
    for board in boards_of(machine, choice):
        groups, need = slots_taken(machine, board)
        for group in groups:
            left[group] -= need
    return left


def slots_taken(machine: Machine, board: str) -> tuple[tuple[str, ...], int]:
    """The groups of slots of which a board takes some, and how many."""
    row = machine.guide.row("boards", board)
    return machine.groups(row), slot_need(row)


def has_carriers(machine: Machine, choice: PartialSolution) -> bool:
    """Whether there is a board for each that goes onto another."""
    rows = [machine.guide.row("boards", name) for name in boards_of(machine, choice)]
    onto = {bus for row in rows if (bus := row.text("bus")) in machine.guide.table("boards").rows}
    return onto <= {row.id for row in rows}


def slotted(
    machine: Machine, choice: PartialSolution, runs: Sequence[Run], lines: Iterable[LineDemand]
) -> tuple[Board, ...]:
    """Every board in its run of slots; of the roles of one with ports, those that `lines` need."""
    counts: dict[str, int] = {}
    # Others end on ports of the platform's own, and on terminal servers.
    serial = choice.lines.on_boards > machine.platform.number("serial_ports")
    printing = boards_for_printers(machine, lines)
    boards = []
    for row, (bus, slots) in zip(_rows(machine, choice), runs, strict=True):
        counts[row.id] = counts.get(row.id, 0) + 1
        roles = roles_of(row)
        uses = {_SERIAL_LINES: serial, _PRINTER_INTERFACE: row.id in printing}
        purpose = ", ".join([role for role in roles if uses.get(role, True)] or roles)
        ident = f"{row.id}-{counts[row.id]}"
        boards.append(Board(ident, row.table, row.id, bus, slots, purpose))
    return tuple(boards)


def assemble(
    machine: Machine,
    choice: PartialSolution,
    boards: tuple[Board, ...],
    placement: Placement,
    rows: Mapping[str, Row],
    pools: Mapping[str, Pool],
    size_for: str,
    software: tuple[str, ...],
    manager: str,
) -> System:
    """The whole system; `rows` maps each group of devices to its row."""
    providers = iter(_port_providers(machine, choice, boards))
    ports: list[Port] = []
    for attachment in choice.attachments:
        ports.extend(attachment.ports(providers))
    ported = {name for name, pool in pools.items() if pool.dual_ported}
    channels, disks = _channels(machine, choice, boards, placement, rows, ported)
    volumes = _layout(machine, choice.stores, pools, disks, size_for, manager)
    return System(
        id="primary",
        platform=machine.platform.id,
        processors=machine.processors,
        operating_system=machine.operating_system,
        memory_mb=choice.memory.size_mb,
        boards=boards,
        channels=channels,
        ports=tuple(ports),
        volumes=volumes,
        software=tuple(sorted({*software, *(v.manager for v in volumes if v.manager)})),
        accelerator=choice.accelerator.id if choice.accelerator else "",
        beside=choice.lines.beside,
        serial_lines=int(choice.lines.on_boards),
    )


def _ids(boards: tuple[Board, ...], model: str) -> list[str]:
    return [b.id for b in boards if b.model == model]


def _port_providers(
    machine: Machine, choice: PartialSolution, boards: tuple[Board, ...]
) -> Iterator[str]:
    """For each port of a choice, the id of its board, or `builtin`."""
    for model, number in port_boards(machine, choice.attachments):
        yield BUILTIN if model == BUILTIN else _ids(boards, model)[number]


def _channels(
    machine: Machine,
    choice: PartialSolution,
    boards: tuple[Board, ...],
    placement: Placement,
    rows: Mapping[str, Row],
    ported: Collection[str],
) -> tuple[tuple[Channel, ...], dict[str, list[str]]]:
    sources = channel_sources(machine, choice)
    second = {
        lot_name(store.pool, copy, store.copies)
        for store in choice.stores if any(name in ported for name in _on(store, choice.stores))
        for copy in range(store.copies)
    }  # fmt: skip
    purposes = {
        lot_name(store.pool, copy, store.copies): lot_name(
            _purpose(store, choice.stores), copy, store.copies
        )
        for store in choice.stores for copy in range(store.copies)
    }  # fmt: skip
    providers = tuple(_providers(machine, choice, boards))
    counts: dict[str, int] = {}
    members: dict[str, list[str]] = {}
    seen: dict[str, int] = {}
    channels = []
    for (kind, _), provider, content in zip(sources, providers, placement.contents, strict=True):
        seen[provider] = number = seen.get(provider, 0) + 1
        numbered = provider == BUILTIN or providers.count(provider) > 1
        ident = f"{provider}-{number}" if numbered else provider
        devices = tuple(_devices(content, rows, counts, members, second, purposes))
        channels.append(Channel(ident, kind, provider, devices))
    return tuple(channels), members


def _on(disks: Store, stores: Iterable[Store]) -> tuple[str, ...]:
    """The pools that tell what disks are: their own, or those of guests if they have none."""
    guests = (name for store in stores if store.host == disks.pool for name in store.pools)
    return disks.pools or tuple(guests)


def _purpose(disks: Store, stores: Iterable[Store]) -> str:
    """What disks are there for: their first pool, or the first of their guests."""
    return title(_on(disks, stores) or ("no data",))


def _providers(
    machine: Machine, choice: PartialSolution, boards: tuple[Board, ...]
) -> Iterator[str]:
    """For each channel of a choice, the id of the board that brings it, or `builtin`."""
    for _ in machine.platform.list("builtin_disk_busses"):
        yield BUILTIN
    ids = {model: iter(_ids(boards, model)) for model in {b.model for b in boards}}
    for model in boards_of(machine, choice):
        ident = next(ids[model])
        for _ in machine.channels(machine.guide.row("boards", model)):
            yield ident


def _devices(
    content: Content,
    rows: Mapping[str, Row],
    counts: dict[str, int],
    members: dict[str, list[str]],
    second: Collection[str],
    purposes: Mapping[str, str],
) -> Iterator[Device]:
    for group, number in content:
        row = rows[group]
        for _ in range(number):
            counts[row.id] = counts.get(row.id, 0) + 1
            ident = f"{row.id}-{counts[row.id]}"
            members.setdefault(group, []).append(ident)
            if row.table == "disks":
                ported = group in second
                yield Device(ident, "disk", row.table, row.id, purposes[group], dual_ported=ported)
            else:
                purpose = "backup" if "backup" in row.list("use") else ", ".join(row.list("use"))
                yield Device(ident, row.text("kind"), row.table, row.id, purpose)


def lot_name(pool: str, copy: int, copies: int) -> str:
    """The name of the disks that hold one copy of a pool."""
    return f"{pool} copy {copy + 1}" if copies > 1 else pool


def _layout(
    machine: Machine,
    chosen: tuple[Store, ...],
    pools: Mapping[str, Pool],
    disks: Mapping[str, list[str]],
    size_for: str,
    manager: str,
) -> tuple[Volume, ...]:
    copies: dict[str, list[tuple[Extent, ...]]] = {}
    for store in chosen:
        if store.host:
            continue
        guests = [(s.at, pools[name]) for s in chosen if s.host == store.pool for name in s.pools]
        every = (*((None, pools[name]) for name in store.pools), *guests)
        for copy in range(store.copies):
            members = disks[lot_name(store.pool, copy, store.copies)]
            for at, volume in ((at, v) for at, pool in every for v in pool.volumes):
                on = members if at is None else [members[~at]]
                part = volume.size_mb.at(size_for) / len(on)
                copies.setdefault(volume.name, []).append(tuple(Extent(disk, part) for disk in on))
    needs = {volume.name: volume for pool in pools.values() for volume in pool.volumes}
    return tuple(
        joined_by(Volume(name, tuple(laid)), needs[name], manager, machine.guide)
        for name, laid in sorted(copies.items())
    )
