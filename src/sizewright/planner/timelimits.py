"""Limits of processor time, told by time alone: in one lock, and on all processors."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sizewright.evaluate.findings import cost_on
from sizewright.evaluate.policy import Policy
from sizewright.facts.records import blank
from sizewright.facts.system import time_shares
from sizewright.facts.system_record import SystemFacts
from sizewright.load.cpu_load import CpuLoad
from sizewright.quantity import Quantity
from sizewright.rules.compiler import SYSTEM, RuleSet
from sizewright.rules.rule import RECOMMENDED, Rule

_SHARES = frozenset(("kernel_lock_share", "processor_share"))


class TimeLimits:
    """The rules about processor time that block, where these facts of a system are `known`."""

    def __init__(
        self, known: Mapping[str, Any], processors: int, book: RuleSet, policy: Policy
    ) -> None:
        self.known = known
        self.processors = processors
        self.policy = policy
        self.rules = [
            rule for rule in book.by_subject[SYSTEM]
            if policy.blocks(rule) and policy.counts(rule) and _SHARES & rule.facts_of(SYSTEM)
        ]  # fmt: skip
        self.recommended = [
            rule for rule in book.by_subject[SYSTEM]
            if rule.severity == RECOMMENDED and rule.bounds and policy.counts(rule)
            and _SHARES & rule.facts_of(SYSTEM)
            and rule.facts_of(SYSTEM) <= _SHARES | known.keys()
        ]  # fmt: skip

    def excess_by(self, shares: Mapping[str, Quantity | None]) -> int:
        """Return by how much such shares exceed recommended limits, as `Cost.excess` counts it."""
        subjects = {SYSTEM: blank(SYSTEM, {**self.known, **shares})}
        return cost_on(self.recommended, subjects, self.policy, partial=True).excess

    def broken_at(self, busy: CpuLoad) -> frozenset[str]:
        """The limits that processors so busy break."""
        return self.broken_by(time_shares(busy.kernel, busy.processors, self.processors))

    def broken_by(self, shares: Mapping[str, Quantity | None]) -> frozenset[str]:
        """The limits that such shares of the time there is break."""
        record: SystemFacts = blank(SYSTEM, {**self.known, **shares})
        return frozenset(rule.id for rule in self.rules if self.breaks(rule, record))

    def breaks(self, rule: Rule, record: SystemFacts) -> bool:
        """Whether a system of which no more is known breaks a rule."""
        return bool(cost_on((rule,), {SYSTEM: record}, self.policy, partial=True).broken)
