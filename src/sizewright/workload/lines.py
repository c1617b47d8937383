"""Services at the end of a line: gateways to other networks, terminals and modems, printers."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Annotated, Literal

from sizewright.quantity import Quantity
from sizewright.schema.fields import Count as Whole
from sizewright.schema.fields import Flag, Name, OneOf
from sizewright.schema.objections import Objection
from sizewright.schema.quantity import QuantityField
from sizewright.schema.said import Stated
from sizewright.workload.agreement import Path
from sizewright.workload.serving import Serving
from sizewright.workload.work import Count, Memory

Protocol = Annotated[Literal["sna", "x25", "tcp"], OneOf()]


@dataclass(frozen=True, kw_only=True, eq=False)
class WideLine(Stated):
    """Lines of one protocol and speed to another place."""

    name: Name
    protocol: Protocol
    kbit_per_s: Annotated[Quantity, QuantityField("Kb/s", above_zero=True)]
    count: Whole = 1


@dataclass(frozen=True, kw_only=True, eq=False)
class GatewayService(Serving):
    """Synchronous lines that the server's own processors drive."""

    kind: Annotated[Literal["gateway"], OneOf()]
    lines: tuple[WideLine, ...]

    def objections(self) -> Iterator[Objection]:
        """Object to a gateway that leads nowhere."""
        yield from Serving.objections(self)
        if not self.lines:
            yield Objection("the list is empty", "at least one line", at=("lines",))


@dataclass(frozen=True, kw_only=True, eq=False)
class SerialService(Serving):
    """Asynchronous lines of terminals and modems, of so many bits a second each."""

    kind: Annotated[Literal["serial"], OneOf()]
    lines: Annotated[Quantity, QuantityField("line")]
    bits_per_s: Annotated[Quantity, QuantityField("bit/s")] | None = None


@dataclass(frozen=True, kw_only=True, eq=False)
class Printer(Stated):
    """Printers of one kind: how they attach, and how fast data must reach each.

    Pages of `rasterising` ones are drawn by the server; for all of them together that takes
    `raster_mb` and keeps `raster_processors` busy. A `scsi` one takes a target of a SCSI bus, and
    none is planned for it.
    """

    name: Name
    attached: Annotated[Literal["serial", "parallel", "scsi", "video"], OneOf()]
    count: Whole = 1
    kb_per_s: Annotated[Quantity, QuantityField("KB/s")] | None = None
    rasterising: Flag = False
    raster_mb: Memory | None = None
    raster_processors: Count | None = None

    def objections(self) -> Iterator[Objection]:
        """Object to what only rasterising takes."""
        yield from Stated.objections(self)
        for name in ("raster_mb", "raster_processors"):
            if getattr(self, name) is not None and not self.rasterising:
                yield Objection("is for printers whose pages the server draws",
                                "rasterising: true", at=(name,))  # fmt: skip


@dataclass(frozen=True, kw_only=True, eq=False)
class PrintService(Serving):
    """Printers on the server; `spool` is the volume where what waits is kept."""

    kind: Annotated[Literal["print"], OneOf()]
    printers: tuple[Printer, ...] = field(default_factory=tuple)
    spool: Name | None = None

    def writes(self) -> Iterator[tuple[Path, str, Name]]:
        """Its work, and what waits."""
        yield from Serving.writes(self)
        if self.spool is not None:
            yield ("spool",), f"the spool of {self.name}", self.spool
