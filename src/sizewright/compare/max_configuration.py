"""A machine as large as its guide allows, and what the guide has no data for."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from sizewright.configuration.model import Channel, Device, Extent, Port, System, Volume
from sizewright.demand.model import Demand, NetworkDemand
from sizewright.errors import enumerated
from sizewright.evaluate.budgets import Budget
from sizewright.guide.model import Guide, Row, rated_platforms
from sizewright.planner.parts import Machine, disks_for, interfaces_with

_SYSTEM = "machine"


def machine_of(guide: Guide, platform: Row) -> Machine:
    """The machine with all processors that it can have."""
    processors = max(platform.list("processor_counts") or (1,))
    return Machine(guide, platform, processors, guide.defaults.get("operating_system", ""))


def max_configuration(machine: Machine, demand: Demand) -> System:
    """The system; a platform that a guide rates and does not sell has neither networks nor disks.

    What the guide does not state is left open as in a box file without it.
    """
    platform = machine.platform
    sold = platform.flag("orderable")
    memory = platform.cell("memory_limit_mb") or platform.cell("onboard_memory_limit_mb")
    disks = _disks(machine) if sold else None
    names = [device.id for device in disks.devices] if disks else []
    return System(
        _SYSTEM, platform.id,
        machine.processors if platform.list("processor_counts") else None,
        machine.operating_system, memory, (), (disks,) if disks else (),
        tuple(_ports(machine, demand)) if sold else (), _volumes(demand, names), (),
    )  # fmt: skip


def interface(machine: Machine, network: NetworkDemand) -> Row | None:
    """The interface to a community's medium that serves most; None where none is known.

    Where nothing states which slots a machine has, all boards for sale for it count.
    """
    boards = machine.boards if machine.slots else machine.supported
    rows = interfaces_with(machine, network, boards)
    return max(rows, key=lambda row: (row.number("nfs_ops_per_s"), row.id), default=None)


def most_networks(machine: Machine) -> int | None:
    """Return how many networks can be attached; None if the guide states no slots."""
    return machine.networks_at_most if machine.slots else None


def _ports(machine: Machine, demand: Demand) -> Iterator[Port]:
    """Networks in turn of each community, until it has all that it can be divided over.

    Each has one where nothing states how many the machine takes.
    """
    wanted = [
        (network, row) for network in demand.networks
        if (row := interface(machine, network)) is not None
    ]  # fmt: skip
    most = most_networks(machine)
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


def _disks(machine: Machine) -> Channel | None:
    """As many as can be attached, of the highest known rate and then of the greatest size."""
    row = max(
        disks_for(machine),
        key=lambda row: (
            row.number("maximum_random_ops_per_s"), row.number("capacity_mb"), row.id
        ),
        default=None,
    )  # fmt: skip
    if row is None:
        return None
    kind = next(name for name in row.list("disk_busses") if name in machine.channel_kinds)
    devices = (
        Device(f"disk-{n + 1}", "disk", "disks", row.id) for n in range(machine.devices_at_most)
    )
    return Channel("disks", kind, "", tuple(devices))


def _volumes(demand: Demand, disks: list[str]) -> tuple[Volume, ...]:
    """Every volume spread evenly over all disks; of a mirrored one, each copy over half of them."""
    if not disks:
        return ()
    found = []
    for volume in demand.volumes:
        copies = 2 if volume.protection == "mirror" and len(disks) > 1 else 1
        size = volume.size_mb.at(demand.size_for)
        sets = [disks[copy::copies] for copy in range(copies)]
        parts = (tuple(Extent(name, size / len(names)) for name in names) for names in sets)
        found.append(Volume(volume.name, tuple(parts)))
    return tuple(found)


class MissingData(NamedTuple):
    """A value that the guide does not state; `weighs` if it could change the verdict."""

    what: str
    weighs: bool


def restrict_to_guide(guide: Guide, demand: Demand) -> Demand:
    """Return a demand without media and disks with two ports that the guide does not state."""
    media = guide.table("network-media").rows
    ported = _tells_ports(guide)
    return demand._replace(
        networks=tuple(n for n in demand.networks if not n.medium or n.medium in media),
        volumes=tuple(v if ported else v._replace(dual_ported=False) for v in demand.volumes),
    )


def _tells_ports(guide: Guide) -> bool:
    return "dual_portable" in guide.table("disks").columns


def find_missing_data(
    machine: Machine, demand: Demand, found: Iterable[Budget]
) -> Iterator[MissingData]:
    """Yield each in a few words."""
    if not machine.platform.flag("orderable"):
        yield MissingData("all but the operations that it serves", weighs=True)
        return
    kinds = {budget.kind for budget in found if budget.limit is not None}
    row = rated_platforms(machine.guide).get(machine.platform.id)
    if row is None:
        yield MissingData(
            "operations a second, and the time of those that move no data", weighs=True
        )
    for network in demand.networks:
        if interface(machine, network) is None:
            medium = network.medium or "any network"
            yield MissingData(f"an interface to {medium} ({network.name})", weighs=True)
    if "disk" not in kinds and demand.volumes:
        yield MissingData("operations of its disks", weighs=True)
    if "space" not in kinds and demand.volumes:
        yield MissingData("room on its disks", weighs=True)
    ported = sorted(volume.name for volume in demand.volumes if volume.dual_ported)
    if ported and not _tells_ports(machine.guide):
        yield MissingData(f"disks with two ports ({enumerated(ported)})", weighs=True)
    if most_networks(machine) is None:
        yield MissingData("how many networks it takes", weighs=False)
    if row is not None and row.cell("sustained_ops_per_s") is None:
        yield MissingData("a load to plan for, below the greatest", weighs=False)
    if row is None or (row.cell("response_ms") is None and row.cell("slower_at_maximum") is None):
        yield MissingData("response times", weighs=False)
