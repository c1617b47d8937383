"""Wishes that conflict, as text, and what each plan without some of them consists of."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import NamedTuple

from sizewright.errors import counted
from sizewright.output.document import Document
from sizewright.output.names import enumerated
from sizewright.output.wording import number
from sizewright.planner.conflicts import Conflicts
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
    members = [(m.quantity, m.plan) for m in plan.group.members] if plan.group else [(1, plan)]
    for quantity, each in members:
        assert each.chosen is not None
        system = each.chosen.system
        devices = Counter(d.model for d in system.devices()) - Counter(each.demand.owned)
        yield PlannedSystem(
            quantity, system.platform, plan.guide.row("platforms", system.platform).text("name"),
            as_quantity(system.memory_mb or 0, "MB").likely, len(system.boards), devices.total(),
        )  # fmt: skip


def add_conflicts(document: Document, found: Conflicts | None) -> None:
    """Add the sets of wishes that conflict, and what is planned without some of them."""
    if found is None:
        return
    document.heading("Wishes that conflict")
    if not found.possible:
        document.say("Without any of the wishes there is no plan either.", depth=1)
    for wishes in found.sets:
        alone = " by itself" if len(wishes) == 1 else ""
        document.say(f"No plan meets {_quoted(wishes)}{alone}.", depth=1, hang=1)
    for way in found.ways:
        systems = enumerated(map(_short, planned_systems(way.plan)))
        document.say(f"- without {_quoted(way.wishes)}: {systems}", depth=1, hang=1)
    if found.sets and not found.ways:
        document.say("No plan was found without one of them.", depth=1)
    if not found.complete:
        document.say("Not all wishes were tried; others may conflict too.", depth=1)


def _quoted(wishes: tuple[str, ...]) -> str:
    return enumerated(f"`{wish}`" for wish in wishes)


def _short(system: PlannedSystem) -> str:
    times, each = (f"{system.quantity} × ", ", each") if system.quantity > 1 else ("", "")
    return (
        f"{times}{system.name}{each} with {number(system.memory_mb)} MB memory, "
        f"{counted(system.boards, 'board')} and {counted(system.ordered, 'device')} to order"
    )
