"""The files of a case study: the inventory of printed values, and what is expected of each."""

from collections.abc import Iterator
from typing import Annotated, Any, Literal, NamedTuple

from pydantic import AfterValidator, Field

from sizewright.cases.expressions import ExpressionError, evaluate
from sizewright.errors import Location
from sizewright.guide.model import place_of
from sizewright.schema.model import (
    NOT_EMPTY,
    FieldError,
    Flag,
    InputModel,
    InvalidFieldError,
    Name,
    PlainField,
    Text,
    not_allowed,
)


class Span(NamedTuple):
    """A number, or the two ends of a range."""

    low: float
    high: float

    @property
    def is_range(self) -> bool:
        """Whether the ends are apart."""
        return self.low != self.high


class Derivation(NamedTuple):
    """One expression of plain arithmetic, or a low and a high one, and their values."""

    texts: tuple[str, ...]
    span: Span

    def __str__(self) -> str:
        return " to ".join(self.texts)


Value = Span | str


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def _read_number(value: Any) -> float:
    if not _is_number(value) or value < 0:
        raise not_allowed(value, "a number of 0 or more")
    number: float = value
    return number


def _read_value(value: Any) -> Value:
    if isinstance(value, str) and value:
        return value
    if _is_number(value):
        return Span(value, value)
    if isinstance(value, list) and len(value) == 2 and all(map(_is_number, value)):
        low, high = value
        if low <= high:
            return Span(low, high)
    raise not_allowed(value, "a number, [low, high] or a text")


def _read_derivation(value: Any) -> Derivation:
    found = value if isinstance(value, list) else [value]
    if len(found) not in (1, 2) or not all(_is_number(f) or isinstance(f, str) for f in found):
        raise not_allowed(value, "an expression, or [low, high] of two")
    texts = tuple(map(str, found))
    try:
        values = [evaluate(text) for text in texts]
    except ExpressionError as error:
        allowed = "numbers, + - * /, parentheses and ceil(…)"
        raise InvalidFieldError(FieldError(str(error), allowed)) from None
    return Derivation(texts, Span(values[0], values[-1]))


def _read_subjects(value: Any) -> tuple[str, ...]:
    found = value if isinstance(value, (list, tuple)) else [value]
    if not found or not all(isinstance(one, str) and one for one in found):
        raise not_allowed(value, "a subject such as disk/sd0, system, or a list of them")
    return tuple(found)


Prose = Annotated[Text, AfterValidator(str.strip)]
Number = Annotated[float, PlainField(_read_number)]
Derived = Annotated[Derivation, PlainField(_read_derivation)]
Subjects = Annotated[tuple[str, ...], PlainField(_read_subjects)]


def _missing(key: str) -> FieldError:
    return FieldError("is missing", at=(key,))


def _exclusive(key: str, other: str) -> FieldError:
    return FieldError(f"cannot be given with {other}", "one of the two", at=(key,))


class Printed(InputModel):
    """One value or choice of the guide.

    `right` has expressions over printed inputs, one or a low and a high one; `sound` says whether
    the printed value follows from them. `kind` and `from` are notes.
    """

    id: Name
    section: Name
    what: Text
    printed: Annotated[Value, PlainField(_read_value)]
    as_printed: Text
    unit: Text = ""
    right: Derived | None = None
    sound: Flag = False
    note: Prose = ""
    kind: Any = None
    inputs: Any = Field(default=None, alias="from")

    def _field_errors(self) -> Iterator[FieldError]:
        if self.is_number and not self.unit:
            yield _missing("unit")

    @property
    def is_number(self) -> bool:
        """Whether the guide prints a quantity here, not a choice in words."""
        return not isinstance(self.printed, str)


class Inventory(InputModel):
    """The values that a case study of the guide prints, in the guide's order."""

    case: Name
    title: Text = ""
    section: Name = ""
    figures: tuple[Printed, ...] = ()


class _OfFile(InputModel):
    """Something about a workload file, or about a box file."""

    workload: Text = ""
    box: Text = ""

    @property
    def file(self) -> str:
        """The workload or the box; empty without either."""
        return self.box or self.workload


class Proof(_OfFile):
    """How the guide's own choice is tried: a workload or a box file, and what is set in it.

    `withdraw` are rows, by table, that cannot be ordered, so that the guide's choice is left.
    """

    set: dict[str, Any] = Field(default_factory=dict)
    withdraw: dict[str, tuple[Name, ...]] = Field(default_factory=dict)

    def _field_errors(self) -> Iterator[FieldError]:
        if self.box and self.workload:
            yield _exclusive("workload", "box")
        elif not self.file:
            yield _missing("workload")
        elif self.workload and not self.set and not self.withdraw:
            expected = "values of the workload by their paths, or withdraw"
            yield FieldError("is missing", expected, at=("set",))

    @property
    def place(self) -> Location:
        """Where the file is named."""
        return place_of(self.file)


class Erratum(InputModel):
    """An error of the guide: the right value, what follows, whether the conclusion survives."""

    right: Derived | None = None
    consequence: Prose
    survives: Literal["yes", "no"]
    why: Prose


