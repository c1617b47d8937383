"""The machine that kernel messages describe, before anything is looked up about it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from sizewright.errors import Diagnostic, InputError
from sizewright.observe.messages import Message, Recognised
from sizewright.observe.text import Text


class Slot(NamedTuple):
    """Where a unit stands: on a bus, in a slot, or built in."""

    bus: str
    slot: str
    builtin: bool


class Partition(NamedTuple):
    """A part of a disk with a use of its own; size in KB, None where none is printed."""

    letter: str
    use: str
    kb: float | None


class Label(NamedTuple):
    """What is written on a disk: its name, and its cylinders, heads and sectors a track."""

    name: str
    geometry: tuple[float, float, float]


class Unit(NamedTuple):
    """A device behind an adapter; `mb_per_s` is None where no rate was agreed on."""

    id: str
    adapter: str
    target: int
    mb_per_s: float | None
    label: Label | None
    partitions: tuple[Partition, ...]


class Machine(NamedTuple):
    """A machine in the words of its kernel; memory in KB."""

    release: str
    kernel: str
    name: str
    modules: int
    processors: int
    multiprocessor: bool
    memory_kb: float | None
    slots: Mapping[str, Slot]
    units: tuple[Unit, ...]


def machine_of(text: Text, found: Recognised) -> Machine:
    """Put the messages together; raises InputFaults where they contradict each other."""
    faults: list[Diagnostic] = []
    boot = _last(found, "boot", {})
    memory = _last(found, "memory", {})
    machine = Machine(
        release=boot.get("release", ""),
        kernel=boot.get("kernel", ""),
        name=_last(found, "machine", {}).get("machine", ""),
        modules=len({m.words["unit"] for m in found.of("module")}),
        processors=len({m.words["unit"] for m in found.of("processor")}),
        multiprocessor=any(found.of("multiprocessor")),
        memory_kb=float(memory["kb"]) if memory else None,
        slots=_slots(found),
        units=_units(text, found, faults),
    )
    if faults:
        raise InputError(faults)
    return machine


def _last(found: Recognised, makes: str, otherwise: Mapping[str, str]) -> Mapping[str, str]:
    words = [message.words for message in found.of(makes)]
    return words[-1] if words else otherwise


def _slots(found: Recognised) -> dict[str, Slot]:
    placed = [m for m in found.messages if m.makes in ("builtin", "in_slot")]
    return {
        m.words["unit"]: Slot(m.words["bus"].lower(), m.words["slot"], m.makes == "builtin")
        for m in placed
    }


def _units(text: Text, found: Recognised, faults: list[Diagnostic]) -> tuple[Unit, ...]:
    rates = {(m.words["adapter"], int(m.words["target"])): m for m in found.of("rate")}
    labels = {m.words["unit"]: m for m in found.of("label")}
    seen: dict[str, Message] = {}
    for message in found.of("device"):
        unit = message.words["unit"]
        before = seen.setdefault(unit, message)
        if before.words != message.words:
            what = f"'{unit}' is listed twice in different places (first on line {before.line})"
            faults.append(Diagnostic(text.place(message.line - 1), what))
    partitions = _partitions(found)
    for unit, message in labels.items():
        if unit not in seen:
            what = f"'{unit}' has a label, and no message says where it is attached"
            faults.append(Diagnostic(text.place(message.line - 1), what))
    units = []
    for unit, message in seen.items():
        target = int(message.words["target"])
        rate = rates.get((message.words["adapter"], target))
        label = labels.get(unit)
        units.append(
            Unit(
                unit, message.words["adapter"], target,
                float(rate.words["mb_per_s"]) if rate else None,
                _label(label) if label else None, partitions.get(unit, ()),
            )
        )  # fmt: skip
    return tuple(units)


def _label(message: Message) -> Label:
    words = message.words
    cylinders, heads, sectors = (float(words[k]) for k in ("cylinders", "heads", "sectors"))
    return Label(words["label"], (cylinders, heads, sectors))


def _partitions(found: Recognised) -> dict[str, tuple[Partition, ...]]:
    known: dict[str, dict[str, Partition]] = {}
    for use in ("root", "swap"):
        for message in found.of(use):
            words = message.words
            kb = float(words["kb"]) if "kb" in words else None
            part = Partition(words["partition"], use, kb)
            known.setdefault(words["unit"], {})[part.letter] = part
    return {unit: tuple(parts[k] for k in sorted(parts)) for unit, parts in known.items()}
