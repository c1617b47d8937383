"""Slots and boards: what a platform has, what a board brings, and how boards fit into slots."""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence
from functools import cache
from typing import NamedTuple

from sizewright.configuration.model import System
from sizewright.guide.model import Guide, Row, cells
from sizewright.limits import PACKING_FAILURES


def channels_of(guide: Guide, platform: str, board: Row) -> tuple[str, ...]:
    """Return the kind of each channel that a board brings.

    It may bring several of one kind, of which some platforms use only a part.
    """
    kinds: tuple[str, ...] = board.list("disk_busses")
    several = board.cell("channels")
    if several is None or len(kinds) != 1:
        return kinds
    rows = guide.table("platform-boards").by("platform", "board").get((platform, board.id), ())
    used = next(cells(rows, "channels_in_use"), several)
    return kinds * int(min(used.likely, several.likely))


def supported_boards(guide: Guide, platform: str) -> Iterator[Row]:
    """Yield the boards for sale that are supported on a platform."""
    for row in guide.table("boards"):
        if row.flag("orderable") and platform not in row.list("not_on"):
            yield row


def is_disk_adapter(board: Row, kinds: Collection[str]) -> bool:
    """Return whether a board brings a channel of one of these kinds and no network."""
    brings = not set(board.list("disk_busses")).isdisjoint(kinds)
    return brings and "network_interface" not in board.list("role")


def ports_of(interface: Row, board: Row) -> int:
    """Return for how many networks a board has ports of an interface; 1 if it is not stated."""
    stated = interface.cell("networks_per_board") or board.cell("networks")
    return max(1, int(stated.likely)) if stated is not None else 1


def base_boards(guide: Guide, platform: str, serves: bool = False) -> tuple[str, ...]:
    """Return the rows of the boards that every machine of a platform has.

    One that `serves` files has as many processors as its load was measured with.
    """
    rows = guide.table("platform-boards").by("platform").get((platform,), ())
    measured = measured_boards(guide, platform) if serves else {}
    return tuple(
        row.text("board") for row in rows
        for _ in range(max(int(row.number("base")), measured.get(row.text("board"), 0)))
    )  # fmt: skip


def measured_boards(guide: Guide, platform: str) -> dict[str, int]:
    """Return board -> how many processors of this kind the load of a platform was measured with.

    Networks and write accelerators are not counted: they are chosen, and other rules evaluate how
    many the load needs.
    """
    found = {}
    for row in guide.table("platform-boards").by("platform").get((platform,), ()):
        role = guide.row("boards", row.text("board")).list("role")
        chosen = {"network_interface", "nvram_accelerator"}.intersection(role)
        if row.cell("tested") is not None and not chosen:
            found[row.text("board")] = int(row.number("tested"))
    return found


ANY, MEMORY = "any", "memory"
_PROCESSORS = ("processors",)
_CLOSED = (("nothing",), _PROCESSORS)


class Slot(NamedTuple):
    """A slot of a bus and what it takes.

    It takes `any`, `memory`, `processors`, `nothing`, or the roles of the boards that it is kept
    for. If a guide states only how many boards a machine takes, the numbers only count them. `row`
    is that of `platform-slots`, empty for a slot that no machine has.
    """

    bus: str
    number: int
    takes: tuple[str, ...]
    row: str = ""

    @property
    def usable(self) -> bool:
        """Return whether boards can go into it, apart from processors that come with a platform."""
        return self.takes not in _CLOSED

    @property
    def holds_processors(self) -> bool:
        """Return whether it is taken by the board of the processors."""
        return self.takes == _PROCESSORS


def slots_of(guide: Guide, platform: str, processors: int | None) -> tuple[Slot, ...]:
    """Return every slot of a platform with this number of processors, in order."""
    found = []
    for row in guide.table("platform-slots").by("platform").get((platform,), ()):
        limit = row.cell("processors_at_most")
        if limit is not None and processors is not None and processors > limit.likely:
            continue
        first, last = int(row.number("first")), int(row.number("last"))
        found += [
            Slot(row.text("bus"), n, row.list("takes"), row.id) for n in range(first, last + 1)
        ]
    return tuple(sorted(found))


def free_for(slots: Iterable[Slot], bus: str, roles: Collection[str]) -> tuple[int, ...]:
    """Return the numbers of the slots of a bus that take any board, or one of these roles."""
    wanted = {ANY, *roles}
    return tuple([s.number for s in slots if s.bus == bus and not wanted.isdisjoint(s.takes)])


