"""The facts of networks, I/O busses, their slots, boards, and boxes that extend a bus."""

from typing import Annotated, NamedTuple

from sizewright.facts.fact import Flag, Names, Number, Text, flag, names, number, seen, text


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
    large_packets: Annotated[
        Flag, flag("Most of the network's traffic is large packets of data")
    ] = None
    concentrator: Annotated[Flag, flag("A concentrator joins the network's stations")] = None
    interface_needs: Annotated[
        Names, names("Rows of other tables that the interface cannot do without")
    ] = None
    diskless_clients: Annotated[
        Number, number("client", "Diskless clients that page over the network")
    ] = None
    clients: Annotated[Number, number("client", "Clients on this network")] = None
    nfs_ops_per_s: Annotated[Number, number("op/s", "NFS operations on this network")] = None
    interface_ops_per_s: Annotated[
        Number, number("op/s", "NFS operations that the interface is good for")
    ] = None
    capacity_ops_per_s: Annotated[
        Number,
        number(
            "op/s",
            "NFS operations that every rule lets the interface carry",
        ),
    ] = None
    data_kb_per_s: Annotated[
        Number,
        number("KB/s", "Data on this network, that of NFS included", optional=True),
    ] = None
    sent_kb_per_s: Annotated[
        Number, seen(number("KB/s", "Data that the machine sends on this network, as measured"))
    ] = None
    received_kb_per_s: Annotated[
        Number, seen(number("KB/s", "Data that the machine receives on this network, as measured"))
    ] = None
    effective_kb_per_s: Annotated[Number, number("KB/s", "Data that users see the medium pass")] = (
        None
    )
    limited_by_stack: Annotated[
        Flag, flag("The effective speed of the medium is that of the machine's protocol stack")
    ] = None
    medium_kb_per_s: Annotated[Number, number("KB/s", "Raw speed of the medium")] = None
    latency_ms: Annotated[
        Number, number("ms", "Typical latency of the interface: the middle of its range")
    ] = None
    least_latency_ms: Annotated[
        Number, number("ms", "Least typical latency among the interfaces that may be chosen")
    ] = None
    measured_latency_ms: Annotated[
        Number, number("ms", "Latency of NFS operations, as measured")
    ] = None
    utilisation_share: Annotated[
        Number, number("1", "Share of time that the network's medium is busy, as measured")
    ] = None
    collision_share: Annotated[
        Number, number("1", "Share of collisions among the packets sent, as measured")
    ] = None


class SlotsFacts(NamedTuple):
    """The slots of one I/O bus."""

    id: Annotated[str, text("Bus")] = ""
    used: Annotated[Number, number("slot", "Slots of the bus that are taken")] = None
    available: Annotated[Number, number("slot", "Slots of the bus in all")] = None
    serial_boards: Annotated[
        Number, number("1", "Boards with serial lines in the slots of the bus")
    ] = None
    gaps_without_jumpers: Annotated[
        Number, number("slot", "Empty slots before the last board whose jumpers are missing")
    ] = None
    shares_path: Annotated[
        Flag, seen(flag("Some of the slots' busses reach the host through another of them"))
    ] = None
    boards_behind: Annotated[
        Number, seen(number("1", "Boards on busses that reach the host through another"))
    ] = None
    free_slots_ahead: Annotated[
        Number, seen(number("slot", "Free slots of the busses that reach the host directly"))
    ] = None
    heavier_behind: Annotated[
        Number,
        seen(number("1", "Boards behind another bus that ask more than the least one before it")),
    ] = None
    uneven_boards: Annotated[
        Number,
        seen(number("1", "Boards that the fullest bus has more than the emptiest; a pair is one")),
    ] = None
    uneven_network_boards: Annotated[
        Number, seen(number("1", "The same of network controllers alone"))
    ] = None
    uneven_array_boards: Annotated[
        Number, seen(number("1", "The same of array controllers alone"))
    ] = None
    single_port_boards: Annotated[
        Number,
        seen(number("1", "Network controllers of one port on the bus that has fewest of them")),
    ] = None
    split_pairs: Annotated[
        Number, seen(number("1", "Standby boards for a board on another bus"))
    ] = None
    movable_kb_per_s: Annotated[
        Number, seen(number("KB/s", "What the busiest bus is spared by moving one board"))
    ] = None


