"""The facts of boxes of drives."""

from typing import Annotated, NamedTuple

from sizewright.facts.fact import Flag, Number, Text, flag, number, seen, text


class EnclosureFacts(NamedTuple):
    """A box of drives with busses of its own."""

    id: Annotated[str, seen(text("Id of the enclosure"))] = ""
    model: Annotated[Text, seen(text("Row of the trays table"))] = None
    disks: Annotated[Number, seen(number("disk", "Disks in the enclosure"))] = None
    places: Annotated[
        Number, seen(number("disk", "Disks that the enclosure has places for, by their height"))
    ] = None
    busses: Annotated[Number, seen(number("1", "Busses inside the enclosure"))] = None
    most_bus_disks: Annotated[
        Number, seen(number("disk", "Disks on the bus of the enclosure that has most"))
    ] = None
    fewest_bus_disks: Annotated[
        Number, seen(number("disk", "Disks on the bus of the enclosure that has fewest"))
    ] = None
    disks_alike: Annotated[
        Flag, seen(flag("All disks of the enclosure are of one model and made for one bus"))
    ] = None
    imbalance_loss_percent: Annotated[
        Number,
        seen(
            number(
                "%",
                "Highest loss of performance that the guide states for this number of disks on "
                "one bus; absent if it states none",
                optional=True,
            )
        ),
    ] = None
    demanded_kb_per_s: Annotated[
        Number, seen(number("KB/s", "Transfers demanded of the enclosure's disks"))
    ] = None
    maximum_kb_per_s: Annotated[
        Number, seen(number("KB/s", "Most that the enclosure delivers"))
    ] = None
    unadvised_disks: Annotated[
        Number, seen(number("disk", "Disks made for other busses than perform best in it"))
    ] = None
