"""Purchase in stages: of a plan for all years of growth, the parts that each earlier year needs.

The plan of the last year is what is owned in the end. Each earlier stage is what is left of the
next one if parts are removed, one after another, while it supports the load of its year. So no part
is ever thrown away, slots and addresses stay as they are in the end, and the sum is the last plan.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Hashable, Iterable, Iterator
from functools import partial
from itertools import pairwise
from math import ceil
from operator import gt
from typing import NamedTuple

from sizewright.configuration.model import Device, System, Volume
from sizewright.demand.model import Demand
from sizewright.demand.usage import usage_of
from sizewright.evaluate.findings import cost_of, costs_of, on_parts
from sizewright.evaluate.policy import FREE, Cost
from sizewright.evaluate.system import Evaluation, facts_under
from sizewright.facts.derive import work_facts
from sizewright.facts.system import memory_facts
from sizewright.failure import Failure
from sizewright.guide.model import Guide
from sizewright.limits import YEARS_ACCURACY
from sizewright.load.derive import add_pace, derive_demanded, usage_on
from sizewright.load.disk_work import joined_by
from sizewright.load.lines import on_system
from sizewright.planner.availability import each_alone, protects_data
from sizewright.planner.bounds import SystemRules
from sizewright.planner.parts import (
    BUILTIN,
    Machine,
    machines,
    memory_sizes,
    settled,
    volume_manager,
)
from sizewright.planner.planning import Planning
from sizewright.setup.installation import install

# Yields what rules count against a system in some situations, the quickest to know first.
Costs = Callable[[System], Iterator[Cost]]
# Boards of no other role serve nothing if nothing is connected to them.
_CONNECTING = {"host_adapter", "string_controller", "network_interface"}


class Stage(NamedTuple):
    """What is owned after some years of growth, with the demand of that time.

    `rules` are those that count more against the parts of the stage before under this demand;
    until the `rules_kept` years none of them does. `tightest_failure` is that of a part, of those
    that it survives, after which a resource is nearest to its limit.
    """

    years: float
    demand: Demand
    judged: Evaluation
    rules: tuple[str, ...] = ()
    rules_kept: float | None = None
    tightest_failure: Failure | None = None


class _Removal(NamedTuple):
    """A system without some parts; what is `alike` is not tried again where one was needed."""

    system: System
    alike: Hashable


Removals = Callable[[System, Demand, Planning], Iterator[_Removal]]


def stage_years(horizon: float) -> tuple[float, ...]:
    """Return the years of growth at which parts are bought: today, each year, and the horizon."""
    return (*range(ceil(horizon)), horizon)


def plan_stages(
    final: Stage, earlier: Iterable[float], demand_at: Callable[[float], Demand], planning: Planning
) -> tuple[Stage, ...]:
    """Return the stages of a purchase, today's first.

    `earlier` are the years of all but the last; `demand_at` returns the demand after some years.
    """
    found = [final]
    for years in sorted(earlier, reverse=True):
        demand = demand_at(years)
        system = _fitted(found[0].judged.system, demand, planning.guide)
        # A purchase in stages ends with all parts of the plan, so that no stage need exceed them.
        costs = partial(_costs_of_stage, demand=demand, planning=planning)
        least = shrink(system, demand, planning, costs)
        found.insert(0, Stage(years, demand, planning.evaluate(demand, least)))
    later = []
    for before, stage in pairwise(found):
        rules = tuple(dict.fromkeys(_rules_for(before, stage, planning)))
        kept = _years_kept(rules, before, stage, demand_at, planning) if rules else None
        later.append(stage._replace(rules=rules, rules_kept=kept))
    return (found[0], *later)


def _rules_for(before: Stage, stage: Stage, planning: Planning) -> Iterator[str]:
    """Yield the rules that count more if nothing is added to the parts of the stage before."""
    as_before = _fitted(before.judged.system, stage.demand, planning.guide)
    for demand in _states(stage.demand):
        judged = stage.judged
        if demand is not stage.demand:
            judged = planning.evaluate(demand, judged.system)
        with_parts = _costs_by_rule(judged, planning)
        without = _costs_by_rule(planning.evaluate(demand, as_before), planning)
        for rule, cost in without.items():
            if any(map(gt, cost, with_parts.get(rule, FREE))):
                yield rule


def _states(demand: Demand) -> Iterator[Demand]:
    """Yield the demand of a stage, and that with all reads on either copy if one may fail."""
    yield demand
    if protects_data(demand):
        yield each_alone(demand)


def _costs_of_stage(system: System, demand: Demand, planning: Planning) -> Iterator[Cost]:
    for state in _states(demand):
        yield from costs_under(system, state, planning, with_shown=True)


def _years_kept(
    rules: Collection[str], before: Stage, stage: Stage, demand_at: Callable[[float], Demand],
    planning: Planning,
) -> float:  # fmt: skip
    """Return until when none of some rules counts more against the parts of the stage before."""
    low, high = before.years, stage.years
    while high - low > YEARS_ACCURACY:
        years = (low + high) / 2
        demand = demand_at(years)
        system = _fitted(stage.judged.system, demand, planning.guide)
        then = Stage(years, demand, planning.evaluate(demand, system))
        if set(rules).isdisjoint(_rules_for(before, then, planning)):
            low = years
        else:
            high = years
    return low


def _costs_by_rule(judged: Evaluation, planning: Planning) -> dict[str, Cost]:
    """Return what each rule counts; of one that is only shown, on how many parts it is exceeded."""
    found: dict[str, Cost] = {}
    shown = (
        (finding.asked, Cost(excess=1)) for finding in judged.findings
        if finding.asked.is_only_shown and finding.verdict in ("tight", "violated")
    )  # fmt: skip
    for rule, cost in (*costs_of(judged.facts, planning.rule_set, planning.policy), *shown):
        found[rule.id] = found.get(rule.id, FREE).plus(cost)
    return found


def costs_under(
    system: System, demand: Demand, planning: Planning, with_shown: bool = False
) -> Iterator[Cost]:
    """Yield what rules count against a system, then what they count for the time of its runs.

    If they are `with_shown`, it is between both on how many parts limits that are only shown are
    exceeded.
    """
    guide, rule_set, policy, *_ = planning
    load = derive_demanded(demand, system, guide)
    facts = facts_under(system, load, guide, rule_set)
    yield cost_of(costs_of(facts, rule_set, policy))
    if with_shown:
        yield Cost(excess=sum(
            policy.broken(rule, policy.verdict(rule, subjects))
            for rule, subjects in on_parts(policy.only_shown(rule_set.rules), facts)
        ))  # fmt: skip
    if any(map(policy.counts, rule_set.by_subject["work"])):
        works = add_pace(load, demand, system, guide).works
        facts = facts._replace(works=tuple(map(work_facts, works)))
        yield cost_of(costs_of(facts, rule_set, policy, "work"))


def shrink(
    system: System, demand: Demand, planning: Planning, costs: Costs, keep_disks: bool = False
) -> System:
    """Return a system without every part that no cost rises without.

    If disks are kept, nothing is added later, so that ports in use may be exchanged.
    """
    least = tuple(costs(system))
    # Software without use goes first, as advice on it may ask for other parts.
    kinds: tuple[Removals, ...] = (
        _without_software, _on_own_port if keep_disks else _without_disks, _without_tapes,
        _without_ports, _without_accelerator, _without_boards, _with_fewer_processors,
        _with_less_memory,
    )  # fmt: skip
    # What is needed, since a part was removed; what else was needed before is tried once more.
    needed: set[Hashable] = set()

    def without_one(removals: Removals, skipped: set[Hashable]) -> bool:
        """Remove the first part of a kind that is not needed; return whether there is one."""
        nonlocal system, least
        for removal in removals(system, demand, planning):
            alike = (removals, removal.alike)
            if alike in skipped:
                continue
            left = _fitted(removal.system, demand, planning.guide)
            # What data needs comes back at once: the software that joins its disks.
            found = None if parts_of(left) == parts_of(system) else _no_more(costs(left), least)
            if found is not None:
                system, least = left, found
                needed.clear()
                return True
            skipped.add(alike)
            needed.add(alike)
        return False

    while True:
        whole = system
        for removals in kinds:
            skipped = set(needed)
            while without_one(removals, skipped):
                pass
        if system is whole:
            return system


def _no_more(costs: Iterable[Cost], known: tuple[Cost, ...]) -> tuple[Cost, ...] | None:
    """Return costs, none of which is above a known one; None, without the rest, if one is."""
    found: list[Cost] = []
    for cost, before in zip(costs, known, strict=True):
        if any(map(gt, cost, before)):
            return None
        found.append(cost)
    return tuple(found)


def parts_of(system: System) -> Counter[Hashable]:
    """Return how many a system has of everything that can be bought: parts, memory, processors."""
    found: Counter[Hashable] = Counter(board.id for board in system.boards)
    found.update(device.id for device in system.devices())
    found.update(port.id for port in system.ports)
    found.update(system.software)
    assert isinstance(system.memory_mb, (int, float))
    found["memory_mb"] = int(system.memory_mb)
    found["processors"] = system.processors or 0
    return found


def _fitted(system: System, demand: Demand, guide: Guide) -> System:
    """Return a system with the volumes of a demand at their size, as they are installed then."""
    sizes = {volume.name: volume for volume in demand.volumes}
    manager = volume_manager(guide)
    volumes = tuple(
        joined_by(
            Volume(v.name, v.of_size(sizes[v.name].size_mb.at(demand.size_for)).copies),
            sizes[v.name], manager, guide,
        )
        for v in system.volumes if v.name in sizes
    )  # fmt: skip
    channels = tuple(
        c._replace(devices=tuple(d._replace(partitions=()) for d in c.devices))
        for c in system.channels
    )
    managers = {v.manager for v in volumes if v.manager}
    software = {name for name in system.software if name != manager} | managers
    bare = system._replace(
        volumes=volumes, channels=channels, tunables={}, software=tuple(sorted(software))
    )
    return install(bare, usage_on(demand, bare, guide), guide)


def _without_disks(system: System, demand: Demand, _planning: Planning) -> Iterator[_Removal]:
    """Yield a system without one disk of each copy of its data, new disks and far channels first.

    Data on the disks is spread over the other disks of the copy.
    """
    disks = {disk.id: disk for disk in system.disks()}
    channel = {d.id: c.id for c in system.channels for d in c.devices}
    have = Counter(disk.model for disk in disks.values())
    units = list(dict.fromkeys(_together(name, system) for name in reversed(disks)))
    units.sort(key=lambda unit: any(disks[name].model in demand.owned for name in unit))
    for unit in units:
        gone = Counter(disks[name].model for name in unit)
        if any(have[model] - n < demand.required.get(model, 0) for model, n in gone.items()):
            continue
        volumes = [
            v._replace(copies=tuple(tuple(p for p in c if p.disk not in unit) for c in v.copies))
            for v in system.volumes
        ]
        if all(copy for volume in volumes for copy in volume.copies):
            alike = frozenset(
                (disks[name].model, disks[name].purpose, channel[name]) for name in unit
            )
            left = _without_devices(system, unit)
            yield _Removal(left._replace(volumes=tuple(volumes)), alike)


def _together(disk: str, system: System) -> frozenset[str]:
    """Return a disk and the disks with its data in other copies, so that copies stay identical."""
    unit, before = {disk}, 0
    while len(unit) > before:
        before = len(unit)
        for volume in system.volumes:
            for parts in zip(*volume.copies, strict=False):
                names = {part.disk for part in parts}
                unit |= names if names & unit else set()
    return frozenset(unit)


def _without_devices(system: System, names: Iterable[str]) -> System:
    gone = set(names)
    return system.with_devices(lambda device: device.id not in gone)


def _without_tapes(system: System, demand: Demand, _planning: Planning) -> Iterator[_Removal]:
    """Yield a system without a drive for backups that is not wished for by itself."""
    drives: list[Device] = [d for d in system.devices() if d.kind != "disk"]
    have = Counter(drive.model for drive in drives)
    for drive in reversed(drives):
        wished = max(
            1, demand.removable_media.count(drive.model), demand.required.get(drive.model, 0)
        )
        if drive.purpose == "backup" and have[drive.model] > wished:
            yield _Removal(_without_devices(system, (drive.id,)), drive.model)


def _without_ports(system: System, demand: Demand, planning: Planning) -> Iterator[_Removal]:
    """Yield a system without one of several networks of a community, on a board."""
    many = Counter(port.network for port in system.ports)
    networks = on_system(demand, system, planning.guide).networks
    many.subtract({network.name: network.spare for network in networks})
    for port in reversed(system.ports):
        if many[port.network] > 1 and port.provider != BUILTIN:
            left = tuple(each for each in system.ports if each != port)
            yield _Removal(system._replace(ports=left), (port.network, port.interface))


def _on_own_port(system: System, _demand: Demand, planning: Planning) -> Iterator[_Removal]:
    """Yield a system with a network on a free port of its own instead of a board's."""
    interfaces = planning.guide.table("network-interfaces").rows
    free = list(planning.guide.row("platforms", system.platform).list("builtin_networks"))
    for port in system.ports:
        if port.provider == BUILTIN:
            free.remove(port.interface)
    many = Counter(port.provider for port in system.ports)
    for port in system.ports:
        medium = interfaces[port.interface].text("medium")
        same = [name for name in free if interfaces[name].text("medium") == medium]
        if port.provider != BUILTIN and many[port.provider] == 1 and same:
            own = port._replace(interface=same[0], provider=BUILTIN)
            ports = tuple(own if each == port else each for each in system.ports)
            boards = tuple(board for board in system.boards if board.id != port.provider)
            alike = (port.network, port.interface, same[0])
            yield _Removal(system._replace(ports=ports, boards=boards), alike)


