"""The facts of a system, from its configuration, its use and its load."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from sizewright.configuration.model import SYSTEM, System
from sizewright.configuration.slots import slot_groups
from sizewright.facts import records, storage_records
from sizewright.facts.boards import (
    board_facts,
    bus_facts,
    expansion_facts,
    ports_facts,
    slots_facts,
)
from sizewright.facts.fact import Reported
from sizewright.facts.storage import channel_of, disk_of
from sizewright.facts.system import system_facts
from sizewright.facts.volumes import volume_facts
from sizewright.guide.model import REPORTED, Guide
from sizewright.load.model import Load, WorkLoad


def work_facts(work: WorkLoad) -> records.WorkFacts:
    """Return the facts of one piece of work; `pace` has how long its runs take."""
    operations = work.operations
    runs, pace = operations.runs, work.pace
    return records.WorkFacts(
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


Observed = Mapping[str, Mapping[str, Mapping[str, Any]]]


class Facts(NamedTuple):
    """Every part of one system that rules are about, with its facts."""

    system: records.SystemFacts
    networks: tuple[records.NetworkFacts, ...] = ()
    slots: tuple[records.SlotsFacts, ...] = ()
    boards: tuple[records.BoardFacts, ...] = ()
    expansions: tuple[records.ExpansionFacts, ...] = ()
    busses: tuple[records.BusFacts, ...] = ()
    enclosures: tuple[storage_records.EnclosureFacts, ...] = ()
    channels: tuple[storage_records.ChannelFacts, ...] = ()
    disks: tuple[storage_records.DiskFacts, ...] = ()
    volumes: tuple[storage_records.VolumeFacts, ...] = ()
    works: tuple[records.WorkFacts, ...] = ()
    reported: Reported = Reported("", {})

    def by_subject(self) -> Mapping[str, tuple[Any, ...]]:
        """Return subject -> its records."""
        every = ((self.system,), *self[1:-1], (self.reported,))
        return dict(zip((*records.RECORDS, REPORTED), every, strict=True))

    def asked(self, subject: str, record: Any) -> Mapping[str, Any]:
        """Return what a rule on a part may read: the part, the system, and what that reports."""
        return {SYSTEM: self.system, REPORTED: self.reported, subject: record}

    def replaced_by(self, observed: Observed) -> Facts:
        """Return the facts with those observed instead of derived, by subject and id."""
        if not observed:
            return self
        (system,), *parts, (reported,) = (
            tuple(each._replace(**observed.get(subject, {}).get(each.id, {})) for each in alike)
            for subject, alike in self.by_subject().items()
        )
        return Facts._make((system, *parts, reported))


def derive_facts(system: System, load: Load, guide: Guide) -> Facts:
    """Return all facts of a system but the capacity of its networks, which depends on rules."""
    groups = slot_groups(guide, system)
    return Facts(
        system=system_facts(system, groups, load, guide),
        networks=tuple(ports_facts(system, load, guide)),
        slots=slots_facts(system, groups, guide),
        boards=tuple(board_facts(load.usage, system, guide)),
        expansions=tuple(expansion_facts(system, guide)),
        busses=bus_facts(system, load, guide),
        channels=tuple(channel_of(system, c, load, guide) for c in system.channels),
        disks=tuple(disk_of(disk, load, guide) for disk in system.disks()),
        volumes=tuple(volume_facts(load.usage, system, guide)),
        works=tuple(map(work_facts, load.works)),
        reported=Reported(system.id, {}),
    )
