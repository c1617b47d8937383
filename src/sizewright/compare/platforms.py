"""A workload planned on each platform on offer by itself."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import NamedTuple

from sizewright.api import Ready, plan
from sizewright.errors import InputError
from sizewright.planner.parts import platforms_on_offer
from sizewright.planner.plan import Plan
from sizewright.planner.plannable import check_plannable
from sizewright.workload import Workload
from sizewright.workload.wishes import Wishes


class Tried(NamedTuple):
    """A platform with its plan, or with why none can be made."""

    platform: str
    name: str
    plan: Plan | None
    why: tuple[str, ...] = ()


def on_each(workload: Workload, engine: Ready, systems: int | None) -> Iterator[Tried]:
    """The plan on each platform; raises InputFaults where the workload can be planned on none."""
    check_plannable(engine.guide)
    faults: list[InputError] = []
    rows = platforms_on_offer(engine.guide)
    for row in rows:
        platform, name = row.id, row.text("name") or row.id
        wishes = replace(workload.wishes or Wishes(), platforms=(platform,))
        try:
            found = plan(replace(workload, wishes=wishes), engine, systems)
        except InputError as error:
            faults.append(error)
            if len(faults) == len(rows):
                raise
            yield Tried(platform, name, None, tuple(fault.what for fault in error.faults))
        else:
            yield Tried(platform, name, found)
