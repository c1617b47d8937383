"""Which of several rules sets a capacity or a limit, and what stays unknown where a part is."""

from __future__ import annotations

from typing import Any, NamedTuple

import pytest

from sizewright.demand.rates import LineItem
from sizewright.demand.usage import UsageProfile
from sizewright.evaluate.budgets import Budget, budgets, capacities
from sizewright.evaluate.limits import over_limit, with_reserve
from sizewright.facts.derive import derive_facts
from sizewright.load.measured import Measured, derive_measured
from sizewright.quantity import Quantity
from sizewright.rules.compiler import RuleSet, compile_rules
from small import board, channel, disk, given, laid, port, system, three, without

# Without mixes nothing tells how many operations fit into a medium.
GUIDE = without("nfs-mixes")
LOAD = "network.nfs_ops_per_s"
ALWAYS = f"{LOAD} >= 0"
RATE = "disk.operations_per_s"
MAYBE = "network.measured_latency_ms > 1"
ONE_DISK = (channel("builtin-1", disk("a")),)


def rule(name: str, *bounds: dict[str, str], subject: str = "network", **more: Any) -> Any:
    """A rule with the parameters low, middle and high, and a half as a share."""
    unit = more.pop("unit", "op/s")
    scale = more.pop("scale", 1)
    parameters = {
        key: {"value": value * scale, "unit": unit}
        for key, value in {"low": 100, "middle": 200, "high": 500}.items()
    }
    return {
        "id": name, "title": name, "subject": subject, "severity": "violation",
        "parameters": {**parameters, "half": {"value": 0.5, "unit": "1"}},
        "require": "system.id == 'primary'", "message": "much", "bounds": list(bounds), **more,
    }  # fmt: skip


def bound(resource: str = LOAD, **more: str) -> dict[str, str]:
    return {"resource": resource, **more}


def rule_set(*rules: Any) -> RuleSet:
    return compile_rules(GUIDE._replace(rules={one["id"]: one for one in rules}))


def all_of(
    *rules: Any, measured: Measured | None = None, usage: UsageProfile | None = None, **changes: Any
) -> dict[str, Budget]:
    known = usage or UsageProfile(nfs_ops_per_s=given(80, unit="op/s"))
    found, asked = system(**changes), rule_set(*rules)
    load = derive_measured(measured or Measured(), known, found, GUIDE)
    facts = capacities(derive_facts(found, load, GUIDE), asked)
    told = budgets(found, load, facts, asked, GUIDE)
    return {one.resource: one for one in told}


def north(*rules: Any, **changes: Any) -> Budget:
    return all_of(*rules, **changes)["primary/network/north"]


def high(budget: Budget) -> tuple[float | None, float | None, str]:
    capacity, limit = budget.capacity, budget.limit
    return capacity and capacity.high, limit and limit.high, budget.limit_rule


class TestACapacity:
    def test_is_the_interfaces_own_400_where_no_rule_is_lower(self) -> None:
        assert high(north()) == (400, 400, "")
        assert high(north(rule("A", bound(capacity="high")))) == (400, 400, "")

    def test_is_the_least_of_all_rules(self) -> None:
        rules = (rule("A", bound(capacity="middle")), rule("B", bound(capacity="low")))
        assert high(north(*rules)) == (100, 100, "")
        assert high(north(*reversed(rules))) == (100, 100, "")

    def test_may_stand_after_bounds_on_other_resources_and_of_other_kinds(self) -> None:
        several = rule(
            "A", bound("network.clients", capacity="network.clients"), bound(at_most="middle"),
            bound(capacity="middle"),
        )  # fmt: skip
        assert high(north(several)) == (200, 200, "A")

    def test_may_be_a_fact(self) -> None:
        """Table 8: 50 operations at 65 % for the 424 MB disk, 78 at most."""
        own = rule("A", bound(RATE, capacity="disk.sustained_ops_per_s"), subject="disk")
        assert high(all_of(own, channels=ONE_DISK)["primary/disk/a"]) == (50, 50, "")

    def test_is_a_rules_where_the_guide_prints_none(self) -> None:
        ports = (port("north", 0, "fddi-s"),)
        assert high(north(ports=ports)) == (None, None, "")
        lower = rule("A", bound(capacity="middle"))
        assert high(north(lower, ports=ports)) == (200, 200, "")

    @pytest.mark.parametrize(
        ("when", "applies"),
        [
            ("system.desktop", True), ("not system.desktop", False),
            (MAYBE, False),
        ],
    )  # fmt: skip
    def test_is_a_rules_only_where_it_applies_for_certain(self, when: str, applies: bool) -> None:
        expected = (100, 100, "") if applies else (400, 400, "")
        assert high(north(rule("A", bound(capacity="low"), when=when))) == expected
        assert high(north(rule("A", bound(capacity="low", when=when), when=ALWAYS))) == expected

    def test_and_may_apply_with_parameters_of_the_rule(self) -> None:
        for when, expected in ((f"{LOAD} <= low", 100), (f"{LOAD} > low", 400)):
            found = north(rule("A", bound(capacity="low", when=when)))
            assert found.capacity is not None
            assert found.capacity.high == expected

    def test_is_a_fact_of_the_network(self) -> None:
        asked = rule_set(rule("A", bound(capacity="middle")))
        usage = UsageProfile(nfs_ops_per_s=given(80, unit="op/s"))
        load = derive_measured(Measured(), usage, system(), GUIDE)
        drawn = derive_facts(system(), load, GUIDE)
        (network,) = capacities(drawn, asked).networks
        assert network.capacity_ops_per_s is not None
        assert network.capacity_ops_per_s.high == 200
        (network,) = capacities(drawn, rule_set()).networks
        assert network.capacity_ops_per_s is not None
        assert network.capacity_ops_per_s.high == 400


