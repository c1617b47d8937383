"""What a guide says of response times on a machine under a load."""

from __future__ import annotations

from typing import NamedTuple

from sizewright import units
from sizewright.configuration.model import System
from sizewright.demand.model import Demand
from sizewright.guide.model import Guide, Row
from sizewright.guide.rated import rated
from sizewright.load.model import Load
from sizewright.load.network_traffic import medium_kb_per_s, medium_of
from sizewright.quantity import Quantity, total


class Response(NamedTuple):
    """Remarks on response time; None is what a guide does not tell.

    `full_ms` is the mean response at `full_ops_per_s`, `preferred_ms` what users prefer.
    `times_slower` is by how much the maximum is slower than the load to plan for. A network whose
    data takes `wire_share` of its wire is quick up to `quick_share`.
    """

    full_ms: Quantity | None
    full_ops_per_s: Quantity | None
    preferred_ms: Quantity | None
    times_slower: Quantity | None
    wire_share: Quantity | None
    quick_share: Quantity | None


def response(
    guide: Guide, platform: Row, demand: Demand, system: System, load: Load
) -> Response:  # fmt: skip
    """What is told of the platform and of its busiest network."""
    row = rated(guide).get(platform.id)
    wire, quick = _busiest(system, load, guide, demand.size_for)
    return Response(
        row.find("response_ms") if row else None,
        row.find("maximum_ops_per_s") if row else None,
        _preferred(guide),
        row.find("slower_at_maximum") if row else None,
        wire, quick,
    )  # fmt: skip


def _preferred(guide: Guide) -> Quantity | None:
    rows = guide.table("response-times").by("judgement").get(("preferred",), ())
    return rows[0].find("response_ms") if rows else None


def _busiest(
    system: System, load: Load, guide: Guide, end: str
) -> tuple[Quantity | None, Quantity | None]:
    found: list[tuple[float, Quantity, Quantity]] = []
    for port in system.ports:
        medium = medium_of(port, guide)
        speed, quick = medium_kb_per_s(medium), medium.find("low_delay_utilisation_percent")
        lines = load.data.get(port.id)
        if speed is not None and quick is not None and lines:
            share = total((line.figure for line in lines), "KB/s") / speed
            found.append((share.at(end), share.named(f"{port.id}: share of the wire"), quick))
    if not found:
        return None, None
    _, share, quick = max(found, key=lambda each: each[0])
    return share, quick.to(units.PURE)
