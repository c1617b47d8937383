"""What to change if nothing passes: wishes that conflict, and plans without some of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from math import ceil
from typing import NamedTuple

from sizewright.demand.usage import usage_of
from sizewright.errors import counted
from sizewright.guide.model import rated_platforms
from sizewright.limits import SYSTEMS_AT_MOST
from sizewright.output.document import Document
from sizewright.output.layout import REASONS_TOLD
from sizewright.output.names import enumerated
from sizewright.output.reports import PlanReport
from sizewright.output.wording import code, number, percent, quantity
from sizewright.planner.infeasibility import Rejection
from sizewright.planner.more_networks import networks_beyond
from sizewright.planner.parts import platforms_on_offer
from sizewright.planner.plan import Plan
from sizewright.quantity import Quantity, as_quantity
from sizewright.units import PURE


class PlannedSystem(NamedTuple):
    """One or several identical systems of a plan in short; owned devices are not `ordered`."""

    quantity: int
    platform: str
    name: str
    memory_mb: float
    boards: int
    ordered: int


def planned_systems(plan: Plan) -> Iterator[PlannedSystem]:
    """Yield the systems of a plan that was found."""
    for times, each in zip(plan.numbers, plan.plans, strict=True):
        assert each.chosen is not None
        system = each.chosen.system
        # Disks of the other system of a pair are ordered with that one.
        own = Counter(device.model for device in system.devices() if not device.owner)
        devices = own - Counter(each.demand.owned)
        yield PlannedSystem(
            times, system.platform, plan.guide.row("platforms", system.platform).text("name"),
            as_quantity(system.memory_mb or 0, "MB").likely, len(system.boards), devices.total(),
        )  # fmt: skip


def add_conflicts(document: Document, report: PlanReport) -> None:
    """Add the sets of wishes that conflict, and what is planned without some of them."""
    found = report.conflicts
    if found is None:
        return
    if not found.possible:
        document.say("Without the wishes of the workload there is no plan either.")
        return
    document.heading("Wishes that conflict")
    for wishes in found.sets:
        alone = " by itself" if len(wishes) == 1 else ""
        document.say(f"No plan meets {_quoted(wishes)}{alone}.", depth=1, hang=1)
    for way in found.ways:
        networks = networks_beyond(report.plan.demand, way.plan)
        also = f", with {networks_text(networks)}" if networks else ""
        said = f"- without {_quoted(way.wishes)}: {systems_text(way.plan)}{also}"
        document.say(said, depth=1, hang=1)
    if found.sets and not found.ways:
        document.say("No plan was found without one of them.", depth=1)
    if not found.complete:
        document.say("Not all wishes were tried; others may conflict too.", depth=1)


def systems_text(plan: Plan) -> str:
    """Return the systems of a plan in short."""
    systems = []
    for each in planned_systems(plan):
        times, all_of = (f"{each.quantity} × ", ", each") if each.quantity > 1 else ("", "")
        systems.append(
            f"{times}{each.name}{all_of} with {number(each.memory_mb)} MB memory, "
            f"{counted(each.boards, 'board')} and {counted(each.ordered, 'device')} to order"
        )
    return "; ".join(systems)


def networks_text(networks: Mapping[str, int]) -> str:
    """Return how many networks there are for the clients of each of some, and the key for it."""
    told = enumerated(f"{many} networks for {name}" for name, many in networks.items())
    return f"{told} ({code('segments_at_most')})"


def _quoted(wishes: tuple[str, ...]) -> str:
    return enumerated(map(code, wishes))


def change_text(report: PlanReport) -> str:
    """Return what would make the closest alternative meet every limit."""
    nearest, conflicts = report.plan.nearest, report.conflicts
    assert nearest is not None
    ways = []
    dropped = []
    for way in conflicts.ways if conflicts is not None else ():
        networks = networks_beyond(report.plan.demand, way.plan)
        if networks and len(way.wishes) == 1:
            ways.append(f"permit {networks_text(networks)}")
        else:
            dropped.append(_quoted(way.wishes))
    if dropped:
        ways.append(f"drop {enumerated(dropped, 'or')}")
    if nearest.load_share:
        ops = nearest.judgement and nearest.judgement.facts.system.nfs_ops_per_s
        whole = ops.at(report.end) if isinstance(ops, Quantity) else 0
        part = number(whole * nearest.load_share)
        load = f" ({part} of {number(whole)} op/s)" if whole else ""
        share = percent(nearest.load_share)
        far = _far_beyond(report)
        ways.append(f"reduce the load to {share}{load}, which the {nearest.name} supports{far}")
    at_any_load = [f for f in nearest.findings if not ways or f.rule in nearest.waive]
    remedies = dict.fromkeys(
        f"meet rule {f.rule} ({f.remedy[:1].lower()}{f.remedy[1:].rstrip('.')})"
        for f in at_any_load if f.remedy
    )  # fmt: skip
    ways += list(remedies)[:REASONS_TOLD]
    if nearest.lacks and not ways:
        ways.append(f"ask for {_less(nearest)}, or for another machine{_far_beyond(report)}")
    return "; or ".join(ways) or "change the wishes or the platforms"


def _less(nearest: Rejection) -> str:
    """Return the most that can be requested of what a machine has too little of."""
    most = [
        f"at most {quantity(each.available)}{'' if each.available.unit == PURE else ' of'} "
        f"{each.resource} for {each.subject}"
        for each in nearest.lacks if each.available.high
    ]  # fmt: skip
    return enumerated(most) if most else f"less of what the {nearest.name} lacks"


def _far_beyond(report: PlanReport) -> str:
    """Return how many of the largest machine are needed, if more than are planned; else nothing.

    They are as many as NFS or what one of them has too little of needs.
    """
    plan = report.plan
    offered = {row.id: row for row in platforms_on_offer(plan.guide)}
    rated = {
        name: sustained.likely for name, row in rated_platforms(plan.guide).items()
        if name in offered and (sustained := row.cell("sustained_ops_per_s")) is not None
    }  # fmt: skip
    if not rated:
        return ""
    largest = max(rated, key=lambda name: (rated[name], offered[name].number("rank")))
    ops = usage_of(plan.demand).nfs_weighted_ops_per_s
    shares = [ops.at(report.end) / rated[largest] if ops is not None else 0]
    shares += [
        each.needed.likely / each.available.likely
        for rejected in plan.rejected if rejected.platform == largest
        for each in rejected.lacks if each.available.likely
    ]  # fmt: skip
    needed = ceil(max(shares))
    name = offered[largest].text("name")
    beyond = f" (all of it needs about {needed} of the {name}: outside this guide's range)"
    return beyond if needed > SYSTEMS_AT_MOST else ""
