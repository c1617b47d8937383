"""What a drawing shows, before it has a place: parts within parts, and parts that hang on parts."""

from __future__ import annotations

from typing import NamedTuple


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
