"""A rule's examples pin its condition: change it in one place, and an example fails."""

import re
from collections.abc import Iterator

import pytest

from sizewright.facts.fact import Fact, Kind
from sizewright.facts.records import facts_of
from sizewright.guide.loader import load_guide
from sizewright.quantity import Quantity
from sizewright.rules.checker import compile_condition
from sizewright.rules.compiler import RuleSet, compile_rules
from sizewright.rules.condition import Condition
from sizewright.rules.examples import run_examples
from sizewright.rules.parser import ConditionError, Schema
from sizewright.rules.rule import Rule

pytestmark = pytest.mark.no_cover

RULES = compile_rules(load_guide("sun-1992"))
SWAPS = (
    ("<=", "<"), ("<=", ">="), (">=", ">"), (">=", "<="), (" > ", " >= "), (" > ", " < "),
    ("==", "!="), ("!=", "=="), (" and ", " or "), (" or ", " and "), ("not ", ""),
    (" + ", " - "), (" * ", " / "), (" / ", " * "), ("min(", "max("),
)  # fmt: skip


def changed(text: str) -> Iterator[str]:
    """The condition with one operator, one literal or one part of it changed."""
    for old, new in SWAPS:
        for match in re.finditer(re.escape(old), text):
            yield text[: match.start()] + new + text[match.end() :]
    for match in re.finditer(r"(?<= )[012]\b(?!\.)", text):
        for other in set("012") - {match[0]}:
            yield text[: match.start()] + other + text[match.end() :]
    for part in re.split(r" (?:and|or) ", text):
        for joint in (" and ", " or "):
            for piece in (joint + part, part + joint):
                if piece in text:
                    yield text.replace(piece, "", 1)


def compiled(rule: Rule, text: str) -> Condition | None:
    """The changed condition, unless it is none any more."""
    subjects = {
        subject: {n: Fact(f.kind, optional=f.optional) for n, f in facts_of(subject).items()}
        for subject in {rule.subject, "system"}
    }
    assert all(isinstance(value, Quantity) for value in rule.parameters.values())
    parameters = {name: Fact(Kind.NUMBER) for name in rule.parameters}
    try:
        return compile_condition(text, Schema(subjects, parameters))
    except ConditionError:
        return None


def survivors(rule: Rule) -> Iterator[str]:
    for name in ("when", "require"):
        condition: Condition | None = getattr(rule, name)
        for text in sorted(set(changed(condition.text))) if condition else ():
            other = compiled(rule, text)
            if other is None:
                continue
            mutant = rule._replace(**{name: other})
            rule_set = RuleSet((mutant,), RULES.facts)
            if all(result.ok for result in run_examples(rule_set)):
                yield f"{name}: {text}"


@pytest.mark.parametrize("rule", RULES.rules, ids=lambda rule: rule.id)
def test_a_changed_condition_fails_an_example(rule: Rule) -> None:
    assert list(survivors(rule)) == []


def test_changes_are_made_at_all() -> None:
    assert set(changed("a.b <= c and d.e > 0")) >= {"a.b < c and d.e > 0", "a.b <= c", "d.e > 0"}
