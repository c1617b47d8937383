"""A box file in the guide's terms: its system, its use, what was measured."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from sizewright.box.measurements import (
    measured_of,
    observed_facts,
    observed_weighted,
    preset_access,
    transfer_kb,
)
from sizewright.box.parts import NONE, as_built_of, processors_of, system_of
from sizewright.box.reading import plausibility_errors
from sizewright.box.schema import Box, BoxNetwork, BoxVolume
from sizewright.configuration.model import AsBuilt, System
from sizewright.demand.backup import with_terms
from sizewright.demand.model import Backup, LineItem
from sizewright.demand.nfs import kb_per_op
from sizewright.demand.usage import NetworkUse, UsageProfile, VolumeUse
from sizewright.errors import collect_errors
from sizewright.guide.model import Guide, require_row
from sizewright.load.measured import Measured
from sizewright.quantity import Quantity, total
from sizewright.units import PURE


class Known(NamedTuple):
    """Everything that a box file states; `observed` are facts by subject and id."""

    system: System
    usage: UsageProfile
    measured: Measured
    observed: Mapping[str, Mapping[str, Mapping[str, Any]]]
    shown: AsBuilt = AsBuilt()


def known_of(box: Box, guide: Guide) -> Known:
    """Return a box in the guide's terms; raises InputError with all errors.

    These are names that lead nowhere, and what no such machine can be.
    """
    processors = processors_of(box, guide)
    with collect_errors() as errors:
        errors.extend(plausibility_errors(box, processors, guide))
        with errors.catch():
            system = system_of(box, processors, guide)
        with errors.catch():
            usage = usage_of_box(box, guide)
        with errors.catch():
            measured = measured_of(box, processors, guide)
        with errors.catch():
            observed = observed_facts(box, guide)
        with errors.catch():
            shown = as_built_of(box, guide)
    return Known(system, usage, measured, observed, shown)


def usage_of_box(box: Box, guide: Guide) -> UsageProfile:
    """Return the stated use of a box; raises InputError for a mix that is not in the guide."""
    nfs, load = box.observed.nfs, box.load
    ops = nfs.ops_per_s if nfs else None
    volumes, preset = box.volumes or (), preset_access(box, guide)
    return UsageProfile(
        services=tuple(sorted(str(s) for s in box.services)) if box.services is not None else None,
        clients=box.clients or _sum(box, "clients"),
        diskless_clients=box.diskless_clients or _sum(box, "diskless_clients"),
        nfs_ops_per_s=ops or load.nfs_ops_per_s,
        nfs_weighted_ops_per_s=_weighted(box, guide),
        nfs_write_share=load.nfs_write_share or _write_share(box, guide),
        nfs_kb_per_op=(
            kb_per_op(require_row(guide, "nfs-mixes", nfs.mix), guide) if nfs and nfs.mix else None
        ),
        cached=_cached(volumes),
        stored_mb=_stored(box),
        networks={
            n.id: NetworkUse(
                _medium(n, guide),
                n.keep_medium,
                n.fastest_response,
                n.clients,
                n.diskless_clients,
            )
            for n in box.networks or ()
        },
        volumes={
            v.name: VolumeUse(
                v.access or preset, _hot(v.activity), v.protection, v.use, v.mirrored_for,
                v.clustered,
                v.full_percent.to(PURE) if v.full_percent else None,
                "" if v.database == NONE else v.database,
                bool(v.in_turns),
                v.file_access,
                v.size_mb,
            )
            for v in volumes
        },
        disks={
            d.id: VolumeUse(d.access or (None if volumes else preset), _hot(d.activity))
            for c in box.channels or () for d in c.parts
        },
        backup=_backup(box, guide),
        transfer_kb=transfer_kb(box, guide),
        processes=None if load.processes is None
        else tuple(LineItem(name, figure) for name, figure in load.processes.items()),
        many_small_files=box.applications.many_small_files,
        filed_mb=_filed(box),
        databases=None if box.databases is None else tuple(sorted(map(str, box.databases))),
    )  # fmt: skip


def _backup(box: Box, guide: Guide) -> Backup | None:
    stated = box.backup
    if stated is None:
        return None
    when = Backup(stated.wanted, stated.during_working_hours, stated.at_night_in_use)
    # The network to drives on another system is among the ports, with its own medium.
    return with_terms(when, stated, None, guide)


def _medium(network: BoxNetwork, guide: Guide) -> str | None:
    """Return the medium that a network must keep; empty if it may change, None if not stated."""
    free = network.any_medium
    if free is None and network.keep_medium is not None:
        free = not network.keep_medium
    interface = guide.table("network-interfaces").rows.get(network.interface)
    if free is None or interface is None:
        return None
    return "" if free else interface.text("medium")


def _hot(activity: str | None) -> bool | None:
    return None if activity is None else activity == "hot"


def _sum(box: Box, name: str) -> Quantity | None:
    """Return the clients of all networks; None unless each network states them."""
    found = [getattr(n, name) for n in box.networks or ()]
    return total(found, "client") if found and None not in found else None


def _weighted(box: Box, guide: Guide) -> Quantity | None:
    """Return operations per second of the reference mix: as observed, else as planned."""
    observed = box.observed.nfs
    if (observed is None or observed.ops_per_s is None) and box.load.nfs is not None:
        return total(box.load.nfs.values(), "op/s")
    return observed_weighted(box, guide)


def _write_share(box: Box, guide: Guide) -> Quantity | None:
    """Return the share of writes among NFS operations: as measured, else by the stated mix."""
    nfs = box.observed.nfs
    if nfs is None:
        return None
    if nfs.writes_percent is not None:
        return nfs.writes_percent.to(PURE)
    writes = require_row(guide, "nfs-mixes", nfs.mix).find("writes_percent") if nfs.mix else None
    return writes.to(PURE) if writes is not None else None


def _cached(volumes: tuple[BoxVolume, ...]) -> tuple[LineItem, ...] | None:
    lines = tuple(
        LineItem(f"{v.name} kept in memory", v.cached_mb)
        for v in volumes
        if v.cached_mb is not None
    )
    return lines or None


def _filed(box: Box) -> Quantity | None:
    """Return MB in file systems; None unless each volume states its use, and these their size."""
    if box.volumes is None or any(v.use is None for v in box.volumes):
        return None
    sizes = [v.size_mb for v in box.volumes if v.use == "file_system"]
    return total((mb for mb in sizes if mb is not None), "MB") if None not in sizes else None


def _stored(box: Box) -> Quantity | None:
    if box.volumes is None or any(v.size_mb is None for v in box.volumes):
        return None
    return total((v.size_mb for v in box.volumes if v.size_mb is not None), "MB")
