"""How strictly a plan must meet its limits, and what findings count against it."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from math import ceil
from operator import add, sub
from typing import Any, NamedTuple

from sizewright.configuration.model import SYSTEM
from sizewright.evaluate.limits import over_limit, with_reserve
from sizewright.limits import DECIMALS, EXCESS_PARTS, SHORTFALL_PARTS
from sizewright.quantity import Quantity
from sizewright.rules.rule import LIMITS, RECOMMENDED, Rule, Verdict
from sizewright.units import PERCENT

# Subjects whose parts the planner chooses.
_CHOSEN = ("network", "channel", "disk")
# Verdicts that count nothing.
_FREE = ("holds", "not_applicable")
# Severities that count in the search.
_COUNTED = (*LIMITS, "advice")


class Cost(NamedTuple):
    """What findings count against a candidate.

    Broken limits, by how much they are exceeded if the policy weighs that (in SHORTFALL_PARTS of
    each limit), what exceeds recommended limits (in EXCESS_PARTS, begun ones too), advice not
    followed, and advice followed in the best case only.
    """

    broken: int = 0
    over: int = 0
    excess: int = 0
    advice: int = 0
    tight: int = 0

    def plus(self, other: Cost) -> Cost:
        """Return the sum of both."""
        return Cost(*map(add, self, other))

    def minus(self, other: Cost) -> Cost:
        """Return this without the other."""
        return Cost(*map(sub, self, other))

    def times(self, number: int) -> Cost:
        """Return what a number of equal parts count together."""
        return Cost(*(number * each for each in self))


FREE = Cost()


class Waiver(NamedTuple):
    """A rule that is waived, on all parts or on these `subjects`, until a day if there is one."""

    rule: str
    reason: str
    subjects: tuple[str, ...] = ()
    until: str = ""
    expired: bool = False

    @property
    def told(self) -> str:
        """The reason, with the last day if there is one."""
        return f"{self.reason} (until {self.until})" if self.until else self.reason

    def covers(self, rule: str, subject: str) -> bool:
        """Whether it waives a rule on a subject (`system/kind/name`)."""
        named = any(subject.endswith(f"/{each}") for each in self.subjects)
        return rule == self.rule and (named or not self.subjects)


class Policy(NamedTuple):
    """The end of every range that a plan must pass at, the weight of advice, and waivers.

    `waived` are the rules waived on all parts, with reasons; `waivers` are all that are stated,
    expired ones and those of some parts too. `parameters` are the user's values that replace those
    of rules. An unknown limit of a part that the planner chooses makes a candidate infeasible; with
    `accept_unknown` it only counts as advice that is not followed. Rules that are `insisted` on
    count as that many limits, to find those that forbid to follow them; those of a system also if
    they are not applicable, because something else was chosen in place of what they advise. If
    nothing keeps all limits, a policy that `weighs_over` finds what exceeds them least of all that
    breaks as many.
    """

    size_for: str = "high"
    follow_advice: str = "where_free"
    waived: Mapping[str, str] = {}
    parameters: Mapping[str, Mapping[str, Any]] = {}
    reserve: Quantity | None = None
    accept_unknown: bool = False
    waivers: tuple[Waiver, ...] = ()
    insisted: Mapping[str, int] = {}
    weighs_over: bool = False

    def reason(self, rule: str, subject: str) -> str:
        """Return why a rule is waived on a subject (`system/kind/name`); empty if it is not."""
        found = (w.told for w in self.waivers if not w.expired and w.covers(rule, subject))
        return self.waived.get(rule, "") or next(found, "")

    def expiry(self, rule: str, subject: str) -> str:
        """Return the last day of an expired waiver of a rule on a subject; empty if none is."""
        found = (w.until for w in self.waivers if w.expired and w.covers(rule, subject))
        return next(found, "")

    @property
    def reserve_percent(self) -> float:
        """The part of every limit on a load that stays free, at the cautious end, in percent."""
        return self.reserve.high * PERCENT if self.reserve is not None else 0

    @property
    def insists_on_advice(self) -> bool:
        """Whether a plan must follow all advice."""
        return self.follow_advice == "always"

    def without_advice(self) -> Policy:
        """Return the same with no advice to follow."""
        return self._replace(follow_advice="never")

    def blocks(self, rule: Rule) -> bool:
        """Whether breaking a rule makes a candidate infeasible."""
        always = rule.severity == "advice" and self.insists_on_advice
        return rule.blocks or always or rule.id in self.insisted

    def counts(self, rule: Rule) -> bool:
        """Whether a rule counts in the search."""
        if rule.id in self.waived:
            return False
        if rule.severity == "advice" and self.follow_advice == "never":
            return False
        return rule.severity in _COUNTED

    def only_shown(self, rules: Iterable[Rule]) -> tuple[Rule, ...]:
        """Return the recommended limits for which the search adds no part."""
        return tuple(rule for rule in rules if rule.is_only_shown and self.counts(rule))

    def verdict(self, rule: Rule, subjects: Mapping[str, Any]) -> Verdict:
        """Return a rule's verdict at the end that the plan is sized for, with the reserve free."""
        if self.reserve is not None:
            subjects = with_reserve(rule, subjects, self.reserve)
        if self.size_for == "likely":
            subjects = {
                name: collapsed(record, rule.facts_of(name)) for name, record in subjects.items()
            }
        return rule.verdict(subjects)

    def broken(self, rule: Rule, verdict: Verdict) -> bool:
        """Whether a verdict counts as broken at the end that the plan is sized for."""
        return verdict == "violated" or (verdict == "tight" and self.size_for == "high")

    def breaks(self, rule: Rule, verdict: Verdict, partial: bool = False) -> bool:
        """Whether a verdict on a rule that blocks makes a candidate infeasible."""
        missing = not partial and _missing(rule, verdict) and not self.accept_unknown
        return self.broken(rule, verdict) or missing

    def cost(
        self, rule: Rule, verdict: Verdict, subjects: Mapping[str, Any], partial: bool = False
    ) -> Cost:
        """Return what a verdict counts; of a `partial` configuration unknown limits do not."""
        insisted = self.insisted.get(rule.id, 0)
        if insisted and verdict == "not_applicable" and rule.subject == SYSTEM:
            return Cost(broken=insisted)
        if verdict in _FREE:
            return FREE
        if self.blocks(rule):
            if self.breaks(rule, verdict, partial):
                weighed = self.weighs_over and not insisted
                over = self._over(rule, subjects, SHORTFALL_PARTS) if weighed else 0
                return Cost(insisted or 1, over)
            return Cost(advice=1) if not partial and _missing(rule, verdict) else FREE
        if rule.severity == RECOMMENDED:
            excess = self._over(rule, subjects, EXCESS_PARTS) if verdict == "tight" else 0
            return Cost(excess=excess) if excess else FREE
        if verdict == "violated":
            return Cost(advice=1)
        return Cost(tight=1) if verdict == "tight" else FREE

    def _over(self, rule: Rule, subjects: Mapping[str, Any], parts: int) -> int:
        """Return by how many of the parts of its limit a rule is exceeded; 0 if it sets none."""
        over = over_limit(rule, with_reserve(rule, subjects, self.reserve), self.size_for)
        return max(1, ceil(round(over * parts, DECIMALS))) if over else 0


def _missing(rule: Rule, verdict: Verdict) -> bool:
    """Return whether a limit is unknown of a part that the planner chooses."""
    return verdict == "unknown" and bool(rule.bounds) and rule.subject in _CHOSEN


def collapsed(record: Any, facts: Collection[str]) -> Any:
    """Return a record with the ranges of some facts replaced by their likely values."""
    values = {name: getattr(record, name) for name in facts}
    likely = {name: v.likely for name, v in values.items() if isinstance(v, Quantity)}
    return record._replace(**likely) if likely else record
