"""Services of every kind but files, and which model each kind has."""

from collections.abc import Iterator, Mapping
from typing import Annotated, Any, ClassVar, Literal, get_args

from pydantic import Field

from sizewright.errors import did_you_mean, join_or, shown
from sizewright.limits import COUNT_AT_MOST
from sizewright.quantity import Quantity
from sizewright.schema.model import (
    Count,
    FieldError,
    Flag,
    InvalidFieldError,
    Name,
    SourcedModel,
    TaggedUnion,
    not_allowed,
)
from sizewright.schema.quantity import (
    KilobytesPerSecond,
    MemoryMegabytes,
    Operations,
    Percent,
    Pure,
    QuantityField,
    Seconds,
    WholeClients,
)
from sizewright.units import PERCENT
from sizewright.workload.nfs import Active, NfsService, too_many_active
from sizewright.workload.work import Layer, Path, Serving, differ, exceeds, one, text

_DAY = one("day")
PerClient = Annotated[Quantity, QuantityField("MB", per="client", memory=True)]


class TimesharingService(Serving):
    """Sessions of an application on the server itself."""

    kind: Literal["timesharing"]
    sessions: WholeClients
    active: Active | None = None
    """How many work at once, or a share of them. Default: all."""
    shared_mb: MemoryMegabytes | None = None
    """Memory that all sessions share."""
    private_mb: PerClient | None = None
    """Memory of each session. Default: no memory counted."""

    def _field_errors(self) -> Iterator[FieldError]:
        yield from super()._field_errors()
        yield from too_many_active(self.active, self.sessions, "sessions")
        if self.memory_mb is None:
            return
        whole, expected = "memory_mb:", "at most memory_mb"
        each = self.sessions * self.private_mb if self.private_mb is not None else None
        if each is not None and self.private_mb is not None and self.shared_mb is not None:
            how = f"{text(self.sessions)} of {text(self.private_mb)} and {text(self.shared_mb)}"
            yield from differ(("memory_mb",), self.memory_mb, each + self.shared_mb, how)
        elif each is not None:
            how = f"for {text(self.sessions)} "
            yield from exceeds(("private_mb",), each, self.memory_mb, whole, expected, how)
        elif self.shared_mb is not None:
            yield from exceeds(("shared_mb",), self.shared_mb, self.memory_mb, whole, expected)


class MailService(Serving):
    """Messages that are received and delivered into mailboxes."""

    kind: Literal["mail"]
    volume: Name
    """The volume of the mailboxes."""
    messages_a_day: Annotated[Quantity, QuantityField("op/day")]
    prime_messages: Annotated[Quantity, QuantityField("op")]
    """Messages in the busy hours."""
    prime_s: Seconds
    """Length of all busy hours together."""
    temporary_files: Pure
    """Temporary files for each message. The disk is written once when a file is made, when it is
    removed, and when the mailbox is opened and closed."""
    message_kb: Annotated[Quantity, QuantityField("KB", per="op")] | None = None
    """Size of a message; with `retention_days`."""
    retention_days: Annotated[Quantity, QuantityField("day")] | None = None
    """How long messages are kept: all kept messages must fit on the volume."""
    writers: ClassVar[Mapping[str, str]] = {"volume": "{}"}

    def _field_errors(self) -> Iterator[FieldError]:
        yield from super()._field_errors()
        yield from exceeds(
            ("prime_messages",), self.prime_messages, self.messages_a_day * _DAY,
            "those of the whole day:", "at most messages_a_day",
        )  # fmt: skip
        yield from exceeds(
            ("messages_a_day",), self.messages_a_day.to("op/s"), self.prime_messages / self.prime_s,
            "those of the busy hours:", "no more than prime_messages in prime_s",
            f"{text(self.messages_a_day)} or ",
        )  # fmt: skip
        if (self.message_kb is None) != (self.retention_days is None):
            lacking = "retention_days" if self.message_kb else "message_kb"
            yield FieldError(f"{self.name} says how long or how large, not both", lacking)


