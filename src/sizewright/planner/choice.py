"""One complete set of the planner's choices, and the key by which the smallest is found."""

from __future__ import annotations

from operator import add
from typing import Any, NamedTuple

from sizewright.evaluate.policy import FREE, Cost
from sizewright.guide.model import Row
from sizewright.planner.connections import Attachment, LineBoards
from sizewright.planner.parts import Memory
from sizewright.planner.storage import Store


class Size(NamedTuple):
    """What makes one configuration of a machine smaller than another, most important first.

    `excess` is what exceeds recommended limits (see `Cost`), `advice` and `tight` count advice that
    is not followed, or in the best case only. `units` are beside the server; they cost more than
    boards (2.9). `unrelieved` is the data in KB/s on networks of file service whose interfaces
    spare the processors nothing.
    """

    excess: int
    advice: int
    tight: int
    units: int
    boards: int
    devices: int
    installed_mb: float
    memory_mb: float
    options: int
    unrelieved: int


class Objective(NamedTuple):
    """What makes one configuration smaller than another: rank of the platform, size, names."""

    rank: float
    size: Size
    names: tuple[str, ...]


def size_of(weight: ObjectiveVector) -> Size:
    """The size that a weight is, without what counts of broken limits."""
    return Size._make(int(part) if part == int(part) else part for part in weight[2:])


class Step(NamedTuple):
    """One option of one choice: what it sets, and what it adds to the key."""

    field: str
    value: Any
    cost: Cost = FREE
    boards: tuple[str, ...] = ()
    devices: int = 0
    installed_mb: float = 0
    memory_mb: float = 0
    options: int = 0
    unrelieved: int = 0
    units: int = 0
    name: str = ""

    def weight(self) -> ObjectiveVector:
        """Its part of the key, without the names."""
        return (
            *self.cost, self.units, len(self.boards), self.devices, self.installed_mb,
            self.memory_mb, self.options, self.unrelieved,
        )  # fmt: skip


ObjectiveVector = tuple[float, ...]
NOTHING: ObjectiveVector = Step("", None).weight()


def weight_of(cost: Cost = FREE, boards: int = 0, devices: int = 0) -> ObjectiveVector:
    """Return the part of the key that findings and numbers of boards and devices make up."""
    return Step("", None, cost, ("",) * boards, devices).weight()


def heavier(a: ObjectiveVector, b: ObjectiveVector) -> ObjectiveVector:
    """Two parts of the key together."""
    return tuple(map(add, a, b))


def raised(bound: ObjectiveVector, least: ObjectiveVector) -> ObjectiveVector:
    """Return the least that weighs no less than a bound, and in no part less than `least`."""
    for n, (reached, needed) in enumerate(zip(bound, least, strict=True)):
        if needed > reached:
            return (*bound[:n], *least[n:])
    return bound


class PartialSolution(NamedTuple):
    """All that the planner decides about one machine; `stores` are those of `groups` groups."""

    attachments: tuple[Attachment, ...] = ()
    accelerator: Row | None = None
    gathering: str = ""
    backup_devices: tuple[str, ...] = ()
    lines: LineBoards = LineBoards()
    stores: tuple[Store, ...] = ()
    groups: int = 0
    adapters: tuple[str, ...] = ()
    memory: Memory = Memory(0, ())
    backup_software: str = ""
    tuning_software: str = ""

    def after(self, step: Step) -> PartialSolution:
        """The choices with one more made; attachments are made one by one, stores by groups."""
        if not step.field:
            return self
        if step.field == "stores":
            return self._replace(stores=(*self.stores, *step.value), groups=self.groups + 1)
        value = (*self.attachments, step.value) if step.field == "attachments" else step.value
        changed: dict[str, Any] = {step.field: value}
        return self._replace(**changed)

    def storing(self, other: PartialSolution) -> PartialSolution:
        """The whole solution with the disks of another one; its networks are in order of names."""
        attachments = tuple(sorted(self.attachments, key=lambda each: each.network))
        return self._replace(attachments=attachments, stores=other.stores, groups=other.groups)

    def boards(self) -> tuple[str, ...]:
        """Rows of boards, memory boards apart, as if each port and part had one of its own."""
        found = [b for a in self.attachments for b in a.boards]
        found += [self.accelerator.text("board")] if self.accelerator else []
        return (*found, *self.lines.boards, *self.adapters)
