"""The draft of a box file from kernel messages, with remarks on what they do not state."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from sizewright.errors import Diagnostic, InputError, Location, did_you_mean, join_or, refusal
from sizewright.guide.model import Guide
from sizewright.importers.formats import Text, tidy
from sizewright.importers.messages import Machine, describe_machine, parse_messages, read_patterns
from sizewright.importers.topology import ProbeNames, Topology, read_names
from sizewright.units import factor
from sizewright.yaml_text import Path, remark, yaml_lines

_ORDER = ("name", "guide", "platform", "processors", "operating_system", "services", "memory",
          "boards", "channels", "networks", "volumes")  # fmt: skip


class Draft(NamedTuple):
    """A drafted box file: data, remarks by place, notes, and the lines that were not understood."""

    data: dict[str, Any]
    remarks: dict[Path, tuple[str, ...]]
    notes: tuple[str, ...]
    unknown: tuple[tuple[int, str], ...]

    def text(self) -> str:
        """The box file, with its remarks and the lines that were not understood."""
        written: list[str] = []
        for key in _ORDER:
            below = {path: texts for path, texts in self.remarks.items() if path[0] == key}
            one = {key: self.data[key]} if key in self.data else {}
            written += yaml_lines(one, below)
        if self.unknown:
            written.append(remark("Lines that were not understood:"))
            written += [remark(f"  line {number}: {text}") for number, text in self.unknown]
        return "\n".join(written) + "\n"


def draft_box(text: Text, guide: Guide, platform: str = "", name: str = "") -> Draft:
    """Draft a box file from kernel messages.

    Raises InputError if no line is a kernel message, if messages contradict each other, and for a
    platform that the guide does not have.
    """
    names = read_names(guide)
    found = parse_messages(text, read_patterns(guide))
    if not found.messages:
        what = "no line is a message of a kernel that finds its devices"
        raise refusal(text.place(0), what, "what it prints when it starts")
    machine = describe_machine(text, found)
    writer = _Writer(machine, guide, names)
    writer.name(name)
    writer.put("guide", guide.id)
    writer.platform(platform)
    writer.processors()
    writer.system()
    writer.say("services", "services: what it does is in no message. State it: nfs, database, …")
    writer.memory()
    writer.attached()
    writer.volumes()
    notes = writer.notes
    if found.starts > 1:
        notes.insert(0, f"the machine starts {found.starts} times here; the last start is taken")
    return Draft(writer.data, writer.remarks, tuple(notes), found.unknown)


class _Writer:
    """Writes a draft, one key after the other."""

    def __init__(self, machine: Machine, guide: Guide, names: ProbeNames) -> None:
        self.machine = machine
        self.guide = guide
        self.names = names
        self.data: dict[str, Any] = {}
        self.remarks: dict[Path, tuple[str, ...]] = {}
        self.notes: list[str] = []

    def put(self, key: str, value: Any, *remarks: str) -> None:
        self.data[key] = value
        self.say(key, *remarks)

    def say(self, key: str, *remarks: str) -> None:
        if remarks:
            self.remarks[(key,)] = (*self.remarks.get((key,), ()), *remarks)

    def name(self, stated: str) -> None:
        kernel = re.sub(r"[^a-z0-9]+", "-", self.machine.kernel.lower()).strip("-")
        if stated or not kernel:
            self.put("name", stated or "drafted")
        else:
            self.put("name", kernel, f"from the kernel's name, {self.machine.kernel}")

    def platform(self, stated: str) -> None:
        fitting = self._platforms()
        called = f"the machine calls itself '{self.machine.name}'" if self.machine.name else (
            "no message names the machine")  # fmt: skip
        known = self.guide.table("platforms").rows
        if stated:
            if stated not in known:
                expected = f"one of {join_or(known)}"
                what = f"table platforms has no row '{stated}'"
                fault = Diagnostic(
                    Location("--platform"), what, expected, did_you_mean(stated, known)
                )
                raise InputError([fault])
            remarks = [f"as stated; {called}"]
            if stated not in fitting:
                remarks.append(f"which is not known to be one: {_fits(fitting)}")
                self.notes.append(f"{called}, which is not known to be a {stated}")
            self.put("platform", stated, *remarks)
        elif len(fitting) == 1:
            self.put("platform", fitting[0], called)
        else:
            what = f"state one of {join_or(fitting)}" if fitting else "state a row of platforms"
            self.say("platform", f"platform: {called}. {what[0].upper()}{what[1:]}")
            self.notes.append(f"the platform is unknown: {called}; {what} (--platform)")

    def _platforms(self) -> tuple[str, ...]:
        # The vendor's name is first, followed by a comma or blank; the model is the last word.
        model = re.split(r"[ ,]", self.machine.name.strip())[-1]
        if model in self.names.machines:
            return self.names.machines[model]
        return tuple(
            row.id for row in self.guide.table("platforms")
            if model and model.lower() in _called(row.text("name"), row.list("aliases"))
        )  # fmt: skip

    def processors(self) -> None:
        count = self.machine.processors or self.machine.modules
        if not count:
            self.say("processors", "processors: no message counts them. State how many")
            return
        remarks = []
        if not self.machine.processors:
            remarks.append(f"counted by its {count} cpu modules; no message names the cpus")
        elif self.machine.modules not in (0, count):
            remarks.append(f"the kernel found {self.machine.modules} modules for {count} cpus")
        if count > 1 and not self.machine.multiprocessor:
            remarks.append("no message says that the kernel began to use more than one")
            self.notes.append(f"{count} cpus, but no message states that the kernel uses them")
        self.put("processors", count, *remarks)

    def system(self) -> None:
        rows = self.names.systems.get(self.machine.release, ())
        release = self.machine.release
        if len(rows) == 1:
            self.put("operating_system", rows[0], f"the kernel is release {release}")
        elif release:
            what = f"one of {join_or(rows)}" if rows else "a row of operating-systems"
            self.say("operating_system", f"operating_system: release {release}. State {what}")
        else:
            self.say("operating_system", "operating_system: no message names a release. State it")

    def memory(self) -> None:
        read = self.machine.memory_kb
        if read is None:
            self.say("memory", "memory: no message gives it. State total_mb and expansion_mb")
            return
        exact = read * factor("KB", "MB")
        whole = math.ceil(exact)
        remarks = [f"the kernel counts {read:.0f} KB ({tidy(exact)} MB)"]
        if whole != exact:
            remarks[0] += "; the rest of the last megabyte it does not see"
        remarks.append("expansion_mb: how much of it sits on memory boards is in no message")
        self.put("memory", {"total_mb": whole}, *remarks)

    def attached(self) -> None:
        attached = Topology(self.machine, self.guide, self.names)
        for key in ("boards", "channels", "networks"):
            values = getattr(attached, key)
            if values:
                self.data[key] = values
        self.remarks.update(attached.remarks)
        self.notes += attached.notes

    def volumes(self) -> None:
        roles = ((unit.id, self.names.driver(unit.id)) for unit in self.machine.units)
        disks = [unit for unit, driver in roles if driver and driver.role == "disk"]
        if disks:
            self.say("volumes", *_volumes(disks))


def _volumes(disks: Iterable[str]) -> Iterator[str]:
    yield "volumes: what the disks hold is in no message. State for each, as here:"
    yield "  - name: home"
    yield f"    copies: [[{next(iter(disks))}]]"
    yield "    access:    # random or serial? state it"
    yield "    activity:  # hot or cold? state it"


def _called(name: str, aliases: Iterable[Any]) -> set[str]:
    return {str(one).lower() for one in (name, *aliases)}


def _fits(fitting: Iterable[str]) -> str:
    rows = list(fitting)
    return f"what fits: {join_or(rows)}" if rows else "no platform of the guide is known by that"
