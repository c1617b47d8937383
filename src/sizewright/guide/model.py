"""A loaded guide: tables of rows, the rows that a file or a part names, and rules."""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from itertools import zip_longest
from types import MappingProxyType
from typing import Any, Literal, NamedTuple, get_args

from sizewright.documents import PlacedStr
from sizewright.errors import (
    Diagnostic,
    InputError,
    Location,
    did_you_mean,
    join_or,
    nearest,
    refusal,
)
from sizewright.guide.table_schema import TABLES, Column, ends
from sizewright.quantity import Provenance, Quantity, ambiguous, count
from sizewright.units import PURE

# The most severe first, as rule files spell them.
ParameterValue = Quantity | str | tuple[str, ...] | bool
Severity = Literal["violation", "recommended", "advice", "note"]
SEVERITIES = get_args(Severity)


# How a bound of a rule states its limit: a number, a share of the capacity, or the capacity.
LIMIT_WAYS = ("at_most", "share", "without_gain", "capacity")
# The folder of rules of the program itself, which every guide has.
OWN = "own"


def is_own(file: str) -> bool:
    """Whether a rule's file is one of sizewright's own."""
    return file.split("/")[-2:-1] == [OWN]


#: The id of the row of a part whose model is unknown.
UNKNOWN = ""


class Citation(NamedTuple):
    """Where a value comes from, and its status: printed, inferred or outside."""

    cite: str
    status: str
    origin: str = ""


@dataclass(slots=True, eq=False, repr=False)
class Row:
    """One device or fact of a table."""

    table: str
    columns: Mapping[str, Column]
    id: str
    values: Mapping[str, Any]
    mark: Citation
    marks: Mapping[str, Citation]
    note: str = ""
    _figures: dict[str, Quantity] = field(default_factory=dict, init=False)

    def __repr__(self) -> str:
        return f"<Row {self.table}/{self.id}>"

    def with_values(self, values: Mapping[str, Any]) -> "Row":
        """The same row with other values in some columns."""
        return replace(self, values={**self.values, **values})

    def mark_of(self, column: str) -> Citation:
        """Return the source and status of one cell."""
        return self.marks.get(column, self.mark)

    def cell(self, column: str, unit: str = "") -> Quantity | None:
        """Return the cell as a quantity, in its column's unit or another; None if it is blank."""
        known = self._figures.get(column)
        if known is None and self.values.get(column) is not None:
            known = self._figures[column] = self._read(column)
        return known.to(unit) if unit and known is not None else known

    def require(self, column: str, unit: str = "") -> Quantity:
        """Return the cell as a quantity; raises BlankCellError if it is blank."""
        found = self.cell(column, unit)
        if found is None:
            raise BlankCellError(self.table, self.id, column)
        return found

    def _read(self, column: str) -> Quantity:
        spec = self.columns[column]
        low, likely, high = ends(self.values[column], spec.unit)
        mark = self.mark_of(column)
        where = f"{self.table}/{self.id}/{column}"
        return Quantity(
            low, likely, high, spec.unit, name=f"{self.id} {column}",
            source=Provenance("table", where, mark.cite, mark.status),
        )  # fmt: skip

    def number(self, column: str, otherwise: float = 0) -> float:
        """Return the likely value of a cell as a plain number, for counts of parts."""
        found = self.cell(column)
        return otherwise if found is None else found.likely

    def text(self, column: str) -> str:
        """Return a text cell; empty if it is blank."""
        value = self.values.get(column)
        return "" if value is None else str(value)

    def flag(self, column: str) -> bool:
        """Return a flag; False if it is blank."""
        return bool(self.values.get(column))

    def get_flag(self, column: str) -> bool | None:
        """Return a flag; None if it is blank."""
        value = self.values.get(column)
        return None if value is None else bool(value)

    def list(self, column: str) -> tuple[Any, ...]:
        """Return a list cell; empty if it is blank."""
        return tuple(self.values.get(column) or ())


def cells(rows: Iterable[Row], column: str, unit: str = "") -> Iterator[Quantity]:
    """Yield the cells of a column that are not blank, in its unit or another."""
    found = (row.cell(column, unit) for row in rows)
    return (cell for cell in found if cell is not None)


class MissingDataError(InputError, LookupError):
    """Something that is needed is not in the guide; `words` say so without a place."""

    def __init__(
        self, place: str, what: str, expected: str = "", hint: str = "", words: str = ""
    ) -> None:
        super().__init__([Diagnostic(Location(place), what, expected, hint)])
        self.words = words

    def __str__(self) -> str:
        return self.words or self.text()


class BlankCellError(MissingDataError):
    """A cell is needed that the guide leaves blank."""

    def __init__(self, table: str, row: str, column: str) -> None:
        what = f"{column} is blank, and this plan needs it"
        expected, words = "a figure from the guide or an overlay", f"{table}/{row} has no {column}"
        super().__init__(f"table {table}, {row}", what, expected, words=words)


