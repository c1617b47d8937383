"""Read a case study: its inventory of printed values, and what is expected of each."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, TypeGuard

from sizewright.cases.expressions import ExpressionError, evaluate
from sizewright.cases.model import (
    Case,
    Check,
    Decision,
    Difference,
    Erratum,
    Expected,
    Printed,
    Proof,
    Value,
)
from sizewright.documents import Document, read_document
from sizewright.engine import workload_guide
from sizewright.errors import (
    Diagnostic,
    InputError,
    Location,
    did_you_mean,
    join_or,
    refusal,
    shown,
)

Steps = tuple[str | int, ...]


class Fields:
    """A mapping of a document, read field by field; faults go to the list it was given."""

    def __init__(
        self, document: Document, path: Steps, data: Any, faults: list[Diagnostic]
    ) -> None:
        self.document = document
        self.path = path
        self.faults = faults
        self.data: Mapping[str, Any] = data if isinstance(data, dict) else {}
        if not isinstance(data, dict):
            self.fault("", f"is {shown(data)}", "a mapping")

    @property
    def place(self) -> Location:
        """Where the mapping stands."""
        return self.document.place(self.path)

    def fault(self, key: str, what: str, expected: str = "", hint: str = "") -> None:
        """Note what is wrong with a field."""
        place = self.document.place((*self.path, key) if key else self.path)
        self.faults.append(Diagnostic(place, f"{key} {what}" if key else what, expected, hint))

    def only(self, allowed: Iterable[str]) -> None:
        """Refuse every other key."""
        known = tuple(allowed)
        for key in self.data:
            if key not in known:
                self.fault(
                    key, "is not known here", f"one of {join_or(known)}", did_you_mean(key, known)
                )

    def text(self, key: str, required: bool = False, one_of: tuple[str, ...] = ()) -> str:
        """A text, empty where it is left out."""
        value = self.data.get(key)
        if value is None and not required:
            return ""
        if not isinstance(value, str) or not value:
            self.fault(key, f"is {shown(value)}", "a text")
            return ""
        if one_of and value not in one_of:
            self.fault(
                key, f"is {shown(value)}", f"one of {join_or(one_of)}", did_you_mean(value, one_of)
            )
        return str(value)

    def number(self, key: str, required: bool = False) -> float | None:
        """A number, None where it is left out."""
        value = self.data.get(key)
        if _is_number(value):
            return value
        if value is not None or required:
            self.fault(key, f"is {shown(value)}", "a number")
        return None

    def flag(self, key: str) -> bool:
        """A flag, false where it is left out."""
        value = self.data.get(key, False)
        if not isinstance(value, bool):
            self.fault(key, f"is {shown(value)}", "true or false")
        return value is True

    def value(self, key: str) -> Value:
        """A number, a range or a text."""
        value = self.data.get(key)
        if _is_number(value):
            return value
        if isinstance(value, list) and len(value) == 2 and all(map(_is_number, value)):
            low, high = value
            if low <= high:
                return low, high
        if isinstance(value, str) and value:
            return str(value)
        self.fault(key, f"is {shown(value)}", "a number, [low, high] or a text")
        return ""

    def expressions(self, key: str, required: bool = False) -> tuple[str, ...]:
        """One expression of plain arithmetic, or a low and a high one; checked."""
        value = self.data.get(key)
        if value is None and not required:
            return ()
        found = value if isinstance(value, list) else [value]
        if len(found) not in (1, 2) or not all(_is_number(f) or isinstance(f, str) for f in found):
            self.fault(key, f"is {shown(value)}", "an expression, or [low, high] of two")
            return ()
        texts = tuple(map(str, found))
        for text in texts:
            try:
                evaluate(text)
            except ExpressionError as error:
                self.fault(key, str(error), "numbers, + - * /, parentheses and ceil(…)")
                return ()
        return texts

    def list(self, key: str) -> list[Any]:
        """A list, empty where it is left out."""
        value = self.data.get(key, [])
        if not isinstance(value, list):
            self.fault(key, f"is {shown(value)}", "a list")
            return []
        return value

    def below(self, *path: str | int) -> Fields:
        """The fields of a mapping inside this one."""
        value: Any = self.data
        for step in path:
            value = value[step]
        return Fields(self.document, (*self.path, *path), value, self.faults)


def _is_number(value: Any) -> TypeGuard[float]:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


INVENTORY = "inventory.yaml"
EXPECTED = "expected.yaml"

_CASE = ("case", "title", "section", "figures")
_PRINTED = (
    "id", "section", "what", "printed", "as_printed", "unit", "kind", "from", "right", "sound",
    "note",
)  # fmt: skip
_EXPECTED = ("case", "workload", "guide", "reason_beyond_percent", "figures", "decisions")
_CHECK = ("workload", "box", "path", "end", "tolerance", "tolerance_reason", "decision", "note")
_KINDS = ("erratum", "differs", "undecided", "arithmetic")
_ENDS = ("high", "low", "likely", "range")
_BOUNDS = ("at_most", "at_least")


def case_folders(folder: Path) -> tuple[Path, ...]:
    """Every folder at or below one that holds a case study; raises InputFaults for no folder."""
    if not folder.is_dir():
        what = "is not a folder" if folder.exists() else "there is no such folder"
        raise refusal(Location(str(folder)), what, "a folder with case studies")
    return tuple(sorted(path.parent for path in folder.rglob(INVENTORY)))


def read_case(folder: Path) -> Case:
    """Read one case study. Raises InputFaults with every fault of both files.

    Every figure of the inventory has exactly one expectation, every expectation a figure. A case
    without a workload has its paths in the tables and rules of the guide that it names.
    """
    faults: list[Diagnostic] = []
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
    decisions = [
        _decision(top.below("decisions", n), workload) for n in range(len(top.list("decisions")))
    ]
    faults.extend(_coverage(printed, expected))
    faults.extend(_missing_files(folder, expected))
    if faults:
        raise InputError(faults)
    by_id = {entry.id: entry for entry in expected}
    return Case(
        id=case, title=head.text("title"), section=head.text("section"), folder=str(folder),
        reason_beyond_percent=limit,
        entries=tuple((figure, by_id[figure.id]) for figure in printed),
        decisions=tuple(decisions),
        guide=top.text("guide") or workload_guide(read_document(folder / workload), "", ""),
    )  # fmt: skip


def _decision(fields: Fields, workload: str) -> Decision:
    """A statement that a workload makes, tried `without` it; or does not make, tried `with` it."""
    fields.only(("key", "section", "said", "then", "without", "with", "checks"))
    turned = [key for key in ("without", "with") if key in fields.data]
    if len(turned) != 1 or not fields.data.get("checks"):
        fields.fault("", "lacks what happens", "without or with, and checks")
    checks = []
    for n in range(len(fields.list("checks"))):
        more = fields.below("checks", n)
        more.only((*_CHECK, "right"))
        checks.append(_check(more, workload, True))
    return Decision(
        fields.text("key", required=True),
        fields.text("section", required=True),
        fields.text("said", required=True).strip(),
        fields.text("then", required=True).strip(),
        turned == ["without"],
        _proof(fields.below(*turned[:1])),
        tuple(checks),
    )


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
        workload="" if "box" in fields.data else fields.text("workload") or workload,
        box=fields.text("box", required="box" in fields.data),
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
    fields.only(("instead", "right", "inputs", "forced_by", "reason", "proof"))
    right = fields.expressions("right", required="instead" not in fields.data)
    if right and "instead" in fields.data:
        fields.fault("right", "cannot stand beside instead", "one of the two")
    return Difference(
        fields.text("instead"),
        right,
        fields.text("inputs", required=bool(right)).strip(),
        fields.text("forced_by", required=True),
        fields.text("reason", required=True).strip(),
        _proof(fields.below("proof")) if "proof" in fields.data else None,
    )


def _proof(fields: Fields) -> Proof:
    fields.only(("workload", "box", "set", "withdraw"))
    is_box = "box" in fields.data
    if is_box and "workload" in fields.data:
        fields.fault("workload", "cannot stand beside box", "one of the two")
    file = fields.text("box" if is_box else "workload", required=True)
    changes = fields.below("set").data if "set" in fields.data else {}
    withdraw = fields.below("withdraw") if "withdraw" in fields.data else None
    withdrawn = {table: withdraw.list(table) for table in withdraw.data} if withdraw else {}
    if not is_box and not changes and not withdrawn:
        fields.fault("set", "is missing", "values of the workload by their paths, or withdraw")
    return Proof(
        file, is_box, tuple(changes.items()),
        tuple((table, tuple(map(str, rows))) for table, rows in withdrawn.items()), fields.place,
    )  # fmt: skip


def _coverage(printed: list[Printed], expected: list[Expected]) -> Iterator[Diagnostic]:
    listed = [figure.id for figure in printed]
    given = [entry.id for entry in expected]
    for ids, what in ((printed, "figure"), (expected, "expectation")):
        seen: set[str] = set()
        for one in ids:
            if one.id in seen:
                yield Diagnostic(one.place, f"a second {what} has the id '{one.id}'")
            seen.add(one.id)
    for figure in printed:
        if figure.id not in given:
            yield Diagnostic(figure.place, f"figure '{figure.id}' has no entry in {EXPECTED}")
    for entry in expected:
        if entry.id not in listed:
            hint = did_you_mean(entry.id, listed)
            yield Diagnostic(
                entry.place, f"there is no figure '{entry.id}' in {INVENTORY}", "", hint
            )


def _missing_files(folder: Path, expected: list[Expected]) -> Iterator[Diagnostic]:
    for entry in expected:
        named = [(check.file, check.place) for check in entry.checks]
        if entry.differs and entry.differs.proof:
            named.append((entry.differs.proof.file, entry.differs.proof.place))
        for file, place in named:
            if file and not (folder / file).is_file():
                yield Diagnostic(place, f"there is no file '{file}' next to it")
