"""The parts of a system as a drawing shows them, and in which colours, by how full they are."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from sizewright.configuration.model import Board, Device, Port, System
from sizewright.configuration.slots import ANY, Slot, slots_of
from sizewright.errors import counted, printable
from sizewright.evaluate.budgets import Budget
from sizewright.evaluate.system import Evaluation
from sizewright.output.bill_of_materials import board_purpose
from sizewright.output.budgets import budget_words
from sizewright.output.layout import HOT, WARM
from sizewright.output.machine import contents_text
from sizewright.output.names import BUILTIN, bus_name, group, row_name, words
from sizewright.output.reports import PlanReport
from sizewright.output.wording import GLUE, percent, quantity
from sizewright.quantity import as_quantity, total


class Tone(NamedTuple):
    """A colour in a light surrounding and in a dark one."""

    light: str
    dark: str


# Each level of use is darker than the one before where it is light, and brighter where it is dark.
TONES: Mapping[str, Tone] = {
    "paper": Tone("#ffffff", "#14181d"),
    "panel": Tone("#f5f7f9", "#1c2229"),
    "ink": Tone("#15191d", "#eef2f5"),
    "faint": Tone("#4d5760", "#b4bec7"),
    "edge": Tone("#7c8791", "#7b8792"),
    "rule": Tone("#d5dbe0", "#38424c"),
    "link": Tone("#0b57a4", "#8cc2f7"),
    "none": Tone("#ffffff", "#171c22"),
    "calm": Tone("#e3eefa", "#1a3049"),
    "warm": Tone("#bcd7f2", "#224a73"),
    "hot": Tone("#f6cf86", "#6f4a06"),
    "full": Tone("#f3bd5a", "#7f5406"),
    "over": Tone("#f0a35e", "#8f3d05"),
    "gauge": Tone("#1d5f9e", "#7cb8ee"),
    "alarm": Tone("#9a2c00", "#ffb38a"),
    "good": Tone("#176437", "#7fd6a2"),
    "doubt": Tone("#7a4b00", "#f3c46b"),
    "strip-0": Tone("#1d5f9e", "#7cb8ee"),
    "strip-1": Tone("#e8b04a", "#c98a16"),
    "strip-2": Tone("#2f7f5f", "#7fd6a2"),
    "strip-3": Tone("#c9622a", "#f09a63"),
    "strip-4": Tone("#7a5aa6", "#c3a9ea"),
    "strip-5": Tone("#8f9aa3", "#9aa7b2"),
}
STRIPS = tuple(name for name in TONES if name.startswith("strip-"))

LEVELS: Mapping[str, str] = {
    "calm": f"less than {WARM:.0%} of its limit",
    "warm": f"{WARM:.0%} to {HOT:.0%}",
    "hot": f"{HOT:.0%} up to its limit",
    "full": "at its limit: hatched",
    "over": "over its limit: hatched, thick border",
    "none": "not calculated",
}


def level(share: float | None) -> str:
    """The tone of a part that is so full against its limit."""
    if share is None:
        return "none"
    if share >= 1:
        return "over" if share > 1 else "full"
    return "hot" if share >= HOT else "warm" if share >= WARM else "calm"


_SPACES = str.maketrans({"\n": " ", "\r": " ", "\t": " "})


def visible(text: str) -> str:
    """The text without characters that steer a reader's program or that XML forbids."""
    return GLUE.join(map(printable, text.translate(_SPACES).split(GLUE)))


class Piece(NamedTuple):
    """A part of a system and its words.

    `mark` says where it is, `notes` what it is for, `share` how full it is. A `group` holds others
    `inside`; a board may have groups that `hang` on it. `more` is reported on hovering only.
    """

    key: str
    role: str
    name: str
    mark: str = ""
    notes: tuple[str, ...] = ()
    told: str = ""
    more: tuple[str, ...] = ()
    share: float | None = None
    level: str = ""
    group: bool = False
    inside: tuple[Piece, ...] = ()
    hang: tuple[Piece, ...] = ()

    @property
    def title(self) -> str:
        """Everything that is said of it."""
        said = (self.mark, self.name, *self.notes, self.told, *self.more)
        return "; ".join(dict.fromkeys(text for text in said if text))


