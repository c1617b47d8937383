"""Data over networks: what a medium passes, what packets cost, and what interfaces save."""

from collections.abc import Iterable, Iterator, Mapping
from itertools import chain

from sizewright.configuration.model import Port, System
from sizewright.demand.model import Demand
from sizewright.demand.nfs import measured_kb_per_op
from sizewright.demand.rates import LineItem, Lines, Traffic, packet_kb
from sizewright.guide.model import Guide, Row, cells, effective_kb_per_s
from sizewright.load.model import speed_ratio
from sizewright.quantity import Quantity, ambiguous, as_quantity, assumed_equal, ceil, count

OFFLOADING, _PERHAPS_OFFLOADING = "protocol_offload_nic", "header_offload_nic"


def interface_of(port: Port, guide: Guide) -> Row:
    """Return the row of the interface of a port."""
    return guide.row("network-interfaces", port.interface)


def medium_of(port: Port, guide: Guide) -> Row:
    """Return the row of the medium that a port is on."""
    return guide.row("network-media", interface_of(port, guide).text("medium"))


def is_limited_by_stack(interface: Row, guide: Guide) -> bool:
    """Return whether the protocol stack of the machine limits what an interface's medium passes."""
    medium = guide.row("network-media", interface.text("medium"))
    return bool(medium.get_flag("limited_by_stack"))


def medium_kb_per_s(medium: Row) -> Quantity | None:
    """Return the raw speed of a medium in KB/s."""
    return medium.cell("media_speed_mbit_per_s", "KB/s")


def data_lines(demand: Demand) -> Mapping[str, Lines]:
    """Return the KB/s that a system sends and receives over each community's networks, by service.

    Data of NFS is part of it.
    """
    return _by_network(demand, _own_data(demand))


def wire_lines(demand: Demand) -> Mapping[str, Lines]:
    """Return the KB/s on each community's networks, by service; other systems have some of it."""
    others = ((each.network, _of_other(each, each.kb_per_s)) for each in demand.elsewhere)
    return _by_network(demand, chain(_own_data(demand), others))


def wire_ops(demand: Demand) -> Mapping[str, Lines]:
    """Return the NFS op/s of all systems on each community's networks where others have some."""
    others = [
        (each.network, _of_other(each, each.nfs_ops))
        for each in demand.elsewhere if each.nfs_ops is not None
    ]  # fmt: skip
    shared = {network for network, _ in others}
    own = (
        (each.network, LineItem(each.service, each.ops))
        for each in demand.streams
        if each.network in shared
    )
    found = _by_network(demand, chain(own, others))
    return {name: lines for name, lines in found.items() if name in shared}


def _of_other(traffic: Traffic, rate: Quantity) -> LineItem:
    return LineItem(f"{traffic.title} (other system)", rate, traffic.service)


def _own_data(demand: Demand) -> Iterator[tuple[str, LineItem]]:
    for each in demand.data():
        yield each.network, LineItem(each.title, each.kb_per_s, each.service)


def _by_network(demand: Demand, items: Iterable[tuple[str, LineItem]]) -> Mapping[str, Lines]:
    lines: dict[str, list[LineItem]] = {network.name: [] for network in demand.networks}
    for network, item in items:
        lines.setdefault(network, []).append(item)
    return {name: demand.at_peak(tuple(each)) for name, each in sorted(lines.items())}


def interface_ops(interface: Row, guide: Guide) -> Quantity | None:
    """Return the NFS operations a second that an interface passes: as printed, else by bytes.

    By bytes it passes as many as fit into the effective speed of its medium, at the measured size
    of an operation of its mix (Table 10, 2.5.1); None if either is not known.
    """
    printed, mix = interface.cell("nfs_ops_per_s"), interface.text("mix")
    if printed is not None or mix not in guide.table("nfs-mixes").rows:
        return printed
    speed = effective_kb_per_s(guide.row("network-media", interface.text("medium")))
    size = measured_kb_per_op(guide.row("nfs-mixes", mix), guide)
    if speed is None or size is None:
        return None
    reached = assumed_equal(f"part of the speed of {interface.id} that NFS reaches", "2.5.4")
    name = f"{interface.id}: operations that fit into the speed of its medium"
    return (speed / size * reached).with_name(name)


def medium_ops(medium: Row, guide: Guide) -> Quantity | None:
    """Return the most NFS op/s that an interface passes over a medium; None if none is known."""
    rows = guide.table("network-interfaces").by("medium").get((medium.id,), ())
    known = [found for row in rows if (found := interface_ops(row, guide)) is not None]
    return max(known, key=lambda each: each.low) if known else None


def offloads(port: Port, guide: Guide) -> bool:
    """Return whether a port's interface processes protocols itself."""
    return interface_of(port, guide).text("interface_kind") == OFFLOADING


def packet_lines(demand: Demand, system: System, guide: Guide) -> Iterator[LineItem]:
    """Return the kernel time of packets in ms/s, a line for each traffic (1.2.5).

    Packets of NFS are not counted: the cost of an NFS operation contains them (Table 1).
    """
    for each in demand.sent():
        time = None if each.low else packet_time(each, system, guide)
        if time is not None:
            yield LineItem(f"{each.title}: packets", time, each.service)


def packet_time(traffic: Traffic, system: System, guide: Guide) -> Quantity | None:
    """Return the kernel time in ms/s of one traffic's packets; None if they cost none.

    The networks of a community share them evenly.
    """
    ports = [port for port in system.ports if port.network == traffic.network]
    asked = [port for port in ports if not offloads(port, guide)]
    if "packet" not in guide.defaults or not asked:
        return None
    port = asked[0]
    packets = packets_of(traffic, medium_of(port, guide), guide)
    if packets is None:
        return None
    if len(asked) < len(ports):
        without = count(len(asked), "networks without protocol processing")
        packets = packets * (without / count(len(ports), f"networks of {traffic.network}"))
    row = guide.default_row("protocol-costs", "packet")
    cost = row.require("cost_ms_per_packet") * speed_ratio(
        guide, row.list("measured_on")[0], system
    )
    if interface_of(port, guide).text("interface_kind") == _PERHAPS_OFFLOADING:
        cost = ambiguous(cost, as_quantity(0, cost.unit))
    return packets.with_name(f"{traffic.title}: packets") * cost


def packets_of(traffic: Traffic, medium: Row, guide: Guide) -> Quantity | None:
    """Return the packets a second of traffic on a medium; None if its MTU is not known.

    Stated packets count as stated, each cut if the medium takes only smaller ones. Full packets,
    as large as the MTU of some medium, are a stream of data, which is cut anew to this MTU.
    """
    mtu = medium.cell("maximum_transfer_unit_byte")
    if mtu is None:
        return None
    number, each = traffic.packets_per_s, traffic.packet_byte
    if number is None or each is None or _is_full(each, guide):
        return traffic.kb_per_s / packet_kb(mtu)
    return number if each.high <= mtu.low else number * ceil(each / mtu)


def _is_full(packet_byte: Quantity, guide: Guide) -> bool:
    """Return whether packets are as large as the MTU of a medium on which they can be measured."""
    ends = (packet_byte.low, packet_byte.high)
    units = cells(guide.table("network-media"), "maximum_transfer_unit_byte")
    return any(ends == (unit.low, unit.high) for unit in units)