class TestALimit:
    def test_is_the_least_of_all_rules_that_block(self) -> None:
        rules = (
            rule("A", bound(at_most="high")), rule("B", bound(at_most="middle")),
            rule("C", bound(at_most="low"), severity="advice"), rule("D", bound(share="half")),
            rule("E", bound(at_most="middle")),
        )  # fmt: skip
        assert high(north(*rules)) == (400, 200, "B")
        assert high(north(rules[2], rules[0])) == (400, 400, "")
        assert high(north(rules[2], rules[1])) == (400, 200, "B")
        assert high(north(rules[3], rules[4])) == (400, 200, "D")

    def test_is_a_share_of_the_least_capacity(self) -> None:
        rules = (rule("A", bound(share="half")), rule("B", bound(capacity="middle")))
        assert high(north(*rules)) == (200, 100, "A")

    def test_may_be_a_fact(self) -> None:
        own = rule("A", bound(RATE, at_most="disk.sustained_ops_per_s"), subject="disk")
        assert high(all_of(own, channels=ONE_DISK)["primary/disk/a"]) == (78, 50, "A")

    def test_is_not_set_by_a_share_that_is_unknown(self) -> None:
        memory = "system.memory_needed_mb"
        own = rule(
            "A", bound(memory, share="system.kernel_lock_share"), bound(memory, at_most="low"),
            subject="system", unit="MB", scale=0.1,
        )  # fmt: skip
        assert high(all_of(own)["primary/memory"]) == (32, 10, "A")

    def test_stands_after_capacities_and_shares_of_what_is_unknown(self) -> None:
        rules = (
            rule("A", bound(share="half"), bound(capacity="network.interface_ops_per_s")),
            rule("B", bound(at_most="middle")),
        )
        assert high(north(*rules, ports=(port("north", 0, "fddi-s"),))) == (None, 200, "B")

    def test_makes_the_verdict(self) -> None:
        for load, verdict in (((50, 100), "holds"), ((50, 101), "tight"), ((101, 102), "violated")):
            usage = UsageProfile(nfs_ops_per_s=given(*load, "op/s"))
            assert north(rule("A", bound(at_most="low")), usage=usage).verdict == verdict
        assert north(rule("A", bound(at_most="low")), usage=UsageProfile()).verdict == "unknown"


