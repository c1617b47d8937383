"""A kernel lock over its limit: what uses it, and what would relieve it."""

from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import islice
from math import fsum
from typing import Literal, NamedTuple

from sizewright.configuration.model import DISK, Device, System
from sizewright.demand.model import Demand
from sizewright.demand.rates import LineItem, Lines, sum_lines
from sizewright.evaluate.budgets import Budget
from sizewright.evaluate.system import Evaluation
from sizewright.guide.model import Guide, Row
from sizewright.limits import PARTITIONS_TRIED, SYSTEMS_AT_MOST
from sizewright.load.derive import derive_load
from sizewright.load.disk_work import work_lines
from sizewright.load.model import processor_second
from sizewright.load.network_traffic import OFFLOADING, medium_of, offloads
from sizewright.planner.infeasibility import machine_of
from sizewright.planner.partitions import inseparable, kernel_time, partitions
from sizewright.planner.parts import Machine, disks_for, machines
from sizewright.planner.plan import Plan
from sizewright.planner.systems import divisible
from sizewright.quantity import Quantity, total

Why = Literal["", "not_asked", "one_service", "shared_volumes", "few_groups", "lock", "limits"]


class Division(NamedTuple):
    """A division of the services with the kernel time of each system in ms/s; or `why` not.

    `not_asked`: the workload wants one system (the partition is then the first that its kernel time
    allows, and no system was planned). `one_service`, `shared_volumes` (in `names`): nothing can be
    divided. `few_groups`: more systems are wanted than groups of services can be separated, which
    are `tried`. `lock`: the workload wants one system, and by the kernel time on the closest one
    every division exceeds a lock (`names` are services that cannot be separated and exceed it).
    `limits`: the divisions that were `tried` over the least of the numbers of `systems` do not meet
    every limit, nor do those over more. Nor do equal parts of `clients` on `shared` systems. Where
    several `pairs` have equal parts of the clients, `used` is that of one of them.
    """

    partition: tuple[tuple[str, ...], ...] | None
    used: tuple[Quantity, ...]
    why: Why
    names: tuple[str, ...] = ()
    tried: int = 0
    systems: tuple[int, ...] = ()
    clients: tuple[str, ...] = ()
    shared: tuple[int, ...] = ()
    pairs: int = 1


def division(plan: Plan, judged: Evaluation | None) -> Division:
    """Return how a plan divides its services; `judged` is one system with all of them."""
    if plan.group is not None:
        members = [m for m in plan.group.members if m.services or plan.number == 2]
        used = tuple(
            sum_lines(m.plan.chosen.load.kernel_lock or (), "ms/s")
            for m in members if m.plan.chosen is not None
        )  # fmt: skip
        pairs = members[0].quantity if len(members) > 1 else 1
        return Division(tuple(m.services for m in members), used, "", pairs=pairs)
    wanted, clients = plan.demand.systems, tuple(sorted(divisible(plan.demand)))
    found = _of_services(plan, judged)
    if wanted == 1 or not clients:
        return found
    if found.why == "one_service":
        found = found._replace(why="")
    numbers = (wanted,) if wanted else (2, SYSTEMS_AT_MOST)
    return found._replace(clients=clients, shared=numbers)


def _of_services(plan: Plan, judged: Evaluation | None) -> Division:
    """Return how services would be divided over two systems, or why they are not over any."""
    demand = plan.demand
    groups, wanted = inseparable(demand), demand.systems
    movable = tuple(service.name for service in demand.services if not service.replicated)
    if len(movable) < 2:
        return Division(None, (), "one_service", movable)
    if len(groups) < 2:
        return Division(None, (), "shared_volumes", _shared(plan))
    if len(groups) < wanted:
        return Division(None, (), "few_groups", (), len(groups))
    lock = kernel_time(judged)
    times = {name: figure.at(plan.policy.size_for) for name, figure in lock.items()}
    if wanted != 1:
        ways = islice(partitions(demand, times, wanted or 2), PARTITIONS_TRIED)
        most = min(SYSTEMS_AT_MOST, len(groups))
        systems = (wanted,) if wanted else tuple(dict.fromkeys((2, most)))
        return Division(None, (), "limits", (), sum(1 for _ in ways), systems)
    first = next(partitions(demand, times, limit=processor_second().high), None)
    if first is not None:
        used = tuple(total((lock[name] for name in side if name in lock), "ms/s") for side in first)
        return Division(first, used, "not_asked")
    alone = {group: sum(times.get(name, 0) for name in group) for group in groups}
    largest = max(groups, key=lambda group: alone[group])
    over = alone[largest] > processor_second().high
    return Division(None, (), "lock", largest if over else ())


