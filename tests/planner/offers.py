"""Everything that can be bought for one platform, and every way to put it together."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations_with_replacement, product
from typing import NamedTuple

from planner.deals import Slot, Steps, Want, packed, shares
from sizewright.demand.model import Demand, NetworkDemand, VolumeDemand
from sizewright.guide.model import Guide, Row
from sizewright.load.derive import busy_share, is_hot

BUILTIN = "builtin"


class Attached(NamedTuple):
    """A community's networks: one kind of interface, and who provides each port."""

    network: str
    interface: str
    providers: tuple[str, ...]


class Pool(NamedTuple):
    """Volumes that share disks."""

    name: str
    volumes: tuple[VolumeDemand, ...]

    @property
    def copies(self) -> int:
        return 2 if any(v.protection == "mirror" for v in self.volumes) else 1

    @property
    def own(self) -> bool:
        return any(v.own_disks for v in self.volumes)

    def hot(self, disk: Row, demand: Demand, guide: Guide) -> list[VolumeDemand]:
        busy = (busy_share(v, disk, self.copies, demand, guide) for v in self.volumes)
        return [v for v, share in zip(self.volumes, busy, strict=True) if is_hot(v, share, demand)]

    def size_mb(self, end: str) -> float:
        return sum(v.size_mb.at(end) for v in self.volumes)


class Stored(NamedTuple):
    """A number of disks a copy for some pools, or a guest on another pool's disks.

    A guest is whole on one disk of each copy, the one `at` this number from the last, or spread
    over all of them where that is None. Disks that are owned may have no pools of their own;
    `halves` is their number.
    """

    pools: tuple[Pool, ...]
    disk: Row | None
    per_copy: int
    host: str
    at: int | None = None
    halves: int = 0

    @property
    def name(self) -> str:
        if self.pools:
            return self.pools[0].name
        assert self.disk
        return f"{self.disk.id} {self.halves} {self.at}"

    @property
    def copies(self) -> int:
        return self.pools[0].copies if self.pools else self.halves

    def size_mb(self, end: str) -> float:
        return sum(pool.size_mb(end) for pool in self.pools)


class Devices(NamedTuple):
    """Devices that are alike."""

    name: str
    row: Row
    number: int


class Candidate(NamedTuple):
    """A configuration that is not yet built; what it weighs comes first."""

    boards: int
    devices: int
    installed_mb: float
    memory_mb: float
    options: int
    networks: tuple[Attached, ...]
    accelerator: str
    gathering: str
    backup: str
    in_slots: tuple[str, ...]
    memory_boards: tuple[str, ...]
    stored: tuple[Stored, ...]
    groups: tuple[Devices, ...]
    contents: tuple[tuple[int, ...], ...]

    @property
    def weight(self) -> tuple[float, ...]:
        return self[:5]


