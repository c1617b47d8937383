"""What must hold of every plan, whatever the workload."""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, NamedTuple

import pytest
from hypothesis import assume, given, reject
from hypothesis import strategies as st

from generated_workloads import ENGINE, Plain, fitting, planned, read, workloads
from predictions.entries import Cell, guide_with
from settled import settled
from sizewright.api import Engine, policy_of
from sizewright.demand.build import demand_of
from sizewright.engine import rules_for
from sizewright.evaluate.budgets import Budget
from sizewright.output.json.configuration import Configuration
from sizewright.planner.parts import machines
from sizewright.planner.plan import Plan
from sizewright.planner.planning import Planning
from sizewright.planner.search import Search
from sizewright.quantity import Quantity

pytestmark = pytest.mark.no_cover

# A workload that no machine supports is planned anew for parts of its load: this takes long.
SETTINGS = settled(25)
WHOLE_PLANS = settled(12)

NOWHERE = float("inf")
# Of a search: most that end need far fewer.
STEPS = 4000


class Platforms(NamedTuple):
    """The rank of the smallest platform that passes, and of the smallest that may pass."""

    passes: float
    may_pass: float


def searches(plain: Plain, engine: Engine) -> Iterator[Search]:
    """The search on each machine, the smallest first."""
    workload, guide = read(plain), engine.guide
    rule_set = rules_for(workload.policy, engine, "plan")
    demand, policy = demand_of(workload, guide), policy_of(workload.policy, guide)
    for machine in machines(guide, demand):
        yield Search(machine, demand, Planning(machine.guide, rule_set, policy), STEPS)


def platforms_of(plain: Plain, engine: Engine = ENGINE) -> Platforms:
    """Which platforms pass; one may if its search ended before everything was tried."""
    may_pass = NOWHERE
    for search in searches(plain, engine):
        rank = search.machine.platform.number("rank")
        search.any_will_do = True
        if search.run() is not None:
            return Platforms(rank, min(rank, may_pass))
        if search.bound:
            may_pass = min(rank, may_pass)
    return Platforms(NOWHERE, may_pass)


def size_of(plain: Plain) -> tuple[float, ...]:
    """The key of the smallest configuration without its names; infinite where nothing fits.

    A workload is left out whose searches end before it is known.
    """
    for search in searches(plain, ENGINE):
        best = search.run()
        if search.bound is not None:
            reject()
        if best is not None:
            return best.key[:-1]
    return (NOWHERE,)


def changed(plain: Plain, change: Callable[[Plain], None]) -> Plain:
    other = copy.deepcopy(plain)
    change(other)
    return other


def with_policy(plain: Plain, **policy: Any) -> Plain:
    return {**plain, "policy": {**plain.get("policy", {}), **policy}}


def shape(figure: Quantity | None) -> Any:
    return figure and tuple(
        float(f"{end:.12g}") for end in (figure.low, figure.likely, figure.high)
    )


def of_budget(budget: Budget) -> Any:
    items = sorted((item.name, shape(item.figure)) for item in budget.items)
    figures = (budget.used, budget.capacity, budget.limit, budget.utilisation)
    return budget.resource, items, *map(shape, figures), budget.limit_rule, budget.verdict


def of_plan(plan: Plan) -> Any:
    chosen = plan.chosen
    rejected = [(r.platform, r.reasons, r.load_share, r.waive) for r in plan.rejected]
    if chosen is None:
        return rejected, plan.nearest and plan.nearest.platform
    findings = [(f.rule, f.subject, f.verdict, f.message) for f in chosen.findings]
    # What Set-up installs are figures, which have no equality of their own.
    system = Configuration.make(chosen.system).as_data()
    return rejected, system, list(map(of_budget, chosen.budgets)), findings


@WHOLE_PLANS
@given(workloads(), st.data())
def test_the_order_of_its_lists_does_not_change_a_plan(plain: Plain, data: st.DataObject) -> None:
    def shuffle(other: Plain) -> None:
        for key in ("networks", "volumes", "services"):
            other[key] = list(data.draw(st.permutations(other[key]), label=key))
        if "exclusive" in other:
            other["exclusive"] = [list(reversed(names)) for names in other["exclusive"]]

    assert of_plan(planned(plain)) == of_plan(planned(changed(plain, shuffle)))


@WHOLE_PLANS
@given(workloads())
def test_planning_twice_gives_the_same_plan(plain: Plain) -> None:
    assert of_plan(planned(plain)) == of_plan(planned(plain))


