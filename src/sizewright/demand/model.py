"""Demand: what services ask for, volumes, networks, and requirements on hardware."""

from collections.abc import Iterator, Mapping
from itertools import product
from math import ceil
from typing import NamedTuple

from sizewright.demand.rates import (
    BACKUP_TRAFFIC,
    KernelTime,
    LineDemand,
    LineItem,
    Operations,
    Stream,
    Traffic,
    UserTime,
    peak,
)
from sizewright.quantity import Quantity


class ServiceDemand(NamedTuple):
    """One service, which can be moved from one system to another.

    `volumes` and `networks` are those that it uses. A `replicated` one runs on both systems.
    `users` are its sessions or clients, if it is not a file service. Its software has to give what
    it `needs`, as software of the guide does.
    """

    name: str
    kind: str
    volumes: tuple[str, ...] = ()
    networks: tuple[str, ...] = ()
    back_within_s: Quantity | None = None
    replicated: bool = False
    users: Quantity | None = None
    needs: tuple[str, ...] = ()


class ClientDivision(NamedTuple):
    """Over how many `systems` clients are divided.

    Each system has its part of the networks, or all of them are `on_all_networks`.
    """

    systems: int
    on_all_networks: bool = False


class NetworkDemand(NamedTuple):
    """A community of clients on one medium. Empty `medium` leaves the choice to the planner.

    It may be split over `segments_at_most` networks in all, or with `for_each_system` over as many
    on each system. It has `spare` networks more than carry its load. `large_packets`: most of its
    NFS operations move data; None if it has none, or other traffic beside them.
    """

    name: str
    medium: str
    keep_medium: bool
    segments_at_most: int
    fastest_response: bool
    ops: tuple[LineItem, ...]
    clients: Quantity
    diskless_clients: Quantity
    large_packets: bool | None = None
    spare: int = 0
    for_each_system: bool = False

    def segments_of_each(self, division: ClientDivision) -> int:
        """Return the largest number of networks of one of some systems that divide the clients."""
        each = self.segments_at_most
        if not self.for_each_system and not division.on_all_networks:
            each //= division.systems
        return max(1, each)

    def systems_on_each(self, division: ClientDivision) -> int:
        """Return how many of some systems that divide the clients share one network, at most."""
        if self.for_each_system:
            return 1
        systems = division.systems
        return systems if division.on_all_networks else ceil(systems / self.segments_at_most)


class VolumeDemand(NamedTuple):
    """Data to be stored.

    `pool` is the set of volumes that the customer wants on the same disks; with `own_disks` no
    others are there. `hot` is None if it is not stated, and the load decides
    (`load.derive.is_hot`). Data that is kept in memory is not hot on its disks. `reads` and
    `writes` are those of NFS; `work` is that of services on the server. `database` is the product
    whose data it is. With `copies_alone`, each copy is to serve all reads by itself. An
    `added` one is needed, but the workload does not state it. `saved_mb` is what a full backup
    saves of it; None is all, or what its use implies.
    """

    name: str
    pool: str
    size_mb: Quantity
    access: str
    protection: str
    hot: bool | None
    reads: tuple[LineItem, ...]
    writes: tuple[LineItem, ...]
    cached_mb: Quantity | None
    work: tuple[Operations, ...] = ()
    use: str = "file_system"
    apart_from: tuple[str, ...] = ()
    dual_ported: bool = False
    database: str = ""
    own_disks: bool = False
    read_only: bool = False
    copies_alone: bool = False
    added: bool = False
    saved_mb: Quantity | None = None

    @property
    def in_turns(self) -> bool:
        """Return whether its disks work one after another: only serial runs use it."""
        serial = all(
            w.pattern == "sequential" and (w.open_ended or w.runs.run_ops is not None)
            for w in self.work
        )
        return bool(self.work) and serial and not self.reads and not self.writes


class Backup(NamedTuple):
    """When backups may run; of a box it may not be known.

    A full one must end within `window` hours, with at most `drives_at_most` drives at once, 0 if it
    is not stated. A daily one saves the `incremental` share of the data. A tape holds `tape_mb`, or
    what the guide states. The drives are on another system if a network leads `over` to them, at
    the KB/s of the drives.
    """

    wanted: bool
    during_working_hours: bool | None
    at_night_in_use: bool | None
    window: Quantity | None = None
    drives_at_most: int = 0
    incremental: Quantity | None = None
    tape_mb: Quantity | None = None
    over: str = ""
    over_kb_per_s: Quantity | None = None

    @property
    def while_in_use(self) -> bool | None:
        """Return whether they run while the system is in use, by day or by night."""
        times = (self.during_working_hours, self.at_night_in_use)
        if not self.wanted or any(times):
            return self.wanted
        return None if None in times else False


class IndexTerms(NamedTuple):
    """Space for indexes of backup software: a `share` of the files, if they are `above_mb`."""

    share: Quantity
    above_mb: Quantity


class SystemTerms(NamedTuple):
    """Space of an operating system that is not stated: `whole`, with the `least` swap space."""

    whole: Quantity
    least: Quantity