class Offers:
    """What one platform can be made of; counts its steps."""

    def __init__(self, guide: Guide, demand: Demand, platform: Row, steps: int) -> None:
        self.guide = guide
        self.demand = demand
        self.platform = platform
        self.steps = Steps(steps)
        self.processors: int = min(platform.list("processor_counts") or (1,))
        self.os = guide.row("operating-systems", guide.defaults["operating_system"])
        self.slots = self._slots()
        takes = {(slot.bus, role) for slot in self.slots for role in slot.takes}
        self.boards = {
            row.id: row for row in guide.table("boards")
            if row.flag("orderable") and platform.id not in row.list("not_on")
            and not takes.isdisjoint((row.text("bus"), r) for r in ("any", *row.list("role")))
        }  # fmt: skip
        here = [r for r in guide.table("platform-boards") if r.text("platform") == platform.id]
        self.base = Counter({r.text("board"): int(r.number("base")) for r in here})
        self.in_use = {r.text("board"): r.cell("channels_in_use") for r in here}
        self.pools = pools_of(demand.volumes)
        self._packed: dict[object, tuple[tuple[int, ...], ...] | None] = {}

    def _slots(self) -> list[Slot]:
        found = []
        for row in self.guide.table("platform-slots"):
            most = row.cell("processors_at_most")
            if row.text("platform") == self.platform.id and (
                most is None or self.processors <= most.likely
            ):
                numbers = range(int(row.number("first")), int(row.number("last")) + 1)
                found += [Slot(row.text("bus"), n, row.list("takes")) for n in numbers]
        return found

    def candidates(self) -> Iterator[Candidate]:
        for networks in product(*map(self.attachments, self.demand.networks)):
            if not self._ports_suffice(networks):
                continue
            for accelerator, gathering in self._accelerations():
                for boards, adapters in self._sets(networks, accelerator):
                    for stored, groups, contents in self._storage(boards, adapters):
                        for memory_mb, memory_boards in self.memories():
                            self.steps.take()
                            if self.packed(memory_boards, boards) is None:
                                continue
                            for backup in self._backup_products():
                                yield Candidate(
                                    len(boards) + len(memory_boards),
                                    *self._bought(groups),
                                    memory_mb,
                                    bool(gathering) + bool(backup),
                                    networks, accelerator, gathering, backup, boards,
                                    memory_boards, stored, groups, contents,
                                )  # fmt: skip

    def _bought(self, groups: Iterable[Devices]) -> tuple[int, float]:
        """How many devices are not owned, and the megabytes of the disks among them."""
        used: Counter[str] = Counter()
        rows = {}
        for group in groups:
            used[group.row.id] += group.number
            rows[group.row.id] = group.row
        new = used - Counter(self.demand.owned)
        disks = [(rows[name], n) for name, n in new.items() if rows[name].table == "disks"]
        return new.total(), sum(n * row.number("capacity_mb") for row, n in disks)

    # Networks and boards

    def attachments(self, network: NetworkDemand) -> list[Attached]:
        found = []
        for row in self.guide.table("network-interfaces"):
            if network.medium and row.text("medium") != network.medium:
                continue
            ways = [b for b in row.list("boards") if b in self.boards]
            if row.id in self.platform.list("builtin_networks"):
                ways.append(BUILTIN)
            for segments in range(1, network.segments_at_most + 1):
                for providers in combinations_with_replacement(ways, segments):
                    found.append(Attached(network.name, row.id, providers))
        return found

    def _ports_suffice(self, networks: Iterable[Attached]) -> bool:
        used: Counter[str] = Counter()
        for attached in networks:
            used[attached.interface] += attached.providers.count(BUILTIN)
        have = Counter(self.platform.list("builtin_networks"))
        return all(have[interface] >= n for interface, n in used.items())

    def _accelerations(self) -> list[tuple[str, str]]:
        found = [("", "")]
        for row in self.guide.table("nvram-accelerators"):
            if row.text("board") in self.boards:
                found.append((row.id, ""))
        return found + [("", name) for name in self.software("write_gathering_nfs")]

    def software(self, kind: str) -> list[str]:
        return [row.id for row in self.guide.table("software") if row.text("kind") == kind]

    def _sets(
        self, networks: Sequence[Attached], accelerator: str
    ) -> Iterator[tuple[tuple[str, ...], int]]:
        """Every set of boards for these that fits, and how many adapters at its end are added.

        Boards of the base serve before any is added. An accelerator that plugs into boards is on
        each of them.
        """
        needed: Counter[str] = Counter()
        for (interface, board), ports in self.ports(networks).items():
            needed[board] += -(-ports // self.ports_of(interface, board))
        rows = self.guide.table("boards").rows
        speeds, below = "", ""
        if accelerator:
            speeds = self.guide.row("nvram-accelerators", accelerator).text("board")
            below = rows[speeds].text("bus")
            needed[speeds] += below not in rows
        on_offer = [
            row.id for row in self.boards.values()
            if row.list("disk_busses") and "network_interface" not in row.list("role")
        ]  # fmt: skip
        for number in range(len(self.slots) + 1):
            for chosen in combinations_with_replacement(on_offer, number):
                fixed = needed.copy()
                for board, there in self.base.items():
                    fixed[board] = max(fixed[board], there)
                if below in rows:
                    fixed[speeds] = max(fixed[below] + chosen.count(below), fixed[speeds], 1)
                boards = (*sorted(fixed.elements()), *chosen)
                plugged = {rows[board].text("bus") for board in boards}.intersection(rows)
                if plugged.issubset(boards) and self.packed((), boards) is not None:
                    yield boards, number

    def ports(self, networks: Iterable[Attached]) -> Counter[tuple[str, str]]:
        """How many ports of each interface are on boards of each kind."""
        return Counter((a.interface, p) for a in networks for p in a.providers if p != BUILTIN)

    def ports_of(self, interface: str, board: str) -> int:
        """How many networks a board has ports for."""
        of_interface = self.guide.row("network-interfaces", interface)
        number = of_interface.cell("networks_per_board")
        return int(number.likely) if number else int(self.boards[board].number("networks", 1))

    def kinds(self, board: str) -> tuple[str, ...]:
        """The channels of a board: several of its one kind, as far as the platform uses them."""
        row = self.guide.row("boards", board)
        kinds, several = row.list("disk_busses"), row.cell("channels")
        if several is None or len(kinds) > 1:
            return kinds
        used = self.in_use.get(board) or several
        return kinds * int(min(used.low, several.low))

    def packed(
        self, memory: Iterable[str], boards: Iterable[str]
    ) -> tuple[tuple[int, ...], ...] | None:
        """Slots for memory boards and other boards, each sorted by name; None if none suffice."""
        key = (tuple(sorted(memory)), tuple(sorted(boards)))
        if key not in self._packed:
            rows = [(self.guide.row("memory-boards", name), ("memory",)) for name in key[0]]
            rows += [(row := self.guide.row("boards", name), row.list("role")) for name in key[1]]
            wants = [
                Want(row.text("bus"), roles, int(row.number("slots_used", otherwise=1)))
                for row, roles in rows
            ]
            self._packed[key] = packed(wants, self.slots)
        return self._packed[key]

    def memories(self) -> Iterator[tuple[float, tuple[str, ...]]]:
        """Amounts of memory with the boards they need, none of which could be left out."""
        step = self.platform.number("memory_increment_mb")
        onboard = self.platform.number("onboard_memory_limit_mb")
        limit = max(onboard, self.platform.number("memory_limit_mb"))
        rows = [self.guide.row("memory-boards", n) for n in self.platform.list("memory_boards")]
        for number in range(len(self.slots) + 1):
            for chosen in combinations_with_replacement(rows, number):
                names = tuple(row.id for row in chosen)
                if self.packed(names, ()) is None:
                    continue
                each = sorted(row.number("capacity_limit_mb") for row in chosen)
                size = step
                while 0 < size <= min(limit, onboard + sum(each)):
                    if not chosen or size > onboard + sum(each[1:]):
                        yield size, names
                    size += step

    def _backup_products(self) -> list[str]:
        return ["", *(self.software("online_backup") if self.demand.backup.wanted else ())]

    # Disks and what they hang on

    def channels(self, boards: Iterable[str]) -> list[tuple[str, str]]:
        """Kind and provider of every channel, built-in ones first."""
        found = [(kind, BUILTIN) for kind in self.platform.list("builtin_disk_busses")]
        for board in boards:
            found += [(kind, board) for kind in self.kinds(board)]
        return found

    def _limit(self, kind: str) -> int:
        return int(self.guide.row("disk-busses", kind).number("targets_limit"))

    def _storage(
        self, boards: Sequence[str], added: int
    ) -> Iterator[tuple[tuple[Stored, ...], tuple[Devices, ...], tuple[tuple[int, ...], ...]]]:
        """Disks and removable media on the channels of boards, of which added ones come last."""
        channels = self.channels(boards)
        adapters = []
        fixed = len(boards) - added
        at = len(self.channels(boards[:fixed]))
        for board in boards[fixed:]:
            own = len(self.kinds(board))
            adapters.append(slice(at, at + own))
            at += own
        for media in self.removable():
            others = tuple(
                Devices(m, self.guide.row("removable-media", m), n)
                for m, n in Counter(media).items()
            )
            for stored in self._stored(channels, len(media)):
                groups = (*_disk_groups(stored), *others)
                alone = not any(s.host for s in stored)
                for contents in self._dealt(groups, channels, alike=alone):
                    if all(any(map(sum, contents[adapter])) for adapter in adapters):
                        yield stored, groups, contents

    def removable(self) -> list[tuple[str, ...]]:
        """What must be attached, and that with one device more for backups that are wanted."""
        media = self.guide.table("removable-media").rows
        fixed = {*self.demand.removable_media, *(n for n in self.os.list("needs") if n in media)}
        owned = {name: n for name, n in self.demand.required.items() if name in media}
        wanted = [*(fixed - owned.keys()), *Counter(owned).elements()]
        ways = [tuple(sorted(wanted))]
        if self.demand.backup.wanted:
            for name, row in media.items():
                if "backup" in row.list("use") and name not in wanted:
                    ways.append(tuple(sorted([*wanted, name])))
        return ways

    def _stored(
        self, channels: Sequence[tuple[str, str]], others: int
    ) -> Iterator[tuple[Stored, ...]]:
        room = sum(self._limit(kind) for kind, _ in channels) - others
        kinds = {kind for kind, _ in channels}
        disks = [row for row in self.disks() if kinds.intersection(row.list("disk_busses"))]
        alone = [
            p
            for p in self.pools
            if p.own or all(p.hot(d, self.demand, self.guide) for d in self.disks())
        ]
        shared = [p for p in self.pools if p not in alone]
        groups = [[p for p in shared if p.copies == copies] for copies in (1, 2)]
        ways = [list(self._own((pool,), disks, room)) for pool in alone]
        for hosts in product(*ways):
            for lent in self._lent({g[0].copies for g in groups if g}, disks):
                there = (*hosts, *lent)
                among = (self._among(group, there, disks, room) for group in groups if group)
                for stored in self._at_hand(product((there,), *map(list, among)), room):
                    if {s.name for s in lent} <= {s.host for s in stored}:
                        yield stored

    def _lent(self, copies: Iterable[int], disks: Iterable[Row]) -> Iterator[tuple[Stored, ...]]:
        """Disks that are owned and have nothing but guests: any number for groups of any copies."""
        owned = self.demand.owned
        ways: list[list[Stored | None]] = []
        for row in disks:
            for c in sorted(copies):
                numbers = range(1, owned.get(row.id, 0) // c + 1)
                ways.append([None, *(Stored((), row, n, "", None, c) for n in numbers)])
        for way in product(*ways):
            lent = tuple(stored for stored in way if stored)
            self.steps.take()
            if all(n <= owned[name] for name, n in _used(lent).items()):
                yield lent

    def _own(self, pools: tuple[Pool, ...], disks: Iterable[Row], room: int) -> Iterator[Stored]:
        """Some pools together on disks of one model, as many as there can be."""
        size = sum(pool.size_mb("low") for pool in pools)
        for row in disks:
            if self._agree(pools, row):
                for n in range(1, room // pools[0].copies + 1):
                    if n * row.require("capacity_mb").high >= size:
                        yield Stored(pools, row, n, "")

    def _among(
        self, group: Sequence[Pool], hosts: Sequence[Stored], disks: Sequence[Row], room: int
    ) -> Iterator[tuple[Stored, ...]]:
        """Every way to divide a group over disks of one model and the disks of hosts."""
        lending = [
            h for h in hosts if h.copies == group[0].copies and not any(p.own for p in h.pools)
        ]
        for row in disks:
            for blocks in _divided(group):
                ways = []
                for block in blocks:
                    own = list(self._own(block, (row,), room))
                    if len(block) == 1:
                        own += [
                            Stored(block, None, 0, h.name, at)
                            for h in lending if h.disk and self._agree((*h.pools, *block), h.disk)
                            for at in (None, *range(h.per_copy))
                        ]  # fmt: skip
                    ways.append(own)
                yield from product(*ways)

    def _agree(self, pools: Sequence[Pool], disk: Row) -> bool:
        """Whether pools may share a disk: one hot, nothing random beside it if it is serial."""
        if len(pools) == 1:
            return True
        hot = [pool for pool in pools if pool.hot(disk, self.demand, self.guide)]
        names = {v.name for pool in pools for v in pool.volumes}
        if len(hot) > 1 or any(pool.own for pool in pools):
            return False
        if any(names.intersection(v.apart_from) for pool in pools for v in pool.volumes):
            return False
        if hot and all(v.access == "serial" for v in hot[0].hot(disk, self.demand, self.guide)):
            others = [v for pool in pools if pool is not hot[0] for v in pool.volumes]
            return not any(v.access == "random" and (v.reads or v.writes) for v in others)
        return True

    def _at_hand(
        self, ways: Iterable[Sequence[tuple[Stored, ...]]], room: int
    ) -> Iterator[tuple[Stored, ...]]:
        """Those ways for which there are disks, with the owned ones that must be there anyway."""
        owned, disks = self.demand.owned, self.guide.table("disks")
        for way in ways:
            stored = tuple(s for stores in way for s in stores)
            self.steps.take()
            used = _used(stored)
            at_hand = all(
                disks[disk].flag("orderable") or n <= owned.get(disk, 0) for disk, n in used.items()
            )
            required = Counter({n: c for n, c in self.demand.required.items() if n in disks.rows})
            idle = sorted((required - used).items())
            spare = (Stored((), disks[name], n, "", 0, 1) for name, n in idle)
            whole = sum(used.values()) + sum(n for _, n in idle)
            if at_hand and whole <= room and self._guests_fit(stored):
                yield (*stored, *spare)

    def disks(self) -> list[Row]:
        interfaces = self.platform.list("disk_interfaces")
        return [
            row for row in self.guide.table("disks")
            if (row.flag("orderable") or row.id in self.demand.owned) and row.cell("capacity_mb")
            and (not interfaces or row.text("interface") in interfaces)
        ]  # fmt: skip

    def _guests_fit(self, stored: Sequence[Stored]) -> bool:
        end = self.demand.size_for
        for host in stored:
            guests = [s for s in stored if s.host == host.name]
            if not host.disk or not guests:
                continue
            if not self._agree([p for s in (host, *guests) for p in s.pools], host.disk):
                return False
            capacity = host.disk.number("capacity_mb")
            if sum(s.size_mb(end) for s in (host, *guests)) > host.per_copy * capacity:
                return False
            for at in {s.at for s in guests} - {None}:
                if sum(s.size_mb(end) for s in guests if s.at == at) > capacity:
                    return False
        return True

    def _dealt(
        self, groups: Sequence[Devices], channels: Sequence[tuple[str, str]], alike: bool
    ) -> Iterator[tuple[tuple[int, ...], ...]]:
        """For each channel how many of each group; of channels that are alike one order only."""
        ways = []
        for group in groups:
            fits = [kind in group.row.list("disk_busses") for kind, _ in channels]
            ways.append(list(shares(group.number, fits, self.steps)))
        for dealt in product(*ways):
            self.steps.take()
            contents = tuple(zip(*dealt, strict=True)) or ((),) * len(channels)
            full = zip(contents, channels, strict=True)
            if any(sum(content) > self._limit(kind) for content, (kind, _) in full):
                continue
            neighbours = range(len(channels) - 1)
            if alike and any(
                channels[i] == channels[i + 1] and contents[i] < contents[i + 1] for i in neighbours
            ):
                continue
            yield contents


def _disk_groups(stored: Iterable[Stored]) -> Iterator[Devices]:
    for s in stored:
        for copy in range(s.copies if s.disk else 0):
            assert s.disk
            yield Devices(f"{s.name}/{copy}", s.disk, s.per_copy)


def _used(stored: Iterable[Stored]) -> Counter[str]:
    """How many disks of each model are in use."""
    used: Counter[str] = Counter()
    for s in stored:
        if s.disk:
            used[s.disk.id] += s.per_copy * s.copies
    return used


def _divided(pools: Sequence[Pool]) -> Iterator[list[tuple[Pool, ...]]]:
    """Every way to divide some pools into blocks."""
    if not pools:
        yield []
        return
    for blocks in _divided(pools[1:]):
        yield [(pools[0],), *blocks]
        for n, block in enumerate(blocks):
            yield [*blocks[:n], (pools[0], *block), *blocks[n + 1 :]]


def pools_of(volumes: Iterable[VolumeDemand]) -> list[Pool]:
    """The pools, larger ones first."""
    names: dict[str, list[VolumeDemand]] = {}
    for volume in sorted(volumes, key=lambda v: v.name):
        names.setdefault(volume.pool, []).append(volume)
    pools = [Pool(name, tuple(members)) for name, members in names.items()]
    return sorted(pools, key=lambda p: (-p.size_mb("high"), p.name))