class Split(NamedTuple):
    """Kernel time of each system of a pair in ms/s, and `why` no division is more even.

    `one_service`: only one service (in `names`) runs on the busier system alone; it cannot be
    divided and takes `alone`. `shared_volumes` (in `volumes`) keep the services in `names` together
    there. `limits`: the divisions `tried` before do not meet every limit. `most_even`: no division
    is more even by the kernel time on one system. Empty if both systems have the same.
    """

    used: tuple[Quantity, ...]
    why: Literal["", "one_service", "shared_volumes", "limits", "most_even"]
    names: tuple[str, ...] = ()
    alone: Quantity | None = None
    volumes: tuple[str, ...] = ()
    tried: int = 0


def split(plan: Plan) -> Split | None:
    """Return how even a pair's kernel time is and why no more; None without a pair or its time."""
    if plan.group is None or plan.number != 2 or plan.group.idle:
        return None
    lines = [part.chosen.load.kernel_lock for part in plan.plans if part.chosen is not None]
    used = tuple(sum_lines(each, "ms/s") for each in lines if each)
    if len(used) < 2:
        return None
    first, second = (figure.at(plan.policy.size_for) for figure in used)
    if first == second:
        return Split(used, "")
    if plan.group.passed_over:
        return Split(used, "limits", tried=plan.group.passed_over)
    partition = [member.services for member in plan.group.members]
    busier, other = partition if first > second else partition[::-1]
    names = tuple(name for name in busier if name not in other)
    if names not in inseparable(plan.demand):
        return Split(used, "most_even")
    alone = total(
        (line.figure for each in lines for line in each or () if line.owner in names), "ms/s"
    )
    if len(names) == 1:
        return Split(used, "one_service", names, alone)
    return Split(used, "shared_volumes", names, alone, _shared(plan, names))


def _shared(plan: Plan, among: tuple[str, ...] = ()) -> tuple[str, ...]:
    """Return the volumes that keep services together, of all services or `among` some."""
    users = Counter[str]()
    for service in plan.demand.services:
        if not service.replicated and (not among or service.name in among):
            users.update(set(service.volumes))
    return tuple(sorted(volume for volume, number in users.items() if number > 1))


class OtherDisks(NamedTuple):
    """Kernel time in ms/s if work moves to disks of another interface.

    `before` and `after` are of the work alone, `used` is all kernel time then. The machine may not
    be able to attach the disks.
    """

    interface: str
    instead_of: tuple[str, ...]
    before: Quantity
    after: Quantity
    used: Quantity
    attaches: bool


class OtherInterface(NamedTuple):
    """All kernel time in ms/s if networks use an interface that processes protocols itself.

    It is a range if the guide leaves open whether this relieves file service. `least` is what is
    left at the end of the ranges that counts if it does.
    """

    interface: str
    networks: tuple[str, ...]
    used: Quantity
    least: float
    attaches: bool


class ManyLocks(NamedTuple):
    """An operating system whose kernel several processors can use at once.

    `efficiency` is the part of its processors that kernel work gains from, None if unknown.
    """

    operating_system: str
    locks: Quantity
    efficiency: Quantity | None
    processors: float


class Excess(NamedTuple):
    """A kernel lock over its limit on one system: its lines, the largest first, and remedies."""

    platform: str
    budget: Budget
    lines: Lines
    disks: tuple[OtherDisks, ...]
    interfaces: tuple[OtherInterface, ...]
    many_locks: tuple[ManyLocks, ...]
    division: Division


def excess(plan: Plan) -> Excess | None:
    """Return how the closest single system exceeds its kernel lock; None if it does not."""
    judged = missed(plan)
    budget = _over(judged, plan.policy.size_for) if judged else None
    if judged is None or budget is None:
        return None
    end, guide, system = plan.policy.size_for, plan.guide, judged.system
    lines = sorted(budget.items, key=lambda line: (-line.figure.at(end), line.name))
    machine = machine_of(system, plan.demand, guide)
    return Excess(
        system.platform, budget, tuple(lines), tuple(other_disks(plan, judged)),
        tuple(_other_interfaces(plan.demand, judged, machine, end)),
        tuple(_many_locks(guide, machine)),
        division(plan, judged),
    )  # fmt: skip


def missed(plan: Plan) -> Evaluation | None:
    """Return the closest single system, of a plan with several the largest that was tried.

    None if one meets every limit, or none was tried.
    """
    if plan.nearest is not None:
        return plan.nearest.judgement
    tried = [r for r in plan.rejected if r.judgement is not None]
    if plan.group is None or not tried or not no_single(plan):
        return None
    return tried[-1].judgement


