"""The draft of a box file from kernel messages, with remarks on what they do not state."""

import math
import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

from sizewright.errors import Location, counted, did_you_mean, join_or, refusal
from sizewright.guide.model import UNKNOWN, Guide, memory_at_most
from sizewright.importers.formats import Text, tidy
from sizewright.importers.messages import (
    Machine,
    ProbeNames,
    Slot,
    Unit,
    describe_machine,
    parse_messages,
    read_names,
    read_patterns,
)
from sizewright.units import factor
from sizewright.yaml_text import Path, remark, yaml_lines

# The interface whose targets may have several units.
_SCSI = "scsi"
_BUILTIN = "builtin"


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
    """Writes a draft, one key after the other, with remarks on what is not known."""

    def __init__(self, machine: Machine, guide: Guide, names: ProbeNames) -> None:
        self.machine = machine
        self.guide = guide
        self.names = names
        self.data: dict[str, Any] = {}
        self.boards: list[dict[str, Any]] = []
        self.channels: list[dict[str, Any]] = []
        self.networks: list[dict[str, Any]] = []
        self.remarks: dict[Path, tuple[str, ...]] = {}
        self.notes: list[str] = []

    def put(self, key: str, value: Any, *remarks: str) -> None:
        self.data[key] = value
        self.say(key, *remarks)

    def say(self, place: str | Path, *remarks: str) -> None:
        path = (place,) if isinstance(place, str) else place
        if remarks:
            self.remarks[path] = (*self.remarks.get(path, ()), *remarks)

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
                what, near = f"table platforms has no row '{stated}'", did_you_mean(stated, known)
                raise refusal(Location("--platform"), what, f"one of {join_or(known)}", near)
            remarks = [f"as stated; {called}"]
            if stated not in fitting:
                fits = f"what fits: {join_or(fitting)}"
                fits = fits if fitting else "no platform of the guide is known by that"
                remarks.append(f"which is not known to be one: {fits}")
                self.notes.append(f"{called}, which is not known to be a {stated}")
            self.put("platform", stated, *remarks)
        elif len(fitting) == 1:
            self.put("platform", fitting[0], called)
        else:
            what = _choice(fitting, "platforms")
            self.say("platform", f"platform: {called}. State {what}")
            self.notes.append(f"the platform is unknown: {called}; state {what} (--platform)")

    def _platforms(self) -> tuple[str, ...]:
        # The vendor's name is first, followed by a comma or blank; the model is the last word.
        model = re.split(r"[ ,]", self.machine.name.strip())[-1]
        if model in self.names.machines:
            return self.names.machines[model]
        return tuple(
            row.id for row in self.guide.table("platforms")
            if model and model.lower() in map(str.lower, (row.text("name"), *row.list("aliases")))
        )  # fmt: skip

    def processors(self) -> None:
        count = self.machine.processors or self.machine.modules
        if not count:
            self.say("processors", "processors: no message counts them. State how many")
            return
        platform = self.guide.row("platforms", self.data.get("platform", UNKNOWN))
        if count > max(platform.list("processor_counts") or (count,)):
            what = f"the messages count {count}, which do not fit in {platform.id}"
            self.say("processors", f"processors: {what}. State how many")
            self.notes.append(what)
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
            what = _choice(rows, "operating-systems")
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
        remarks.append("expansion_mb: no message states how much of it is on memory boards")
        platform = self.guide.row("platforms", self.data.get("platform", UNKNOWN))
        most = memory_at_most(platform)
        if most is not None and whole > most:
            what = f"memory: {whole} MB do not fit in {platform.id}, which takes {most:g} MB"
            self.say("memory", *remarks, f"{what}. State total_mb and expansion_mb")
            self.notes.append(what)
            return
        self.put("memory", {"total_mb": whole}, *remarks)

    def attached(self) -> None:
        self._provider = self._boards()
        self._channels()
        self._networks()
        for key in ("boards", "channels", "networks"):
            if getattr(self, key):
                self.data[key] = getattr(self, key)

    def volumes(self) -> None:
        roles = ((unit.id, self.names.driver(unit.id)) for unit in self.machine.units)
        disks = [unit for unit, driver in roles if driver and driver.role == "disk"]
        if disks:
            self.say("volumes", *_volumes(disks))

    def _boards(self) -> dict[str, str]:
        """The board of each unit in a slot; `builtin` for the others."""
        nexus = {slot[:2] for unit, slot in self.machine.slots.items() if self._role(unit) == "bus"}
        # A slot with a built-in unit belongs to the machine itself.
        own = {slot[:2] for slot in self.machine.slots.values() if slot.builtin} | nexus
        on_boards = {driver for drivers, _ in self.names.boards for driver in drivers}
        shared: dict[tuple[str, str], list[str]] = {}
        provider = {}
        for unit, slot in self.machine.slots.items():
            if slot[:2] in own:
                provider[unit] = _BUILTIN
            elif self._role(unit) != "helper" or unit.rstrip("0123456789") in on_boards:
                shared.setdefault(slot[:2], []).append(unit)
        for (bus, slot_number), units in shared.items():
            provider.update(self._board(Slot(bus, slot_number, False), units))
        return provider

    def _board(self, slot: Slot, units: list[str]) -> dict[str, str]:
        drivers = [unit.rstrip("0123456789") for unit in units]
        rows = self.names.boards_of(drivers)
        shown = f"{' and '.join(units)} in {slot.bus} slot {slot.slot}, as the kernel counts slots"
        if len(rows) != 1:
            what = _choice(rows, "boards")
            self.say(("boards",), f"boards: {shown}. State {what}, and its slot")
            self.notes.append(f"{shown}: board not identified")
            return {}
        board = f"{slot.bus}-{slot.slot}"
        path = ("boards", len(self.boards))
        self.say(path, f"{shown}; state slots as the guide counts them")
        self.boards.append({"id": board, "board": rows[0], "bus": slot.bus})
        return dict.fromkeys(units, board)

    def _role(self, unit: str) -> str:
        driver = self.names.driver(unit)
        return driver.role if driver else ""

    def _channels(self) -> None:
        adapters = [unit for unit in self.machine.slots if self._role(unit) == "host_adapter"]
        adapters += [u.adapter for u in self.machine.units if u.adapter not in adapters]
        for adapter in dict.fromkeys(adapters):
            path: Path = ("channels", len(self.channels))
            channel: dict[str, Any] = {"id": adapter}
            self._known_rows(channel, "kind", adapter, path, "disk-busses")
            self._provided(channel, adapter, path)
            self.say(path, "cable_m, connector_pairs: state them")
            units = [unit for unit in self.machine.units if unit.adapter == adapter]
            units.sort(key=lambda unit: unit.target)
            if any(self._role(unit.id) == "disk" for unit in units):
                self.say(path, "access: random or serial? state it, for each disk or in volumes")
            ids = (adapter, *(unit.id for unit in units))
            if trouble := sum(self.machine.troubled.get(unit, 0) for unit in ids):
                what = (
                    f"{counted(trouble, 'message')} of commands, transfers or labels that failed: "
                    "its cable may be too long (2.3.3)"
                )
                self.say(path, f"{what}. Measure cable_m")
                self.notes.append(f"{adapter}: {what}")
            channel["devices"] = []
            for unit in units:
                self._device(channel, unit, path)
            if not channel["devices"]:
                del channel["devices"]
            self.channels.append(channel)

    def _provided(self, entry: dict[str, Any], unit: str, path: Path) -> None:
        if unit in self._provider:
            entry["provider"] = self._provider[unit]
        else:
            self.say(path, f"provider: no board is known for {unit}. State builtin or a board")

    def _known_rows(
        self, entry: dict[str, Any], key: str, unit: str, path: Path, table: str
    ) -> None:
        driver = self.names.driver(unit)
        there = self.guide.table(table).rows
        rows = [row for row in (driver.rows if driver else ()) if row in there]
        if len(rows) == 1:
            entry[key] = rows[0]
        else:
            what = _choice(rows, table)
            self.say(path, f"{key}: {unit} could be several things. State {what}")

    def _device(self, channel: dict[str, Any], unit: Unit, above: Path) -> None:
        devices = channel["devices"]
        path = (*above, "devices", len(devices))
        entry: dict[str, Any] = {"id": unit.id}
        role = self._role(unit.id)
        if role == "disk":
            self._disk(entry, unit, path)
        else:
            self._known_rows(entry, "device", unit.id, path, "removable-media")
        self._target(entry, channel, unit, path)
        if unit.mb_per_s is not None:
            entry["rate_mb_per_s"] = tidy(unit.mb_per_s)
        elif any(other.mb_per_s is not None for other in self.machine.units):
            self.say(path, f"{unit.id} agreed on no rate: 0 says that it transfers asynchronously")
            entry["rate_mb_per_s"] = 0
        else:
            self.say(path, f"rate_mb_per_s: no message of {unit.id} gives it. 0 is asynchronous")
        if unit.partitions:
            entry["partitions"] = [
                {"name": part.letter}
                | ({} if part.kb is None else {"size_mb": tidy(part.kb * factor("KB", "MB"))})
                | {"use": part.use}
                for part in unit.partitions
            ]
        devices.append(entry)

    def _target(
        self, entry: dict[str, Any], channel: dict[str, Any], unit: Unit, path: Path
    ) -> None:
        """Add the target if the channel has it, and no other drive of a string does."""
        kind = self.guide.row("disk-busses", channel.get("kind", UNKNOWN))
        limit, shares = kind.cell("targets_limit"), kind.text("interface") in ("", _SCSI)
        taken = [each.get("target") for each in channel["devices"]]
        if limit is not None and unit.target > limit.high:
            self.say(path, f"target: {unit.target} is beyond the last of the channel. State it")
        elif unit.target in taken and not shares:
            self.say(path, f"target: {unit.target} is that of another device. State it")
        else:
            entry["target"] = unit.target

    def _disk(self, entry: dict[str, Any], unit: Unit, path: Path) -> None:
        if unit.label is None:
            self.say(path, f"device: no label of {unit.id} is printed. State a row of disks")
            return
        rows = self.names.labels.get(unit.label.name, ())
        if len(rows) != 1:
            what = _choice(rows, "disks")
            self.say(path, f"device: the label is '{unit.label.name}'. State {what}")
            self.notes.append(f"{unit.id}: no table knows the label '{unit.label.name}'")
            return
        entry["device"] = rows[0]
        row = self.guide.row("disks", rows[0])
        columns = ("cylinders", "heads", "sectors_per_track")
        known = tuple(row.number(column) for column in columns)
        if all(row.cell(column) for column in columns) and known != unit.label.geometry:
            said = " x ".join(f"{n:g}" for n in unit.label.geometry)
            usual = " x ".join(f"{n:g}" for n in known)
            self.say(path, f"{unit.id}: the label says {said}, where {rows[0]} has {usual}")

    def _networks(self) -> None:
        for unit in self.machine.slots:
            if self._role(unit) != "network":
                continue
            path: Path = ("networks", len(self.networks))
            entry: dict[str, Any] = {"name": unit}
            self._known_rows(entry, "interface", unit, path, "network-interfaces")
            self._provided(entry, unit, path)
            self.say(path, "clients, diskless_clients: state how many it has")
            self.networks.append(entry)


def _volumes(disks: Iterable[str]) -> Iterator[str]:
    yield "volumes: no message states what is on the disks. State for each, as here:"
    yield "  - name: home"
    yield f"    copies: [[{next(iter(disks))}]]"
    yield "    access:    # random or serial? state it"
    yield "    activity:  # hot or cold? state it"


def _choice(rows: Sequence[str], table: str) -> str:
    """Return what to state: one of the rows that fit, or any of the table if none does."""
    return f"one of {join_or(rows)}" if rows else f"a row of {table}"
