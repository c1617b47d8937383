"""Workloads of services other than files, and a machine to put them on, for tests by hand."""

from __future__ import annotations

from typing import Any

from generated_workloads import Plain, read
from sizewright.configuration.model import Channel, Port, System
from sizewright.demand.build import demand_of
from sizewright.demand.model import Demand
from small import GUIDE, board, disk, laid, system


def workload(*services: Plain, **more: Any) -> Plain:
    """A workload of these services over one volume of each pattern and one network."""
    base: Plain = {
        "name": "serving",
        "networks": [{"name": "ring", "medium": "fddi"}],
        "volumes": [
            {"name": "tables", "size_mb": 2000, "access": "random", "use": "raw"},
            {"name": "scans", "size_mb": 2000, "access": "serial", "use": "raw"},
            {"name": "files", "size_mb": 1000, "access": "random"},
        ],
    }
    return {**base, "services": list(services), **more}


def demanded(*services: Plain, **more: Any) -> Demand:
    """The demand of such a workload."""
    return demand_of(read(workload(*services, **more)), GUIDE)


def measured(**work: Any) -> Plain:
    """A service that does one piece of work."""
    item = {"name": "work", "volume": "tables", "ops_per_s": 100, **work}
    return {"kind": "measured", "name": "program", "work": [item]}


def server(**changes: Any) -> System:
    """A machine for IPI disks with two strings, an FDDI board and the volumes laid out."""
    strings = (
        Channel("isp-80-1", "ipi-2", "isp-80-1", (
            disk("a", "1-3gb-ipi"), disk("b", "1-3gb-ipi"), disk("c", "911mb-ipi"))),
        Channel("isp-80-2", "ipi-2", "isp-80-2", (
            disk("d", "1-3gb-ipi"), disk("e", "1-3gb-ipi"), disk("f", "911mb-ipi"))),
    )  # fmt: skip
    base = system(
        platform="sparcserver-690mp", processors=2, memory_mb=128, channels=strings,
        boards=(board("isp-80-1", "isp-80", "vme", 9), board("isp-80-2", "isp-80", "vme", 10),
                board("fddi-dx-1", "fddi-dx", "vme", 8)),
        ports=(Port("ring", 0, "fddi-dx", "fddi-dx-1"),),
        volumes=(
            laid("tables", {"a": 500, "b": 500, "d": 500, "e": 500}),
            laid("scans", {"c": 1000, "f": 1000}),
            laid("files", {"a": 500, "d": 500}),
        ),
    )  # fmt: skip
    return base._replace(**changes)
