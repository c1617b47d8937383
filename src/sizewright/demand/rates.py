"""What services ask for in rates: operations, data, kernel and processor time, lines."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple, overload

from sizewright.quantity import Quantity, count, largest, total

# Patterns of access, layers of data and kinds of operations, by the names that tables use.
RANDOM, SERIAL, SEQUENTIAL = "random", "serial", "sequential"
FILE_SYSTEM, RAW, LOG = "file_system", "raw", "log"
READ, WRITE = "read", "write"
# Uses of volumes that have no file system.
RAW_USES = (RAW, LOG, "swap")


def layer_of(use: str) -> str:
    """Return the layer of data with a use, if it is not stated."""
    return RAW if use in RAW_USES else FILE_SYSTEM


def pattern_of(access: str) -> str:
    """Return the pattern of operations on data that is read so, by the name that tables use."""
    return SEQUENTIAL if access == SERIAL else access


class Use(NamedTuple):
    """The share of a stream's data operations that goes to one volume."""

    volume: str
    share: Quantity


class Stream(NamedTuple):
    """NFS operations of one service, in op/s.

    `weighted` counts them as operations of the reference mix that cost the server as much;
    `kb_per_s` is the data that they move over the network, in both directions.
    """

    service: str
    network: str
    clients: Quantity
    diskless: bool
    ops: Quantity
    reads: Quantity
    writes: Quantity
    weighted: Quantity
    kb_per_s: Quantity
    read_share: Quantity
    write_share: Quantity
    mix: str
    uses: tuple[Use, ...]


class LineItem(NamedTuple):
    """A line of a budget: a name and how much; `service` if one service has several lines.

    Memory of the operating system and of data that is kept there does not grow with the load, nor
    does spin: processors spin if the lock is over its limit.
    """

    name: str
    figure: Quantity
    service: str = ""
    grows: bool = True

    @property
    def owner(self) -> str:
        """Return the service that asks for it, or the name of what else does."""
        return self.service or self.name


Lines = tuple[LineItem, ...]
# None is unknown.
Known = Lines | None


@overload
def sum_lines(lines: Sequence[LineItem], unit: str) -> Quantity: ...
@overload
def sum_lines(lines: Sequence[LineItem] | None, unit: str) -> Quantity | None: ...


def sum_lines(lines: Sequence[LineItem] | None, unit: str) -> Quantity | None:
    """Return the total of budget lines; None if they are not known."""
    return None if lines is None else total([line.figure for line in lines], unit)


def divided_lines(lines: Lines, parts: Quantity) -> Lines:
    """Return lines divided by a number of equal parts."""
    return tuple(line._replace(figure=line.figure / parts) for line in lines)


class Runs(NamedTuple):
    """Work in runs: the size of one run, and when runs begin and end.

    A run has `run_ops` operations, sends `returns_kb` and is to end `within_s`. One begins
    `every_s`. `at_once` is the stated number of runs in progress, None if it is not stated. A run
    keeps `outstanding` requests in progress, None if that is not stated.
    """

    run_ops: Quantity | None = None
    returns_kb: Quantity | None = None
    within_s: Quantity | None = None
    every_s: Quantity | None = None
    at_once: Quantity | None = None
    outstanding: Quantity | None = None


class Operations(NamedTuple):
    """Operations of one kind that a service does on one volume of the server.

    `ops` is the demand in op/s: what arrivals and wanted times ask for. It is None for open-ended
    work, which has neither and takes what is left. Runs in progress keep `processors` busy outside
    of the kernel. `low` work has low priority and no wanted time: it yields to all other work.
    """

    service: str
    name: str
    volume: str
    network: str
    layer: str
    pattern: str
    operation: str
    block_kb: Quantity
    ops: Quantity | None
    runs: Runs = Runs()
    processors: Quantity | None = None
    low: bool = False

    @property
    def title(self) -> str:
        """Return their name in a budget."""
        return f"{self.service}: {self.name}"

    @property
    def open_ended(self) -> bool:
        """Return whether neither arrivals nor a wanted time ask for a rate."""
        return self.ops is None


