"""The rules of a guide: conditions compiled, parameters resolved, all checked."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from sizewright.configuration.model import SYSTEM
from sizewright.errors import Diagnostic, ErrorList, Location, collect_errors, did_you_mean, shown
from sizewright.facts.fact import Fact, Kind
from sizewright.facts.records import RECORDS, facts_of
from sizewright.guide.cache import keep, recall
from sizewright.guide.model import LIMIT_WAYS, REPORTED, Guide, MissingDataError, NoSuchRowError
from sizewright.guide.parameters import column_of_parameter, is_number, parameter_value
from sizewright.guide.table_schema import expected_parameter
from sizewright.quantity import Quantity
from sizewright.rules.condition import Condition
from sizewright.rules.rule import VIOLATION, Bound, Parameter, Rule, check_template
from sizewright.units import PURE, UnitError

if TYPE_CHECKING:
    from sizewright.rules.parser import Schema

Spec = Mapping[str, Any]
Overrides = Mapping[str, Spec]
# The conditions of a rule as plain data, after what they were translated from.
Translation = tuple[Any, ...]
Translations = Mapping[str, Translation]


class RuleSet:
    """The rules of a guide, in its order, and the facts that they may read.

    `by_subject` has them by what they are about, `bounds` has the limits that they set on their own
    subject, by resource.
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
            for bound in rule.stated_bounds:
                if bound.resource.startswith((f"{rule.subject}.", f"{REPORTED}.")):
                    self.bounds.setdefault(bound.resource, []).append((rule, bound))

    def judging(self, what: str) -> RuleSet:
        """Return the rules for plans, or those for existing servers (`box`)."""
        return RuleSet((rule for rule in self.rules if what in rule.judges), self.facts)

    def only(self, rules: Iterable[str]) -> RuleSet:
        """Return the rules of these ids, in the guide's order."""
        wanted = frozenset(rules)
        return RuleSet((rule for rule in self.rules if rule.id in wanted), self.facts)

    def requiring(self, rules: Iterable[str]) -> RuleSet:
        """Return the same with the recommended limits of these ids as limits to be met."""
        required = frozenset(rules)
        return RuleSet(
            (rule._replace(severity=VIOLATION) if rule.id in required else rule
             for rule in self.rules), self.facts,
        )  # fmt: skip

    def rule(self, rule_id: str) -> Rule:
        """Return a rule by id; raises NoSuchRowError with the nearest id."""
        for rule in self.rules:
            if rule.id == rule_id:
                return rule
        raise NoSuchRowError("of rules", rule_id, tuple(r.id for r in self.rules))


def kept_translations(guide: Guide) -> Translations:
    """Return the translated conditions of a loaded guide by rule, and keep them for other runs."""
    key = f"{guide.key}-rules"
    known: Translations | None = recall(key) if guide.key else None
    if known is None:
        known = {rule.id: _translation(rule) for rule in compile_rules(guide).rules}
        if guide.key:
            keep(key, known)
    return known


def _translation(rule: Rule) -> Translation:
    conditions = (rule.when, rule.require, *(bound.when for bound in rule.stated_bounds))
    plain = (condition and condition.plain() for condition in conditions)
    return _translated_from(rule.spec, rule.parameters), *plain


_TRANSLATED = ("subject", "judges", "when", "require", "bounds", "message", "remedy")


def _translated_from(spec: Spec, parameters: Mapping[str, Parameter]) -> list[Any]:
    """Return what the check and the translation of a rule depend on."""
    facts = {name: as_fact(value) for name, value in parameters.items()}
    types = [[name, str(fact.kind), fact.unit] for name, fact in facts.items()]
    return [types, *map(spec.get, _TRANSLATED)]


def as_fact(value: Parameter) -> Fact:
    """Return the type and the unit of a parameter."""
    if isinstance(value, Quantity):
        return Fact(Kind.NUMBER, value.unit)
    if isinstance(value, bool):
        return Fact(Kind.FLAG)
    return Fact(Kind.TEXT if isinstance(value, str) else Kind.NAMES)


def compile_rules(
    guide: Guide,
    overrides: Overrides | None = None,
    judging: str = "",
    known: Translations | None = None,
) -> RuleSet:
    """Return a guide's rules with the parameters that a workload's policy overrides.

    All of them, or those that are asked when `judging` a plan or a box. Conditions that are `known`
    are not translated again. Raises InputError for a condition that
    does not compile, for a fact or cell that does not exist, and for an override of an unknown rule
    or parameter.
    """
    with collect_errors() as errors:
        overrides = overrides or {}
        errors.extend(_unknown_overrides(guide, overrides))
        facts = {subject: facts_of(subject, guide) for subject in (*RECORDS, REPORTED)}
        asked = [spec for spec in guide.rules.values() if not judging or judging in _judges(spec)]
        rules = errors.for_each(
            lambda spec: _Compiler(guide, spec, facts, overrides.get(spec["id"], {})).rule(
                (known or {}).get(spec["id"])
            ),
            asked,
        )
    return RuleSet(rules, facts)


