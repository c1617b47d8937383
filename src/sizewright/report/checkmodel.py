"""What a report on a box is made of."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

from sizewright.check.check import Check
from sizewright.check.rule_filter import EVERYTHING, RuleFilter
from sizewright.documents import Document
from sizewright.evaluate.policy import Policy
from sizewright.report.coverage import evaluated
from sizewright.rules.rule import Finding

if TYPE_CHECKING:
    from sizewright.check.cross_guide import CrossCheck
    from sizewright.planner.failure import Failure
    from sizewright.sensitivity.thresholds import BreakEven

# The verdicts on a box, best first; `unknown` is a run in which nothing could be judged.
CHECK_VERDICTS = ("holds", "tight", "violated", "unknown")


class CheckReport(NamedTuple):
    """A check with the document of its box, its policy, and what was asked.

    `break_even` is there where it was asked for, `failed` for each part that was to be taken away,
    `others` for each other guide that was asked. What these find counts for nothing here: verdict
    and exit code are those of the box's own guide.
    """

    check: Check
    document: Document
    policy: Policy
    selection: RuleFilter = EVERYTHING
    break_even: BreakEven | None = None
    failed: tuple[Failure, ...] = ()
    others: tuple[CrossCheck, ...] = ()

    @property
    def broken(self) -> tuple[Finding, ...]:
        """The findings that are violated and count."""
        return tuple(
            f for f in self.check.findings
            if f.verdict == "violated" and self.selection.counts(f.severity)
        )  # fmt: skip

    @property
    def counts(self) -> Counter[str]:
        """How many findings of each severity are violated."""
        return Counter(f.severity for f in self.check.findings if f.verdict == "violated")

    @property
    def verdict(self) -> str:
        """`violated` where something that counts is, `unknown` where nothing could be judged."""
        if self.broken:
            return "violated"
        if not evaluated(self.check.findings):
            return "unknown"
        return "tight" if self.borderline else "holds"

    @property
    def borderline(self) -> tuple[Finding, ...]:
        """The findings that are tight and count."""
        return tuple(
            f for f in self.check.findings
            if f.verdict == "tight" and self.selection.counts(f.severity)
        )  # fmt: skip

    @property
    def holds(self) -> bool:
        """Whether nothing that counts is violated, and something was judged at all."""
        return self.verdict in ("holds", "tight")
