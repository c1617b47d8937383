"""Plans on machines of several kinds of processor, for tests that reckon by hand."""

from __future__ import annotations

from typing import Any

from generated_workloads import Plain, read
from sizewright.api import load_engine, plan
from sizewright.configuration.model import System
from sizewright.demand.build import demand_of
from sizewright.demand.model import Demand
from sizewright.guide.model import Guide
from sizewright.planner.parts import Machine
from sizewright.planner.plan import Plan

OF_KINDS = load_engine("auspex-1992")
KINDS: Guide = OF_KINDS.guide


def files(networks: int = 1, ops_per_s: float = 50, size_mb: float = 2000, **more: Any) -> Plain:
    """Clients of files on a number of networks, with a total rate on one volume."""
    names = [f"net{n}" for n in range(networks)]
    services = [
        {
            "kind": "nfs", "name": f"files on {name}", "clients": 10, "network": name,
            "load": {"ops_per_s_each": ops_per_s / networks / 10}, "mix": "average",
             "uses": ["data"],
        }
        for name in names
    ]  # fmt: skip
    return {
        "name": "files",
        "networks": [{"name": name, "medium": "ethernet"} for name in names],
        "services": services,
        "volumes": [{"name": "data", "size_mb": size_mb, "access": "random", **more}],
    }


def served(**asked: Any) -> Plan:
    """The plan of such a workload."""
    return plan(read(files(**asked)), OF_KINDS, systems=1)


def wanted(**asked: Any) -> Demand:
    """The demand of such a workload."""
    return demand_of(read(files(**asked)), KINDS)


def machine(platform: str) -> Machine:
    """A machine with its one host processor that serves files."""
    return Machine(KINDS, KINDS.row("platforms", platform), 1, "sunos-host", serves=True)


def boards(system: System) -> dict[str, int]:
    """How many boards there are of each model."""
    models = [board.model for board in system.boards]
    return {model: models.count(model) for model in models}
