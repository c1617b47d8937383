"""The record of a difference, `sizewright.diff/1`: what `sizewright diff --format json` prints."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from sizewright.diff.model import CauseKind, Section
from sizewright.output.json.common import JsonData, Record, Value, doc

if TYPE_CHECKING:
    from sizewright.diff import model

SCHEMA = "sizewright.diff/1"


class Side(Record):
    """One of the two plans."""

    name: str = doc("Its name here: the file.")
    workload: str = doc("Name of its workload.")
    workload_digest: str = doc("SHA-256 of the workload's file.")
    guide: str = doc("Id of the guide.")
    guide_version: str = doc("Version of the guide's data.")
    guide_digest: str = doc("Digest of the guide's files, and of those of overlays.")
    verdict: Literal["holds", "tight", "unknown", "waived", "violated"] = doc(
        "Verdict of the plan."
    )


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
        "Part of the result: the plan as a whole, a part to order, a budget, a finding, or `more` "
        "for anything else."
    )
    subject: str = doc(
        "What changed: system and row of the part to order, id of the budget, rule and subject, or "
        "key of the plan; empty for the plan as a whole."
    )
    figures: list[ChangedValue] = doc("Every value that changed.")
    causes: list[str] = doc(
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


class Difference(Record):
    """What `sizewright diff --format json` prints."""

    schema_: Literal["sizewright.diff/1"] = doc("Name and version of this format.", alias="schema")
    same: bool = doc("Whether both plans have the same result; their inputs may still differ.")
    before: Side = doc("The first plan.")
    after: Side = doc("The second plan.")
    changes: list[ChangedPart] = doc("What changed; empty if both plans have the same result.")
    causes: list[Cause] = doc("Every input that differs, or that only one plan depends on.")


def difference_data(found: model.Difference) -> JsonData:
    """Return the JSON of a difference as plain data."""
    return Difference.make(found, schema=SCHEMA).as_data()
