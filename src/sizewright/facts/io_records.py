"""The facts of networks, I/O busses, their slots, boards, and boxes that extend a bus."""

from typing import NamedTuple

from sizewright.facts.fact import Flag, Names, Number, Text, flag, names, number, record, seen, text


@record
class NetworkFacts(NamedTuple):
    """One network and the interface that the server has on it."""

    id: str = text("Id of the network")
    medium: Text = text("Row of the network-media table")
    interface: Text = text("Row of the network-interfaces table")
    interface_kind: Text = text(
        "What the interface processes itself",
        one_of=("plain", "header_offload_nic", "protocol_offload_nic"),
    )
    keep_medium: Flag = flag("The customer keeps the wiring that is there")
    fastest_response: Flag = flag("The customer asks for the quickest response")
    large_packets: Flag = flag("Most of the network's traffic is large packets of data")
    concentrator: Flag = flag("A concentrator joins the network's stations")
    interface_needs: Names = names("Rows of other tables that the interface cannot do without")
    diskless_clients: Number = number("client", "Diskless clients that page over the network")
    clients: Number = number("client", "Clients on this network")
    nfs_ops_per_s: Number = number("op/s", "NFS operations on this network")
    interface_ops_per_s: Number = number("op/s", "NFS operations that the interface is good for")
    capacity_ops_per_s: Number = number(
        "op/s", "NFS operations that every rule lets the interface carry"
    )
    data_kb_per_s: Number = number(
        "KB/s", "Data on this network, that of NFS included", optional=True
    )
    sent_kb_per_s: Number = seen(
        number("KB/s", "Data that the machine sends on this network, as measured")
    )
    received_kb_per_s: Number = seen(
        number("KB/s", "Data that the machine receives on this network, as measured")
    )
    effective_kb_per_s: Number = number("KB/s", "Data that users see the medium pass")
    limited_by_stack: Flag = flag(
        "The effective speed of the medium is that of the machine's protocol stack"
    )
    medium_kb_per_s: Number = number("KB/s", "Raw speed of the medium")
    latency_ms: Number = number("ms", "Typical latency of the interface: the middle of its range")
    least_latency_ms: Number = number(
        "ms", "Least typical latency among the interfaces that may be chosen"
    )
    measured_latency_ms: Number = number("ms", "Latency of NFS operations, as measured")
    utilisation_share: Number = number(
        "1", "Share of time that the network's medium is busy, as measured"
    )
    collision_share: Number = number("1", "Share of collisions among the packets sent, as measured")


@record
class SlotsFacts(NamedTuple):
    """The slots of one I/O bus."""

    id: str = text("Bus")
    used: Number = number("slot", "Slots of the bus that are taken")
    available: Number = number("slot", "Slots of the bus in all")
    serial_boards: Number = number("1", "Boards with serial lines in the slots of the bus")
    gaps_without_jumpers: Number = number(
        "slot", "Empty slots before the last board whose jumpers are missing"
    )
    shares_path: Flag = seen(
        flag("Some of the slots' busses reach the host through another of them")
    )
    boards_behind: Number = seen(
        number("1", "Boards on busses that reach the host through another")
    )
    free_slots_ahead: Number = seen(
        number("slot", "Free slots of the busses that reach the host directly")
    )
    heavier_behind: Number = seen(
        number("1", "Boards behind another bus that ask more than the least one before it")
    )
    uneven_boards: Number = seen(
        number("1", "Boards that the fullest bus has more than the emptiest; a pair is one")
    )
    uneven_network_boards: Number = seen(number("1", "The same of network controllers alone"))
    uneven_array_boards: Number = seen(number("1", "The same of array controllers alone"))
    single_port_boards: Number = seen(
        number("1", "Network controllers of one port on the bus that has fewest of them")
    )
    split_pairs: Number = seen(number("1", "Standby boards for a board on another bus"))
    movable_kb_per_s: Number = seen(
        number("KB/s", "What the busiest bus is spared by moving one board")
    )


@record
class BoardFacts(NamedTuple):
    """One board in its slots."""

    id: str = text("Id of the board")
    model: Text = text("Row of the table that describes the board")
    bus: Text = text("Bus whose slots the board takes")
    roles: Names = names("What the board is for: memory, disk, network, serial …")
    first_slot: Number = number("1", "Number of the first slot that the board takes")
    slots_taken: Number = number("slot", "Slots that the board was given")
    slots_needed: Number = number("slot", "Slots that the board's model needs")
    in_fitting_slots: Flag = flag(
        "The board's slots exist, take boards of its role, and no other board has them"
    )
    channels: Number = seen(number("1", "Peripheral busses on the board"))
    channel_limit: Number = seen(number("1", "Peripheral busses that the board provides"))
    disks: Number = seen(number("disk", "Disks on all busses of the board"))
    disk_limit: Number = seen(number("disk", "Most disks that the board takes"))
    most_channel_disks: Number = seen(number("disk", "Disks on the board's bus that has most"))
    fewest_channel_disks: Number = seen(number("disk", "Disks on the board's bus that has fewest"))
    disks_alike: Flag = seen(flag("All disks of the board are of one model and made for one bus"))
    movable_kb_per_s: Number = seen(
        number("KB/s", "What the busiest of the board's busses is spared by moving one disk")
    )
    revision: Text = seen(text("Revision of what decides what the board is good for"))
    least_revision: Text = text("Revision from which on the board does all that it is meant to do")
    revision_serves: Flag = seen(flag("The board does all that it is meant to do, by its revision"))
    kernel_memory: Flag = seen(flag("The kernel's own memory is kept together on the board"))
    memory_traffic_factor: Number = seen(
        number(
            "1",
            "Reads and writes of the board's memory, over the mean of those boards that "
            "the kernel's memory is not on",
        )
    )


@record
class ExpansionFacts(NamedTuple):
    """A box that extends an I/O bus from one of its slots."""

    id: str = text("Id of the box")
    bus: Text = text("Bus that the box extends")
    needed_mb: Number = number(
        "MB", "Address space of the box's boards and of the board with the bus"
    )
    slot_mb: Number = number("MB", "Address space of the slot of the box's cable")
    boards: Number = number("1", "Boards in the box")
    sparse_boards: Number = number(
        "1", "Boards in the box that use little of the address space they claim"
    )
    masters_needed: Number = number("1", "Boards in the box that must be able to lead transfers")
    masters_provided: Flag = flag("The box's slots let a board lead transfers")
    sparse_addressing: Flag = flag("The box divides its slot's address space on demand")


@record
class BusFacts(NamedTuple):
    """One I/O bus of the system."""

    id: str = text("Bus")
    demanded_mb_per_s: Number = number("MB/s", "Typical demand of the bus's boards, summed")
    sustained_mb_per_s: Number = number("MB/s", "Rate of transfer that the bus sustains")
