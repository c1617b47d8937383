"""A group of users on one kind of wiring."""

from sizewright.schema.model import Count, Flag, Name, SourcedModel


class Network(SourcedModel):
    """A network as the customer knows it; what it becomes is for the plan to say.

    `medium` is an id of the guide's network media. `segments_at_most` is into how many separate
    networks the group may be split.
    """

    name: Name
    medium: Name | None = None
    """A row of table `network-media`. Default: the plan chooses."""
    keep_medium: Flag = False
    """The wiring stays; the plan advises no other medium."""
    segments_at_most: Count = 1
    """Largest number of separate networks into which the group may be split."""
    fastest_response: Flag = False
    """The interface must have the least latency of all that may be chosen."""
