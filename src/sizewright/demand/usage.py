"""Usage: what is known about how a system is used, of a demand or of a box; None is unknown."""

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from sizewright.demand.model import Backup, Demand, NetworkDemand
from sizewright.demand.rates import READ, LineDemand, LineItem, UserTime, sum_lines
from sizewright.quantity import Quantity, ambiguous, mean, total
from sizewright.units import PURE
from sizewright.workload.volume import OWN


class NetworkUse(NamedTuple):
    """How one network is used; an empty `medium` leaves the choice open, None may or may not."""

    medium: str | None = ""
    keep_medium: bool | None = None
    fastest_response: bool | None = None
    clients: Quantity | None = None
    diskless_clients: Quantity | None = None
    large_packets: bool | None = None


class VolumeUse(NamedTuple):
    """How the data of one volume, or of one disk, is used.

    `database` is the database manager whose data it is, empty if there is none. Disks of
    data read `in_turns` work one after another. `file_access` is a row of file-access-methods.
    A full backup saves `saved_mb` of it; None is all, or what its use implies.
    `busy` is the load of the volume ÷ the rate that a disk sustains, with the volume on one disk.
    """

    access: str | None = None
    hot: bool | None = None
    protection: str | None = None
    use: str | None = None
    mirrored_for: str | None = None
    clustered: bool | None = None
    full: Quantity | None = None
    database: str | None = None
    in_turns: bool = False
    file_access: str | None = None
    size_mb: Quantity | None = None
    saved_mb: Quantity | None = None
    busy: float = 0


class ProcessorUse(NamedTuple):
    """Processors kept busy outside of the kernel.

    `processors` are those of the system itself. What was measured on another machine is in `mips`.
    """

    processors: Quantity
    mips: Quantity

    def on(self, mips: Quantity | None) -> Quantity | None:
        """Return how many processors of this speed it is; None if the speed is needed and unknown.

        Services that exclude each other are both counted if only one was measured elsewhere.
        """
        if self.mips.high <= 0:
            return self.processors
        return None if mips is None else self.processors + self.mips / mips


class UsageProfile(NamedTuple):
    """What a system is used for, as far as it is known.

    `user_processors` is what services keep busy outside of the kernel, those of low priority among
    them, `needed_processors` without these; some may take all processors that there are.
    `processes` are those active at once, nfsd apart; those `without_files` may be more while no
    files are served.
    `networks` goes by community or port, `volumes` by name, `disks` holds what is stated of a
    disk as a whole. `cached` are the lines of memory asked for.
    `wide_lines` are the synchronous lines that end at it.
    `nfs_kb_per_op` is the data that an NFS operation of the stated mix moves over a network.
    """

    services: tuple[str, ...] | None = None
    clients: Quantity | None = None
    diskless_clients: Quantity | None = None
    nfs_ops_per_s: Quantity | None = None
    nfs_weighted_ops_per_s: Quantity | None = None
    nfs_write_share: Quantity | None = None
    nfs_kb_per_op: Quantity | None = None
    cached: tuple[LineItem, ...] | None = None
    stored_mb: Quantity | None = None
    networks: Mapping[str, NetworkUse] = {}
    volumes: Mapping[str, VolumeUse] = {}
    disks: Mapping[str, VolumeUse] = {}
    backup: Backup | None = None
    transfer_kb: Quantity | None = None
    user_processors: ProcessorUse | None = None
    needed_processors: ProcessorUse | None = None
    takes_all_processors: bool | None = None
    database_on_file_system: bool | None = None
    databases: tuple[str, ...] | None = None
    processes: tuple[LineItem, ...] | None = None
    without_files: tuple[LineItem, ...] = ()
    many_small_files: bool | None = None
    small_file_ops_per_s: Quantity | None = None
    database_ops_per_s: Quantity | None = None
    shared_writes: bool | None = None
    may_fail: tuple[str, ...] | None = None
    wide_lines: tuple[LineDemand, ...] | None = None


def usage_of(demand: Demand) -> UsageProfile:
    """Return the usage that a demand asks for, at its peak."""
    ops = demand.at_peak(tuple(LineItem(s.service, s.ops) for s in demand.streams))
    weighted = demand.at_peak(tuple(LineItem(s.service, s.weighted) for s in demand.streams))
    return UsageProfile(
        services=tuple(sorted({service.kind for service in demand.services})),
        clients=demand.clients,
        diskless_clients=demand.diskless_clients,
        nfs_ops_per_s=sum_lines(ops, "op/s"),
        nfs_weighted_ops_per_s=sum_lines(weighted, "op/s"),
        nfs_write_share=write_share(demand),
        cached=(
            *demand.at_peak(demand.memory),
            *kept_in_memory((v.name, v.cached_mb) for v in demand.volumes),
        ),
        stored_mb=total((v.size_mb for v in demand.volumes), "MB"),
        networks={n.name: use_of_network(n) for n in demand.networks},
        volumes={
            v.name: VolumeUse(
                v.access, v.hot, v.protection, v.use,
                "reliability" if v.protection == "mirror" else None,
                database=v.database, in_turns=v.in_turns, size_mb=v.size_mb,
                saved_mb=v.saved_mb,
            )
            for v in demand.volumes
        },
        backup=demand.backup,
        transfer_kb=demand.transfer_kb,
        user_processors=_processors_of(demand, demand.user),
        needed_processors=_processors_of(demand, (u for u in demand.user if not u.low)),
        takes_all_processors=any(u.processors is None and not u.single for u in demand.user),
        database_on_file_system=is_database_on_files(demand),
        databases=demand.databases,
        processes=active_processes(demand, beside_files=True),
        without_files=active_processes(demand),
        many_small_files=_many_small_files(demand),
        small_file_ops_per_s=_small_file_writes(demand),
        database_ops_per_s=_database_operations(demand),
        shared_writes=_shared_writes(demand),
        may_fail=demand.survives,
        wide_lines=tuple(line for line in demand.lines if line.kind == "wide"),
    )  # fmt: skip


