"""The facts of a system, from its configuration, its use and its load."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from sizewright.configuration.model import System
from sizewright.configuration.slots import slot_groups
from sizewright.demand.usage import UsageProfile
from sizewright.facts.boards import board_facts, bus_facts, expansion_facts, slots_facts
from sizewright.facts.fact import Reported
from sizewright.facts.networks import ports_facts
from sizewright.facts.records import (
    BoardFacts,
    BusFacts,
    ChannelFacts,
    DiskFacts,
    EnclosureFacts,
    ExpansionFacts,
    VolumeFacts,
)
from sizewright.facts.storage import channel_of, disk_of
from sizewright.facts.system import system_facts
from sizewright.facts.system_record import NetworkFacts, SlotsFacts, SystemFacts, WorkFacts
from sizewright.facts.volumes import volume_facts
from sizewright.guide.model import Guide
from sizewright.guide.reported import REPORTED
from sizewright.load.model import Load, WorkLoad


def work_facts(work: WorkLoad) -> WorkFacts:
    """One piece of work; how long a run takes follows from its size and its rate."""
    operations = work.operations
    runs, pace = operations.runs, work.pace
    return WorkFacts(
        id=f"{operations.service}/{operations.name}",
        service=operations.service,
        run_s=pace.run_s if pace else None,
        best_run_s=pace.best_run_s if pace else None,
        lasts=pace.lasts if pace else None,
        wanted_s=runs.within_s,
        every_s=runs.every_s,
        access=operations.pattern,
        low_priority=operations.low,
    )


SYSTEM = "system"

Observed = Mapping[str, Mapping[str, Mapping[str, Any]]]


class Facts(NamedTuple):
    """Every subject of one system; rules on any may also read the system's, and what it reports."""

    system: SystemFacts
    networks: tuple[NetworkFacts, ...] = ()
    slots: tuple[SlotsFacts, ...] = ()
    boards: tuple[BoardFacts, ...] = ()
    expansions: tuple[ExpansionFacts, ...] = ()
    busses: tuple[BusFacts, ...] = ()
    enclosures: tuple[EnclosureFacts, ...] = ()
    channels: tuple[ChannelFacts, ...] = ()
    disks: tuple[DiskFacts, ...] = ()
    volumes: tuple[VolumeFacts, ...] = ()
    works: tuple[WorkFacts, ...] = ()
    reported: Reported = Reported("", {})

    def by_subject(self) -> Mapping[str, tuple[Any, ...]]:
        """Subject name -> its records."""
        return {
            SYSTEM: (self.system,),
            "network": self.networks,
            "slots": self.slots,
            "board": self.boards,
            "expansion": self.expansions,
            "bus": self.busses,
            "enclosure": self.enclosures,
            "channel": self.channels,
            "disk": self.disks,
            "volume": self.volumes,
            "work": self.works,
            REPORTED: (self.reported,),
        }

    def asked(self, subject: str, record: Any) -> Mapping[str, Any]:
        """What a rule about one of the subjects may read: it, the system, what that reports."""
        return {SYSTEM: self.system, REPORTED: self.reported, subject: record}

    def replaced_by(self, observed: Observed) -> Facts:
        """The facts with those observed in place of what was derived, by subject and id."""
        if not observed:
            return self
        changed = {
            field: _replaced(records, observed.get(subject, {}))
            for (subject, records), field in zip(
                self.by_subject().items(), self._fields, strict=True
            )
        }
        (system,), (reported,) = changed.pop(SYSTEM), changed.pop(REPORTED)
        return self._replace(system=system, reported=reported, **changed)


def _replaced(
    records: tuple[Any, ...], observed: Mapping[str, Mapping[str, Any]]
) -> tuple[Any, ...]:
    return tuple(record._replace(**observed.get(record.id, {})) for record in records)


def given_facts(usage: UsageProfile, system: System, load: Load, guide: Guide) -> Facts:
    """All facts that need no budget; the rest is still unknown."""
    groups = slot_groups(guide, system)
    return Facts(
        system=system_facts(usage, system, groups, load, guide),
        networks=tuple(ports_facts(usage, system, load, guide)),
        slots=slots_facts(system, groups, guide),
        boards=tuple(board_facts(system, guide)),
        expansions=tuple(expansion_facts(system, guide)),
        busses=bus_facts(system, load, guide),
        channels=tuple(channel_of(usage, system, c, load, guide) for c in system.channels),
        disks=tuple(disk_of(usage, disk, load, guide) for disk in system.disks()),
        volumes=tuple(volume_facts(usage, system, guide)),
        works=tuple(map(work_facts, load.works)),
        reported=Reported(system.id, {}),
    )