def group_for(slots: Iterable[Slot], bus: str, roles: Collection[str]) -> str:
    """Return the name of all slots that take a board of these roles.

    It is the bus if none of them is kept for its roles.
    """
    kept = _kept_for(slots, bus, roles)
    return " ".join((bus, *(name.removeprefix(f"{bus} ") for name in kept)))


def slot_need(board: Row) -> int:
    """Return how many slots a board takes of its bus; 1 if the guide does not state it.

    A board that goes onto another board takes one place there, and no slot of a cage.
    """
    return max(1, int(board.number("slots_used", otherwise=1)))


@cache
def runs(numbers: tuple[int, ...], length: int) -> tuple[tuple[int, ...], ...]:
    """Return every run of `length` adjacent slots."""
    have = set(numbers)
    return tuple(run for n in numbers if have.issuperset(run := tuple(range(n, n + length))))


def spans(numbers: Iterable[int]) -> tuple[str, ...]:
    """Return numbers in order as runs of adjacent ones: `slots 1 to 3`, `slot 5`."""
    found: list[list[int]] = []
    for number in sorted(numbers):
        if found and number == found[-1][-1] + 1:
            found[-1].append(number)
        else:
            found.append([number])
    return tuple(f"slots {run[0]} to {run[-1]}" if run[1:] else f"slot {run[0]}" for run in found)


def roles_of(board: Row) -> tuple[str, ...]:
    """Return the roles for which slots may be kept: what a board does, or `memory`."""
    return (MEMORY,) if board.table == "memory-boards" else board.list("role")


class SlotGroup(NamedTuple):
    """Slots of one bus that take the same boards: how many there are, and who takes how many.

    The slots that take any board have the name of the bus, others that of the bus and of what they
    take. `rows` are those of `platform-slots`, each with the number of its slots in the group.
    """

    name: str
    rows: tuple[tuple[str, int], ...]
    taken: tuple[tuple[str, int], ...]

    @property
    def available(self) -> int:
        """How many slots there are."""
        return sum(number for _, number in self.rows)

    @property
    def free(self) -> int:
        """How many slots are free; below 0 if boards need more than there are."""
        return self.available - sum(number for _, number in self.taken)


def slot_groups(guide: Guide, system: System) -> tuple[SlotGroup, ...]:
    """Return the slots of a system that boards can go into, by group.

    A board whose slot is not stated is in slots kept for its role, as long as there are any. Slots
    that a platform does not have count as taken, and so do those of boards that have failed. A
    platform without slot data has no groups.
    """
    slots = slots_of(guide, system.platform, system.processors)
    if not slots:
        return ()
    usable = {(s.bus, s.number): s for s in slots if s.usable}
    rows: dict[str, Counter[str]] = defaultdict(Counter)
    for slot in usable.values():
        rows[_group(slot)][slot.row] += 1
    available = {name: each.total() for name, each in rows.items()}
    taken: dict[str, Counter[str]] = defaultdict(Counter)
    boards = (*system.boards, *system.failed_boards)
    for board in boards:
        for number in board.slots:
            place = usable.get((board.bus, number))
            taken[_group(place) if place else board.bus][board.id] += 1
    for board in boards:
        if not board.slots:
            row = guide.row(board.table, board.model)
            need = slot_need(row)
            kept = _kept_for(usable.values(), board.bus, roles_of(row))
            own = next((g for g in kept if need <= available[g] - taken[g].total()), "")
            # A board too many is in slots for any board, if the bus has such slots.
            spare = board.bus if board.bus in available or not kept else kept[0]
            taken[own or spare][board.id] = need
    return tuple(
        SlotGroup(name, tuple(rows[name].items()), tuple(taken[name].items()))
        for name in sorted({*rows, *taken})
        if rows[name] or taken[name]
    )


def _group(slot: Slot) -> str:
    return slot.bus if ANY in slot.takes else f"{slot.bus} {' '.join(slot.takes)}"


def _kept_for(slots: Iterable[Slot], bus: str, roles: Collection[str]) -> list[str]:
    """Return the groups of slots of a bus that are kept for some of these roles."""
    wanted = set(roles)
    kept = [
        _group(s) for s in slots
        if s.bus == bus and ANY not in s.takes and not wanted.isdisjoint(s.takes)
    ]  # fmt: skip
    return list(dict.fromkeys(kept))


# A bus, and adjacent slots of it.
Run = tuple[str, tuple[int, ...]]
# A bus, and the number of a slot.
Place = tuple[str, int]


