"""The file service of an existing server, divided over its networks as they were measured."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from math import fsum
from typing import NamedTuple

from sizewright.box.schema import Box
from sizewright.demand.usage import UsageProfile
from sizewright.quantity import Quantity, as_quantity


class Files(NamedTuple):
    """File service on a network: NFS operations a second, clients, and the services of a plan.

    File service that was measured has no services.
    """

    network: str
    ops: float | None
    clients: Quantity | None
    services: frozenset[str] = frozenset()


def measured_files(box: Box, usage: UsageProfile) -> Iterator[Files]:
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
