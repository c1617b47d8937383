"""Other plans that a report offers beside the one that is asked for, or in its place."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

from sizewright.demand.rates import LineDemand, LineItem
from sizewright.planner.plan import Plan
from sizewright.quantity import Quantity

if TYPE_CHECKING:
    from sizewright.planner.conflicts import Conflicts, Relaxation


class Relief(NamedTuple):
    """The smallest plan that has what one lacks that was found.

    It keeps `least_free` of each limit on a load, where that one is nearly full, or else meets the
    recommended limits of `rules`, which that one exceeds. It has one of the numbers of systems that
    were `tried`; None if none of them does. `networks` is how many it needs of those of which the
    workload permits fewer. It is not `proven` if a search for it stopped early. `meeting` has the
    smallest plan that meets recommended limits on loads, if the one that keeps more free does not.
    """

    least_free: Quantity | None
    rules: tuple[str, ...]
    tried: tuple[int, ...]
    plan: Plan | None = None
    networks: Mapping[str, int] = MappingProxyType({})
    proven: bool = True
    meeting: Relief | None = None


class DividedVolumes(NamedTuple):
    """A plan of the same machines with volumes in `parts` that one disk each holds.

    It meets recommended limits on loads of the rules `met`, which the plan exceeds.
    """

    parts: Mapping[str, int]
    met: tuple[str, ...]
    plan: Plan


class FewerSystems(NamedTuple):
    """A plan with fewer systems for a load that has been divided, with more `networks`.

    `networks` is how many it needs of those of which the workload permits fewer.
    """

    plan: Plan
    networks: Mapping[str, int]


class Reduction(NamedTuple):
    """A part of a load, which is a `share` of all its rates, and its plan.

    It has no plan if it is the part that was known before. The next percent was found to have none
    if it is `proven`. It may be a share of the memory of services too.
    """

    share: float
    plan: Plan | None
    proven: bool
    of_memory: bool = False


class FewerLines(NamedTuple):
    """A number of some lines, less than the one stated, and its plan with all other load."""

    line: LineDemand
    number: int
    plan: Plan


class FewerUsers(NamedTuple):
    """A number of a service's clients or sessions, less than the one stated, and its plan.

    With `less_active` it is less than the stated number of active ones too.
    """

    service: str
    called: str
    number: int
    of: int
    plan: Plan
    less_active: bool = False


class LessMemory(NamedTuple):
    """Memory of a service, less than is stated, and the plan with all other load."""

    line: LineItem
    mb: float
    plan: Plan


class FewerYears(NamedTuple):
    """A number of whole years of growth, fewer than `of`, and the plan for the load then.

    Its first limit is reached after `enough_for` years, None if none is. It may need disks of
    `other_vendors`, which the workload does not permit.
    """

    years: int
    of: Quantity
    plan: Plan
    enough_for: float | None
    other_vendors: bool = False


class Alternatives(NamedTuple):
    """What is offered beside a plan, each None if there is nothing of its kind.

    Of a plan that passes: the next larger one as `relief`, if it is nearly full or exceeds
    recommended limits on loads; the same machines with `divided_volumes`, where no software joins
    disks; `fewer_systems` with more networks, if the load was divided; smaller machines
    `without_owned` devices. Where none passes: the wishes in `conflicts`; the plan of a part of the
    load, `reduced`; those of `fewer_lines`, `fewer_users`, `fewer_years` or `less_memory`.
    """

    relief: Relief | None = None
    divided_volumes: DividedVolumes | None = None
    fewer_systems: FewerSystems | None = None
    without_owned: Relaxation | None = None
    conflicts: Conflicts | None = None
    reduced: Reduction | None = None
    fewer_lines: FewerLines | None = None
    fewer_users: FewerUsers | None = None
    fewer_years: FewerYears | None = None
    less_memory: LessMemory | None = None


NO_ALTERNATIVES = Alternatives()
