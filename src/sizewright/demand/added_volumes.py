"""Disk space that no customer counts: operating system, swap, diskless clients, backup indexes.

A file states it by a volume of use `root` or `backup_index`, or says by `wishes.system_elsewhere`
that the system needs none. Otherwise the plan has a volume of the size that the guide gives. If the
guide gives none, there is no such volume, and the report says so.

A demand has a volume for indexes if the guide advises the software for the files that backups save
(1.1.7). That depends on the files and services alone, so that it does not depend on the plan; it is
decided again for each part of a demand.
"""

from collections.abc import Collection, Iterator, Sequence
from math import inf

from sizewright.demand.backup import saved_files_mb
from sizewright.demand.model import Demand, IndexTerms, SystemTerms, VolumeDemand
from sizewright.demand.rates import FILE_SYSTEM, RANDOM, LineItem
from sizewright.demand.usage import is_database_on_files
from sizewright.demand.work import Part
from sizewright.guide.model import UNKNOWN, Guide, cells
from sizewright.guide.parameters import parameter_of, rule_of
from sizewright.quantity import Quantity, largest, total
from sizewright.schema.model import extended_name
from sizewright.units import PURE
from sizewright.workload.nfs import NfsService
from sizewright.workload.volume import BACKUP_INDEX, ROOT, SWAP
from sizewright.workload.workload import Workload


def with_swap(asked: Part, workload: Workload, guide: Guide) -> Part:
    """Return what services ask for, with swap space for the memory of their programs.

    A service whose swap space the guide gives keeps that (1.2.3).
    """
    each = parameter_of("swap_per_memory", workload.policy.parameters, guide)
    known = {item.owner for item in asked.swap}
    if each is None:
        return asked
    more = tuple(
        item._replace(figure=(item.figure * each).with_name(f"{item.name}: swap space"))
        for item in asked.memory if item.owner not in known
    )  # fmt: skip
    return asked._replace(swap=(*asked.swap, *more))


def system_terms(workload: Workload, guide: Guide) -> SystemTerms | None:
    """Return the space that the guide gives for an operating system; None if it gives none.

    It is with the swap space of a file server, which is the least (1.2.3). Also None if the
    operating system is elsewhere.
    """
    runs = guide.row("operating-systems", guide.defaults.get("operating_system", UNKNOWN))
    whole, least = runs.cell("system_mb"), runs.cell("nfs_swap_mb")
    elsewhere = workload.wishes is not None and workload.wishes.system_elsewhere
    return None if whole is None or least is None or elsewhere else SystemTerms(whole, least)


def added_volumes(
    workload: Workload, swap: Sequence[LineItem], guide: Guide
) -> Iterator[tuple[str, VolumeDemand]]:
    """Yield volumes that a workload needs and does not state, each with its service, if it has one.

    `swap` is the swap space of the services. The operating system is on one disk; if no disk has
    room for its swap space too, that is a volume of its own.
    """
    terms = system_terms(workload, guide)
    if terms is None:
        return
    uses = {volume.use for volume in workload.volumes}
    taken = {volume.name for volume in workload.volumes}
    if ROOT not in uses:
        apart = SWAP in uses or _system_mb(terms, swap).high > _largest_disk_mb(guide)
        size = terms.whole - terms.least if apart else _system_mb(terms, swap)
        root = added_volume("operating system", size, ROOT, taken)
        yield "", root if apart else root._replace(saved_mb=terms.whole - terms.least)
        if apart and SWAP not in uses:
            yield "", added_volume("swap space", swap_space(terms.least, swap), SWAP, taken)
    each, saved = room_of_client(workload, guide), _room_of_client(workload, guide, _ROOT_OF_CLIENT)
    for service in _with_diskless_clients(workload):
        name, size = f"diskless clients of {service.name}", service.clients * each
        volume = added_volume(name, size, FILE_SYSTEM, taken)
        volume = volume._replace(saved_mb=service.clients * saved)
        taken.add(volume.name)
        yield service.name, volume


_ROOT_OF_CLIENT, _SWAP_OF_CLIENT = "client_root_mb", "client_swap_mb"


def room_of_client(workload: Workload, guide: Guide) -> Quantity:
    """Return the room for the root and the swap space of a diskless client, in MB/client."""
    return _room_of_client(workload, guide, _ROOT_OF_CLIENT, _SWAP_OF_CLIENT)


def _room_of_client(workload: Workload, guide: Guide, *names: str) -> Quantity:
    """Return the sum of these parameters in MB/client."""
    stated = workload.policy.parameters
    sizes = (parameter_of(name, stated, guide) for name in names)
    return total((size for size in sizes if size is not None), "MB/client")


def swap_space(least: Quantity, lines: Sequence[LineItem]) -> Quantity:
    """Return swap space in MB: that of services, and at least that of a file server (1.2.3)."""
    return largest(least, _sum_swap(lines)) if lines else least


