"""A case study as read, and the outcome of its comparisons."""

from __future__ import annotations

from typing import Literal, NamedTuple, get_args

from sizewright.cases.expected import Decision, Expected, Printed, Value
from sizewright.cases.expressions import Kind

Verdict = Literal["agrees", "erratum", "differs"]
KINDS: tuple[Kind, ...] = get_args(Kind)


class Case(NamedTuple):
    """A case study as read: each printed value with its expectation, in the guide's order.

    Without workloads it has examples that the guide calculates. `guide` is the one that it or its
    workload names; empty if neither does.
    """

    id: str
    title: str
    section: str
    folder: str
    reason_beyond_percent: float
    entries: tuple[tuple[Printed, Expected], ...]
    guide: str = ""
    decisions: tuple[Decision, ...] = ()

    @property
    def workloads(self) -> tuple[str, ...]:
        """The workload files that some comparison is about, sorted."""
        checks = [check for _, expected in self.entries for check in expected.checks]
        return tuple(sorted({check.workload for check in checks if check.workload}))


class Result(NamedTuple):
    """One comparison's outcome; `tolerance` is absolute, in the unit of the printed value."""

    case: str
    id: str
    what: str
    workload: str
    path: str
    cite: str
    guide: Value
    computed: Value
    unit: str
    tolerance: float
    verdict: Verdict
    reason: str
    kind: Kind
    forced_by: str = ""

    @property
    def fails(self) -> bool:
        """Whether it is a difference without an explanation."""
        return self.verdict == "differs" and not self.forced_by


class Outcome(NamedTuple):
    """A case study as run."""

    case: Case
    results: tuple[Result, ...]

    @property
    def undecided(self) -> tuple[tuple[Printed, str], ...]:
        """The guide's choices that a plan does not make, each with the reason."""
        return tuple((p, e.undecided) for p, e in self.case.entries if e.undecided)

    def count(self, verdict: Verdict) -> int:
        """How many comparisons have a verdict, including differences that a rule forces."""
        return sum(result.verdict == verdict for result in self.results)

    def of_kind(self, kind: Kind) -> int:
        """How many comparisons are of a kind."""
        return sum(result.kind == kind for result in self.results)

    @property
    def forced(self) -> int:
        """How many differences a rule forces."""
        return sum(bool(result.forced_by) for result in self.results)

    @property
    def fails(self) -> bool:
        """Whether some value differs without an explanation."""
        return any(result.fails for result in self.results)