class NoSuchRowError(MissingDataError):
    """A name that no row of the table has."""

    def __init__(self, table: str, row: str, known: tuple[str, ...]) -> None:
        self.near = nearest(row, known)
        what = f"has no row '{row}'" if row else "a cell or default that names a row is blank"
        hint = f"did you mean {self.near}?" if self.near else ""
        expected, others = "", ""
        if known:
            expected, others = f"one of {join_or(known)}", f"; known: {', '.join(known)}"
        words = f"table {table} has no row '{row}'" + (f"; {hint}" if hint else others)
        super().__init__(f"table {table}", what, expected, hint, words)


@dataclass(slots=True, eq=False, repr=False)
class Table:
    """A file of rows of one kind."""

    name: str
    title: str
    columns: Mapping[str, Column]
    rows: Mapping[str, Row]
    _by: dict[tuple[str, ...], Mapping[tuple[str, ...], tuple[Row, ...]]] = field(
        default_factory=dict, init=False
    )

    def by(self, *columns: str) -> Mapping[tuple[str, ...], tuple[Row, ...]]:
        """Return the rows by the texts of some columns, in the order of the table."""
        if columns not in self._by:
            found: dict[tuple[str, ...], list[Row]] = {}
            for row in self.rows.values():
                found.setdefault(tuple(row.text(name) for name in columns), []).append(row)
            self._by[columns] = {texts: tuple(rows) for texts, rows in found.items()}
        return self._by[columns]

    def blank(self) -> Row:
        """Return the row of a part whose model is unknown: all its cells are blank."""
        return Row(self.name, self.columns, UNKNOWN, {}, Citation("", ""), {})

    def __getitem__(self, row_id: str) -> Row:
        try:
            return self.rows[row_id]
        except KeyError:
            raise NoSuchRowError(self.name, row_id, tuple(self.rows)) from None

    def __iter__(self) -> Iterator[Row]:
        return iter(self.rows.values())


class Change(NamedTuple):
    """One value of the guide that an overlay overrides."""

    overlay: str
    what: str
    before: str
    after: str


#: The tables whose rows can be ordered.
PARTS_TABLES = (
    "platforms", "boards", "memory-boards", "disks", "removable-media", "operating-systems",
    "software", "database-systems", "serial-line-options", "trays",
)  # fmt: skip


class Guide(NamedTuple):
    """A guide, whole and checked. `rules` holds the rule files' contents by rule id.

    `digest` depends on its files and overlays only; by `key` this program keeps what it makes of
    them. `prices` are those of overlays: currency, date, source, and prices by `table/row`.
    """

    id: str
    title: str
    version: str
    digest: str
    defaults: Mapping[str, str]
    sections: Mapping[str, str]
    documents: Mapping[str, str]
    tables: Mapping[str, Table]
    rules: Mapping[str, Mapping[str, Any]]
    changes: tuple[Change, ...] = ()
    key: str = ""
    prices: Mapping[str, Any] = MappingProxyType({})

    def table(self, name: str) -> Table:
        """Return a table; one that the program reads but the guide does not have has no rows.

        Raises NoSuchRowError naming the nearest.
        """
        try:
            return self.tables[name]
        except KeyError:
            if name in TABLES:
                return Table(name, "", {}, {})
            raise NoSuchRowError("of tables", name, tuple(self.tables)) from None

    def row(self, table: str, row_id: str) -> Row:
        """Return a row, blank for UNKNOWN; raises NoSuchRowError with the nearest name."""
        try:
            return self.tables[table].rows[row_id]
        except KeyError:
            found = self.table(table)
            return found.blank() if row_id == UNKNOWN else found[row_id]

    def default_row(self, table: str, default: str) -> Row:
        """Return the row that a default of the guide names, such as its usual database manager."""
        return self.row(table, self.defaults[default])

    def row_or_blank(self, table: str, row_id: str | None) -> Row:
        """Return a row; a blank one for a name that the table does not have."""
        found = self.table(table)
        return found.rows.get(row_id or UNKNOWN) or found.blank()

    def with_values(self, table: str, row_id: str, values: Mapping[str, Any]) -> "Guide":
        """The same guide with other values in one row; raises NoSuchRowError."""
        old, row = self.table(table), self.row(table, row_id).with_values(values)
        changed = replace(old, rows={**old.rows, row_id: row})
        return self._replace(tables={**self.tables, table: changed})


def place_of(value: object, otherwise: str = "workload") -> Location:
    """Return the location of a value, or of a quantity's number, in the user's file."""
    place = getattr(value, "place", None)
    if isinstance(value, Quantity) and value.source is not None:
        return Location(value.source.where)
    return place if isinstance(place, Location) else Location(otherwise)


def printed(row: Row) -> tuple[str, ...]:
    """Return what reports call a row, and its other names."""
    name = row.text("name")
    kind = row.text("interface").upper() if row.table == "disks" else ""
    disks = (f"{name} {kind} disk", f"{name} disk") if kind and name else ()
    return tuple(filter(None, (name, *disks, *row.list("aliases"))))


