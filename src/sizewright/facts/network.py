"""The facts of one network and its interface."""

from __future__ import annotations

from sizewright.demand.model import NetworkDemand
from sizewright.facts.records import NetworkFacts
from sizewright.figure import Figure, count
from sizewright.guide.model import Guide, Row


def network_facts(
    name: str,
    interface: Row,
    need: NetworkDemand | None,
    segments: int,
    ops: Figure,
    guide: Guide,
) -> NetworkFacts:
    """One of the networks that a community is spread over evenly; `ops` is what this one carries.

    Its capacity hangs on rules and is not known yet.
    """
    latency = interface.find("latency_ms")
    return NetworkFacts(
        id=name,
        medium=interface.text("medium"),
        interface=interface.id,
        interface_kind=interface.text("interface_kind"),
        keep_medium=bool(need and need.keep_medium),
        fastest_response=bool(need and need.fastest_response),
        diskless_clients=_each(need.diskless_clients, segments) if need else None,
        clients=_each(need.clients, segments) if need else None,
        nfs_ops_per_s=ops,
        interface_ops_per_s=interface.find("nfs_ops_per_s"),
        capacity_ops_per_s=None,
        latency_ms=latency.likely if latency else None,
        least_latency_ms=_least_latency_ms(guide, need.medium if need else ""),
    )


def _each(clients: Figure, segments: int) -> Figure:
    return clients / count(segments, "networks") if segments > 1 else clients


def _least_latency_ms(guide: Guide, medium: str) -> float | None:
    """The least typical latency of any interface for a medium, or for any if none is named."""
    known = [
        found.likely
        for row in guide.table("network-interfaces")
        if medium in ("", row.text("medium")) and (found := row.find("latency_ms"))
    ]
    return min(known) if known else None
