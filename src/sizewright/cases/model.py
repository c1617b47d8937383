"""What a case study consists of: printed figures, what each is compared with, and the outcome."""

from __future__ import annotations

from typing import Any, Literal, NamedTuple

from sizewright.errors import Location

Verdict = Literal["agrees", "erratum", "differs"]
Kind = Literal["plan", "demand", "cell", "arithmetic"]
KINDS: tuple[Kind, ...] = ("plan", "demand", "cell", "arithmetic")
Value = float | tuple[float, float] | str


class Printed(NamedTuple):
    """One figure or choice of the guide, as its inventory lists it.

    `right` holds expressions over printed inputs, one or a low and a high one; `sound` says whether
    the printed value follows from them.
    """

    id: str
    section: str
    what: str
    value: Value
    as_printed: str
    unit: str
    right: tuple[str, ...]
    sound: bool
    note: str
    place: Location

    @property
    def is_number(self) -> bool:
        """Whether the guide prints a quantity here, not a choice in words."""
        return not isinstance(self.value, str)


class Erratum(NamedTuple):
    """Where the guide is wrong: the right value, what follows, whether the conclusion survives."""

    right: tuple[str, ...]
    consequence: str
    survives: bool
    why: str


class Proof(NamedTuple):
    """How the guide's own choice is tried: a workload or a box file, and what is set in it.

    `withdrawn` are rows, by table, that cannot be ordered, so that the guide's choice is left.
    """

    file: str
    is_box: bool
    changes: tuple[tuple[str, Any], ...]
    withdrawn: tuple[tuple[str, tuple[str, ...]], ...]
    place: Location


class Difference(NamedTuple):
    """Where the plan rightly differs: what it has instead, and what rules out the guide's choice.

    It has `instead` in words, or a number that follows by `right` from `inputs`, which says where
    each of them stands. `forced_by` is the rule that the guide's choice breaks and the plan does
    not, or `smaller` if the guide's choice holds too and is larger. The `proof` shows it.
    """

    instead: str
    right: tuple[str, ...]
    inputs: str
    forced_by: str
    reason: str
    proof: Proof | None


class Check(NamedTuple):
    """One comparison: a path into the plan of a workload or the check of a box.

    Without either it leads into tables and rules.

    The value wanted is, in this order: `right`, `decision`, the erratum's right value, what the
    difference says, or what is printed. An empty path compares the guide's arithmetic with itself.
    """

    workload: str
    box: str
    path: str
    end: str
    right: tuple[str, ...]
    decision: str | None
    tolerance: float | None
    tolerance_reason: str
    bound: str
    note: str
    place: Location

    @property
    def file(self) -> str:
        """The workload or the box; empty without either."""
        return self.box or self.workload


class Expected(NamedTuple):
    """What is to be done with one entry of the inventory."""

    id: str
    checks: tuple[Check, ...]
    erratum: Erratum | None
    differs: Difference | None
    undecided: str
    place: Location


class Decision(NamedTuple):
    """What a workload states beside numbers, who says it, and what the plan is without it.

    If the customer does not say it, the workload leaves it out, and it is not `stated`. The plan in
    which it is `turned`, taken back or put in, is compared by `checks`.
    """

    key: str
    section: str
    said: str
    then: str
    stated: bool
    turned: Proof
    checks: tuple[Check, ...]


class Case(NamedTuple):
    """A case study as read: each printed figure with its expectation, in the guide's order.

    Without workloads it holds what the guide works out by itself. `guide` is the one that it or
    its workload names; empty where neither does.
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
        """Whether it is a difference that nothing accounts for."""
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
        """How many comparisons came to a verdict; differences that a rule forces included."""
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
        """Whether some figure differs and nothing accounts for it."""
        return any(result.fails for result in self.results)
