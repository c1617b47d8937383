"""The file service of a workload held against the machines of several guides."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import chain
from typing import NamedTuple

from sizewright.across.files import FileLoad, file_load
from sizewright.across.machines import Told, told_by
from sizewright.api import Ready, book_for
from sizewright.demand.build import demand_of
from sizewright.errors import refusal
from sizewright.guide.named import place_of
from sizewright.planner.parts import platforms_on_offer
from sizewright.workload import Workload


class Across(NamedTuple):
    """A workload's file load, and what each guide tells of its machines under it."""

    workload: str
    files: FileLoad
    told: tuple[Told, ...]

    @property
    def holds(self) -> bool:
        """Whether the machines of any guide carry it, one or several of a kind."""
        machines = chain.from_iterable(each.machines for each in self.told)
        return any(machine.verdict in ("fits", "several") for machine in machines)


def across(workload: Workload, own: Ready, others: Iterable[Ready]) -> Across:
    """The machines of the workload's own guide first, then of the others in their order.

    Raises InputFaults where the workload serves no files, or names what its guide does not have.
    """
    files = file_load(demand_of(workload, own.guide), own.guide.id)
    if not files.demand.streams:
        what = f"{workload.name} serves no files, and nothing else is compared over guides"
        raise refusal(place_of(workload.services[0].name), what, "a service of kind nfs")
    engines = (own, *others)
    # What the workload's policy says of rules is said of its own guide's.
    books = (book_for(workload.policy, own, "plan"), *(e.judging("plan") for e in engines[1:]))
    sold = frozenset(row.id for each in engines for row in platforms_on_offer(each.guide))
    told = tuple(
        told_by(each.guide, book, own.guide, files, sold)
        for each, book in zip(engines, books, strict=True)
    )
    return Across(workload.name, files, told)
