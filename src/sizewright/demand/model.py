"""Demand: streams of operations, volumes, networks, memory, and requirements on hardware."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from math import ceil
from typing import Any, NamedTuple, overload

from sizewright.quantity import Quantity, largest, total

# Patterns of access, layers of data and kinds of operations, by the names that tables use.
RANDOM, SERIAL, SEQUENTIAL = "random", "serial", "sequential"
FILE_SYSTEM, RAW, LOG = "file_system", "raw", "log"
READ, WRITE = "read", "write"


class Use(NamedTuple):
    """The share of a stream's data operations that goes to one volume."""

    volume: str
    share: Quantity


class Stream(NamedTuple):
    """NFS operations of one service, in op/s.

    `weighted` counts them as operations of the reference mix that cost the server as much;
    `kb_per_s` is the data that they move over the network, in both directions.
    """

    service: str
    network: str
    clients: Quantity
    diskless: bool
    ops: Quantity
    reads: Quantity
    writes: Quantity
    weighted: Quantity
    kb_per_s: Quantity
    read_share: Quantity
    write_share: Quantity
    mix: str
    uses: tuple[Use, ...]


class LineItem(NamedTuple):
    """A line of a budget: a name and how much; `service` if one service has several lines.

    Memory of the operating system and of data that is kept there does not grow with the load, nor
    does spin: processors spin if the lock is over its limit.
    """

    name: str
    figure: Quantity
    service: str = ""
    grows: bool = True

    @property
    def owner(self) -> str:
        """Return the service that asks for it, or the name of what else does."""
        return self.service or self.name


Lines = tuple[LineItem, ...]
# None is unknown.
Known = Lines | None


@overload
def sum_lines(lines: Sequence[LineItem], unit: str) -> Quantity: ...
@overload
def sum_lines(lines: Sequence[LineItem] | None, unit: str) -> Quantity | None: ...


def sum_lines(lines: Sequence[LineItem] | None, unit: str) -> Quantity | None:
    """Return the total of budget lines; None if they are not known."""
    return None if lines is None else total([line.figure for line in lines], unit)


class Runs(NamedTuple):
    """Work in runs: the size of one run, and when runs begin and end.

    A run has `run_ops` operations, sends `returns_kb` and is to end `within_s`. One begins
    `every_s`. `at_once` is the stated number of runs in progress, None if it is not stated. A run
    keeps `outstanding` requests in progress, None if that is not stated.
    """

    run_ops: Quantity | None = None
    returns_kb: Quantity | None = None
    within_s: Quantity | None = None
    every_s: Quantity | None = None
    at_once: Quantity | None = None
    outstanding: Quantity | None = None


class Operations(NamedTuple):
    """Operations of one kind that a service does on one volume of the server.

    `ops` is the demand in op/s: what arrivals and wanted times ask for. It is None for open-ended
    work, which has neither and takes what is left. Runs in progress keep `processors` busy outside
    of the kernel. `low` work has low priority and no wanted time: it yields to all other work.
    """

    service: str
    name: str
    volume: str
    network: str
    layer: str
    pattern: str
    operation: str
    block_kb: Quantity
    ops: Quantity | None
    runs: Runs = Runs()
    processors: Quantity | None = None
    low: bool = False

    @property
    def title(self) -> str:
        """Return their name in a budget."""
        return f"{self.service}: {self.name}"

    @property
    def open_ended(self) -> bool:
        """Return whether neither arrivals nor a wanted time ask for a rate."""
        return self.ops is None


_BACKUP, _TO_TAPES = "backup", "data to tapes"
# The name in a budget of what a backup sends.
TO_TAPES = f"{_BACKUP}: {_TO_TAPES}"


class Traffic(NamedTuple):
    """Data that a service sends and receives over a network, in KB/s, NFS apart.

    `packets_per_s` and `packet_byte` are stated or None; data without them goes in full packets.
    `nfs_ops` are the operations of file service that move it.
    """

    service: str
    name: str
    network: str
    kb_per_s: Quantity
    low: bool = False
    packets_per_s: Quantity | None = None
    packet_byte: Quantity | None = None
    nfs_ops: Quantity | None = None

    @property
    def title(self) -> str:
        """Return its name in a budget."""
        return f"{self.service}: {self.name}"


class KernelTime(NamedTuple):
    """Kernel time in ms/s that is neither of disks nor of packets.

    It was measured on a processor of `mips`; None if the guide does not state it.
    """

    service: str
    name: str
    ms_per_s: Quantity
    mips: Quantity | None = None


