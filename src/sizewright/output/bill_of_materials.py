"""What to order: every part of a system by quantity, in stages."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from math import inf
from operator import attrgetter
from typing import TYPE_CHECKING, NamedTuple

from sizewright.configuration.model import DISK, Board, Device, System
from sizewright.demand.model import Demand, Owned
from sizewright.errors import counted, enumerated, plural
from sizewright.evaluate.budgets import against_recommended
from sizewright.failure import budgets_at_worst
from sizewright.guide.model import Guide, Row, device_table
from sizewright.load.lines import OPTIONS
from sizewright.output.names import Names, group, listing, model_name, natural, words
from sizewright.output.trays import controllers_of_trays, trays_of
from sizewright.output.wording import quantity, span
from sizewright.planner.parts import Machine, can_attach
from sizewright.quantity import as_quantity, count

if TYPE_CHECKING:
    from sizewright.planner.stages import Stage
    from sizewright.sensitivity.thresholds import Exhaustion

_MODEL = attrgetter("model")
# Kinds of devices on the channels of a board, as its purpose.
_ATTACHED = {DISK: "disks", "tape": "tapes", "cd_rom": "CD-ROM", "optical": "optical drives"}


class OrderLine(NamedTuple):
    """A quantity of one part of a system; `kept` of them exist already and are carried forward.

    `place` has the slots of boards, or the channels of devices. Of disks `two_ports` must be within
    reach of a second system.
    """

    quantity: int
    kind: str
    table: str
    row: str
    name: str
    purpose: str
    kept: int = 0
    system: str = ""
    place: str = ""
    two_ports: int = 0

    def times(self, systems: int) -> OrderLine:
        """Return the line for a number of identical systems."""
        return self._replace(
            quantity=self.quantity * systems, kept=self.kept * systems,
            two_ports=self.two_ports * systems,
        )  # fmt: skip

    @property
    def used_for(self) -> str:
        """Return what it is for, and how many of those to be ordered have two ports."""
        new = min(self.two_ports, self.quantity - self.kept)
        return _joined((self.purpose, f"{new} with two ports" if new else ""))


def bill_of_materials(guide: Guide, demand: Demand, system: System) -> tuple[OrderLine, ...]:
    """Every line of the order: machine, boards, disks and tapes, software, what these need."""
    names = Names(guide, system)
    units = Counter(system.beside if not system.beside_of else ())
    lines = [
        _line(guide, 1, "platform", "platforms", system.platform, _equipment(system)),
        *_boards(guide, system),
        *_devices(guide, demand, system),
        *_cabinet(guide, system),
        *(
            _line(guide, number, "unit", OPTIONS, row, _lines_beside(guide, row, demand, system))
            for row, number in sorted(units.items())
        ),
        *_software(guide, demand, system),
    ]  # fmt: skip
    lines += _needs(guide, system, lines)
    return tuple(
        line._replace(system=system.id, place=_place(line, system, names)) for line in lines
    )


def _line(
    guide: Guide, quantity: int, kind: str, table: str, row: str, purpose: str, kept: int = 0
) -> OrderLine:
    name = model_name(guide, table, row)
    return OrderLine(quantity, kind, table, row, name, purpose, kept)


def _equipment(system: System) -> str:
    memory = span(as_quantity(system.memory_mb or 0, "MB"))
    return f"{counted(system.processors or 1, 'processor')}, {memory} MB memory"


def _lines_beside(guide: Guide, row: str, demand: Demand, system: System) -> str:
    """Return how many of all serial lines end on terminal servers, and how many ports each has."""
    ports = guide.row(OPTIONS, row).cell("lines")
    each = f", up to {ports.high:g} ports each" if ports else ""
    every = round(sum(line.number.high for line in demand.lines if line.kind == "serial"))
    on_boards = f"{every - system.serial_lines} of " if system.serial_lines else ""
    return f"{on_boards}{counted(every, 'serial line')}{each}"


def board_purpose(boards: Iterable[Board], system: System) -> str:
    """What boards of a model are there for: their networks, their disks, or their purpose."""
    ids = {board.id: board for board in boards}
    networks = [port.id for port in system.ports if port.provider in ids]
    found = [f"network {listing(networks)}"] if networks else []
    channels = [channel for channel in system.channels if channel.provider in ids]
    kinds_there = {device.kind for channel in channels for device in channel.devices}
    if attached := [what for kind, what in _ATTACHED.items() if kind in kinds_there]:
        found.append(enumerated(attached))
    purposes = [", ".join(map(words, board.purpose.split(", "))) for board in ids.values()]
    return "; ".join(found) or _joined(purposes)


def _boards(guide: Guide, system: System) -> Iterator[OrderLine]:
    for model, boards in group(system.boards, _MODEL).items():
        purpose = board_purpose(boards, system)
        yield _line(guide, len(boards), "board", boards[0].table, model, purpose)


def _devices(guide: Guide, demand: Demand, system: System) -> Iterator[OrderLine]:
    """The system's own devices; those of another system are ordered with that one."""
    kept = Counter(demand.owned)
    own = (device for device in system.devices() if not device.owner)
    devices = sorted(own, key=lambda d: (d.kind != "disk", d.kind, d.model))
    for model, alike in group(devices, _MODEL).items():
        first = alike[0]
        stored = _stored_on(alike, system)
        purposes = [", ".join(stored)] if stored else [words(d.purpose) for d in alike]
        line = _line(
            guide, len(alike), first.kind, first.table, model, _joined(purposes),
            min(kept[model], len(alike)),
        )  # fmt: skip
        yield line._replace(two_ports=_ported(alike))


