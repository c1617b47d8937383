"""Disk space that no customer counts: the operating system, swap space, and diskless clients.

A file states it by a volume of use `root`, or says by `wishes.system_elsewhere` that it needs none.
Otherwise the plan has a volume of the size that the guide gives for them. If the guide gives none,
there is no such volume, and the report says so.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from sizewright.demand.model import FILE_SYSTEM, RANDOM, LineItem, VolumeDemand, sum_lines
from sizewright.demand.work import Part
from sizewright.guide.model import Guide
from sizewright.guide.parameters import parameter_of
from sizewright.quantity import Quantity, largest, total
from sizewright.schema.model import extended_name
from sizewright.workload.nfs import NfsService
from sizewright.workload.volume import ROOT, SWAP
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


def added_volumes(
    workload: Workload, swap: Sequence[LineItem], guide: Guide
) -> Iterator[tuple[str, VolumeDemand]]:
    """Yield volumes that a workload needs and does not state, each with its service, if it has one.

    `swap` is the swap space of the services. The guide gives the size of an operating system with
    that of a file server, which is the least (1.2.3).
    """
    name = guide.defaults.get("operating_system")
    runs = guide.row("operating-systems", name) if name else None
    whole = runs.cell("system_mb") if runs is not None else None
    least = runs.cell("nfs_swap_mb") if runs is not None else None
    elsewhere = workload.wishes is not None and workload.wishes.system_elsewhere
    if whole is None or least is None or elsewhere:
        return
    uses = {volume.use for volume in workload.volumes}
    taken = {volume.name for volume in workload.volumes}
    if ROOT not in uses:
        if SWAP in uses:
            whole = whole - least
        elif swap:
            whole = whole - least + largest(least, sum_lines(swap, "MB"))
        yield "", added_volume("operating system", whole, ROOT, taken)
    stated = workload.policy.parameters
    sizes = (parameter_of(name, stated, guide) for name in ("client_root_mb", "client_swap_mb"))
    each = total((size for size in sizes if size is not None), "MB/client")
    for service in _with_diskless_clients(workload):
        name, size = f"diskless clients of {service.name}", service.clients * each
        volume = added_volume(name, size, FILE_SYSTEM, taken)
        taken.add(volume.name)
        yield service.name, volume


def _with_diskless_clients(workload: Workload) -> Iterator[NfsService]:
    """Yield services with diskless clients, each client once, that name no volumes for them."""
    files = [each for each in workload.services if isinstance(each, NfsService) and each.diskless]
    counted = {service.name for service in files}
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