class UserTime(NamedTuple):
    """Processors that a service keeps busy outside of the kernel; None is all that there are.

    A `single` one uses no more than one. They were measured on processors of `mips`; None if they
    are those of the planned machine.
    """

    service: str
    processors: Quantity | None
    single: bool = False
    low: bool = False
    mips: Quantity | None = None


# The fields of an item that grow with its rate.
_SCALED: Mapping[type[Any], tuple[str, ...]] = {
    Stream: ("ops", "reads", "writes", "weighted", "kb_per_s"),
    Operations: ("ops", "runs"),
    Runs: ("run_ops", "returns_kb"),
    Traffic: ("kb_per_s", "packets_per_s", "nfs_ops"),
    KernelTime: ("ms_per_s",),
    UserTime: ("processors",),
    LineItem: ("figure",),
}


def scaled(item: Any, factor: Quantity) -> Any:
    """Return an item of a demand with its rates multiplied by a factor."""
    values = {name: getattr(item, name) for name in _SCALED[type(item)]}
    return item._replace(**{
        name: scaled(value, factor) if isinstance(value, Runs) else value * factor
        for name, value in values.items() if value is not None
    })  # fmt: skip


class LineDemand(NamedTuple):
    """Lines that end at the server: `kind` is wide (synchronous), serial or a printer's port."""

    service: str
    name: str
    kind: str
    number: Quantity
    kbit_per_s: Quantity | None = None
    kb_per_s: Quantity | None = None
    protocol: str = ""

    @property
    def title(self) -> str:
        """Return its name in a budget; a box states the name alone."""
        return f"{self.service}: {self.name}" if self.service else self.name


class ServiceDemand(NamedTuple):
    """One service, which can be moved from one system to another.

    `volumes` and `networks` are those that it uses. A `replicated` one runs on both systems.
    `users` are its sessions or clients, if it is not a file service.
    """

    name: str
    kind: str
    volumes: tuple[str, ...] = ()
    networks: tuple[str, ...] = ()
    back_within_s: Quantity | None = None
    replicated: bool = False
    users: Quantity | None = None


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

    def segments_of_each(self, systems: int) -> int:
        """Return the largest number of networks of one of some systems that divide the clients."""
        each = self.segments_at_most if self.for_each_system else self.segments_at_most // systems
        return max(1, each)

    def systems_on_each(self, systems: int) -> int:
        """Return how many of some systems that divide the clients share one network, at most."""
        return 1 if self.for_each_system else ceil(systems / self.segments_at_most)


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
    """Space for indexes of backup software: a `share` of the files, if data is `above_mb`."""

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
    other vendors may be chosen too. A volume is hot on a disk above the `hot_share` of what the
    disk sustains; if the guide has no such parameter, with any load. `elsewhere` is the data that
    services on another system have on the same networks. `indexes` is None if backups need none,
    `system` if its space is stated, or is elsewhere.
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
            yield Traffic(_BACKUP, _TO_TAPES, self.backup.over, to_tapes)

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
        """Return the services of which no processor time is known, in the kernel or at all."""
        wide = (line for line in self.lines if line.kind == "wide")
        user = (each for each in self.user if each.low or not in_kernel)
        parts = (self.streams, self.operations, self.kernel, self.sent(), wide, user)
        timed = {each.service for part in parts for each in part}
        return tuple(each.name for each in self.services if each.name not in timed)

    def at_peak(self, items: tuple[LineItem, ...]) -> tuple[LineItem, ...]:
        """Return the lines of the peak: of services that exclude each other in time, the larger."""
        return peak(items, self.exclusive)


def peak(
    items: tuple[LineItem, ...], exclusive: tuple[tuple[str, ...], ...]
) -> tuple[LineItem, ...]:
    """Return one line for each set of services that never coincide: the larger, end by end."""
    if not exclusive:
        return items
    folded: list[LineItem] = []
    done: set[str] = set()
    for item in items:
        if item.owner in done:
            continue
        rivals = next((names for names in exclusive if item.owner in names), ())
        asked = {name: [i for i in items if i.owner == name] for name in rivals}
        present = {name: lines for name, lines in asked.items() if lines}
        if len(present) < 2:
            folded.append(item)
            continue
        done.update(present)
        sums = [
            lines[0].figure if len(lines) == 1
            else sum_lines(lines, item.figure.unit)
            for lines in present.values()
        ]  # fmt: skip
        folded.append(LineItem(" or ".join(present), largest(*sums)))
    return tuple(folded)
