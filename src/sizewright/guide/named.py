"""Rows that a user's file names, and where that file names them."""

from __future__ import annotations

from sizewright.errors import Location, refusal
from sizewright.guide.model import BlankCellError, Guide, NoSuchRowError, Row


def place_of(value: object, otherwise: str = "workload") -> Location:
    """Where a value of the user's file stands."""
    place = getattr(value, "place", None)
    return place if isinstance(place, Location) else Location(otherwise)


def found_row(guide: Guide, table: str, name: str) -> Row:
    """A row that the user named; raises InputFaults with the nearest name at its place."""
    try:
        return guide.row(table, name)
    except NoSuchRowError as error:
        near = f"did you mean '{error.near}'?" if error.near else ""
        what = f"guide {guide.id} has no '{name}' in table {table}"
        known = ", ".join(guide.table(table).rows) if table in guide.tables else ""
        raise refusal(place_of(name), what, known, near) from None
    except BlankCellError as error:
        raise refusal(place_of(name), str(error)) from None
