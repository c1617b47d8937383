"""The facts of networks, boards, their slots and busses, and of boxes that extend a bus."""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator
from dataclasses import replace
from typing import Any

from sizewright.configuration.model import Board, System
from sizewright.configuration.slots import (
    SlotGroup,
    free_for,
    roles_of,
    slot_groups,
    slots_of,
    spans,
)
from sizewright.demand.rates import sum_lines
from sizewright.demand.usage import NetworkUse, UsageProfile
from sizewright.facts.records import BoardFacts, BusFacts, ExpansionFacts, NetworkFacts, SlotsFacts
from sizewright.guide.model import UNKNOWN, Guide, Row, effective_kb_per_s, least_revision
from sizewright.load.lines import carriers, lines_on_boards, rates_of
from sizewright.load.model import Load
from sizewright.load.network_traffic import (
    interface_of,
    interface_ops,
    is_limited_by_stack,
    medium_kb_per_s,
    medium_ops,
)
from sizewright.quantity import Quantity, count, smallest, sum_known, total


def slots_facts(
    system: System, groups: Iterable[SlotGroup], guide: Guide
) -> tuple[SlotsFacts, ...]:
    """Return the slots of each bus; how many are used only if the boards are stated."""
    stated = "boards" not in system.unstated
    rows = ((board.bus, guide.row(board.table, board.model)) for board in system.boards)
    serial = Counter(bus for bus, row in rows if "serial_lines" in row.list("role"))
    return tuple(
        SlotsFacts(
            group.name,
            count(sum(n for _, n in group.taken), "slots used", "slot") if stated else None,
            total((_slots_in(row, n, guide) for row, n in group.rows), "slot"),
            count(serial[group.name], "boards with serial lines") if stated else None,
            processors_for_slots=_processors_for_slots(system, group, guide) if stated else None,
        )
        for group in groups
    )  # fmt: skip


def _slots_in(row: str, number: int, guide: Guide) -> Quantity:
    """Return how many slots a row of `platform-slots` has, from where the guide has the row."""
    source = guide.row("platform-slots", row).require("last").source
    found = count(number, f"slots of {row}", "slot")
    return found if source is None else replace(found, source=source._replace(kind="count"))


def _processors_for_slots(system: System, full: SlotGroup, guide: Guide) -> Quantity | None:
    """Return the most processors that leave a bus the slots that it lacks; None if it lacks none.

    None if no smaller number of processors leaves enough.
    """
    if system.processors is None or full.free >= 0:
        return None
    counts = map(int, guide.row("platforms", system.platform).list("processor_counts"))
    enough = [
        number for number in counts if number < system.processors
        for group in slot_groups(guide, system._replace(processors=number))
        if group.name == full.name and group.free >= 0
    ]  # fmt: skip
    return count(max(enough), "processors with which the slots are enough") if enough else None


def board_facts(usage: UsageProfile, system: System, guide: Guide) -> Iterator[BoardFacts]:
    """Yield the facts of each board in the cage."""
    slots = slots_of(guide, system.platform, system.processors)
    kinds = carriers(guide)
    wide = usage.wide_lines
    lines = {} if wide is None else lines_on_boards(wide, system, guide)
    rates = {name: rates_of(on_it) for name, on_it in lines.items()}
    for board in system.boards:
        row = guide.row(board.table, board.model)
        fitting = free_for(slots, board.bus, roles_of(row))
        beside = [b for b in system.boards if b.bus == board.bus and b.id != board.id]
        wanted = {*fitting, *board.slots}
        yield BoardFacts(
            id=board.id,
            model=board.model,
            bus=board.bus,
            roles=roles_of(row),
            first_slot=count(board.slots[0], "first slot") if board.slots else None,
            slots_taken=count(len(board.slots), "slots taken", "slot") if board.slots else None,
            slots_needed=row.cell("slots_used"),
            lines_kbit_per_s=sum_lines(rates.get(board.id), "Kb/s"),
            lines_limit_kbit_per_s=kinds[row.id].total if row.id in kinds else None,
            in_fitting_slots=_fits(board, beside, fitting if slots else None),
            fitting_slots=spans(fitting) if slots else None,
            boards_in_its_way=tuple(b.id for b in beside if not wanted.isdisjoint(b.slots)),
            least_revision=least_revision(row, guide),
        )


def _fits(board: Board, beside: Iterable[Board], fitting: Collection[int] | None) -> bool | None:
    """Return whether a board is alone in slots that take it; None if they are not known."""
    if not board.slots:
        return None
    if any(not set(other.slots).isdisjoint(board.slots) for other in beside):
        return False
    return None if fitting is None else set(fitting).issuperset(board.slots)


def expansion_facts(system: System, guide: Guide) -> Iterator[ExpansionFacts]:
    """Yield the facts of each box that extends a bus from one of its slots."""
    for box in system.expansions:
        carrier = guide.row("boards", box.carrier) if box.carrier else None
        rows = [guide.row(b.table, b.model) for b in box.boards]
        claiming = [*rows, carrier] if carrier else rows
        flags = [row.get_flag("requires_master") for row in rows]
        yield ExpansionFacts(
            id=box.id,
            bus=box.bus,
            needed_mb=sum_known((row.cell("address_space_mb") for row in claiming), "MB"),
            slot_mb=_slot_mb(box.bus, system, guide),
            boards=count(len(box.boards), "boards in the box"),
            masters_needed=None
            if None in flags
            else count(flags.count(True), "boards that lead transfers"),
            masters_provided=carrier.get_flag("provides_masters") if carrier else None,
        )