class Owned(NamedTuple):
    """Existing devices of one model: the number that must be used, and how many more may be."""

    device: str
    required: int
    optional: int = 0

    @property
    def number(self) -> int:
        """How many there are."""
        return self.required + self.optional

    def divided(self, systems: int) -> "Owned":
        """Return what each of several identical systems can have."""
        return self._replace(required=self.required // systems, optional=self.optional // systems)

    def rest(self, systems: int) -> "Owned":
        """Return what is left when each of several systems has as many."""
        return self._replace(required=self.required % systems, optional=self.optional % systems)

    def without(self, number: int) -> "Owned":
        """Return what is left when another system has some, first of those that must be used."""
        first = min(number, self.required)
        return self._replace(
            required=self.required - first, optional=self.optional - number + first
        )

    def plus(self, other: "Owned") -> "Owned":
        """Return the devices of both."""
        required = self.required + other.required
        return self._replace(required=required, optional=self.optional + other.optional)


class Degradation(NamedTuple):
    """What a service may fall to after the failure of a system, as a part of its rates.

    None is any part, as long as it runs; at 0 it may stop.
    """

    service: str
    at_least: Quantity | None = None

    @property
    def may_stop(self) -> bool:
        """Return whether the service may stop altogether."""
        return self.at_least is not None and self.at_least.high <= 0


class Demand(NamedTuple):
    """Everything that a workload asks for.

    `systems` is how many are wanted, 0 if it is not stated. With `third_party_disks`, disks of
    other vendors may be chosen too; `disk_models` are the only ones to order, if any are named. A
    volume is hot on a disk above the `hot_share` of what the disk sustains; if the guide has no
    such parameter, with any load. `elsewhere` is the data that services on another system have on
    the same networks. `indexes` is None if backups need none, `system` if its space is stated, or
    is elsewhere. A network for terminal servers alone, which no workload states, is split over
    `server_networks_at_most`.
    """

    streams: tuple[Stream, ...]
    exclusive: tuple[tuple[str, ...], ...]
    networks: tuple[NetworkDemand, ...]
    volumes: tuple[VolumeDemand, ...]
    clients: Quantity
    diskless_clients: Quantity
    transfer_kb: Quantity
    backup: Backup
    removable_media: tuple[str, ...]
    carry_forward: tuple[Owned, ...]
    platforms: tuple[str, ...]
    size_for: str
    services: tuple[ServiceDemand, ...] = ()
    operations: tuple[Operations, ...] = ()
    traffic: tuple[Traffic, ...] = ()
    kernel: tuple[KernelTime, ...] = ()
    user: tuple[UserTime, ...] = ()
    memory: tuple[LineItem, ...] = ()
    swap: tuple[LineItem, ...] = ()
    lines: tuple[LineDemand, ...] = ()
    databases: tuple[str, ...] = ()
    processes: tuple[LineItem, ...] = ()
    systems: int = 0
    survives: tuple[str, ...] = ()
    standby: bool = False
    degraded: tuple[Degradation, ...] = ()
    third_party_disks: bool = False
    disk_models: tuple[str, ...] = ()
    server_networks_at_most: int = 1
    hot_share: float = 0
    elsewhere: tuple[Traffic, ...] = ()
    indexes: IndexTerms | None = None
    system: SystemTerms | None = None

    @property
    def owned(self) -> Mapping[str, int]:
        """How many devices of each model exist."""
        return {each.device: each.number for each in self.carry_forward}

    @property
    def required(self) -> Mapping[str, int]:
        """How many existing devices of each model must be used."""
        return {each.device: each.required for each in self.carry_forward if each.required}

    def sent(self) -> Iterator[Traffic]:
        """Yield data over networks, NFS apart: of services, and of backups while in use."""
        yield from self.traffic
        to_tapes = self.backup.over_kb_per_s
        if to_tapes is not None and self.backup.while_in_use:
            yield Traffic(*BACKUP_TRAFFIC, self.backup.over, to_tapes)

    def data(self) -> Iterator[Traffic]:
        """Yield all data over networks, that of NFS included; work of low priority apart."""
        yield from (traffic for traffic in self.sent() if not traffic.low)
        for stream in self.streams:
            yield Traffic(
                stream.service, "data", stream.network, stream.kb_per_s, nfs_ops=stream.ops
            )

    def scenarios(self) -> Iterator[tuple[Stream, ...]]:
        """Yield the streams of every scenario: one service of each exclusive set is active."""
        for active in product(*self.exclusive):
            resting = {name for names in self.exclusive for name in names}.difference(active)
            yield tuple(s for s in self.streams if s.service not in resting)

    def untimed(self, in_kernel: bool) -> tuple[str, ...]:
        """Return the services of which no processor time is known, in the kernel or at all.

        A rule limits how many lines end on boards, so those need not be timed (2.9).
        """
        user = (each for each in self.user if each.low or not in_kernel)
        parts = (self.streams, self.operations, self.kernel, self.sent(), self.lines, user)
        timed = {each.service for part in parts for each in part}
        return tuple(each.name for each in self.services if each.name not in timed)

    def at_peak(self, items: tuple[LineItem, ...]) -> tuple[LineItem, ...]:
        """Return the lines of the peak: of services that exclude each other in time, the larger."""
        return peak(items, self.exclusive)
