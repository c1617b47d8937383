"""What disks are mounted in: trays, each of one controller, or what they came in."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator

from sizewright.configuration.model import DISK, Device, System
from sizewright.facts.storage import controllers_of
from sizewright.guide.model import Guide, Row


def trays_of(guide: Guide, system: System) -> Counter[str]:
    """Return the trays of a system, one for each controller (2.4.3), by row.

    Disks that another system owns are in its trays, those of other vendors are mounted singly
    (1.3.1.2), and older ones are not tied to trays.
    """

    def is_for_sale(device: Device) -> bool:
        return bool(guide.row(device.table, device.model).get_flag("orderable"))

    return controllers_of_trays(guide, system, is_for_sale)


def older_disks(guide: Guide, system: System) -> frozenset[str]:
    """Return the models of a system's own disks that are not for sale and in no trays (2.4.3)."""
    kinds = {tray.text("interface") for tray in _trays(guide, system)}
    rows = (guide.row(disk.table, disk.model) for disk in system.disks() if not disk.owner)
    return frozenset(
        row.id for row in rows
        if row.text("interface") in kinds
        and not (row.get_flag("orderable") or row.get_flag("third_party"))
    )  # fmt: skip


def _trays(guide: Guide, system: System) -> Iterator[Row]:
    """Yield the trays of a machine of which it has a number without an expansion cabinet."""
    for tray in guide.table("trays"):
        limit = tray.cell("controllers_without_expansion_cabinet")
        if limit is not None and system.platform in tray.list("platforms"):
            yield tray


def controllers_of_trays(
    guide: Guide, system: System, is_kept: Callable[[Device], bool]
) -> Counter[str]:
    """Return how many controllers of a system have some of its own disks, by row of their trays."""
    own = system.with_devices(lambda device: not device.owner and is_kept(device))
    return +Counter({
        tray.id: len(controllers_of(tray, own, guide)) for tray in _trays(guide, system)
    })  # fmt: skip


def is_of_other_vendor(device: Device, guide: Guide) -> bool:
    """Return whether a device is a disk that only other vendors sell."""
    if device.kind != DISK:
        return False
    row = guide.row(device.table, device.model)
    return bool(row.get_flag("third_party")) and not row.get_flag("orderable")
