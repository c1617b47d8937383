"""Where nothing fits: the smallest change that would let it fit."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import NamedTuple

from sizewright.demand.model import Demand, Item
from sizewright.figure import Figure, Source
from sizewright.guide.model import Guide
from sizewright.limits import LOAD_SHARE_BISECTIONS
from sizewright.planner.parts import machines
from sizewright.planner.plan import Plan
from sizewright.planner.policy import Policy
from sizewright.planner.search import Search
from sizewright.rules.book import RuleBook


class Change(NamedTuple):
    """What would let a plan hold: so much of the load on a platform, or these rules waived."""

    platform: str
    load_share: float | None
    waive: tuple[str, ...]


def smallest_change(plan: Plan, guide: Guide, book: RuleBook) -> Change | None:
    """The largest part of the load that some platform carries, and the rules in the way."""
    if plan.nearest is None:
        return None
    waive = tuple(sorted({f.rule for f in plan.nearest.findings}))
    share, platform = 0.0, ""
    for machine in machines(guide, plan.demand):
        fits = partial(_holds, plan.demand, machine.platform.id, guide, book, plan.policy)
        least = share or 2**-LOAD_SHARE_BISECTIONS
        if fits(least):
            share, platform = _bisect(fits, least), machine.platform.id
    return Change(platform or plan.nearest.platform, share or None, waive)


def _bisect(fits: Callable[[float], bool], least: float) -> float:
    low, high = least, 1.0
    for _ in range(LOAD_SHARE_BISECTIONS):
        middle = (low + high) / 2
        low, high = (middle, high) if fits(middle) else (low, middle)
    return low


def _holds(
    demand: Demand, platform: str, guide: Guide, book: RuleBook, policy: Policy, part: float
) -> bool:
    less = scaled(demand, part)._replace(platforms=(platform,))
    return any(
        Search(machine, less, book, policy).run() is not None for machine in machines(guide, less)
    )


def scaled(demand: Demand, part: float) -> Demand:
    """The same demand with every rate multiplied; sizes and clients stay."""
    k = Figure(part, part, part, "1", name="part of the load", source=Source("count", "share"))

    def lines(items: tuple[Item, ...]) -> tuple[Item, ...]:
        return tuple(Item(item.name, item.figure * k) for item in items)

    return demand._replace(
        streams=tuple(
            s._replace(
                ops=s.ops * k, reads=s.reads * k, writes=s.writes * k, weighted=s.weighted * k
            )
            for s in demand.streams
        ),
        networks=tuple(n._replace(ops=lines(n.ops)) for n in demand.networks),
        volumes=tuple(
            v._replace(reads=lines(v.reads), writes=lines(v.writes)) for v in demand.volumes
        ),
    )
