"""The facts of boxes of drives."""

from __future__ import annotations

from sizewright.configuration.model import Device, System
from sizewright.configuration.shown import EnclosureShown, Shown
from sizewright.facts.chain import made_for
from sizewright.facts.counted import told
from sizewright.facts.enclosure_record import EnclosureFacts
from sizewright.facts.spread import Spread, alike, spread_of
from sizewright.guide.model import Guide, Row
from sizewright.load.model import Load
from sizewright.quantity import Quantity, ambiguous, count, total


def enclosure_facts(
    each: EnclosureShown, system: System, load: Load, shown: Shown, guide: Guide
) -> EnclosureFacts:
    """A box of drives with what is in it; of one whose busses are not told nobody knows that."""
    row = guide.row("trays", each.model)
    there = {device.id: device for device in system.devices()}
    busses = [[there[disk] for disk in bus if disk in there] for bus in each.busses]
    disks = [device for bus in busses for device in bus]
    rate, number = row.find("maximum_mb_per_s"), row.find("channels")
    facts = EnclosureFacts(
        id=each.id, model=each.model, places=_places(row, each.tall_disks), busses=number,
        maximum_kb_per_s=rate.to("KB/s") if rate else None,
    )  # fmt: skip
    if not each.busses:
        return facts
    spread = spread_of([len(bus) for bus in busses], int(number.likely) if number else 0)
    return facts._replace(
        disks=count(len(disks), "disks in the enclosure", "disk"),
        most_bus_disks=spread.most if spread else None,
        fewest_bus_disks=spread.fewest if spread else None,
        disks_alike=alike(disks, shown, guide) if disks else None,
        imbalance_loss_percent=_loss(spread, each.model, guide),
        demanded_kb_per_s=_demanded(disks, system, load),
        unadvised_disks=_unadvised(row, disks, shown, guide),
    )


def _places(row: Row, tall: bool | None) -> Quantity | None:
    """Places by the drives' height: where it is not told, from the fewest to the most."""
    low, high = row.find("one_inch_disks_limit"), row.find("tall_disks_limit")
    if low is None or high is None:
        return row.find("disks_limit")
    return ambiguous(low, high) if tall is None else high if tall else low


def _loss(spread: Spread | None, model: str, guide: Guide) -> Quantity | None:
    """What the guide sees lost where so many disks are all on one bus."""
    if spread is None or spread.fewest.high > 0:
        return None
    for row in guide.table("bus-imbalance-effects").by("enclosure").get((model,), ()):
        disks = row.find("disks_on_one_bus")
        if disks is not None and disks.likely == spread.most.likely:
            return row.find("loss_percent")
    return None


def _demanded(disks: list[Device], system: System, load: Load) -> Quantity | None:
    """What the disks move over the channels that they are devices of."""
    wanted, found = {disk.id for disk in disks}, []
    for channel in system.channels:
        ours = {device.id for device in channel.devices} & wanted
        if not ours:
            continue
        lines, names = load.channels[channel.id], {device.id for device in channel.devices}
        if lines is None:
            return None
        whole = ours == {d.id for d in channel.devices if d.kind == "disk"}
        if not whole and any(line.name not in names for line in lines):
            return None
        found += [line.figure for line in lines if whole or line.name in ours]
    return total(found, "KB/s")


def _unadvised(row: Row, disks: list[Device], shown: Shown, guide: Guide) -> Quantity | None:
    """Disks made for other busses than those whose drives perform best in such a box."""
    advised = row.list("advised_disk_busses")
    if not advised:
        return None
    kinds = [made_for(disk, shown, guide) for disk in disks]
    answers = [None if kind is None else kind.id not in advised for kind in kinds]
    return told(answers, "disks made for other busses", "disk")