def no_single(plan: Plan) -> bool:
    """Return whether no single machine in the guide meets every limit."""
    if plan.chosen is not None and plan.group is None:
        return False
    passed_over = plan.reasons.passed_over if plan.reasons is not None else ()
    return len(passed_over) == len(machines(plan.guide, plan.demand))


def _over(judged: Evaluation, end: str) -> Budget | None:
    locks = (budget for budget in judged.budgets if budget.kind == "kernel_lock")
    return next((lock for lock in locks if (lock.share_of_limit(end) or 0) > 1), None)


def other_disks(plan: Plan, judged: Evaluation) -> Iterator[OtherDisks]:
    """Yield each interface whose disks need less kernel time for the same work at its rates."""
    demand, guide, system, end = plan.demand, plan.guide, judged.system, plan.policy.size_for
    machine = machine_of(system, demand, guide)
    names = {work.volume for work in demand.operations if work.ops is not None and not work.low}
    busy = {disk for volume in system.volumes if volume.name in names for disk in volume.disks}
    interfaces = {
        guide.row("disks", disk.model).text("interface")
        for disk in system.disks() if disk.id in busy
    }  # fmt: skip
    now = {line.name: line.figure for line in work_lines(demand, system, guide) or ()}
    lines = judged.load.kernel_lock or ()
    for interface, disk in _disks_by_interface(guide).items():
        moved = _with_disks(system, disk, interface, guide)
        then = {line.name: line.figure for line in work_lines(demand, moved, guide) or ()}
        others = interfaces - {interface}
        own = [line.name for line in lines if line.name in now and line.name in then]
        if not others or not own:
            continue
        before, after = (total((times[name] for name in own), "ms/s") for times in (now, then))
        if after.at(end) < before.at(end):
            used = total((then.get(line.name, line.figure) for line in lines), "ms/s")
            fits = disk.id in {row.id for row in disks_for(machine)}
            yield OtherDisks(interface, tuple(sorted(others)), before, after, used, fits)


def _with_disks(system: System, disk: Row, interface: str, guide: Guide) -> System:
    """Return a system with `disk` in place of every disk that has another interface."""

    def moved(device: Device) -> Device:
        if device.kind != DISK or guide.row("disks", device.model).text("interface") == interface:
            return device
        return device._replace(model=disk.id)

    return system._replace(
        channels=tuple(c._replace(devices=tuple(map(moved, c.devices))) for c in system.channels)
    )


def _disks_by_interface(guide: Guide) -> dict[str, Row]:
    """Return an orderable disk of each interface, which alone decides the cost of operations."""
    found: dict[str, Row] = {}
    for row in guide.table("disks"):
        if row.flag("orderable") and row.text("interface"):
            found.setdefault(row.text("interface"), row)
    return found


def _other_interfaces(
    demand: Demand, judged: Evaluation, machine: Machine, end: str
) -> Iterator[OtherInterface]:
    """Yield each interface that processes protocols, for all networks of its medium without."""
    guide, system = machine.guide, judged.system
    before = judged.load.kernel_lock or ()
    now = sum_lines(before, "ms/s")
    for row in guide.table("network-interfaces"):
        if row.text("interface_kind") != OFFLOADING:
            continue
        plain = {
            port.network for port in system.ports
            if medium_of(port, guide).id == row.text("medium") and not offloads(port, guide)
        }  # fmt: skip
        ports = tuple(
            port._replace(interface=row.id) if port.network in plain else port
            for port in system.ports
        )
        lines = derive_load(demand, system._replace(ports=ports), guide).kernel_lock or ()
        used = sum_lines(lines, "ms/s")
        if plain and any(used.at(each) < now.at(each) for each in ("low", end)):
            fits = any(board in machine.boards for board in row.list("boards"))
            least = _at_best(before, lines, end)
            yield OtherInterface(row.id, tuple(sorted(plain)), used, least, fits)


def _at_best(before: Iterable[LineItem], after: Iterable[LineItem], end: str) -> float:
    """Return the sum of lines at one end of their ranges, relieved as they are at the low end."""
    known = {line.name: line.figure for line in before if line.figure.low > 0}
    return fsum(
        known[line.name].at(end) * line.figure.low / known[line.name].low
        if line.name in known else line.figure.at(end)
        for line in after
    )  # fmt: skip


def _many_locks(guide: Guide, machine: Machine) -> Iterator[ManyLocks]:
    most = max(machine.platform.list("processor_counts") or (1,))
    for row in guide.table("operating-systems"):
        locks = row.cell("kernel_locks")
        if locks is not None and locks.low > 1:
            efficiency = row.cell("parallel_efficiency_percent")
            yield ManyLocks(row.id, locks, efficiency, most)
