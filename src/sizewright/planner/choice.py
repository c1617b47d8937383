"""One complete set of the planner's choices, and the key by which the smallest is found."""

from __future__ import annotations

from typing import NamedTuple

from sizewright.planner.networks import Attachment
from sizewright.planner.parts import Memory
from sizewright.planner.policy import Cost
from sizewright.planner.storage import Store


class Key(NamedTuple):
    """What makes one configuration smaller than another, most important first."""

    rank: float
    advice: int
    tight: int
    boards: int
    devices: int
    installed_mb: float
    memory_mb: float
    options: int
    names: tuple[str, ...]

    def numbers(self) -> tuple[float, ...]:
        """What compares configurations of one machine before their names do."""
        return self[1:-1]


class Step(NamedTuple):
    """One option of one choice: what it adds to the key and to the slots."""

    value: object
    cost: Cost
    boards: tuple[str, ...] = ()
    devices: int = 0
    installed_mb: float = 0
    memory_mb: float = 0
    options: int = 0
    name: str = ""

    def weight(self) -> tuple[float, ...]:
        """Its part of the key, without the names."""
        return (
            self.cost.broken, self.cost.advice, self.cost.tight, len(self.boards), self.devices,
            self.installed_mb, self.memory_mb, self.options,
        )  # fmt: skip


class Choice(NamedTuple):
    """Everything that the planner decides about one machine."""

    attachments: tuple[Attachment, ...] = ()
    accelerator: str = ""
    accelerator_board: str = ""
    gathering: str = ""
    memory: Memory = Memory(0, ())
    backup_software: str = ""
    backup_device: str = ""
    stores: tuple[Store, ...] = ()
    adapters: tuple[str, ...] = ()

    def boards(self) -> tuple[str, ...]:
        """Rows of the boards to be put in slots, memory boards apart."""
        found = [b for a in self.attachments for b in a.boards]
        found += [self.accelerator_board] if self.accelerator_board else []
        return (*found, *self.adapters)