_KERNEL = (("kernel_lock", "kernel lock"), ("processors", "processor time"))
_MEMORY = (("memory", "used"),)
_BUS = (("bus", "of its rate"), ("slots", "of its slots"))
_CHANNEL = (("active", "active disks"), ("channel", "transfers"), ("targets", "of its addresses"))
_NETWORK = (("network", "NFS load"), ("data", "data"))
_SERVICES = {"nfs": "NFS service"}
_DISK = (("disk", "load"), ("space", "full"))
_BESIDE = "Separate units, and parts for interfaces"


class Pieces:
    """Makes the pieces of one system, with its budgets."""

    def __init__(self, report: PlanReport, shown: Evaluation) -> None:
        self.report = report
        self.guide = report.guide
        self.own: System = shown.system
        self.names = report.names
        self.lines = report.bill
        self.budgets = {(budget.kind, budget.name): budget for budget in shown.budgets}

    def system(self, paired: bool = False, many: int = 1) -> Piece:
        """Return a system with all its parts; one of several has its role and quantity too."""
        platform = next(line for line in self.lines if line.kind == "platform")
        software = [line.name for line in self.lines if line.kind == "software"]
        role = f" ({self.own.id})" if paired else ""
        return self._piece(
            "system", "", f"{f'{many} × ' if many > 1 else ''}{platform.name}{role}",
            notes=(platform.purpose, ", ".join(software)), group=True,
            inside=(
                *self._core(),
                *self._section(BUILTIN, "Built in", self._hanging(BUILTIN)),
                *self._busses(),
                *self._section("beside", _BESIDE, self._beside()),
            ),
        )  # fmt: skip

    def _piece(
        self, role: str, part: str, name: str, kinds: Iterable[tuple[str, str]] = (), **more: Any
    ) -> Piece:
        """A part with its budgets, each a kind and what it is called in short.

        It is as full as the fullest of those budgets.
        """
        found = [(self.budgets[kind, part], short) for kind, short in kinds
                 if (kind, part) in self.budgets]  # fmt: skip
        shares = [budget.fullness(self.report.end) for budget, _ in found]
        share = max((share for share in shares if share is not None), default=None)
        broken = any(budget.verdict == "violated" for budget, _ in found)
        return Piece(
            f"{self.own.id}/{role}/{part}", role, name,
            told=", ".join(
                f"{percent(share)} {short}".rstrip()
                for share, (_, short) in zip(shares, found, strict=True)
            ),
            more=tuple(self._whole(budget) for budget, _ in found), share=share,
            level="over" if broken else level(share), **more,
        )  # fmt: skip

    def _whole(self, budget: Budget) -> str:
        words = budget_words(budget, self.report.end)
        return f"{self.names.budget(budget)}: {words.used} of {words.limit}, {words.share}"

    def _core(self) -> Iterator[Piece]:
        name = counted(self.own.processors or 1, "processor")
        yield self._piece("processors", "", name, _KERNEL)
        memory = as_quantity(self.own.memory_mb or 0, "MB").high
        yield self._piece("memory", "", f"{memory:g} MB memory", _MEMORY)

    def _section(self, part: str, title: str, inside: Iterable[Piece]) -> Iterator[Piece]:
        """Return parts that are in no bus, if there are any."""
        found = tuple(inside)
        if found:
            yield self._piece("section", part, title, group=True, inside=found)

    def _hanging(self, provider: str) -> Iterator[Piece]:
        """The networks and strings that a board, or the machine itself, provides."""
        alike = Counter(port.network for port in self.own.ports)
        for port in self.own.ports:
            if port.provider == provider:
                yield self._network(port, alike[port.network])
        for channel in self.own.channels:
            if channel.provider == provider:
                kind = row_name(self.guide, "disk-busses", channel.kind)
                yield self._piece(
                    "channel", channel.id, self.names.channel(channel), _CHANNEL,
                    mark=f"string, {kind}", group=True,
                    inside=tuple(map(self._device, channel.devices)),
                )  # fmt: skip

    def _busses(self) -> Iterator[Piece]:
        slots = slots_of(self.guide, self.own.platform, self.own.processors)
        of_boards = (board.bus for board in self.own.boards)
        for bus in dict.fromkeys((*(slot.bus for slot in slots), *of_boards)):
            boards = [board for board in self.own.boards if board.bus == bus]
            inside = (*self._boards(boards), *self._free(bus, boards, slots))
            yield self._piece("bus", bus, bus_name(bus), _BUS, group=True, inside=inside)

    def _boards(self, boards: Iterable[Board]) -> list[Piece]:
        """Return boards in the order of their slots; those with attached parts first."""
        found = [
            self._piece(
                "board", board.id, self.names.part(board), mark=self.names.slots(board),
                notes=(board_purpose([board], self.own),),
                hang=tuple(self._hanging(board.id)),
            )
            for board in sorted(boards, key=lambda board: (board.slots, board.id))
        ]  # fmt: skip
        return sorted(found, key=lambda piece: not piece.hang)

    def _free(self, bus: str, boards: Iterable[Board], slots: Iterable[Slot]) -> Iterator[Piece]:
        """Yield free slots, those of a kind that follow each other in one piece."""
        taken = {slot for board in boards for slot in board.slots}
        left = [s for s in slots if s.bus == bus and s.usable and s.number not in taken]
        for (takes, _), alike in group(
            enumerate(left), lambda pair: (pair[1].takes, pair[1].number - pair[0])
        ).items():
            numbers = tuple(slot.number for _, slot in alike)
            kept = " or ".join(role.replace("_", " ") for role in takes)
            only = "" if ANY in takes else f", for {kept}"
            mark = self.names.slots(Board("", "", "", bus, numbers, ""))
            yield self._piece("free", f"{bus}-{numbers[0]}", f"free{only}", mark=mark)

    def _device(self, device: Device) -> Piece:
        role = "disk" if device.kind == "disk" else "medium"
        partners = self._partners(device)
        mirror = f"mirror: {self.names.listing(partners)}" if partners else ""
        notes = (contents_text(device, self.own), mirror)
        return self._piece(role, device.id, self.names.part(device), _DISK, notes=notes)

    def _partners(self, device: Device) -> list[str]:
        """The disks that hold the other copies of what is on a disk."""
        disks = {each.id: each for each in self.own.devices()}
        copies = (c for v in self.own.volumes if v.is_on(device.id) for c in v.copies)
        others = (copy for copy in copies if all(part.disk != device.id for part in copy))
        found = dict.fromkeys(part.disk for copy in others for part in copy)
        return [self.names.part(disks[disk]) for disk in found if disk in disks]

    def _network(self, port: Port, alike: int) -> Piece:
        row = self.guide.row("network-interfaces", port.interface)
        medium = row_name(self.guide, "network-media", row.text("medium"))
        return self._piece(
            "network", port.id, port.id, _NETWORK, mark=f"network, {medium}",
            notes=(row_name(self.guide, "network-interfaces", row.id),), group=True,
            inside=tuple(self._clients(port, alike)),
        )  # fmt: skip

    def _clients(self, port: Port, alike: int) -> Iterator[Piece]:
        demand = self.report.plan.demand
        for service in demand.services:
            if port.network not in service.networks:
                continue
            # Clients that are counted with another service are none of this one.
            counted = [
                s.clients for s in demand.streams
                if s.service == service.name and s.network == port.network and s.clients.high
            ]  # fmt: skip
            note = _SERVICES.get(service.kind) or words(service.kind)
            if counted:
                split = f" over {alike} networks" if alike > 1 else ""
                note = f"{quantity(total(counted, counted[0].unit))}{split}"
            yield self._piece("clients", f"{port.id}/{service.name}", service.name, notes=(note,))

    def _beside(self) -> Iterator[Piece]:
        for line in self.lines:
            if line.kind in ("unit", "need"):
                name = f"{line.quantity} × {line.name}" if line.quantity > 1 else line.name
                yield self._piece(line.kind, line.row, name, notes=(line.purpose,))
