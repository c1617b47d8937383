"""Records of what to order, at once or in stages, of what it costs, and of what exists already."""

from __future__ import annotations

from typing import Literal

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
    two_ports: Count = doc("How many of these disks must be within reach of a second system.")


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
    recommended_years: Number | None = doc(
        "Years until the first resource reaches a recommended limit that the whole plan keeps; "
        "null if there is none."
    )
    recommended: str = doc("Id of the budget of that resource; empty if there is none.")
    rules: list[str] = doc(
        "Rules that the parts of the stage before do not follow, or follow less, under the load of "
        "this one; empty for the first stage."
    )
    rules_kept_years: Number | None = doc(
        "Years until the parts of the stage before no longer follow one of `rules`; null if there "
        "are none."
    )


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
            recommended_years=each.recommended and each.recommended.years,
            recommended=each.recommended.resource if each.recommended else "",
            rules=each.stage.rules,
            rules_kept_years=each.stage.rules_kept,
        )
        for orders in report.stages for each in orders
    ]  # fmt: skip


class OwnedUse(Record):
    """What becomes of devices of one model that exist."""

    system: str = doc("Id of the system that uses them, or could.")
    table: Literal["disks", "removable-media"] = doc("Table of their row.")
    row: str = doc("Their row.")
    name: str = doc("Their name.")
    quantity: Positive = doc("How many there are.")
    with_data: Count = doc("How many are used; disks with data on them.")
    without_data: Count = doc("How many disks are attached without data.")
    unused: Count = doc("How many are not attached.")
    purpose: str = doc("Volumes on them; empty if there are none.")
    why: str = doc("Why some are not attached; empty if all are.")
    two_ports: Count = doc("How many of those used must be within reach of a second system.")


class PricedPart(Record):
    """The price of a part that is to be bought."""

    system: str = doc("Id of the system that it is for.")
    quantity: Number = doc("How many.")
    name: str = doc("Its name; of further processors and memory that of the machine, and what.")
    each: Number | None = doc("Price of one; null if it has none.")
    running: Number | None = doc("Running cost of one in a year; null if not stated.")


class PlatformPrice(Record):
    """What the order of a platform that passes costs."""

    platform: str = doc("Row of `platforms`.")
    name: str = doc("Its name.")
    total: Number = doc("Price of all parts that have one.")
    unpriced: list[str] = doc("Parts without a price; empty if each has one.")


class Price(Record):
    """What an order costs."""

    currency: str = doc("Currency of all amounts.")
    date: str = doc("Day of the prices; empty if not stated.")
    source: str = doc("Whose prices they are; empty if not stated.")
    total: Number = doc("Price of all parts that have one.")
    running_per_year: Number | None = doc("Running cost of a year; null if none is stated.")
    unpriced: list[str] = doc("Parts without a price; empty if each has one.")
    lines: list[PricedPart] = doc("Every part with its price.")
    platforms: list[PlatformPrice] = doc(
        "The platforms that pass: those whose parts all have a price come first, the cheapest "
        "first; then the others, the smallest first. Empty if there are several systems."
    )


def price_record(report: PlanReport) -> Price | None:
    """Return the record of what an order costs; None if nothing has a price."""
    platforms = [
        PlatformPrice.make(each, total=each.cost.total, unpriced=each.cost.unpriced)
        for each in report.offers
    ]
    return report.cost and Price.make(report.cost, platforms=platforms)
