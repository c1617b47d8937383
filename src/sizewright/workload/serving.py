"""What services of every kind may state: work on disks, traffic, processor time, availability."""

from collections.abc import Iterator

from sizewright.errors import shown
from sizewright.quantity import Quantity
from sizewright.schema.model import FieldError, Flag, Name, SourcedModel
from sizewright.units import PURE
from sizewright.workload.agreement import Path, beyond, one
from sizewright.workload.work import Count, Memory, Seconds, Traffic, Work


class Serving(SourcedModel):
    """A service that the server does itself, with disks, processors and memory.

    `user_processors` is what its processes keep busy outside of the kernel, in processors of the
    machine to be planned; one that `takes_all_processors` could use whatever there is.
    `memory_mb` is what it was seen to take as a whole. After a failure it must be back within
    `back_within_s`; a `replicated` one runs on both systems of a pair, each with its own data.
    """

    name: Name
    work: tuple[Work, ...] = ()
    """Reads and writes on the server's own disks."""
    network: Name | None = None
    """Network for its traffic and for the data that its work returns."""
    traffic: Traffic | None = None
    """Data over that network."""
    user_processors: Count | None = None
    """Processors of the planned machine that it keeps busy outside of the kernel."""
    takes_all_processors: Flag = False
    """It can use all processors that the machine has."""
    single_threaded: Flag = False
    """It never uses more than one processor; not with `takes_all_processors`."""
    memory_mb: Memory | None = None
    """Memory of the whole service, as measured. Default: by its kind."""
    back_within_s: Seconds | None = None
    """For the record: how soon it must run again after a failure. Default: no requirement."""
    replicated: Flag = False
    """It runs on both systems of a pair, each with its own data."""

    @property
    def everybody(self) -> Quantity | None:
        """Whom the service is for; None where nobody is counted."""
        return None

    @property
    def working(self) -> Quantity | None:
        """How many of them work at once."""
        return self.everybody

    def writes(self) -> Iterator[tuple[Path, str, Name]]:
        """Each writer by the path to where it is told, its name, and the volume that it writes."""
        for index, work in enumerate(self.work):
            if work.operation != "read":
                yield ("work", index, "operation"), work.name, work.volume

    def busy(self) -> Iterator[tuple[Path, Quantity]]:
        """How many processors it is said to use, by the path to where."""
        if self.user_processors is not None:
            yield ("user_processors",), self.user_processors
        for index, work in enumerate(self.work):
            if work.user_processors is not None:
                yield ("work", index, "user_processors"), work.user_processors

    def field_errors(self) -> Iterator[FieldError]:
        """Object to traffic without a network, work of one name, and more than one thread uses."""
        yield from SourcedModel.field_errors(self)
        returns = any(work.returns_mb is not None for work in self.work)
        if self.network is None and (self.traffic is not None or returns):
            yield FieldError(f"{self.name} sends data over no network", "network")
        seen: set[str] = set()
        for index, work in enumerate(self.work):
            if work.name in seen:
                what = f"the work {shown(work.name)} is listed twice"
                yield FieldError(what, "another name", at=("work", index, "name"))
            seen.add(work.name)
        if not self.single_threaded:
            return
        if self.takes_all_processors:
            what = "takes whatever processors there are, and single_threaded never more than one"
            yield FieldError(what, "one of the two", at=("takes_all_processors",))
        for at, processors in self.busy():
            expected = "at most 1, or not single_threaded"
            yield from beyond(at, processors, one(PURE), "single_threaded takes:", expected)