def _ported(devices: Iterable[Device]) -> int:
    return sum(device.dual_ported is True for device in devices)


class OwnedLine(NamedTuple):
    """How many of the existing devices of a model have data, have none, or are not used.

    `purpose` is what they are used for, `why` the reason that some are not used. Of those used
    `two_ports` must be within reach of a second system.
    """

    system: str
    table: str
    row: str
    name: str
    quantity: int
    with_data: int
    without_data: int
    unused: int
    purpose: str
    why: str
    two_ports: int = 0


def owned_lines(guide: Guide, demand: Demand, system: System) -> tuple[OwnedLine, ...]:
    """Return what becomes of each model of devices that exist."""
    return tuple(_owned_line(guide, each, system) for each in demand.carry_forward)


def _owned_line(guide: Guide, owned: Owned, system: System) -> OwnedLine:
    row = guide.row(device_table(guide, owned.device), owned.device)
    there = [d for d in system.devices() if (d.table, d.model) == (row.table, row.id)]
    stored = _stored_on(there, system)
    with_data = sum(d.kind != DISK or bool(_stored_on([d], system)) for d in there)
    used = min(owned.number, len(there))
    name = model_name(guide, row.table, row.id)
    machine = Machine(
        guide, guide.row("platforms", system.platform), system.processors or 1,
        system.operating_system,
    )  # fmt: skip
    why = ""
    if used < owned.number:
        why = "the order would not be smaller with them"
        if not can_attach(machine, row):
            why = f"{machine.platform.text('name')} has no channel for them"
    filled_here = min(used, with_data)
    return OwnedLine(
        system.id, row.table, row.id, name, owned.number, filled_here, used - filled_here,
        owned.number - used, ", ".join(stored), why,
        max(0, _ported(there) - (len(there) - used)),
    )  # fmt: skip


def _stored_on(devices: Iterable[Device], system: System) -> list[str]:
    """The names of the volumes on some devices, those of another system too."""
    ids = {device.id for device in devices}
    volumes = (*system.volumes, *system.other_volumes)
    return sorted((v.name for v in volumes if not ids.isdisjoint(v.disks)), key=natural)


def _cabinet(guide: Guide, system: System) -> Iterator[OrderLine]:
    """The cabinet for more controllers than a machine can have without one (2.4.3)."""
    trays = trays_of(guide, system)
    for tray, needed in controllers_of_trays(guide, system, lambda _: True).items():
        most = guide.row("trays", tray).number("controllers_without_expansion_cabinet")
        if needed > most:
            purpose = f"{needed} trays; the machine has room for {most:g}"
            if trays[tray] <= most:
                purpose = f"{needed} string controllers; without it there are {most:g} at most"
            yield OrderLine(1, "unit", "trays", tray, "expansion cabinet", purpose)


