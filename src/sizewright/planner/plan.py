"""The plan: the smallest machine that holds, what was rejected on the way, what decided."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import NamedTuple

from sizewright.budgets.model import Budget
from sizewright.demand.model import Demand
from sizewright.errors import Fault, InputFaults, Place
from sizewright.figure import Figure
from sizewright.guide.model import Guide
from sizewright.planner.judge import Judgement, judge
from sizewright.planner.parts import Machine, machines
from sizewright.planner.policy import Policy
from sizewright.planner.search import Search
from sizewright.rules.book import RuleBook
from sizewright.rules.model import VERDICTS, Finding


class Rejection(NamedTuple):
    """A platform that does not hold, and each limit that it breaks in its least bad form."""

    platform: str
    name: str
    findings: tuple[Finding, ...]
    judgement: Judgement

    @property
    def reasons(self) -> tuple[str, ...]:
        """What is broken, with numbers."""
        return tuple(f"{f.message} (rule {f.rule})" for f in self.findings)


class Determinant(NamedTuple):
    """The resource that is nearest to its limit."""

    resource: str
    required: Figure
    available: Figure
    share: float


class Plan(NamedTuple):
    """Everything that planning found; reports only format it. Without `chosen` nothing fits."""

    guide: Guide
    demand: Demand
    policy: Policy
    chosen: Judgement | None
    rejected: tuple[Rejection, ...]
    nearest: Rejection | None

    @property
    def holds(self) -> bool:
        """Whether a configuration was found that breaks no limit."""
        return self.chosen is not None

    @property
    def shown(self) -> Judgement | None:
        """The configuration to show: the chosen one, else the nearest miss."""
        return self.chosen or (self.nearest.judgement if self.nearest else None)


def plan_for(demand: Demand, guide: Guide, book: RuleBook, policy: Policy) -> Plan:
    """Plan a demand. Raises InputFaults where the wishes leave no platform to try."""
    candidates = machines(guide, demand)
    if not candidates:
        names = ", ".join(r.id for r in guide.table("platforms") if r.flag("orderable"))
        wanted = ", ".join(demand.platforms)
        raise InputFaults(
            [Fault(Place("wishes.platforms"), f"none of {wanted} is on offer", f"one of {names}")]
        )
    rejected: list[Rejection] = []
    for machine in candidates:
        best = Search(machine, demand, book, policy).run()
        if best is not None:
            chosen = judge(demand, best.system, guide, book, policy)
            return Plan(guide, demand, policy, chosen, tuple(rejected), None)
        rejected.append(_rejection(machine, demand, guide, book, policy))
    nearest = min(rejected, key=lambda r: len(r.findings), default=None)
    return Plan(guide, demand, policy, None, tuple(rejected), nearest)


def _rejection(
    machine: Machine, demand: Demand, guide: Guide, book: RuleBook, policy: Policy
) -> Rejection:
    best = Search(machine, demand, book, policy, lenient=True).run()
    if best is None:
        raise InputFaults(
            [
                Fault(
                    Place(machine.platform.id),
                    f"a {machine.platform.text('name')} cannot attach what the workload asks for",
                    "a medium and devices that some board of the platform serves",
                )
            ]
        )
    judged = judge(demand, best.system, guide, book, policy)
    rules = {rule.id: rule for rule in book.rules}
    broken = tuple(
        f for f in judged.findings
        if policy.blocks(rules[f.rule]) and policy.broken(rules[f.rule], f.verdict)
    )  # fmt: skip
    return Rejection(machine.platform.id, machine.platform.text("name"), broken, judged)


def determinant(budgets: tuple[Budget, ...], end: str) -> Determinant | None:
    """The budget nearest to its limit at one end of the demand."""
    ranked = [
        (share, b) for b in budgets
        if b.kind not in _ROOM and (share := b.share_of_limit(end)) is not None
    ]  # fmt: skip
    if not ranked:
        return None
    share, budget = max(ranked, key=lambda pair: (pair[0], pair[1].resource))
    assert budget.limit is not None
    return Determinant(budget.resource, budget.used, budget.limit, share)


# Slots and targets fill up by design; that they are full decides nothing about the load.
_ROOM = ("slots", "targets")


def coverage(findings: tuple[Finding, ...]) -> Mapping[str, int]:
    """How many judgements came to each verdict."""
    counts = Counter(f.verdict for f in findings)
    return {verdict: counts[verdict] for verdict in VERDICTS}
