"""Plans without one of their parts, against reckoning by hand."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from generated_workloads import ENGINE
from serving import demanded
from sizewright.configuration.model import System, components
from sizewright.demand.model import Demand
from sizewright.demand.rates import sum_lines
from sizewright.evaluate.policy import Policy
from sizewright.evaluate.system import Evaluation, evaluate
from sizewright.failure import Failure, Outage, Served, part_failure
from sizewright.planner.failover import plan_components, plan_failure, single_failures, unsurvived
from sizewright.planner.plan import Failover, Group, Member, Plan
from small import GUIDE, board, channel, demand, disk, laid, port, system, volume

RULES = ENGINE.rule_set.judging("plan")
NETWORKS = [{"name": "north", "medium": "ethernet"}, {"name": "south", "medium": "ethernet"}]
SYSTEM = system(
    boards=(board("scsi-1", "sbus-scsi", "sbus", 1),),
    channels=(channel("builtin-1", disk("d1"), disk("d3")), channel("scsi-1", disk("d2"))),
    ports=(port("north"), port("south", 1), port("south", 2)),
    volumes=(
        laid("safe", {"d1": 100}, {"d2": 100}, manager="online-disksuite"),
        laid("bare", {"d3": 100}),
    ),
)


def asked(rate: float = 1, **more: Any) -> Demand:
    """10 clients in the north on mirrored data, 10 in the south on data without a copy."""
    return demand(
        {"name": "n", "uses": ["safe"], "load": {"ops_per_s_each": rate}},
        {"name": "s", "uses": ["bare"], "network": "south", "load": {"ops_per_s_each": rate}},
        volumes=[volume("safe", protection="mirror", **more), volume("bare")], networks=NETWORKS,
    )  # fmt: skip


def whole(wanted: Demand, on: System = SYSTEM) -> Evaluation:
    return evaluate(wanted, on, GUIDE, RULES, Policy())


def failure(part: str, wanted: Demand | None = None, on: System = SYSTEM) -> Failure:
    wanted = wanted or asked()
    return part_failure(wanted, whole(wanted, on), part, GUIDE, RULES, Policy())


def used(judged: Evaluation) -> dict[str, tuple[float, float]]:
    return {b.resource: (b.used.low, b.used.high) for b in judged.budgets if b.used is not None}


def rate(judged: Evaluation, name: str) -> float:
    """Operations a second on a disk."""
    return sum_lines(judged.load.disks[name] or (), "op/s").likely


def test_half_a_mirror_carries_all_reads_and_its_own_writes() -> None:
    found = failure("d1")
    assert found.holds and found.lost == () and found.down == ()
    (reads,) = (v.reads[0].figure.likely for v in asked().volumes if v.name == "safe")
    (writes,) = (v.writes[0].figure.likely for v in asked().volumes if v.name == "safe")
    assert rate(found.before, "d2") == pytest.approx(reads / 2 + writes)
    assert rate(found.after, "d2") == pytest.approx(reads + writes)


def test_what_lies_on_one_disk_is_lost_with_it_and_takes_the_service_along() -> None:
    found = failure("d3")
    assert found.lost == ("bare",) and found.down == (Outage("s", ("bare",)),)
    assert not found.holds
    after = used(found.after)
    assert after["primary/network/south-1"] == (0, 0)
    assert after["primary/network/north"] == used(found.before)["primary/network/north"]
    assert after["primary/nfs"] == (10, 10)


def test_data_of_a_service_that_is_cut_off_stay_where_they_are() -> None:
    found = failure("north")
    assert found.cut_off == ("north",) and found.down == (Outage("n", (), ("north",)),)
    assert rate(found.after, "d1") == 0
    assert used(found.after)["primary/space/d1"] == (100, 100)


def test_what_no_service_uses_any_more_is_listed_as_unused() -> None:
    """Without its data the only service stops: all use ends, and the lost disk has none."""
    wanted = demand({"uses": ["bare"]}, volumes=[volume("bare")])
    on = system(channels=(channel("builtin-1", disk("d3")),), volumes=(laid("bare", {"d3": 100}),))
    found = failure("d3", wanted, on)
    before, after = used(found.before), used(found.after)
    for resource in ("kernel_lock", "processors", "nfs", "data/north"):
        assert before[f"primary/{resource}"][1] > 0
        assert after[f"primary/{resource}"] == (0, 0)
    assert set(before) - set(after) == {"primary/disk/d3", "primary/space/d3"}


def test_segments_that_are_left_carry_what_one_carried() -> None:
    found = failure("south-1")
    assert found.holds
    assert used(found.before)["primary/network/south-2"] == (5, 5)
    assert used(found.after)["primary/network/south-2"] == (10, 10)


def test_a_limit_that_breaks_is_told() -> None:
    """80 % of 400 op/s on an Ethernet: 500 op/s hold on two, not on one."""
    found = failure("south-1", asked(50))
    assert "rule 1.1.1-interface-sustained, network south-2" in found.broken
    assert not found.holds
    assert not failure("south-1").broken


def test_what_was_broken_before_is_no_news() -> None:
    wanted = asked(90)
    before = {b.resource for b in whole(wanted).budgets if b.verdict == "violated"}
    assert "primary/nfs" in before
    assert not before.intersection(failure("d1", wanted).broken)


def test_swap_space_takes_everything_along() -> None:
    wanted = asked()
    volumes = tuple(v._replace(use="swap") if v.name == "bare" else v for v in wanted.volumes)
    found = failure("d3", wanted._replace(volumes=volumes))
    assert [outage.service for outage in found.down] == ["n", "s"]


@given(st.integers(min_value=1, max_value=4), st.floats(min_value=0.1, max_value=20), st.data())
def test_a_mirror_survives_any_disk_and_no_other_part_does_less(
    pairs: int, each: float, data: st.DataObject
) -> None:
    names = [f"v{n}" for n in range(pairs)]
    wanted = demand(
        *({"name": f"s-{v}", "uses": [v], "load": {"ops_per_s_each": each}} for v in names),
        volumes=[volume(v, protection="mirror") for v in names],
    )  # fmt: skip
    on = system(
        channels=(
            channel("builtin-1", *(disk(f"{v}-a") for v in names)),
            channel("builtin-2", *(disk(f"{v}-b") for v in names)),
        ),
        volumes=tuple(laid(v, {f"{v}-a": 100}, {f"{v}-b": 100}) for v in names),
    )
    part = data.draw(st.sampled_from([n for n, k in components(on).items() if k != "network"]))
    found = failure(part, wanted, on)
    assert found.lost == () and found.down == ()
    before = used(found.before)
    for name, ends in used(found.after).items():
        if "/disk/" in name or "/space/" in name or "network" in name:
            assert ends[0] >= before[name][0] - 1e-9 and ends[1] >= before[name][1] - 1e-9, name


def test_with_every_disk_gone_every_service_with_data_is_down() -> None:
    one = system(
        ports=SYSTEM.ports, channels=(channel("builtin-1", disk("d1"), disk("d2"), disk("d3")),),
        volumes=SYSTEM.volumes,
    )  # fmt: skip
    found = failure("builtin-1", asked(), one)
    assert {outage.service for outage in found.down} == {"n", "s"}
    assert found.lost == ("safe", "bare")


def side(name: str, wanted: Demand, on: System) -> Plan:
    judged = evaluate(wanted, on._replace(id=name), GUIDE, RULES, Policy())
    return Plan(GUIDE, wanted, Policy(), judged, RULES.rules)


def paired(dual_ported: bool = True, replicated: bool = False, kernel_ms: float = 300) -> Plan:
    """One service with data on each of two systems."""
    from sizewright.demand.subset import restrict_demand

    def service(name: str, volume: str) -> dict[str, Any]:
        work = {"name": "w", "volume": volume, "ops_per_s": 5}
        more = {"kernel_ms_per_s": kernel_ms, "measured_on": "sparcserver-690mp", "work": [work]}
        return {"kind": "measured", "name": name, **more}

    wanted = demanded(
        service("a", "va"), {**service("b", "vb"), "replicated": replicated},
        volumes=[volume("va", dual_ported=dual_ported), volume("vb", dual_ported=dual_ported)],
        networks=[],
    )  # fmt: skip
    frame = system(platform="sparcserver-690mp", processors=2, ports=())

    def built(*volumes: str) -> System:
        disks = tuple(disk(f"d-{n}", "1-3gb-ipi") for n, _ in enumerate(volumes))
        return frame._replace(
            channels=(channel("builtin-1", *disks, kind="ipi-2"),),
            volumes=tuple(laid(v, {f"d-{n}": 100}) for n, v in enumerate(volumes)),
        )

    first = ("va", "vb") if replicated else ("va",)
    partition = (("a", "b") if replicated else ("a",), ("b",))
    primary = side("primary", restrict_demand(wanted, partition[0]), built(*first))
    alternate = side("alternate", restrict_demand(wanted, partition[1]), built("vb"))
    group = Group(
        (Member("primary", partition[0], primary), Member("alternate", partition[1], alternate))
    )
    return Plan(GUIDE, wanted, Policy(), primary.chosen, RULES.rules, group=group)


def surviving() -> Plan:
    """The same, where the alternate carries both services if the primary fails, "a" at half."""
    plan = paired()
    assert plan.group is not None
    _, second = plan.group.members
    assert second.plan.chosen is not None
    both = second.plan.chosen.system._replace(
        channels=(channel("builtin-1", *(disk(f"d-{n}", "1-3gb-ipi") for n in (0, 1)),
                          kind="ipi-2"),),
        volumes=(laid("vb", {"d-0": 100}), laid("va", {"d-1": 100})),
    )  # fmt: skip
    state = Failover(
        "primary", "alternate", plan.demand, evaluate(plan.demand, both, GUIDE, RULES, Policy()),
        (Served("a", 0.5),),
    )  # fmt: skip
    return plan._replace(group=plan.group._replace(failover=(state,)))


def kernel(judged: Evaluation) -> dict[str, float]:
    found: dict[str, float] = {}
    for line in judged.load.kernel_lock or ():
        found[line.owner] = found.get(line.owner, 0) + line.figure.likely
    return found


def test_the_system_that_is_left_does_the_work_that_was_planned_for_it() -> None:
    found = plan_failure(surviving(), "primary", RULES)
    assert (found.system, found.kind, found.down) == ("alternate", "system", ())
    assert found.slower == (Served("a", 0.5),) and found.holds
    assert set(kernel(found.after)) == {"a", "b"}


def test_what_is_not_reached_is_down() -> None:
    found = plan_failure(paired(), "primary", RULES)
    assert found.down == (Outage("a", ("va",)),) and found.lost == ("va",)
    assert set(kernel(found.after)) == {"b"}


def test_what_runs_on_both_counts_once() -> None:
    plan = paired(dual_ported=False, replicated=True)
    found = plan_failure(plan, "alternate", RULES)
    assert plan.plans[0].chosen is not None
    assert found.holds and kernel(found.after) == kernel(plan.plans[0].chosen)


def test_parts_of_a_pair_go_by_their_system_where_both_have_them() -> None:
    known = plan_components(paired())
    assert {"primary", "alternate", "primary/d-0", "alternate/d-0"} <= set(known)
    assert "d-0" not in known
    found = plan_failure(paired(), "alternate/d-0", RULES)
    assert found.system == "alternate" and found.down == (Outage("b", ("vb",)),)
    known = plan_components(paired(replicated=True))
    assert known["d-1"] == "disk"
    assert plan_failure(paired(replicated=True), "d-1", RULES).system == "primary"
    with pytest.raises(KeyError):
        plan_failure(paired(), "d-0", RULES)


def kinds_of(plan: Plan, *kinds: str) -> dict[str, str]:
    failures = single_failures(plan, kinds, RULES)
    return {each.component: each.kind for each in unsurvived(failures, plan)}


def test_each_part_of_a_kind_is_tried_by_itself() -> None:
    plan = side("primary", asked(), SYSTEM)
    assert kinds_of(plan, "disk") == {"d3": "disk"}
    assert kinds_of(plan, "controller") == {"builtin-1": "controller"}
    assert kinds_of(plan, "network") == {"north": "network"}
    assert kinds_of(plan, "disk", "network") == {"d3": "disk", "north": "network"}
    assert kinds_of(plan) == {}


def test_a_limit_that_breaks_is_not_survived() -> None:
    assert "south-1" in kinds_of(side("primary", asked(50), SYSTEM), "network")


def test_one_system_alone_never_survives_its_own_failure() -> None:
    plan = side("primary", asked(), SYSTEM)
    (found,) = single_failures(plan, ["system"], RULES)
    assert found.component == "primary" and {o.service for o in found.down} == {"n", "s"}
    assert kinds_of(surviving(), "system") == {"alternate": "system"}
    assert kinds_of(paired(), "system") == {"primary": "system", "alternate": "system"}


def test_parts_of_both_systems_are_tried() -> None:
    assert set(kinds_of(paired(), "disk")) == {"primary/d-0", "alternate/d-0"}