def _slot_mb(bus: str, system: System, guide: Guide) -> Quantity | None:
    """Return the address space of a slot of a bus; None if the slots differ."""
    rows = guide.table("platform-slots").by("platform", "bus").get((system.platform, bus), ())
    spaces = [row.cell("address_space_mb") for row in rows]
    sizes = {(space.low, space.high) if space else None for space in spaces}
    return spaces[0] if len(sizes) == 1 else None


def bus_facts(system: System, load: Load, guide: Guide) -> tuple[BusFacts, ...]:
    """Return the facts of each I/O bus with boards on it."""
    rows = guide.table("platform-busses").by("platform").get((system.platform,), ())
    rates = {row.text("bus"): row.cell("sustained_mb_per_s") for row in rows}
    return tuple(
        BusFacts(bus, sum_lines(lines, "MB/s"), rates.get(bus))
        for bus, lines in load.busses.items()
    )


def ports_facts(system: System, load: Load, guide: Guide) -> Iterator[NetworkFacts]:
    """Yield the facts of each network that a system has a port on."""
    segments, uses = Counter(port.network for port in system.ports), load.usage.networks
    for port in system.ports:
        own = uses.get(port.id)
        yield network_facts(
            port.id,
            interface_of(port, guide),
            own or uses.get(port.network),
            1 if own else segments[port.network],
            sum_lines(load.networks[port.id], "op/s"),
            guide,
            sum_lines(load.on_wire(port.id), "KB/s"),
            sum_lines(load.wire_ops.get(port.id), "op/s"),
        )


def network_facts(
    name: str,
    interface: Row,
    use: NetworkUse | None,
    segments: int,
    ops: Quantity | None,
    guide: Guide,
    data: Quantity | None,
    shared: Quantity | None = None,
) -> NetworkFacts:
    """Return the facts of one of the networks that a community is divided over evenly.

    `ops` are the NFS operations of the system in op/s, `shared` those of all systems if others have
    some. `data` is all its data in KB/s. Its capacity depends on rules and is not known yet.
    """
    medium, use = guide.row("network-media", interface.text("medium")), use or NetworkUse()
    found = NetworkFacts(
        id=name,
        medium=interface.text("medium"),
        interface=interface.id,
        interface_kind=interface.text("interface_kind"),
        keep_medium=use.keep_medium,
        fastest_response=use.fastest_response,
        large_packets=use.large_packets,
        interface_needs=interface.list("needs"),
        diskless_clients=_each(use.diskless_clients, segments),
        clients=_each(use.clients, segments),
        nfs_ops_per_s=ops,
        interface_ops_per_s=interface_ops(interface, guide),
        shared_ops_per_s=shared,
        medium_ops_per_s=None if shared is None else medium_ops(medium, guide),
        data_kb_per_s=data,
        effective_kb_per_s=effective_kb_per_s(medium),
        medium_kb_per_s=medium_kb_per_s(medium),
        limited_by_stack=is_limited_by_stack(interface, guide),
        latency_ms=_typical_ms(interface),
        least_latency_ms=_least_latency_ms(guide, use.medium),
    )
    return found if interface.id != UNKNOWN else found._replace(
        medium=None, interface=None, interface_kind=None, interface_needs=None,
        limited_by_stack=None,
    )  # fmt: skip


def stack_facts(carried: Iterable[tuple[Row, Quantity | None]], guide: Guide) -> dict[str, Any]:
    """Return the facts of the data that passes the protocol stack of a system (Table 10).

    `carried` are its interfaces, each with the KB/s that it passes. Only data of media that the
    stack limits counts, over all their networks in sum.
    """
    limited = [(row, data) for row, data in carried if is_limited_by_stack(row, guide)]
    speeds = [
        speed for row in {row.text("medium"): row for row, _ in limited}.values()
        if (speed := effective_kb_per_s(guide.row("network-media", row.text("medium")))) is not None
    ]  # fmt: skip
    if not limited or not speeds:
        return {}
    whole = sum_known((data for _, data in limited), "KB/s")
    return {"stack_kb_per_s": whole, "stack_limit_kb_per_s": smallest(*speeds)}


def _each(clients: Quantity | None, segments: int) -> Quantity | None:
    if clients is None or segments == 1:
        return clients
    return clients / count(segments, "networks")


def _typical_ms(interface: Row) -> Quantity | None:
    """Return the middle of the range of latencies of an interface; None if none is known."""
    latency = interface.cell("latency_ms")
    return count(latency.likely, f"typical latency of {interface.id}", "ms") if latency else None


def _least_latency_ms(guide: Guide, medium: str | None) -> Quantity | None:
    """Return the least typical latency of interfaces for a medium, or for any if it is empty."""
    if medium is None:
        return None
    known = [
        found
        for row in guide.table("network-interfaces")
        if medium in ("", row.text("medium")) and (found := _typical_ms(row))
    ]
    return min(known, key=lambda each: each.likely) if known else None
