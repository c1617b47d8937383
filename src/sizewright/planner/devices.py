"""The devices that a choice brings, as lots for placement, and what rules say of a channel."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from sizewright.demand.model import Demand
from sizewright.facts.records import ChannelFacts, SystemFacts, VolumeFacts, blank
from sizewright.facts.storage import channel_facts
from sizewright.figure import Figure, count, total
from sizewright.guide.model import Row
from sizewright.load.storage import Stored, asked_of_disk
from sizewright.planner.assemble import lot_name
from sizewright.planner.choice import Choice
from sizewright.planner.parts import Machine
from sizewright.planner.placement import Content, Lot, Price
from sizewright.planner.policy import Cost, Policy, subject_cost
from sizewright.planner.storage import Pool
from sizewright.rules.book import RuleBook


class _Use(NamedTuple):
    """What one device of a lot asks of its channel."""

    rate_kb_per_s: Figure | None
    random: bool
    serial: bool
    backup: bool


def _kind(use: _Use, busses: frozenset[str]) -> str:
    """The same text for devices that ask the same of a channel."""
    rate = use.rate_kb_per_s
    ends = (rate.low, rate.likely, rate.high) if rate else ()
    return f"{ends} {use[1:]} {sorted(busses)}"


class Lots:
    """Lots of devices for any choice on one machine, with prices remembered."""

    def __init__(
        self, machine: Machine, demand: Demand, pools: tuple[Pool, ...], book: RuleBook,
        policy: Policy, system: SystemFacts,
    ) -> None:  # fmt: skip
        self.system = system
        self.machine = machine
        self.demand = demand
        self.pools = {pool.name: pool for pool in pools}
        self.book = book
        self.policy = policy
        self._prices: dict[tuple[str, Content], Cost] = {}
        self._uses: dict[tuple[str, tuple[str, ...], int, int], _Use] = {}

    def removable(self, choice: Choice) -> tuple[str, ...]:
        """Rows of the removable media that the system must have."""
        system = self.machine.guide.row("operating-systems", self.machine.operating_system)
        media = self.machine.guide.table("removable-media").rows
        wanted = [name for name in system.list("needs") if name in media]
        wanted += [choice.backup_device] if choice.backup_device else []
        return tuple(sorted({*wanted, *self.demand.removable_media}))

    def of(self, choice: Choice) -> tuple[dict[str, Row], tuple[Lot, ...], dict[str, _Use]]:
        """Lot -> device row; the lots, those hardest to place first; what each kind asks for."""
        rows: dict[str, Row] = {}
        lots: list[Lot] = []
        uses: dict[str, _Use] = {}
        for store in choice.stores:
            if store.host:
                continue
            row = self.machine.guide.row("disks", store.disk)
            guests = tuple(s.pool for s in choice.stores if s.host == store.pool)
            use = self._use(store.pool, guests, store.disks, store.copies)
            names = [lot_name(store.pool, c, store.copies) for c in range(store.copies)]
            busses = frozenset(row.list("disk_busses"))
            for name in names:
                rivals = frozenset(n for n in names if n != name)
                kind = name if rivals else _kind(use, busses)
                volumes = len(self.pools[store.pool].volumes)
                lots.append(Lot(name, kind, store.per_copy, busses, rivals, volumes))
                rows[name], uses[kind] = row, use
        for name in self.removable(choice):
            row = self.machine.guide.row("removable-media", name)
            busy = bool(self.demand.backup.wanted and self.demand.backup.during_working_hours)
            backs_up = busy and "backup" in row.list("use")
            use = _Use(row.find("transfer_kb_per_s") if backs_up else None, False, False, backs_up)
            busses = frozenset(row.list("disk_busses"))
            kind = _kind(use, busses)
            lots.append(Lot(name, kind, 1, busses))
            rows[name], uses[kind] = row, use
        lots.sort(
            key=lambda lot: (
                not uses[lot.kind].backup, not lot.rivals, not uses[lot.kind].random, -lot.number
            )
        )  # fmt: skip
        return rows, tuple(lots), uses

    def _use(self, pool: str, guests: tuple[str, ...], disks: int, copies: int) -> _Use:
        key = (pool, guests, disks, copies)
        if key not in self._uses:
            stored = [
                Stored(volume, disks, copies)
                for name in (pool, *guests) for volume in self.pools[name].volumes
            ]  # fmt: skip
            rates = [line.figure for line in asked_of_disk(self.demand, stored)]
            transfer = total(rates, "op/s") * self.demand.transfer_kb if rates else None
            hot, random = self.pools[pool].hot, self.pools[pool].access == "random"
            self._uses[key] = _Use(transfer, hot and random, hot and not random, False)
        return self._uses[key]

    def price(self, channels: Sequence[str], uses: Mapping[str, _Use]) -> Price:
        """What rules count against a channel with some content."""

        def price(index: int, content: Content) -> Cost:
            key = (channels[index], content)
            known = self._prices.get(key)
            if known is None:
                record = self._channel(channels[index], [(n, uses[kind]) for kind, n in content])
                known = subject_cost(self.book, self.policy, self.system, "channel", record)
                self._prices[key] = known
            return known

        return price

    def _channel(self, kind: str, content: Sequence[tuple[int, _Use]]) -> ChannelFacts:
        rates = [
            use.rate_kb_per_s * count(n, "devices") if n > 1 else use.rate_kb_per_s
            for n, use in content if use.rate_kb_per_s is not None
        ]  # fmt: skip
        random = sum(n for n, use in content if use.random)
        serial = sum(n for n, use in content if use.serial)
        return channel_facts(
            "", self.machine.guide.row("disk-busses", kind), sum(n for n, _ in content),
            (random, serial), total(rates, "KB/s"), any(use.backup for _, use in content),
        )  # fmt: skip

    def meeting(self) -> Cost:
        """What rules count where two copies of a volume meet on a channel."""
        given = {"copies_share_channel": True, "protection": "mirror"}
        record: VolumeFacts = blank("volume", given)
        return subject_cost(self.book, self.policy, self.system, "volume", record, partial=True)
