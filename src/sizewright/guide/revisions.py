"""Revisions from which on parts do all that they are meant to do."""

from __future__ import annotations

from sizewright.guide.model import Guide, Row


def least_revision(board: Row, guide: Guide) -> str | None:
    """The revision from which on a model of board serves, by the component that decides it."""
    component = board.text("component")
    row = guide.row("component-revisions", component) if component else None
    return (row.text("least_revision") or None) if row else None
