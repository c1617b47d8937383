"""Work of a service on the server: disks, traffic, and what services of every kind state."""

from collections.abc import Iterator, Mapping
from typing import Annotated, ClassVar, Literal, Self

from sizewright.errors import shown
from sizewright.formula import quantity_text
from sizewright.limits import CONTRADICTION_SHARE
from sizewright.quantity import Quantity
from sizewright.schema.model import FieldError, Flag, Name, SourcedModel, both_or_none
from sizewright.schema.quantity import (
    Bytes,
    Clients,
    Kilobytes,
    KilobytesPerSecond,
    Megabytes,
    MemoryMegabytes,
    Operations,
    Packets,
    Pure,
    QuantityField,
    Seconds,
)
from sizewright.units import PURE
from sizewright.workload.nfs import working_part
from sizewright.workload.volume import Access

Path = tuple[str | int, ...]


def differ(at: Path, stated: Quantity, told: Quantity, how: str) -> Iterator[FieldError]:
    """Yield an error if a stated quantity differs from the same one `told` another way."""
    told = told.to(stated.unit)
    spare = 1 + CONTRADICTION_SHARE
    if stated.low > told.high * spare or told.low > stated.high * spare:
        what = f"{how} are not {text(stated)}, but {text(told)}"
        yield FieldError(what, "one of the two, or consistent values", at=at)


def size_unknown(at: Path, what: str) -> Iterator[FieldError]:
    """Yield an error for a size in bytes and in operations without the size of an operation."""
    what = f"states {what} twice, and the size of an operation is unknown"
    yield FieldError(what, "one of the two, or block_kb", at=at)


def exceeds(
    at: Path, part: Quantity, whole: Quantity, name: str, expected: str, how: str = ""
) -> Iterator[FieldError]:
    """Yield an error for a part that is larger than its whole; `how` the part was calculated.

    A calculated part may be larger by the tolerance for rounding.
    """
    spare = 1 + CONTRADICTION_SHARE if how else 1
    if part.low > whole.high * spare:
        what = f"{how}{text(part)} are more than {name} {text(whole)}"
        yield FieldError(what, expected, at=at)


def text(figure: Quantity) -> str:
    """Return a quantity as messages show it: one value, or its ends."""
    high = quantity_text(figure.high, figure.unit)
    return high if figure.low == figure.high else f"{quantity_text(figure.low, PURE)} to {high}"


def one(unit: str) -> Quantity:
    """Return one item of a unit, to multiply or divide by."""
    return Quantity(1, 1, 1, unit)


Operation = Literal["read", "update", "write"]
Layer = Literal["raw", "file_system"]
Priority = Literal["normal", "low"]


