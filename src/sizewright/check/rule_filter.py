"""Which rules apply to an existing server, and which severities count against it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, NamedTuple

from sizewright.errors import Location, collect_errors, join_or, nearest, refusal, shown
from sizewright.guide.model import SEVERITIES
from sizewright.rules.rule import RECOMMENDED, rule_id

if TYPE_CHECKING:
    from sizewright.rules.compiler import RuleSet


class RuleFilter(NamedTuple):
    """The rules of `only` (empty is all), without those `ignored`.

    With a `severity` only rules at least so severe are asked, and all of them count. Without one
    only limits count: violations, which fail, and recommended limits, which are borderline.
    """

    only: tuple[str, ...] = ()
    ignored: tuple[str, ...] = ()
    severity: str = ""

    def counts(self, severity: str) -> bool:
        """Whether the verdict and the exit code depend on a rule of this severity."""
        return _rank(severity) <= _rank(self.severity or RECOMMENDED)

    def asks(self, rule: str, severity: str) -> bool:
        """Whether a rule is asked."""
        if self.severity and not self.counts(severity):
            return False
        return rule not in self.ignored and (not self.only or rule in self.only)


EVERYTHING = RuleFilter()


def _rank(severity: str) -> int:
    return SEVERITIES.index(severity)


def resolve_filter(asked: RuleFilter, rule_set: RuleSet) -> RuleFilter:
    """Return a filter with ids as the guide spells them.

    Raises InputError for unknown ids, and if no rule is left.
    """
    found = _resolve(asked, rule_set)
    if not any(found.asks(rule.id, rule.severity) for rule in rule_set.rules):
        place = Location("--rule, --ignore, --severity")
        raise refusal(place, "no rule is left to ask", "a rule that is asked")
    return found


def filter_of_guide(guide: str, asked: RuleFilter, rule_set: RuleSet) -> RuleFilter:
    """Return the part of a filter for another guide, with ids as that guide spells them.

    Its ids begin with `GUIDE/`; a severity is for all guides. Raises InputError for unknown ids.
    """
    prefix = qualified(guide, "")
    only, ignored = (
        tuple(name.removeprefix(prefix) for name in ids if name.startswith(prefix))
        for ids in (asked.only, asked.ignored)
    )
    return _resolve(RuleFilter(only, ignored, asked.severity), rule_set, prefix)


def filter_of_own_guide(guide: str, asked: RuleFilter, others: Iterable[str]) -> RuleFilter:
    """Return the part of a filter for the guide of the server's file, with or without its name.

    Ids that begin with the name of one of the `others` are not part of it.
    """
    away = tuple(qualified(other, "") for other in others)
    only, ignored = (
        tuple(name.removeprefix(qualified(guide, "")) for name in ids if not name.startswith(away))
        for ids in (asked.only, asked.ignored)
    )
    return RuleFilter(only, ignored, asked.severity)


def qualified(guide: str, rule: str) -> str:
    """Return a rule's id with its guide, for lists with rules of several guides."""
    return f"{guide}/{rule}"


def _resolve(asked: RuleFilter, rule_set: RuleSet, prefix: str = "") -> RuleFilter:
    with collect_errors() as errors:
        with errors.catch():
            only = resolve_rules(asked.only, rule_set, "--rule", prefix)
        ignored = resolve_rules(asked.ignored, rule_set, "--ignore", prefix)
    return RuleFilter(only, ignored, asked.severity)


def resolve_rules(
    rules: Iterable[str], rule_set: RuleSet, where: str = "rules", prefix: str = ""
) -> tuple[str, ...]:
    """Return rule ids as the guide spells them; raises InputError for unknown ids."""
    own = [rule.id for rule in rule_set.rules]

    def spelled(name: str) -> str:
        if (found := rule_id(name, own)) in own:
            return found
        expected = f"one of {join_or(prefix + one for one in own)}"
        near = nearest(name, own)
        hint = f"did you mean {shown(prefix + near)}?" if near else ""
        raise refusal(Location(where), f"there is no rule '{prefix}{name}'", expected, hint)

    with collect_errors() as errors:
        found = errors.for_each(spelled, rules)
    return tuple(dict.fromkeys(found))
