"""Small workloads and hand-built systems for tests that reckon by hand."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from generated_workloads import ENGINE, Plain, read
from sizewright.configuration.model import Board, Channel, Device, Extent, Port, System, Volume
from sizewright.demand.build import demand_of
from sizewright.demand.model import Demand
from sizewright.guide.model import Guide, Row, Table
from sizewright.quantity import Provenance, Quantity, leaves
from sizewright.rules.rule import Finding

GUIDE: Guide = ENGINE.guide


def without(table: str) -> Guide:
    """The guide with no rows in one table."""
    known = GUIDE.tables[table]
    empty = Table(known.name, known.title, known.columns, {})
    tables = {name: GUIDE.tables[name] for name in GUIDE.tables}
    return GUIDE._replace(tables=tables | {table: empty})


READS = {"reads_percent": 100, "writes_percent": 0}


def read_at(name: str, ops_per_s: float) -> Plain:
    """A service of one client that reads a volume so often."""
    return {
        "name": f"files of {name}", "uses": [name], "clients": 1, "mix": READS,
        "load": {"ops_per_s_each": ops_per_s},
    }  # fmt: skip


def three(figure: Quantity) -> tuple[float, float, float]:
    """A figure's low, likely and high, rounded off where floats end."""
    low, likely, high = (float(f"{end:.12g}") for end in (figure.low, figure.likely, figure.high))
    return low, likely, high


def plain(*services: Plain, **more: Any) -> Plain:
    """A workload of these services on a network `north`; `more` replaces or adds keys.

    The operating system is elsewhere, so that tests count only the data that they state.
    """
    named = [
        {
            "kind": "nfs", "name": f"service-{index}", "clients": 10, "network": "north",
            "load": {"ops_per_s_each": 1}, **service,
        }
        for index, service in enumerate(services)
    ]  # fmt: skip
    base: Plain = {"name": "small", "networks": [{"name": "north", "medium": "ethernet"}]}
    wishes = {"system_elsewhere": True, **(more.pop("wishes", None) or {})}
    return {**base, "services": named, "wishes": wishes, **more}


def demand(*services: Plain, **more: Any) -> Demand:
    """The demand of such a workload, read as a user's file is."""
    return demand_of(read(plain(*services, **more)), GUIDE)


def volume(name: str, size_mb: Any = 100, **more: Any) -> Plain:
    """A volume of a workload, read at random and hot if nothing else is said."""
    return {"name": name, "size_mb": size_mb, "access": "random", "activity": "hot", **more}


def unsaid(name: str, size_mb: Any = 100, **more: Any) -> Plain:
    """The same where nobody says whether it is hot."""
    found = volume(name, size_mb, **more)
    del found["activity"]
    return found


def given(low: float, high: float | None = None, unit: str = "1") -> Quantity:
    """A figure stated by a user."""
    top = low if high is None else high
    source = Provenance("input", "small.yaml:1:1")
    return Quantity(low, (low + top) / 2, top, unit, name="given", source=source)


def disk(name: str, model: str = "424mb-scsi") -> Device:
    """A disk of a system."""
    return Device(name, "disk", "disks", model)


def tape(name: str = "tape-1", model: str = "8mm-helical-scan-tape") -> Device:
    """A drive for backups."""
    return Device(name, "tape", "removable-media", model, "backup")


def channel(name: str, *devices: Device, kind: str = "scsi-synchronous") -> Channel:
    """A channel with its devices; those named after a board hang off it."""
    return Channel(name, kind, "builtin" if name.startswith("builtin") else name, devices)


def port(network: str, segment: int = 0, interface: str = "lance-ethernet") -> Port:
    """A network's port."""
    return Port(network, segment, interface, "builtin")


def board(name: str, model: str, bus: str, *slots: int, table: str = "boards") -> Board:
    """A board in a run of slots."""
    return Board(name, table, model, bus, slots, "a test")


def laid(name: str, *copies: Mapping[str, float], manager: str = "") -> Volume:
    """A volume of copies, each {disk: megabytes}."""
    parts = tuple(tuple(Extent(disk, mb) for disk, mb in copy.items()) for copy in copies)
    return Volume(name, parts, manager)


def system(**changes: Any) -> System:
    """A desktop with one processor and nothing attached but one network."""
    base = System(
        id="primary", platform="sparcstation-2", processors=1, operating_system="solaris-1.0.1",
        memory_mb=32, boards=(), channels=(), ports=(port("north"),), volumes=(), software=(),
    )  # fmt: skip
    return base._replace(**changes)


def row(table: str, name: str) -> Row:
    """A row of the guide."""
    return GUIDE.row(table, name)


def told(findings: Iterable[Finding]) -> list[tuple[object, ...]]:
    """What findings say, without the facts that they were found on."""
    return [
        (f.rule, f.subject, f.verdict, f.message, f.remedy, f.missing, str(f.figures))
        for f in findings
    ]


def governing_cell(quantity: Quantity) -> Provenance:
    """Return the source of the cell that a quantity equals, else of the first in its expression."""
    cells = list(leaves(quantity))
    cell = next((cell for cell in cells if cell.likely == quantity.likely), cells[0])
    assert cell.source is not None
    return cell.source
