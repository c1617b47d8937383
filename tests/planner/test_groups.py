"""Which pools are stored by one choice, and which never share a disk."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import combinations

from hypothesis import given
from hypothesis import strategies as st

from generated_workloads import Plain
from settled import settled
from sizewright.evaluate.policy import Policy
from sizewright.planner.groups import groups_of, sharing_sets
from sizewright.planner.parts import Machine
from sizewright.planner.planning import Planning
from sizewright.planner.pools import Pool
from sizewright.planner.search import Search
from sizewright.planner.storage import Shelf
from sizewright.rules.compiler import compile_rules
from small import GUIDE, demand, read_at, row, unsaid, volume

FEW = settled(40)


def shelf_of(volumes: Sequence[Plain], rates: Iterable[float]) -> Shelf:
    services = [read_at(v["name"], rate) for v, rate in zip(volumes, rates, strict=True)]
    machine = Machine(GUIDE, row("platforms", "sparcstation-2"), 1, "solaris-1.0.1")
    planning = Planning(GUIDE, compile_rules(GUIDE).judging("plan"), Policy())
    return Search(machine, demand(*services, volumes=list(volumes)), planning).space.shelf


def names_of(groups: Iterable[Iterable[Pool]]) -> list[list[str]]:
    return [[pool.name for pool in each] for each in groups]


def test_what_is_apart_from_one_of_like_volumes_may_share_with_another() -> None:
    volumes = [unsaid("a", 30), unsaid("b", 20), unsaid("c", 10, apart_from=["a"])]
    assert names_of(sharing_sets(shelf_of(volumes, [0.1] * 3))) == [["c", "a", "b"]]


@FEW
@given(st.data())
def test_data_of_two_sets_never_share_a_disk(data: st.DataObject) -> None:
    names = "abcde"
    volumes = [
        unsaid(
            name, 20, protection=data.draw(st.sampled_from(("none", "mirror"))),
            apart_from=data.draw(st.lists(st.sampled_from(names.replace(name, "")), max_size=2)),
        )
        for name in names
    ]  # fmt: skip
    shelf = shelf_of(volumes, [data.draw(st.sampled_from((0.1, 6, 30))) for _ in names])
    sets = sharing_sets(shelf)
    assert sorted(pool.name for each in sets for pool in each) == list(names)
    for one, other in combinations(sets, 2):
        assert not any(shelf.may_share(a, b) for a in one for b in other)


def test_hot_data_are_guests_of_few_others_that_are_larger() -> None:
    """Three pools at most are divided in every way."""
    large, small = unsaid("large", 900), unsaid("small", 50)
    hot = [volume("hot", 100), volume("huge", 1000), volume("own", 60, own_disks=True)]
    shelf = shelf_of([large, small, *hot], [0.1] * 5)
    set_of = dict.fromkeys(("large", "small", "hot", "huge", "own"), 0)

    def groups(as_guests: bool) -> list[list[str]]:
        return names_of(each.pools for each in groups_of(shelf, set_of, as_guests))

    assert groups(False) == [["huge"], ["hot"], ["own"], ["large", "small"]]
    assert groups(True) == [["huge"], ["own"], ["large", "hot", "small"]]
    shelf = shelf_of([large, small, unsaid("more", 40), *hot], [0.1] * 6)
    set_of["more"] = 0
    assert groups(True) == groups(False)
