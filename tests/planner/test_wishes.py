"""A wish is a limit on what may be chosen: with it no plan is smaller than without it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from planner.proof import key_of
from planner.tiny_guides import Case, tiny_case
from sizewright.demand.model import Demand


def wished(case: Case) -> Iterator[tuple[str, Demand]]:
    """Yield the demand with one more wish, by the name of the wish."""
    demand = case.demand

    def changed(field: str, number: int, **changes: Any) -> Demand:
        items = list(getattr(demand, field))
        items[number] = items[number]._replace(**changes)
        more: dict[str, Any] = {field: tuple(items)}
        return demand._replace(**more)

    for number, volume in enumerate(demand.volumes):
        others = tuple(v.name for v in demand.volumes if v.pool != volume.pool)
        yield "own disks", changed("volumes", number, own_disks=True)
        yield "two ports", changed("volumes", number, dual_ported=True)
        yield "apart", changed("volumes", number, apart_from=others)
    for number, network in enumerate(demand.networks):
        yield "fastest", changed("networks", number, fastest_response=True)
        yield "one more network", changed("networks", number, spare=network.spare + 1)
        if not network.medium:
            for row in case.guide.table("network-media"):
                yield "medium", changed("networks", number, medium=row.id)
    for platform in case.guide.table("platforms"):
        if not demand.platforms:
            yield "platform", demand._replace(platforms=(platform.id,))
    for row in case.guide.table("removable-media"):
        yield "tape", demand._replace(removable_media=(*demand.removable_media, row.id))


@pytest.mark.parametrize("number", range(0, 240, 5))
def test_one_more_wish_never_gives_a_smaller_plan(number: int) -> None:
    case = tiny_case(number)
    without = key_of(case, case.demand)
    for wish, demand in wished(case):
        found = key_of(case, demand)
        assert found is None or (without is not None and found >= without), wish
