"""Workloads to plan on tiny guides."""

from __future__ import annotations

import json
from collections.abc import Sequence
from random import Random
from typing import Any

from sizewright.demand.build import demand_of
from sizewright.demand.model import Demand
from sizewright.documents import parse_document
from sizewright.guide.model import Guide
from sizewright.workload.reading import read_workload

_OPS = (10, 20, 40, 60, 100, 160)
_VOLUMES = {"disks": (1, 2), "channels": (1, 1, 2), "guests": (2, 2, 3), "mirrors": (1, 2)}
_SHARES = (0, 0.2, 0.5, 2)
_SMALL = ("slots", "memory", "boards", "networks", "kinds")
_COMMUNITIES = {"networks": (1, 2), "slots": (1, 2), "kinds": (1, 2, 2, 3)}


def tiny_demand(draw: Random, theme: str, guide: Guide, size_for: str) -> Demand:
    """What a tiny workload asks for."""
    workload = tiny_workload(draw, theme, guide) | {"policy": {"size_for": size_for}}
    document = parse_document(json.dumps(workload), "tiny")
    demand = demand_of(read_workload(document), guide)
    return demand._replace(hot_share=draw.choice(_SHARES))


def tiny_workload(draw: Random, theme: str, guide: Guide) -> dict[str, Any]:
    """One to three communities of clients that work on one to three volumes."""
    communities = draw.choice(_COMMUNITIES[theme]) if theme in _COMMUNITIES else 1
    names = [f"v{n}" for n in range(draw.choice(_VOLUMES.get(theme, (1,))))]
    wide = theme == "boards" or (theme == "networks" and communities == 1)
    tapes = any("backup" in row.list("use") for row in guide.table("removable-media"))
    workload: dict[str, Any] = {
        "name": "tiny",
        "networks": [_network(draw, n, wide, guide) for n in range(communities)],
        "services": [_service(draw, n, names, guide) for n in range(communities)],
        "volumes": _volumes(draw, names, theme),
        "wishes": _wishes(draw, guide),
    }
    sealed = {volume["name"] for volume in workload["volumes"] if volume["read_only"]}
    for service in workload["services"]:
        if sealed.issuperset(service["uses"]):
            own = service["mix"] if isinstance(service["mix"], dict) else {"reads_percent": 20}
            service["mix"] = {**own, "writes_percent": 0}
    if communities > 1 and draw.random() < 0.3:
        workload["exclusive"] = [["s0", "s1"]]
    if draw.random() < (0.5 if tapes else 0.05):
        workload["backup"] = {
            "during_working_hours": draw.random() < 0.4,
            "at_night_in_use": draw.random() < 0.3,
        }
    return workload


def _given(draw: Random, value: float) -> float | list[float]:
    """A number as people give it: now and then a range."""
    high = value * draw.choice((1, 1, 1, 1.3, 2))
    if high == value:
        return value
    return draw.choice(([value, high], [value, value, high]))


def _network(draw: Random, number: int, wide: bool, guide: Guide) -> dict[str, Any]:
    wires = [row.text("medium") for row in guide.table("network-interfaces")]
    medium = draw.choice([None, *["ethernet"] * 6, *wires])
    network = {
        "name": f"n{number}",
        "keep_medium": draw.random() < 0.5,
        "segments_at_most": draw.choice((1, 2, 3) if wide else (1, 1, 2)),
        "fastest_response": draw.random() < 0.2,
    }
    return network | ({"medium": medium} if medium else {})


def _service(draw: Random, number: int, volumes: Sequence[str], guide: Guide) -> dict[str, Any]:
    clients = draw.choice((5, 20, 60, 120))
    ops = draw.choice(_OPS) / clients
    reads, writes = draw.choice((20, 30, 60)), draw.choice((0, 10, 30))
    own = {"reads_percent": reads, "writes_percent": writes}
    some = list(volumes) if draw.random() < 0.5 else [draw.choice(volumes)]
    return {
        "kind": "nfs",
        "name": f"s{number}",
        "clients": clients,
        "load": {"ops_per_s_each": _given(draw, ops)},
        "mix": draw.choice([own, own, *guide.table("nfs-mixes").rows]),
        "network": f"n{number}",
        "diskless": draw.random() < 0.2,
        "uses": some,
    }


def _volumes(draw: Random, names: Sequence[str], theme: str) -> list[dict[str, Any]]:
    mirror = theme == "mirrors" and draw.random() < 0.8
    together = len(names) > 1 and draw.random() < (0.4 if theme == "mirrors" else 0.2)
    found = []
    for number, name in enumerate(names):
        cold = draw.random() < (0.2 if not number else 0.9 if theme == "guests" else 0.4)
        mirror = mirror if together and number == 1 else mirror and draw.random() < 0.8
        sizes = (50, 150) if theme in _SMALL else (50, 150, 300, 500)
        volume: dict[str, Any] = {
            "name": name,
            "size_mb": _given(draw, draw.choice(sizes)),
            "access": draw.choice(("random", "random", "serial")),
            "protection": "mirror" if mirror else "none",
            "read_only": draw.random() < 0.1,
        }
        if draw.random() < 0.6:
            volume["activity"] = "cold" if cold else "hot"
        if not together and draw.random() < 0.1:
            volume["own_disks"] = True
        if draw.random() < 0.15:
            volume["cached_mb"] = _given(draw, draw.choice((5, 20)))
        if together and number == 1:
            volume["shares_disks_with"] = names[0]
        found.append(volume)
    return found


def _wishes(draw: Random, guide: Guide) -> dict[str, Any]:
    media = list(guide.table("removable-media").rows)
    disks = list(guide.table("disks").rows)
    carried = [{"device": d, "count": draw.choice((1, 2))} for d in disks if draw.random() < 0.3]
    # A source of its own, so that what is drawn later stays as it is.
    own = Random(json.dumps(carried))
    carried = [each | {"optional": own.random() < 0.5} for each in carried]
    carried += [{"device": m, "optional": own.random() < 0.5} for m in media if own.random() < 0.1]
    return {
        "removable_media": [draw.choice(media)] if media and draw.random() < 0.25 else [],
        "carry_forward": carried,
    }