def row_id(guide: Guide, table: str, name: str) -> str:
    """Return the id of the row with an id or a printed name; the name itself if no single has it.

    Large and small letters are the same in a printed name.
    """
    rows = guide.table(table).rows
    if name in rows:
        return name
    low = name.casefold()
    found = [row.id for row in rows.values() if low in map(str.casefold, printed(row))]
    if len(found) != 1:
        return name
    same = PlacedStr(found[0])
    if isinstance(name, PlacedStr):
        same.place = name.place
    return same


def require_row(guide: Guide, table: str, name: str) -> Row:
    """Return a row that the user names; raises InputError with the nearest id or printed name."""
    try:
        return guide.row(table, name)
    except NoSuchRowError:
        rows = guide.table(table)
        near = did_you_mean(name, [*rows.rows, *(each for row in rows for each in printed(row))])
        what = f"guide {guide.id} has no '{name}' in table {table}"
        raise refusal(place_of(name), what, ", ".join(rows.rows), near) from None


def device_table(guide: Guide, name: str) -> str:
    """Return the table of devices that has a row, or the nearest name."""
    tables = {
        name: table for table in ("removable-media", "disks") for row in guide.table(table)
        for name in (*printed(row), row.id)
    }  # fmt: skip
    return tables.get(name) or tables.get(nearest(name, tables), "disks")


def rated_platforms(guide: Guide) -> dict[str, Row]:
    """Return for each platform its row of NFS capacity with the most networks."""
    found: dict[str, Row] = {}
    for row in guide.table("nfs-capacity"):
        name = row.text("platform")
        before = found.get(name)
        if before is None or row.number("required_networks") > before.number("required_networks"):
            found[name] = row
    return found


def memory_at_most(platform: Row) -> float | None:
    """Return the most MB of memory that a platform takes; None if the guide does not state it."""
    limit = platform.cell("memory_limit_mb")
    dense = platform.cell("onboard_memory_limit_dense_simms_mb")
    return None if limit is None else max(limit.high, dense.high if dense is not None else 0)


def effective_kb_per_s(medium: Row) -> Quantity | None:
    """Return the speed of a medium that users see: as printed, or the range if two are printed."""
    effective = medium.cell("effective_speed_kb_per_s")
    expected = medium.cell("expected_transfer_mb_per_s", "KB/s")
    if effective is None or expected is None:
        return effective or expected
    return ambiguous(expected, effective)


_CUSTOM_FACTS, REPORTED = "reported-facts", "reported"


def custom_facts(guide: Guide) -> dict[str, Row]:
    """The row of each fact that a guide has boxes report, by name; none without such a table.

    A row states `kind` (number, text, flag, names), `unit`, `doc`, what it is `one_of`, and whether
    a number is a size of `memory`.
    """
    return {row.id.replace("-", "_"): row for row in guide.table(_CUSTOM_FACTS)}


def least_revision(board: Row, guide: Guide) -> str | None:
    """The revision from which on a model of board serves, by the component that decides it."""
    row = guide.row("component-revisions", board.text("component"))
    return row.text("least_revision") or None


def usable_share(level: Row, disks: int) -> Quantity | None:
    """Return the share of an array's capacity for data; None if the guide does not state it.

    A level keeps a fixed share of the capacity, or the capacity of a fixed number of disks.
    """
    share = level.cell("usable_capacity_percent", PURE)
    if share is not None:
        return share
    kept, whole = level.cell("redundancy_disks"), count(disks, "disks of the array", "disk")
    return (whole - kept) / whole if kept is not None and kept.high < disks else None


def laid_factor(level: Row, disks: int) -> Quantity | None:
    """How much room a megabyte of data takes in all."""
    share = usable_share(level, disks)
    return count(1, "the data") / share if share is not None and share.low > 0 else None


_REVISION = re.compile(r"\d{1,9}(\.\d{1,9})*", re.ASCII)


def is_revision(text: str) -> bool:
    """Whether a text is numbers with points between them."""
    return _REVISION.fullmatch(text) is not None


def serves(revision: str, least: str) -> bool:
    """Whether a revision is the least that serves, or a later one; both must be revisions."""
    pairs = zip_longest(_numbers(revision), _numbers(least), fillvalue=0)
    ours, theirs = zip(*pairs, strict=True)
    return ours >= theirs


def _numbers(revision: str) -> list[int]:
    return [int(part) for part in revision.split(".")]


def measured_on(rows: Iterable[Row], platform: str, disks: Iterable[Row]) -> Iterator[Row]:
    """Yield the rows that were measured on a platform with the one interface of all disks."""
    kinds = {disk.text("interface") for disk in disks}
    for row in rows:
        if platform in row.list("platforms") and kinds == {row.text("disk_interface")}:
            yield row
