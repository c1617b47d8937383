"""Records of other plans: without some wishes, on fewer systems, and with more free."""

from __future__ import annotations

from typing import Annotated

from sizewright.output.changes import planned_systems
from sizewright.output.json.common import (
    Bottleneck,
    Count,
    Number,
    Positive,
    Record,
    doc,
)
from sizewright.output.reports import PlanReport
from sizewright.planner.more_networks import networks_beyond

MoreNetworks = Annotated[
    dict[str, Count],
    doc("How many networks it has, by name, of those of which the workload permits fewer."),
]


class PlannedSystem(Record):
    """One or several identical systems of a plan, in short."""

    quantity: Positive = doc("How many.")
    platform: str = doc("Row of `platforms`.")
    name: str = doc("Its name.")
    memory_mb: Number = doc("Memory in MB.")
    boards: Count = doc("Number of boards.")
    ordered: Count = doc("Number of devices to order, without those that are owned.")


class Relaxation(Record):
    """Wishes without which there is a plan."""

    wishes: list[str] = doc("Keys of the workload with their values.")
    systems: list[PlannedSystem] = doc("What is planned without them.")
    networks: MoreNetworks


class WishConflicts(Record):
    """Wishes that conflict, and what is planned without some of them."""

    sets: list[list[str]] = doc(
        "Sets of wishes that no plan meets together; without any one wish of a set, no plan "
        "fails because of the others of the set."
    )
    ways: list[Relaxation] = doc("The fewest wishes to drop, each way with its plan.")
    possible: bool = doc("Whether there is a plan without any of the wishes.")
    complete: bool = doc("Whether all sets were tried; the number of plans is limited.")


def conflict_record(report: PlanReport) -> WishConflicts | None:
    """Return the record of wishes that conflict; None if there is a plan."""
    found = report.conflicts
    if found is None:
        return None
    ways = [
        Relaxation.make(
            way, systems=list(planned_systems(way.plan)),
            networks=networks_beyond(report.plan.demand, way.plan),
        )
        for way in found.ways
    ]  # fmt: skip
    return WishConflicts.make(found, ways=ways)


class FewerSystems(Record):
    """Fewer systems that are enough for a load that was divided, if they have more networks."""

    systems: list[PlannedSystem] = doc("The systems.")
    networks: MoreNetworks


def fewer_systems_record(report: PlanReport) -> FewerSystems | None:
    """Return the record of fewer systems for a load that was divided; None if none are enough."""
    found = report.fewer_systems
    return found and FewerSystems.make(found, systems=list(planned_systems(found.plan)))


class Relief(Record):
    """The smallest plan that keeps more free than a plan that is nearly full.

    `systems`, `changes` and `determinant` are empty or null if no plan that was tried keeps that.
    """

    least_free: Number = doc("The part of every limit on a load that it keeps free.")
    tried: list[Positive] = doc(
        "The numbers of systems that were tried; none where one must survive."
    )
    systems: list[PlannedSystem] = doc("Its systems.")
    changes: dict[str, int] = doc(
        "How many more or fewer of each part it has beside the machine, by name; also of "
        "`processor` and `MB memory`."
    )
    determinant: Bottleneck | None = doc("Its bottleneck, with the limits of the plan.")
    networks: MoreNetworks


def bottleneck_record(report: PlanReport) -> Bottleneck | None:
    """Return the record of the bottleneck; None if no budget has a limit."""
    found = report.determinant
    if found is None:
        return None
    budget = report.budget(found.resource)
    name = report.named[budget.system].budget(budget)
    return Bottleneck.make(found, name=name, headroom=1 - found.share)


def relief_record(report: PlanReport) -> Relief | None:
    """Return the record of the next larger plan; None if the plan is not nearly full."""
    found, larger = report.relief, report.larger
    return found and Relief.make(
        least_free=found.least_free.high, tried=list(found.tried),
        systems=list(planned_systems(larger.plan)) if larger else [],
        changes=report.changes_to_larger,
        determinant=larger and bottleneck_record(larger), networks=found.networks,
    )  # fmt: skip
