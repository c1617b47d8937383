"""A machine as large as its guide lets it be, for a load that only asks whether it is enough.

It is not a configuration that anybody orders: nothing is placed in slots or on channels. Networks
are as many as the load's communities can be divided over, disks as many as can be attached.
"""

from __future__ import annotations

from collections.abc import Iterator

from sizewright.configuration.model import Channel, Device, Part, Port, System, Volume
from sizewright.demand.model import Demand, NetworkDemand
from sizewright.guide.model import Guide, Row
from sizewright.planner.parts import Machine

_SYSTEM = "machine"


def largest(guide: Guide, platform: Row, demand: Demand) -> System:
    """The system; a platform that a guide rates and does not sell has neither networks nor disks.

    What the guide does not tell is left open as in a box of which it was not said.
    """
    counts = platform.list("processor_counts")
    memory = platform.find("memory_limit_mb") or platform.find("onboard_memory_limit_mb")
    disks = _disks(guide, platform) if platform.flag("orderable") else ()
    channels = (Channel("disks", disks[0][1], "", tuple(d for d, _ in disks)),) if disks else ()
    return System(
        _SYSTEM, platform.id, max(counts) if counts else None,
        guide.defaults.get("operating_system", ""), memory, (), channels,
        tuple(_ports(guide, platform, demand)) if platform.flag("orderable") else (),
        _volumes(demand, [d.id for d, _ in disks]), (),
    )  # fmt: skip


def interface(guide: Guide, platform: Row, network: NetworkDemand) -> Row | None:
    """The interface to a community's medium that serves most; None where none is known."""
    rows = [
        row for row in guide.table("network-interfaces")
        if network.medium in ("", row.text("medium")) and _attaches(guide, platform, row)
    ]  # fmt: skip
    return max(rows, key=lambda row: (row.number("nfs_ops_per_s"), row.id), default=None)


def disk(guide: Guide, platform: Row) -> Row | None:
    """The disk on offer of the highest known rate, then of the greatest size."""
    interfaces, kinds = platform.list("disk_interfaces"), _channel_kinds(guide, platform)
    rows = [
        row for row in guide.table("disks")
        if row.flag("orderable") and kinds.intersection(row.list("disk_busses"))
        and (not interfaces or row.text("interface") in interfaces)
    ]  # fmt: skip
    return max(
        rows,
        key=lambda row: (
            row.number("maximum_random_ops_per_s"), row.number("capacity_mb"), row.id
        ),
        default=None,
    )  # fmt: skip


def most_networks(guide: Guide, platform: Row) -> int | None:
    """How many networks can be attached; None where the guide does not tell its slots."""
    machine = _machine(guide, platform)
    return machine.networks_at_most if machine.slots else None


def _machine(guide: Guide, platform: Row) -> Machine:
    return Machine(guide, platform, max(platform.list("processor_counts") or (1,)), "")


def _boards(guide: Guide, platform: Row) -> set[str]:
    """Boards on offer that are not kept from the platform."""
    return {
        row.id for row in guide.table("boards")
        if row.flag("orderable") and platform.id not in row.list("not_on")
    }  # fmt: skip


def _attaches(guide: Guide, platform: Row, row: Row) -> bool:
    if row.id in platform.list("builtin_networks"):
        return True
    return not _boards(guide, platform).isdisjoint(row.list("boards"))


def _channel_kinds(guide: Guide, platform: Row) -> set[str]:
    kinds = set(platform.list("builtin_disk_busses"))
    for name in _boards(guide, platform):
        kinds.update(guide.row("boards", name).list("disk_busses"))
    return kinds


def _ports(guide: Guide, platform: Row, demand: Demand) -> Iterator[Port]:
    """Networks in turn of each community, until it has all that it can be divided over.

    Each has one where nothing tells how many the machine takes.
    """
    wanted = [
        (network, row) for network in demand.networks
        if (row := interface(guide, platform, network)) is not None
    ]  # fmt: skip
    most = most_networks(guide, platform)
    left = len(wanted) if most is None else most
    given = {network.name: 0 for network, _ in wanted}
    for _ in range(left):
        open_ = [n for n, _ in wanted if given[n.name] < n.segments_at_most]
        if not open_:
            break
        given[min(open_, key=lambda n: (given[n.name], n.name)).name] += 1
    for network, row in wanted:
        many = given[network.name] > 1
        for number in range(given[network.name]):
            yield Port(network.name, number + 1 if many else 0, row.id, "")


def _disks(guide: Guide, platform: Row) -> tuple[tuple[Device, str], ...]:
    row = disk(guide, platform)
    if row is None:
        return ()
    kinds = _channel_kinds(guide, platform)
    kind = next(name for name in row.list("disk_busses") if name in kinds)
    return tuple(
        (Device(f"disk-{n + 1}", "disk", "disks", row.id), kind)
        for n in range(_machine(guide, platform).devices_at_most)
    )


def _volumes(demand: Demand, disks: list[str]) -> tuple[Volume, ...]:
    """Every volume spread evenly over all disks; of a mirrored one, each copy over half of them."""
    if not disks:
        return ()
    found = []
    for volume in demand.volumes:
        copies = 2 if volume.protection == "mirror" and len(disks) > 1 else 1
        size = volume.size_mb.at(demand.size_for)
        sets = [disks[copy::copies] for copy in range(copies)]
        parts = (tuple(Part(name, size / len(names)) for name in names) for names in sets)
        found.append(Volume(volume.name, tuple(parts)))
    return tuple(found)
