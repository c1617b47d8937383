"""The subjects of rules and their facts, with unit and meaning.

Annotations are read by the condition checker. Facts filled in by budgets are `None` until the
budget stands; everything else that is `None` was not observed, or is blank in the guide.
"""

from typing import Any

from sizewright.facts.fact import Fact, Reported, reported_facts
from sizewright.facts.io_records import (
    BoardFacts,
    BusFacts,
    ExpansionFacts,
    NetworkFacts,
    SlotsFacts,
)
from sizewright.facts.storage_records import ChannelFacts, DiskFacts, EnclosureFacts, VolumeFacts
from sizewright.facts.system_record import SystemFacts, WorkFacts
from sizewright.guide.model import Guide
from sizewright.guide.reported import REPORTED

__all__ = [
    "RECORDS",
    "REPORTED",
    "BoardFacts",
    "BusFacts",
    "ChannelFacts",
    "DiskFacts",
    "EnclosureFacts",
    "ExpansionFacts",
    "Fact",
    "NetworkFacts",
    "Reported",
    "SlotsFacts",
    "SystemFacts",
    "VolumeFacts",
    "WorkFacts",
    "blank",
    "facts_of",
]

RECORDS: dict[str, type[Any]] = {
    "system": SystemFacts,
    "network": NetworkFacts,
    "slots": SlotsFacts,
    "board": BoardFacts,
    "expansion": ExpansionFacts,
    "bus": BusFacts,
    "enclosure": EnclosureFacts,
    "channel": ChannelFacts,
    "disk": DiskFacts,
    "volume": VolumeFacts,
    "work": WorkFacts,
}


def facts_of(subject: str, guide: Guide | None = None) -> dict[str, Fact]:
    """Name -> Fact for one subject; what systems report is for each guide to name."""
    if subject == REPORTED:
        return reported_facts(guide) if guide is not None else {}
    known: dict[str, Fact] = RECORDS[subject]._field_defaults
    return known


def blank(subject: str, given: dict[str, Any]) -> Any:
    """A record with the given facts and every other one unknown; for a rule's examples."""
    return Reported("", given) if subject == REPORTED else RECORDS[subject](**given)
