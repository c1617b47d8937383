"""What rules count against a channel, each rule asked once for the same facts."""

from __future__ import annotations

from collections.abc import Callable
from operator import attrgetter
from typing import Any, NamedTuple

from sizewright.facts.records import ChannelFacts, SystemFacts
from sizewright.facts.storage import channel_facts
from sizewright.figure import Figure
from sizewright.guide.model import Guide
from sizewright.planner.policy import FREE, Cost, Policy, waiting
from sizewright.rules.book import SYSTEM, RuleBook
from sizewright.rules.model import Rule

CHANNEL = "channel"


class Hung(NamedTuple):
    """What hangs on a channel: devices, hot disks by pattern, KB/s (low, likely, high), backups."""

    devices: int
    random: int
    serial: int
    kb_per_s: tuple[float, float, float]
    backup: bool


class _Asked(NamedTuple):
    """A rule, and those of the facts that hang on devices for which it asks."""

    rule: Rule
    needs: Callable[[Hung], Any]
    waits: bool


class ChannelPrices:
    """Prices of the channels of one machine, remembered."""

    def __init__(self, guide: Guide, book: RuleBook, policy: Policy, system: SystemFacts) -> None:
        self.guide = guide
        self.policy = policy
        self.system = system
        self.rules = [
            _Asked(rule, _needs(rule), waiting(rule, system))
            for rule in book.by_subject[CHANNEL] if policy.counts(rule)
        ]  # fmt: skip
        self._known: dict[tuple[int, str, Any], Cost] = {}

    def cost(self, kind: str, hung: Hung) -> Cost:
        """What all rules together count."""
        sum_, record = FREE, None
        for number, asked in enumerate(self.rules):
            key = (number, kind, asked.needs(hung))
            known = self._known.get(key)
            if known is None:
                record = record or self._record(kind, hung)
                subjects = {SYSTEM: self.system, CHANNEL: record}
                says = self.policy.says(asked.rule, subjects)
                waits = asked.waits and says == "unknown"
                known = self.policy.cost(asked.rule, says, subjects, waits)
                self._known[key] = known
            if known is not FREE:
                sum_ = sum_.plus(known)
        return sum_

    def _record(self, kind: str, hung: Hung) -> ChannelFacts:
        return channel_facts(
            "", self.guide.row("disk-busses", kind), hung.devices, (hung.random, hung.serial),
            Figure(*hung.kb_per_s, "KB/s"), hung.backup,
        )  # fmt: skip


def _needs(rule: Rule) -> Callable[[Hung], Any]:
    facts = rule.facts_of(CHANNEL)
    fields = {
        "devices": "devices", "random_disks": "random", "serial_disks": "serial",
        "demanded_kb_per_s": "kb_per_s", "backup_while_in_use": "backup",
    }  # fmt: skip
    wanted = [field for fact, field in fields.items() if fact in facts]
    return attrgetter(*wanted) if wanted else lambda _: ()
