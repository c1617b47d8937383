"""What a guide has no figure for, of what a load asks of one of its machines."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from sizewright.across.largest import interface, most_networks
from sizewright.demand.model import Demand
from sizewright.evaluate.budgets import Budget
from sizewright.guide.model import Guide
from sizewright.guide.rated import rated
from sizewright.planner.parts import Machine
from sizewright.report.names import enumerated


class Gap(NamedTuple):
    """What there is no figure for; `weighs` tells whether one could turn the verdict."""

    what: str
    weighs: bool


def gaps(machine: Machine, demand: Demand, found: Iterable[Budget]) -> tuple[Gap, ...]:
    """Each in a few words."""
    if not machine.platform.flag("orderable"):
        return (Gap("all but the operations that it serves", weighs=True),)
    return tuple(_gaps(machine, demand, list(found)))


def answerable(guide: Guide, demand: Demand) -> Demand:
    """A demand without what the guide tells nothing of: media, and disks with two ports."""
    media = guide.table("network-media").rows
    ported = _tells_ports(guide)
    return demand._replace(
        networks=tuple(n for n in demand.networks if not n.medium or n.medium in media),
        volumes=tuple(v if ported else v._replace(dual_ported=False) for v in demand.volumes),
    )


def _tells_ports(guide: Guide) -> bool:
    return "dual_portable" in guide.table("disks").columns


def _gaps(machine: Machine, demand: Demand, found: list[Budget]) -> Iterator[Gap]:
    kinds = {budget.kind for budget in found if budget.limit is not None}
    row = rated(machine.guide).get(machine.platform.id)
    if row is None:
        yield Gap("operations a second, and the time of those that move no data", weighs=True)
    for network in demand.networks:
        if interface(machine, network) is None:
            medium = network.medium or "any network"
            yield Gap(f"an interface to {medium} ({network.name})", weighs=True)
    if "disk" not in kinds and demand.volumes:
        yield Gap("operations of its disks", weighs=True)
    if "space" not in kinds and demand.volumes:
        yield Gap("room on its disks", weighs=True)
    ported = sorted(volume.name for volume in demand.volumes if volume.dual_ported)
    if ported and not _tells_ports(machine.guide):
        yield Gap(f"disks with two ports ({enumerated(ported)})", weighs=True)
    if most_networks(machine) is None:
        yield Gap("how many networks it takes", weighs=False)
    if row is not None and row.find("sustained_ops_per_s") is None:
        yield Gap("a load to plan for, below the greatest", weighs=False)
    if row is None or (row.find("response_ms") is None and row.find("slower_at_maximum") is None):
        yield Gap("response times", weighs=False)
