"""Reads the predictions, and plans or checks what each of them describes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from copy import deepcopy
from functools import cache, cached_property
from pathlib import Path
from typing import Any, NamedTuple

import yaml

import small
from cases.copies import EXAMPLES
from generated_workloads import ENGINE, text_of
from sizewright.api import Engine, check, plan, read_workload
from sizewright.box.reading import read_box
from sizewright.box.schema import BUILTIN
from sizewright.check.check import Check
from sizewright.configuration.model import Channel, Device, Extent, System, Volume
from sizewright.demand.build import demand_of
from sizewright.demand.model import Demand
from sizewright.demand.rates import Operations
from sizewright.documents import Document, parse_document
from sizewright.evaluate.policy import Policy
from sizewright.evaluate.system import Evaluation, evaluate
from sizewright.guide.model import Guide
from sizewright.planner.plan import Plan

Plain = dict[str, Any]

FILE = Path(__file__).with_name("predictions.yaml")
# The platform that the guide configures with IPI drives; its figures of disks are those.
IPI_PLATFORM, IPI_DRIVE, IPI_STRING = "sparcserver-690mp", "1-3gb-ipi", "ipi-2"
SCSI = "scsi"


@cache
def entries() -> Mapping[str, Plain]:
    """Every prediction by its id."""
    with FILE.open(encoding="utf-8") as file:
        found = yaml.load(file, yaml.CSafeLoader)
    return {entry["id"]: entry for entry in found}


class Cell(NamedTuple):
    """A changed cell of a table."""

    table: str
    row: str
    field: str
    value: Any


def guide_with(guide: Guide, cells: tuple[Cell, ...]) -> Guide:
    """Return a guide in which some cells have another value."""
    for cell in cells:
        guide = guide.with_values(cell.table, cell.row, {cell.field: cell.value})
    return guide


class Trial:
    """What the program computes of one prediction: a plan or a check, once it is asked for.

    `before` is the workload or guide without what the prediction changes. `disks` are the models
    that may be ordered, all if it is empty.
    """

    def __init__(self, entry: Plain, *, before: bool = False, disks: tuple[str, ...] = ()) -> None:
        self.entry = entry
        self._before = before
        self._disks = disks

    def with_disks(self, *models: str) -> Trial:
        """Return the same with only some models of disks on offer."""
        rows = self.guide.table("disks")
        if {row.id for row in rows if row.flag("orderable")} == set(models):
            return self
        return _trial(self.entry["id"], self._before, models)

    def beforehand(self) -> Trial:
        """Return the same without the changes, or the prediction that it is compared with."""
        if "before" in self.entry:
            return trial(self.entry["before"])
        return _trial(self.entry["id"], True, self._disks)

    @cached_property
    def engine(self) -> Engine:
        """The guide, with the cells that the prediction changes."""
        cells = self._withdrawn()
        if not self._before:
            cells += tuple(Cell(**cell) for cell in self.entry.get("overlay", ()))
        return _engine(cells)

    def _withdrawn(self) -> tuple[Cell, ...]:
        """Every disk that the prediction leaves out of account."""
        if self._disks:
            left_out = {row.id for row in ENGINE.guide.table("disks")} - set(self._disks)
        elif self.entry.get("platform") == IPI_PLATFORM:
            rows = ENGINE.guide.table("disks")
            left_out = {row.id for row in rows if row.text("interface") == SCSI}
        else:
            left_out = set()
        return tuple(Cell("disks", row, "orderable", False) for row in sorted(left_out))

    @cached_property
    def text(self) -> str:
        """The file that the prediction describes, for the platform that it fixes."""
        entry = self.entry
        plain = entry.get("workload") or entry.get("server")
        if plain is None:
            path = EXAMPLES / entry["base"] / entry.get("file", "workload.yaml")
            plain = yaml.load(path.read_text(encoding="utf-8"), yaml.CSafeLoader)
        plain = deepcopy(plain)
        for change in () if self._before else entry.get("changes", ()):
            put(plain, change["at"], change["value"])
        if "base" in entry and "platform" in entry:
            plain.setdefault("wishes", {})["platforms"] = [entry["platform"]]
        if not self.is_check:
            # What is predicted of a machine is predicted of one, unless systems are asked for.
            plain.setdefault("availability", {}).setdefault("systems", 1)
        return text_of(plain)

    @property
    def document(self) -> Document:
        """The same as the program reads it."""
        return parse_document(self.text, f"{self.entry['id']}.yaml")

    @property
    def is_check(self) -> bool:
        """Whether an existing server is checked."""
        return "server" in self.entry

    @cached_property
    def check(self) -> Check:
        """The check of the server."""
        return check(read_box(self.document), self.engine)

    @cached_property
    def plan(self) -> Plan:
        """The plan of the workload; the same for all that plan the same."""
        return _planned(self.text, self.engine)

    @cached_property
    def demand(self) -> Demand:
        """The demand of the workload."""
        return demand_of(read_workload(self.document), self.guide)

    @cached_property
    def judged(self) -> tuple[Evaluation, ...]:
        """Every system with its load: those planned, the nearest one, or the server checked."""
        if self.is_check:
            return (self.check.judged,)
        hardware = self.entry.get("hardware")
        if hardware == "sketch":
            return (self._judged(self.demand, sketch(self.demand)),)
        shown = tuple(each.shown for each in self.plan.plans if each.shown is not None)
        if hardware:
            return tuple(self.on_strings(each.system, **hardware) for each in shown)
        return shown

    @property
    def guide(self) -> Guide:
        """The guide of the plan or check."""
        return self.engine.guide

    def loaded_only_with(self, work: Operations) -> Evaluation:
        """Return the first system shown, judged without the disk load of all other work."""
        volumes = tuple(
            each._replace(reads=(), writes=(), work=tuple(w for w in each.work if w is work))
            for each in self.demand.volumes
        )
        demand = self.demand._replace(volumes=volumes, operations=(work,))
        return self._judged(demand, self.judged[0].system)

    def on_strings(
        self, system: System, disks: Mapping[str, int], strings: int, volume: str = ""
    ) -> Evaluation:
        """Return a system judged with volumes on as many disks and strings as stated."""
        return self._judged(self.demand, on_strings(system, disks, strings, volume))

    def _judged(self, demand: Demand, system: System) -> Evaluation:
        rule_set = self.engine.judging("plan")
        return evaluate(demand, system, self.guide, rule_set, Policy(demand.size_for))


def sketch(demand: Demand) -> System:
    """Return a machine with a drive for each volume and an interface for each network."""
    drives = {volume.name: small.disk(f"for-{volume.name}", IPI_DRIVE) for volume in demand.volumes}
    return small.system(
        platform=IPI_PLATFORM,
        processors=4,
        ports=tuple(small.port(network.name) for network in demand.networks),
        channels=(small.channel("string", *drives.values(), kind=IPI_STRING),),
        volumes=tuple(
            small.laid(volume.name, {drives[volume.name].id: volume.size_mb.likely})
            for volume in demand.volumes
        ),
    )


def on_strings(system: System, disks: Mapping[str, int], strings: int, volume: str = "") -> System:
    """Return a system with a volume, or all of them, on as many disks and strings as stated.

    The disks are dealt evenly over the strings. Other volumes keep their own; without any, their
    string controllers are taken out.
    """
    string = next(c for c in system.channels if c.provider in {b.id for b in system.boards})
    board = next(board for board in system.boards if board.id == string.provider)
    kept = {b.id for b in system.boards if b.model != board.model or volume}
    device = string.devices[0]
    devices = [
        device._replace(id=f"{name}-laid-{n}", model=name, target=None)
        for name, number in disks.items() for n in range(number)
    ]  # fmt: skip
    added = [board._replace(id=f"{board.model}-laid-{n}", slots=()) for n in range(strings)]
    hung = [
        Channel(f"{own.id}-string", string.kind, own.id, tuple(devices[n::strings]))
        for n, own in enumerate(added)
    ]
    return system._replace(
        boards=(*(b for b in system.boards if b.id in kept), *added),
        channels=(*(c for c in system.channels if c.provider in {*kept, BUILTIN}), *hung),
        volumes=tuple(
            _laid(each, devices) if volume in ("", each.name) else each for each in system.volumes
        ),
    )


def _laid(volume: Volume, disks: Sequence[Device]) -> Volume:
    """Return a volume spread evenly over disks, in as many copies as before."""
    sizes = [sum(part.size_mb for part in copy) / len(disks) for copy in volume.copies]
    return volume._replace(
        copies=tuple(tuple(Extent(disk.id, size) for disk in disks) for size in sizes)
    )


def put(plain: Plain, path: str, value: Any) -> None:
    """Set a value at a path; items of a list are addressed by their name."""
    *steps, last = path.split(".")
    at: Any = plain
    for step in steps:
        is_list = isinstance(at, list)
        at = next(item for item in at if item["name"] == step) if is_list else at[step]
    at[last] = value


@cache
def _engine(cells: tuple[Cell, ...]) -> Engine:
    return Engine(guide_with(ENGINE.guide, cells)) if cells else ENGINE


@cache
def _planned(text: str, engine: Engine) -> Plan:
    return plan(read_workload(parse_document(text, "workload.yaml")), engine)


def trial(name: str) -> Trial:
    """The trial of a prediction."""
    return _trial(name, False, ())


@cache
def _trial(name: str, before: bool, disks: tuple[str, ...]) -> Trial:
    return Trial(entries()[name], before=before, disks=disks)
