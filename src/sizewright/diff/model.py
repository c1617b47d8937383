"""A difference of two plans: values that changed, and the inputs that differ behind them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any, Literal, NamedTuple, get_args

#: Stands for a whole thing with names of its own below it.
THERE = "there"
_NAMELESS = "one"
_QUANTITY = {"low", "likely", "high", "unit"}
# What things in the lists of a plan are called by; those that are there make up the name.
_NAMED_BY = (
    "system", "failed", "component", "service", "device", "resource", "platform", "rule",
    "subject", "id", "name", "volume", "network", "disk",
)  # fmt: skip


class ChangedValue(NamedTuple):
    """A figure by its name: what it was and is, as plain data; None where there was or is none."""

    figure: str
    before: Any
    after: Any


def diff_tree(before: Any, after: Any, name: str = "") -> Iterator[ChangedValue]:
    """Every value that differs, by its dotted name; a quantity is one value.

    Of a thing that one side only has it is told that it is there, and no more.
    """
    if before == after:
        return
    if name and None in (before, after) and (_is_tree(before) or _is_tree(after)):
        yield ChangedValue(name, *(None if each is None else THERE for each in (before, after)))
    elif _is_tree(before) or _is_tree(after):
        first, second = _children(before), _children(after)
        for key in sorted({*first, *second}):
            below = f"{name}.{key}" if name else key
            yield from diff_tree(first.get(key), second.get(key), below)
    else:
        yield ChangedValue(name, _value(before), _value(after))


def is_quantity(value: Any) -> bool:
    """Whether plain data is a quantity."""
    return isinstance(value, dict) and value.keys() == _QUANTITY


def _is_tree(value: Any) -> bool:
    """Return whether there are named values below."""
    if isinstance(value, dict):
        return not is_quantity(value)
    return isinstance(value, list) and any(isinstance(item, (dict, list)) for item in value)


def _value(value: Any) -> Any:
    """Return a value without named values below it; a list of words as one text."""
    if isinstance(value, list):
        return ", ".join(map(str, value))
    return value


def _children(value: Any) -> dict[str, Any]:
    """Return the values below by name; empty if there are none."""
    if isinstance(value, dict):
        return value
    if not isinstance(value, list):
        return {}
    found: dict[str, Any] = {}
    met = Counter[str]()
    for item in value:
        name = called = _called(item)
        met[called] += 1
        while name in found:
            met[called] += name != called
            name = f"{called} #{met[called]}"
        found[name] = item
    return found


def _called(item: Any) -> str:
    if isinstance(item, str):
        return item
    names = [item.get(key) for key in _NAMED_BY] if isinstance(item, dict) else []
    return " ".join(name for name in names if isinstance(name, str) and name) or _NAMELESS


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


class InputValue(NamedTuple):
    """The value of an input in one of two plans, and its location."""

    value: Any
    where: str
    cite: str


class Cause(NamedTuple):
    """An input that differs; a side is None where no figure of that plan rests on it."""

    kind: CauseKind
    key: str
    before: InputValue | None
    after: InputValue | None

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
    figures: tuple[ChangedValue, ...]
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
