"""What a service reads and writes on the server's own disks, and sends over its network."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated, Literal

from sizewright.quantity import Quantity
from sizewright.schema.fields import Flag, Name, OneOf
from sizewright.schema.memory import MemoryQuantity
from sizewright.schema.objections import Objection
from sizewright.schema.quantity import QuantityField
from sizewright.schema.said import Stated
from sizewright.workload.agreement import differ, one, text, told_twice
from sizewright.workload.volume import Access

Operation = Annotated[Literal["read", "update", "write"], OneOf()]
Layer = Annotated[Literal["raw", "file_system"], OneOf()]
Priority = Annotated[Literal["normal", "low"], OneOf()]
Seconds = Annotated[Quantity, QuantityField("s", above_zero=True)]
Count = Annotated[Quantity, QuantityField("1")]
Megabytes = Annotated[Quantity, QuantityField("MB")]
Memory = Annotated[Quantity, MemoryQuantity("MB")]


@dataclass(frozen=True, kw_only=True, eq=False)
class Work(Stated):
    """Operations of one kind on one volume.

    Its demand is `ops_per_s` of all together, or follows from the size of one run (`mb`, or `rows`
    of `row_byte`, or `ops`): from how often each client (`by`; default: the active clients) begins
    one, `every_s`, and from the time in which a run is to end, `within_s`. The larger counts. `by`
    without `every_s` is the number of runs at once (default: one). Work `as_fast_as_disks` with
    neither has no demand and takes what is left. A run keeps `outstanding` requests in progress. An
    update writes in place, a write appends. A run sends `returns_mb` over the service's network.
    `user_processors` are busy outside of the kernel while it goes on.
    """

    name: Name
    volume: Name
    operation: Operation = "read"
    access: Access | None = None
    layer: Layer | None = None
    block_kb: Annotated[Quantity, QuantityField("KB", above_zero=True)] | None = None
    ops_per_s: Annotated[Quantity, QuantityField("op/s")] | None = None
    mb: Megabytes | None = None
    rows: Count | None = None
    row_byte: Annotated[Quantity, QuantityField("byte", above_zero=True)] | None = None
    ops: Annotated[Quantity, QuantityField("op")] | None = None
    every_s: Seconds | None = None
    by: Annotated[Quantity, QuantityField("client")] | None = None
    as_fast_as_disks: Flag = False
    within_s: Seconds | None = None
    outstanding: Annotated[Quantity, QuantityField("1", above_zero=True)] | None = None
    returns_mb: Megabytes | None = None
    user_processors: Count | None = None
    priority: Priority = "normal"

    def objections(self) -> Iterator[Objection]:
        """Object to work of no size or rate, of two, or of figures that contradict each other."""
        yield from Stated.objections(self)
        if (self.rows is None) != (self.row_byte is None):
            given, lacking = ("rows", "row_byte") if self.rows else ("row_byte", "rows")
            yield Objection(f"stands without {lacking}", "both or none", at=(given,))
        sized = self.mb is not None or self.ops is not None or self.rows is not None
        if self.ops_per_s is None and not self.as_fast_as_disks and not sized:
            what = f"{self.name} states no amount of work"
            hint = "count its operations as if nothing were cached, or watch them with iostat"
            yield Objection(what, "ops_per_s, or mb or ops or rows with every_s", hint)
        asked = self.every_s is not None or self.within_s is not None
        if sized and not asked and not self.as_fast_as_disks:
            what = f"{self.name} states neither an interval nor a target time"
            yield Objection(what, "every_s, within_s, or as_fast_as_disks if neither is known")
        if self.as_fast_as_disks and self.ops_per_s is not None:
            what = "is a rate, and the work goes as fast as its disks"
            yield Objection(what, "one of the two", at=("ops_per_s",))
        if self.within_s is not None and not sized:
            what = "needs runs with a size"
            yield Objection(what, "mb, ops or rows", at=("within_s",))
        if self.returns_mb is not None and not sized and self.every_s is None:
            what = f"is data per run, but {self.name} states no interval of runs"
            expected = "mb, ops or rows, or every_s" if self.as_fast_as_disks else "every_s"
            yield Objection(what, expected, at=("returns_mb",))
        for name in ("mb", "rows", "ops"):
            size = getattr(self, name)
            if size is not None and size.low <= 0 and self.every_s is None and self.returns_mb:
                yield Objection("may be 0, but a run returns data", "more than 0", at=(name,))
        yield from self.contradictions()

    def contradictions(self) -> Iterator[Objection]:
        """Object to a run or a rate that is told twice, as far as `access` and `by` are known."""
        yield from self._run_by_bytes()
        if self.ops is not None and self.mb is None:
            yield from self._rows_by_operations(self.ops)
        if self.ops_per_s is None or self.every_s is None or self.as_fast_as_disks:
            return
        run = self._run_ops()
        if run is None and self._run_kb() is not None:
            yield from told_twice(("ops_per_s",), "a rate")
        if run is not None and self.by is not None:
            told = run / self.every_s * (self.by / one("client"))
            how = f"{text(run)} every {text(self.every_s)} by {text(self.by)}"
            yield from differ(("ops_per_s",), self.ops_per_s, told, how)

    def _run_by_bytes(self) -> Iterator[Objection]:
        """A run told by its bytes and by operations or rows; a row by key is a whole operation."""
        if self.mb is None:
            return
        for field, count in (("ops", self.ops), ("rows", self._keyed_ops())):
            if count is not None and self.block_kb is None:
                yield from told_twice((field,), "the size of a run")
            elif count is not None and self.block_kb is not None:
                told = count * self.block_kb / one("op")
                yield from differ(
                    (field,), self.mb, told, f"{text(count)} of {text(self.block_kb)}"
                )
        rows = self._rows_kb()
        if rows is not None and self.access == "serial":
            yield from differ(("rows",), self.mb, rows, self._rows_text())

    def _rows_by_operations(self, ops: Quantity) -> Iterator[Objection]:
        """A run told by its operations and by rows; rows in sequence share operations."""
        keyed, size = self._keyed_ops(), self._run_kb()
        if keyed is not None:
            yield from differ(("rows",), ops, keyed, f"{self._rows_text()} by key")
        elif size is not None and self.block_kb is None:
            yield from told_twice(("rows",), "the size of a run")
        elif size is not None and self.block_kb is not None:
            how = f"{self._rows_text()} in {text(self.block_kb)} each"
            yield from differ(("rows",), ops, size / self.block_kb * one("op"), how)

    def _run_ops(self) -> Quantity | None:
        """Operations of one run; None where that hangs on what is not told."""
        if self.ops is not None:
            return self.ops
        size, keyed = self._run_kb(), self._keyed_ops()
        if self.mb is None and keyed is not None:
            return keyed
        return size / self.block_kb * one("op") if size and self.block_kb else None

    def _run_kb(self) -> Quantity | None:
        """Bytes of one run; None where it is not they that count, or where that is not known."""
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
        """Rows that are read by their key: each is an operation of its own."""
        if self.access != "random" or self.rows is None or self.row_byte is None:
            return None
        return self.rows * one("op")


@dataclass(frozen=True, kw_only=True, eq=False)
class Traffic(Stated):
    """Data over a service's network besides what its work returns.

    Packets a second of a size, or `kb_per_s`; where `of` clients were watched, each client of the
    service counts for as much as one of those.
    """

    kb_per_s: Annotated[Quantity, QuantityField("KB/s")] | None = None
    packets_per_s: Annotated[Quantity, QuantityField("packet/s")] | None = None
    packet_byte: Annotated[Quantity, QuantityField("byte", above_zero=True)] | None = None
    of: Annotated[Quantity, QuantityField("client", above_zero=True)] | None = None
    times: Count | None = None

    def objections(self) -> Iterator[Objection]:
        """Object to no rate, two that differ, or packets of no size."""
        yield from Stated.objections(self)
        if (self.packets_per_s is None) != (self.packet_byte is None):
            given, lacking = (
                ("packets_per_s", "packet_byte") if self.packets_per_s
                else ("packet_byte", "packets_per_s")
            )  # fmt: skip
            yield Objection(f"stands without {lacking}", "both or none", at=(given,))
        elif self.kb_per_s is None and self.packets_per_s is None:
            yield Objection("has no amount", "kb_per_s, or packets_per_s and packet_byte")
        elif self.kb_per_s is not None and self.packets_per_s and self.packet_byte:
            told = self.packets_per_s * self.packet_byte / one("packet")
            how = f"{text(self.packets_per_s)} of {text(self.packet_byte)}"
            yield from differ(("kb_per_s",), self.kb_per_s, told, how)