class Work(SourcedModel):
    """Operations of one kind on one volume; the larger of its demands counts (docs/workload.md)."""

    name: Name
    volume: Name
    """The volume that it reads or writes."""
    operation: Operation = "read"
    """An update writes in place, a write appends."""
    access: Access | None = None
    """Default: the volume's."""
    layer: Layer | None = None
    """Default: the service's, else by the volume's `use`, else the product's usual one."""
    block_kb: Kilobytes | None = None
    """Size of one operation. Default: from the guide, below."""
    ops_per_s: Operations | None = None
    """Rate of all this work together. Default: by size and interval."""
    mb: Megabytes | None = None
    """Size of one run in bytes. Default: another size."""
    rows: Pure | None = None
    """Size of one run in rows, with `row_byte`. Default: another size."""
    row_byte: Bytes | None = None
    """Default: another size."""
    ops: Annotated[Quantity, QuantityField("op")] | None = None
    """Size of one run in operations. Default: another size."""
    every_s: Seconds | None = None
    """Interval at which each client (or each of `by`) begins a run. Default: no interval."""
    by: Clients | None = None
    """With `every_s`: how many begin runs; required if the service counts no clients. Default: the
    service's active clients."""
    runs_at_once: Clients | None = None
    """Without `every_s`: the number of runs at once. Default: one."""
    as_fast_as_disks: Flag = False
    """States that neither an interval nor a wanted time is known: the work is *open-ended*. It has
    no effect beside `every_s` or `within_s`."""
    within_s: Seconds | None = None
    """Time in which a run must end; needs a size. Default: no requirement."""
    outstanding: Annotated[Quantity, QuantityField("1", above_zero=True)] | None = None
    """Requests that a run keeps in progress, for its pace. Default: as many as disks can be
    active."""
    returns_mb: Megabytes | None = None
    """Data that a run sends over the service's network; needs `every_s` or the size of a run,
    because a rate of operations does not state the number of runs. Default: nothing."""
    user_processors: Pure | None = None
    """Processors busy outside of the kernel during the work; grows, unless the work is
    open-ended."""
    priority: Priority = "normal"
    """Low work without `within_s` is shown, yields to all other work, and counts in no budget."""

    def _field_errors(self) -> Iterator[FieldError]:
        yield from both_or_none(self, "rows", "row_byte")
        sized = self.mb is not None or self.ops is not None or self.rows is not None
        if self.ops_per_s is None and not self.as_fast_as_disks and not sized:
            what = f"{self.name} states no amount of work"
            hint = "count its operations as if nothing were cached, or watch them with iostat"
            yield FieldError(what, "ops_per_s, or mb or ops or rows with every_s", hint)
        asked = self.every_s is not None or self.within_s is not None
        if sized and not asked and not self.as_fast_as_disks:
            what = f"{self.name} states neither an interval nor a target time"
            yield FieldError(what, "every_s, within_s, or as_fast_as_disks if neither is known")
        if self.as_fast_as_disks and self.ops_per_s is not None:
            what = "is a rate, and the work goes as fast as its disks"
            yield FieldError(what, "one of the two", at=("ops_per_s",))
        if self.by is not None and self.ops_per_s is not None and not sized and not self.every_s:
            what = "has no effect on ops_per_s, the rate of all this work together"
            hint = "for a rate of each, write ops and every_s in place of ops_per_s"
            yield FieldError(what, "one of the two", hint, at=("by",))
        if self.runs_at_once is not None:
            yield from self._runs_twice(sized)
        if self.within_s is not None and not sized:
            what = "needs runs with a size"
            yield FieldError(what, "mb, ops or rows", at=("within_s",))
        if self.returns_mb is not None and not sized and self.every_s is None:
            what = f"is data per run, but {self.name} states no interval of runs"
            expected = "mb, ops or rows, or every_s" if self.as_fast_as_disks else "every_s"
            yield FieldError(what, expected, at=("returns_mb",))
        for name in ("mb", "rows", "ops"):
            size = getattr(self, name)
            if size is not None and size.low <= 0 and self.every_s is None and self.returns_mb:
                yield FieldError("may be 0, but a run returns data", "more than 0", at=(name,))
        yield from self.contradictions()

    def _runs_twice(self, sized: bool) -> Iterator[FieldError]:
        """Yield runs at once beside another key for their number, or without runs."""
        if self.by is not None or self.every_s is not None:
            other = "by" if self.by is not None else "every_s"
            yield FieldError(f"is stated with {other}", "one of the two", at=("runs_at_once",))
        if not sized:
            yield FieldError("needs runs with a size", "mb, ops or rows", at=("runs_at_once",))

    @property
    def at_once(self) -> Quantity | None:
        """How many runs there are at once, if no interval decides it; None if it is not stated."""
        # `by` had this meaning too. Version 0.2 will refuse it without `every_s`.
        return self.runs_at_once or (self.by if self.every_s is None else None)

    def contradictions(self) -> Iterator[FieldError]:
        """Yield runs and rates that are stated twice with different values."""
        yield from self._run_by_bytes()
        if self.ops is not None and self.mb is None:
            yield from self._rows_by_operations(self.ops)
        if self.ops_per_s is None or self.every_s is None or self.as_fast_as_disks:
            return
        run = self._run_ops()
        if run is None and self._run_kb() is not None:
            yield from size_unknown(("ops_per_s",), "a rate")
        if run is not None and self.by is not None:
            told = run / self.every_s * (self.by / one("client"))
            how = f"{text(run)} every {text(self.every_s)} by {text(self.by)}"
            yield from differ(("ops_per_s",), self.ops_per_s, told, how)

    def _run_by_bytes(self) -> Iterator[FieldError]:
        """Yield runs in bytes that contradict operations or rows; a row by key is one operation."""
        if self.mb is None:
            return
        for field, count in (("ops", self.ops), ("rows", self._keyed_ops())):
            if count is not None and self.block_kb is None:
                yield from size_unknown((field,), "the size of a run")
            elif count is not None and self.block_kb is not None:
                told = count * self.block_kb / one("op")
                yield from differ(
                    (field,), self.mb, told, f"{text(count)} of {text(self.block_kb)}"
                )
        rows = self._rows_kb()
        if rows is not None and self.access == "serial":
            yield from differ(("rows",), self.mb, rows, self._rows_text())

    def _rows_by_operations(self, ops: Quantity) -> Iterator[FieldError]:
        """Yield runs in operations that contradict rows; rows in sequence share operations."""
        keyed, size = self._keyed_ops(), self._run_kb()
        if keyed is not None:
            yield from differ(("rows",), ops, keyed, f"{self._rows_text()} by key")
        elif size is not None and self.block_kb is None:
            yield from size_unknown(("rows",), "the size of a run")
        elif size is not None and self.block_kb is not None:
            how = f"{self._rows_text()} in {text(self.block_kb)} each"
            yield from differ(("rows",), ops, size / self.block_kb * one("op"), how)

    def _run_ops(self) -> Quantity | None:
        """Return operations of one run; None if they depend on what is not stated."""
        if self.ops is not None:
            return self.ops
        size, keyed = self._run_kb(), self._keyed_ops()
        if self.mb is None and keyed is not None:
            return keyed
        return size / self.block_kb * one("op") if size and self.block_kb else None

    def _run_kb(self) -> Quantity | None:
        """Return KB of one run; None if operations count, or if it is not known."""
        if self.mb is not None:
            return self.mb.to("KB")
        return self._rows_kb() if self.access == "serial" else None

    def _rows_kb(self) -> Quantity | None:
        if self.rows is None or self.row_byte is None:
            return None
        return (self.rows * self.row_byte).to("KB")

    def _rows_text(self) -> str:
        assert self.rows is not None and self.row_byte is not None
        return f"{text(self.rows)} rows of {text(self.row_byte)}"

    def _keyed_ops(self) -> Quantity | None:
        """Return operations for rows that are read by key: one each."""
        if self.access != "random" or self.rows is None or self.row_byte is None:
            return None
        return self.rows * one("op")


