"""Whether fewer processors would be enough for what was measured."""

from __future__ import annotations

from sizewright.box.reading import known_of
from sizewright.check.check import Check, judge_known
from sizewright.evaluate.policy import Policy
from sizewright.failure import broken, newly_borderline
from sizewright.load.peak import is_observed
from sizewright.rules.compiler import RuleSet


def enough_processors(check: Check, rule_set: RuleSet, policy: Policy) -> int | None:
    """Return the fewest processors of the platform with which no further limit is missed.

    None if there are none too many, or if processor time was not measured.
    """
    known = known_of(check.box, check.guide)
    system, have = known.system, known.system.processors
    if have is None or not any(map(is_observed, known.measured.processors or ())):
        return None
    counts = map(int, check.guide.row("platforms", system.platform).list("processor_counts"))
    for number in sorted(each for each in counts if each < have):
        fewer = known._replace(system=system._replace(processors=number))
        judged = judge_known(fewer, check.guide, rule_set, policy)
        both = (check.judged, judged, rule_set, policy)
        if not broken(*both) and not newly_borderline(*both):
            return number
    return None