def _processors_of(demand: Demand, users: Iterable[UserTime]) -> ProcessorUse:
    """Return the processors that some user time keeps busy at the peak of a demand."""
    own, measured = list[LineItem](), list[LineItem]()
    for user in users:
        if user.processors is not None and user.mips is not None:
            measured.append(LineItem(user.service, user.processors * user.mips))
        elif user.processors is not None:
            own.append(LineItem(user.service, user.processors))
    return ProcessorUse(
        sum_lines(demand.at_peak(tuple(own)), PURE),
        sum_lines(demand.at_peak(tuple(measured)), "mips"),
    )


def is_database_on_files(demand: Demand) -> bool | None:
    """Return whether a database manager has data in file systems; None if no work is stated.

    Files that are only read are programs, or data that no rule on its writes is about.
    """
    managers = {service.name for service in demand.services if service.kind == "database"}
    works = [work for work in demand.operations if work.service in managers]
    fixed = {volume.name for volume in demand.volumes if volume.read_only}
    if managers and not works:
        return None
    return any(work.layer == "file_system" and work.volume not in fixed for work in works)


def active_processes(demand: Demand, beside_files: bool = False) -> tuple[LineItem, ...]:
    """Return the processes active at once, nfsd apart; the back end of a product counts once.

    Those `beside_files` leave out services that are never active at the same time as file service.
    """
    once = {item.name: item for item in reversed(demand.processes)}
    rivals = _never_with_files(demand) if beside_files else frozenset()
    kept = (item for item in reversed(once.values()) if item.owner not in rivals)
    return demand.at_peak(tuple(kept))


def _never_with_files(demand: Demand) -> frozenset[str]:
    """Return the services that exclude every service of files."""
    rivals = [
        {name for names in demand.exclusive if stream.service in names for name in names}
        for stream in demand.streams
    ]
    return frozenset(set[str].intersection(*rivals)) if rivals else frozenset()


def _many_small_files(demand: Demand) -> bool:
    """Return whether mail makes and removes files on volumes that no second system reaches."""
    shared = {volume.name for volume in demand.volumes if volume.dual_ported}
    return any(
        service.kind == "mail" and not shared.issuperset(service.volumes)
        for service in demand.services
    )


def _small_file_writes(demand: Demand) -> Quantity | None:
    """Return the operations by which mail makes and removes files, in op/s; None without mail."""
    mail = {service.name for service in demand.services if service.kind == "mail"}
    written = (w for w in demand.operations if w.service in mail and w.operation != READ)
    return total((w.ops for w in written if w.ops is not None), "op/s") if mail else None


def _database_operations(demand: Demand) -> Quantity | None:
    """Return the operations of databases on disks, in op/s; None if those of any are not known."""
    managers = {service.name for service in demand.services if service.kind == "database"}
    works = [work for work in demand.operations if work.service in managers]
    if managers - {work.service for work in works if work.ops is not None}:
        return None
    rates = [work.ops for work in works if work.ops is not None]
    return total(rates, "op/s") if len(rates) == len(works) else None


def _shared_writes(demand: Demand) -> bool:
    """Return whether all data that is written is on disks that a second system reaches (2.8).

    File service that names no volume may write on all that is served.
    """
    written = [v for v in demand.volumes if v.writes or any(w.operation != READ for w in v.work)]
    if any(stream.writes.high > 0 and not stream.uses for stream in demand.streams):
        served = (v for v in demand.volumes if v.use not in OWN and not v.read_only)
        written += [v for v in served if v not in written]
    shares = any(volume.dual_ported for volume in demand.volumes)
    return shares and all(volume.dual_ported for volume in written)


def use_of_network(network: NetworkDemand) -> NetworkUse:
    """Return how a demand uses one of its networks."""
    return NetworkUse(*(getattr(network, name) for name in NetworkUse._fields))


def kept_in_memory(volumes: Iterable[tuple[str, Quantity | None]]) -> tuple[LineItem, ...]:
    """Return the data of volumes that is kept in memory, in MB."""
    return tuple(
        LineItem(f"{name} kept in memory", mb, grows=False)
        for name, mb in volumes
        if mb is not None
    )


def write_share(demand: Demand) -> Quantity | None:
    """Writes among all NFS operations, over all moments; None without operations."""
    found: Quantity | None = None
    for streams in demand.scenarios():
        busy = [s for s in streams if s.ops.high > 0]
        if not busy:
            continue
        share = mean([s.write_share for s in busy], [s.ops for s in busy])
        found = ambiguous(found, share) if found else share
    return found
