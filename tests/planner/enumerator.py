"""Every configuration of a tiny guide, judged one by one, and the smallest that holds.

Plain brute force over the space that docs/architecture.md describes. It reads the guide's rows,
packs slots, deals devices and lays out volumes by itself; only the judge is the program's own.

What is left out can never be smaller: an adapter with nothing on it, more devices than a channel
can address (tiny guides always forbid that), a disk too small for what it must hold, and mirror
images of channels that are alike. A guest is whole on one disk of its host, or spread over all of
them; so are the host's own volumes, in proportion to what whole guests leave of each disk.
"""

from __future__ import annotations

from collections import Counter
from typing import NamedTuple

from planner.building import build
from planner.deals import TooLargeError
from planner.offers import Candidate, Offers
from sizewright.configuration.model import System
from sizewright.demand.model import Demand
from sizewright.demand.rates import sum_lines
from sizewright.demand.usage import UsageProfile, usage_of
from sizewright.evaluate.findings import cost_of, costs_of
from sizewright.evaluate.policy import Policy
from sizewright.evaluate.system import facts_under
from sizewright.guide.model import Guide, Row
from sizewright.load.derive import add_pace, derive_demanded
from sizewright.load.network_traffic import data_lines
from sizewright.rules.compiler import RuleSet

__all__ = ["Size", "Smallest", "TooLargeError", "size_of", "smallest"]


class Size(NamedTuple):
    """What makes one configuration smaller than another, most important first."""

    rank: float
    excess: int
    advice: int
    tight: int
    units: int
    boards: int
    devices: int
    installed_mb: float
    memory_mb: float
    options: int
    unrelieved: int


class Smallest(NamedTuple):
    size: Size
    system: System
    candidate: Candidate
    judged: int


def smallest(
    demand: Demand, guide: Guide, rule_set: RuleSet, policy: Policy, steps: int, judged: int
) -> Smallest | None:
    """The smallest configuration of any platform; raises TooLargeError past the two limits."""
    by_rank: dict[float, list[Row]] = {}
    for row in guide.table("platforms"):
        if row.flag("orderable") and (not demand.platforms or row.id in demand.platforms):
            by_rank.setdefault(row.number("rank"), []).append(row)
    looked_at, usage = 0, usage_of(demand)
    for rank in sorted(by_rank):
        best: Smallest | None = None
        for platform in by_rank[rank]:
            offers = Offers(guide, demand, platform, steps)
            for candidate in sorted(offers.candidates(), key=lambda c: c.weight):
                if best and _least_size(rank, candidate) >= best.size:
                    break
                looked_at += 1
                if looked_at > judged:
                    raise TooLargeError
                system = build(offers, candidate)
                size = size_of(system, demand, guide, rule_set, policy, usage)
                if size and (best is None or size < best.size):
                    best = Smallest(size, system, candidate, looked_at)
        if best:
            return best._replace(judged=looked_at)
    return None


def _least_size(rank: float, candidate: Candidate) -> Size:
    """The size of a candidate that breaks nothing and needs no unit outside the machine."""
    return Size(rank, 0, 0, 0, 0, *candidate.weight, unrelieved=0)


def size_of(
    system: System,
    demand: Demand,
    guide: Guide,
    rule_set: RuleSet,
    policy: Policy,
    usage: UsageProfile | None = None,
) -> Size | None:
    """The size of a system, None where it breaks a limit; `usage` is that of the demand alone."""
    load = add_pace(derive_demanded(demand, system, guide, usage), demand, system, guide)
    facts = facts_under(system, load, guide, rule_set)
    broken, _, excess, advice, tight = cost_of(costs_of(facts, rule_set, policy))
    if broken:
        return None
    devices = [device for channel in system.channels for device in channel.devices]
    disks = {d.model: guide.row("disks", d.model) for d in devices if d.kind == "disk"}
    new = Counter(device.model for device in devices) - Counter(demand.owned)
    kinds = [guide.row("software", name).text("kind") for name in system.software]
    return Size(
        rank=guide.row("platforms", system.platform).number("rank"),
        excess=excess,
        advice=advice,
        tight=tight,
        units=len(system.beside),
        boards=len(system.boards),
        devices=new.total(),
        installed_mb=sum(disk.number("capacity_mb") * new[disk.id] for disk in disks.values()),
        memory_mb=system.memory_mb,
        options=len([kind for kind in kinds if kind != "volume_manager"]),
        unrelieved=_unrelieved(system, demand, guide),
    )


def _unrelieved(system: System, demand: Demand, guide: Guide) -> int:
    """The KB/s of each community of file service whose interface spares the processors nothing."""
    interfaces = {port.network: port.interface for port in system.ports}
    served = {stream.network for stream in demand.streams}
    found = 0
    for network, lines in data_lines(demand).items():
        if network not in served:
            continue
        row = guide.row("network-interfaces", interfaces[network])
        if not row.number("processor_relief_percent"):
            found += round(sum_lines(lines, "KB/s").at(demand.size_for))
    return found