def fitting_runs(board: Row, slots: Sequence[Slot]) -> tuple[Run, ...]:
    """Return where a board can go: first the slots kept for it, so that others stay free."""
    bus, need = board.text("bus"), slot_need(board)
    every = free_for(slots, bus, roles_of(board))
    shared = free_for(slots, bus, ())
    own = runs(tuple([n for n in every if n not in shared]), need)
    others = [run for run in runs(every, need) if run not in own]
    return tuple([(bus, run) for run in (*own, *others)])


def pack_boards(ways: Sequence[Sequence[Run]]) -> list[Run] | None:
    """Return a run for each board, of those that it fits into; None if they do not all fit."""
    found = _first_fit(ways)
    return _exact_fit(ways) if found is None else found


def _first_fit(ways: Sequence[Sequence[Run]]) -> list[Run] | None:
    """Return the first run that is free for each board, one after another."""
    used: set[Place] = set()
    found = []
    for runs_ in ways:
        for run in runs_:
            places = _places(run)
            if used.isdisjoint(places):
                used.update(places)
                found.append(run)
                break
        else:
            return None
    return found


def _exact_fit(ways: Sequence[Sequence[Run]]) -> list[Run] | None:
    """Return any free run for each board.

    Boards of several slots are few, so they are tried one after another, those with the fewest
    runs first. The others are then matched with the slots that are left.
    """
    wide = [n for n, runs_ in enumerate(ways) if any(len(numbers) > 1 for _, numbers in runs_)]
    wide.sort(key=lambda n: (len(ways[n]), ways[n]))
    narrow = [n for n in range(len(ways)) if n not in wide]
    failed: set[tuple[int, frozenset[Place], int]] = set()

    def fit(at: int, used: frozenset[Place], first: int) -> dict[int, Run] | None:
        if at == len(wide):
            return _match(ways, narrow, used)
        if (at, used, first) in failed:
            return None
        here = wide[at]
        # Equal boards are interchangeable: the next one is tried only in later runs.
        equal = at + 1 < len(wide) and ways[wide[at + 1]] == ways[here]
        for index in range(first, len(ways[here])):
            places = _places(ways[here][index])
            if used.isdisjoint(places):
                rest = fit(at + 1, used.union(places), index + 1 if equal else 0)
                if rest is not None:
                    return {**rest, here: ways[here][index]}
        failed.add((at, used, first))
        return None

    found = fit(0, frozenset(), 0)
    return None if found is None else [found[n] for n in range(len(ways))]


def _match(
    ways: Sequence[Sequence[Run]], boards: Sequence[int], used: Collection[Place]
) -> dict[int, Run] | None:
    """Return a slot for each board of one slot, by a maximum matching; None if there is none."""
    owner: dict[Place, int] = {}

    def settle(board: int, tried: set[Place]) -> bool:
        """Give a board a slot, if need be one whose board can go elsewhere."""
        for run in ways[board]:
            (place,) = _places(run)
            if place not in used and place not in tried:
                tried.add(place)
                if place not in owner or settle(owner[place], tried):
                    owner[place] = board
                    return True
        return False

    if not all(settle(board, set()) for board in boards):
        return None
    return {board: (bus, (number,)) for (bus, number), board in owner.items()}


def _places(run: Run) -> list[Place]:
    bus, numbers = run
    return [(bus, number) for number in numbers]


class Carrying(NamedTuple):
    """What a board has left for synchronous lines: ports, their rate in sum, and that of one."""

    ports: int
    room: float
    fastest: float


def pack_lines(rates: Sequence[float], boards: Sequence[Carrying]) -> tuple[int, ...] | None:
    """Return the board of each line so that no board exceeds its limits, None if none is found.

    `rates` fall. A line is tried on the board that it fills best, and what has failed is not tried
    again. The number of failures is limited; a real system stays far below.
    """
    failed: set[tuple[Carrying, ...]] = set()
    taken: list[int] = []

    def pack(left: tuple[Carrying, ...]) -> bool:
        if len(taken) == len(rates):
            return True
        state = tuple(sorted(left))
        if state in failed or len(failed) >= PACKING_FAILURES:
            return False
        rate, tried = rates[len(taken)], set[Carrying]()
        for n in sorted(range(len(left)), key=lambda each: left[each].room):
            board = left[n]
            if board in tried or not board.ports or rate > min(board.room, board.fastest):
                continue
            tried.add(board)
            taken.append(n)
            after = board._replace(ports=board.ports - 1, room=board.room - rate)
            if pack((*left[:n], after, *left[n + 1 :])):
                return True
            taken.pop()
        failed.add(state)
        return False

    return tuple(taken) if pack(tuple(boards)) else None
