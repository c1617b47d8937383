"""Turns a guide's rule files into rules: conditions compiled, parameters resolved, all checked."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from sizewright.errors import Diagnostic, InputError, Location, did_you_mean, nearest
from sizewright.facts.records import RECORDS, REPORTED, Fact, facts_of
from sizewright.guide.model import BlankCellError, Guide, NoSuchRowError, ends
from sizewright.quantity import Provenance, Quantity
from sizewright.rules.condition import (
    Condition,
    ConditionError,
    FactType,
    Kind,
    Schema,
    compile_condition,
)
from sizewright.rules.rule import Bound, Parameter, Rule, check_template
from sizewright.units import UnitError

SYSTEM = "system"
_KINDS = {
    "number": Kind.NUMBER, "text": Kind.TEXT, "flag": Kind.FLAG, "names": Kind.LIST_OF_TEXT,
}  # fmt: skip

Overrides = Mapping[str, Mapping[str, Any]]


class RuleSet:
    """The rules of a guide, in its order; and the facts that they may ask.

    They are also in `by_subject`; and in `bounds` with each limit that they set on their
    own subject, by its resource.
    """

    def __init__(self, rules: Iterable[Rule], facts: Mapping[str, Mapping[str, Fact]]) -> None:
        self.rules = tuple(rules)
        self.facts = facts
        self.by_subject = {
            subject: tuple(rule for rule in self.rules if rule.subject == subject)
            for subject in facts
        }
        self.bounds: dict[str, list[tuple[Rule, Bound]]] = {}
        for rule in self.rules:
            for bound in rule.bounds:
                if bound.resource.startswith(f"{rule.subject}."):
                    self.bounds.setdefault(bound.resource, []).append((rule, bound))

    def judging(self, what: str) -> RuleSet:
        """The rules that are asked of a plan, or of a box."""
        return RuleSet((rule for rule in self.rules if what in rule.judges), self.facts)

    def only(self, rules: Iterable[str]) -> RuleSet:
        """The rules of these ids, in the guide's order."""
        wanted = frozenset(rules)
        return RuleSet((rule for rule in self.rules if rule.id in wanted), self.facts)

    def rule(self, rule_id: str) -> Rule:
        """A rule by id; raises NoSuchRowError naming the nearest."""
        for rule in self.rules:
            if rule.id == rule_id:
                return rule
        raise NoSuchRowError("of rules", rule_id, tuple(r.id for r in self.rules))


def compile_rules(guide: Guide, overrides: Overrides | None = None, judging: str = "") -> RuleSet:
    """The guide's rules with the parameters that a workload's policy overrides.

    All of them, or those that are asked in `judging` a plan or a box.

    Raises InputFaults for a condition that does not compile, a fact or cell that does not exist,
    an override of an unknown rule or parameter.
    """
    faults: list[Diagnostic] = []
    wanted = overrides or {}
    _check_overrides(guide, wanted, faults)
    facts = {subject: facts_of(subject, guide) for subject in (*RECORDS, REPORTED)}
    types = {subject: _types(known) for subject, known in facts.items()}
    rules = []
    for rule_id, spec in guide.rules.items():
        if judging and judging not in _judges(spec):
            continue
        place = Location(spec.get("file") or f"rules/{guide.id}/{rule_id}")
        try:
            rules.append(_rule(guide, spec, types, wanted.get(rule_id, {}), place, faults))
        except _BrokenRuleError:
            continue
    if faults:
        raise InputError(tuple(faults))
    return RuleSet(rules, facts)


class _BrokenRuleError(Exception):
    """The rule cannot be built; its faults are noted."""


def _types(facts: Mapping[str, Fact]) -> dict[str, FactType]:
    return {
        name: FactType(_KINDS[fact.kind], fact.optional, fact.unit, fact.one_of)
        for name, fact in facts.items()
    }


def _check_overrides(guide: Guide, wanted: Overrides, faults: list[Diagnostic]) -> None:
    for rule_id, parameters in wanted.items():
        known = guide.rules.get(rule_id, {}).get("parameters", {})
        for name, value in parameters.items():
            if rule_id not in guide.rules:
                what = f"there is no rule '{rule_id}'"
                faults.append(
                    Diagnostic(_place_of(value), what, "", did_you_mean(rule_id, guide.rules))
                )
            elif name not in known:
                what = f"rule {rule_id} has no parameter '{name}'"
                expected = "one of " + (", ".join(known) or "none")
                faults.append(
                    Diagnostic(_place_of(value), what, expected, did_you_mean(name, known))
                )


def _place_of(value: Any) -> Location:
    """Where a value of the workload stands; a list stands where its first item does."""
    first = value[0] if isinstance(value, (list, tuple)) and value else value
    place = getattr(first, "place", None)
    return place if isinstance(place, Location) else Location("policy.parameters")