class Traffic(NamedTuple):
    """Data that a service sends and receives over a network, in KB/s, NFS apart.

    `packets_per_s` and `packet_byte` are stated or None; data without them goes in full packets.
    `nfs_ops` are the operations of file service that move it.
    """

    service: str
    name: str
    network: str
    kb_per_s: Quantity
    low: bool = False
    packets_per_s: Quantity | None = None
    packet_byte: Quantity | None = None
    nfs_ops: Quantity | None = None

    @property
    def title(self) -> str:
        """Return its name in a budget."""
        return f"{self.service}: {self.name}"


def packet_kb(packet_byte: Quantity) -> Quantity:
    """Return what one packet moves, in KB/packet."""
    return packet_byte.to("KB") / count(1, "one packet", "packet")


def data_of(packets_per_s: Quantity, packet_byte: Quantity) -> Quantity:
    """Return what packets move, in KB/s."""
    return packets_per_s * packet_kb(packet_byte)


# What a backup sends to drives on another system: as service and name, and as named in a budget.
BACKUP_TRAFFIC = ("backup", "data to tapes")
TO_TAPES = ": ".join(BACKUP_TRAFFIC)


class KernelTime(NamedTuple):
    """Kernel time in ms/s that is neither of disks nor of packets.

    It was measured on a processor of `mips`; None if the guide does not state it.
    """

    service: str
    name: str
    ms_per_s: Quantity
    mips: Quantity | None = None


class UserTime(NamedTuple):
    """Processors that a service keeps busy outside of the kernel; None is all that there are.

    A `single` one uses no more than one. They were measured on processors of `mips`; None if they
    are those of the planned machine.
    """

    service: str
    processors: Quantity | None
    single: bool = False
    low: bool = False
    mips: Quantity | None = None


class LineDemand(NamedTuple):
    """Lines that end at the server: `kind` is wide (synchronous), serial or a printer's port."""

    service: str
    name: str
    kind: str
    number: Quantity
    kbit_per_s: Quantity | None = None
    kb_per_s: Quantity | None = None
    protocol: str = ""

    @property
    def title(self) -> str:
        """Return its name in a budget; a box states the name alone."""
        return f"{self.service}: {self.name}" if self.service else self.name


# The fields of an item that grow with its rate.
_SCALED: Mapping[type[Any], tuple[str, ...]] = {
    Stream: ("ops", "reads", "writes", "weighted", "kb_per_s"),
    Operations: ("ops", "runs"),
    Runs: ("run_ops", "returns_kb"),
    Traffic: ("kb_per_s", "packets_per_s", "nfs_ops"),
    KernelTime: ("ms_per_s",),
    UserTime: ("processors",),
    LineItem: ("figure",),
    LineDemand: ("kbit_per_s", "kb_per_s"),
}


def scaled(item: Any, factor: Quantity) -> Any:
    """Return an item of a demand with its rates multiplied by a factor."""
    values = {name: getattr(item, name) for name in _SCALED[type(item)]}
    return item._replace(**{
        name: scaled(value, factor) if isinstance(value, Runs) else value * factor
        for name, value in values.items() if value is not None
    })  # fmt: skip


def peak(
    items: tuple[LineItem, ...], exclusive: tuple[tuple[str, ...], ...]
) -> tuple[LineItem, ...]:
    """Return one line for each set of services that never coincide: the larger, end by end."""
    if not exclusive:
        return items
    folded: list[LineItem] = []
    done: set[str] = set()
    for item in items:
        if item.owner in done:
            continue
        rivals = next((names for names in exclusive if item.owner in names), ())
        asked = {name: [i for i in items if i.owner == name] for name in rivals}
        present = {name: lines for name, lines in asked.items() if lines}
        if len(present) < 2:
            folded.append(item)
            continue
        done.update(present)
        sums = [
            lines[0].figure if len(lines) == 1
            else sum_lines(lines, item.figure.unit)
            for lines in present.values()
        ]  # fmt: skip
        folded.append(LineItem(" or ".join(present), largest(*sums)))
    return tuple(folded)
