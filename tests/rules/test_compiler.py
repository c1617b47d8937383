"""From rule files to rules: what becomes of every key, and what is refused with which words."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from sizewright.errors import Diagnostic, InputError, Location
from sizewright.guide.loader import load_guide
from sizewright.guide.model import Guide, NoSuchRowError
from sizewright.quantity import Quantity
from sizewright.rules.compiler import RuleSet, compile_rules
from sizewright.rules.rule import Rule

REAL = load_guide("sun-1992")
# Rules whose facts a plan settles and that judge boxes alone all the same.
LEFT = {"1.2.4-full"}
CELL = {"table": "network-interfaces", "row": "network-coprocessor", "field": "nfs_ops_per_s"}


def spec(**changes: Any) -> dict[str, Any]:
    """A rule about networks; a key set to None is left out."""
    whole = {
        "id": "R", "title": "A rule", "cite": "the book, p. 1", "subject": "network",
        "severity": "advice", "parameters": {"most": {"value": 10, "unit": "op/s"}},
        "require": "network.nfs_ops_per_s <= most", "message": "too many", **changes,
    }  # fmt: skip
    return {key: value for key, value in whole.items() if value is not None}


def unused(**changes: Any) -> dict[str, Any]:
    """Such a rule, whose condition asks for none of its parameters."""
    return spec(require="network.keep_medium", **changes)


def guide(*specs: Mapping[str, Any]) -> Guide:
    return REAL._replace(id="mine", rules={one["id"]: one for one in specs})


def rule_set(*specs: Mapping[str, Any], **overrides: Any) -> RuleSet:
    return compile_rules(guide(*specs), overrides)


def only(**changes: Any) -> Rule:
    (rule,) = rule_set(spec(**changes)).rules
    return rule


def faults(*specs: Mapping[str, Any], **overrides: Any) -> tuple[Diagnostic, ...]:
    with pytest.raises(InputError) as refused:
        rule_set(*specs, **overrides)
    return refused.value.faults


def fault(**changes: Any) -> Diagnostic:
    (one,) = faults(spec(**changes))
    assert one.place == Location("rules/mine/R")
    return one


class Placed(float):
    """A number that knows its line, as those of a workload do."""

    place = Location("load.yaml", 7, 3)


class TestARule:
    def test_is_what_its_file_says(self) -> None:
        rule = only(
            message=" much \n", remedy=" less \n", when="network.medium == 'x'", judges=["box"]
        )
        assert (rule.id, rule.title, rule.guide) == ("R", "A rule", "mine")
        assert (rule.cite, rule.subject, rule.severity) == ("the book, p. 1", "network", "advice")
        assert (rule.message, rule.remedy, rule.judges) == ("much", "less", ("box",))
        assert rule.when is not None
        assert rule.when.text == "network.medium == 'x'"
        assert rule.require.text == "network.nfs_ops_per_s <= most"
        assert rule.spec["title"] == "A rule"
        assert rule.bounds == ()

    def test_reads_what_either_condition_names(self) -> None:
        rule = only(when="network.medium == 'x' and system.desktop")
        assert rule.reads == {
            ("network", "medium"), ("system", "desktop"), ("network", "nfs_ops_per_s"),
        }  # fmt: skip
        assert rule.facts_of("network") == {"medium", "nfs_ops_per_s"}
        assert only().reads == {("network", "nfs_ops_per_s")}

    def test_says_little_where_its_file_does(self) -> None:
        rule = only(cite=None)
        assert (rule.cite, rule.remedy, rule.when) == ("", "", None)
        assert rule.judges == ("plan", "box")

    def test_may_guard_in_its_when_what_its_bound_asks(self) -> None:
        """A bound's own `when` is asked only where the rule's is not false."""
        bound = {
            "resource": "system.nfs_weighted_ops_per_s", "at_most": "most",
            "when": "system.rr_ticks > 0",
        }  # fmt: skip
        changes = {
            "subject": "system", "when": "known(system.rr_ticks)", "require": "system.desktop",
            "bounds": [bound],
        }  # fmt: skip
        (found,) = only(**changes).bounds
        assert (found.resource, found.at_most) == ("system.nfs_weighted_ops_per_s", "most")
        assert (found.share, found.capacity) == ("", "")
        assert found.when is not None
        assert found.when.text == "system.rr_ticks > 0"

    def test_bounds_by_share_or_capacity_are_kept_apart(self) -> None:
        bounds = [
            {"resource": "network.nfs_ops_per_s", "share": "part"},
            {"resource": "network.nfs_ops_per_s", "capacity": "most"},
        ]
        parameters = {
            "most": {"value": 10, "unit": "op/s"}, "part": {"value": 0.5, "unit": "1"},
        }  # fmt: skip
        one, two = only(bounds=bounds, parameters=parameters).bounds
        assert (one.at_most, one.share, one.capacity, one.when) == ("", "part", "", None)
        assert (two.at_most, two.share, two.capacity, two.when) == ("", "", "most", None)


class TestABook:
    def test_finds_rules_by_id_and_names_the_nearest(self) -> None:
        found = rule_set(spec(), spec(id="SECOND"))
        assert found.rule("SECOND").id == "SECOND"
        with pytest.raises(NoSuchRowError) as refused:
            found.rule("SECONT")
        assert str(refused.value) == "table of rules has no row 'SECONT'; did you mean SECOND?"
        assert refused.value.near == "SECOND"

    def test_is_narrowed_by_id_in_its_own_order(self) -> None:
        found = rule_set(spec(), spec(id="S"), spec(id="T")).only(["T", "R"])
        assert [rule.id for rule in found.rules] == ["R", "T"]
        assert [rule.id for rule in found.by_subject["network"]] == ["R", "T"]
        assert found.by_subject["disk"] == ()

    def test_is_narrowed_to_what_judges_a_plan_or_a_box(self) -> None:
        found = rule_set(spec(judges=["box"]), spec(id="S"), spec(id="T", judges=["plan"]))
        assert [rule.id for rule in found.judging("plan").rules] == ["S", "T"]
        assert [rule.id for rule in found.judging("box").rules] == ["R", "S"]


class TestARefusal:
    def test_stands_at_the_rules_file_where_that_is_known(self) -> None:
        (one,) = faults(spec(file="site.yaml", require="network.nfs_ops_per_s"))
        assert one.place == Location("site.yaml")

    def test_of_a_condition_shows_which_and_where(self) -> None:
        one = fault(require="network.nfs_ops <= most")
        assert one.what.startswith("require: column 9: `network` has no field `nfs_ops`")
        assert one.excerpt == ("network.nfs_ops <= most", " " * 8 + "^")
        assert one.text().endswith("\n  network.nfs_ops <= most\n          ^")
        assert fault(when="network.nfs_ops_per_s").what.startswith("when: column 1: ")
        bound = {"resource": "network.nfs_ops_per_s", "at_most": "most", "when": "1"}
        assert fault(bounds=[bound]).what.startswith("bounds: column 1: ")

    def test_is_by_what_the_facts_are(self) -> None:
        """One that may be absent must be asked for first; one with a list of texts has no other."""
        unguarded = fault(subject="system", require="system.rr_ticks > 0")
        assert "`system.rr_ticks` (a number) may be absent" in unguarded.what
        misspelt = fault(require="network.interface_kind == 'plane'")
        assert "`network.interface_kind` is never 'plane'" in misspelt.what
        mixed = fault(require="network.latency_ms <= most")
        assert "are different units" in mixed.what

    def test_of_a_subject_lists_all_and_names_the_nearest(self) -> None:
        one = fault(subject="netwerk")
        assert one.what == "there is no subject 'netwerk'"
        assert one.expected == (
            "one of system, network, slots, board, expansion, bus, enclosure, channel, disk, "
            "volume, work"
        )
        assert one.hint == "did you mean 'network'?"
        assert fault(subject="qqq").hint == ""

    @pytest.mark.parametrize(
        ("resource", "hint"),
        [
            ("network.nfs_ops_per_sec", "did you mean 'network.nfs_ops_per_s'?"),
            ("netwerk.nfs_ops_per_s", "did you mean 'network.nfs_ops_per_s'?"),
            ("network", ""),
            ("network.medium", ""),
            ("disk.operations_per_s", ""),
        ],
    )
    def test_of_a_bound_names_the_fact(self, resource: str, hint: str) -> None:
        one = fault(bounds=[{"resource": resource, "at_most": "most"}])
        what = f"bounds: no number of the rule or of its subject is called '{resource}'"
        assert (one.what, one.expected) == (what, "")
        assert not hint or one.hint == hint

    @pytest.mark.parametrize(
        ("limit", "what", "expected"),
        [
            ({"at_most": "slots.available"}, "is called 'slots.available'", ""),
            ({"capacity": "network.medium"}, "is called 'network.medium'", ""),
            ({"at_most": "least"}, "is called 'least'", ""),
            ({"share": "most"}, "bounds: most is in op/s", "in 1 or %"),
            ({"at_most": "network.clients"}, "bounds: network.clients is in client", "in op/s"),
        ],
    )
    def test_of_a_limit_names_it(self, limit: dict[str, str], what: str, expected: str) -> None:
        one = fault(bounds=[{"resource": "network.nfs_ops_per_s", **limit}])
        assert one.what.endswith(what)
        assert one.expected == expected

    @pytest.mark.parametrize("key", ["message", "remedy"])
    def test_of_a_template_says_which(self, key: str) -> None:
        one = fault(**{key: "{network.id} {system.id} {most} {network.idd}"})
        assert one.what == f"{key}: unknown name 'network.idd'; did you mean 'network.id'?"

    def test_of_a_template_knows_only_the_subject_and_the_system(self) -> None:
        assert fault(message="{disk.id}").what.startswith("message: unknown name 'disk.id'")

    def test_of_a_cell_names_the_parameter(self) -> None:
        one = fault(parameters={"most": {**CELL, "row": "no-such"}}, require="network.keep_medium")
        assert one.what.startswith("parameter most: table network-interfaces has no row 'no-such'")

    def test_tells_the_faults_of_all_rules(self) -> None:
        found = faults(spec(require="1"), spec(id="S"), spec(id="T", require="2"))
        assert [one.place.file for one in found] == ["rules/mine/R", "rules/mine/T"]


class TestAParameter:
    def of(self, value: Mapping[str, Any], *override: Any) -> Any:
        found = rule_set(
            unused(parameters={"most": value}),
            **({"R": {"most": override[0]}} if override else {}),
        )
        return found.rule("R").parameters["most"]

    def test_is_a_figure_with_its_rule_as_its_source(self) -> None:
        found: Quantity = self.of({"value": [1, 3], "unit": "op/s"})
        assert (found.low, found.likely, found.high) == (1, 2, 3)
        assert (found.unit, found.name) == ("op/s", "most")
        assert found.source == ("parameter", "rule R, most", "the book, p. 1", "printed")

    @pytest.mark.parametrize(
        ("more", "cite", "status"),
        [
            ({"cite": "elsewhere", "status": "inferred"}, "elsewhere", "inferred"),
            ({"overlay": "site.yaml"}, "the book, p. 1", "overlay"),
            ({"overlay": "site.yaml", "status": "inferred"}, "the book, p. 1", "inferred"),
        ],
    )
    def test_may_have_a_source_of_its_own(self, more: Any, cite: str, status: str) -> None:
        found: Quantity = self.of({"value": 1, "unit": "op/s", **more})
        assert found.source is not None
        assert (found.source.cite, found.source.status) == (cite, status)

    def test_without_any_citation_has_none(self) -> None:
        rule = only(cite=None)
        found = rule.parameters["most"]
        assert isinstance(found, Quantity)
        assert found.source == ("parameter", "rule R, most", "", "printed")

    def test_without_a_unit_is_a_pure_number(self) -> None:
        assert self.of({"value": 3}).unit == "1"

    def test_may_be_a_cell(self) -> None:
        found: Quantity = self.of(CELL)
        assert found.source is not None
        assert (found.high, found.source.kind) == (290, "table")

    @pytest.mark.parametrize(
        ("value", "kept"),
        [(True, True), (False, False), ("ipi", "ipi"), (["a", "b"], ("a", "b"))],
    )
    def test_may_be_a_flag_a_text_or_texts(self, value: Any, kept: Any) -> None:
        assert self.of({"value": value}) == kept

    def test_is_known_to_conditions_by_its_kind(self) -> None:
        parameters = {
            "n": {"value": 1, "unit": "op/s"}, "f": {"value": True}, "t": {"value": "x"},
            "l": {"value": ["x", "y"]},
        }  # fmt: skip
        only(parameters=parameters, require="f and t in l and network.nfs_ops_per_s < n")
        one = fault(parameters=parameters, require="network.latency_ms < n")
        assert "ms" in one.what
        assert "op/s" in one.what
        assert "must" not in one.what
        for never_absent in ("n", "f", "t", "l"):
            refused = fault(parameters=parameters, require=f"{never_absent} is None")
            assert "is never None" in refused.what

    def test_is_overridden_with_the_workload_as_its_source(self) -> None:
        found: Quantity = self.of({"value": 1, "unit": "KB/s"}, [2, 4])
        assert (found.low, found.high, found.unit, found.name) == (2, 4, "KB/s", "most")
        assert found.source == ("parameter", "rule R, most", "the workload", "override")
        assert self.of({"value": 1, "unit": "KB/s"}, "1 MB/s").high == 1024
        assert self.of(CELL, 200).unit == "op/s"

    def test_overridden_with_nothing_is_nothing(self) -> None:
        assert self.of({"value": 1, "unit": "op/s"}, 0).high == 0

    def test_overridden_by_an_overlay_keeps_the_unit_it_had(self) -> None:
        assert self.of({"value": 5, "was": {"value": 1, "unit": "MB"}}).unit == "MB"
        assert self.of({"value": 5, "was": CELL}).unit == "op/s"
        assert self.of({"value": 5, "was": {"value": 4, "was": CELL}}).unit == "op/s"
        assert self.of({"value": 5, "was": {"value": 4}}).unit == "1"

    def test_that_is_a_text_takes_any_text(self) -> None:
        assert self.of({"value": "ipi"}, "scsi") == "scsi"


class TestAnOverride:
    @pytest.mark.parametrize(
        ("value", "what", "expected"),
        [
            ("many", "'many' is no quantity", "a number in op/s, or [low, high]"),
            ((1, 2, 3, 4), "[1, 2, 3, 4] is no quantity", "a number in op/s, or [low, high]"),
            (-1, "-1 cannot be meant", "0 or more"),
            ((3, 2), "[3, 2] cannot be meant", "low before high"),
            ((1, 5, 4), "[1, 5, 4] cannot be meant", "low before high"),
            (1e13, "10000000000000.0 cannot be meant", "at most 1e+12"),
        ],
    )
    def test_that_is_no_quantity_is_refused(self, value: Any, what: str, expected: str) -> None:
        (one,) = faults(unused(), R={"most": value})
        assert one == Diagnostic(Location("policy.parameters"), f"R.most: {what}", expected)

    def test_of_a_cell_is_limited_as_its_column_is(self) -> None:
        column = {
            "table": "network-media",
            "row": "ethernet",
            "field": "practical_utilisation_limit_percent",
        }
        for value in (0, 200):
            (one,) = faults(unused(parameters={"most": column}), R={"most": value})
            assert one.expected in ("more than 0, at most 100", "at most 100")

    def test_by_which_the_rule_divides_is_not_0(self) -> None:
        divides = spec(require="network.nfs_ops_per_s / (2 * most) <= 1")
        (one,) = faults(divides, R={"most": Placed(0)})
        what = "most is 0, and rule R divides by it"
        assert one == Diagnostic(Placed.place, what, "more than 0")

    def test_in_a_unit_that_does_not_fit_is_refused(self) -> None:
        (one,) = faults(unused(), R={"most": "3 MB"})
        assert one.place == Location("policy.parameters")
        assert one.what.startswith("R.most: ")
        assert "MB" in one.what
        assert one.expected == "a number in op/s, or [low, high]"

    def test_of_a_cell_is_held_to_the_cells_unit(self) -> None:
        (one,) = faults(unused(parameters={"most": CELL}), R={"most": "many"})
        assert one.expected == "a number in op/s, or [low, high]"

    def test_is_refused_where_it_stands(self) -> None:
        for value in (Placed(-1), [Placed(3), 2.0]):
            (one,) = faults(unused(), R={"most": value})
            assert one.place == Location("load.yaml", 7, 3)

    def test_of_several_are_all_refused(self) -> None:
        two = {"most": {"value": 1, "unit": "op/s"}, "least": {"value": 1, "unit": "op/s"}}
        found = faults(unused(parameters=two), R={"most": -1, "least": -2})
        assert [one.what for one in found] == [
            "R.most: -1 cannot be meant", "R.least: -2 cannot be meant",
        ]  # fmt: skip

    def test_of_no_rule_is_refused(self) -> None:
        (one,) = faults(spec(id="RULE"), RULES={"most": Placed(1)})
        assert one == Diagnostic(
            Location("load.yaml", 7, 3), "there is no rule 'RULES'", "", "did you mean 'RULE'?"
        )

    def test_of_no_parameter_is_refused(self) -> None:
        two = {"most": {"value": 1, "unit": "op/s"}, "least": {"value": 1, "unit": "op/s"}}
        (one,) = faults(spec(parameters=two), R={"mots": Placed(1)})
        assert one == Diagnostic(
            Location("load.yaml", 7, 3), "rule R has no parameter 'mots'", "one of most, least",
            "did you mean 'most'?",
        )  # fmt: skip
        (one,) = faults(unused(parameters={}), R={"x": 1})
        assert (one.place, one.expected, one.hint) == (
            Location("policy.parameters"), "one of none", ""
        )  # fmt: skip


def test_a_rule_of_sun_1992_that_judges_boxes_alone_says_what_only_observation_can_tell() -> None:
    rules = REAL.rules
    silent = {name for name, spec in rules.items() if spec.get("judges") == ["box"]}
    told = {name for name, spec in rules.items() if spec.get("observed")}
    assert silent - told == LEFT and told <= silent