def _scaled(load: Plain, by: int) -> None:
    def times(value: Any) -> Any:
        return [by * each for each in value] if isinstance(value, list) else by * value

    for key in ("ops_per_s_each", "times"):
        if key in load:
            load[key] = times(load[key])
    for item in load.get("data", ()):
        for key in ("kb", "per_s"):
            if key in item:
                item[key] = times(item[key])


@settled(15)
@given(workloads(), st.sampled_from((2, 3, 5)))
def test_more_load_never_needs_a_smaller_platform(plain: Plain, by: int) -> None:
    def scale(other: Plain) -> None:
        for service in other["services"]:
            _scaled(service["load"], by)

    assert platforms_of(plain).may_pass <= platforms_of(changed(plain, scale)).passes


@SETTINGS
@given(workloads(), st.sampled_from((1, 20, 100)))
def test_growth_never_needs_a_smaller_platform(plain: Plain, percent: int) -> None:
    now = {key: value for key, value in plain.items() if key != "growth"}
    grown = {**now, "growth": {"percent": percent}}
    assert platforms_of(now).may_pass <= platforms_of(grown).passes


@WHOLE_PLANS
@given(workloads())
def test_no_growth_is_growth_by_nothing(plain: Plain) -> None:
    now = {key: value for key, value in plain.items() if key != "growth"}
    assert of_plan(planned({**now, "growth": {"percent": 0}})) == of_plan(planned(now))


@SETTINGS
@given(workloads())
def test_one_service_less_never_needs_a_larger_platform(plain: Plain) -> None:
    assume(len(plain["services"]) > 1)

    def drop(other: Plain) -> None:
        gone = other["services"].pop()["name"]
        if any(gone in names for names in other.get("exclusive", ())):
            del other["exclusive"]

    less = changed(plain, drop)
    if "exclusive" in plain and "exclusive" not in less:
        plain = {key: value for key, value in plain.items() if key != "exclusive"}
    assert platforms_of(less).may_pass <= platforms_of(plain).passes


@SETTINGS
@given(workloads())
def test_services_that_never_coincide_never_need_a_larger_platform(plain: Plain) -> None:
    assume("exclusive" in plain)
    together = {key: value for key, value in plain.items() if key != "exclusive"}
    assert platforms_of(plain).may_pass <= platforms_of(together).passes


# What counts at an end of the demand: the ends of what is used and of what is allowed.
WORST = {"high": ("high", "low"), "likely": ("likely", "likely"), "low": ("low", "high")}
CLOSE = 1e-9


@WHOLE_PLANS
@given(workloads(), st.sampled_from(tuple(WORST)))
def test_a_plan_keeps_every_limit_at_the_end_it_is_sized_for(plain: Plain, end: str) -> None:
    plan = fitting(with_policy(plain, size_for=end))
    assert plan.chosen is not None
    asked, allowed = WORST[end]
    for budget in plan.chosen.budgets:
        if budget.limit is not None:
            room = getattr(budget.limit, allowed) * (1 + CLOSE)
            assert getattr(budget.used, asked) <= room, budget.resource
    held = {"holds", "not_applicable", "unknown"} | (set() if end == "high" else {"tight"})
    for finding in plan.chosen.findings:
        if finding.severity == "violation":
            assert finding.verdict in held, finding


@WHOLE_PLANS
@given(workloads(), st.sampled_from(((0, 15), (10, 40), (30, 60))))
def test_a_larger_reserve_never_gives_a_smaller_plan(plain: Plain, of: tuple[int, int]) -> None:
    less, more = (size_of(with_policy(plain, reserve=f"{percent} %")) for percent in of)
    assert less <= more


@SETTINGS
@given(workloads())
def test_the_better_the_end_the_smaller_the_platform(plain: Plain) -> None:
    ends = ("low", "likely", "high")
    low, likely, high = (platforms_of(with_policy(plain, size_for=end)) for end in ends)
    assert low.may_pass <= likely.passes and likely.may_pass <= high.passes


# Rule, parameter, its value in the guide, and whether a smaller one asks for more.
LIMITS = (
    ("XIII", "max_nfs_ops_per_s", 290, True),
    ("1.1.1-interface-sustained", "sustained_share", 0.8, True),
    ("1.1.7-nvram-uniprocessor", "busy_share", 0.85, True),
    ("1.2.7-least-memory", "least_mb", 32, False),
)


@pytest.mark.parametrize(("rule", "parameter", "value", "smaller"), LIMITS)
@settled(8)
@given(plain=workloads(), by=st.sampled_from((0.3, 0.6, 0.9)))
def test_a_stricter_limit_never_makes_a_smaller_plan(
    plain: Plain, by: float, rule: str, parameter: str, value: float, smaller: bool
) -> None:
    stricter = value * by if smaller else value / by
    asked = with_policy(plain, parameters={rule: {parameter: stricter}})
    assert size_of(asked) >= size_of(plain)


