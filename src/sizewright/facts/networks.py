"""The facts of one network and its interface."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from sizewright.configuration.model import System
from sizewright.demand.model import sum_lines
from sizewright.demand.usage import NetworkUse, UsageProfile
from sizewright.facts.records import NetworkFacts
from sizewright.guide.model import Guide, Row, effective_kb_per_s
from sizewright.load.model import Load
from sizewright.load.network_traffic import (
    interface_ops,
    is_limited_by_stack,
    medium_kb_per_s,
)
from sizewright.quantity import Quantity, count, smallest, total


def ports_facts(
    usage: UsageProfile, system: System, load: Load, guide: Guide
) -> Iterator[NetworkFacts]:
    """Yield the facts of each network that a system has a port on."""
    segments: dict[str, int] = {}
    for port in system.ports:
        segments[port.network] = segments.get(port.network, 0) + 1
    for port in system.ports:
        own = usage.networks.get(port.id)
        yield network_facts(
            port.id,
            guide.row("network-interfaces", port.interface),
            own or usage.networks.get(port.network),
            1 if own else segments[port.network],
            sum_lines(load.networks[port.id], "op/s"),
            guide,
            sum_lines(load.on_wire(port.id), "KB/s"),
        )


def network_facts(
    name: str,
    interface: Row,
    use: NetworkUse | None,
    segments: int,
    ops: Quantity | None,
    guide: Guide,
    data: Quantity | None = None,
) -> NetworkFacts:
    """Return the facts of one of the networks that a community is divided over evenly.

    `ops` are its NFS operations in op/s, `data` is all its data in KB/s. Its capacity depends on
    rules and is not known yet.
    """
    latency = interface.find("latency_ms")
    medium = guide.row("network-media", interface.text("medium"))
    return NetworkFacts(
        id=name,
        medium=interface.text("medium"),
        interface=interface.id,
        interface_kind=interface.text("interface_kind"),
        keep_medium=use.keep_medium if use else None,
        fastest_response=use.fastest_response if use else None,
        interface_needs=interface.list("needs"),
        diskless_clients=_each(use.diskless_clients, segments) if use else None,
        clients=_each(use.clients, segments) if use else None,
        nfs_ops_per_s=ops,
        interface_ops_per_s=interface_ops(interface, guide),
        capacity_ops_per_s=None,
        data_kb_per_s=data,
        effective_kb_per_s=effective_kb_per_s(medium),
        medium_kb_per_s=medium_kb_per_s(medium),
        limited_by_stack=is_limited_by_stack(interface, guide),
        latency_ms=latency.likely if latency else None,
        least_latency_ms=_least_latency_ms(guide, use.medium if use else ""),
    )


def stack_facts(carried: Iterable[tuple[Row, Quantity | None]], guide: Guide) -> dict[str, Any]:
    """Return the facts of the data that passes the protocol stack of a system (Table 10).

    `carried` are its interfaces, each with the KB/s that it carries. Only data of media that the
    stack limits counts, over all their networks in sum.
    """
    limited = [(row, data) for row, data in carried if is_limited_by_stack(row, guide)]
    speeds = [
        speed for row in {row.text("medium"): row for row, _ in limited}.values()
        if (speed := effective_kb_per_s(guide.row("network-media", row.text("medium")))) is not None
    ]  # fmt: skip
    known = [data for _, data in limited if data is not None]
    if not limited or not speeds:
        return {}
    whole = total(known, "KB/s") if len(known) == len(limited) else None
    return {"stack_kb_per_s": whole, "stack_limit_kb_per_s": smallest(*speeds)}


def _each(clients: Quantity | None, segments: int) -> Quantity | None:
    if clients is None or segments == 1:
        return clients
    return clients / count(segments, "networks")


def _least_latency_ms(guide: Guide, medium: str | None) -> float | None:
    """Return the least typical latency of interfaces for a medium, or for any if it is empty."""
    if medium is None:
        return None
    known = [
        found.likely
        for row in guide.table("network-interfaces")
        if medium in ("", row.text("medium")) and (found := row.find("latency_ms"))
    ]
    return min(known) if known else None
