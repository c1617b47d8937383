"""The parts of a system as a drawing shows them, with how full each one is."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from sizewright.configuration.model import Board, Channel, Device, Port, System
from sizewright.configuration.slots import ANY, slots_of
from sizewright.errors import counted
from sizewright.evaluate.budgets import Budget
from sizewright.evaluate.system import Evaluation
from sizewright.output.bill_of_materials import board_purpose
from sizewright.output.html.style import level
from sizewright.output.machine import contents_text
from sizewright.output.names import BUILTIN, Names, bus_name, row_name, words
from sizewright.output.reports import PlanReport
from sizewright.output.wording import percent, quantity, span
from sizewright.quantity import total


class Reading(NamedTuple):
    """What a part's budgets say: in short, at length, and as the fullest of them."""

    told: str = ""
    more: tuple[str, ...] = ()
    share: float | None = None
    level: str = "none"


UNREAD = Reading()


class Meters:
    """The budgets of one system, by kind and part."""

    def __init__(self, report: PlanReport, shown: Evaluation, names: Names) -> None:
        self.report = report
        self.names = names
        self._budgets = {(budget.kind, budget.name): budget for budget in shown.budgets}

    def reading(self, part: str, kinds: Iterable[tuple[str, str]]) -> Reading:
        """The budgets of a part, each a kind and what it is called in short.

        A part is as full as the first budget of those that have a share.
        """
        found = [(self._budgets[kind, part], short) for kind, short in kinds
                 if (kind, part) in self._budgets]  # fmt: skip
        if not found:
            return UNREAD
        shares = [(budget, self._share(budget), short) for budget, short in found]
        first = next((share for _, share, _ in shares if share is not None), None)
        broken = any(budget.verdict == "violated" for budget, _ in found)
        return Reading(
            ", ".join(f"{percent(share)} {short}".rstrip() for _, share, short in shares),
            tuple(map(self._whole, (budget for budget, _ in found))),
            first,
            "over" if broken else level(first),
        )

    def _share(self, budget: Budget) -> float | None:
        return budget.share_of_limit(self.report.plan.policy.size_for)

    def _whole(self, budget: Budget) -> str:
        what = self.names.budget(budget)
        return (
            f"{what}: {span(budget.used)} of {quantity(budget.limit)}, "
            f"{percent(self._share(budget))}"
        )