class Traffic(SourcedModel):
    """Data over a service's network in addition to what its work returns."""

    kb_per_s: KilobytesPerSecond | None = None
    """Default: by packets."""
    packets_per_s: Packets | None = None
    """With `packet_byte`. Default: by bytes."""
    packet_byte: Bytes | None = None
    """Default: by bytes."""
    of: Annotated[Quantity, QuantityField("client", above_zero=True)] | None = None
    """Number of clients that were measured; the plan divides the traffic by it and multiplies by
    the service's active clients. Default: all of the service."""
    times: Pure | None = None
    """Factor by which the traffic is multiplied. Default: once."""

    def _field_errors(self) -> Iterator[FieldError]:
        yield from both_or_none(self, "packets_per_s", "packet_byte")
        if self.kb_per_s is None and self.packets_per_s is None and self.packet_byte is None:
            yield FieldError("has no amount", "kb_per_s, or packets_per_s and packet_byte")
        elif self.kb_per_s is not None and self.packets_per_s and self.packet_byte:
            told = self.packets_per_s * self.packet_byte / one("packet")
            how = f"{text(self.packets_per_s)} of {text(self.packet_byte)}"
            yield from differ(("kb_per_s",), self.kb_per_s, told, how)


class Serving(SourcedModel):
    """A service that the server does itself, with disks, processors and memory."""

    name: Name
    work: tuple[Work, ...] = ()
    """Reads and writes on the server's own disks."""
    network: Name | None = None
    """Network for its traffic and for the data that its work returns."""
    traffic: Traffic | None = None
    """Data over that network."""
    user_processors: Pure | None = None
    """Processors that it keeps busy outside of the kernel."""
    measured_on: Name | None = None
    """The platform on which `user_processors` were measured, its own and those of its work: a row
    of table `platforms`. Others scale them by their speed. Default: the planned machine."""
    takes_all_processors: Flag = False
    """It can use all processors that the machine has."""
    single_threaded: Flag = False
    """It never uses more than one processor; not with `takes_all_processors`."""
    memory_mb: MemoryMegabytes | None = None
    """Memory of the whole service, as measured. Default: by its kind."""
    back_within_s: Seconds | None = None
    """For the record: how soon it must run again after a failure. Default: no requirement."""
    replicated: Flag = False
    """It runs on both systems of a pair, each with its own data."""
    # Fields with a volume that the service itself writes, and how messages call the writer.
    writers: ClassVar[Mapping[str, str]] = {}

    def stated_layer(self, work: Work) -> Layer | None:
        """Return the layer that a piece of its work states, else its own; only databases do."""
        return work.layer or getattr(self, "layer", None)

    @property
    def everybody(self) -> Quantity | None:
        """All clients or sessions of the service; None if they are not counted."""
        found: Quantity | None = getattr(self, "sessions", None) or getattr(self, "clients", None)
        return found

    @property
    def working(self) -> Quantity | None:
        """How many of them work at once."""
        everybody = self.everybody
        return everybody and working_part(getattr(self, "active", None), everybody)

    def with_users(self, number: int) -> Self:
        """Return the service for at most a number of clients or sessions, active ones among them.

        Other load stays.
        """
        stated = {key: getattr(self, key, None) for key in ("sessions", "clients", "active")}
        return self.replace(**{
            key: each * (number / each.high) for key, each in stated.items()
            if isinstance(each, Quantity) and each.high > number
        })  # fmt: skip

    @property
    def volumes(self) -> tuple[str, ...]:
        """The volumes that it uses: those of its work, and its own volume, log or spool."""
        own = (getattr(self, key, None) for key in ("volume", "log", "spool"))
        return tuple(dict.fromkeys((*(work.volume for work in self.work), *filter(None, own))))

    def writes(self) -> Iterator[tuple[Path, str, Name]]:
        """Yield each writer: the path of its field, its name, and the volume that it writes."""
        for index, work in enumerate(self.work):
            if work.operation != "read":
                yield ("work", index, "operation"), work.name, work.volume
        for field, called in self.writers.items():
            if (volume := getattr(self, field)) is not None:
                yield (field,), called.format(self.name), volume

    def busy(self) -> Iterator[tuple[Path, Quantity]]:
        """Yield each number of processors that it uses, with the path of the field."""
        if self.user_processors is not None:
            yield ("user_processors",), self.user_processors
        for index, work in enumerate(self.work):
            if work.user_processors is not None:
                yield ("work", index, "user_processors"), work.user_processors

    @property
    def has_measurement(self) -> bool:
        """Return whether it states processor time, which a platform scales."""
        works = (work.user_processors for work in self.work)
        return any(each is not None for each in (self.user_processors, *works))

    def _field_errors(self) -> Iterator[FieldError]:
        returns = any(work.returns_mb is not None for work in self.work)
        if self.network is None and (self.traffic is not None or returns):
            yield FieldError(f"{self.name} sends data over no network", "network")
        seen: set[str] = set()
        for index, work in enumerate(self.work):
            if work.name in seen:
                what = f"the work {shown(work.name)} is listed twice"
                yield FieldError(what, "another name", at=("work", index, "name"))
            seen.add(work.name)
        if self.measured_on is not None and not self.has_measurement:
            yield FieldError(
                f"{self.name} states measured_on, but nothing that was measured there",
                "user_processors, or no measured_on",
            )
        if not self.single_threaded:
            return
        if self.takes_all_processors:
            what = "takes whatever processors there are, and single_threaded never more than one"
            yield FieldError(what, "one of the two", at=("takes_all_processors",))
        for at, processors in self.busy():
            expected = "at most 1, or not single_threaded"
            yield from exceeds(at, processors, one(PURE), "single_threaded takes:", expected)