class TestALimitThatMayApply:
    LOW, MIDDLE = (
        rule("A", bound(at_most="low"), when=MAYBE),
        rule("B", bound(at_most="middle"), when=MAYBE),
    )

    def limit(self, *rules: Any, **changes: Any) -> tuple[Any, str]:
        found = north(*rules, **changes)
        return found.limit and three(found.limit), found.limit_rule

    def test_is_the_lower_end_of_a_range(self) -> None:
        assert self.limit(self.LOW) == ((100, 100, 400), "A")
        assert self.limit(self.LOW, self.MIDDLE) == ((100, 100, 400), "A")
        assert self.limit(self.MIDDLE, self.LOW) == ((100, 100, 400), "A")
        again = {**self.LOW, "id": "C"}
        assert self.limit(self.LOW, again) == ((100, 100, 400), "A")

    def test_is_nothing_beside_a_lower_one_that_applies(self) -> None:
        sure = rule("S", bound(at_most="low"))
        assert self.limit(sure, self.MIDDLE) == ((100, 100, 100), "S")
        assert self.limit(self.MIDDLE, sure) == ((100, 100, 100), "S")
        assert self.limit(self.LOW, sure) == ((100, 100, 100), "S")

    def test_goes_below_a_higher_one_that_applies(self) -> None:
        sure = rule("S", bound(at_most="middle"))
        assert self.limit(sure, self.LOW) == ((100, 100, 200), "A")
        assert self.limit(self.LOW, sure) == ((100, 100, 200), "A")

    def test_is_no_limit_where_no_other_is_known(self) -> None:
        ports = (port("north", 0, "fddi-s"),)
        assert self.limit(self.LOW, ports=ports) == (None, "")
        sure = rule("S", bound(at_most="middle"))
        assert self.limit(self.LOW, sure, ports=ports) == ((100, 100, 200), "A")

    def test_leaves_the_capacity_alone(self) -> None:
        found = north(rule("A", bound(capacity="low"), when=MAYBE))
        assert high(found) == (400, 400, "")

    def test_makes_the_verdict_tight_at_most(self) -> None:
        for load, verdict in ((50, "holds"), (200, "tight"), (401, "violated")):
            usage = UsageProfile(nfs_ops_per_s=given(load, unit="op/s"))
            assert north(self.LOW, usage=usage).verdict == verdict


class TestAUtilisation:
    def test_is_of_the_capacity_however_small(self) -> None:
        found = north(rule("A", bound(capacity="low"), scale=0.005))
        assert found.utilisation is not None
        assert three(found.utilisation) == (160, 160, 160)
        assert found.share_of_limit("high") == 160

    def test_of_nothing_is_none(self) -> None:
        found = north(rule("A", bound(capacity="low"), scale=0))
        assert (found.utilisation, found.share_of_limit("high")) == (None, None)
        assert found.verdict == "violated"

    def test_by_an_unknown_load_is_none(self) -> None:
        found = north(usage=UsageProfile())
        assert (found.used, found.utilisation, found.share_of_limit("high")) == (None, None, None)


class TestABoxOfWhichLittleIsKnown:
    def test_has_unknown_processors(self) -> None:
        busy = Measured(processors=(LineItem("all", given(700, unit="ms/s")),))
        found = all_of(measured=busy, processors=None)["primary/processors"]
        assert (found.capacity, found.limit, found.verdict) == (None, None, "unknown")
        found = all_of(measured=busy, processors=2)["primary/processors"]
        assert three(found.capacity) == (2000, 2000, 2000)
        assert (found.name, found.kind) == ("", "processors")

    def test_has_budgets_of_the_whole_and_of_named_parts(self) -> None:
        usage = UsageProfile(
            services=("nfs",),
            nfs_ops_per_s=given(80, unit="op/s"), nfs_weighted_ops_per_s=given(80, unit="op/s"),
            cached=(),
        )  # fmt: skip
        found = all_of(usage=usage, channels=ONE_DISK)
        assert {(one.kind, one.name) for one in found.values() if not one.name} == {
            ("kernel_lock", ""), ("processors", ""), ("nfs", ""), ("memory", ""),
        }  # fmt: skip
        assert all(one.system == "primary" for one in found.values())
        assert {one.name for one in found.values() if one.kind in ("disk", "space")} == {"a"}

    def test_has_unknown_slots(self) -> None:
        boards = (board("scsi-1", "sbus-scsi", "sbus", 1),)
        found = all_of(boards=boards)["primary/slots/sbus"]
        (item,) = found.items
        assert (item.name, item.figure.name, item.figure.unit) == (
            "scsi-1", "slots of scsi-1", "slot",
        )  # fmt: skip
        unknown = all_of(boards=(), unstated=frozenset({"boards"}))["primary/slots/sbus"]
        assert (unknown.used, unknown.items, unknown.verdict) == (None, (), "unknown")

    def test_lists_its_channels_disks_and_devices(self) -> None:
        measured = Measured(disks={"a": (LineItem("reads", given(10, unit="op/s")),)})
        found = all_of(
            measured=measured, usage=UsageProfile(transfer_kb=given(8, unit="KB/op")),
            channels=ONE_DISK, volumes=(laid("data", {"a": 100}),),
        )  # fmt: skip
        bus = found["primary/channel/builtin-1"]
        # 80 KB/s at 4.1 MB/s of the bus.
        held = pytest.approx(80 / 4.1984)
        assert [(i.name, i.figure.high) for i in bus.items] == [("a", held)]
        assert bus.used is not None
        assert bus.used.high == held
        (device,) = found["primary/targets/builtin-1"].items
        assert (device.name, device.figure.name, device.figure.high) == ("a", "a", 1)
        assert found["primary/disk/a"].items[0].name == "reads"


