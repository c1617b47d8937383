"""Reads a case study's inventory and expectations, and demands one for each figure."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from sizewright.api import workload_guide
from sizewright.cases.fields import Fields
from sizewright.cases.model import Case, Check, Difference, Erratum, Expected, Printed
from sizewright.documents import read_document
from sizewright.errors import Fault, InputFaults, Place, meant, refusal

INVENTORY = "inventory.yaml"
EXPECTED = "expected.yaml"

_CASE = ("case", "title", "section", "figures")
_PRINTED = (
    "id", "section", "what", "printed", "as_printed", "unit", "kind", "from", "right", "sound",
    "note",
)  # fmt: skip
_EXPECTED = ("case", "workload", "guide", "reason_beyond_percent", "figures")
_CHECK = ("workload", "path", "end", "tolerance", "tolerance_reason", "decision", "note")
_KINDS = ("erratum", "differs", "undecided", "arithmetic")
_ENDS = ("high", "low", "likely", "range")
_BOUNDS = ("at_most", "at_least")


def case_folders(folder: Path) -> tuple[Path, ...]:
    """Every folder at or below one that holds a case study; raises InputFaults for no folder."""
    if not folder.is_dir():
        what = "is not a folder" if folder.exists() else "there is no such folder"
        raise refusal(Place(str(folder)), what, "a folder with case studies")
    return tuple(sorted(path.parent for path in folder.rglob(INVENTORY)))


def read_case(folder: Path) -> Case:
    """Read one case study. Raises InputFaults with every fault of both files.

    Every figure of the inventory has exactly one expectation, every expectation a figure. A case
    without a workload has its paths in the tables and rules of the guide that it names.
    """
    faults: list[Fault] = []
    inventory = read_document(folder / INVENTORY)
    head = Fields(inventory, (), inventory.data, faults)
    head.only(_CASE)
    printed = [_printed(head.below("figures", n)) for n in range(len(head.list("figures")))]
    document = read_document(folder / EXPECTED)
    top = Fields(document, (), document.data, faults)
    top.only(_EXPECTED)
    case = head.text("case", required=True)
    if top.text("case", required=True) != case:
        top.fault("case", "is not the inventory's", f"'{case}'")
    workload = top.text("workload", required="guide" not in top.data)
    if top.text("guide", required="guide" in top.data) and workload:
        top.fault("guide", "cannot stand beside a workload", "the guide that the workload names")
    limit = top.number("reason_beyond_percent", required=True) or 0
    expected = [
        _expected(top.below("figures", n), workload) for n in range(len(top.list("figures")))
    ]
    faults.extend(_coverage(printed, expected))
    faults.extend(_missing_workloads(folder, expected))
    if faults:
        raise InputFaults(faults)
    by_id = {entry.id: entry for entry in expected}
    checks = [check for entry in expected for check in entry.checks]
    return Case(
        id=case, title=head.text("title"), section=head.text("section"), folder=str(folder),
        reason_beyond_percent=limit,
        entries=tuple((figure, by_id[figure.id]) for figure in printed),
        workloads=tuple(sorted({check.workload for check in checks if check.workload})),
        guide=top.text("guide") or workload_guide(read_document(folder / workload), "", ""),
    )  # fmt: skip


def _printed(fields: Fields) -> Printed:
    fields.only(_PRINTED)
    value = fields.value("printed")
    number = not isinstance(value, str)
    return Printed(
        id=fields.text("id", required=True),
        section=fields.text("section", required=True),
        what=fields.text("what", required=True),
        value=value,
        as_printed=fields.text("as_printed", required=True),
        unit=fields.text("unit", required=number),
        right=fields.expressions("right"),
        sound=fields.flag("sound"),
        note=fields.text("note").strip(),
        place=fields.place,
    )


def _expected(fields: Fields, workload: str) -> Expected:
    fields.only(("id", *_CHECK, "bound", *_KINDS, "also"))
    chosen = [kind for kind in _KINDS if kind in fields.data]
    if len(chosen) > 1:
        fields.fault(chosen[1], f"cannot stand beside {chosen[0]}", "one of the two")
    undecided = fields.text("undecided", required="undecided" in fields.data).strip()
    checks = []
    if not undecided:
        path = not fields.flag("arithmetic") and "erratum" not in fields.data
        checks = [_check(fields, workload, path)]
    for n in range(len(fields.list("also"))):
        more = fields.below("also", n)
        more.only((*_CHECK, "right"))
        checks.append(_check(more, workload, True))
    return Expected(
        id=fields.text("id", required=True),
        checks=tuple(checks),
        erratum=_erratum(fields.below("erratum")) if "erratum" in fields.data else None,
        differs=_difference(fields.below("differs")) if "differs" in fields.data else None,
        undecided=undecided,
        place=fields.place,
    )


def _check(fields: Fields, workload: str, path: bool) -> Check:
    tolerance = fields.number("tolerance")
    if tolerance is not None and tolerance < 0:
        fields.fault("tolerance", "is below 0", "a number, in the unit of the printed value")
    return Check(
        workload=fields.text("workload") or workload,
        path=fields.text("path", required=path),
        end=fields.text("end", one_of=_ENDS) or "high",
        right=fields.expressions("right"),
        decision=fields.text("decision") or None,
        tolerance=tolerance,
        tolerance_reason=fields.text("tolerance_reason"),
        bound=fields.text("bound", one_of=_BOUNDS),
        note=fields.text("note").strip(),
        place=fields.place,
    )


def _erratum(fields: Fields) -> Erratum:
    fields.only(("right", "consequence", "survives", "why"))
    survives = fields.text("survives", required=True, one_of=("yes", "no"))
    return Erratum(
        fields.expressions("right"),
        fields.text("consequence", required=True).strip(),
        survives == "yes",
        fields.text("why", required=True).strip(),
    )


def _difference(fields: Fields) -> Difference:
    fields.only(("instead", "forced_by", "reason"))
    return Difference(
        fields.value("instead"),
        fields.text("forced_by", required=True),
        fields.text("reason", required=True).strip(),
    )


def _coverage(printed: list[Printed], expected: list[Expected]) -> Iterator[Fault]:
    listed = [figure.id for figure in printed]
    given = [entry.id for entry in expected]
    for ids, what in ((printed, "figure"), (expected, "expectation")):
        seen: set[str] = set()
        for one in ids:
            if one.id in seen:
                yield Fault(one.place, f"a second {what} has the id '{one.id}'")
            seen.add(one.id)
    for figure in printed:
        if figure.id not in given:
            yield Fault(figure.place, f"figure '{figure.id}' has no entry in {EXPECTED}")
    for entry in expected:
        if entry.id not in listed:
            hint = meant(entry.id, listed)
            yield Fault(entry.place, f"there is no figure '{entry.id}' in {INVENTORY}", "", hint)


def _missing_workloads(folder: Path, expected: list[Expected]) -> Iterator[Fault]:
    for entry in expected:
        for check in entry.checks:
            if check.workload and not (folder / check.workload).is_file():
                yield Fault(check.place, f"there is no workload '{check.workload}' beside it")
