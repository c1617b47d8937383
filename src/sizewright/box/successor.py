"""The file service and the volumes of an existing server that a successor takes over."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from math import floor, fsum, isclose
from typing import NamedTuple

from sizewright.box.drafted import Plain, most
from sizewright.box.schema import Box, BoxVolume
from sizewright.configuration.model import System
from sizewright.demand.nfs import measured_kb_per_op
from sizewright.demand.rates import READ, WRITE, Known, LineItem
from sizewright.demand.usage import UsageProfile
from sizewright.guide.model import Guide
from sizewright.importers.formats import tidy
from sizewright.limits import WRITTEN_ROUNDING
from sizewright.quantity import Quantity, as_quantity
from sizewright.workload.volume import OWN, SWAP, Access


class Files(NamedTuple):
    """File service on a network: NFS operations a second, clients, and the services of a plan.

    File service that was measured has no services.
    """

    network: str
    ops: float | None
    clients: Quantity | None
    services: frozenset[str] = frozenset()


def divided_files(box: Box, usage: UsageProfile) -> tuple[Files, ...]:
    """Return file service on each network, as planned or else as measured; none if not known."""
    return tuple(_planned(box)) or tuple(_measured(box, usage))


def _planned(box: Box) -> Iterator[Files]:
    """Yield file service on each network, if a plan states whose operations are on it."""
    lines, clients = dict[str, list[LineItem]](), dict[str, Quantity]()
    for network in box.networks or ():
        here, of = box.load.networks.get(network.id) or {}, network.clients
        name = str(network.name)
        lines.setdefault(name, []).extend(LineItem(*each) for each in here.items())
        if of is not None:
            clients[name] = clients[name] + of if name in clients else of
    for name, each in lines.items():
        if each:
            services = frozenset(line.name for line in each)
            yield Files(name, most(each), clients.get(name), services)


def _measured(box: Box, usage: UsageProfile) -> Iterator[Files]:
    """Yield file service on each network, if the operations on every network were measured.

    The server's operations are divided as the networks measured them, and its clients as the
    networks state them: else as their operations.
    """
    ops, hosts = defaultdict[str, float](float), defaultdict[str, float](float)
    for network in box.networks or ():
        seen = box.observed.networks.get(network.id)
        if seen is None or seen.ops_per_s is None:
            return
        ops[str(network.name)] += seen.ops_per_s.high
        hosts[str(network.name)] += network.clients.high if network.clients else 0
    busy = [name for name in ops if ops[name] > 0]
    all_ops = fsum(ops.values())
    rate = usage.nfs_ops_per_s.high if usage.nfs_ops_per_s is not None else all_ops
    parts = hosts if all(hosts[name] > 0 for name in busy) else ops
    whole = fsum(parts[name] for name in busy)
    for name in busy:
        clients = usage.clients
        if clients is not None and clients.low >= 1:
            clients = as_quantity(max(1, round(clients.high * parts[name] / whole)))
        yield Files(name, rate * ops[name] / all_ops, clients)


def diskless_share(network: str, box: Box, usage: UsageProfile) -> float:
    """Return the share of the NFS clients on a network that page over it; 0 if it is not stated.

    If the network does not state it, it is that of all networks.
    """
    here = [usage.networks[n.id] for n in box.networks or () if str(n.name) == network]
    known = [(use.diskless_clients, use.clients) for use in here]
    for parts in (known, [(usage.diskless_clients, usage.clients)]):
        pages = [few.high for few, every in parts if few is not None and every is not None]
        if parts and len(pages) == len(parts):
            whole = fsum(every.high for _, every in parts if every is not None)
            return fsum(pages) / whole if whole else 0
    return 0


def planned_mix(
    files: Files, ops: float, box: Box, data: Mapping[str, Known],
    on_disks: Iterable[tuple[str, str, float]], guide: Guide,
) -> str | Plain:  # fmt: skip
    """Return the mix of a plan's file service; empty if its operations on disks are unknown.

    `data` is what each port moves; operations on disks are by volume and kind.
    """
    lines = (
        line for network in box.networks or () if str(network.name) == files.network
        for line in data.get(network.id) or ()
        if line.owner.partition(":")[0] in files.services
    )  # fmt: skip
    each = most(lines) / ops
    for row in guide.table("nfs-mixes"):
        known = measured_kb_per_op(row, guide)
        if known is not None and isclose(known.high, each, rel_tol=WRITTEN_ROUNDING):
            return row.id
    rates = dict.fromkeys((READ, WRITE), 0.0)
    for _, kind, rate in on_disks:
        if kind in rates:
            rates[kind] += rate
    if not any(rates.values()):
        return ""
    return {
        f"{kind}s_percent": tidy(as_quantity(rate / ops).to("%").high)
        for kind, rate in rates.items()
    }


def stored_volumes(
    box: Box, disks: Mapping[str, tuple[LineItem, ...] | None]
) -> tuple[BoxVolume, ...]:
    """Return the volumes; if none are stated, one on each of the disks that has work."""
    if box.volumes is not None:
        return box.volumes
    busy = (disk for disk, lines in disks.items() if lines)
    return tuple(BoxVolume(name=f"data-{disk}", copies=((disk,),)) for disk in busy)


def room_for(
    volume: BoxVolume, volumes: Sequence[BoxVolume], sizes: Mapping[str, Quantity], system: System,
    guide: Guide,
) -> float | None:  # fmt: skip
    """Return the MB that the disks of a volume hold for it at most; None if a disk is unknown.

    Volumes without a size share what those with one leave of their disks, in equal parts.
    """
    models = {disk.id: disk.model for disk in system.disks()}
    room = 0.0
    for disk in volume.disks:
        row = guide.table("disks").rows.get(models.get(disk, ""))
        capacity = row.cell("capacity_mb") if row is not None else None
        if capacity is None:
            return None
        beside = [each for each in volumes if disk in each.disks]
        stated = [(each, sizes.get(str(each.name), each.size_mb)) for each in beside]
        taken = sum(mb.low * len(v.copies) / len(v.disks) for v, mb in stated if mb is not None)
        room += max(0, capacity.likely - taken) / max(1, sum(mb is None for _, mb in stated))
    return floor(room / max(1, len(volume.copies))) or None


def access_of(volume: BoxVolume, box: Box) -> Access | None:
    """Return how the disks of a volume are used; None if it is not stated, or not the same."""
    devices = (device for channel in box.channels or () for device in channel.parts)
    stated = {device.access for device in devices if device.id in volume.disks}
    return stated.pop() if len(stated) == 1 else None


def volumes_in_use(volumes: Sequence[BoxVolume], is_short_of_memory: bool) -> list[BoxVolume]:
    """Return the volumes of one disk that are in use; all that are not cold if this is unknown.

    The operating system is in use if it is hot, and swap space if memory is short.
    """
    warm = [volume for volume in volumes if volume.activity != "cold"] or list(volumes)
    return [
        volume for volume in warm
        if volume.use not in OWN or volume.activity == "hot"
        or (volume.use == SWAP and is_short_of_memory)
    ] or warm  # fmt: skip
