"""The names of the parts of a system: from the tables, numbered if several are the same."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from typing import TypeVar

from sizewright.configuration.model import SYSTEM, Board, Channel, Device, System
from sizewright.errors import counted, enumerated
from sizewright.evaluate.budgets import Budget
from sizewright.failure import Failure
from sizewright.guide.model import Guide
from sizewright.output.layout import ACRONYM_AT_MOST, NAMES_LISTED
from sizewright.planner.infeasibility import PassedOver, Rejection
from sizewright.planner.plan import Plan
from sizewright.rules.rule import Finding

Item = TypeVar("Item")
Key = TypeVar("Key", bound=Hashable)
Words = TypeVar("Words", bound=Hashable)

BUILTIN = "builtin"
END_NAMES = {
    "low": "the low end of all ranges",
    "likely": "the likely values of all ranges",
    "high": "the high end of all ranges",
}
_KINDS = {
    "kernel_lock": "kernel lock",
    "processors": "processor time",
    "nfs": "NFS load",
    "active": "active disks",
    "channel": "transfers",
    "targets": "devices",
    "disk": "load",
    "busy": "busy time",
    "interfaces": "all network interfaces",
    "processes": "active processes",
    "descriptors": "open files of a process",
    "data": "data on network",
    "shared": "shared network",
    "utilisation": "utilisation",
    "stack": "data through the protocol stack",
    "backup": "full backup",
}
_PURPOSES = {
    "nvram_accelerator": "speeds up writes",
    "write_gathering_nfs": "gathers NFS writes",
    "volume_manager": "mirrors and joins disks",
    "online_backup": "organizes backups",
    "memory": "more memory",
    "host_adapter": "disks and tapes",
    "string_controller": "disks",
    "rasterising": "draws pages for printers",
}
_SUBJECTS = {"expansion": "expansion box", "slots": "bus"}
# Facts whose texts are rows, and the table that has their names.
_NAMED_BY = {
    "platform": "platforms", "medium": "network-media", "interface": "network-interfaces",
    "interface_needs": "third-party-parts", "databases_gaining": "database-systems",
    "inside_disks_on_boards": "disks",
    "clustering_prevented_by": "software", "manager": "software",
    "operating_system": "operating-systems",
}  # fmt: skip
# Facts whose texts are busses.
_OF_BUSSES = ("nvram_bus", "disk_adapter_busses", "free_slot_busses")
_SERVICES = {
    "nfs": "NFS", "database": "databases", "timesharing": "time-sharing", "batch": "batch work",
    "gateway": "routing", "serial": "serial lines", "print": "printing",
    "measured": "other measured work",
}  # fmt: skip
_ON_NETWORKS = ("network", "data", "shared")
# The name of one of several identical parts, and its number; after a mark it is written once.
NUMBERED = re.compile(r"(.*[^0-9])([0-9]+)")
_MARKS = ("#", "-")
_DIGITS = re.compile("([0-9]+)")
_NAMED_AFTER = ("active", "lines", "channel", "targets", "busy", "utilisation", "disk", "space")


def row_name(guide: Guide, table: str, row: str) -> str:
    """A row's name, or its id where the table gives none."""
    if table in guide.tables and row in guide.table(table).rows:
        return guide.row(table, row).text("name") or row
    return row


def bus_name(bus: str) -> str:
    """A bus id as it is written: a short first word is an acronym."""
    first, _, rest = bus.partition(" ")
    written = first.upper() if len(first) <= ACRONYM_AT_MOST else first.capitalize()
    return f"{written} {rest}".rstrip().replace("_", " ")


def words(identifier: str) -> str:
    """An id of a kind or purpose in words."""
    return _PURPOSES.get(identifier) or identifier.replace("_", " ")


def kind_name(kind: str) -> str:
    """What a kind of resource is called."""
    return _KINDS.get(kind) or kind.replace("_", " ")


def resource_name(kind: str, names: Sequence[str]) -> str:
    """Return the name of a resource: of its kind, and of the part that has it."""
    what = kind_name(kind)
    if not names:
        return what
    if kind in ("slots", "bus"):
        return f"{enumerated(names)} {what}"
    return f"{what} {names[0]}" if kind in _ON_NETWORKS else f"{what}, {names[0]}"


def natural(name: str) -> tuple[str | int, ...]:
    """Return a key that sorts names as people do: `s2` before `s10`."""
    parts = _DIGITS.split(name.casefold())
    return tuple(int(part) if i % 2 else part for i, part in enumerate(parts))


