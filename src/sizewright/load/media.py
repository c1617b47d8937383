"""Data over networks: what a medium passes, what packets cost, and what interfaces spare."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from sizewright.configuration.model import Port, System
from sizewright.demand.model import Demand, Item, Traffic
from sizewright.figure import Figure, as_figure, count, readings, smallest, total
from sizewright.guide.model import Guide, Row
from sizewright.load.model import Lines
from sizewright.load.speed import speed_ratio

OFFLOADING, _PERHAPS_OFFLOADING = "protocol_offload_nic", "header_offload_nic"


def medium_of(port: Port, guide: Guide) -> Row:
    """The row of the medium that a port is on."""
    return guide.row(
        "network-media", guide.row("network-interfaces", port.interface).text("medium")
    )


def passed_kb_per_s(network: str, system: System, guide: Guide) -> Figure | None:
    """What the networks of one community pass to users, in KB/s; None where no port is there."""
    ports = [port for port in system.ports if port.network == network]
    if not ports:
        return None
    medium = medium_of(ports[0], guide)
    passed = effective_kb_per_s(medium)
    if passed is None or len(ports) == 1:
        return passed
    return passed * count(len(ports), f"networks of {network}")


def effective_kb_per_s(medium: Row) -> Figure | None:
    """What users see of a medium: as printed for planning, or as expected where that differs."""
    effective = medium.find("effective_speed_kb_per_s")
    expected = medium.find("expected_transfer_mb_per_s")
    if effective is None or expected is None:
        return effective if expected is None else expected.to("KB/s")
    return readings(expected.to("KB/s"), effective)


def medium_kb_per_s(medium: Row) -> Figure | None:
    """The raw speed of a medium in KB/s."""
    speed = medium.find("media_speed_mbit_per_s")
    return speed.to("KB/s") if speed is not None else None


def data_lines(demand: Demand, returned: Iterable[Traffic] = ()) -> Mapping[str, Lines]:
    """Kilobytes a second over each community's networks, a line for each asker.

    `returned` is what work as fast as its disks sends. Data of NFS counts where other data shares
    its network.
    """
    lines: dict[str, list[Item]] = {}
    for traffic in (*demand.traffic, *returned):
        if not traffic.low:
            item = Item(f"{traffic.service}: {traffic.name}", traffic.kb_per_s, traffic.service)
            lines.setdefault(traffic.network, []).append(item)
    for network, items in file_data(demand).items():
        if network in lines:
            lines[network] += items
    return {name: demand.at_worst(tuple(items)) for name, items in sorted(lines.items())}


def file_data(demand: Demand) -> dict[str, list[Item]]:
    """Kilobytes a second that files alone send over each community's networks."""
    lines: dict[str, list[Item]] = {}
    for stream in demand.streams:
        data = (stream.reads + stream.writes) * demand.transfer_kb
        item = Item(f"{stream.service}: data", data, stream.service)
        lines.setdefault(stream.network, []).append(item)
    return lines


def offloads(port: Port, guide: Guide) -> bool:
    """Whether a port's interface processes protocols itself."""
    return _kind(port, guide) == OFFLOADING


def _kind(port: Port, guide: Guide) -> str:
    return guide.row("network-interfaces", port.interface).text("interface_kind")


def packet_lines(
    data: Mapping[str, Lines], paced: frozenset[str], system: System, guide: Guide
) -> Iterator[Item]:
    """Kernel time of packets in ms/s, by community: as asked for, and as its networks pass it.

    `paced` are lines that nobody asks for at that rate; what the network does not pass of them is
    not sent.
    """
    if "packet" not in guide.defaults:
        return
    ratio: Figure | None = None
    for network, lines in data.items():
        ports = [port for port in system.ports if port.network == network]
        if not ports or not lines:
            continue
        if offloads(ports[0], guide):
            continue
        if ratio is None:
            ratio = _packet_ms(system, guide)
        cost = ratio
        if _kind(ports[0], guide) == _PERHAPS_OFFLOADING:
            cost = readings(cost, as_figure(0, cost.unit))
        mtu = medium_of(ports[0], guide).find("maximum_transfer_unit_byte")
        if mtu is None:
            continue
        size = mtu.to("KB") / count(1, "one packet", "packet")
        passed = passed_kb_per_s(network, system, guide)
        whole = total((line.figure for line in lines), "KB/s")
        if passed is None or whole.high <= passed.low:
            for line in lines:
                time = (line.figure / size).named(f"{line.name}: packets") * cost
                yield Item(f"{line.name}: packets", time, line.asker)
            continue
        cut = smallest(whole, passed)
        sent = cut if all(line.name in paced for line in lines) else readings(whole, cut)
        packets = (sent / size).named(f"packets over {network}")
        yield Item(f"packets over {network}", packets * cost, network)


def _packet_ms(system: System, guide: Guide) -> Figure:
    """Kernel time of a packet on this system's processors, in ms/packet."""
    row = guide.row("protocol-costs", guide.defaults["packet"])
    return row.figure("cost_ms_per_packet") * speed_ratio(guide, row.list("measured_on")[0], system)
