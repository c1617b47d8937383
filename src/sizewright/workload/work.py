"""What a service reads and writes on the server's own disks, and sends over its network."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated, Literal

from sizewright.figure import Figure
from sizewright.forms.fields import Flag, Name, OneOf
from sizewright.forms.objections import Objection
from sizewright.forms.quantity import Quantity
from sizewright.forms.said import Stated
from sizewright.limits import CONTRADICTION_SHARE
from sizewright.workload.volume import Access

Operation = Annotated[Literal["read", "update", "write"], OneOf()]
Layer = Annotated[Literal["raw", "file_system"], OneOf()]
Priority = Annotated[Literal["normal", "low"], OneOf()]
Seconds = Annotated[Figure, Quantity("s", above_zero=True)]
Count = Annotated[Figure, Quantity("1")]
Megabytes = Annotated[Figure, Quantity("MB")]


@dataclass(frozen=True, kw_only=True, eq=False)
class Work(Stated):
    """Operations of one kind on one volume.

    How much is said by `ops_per_s` of all together, or by the size of one run (`mb`, or `rows` of
    `row_byte`, or `ops`) and how often each of those who do it (`by`; default: the active clients)
    begins one, `every_s`. Work `as_fast_as_disks` takes what its disks deliver; each run is to end
    `within_s`. An update writes in place, a write appends. `returns_mb` of a run go over the
    service's network; how often one begins follows from its size or from `every_s`.
    `user_processors` are busy outside of the kernel while it goes on.
    """

    name: Name
    volume: Name
    operation: Operation = "read"
    access: Access | None = None
    layer: Layer | None = None
    block_kb: Annotated[Figure, Quantity("KB", above_zero=True)] | None = None
    ops_per_s: Annotated[Figure, Quantity("op/s")] | None = None
    mb: Megabytes | None = None
    rows: Count | None = None
    row_byte: Annotated[Figure, Quantity("byte", above_zero=True)] | None = None
    ops: Annotated[Figure, Quantity("op")] | None = None
    every_s: Seconds | None = None
    by: Annotated[Figure, Quantity("client")] | None = None
    as_fast_as_disks: Flag = False
    within_s: Seconds | None = None
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
            what = f"{self.name} does not say how much it does"
            hint = "count its operations as if nothing were cached, or watch them with iostat"
            yield Objection(what, "ops_per_s, or mb or ops or rows with every_s", hint)
        if sized and self.every_s is None and not self.as_fast_as_disks:
            yield Objection(f"{self.name} does not say how often", "every_s")
        if self.as_fast_as_disks and self.ops_per_s is not None:
            what = "is a rate, and the work goes as fast as its disks"
            yield Objection(what, "one of the two", at=("ops_per_s",))
        if self.within_s is not None and not (sized and self.as_fast_as_disks):
            what = "asks for a time of work whose runs have no size or go at a rate of their own"
            yield Objection(what, "as_fast_as_disks, and mb, ops or rows", at=("within_s",))
        if self.returns_mb is not None and not sized and self.every_s is None:
            what = f"is what a run sends, and {self.name} does not say how often one begins"
            expected = "mb, ops or rows, or every_s" if self.as_fast_as_disks else "every_s"
            yield Objection(what, expected, at=("returns_mb",))
        for name in ("mb", "rows", "ops"):
            size = getattr(self, name)
            if size is not None and size.low <= 0 and self.as_fast_as_disks and self.returns_mb:
                yield Objection("may be 0, and a run returns data", "more than 0", at=(name,))
        yield from self._contradictions()

    def _contradictions(self) -> Iterator[Objection]:
        """Sizes told twice that differ, by bytes and by operations, or by run and by rate."""
        if self.mb is not None and self.ops is not None and self.block_kb is not None:
            told = self.ops * self.block_kb / _one_operation()
            if _apart(self.mb.to("KB"), told):
                what = f"{self.ops.likely:g} operations of {self.block_kb.likely:g} KB are not "
                what += f"{self.mb.likely:g} MB"
                yield Objection(what, "one of the two, or figures that agree", at=("ops",))
        if self.mb is not None and self.rows is not None and self.row_byte is not None:
            told = self.rows * self.row_byte.to("KB")
            if _apart(self.mb.to("KB"), told):
                what = f"{self.rows.likely:g} rows of {self.row_byte.likely:g} bytes are not "
                what += f"{self.mb.likely:g} MB"
                yield Objection(what, "one of the two, or figures that agree", at=("rows",))
        if self.mb is not None and self.ops is not None and self.block_kb is None:
            what = "is the size of a run told twice, and how large an operation is remains open"
            yield Objection(what, "one of the two, or block_kb", at=("ops",))
        if self.ops_per_s is None or self.every_s is None or self.by is None:
            return
        size = self.ops
        if size is None and self.mb is not None and self.block_kb is not None:
            size = self.mb.to("KB") / self.block_kb * _one_operation()
        if size is not None and _apart(
            self.ops_per_s, size / self.every_s * self.by / _one("client")
        ):
            what = f"{self.ops_per_s.likely:g} op/s is not what the runs come to"
            yield Objection(what, "one of the two, or figures that agree", at=("ops_per_s",))


def _one(unit: str) -> Figure:
    return Figure(1, 1, 1, unit)


def _one_operation() -> Figure:
    return _one("op")


def _apart(one: Figure, other: Figure) -> bool:
    """Whether two figures for the same differ by more than slips of rounding do."""
    spare = 1 + CONTRADICTION_SHARE
    return one.low > other.high * spare or other.low > one.high * spare


@dataclass(frozen=True, kw_only=True, eq=False)
class Traffic(Stated):
    """Data over a service's network besides what its work returns.

    Packets a second of a size, or `kb_per_s`; where `of` clients were watched, each client of the
    service counts for as much as one of those.
    """

    kb_per_s: Annotated[Figure, Quantity("KB/s")] | None = None
    packets_per_s: Annotated[Figure, Quantity("packet/s")] | None = None
    packet_byte: Annotated[Figure, Quantity("byte", above_zero=True)] | None = None
    of: Annotated[Figure, Quantity("client", above_zero=True)] | None = None
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
            yield Objection("does not say how much", "kb_per_s, or packets_per_s and packet_byte")
        elif self.kb_per_s is not None and self.packets_per_s and self.packet_byte:
            told = self.packets_per_s * self.packet_byte.to("KB") / _one("packet")
            if _apart(self.kb_per_s, told):
                what = f"{self.kb_per_s.likely:g} KB/s is not what the packets come to"
                yield Objection(what, "one of the two, or figures that agree", at=("kb_per_s",))