def _without_accelerator(system: System, _demand: Demand, planning: Planning) -> Iterator[_Removal]:
    if system.accelerator:
        board = planning.guide.row("nvram-accelerators", system.accelerator).text("board")
        boards = tuple(b for b in system.boards if b.model != board)
        yield _Removal(system._replace(accelerator="", boards=boards), system.accelerator)


def _without_boards(system: System, demand: Demand, planning: Planning) -> Iterator[_Removal]:
    """Yield a system without a board that brings only empty channels, and has no others."""
    machine = _machine_of(system, demand, planning.guide)
    base = Counter(machine.base if machine else ())
    have = Counter(board.model for board in system.boards)
    ported = {port.provider for port in system.ports}
    busy = {channel.provider for channel in system.channels if channel.devices}
    for board in reversed(system.boards):
        roles = set(planning.guide.row(board.table, board.model).list("role"))
        carries = any(other.bus == board.model for other in system.boards)
        idle = board.id not in ported | busy and not carries
        if idle and roles and roles <= _CONNECTING and have[board.model] > base[board.model]:
            left = system._replace(
                boards=tuple(b for b in system.boards if b.id != board.id),
                channels=tuple(c for c in system.channels if c.provider != board.id),
            )
            yield _Removal(left, board.id)


def _machine_of(system: System, demand: Demand, guide: Guide) -> Machine | None:
    """Return the machine that a demand may have on the platform of a system."""
    found = (m for m in machines(guide, demand) if m.platform.id == system.platform)
    return next(found, None)


