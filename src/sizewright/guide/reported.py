"""Facts of a running machine that a guide names itself, a row of its own table for each."""

from __future__ import annotations

from sizewright.guide.model import Guide, Row

TABLE, REPORTED = "reported-facts", "reported"


def declared(guide: Guide) -> dict[str, Row]:
    """The row of each fact that a guide has boxes report, by name; none without such a table.

    A row tells `kind` (number, text, flag, names), `unit`, `doc`, what it is `one_of`, and whether
    a number is a size of `memory`.
    """
    return {row.id.replace("-", "_"): row for row in guide.table(TABLE)}
