"""Services at the end of a line (gateways, terminals, printers), and a service of any kind."""

from collections.abc import Iterator
from typing import Annotated, Any, Literal

from pydantic import Field

from sizewright.errors import did_you_mean, join_or, shown
from sizewright.quantity import Quantity
from sizewright.schema.model import (
    Count,
    FieldError,
    Flag,
    InvalidFieldError,
    Name,
    SourcedModel,
    TaggedUnion,
)
from sizewright.schema.quantity import KilobytesPerSecond, MemoryMegabytes, Pure, QuantityField
from sizewright.workload.applications import (
    BatchService,
    DatabaseService,
    MailService,
    MeasuredService,
    PagingService,
    TimesharingService,
)
from sizewright.workload.nfs import NfsService
from sizewright.workload.work import Path, Serving

Protocol = Literal["sna", "x25", "tcp"]


class WideLine(SourcedModel):
    """Lines of one protocol and speed to another place."""

    name: Name
    protocol: Protocol
    """For the record: all protocols cost the same."""
    kbit_per_s: Annotated[Quantity, QuantityField("Kb/s", above_zero=True)]
    """Speed of one line."""
    count: Count = 1
    """Number of such lines."""


class GatewayService(Serving):
    """Synchronous lines that the server's own processors drive."""

    kind: Literal["gateway"]
    lines: tuple[WideLine, ...]
    """Synchronous lines that the server's own processors drive, at least one."""

    def field_errors(self) -> Iterator[FieldError]:
        """Yield a gateway without lines."""
        yield from Serving.field_errors(self)
        if not self.lines:
            yield FieldError("the list is empty", "at least one line", at=("lines",))


class SerialService(Serving):
    """Asynchronous lines of terminals and modems."""

    kind: Literal["serial"]
    lines: Annotated[Quantity, QuantityField("line")]
    """Asynchronous lines; the plan chooses boards or terminal servers."""
    bits_per_s: Annotated[Quantity, QuantityField("bit/s")] | None = None
    """For the record: a line takes one port at any speed."""


class Printer(SourcedModel):
    """Printers of one kind, attached in one way."""

    name: Name
    attached: Literal["serial", "parallel", "scsi", "video"]
    """The port it needs; `video` is an interface of its own; nothing is planned for `scsi`, see
    below."""
    count: Count = 1
    """Number of such printers."""
    kb_per_s: KilobytesPerSecond | None = None
    """Data rate that each printer needs. Default: any port of its kind will do."""
    rasterising: Flag = False
    """The server draws its pages."""
    raster_mb: MemoryMegabytes | None = None
    """Memory for drawing, for all these printers together."""
    raster_processors: Pure | None = None
    """Processors that drawing keeps busy, for all these printers together."""

    def field_errors(self) -> Iterator[FieldError]:
        """Yield what only rasterising printers have."""
        for name in ("raster_mb", "raster_processors"):
            if getattr(self, name) is not None and not self.rasterising:
                yield FieldError("is for printers whose pages the server draws",
                                "rasterising: true", at=(name,))  # fmt: skip


class PrintService(Serving):
    """Printers on the server."""

    kind: Literal["print"]
    printers: tuple[Printer, ...] = Field(default_factory=tuple)
    """Kinds of printers."""
    spool: Name | None = None
    """The volume for waiting jobs; state its operations as `work`."""

    def writes(self) -> Iterator[tuple[Path, str, Name]]:
        """Yield its work, and the spool."""
        yield from Serving.writes(self)
        if self.spool is not None:
            yield ("spool",), f"the spool of {self.name}", self.spool


_BY_KIND = {
    "nfs": NfsService,
    "database": DatabaseService,
    "timesharing": TimesharingService,
    "mail": MailService,
    "gateway": GatewayService,
    "serial": SerialService,
    "print": PrintService,
    "batch": BatchService,
    "paging": PagingService,
    "measured": MeasuredService,
}


def _service_kind(value: Any) -> Any:
    if not isinstance(value, dict):
        what = "no value is given" if value is None else f"{shown(value)} is not a service"
        raise InvalidFieldError(FieldError(what, "a mapping with kind and name"))
    kind = value.get("kind")
    if kind is None:
        expected = f"kind: one of {join_or(_BY_KIND)}"
        raise InvalidFieldError(FieldError("has no kind", expected))
    if not isinstance(kind, str) or kind not in _BY_KIND:
        near = did_you_mean(kind, _BY_KIND) if isinstance(kind, str) else ""
        what = f"{shown(kind)} is not allowed here"
        raise InvalidFieldError(FieldError(what, join_or(_BY_KIND), near, ("kind",)))
    return _BY_KIND[kind]


Service = Annotated[
    NfsService | DatabaseService | TimesharingService | MailService | GatewayService
    | SerialService | PrintService | BatchService | PagingService | MeasuredService,
    TaggedUnion(_service_kind),
]  # fmt: skip