def by_name(names: Iterable[str], most: int | None = None) -> str:
    """Every name in natural order; of three or more with numbers in a row the first and last.

    Of a long row the first ones are listed, up to `most`, and how many more there are.
    """
    left, told = sorted(names, key=natural), list[str]()
    for text, number in _runs(left):
        if most is not None and len(told) >= most and len(left) > 1:
            told.append(f"{len(left)} more")
            break
        told += [text] if number > 2 else left[:number]
        left = left[number:]
    return enumerated(told)


def system_names(names: Sequence[str]) -> str:
    """Systems in a sentence: `the primary and alternate`, but `server-1 and server-3`."""
    numbered = any(NUMBERED.fullmatch(name) for name in names)
    return by_name(names) if numbered else f"the {enumerated(names)}"


def name_of_failed(guide: Guide, failure: Failure, several: bool) -> str:
    """Return the part that fails, with its system if there are `several`."""
    if failure.kind == SYSTEM:
        return system_names([failure.component])
    names = Names(guide, failure.before.system)
    part = names.located(failure.kind, failure.component.rpartition("/")[2])
    return f"{part} of {system_names([failure.system])}" if several else part


def listing(names: Iterable[str]) -> str:
    """Names in natural order, numbered ones by the first and last; of a long row only its first."""
    several = _runs(sorted(names, key=natural))
    told = [text for text, _ in several[:NAMES_LISTED]]
    left = sum(number for _, number in several[NAMES_LISTED:])
    more = [f"and {left} more" if left > 1 else several[-1][0]] if left else []
    return ", ".join((*told, *more))


def _runs(names: Iterable[str]) -> list[tuple[str, int]]:
    """Names, those with numbers in a row as one: `disk #1 to #4`, `#6 and #7`; how many each is."""
    found: list[tuple[str, int]] = []
    before, last, begun = "", 0, ""
    for name in names:
        numbered = NUMBERED.fullmatch(name)
        stem, number = (numbered[1], int(numbered[2])) if numbered else ("", 0)
        alike = bool(stem) and stem == before
        short = name.removeprefix(stem[:-1]) if alike and stem.endswith(_MARKS) else name
        if alike and number == last + 1:
            many = found[-1][1] + 1
            found[-1] = f"{begun} {'to' if many > 2 else 'and'} {short}", many
        else:
            begun = short
            found.append((begun, 1))
        before, last = stem, number
    return found


def label_rejections(plan: Plan) -> tuple[tuple[str, Rejection], ...]:
    """Return what is rejected beside the closest alternative, by the name of the machine.

    Machines of one name that are the same are there once. If they are not, or if the closest
    alternative has that name, the label has their processors.
    """
    found: list[tuple[str, Rejection]] = []
    for name, same_name in group(_beside_closest(plan), lambda each: each.name).items():
        alike = group(same_name, lambda each: (each.reasons, each.load_share)).values()
        several = len(alike) > 1 or (plan.nearest is not None and plan.nearest.name == name)
        found += ((with_processors(first) if several else name, first) for first, *_ in alike)
    return tuple(found)


def name_of_closest(plan: Plan) -> str:
    """Return the name of the closest alternative, with its processors if others have them too."""
    assert plan.nearest is not None
    if any(each.name == plan.nearest.name for each in _beside_closest(plan)):
        return with_processors(plan.nearest)
    return plan.nearest.name


def with_processors(machine: Rejection | PassedOver) -> str:
    """Return the name of a machine with how many processors it has."""
    return f"{machine.name} with {counted(machine.processors, 'processor')}"


def _beside_closest(plan: Plan) -> list[Rejection]:
    nearest = plan.nearest
    if nearest is None:
        return list(plan.rejected)
    return [
        each for each in plan.rejected
        if each.name != nearest.name
        or (each.processors != nearest.processors and each.reasons != nearest.reasons)
    ]  # fmt: skip


def group(items: Iterable[Item], key: Callable[[Item], Key]) -> dict[Key, list[Item]]:
    """Return items by what they have in common, in the order in which this first occurs."""
    found: dict[Key, list[Item]] = {}
    for item in items:
        found.setdefault(key(item), []).append(item)
    return found


