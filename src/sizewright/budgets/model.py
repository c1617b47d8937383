"""A budget: line items, their total, capacity, limit, utilisation, verdict."""

from __future__ import annotations

from typing import NamedTuple

from sizewright.load.model import Lines
from sizewright.quantity import Quantity
from sizewright.rules.model import Verdict
from sizewright.rules.ranges import at_most
from sizewright.rules.truth import FALSE


class Budget(NamedTuple):
    """One resource of one system.

    `used` is None where what is asked of it is not known.
    `limit_rule` names the rule that sets the limit; empty where the capacity itself is the limit.
    Between the `recommended` limit, where `recommended_rule` sets one, and the limit it is tight.
    """

    resource: str
    system: str
    kind: str
    name: str
    unit: str
    items: Lines
    used: Quantity | None
    capacity: Quantity | None
    limit: Quantity | None
    limit_rule: str
    utilisation: Quantity | None
    verdict: Verdict
    recommended: Quantity | None = None
    recommended_rule: str = ""

    def share_of_limit(self, end: str) -> float | None:
        """How full the resource is against its limit, at one end of the demand."""
        if self.used is None or self.limit is None or self.limit.low <= 0:
            return None
        ratio = self.used / self.limit
        return ratio.at(end)

    def is_over(self, end: str) -> bool:
        """Return whether the use exceeds the limit at one end of the demand, not only at another.

        An exceeded recommended limit does not count.
        """
        share = self.share_of_limit(end) if self.verdict == "tight" else None
        return self.verdict == "violated" or (share is not None and at_most(share, 1.0) is FALSE)