class BatchService(Serving):
    """Jobs that run for long, each in one process; they yield to all other work."""

    kind: Literal["batch"]
    jobs: Pure
    """Jobs that run at once, each in one process; they yield to all other work."""
    job_mb: MemoryMegabytes | None = None
    """Memory of each job. Default: no memory counted."""

    def busy(self) -> Iterator[tuple[Path, Quantity]]:
        """Yield the stated processors, and one for each job."""
        yield from Serving.busy(self)
        yield ("jobs",), self.jobs

    def _field_errors(self) -> Iterator[FieldError]:
        yield from super()._field_errors()
        if self.memory_mb is not None and self.job_mb is not None:
            how = f"{text(self.jobs)} jobs of {text(self.job_mb)}"
            yield from differ(("memory_mb",), self.memory_mb, self.jobs * self.job_mb, how)


class PagingService(Serving):
    """Virtual memory: page faults, and the swap space that all programs need."""

    kind: Literal["paging"]
    faults_per_s: Operations
    """Page faults that reach a disk."""
    volume: Name | None = None
    """The volume of the swap space; each fault is then a raw operation on it. Default: kernel time
    only, see below."""
    reads_percent: Percent | None = None
    """Share of faults that read pages; the others write pages. Default: all."""

    def writes(self) -> Iterator[tuple[Path, str, Name]]:
        """Yield its work, and pages that are written."""
        yield from Serving.writes(self)
        reads = self.reads_percent
        if self.volume is not None and reads is not None and reads.high < PERCENT:
            yield ("reads_percent",), self.name, self.volume


class TimedService(Serving):
    """A service with time in the kernel that no model covers."""

    kernel_ms_per_s: Annotated[Quantity, QuantityField("ms/s")] | None = None
    """Kernel time as measured; with `measured_on`, by which it is scaled as `user_processors`
    are."""

    @property
    def has_measurement(self) -> bool:
        """Return whether it states kernel time or processor time."""
        return self.kernel_ms_per_s is not None or super().has_measurement

    def _field_errors(self) -> Iterator[FieldError]:
        yield from super()._field_errors()
        if self.kernel_ms_per_s is not None and self.measured_on is None:
            yield FieldError(
                f"{self.name} states kernel_ms_per_s without measured_on",
                "measured_on: the platform where the kernel time was measured",
            )


class MeasuredService(TimedService):
    """Work that no model covers, as it was measured."""

    kind: Literal["measured"]
    clients: WholeClients | None = None
    """Default: no clients counted."""

    def _field_errors(self) -> Iterator[FieldError]:
        yield from super()._field_errors()
        told = (self.work, self.traffic, self.user_processors, self.memory_mb, self.kernel_ms_per_s)
        if not any(told):
            what = f"{self.name} measures nothing"
            yield FieldError(what, "work, traffic, kernel_ms_per_s, user_processors or memory_mb")


class DatabaseService(Serving):
    """A database manager for clients, whose front ends run elsewhere or here."""

    kind: Literal["database"]
    product: Name
    """A row of table `database-systems`."""
    clients: WholeClients
    """All clients whose connections take memory."""
    active: Active | None = None
    """How many work at once, or a share of them. Default: all."""
    same_clients_as: Name | None = None
    """The service that already counts these clients. Default: its own."""
    front_ends: Literal["elsewhere", "here"] = "elsewhere"
    """Where the programs of the clients run."""
    front_end_mb: PerClient | None = None
    """Memory of each front end that runs here. Default: the product's."""
    per_client_mb: PerClient | None = None
    """Memory of the back end for each client, as measured. Default: the product's."""
    additional_percent: Annotated[Quantity, QuantityField("%")] | None = None
    """Memory in addition to the basic memory and that of all clients. Default: the product's."""
    layer: Layer | None = None
    """Where its data is stored. Default: by the `use` of each volume, else the product's usual
    one."""
    log: Name | None = None
    """The volume of its log."""
    writers: ClassVar[Mapping[str, str]] = {"log": "the log of {}"}

    def _field_errors(self) -> Iterator[FieldError]:
        yield from super()._field_errors()
        yield from too_many_active(self.active, self.clients, "clients")
        if self.front_end_mb is not None and self.front_ends == "elsewhere":
            what = "is memory of front ends, and they run elsewhere"
            yield FieldError(what, "front_ends: here", at=("front_end_mb",))
        if self.per_client_mb is not None and self.memory_mb is not None:
            yield from exceeds(
                ("per_client_mb",), self.clients * self.per_client_mb, self.memory_mb,
                "memory_mb:", "at most memory_mb", f"for {text(self.clients)} ",
            )  # fmt: skip


