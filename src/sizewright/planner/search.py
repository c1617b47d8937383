"""Finds the smallest configuration of one machine, by branch and bound over its choices.

Choices are made one after another. What a choice adds to the key is known as soon as it is made:
its boards, devices and options, and the findings that it alone decides, because rules are judged
on facts of which everything not yet chosen is unknown, and a rule that is broken then stays
broken. The sum over the choices made, and over the least that the rest must add, bounds the key
from below; a branch that cannot beat the best complete configuration is cut.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import product
from typing import Any, NamedTuple

from sizewright.configuration.model import System
from sizewright.demand.model import Demand, NetworkDemand
from sizewright.facts.given import machine_facts, memory_facts, nfs_facts
from sizewright.facts.records import blank
from sizewright.load.nfs import nfs_capacity
from sizewright.planner.assemble import assemble, channel_sources, slotted
from sizewright.planner.choice import Choice, Key, Step
from sizewright.planner.devices import Lots
from sizewright.planner.judge import cost_of, facts_under
from sizewright.planner.networks import attachments
from sizewright.planner.parts import (
    BUILTIN,
    Machine,
    accelerators_for,
    adapters_for,
    channel_kinds,
    memory_sizes,
    software_of,
)
from sizewright.planner.placement import place
from sizewright.planner.policy import FREE, Cost, Policy, subject_cost
from sizewright.planner.storage import pools_of, stores
from sizewright.rules.book import SYSTEM, RuleBook


class Best(NamedTuple):
    """The smallest configuration found, with its key and what is broken in it."""

    key: Key
    broken: int
    system: System


Chooser = Callable[[Choice], Iterable[tuple[Step, Choice]]]


class Search:
    """The search over one machine's choices.

    When lenient, broken limits weigh most but do not exclude, so that a refusal can name the
    nearest miss.
    """

    def __init__(
        self, machine: Machine, demand: Demand, book: RuleBook, policy: Policy,
        lenient: bool = False,
    ) -> None:  # fmt: skip
        self.machine = machine
        self.demand = demand
        self.book = book
        self.policy = policy
        self.lenient = lenient
        self.guide = machine.guide
        self.known = machine_facts(demand, machine.platform, machine.processors,
                                   machine.operating_system, self.guide)  # fmt: skip
        self.ground = self._partial({})
        self.best: Best | None = None
        self.pools = pools_of(demand)
        self.lots = Lots(machine, demand, self.pools, book, policy, blank(SYSTEM, self.known))
        self.choosers: list[Chooser] = [
            *(self._network(network) for network in demand.networks),
            self._reach, self._memory, self._acceleration, self._backup,
            *(self._store(index) for index in range(len(self.pools))),
            self._adapters,
        ]  # fmt: skip
        self.manager = next((r.id for r in software_of(self.guide, "volume_manager")), "")

    def run(self) -> Best | None:
        """The smallest configuration that breaks nothing (or least, when lenient)."""
        self._descend(0, Choice(), Step(None, self.ground).weight(), ())
        return self.best

    def _descend(
        self, depth: int, choice: Choice, weight: tuple[float, ...], names: tuple[str, ...]
    ) -> None:
        if self._hopeless(weight, names):
            return
        if depth == len(self.choosers):
            self._complete(choice, weight, names)
            return
        options = self.choosers[depth](choice)
        for step, further in sorted(options, key=lambda o: (o[0].weight(), o[0].name)):
            more = tuple(map(sum, zip(weight, step.weight(), strict=True)))
            self._descend(depth + 1, further, more, (*names, step.name))

    def _hopeless(self, weight: tuple[float, ...], names: tuple[str, ...]) -> bool:
        if weight[0] and not self.lenient:
            return True
        if self.best is None:
            return False
        found: tuple[float, ...] = (self.best.broken, *self.best.key.numbers())
        if weight != found:
            return weight > found
        return names > self.best.key.names[: len(names)]

    def _complete(self, choice: Choice, weight: tuple[float, ...], names: tuple[str, ...]) -> None:
        boards = slotted(self.machine, choice, self.lenient)
        if boards is None:
            return
        kinds = [kind for kind, _ in channel_sources(self.machine, choice)]
        rows, lots, uses = self.lots.of(choice)
        placement = place(lots, kinds, self.lots.price(kinds, uses), self.lots.meeting)
        if placement is None:
            return
        software = {choice.gathering, choice.backup_software} - {""}
        if self.manager and any(store.copies > 1 for store in choice.stores):
            software.add(self.manager)
        system = assemble(
            self.machine, choice, boards, placement, rows, self.pools, self.demand.size_for,
            tuple(software), self.manager,
        )  # fmt: skip
        _, facts = facts_under(self.demand, system, self.guide, self.book)
        cost = cost_of(facts, self.book, self.policy)
        true = (*cost, *weight[len(cost) :])
        if self._hopeless(true, names):
            return
        _, advice, tight, boards_used, devices, installed, memory, options = true
        rank = self.machine.platform.number("rank")
        key = Key(rank, int(advice), int(tight), int(boards_used), int(devices), installed,
                  memory, int(options), names)  # fmt: skip
        self.best = Best(key, cost.broken, system)

    def _partial(self, given: dict[str, Any]) -> Cost:
        record = blank(SYSTEM, self.known | given)
        return subject_cost(self.book, self.policy, SYSTEM, record, record, partial=True)

    def _alone(self, given: dict[str, Any]) -> Cost:
        """What an option adds to the findings that stand anyway."""
        cost = self._partial(given)
        return Cost(*(a - b for a, b in zip(cost, self.ground, strict=True)))

    def _network(self, network: NetworkDemand) -> Chooser:
        found = attachments(
            self.machine, self.demand, network, blank(SYSTEM, self.known), self.book, self.policy
        )

        def choose(choice: Choice) -> Iterator[tuple[Step, Choice]]:
            builtin = [a.interface for a in choice.attachments for p in a.providers if p == BUILTIN]
            for each in found:
                own = each.providers.count(BUILTIN) + builtin.count(each.interface)
                if own > self.machine.platform.list("builtin_networks").count(each.interface):
                    continue
                name = f"{each.interface} {' '.join(each.providers)}"
                yield (
                    Step(each, each.cost, each.boards, name=name),
                    choice._replace(attachments=(*choice.attachments, each)),
                )

        return choose

    def _reach(self, choice: Choice) -> Iterator[tuple[Step, Choice]]:
        """No choice: what the networks just chosen let the platform serve."""
        ports = sum(len(a.providers) for a in choice.attachments)
        capacity = nfs_capacity(self.guide, self.machine.platform.id, ports)
        kinds = {
            self.guide.row("network-interfaces", a.interface).text("interface_kind")
            for a in choice.attachments
        }
        yield Step(None, self._alone(nfs_facts(capacity, ports, kinds))), choice

    def _memory(self, choice: Choice) -> Iterator[tuple[Step, Choice]]:
        for memory in memory_sizes(self.machine):
            facts = memory_facts(self.machine.platform, memory.size_mb)
            yield (
                Step(memory, self._alone(facts), memory.boards, memory_mb=memory.size_mb),
                choice._replace(memory=memory),
            )

    def _acceleration(self, choice: Choice) -> Iterator[tuple[Step, Choice]]:
        none = {"nvram_accelerator": False, "nvram_bus": "", "write_gathering": False}
        yield Step(None, self._alone(none)), choice
        for row in accelerators_for(self.machine):
            facts = none | {"nvram_accelerator": True, "nvram_bus": row.text("bus")}
            board = row.text("board")
            yield (
                Step(row, self._alone(facts), (board,), name=row.id),
                choice._replace(accelerator=row.id, accelerator_board=board),
            )
        for row in software_of(self.guide, "write_gathering_nfs"):
            facts = none | {"write_gathering": True}
            yield (
                Step(row, self._alone(facts), options=1, name=row.id),
                choice._replace(gathering=row.id),
            )

    def _backup(self, choice: Choice) -> Iterator[tuple[Step, Choice]]:
        products = software_of(self.guide, "online_backup") if self.demand.backup.wanted else ()
        for product_id in ("", *(row.id for row in products)):
            facts = {"online_backup": bool(product_id)}
            cost = self._alone(facts)
            for device in self._backup_devices():
                further = choice._replace(backup_software=product_id, backup_device=device)
                yield (
                    Step(
                        None, cost, devices=len(self.lots.removable(further)),
                        options=int(bool(product_id)), name=f"{product_id} {device}".strip(),
                    ),
                    further,
                )  # fmt: skip

    def _backup_devices(self) -> tuple[str, ...]:
        if not self.demand.backup.wanted:
            return ("",)
        media = self.guide.table("removable-media")
        fit = [row.id for row in media if "backup" in row.list("use")]
        at_hand = [name for name in fit if name in self.demand.removable_media]
        return ("",) if at_hand or not fit else tuple(fit)

    def _store(self, index: int) -> Chooser:
        pool, hosts = self.pools[index], self.pools[:index]
        found = stores(
            self.machine, self.demand, pool, hosts, blank(SYSTEM, self.known), self.book,
            self.policy, self._most_disks(),
        )  # fmt: skip

        def choose(choice: Choice) -> Iterator[tuple[Step, Choice]]:
            for store in found:
                if store.host and not self._has_room(choice, store.host, index):
                    continue
                name = store.disk or f"with {store.host}"
                yield (
                    Step(store, store.cost, devices=store.disks,
                         installed_mb=store.installed_mb, name=name),
                    choice._replace(stores=(*choice.stores, store)),
                )  # fmt: skip

        return choose

    def _has_room(self, choice: Choice, host: str, index: int) -> bool:
        end = self.demand.size_for
        by_name = {pool.name: pool for pool in self.pools}
        own = next((s for s in choice.stores if s.pool == host), None)
        if own is None or own.host:
            return False
        guests = [s.pool for s in choice.stores if s.host == host]
        held = [host, *guests, self.pools[index].name]
        return sum(by_name[name].size_mb(end) for name in held) <= own.installed_mb

    def _most_disks(self) -> int:
        kinds = channel_kinds(self.machine)
        ports = len(self.machine.platform.list("builtin_disk_busses"))
        ports += len(self.machine.slots())
        table = self.guide.table("disk-busses")
        return int(ports * max((table[k].number("targets_limit") for k in kinds), default=0))

    def _adapters(self, choice: Choice) -> Iterator[tuple[Step, Choice]]:
        _, lots, _ = self.lots.of(choice)
        kinds = frozenset(kind for lot in lots for kind in lot.busses)
        devices = sum(lot.number for lot in lots)
        boards = adapters_for(self.machine, kinds)
        limits = [min(devices, self.machine.free(row.text("bus"))) for row in boards]
        for counts in product(*(range(limit + 1) for limit in limits)):
            if sum(counts) > devices:
                continue
            names = tuple(b.id for b, n in zip(boards, counts, strict=True) for _ in range(n))
            yield (
                Step(None, FREE, names, name=" ".join(names)),
                choice._replace(adapters=names),
            )
