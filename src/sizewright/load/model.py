"""The load of a system, in lines by service, and the time of its processors."""

from collections.abc import Mapping
from typing import NamedTuple

from sizewright import units
from sizewright.configuration.model import System
from sizewright.demand.rates import Known, Lines, Operations, sum_lines
from sizewright.demand.usage import UsageProfile
from sizewright.guide.model import Guide
from sizewright.quantity import Provenance, Quantity, as_quantity

Exclusive = tuple[tuple[str, ...], ...]


class NfsCapacity(NamedTuple):
    """What a platform serves of the reference mix over its networks, in op/s.

    `rated` is the maximum load of the platform itself; its processors set that. `networks` is the
    number of networks with NFS, `in_sum` what their interfaces pass together, and `over_networks`
    what that number sustains. A guide may state
    no sustained load, no number of networks, and no load of an interface: then they are None.
    """

    maximum: Quantity
    sustained: Quantity | None
    required_networks: Quantity | None
    networks: Quantity
    rated: Quantity
    in_sum: Quantity | None
    over_networks: Quantity | None

    @property
    def sustained_share(self) -> Quantity | None:
        """Return what is sustained as a part of what the platform is rated for."""
        return None if self.sustained is None else self.sustained / self.rated


class Pace(NamedTuple):
    """How fast all runs of some work go together on a system, a result and no demand.

    `rate` is in op/s and `run_s` the time of a run, both from recommended rates of disks and
    networks to their maximum rates; `best_run_s` is at the maximum. If others leave nothing
    of the recommended rates, `lasts` is false, and only the best is known. `station` limits the
    pace at the likely values, `best_station` at the maximum: `by_requests` by its time, because a
    run keeps only `requests` outstanding, else by its capacity.
    """

    rate: Quantity
    run_s: Quantity | None
    best_run_s: Quantity | None
    lasts: bool
    station: str
    best_station: str
    by_requests: bool
    requests: Quantity


class WorkLoad(NamedTuple):
    """Work in runs or open-ended, and its pace if known."""

    operations: Operations
    pace: Pace | None = None


class Asked(NamedTuple):
    """Operations a second of one kind that a service demands of one disk.

    `layer` is file_system or raw, empty if it is not known; `block_kb` is what one transfers.
    `pattern` is random or sequential, empty if only the pattern of the disk is known.
    """

    service: str
    rate: Quantity
    block_kb: Quantity
    layer: str
    operation: str
    pattern: str = ""

    @property
    def kb_per_s(self) -> Quantity:
        """Return what they move."""
        return self.rate * self.block_kb


class DiskPattern(NamedTuple):
    """The access pattern of a disk, empty if no data is on it; None is unknown."""

    hot: bool | None
    access: str | None


class DiskLimits(NamedTuple):
    """What a disk does at full and at the advised utilisation, in op/s and in KB/s.

    No rate in KB/s is advised for a disk that is read at random.
    """

    maximum_ops: Quantity | None = None
    sustained_ops: Quantity | None = None
    maximum_kb: Quantity | None = None
    sustained_kb: Quantity | None = None


class Share(NamedTuple):
    """Part of a channel that is in use: lines, and their limit in the same unit."""

    lines: Known = None
    limit: Quantity | None = None

    @property
    def used(self) -> Quantity | None:
        """Return what all lines together take."""
        if self.lines is None or self.limit is None:
            return None
        return sum_lines(self.lines, self.limit.unit)


class Load(NamedTuple):
    """Rates on the parts of one system, by their id; None if a rate is not known.

    `data` are kilobytes a second that the system has on networks, `wires` those of all systems on
    the same networks; of a system by itself they are the same. `wire_ops` are the NFS operations of
    all systems on networks where others have some. `low_priority` is kernel time of
    work that yields to all other work, and counts in no budget. `asked` are the kinds of operations
    of each disk, `moved` its kilobytes a second, `patterns` its use and `limits` what it does of
    such operations. `active` are the active disks of each channel, and `bus_time` the time that
    devices hold it. `usage` is what the system is used for. `kernel_lock` and `processors` are less
    than all by the time of services that are `untimed_kernel` and `untimed`.
    """

    networks: Mapping[str, Known]
    nfs: Known
    nfs_capacity: NfsCapacity | None
    kernel_lock: Known
    processors: Known
    disks: Mapping[str, Known]
    stored: Mapping[str, Known]
    channels: Mapping[str, Known]
    busses: Mapping[str, Lines]
    memory: Known
    usage: UsageProfile
    patterns: Mapping[str, DiskPattern] = {}
    limits: Mapping[str, DiskLimits] = {}
    data: Mapping[str, Known] = {}
    wires: Mapping[str, Lines] = {}
    wire_ops: Mapping[str, Lines] = {}
    low_priority: Lines = ()
    works: tuple[WorkLoad, ...] = ()
    moved: Mapping[str, Known] = {}
    asked: Mapping[str, tuple[Asked, ...] | None] = {}
    exclusive: Exclusive = ()
    active: Mapping[str, Share] = {}
    bus_time: Mapping[str, Share] = {}
    untimed_kernel: tuple[str, ...] = ()
    untimed: tuple[str, ...] = ()

    def on_wire(self, port: str) -> Known:
        """Return the lines of all systems on the network of a port, in KB/s; None if not known."""
        return self.wires.get(port, self.data.get(port))


def mips_of(platform: str, guide: Guide) -> Quantity:
    """Return the speed of one processor of a platform, in MIPS."""
    return guide.row("platforms", platform).require("mips")


def speed_ratio(guide: Guide, measured_on: str, system: System) -> Quantity:
    """Return the speed of the machine measured over that of a processor of this system."""
    return mips_of(measured_on, guide) / mips_of(system.platform, guide)


def stretch(utilisation: Quantity, servers: int = 1) -> Quantity | None:
    """Return the factor by which time in service grows: 1 ÷ (1 − utilisation^servers).

    None if the resource may be fully used, as requests then wait without end.
    """
    all_busy = utilisation
    for _ in range(1, servers):
        all_busy = all_busy * utilisation
    free = as_quantity(1) - all_busy
    return as_quantity(1) / free if free.low > 0 else None


def processor_second(processors: int = 1) -> Quantity:
    """Return the time that processors have in a second, in ms/s."""
    ms = processors * units.MS_PER_S
    what = "one processor's time" if processors == 1 else f"the time of {processors} processors"
    return Quantity(ms, ms, ms, "ms/s", name=what, source=Provenance("definition", "1 s = 1000 ms"))
