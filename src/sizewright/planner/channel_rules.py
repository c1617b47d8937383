"""What rules count against a channel, and what part of a channel each device takes at least."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from operator import attrgetter
from typing import Any, NamedTuple

from sizewright.configuration.model import SYSTEM
from sizewright.demand.rates import LineItem
from sizewright.evaluate.findings import cost_on
from sizewright.evaluate.limits import use_and_limit
from sizewright.evaluate.policy import FREE, Cost, Policy
from sizewright.facts.records import SystemFacts
from sizewright.facts.storage import channel_facts
from sizewright.facts.storage_records import ChannelFacts
from sizewright.guide.model import Guide
from sizewright.load.model import Share
from sizewright.quantity import Quantity
from sizewright.rules.compiler import RuleSet
from sizewright.rules.rule import Rule
from sizewright.rules.values import TRUE

CHANNEL = "channel"
Ends = tuple[float, float, float]


class ChannelUse(NamedTuple):
    """What is on a channel: devices, hot disks by pattern, KB/s (low, likely, high), backups.

    `active` and `bus_time` are the ends of the active disks and of the time that the bus is held,
    and of their limits; None where the kind of channel has none.
    """

    devices: int
    random: int
    serial: int
    kb_per_s: Ends
    backup: bool
    active: tuple[Ends, Ends] | None = None
    bus_time: tuple[Ends, Ends] | None = None


class _Asked(NamedTuple):
    """A rule, and those of the facts that depend on its devices for which it asks."""

    rule: Rule
    needs: Callable[[ChannelUse], Any]


class ChannelPenalties:
    """Penalties of the channels of one machine, remembered."""

    def __init__(
        self, guide: Guide, rule_set: RuleSet, policy: Policy, system: SystemFacts
    ) -> None:
        self.guide = guide
        self.policy = policy
        self.system = system
        self.rules = [
            _Asked(rule, _needs(rule))
            for rule in rule_set.by_subject[CHANNEL] if policy.counts(rule)
        ]  # fmt: skip
        self._known: dict[tuple[int, str, Any], Cost] = {}

    def cost(self, kind: str, used: ChannelUse) -> Cost:
        """What all rules together count."""
        sum_, record = FREE, None
        for number, asked in enumerate(self.rules):
            key = (number, kind, asked.needs(used))
            known = self._known.get(key)
            if known is None:
                record = record or self._record(kind, used)
                subjects = {SYSTEM: self.system, CHANNEL: record}
                known = self._known[key] = cost_on((asked.rule,), subjects, self.policy)
            if known is not FREE:
                sum_ = sum_.plus(known)
        return sum_

    def alone(self, kind: str, used: ChannelUse) -> ChannelFacts:
        """The facts of a channel with this on it, and perhaps more."""
        return self._record(kind, used)._replace(
            random_disks=None, serial_disks=None, backup_while_in_use=None
        )

    def _record(self, kind: str, used: ChannelUse) -> ChannelFacts:
        return channel_facts(
            "", self.guide.row("disk-busses", kind), used.devices, (used.random, used.serial),
            Quantity(*used.kb_per_s, "KB/s"), used.backup,
            _share(used.active, "disk"), _share(used.bus_time, "ms/s"),
        )  # fmt: skip


def _share(ends: tuple[Ends, Ends] | None, unit: str) -> Share:
    if ends is None:
        return Share()
    used, limit = (Quantity(*each, unit) for each in ends)
    return Share((LineItem("", used),), limit)


def _needs(rule: Rule) -> Callable[[ChannelUse], Any]:
    facts = rule.facts_of(CHANNEL)
    fields = {
        "devices": "devices", "random_disks": "random", "serial_disks": "serial",
        "demanded_kb_per_s": "kb_per_s", "backup_while_in_use": "backup",
        "active_disks": "active", "active_limit": "active",
        "bus_ms_per_s": "bus_time", "bus_limit_ms_per_s": "bus_time",
    }  # fmt: skip
    wanted = [field for fact, field in fields.items() if fact in facts]
    return attrgetter(*wanted) if wanted else lambda _: ()


DEVICES = "channel.devices"
# What devices of one channel take together is the sum of what each takes alone.
RESOURCES = (
    DEVICES, "channel.demanded_kb_per_s", "channel.active_disks", "channel.bus_ms_per_s",
)  # fmt: skip


class RateLimits:
    """The limits of one machine's channels."""

    def __init__(self, rule_set: RuleSet, policy: Policy, system: SystemFacts) -> None:
        self.system = system
        self.end = policy.size_for
        # A range must be below a range: what counts is the other end of the limit.
        self.other_end = {"high": "low", "low": "high"}.get(self.end, "likely")
        self.bounds = [
            (rule, bound)
            for rule in rule_set.by_subject[CHANNEL] if policy.blocks(rule) and policy.counts(rule)
            for bound in rule.bounds if bound.resource in RESOURCES
        ]  # fmt: skip

    def parts(self, alone: ChannelFacts) -> Mapping[str, float]:
        """Resource -> the part of its limit that is taken on a channel with these facts.

        Only limits that hold whatever else is on the channel.
        """
        subjects = {SYSTEM: self.system, CHANNEL: alone}
        found: dict[str, float] = {}
        for rule, bound in self.bounds:
            known = use_and_limit(rule, bound, subjects)
            if known is None or rule.applies(bound, subjects) is not TRUE:
                continue
            used, limit = known
            most = limit.at(self.other_end)
            if most > 0:
                part = used.at(self.end) / most
                found[bound.resource] = max(part, found.get(bound.resource, 0))
        return found
