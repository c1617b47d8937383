"""Two systems, either of which can carry everything: the same strings of disks end in both.

After a failure one system has the work of both. So the configuration is planned for that work, and
both systems have it; then each is evaluated with the services that are at home there. Data that
must go on is on disks with two ports (section 2.4.3), and each of their strings ends at a
controller in both systems. The disks are there once. What only the other uses is taken away.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator

from sizewright.configuration.model import DISK, SYSTEM, Device, System
from sizewright.demand.added_volumes import with_index_volume, with_system_volume
from sizewright.demand.model import Backup, Demand, Owned, VolumeDemand
from sizewright.demand.rates import LineDemand
from sizewright.demand.subset import scale_rates, split_demand, stop_services
from sizewright.evaluate.limits import BACKUP
from sizewright.evaluate.policy import Cost, Policy
from sizewright.evaluate.system import Evaluation
from sizewright.failure import Served, limits_broken
from sizewright.guide.model import Guide
from sizewright.limits import LEAST_SHARE, SHARE_STEPS
from sizewright.load.derive import usage_on
from sizewright.load.lines import SERVER_NETWORK
from sizewright.planner.partitions import Partition, replicated
from sizewright.planner.parts import platforms_on_offer
from sizewright.planner.plan import Failover, Group, Member, Plan
from sizewright.planner.planning import Planning
from sizewright.planner.single import plan_known
from sizewright.rules.compiler import RuleSet
from sizewright.setup.installation import resize
from sizewright.workload.volume import BACKUP_INDEX

PRIMARY, ALTERNATE = "primary", "alternate"
# What boards are for that only lines and printers need, and whether these are synchronous lines.
_OF_LINES = {"serial_gateway": True, "serial_lines": False, "printer_interface": False}


def plan_survivors(
    ways: Iterable[Partition], demand: Demand, names: tuple[str, str], planning: Planning
) -> Group | None:
    """Return the first of some ways to divide the services that survives either system's failure.

    The last way is an idle standby. Services that may be slower after a failure may exceed the
    limits on rates of a whole system then: they get what is left. None if no way holds.
    """
    standby, plans = _standby(demand), _Plans(planning)
    for n, partition in enumerate((*ways, standby)):
        # Beside an idle system data of different services may share disks: nothing else needs less.
        alone = _Whole(demand, standby, names, plans, demand.carry_forward)
        if n == 1 and not alone.is_possible():
            return None
        wholes = (
            _Whole(demand, partition, names, plans, owned)
            for owned in _ways_to_own(demand.carry_forward)
        )
        found = [
            group for whole in wholes if (group := whole.smallest())
            and _has_required(group, demand) and group.keeps_backup_terms(demand)
        ]  # fmt: skip
        if found:
            return min(found, key=_parts_of)._replace(passed_over=n)
    return None


def _ways_to_own(owned: tuple[Owned, ...]) -> Iterable[tuple[Owned, ...]]:
    """Return existing devices as each system of a pair may have them: all, half, what must be used.

    What one system uses for data of its own, the other one needs as well, so that more may cost.
    """
    halves = tuple(each.divided(2) for each in owned)
    return dict.fromkeys((owned, halves, tuple(each._replace(optional=0) for each in owned)))


def _own_devices(group: Group) -> Iterator[tuple[Counter[str], Demand, System]]:
    """Yield how many devices of each model a system has of its own, with its demand."""
    for plan in (member.plan for member in group.members):
        assert plan.chosen is not None
        system = plan.chosen.system
        yield Counter(d.model for d in system.devices() if not d.owner), plan.demand, system


def _has_required(group: Group, demand: Demand) -> bool:
    """Return whether the existing devices that must be used are attached to either system."""
    there = sum((devices for devices, *_ in _own_devices(group)), Counter[str]())
    return Counter(demand.required) <= there


def _parts_of(group: Group) -> tuple[float, int, int]:
    """Return what makes one pair smaller than another: platforms, boards and devices to order."""
    ranks = (m.plan.guide.row("platforms", s.platform).number("rank")
             for m, (*_, s) in zip(group.members, _own_devices(group), strict=True))  # fmt: skip
    boards = sum(len(system.boards) for *_, system in _own_devices(group))
    new = sum((have - Counter(demand.owned)).total() for have, demand, _ in _own_devices(group))
    return sum(ranks), boards, new


def after_failure(demand: Demand, planning: Planning) -> Demand:
    """Return what a system must run alone; that data of others shares disks is not excluded."""
    whole = _Whole(
        demand, _standby(demand), (PRIMARY, ALTERNATE), _Plans(planning), demand.carry_forward
    )  # fmt: skip
    return whole.after(0)


def _standby(demand: Demand) -> Partition:
    """Return the services of a system that runs everything, and of one that is idle."""
    return tuple(sorted(service.name for service in demand.services)), replicated(demand)


class _Plans:
    """Plans of what one system must run after a failure, each made once.

    Many ways to divide services leave the same to be run.
    """

    def __init__(self, planning: Planning) -> None:
        self.planning = planning
        self._known: list[tuple[Demand, Policy, Plan]] = []

    def smallest(self, demand: Demand, policy: Policy) -> Plan:
        """Return the plan of the smallest configuration under a policy."""
        for of, under, plan in self._known:
            if (of, under) == (demand, policy):
                return plan
        plan = plan_known(demand, self.planning._replace(policy=policy))
        self._known.append((demand, policy, plan))
        return plan

    def larger_and_larger(self, demand: Demand, policy: Policy) -> Iterator[Plan]:
        """Yield the smallest configuration, then that of the next larger platforms."""
        offered = {row.id: row.number("rank") for row in platforms_on_offer(self.planning.guide)}
        left = [name for name in demand.platforms or offered if name in offered]
        while left:
            plan = self.smallest(demand._replace(platforms=tuple(left)), policy)
            if plan.chosen is None:
                return
            yield plan
            reached = offered[plan.chosen.system.platform]
            left = [name for name in left if offered[name] > reached]


class _Whole:
    """A demand with one way to divide its services over two systems."""

    def __init__(
        self, demand: Demand, partition: Partition, names: tuple[str, str], plans: _Plans,
        owned: tuple[Owned, ...],
    ) -> None:  # fmt: skip
        self.plans, self.planning = plans, plans.planning
        self.partition, self.owned = partition, demand.carry_forward
        self.primary, self.alternate = names
        self.stopped = frozenset(each.service for each in demand.degraded if each.may_stop)
        reached = tuple(_reached(demand, partition, self.stopped))
        self.demand = demand._replace(volumes=reached, carry_forward=owned)
        stopping = [s for s in demand.services if s.name in self.stopped]
        others = {v for s in demand.services if s not in stopping for v in s.volumes}
        idle = {v for s in stopping for v in s.volumes} - others
        # The volumes that a system has after a failure.
        self._taken = {v.name for v in demand.volumes} - idle

    def is_possible(self) -> bool:
        """Return whether a system can be planned for a failure, under some of the limits."""
        return any(self.plans.smallest(*state).chosen for state in self.states())

    def smallest(self) -> Group | None:
        """Return the systems of the smallest platform on which neither breaks a limit."""
        groups = (
            self.group(plan) for state in self.states()
            for plan in self.plans.larger_and_larger(*state)
        )  # fmt: skip
        return next((group for group in groups if group is not None), None)

    def states(self) -> Iterator[tuple[Demand, Policy]]:
        """Yield what a system is planned for after a failure, and under which limits."""
        policy = self.planning.policy
        # Lines have ports on their own system, also if their service stops with it.
        after = self.after(1)._replace(lines=self.demand.lines)
        yield after, policy
        if any(not each.may_stop for each in self.demand.degraded):
            yield after, waive_rates(policy, self.planning.rule_set)
        if self.stopped:
            yield self.demand, policy

    def after(self, part: float, going_on: Collection[str] = ()) -> Demand:
        """Return the demand after a failure: services that may be slower at a share of their rates.

        The share is this part of the way from the least that they must keep to all. Those that may
        stop do, but for some that are `going_on`.
        """
        stopped = self.stopped.difference(going_on)
        found = stop_services(self.demand, stopped) if stopped else self.demand
        for name, share in self.shares(part, going_on):
            if 0 < share < 1:
                found = scale_rates(found, share, (name,))
        return found

    def shares(self, part: float, going_on: Collection[str] = ()) -> Iterator[tuple[str, float]]:
        """Yield the share of its rates that each degraded service keeps; 0 if it stops."""
        for each in self.demand.degraded:
            least = max(LEAST_SHARE, each.at_least.high if each.at_least is not None else 0)
            if each.may_stop:
                yield each.service, 1 if each.service in going_on else 0
            else:
                yield each.service, least + (1 - least) * part

    def group(self, plan: Plan) -> Group | None:
        """Return both systems with what is at home there; None if one of them breaks a limit."""
        assert plan.chosen is not None
        sides = []
        both = (self.primary, self.alternate)
        for name, services, home in zip(both, self.partition, self._homes(plan), strict=True):
            system = _needed(plan, home, self._taken)._replace(id=name)
            sizes = {v.name: v.size_mb.at(home.size_for) for v in home.volumes if v.added}
            system = resize(system, sizes, usage_on(home, system, plan.guide), plan.guide)
            lines = [x for x in self.demand.lines if self._runs(x.service, services)]
            system = _with_ports_for(lines, system, plan.guide)
            if name == self.alternate:
                system = _owned_by(self.primary, system)
            if self._broken(self.planning.evaluate(home, _at_work(system, home))):
                return None
            sides.append((name, services, home, system))
        failover, members = [], []
        for (gone, *_), (name, services, home, system) in (sides, sides[::-1]):
            after = self._failover(gone, name, home, system)
            if after is None:
                return None
            after = self._without_spare_parts(after, home)
            failover.append(after)
            judged = self.planning.evaluate(home, _at_work(after.state.system, home))
            members.append(Member(name, services, plan._replace(demand=home, chosen=judged)))
        return Group(tuple(members[::-1]), failover=tuple(failover))

    def _homes(self, plan: Plan) -> tuple[Demand, Demand]:
        """Return what is at home on either system; the second has what the first does not need.

        That is of the devices that exist, as many as it has a use for.
        """
        names = {service.name for service in self.demand.services}
        first, second = (
            self._with_swap(
                split_demand(self.demand, services, names - self.stopped), services
            )._replace(carry_forward=())
            for services in self.partition
        )
        second = second._replace(removable_media=())
        if not any(service.volumes for service in second.services if not service.replicated):
            second = _without_backup(second)
        uses, others = (
            Counter(
                device.model for device in _needed(plan, home, self._taken).devices()
                if home is first or not device.dual_ported
            )
            for home in (first, second)
        )  # fmt: skip
        given = [
            Owned(each.device, 0, max(0, min(others[each.device], each.number - uses[each.device])))
            for each in self.owned
        ]
        kept = zip(self.owned, given, strict=True)
        first = first._replace(carry_forward=tuple(o.without(g.number) for o, g in kept))
        return first, second._replace(carry_forward=tuple(each for each in given if each.number))

    def _with_swap(self, demand: Demand, services: Collection[str]) -> Demand:
        """Return the demand of a system with swap space for all that it may run."""
        swap = tuple(item for item in self.demand.swap if self._runs(item.owner, services))
        return with_system_volume(demand._replace(swap=self.demand.at_peak(swap)))

    def _runs(self, service: str, services: Collection[str]) -> bool:
        """Return whether a system with some services runs one, at work or after a failure."""
        return service in services or service not in self.stopped

    def _without_spare_parts(self, after: Failover, home: Demand) -> Failover:
        """Return a system without the parts that only what stops or runs on the other needs."""
        # The program starts without it, and most plans need not survive anything.
        from sizewright.planner.stages import costs_under, shrink

        planning = self.planning

        def costs(smaller: System) -> Iterator[Cost]:
            yield from costs_under(smaller, after.demand, planning)
            yield from costs_under(_at_work(smaller, home), home, planning)

        system = shrink(after.state.system, after.demand, planning, costs, keep_disks=True)
        return after._replace(state=planning.evaluate(after.demand, system))

    def _failover(self, failed: str, name: str, home: Demand, system: System) -> Failover | None:
        """Return what a system does alone, with the greatest share for what may be slower.

        What may stop goes on where it is at home, if all of that meets the limits.
        """
        at_home = self.stopped.intersection(service.name for service in home.services)
        there = {volume.name for volume in system.volumes}
        reached = {network.name for network in home.networks}

        def carried(part: int, going_on: Collection[str]) -> tuple[Demand, Evaluation] | None:
            demand = self.after(part / SHARE_STEPS, going_on)
            demand = demand._replace(
                volumes=tuple(v for v in demand.volumes if v.name in there),
                networks=tuple(n for n in demand.networks if n.name in reached),
            )
            demand = with_system_volume(demand._replace(
                backup=home.backup._replace(window=None), removable_media=home.removable_media,
                carry_forward=home.carry_forward, swap=home.swap,
            ))  # fmt: skip
            if not home.backup.wanted:
                demand = _without_backup(demand)
            judged = self.planning.evaluate(demand, system)
            return None if self._broken(judged) else (demand, judged)

        slower = any(not each.may_stop for each in self.demand.degraded)
        low, high = (0, SHARE_STEPS + 1) if slower else (SHARE_STEPS, SHARE_STEPS + 1)
        tries = ((n, carried(low, n)) for n in dict.fromkeys((at_home, frozenset[str]())))
        going_on, found = next((each for each in tries if each[1]), (at_home, None))
        if found is None:
            return None
        while high - low > 1:
            part = (low + high) // 2
            more = carried(part, going_on)
            low, high, found = (part, high, more) if more else (low, part, found)
        served = tuple(
            Served(name, share) for name, share in self.shares(low / SHARE_STEPS, going_on)
        )
        return Failover(failed, name, *found, served)

    def _broken(self, judged: Evaluation) -> bool:
        return any(limits_broken(judged, self.planning.rule_set, self.planning.policy))


def _reached(
    demand: Demand, partition: Partition, stopped: Collection[str]
) -> Iterator[VolumeDemand]:
    """Yield the volumes: those that both systems reach have two ports, each owner's on own disks.

    What a replicated service uses, and what no service names, each system has for itself.
    """
    own = {s.name for s in demand.services if s.replicated} | set(stopped)
    side_of = {
        volume: side
        for side, services in zip((PRIMARY, ALTERNATE), partition, strict=True)
        for service in demand.services if service.name in services and service.name not in own
        for volume in service.volumes
    }  # fmt: skip
    for volume in demand.volumes:
        side = side_of.get(volume.name)
        others = {v.name for v in demand.volumes if side_of.get(v.name) != side}
        apart = tuple(sorted(others.union(volume.apart_from)))
        yield volume._replace(dual_ported=side is not None, apart_from=apart)


def _without_backup(demand: Demand) -> Demand:
    """Return the demand of a system that has no data of its own to save."""
    return with_index_volume(demand._replace(backup=Backup(False, None, None)))


def _at_work(system: System, home: Demand) -> System:
    """Return a system as it usually works: volumes of the other one are there, but not used."""
    used = {volume.name for volume in home.volumes}
    return system._replace(
        databases=home.databases,
        volumes=tuple(v for v in system.volumes if v.name in used),
        other_volumes=tuple(v for v in system.volumes if v.name not in used),
    )


def _needed(plan: Plan, home: Demand, taken: Collection[str]) -> System:
    """Return the system of a plan with what one system uses, and with the volumes that it can take.

    Disks, tapes and networks that are for the other one alone are taken away. An adapter that is
    left without devices is not needed either. A system that makes backups has room for the indexes
    of all data that it can take.
    """
    assert plan.chosen is not None
    system = plan.chosen.system
    indexes = {v.name for v in plan.demand.volumes if v.use == BACKUP_INDEX}
    taken = taken if home.backup.wanted else set(taken) - indexes
    used = {volume.name for volume in home.volumes}.union(taken)
    networks = {SERVER_NETWORK, *(network.name for network in home.networks)}
    volumes = tuple(v for v in system.volumes if v.name in used)
    disks = {disk for volume in volumes for disk in volume.disks}
    stored = {disk for volume in system.volumes for disk in volume.disks}
    running = plan.guide.row("operating-systems", system.operating_system)
    media = Counter(running.list("needs")) | Counter(home.removable_media) | Counter(home.required)

    def stays(device: Device) -> bool:
        if device.kind == DISK:
            owned_idle = device.id not in stored and device.model in home.required
            return device.id in disks or owned_idle
        media[device.model] -= 1
        return media[device.model] >= 0 or (device.purpose == BACKUP and home.backup.wanted)

    channels = system.with_devices(stays).channels
    emptied = {
        before.provider
        for before, now in zip(system.channels, channels, strict=True)
        if before.devices and not now.devices
    }
    kept = {c.provider for c in channels if c.devices} | {port.provider for port in system.ports}
    gone = {board.id for board in system.boards if board.id in emptied - kept}
    return system._replace(
        boards=tuple(board for board in system.boards if board.id not in gone),
        channels=tuple(c for c in channels if c.provider not in gone),
        ports=tuple(port for port in system.ports if port.network in networks),
        volumes=volumes,
    )


def _with_ports_for(lines: Collection[LineDemand], system: System, guide: Guide) -> System:
    """Return a system without boards that only other kinds of lines and printers need."""
    used = {line.kind == "wide" for line in lines}
    idle = {role for role, is_wide in _OF_LINES.items() if is_wide not in used}
    roles = {b.id: set(guide.row(b.table, b.model).list("role")) for b in system.boards}
    boards = tuple(b for b in system.boards if not roles[b.id] or roles[b.id] - idle)
    if False in used:
        return system._replace(boards=boards)
    ports = tuple(port for port in system.ports if port.network != SERVER_NETWORK)
    return system._replace(boards=boards, beside=(), serial_lines=0, ports=ports)


def _owned_by(owner: str, system: System) -> System:
    """Return a system whose disks with two ports and terminal servers are ordered with another."""
    return system._replace(
        beside_of=owner if system.beside else "",
        channels=tuple(
            c._replace(
                devices=tuple(d._replace(owner=owner) if d.dual_ported else d for d in c.devices)
            )
            for c in system.channels
        ),
    )


def waive_rates(policy: Policy, rule_set: RuleSet) -> Policy:
    """Return a policy under which rates may exceed the limits of a system as a whole."""
    waived = {
        rule.id: "what may be slower gets what is left"
        for rule in rule_set.by_subject[SYSTEM] for bound in rule.bounds
        if _is_rate(bound.resource, rule_set)
    }  # fmt: skip
    return policy._replace(waived={**policy.waived, **waived})


def _is_rate(resource: str, rule_set: RuleSet) -> bool:
    """Whether a resource is used at a rate, or for a part of the time; memory and slots are not."""
    subject, _, name = resource.partition(".")
    return rule_set.facts[subject][name].unit not in ("MB", "slot")
