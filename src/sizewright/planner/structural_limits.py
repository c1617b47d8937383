"""What a machine lacks for a workload whatever the load: media, ports for lines, room for data."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator
from math import inf
from operator import attrgetter
from typing import NamedTuple

from sizewright.configuration.model import DISK, SYSTEM
from sizewright.demand.model import Demand
from sizewright.demand.rates import LineDemand
from sizewright.demand.usage import usage_of
from sizewright.errors import counted, plural
from sizewright.evaluate.limits import applying, least_limit
from sizewright.facts.records import blank
from sizewright.facts.storage import file_system_share, only_files
from sizewright.formula import quantity_text, size_texts
from sizewright.guide.model import Row, device_table, rated_platforms
from sizewright.load.disk_work import cost_ms
from sizewright.load.model import processor_second
from sizewright.planner.connections import line_boards
from sizewright.planner.devices import removable_media
from sizewright.planner.parts import Machine, can_attach, interfaces_for
from sizewright.planner.planning import Planning
from sizewright.planner.pools import Pool, fewest_disks, pools_of
from sizewright.planner.storage import disks_at_most, on_offer, suitable
from sizewright.quantity import Quantity, as_quantity, count, total
from sizewright.rules.rule import VIOLATION


class Shortfall(NamedTuple):
    """What a machine has too little of, whatever is chosen: what is needed and what it can have."""

    resource: str
    subject: str
    needed: Quantity
    available: Quantity
    message: str

    @property
    def times(self) -> float:
        """Return how many times more is needed than there is."""
        return self.needed.likely / self.available.likely if self.available.likely else inf


def find_shortfalls(machine: Machine, demand: Demand, planning: Planning) -> tuple[Shortfall, ...]:
    """What a machine cannot have, else what it has too little of in all; empty mostly.

    If there is any, also the NFS load that it does not sustain, and work on disks for which its one
    kernel lock has no time. The worst comes first.
    """
    room = _room_of_pools(machine, demand, planning)
    found = _cannot_have(machine, demand, room) or tuple(_in_all(machine, demand, room))
    if found:
        found = (*found, *_load(machine, demand), *_kernel_time(machine, demand))
    return tuple(sorted(found, key=attrgetter("times"), reverse=True))


def _load(machine: Machine, demand: Demand) -> Iterator[Shortfall]:
    needed = usage_of(demand).nfs_weighted_ops_per_s
    row = rated_platforms(machine.guide).get(machine.platform.id)
    sustained = row and row.cell("sustained_ops_per_s")
    if needed is None or not sustained or needed.at(demand.size_for) <= sustained.high:
        return
    services = ", ".join(sorted({each.service for each in demand.streams}))
    ends = needed.at(demand.size_for), sustained.high
    used, most = (quantity_text(each, "op/s") for each in ends)
    message = f"{services}: {used} in the reference mix; it sustains {most}"
    yield Shortfall("NFS load", services, needed, sustained, message)


def _kernel_time(machine: Machine, demand: Demand) -> Iterator[Shortfall]:
    """Yield the kernel time of work on disks that cost least, if one lock has less."""
    guide, lock = machine.guide, processor_second()
    locks = guide.row("operating-systems", machine.operating_system).cell("kernel_locks")
    if locks is None or locks.high != 1:
        return
    bare = machine.bare()
    times, services = [], set[str]()
    for each in demand.operations:
        costs = (cost_ms(each, disk, bare, guide) for disk in guide.table("disks"))
        least = min(
            (cost for cost in costs if cost is not None), key=attrgetter("low"), default=None
        )
        if least is not None and each.ops is not None and not each.low:
            times.append(each.ops * least)
            services.add(each.service)
    needed = total(times, "ms/s")
    if needed.low > lock.low:
        names = ", ".join(sorted(services))
        used = quantity_text(needed.low, "ms/s")
        message = f"{names}: at least {used} in the kernel for work on disks, of {lock.low:g} ms/s"
        yield Shortfall("kernel time", names, needed, lock, message)


def cannot_have(machine: Machine, demand: Demand, planning: Planning) -> tuple[Shortfall, ...]:
    """What a machine cannot have at all, or not enough of for one volume; nor have several."""
    return _cannot_have(machine, demand, _room_of_pools(machine, demand, planning))


def _cannot_have(machine: Machine, demand: Demand, room: Room) -> tuple[Shortfall, ...]:
    return (
        *_networks(machine, demand), *_lines(machine, demand), *_owned(machine, demand),
        *_data(room),
    )  # fmt: skip


def shortfall_of(
    resource: str, subject: str, needed: float = 1, available: float = 0, message: str = "",
    unit: str = "1",
) -> Shortfall:  # fmt: skip
    """Return what is needed of a resource and cannot be had, in the usual words without others."""
    message = message or f"{subject} need at least {needed:g} {resource}; it can have {available:g}"
    needed_, available_ = as_quantity(needed, unit), as_quantity(available, unit)
    return Shortfall(resource, subject, needed_, available_, message)


def _networks(machine: Machine, demand: Demand) -> Iterator[Shortfall]:
    for network in demand.networks:
        if not interfaces_for(machine, network):
            media = machine.guide.table("network-media").rows
            medium = f", {media[network.medium].text('name')}" if network.medium else ""
            message = f"it has no interface for network {network.name}{medium}"
            yield shortfall_of("network interfaces", network.name, message=message)


def _in_all(machine: Machine, demand: Demand, room: Room) -> Iterator[Shortfall]:
    """What a machine has too few of in all, however everything is attached."""
    if not line_boards(machine, demand) and not any(_lines(machine, demand)):
        number = sum(line.number.high for line in demand.lines)
        message = f"boards in its slots do not have ports for all {number:g} lines and printers"
        yield shortfall_of("ports", "the lines and printers", number, message=message)
    networks, ports = len(demand.networks), machine.networks_at_most
    if networks > ports:
        message = f"the workload has {networks} networks; it can attach {ports}"
        yield shortfall_of("networks", "the workload", networks, ports, message)
    media = machine.guide.table("removable-media").rows
    for name in dict.fromkeys(removable_media(machine, demand)):
        if not can_attach(machine, media[name]):
            message = f"it has no channel for {media[name].text('name') or name}"
            yield shortfall_of("channels", name, message=message)
    others = len(removable_media(machine, demand))
    disks, most = _fewest_disks(room), machine.devices_at_most
    if disks + others > most:
        beside = f" and {counted(others, 'other device')}" if others else ""
        message = f"the data needs {disks} disks{beside}; it can attach {most} devices in total"
        yield shortfall_of("devices", "the data", disks + others, most, message)
    elif disks > (places := _places_for_disks(room, demand)):
        message = f"the data needs {disks} disks; its channels and trays have room for {places}"
        yield shortfall_of("disks", "the data", disks, places, message)


def _places_for_disks(room: Room, demand: Demand) -> int:
    """Return an upper bound on the disks for all data: the most of each interface together.

    Disks of models that are not for sale have places for as many as exist, of all models.
    """
    models = {each.disk.id: each for _, every in room for each in every}
    most, exist = dict[str, int](), Counter[str]()
    for held in models.values():
        kind = held.disk.text("interface")
        if on_offer(held.disk, demand):
            most[kind] = max(held.places, most.get(kind, 0))
        else:
            exist[kind] += held.places
    return sum(most.get(kind, exist[kind]) for kind in {*most, *exist})


def _lines(machine: Machine, demand: Demand) -> Iterator[Shortfall]:
    for line in demand.lines:
        if not line_boards(machine, demand._replace(lines=(line,))):
            rate = line.kbit_per_s or line.kb_per_s
            speed = f" at {quantity_text(rate.high, rate.unit)}" if rate else ""
            most = _most_lines(machine, demand, line)
            message = f"it has no port for {line.name}{speed}"
            if most:
                needed = f"{line.name} needs {line.number.high:g} ports{speed}"
                message = f"{needed}; boards in its slots have {most}"
            yield shortfall_of("ports", line.name, line.number.high, most, message)


def _most_lines(machine: Machine, demand: Demand, line: LineDemand) -> int:
    """The most lines of one kind for which a machine can have boards."""

    def are_too_many(number: int) -> bool:
        some = line._replace(number=count(number, "lines", "line"))
        return not line_boards(machine, demand._replace(lines=(some,)))

    return bisect_left(range(1, int(line.number.high) + 1), True, key=are_too_many)


def _owned(machine: Machine, demand: Demand) -> Iterator[Shortfall]:
    for model, number in demand.required.items():
        row = machine.guide.row(device_table(machine.guide, model), model)
        most = machine.most_of(row) if can_attach(machine, row) else 0
        if number > most:
            kind = f" {row.text('interface').upper()} disk" if row.table == "disks" else ""
            name = row.text("name")
            owned = counted(number, f"owned {name}{kind}")
            are = plural(number, "is", "are")
            message = f"{owned} {are} to be used; it can attach {most or 'none'}"
            yield shortfall_of("owned devices", name, number, most, message)


def _data(room: Room) -> Iterator[Shortfall]:
    without: dict[str, list[str]] = {}
    for pool, held in room:
        names, needed = [volume.name for volume in pool.volumes], pool.size_mb("low")
        if not held:
            kind = "disks with two ports" if pool.dual_ported else "disks"
            without.setdefault(kind, []).extend(names)
            continue
        most = max(held, key=lambda each: (each.most_mb, each.disk.id))
        if needed > most.most_mb:
            volumes = ", ".join(names)
            copies = f" in each of {pool.copies} copies" if pool.copies > 1 else ""
            size, held_mb = size_texts(needed, most.most_mb)
            in_each = " in each" if copies else ""
            message = (
                f"{volumes}: {size} of data{copies}; the most disks of one model, "
                f"{most.most_disks} of {most.disk.text('name')}, hold {held_mb}{in_each}"
            )
            yield shortfall_of("room for data", volumes, needed, most.most_mb, message, "MB")
    for kind, names in without.items():
        volumes = ", ".join(sorted(names))
        yield shortfall_of(kind, volumes, message=f"it can attach no {kind} for {volumes}")


def _fewest_disks(room: Room) -> int:
    """The fewest that the data needs of which the machine can hold each pool by itself.

    Data that share disks fill them at best.
    """
    fewest = 0
    for copies in {pool.copies for pool, _ in room}:
        alone, size_mb, largest = 0, 0.0, 0.0
        for pool, held in room:
            if pool.copies == copies and any(pool.size_mb("low") <= h.most_mb for h in held):
                size_mb += pool.size_mb("low")
                largest = max(largest, *(h.usable_mb for h in held))
                alone += min(h.fewest_disks for h in held) if pool.alone else 0
        fewest += max(alone, int(-(-size_mb // (largest or 1))) * copies)
    return fewest


class _Held(NamedTuple):
    """What disks of one model hold of a pool: the most of one copy, and in how many for all.

    There are `places` for disks of the model, on each of which the pool may have `usable_mb`.
    """

    disk: Row
    usable_mb: float
    most_mb: float
    most_disks: int
    fewest_disks: int
    places: int


# Pools, and what disks of each model hold of them.
Room = tuple[tuple[Pool, tuple[_Held, ...]], ...]


def _room_of_pools(machine: Machine, demand: Demand, planning: Planning) -> Room:
    """Return what disks of each model hold of each pool."""
    places: dict[str, int] = {}
    found = []
    for pool in pools_of(demand):
        disks = suitable(machine, demand, pool)
        for disk in disks:
            if disk.id not in places:
                places[disk.id] = disks_at_most(disk, machine, demand, planning)
        found.append((pool, tuple(
            _held(pool, disk, places[disk.id], _usable_mb(pool, disk, planning)) for disk in disks
        )))  # fmt: skip
    return tuple(found)


def _held(pool: Pool, disk: Row, places: int, usable_mb: float) -> _Held:
    each = places // pool.copies
    fewest = fewest_disks(pool, disk, usable_mb) * pool.copies
    return _Held(disk, usable_mb, each * usable_mb, each * pool.copies, fewest, places)


def _usable_mb(pool: Pool, disk: Row, planning: Planning) -> float:
    """Return what rules let a disk have of a pool; file systems may not fill it."""
    capacity = disk.require("capacity_mb")
    parts = tuple((volume.use, capacity) for volume in pool.volumes)
    given = {
        "capacity_mb": capacity, "file_system_share": file_system_share(parts, capacity),
        "only_files": only_files(use for use, _ in parts),
    }  # fmt: skip
    subjects = {SYSTEM: blank(SYSTEM, {}), DISK: blank(DISK, given)}
    bounds = applying("disk.stored_mb", subjects, planning.rule_set)
    kept = [each for each in bounds if planning.policy.counts(each.rule)]
    limit, _ = least_limit(capacity, kept, subjects, VIOLATION)
    return limit.high if limit is not None and limit.high > 0 else capacity.high
