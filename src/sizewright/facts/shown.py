"""Adds to the facts of a system what only its box file shows of its parts."""

from __future__ import annotations

from sizewright.configuration.model import System
from sizewright.configuration.shown import Shown
from sizewright.demand.usage import Usage
from sizewright.facts.arrays import array_facts
from sizewright.facts.chain import chain_facts
from sizewright.facts.controllers import controller_facts
from sizewright.facts.enclosures import enclosure_facts
from sizewright.facts.given import Facts
from sizewright.facts.profile import profile_facts
from sizewright.facts.segments import segment_facts
from sizewright.guide.model import Guide
from sizewright.load.model import Load


def with_shown(
    facts: Facts, usage: Usage, system: System, load: Load, shown: Shown, guide: Guide
) -> Facts:
    """The facts of a box that exists, with those that no plan has."""
    channels = {channel.id: channel for channel in system.channels}
    boards = {board.id: board for board in system.boards}
    volumes = {volume.name: volume for volume in system.volumes}
    return facts._replace(
        system=facts.system._replace(**profile_facts(shown.profiles, usage, guide)),
        slots=tuple(
            record._replace(**segment_facts(record.id, system, load, shown, guide))
            for record in facts.slots
        ),
        boards=tuple(
            record._replace(
                **controller_facts(boards[record.id], system, load, shown, guide)
            )
            for record in facts.boards
        ),
        enclosures=tuple(
            enclosure_facts(each, system, load, shown, guide) for each in shown.enclosures
        ),
        channels=tuple(
            record._replace(**chain_facts(system, channels[record.id], shown, guide))
            for record in facts.channels
        ),
        volumes=tuple(
            record._replace(
                **array_facts(record, volumes[record.id], system, shown, guide)
            )
            for record in facts.volumes
        ),
    )  # fmt: skip
