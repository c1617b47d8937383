"""What a machine lacks for a workload whatever the load: media, ports for lines, room for data."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from sizewright.demand.model import Demand
from sizewright.errors import counted
from sizewright.formula import quantity_text
from sizewright.guide.lookup import device_table
from sizewright.guide.model import Row
from sizewright.planner.connections import line_boards
from sizewright.planner.devices import removable_media
from sizewright.planner.parts import Machine, can_attach, interfaces_for
from sizewright.planner.storage import Pool, fewest_disks, pools_of, suitable, to_be_had


def lacks(machine: Machine, demand: Demand) -> tuple[str, ...]:
    """What cannot be attached to a machine, by the names in the workload; empty mostly."""
    return (*cannot_have(machine, demand), *_short_of_disks(machine, demand))


def cannot_have(machine: Machine, demand: Demand) -> tuple[str, ...]:
    """What a machine cannot have at all, or not enough of for one volume; nor have several."""
    return (
        *_networks(machine, demand), *_lines(machine, demand), *_owned(machine, demand),
        *_data(machine, demand),
    )  # fmt: skip


def _networks(machine: Machine, demand: Demand) -> Iterator[str]:
    for network in demand.networks:
        if not interfaces_for(machine, network):
            media = machine.guide.table("network-media").rows
            medium = f", {media[network.medium].text('name')}" if network.medium else ""
            yield f"it has no interface for network {network.name}{medium}"


def lacks_in_all(machine: Machine, demand: Demand) -> Iterator[str]:
    """What a machine has too few of in all, however everything is attached; empty mostly."""
    networks, ports = len(demand.networks), machine.networks_at_most
    if networks > ports:
        yield f"the workload has {networks} networks; it can attach {ports}"
    others = len(removable_media(machine, demand))
    disks, devices = _fewest_disks(machine, demand), machine.devices_at_most
    if disks + others > devices:
        beside = f" and {counted(others, 'other device')}" if others else ""
        yield f"the data needs {disks} disks{beside}; it can attach {devices} devices in total"


def _lines(machine: Machine, demand: Demand) -> Iterator[str]:
    for line in demand.lines:
        if not line_boards(machine, demand._replace(lines=(line,))):
            rate = line.kbit_per_s or line.kb_per_s
            speed = f" at {quantity_text(rate.high, rate.unit)}" if rate else ""
            yield f"it has no port for {line.name}{speed}"


def _owned(machine: Machine, demand: Demand) -> Iterator[str]:
    for model, number in demand.required.items():
        row = machine.guide.row(device_table(machine.guide, model), model)
        if not can_attach(machine, row):
            kind = f" {row.text('interface').upper()} disk" if row.table == "disks" else ""
            yield f"it cannot attach the owned {row.text('name')}{kind} ({number} to be used)"


def _data(machine: Machine, demand: Demand) -> Iterator[str]:
    without: dict[str, list[str]] = {}
    for pool in pools_of(demand):
        names, needed = [volume.name for volume in pool.volumes], pool.size_mb("low")
        held = _held_by_each(machine, demand, pool)
        if not held:
            kind = "disks with two ports" if pool.dual_ported else "disks"
            without.setdefault(kind, []).extend(names)
            continue
        most = max(held, key=lambda each: (each.most_mb, each.disk.id))
        if needed > most.most_mb:
            copies = f" in each of {pool.copies} copies" if pool.copies > 1 else ""
            yield (
                f"{', '.join(names)}: {quantity_text(needed, 'MB')} of data{copies}, and the most "
                f"that it can have, {most.most_disks} disks of {most.disk.text('name')}, holds "
                f"{quantity_text(most.most_mb, 'MB')}"
            )
    for kind, names in without.items():
        yield f"it can attach no {kind} for {', '.join(sorted(names))}"


def _short_of_disks(machine: Machine, demand: Demand) -> Iterator[str]:
    fewest = _fewest_disks(machine, demand)
    if fewest > machine.devices_at_most:
        yield f"the data needs {fewest} disks; it can attach {machine.devices_at_most}"


def _fewest_disks(machine: Machine, demand: Demand) -> int:
    """The fewest that the data needs of which the machine can hold each pool by itself.

    Data that share disks fill them at best.
    """
    fewest = 0
    pools = pools_of(demand)
    for copies in {pool.copies for pool in pools}:
        alone, size_mb, largest = 0, 0.0, 0.0
        for pool in pools:
            held = _held_by_each(machine, demand, pool) if pool.copies == copies else []
            if any(pool.size_mb("low") <= each.most_mb for each in held):
                size_mb += pool.size_mb("low")
                largest = max(largest, *(e.disk.figure("capacity_mb").high for e in held))
                alone += min(each.fewest_disks for each in held) if pool.alone else 0
        fewest += max(alone, int(-(-size_mb // (largest or 1))) * copies)
    return fewest


class _Held(NamedTuple):
    """What disks of one model hold of a pool: the most of one copy, and in how many for all."""

    disk: Row
    most_mb: float
    most_disks: int
    fewest_disks: int


def _held_by_each(machine: Machine, demand: Demand, pool: Pool) -> list[_Held]:
    return [_held(machine, demand, pool, disk) for disk in suitable(machine, demand, pool)]


def _held(machine: Machine, demand: Demand, pool: Pool, disk: Row) -> _Held:
    capacity = disk.figure("capacity_mb").high
    each = to_be_had(machine, demand, disk) // pool.copies
    fewest = fewest_disks(pool, disk) * pool.copies
    return _Held(disk, each * capacity, each * pool.copies, fewest)