class BoardFacts(NamedTuple):
    """One board in its slots."""

    id: Annotated[str, text("Id of the board")] = ""
    model: Annotated[Text, text("Row of the table that describes the board")] = None
    bus: Annotated[Text, text("Bus whose slots the board takes")] = None
    roles: Annotated[Names, names("What the board is for: memory, disk, network, serial …")] = None
    first_slot: Annotated[Number, number("1", "Number of the first slot that the board takes")] = (
        None
    )
    slots_taken: Annotated[Number, number("slot", "Slots that the board was given")] = None
    slots_needed: Annotated[Number, number("slot", "Slots that the board's model needs")] = None
    in_fitting_slots: Annotated[
        Flag, flag("The board's slots exist, take boards of its role, and no other board has them")
    ] = None
    channels: Annotated[Number, seen(number("1", "Peripheral busses on the board"))] = None
    channel_limit: Annotated[
        Number, seen(number("1", "Peripheral busses that the board provides"))
    ] = None
    disks: Annotated[Number, seen(number("disk", "Disks on all busses of the board"))] = None
    disk_limit: Annotated[Number, seen(number("disk", "Most disks that the board takes"))] = None
    most_channel_disks: Annotated[
        Number, seen(number("disk", "Disks on the board's bus that has most"))
    ] = None
    fewest_channel_disks: Annotated[
        Number, seen(number("disk", "Disks on the board's bus that has fewest"))
    ] = None
    disks_alike: Annotated[
        Flag, seen(flag("All disks of the board are of one model and made for one bus"))
    ] = None
    movable_kb_per_s: Annotated[
        Number,
        seen(number("KB/s", "What the busiest of the board's busses is spared by moving one disk")),
    ] = None
    revision: Annotated[Text, seen(text("Revision of what decides what the board is good for"))] = (
        None
    )
    least_revision: Annotated[
        Text, text("Revision from which on the board does all that it is meant to do")
    ] = None
    revision_serves: Annotated[
        Flag, seen(flag("The board does all that it is meant to do, by its revision"))
    ] = None
    kernel_memory: Annotated[
        Flag, seen(flag("The kernel's own memory is kept together on the board"))
    ] = None
    memory_traffic_factor: Annotated[
        Number,
        seen(
            number(
                "1",
                "Reads and writes of the board's memory, over the mean of those boards that the "
                "kernel's memory is not on",
            )
        ),
    ] = None


class ExpansionFacts(NamedTuple):
    """A box that extends an I/O bus from one of its slots."""

    id: Annotated[str, text("Id of the box")] = ""
    bus: Annotated[Text, text("Bus that the box extends")] = None
    needed_mb: Annotated[
        Number,
        number("MB", "Address space of the box's boards and of the board with the bus"),
    ] = None
    slot_mb: Annotated[Number, number("MB", "Address space of the slot of the box's cable")] = None
    boards: Annotated[Number, number("1", "Boards in the box")] = None
    sparse_boards: Annotated[
        Number, number("1", "Boards in the box that use little of the address space they claim")
    ] = None
    masters_needed: Annotated[
        Number, number("1", "Boards in the box that must be able to lead transfers")
    ] = None
    masters_provided: Annotated[Flag, flag("The box's slots let a board lead transfers")] = None
    sparse_addressing: Annotated[
        Flag, flag("The box divides its slot's address space on demand")
    ] = None


class BusFacts(NamedTuple):
    """One I/O bus of the system."""

    id: Annotated[str, text("Bus")] = ""
    demanded_mb_per_s: Annotated[
        Number, number("MB/s", "Typical demand of the bus's boards, summed")
    ] = None
    sustained_mb_per_s: Annotated[
        Number, number("MB/s", "Rate of transfer that the bus sustains")
    ] = None


class WorkFacts(NamedTuple):
    """Work of a service on the server's own disks that comes in runs."""

    id: Annotated[str, text("Service and name of the work")] = ""
    service: Annotated[Text, text("Name of the service")] = None
    run_s: Annotated[
        Number, number("s", "How long one run takes, at the rate at which it goes")
    ] = None
    best_run_s: Annotated[
        Number,
        number(
            "s",
            "How long one run takes if disks are busy all the time and networks "
            "pass their raw speed",
        ),
    ] = None
    lasts: Annotated[
        Flag, flag("Other demand leaves some of the recommended rate of every part for the work")
    ] = None
    wanted_s: Annotated[
        Number, number("s", "How long a run may take; absent if not stated", optional=True)
    ] = None
    every_s: Annotated[
        Number, number("s", "How often a run begins; absent if not stated", optional=True)
    ] = None
    access: Annotated[Text, text("Access pattern of the work", one_of=("random", "sequential"))] = (
        None
    )
    low_priority: Annotated[Flag, flag("The work yields to all others")] = None
