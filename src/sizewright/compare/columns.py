"""Plans in short, side by side: one column for each platform, workload or plan."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from sizewright.engine import Engine, plan
from sizewright.errors import InputError
from sizewright.planner.parts import platforms_on_offer
from sizewright.planner.plan import Plan, check_plannable
from sizewright.workload.workload import Wishes, Workload


class Load(NamedTuple):
    """The fullest resource of a kind, against its limit at the end that is sized for."""

    kind: str
    resource: str
    share: float


class Parts(NamedTuple):
    """A system in short; None is unknown."""

    system: str
    platform: str
    processors: int | None
    memory_mb: int | None
    boards: int
    disks: int


class Bottleneck(NamedTuple):
    """The resource nearest its limit; the headroom is negative where it is over."""

    resource: str
    share: float
    headroom: float


class Column(NamedTuple):
    """A plan in short. Where it does not hold, `parts` and loads are those of its nearest miss.

    `reasons` say why it does not hold, the shortest first.
    """

    name: str
    workload: str
    size_for: str
    reserve_percent: float
    verdict: str
    holds: bool
    proven: bool
    bottleneck: Bottleneck | None
    loads: tuple[Load, ...]
    parts: tuple[Parts, ...]
    reasons: tuple[str, ...]


class Comparison(NamedTuple):
    """Columns of the platforms for one workload, or of workloads and plans."""

    of: str
    columns: tuple[Column, ...]

    @property
    def holds(self) -> bool:
        """Whether any column holds."""
        return any(column.holds for column in self.columns)


class PlatformPlan(NamedTuple):
    """A platform with its plan, or with why none can be made."""

    platform: str
    name: str
    plan: Plan | None
    why: tuple[str, ...] = ()


def plan_each_platform(
    workload: Workload, engine: Engine, systems: int | None
) -> Iterator[PlatformPlan]:
    """The plan on each platform; raises InputError where the workload can be planned on none."""
    check_plannable(engine.guide)
    faults: list[InputError] = []
    rows = platforms_on_offer(engine.guide)
    for row in rows:
        platform, name = row.id, row.text("name") or row.id
        wishes = (workload.wishes or Wishes()).replace(platforms=(platform,))
        try:
            found = plan(workload.replace(wishes=wishes), engine, systems)
        except InputError as error:
            faults.append(error)
            if len(faults) == len(rows):
                raise
            yield PlatformPlan(platform, name, None, tuple(fault.what for fault in error.faults))
        else:
            yield PlatformPlan(platform, name, found)


_BROKEN = "violated"
_DISK = "disk"
_NOT_DEALT = "its services cannot be divided over two systems"


def make_column(plan: Mapping[str, Any], name: str) -> Column:
    """Return the column of a plan."""
    holds = plan["verdict"] != _BROKEN
    return Column(
        name, plan["workload"]["name"], plan["policy"]["size_for"],
        plan["policy"]["reserve_percent"], plan["verdict"], holds,
        plan["proven"], _bottleneck(plan["determinant"]), tuple(_loads(plan["budgets"])),
        tuple(_parts(plan)), () if holds else _reasons(plan),
    )  # fmt: skip


def impossible_column(
    name: str, workload: str, size_for: str, reserve_percent: float, reasons: tuple[str, ...]
) -> Column:
    """A column of what cannot be planned at all."""
    shortest = tuple(sorted(reasons, key=len))
    return Column(
        name, workload, size_for, reserve_percent, _BROKEN, False, True, None, (), (), shortest
    )


def _bottleneck(found: Mapping[str, Any] | None) -> Bottleneck | None:
    if found is None:
        return None
    return Bottleneck(found["resource"], found["share"], found["headroom"])


def _loads(budgets: list[dict[str, Any]]) -> Iterator[Load]:
    """The fullest of each kind, kinds in the order of the plan."""
    fullest: dict[str, Load] = {}
    for budget in budgets:
        share, kind = budget["share_of_limit"], budget["kind"]
        if share is not None and (kind not in fullest or share > fullest[kind].share):
            fullest[kind] = Load(kind, budget["resource"], share)
    yield from fullest.values()


def _parts(plan: Mapping[str, Any]) -> Iterator[Parts]:
    found = [system["configuration"] for system in plan["systems"]]
    nearest = plan["nearest"]
    if not found and nearest and nearest["configuration"]:
        found = [nearest["configuration"]]
    for system in found:
        boards = [*system["boards"], *(b for e in system["expansions"] for b in e["boards"])]
        devices = [d for c in system["channels"] for d in c["devices"]]
        yield Parts(
            system["id"], system["platform"], system["processors"], system["memory_mb"],
            len(boards), sum(device["kind"] == _DISK for device in devices),
        )  # fmt: skip


def _reasons(plan: Mapping[str, Any]) -> tuple[str, ...]:
    """Why a plan does not hold: of its nearest miss, else of what it does not survive."""
    if plan["unsurvived"]:
        found = [f"it does not survive without {each['component']}" for each in plan["unsurvived"]]
    elif plan["nearest"]:
        found = plan["nearest"]["reasons"]
    else:
        found = [reason for each in plan["rejected"] for reason in each["reasons"]]
    return tuple(sorted(dict.fromkeys(found), key=len)) or (_NOT_DEALT,)