class TestARecommendedLimit:
    def recommended(self, most: str, **more: Any) -> Any:
        return {**rule("wish", bound(at_most=most)), "severity": "recommended", **more}

    def test_makes_borderline_what_exceeds_it_and_stays_within_the_limit(self) -> None:
        """80 op/s of at most 200, where 50 or 100 are recommended."""
        hard = rule("A", bound(at_most="middle"))
        below, above = (
            north(hard, self.recommended("most", parameters=_most(n))) for n in (100, 50)
        )
        assert (below.verdict, above.verdict) == ("holds", "tight")
        assert high(above) == (400, 200, "A")
        assert above.recommended is not None
        assert (above.recommended.high, above.recommended_rule) == (50, "wish")

    def test_makes_no_failure_of_what_is_within_the_capacity_nor_a_pass_of_what_is_not(
        self,
    ) -> None:
        """80 op/s of 400: over the recommended 50. Over the limit of 60 it fails either way."""
        wish = self.recommended("most", parameters=_most(50))
        assert north(wish).verdict == "tight"
        hard = {**rule("A", bound(at_most="most")), "parameters": _most(60)}
        assert north(wish, hard).verdict == "violated"

    def test_above_the_limit_recommends_nothing(self) -> None:
        found = north(rule("A", bound(at_most="middle")), self.recommended("high"))
        assert (found.recommended, found.recommended_rule, found.verdict) == (None, "", "holds")


def _most(value: float) -> dict[str, Any]:
    return {"most": {"value": value, "unit": "op/s"}}


class Loaded(NamedTuple):
    """A network with its load and its capacity."""

    nfs_ops_per_s: Quantity
    capacity_ops_per_s: Quantity | None = None


class Latency(NamedTuple):
    """A network with the latency of its interface."""

    latency_ms: Quantity


class TestAReserve:
    def changed(self, **limits: str) -> float:
        """The 80 op/s of a network if a fifth of what a rule limits is kept free."""
        (one,) = rule_set(rule("A", bound(**limits))).rules
        subjects = {"network": Loaded(given(80, unit="op/s"))}
        assert with_reserve(one, subjects, None) is subjects
        changed: Loaded = with_reserve(one, subjects, given(0.2))["network"]
        return changed.nfs_ops_per_s.high

    def test_divides_a_load_by_what_it_may_use(self) -> None:
        assert self.changed(at_most="high") == pytest.approx(100)

    def test_leaves_a_load_whose_capacity_a_rule_states(self) -> None:
        assert self.changed(capacity="high") == 80

    def test_leaves_the_latency_of_an_interface_which_is_no_load(self) -> None:
        """The quickest interface stays the quickest, 37 ms, whatever is kept free (1.1.2)."""
        quickest = bound("network.latency_ms", at_most="network.least_latency_ms")
        (one,) = rule_set(rule("A", quickest)).rules
        subjects = {"network": Latency(given(37, unit="ms"))}
        assert with_reserve(one, subjects, given(0.2)) == subjects


class TestAnExceededLimit:
    def over(self, *bounds: dict[str, str], capacity: float | None = 400) -> float:
        """By what part 300 op/s of a network exceed the limits of a rule."""
        (one,) = rule_set(rule("A", *bounds)).rules
        whole = None if capacity is None else given(capacity, unit="op/s")
        network = Loaded(given(300, unit="op/s"), whole)
        return over_limit(one, {"network": network, "system": None}, "high")

    def test_is_exceeded_by_a_part_of_it(self) -> None:
        assert self.over(bound(at_most="middle")) == pytest.approx(0.5)
        assert self.over(bound(at_most="high")) == 0

    def test_may_be_a_share_of_a_capacity(self) -> None:
        assert self.over(bound(share="half")) == pytest.approx(0.5)
        assert self.over(bound(share="half"), capacity=None) == 0

    def test_is_the_one_that_is_exceeded_most(self) -> None:
        limits = (bound(at_most="middle"), bound(at_most="low"))
        assert self.over(*limits) == self.over(*reversed(limits)) == pytest.approx(2)
