"""The media of networks that a plan chose, which clients then need interfaces for."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

from sizewright.configuration.model import System
from sizewright.guide.model import Guide
from sizewright.output.reports import PlanReport
from sizewright.output.wording import quantity
from sizewright.planner.plan import Plan
from sizewright.quantity import Quantity


def chosen_media(plan: Plan) -> Iterator[tuple[str, str, Quantity]]:
    """Yield networks with media that the plan chose and are not built in, with their clients."""
    own = _builtin_media(plan)
    for network in plan.demand.networks:
        ports = (
            p for each in chosen_systems(plan) for p in each.ports if p.network == network.name
        )
        used = {_medium(plan.guide, port.interface) for port in ports}
        if not network.medium and network.clients.high > 0:
            for medium in sorted(used - own):
                name = plan.guide.row("network-media", medium).text("name")
                yield network.name, name, network.clients


def why_medium(report: PlanReport, network: str) -> str:
    """Return that a network's data is more than users see of the medium that is built in, if so."""
    data = [
        budget.used for budget in report.budgets
        if budget.kind == "data" and budget.used is not None
        and budget.name in (network, f"{network}-1")
    ]  # fmt: skip
    media = (
        report.guide.row("network-media", name) for name in sorted(_builtin_media(report.plan))
    )
    for medium, used in product(media, data):
        seen = medium.cell("effective_speed_kb_per_s")
        if seen is not None and used.at(report.end) > seen.low:
            return (
                f", because its data, {quantity(used)}, is more than the {quantity(seen)} that "
                f"users see of {medium.text('name')}"
            )
    return ""


def _builtin_media(plan: Plan) -> set[str]:
    """Return the media of the networks that the planned platforms have built in."""
    return {
        _medium(plan.guide, interface) for each in chosen_systems(plan)
        for interface in plan.guide.row("platforms", each.platform).list("builtin_networks")
    }  # fmt: skip


def _medium(guide: Guide, interface: str) -> str:
    return guide.row("network-interfaces", interface).text("medium")


def chosen_systems(plan: Plan) -> list[System]:
    """Return the systems of a plan; none if no plan passes."""
    return [part.chosen.system for part in plan.plans if part.chosen is not None]
