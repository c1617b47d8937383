"""What the rules let a channel transfer, whatever hangs on it."""

from __future__ import annotations

from collections.abc import Iterator
from math import inf

from sizewright.facts.records import ChannelFacts, SystemFacts, blank
from sizewright.figure import Figure, as_figure
from sizewright.guide.model import Guide
from sizewright.planner.devices import RANDOM
from sizewright.planner.policy import Policy
from sizewright.rules.book import SYSTEM, RuleBook
from sizewright.rules.model import Bound, Rule
from sizewright.rules.truth import TRUE

_RESOURCE = "channel.demanded_kb_per_s"


class RateLimits:
    """The limits of one machine's channels, remembered."""

    def __init__(self, guide: Guide, book: RuleBook, policy: Policy, system: SystemFacts) -> None:
        self.guide = guide
        self.policy = policy
        self.system = system
        # A range must lie below a range: what counts is the other end of the limit.
        self.end = {"high": "low", "low": "high"}.get(policy.size_for, "likely")
        self.rules = [
            (rule, bound)
            for rule in book.by_subject["channel"] if policy.blocks(rule) and policy.counts(rule)
            for bound in rule.bounds if bound.resource == _RESOURCE
        ]  # fmt: skip
        self._known: dict[tuple[str, str], float] = {}

    def of(self, kind: str, pattern: str) -> float:
        """The most KB/s over a channel of a kind with disks of a pattern, infinite if unlimited."""
        key = (kind, pattern)
        if key not in self._known:
            some, none = Figure(1, inf, inf, "disk"), as_figure(0, "disk")
            cases = (some,) if pattern == RANDOM else (some, none)
            self._known[key] = max(self._least(kind, random) for random in cases)
        return self._known[key]

    def _least(self, kind: str, random_disks: Figure) -> float:
        row = self.guide.row("disk-busses", kind)
        rate = row.find("rate_mb_per_s")
        given = {
            "kind": kind, "family": row.text("interface") or "other",
            "device_limit": row.find("targets_limit"), "random_disks": random_disks,
            "rate_kb_per_s": rate.to("KB/s") if rate else None,
        }  # fmt: skip
        return min(self._limits(blank("channel", given)), default=inf)

    def _limits(self, record: ChannelFacts) -> Iterator[float]:
        subjects = {SYSTEM: self.system, "channel": record}
        for rule, bound in self.rules:
            guards = [c for c in (rule.when, bound.when) if c is not None]
            if all(c.evaluate(subjects, rule.parameters) is TRUE for c in guards):
                limit = self._limit(rule, bound, record)
                if limit is not None:
                    yield limit.at(self.end)

    def _limit(self, rule: Rule, bound: Bound, record: ChannelFacts) -> Figure | None:
        share = self._named(rule, bound.share, record) if bound.share else None
        if bound.at_most:
            return self._named(rule, bound.at_most, record)
        whole = record.rate_kb_per_s
        return whole * share if isinstance(whole, Figure) and share is not None else None

    def _named(self, rule: Rule, name: str, record: ChannelFacts) -> Figure | None:
        subject, dot, fact = name.partition(".")
        if not dot:
            value = rule.parameters[name]
        else:
            value = getattr(self.system if subject == SYSTEM else record, fact)
        return value if isinstance(value, Figure) else None
