"""What part of a channel each device takes at least, by what rules limit there."""

from __future__ import annotations

from collections.abc import Mapping

from sizewright.evaluate.limits import capacity_of, limit_set, named
from sizewright.evaluate.policy import Policy
from sizewright.facts.records import ChannelFacts
from sizewright.facts.system_record import SystemFacts
from sizewright.rules.compiler import SYSTEM, RuleSet
from sizewright.rules.values import TRUE

DEVICES = "channel.devices"
# What devices of one channel take together is the sum of what each takes alone.
RESOURCES = (
    DEVICES, "channel.demanded_kb_per_s", "channel.active_disks", "channel.bus_ms_per_s",
)  # fmt: skip


class RateLimits:
    """The limits of one machine's channels."""

    def __init__(self, book: RuleSet, policy: Policy, system: SystemFacts) -> None:
        self.system = system
        self.end = policy.size_for
        # A range must lie below a range: what counts is the other end of the limit.
        self.other_end = {"high": "low", "low": "high"}.get(self.end, "likely")
        self.bounds = [
            (rule, bound)
            for rule in book.by_subject["channel"] if policy.blocks(rule) and policy.counts(rule)
            for bound in rule.bounds if bound.resource in RESOURCES
        ]  # fmt: skip

    def parts(self, alone: ChannelFacts) -> Mapping[str, float]:
        """Resource -> the part of its limit that is taken on a channel with these facts.

        Only limits that hold whatever else is on the channel.
        """
        subjects = {SYSTEM: self.system, "channel": alone}
        found: dict[str, float] = {}
        for rule, bound in self.bounds:
            used = named(rule, bound.resource, subjects)
            limit = limit_set(rule, bound, subjects, capacity_of(rule, bound.resource, subjects))
            if used is None or limit is None or rule.applies(bound, subjects) is not TRUE:
                continue
            most = limit.at(self.other_end)
            if most > 0:
                part = used.at(self.end) / most
                found[bound.resource] = max(part, found.get(bound.resource, 0))
        return found
