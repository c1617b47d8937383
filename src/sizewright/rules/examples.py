"""The examples of rules: run as tests; and the JSON Schema of rules with the facts they may state.

An example has facts and parameters of its own, so that an overlay or a policy that changes a
parameter does not change the test of the condition.
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from sizewright.configuration.model import SYSTEM
from sizewright.errors import (
    Diagnostic,
    ErrorList,
    Location,
    collect_errors,
    did_you_mean,
    join_or,
    shown,
)
from sizewright.facts.fact import Fact, Kind
from sizewright.facts.records import RECORDS, blank, facts_of
from sizewright.guide.model import REPORTED
from sizewright.guide.rule_files import RuleChange, RuleFile
from sizewright.guide.table_schema import ends
from sizewright.quantity import Provenance, Quantity
from sizewright.rules.compiler import RuleSet, as_fact
from sizewright.rules.rule import Parameter, Rule, Verdict
from sizewright.schema.jsonschema import JsonSchema, json_schema
from sizewright.units import UnitError


class ExampleResult(NamedTuple):
    """The verdict of a rule on one of its examples; `index` counts from 0."""

    rule: str
    index: int  # type: ignore[assignment]  # hides tuple.index, which no one uses on a result
    expected: str
    got: Verdict
    ok: bool
    note: str = ""
    guide: str = ""


def run_examples(rule_set: RuleSet) -> Iterator[ExampleResult]:
    """Yield the result of every example of every rule, in the guide's order.

    Raises InputError before the first result, with every error of every example: a subject, fact or
    parameter that does not exist, a value of the wrong kind, a missing parameter.
    """
    with collect_errors() as errors:
        readers = [
            _Reader(rule, rule_set, index, data, errors)
            for rule in rule_set.rules
            for index, data in enumerate(rule.spec.get("examples") or ())
        ]
    for each in readers:
        expected, got = str(each.data["expect"]), each.asked.verdict(each.subjects)
        note = str(each.data.get("note") or "")
        yield ExampleResult(
            each.rule.id, each.index, expected, got, got == expected, note, each.rule.guide
        )


class _Reader:
    """Reads one example: the rule with the example's parameters, and its subjects."""

    def __init__(
        self, rule: Rule, rule_set: RuleSet, index: int, data: Mapping[str, Any], errors: ErrorList
    ) -> None:
        self.rule, self.index, self.data = rule, index, data
        self.facts, self.errors = rule_set.facts, errors
        self.place = Location(f"rules/{rule.guide}/{rule.id}, example {index + 1}")
        self.subjects = self._subjects(data["given"])
        self.asked = rule._replace(parameters=self._parameters(data.get("parameters") or {}))

    def fault(self, what: str, expected: str = "", hint: str = "") -> None:
        self.errors.append(Diagnostic(self.place, what, expected, hint))

    def unknown(self, kind: str, name: object, known: Iterable[str]) -> None:
        names = tuple(known)
        self.fault(
            f"unknown {kind} {shown(name)}",
            f"one of {join_or(names)}",
            did_you_mean(str(name), names),
        )

    def _subjects(self, given: Mapping[str, Any]) -> dict[str, Any]:
        """Return its subject, its system and what that reports; what is not given is unknown."""
        allowed = dict.fromkeys((SYSTEM, REPORTED, self.rule.subject))
        for subject in given:
            if subject not in allowed:
                self.unknown("subject", subject, allowed)
        return {subject: self._record(subject, given.get(subject)) for subject in allowed}

    def _record(self, subject: str, given: Any) -> Any:
        if not isinstance(given, dict):
            if given is not None:
                self.fault(f"{subject} is {shown(given)}", "a mapping of facts to values")
            given = {}
        known = self.facts[subject]
        values = {}
        for name, value in given.items():
            if name not in known:
                self.unknown(f"fact of {subject}", name, known)
            elif value is not None:
                values[name] = self._value(f"{subject}.{name}", known[name], value)
        return blank(subject, values)

    def _value(self, name: str, fact: Fact, value: Any) -> Any:
        """Return the value of a fact or a parameter; None for a number that is wrong."""
        if fact.kind is Kind.NUMBER:
            return self._quantity(name, value, fact.unit)
        is_list = fact.kind is Kind.NAMES
        several = value if is_list and isinstance(value, list) else [value]
        wanted = bool if fact.kind is Kind.FLAG else str
        if isinstance(value, list) is not is_list or not all(
            isinstance(v, wanted) for v in several
        ):
            expected = "true or false" if fact.kind is Kind.FLAG else fact.kind.words
            self.fault(f"{name} is {shown(value)}", expected)
            return value
        for each in several if fact.one_of else ():
            if each not in fact.one_of:
                self.unknown(f"{name}:", each, fact.one_of)
        return tuple(several) if is_list else value

    def _parameters(self, given: Mapping[str, Any]) -> dict[str, Parameter]:
        """Return the example's own parameters, in the units of the rule's."""
        known = self.rule.parameters
        for name in given:
            if name not in known:
                self.unknown("parameter", name, known)
        values: dict[str, Parameter] = {}
        for name, usual in known.items():
            if name not in given:
                self.fault(f"parameter {name} is left out", "every parameter of the rule")
            else:
                values[name] = self._value(name, as_fact(usual), given[name])
        return values

    def _quantity(self, name: str, value: Any, unit: str) -> Quantity | None:
        expected = f"a number in {unit}, or [low, high]"
        parts = value if isinstance(value, list) else [value]
        try:
            if any(isinstance(part, bool) for part in parts):
                raise ValueError
            low, likely, high = ends(value, unit)
        except UnitError as error:
            self.fault(f"{name}: {error}", expected)
        except (TypeError, ValueError):
            self.fault(f"{name} is {shown(value)}", expected)
        else:
            if low <= likely <= high:
                source = Provenance("input", str(self.place))
                return Quantity(low, likely, high, unit, name=name, source=source)
            self.fault(f"{name}: {low:g}, {likely:g} and {high:g} do not rise", expected)
        return None


_FACT_TYPES: Mapping[str, JsonSchema] = {
    "number": {"anyOf": [
        {"type": ["number", "null"]}, {"type": "array", "items": {"type": ["number", "null"]}},
    ]},
    "text": {"type": ["string", "null"]},
    "flag": {"type": ["boolean", "null"]},
    "names": {"type": ["array", "null"]},
}  # fmt: skip


def rule_schema(partial: bool = False) -> JsonSchema:
    """Return the schema of a rule; a `partial` one changes a rule of the guide."""
    whole = json_schema(RuleChange if partial else RuleFile)
    whole["properties"]["subject"]["enum"] = list(RECORDS)
    given = whole["$defs"]["RuleExample"]["properties"]["given"]
    given["additionalProperties"] = False
    given["properties"] = {name: {"$ref": f"#/$defs/{name}"} for name in RECORDS} | {
        REPORTED: {
            "type": "object",
            "description": "By the names of the guide's table reported-facts.",
        }
    }
    whole["$defs"] |= {name: _facts(name) for name in RECORDS}
    return whole


def _facts(subject: str) -> JsonSchema:
    return {
        "type": "object",
        "properties": {name: _fact(fact) for name, fact in facts_of(subject).items()},
        "additionalProperties": False,
    }


def _fact(fact: Fact) -> JsonSchema:
    unit = f" ({fact.unit})" if fact.unit and fact.unit != "1" else ""
    schema = {**_FACT_TYPES[fact.kind], "description": f"{fact.doc}{unit}"}
    return {**schema, "enum": [*fact.one_of, None]} if fact.one_of else schema
