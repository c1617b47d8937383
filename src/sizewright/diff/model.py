"""A difference of two results, `sizewright.diff/1`: values that changed, inputs that differ."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any, Literal, get_args

from sizewright.output.json.common import NotCounted, PlanVerdict, Record, Value, doc

SCHEMA = "sizewright.diff/1"

#: The parts of a result, in their order; `more` is all that no other section has.
Section = Literal["plan", "order", "finding", "headroom", "budget", "more"]
SECTIONS: tuple[Section, ...] = get_args(Section)

#: What may be the cause, the most specific first.
CauseKind = Literal["input", "table", "parameter", "overlay", "policy", "workload", "guide"]
CAUSE_KINDS: tuple[CauseKind, ...] = get_args(CauseKind)


#: How a finding changed; empty for other parts, and for changes that are neither.
Trend = Literal["", "new", "gone", "worse", "better"]


class Side(Record):
    """One of the two plans or checks."""

    name: str = doc("Its name here: the file.")
    workload: str = doc("Name of its workload or server.")
    workload_digest: str = doc("SHA-256 of its file.")
    guide: str = doc("Id of the guide.")
    guide_version: str = doc("Version of the guide's data.")
    guide_digest: str = doc("Digest of the guide's files, and of those of overlays.")
    verdict: PlanVerdict = doc("Verdict of the plan or the check.")
    not_counted: list[NotCounted] = doc("What its workload does not state; empty of a check.")


class ChangedValue(Record):
    """A value before and after."""

    figure: str = doc("Its dotted name; empty if the subject is the value.")
    before: Value = doc(
        "The value before: a quantity, number, text or flag, or `there` for an object with values "
        "of its own; null if there was none."
    )
    after: Value = doc("The value after, in the same form.")


class ChangedPart(Record):
    """A part of the result with the values that changed."""

    section: Section = doc(
        "Part of the result: the plan or check as a whole, a finding, the headroom of a resource, "
        "a part to order, a budget, or `more` for anything else."
    )
    subject: str = doc(
        "What changed: system and row of the part to order, id of the budget, rule and subject, or "
        "key of the plan; empty for the plan as a whole."
    )
    name: str = doc("Of a part to order: its name; otherwise empty.")
    severity: str = doc("Of a finding: the severity of its rule; otherwise empty.")
    trend: Trend = doc(
        "Of a finding: `new` if it did not fail before and fails or is borderline now, `gone` if "
        "it is the other way round, `worse` or `better` if its verdict is, or if more or less of "
        "its limit is used. Of headroom: `worse` or `better`. Otherwise empty."
    )
    figures: tuple[ChangedValue, ...] = doc("Every value that changed.")
    causes: tuple[str, ...] = doc(
        "Keys of the causes behind these values. If there are none, other parts were chosen, or "
        "they are in another place."
    )


class InputValue(Record):
    """What an input states in one plan."""

    value: Value = doc("A quantity, number, text or flag; null if nothing.")
    where: str = doc(
        "`table/row/column`, the rule and parameter, `file:line:column`, or the overlay; empty if "
        "not stated."
    )
    cite: str = doc("The section that it names; empty if none.")


class Cause(Record):
    """An input that differs."""

    kind: CauseKind = doc(
        "A line of the workload, a cell of a table, a rule's parameter, a value of an overlay, the "
        "policy, the workload's file or the guide as a whole."
    )
    key: str = doc("Its name, the same in both plans.")
    before: InputValue | None = doc("In the first plan; null if no value there depends on it.")
    after: InputValue | None = doc("In the second plan; null if no value there depends on it.")

    @property
    def differs(self) -> bool:
        """Whether both plans have it, with another value."""
        return self.before is not None and self.after is not None


class Difference(Record):
    """What `sizewright diff --format json` prints."""

    schema_: Literal["sizewright.diff/1"] = doc("The format with its version.", alias="schema")
    summary: tuple[str, ...] = doc(
        "What changed, in short: verdict, machines, parts to order, price; empty if nothing of "
        "these did."
    )
    same: bool = doc("Whether both have the same result; their inputs may still differ.")
    before: Side = doc("The first plan or check.")
    after: Side = doc("The second one.")
    changes: tuple[ChangedPart, ...] = doc("What changed; empty if both have the same result.")
    causes: tuple[Cause, ...] = doc("Every input that differs, or that only one depends on.")


#: Means an object that has values of its own.
THERE = "there"
_NAMELESS = "one"
_QUANTITY = {"low", "likely", "high", "unit"}
# The keys by which objects in lists are named; those that an object has make up its name.
_NAMED_BY = (
    "system", "failed", "component", "service", "device", "resource", "platform", "rule",
    "subject", "id", "name", "volume", "network", "disk",
)  # fmt: skip


def diff_tree(before: Any, after: Any, name: str = "") -> Iterator[ChangedValue]:
    """Return every value that differs, by its dotted name; a quantity is one value.

    An object that only one side has is one value, `there`.
    """
    if before == after:
        return
    has_tree = _is_tree(before) or _is_tree(after)
    if has_tree and name and None in (before, after):
        has_tree = False
        before, after = (None if each is None else THERE for each in (before, after))
    if has_tree:
        first, second = _children(before), _children(after)
        for key in sorted({*first, *second}):
            below = f"{name}.{key}" if name else key
            yield from diff_tree(first.get(key), second.get(key), below)
    else:
        yield ChangedValue.make(figure=name, before=_value(before), after=_value(after))


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
    names = [item.get(key) for key in _NAMED_BY] if isinstance(item, dict) else []
    return " ".join(name for name in names if isinstance(name, str) and name) or _NAMELESS
