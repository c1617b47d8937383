"""The machines of a guide under a file load, each by what its own guide tells of it."""

from __future__ import annotations

from collections.abc import Iterator, Set
from math import ceil
from typing import NamedTuple

from sizewright.across.files import FileLoad
from sizewright.across.gaps import Gap, answerable, gaps
from sizewright.across.largest import largest, machine_of, most_networks
from sizewright.across.mixes import Translation, translated, translation
from sizewright.across.response import Response, response
from sizewright.demand.model import Demand, Item
from sizewright.demand.usage import usage_of
from sizewright.evaluate.budgets import Budget, budgets
from sizewright.evaluate.system import facts_under
from sizewright.guide.model import Guide, Mark, Row
from sizewright.guide.rated import rated
from sizewright.load.derive import load_on, with_activity
from sizewright.load.nfs import measured_transfers, others_serve
from sizewright.planner.lacks import cannot_have
from sizewright.planner.parts import Machine
from sizewright.quantity import count
from sizewright.rules.compiler import RuleSet

# What a load can fill; room in slots and on channels is a matter of a configuration.
_KINDS = ("kernel_lock", "processors", "nfs", "ports", "network", "data", "disk", "space")


class Standing(NamedTuple):
    """A machine under the load, by one guide.

    `fullest` holds the budget of each kind that is nearest to its limit, the fullest first, and
    `machines` how many the load needs then; None where nothing limits it that is known.
    """

    guide: Guide
    platform: Row
    fullest: tuple[Budget, ...]
    end: str
    machines: int | None
    response: Response
    lacks: tuple[str, ...]
    gaps: tuple[Gap, ...]

    @property
    def on_offer(self) -> bool:
        """Whether that guide sells it; a machine that it only rates is judged by its rating."""
        return self.platform.flag("orderable")

    @property
    def unlocked(self) -> Mark | None:
        """Where the guide says that the host serves no files, so no kernel lock limits them."""
        return others_serve(self.platform)

    @property
    def sure(self) -> bool:
        """Whether the guide has a figure for everything that could turn the verdict."""
        return not any(gap.weighs for gap in self.gaps)

    def share(self, budget: Budget) -> float:
        """How full a resource is at the end that is sized for; more than 1 is more than it can."""
        return budget.share_of_limit(self.end) or 0

    @property
    def bottleneck(self) -> Budget | None:
        """The budget that is nearest to its limit."""
        return self.fullest[0] if self.fullest else None

    @property
    def verdict(self) -> str:
        """`fits`, `several` where one machine does not carry it, `lacks` or `unknown`."""
        if self.lacks:
            return "lacks"
        if self.machines is None:
            return "unknown"
        return "fits" if self.machines == 1 else "several"


class Told(NamedTuple):
    """What one guide tells: its machines, smallest first, and how the load was counted for it."""

    guide: Guide
    translation: Translation
    machines: tuple[Standing, ...]


def told_by(guide: Guide, book: RuleSet, own: Guide, files: FileLoad, sold: Set[str]) -> Told:
    """Every machine that serves files by a guide's figures; `sold` are those that any guide sells.

    A guide without figures of file service tells of no machine.
    """
    factor = translation(own, guide)
    demand = translated(files.demand, factor.factor)
    return Told(
        guide, factor,
        tuple(_standing(guide, book, row, demand) for row in serving(guide, sold)),
    )  # fmt: skip


def serving(guide: Guide, sold: Set[str]) -> tuple[Row, ...]:
    """The platforms that are sold and whose file service the guide has figures of."""
    platforms = guide.table("platforms")
    figures = rated(guide)
    rows = [
        row for row in platforms
        if row.id in sold and (row.id in figures or measured_transfers(guide, row.id))
    ]  # fmt: skip
    return tuple(
        sorted(rows, key=lambda row: (not row.flag("orderable"), row.number("rank"), row.id))
    )


def _standing(guide: Guide, book: RuleSet, platform: Row, demand: Demand) -> Standing:
    machine = machine_of(guide, platform)
    system = largest(machine, demand)
    load = load_on(demand, system, guide)
    usage = with_activity(usage_of(demand), demand, system, guide)
    facts = facts_under(usage, system, load, guide, book)
    found = [b for b in budgets(system, load, facts, book, guide) if b.kind in _KINDS]
    found += _ports(machine, demand)
    fullest = _fullest(found, demand.size_for)
    share = fullest[0].share_of_limit(demand.size_for) if fullest else None
    return Standing(
        guide, platform, fullest, demand.size_for,
        None if share is None else max(1, ceil(share)),
        response(guide, platform, demand, system, load),
        cannot_have(machine, answerable(guide, demand)) if machine.slots else (),
        gaps(machine, demand, found),
    )  # fmt: skip


def _ports(machine: Machine, demand: Demand) -> Iterator[Budget]:
    """Networks to attach, where there are more communities than one machine can."""
    most = most_networks(machine) if machine.platform.flag("orderable") else None
    if most is None or not 0 < most < len(demand.networks):
        return
    used = count(len(demand.networks), "networks of the load")
    limit = count(most, "networks that it attaches")
    lines = tuple(Item(network.name, count(1, network.name)) for network in demand.networks)
    yield Budget(
        "machine/ports", "machine", "ports", "", "1", lines, used, limit, limit, "", used / limit,
        "violated",
    )  # fmt: skip


def _fullest(found: list[Budget], end: str) -> tuple[Budget, ...]:
    shares: dict[str, tuple[float, Budget]] = {}
    for budget in found:
        share = budget.share_of_limit(end)
        if share is not None and (budget.kind not in shares or share > shares[budget.kind][0]):
            shares[budget.kind] = (share, budget)
    ranked = sorted(shares.values(), key=lambda pair: (-pair[0], _KINDS.index(pair[1].kind)))
    return tuple(budget for _, budget in ranked)
