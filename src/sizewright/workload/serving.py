"""What services of every kind may state: work on disks, traffic, processor time, availability."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from sizewright.errors import shown
from sizewright.forms.fields import Flag, Name
from sizewright.forms.objections import Objection
from sizewright.forms.said import Stated
from sizewright.workload.work import Count, Megabytes, Seconds, Traffic, Work


@dataclass(frozen=True, kw_only=True, eq=False)
class Serving(Stated):
    """A service that the server does itself, with disks, processors and memory.

    `user_processors` is what its processes keep busy outside of the kernel, in processors of the
    machine to be planned; one that `takes_all_processors` could use whatever there is.
    `memory_mb` is what it was seen to take as a whole. After a failure it must be back within
    `back_within_s`; a `replicated` one runs on both systems of a pair, each with its own data.
    """

    name: Name
    work: tuple[Work, ...] = ()
    network: Name | None = None
    traffic: Traffic | None = None
    user_processors: Count | None = None
    takes_all_processors: Flag = False
    single_threaded: Flag = False
    memory_mb: Megabytes | None = None
    back_within_s: Seconds | None = None
    replicated: Flag = False

    def objections(self) -> Iterator[Objection]:
        """Object to traffic without a network, and to two pieces of work of one name."""
        yield from Stated.objections(self)
        returns = any(work.returns_mb is not None for work in self.work)
        if self.network is None and (self.traffic is not None or returns):
            yield Objection(f"{self.name} sends data over no network", "network")
        seen: set[str] = set()
        for index, work in enumerate(self.work):
            if work.name in seen:
                what = f"the work {shown(work.name)} stands here twice"
                yield Objection(what, "another name", at=("work", index, "name"))
            seen.add(work.name)
