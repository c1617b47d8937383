"""Parts of a drafted workload, and what a plan counts with them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from sizewright.box.measurements import data_on
from sizewright.box.schema import Box
from sizewright.demand.build import demand_of
from sizewright.demand.model import Demand
from sizewright.demand.rates import READ, WRITE, LineItem, Stream, sum_lines
from sizewright.documents import parse_document
from sizewright.errors import InputError
from sizewright.guide.model import Guide
from sizewright.importers.formats import tidy
from sizewright.load.model import Load
from sizewright.workload.reading import read_workload
from sizewright.yaml_text import yaml_lines

Plain = dict[str, Any]


def most(lines: Iterable[LineItem]) -> float:
    """Return the high end of the sum of lines of one unit; 0 without any."""
    found = tuple(lines)
    return sum_lines(found, found[0].figure.unit).high if found else 0


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


def streams_of_files(plain: Plain, guide: Guide) -> tuple[Stream, ...]:
    """Return the operations of drafted NFS services; none if their load is not stated."""
    files = [each for each in plain["services"] if each["kind"] == "nfs"]
    names = [each["name"] for each in plain.get("volumes", ())]
    # Sizes, which may be missing, do not matter here.
    volumes = [{"name": name, "size_mb": 1, "access": "random"} for name in names]
    try:
        demand = drafted_demand({**plain, "volumes": volumes, "services": files}, guide)
    except InputError:
        return ()
    return demand.streams


def operations_on_disks(streams: Iterable[Stream]) -> Mapping[tuple[str, str], float]:
    """Return the op/s that a plan counts with NFS services, by volume and kind."""
    rates = defaultdict[tuple[str, str], float](float)
    for stream in streams:
        for use in stream.uses:
            rates[use.volume, READ] += stream.reads.high * use.share.high
            rates[use.volume, WRITE] += stream.writes.high * use.share.high
    return rates


def drafted_traffic(box: Box, load: Load, plain: Plain, guide: Guide) -> list[Plain]:
    """Return services with the data on each network, without that of NFS.

    What was measured is without the data that a plan counts with drafted NFS services.
    """
    of_files = defaultdict[str, float](float)
    for stream in streams_of_files(plain, guide):
        of_files[stream.network] += stream.kb_per_s.high
    found = []
    for network in box.networks or ():
        # A plan writes what file service moves under its name: `files: data`.
        rest = most(
            line for line in load.data.get(network.id) or ()
            if line.owner.partition(":")[0] not in (box.load.nfs or ())
        )  # fmt: skip
        name, seen = str(network.name), box.observed.networks.get(network.id)
        if seen is not None and data_on(network.id, seen, box, guide) is not None:
            counted = min(rest, of_files[name])
            of_files[name] -= counted
            rest -= counted
        if tidy(rest) > 0:
            traffic = {"network": name, "traffic": {"kb_per_s": tidy(rest)}}
            found.append({"kind": "measured", "name": f"traffic-{network.id}", **traffic})
    return found
