"""What a report on a box is made of."""

from __future__ import annotations

from collections import Counter
from typing import NamedTuple

from sizewright.check.judge import Check
from sizewright.planner.policy import Policy


class CheckReport(NamedTuple):
    """A check with the file of its box, the file's SHA-256 digest and its policy."""

    check: Check
    file: str
    digest: str
    policy: Policy

    @property
    def counts(self) -> Counter[str]:
        """How many findings of each severity are violated."""
        return Counter(f.severity for f in self.check.findings if f.verdict == "violated")

    @property
    def verdict(self) -> str:
        """`violated` where a limit is broken, `unknown` where nothing could be judged."""
        if self.counts["violation"]:
            return "violated"
        return "holds" if self.check.holds else "unknown"