def _rule(
    guide: Guide,
    spec: Mapping[str, Any],
    facts: Mapping[str, Mapping[str, FactType]],
    overrides: Mapping[str, Any],
    place: Location,
    faults: list[Diagnostic],
) -> Rule:
    before = len(faults)
    subject = spec["subject"]
    if subject not in RECORDS:
        near = nearest(subject, RECORDS)
        faults.append(
            Diagnostic(place, f"there is no subject '{subject}'", "one of " + ", ".join(RECORDS),
                  f"did you mean '{near}'?" if near else "")
        )  # fmt: skip
        raise _BrokenRuleError
    parameters: dict[str, Parameter] = {}
    for name, value in spec["parameters"].items():
        override = overrides.get(name)
        if override is not None:
            slip = _slip(guide, value, override)
            if slip is not None:
                faults.append(slip._replace(what=f"{spec['id']}.{name}: {slip.what}"))
                override = None
        try:
            parameters[name] = resolve(guide, spec["id"], name, value, override)
        except (BlankCellError, NoSuchRowError, KeyError, ValueError) as error:
            faults.append(Diagnostic(place, f"parameter {name}: {error}"))
    seen = {name: facts[name] for name in (subject, SYSTEM, REPORTED)}
    schema = Schema(seen, {name: _type_of(value) for name, value in parameters.items()})

    def compiled(text: str | None, what: str, before: Condition | None = None) -> Condition | None:
        if text is None:
            return None
        try:
            return compile_condition(str(text), schema, before.guards if before else frozenset())
        except ConditionError as error:
            shown = tuple(error.caret().splitlines())
            faults.append(Diagnostic(place, f"{what}: {error}", excerpt=shown))
            return None

    when = compiled(spec.get("when"), "when")
    require = compiled(spec["require"], "require", when)
    for bound in spec.get("bounds") or ():
        where, dot, field = str(bound["resource"]).partition(".")
        if not dot or field not in facts.get(where, {}):
            near = did_you_mean(field, facts.get(where, {}))
            faults.append(Diagnostic(place, f"bounds: no fact {bound['resource']}", "", near))
    bounds = tuple(
        Bound(
            bound["resource"], str(bound.get("at_most", "")), str(bound.get("share", "")),
            str(bound.get("capacity", "")), compiled(bound.get("when"), "bounds", when),
        )
        for bound in spec.get("bounds") or ()
    )  # fmt: skip
    for key in ("message", "remedy"):
        for what in check_template(str(spec.get(key) or ""), seen, parameters):
            faults.append(Diagnostic(place, f"{key}: {what}"))
    if len(faults) > before or require is None:
        raise _BrokenRuleError
    reads = require.names | (when.names if when else frozenset())
    if "plan" in _judges(spec) and any(name == REPORTED for name, _ in reads):
        faults.append(Diagnostic(place, "asks what only a box reports", "judges: [box]"))
        raise _BrokenRuleError
    return Rule(
        id=spec["id"], title=spec["title"], guide=guide.id, cite=spec.get("cite", ""),
        subject=subject, severity=spec["severity"], when=when, require=require,
        parameters=parameters, bounds=bounds, message=str(spec["message"]).strip(),
        remedy=str(spec.get("remedy") or "").strip(), spec=spec,
        reads=reads,
        judges=_judges(spec),
        own=bool(spec.get("own")),
    )  # fmt: skip


def _judges(spec: Mapping[str, Any]) -> tuple[str, ...]:
    return tuple(spec.get("judges") or ("plan", "box"))


def _slip(guide: Guide, spec: Mapping[str, Any], override: Any) -> Diagnostic | None:
    """What is wrong with a value that the workload puts in place of a parameter's."""
    place = _place_of(override)
    unit = _unit_of(guide, {"was": spec})
    if not _numeric(spec.get("value", 0), unit):
        return None
    expected = f"a number in {unit}, or [low, high]"
    shown = list(override) if isinstance(override, tuple) else override
    try:
        low, likely, high = ends(override, unit)
    except UnitError as error:
        return Diagnostic(place, str(error), expected)
    except (TypeError, ValueError):
        return Diagnostic(place, f"{shown!r} is no quantity", expected)
    if low < 0 or not low <= likely <= high:
        return Diagnostic(place, f"{shown!r} cannot be meant", expected)
    return None


def resolve(
    guide: Guide, rule_id: str, name: str, spec: Mapping[str, Any], override: Any
) -> Parameter:
    """The value of one parameter: the user's, a table cell's, or the rule's own."""
    if override is not None:
        spec = {
            "value": override, "unit": _unit_of(guide, {"was": spec}), "cite": "the workload",
            "status": "override",
        }  # fmt: skip
    if "table" in spec:
        return guide.row(spec["table"], spec["row"]).figure(spec["field"])
    value = spec["value"]
    if isinstance(value, bool):
        return value
    unit = spec.get("unit") or _unit_of(guide, spec)
    if not _numeric(value, unit):
        return value if isinstance(value, str) else tuple(str(v) for v in value)
    low, likely, high = ends(value, unit)
    status = spec.get("status") or ("overlay" if spec.get("overlay") else "printed")
    cite = spec.get("cite") or guide.rules[rule_id].get("cite", "")
    return Quantity(
        low, likely, high, unit, name=name,
        source=Provenance("parameter", f"rule {rule_id}, {name}", cite, status),
    )  # fmt: skip


def _numeric(value: Any, unit: str) -> bool:
    try:
        ends(value, unit)
    except (ValueError, TypeError):
        return False
    return True


def _unit_of(guide: Guide, spec: Mapping[str, Any]) -> str:
    was = spec.get("was") or {}
    if was.get("unit"):
        return str(was["unit"])
    if "table" in was:
        return guide.table(was["table"]).columns[was["field"]].unit
    return _unit_of(guide, was) if was.get("was") else "1"


def _type_of(value: Parameter) -> FactType:
    if isinstance(value, Quantity):
        return FactType(Kind.NUMBER, False, value.unit)
    if isinstance(value, bool):
        return FactType(Kind.FLAG, False)
    return FactType(Kind.TEXT if isinstance(value, str) else Kind.LIST_OF_TEXT, False)
