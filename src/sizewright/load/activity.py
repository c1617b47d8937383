"""Which data is in frequent use: as stated, else by what is asked of the disk that it is on."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from sizewright.configuration.model import System
from sizewright.demand.model import Demand, VolumeDemand
from sizewright.demand.usage import Usage
from sizewright.guide.model import Guide, Row
from sizewright.load.channels import active_part
from sizewright.load.storage import Stored, asked_of


def hot_on(volume: VolumeDemand, disk: Row, copies: int, demand: Demand, guide: Guide) -> bool:
    """Whether a volume is hot on a disk of a model, each of its copies being on one.

    Where nobody says so it is hot if it asks for more than the demand's `hot_share` of what the
    disk sustains. Work without a rate of its own keeps its disks busy for as long as it goes on.
    """
    if volume.hot is not None:
        return volume.hot
    if any(work.open_ended and not work.low for work in volume.work):
        return True
    asked = asked_of(demand, [Stored(volume, copies, copies)])
    active = active_part(disk, volume.access, asked, demand.exclusive, guide)
    if active is None:
        return bool(asked)
    return active.at(demand.size_for) > demand.hot_share


def with_activity(usage: Usage, demand: Demand, system: System, guide: Guide) -> Usage:
    """The usage of a system under a demand, with what is hot on its disks."""
    found = dict(_activities(demand, system, guide))
    if not found:
        return usage
    volumes = {
        name: use._replace(hot=found[name]) if name in found else use
        for name, use in usage.volumes.items()
    }
    return usage._replace(volumes=volumes)


def _activities(demand: Demand, system: System, guide: Guide) -> Iterator[tuple[str, bool]]:
    open_ = {volume.name: volume for volume in demand.volumes if volume.hot is None}
    models: Mapping[str, str] = {d.id: d.model for d in system.devices() if d.kind == "disk"}
    for laid in system.volumes if open_ else ():
        volume = open_.get(laid.name)
        if volume is not None:
            rows = {models[disk]: guide.row("disks", models[disk]) for disk in laid.disks}
            hot = (hot_on(volume, row, len(laid.copies), demand, guide) for row in rows.values())
            yield laid.name, any(hot)