def _unknown_overrides(guide: Guide, overrides: Overrides) -> Iterator[Diagnostic]:
    """Yield an error for each override of a rule or a parameter that does not exist."""
    for rule_id, parameters in overrides.items():
        known = guide.rules.get(rule_id, {}).get("parameters", {})
        for name, value in parameters.items():
            place = _place_of(value)
            if rule_id not in guide.rules:
                hint = did_you_mean(rule_id, guide.rules)
                yield Diagnostic(place, f"there is no rule '{rule_id}'", "", hint)
            elif name not in known:
                what = f"rule {rule_id} has no parameter '{name}'"
                expected = "one of " + (", ".join(known) or "none")
                yield Diagnostic(place, what, expected, did_you_mean(name, known))


def _place_of(value: Any) -> Location:
    """Return where a value is in the workload; a list is where its first item is."""
    first = value[0] if isinstance(value, (list, tuple)) and value else value
    place = getattr(first, "place", None)
    return place if isinstance(place, Location) else Location("policy.parameters")


def _judges(spec: Spec) -> tuple[str, ...]:
    return tuple(spec.get("judges") or ("plan", "box"))


class _Compiler:
    """Compiles one rule, and collects what is wrong with it."""

    def __init__(
        self, guide: Guide, spec: Spec, facts: Mapping[str, Mapping[str, Fact]], overrides: Spec
    ) -> None:
        self.guide, self.spec, self.facts, self.overrides = guide, spec, facts, overrides
        self.place = Location(spec.get("file") or f"rules/{guide.id}/{spec['id']}")
        self.errors = ErrorList()

    def rule(self, known: Translation | None) -> Rule:
        """Return the rule; raises InputError with every error of it."""
        spec, parameters = self.spec, self._parameters()
        self.errors.raise_any()
        if known and known[0] == _translated_from(spec, parameters):
            conditions = [plain and Condition(*plain) for plain in known[1:]]
        else:
            conditions = self._translated(parameters)
        when, require, *others = conditions
        self._check_divisors(filter(None, conditions), parameters)
        bounds = tuple(
            Bound(
                resource=bound["resource"], when=condition,
                only_shown=bound.get("only_shown", False),
                **{way: bound.get(way) or "" for way in LIMIT_WAYS},
            )
            for bound, condition in zip(spec.get("bounds") or (), others, strict=True)
        )  # fmt: skip
        return Rule(
            id=spec["id"], title=spec["title"], guide=self.guide.id, cite=spec.get("cite", ""),
            subject=spec["subject"], severity=spec["severity"], when=when, require=require,
            parameters=parameters, stated_bounds=bounds, message=str(spec["message"]).strip(),
            remedy=str(spec.get("remedy") or "").strip(), spec=spec,
            reads=require.names | (when.names if when else frozenset()) | _complete(spec),
            judges=_judges(spec), own=bool(spec.get("own")),
            complete="".join(name for _, name in _complete(spec)),
        )  # fmt: skip

    def _translated(self, parameters: Mapping[str, Parameter]) -> list[Any]:
        """Check the rule; return `when`, `require` and each bound's `when`, None if not stated."""
        from sizewright.rules.parser import Schema

        spec, subject = self.spec, self.spec["subject"]
        if subject not in RECORDS:
            hint = did_you_mean(subject, RECORDS)
            self._error(
                "subject", f"there is no subject '{subject}'", "one of " + ", ".join(RECORDS), hint
            )
            self.errors.raise_any()
        seen = {name: self.facts[name] for name in (subject, SYSTEM, REPORTED)}
        schema = Schema(seen, {name: as_fact(value) for name, value in parameters.items()})
        when = self._condition(spec.get("when"), "when", schema)
        require = self._condition(spec["require"], "require", schema, when)
        others = [
            self._bound(bound, schema, when, parameters) for bound in spec.get("bounds") or ()
        ]
        for key in ("message", "remedy"):
            for what in check_template(str(spec.get(key) or ""), *schema):
                self._error(key, f"{key}: {what}")
        for subject, flag in _complete(spec):
            fact = self.facts[SYSTEM].get(flag)
            if subject != SYSTEM or fact is None or fact.kind != "flag":
                self._error("complete", f"complete: {spec['complete']} is no flag of the system")
        for condition in (when, require):
            reads = condition.names if condition else ()
            if "plan" in _judges(spec) and any(name == REPORTED for name, _ in reads):
                self._error("require", "asks what only a box reports", "judges: [box]")
        self.errors.raise_any()
        return [when, require, *others]

    def _error(
        self, key: str, what: str, expected: str = "", hint: str = "", excerpt: Sequence[str] = ()
    ) -> None:
        """Add an error of what the rule's file states under a key."""
        stated = self.spec.get("places", {}).get(key)
        place = Location(*stated) if stated else self.place
        self.errors.append(Diagnostic(place, what, expected, hint, tuple(excerpt)))

    def _parameters(self) -> dict[str, Parameter]:
        found: dict[str, Parameter] = {}
        for name, value in self.spec["parameters"].items():
            override = self.overrides.get(name)
            wrong = None if override is None else _wrong_override(self.guide, value, override)
            if wrong is not None:
                what = f"{self.spec['id']}.{name}: {wrong.what}"
                self.errors.append(wrong._replace(what=what))
                override = None
            try:
                found[name] = parameter_value(self.guide, self.spec["id"], name, override)
            except (MissingDataError, KeyError, ValueError) as error:
                self._error("parameters", f"parameter {name}: {error}")
        return found

    def _check_divisors(
        self, conditions: Iterable[Condition], parameters: Mapping[str, Parameter]
    ) -> None:
        """Raise an InputError for parameters that are 0, by which the rule divides."""
        for name in sorted(frozenset().union(*(each.divisors for each in conditions))):
            value, override = parameters[name], self.overrides.get(name)
            if not isinstance(value, Quantity) or value.low > 0:
                continue
            what = f"{name} is {value.low:g}, and rule {self.spec['id']} divides by it"
            if override is None:
                self._error(f"parameters.{name}", what, "more than 0")
            else:
                self.errors.append(Diagnostic(_place_of(override), what, "more than 0"))
        self.errors.raise_any()

    def _condition(
        self, text: Any, key: str, schema: Schema, before: Condition | None = None
    ) -> Condition | None:
        if text is None:
            return None
        from sizewright.rules.checker import compile_condition
        from sizewright.rules.parser import ConditionError

        try:
            return compile_condition(str(text), schema, before.guards if before else frozenset())
        except ConditionError as error:
            self._error(key, f"{key}: {error}", excerpt=error.caret().splitlines())
            return None

    def _bound(
        self, bound: Spec, schema: Schema, when: Condition | None, parameters: Spec
    ) -> Condition | None:
        """Check a bound on a part that the rule is about; return its condition."""
        facts = self.facts[self.spec["subject"]]
        units = {
            f"{self.spec['subject']}.{name}": fact.unit
            for name, fact in facts.items() if fact.kind == "number"
        }  # fmt: skip
        if self.spec["subject"] == SYSTEM:
            # What a system reports has a budget only if it is a share of a whole.
            units |= {
                f"{REPORTED}.{name}": fact.unit
                for name, fact in self.facts[REPORTED].items() if fact.unit == PURE
            }  # fmt: skip
        resource = bound["resource"]
        if resource not in units:
            self._unknown_number(resource, units)
        units |= {n: value.unit for n, value in parameters.items() if isinstance(value, Quantity)}
        for way in LIMIT_WAYS:
            name = bound.get(way)
            wanted = (PURE, "%") if way in ("share", "without_gain") else (units.get(resource),)
            if name and name not in units:
                self._unknown_number(name, units)
            elif name and None not in wanted and units[name] not in wanted:
                what = f"bounds: {name} is in {units[name]}"
                self._error("bounds", what, f"in {' or '.join(filter(None, wanted))}")
        return self._condition(bound.get("when"), "bounds", schema, when)

    def _unknown_number(self, name: str, known: Iterable[str]) -> None:
        what = f"bounds: no number of the rule or of its subject is called {shown(name)}"
        self._error("bounds", what, "", did_you_mean(name, known))


def _complete(spec: Spec) -> frozenset[tuple[str, str]]:
    """Return the flag that an amount is complete, as subject and name; empty if not stated."""
    subject, _, name = str(spec.get("complete") or "").partition(".")
    return frozenset([(subject, name)] if subject else ())


def _wrong_override(guide: Guide, spec: Spec, override: Any) -> Diagnostic | None:
    """Return what is wrong with a value that the workload states for a parameter."""
    place, column = _place_of(override), column_of_parameter(guide, spec)
    unit = column.unit
    if not is_number(spec.get("value", 0), unit):
        return None
    expected = f"a number in {unit}, or [low, high]"
    shown = list(override) if isinstance(override, tuple) else override
    try:
        wanted = expected_parameter(override, unit, column)
    except UnitError as error:
        return Diagnostic(place, str(error), expected)
    except (TypeError, ValueError):
        return Diagnostic(place, f"{shown!r} is no quantity", expected)
    return Diagnostic(place, f"{shown!r} cannot be meant", wanted) if wanted else None
