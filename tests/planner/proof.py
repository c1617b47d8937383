"""Holds the planner's answer to a tiny case against the enumerator's."""

from __future__ import annotations

import traceback
from collections.abc import Iterator
from typing import Any, NamedTuple

from planner.enumerator import Size, TooLargeError, size_of, smallest
from planner.tiny_guides import Case, tiny_case
from sizewright.configuration.model import System
from sizewright.demand.model import Demand
from sizewright.guide.model import Row
from sizewright.planner.parts import machines
from sizewright.planner.search import Incumbent
from sizewright.planner.single import smallest as planned_within

STEPS, JUDGED = 6000, 800
_CLOSE = 9
_SHOWN = (
    "boards", "platform-boards", "memory-boards", "disks", "disk-busses", "removable-media",
    "network-interfaces", "nfs-capacity", "nvram-accelerators", "software", "operating-systems",
)  # fmt: skip


class Outcome(NamedTuple):
    """What came of one case; `fault` is empty where planner and enumerator agree."""

    number: int
    theme: str
    size: Size | None
    fault: str


def outcome(number: int) -> Outcome | None:
    """Plan and enumerate a case; None where it has too many configurations for a test."""
    case = tiny_case(number)
    try:
        proven = smallest(case.demand, case.guide, case.rule_set, case.policy, STEPS, JUDGED)
    except TooLargeError:
        return None
    size = proven.size if proven else None
    try:
        fault = _fault(case, size, _planned(case))
    except Exception:  # whatever the planner raises is a disagreement, told with its case
        fault = traceback.format_exc(limit=-2)
    if fault and proven:
        fault += "\nsmallest: " + "\n".join(system_lines(proven.system))
    return Outcome(number, case.theme, size, fault)


def _planned(case: Case) -> Incumbent | None:
    ranks = sorted({m.platform.number("rank") for m in machines(case.guide, case.demand)})
    for rank in ranks:
        alike = [
            m for m in machines(case.guide, case.demand) if m.platform.number("rank") == rank
        ]  # fmt: skip
        best, searches = planned_within(alike, case.demand, case.planning)
        assert not any(search.bound for search in searches), "the search of a tiny case was ended"
        if best is not None:
            return best
    return None


def key_of(case: Case, demand: Demand) -> tuple[float, ...] | None:
    """Return rank and size of the smallest configuration; None if there is none."""
    every = machines(case.guide, demand)
    for rank in sorted({m.platform.number("rank") for m in every}):
        alike = [m for m in every if m.platform.number("rank") == rank]
        best, searches = planned_within(alike, demand, case.planning)
        assert not any(search.bound for search in searches)
        if best is not None:
            return (rank, *best.key.size)
    return None


def _fault(case: Case, size: Size | None, best: Incumbent | None) -> str:
    if best is None:
        return f"the planner finds nothing; there is {size}" if size else ""
    claimed = _rounded((best.key.rank, *best.key.size))
    own = size_of(best.system, case.demand, case.guide, case.rule_set, case.policy)
    found = "planner: " + "\n".join(system_lines(best.system))
    if own is None:
        return f"the planner's system breaks a limit\n{found}"
    if _rounded(own) != claimed:
        return f"the planner's system is {own}, not {best.key}\n{found}"
    if size is None:
        return f"nothing holds, says the enumerator\n{found}"
    if _rounded(size) != claimed:
        return f"the planner finds {own}; there is {size}\n{found}"
    return ""


def _rounded(numbers: tuple[float, ...]) -> tuple[float, ...]:
    return tuple(round(number, _CLOSE) for number in numbers)


def system_lines(system: System) -> Iterator[str]:
    """A system, small enough to read."""
    yield (
        f"{system.platform}, {system.memory_mb:g} MB, {system.accelerator or 'no accelerator'}, "
        f"{', '.join(system.software) or 'no software'}"
    )
    for board in system.boards:
        yield f"  board {board.id} in {board.bus} {board.slots}"
    for port in system.ports:
        yield f"  port {port.id}: {port.interface} of {port.provider}"
    for channel in system.channels:
        devices = ", ".join(f"{d.id} ({d.model})" for d in channel.devices)
        yield f"  channel {channel.id} ({channel.kind}): {devices}"
    for volume in system.volumes:
        yield f"  volume {volume.name}: {volume.copies}"


def case_lines(case: Case) -> Iterator[str]:
    """A case, small enough to debug."""
    yield f"case {case.number}, {case.theme}: {case.policy}"
    for platform in case.guide.table("platforms"):
        yield _row_line(platform)
        for name in ("platform-slots", "platform-busses"):
            for row in case.guide.table(name):
                if row.text("platform") == platform.id:
                    yield "  " + _row_line(row)
    for name in _SHOWN:
        for row in case.guide.table(name):
            yield _row_line(row)
    demand: dict[str, Any] = case.demand._asdict()
    for key, value in demand.items():
        if key in ("streams", "networks", "volumes"):
            for each in value:
                yield f"{key}: {dict(zip(each._fields, each, strict=True))}"
        else:
            yield f"{key}: {value}"
    for rule in case.rule_set.rules:
        values = {name: getattr(v, "likely", v) for name, v in rule.parameters.items()}
        when = f"where {rule.when.text}: " if rule.when else ""
        yield f"rule {rule.id} ({rule.severity}) {when}{rule.require.text} {values or ''}"


def _row_line(row: Row) -> str:
    told = {k: v for k, v in row.values.items() if v not in (None, [], False) and k != "name"}
    return f"{row.table} {row.id}: {told}"
