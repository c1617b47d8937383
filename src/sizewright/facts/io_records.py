"""The facts of networks, I/O busses, their slots, boards, and boxes that extend a bus."""

from typing import Annotated, NamedTuple

from sizewright.facts.fact import Flag, Names, Number, Text, flag, names, number, text


class NetworkFacts(NamedTuple):
    """One network and the interface that the server has on it."""

    id: Annotated[str, text("Id of the network")] = ""
    medium: Annotated[Text, text("Row of the network-media table")] = None
    interface: Annotated[Text, text("Row of the network-interfaces table")] = None
    interface_kind: Annotated[
        Text,
        text(
            "What the interface processes itself",
            one_of=("plain", "header_offload_nic", "protocol_offload_nic"),
        ),
    ] = None
    keep_medium: Annotated[Flag, flag("The customer keeps the wiring that is there")] = None
    fastest_response: Annotated[Flag, flag("The customer asks for the quickest response")] = None
    large_packets: Annotated[Flag, flag("Most of its traffic is large packets of data")] = None
    concentrator: Annotated[Flag, flag("A concentrator joins its stations")] = None
    interface_needs: Annotated[
        Names, names("Rows of other tables that the interface cannot do without")
    ] = None
    diskless_clients: Annotated[Number, number("client", "Clients that page over this network")] = (
        None
    )
    clients: Annotated[Number, number("client", "Clients on this network")] = None
    nfs_ops_per_s: Annotated[Number, number("op/s", "NFS operations on this network")] = None
    interface_ops_per_s: Annotated[
        Number, number("op/s", "NFS operations that the interface is good for")
    ] = None
    capacity_ops_per_s: Annotated[
        Number, number("op/s", "The same, under every rule that bounds it")
    ] = None
    latency_ms: Annotated[Number, number("ms", "Typical latency: the middle of its range")] = None
    least_latency_ms: Annotated[
        Number, number("ms", "Least typical latency of any interface that may be chosen")
    ] = None
    measured_latency_ms: Annotated[
        Number, number("ms", "Latency of NFS operations, as measured")
    ] = None
    utilisation_share: Annotated[
        Number, number("1", "Share of its time that the medium is busy, as measured")
    ] = None
    collision_share: Annotated[
        Number, number("1", "Collisions among the packets sent, as measured")
    ] = None


class SlotsFacts(NamedTuple):
    """The slots of one I/O bus."""

    id: Annotated[str, text("Bus")] = ""
    used: Annotated[Number, number("slot", "Slots taken")] = None
    available: Annotated[Number, number("slot", "Slots there are")] = None
    serial_boards: Annotated[Number, number("1", "Boards with serial lines in them")] = None
    gaps_without_jumpers: Annotated[
        Number, number("slot", "Empty slots before the last board whose jumpers are missing")
    ] = None


class BoardFacts(NamedTuple):
    """One board in its slots."""

    id: Annotated[str, text("Id of the board")] = ""
    model: Annotated[Text, text("Row of the table that describes it")] = None
    bus: Annotated[Text, text("Bus whose slots it takes")] = None
    roles: Annotated[Names, names("What it is for: memory, disk, network, serial …")] = None
    first_slot: Annotated[Number, number("1", "Number of the first slot that it takes")] = None
    slots_taken: Annotated[Number, number("slot", "Slots that it was given")] = None
    slots_needed: Annotated[Number, number("slot", "Slots that its model needs")] = None
    in_fitting_slots: Annotated[
        Flag, flag("Its slots exist, take boards of its role, and no other board has them")
    ] = None


class ExpansionFacts(NamedTuple):
    """A box that extends an I/O bus from one of its slots."""

    id: Annotated[str, text("Id of the box")] = ""
    bus: Annotated[Text, text("Bus that it extends")] = None
    needed_mb: Annotated[
        Number, number("MB", "Address space of its boards and of the board that carries the bus")
    ] = None
    slot_mb: Annotated[Number, number("MB", "Address space of the slot it hangs on")] = None
    boards: Annotated[Number, number("1", "Boards in it")] = None
    sparse_boards: Annotated[
        Number, number("1", "Boards in it that use little of the space they claim")
    ] = None
    masters_needed: Annotated[
        Number, number("1", "Boards in it that must be able to lead transfers")
    ] = None
    masters_provided: Annotated[Flag, flag("Its slots let a board lead transfers")] = None
    sparse_addressing: Annotated[Flag, flag("It divides its slot's address space on demand")] = None


class BusFacts(NamedTuple):
    """One I/O bus of the system."""

    id: Annotated[str, text("Bus")] = ""
    demanded_mb_per_s: Annotated[Number, number("MB/s", "Typical demand of its boards, summed")] = (
        None
    )
    sustained_mb_per_s: Annotated[Number, number("MB/s", "What the bus sustains")] = None