Protocol = Literal["sna", "x25", "tcp"]


class WideLine(SourcedModel):
    """Lines of one protocol and speed to another place."""

    name: Name
    protocol: Protocol
    """For the record: all protocols cost the same."""
    kbit_per_s: Annotated[Quantity, QuantityField("Kb/s", above_zero=True)]
    """Speed of one line. The nominal rate of a T1 line, 1544 Kb/s, is taken as the 1.5 Mb/s that
    the guide prints."""
    count: Count = 1
    """Number of such lines."""


class GatewayService(Serving):
    """Synchronous lines that the server's own processors drive."""

    kind: Literal["gateway"]
    lines: tuple[WideLine, ...]
    """Synchronous lines that the server's own processors drive, at least one."""

    def _field_errors(self) -> Iterator[FieldError]:
        yield from super()._field_errors()
        if not self.lines:
            yield FieldError("the list is empty", "at least one line", at=("lines",))


class SerialService(TimedService):
    """Asynchronous lines of terminals and modems."""

    kind: Literal["serial"]
    lines: Annotated[Quantity, QuantityField("line", at_most=COUNT_AT_MOST)]
    """Asynchronous lines; the plan chooses boards or terminal servers."""
    bits_per_s: Annotated[Quantity, QuantityField("bit/s")] | None = None
    """Speed of one line: data of lines on a terminal server count on its Ethernet. Default: they
    do not count."""


class Printer(SourcedModel):
    """Printers of one kind, attached in one way."""

    name: Name
    attached: Literal["serial", "parallel", "scsi", "video"]
    """The port it needs; `video` is an interface of its own; nothing is planned for `scsi`, see
    below."""
    count: Count = 1
    """Number of such printers."""
    kb_per_s: KilobytesPerSecond | None = None
    """Data rate that each printer needs. Default: any port of its kind."""
    rasterising: Flag = False
    """The server draws its pages."""
    raster_mb: MemoryMegabytes | None = None
    """Memory for drawing, for all these printers together."""
    raster_processors: Pure | None = None
    """Processors that drawing keeps busy, for all these printers together."""

    def _field_errors(self) -> Iterator[FieldError]:
        for name in ("raster_mb", "raster_processors"):
            if getattr(self, name) is not None and not self.rasterising:
                yield FieldError("is for printers whose pages the server draws",
                                "rasterising: true", at=(name,))  # fmt: skip


class PrintService(TimedService):
    """Printers on the server."""

    kind: Literal["print"]
    printers: tuple[Printer, ...] = Field(default_factory=tuple)
    """Kinds of printers."""
    spool: Name | None = None
    """The volume for waiting jobs; state its operations as `work`."""
    writers: ClassVar[Mapping[str, str]] = {"spool": "the spool of {}"}


AnyService = (
    NfsService | DatabaseService | TimesharingService | MailService | GatewayService
    | SerialService | PrintService | BatchService | PagingService | MeasuredService
)  # fmt: skip
# The models by what they state as `kind`.
_BY_KIND = {
    get_args(model.model_fields["kind"].annotation)[0]: model for model in get_args(AnyService)
}


def _service_kind(value: Any) -> Any:
    if not isinstance(value, dict):
        raise not_allowed(value, "a mapping with kind and name", is_not="a service")
    kind = value.get("kind")
    if kind is None:
        expected = f"kind: one of {join_or(_BY_KIND)}"
        raise InvalidFieldError(FieldError("has no kind", expected))
    if not isinstance(kind, str) or kind not in _BY_KIND:
        near = did_you_mean(kind, _BY_KIND) if isinstance(kind, str) else ""
        what = f"{shown(kind)} is not allowed here"
        raise InvalidFieldError(FieldError(what, join_or(_BY_KIND), near, ("kind",)))
    return _BY_KIND[kind]


Service = Annotated[AnyService, TaggedUnion(_service_kind)]