class Piece(NamedTuple):
    """A part of a system and its words.

    `mark` says where it is, `notes` what it is for, `share` how full it is. A `group` holds others
    `inside`; a board may have groups that `hang` on it. `more` is told on hovering only.
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


_DRAWN = ("platform", "board", "disk", "tape", "cd_rom")
_KERNEL = (("kernel_lock", "kernel lock"), ("processors", "processor time"))
_MEMORY = (("memory", "used"),)
_BUS = (("bus", "of its rate"), ("slots", "of its slots"))
_CHANNEL = (("active", "active disks"), ("channel", "transfers"), ("targets", "of its addresses"))
_NETWORK = (("network", "NFS load"), ("data", "data"))
_SERVICES = {"nfs": "NFS service"}
_DISK = (("disk", "busy"), ("space", "full"))


def make_system(report: PlanReport, shown: Evaluation, paired: bool = False) -> Piece:
    """A system with all its parts; one of two is called by its role too."""
    return _Parts(report, shown).system(paired)


class _Parts:
    def __init__(self, report: PlanReport, shown: Evaluation) -> None:
        self.report = report
        self.guide = report.plan.guide
        self.shown = shown
        self.own: System = shown.system
        self.names = report.names
        self.meters = Meters(report, shown, self.names)
        self.lines = report.bill

    def system(self, paired: bool) -> Piece:
        platform = next(line for line in self.lines if line.kind == "platform")
        software = [line.name for line in self.lines if line.kind == "software"]
        role = f" ({self.own.id})" if paired else ""
        return Piece(
            self._key("system", ""), "system", f"{platform.name}{role}",
            notes=(platform.purpose, ", ".join(software)), level="none", group=True,
            inside=(
                *self._core(),
                *self._bare(BUILTIN, "Built in"), *self._bare("", "Location not stated"),
                *self._busses(), *self._expansions(), *self._beside(),
            ),
        )  # fmt: skip

    def _key(self, kind: str, name: str) -> str:
        return f"{self.own.id}/{kind}/{name}"

    def _piece(self, kind: str, id_: str, name: str, reading: Reading = UNREAD) -> Piece:
        return Piece(
            self._key(kind, id_), kind, name, told=reading.told, more=reading.more,
            share=reading.share, level=reading.level,
        )  # fmt: skip

    def _core(self) -> Iterator[Piece]:
        """Processors and memory."""
        number = self.own.processors
        name = "Processors" if number is None else counted(number, "processor")
        yield self._piece("processors", "", name, self.meters.reading("", _KERNEL))
        memory = self.own.memory_mb
        if memory is not None:
            size = memory if isinstance(memory, float | int) else memory.high
            yield self._piece("memory", "", f"{size:g} MB memory", self.meters.reading("", _MEMORY))

    def _bare(self, provider: str, title: str) -> Iterator[Piece]:
        """Return what is built in, or whose location is not stated."""
        found = tuple(self._hanging(provider))
        if found:
            piece = self._piece("section", provider or "unknown", title)
            yield piece._replace(group=True, inside=found)

    def _hanging(self, provider: str) -> Iterator[Piece]:
        """The networks and strings that a board, or the machine itself, provides."""
        alike = Counter(port.network for port in self.own.ports)
        for port in self.own.ports:
            if port.provider == provider:
                yield self._network(port, alike[port.network])
        for channel in self.own.channels:
            if channel.provider == provider:
                yield self._string(channel)

    def _busses(self) -> Iterator[Piece]:
        slots = slots_of(self.guide, self.own.platform, self.own.processors)
        of_boards = (board.bus for board in self.own.boards)
        for bus in dict.fromkeys((*(slot.bus for slot in slots), *of_boards)):
            boards = [board for board in self.own.boards if board.bus == bus]
            piece = self._piece("bus", bus, bus_name(bus), self.meters.reading(bus, _BUS))
            inside = (*self._boards(boards), *self._free(bus, boards))
            yield piece._replace(group=True, inside=inside)

    def _expansions(self) -> Iterator[Piece]:
        for box in self.own.expansions:
            piece = self._piece("bus", box.id, box.id)
            inside = tuple(self._boards(box.boards))
            yield piece._replace(mark=bus_name(box.bus), group=True, inside=inside)

    def _boards(self, boards: Iterable[Board]) -> list[Piece]:
        """Return boards in the order of their slots; those with attached parts first."""
        found = [self._board(board) for board in sorted(boards, key=lambda b: (b.slots, b.id))]
        return sorted(found, key=lambda piece: not piece.hang)

    def _board(self, board: Board) -> Piece:
        piece = self._piece("board", board.id, self.names.part(board))
        mark = self.names.slots(board)
        purpose = board_purpose([board], self.own)
        return piece._replace(
            mark=mark, notes=(purpose,), hang=tuple(self._hanging(board.id))
        )  # fmt: skip

    def _free(self, bus: str, boards: Iterable[Board]) -> Iterator[Piece]:
        """Return free slots that can be used."""
        taken = {slot for board in boards for slot in board.slots}
        for slot in slots_of(self.guide, self.own.platform, self.own.processors):
            if slot.bus == bus and slot.usable and slot.number not in taken:
                kept = " or ".join(role.replace("_", " ") for role in slot.takes)
                only = "" if ANY in slot.takes else f", for {kept}"
                piece = self._piece("free", f"{bus}-{slot.number}", f"free{only}")
                free = Board("", "", "", bus, (slot.number,), "")
                yield piece._replace(mark=self.names.slots(free))

    def _string(self, channel: Channel) -> Piece:
        """A peripheral bus with the devices on it."""
        kind = row_name(self.guide, "disk-busses", channel.kind)
        piece = self._piece(
            "channel", channel.id, self.names.channel(channel),
            self.meters.reading(channel.id, _CHANNEL),
        )  # fmt: skip
        return piece._replace(
            mark=f"string, {kind}", group=True, inside=tuple(map(self._device, channel.devices))
        )

    def _device(self, device: Device) -> Piece:
        role = "disk" if device.kind == "disk" else "medium"
        reading = self.meters.reading(device.id, _DISK)
        partners = self._partners(device)
        mirror = f"mirror: {self.names.listing(partners)}" if partners else ""
        piece = self._piece(role, device.id, self.names.part(device), reading)
        return piece._replace(notes=(contents_text(device, self.own), mirror))

    def _partners(self, device: Device) -> list[str]:
        """The disks that hold the other copies of what is on a disk."""
        disks = {each.id: each for each in self.own.devices()}
        found: dict[str, None] = {}
        for volume in self.own.volumes:
            if len(volume.copies) > 1 and volume.is_on(device.id):
                found |= dict.fromkeys(
                    part.disk for copy in volume.copies for part in copy
                    if all(each.disk != device.id for each in copy)
                )  # fmt: skip
        return [self.names.part(disks[disk]) for disk in found if disk in disks]

    def _network(self, port: Port, alike: int) -> Piece:
        """A network with the clients that are on it."""
        row = self.guide.row("network-interfaces", port.interface)
        medium = row_name(self.guide, "network-media", row.text("medium"))
        piece = self._piece(
            "network", port.id, port.id, self.meters.reading(port.id, _NETWORK)
        )  # fmt: skip
        return piece._replace(
            mark=f"network, {medium}", notes=(row_name(self.guide, "network-interfaces", row.id),),
            group=True, inside=tuple(self._clients(port, alike)),
        )  # fmt: skip

    def _clients(self, port: Port, alike: int) -> Iterator[Piece]:
        """The services whose clients are on a network."""
        demand = self.report.plan.demand
        for service in demand.services:
            if port.network not in service.networks:
                continue
            # Clients that are counted with another service are none of this one.
            counted = [
                s.clients for s in demand.streams
                if s.service == service.name and s.network == port.network and s.clients.high
            ]  # fmt: skip
            notes = [_SERVICES.get(service.kind) or words(service.kind)]
            if counted:
                split = f" over {alike} networks" if alike > 1 else ""
                notes = [f"{quantity(total(counted, counted[0].unit))}{split}"]
            piece = self._piece("clients", f"{port.id}/{service.name}", service.name)
            yield piece._replace(notes=tuple(notes))

    def _beside(self) -> Iterator[Piece]:
        """Return separate units, and parts that other parts need."""
        found = []
        for line in self.lines:
            if line.kind in ("unit", "need"):
                name = f"{line.quantity} × {line.name}" if line.quantity > 1 else line.name
                piece = self._piece(line.kind, line.row, name)
                found.append(piece._replace(notes=(line.purpose,)))
        if found:
            piece = self._piece("section", "beside", "Separate units, and parts for interfaces")
            yield piece._replace(group=True, inside=tuple(found))