class Difference(InputModel):
    """A plan that rightly differs: what it has instead, and what rules out the guide's choice.

    It has `instead` in words, or a number that follows by `right` from `inputs`, which says where
    each of them is printed. `forced_by` is the rule that the guide's choice breaks and the plan
    does not, or `smaller` if the guide's choice meets every limit and is larger. The `proof` shows
    it.
    """

    instead: Text = ""
    right: Derived | None = None
    inputs: Prose = ""
    forced_by: Name
    reason: Prose
    proof: Proof | None = None

    def _field_errors(self) -> Iterator[FieldError]:
        if self.right and self.instead:
            yield _exclusive("right", "instead")
        elif not self.right and not self.instead:
            yield _missing("right")
        elif self.right and not self.inputs:
            yield _missing("inputs")


class Check(_OfFile):
    """One comparison: a path into the plan of a workload or the check of a box.

    Without either it leads into tables and rules; without a path the guide's arithmetic is compared
    with itself. The value wanted is, in this order: `right`, `decision`, the erratum's right value,
    what the difference says, or what is printed.
    """

    path: Text = ""
    end: Literal["high", "low", "likely", "range"] = "high"
    right: Derived | None = None
    decision: Text | None = None
    tolerance: Number | None = None
    tolerance_reason: Text = ""
    note: Prose = ""

    @property
    def place(self) -> Location:
        """Where the path is stated."""
        return place_of(self.path)


class FurtherCheck(Check):
    """A comparison beside the one of an entry, or of a decision."""

    path: Text


class Expected(Check):
    """What is to be done with one value of the inventory; by default it is compared as printed."""

    id: Name
    bound: Literal["at_most", "at_least"] | None = None
    erratum: Erratum | None = None
    differs: Difference | None = None
    undecided: Prose = ""
    arithmetic: Flag = False
    also: tuple[FurtherCheck, ...] = ()

    def _field_errors(self) -> Iterator[FieldError]:
        kinds = ("erratum", "differs", "undecided", "arithmetic")
        chosen = [kind for kind in kinds if getattr(self, kind)]
        if len(chosen) > 1:
            yield _exclusive(chosen[1], chosen[0])
        elif not self.path and chosen in ([], ["differs"]):
            yield _missing("path")
        if self.right:
            yield FieldError("belongs in erratum, differs or also", at=("right",))

    @property
    def checks(self) -> tuple[Check, ...]:
        """Every comparison of the entry; the first is its own unless the plan does not decide."""
        return self.also if self.undecided else (self, *self.also)

    @property
    def place(self) -> Location:
        """Where the entry is."""
        return place_of(self.path or self.id)


class Decision(InputModel):
    """What a workload states beside numbers, who says it, and what the plan is without it.

    If the customer does not state it, the workload leaves it out; the plan is compared `with` it.
    """

    key: Name
    section: Name
    said: Prose
    then: Prose
    without: Proof | None = None
    added: Proof | None = Field(default=None, alias="with")
    checks: Annotated[tuple[FurtherCheck, ...], NOT_EMPTY]

    def _field_errors(self) -> Iterator[FieldError]:
        if (self.without is None) == (self.added is None):
            yield FieldError("the decision lacks what is compared", "without or with")

    @property
    def stated(self) -> bool:
        """Whether the workload states it."""
        return self.without is not None

    @property
    def changed(self) -> Proof:
        """The workload with the statement taken back, or added."""
        proof = self.without or self.added
        assert proof is not None
        return proof


class Expectations(InputModel):
    """What is expected of every value of an inventory.

    Without a workload all comparisons are with tables and rules of the guide that is named.
    """

    case: Name
    workload: Text = ""
    guide: Name = ""
    reason_beyond_percent: Number
    figures: tuple[Expected, ...] = ()
    decisions: tuple[Decision, ...] = ()

    def _field_errors(self) -> Iterator[FieldError]:
        if self.workload and self.guide:
            expected = "the guide that the workload names"
            yield FieldError("cannot be given with a workload", expected, at=("guide",))
        elif not self.workload and not self.guide:
            yield _missing("workload")


BoxVerdict = Literal["violated", "tight", "unknown", "waived"]


class ExpectedFinding(InputModel):
    """A finding that a box should have on some subjects, and why."""

    rule: Name
    subject: Subjects
    verdict: BoxVerdict
    why: Prose


class UnknownFindings(InputModel):
    """Subjects by rule whose findings are unknown for one reason."""

    why: Prose
    findings: dict[str, Subjects]


class BoxExpectations(InputModel):
    """All findings that a box should have that do not pass and are applicable."""

    case: Name
    box: Name
    findings: tuple[ExpectedFinding, ...] = ()
    unknown: tuple[UnknownFindings, ...] = ()

    @property
    def all_findings(self) -> tuple[ExpectedFinding, ...]:
        """Every finding, those that are unknown for one reason included."""
        grouped = (
            ExpectedFinding(rule=rule, subject=subjects, verdict="unknown", why=group.why)
            for group in self.unknown
            for rule, subjects in group.findings.items()
        )
        return (*self.findings, *grouped)
