"""Ways to divide services over several systems, the most even first."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import combinations
from math import inf
from operator import add

from sizewright.configuration.model import SYSTEM
from sizewright.demand.model import Demand, ServiceDemand
from sizewright.demand.rates import Known, Operations, Stream
from sizewright.demand.usage import usage_of
from sizewright.evaluate.system import Evaluation
from sizewright.facts.records import SystemFacts, blank
from sizewright.limits import DECIMALS, SERVICES_DIVIDED
from sizewright.planner.connections import LineBoards, attachments, line_boards
from sizewright.planner.cpu_bound import Floor
from sizewright.planner.parts import join_overlapping, machines, settled
from sizewright.planner.planning import Planning
from sizewright.planner.pools import pools_of
from sizewright.planner.storage import suitable
from sizewright.quantity import Quantity

# The services of each of several systems; replicated ones are on all of them.
Partition = tuple[tuple[str, ...], ...]
# No volume has this name.
_LINES = " serial lines"
# Services that cannot be parted.
_Group = tuple[str, ...]


def least_kernel_time(demand: Demand, planning: Planning) -> dict[str, float]:
    """Return the kernel time in ms/s by service at which one system at least spends it.

    Services are divided in the same way, whichever platforms are permitted: it is that of the
    largest machine.
    """
    rule_set, policy = planning.rule_set, planning.policy
    machine = machines(planning.guide, demand._replace(platforms=()))[-1]
    known = settled(machine, usage_of(demand))
    facts: SystemFacts = blank(SYSTEM, known)
    disks = [
        (pool, tuple(disk.id for disk in suitable(machine, demand, pool)))
        for pool in pools_of(demand)
    ]
    networks = [
        attachments(machine, demand, network, facts, rule_set, policy)
        for network in demand.networks
    ]
    lines = min(line_boards(machine, demand), key=lambda way: len(way.boards), default=LineBoards())
    floor = Floor(machine, demand, disks, networks, rule_set, policy, known)
    return {
        service: time.at(policy.size_for)
        for service, time in by_service(floor.kernel_time(lines)).items()
    }


def kernel_time(judged: Evaluation | None) -> dict[str, Quantity]:
    """The kernel time of a system by who asks for it, in ms/s."""
    return by_service(judged.load.kernel_lock if judged else None)


def by_service(lines: Known) -> dict[str, Quantity]:
    """The sum of the lines of each service."""
    found: dict[str, Quantity] = {}
    for line in lines or ():
        known = found.get(line.owner)
        found[line.owner] = line.figure if known is None else known + line.figure
    return found


def partitions(
    demand: Demand, lock: Mapping[str, float], systems: int = 2, limit: float = inf
) -> Iterator[Partition]:
    """Yield ways to divide the services over a number of systems, the most even first.

    `lock` is kernel time in ms/s by service as one system spends it, of which no half takes more
    than the `limit`. Another system may spend less on the same services, so that a plan has none.
    Few services are divided over two systems in every way. Otherwise each system in turn gets what
    is left that loads most, by kernel time, data, operations, memory and processors together or by
    one of them.
    """
    groups, everywhere = inseparable(demand), replicated(demand)
    if len(groups) < systems:
        return
    ways: Iterable[Partition]
    if systems == 2 and len(groups) <= SERVICES_DIVIDED:
        ways = _halves(groups, lock, limit - sum(lock.get(name, 0) for name in everywhere))
    else:
        loads = _loads(demand, lock)
        kinds = (loads, *([each] for each in loads))
        ways = dict.fromkeys(_even(groups, each, systems) for each in kinds)
    for way in ways:
        yield tuple(tuple(sorted({*names, *everywhere})) for names in way)


def inseparable(demand: Demand) -> tuple[_Group, ...]:
    """Services that are not replicated, in groups that cannot be parted.

    A volume has one system that writes on it, and so have disks that hold several volumes.
    """
    pools = {volume.name: volume.pool for volume in demand.volumes}
    over_lines = on_serial_lines(demand)

    def needs(service: ServiceDemand) -> frozenset[str]:
        lines = [_LINES] if service.name in over_lines else []
        return frozenset((*(pools.get(name, name) for name in service.volumes), *lines))

    groups = join_overlapping(
        (service.name, needs(service)) for service in demand.services if not service.replicated
    )
    return tuple(sorted(tuple(sorted(names)) for names, _ in groups))


def on_serial_lines(demand: Demand) -> frozenset[str]:
    """Return the services that are on one system together, because of its serial lines.

    Sessions without a network come over these lines.
    """
    with_lines = {line.service for line in demand.lines if line.kind == "serial"}
    return frozenset(
        service.name for service in demand.services
        if service.name in with_lines or (service.kind == "timesharing" and not service.networks)
    )  # fmt: skip


def replicated(demand: Demand) -> tuple[str, ...]:
    """Services that are on each of several systems."""
    return tuple(sorted(s.name for s in demand.services if s.replicated))


def _halves(
    groups: Sequence[_Group], lock: Mapping[str, float], limit: float
) -> Iterator[Partition]:
    """Yield every way to divide groups over two systems, the most even in kernel time first.

    The first system gets the larger half; after all others come the same halves the other way
    round.
    """
    time = {group: sum(lock.get(name, 0) for name in group) for group in groups}
    if not any(time.values()):
        # Where no time is known, each service counts as one.
        time = {group: float(len(group)) for group in groups}
    every = tuple(sorted(name for group in groups for name in group))
    found = []
    for size in range(1, len(groups)):
        for moved in combinations(groups, size):
            names = tuple(sorted(name for group in moved for name in group))
            rest = tuple(name for name in every if name not in names)
            # Sums that differ by rounding alone are equal.
            there = round(sum(time[group] for group in moved), DECIMALS)
            here = round(sum(time.values()) - there, DECIMALS)
            greater = max(there, here)
            if greater <= limit:
                turned = (there, len(names), rest) > (here, len(rest), names)
                found.append((turned, greater, len(names), names, rest))
    for *_, names, rest in sorted(found):
        yield rest, names


# By service, the parts that it has of the whole load of each kind.
_Loads = Sequence[Mapping[str, float]]


def _loads(demand: Demand, lock: Mapping[str, float]) -> _Loads:
    """Return kernel time, data, operations, memory and processors; if all are unknown, a number."""
    loads = {"kernel": dict(lock)}
    for kind, service, load in _other_loads(demand):
        each = loads.setdefault(kind, {})
        each[service] = each.get(service, 0) + load
    found = [
        {service: load / whole for service, load in each.items()}
        for each in loads.values() if (whole := sum(each.values()))
    ]  # fmt: skip
    return found or [dict.fromkeys((service.name for service in demand.services), 1.0)]


def _other_loads(demand: Demand) -> Iterator[tuple[str, str, float]]:
    """Yield loads with their kinds and the services that have them."""
    end = demand.size_for
    users = {name: s.name for s in reversed(demand.services) for name in s.volumes}
    for volume in demand.volumes:
        yield "data", users.get(volume.name, ""), volume.size_mb.at(end)
    asked: tuple[Stream | Operations, ...] = (*demand.streams, *demand.operations)
    for each in asked:
        yield "operations", each.service, each.ops.at(end) if each.ops else 0
    for line in demand.memory:
        yield "memory", line.owner, line.figure.at(end)
    for used in demand.user:
        yield "processors", used.service, used.processors.at(end) if used.processors else 1


def _even(groups: Iterable[_Group], loads: _Loads, systems: int) -> Partition:
    """Return the groups on systems, each where the greatest part of any load is least after it."""
    parts = {
        group: [sum(each.get(name, 0) for name in group) for each in loads] for group in groups
    }
    names = [list[str]() for _ in range(systems)]
    filled = [[0.0] * len(loads) for _ in range(systems)]
    for group, part in sorted(parts.items(), key=lambda item: (-max(item[1]), item[0])):
        after = [list(map(add, full, part)) for full in filled]
        # Sums that differ by rounding alone are equal.
        n = min(range(systems), key=lambda n: (round(max(after[n]), DECIMALS), len(names[n]), n))
        names[n] += group
        filled[n] = after[n]
    return tuple(tuple(sorted(own)) for own in names)