def fullest(
    items: Iterable[Item], kind_of: Callable[[Item], str], share_of: Callable[[Item], float | None]
) -> list[tuple[float, Item]]:
    """Return the item of each kind with the largest share, and that; none if no share is known."""
    shares = [(share, item) for item in items if (share := share_of(item)) is not None]
    kinds = group(shares, lambda pair: kind_of(pair[1])).values()
    return [max(alike, key=lambda pair: pair[0]) for alike in kinds]


def subject_parts(subject: str, system: str) -> tuple[str, str]:
    """Kind and name of the subject of a finding; both empty where it is the system itself."""
    kind, _, name = subject.removeprefix(system).removeprefix("/").partition("/")
    return kind, name


class Names:
    """The names of one system's parts."""

    def __init__(self, guide: Guide, system: System) -> None:
        self.guide = guide
        self.system = system
        self._boards = {board.id: board for board in system.boards}
        self._channels = {channel.id: channel for channel in system.channels}
        parts: list[Board | Device] = [*system.devices(), *system.boards]
        self._parts = {part.id: part for part in parts}
        self._many = Counter(part.model for part in parts)
        self._interfaces = {
            guide.row(device.table, device.model).text("interface")
            for device in system.devices() if device.table == "disks"
        }  # fmt: skip
        self._counted = {
            row.text("bus") for row in guide.table("platform-slots")
            if row.text("platform") == system.platform and row.flag("counted")
        }  # fmt: skip

    def platform(self) -> str:
        """The machine."""
        return row_name(self.guide, "platforms", self.system.platform)

    def part(self, part: Board | Device) -> str:
        """A board or device, numbered where there are several of its model."""
        name = model_name(self.guide, part.table, part.model)
        if part.table == "disks" and len(self._interfaces) == 1:
            name = f"{row_name(self.guide, part.table, part.model)} disk"
        many = self._many[part.model] > 1
        return f"{name} #{part.id.rpartition('-')[2]}" if many else name

    def provider(self, provider: str) -> str:
        """Where an interface or channel comes from: the machine itself or a board in a slot."""
        board = self._boards.get(provider)
        if board is not None:
            return self.part(board) if board.bus in self._counted else slot_text(board)
        return "built in" if provider else "not stated"

    def slots(self, board: Board) -> str:
        """Return the slots of a board, or its bus if the guide only counts slots."""
        told = board.slots and board.bus not in self._counted
        return slot_text(board) if told else bus_name(board.bus)

    def channel(self, channel: Channel) -> str:
        """A peripheral bus by the board that brings it."""
        board = self._boards.get(channel.provider)
        alike = [c for c in self.system.channels if c.provider == channel.provider]
        if board is not None:
            part = self.part(board)
            several = f"{part.replace(' #', ' ')} channel #{alike.index(channel) + 1}"
            return several if len(alike) > 1 else part
        kind = self.guide.row("disk-busses", channel.kind).text("interface") or channel.kind
        number = f" #{alike.index(channel) + 1}" if len(alike) > 1 else ""
        return f"{'built-in ' if channel.provider else ''}{kind.upper()}{number}"

    def of(self, kind: str, name: str) -> str:
        """The part that a budget or a finding is about."""
        channel, part = self._channels.get(name), self._parts.get(name)
        if channel is not None and (part is None or kind in ("active", "channel", "targets")):
            return self.channel(channel)
        if part is not None:
            return self.part(part)
        return bus_name(name) if kind in ("slots", "bus") else name

    def parts(self, ids: Iterable[str]) -> str:
        """Boards, channels, devices and busses by their ids, in a row."""
        return ", ".join(text for text, _ in _runs(map(self._component, ids)))

    def _component(self, name: str) -> str:
        channel, part = self._channels.get(name), self._parts.get(name)
        return self.channel(channel) if channel else self.part(part) if part else bus_name(name)

    def labels(self) -> Iterator[tuple[str, str]]:
        """Yield each name that reports give a part, with its id: its own, and that of its model.

        Parts are channels, devices, boards and networks, and the machine with the system's id.
        """
        named = {self._component(name): name for name in self._channels}
        # A channel may be called like the board that brings it, which takes it along.
        yield from (named | {self.part(part): name for name, part in self._parts.items()}).items()
        for name, part in self._parts.items():
            yield model_name(self.guide, part.table, part.model), name
        for port in self.system.ports:
            yield self.resource("network", [port.id]), port.id
        yield self.platform(), self.system.id

    def line(self, name: str) -> str:
        """Return the name of a budget's line: of the part that it is about, or its own."""
        part = self._parts.get(name)
        return self.part(part) if part else name

    def resource(self, kind: str, names: Iterable[str]) -> str:
        """Return the name of a resource, or of several of one kind."""
        parts = [self.of(kind, name) for name in names if name]
        models = {part.partition(" #")[0] for part in parts}
        if len(parts) > 1 and kind in _NAMED_AFTER and len(models) == 1:
            parts = [f"{len(parts)} × {models.pop()}"]
        elif len(parts) > 1 and kind in (*_NAMED_AFTER, *_ON_NETWORKS):
            parts = [self.listing(parts)]
        return resource_name(kind, parts)

    def budget(self, budget: Budget) -> str:
        """The resource of a budget."""
        return self.resource(budget.kind, [budget.name])

    def alike(
        self, budgets: Iterable[tuple[Budget, Words]]
    ) -> Iterator[tuple[str, Words, tuple[Budget, ...]]]:
        """Yield resources of a kind with the same words: their name, the words, the budgets.

        Parts of one model are counted, or numbered if two rows would have the same name.
        """
        rows = []
        for (kind, words), same in group(budgets, lambda pair: (pair[0].kind, pair[1])).items():
            found = tuple(budget for budget, _ in same)
            rows.append((self.resource(kind, [each.name for each in found]), kind, words, found))
        named = Counter(name for name, *_ in rows)
        for name, kind, words, found in rows:
            parts = [self.of(kind, each.name) for each in found]
            is_one = named[name] == 1 or len(parts) == 1
            yield name if is_one else f"{kind_name(kind)}, {self.listing(parts)}", words, found

    def rows(self, budgets: Iterable[tuple[Budget, tuple[str, ...]]]) -> list[tuple[str, ...]]:
        """Return the rows of a table: resources with the same cells in one, after their name."""
        return [(name, *cells) for name, cells, _ in self.alike(budgets)]

    def listing(self, names: Iterable[str]) -> str:
        """Names of parts in a row."""
        return listing(names)

    def kind(self, kind: str) -> str:
        """What a subject is, in words."""
        return _SUBJECTS.get(kind) or kind

    def subject(self, subject: str) -> str:
        """What a finding is about; the system itself by its platform."""
        kind, name = subject_parts(subject, self.system.id)
        return self.located(kind, name) if kind else self.platform()

    def message(self, finding: Finding) -> str:
        """Return what a finding says, with the names of parts and models instead of their ids."""
        return finding.said(self._written)

    def _written(self, fact: str, text: str) -> str:
        subject, _, field = fact.partition(".")
        if field == "id":
            return self.of(subject, text)
        if field == "boards_in_its_way":
            return self.of("board", text)
        if field == "model":
            return model_name(self.guide, "disks" if subject == "disk" else "boards", text)
        if field == "interface_kind":
            return "no offload" if text == "plain" else text.removesuffix("_nic").replace("_", " ")
        if field in _OF_BUSSES:
            return bus_name(text)
        if field == "services":
            return _SERVICES.get(text, text)
        if field in ("shares_disk_with", "roles"):
            return words(text)
        return row_name(self.guide, _NAMED_BY.get(field, ""), text)

    def located(self, kind: str, name: str) -> str:
        """A part that a finding is about, after its kind if its name does not state it."""
        what, part = self.kind(kind), self.of(kind, name)
        return part if what in part.split() else f"{what} {part}"


class OwnNames(Names):
    """The names that the file of a box gives to its parts."""

    def part(self, part: Board | Device) -> str:
        """A board or device by its id."""
        return part.id

    def channel(self, channel: Channel) -> str:
        """A peripheral bus by its id."""
        return channel.id

    def listing(self, names: Iterable[str]) -> str:
        """Return all names: ids in a box file need not be in sequence, so none is left out."""
        return ", ".join(names)


def model_name(guide: Guide, table: str, model: str) -> str:
    """A board's or device's model; disks say what they attach to."""
    name = row_name(guide, table, model)
    if table != "disks" or model not in guide.table(table).rows:
        return name
    interface = guide.row(table, model).text("interface").upper()
    return f"{name} {interface} disk" if interface else f"{name} disk"


def slot_text(board: Board) -> str:
    """The slots that a board takes."""
    first, last = board.slots[0], board.slots[-1]
    return f"{bus_name(board.bus)} {first}" + (f"–{last}" if last != first else "")
