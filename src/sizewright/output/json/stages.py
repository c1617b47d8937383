"""Records of what to order, at once or in stages."""

from __future__ import annotations

from sizewright.output.json.common import Count, Number, Positive, Record, doc
from sizewright.output.reports import PlanReport


class OrderLine(Record):
    """A line of the bill of materials."""

    system: str = doc("Id of the system that it is for.")
    quantity: Positive = doc("How many.")
    kind: str = doc(
        "`platform`, `board`, `software`, `need` (required by another part), `unit` (a separate "
        "unit that takes no slot), or the kind of a device."
    )
    table: str = doc("Table of its row; empty if no table has it.")
    row: str = doc("Its row.")
    name: str = doc("Its name.")
    purpose: str = doc("What it is for.")
    kept: Count = doc("How many of them exist already.")


class KeptSlots(Record):
    """Slots of a bus that stay free for boards of later stages."""

    bus: str = doc("I/O bus.")
    slots: list[Count] = doc("Slots.")


class KeptPlaces(Record):
    """Places of a channel that stay free for devices of later stages."""

    channel: str = doc("Id of the channel.")
    devices: Positive = doc("How many devices come later.")


class PurchaseStage(Record):
    """What to buy at one time. All stages together are the `order`."""

    system: str = doc(
        "Id of the system; all that is bought is for all systems that are identical to it "
        "(`quantity` of its member of `group`). The key is present only if there are several "
        "systems.", default="",
    )  # fmt: skip
    years: Number = doc("Years of growth after which it is to be bought; 0 is today.")
    order: list[OrderLine] = doc("What to buy then, without what is there already.")
    memory_mb: Number = doc("Memory to add, in MB; the first stage has all that it begins with.")
    processors: Count = doc("Processors to add; the first stage has all that it begins with.")
    slots: list[KeptSlots] = doc("Slots to keep free for later stages.")
    devices: list[KeptPlaces] = doc("Places for devices to keep free for later stages.")
    suffices_years: Number | None = doc(
        "Years until the first resource reaches its limit with these parts, at the end that the "
        "plan is sized for; null if none does within a hundred years."
    )
    limit: str = doc("Id of the budget of that resource; empty if there is none.")


def stage_records(report: PlanReport) -> list[PurchaseStage]:
    """Return the records of the stages of each system of a plan."""
    return [
        PurchaseStage.make(
            each,
            system=each.stage.judged.system.id if report.plan.group else "",
            order=each.lines,
            slots=[KeptSlots.make(bus=bus, slots=slots) for bus, slots in each.slots],
            devices=[KeptPlaces.make(channel=name, devices=n) for name, n in each.devices],
            suffices_years=each.limit and each.limit.years,
            limit=each.limit.resource if each.limit else "",
        )
        for orders in report.stages for each in orders
    ]  # fmt: skip
