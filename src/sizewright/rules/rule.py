"""A rule ready to be evaluated, its verdicts, and the words of a finding."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, get_args

from sizewright.configuration.model import SYSTEM
from sizewright.errors import enumerated, nearest
from sizewright.facts.fact import Fact
from sizewright.formula import is_conversion, quantity_text, readable, rounded_text, unit_after
from sizewright.guide.model import ParameterValue
from sizewright.quantity import Quantity, as_quantity
from sizewright.rules.values import FALSE, TIGHT, TRUE, UNKNOWN, Truth, conjunction
from sizewright.units import PURE, UnitError, factor

if TYPE_CHECKING:
    from sizewright.rules.condition import Condition, Run

Verdict = Literal["holds", "tight", "violated", "unknown", "waived", "not_applicable"]
VERDICTS: tuple[Verdict, ...] = get_args(Verdict)
# The verdicts on what a rule asks for and is not there, or not in all cases.
MISSED: tuple[Verdict, ...] = ("violated", "tight")
Subjects = Mapping[str, Any]
Parameter = ParameterValue
# Exceeding a limit of the first severity is a failure, of the second borderline.
VIOLATION, RECOMMENDED = "violation", "recommended"
# The severities that set limits.
LIMITS = (VIOLATION, RECOMMENDED)


class Bound(NamedTuple):
    """A limit that a rule puts on a resource.

    `at_most` and `capacity` name a parameter or a fact; `share` names one that is a part
    of the capacity, `without_gain` one by which the capacity is larger. `when` restricts it further
    than the rule does. If it is `only_shown`, budgets have it, and the planner does not count by
    how much it is exceeded.
    """

    resource: str
    at_most: str
    share: str
    without_gain: str
    capacity: str
    when: "Condition | None"
    only_shown: bool = False


class _Rule(NamedTuple):
    """The fields of a rule.

    `reads` are the facts that its conditions read, as (subject, field); `judges` is whether it is
    for plans, for existing servers, or for both. One of sizewright's `own` is in every guide.
    """

    id: str
    title: str
    guide: str
    cite: str
    subject: str
    severity: str
    when: "Condition | None"
    require: "Condition"
    parameters: Mapping[str, Parameter]
    stated_bounds: tuple[Bound, ...]
    message: str
    remedy: str
    spec: Mapping[str, Any]
    reads: frozenset[tuple[str, str]]
    judges: tuple[str, ...] = ("plan", "box")
    own: bool = False
    complete: str = ""


class Rule(_Rule):
    """A rule with its conditions compiled and its parameters resolved."""

    def facts_of(self, subject: str) -> frozenset[str]:
        """Return the facts of a subject that its conditions read."""
        return self._facts.get(subject, frozenset())

    @cached_property
    def _facts(self) -> Mapping[str, frozenset[str]]:
        subjects = {name for name, _ in self.reads}
        return {
            subject: frozenset(field for name, field in self.reads if name == subject)
            for subject in subjects
        }

    @cached_property
    def bounds(self) -> tuple[Bound, ...]:
        """The limits that count in the planner: all but those that are only shown."""
        return tuple(bound for bound in self.stated_bounds if not bound.only_shown)

    @property
    def blocks(self) -> bool:
        """Whether breaking it makes a plan infeasible."""
        return self.severity == VIOLATION

    @property
    def is_only_shown(self) -> bool:
        """Whether it is a recommended limit for which the planner adds no part."""
        return self.severity == RECOMMENDED and not self.bounds

    @cached_property
    def _when(self) -> "Run":
        return self.when.bind(self.parameters) if self.when is not None else lambda _: TRUE

    @cached_property
    def _require(self) -> "Run":
        return self.require.bind(self.parameters)

    def applies(self, bound: Bound, subjects: Subjects) -> Truth:
        """Return whether a bound of the rule applies to its subject."""
        applies = self._when(subjects)
        if bound.when is None or applies is FALSE:
            return applies
        return conjunction(applies, bound.when.evaluate(subjects, self.parameters))

    def verdict(self, subjects: Subjects) -> Verdict:
        """Return the verdict on one subject; `subjects` has it and its system by name.

        A recommended limit that is exceeded is tight.
        """
        applies = self._when(subjects)
        if applies is FALSE:
            return "not_applicable"
        meets = self._require(subjects)
        if meets is TRUE:
            # A requirement that is met cannot be broken, whether the rule applies or not, unless a
            # part of an amount is unknown.
            part = self.complete and getattr(subjects[SYSTEM], self.complete) is None
            return "unknown" if part else "holds"
        if meets is UNKNOWN or applies is UNKNOWN:
            return "unknown"
        return "tight" if meets is TIGHT or self.severity == RECOMMENDED else "violated"


class Finding(NamedTuple):
    """One rule on one subject; the words are made when they are read.

    `read` are the subjects that decided, `shown` those whose values the words have. `note` is
    added to the message; `reason` is that of a waiver.
    """

    asked: Rule
    subject: str
    verdict: Verdict
    read: Subjects
    shown: Subjects
    reason: str = ""
    note: str = ""

    @property
    def rule(self) -> str:
        """The id of the rule."""
        return self.asked.id

    @property
    def title(self) -> str:
        """The title of the rule."""
        return self.asked.title

    @property
    def guide(self) -> str:
        """The guide of the rule."""
        return self.asked.guide

    @property
    def severity(self) -> str:
        """The severity of the rule."""
        return self.asked.severity

    @property
    def source(self) -> str:
        """What the rule cites."""
        return self.asked.cite

    @property
    def message(self) -> str:
        """What is found, in words; empty if the rule is not applicable."""
        return self.said(lambda _, text: text)

    def said(self, named: Callable[[str, str], str]) -> str:
        """Return the message, with each text of a fact as `named` writes it.

        A note is about its first sentence, which summaries show alone.
        """
        if self.verdict == "not_applicable":
            return ""
        text = fill(self.asked.message, self.shown, self.asked.parameters, named)
        first, dot, rest = text.partition(". ")
        return f"{first}{self.note}{dot}{rest}"

    @property
    def remedy(self) -> str:
        """What to do, in words; empty if there is nothing to do."""
        if self.verdict in ("holds", "not_applicable"):
            return ""
        return fill(self.asked.remedy, self.shown, self.asked.parameters)

    @property
    def figures(self) -> Mapping[str, Quantity]:
        """The quantities that decided, by the names of the facts and parameters."""
        if self.verdict == "not_applicable":
            return {}
        rule = self.asked
        values = {
            f"{s}.{name}": getattr(self.read[s], name) for s, name in sorted(rule.require.names)
        }
        values |= {name: rule.parameters[name] for name in sorted(rule.require.parameters)}
        return {name: value for name, value in values.items() if isinstance(value, Quantity)}

    @property
    def missing(self) -> tuple[str, ...]:
        """The facts, as subject.fact, that would have to be known for a verdict."""
        if self.verdict != "unknown":
            return ()
        return tuple(
            f"{subject}.{name}" for subject, name in sorted(self.asked.reads)
            if getattr(self.read[subject], name) is None
        )  # fmt: skip


_HOLE = re.compile(
    r"\{(?P<name>[^{}|]*?)(?P<percent>:%)?(?P<digits>:2)?"
    r"(?:(?P<optional>\?)?(?: or (?P<otherwise>[^{}]+))?|\|(?P<yes>[^{}|]*)\|(?P<no>[^{}|]*)"
    r"| (?P<one>[^{}|]+)\|(?P<several>[^{}|]+))?\}"
)
# What is written in a sentence that is left out, because its value is unknown.
_LEFT_OUT = "\0"
_SENTENCE = re.compile(r"(?<=\.) ")
_PERCENT = "%"
_UNKNOWN = "unknown"


def check_template(
    template: str, subjects: Mapping[str, Mapping[str, Fact]], parameters: Mapping[str, Fact]
) -> Iterator[str]:
    """Yield an error for each name in braces that is neither a fact nor a parameter.

    Also for each number that is to be a percentage and has a unit that converts to none.
    """
    known = {f"{s}.{f}": fact for s, facts in subjects.items() for f, fact in facts.items()}
    known |= parameters
    for match in _HOLE.finditer(template):
        name, percent = match["name"], match["percent"]
        fact = known.get(name)
        if fact is None:
            near = nearest(name, list(known))
            yield f"unknown name '{name}'" + (f"; did you mean '{near}'?" if near else "")
        elif percent and fact.unit:
            try:
                factor(fact.unit, _PERCENT)
            except UnitError as error:
                yield f"{{{name}{percent}}}: {error}"
        elif match["yes"] is not None and fact.kind != "flag":
            yield f"{{{name}|…|…}}: '{name}' is no flag"
        elif match["one"] and (fact.kind != "number" or fact.unit != PURE):
            yield f"{{{name} …|…}}: '{name}' is no number without unit"


def fill(
    template: str, subjects: Mapping[str, Any], parameters: Mapping[str, Any],
    named: Callable[[str, str], str] = lambda _, text: text,
) -> str:  # fmt: skip
    """Return the template with every name replaced by its value in words.

    The text of a fact, or each of several, is written as `named` returns it for the name of the
    fact. A sentence with an unknown value that is marked `?` is left out; `or` has the words for a
    value that is unknown, or for a list that is empty. `{flag|yes|no}` is one of these
    words, and `{number disk|disks}` the number with one of them.
    """

    def value(match: re.Match[str]) -> Any:
        subject, dot, field = match["name"].partition(".")
        found = getattr(subjects[subject], field) if dot else parameters[match["name"]]
        if match["percent"] and isinstance(found, Quantity | float | int):
            return as_quantity(found).to(_PERCENT)
        if isinstance(found, tuple):
            words = [named(match["name"], each) for each in found]
            return enumerated(words or [match["otherwise"] or "none"])
        return named(match["name"], found) if isinstance(found, str) else found

    values = [value(match) for match in _HOLE.finditer(template)]
    figures = [each for each in values if isinstance(each, Quantity)]

    def told(match: re.Match[str]) -> str:
        found, otherwise = value(match), match["otherwise"] or _UNKNOWN
        if match["optional"]:
            otherwise = _LEFT_OUT
        if match["yes"] is not None:
            return _flag_in_words(found, match["yes"], match["no"])
        if match["one"]:
            number = in_words(found)
            return f"{number} {match['one' if number == '1' else 'several']}"
        if match["digits"] and isinstance(found, Quantity):
            return in_words(found, otherwise, _two_digits)
        # Numbers that rounding makes the same are written with more digits.
        for text in (rounded_text, partial(rounded_text, whole_percent=False)):
            shown = in_words(found, otherwise, text)
            same = (one for one in figures if in_words(one, otherwise, text) == shown)
            if len({(one.low, one.high) for one in same}) < 2:
                return shown
        return in_words(found, otherwise)

    text = " ".join(_HOLE.sub(told, template).split())
    if _LEFT_OUT not in text:
        return text
    kept = (each for each in _SENTENCE.split(text) if _LEFT_OUT not in each)
    return " ".join(kept).removesuffix(".")


def _flag_in_words(value: bool | None, yes: str, no: str) -> str:
    """Return the words for the value; if it is unknown, both, or nothing if one has no words."""
    if value is None:
        return f"{yes} or {no}" if yes and no else ""
    return yes if value else no


def _is_calculated(value: Quantity) -> bool:
    """Return whether a quantity has operands, apart from the change of a unit."""
    while value.args and (value.op == "is" or is_conversion(value)):
        value = value.args[0]
    return bool(value.args)


def _two_digits(value: float, unit: str) -> str:
    return quantity_text(float(f"{value:.1e}"), unit)


def rule_id(name: str, known: Iterable[str]) -> str:
    """Return the known id of a rule, for a name as reports print it (`rule VII`); else the name."""
    wanted = name.lower().removeprefix("rule ")
    return next((each for each in known if each.lower() == wanted), name)


def in_words(
    value: Any, otherwise: str = _UNKNOWN, rounded: Callable[[float, str], str] | None = None
) -> str:
    """Return a fact or parameter as a message shows it; a range as low to high.

    What was calculated is written by `rounded`, if it is given; what is stated is as it is.
    """
    if value is None:
        return otherwise
    if isinstance(value, Quantity):
        text = rounded if rounded and _is_calculated(value) else quantity_text
        value = readable(value) if rounded else value
        low, high = text(value.low, value.unit), text(value.high, value.unit)
        if low == high:
            return high
        return f"{low.removesuffix(unit_after(value.low, value.unit))} to {high}"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, tuple):
        return ", ".join(map(str, value)) or "none"
    if isinstance(value, float):
        return quantity_text(value, "1")
    return str(value)
