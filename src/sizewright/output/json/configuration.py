"""Records of a configuration, and of the work on its disks."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated, Any, Literal

from pydantic import BeforeValidator

from sizewright.evaluate.system import Evaluation
from sizewright.guide.model import Guide
from sizewright.load.backup import backup_on
from sizewright.load.model import WorkLoad
from sizewright.output.json import common
from sizewright.output.json.common import Count, Line, Number, Positive, Quantity, Record, doc
from sizewright.output.json.demand import Layer, Operation, Pattern
from sizewright.workload.volume import Use


def _in_order(value: Any) -> Any:
    """Return a set of a system as a list; what a file states in its place is judged as it is."""
    return sorted(value) if isinstance(value, frozenset) else value


Unstated = Literal[
    "accelerator", "boards", "channels", "databases", "devices", "expansion_memory", "managers",
    "ports", "software", "volumes",
]  # fmt: skip


class Board(Record):
    """A board in a run of slots."""

    id: str = doc("Id of the board.")
    table: Literal["boards", "memory-boards"] = doc("Table of its row.")
    model: str = doc("Its row.")
    bus: str = doc("I/O bus that it plugs into.")
    slots: list[Count] = doc("Slots that it takes; empty if unknown, or in an expansion box.")
    purpose: str = doc("What it is for.")


class Partition(Record):
    """A part of a disk."""

    name: str = doc("Name of the partition.")
    size_mb: Quantity | None = doc("Size; null if unknown.")
    start_cylinder: Quantity | None = doc("First cylinder; null if unknown.")
    use: Use | None = doc("What it is for; null if unknown.")
    hot: bool | None = doc("Whether it is in frequent use; null if unknown.")


class Device(Record):
    """A disk, tape drive or similar device."""

    id: str = doc("Id of the device.")
    kind: str = doc("`disk`, or the kind that its table states.")
    table: Literal["disks", "removable-media"] = doc("Table of its row.")
    model: str = doc("Its row.")
    purpose: str = doc("What it is for.")
    target: Count | None = doc("Its address on the channel; null if unknown.")
    rate_mb_per_s: Quantity | None = doc("Negotiated rate; 0 if asynchronous, null if unknown.")
    dual_ported: bool | None = doc("Whether a second system has access to it; null if unknown.")
    partitions: list[Partition] = doc("Its partitions, if they are stated.")
    owner: str = doc("Id of its system, if only its second port ends here; else empty.")


class Channel(Record):
    """A peripheral bus with its devices."""

    id: str = doc("Id of the channel.")
    kind: str = doc("Row of `disk-busses`.")
    provider: str = doc("Id of a board, or `builtin`.")
    devices: list[Device] = doc("Devices on it.")
    cable_m: Quantity | None = doc("Length of cable, inside and between boxes; null if unknown.")
    connector_pairs: Quantity | None = doc("Pairs of connectors along it; null if unknown.")


class Port(Record):
    """A network attached through an interface."""

    network: str = doc("Name of the network.")
    segment: Count = doc("Number among the networks that clients are split across; 0 if not split.")
    interface: str = doc("Row of `network-interfaces`.")
    provider: str = doc("Id of a board, or `builtin`.")


class Extent(Record):
    """The part of a copy on one disk."""

    disk: str = doc("Id of the disk.")
    size_mb: Number = doc("MB of the copy on this disk.")
    sized: bool = doc("Whether this size is known; if not, it is an equal share.")


class Volume(Record):
    """Data on one or several disks."""

    name: str = doc("Name of the volume.")
    copies: list[list[Extent]] = doc("Copies of the same data: one, or several for a mirror.")
    manager: str = doc("Row of `software` that joins the parts; empty for plain file systems.")
    layout: Literal["", "single", "stripe", "concatenation"] = doc(
        "How the parts of a copy are joined; empty if this is left open."
    )
    interlace_kb: Quantity | None = doc("Part of a stripe on a disk; null if unknown or none.")


class Expansion(Record):
    """A box with boards that is attached to a slot of an I/O bus."""

    id: str = doc("Id of the box.")
    bus: str = doc("I/O bus that it extends.")
    carrier: str = doc("Row of `boards` that provides the bus.")
    boards: list[Board] = doc("Boards in it.")


class Configuration(Record):
    """One system with its hardware and software.

    What is null is unknown, and so is each part that `unstated` names. Everything in a plan is
    known.
    """

    id: str = doc("Id of the system.")
    platform: str = doc("Row of `platforms`.")
    processors: Positive | None = doc("Number of processors; null if unknown.")
    operating_system: str = doc("Row of `operating-systems`; empty if unknown.")
    memory_mb: Number | Quantity | None = doc(
        "Memory in MB, a quantity if it is stated as a range; null if unknown."
    )
    boards: list[Board] = doc("Boards.")
    channels: list[Channel] = doc("Channels.")
    ports: list[Port] = doc("Networks attached.")
    volumes: list[Volume] = doc("Volumes.")
    software: list[str] = doc("Software beside the operating system.")
    accelerator: str = doc("Row of `nvram-accelerators`; empty if there is none.")
    expansion_memory_mb: Number | None = doc("Memory on expansion boards in MB; null if unknown.")
    expansions: list[Expansion] = doc("Boxes that extend an I/O bus.")
    tunables: dict[str, Quantity] = doc("Kernel parameters that are stated, by name.")
    databases: list[str] = doc("Database managers.")
    unstated: Annotated[list[Unstated], BeforeValidator(_in_order)] = doc(
        "Parts that are unknown: their empty lists mean nothing."
    )
    beside: list[str] = doc("Separate units that take no slot, each once for every unit.")
    serial_lines: Count | None = doc("Asynchronous lines on its boards; null if unknown.")


class System(Record):
    """A system."""

    id: str = doc("Id of the system.")
    configuration: Configuration = doc("Its hardware and software.")


Station = Literal[
    "disks", "active disks", "channel", "bus", "network", "kernel lock", "processors"
]  # fmt: skip


class Run(Record):
    """Work on disks, in runs or open-ended."""

    system: str = doc("Id of the system.")
    service: str = doc("Service.")
    name: str = doc("Name of this work of the service.")
    volume: str = doc("Volume.")
    operation: Operation = doc("Kind of operation.")
    pattern: Pattern = doc("Access pattern.")
    layer: Layer = doc("Raw, or through the file system.")
    block_kb: Quantity = doc("Size of one operation.")
    demand: Quantity | None = doc(
        "Operations per second that arrivals and target times require; null if neither is stated."
    )
    pace: Quantity | None = doc(
        "Operations per second of all runs in progress; null if a rate or a cost is unknown."
    )
    limited_by: Station | None = doc(
        "What limits the pace at the likely values, or whose recommended rate other work uses up; "
        "null if the pace is unknown."
    )
    best_limited_by: Station | None = doc(
        "What limits it if disks are always busy and networks reach their raw speed; null if the "
        "pace is unknown."
    )
    limited_by_requests: bool | None = doc(
        "Whether too few outstanding requests keep this from being busy, so that its response time "
        "limits the pace; if false, its capacity does. Null if the pace is unknown."
    )
    requests: Quantity | None = doc("Outstanding requests of a run; null if the pace is unknown.")
    requests_assumed: bool = doc(
        "Whether `requests` is an assumption: the number of disks that the channels allow to be "
        "active."
    )
    run_s: Quantity | None = doc(
        "Time of a run, from recommended rates of disks and networks to their maximum; null if the "
        "recommended rates leave nothing for it, or if it has no size."
    )
    best_run_s: Quantity | None = doc(
        "Time of a run if disks are always busy and networks reach their raw speed; null if "
        "unknown."
    )
    wanted_s: Quantity | None = doc("Target time; null if none.")
    every_s: Quantity | None = doc("Interval between the starts of runs; null if not stated.")


class YieldingWork(Record):
    """Kernel time of work with low priority."""

    system: str = doc("Id of the system.")
    name: str = doc("The work.")
    used: Quantity = doc("Kernel time if no other work needs it.")
    formula: str = doc("How this was calculated, in numbers.")
    sources: list[common.Source] = doc("Where each number of the formula comes from.")


class Drives(Record):
    """Drives of one model."""

    model: str = doc("Row of `removable-media`.")
    count: Positive = doc("How many.")


class BackupRun(Record):
    """How long a backup of a system takes."""

    system: str = doc("Id of the system.")
    drives: list[Drives] = doc("Drives that work on it at once.")
    over: str = doc("Network to drives on another system; empty if the drives are its own.")
    window: Quantity | None = doc("Time in which a full backup must end; null if not stated.")
    data: Line | None = doc("Data of a full backup; null if unknown.")
    rate: Line | None = doc("Rate of all drives, or of the network to them; null if unknown.")
    full: Line | None = doc("Time of a full backup; null if unknown.")
    daily: Line | None = doc("Time of a daily backup; null if it saves all data, or if unknown.")
    media: Line | None = doc("Tapes that a full backup fills; null if no tape's capacity is known.")
    exceeds_tapes: bool | None = doc(
        "Whether that is more than the drives have inside, so that tapes are changed; null if "
        "unknown."
    )


def backup_records(judged: Iterable[Evaluation], guide: Guide, end: str) -> list[BackupRun]:
    """Return the records of the backups of systems that have any."""
    found = []
    for each in judged:
        run = backup_on(each.load, each.system, guide)
        if run is None:
            continue
        figures = {
            "data": run.data_mb, "rate": run.kb_per_s, "full": run.full_hours,
            "daily": run.daily_hours, "media": run.media,
        }  # fmt: skip
        lines = {
            name: figure and common.line_record(name, figure, end)
            for name, figure in figures.items()
        }
        drives = [Drives.make(model=model, count=n) for model, n in run.drives.items()]
        made = {"system": each.system.id, "exceeds_tapes": run.exceeds_tapes, "drives": drives}
        found.append(BackupRun.make(run.asked, **made, **lines))
    return found


def run_record(work: WorkLoad, system: str) -> Run:
    """Return the record of work on the disks of a system."""
    pace, runs = work.pace, work.operations.runs
    return Run.make(
        work.operations, system=system, demand=work.operations.ops,
        pace=pace and pace.rate, limited_by=pace and pace.station,
        best_limited_by=pace and pace.best_station, limited_by_requests=pace and pace.by_requests,
        requests=pace and pace.requests, requests_assumed=runs.outstanding is None,
        run_s=pace and pace.run_s, best_run_s=pace and pace.best_run_s,
        wanted_s=runs.within_s, every_s=runs.every_s,
    )  # fmt: skip


def yielding_records(shown: Evaluation, end: str) -> list[YieldingWork]:
    """Return kernel time of work with low priority, at one end of the ranges."""
    return [
        YieldingWork.make(line, system=shown.system.id)
        for line in common.line_records(shown.load.low_priority, end)
    ]
