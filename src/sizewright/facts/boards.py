"""The facts of boards, their slots and busses, and of boxes that extend a bus."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from sizewright.configuration.model import Board, System
from sizewright.configuration.slots import Slot, SlotGroup, free_for, roles_of, slots_of
from sizewright.demand.model import sum_lines
from sizewright.demand.usage import UsageProfile
from sizewright.facts.fact import sum_known
from sizewright.facts.records import BoardFacts, BusFacts, ExpansionFacts, SlotsFacts
from sizewright.guide.model import Guide, Row, least_revision
from sizewright.load.lines import carriers, lines_on_boards, rate_in_sum
from sizewright.load.model import Load
from sizewright.quantity import Quantity, count

_SERIAL = "serial_lines"


def slots_facts(
    system: System, groups: Iterable[SlotGroup], guide: Guide
) -> tuple[SlotsFacts, ...]:
    """Return the slots of each bus; how many are used only if the boards are stated."""
    stated = "boards" not in system.unstated
    return tuple(
        SlotsFacts(
            group.name,
            count(sum(n for _, n in group.taken), "slots used", "slot") if stated else None,
            count(group.available, "slots there are", "slot"),
            count(_serial_boards(system, group.name, guide), "boards with serial lines")
            if stated else None,
        )
        for group in groups
    )  # fmt: skip


def _serial_boards(system: System, bus: str, guide: Guide) -> int:
    return sum(
        1 for b in system.boards
        if b.bus == bus and guide.row(b.table, b.model).list("role").count(_SERIAL)
    )  # fmt: skip


def board_facts(usage: UsageProfile, system: System, guide: Guide) -> Iterator[BoardFacts]:
    """Yield the facts of each board in the cage."""
    slots = slots_of(guide, system.platform, system.processors)
    kinds = carriers(guide)
    wide = usage.wide_lines
    lines = {} if wide is None else lines_on_boards(wide, system, guide)
    for board in system.boards:
        row = guide.row(board.table, board.model)
        need = row.find("slots_used")
        yield BoardFacts(
            id=board.id,
            model=board.model,
            bus=board.bus,
            roles=roles_of(row),
            first_slot=count(board.slots[0], "first slot") if board.slots else None,
            slots_taken=count(len(board.slots), "slots taken", "slot") if board.slots else None,
            slots_needed=need,
            lines_kbit_per_s=rate_in_sum(lines[board.id]) if board.id in lines else None,
            lines_limit_kbit_per_s=kinds[row.id].total if row.id in kinds else None,
            in_fitting_slots=_fits(board, row, system, slots) if board.slots else None,
            least_revision=least_revision(row, guide),
        )


def _fits(board: Board, row: Row, system: System, slots: Iterable[Slot]) -> bool:
    free = set(free_for(slots, board.bus, roles_of(row)))
    others = {
        number
        for other in system.boards
        if other.bus == board.bus and other.id != board.id
        for number in other.slots
    }
    return free.issuperset(board.slots) and others.isdisjoint(board.slots)


def expansion_facts(system: System, guide: Guide) -> Iterator[ExpansionFacts]:
    """Yield the facts of each box that extends a bus from one of its slots."""
    for box in system.expansions:
        carrier = guide.row("boards", box.carrier) if box.carrier else None
        rows = [guide.row(b.table, b.model) for b in box.boards]
        yield ExpansionFacts(
            id=box.id,
            bus=box.bus,
            needed_mb=sum_known(
                (row.find("address_space_mb") for row in (*rows, *((carrier,) if carrier else ()))),
                "MB",
            ),
            slot_mb=_slot_mb(box.bus, system, guide),
            boards=count(len(box.boards), "boards in the box"),
            masters_needed=_masters(rows),
            masters_provided=carrier.find_flag("provides_masters") if carrier else None,
        )


def _slot_mb(bus: str, system: System, guide: Guide) -> Quantity | None:
    """Return the address space of a slot of a bus; None if the slots differ."""
    spaces = [
        row.find("address_space_mb")
        for row in guide.table("platform-slots")
        if row.text("platform") == system.platform and row.text("bus") == bus
    ]
    sizes = {(space.low, space.high) if space else None for space in spaces}
    return spaces[0] if len(sizes) == 1 else None


def _masters(rows: list[Row]) -> Quantity | None:
    flags = [row.find_flag("requires_master") for row in rows]
    return None if None in flags else count(flags.count(True), "boards that lead transfers")


def bus_facts(system: System, load: Load, guide: Guide) -> tuple[BusFacts, ...]:
    """Return the facts of each I/O bus with boards on it."""
    rates: dict[str, Row] = {
        row.text("bus"): row
        for row in guide.table("platform-busses")
        if row.text("platform") == system.platform
    }
    return tuple(
        BusFacts(
            bus, sum_lines(lines, "MB/s"), rates[bus].find("sustained_mb_per_s") if bus in rates
            else None,
        )
        for bus, lines in load.busses.items()
    )  # fmt: skip
