"""The systems of a plan in short: machines, memory, and how many parts they have."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from sizewright.errors import counted, enumerated
from sizewright.output.wording import code, number, number_word
from sizewright.planner.plan import Plan
from sizewright.quantity import as_quantity


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


def machines_support(plan: Plan) -> str:
    """Return the machines of a plan as a subject, with its verb."""
    machines = Counter[str]()
    for system in planned_systems(plan):
        machines[system.name] += system.quantity
    if plan.number == 1:
        return f"the {next(iter(machines))} supports{_doubt(plan)}"
    several = enumerated(f"{many} × {name}" for name, many in machines.items())
    return f"{several} support{_doubt(plan)}"


def _doubt(plan: Plan) -> str:
    chosen = (part.chosen for part in plan.plans if part.chosen is not None)
    return ", borderline" if any(each.borderline for each in chosen) else ""


def systems_text(plan: Plan) -> str:
    """Return the systems of a plan in short, those with as many parts together.

    If they have not as many, their number comes first.
    """
    alike = Counter[PlannedSystem]()
    for each in planned_systems(plan):
        alike[each._replace(quantity=1)] += each.quantity
    systems = []
    for each, many in alike.items():
        times, all_of = (f"{many} × ", ", each") if many > 1 else ("", "")
        systems.append(
            f"{times}{each.name}{all_of} with {number(each.memory_mb)} MB memory, "
            f"{counted(each.boards, 'board')} and {counted(each.ordered, 'device')} to order"
        )
    if len(systems) == 1:
        return systems[0]
    return f"{number_word(alike.total())} systems ({'; '.join(systems)})"


def alternative_text(plan: Plan) -> str:
    """Return the systems of a plan in short, and whether it is borderline."""
    return f"{systems_text(plan)}{_doubt(plan)}"


def networks_text(networks: Mapping[str, int]) -> str:
    """Return how many networks there are for the clients of each of some, and the key for it."""
    told = enumerated(f"{many} networks for {name}" for name, many in networks.items())
    return f"{told} ({code('segments_at_most')})"
