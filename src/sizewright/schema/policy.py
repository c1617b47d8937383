"""How the plan is to be made where the guide leaves it open, or where it is overruled."""

from collections.abc import Iterator
from datetime import date
from typing import Annotated, Any, Literal

from pydantic import Field

from sizewright.schema.model import (
    FieldError,
    InvalidFieldError,
    Name,
    PlainField,
    SourcedModel,
    Text,
    not_allowed,
)
from sizewright.schema.quantity import Percent
from sizewright.units import PERCENT

SizeFor = Literal["low", "likely", "high"]
FollowAdvice = Literal["where_free", "always", "never"]


_PARAMETER = "a number, text, or a list of them"


def _read_parameter(value: Any) -> float | str | tuple[float | str, ...]:
    """Return a number, a text, or several of them, as written; the rule has their unit."""
    items = value if isinstance(value, (list, tuple)) else (value,)
    for item in items:
        if isinstance(item, bool) or not isinstance(item, (int, float, str)):
            raise not_allowed(item, _PARAMETER)
    if not items:
        raise InvalidFieldError(FieldError("the list is empty", _PARAMETER))
    return tuple(value) if isinstance(value, (list, tuple)) else value


_ONE = {"type": ["number", "string"]}
ParameterValue = Annotated[
    float | str | tuple[float | str, ...],
    PlainField(_read_parameter, anyOf=[_ONE, {"type": "array", "items": _ONE, "minItems": 1}]),
]


def _read_date(value: Any) -> date:
    """Return a day that is written as year, month and day."""
    try:
        return date.fromisoformat(value)
    except (TypeError, ValueError):
        raise not_allowed(value, "a date such as 1993-06-30") from None


Day = Annotated[date, PlainField(_read_date, type="string", format="date")]


class Waiver(SourcedModel):
    """A rule, by id, that is not to block the plan, and why not."""

    rule: Name
    """The rule, by its id."""
    reason: Text
    """Why the rule need not be met; reports repeat it."""
    subjects: tuple[Name, ...] = ()
    """Box files only: the parts for which the rule is waived, such as `sd1` or `disk/sd1`. Default:
    all."""
    until: Day | None = None
    """Last day of the waiver; after it the rule counts again. Default: it has no end."""


class Policy(SourcedModel):
    """How to plan if the guide leaves a choice, or if it is overruled."""

    size_for: SizeFor = "high"
    """The end of each range to size for: the plan must pass there."""
    default_mix: Name | None = None
    """A row of table `nfs-mixes`, for services that state none. Default: the guide's."""
    follow_advice: FollowAdvice = "where_free"
    """When to follow advice; `where_free` follows it if it needs no larger platform."""
    reserve: Percent | None = None
    """Part of every limit on a load that stays free: budgets of processors, disks, channels, busses
    and networks stay below (1 − reserve) × limit."""
    parameters: dict[str, dict[str, ParameterValue]] = Field(default_factory=dict)
    """Values that override the guide's, by rule and parameter: `{"XIII": {max_nfs_ops_per_s:
    200}}`."""
    waive: tuple[Waiver, ...] = ()
    """Rules that must not block the plan, each with its `reason`; if it ends, with its last day
    (`until`). A box file may name the `subjects` for which a rule is waived."""
    date: Day | None = None
    """Day on which waivers are in force or expired. Default: today, or `--date`."""

    def _field_errors(self) -> Iterator[FieldError]:
        if self.reserve is not None and self.reserve.high >= PERCENT:
            yield FieldError("nothing is left to use", "less than 100 %", at=("reserve",))
        seen: set[tuple[str, str]] = set()
        for index, waiver in enumerate(self.waive):
            for subject in waiver.subjects or ("",):
                if not seen.isdisjoint(((waiver.rule, ""), (waiver.rule, subject))):
                    where = f" on {subject}" if subject else ""
                    what = f"rule {waiver.rule} is waived twice{where}"
                    yield FieldError(what, "one reason a rule", at=("waive", index))
                seen.add((waiver.rule, subject))
