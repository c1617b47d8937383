"""Parts of a drafted workload, and what a plan counts with them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from typing import Any

from sizewright.box.schema import Box
from sizewright.demand.build import demand_of
from sizewright.demand.model import Demand
from sizewright.demand.rates import READ, WRITE
from sizewright.documents import parse_document
from sizewright.errors import InputError
from sizewright.guide.model import Guide
from sizewright.workload.reading import read_workload
from sizewright.yaml_text import yaml_lines

Plain = dict[str, Any]


def drafted_networks(box: Box, guide: Guide) -> Iterator[Plain]:
    """Yield the networks of a workload; interfaces on one network are its segments."""
    segments: dict[str, list[str]] = {}
    for network in box.networks or ():
        segments.setdefault(str(network.name), []).append(str(network.interface))
    for name, interfaces in segments.items():
        found: Plain = {"name": name}
        if medium := guide.row("network-interfaces", interfaces[0]).text("medium"):
            found["medium"] = medium
        if len(interfaces) > 1:
            found["segments_at_most"] = len(interfaces)
        yield found


def drafted_demand(plain: Plain, guide: Guide) -> Demand:
    """Return the demand of a drafted workload; raises InputError if keys are missing."""
    text = "\n".join(yaml_lines(plain))
    return demand_of(read_workload(parse_document(text, "workload")), guide)


def operations_on_disks(plain: Plain, guide: Guide) -> Mapping[tuple[str, str], float]:
    """Return the operations a second that a plan counts with drafted NFS services.

    They are by volume and kind; there are none if the load of the services is not stated.
    """
    files = [each for each in plain["services"] if each["kind"] == "nfs"]
    names = [each["name"] for each in plain.get("volumes", ())]
    # Sizes, which may be missing, do not matter here.
    volumes = [{"name": name, "size_mb": 1, "access": "random"} for name in names]
    rates = defaultdict[tuple[str, str], float](float)
    try:
        demand = drafted_demand({**plain, "volumes": volumes, "services": files}, guide)
    except InputError:
        return rates
    for stream in demand.streams:
        for use in stream.uses:
            rates[use.volume, READ] += stream.reads.high * use.share.high
            rates[use.volume, WRITE] += stream.writes.high * use.share.high
    return rates