def _sum_swap(lines: Sequence[LineItem]) -> Quantity:
    """Return swap space in MB; what the guide gives for a whole server counts once (1.2.3)."""
    of_server = {line.figure.source: line.figure for line in lines if not line.figure.args}
    each = (line.figure for line in lines if line.figure.args)
    return total((*of_server.values(), *each), "MB")


def _system_mb(terms: SystemTerms, swap: Sequence[LineItem]) -> Quantity:
    """Return the size of an operating system with its swap space."""
    return terms.whole - terms.least + swap_space(terms.least, swap) if swap else terms.whole


def with_system_volume(demand: Demand) -> Demand:
    """Return a demand whose operating system has swap space for the services of the demand."""
    terms, swap = demand.system, demand.at_peak(demand.swap)
    if terms is None:
        return demand
    apart = any(volume.use == SWAP for volume in demand.volumes)

    def resized(volume: VolumeDemand) -> VolumeDemand:
        own = SWAP if apart else ROOT
        if not volume.added or volume.use != own:
            return volume
        size = swap_space(terms.least, swap) if apart else _system_mb(terms, swap)
        return volume._replace(size_mb=size.with_name(f"{volume.name}: size"))

    return demand._replace(volumes=tuple(map(resized, demand.volumes)))


def _largest_disk_mb(guide: Guide) -> float:
    """Return what file systems may fill of the largest disk that can be ordered (1.2.4)."""
    rows = (row for row in guide.table("disks") if row.flag("orderable"))
    capacities = (cell.low for cell in cells(rows, "capacity_mb"))
    advised = guide.table("tunables").rows.get("file-system-fill")
    full = advised.cell("limit_percent", PURE) if advised is not None else None
    return max(capacities, default=inf) * (full.low if full is not None else 1)


def _with_diskless_clients(workload: Workload) -> Iterator[NfsService]:
    """Yield services with diskless clients, each client once, that name no volumes for them."""
    files = [each for each in workload.services if isinstance(each, NfsService) and each.diskless]
    counted = {service.name for service in files if not service.uses}
    for service in files:
        if service.same_clients_as not in counted and not service.uses:
            yield service


def added_volume(name: str, size: Quantity, use: str, taken: Collection[str]) -> VolumeDemand:
    """Return a volume that is not stated, under a name that no other volume has taken.

    The name of its service may be as long as a name can be, and is shortened then.
    """
    whole, stars = name, ""
    while (name := extended_name(whole, stars)) in taken:
        stars += "*"
    return VolumeDemand(
        name=name, pool=name, size_mb=size.with_name(f"{name}: size"), access=RANDOM,
        protection="none", hot=False, reads=(), writes=(), cached_mb=None, use=use, added=True,
    )  # fmt: skip


_ABOVE = "threshold_mb"


def index_terms(workload: Workload, guide: Guide) -> IndexTerms | None:
    """Return the terms of a guide for backups; None if none are wanted, or the advice is waived."""
    stated = workload.policy.parameters
    above, rule = parameter_of(_ABOVE, stated, guide), rule_of(_ABOVE, guide)
    share = next(cells(guide.table("software"), "index_space_percent", PURE), None)
    waived = any(waiver.rule == rule for waiver in workload.policy.waive)
    if workload.backup is None or above is None or share is None or waived:
        return None
    return IndexTerms(share, above)


def with_index_volume(demand: Demand) -> Demand:
    """Return a demand with the volume for indexes that its data needs, and without another one."""
    before = [v for v in demand.volumes if v.added and v.use == BACKUP_INDEX]
    volumes = [v for v in demand.volumes if v not in before]
    size = _index_mb(demand, volumes)
    if size is not None:
        taken = {volume.name for volume in volumes}
        new = added_volume("backup indexes", size, BACKUP_INDEX, taken)
        # What is mirrored, or kept apart from others, stays so.
        volumes += [v._replace(size_mb=new.size_mb) for v in before] or [new]
    return demand._replace(volumes=tuple(sorted(volumes, key=lambda volume: volume.name)))


def _index_mb(demand: Demand, volumes: Sequence[VolumeDemand]) -> Quantity | None:
    """Return the size of indexes that no volume is stated for, in MB; None if there are none."""
    terms, end = demand.indexes, demand.size_for
    stated = any(volume.use == BACKUP_INDEX for volume in volumes)
    if terms is None or stated or not demand.backup.wanted or _is_raw_database(demand):
        return None
    files = saved_files_mb(volumes)
    much = demand.backup.while_in_use or files.at(end) > terms.above_mb.at(end)
    return terms.share * files if much and files.high else None


def _is_raw_database(demand: Demand) -> bool:
    """Return whether the only services are databases on raw partitions.

    Their manager makes its own dump, and the software is not relevant to it (1.2.6).
    """
    kinds = {service.kind for service in demand.services}
    return kinds == {"database"} and is_database_on_files(demand) is False
