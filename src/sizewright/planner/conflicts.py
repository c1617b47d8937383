"""Wishes that conflict: the smallest sets without a plan, and what is planned without some."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from functools import cache, partial
from math import inf
from typing import Any, NamedTuple

from sizewright.demand.model import Demand, NetworkDemand
from sizewright.formula import quantity_text
from sizewright.guide.model import Guide
from sizewright.limits import CONFLICT_PLANS, WISH_NAMES
from sizewright.load.lines import SERVER_NETWORK, may_have_server_network
from sizewright.planner.connections import shape_of
from sizewright.planner.more_networks import permit_more_networks
from sizewright.planner.plan import Plan
from sizewright.workload.workload import Workload

# Returns the plan of a demand, None if none holds.
Planned = Callable[[Demand], Plan | None]
IsSpent = Callable[[], bool]
Drops = frozenset[int]
# It is a wish even if it is not stated.
THIRD_PARTY = "third_party_disks: false"


class Wish(NamedTuple):
    """A wish as the workload states it, and the same demand without it.

    Wishes of one `kind` about parts with other names are equal: any of them may be dropped. One
    that is not `stated` is named only if there is a plan without it. One that is `cheap` to drop is
    dropped first.
    """

    text: str
    drop: Callable[[Demand], Demand]
    name: str = ""
    kind: Hashable = None
    stated: bool = True
    cheap: bool = False


class Relaxation(NamedTuple):
    """Some wishes, and the plan without them."""

    wishes: tuple[str, ...]
    plan: Plan


class Conflicts(NamedTuple):
    """Sets of wishes that no plan meets, though it would without any one wish of the set.

    `ways` are the fewest wishes to drop, and what is planned then. Without any wish there may be
    no plan either: it is not `possible` without any of the `wishes`. If it is not `complete`, plans
    ran out: other sets and ways may exist. `defaults` are wishes that the workload does not state.
    """

    sets: tuple[tuple[str, ...], ...]
    ways: tuple[Relaxation, ...]
    possible: bool
    complete: bool
    wishes: tuple[str, ...] = ()
    defaults: tuple[str, ...] = ()


def wishes_of(workload: Workload, demand: Demand, guide: Guide) -> tuple[Wish, ...]:
    """Return every wish of a workload that can keep it from being planned."""
    return (
        *_of_equipment(demand), *_of_networks(workload, demand), *_of_volumes(demand),
        *_of_availability(workload, demand), *_of_backup(demand), *_of_vendors(demand, guide),
    )  # fmt: skip


def _of_equipment(demand: Demand) -> Iterator[Wish]:
    if demand.platforms:
        names = ", ".join(demand.platforms)
        yield Wish(f"platforms: [{names}]", lambda d: d._replace(platforms=()))
    for medium in dict.fromkeys(demand.removable_media):
        number = demand.removable_media.count(medium)
        text = f"removable_media: [{_in_short([medium] * number)}]"
        yield Wish(text, _without("removable_media", medium))
    yield from _of_owned(demand)


def _of_owned(demand: Demand) -> Iterator[Wish]:
    for owned in demand.carry_forward:
        if owned.required:
            text = f"carry_forward: [{{device: {owned.device}, count: {owned.required}}}]"
            may: dict[str, Any] = {"required": 0, "optional": owned.number}
            yield Wish(text, _changed("carry_forward", "device", owned.device, **may))


def _in_short(names: list[str]) -> str:
    """Return names in a row; of a long one the first and the last, and how many there are."""
    if len(names) <= WISH_NAMES:
        return ", ".join(names)
    return f"{names[0]}, …, {names[-1]}: {len(names)} in all"


def _of_networks(workload: Workload, demand: Demand) -> Iterator[Wish]:
    permitted = {each.name: each for each in permit_more_networks(demand).networks}
    few = [each for each in workload.networks if permitted[each.name].for_each_system]
    stated = [each for each in few if "segments_at_most" in each.model_fields_set]
    # That nothing is stated of some networks is one wish: each has one segment.
    servers = [SERVER_NETWORK] if may_have_server_network(demand) else []
    default = [*(each.name for each in few if each not in stated), *servers]
    wishes = [([each.name], each.segments_at_most, True) for each in stated]
    for names, most, is_stated in (*wishes, (default, 1, False)):
        if names:
            text = f"networks[{_in_short(names)}].segments_at_most: {most}"
            drop = partial(permit_more_networks, names=names)
            yield Wish(text, drop, stated=is_stated, cheap=True)
    shapes = {each.name: _shape_of(each, demand) for each in demand.networks}
    for network in workload.networks:
        of, shape = f"networks[{network.name}]", shapes.get(network.name, network.name)
        if network.medium:
            text = f"{of}.medium: {network.medium}"
            yield _of_item("networks", network.name, text, ("medium", shape), medium="")
        if network.fastest_response:
            kind = "fastest_response", shape
            text = f"{of}.fastest_response: true"
            yield _of_item("networks", network.name, text, kind, fastest_response=False)


def _shape_of(network: NetworkDemand, demand: Demand) -> tuple[object, ...]:
    """Return what is the same for networks with equal loads, for the same data."""
    data = (service.volumes for service in demand.services if network.name in service.networks)
    return (shape_of(network, demand), *sorted(data))


def _of_volumes(demand: Demand) -> Iterator[Wish]:
    for volume in demand.volumes:
        of, name = f"volumes[{volume.name}]", volume.name
        if volume.protection == "mirror":
            yield _of_item("volumes", name, f"{of}.protection: mirror", protection="none")
        if volume.own_disks:
            yield _of_item("volumes", name, f"{of}.own_disks: true", own_disks=False)
        if volume.dual_ported:
            yield _of_item("volumes", name, f"{of}.dual_ported: true", dual_ported=False)
        if volume.apart_from:
            text = f"{of}.apart_from: [{', '.join(volume.apart_from)}]"
            yield _of_item("volumes", name, text, apart_from=())


def _of_availability(workload: Workload, demand: Demand) -> Iterator[Wish]:
    if demand.systems:
        stated = workload.availability is not None and workload.availability.systems
        text = "availability.systems: " if stated else "--systems "
        yield Wish(f"{text}{demand.systems}", lambda d: d._replace(systems=0))
    for failure in demand.survives:
        yield Wish(f"availability.survives: [{failure}]", _without("survives", failure))


def _of_backup(demand: Demand) -> Iterator[Wish]:
    backup = demand.backup
    if backup.window is not None:
        text = f"backup.window: {quantity_text(backup.window.high, backup.window.unit)}"
        yield Wish(text, lambda d: d._replace(backup=d.backup._replace(window=None)))
    if backup.drives_at_most:
        text = f"backup.tapes_at_most: {backup.drives_at_most}"
        yield Wish(text, lambda d: d._replace(backup=d.backup._replace(drives_at_most=0)))


def _of_vendors(demand: Demand, guide: Guide) -> Iterator[Wish]:
    sold = any(row.flag("third_party") for row in guide.table("disks"))
    if sold and not demand.third_party_disks:
        yield Wish(THIRD_PARTY, lambda d: d._replace(third_party_disks=True), stated=False)


def _without(field: str, name: str) -> Callable[[Demand], Demand]:
    """Return how a name is left out of a list of a demand."""
    return lambda d: _with(d, field, (each for each in getattr(d, field) if each != name))


def _changed(field: str, key: str, name: str, **changes: Any) -> Callable[[Demand], Demand]:
    """Return how the item of a name is changed in a list of a demand."""
    return lambda d: _with(d, field, (
        each._replace(**changes) if getattr(each, key) == name else each
        for each in getattr(d, field)
    ))  # fmt: skip


def _with(demand: Demand, field: str, items: Iterable[Any]) -> Demand:
    changed: dict[str, Any] = {field: tuple(items)}
    return demand._replace(**changed)


def _of_item(field: str, name: str, text: str, kind: Hashable = None, **changes: Any) -> Wish:
    """Return a wish about one network or volume, and the values without it."""
    return Wish(text, _changed(field, "name", name, **changes), name, kind)


class _NoPlansLeftError(Exception):
    """The permitted number of plans was made."""


def _alike(wishes: Sequence[Wish]) -> list[list[int]]:
    """Return for each wish the numbers of all that are equal to it."""
    of_kind: dict[Hashable, list[int]] = {}
    for number, wish in enumerate(wishes):
        if wish.kind is not None:
            of_kind.setdefault(wish.kind, []).append(number)
    return [[n] if w.kind is None else of_kind[w.kind] for n, w in enumerate(wishes)]


def _dropped(demand: Demand, wishes: Sequence[Wish], drops: Drops) -> Demand:
    """Return a demand without some of the wishes."""
    for number in sorted(drops):
        demand = wishes[number].drop(demand)
    return demand


class _Trials:
    """The plans without some of the wishes, each made once."""

    def __init__(
        self, demand: Demand, wishes: tuple[Wish, ...], planned: Planned, is_spent: IsSpent
    ) -> None:
        self._demand, self._wishes, self._planned = demand, wishes, planned
        self._is_spent = is_spent
        self._known: dict[Drops, Plan | None] = {frozenset(): None}
        self._alike = _alike(wishes)

    def without(self, drops: Drops) -> Plan | None:
        """Return the plan without some wishes; raises _NoPlansLeftError."""
        drops = self.first_alike(drops)
        if drops not in self._known:
            if len(self._known) > CONFLICT_PLANS or self._is_spent():
                raise _NoPlansLeftError
            self._known[drops] = self._planned(_dropped(self._demand, self._wishes, drops))
        return self._known[drops]

    def first_alike(self, drops: Drops) -> Drops:
        """Return as many wishes of each kind, the first ones."""
        many = Counter(self._alike[number][0] for number in drops)
        return frozenset(n for first, most in many.items() for n in self._alike[first][:most])

    def single_ways(self) -> dict[Drops, Plan]:
        """Return the plans that were made without one wish."""
        return {drops: p for drops, p in self._known.items() if p is not None and len(drops) == 1}

    def smallest_set(self, wishes: Drops) -> Drops:
        """Return wishes of some that conflict, and do not without any one of them."""
        every = frozenset(range(len(self._wishes)))
        return _fewest(wishes, lambda fewer: self.without(every - fewer) is None)


def _fewest(numbers: Drops, is_enough: Callable[[Drops], bool]) -> Drops:
    """Return those of some numbers that are left if each that is not needed is left out."""
    for number in sorted(numbers):
        fewer = numbers - {number}
        if is_enough(fewer):
            numbers = fewer
    return numbers


def find_conflicts(
    demand: Demand, wishes: tuple[Wish, ...], planned: Planned, is_spent: IsSpent = lambda: False,
    renew: Callable[[], None] = lambda: None,
) -> Conflicts:  # fmt: skip
    """Return the sets of wishes that conflict in a demand that cannot be planned.

    Sets are found by leaving out one wish after another; each further set without a wish of each
    set before. The number of plans is bounded, and none is made once their steps are used up; they
    are renewed once if plans without cheap wishes used them up in vain.
    """
    trials = _Trials(demand, wishes, planned, is_spent)
    every = frozenset(range(len(wishes)))
    sets: list[Drops] = []
    ways: dict[Drops, Plan] = {}
    complete, possible = True, True
    try:
        for drops in (frozenset({n}) for n, wish in enumerate(wishes) if wish.cheap):
            plan = trials.without(drops)
            if plan is not None:
                ways[drops] = plan
        if not ways and is_spent():
            renew()
        possible = bool(ways) or trials.without(every) is not None
        open_ = [frozenset[int]()] if possible else []
        for drops in open_:
            found = next((s for s in sets if not s & drops), None)
            if found is None:
                found = trials.smallest_set(every - drops)
                sets.append(found)
            for number in sorted(found):
                more = trials.first_alike(drops | {number})
                if any(way <= more for way in ways):
                    continue
                plan = trials.without(more)
                if plan is not None:
                    ways[more] = plan
                elif more not in open_:
                    open_.append(more)
    except _NoPlansLeftError:
        complete = False
        ways |= trials.single_ways()

    return Conflicts(
        tuple(_texts(each, wishes) for each in sets),
        tuple(Relaxation(_texts(drops, wishes), plan) for drops, plan in ways.items()),
        possible, complete,
        *(
            _texts(frozenset(n for n in every if wishes[n].stated is stated), wishes)
            for stated in (True, False)
        ),
    )  # fmt: skip


def find_smaller_without_owned(found: Plan, demand: Demand, planned: Planned) -> Relaxation | None:
    """Return a plan of smaller machines that need not have all devices already owned.

    None if the plan that was `found` for the demand has the smallest machines all the same.
    """
    wishes = tuple(_of_owned(demand))
    every = frozenset(range(len(wishes)))

    @cache
    def without(drops: Drops) -> Plan | None:
        return planned(_dropped(demand, wishes, drops)) if drops else found

    def machines(drops: Drops) -> tuple[float, float]:
        plan = without(drops)
        return (inf, inf) if plan is None else plan.machines

    # Each alone, then all of them without those that need no larger machines.
    tried = (*(frozenset({number}) for number in sorted(every)), every)
    enough = next((each for each in tried if machines(each) < found.machines), frozenset[int]())
    needed = _fewest(enough, lambda fewer: machines(fewer) <= machines(enough))
    plan = without(needed) if needed else None
    return None if plan is None else Relaxation(_texts(needed, wishes), plan)


def _texts(numbers: Drops, wishes: tuple[Wish, ...]) -> tuple[str, ...]:
    """Return some wishes as texts, equal ones together: they may be any of those that are equal."""
    alike = _alike(wishes)
    of_first: dict[int, list[int]] = {}
    for number in sorted(numbers):
        of_first.setdefault(alike[number][0], []).append(number)
    texts = []
    for first, here in of_first.items():
        names = _in_short([wishes[n].name for n in here])
        if len(here) < len(alike[first]):
            every = _in_short([wishes[n].name for n in alike[first]])
            names = f"{'any' if len(here) == 1 else f'any {len(here)}'} of {every}"
        wish = wishes[here[0]]
        texts.append(wish.text.replace(f"[{wish.name}]", f"[{names}]") if wish.kind else wish.text)
    return tuple(texts)
