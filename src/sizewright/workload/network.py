"""A group of users on one kind of wiring."""

from __future__ import annotations

from dataclasses import dataclass

from sizewright.schema.fields import Count, Flag, Name
from sizewright.schema.said import Stated


@dataclass(frozen=True, kw_only=True, eq=False)
class Network(Stated):
    """A network as the customer knows it; what it becomes is for the plan to say.

    `medium` is an id of the guide's network media. `segments_at_most` is into how many separate
    networks the group may be split.
    """

    name: Name
    medium: Name | None = None
    keep_medium: Flag = False
    segments_at_most: Count = 1
    fastest_response: Flag = False
