"""Rows that a file or a part names, and what they say: rated platforms, arrays, revisions."""

from __future__ import annotations

import re
from itertools import zip_longest

from sizewright.errors import Location, nearest, refusal
from sizewright.guide.model import BlankCellError, Guide, NoSuchRowError, Row
from sizewright.quantity import Quantity, ambiguous, count
from sizewright.units import PURE


def place_of(value: object, otherwise: str = "workload") -> Location:
    """Return the location of a value in the user's file."""
    place = getattr(value, "place", None)
    return place if isinstance(place, Location) else Location(otherwise)


def require_row(guide: Guide, table: str, name: str) -> Row:
    """Return a row that the user names; raises InputError with the nearest name."""
    try:
        return guide.row(table, name)
    except NoSuchRowError as error:
        near = f"did you mean '{error.near}'?" if error.near else ""
        what = f"guide {guide.id} has no '{name}' in table {table}"
        known = ", ".join(guide.table(table).rows) if table in guide.tables else ""
        raise refusal(place_of(name), what, known, near) from None
    except BlankCellError as error:
        raise refusal(place_of(name), str(error)) from None


def device_table(guide: Guide, name: str) -> str:
    """Return the table of devices that has a row, or the nearest name."""
    tables = {row.id: table for table in ("disks", "removable-media") for row in guide.table(table)}
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


def effective_kb_per_s(medium: Row) -> Quantity | None:
    """Return the speed of a medium that users see: as printed, or the range if two are printed."""
    effective = medium.find("effective_speed_kb_per_s")
    expected = medium.find("expected_transfer_mb_per_s")
    if effective is None or expected is None:
        return effective if expected is None else expected.to("KB/s")
    return ambiguous(expected.to("KB/s"), effective)


_CUSTOM_FACTS, REPORTED = "reported-facts", "reported"


def custom_facts(guide: Guide) -> dict[str, Row]:
    """The row of each fact that a guide has boxes report, by name; none without such a table.

    A row tells `kind` (number, text, flag, names), `unit`, `doc`, what it is `one_of`, and whether
    a number is a size of `memory`.
    """
    return {row.id.replace("-", "_"): row for row in guide.table(_CUSTOM_FACTS)}


def least_revision(board: Row, guide: Guide) -> str | None:
    """The revision from which on a model of board serves, by the component that decides it."""
    component = board.text("component")
    row = guide.row("component-revisions", component) if component else None
    return (row.text("least_revision") or None) if row else None


def usable_share(level: Row, disks: int) -> Quantity | None:
    """Return the share of an array's capacity for data; None if the guide does not state it.

    A level keeps the same share of any number of disks, or the room of so many of them.
    """
    share = level.find("usable_capacity_percent")
    if share is not None:
        return share.to(PURE)
    kept, whole = level.find("redundancy_disks"), count(disks, "disks of the array", "disk")
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