def _with_fewer_processors(
    system: System, _demand: Demand, planning: Planning
) -> Iterator[_Removal]:
    counts = planning.guide.row("platforms", system.platform).list("processor_counts")
    for number in sorted(counts):
        if system.processors is not None and number < system.processors:
            yield _Removal(system._replace(processors=number), number)


def _with_less_memory(system: System, demand: Demand, planning: Planning) -> Iterator[_Removal]:
    """Yield a system with less memory on some of the memory boards that it has.

    Sizes that rules refuse for the demand, whatever else there is, are left out.
    """
    machine = _machine_of(system, demand, planning.guide)
    if machine is None:
        return
    have = [board for board in system.boards if board.table == "memory-boards"]
    usage = usage_of(demand)
    rules = SystemRules(settled(machine, usage), planning.rule_set, planning.policy)
    for memory in memory_sizes(machine):
        assert isinstance(system.memory_mb, (int, float))
        if (
            memory.size_mb < system.memory_mb
            and Counter(memory.boards) <= Counter(board.model for board in have)
            and not rules.cost(memory_facts(machine.platform, memory.size_mb, usage.cached)).broken
        ):
            gone = {board.id for board in have[len(memory.boards) :]}
            boards = tuple(board for board in system.boards if board.id not in gone)
            yield _Removal(system._replace(memory_mb=memory.size_mb, boards=boards), memory.size_mb)


def _without_software(system: System, _demand: Demand, _planning: Planning) -> Iterator[_Removal]:
    for name in system.software:
        left = tuple(each for each in system.software if each != name)
        yield _Removal(system._replace(software=left), name)