def _software(guide: Guide, demand: Demand, system: System) -> Iterator[OrderLine]:
    if system.operating_system:
        row = system.operating_system
        yield _line(guide, 1, "software", "operating-systems", row, "operating system")
    for row in system.software:
        purpose = _managed(row, system) or words(guide.row("software", row).text("kind"))
        yield _line(guide, 1, "software", "software", row, purpose)
    for need in dict.fromkeys(need for service in demand.services for need in service.needs):
        giving = [row.id for row in guide.table("software") if need in row.list("gives")]
        if giving:
            yield _line(guide, 1, "software", "software", giving[0], words(need))


def _managed(row: str, system: System) -> str:
    """Return what a volume manager does with the disks of its volumes; empty if it has none."""
    copies = [v.copies for v in (*system.volumes, *system.other_volumes) if v.manager == row]
    mirrors = any(len(each) > 1 for each in copies)
    joins = any(len({part.disk for part in copy}) > 1 for each in copies for copy in each)
    does = [*["mirrors"] * mirrors, *["joins"] * joins]
    return f"{enumerated(does)} disks" if does else ""


def _needs(guide: Guide, system: System, lines: list[OrderLine]) -> Iterator[OrderLine]:
    """Parts that interfaces and software need and that nothing above supplies."""
    there = {line.row for line in lines}
    wanted: dict[str, list[str]] = {}
    for port in system.ports:
        for need in guide.row("network-interfaces", port.interface).list("needs"):
            wanted.setdefault(need, []).append(f"network {port.id}")
    owners: list[Row] = [guide.row("software", name) for name in system.software]
    if system.operating_system:
        owners.append(guide.row("operating-systems", system.operating_system))
    for owner in owners:
        for need in owner.list("needs"):
            wanted.setdefault(need, []).append(owner.text("name"))
    for need, owners_of in wanted.items():
        if need not in there:
            table = next((t for t in guide.tables if need in guide.table(t).rows), "")
            quantity = len([o for o in owners_of if o.startswith("network ")]) or 1
            yield _line(guide, quantity, "need", table, need, _joined(owners_of))


def _joined(texts: Iterable[str]) -> str:
    return "; ".join(dict.fromkeys(filter(None, texts)))


def _place(line: OrderLine, system: System, names: Names) -> str:
    """Return the slots of the boards of a model, or the channels of its devices."""
    if line.kind == "board":
        boards = [b for b in system.boards if (b.table, b.model) == (line.table, line.row)]
        return _joined(names.slots(board) for board in boards if board.slots)
    found = Counter(
        names.channel(channel) for channel in system.channels for device in channel.devices
        if (device.table, device.model) == (line.table, line.row) and not device.owner
    )  # fmt: skip
    return "; ".join(f"{name}: {count}" for name, count in found.items())


def order_rows(lines: Iterable[OrderLine]) -> list[tuple[str, str, str]]:
    """Return the lines with something to order as cells: quantity, part, purpose."""
    return [
        (str(line.quantity - line.kept), line.name, line.used_for)
        for line in lines if line.kept < line.quantity
    ]  # fmt: skip


class StageOrder(NamedTuple):
    """What to add in a stage: parts, memory and processors, of all identical `systems`.

    `slots` of each stay free for boards of later stages, by bus, and places for `devices` by
    channel. `limit` is the resource that reaches its limit first, `recommended` the one that
    reaches a recommended limit first that the whole plan keeps; None if none does in a hundred
    years.
    """

    stage: Stage
    lines: tuple[OrderLine, ...]
    memory_mb: float
    processors: int
    slots: tuple[tuple[str, tuple[int, ...]], ...]
    devices: tuple[tuple[str, int], ...]
    limit: Exhaustion | None
    systems: int = 1
    recommended: Exhaustion | None = None

    @property
    def years(self) -> float:
        """Return the years of growth after which it is to be bought."""
        return self.stage.years

    @property
    def until(self) -> float:
        """Return the years until a limit is reached, also a recommended one that the plan keeps."""
        ends = (each.years for each in (self.limit, self.recommended) if each is not None)
        return min((years for years in ends if years is not None), default=inf)

    @property
    def adds_something(self) -> bool:
        """Return whether there is anything to buy."""
        return bool(self.lines or self.memory_mb or self.processors)

    @property
    def to_add(self) -> list[tuple[str, str, str]]:
        """Return what to buy as cells: quantity, part, purpose."""
        lines = order_rows(self.lines)
        if self.years and self.memory_mb:
            more = quantity(count(self.memory_mb / self.systems, "memory", "MB"))
            times = str(self.systems) if self.systems > 1 else ""
            lines.append((times, f"{more} of memory", "more memory"))
        if self.years and self.processors:
            lines.append((str(self.processors), plural(self.processors, "processor"), ""))
        return lines or [("", "nothing", "")]


