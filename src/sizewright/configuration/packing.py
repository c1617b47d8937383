"""Puts boards into slots: the first that fits for each, or whatever way lets all of them in."""

from __future__ import annotations

from collections.abc import Sequence

from sizewright.configuration.slots import Slot, free_for, roles_of, runs, slot_need
from sizewright.guide.model import Row

# A bus, and adjacent slots of it.
Run = tuple[str, tuple[int, ...]]


def fitting(board: Row, slots: Sequence[Slot]) -> tuple[Run, ...]:
    """Where a board can go: first what is kept for it, so that the rest stays free for others."""
    bus, need = board.text("bus"), slot_need(board)
    every = free_for(slots, bus, roles_of(board))
    shared = free_for(slots, bus, ())
    own = runs(tuple([n for n in every if n not in shared]), need)
    others = [run for run in runs(every, need) if run not in own]
    return tuple([(bus, run) for run in (*own, *others)])


def packed(ways: Sequence[Sequence[Run]]) -> list[Run] | None:
    """A run for each board, of those that it fits into; None where they do not all fit."""
    found = _at_once(ways)
    return _with_patience(ways) if found is None else found


def _at_once(ways: Sequence[Sequence[Run]]) -> list[Run] | None:
    """The first run that is left for each board in turn."""
    used: set[tuple[str, int]] = set()
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


def _with_patience(ways: Sequence[Sequence[Run]]) -> list[Run] | None:
    """Any way to find a run for each board; those with the fewest are looked at first."""
    order = sorted(range(len(ways)), key=lambda n: (len(ways[n]), ways[n]))
    failed: set[tuple[int, frozenset[tuple[str, int]]]] = set()
    found: dict[int, Run] = {}

    def rest_fit(at: int, used: frozenset[tuple[str, int]]) -> bool:
        if at == len(order):
            return True
        if (at, used) in failed:
            return False
        here = order[at]
        for run in ways[here]:
            places = _places(run)
            if used.isdisjoint(places) and rest_fit(at + 1, used.union(places)):
                found[here] = run
                return True
        failed.add((at, used))
        return False

    return [found[n] for n in range(len(ways))] if rest_fit(0, frozenset()) else None


def _places(run: Run) -> list[tuple[str, int]]:
    bus, numbers = run
    return [(bus, number) for number in numbers]
