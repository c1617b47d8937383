"""Records of plans beside the one that was found: larger ones, fewer systems, fewer wishes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from sizewright.output.json import common
from sizewright.output.json.common import Count, Number, Positive, Record, doc
from sizewright.output.relief import changes_to_larger
from sizewright.output.reports import PlanReport
from sizewright.output.systems import planned_systems
from sizewright.planner.more_networks import networks_beyond

if TYPE_CHECKING:
    from sizewright.planner import conflicts

MoreNetworks = Annotated[
    dict[str, Count],
    doc("How many networks it has, spare ones left out, of those of which fewer are permitted."),
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
    found = report.alternatives.conflicts
    return found and WishConflicts.make(
        found, ways=[relaxation_record(way, report) for way in found.ways]
    )


def relaxation_record(way: conflicts.Relaxation | None, report: PlanReport) -> Relaxation | None:
    """Return the record of wishes without which there is a plan; None if there are none."""
    return way and Relaxation.make(
        way, systems=planned_systems(way.plan),
        networks=networks_beyond(report.plan.demand, way.plan),
    )  # fmt: skip


class FewerSystems(Record):
    """Fewer systems that are enough for a load that was divided, if they have more networks."""

    systems: list[PlannedSystem] = doc("The systems.")
    networks: MoreNetworks


def fewer_systems_record(report: PlanReport) -> FewerSystems | None:
    """Return the record of fewer systems for a load that was divided; None if none are enough."""
    found = report.alternatives.fewer_systems
    return found and FewerSystems.make(found, systems=planned_systems(found.plan))


class ReducedLoad(Record):
    """The largest part of the load for which a plan was found, where all of it has none.

    It is more than what the closest alternative supports by itself.
    """

    share: Number = doc("The part of all rates.")
    systems: list[PlannedSystem] = doc("What is planned for it.")
    proven: bool = doc("Whether completed searches found no plan of the next whole percent.")
    of_memory: bool = doc("Whether it is a part of the memory of all services too.")


def reduced_load_record(report: PlanReport) -> ReducedLoad | None:
    """Return the record of the plan of a part of the load; None if there is none."""
    found = report.alternatives.reduced
    if found is None or found.plan is None:
        return None
    return ReducedLoad.make(found, systems=planned_systems(found.plan))


class FewerLines(Record):
    """A plan of fewer lines of one kind, where all of the load has none."""

    service: str = doc("The service of the lines.")
    name: str = doc("Their name.")
    number: Positive = doc("How many are planned.")
    systems: list[PlannedSystem] = doc("What is planned for them and all other load.")


def fewer_lines_record(report: PlanReport) -> FewerLines | None:
    """Return the record of a plan of fewer lines; None if there is none."""
    found = report.alternatives.fewer_lines
    if found is None:
        return None
    line = found.line
    systems = planned_systems(found.plan)
    return FewerLines.make(found, service=line.service, name=line.name, systems=systems)


class FewerUsers(Record):
    """A plan for fewer clients or sessions of one service, where all of the load has none."""

    service: str = doc("The service.")
    number: Positive = doc("How many of its clients or sessions are planned.")
    of: Positive = doc("How many it has.")
    systems: list[PlannedSystem] = doc("What is planned for them and all other load.")


def fewer_users_record(report: PlanReport) -> FewerUsers | None:
    """Return the record of a plan for fewer clients or sessions; None if there is none."""
    found = report.alternatives.fewer_users
    return found and FewerUsers.make(found, systems=planned_systems(found.plan))


class FewerYears(Record):
    """A plan for fewer years of growth, where the load after all of them has none."""

    years: int = doc("The years of growth that are planned; 0 is today's load.")
    of_years: Number = doc("The years of growth that are stated.")
    enough_for: Number | None = doc("The years after which its first limit is reached, or null.")
    other_vendors: bool = doc("Whether the plan permits disks of other vendors as well.")
    systems: list[PlannedSystem] = doc("What is planned for the load then.")


def fewer_years_record(report: PlanReport) -> FewerYears | None:
    """Return the record of a plan for fewer years of growth; None if there is none."""
    found = report.alternatives.fewer_years
    if found is None:
        return None
    systems = planned_systems(found.plan)
    return FewerYears.make(found, of_years=found.of.high, systems=systems)


class LessMemory(Record):
    """A plan of less memory for one service, where all of the load has none."""

    service: str = doc("The service.")
    mb: Number = doc("Its memory in that plan.")
    of_mb: Number = doc("Its memory as stated, at the high end.")
    systems: list[PlannedSystem] = doc("What is planned for it and all other load.")


def less_memory_record(report: PlanReport) -> LessMemory | None:
    """Return the record of a plan of less memory; None if there is none."""
    found = report.alternatives.less_memory
    if found is None:
        return None
    line, systems = found.line, planned_systems(found.plan)
    return LessMemory.make(service=line.owner, mb=found.mb, of_mb=line.figure.high, systems=systems)


class Relief(Record):
    """The smallest plan that keeps more free than a plan that is nearly full.

    Or that meets the recommended limits on loads which a plan exceeds. `systems`, `changes` and
    `determinant` are empty or null if no plan that was tried does.
    """

    least_free: Number | None = doc(
        "The part of every limit on a load that it keeps free; null if the plan does so too."
    )
    rules: list[str] = doc(
        "The recommended limits that it meets and the plan exceeds, if `least_free` is null."
    )
    tried: list[Positive] = doc("The numbers of systems that were tried.")
    systems: list[PlannedSystem] = doc("Its systems.")
    changes: dict[str, int] = doc(
        "How many more or fewer of each part it has beside the machine, by name; also of "
        "`processor` and `MB memory`."
    )
    determinant: common.Bottleneck | None = doc("Its bottleneck, with the limits of the plan.")
    networks: MoreNetworks
    proven: bool = doc("Whether every search for it was completed.")
    meeting: list[PlannedSystem] = doc(
        "The systems of the smallest plan that meets recommended limits on loads, if `systems` "
        "keeps more free and does not; empty if that is not so, or none was found."
    )


class DividedVolumes(Record):
    """A plan of the same machines in which volumes are divided, so that no software joins disks."""

    parts: dict[str, Positive] = doc("Into how many volumes of one disk each, by volume.")
    met: list[str] = doc("The recommended limits on loads that it meets and the plan exceeds.")
    systems: list[PlannedSystem] = doc("What is planned then.")


def divided_record(report: PlanReport) -> DividedVolumes | None:
    """Return the record of a plan with divided volumes; None if there is none."""
    found = report.alternatives.divided_volumes
    return found and DividedVolumes.make(found, systems=planned_systems(found.plan))


def bottleneck_record(report: PlanReport) -> common.Bottleneck | None:
    """Return the record of the bottleneck; None if no budget has a limit."""
    found = report.determinant
    return found and common.Bottleneck.make(
        found, name=report.label(found.resource), headroom=1 - found.share
    )


def relief_record(report: PlanReport) -> Relief | None:
    """Return the record of the next larger plan; None if nothing asks for one."""
    found, larger = report.alternatives.relief, report.larger
    meeting = found and found.meeting and found.meeting.plan
    return found and Relief.make(
        found, least_free=found.least_free and found.least_free.high,
        systems=planned_systems(larger.plan) if larger else (),
        changes=changes_to_larger(report), determinant=larger and bottleneck_record(larger),
        meeting=planned_systems(meeting) if meeting else (),
    )  # fmt: skip
