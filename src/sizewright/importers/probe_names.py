"""The guide's names for what kernel messages print: machines, systems, labels, drivers, boards."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from sizewright.errors import Diagnostic, InputError, Location, did_you_mean, refusal
from sizewright.guide.model import Guide, Row

NAMES = "probe-names"

# The role of a driver, and the table of that role; "" for none.
ROLES: Mapping[str, str] = {
    "host_adapter": "disk-busses",
    "network": "network-interfaces",
    "disk": "",
    "tape": "removable-media",
    "cd_rom": "removable-media",
    "bus": "",
    "helper": "",
}
_TABLES: Mapping[str, str] = {
    "machine": "platforms",
    "system": "operating-systems",
    "disk_label": "disks",
    "board": "boards",
    "driver": "",
}


class Driver(NamedTuple):
    """A driver: its role, and the rows of the table of that role that it may mean."""

    role: str
    rows: tuple[str, ...]


class ProbeNames(NamedTuple):
    """Words of kernel messages, and the rows of the guide's tables that they mean."""

    machines: Mapping[str, tuple[str, ...]]
    systems: Mapping[str, tuple[str, ...]]
    labels: Mapping[str, tuple[str, ...]]
    drivers: Mapping[str, Driver]
    boards: tuple[tuple[frozenset[str], tuple[str, ...]], ...]

    def driver(self, unit: str) -> Driver | None:
        """The driver of a unit such as a disk: its name without the number."""
        return self.drivers.get(unit.rstrip("0123456789"))

    def boards_of(self, drivers: Iterable[str]) -> tuple[str, ...]:
        """The boards that appear as exactly these drivers in one slot."""
        wanted = frozenset(drivers)
        return tuple(row for has, rows in self.boards if has == wanted for row in rows)


def read_names(guide: Guide) -> ProbeNames:
    """Read the guide's table of names; raises InputError for unknown rows."""
    if NAMES not in guide.tables:
        raise refusal(Location(f"guide {guide.id}"), f"there is no table '{NAMES}'")
    faults: list[Diagnostic] = []
    plain: dict[str, dict[str, tuple[str, ...]]] = {kind: {} for kind in _TABLES}
    drivers: dict[str, Driver] = {}
    boards = []
    for row in guide.table(NAMES):
        kind, rows = row.text("kind"), tuple(str(one) for one in row.list("rows"))
        role = row.text("role")
        if kind not in _TABLES or (kind == "driver" and role not in ROLES):
            what = f"'{role if kind in _TABLES else kind}' is no kind or role of a name"
            faults.append(Diagnostic(_place(row), what, "one of " + ", ".join((*_TABLES, *ROLES))))
            continue
        faults += _leading_nowhere(guide, row, ROLES[role] if kind == "driver" else _TABLES[kind])
        if kind == "driver":
            drivers[row.text("prints")] = Driver(role, rows)
        elif kind == "board":
            boards.append((frozenset(map(str, row.list("drivers"))), rows))
        else:
            plain[kind][row.text("prints")] = rows
    if faults:
        raise InputError(faults)
    return ProbeNames(
        plain["machine"], plain["system"], plain["disk_label"], drivers, tuple(boards)
    )


def _place(row: Row) -> Location:
    return Location(f"table {NAMES}, {row.id}")


def _leading_nowhere(guide: Guide, row: Row, table: str) -> list[Diagnostic]:
    if not table or table not in guide.tables:
        return []
    known = guide.table(table).rows
    return [
        Diagnostic(
            _place(row), f"table {table} has no row '{name}'", hint=did_you_mean(str(name), known)
        )
        for name in row.list("rows") if name not in known
    ]  # fmt: skip
