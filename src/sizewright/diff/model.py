"""What a difference of two plans is: what moved, and what of their inputs differs behind it."""

from __future__ import annotations

from typing import Any, Literal, NamedTuple, get_args

from sizewright.diff.walk import Moved

#: What may move, in the order in which it is told; `more` is all that no other section tells.
Section = Literal["plan", "order", "budget", "finding", "more"]
SECTIONS: tuple[Section, ...] = get_args(Section)

#: What may stand behind it, the most telling first.
CauseKind = Literal["input", "table", "parameter", "overlay", "policy", "workload", "guide"]
CAUSE_KINDS: tuple[CauseKind, ...] = get_args(CauseKind)


class Side(NamedTuple):
    """One of two plans: what it is called here, and what it was made of."""

    name: str
    workload: str
    workload_digest: str
    guide: str
    guide_version: str
    guide_digest: str
    verdict: str


class Stand(NamedTuple):
    """A value of an input in one of two plans, and where it stands there."""

    value: Any
    where: str
    cite: str


class Cause(NamedTuple):
    """An input that differs; a side is None where no figure of that plan rests on it."""

    kind: CauseKind
    key: str
    before: Stand | None
    after: Stand | None

    @property
    def differs(self) -> bool:
        """Whether both plans have it, with another value."""
        return self.before is not None and self.after is not None


class Change(NamedTuple):
    """A part of the answer with its figures that moved, and the keys of what moved them.

    Without any the figures moved because other parts were chosen, or stand elsewhere.
    """

    section: Section
    subject: str
    figures: tuple[Moved, ...]
    causes: tuple[str, ...]


class Difference(NamedTuple):
    """Two plans, what moved from one to the other, and every input that differs."""

    before: Side
    after: Side
    changes: tuple[Change, ...]
    causes: tuple[Cause, ...]

    @property
    def same(self) -> bool:
        """Whether both give the same answer; their inputs may still differ."""
        return not self.changes