@pytest.mark.parametrize(("rule", "parameter", "value", "smaller"), LIMITS)
def test_the_guides_own_value_as_an_override_changes_nothing(
    rule: str, parameter: str, value: float, smaller: bool
) -> None:
    plain = {
        "name": "small",
        "networks": [{"name": "north"}],
        "volumes": [{"name": "alpha", "size_mb": 500, "access": "serial"}],
        "services": [
            {
                "kind": "nfs", "name": "edit", "clients": 20, "network": "north",
                "load": {"ops_per_s_each": 3}, "uses": ["alpha"],
            }
        ],
    }  # fmt: skip
    assert size_of(with_policy(plain, parameters={rule: {parameter: value}})) == size_of(plain)


@SETTINGS
@given(workloads(), st.sampled_from([str(rule.id) for rule in ENGINE.rule_set.rules]))
def test_a_waived_rule_never_makes_a_larger_plan(plain: Plain, rule: str) -> None:
    waived = with_policy(plain, waive=[{"rule": rule, "reason": "it is known"}])
    assert size_of(waived) <= size_of(plain)


@SETTINGS
@given(workloads())
def test_advice_that_must_be_followed_never_makes_a_smaller_platform(plain: Plain) -> None:
    never, free, always = (
        platforms_of(with_policy(plain, follow_advice=how))
        for how in ("never", "where_free", "always")
    )
    assert never.may_pass <= free.passes and free.may_pass <= never.passes
    assert free.may_pass <= always.passes


def with_cells(cells: Iterable[Cell]) -> Engine:
    """The guide with other cells."""
    return Engine(guide_with(ENGINE.guide, tuple(cells)))


def drives(factors: Mapping[str, float]) -> Iterator[Cell]:
    """Cells of all drives on offer, multiplied; both ends of a range."""
    for row in ENGINE.guide.table("disks"):
        for column, factor in factors.items():
            found = row.cell(column)
            if row.flag("orderable") and found is not None:
                yield Cell("disks", row.id, column, [factor * found.low, factor * found.high])


def addresses(number: int) -> Iterator[Cell]:
    """Cells with a number of addresses for devices on a channel of each kind."""
    for row in ENGINE.guide.table("disk-busses"):
        if row.cell("targets_limit") is not None:
            yield Cell("disk-busses", row.id, "targets_limit", number)


SPEEDS = (
    "maximum_random_ops_per_s", "random_ops_per_s_at_65_percent", "transfer_mb_per_s",
)  # fmt: skip
HALF = 0.5
SLOW = dict.fromkeys(SPEEDS, HALF) | {"typical_8kb_transfer_ms": 1 / HALF}
# The guide before, and the same with better hardware on offer.
BETTER = {
    "drives twice as fast": (with_cells(drives(SLOW)), ENGINE),
    "drives twice as large": (with_cells(drives({"capacity_mb": HALF})), ENGINE),
    "an address more": (with_cells(addresses(3)), with_cells(addresses(4))),
}


@st.composite
def stored(draw: st.DrawFn) -> Plain:
    """A program on data of the server's own, beside data in little use."""
    volumes = [
        {
            "name": name, "size_mb": draw(st.integers(1, most)) * 1000, "use": "raw",
            "access": draw(st.sampled_from(("random", "random", "serial"))),
        }
        for name, most in (("alpha", 8), ("beta", 14))[: draw(st.integers(1, 2))]
    ]  # fmt: skip
    work = {
        "name": "run", "volume": "alpha", "ops": draw(st.integers(5, 60)) * 100,
        "block_kb": draw(st.sampled_from((2, 8, 32))),
        "within_s": draw(st.sampled_from((20, 30, 60))),
    }  # fmt: skip
    program = {"kind": "measured", "name": "program", "work": [work], "network": "office"}
    return {
        "name": "stored", "networks": [{"name": "office"}], "volumes": volumes,
        "services": [program],
    }  # fmt: skip


@pytest.mark.parametrize("better", BETTER.values(), ids=BETTER)
@settled(30)
@given(plain=stored())
def test_better_hardware_on_offer_never_fails_what_passed(
    plain: Plain, better: tuple[Engine, Engine]
) -> None:
    """A plan may leave unused what does not help, so that plans are compared and not systems."""
    before, after = (platforms_of(plain, engine) for engine in better)
    assert after.may_pass <= before.passes
