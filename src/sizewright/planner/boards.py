"""The boards that a choice comes to: ports are shared, and some boards are there anyway."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

from sizewright.planner.choice import Choice, Step
from sizewright.planner.networks import Attachment
from sizewright.planner.parts import BUILTIN, Machine


def boards_of(machine: Machine, choice: Choice) -> tuple[str, ...]:
    """Rows of all boards in slots, memory boards apart.

    Those chosen for networks, writes and lines come first, in this order; then those of the base
    that serve for none of these, and the adapters that are added to them. A choice that goes
    further never comes to fewer boards.
    """
    if machine.plain:
        return choice.boards()
    networks = [row for row, _ in dict.fromkeys(port_boards(machine, choice.attachments))]
    networks = [row for row in networks if row != BUILTIN]
    lines = choice.lines.boards
    accelerators = _accelerators(machine, choice, (*networks, *lines))
    wanted = (*networks, *accelerators, *lines)
    base = Counter(machine.base) - Counter(wanted)
    return (*wanted, *base.elements(), *choice.adapters)


def _accelerators(machine: Machine, choice: Choice, chosen: tuple[str, ...]) -> tuple[str, ...]:
    """The accelerator's board; where it goes onto other boards, one on each of these."""
    if choice.accelerator is None:
        return ()
    board = choice.accelerator.text("board")
    below = machine.guide.row("boards", board).text("bus")
    others = (Counter(machine.base) | Counter(chosen)) + Counter(choice.adapters)
    return (board,) * max(1, others[below])


def fewest_added(machine: Machine, attachment: Attachment) -> tuple[str, ...]:
    """The boards that an attachment adds to any choice, as far as none can spare them.

    Earlier ones may leave all but one port of a board, and the base brings ports of its own.
    """
    if machine.plain:
        return attachment.boards
    on_boards = Counter(attachment.boards)
    whole = (
        board for board, n in on_boards.items()
        for _ in range(n // machine.ports(attachment.interface, board))
    )  # fmt: skip
    return left_over(machine, whole)


def left_over(machine: Machine, boards: Iterable[str]) -> tuple[str, ...]:
    """Those of some boards that the base has not."""
    if not machine.base:
        return tuple(boards)
    return tuple((Counter(boards) - Counter(machine.base)).elements())


def really_added(machine: Machine, choice: Choice, step: Step) -> Step:
    """A step with as many boards as it adds to the choices made."""
    more = len(boards_of(machine, choice.after(step))) - len(boards_of(machine, choice))
    return step._replace(boards=("",) * more)


def port_boards(machine: Machine, attachments: Iterable[Attachment]) -> Iterator[tuple[str, int]]:
    """For each port of all attachments its board's row, and which of these boards it is.

    Ports of one interface fill one board after another; those of the platform itself have none.
    """
    used: Counter[tuple[str, str]] = Counter()
    begun: Counter[str] = Counter()
    current: dict[tuple[str, str], int] = {}
    for attachment in attachments:
        for provider in attachment.providers:
            if provider == BUILTIN:
                yield BUILTIN, 0
                continue
            kind = (attachment.interface, provider)
            if used[kind] % machine.ports(*kind) == 0:
                current[kind] = begun[provider]
                begun[provider] += 1
            used[kind] += 1
            yield provider, current[kind]
