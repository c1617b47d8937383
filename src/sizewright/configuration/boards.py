"""What boards bring to a platform, channels and ports, and which are there from the start."""

from __future__ import annotations

from sizewright.guide.model import Guide, Row


def channels_of(guide: Guide, platform: str, board: Row) -> tuple[str, ...]:
    """The kinds of the channels that a board brings, one for each channel.

    Of its one kind it may bring several, not all of which every platform uses.
    """
    kinds: tuple[str, ...] = board.list("disk_busses")
    several = board.find("channels")
    if several is None or len(kinds) != 1:
        return kinds
    used = next(
        (n for row in _rows(guide, platform, board.id) if (n := row.find("channels_in_use"))),
        several,
    )
    return kinds * int(min(used.likely, several.likely))


def ports_of(interface: Row, board: Row) -> int:
    """For how many networks a board has ports of an interface; one where the guide is silent."""
    stated = interface.find("networks_per_board") or board.find("networks")
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

    Networks and write accelerators are left out: they are chosen, and rules of their own judge how
    many the load needs.
    """
    found = {}
    for row in guide.table("platform-boards").by("platform").get((platform,), ()):
        role = guide.row("boards", row.text("board")).list("role")
        chosen = {"network_interface", "nvram_accelerator"}.intersection(role)
        if row.find("tested") is not None and not chosen:
            found[row.text("board")] = int(row.number("tested"))
    return found


def _rows(guide: Guide, platform: str, board: str) -> tuple[Row, ...]:
    return guide.table("platform-boards").by("platform", "board").get((platform, board), ())