def stage_orders(
    stages: Sequence[Stage], guide: Guide, end: str, systems: int = 1
) -> tuple[StageOrder, ...]:
    """Return what to add in each stage of identical systems; together it is their order."""
    from sizewright.sensitivity.thresholds import reaches

    found = []
    bill: tuple[OrderLine, ...] = ()
    before: System | None = None
    memory_mb, processors = 0.0, 0
    final = stages[-1].judged
    # The rules of recommended limits that the whole plan exceeds.
    exceeded = {
        budget.limit_rule for budget in against_recommended(final.budgets) if budget.is_over(end)
    }
    for stage in stages:
        system = stage.judged.system
        assert isinstance(system.memory_mb, (int, float))
        budgets = budgets_at_worst(stage.judged.budgets, stage.tightest_failure, end)
        wished = against_recommended(budgets)
        kept = [budget for budget in wished if budget.limit_rule not in exceeded]
        whole = bill_of_materials(guide, stage.demand, system)
        # New boards and devices are for what is on them, not for what is on all of their model.
        new = _without(before, system)
        attached = (*_boards(guide, new), *_devices(guide, stage.demand, new))
        purposes = {_part(line): line.purpose for line in attached}
        boards = {board.id for board in system.boards}
        later = group(
            (b for b in final.system.boards if b.id not in boards), lambda board: board.bus
        )
        places = {each.id: len(each.devices) for each in system.channels}
        found.append(StageOrder(
            stage, tuple(
                line.times(systems)._replace(purpose=purposes.get(_part(line), line.purpose))
                for line in _added(bill, whole)
            ),
            (system.memory_mb - memory_mb) * systems,
            ((system.processors or 0) - processors) * systems,
            tuple(
                (bus, tuple(sorted(slot for board in alike for slot in board.slots)))
                for bus, alike in sorted(later.items())
            ),
            tuple(
                (each.id, len(each.devices) - places[each.id]) for each in final.system.channels
                if len(each.devices) > places.get(each.id, len(each.devices))
            ),
            next(iter(reaches(budgets, end)), None), systems,
            next(iter(reaches(kept, end)), None),
        ))  # fmt: skip
        bill, memory_mb, processors = whole, system.memory_mb, system.processors or 0
        before = system
    return tuple(found)


def _added(before: Iterable[OrderLine], after: Iterable[OrderLine]) -> Iterator[OrderLine]:
    """Yield the lines of an order that an earlier one does not have, or not as many of."""
    had = {_part(line): line for line in before}
    for line in after:
        earlier = had.get(_part(line))
        more = line.quantity - (earlier.quantity if earlier else 0)
        if more > 0:
            kept, ported = (earlier.kept, earlier.two_ports) if earlier else (0, 0)
            yield line._replace(
                quantity=more, kept=line.kept - kept, two_ports=line.two_ports - ported
            )


def _part(line: OrderLine) -> tuple[str, ...]:
    """Return what the same part has in every order."""
    return line.kind, line.table, line.row, line.name


def _without(before: System | None, system: System) -> System:
    """Return a system without the boards and devices that an earlier one has."""
    if before is None:
        return system
    there = {board.id for board in before.boards} | {device.id for device in before.devices()}
    boards = tuple(board for board in system.boards if board.id not in there)
    return system.with_devices(lambda device: device.id not in there)._replace(boards=boards)
