"""Why services were divided over two systems as they were, or why they were not."""

from __future__ import annotations

from typing import Literal, NamedTuple

from sizewright.evaluate.system import Evaluation
from sizewright.limits import DEALS_TRIED, SERVICES_DEALT
from sizewright.load.nfs import processor_second
from sizewright.planner.pair import deals, kernel_time, together
from sizewright.planner.plan import Deal, Plan
from sizewright.quantity import Quantity, total

Why = Literal["", "not_asked", "one_service", "shared_volumes", "too_many", "lock", "limits"]

WHYS: tuple[Why, ...] = (
    "", "not_asked", "one_service", "shared_volumes", "too_many", "lock", "limits"
)  # fmt: skip


class Division(NamedTuple):
    """The deal found, with the kernel time of each system in ms/s; or `why` there is none.

    `not_asked`: the workload wants one system (the deal is then the first that its kernel time
    allows, and no system was planned). `one_service`, `shared_volumes` (named in `names`): nothing
    can be parted. `too_many`: more groups than are tried. `lock`: no way keeps both under their
    locks (those that belong together and are over one by themselves are named). `limits`: some ways
    were tried, and none keeps all limits.
    """

    deal: Deal | None
    used: tuple[Quantity, ...]
    why: Why
    names: tuple[str, ...] = ()
    tried: int = 0


def division(plan: Plan, judged: Evaluation | None) -> Division:
    """How a plan divides its services; `judged` is a single system with all of them."""
    if plan.pair is not None:
        both = (plan.pair.primary, plan.pair.alternate)
        used = tuple(
            total((line.figure for line in part.chosen.load.kernel_lock or ()), "ms/s")
            for part in both if part.chosen is not None
        )  # fmt: skip
        return Division(plan.pair.deal, used, "")
    demand = plan.demand
    groups = together(demand)
    movable = tuple(service.name for service in demand.services if not service.replicated)
    if len(movable) < 2:
        return Division(None, (), "one_service", movable)
    if len(groups) < 2:
        return Division(None, (), "shared_volumes", _shared(plan))
    if len(groups) > SERVICES_DEALT:
        return Division(None, (), "too_many", (), len(groups))
    lock = kernel_time(judged)
    end = plan.policy.size_for
    times = {name: figure.at(end) for name, figure in lock.items()}
    found = list(deals(demand, times, processor_second().high))
    if not found:
        alone = {group: sum(times.get(name, 0) for name in group) for group in groups}
        largest = max(groups, key=lambda group: alone[group])
        over = alone[largest] > processor_second().high
        return Division(None, (), "lock", largest if over else ())
    if demand.systems == 1:
        used = tuple(
            total((lock[name] for name in side if name in lock), "ms/s") for side in found[0]
        )
        return Division(found[0], used, "not_asked")
    return Division(None, (), "limits", (), min(len(found), DEALS_TRIED))


class Split(NamedTuple):
    """Kernel time of each system of a pair in ms/s, and `why` no division is more even.

    `one_service`: all that only the busier system does is one service (in `names`), which cannot
    be divided and takes `alone` by itself. `shared_volumes` (in `volumes`) keep the services in
    `names` together there. `limits`: so many divisions were `tried` before, and do not meet every
    limit. `most_even`: by the kernel time on one system no division is more even. Empty if both
    systems have the same.
    """

    used: tuple[Quantity, ...]
    why: Literal["", "one_service", "shared_volumes", "limits", "most_even"]
    names: tuple[str, ...] = ()
    alone: Quantity | None = None
    volumes: tuple[str, ...] = ()
    tried: int = 0


def split(plan: Plan) -> Split | None:
    """Return how even a pair's kernel time is and why no more; None without a pair or its time."""
    if plan.pair is None:
        return None
    parts = (plan.pair.primary, plan.pair.alternate)
    lines = [part.chosen.load.kernel_lock for part in parts if part.chosen is not None]
    used = tuple(total((line.figure for line in each), "ms/s") for each in lines if each)
    if len(used) < 2:
        return None
    first, second = (figure.at(plan.policy.size_for) for figure in used)
    if first == second:
        return Split(used, "")
    if plan.pair.passed_over:
        return Split(used, "limits", tried=plan.pair.passed_over)
    deal = plan.pair.deal
    busier, other = deal if first > second else deal[::-1]
    names = tuple(name for name in busier if name not in other)
    if names not in together(plan.demand):
        return Split(used, "most_even")
    alone = total(
        (line.figure for each in lines for line in each or () if line.asker in names), "ms/s"
    )
    if len(names) == 1:
        return Split(used, "one_service", names, alone)
    return Split(used, "shared_volumes", names, alone, _shared(plan, names))


def _shared(plan: Plan, among: tuple[str, ...] = ()) -> tuple[str, ...]:
    """The volumes that keep services together: all services, or only those `among` some."""
    ports = {volume.name for volume in plan.demand.volumes if volume.dual_ported}
    users: dict[str, int] = {}
    for service in plan.demand.services:
        if among and service.name not in among:
            continue
        for volume in () if service.replicated else set(service.volumes) - ports:
            users[volume] = users.get(volume, 0) + 1
    return tuple(sorted(volume for volume, number in users.items() if number > 1))
