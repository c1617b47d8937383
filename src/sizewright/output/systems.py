"""The systems of a plan in short: machines, memory, and how many parts they have."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from sizewright.configuration.model import DISK, System
from sizewright.demand.model import Demand, VolumeDemand
from sizewright.errors import counted, enumerated
from sizewright.guide.model import Guide, Row
from sizewright.load.lines import SERVER_NETWORK, may_have_server_network
from sizewright.output.wording import code, number, number_word
from sizewright.planner.plan import Plan
from sizewright.quantity import as_quantity
from sizewright.workload.volume import OWN


class PlannedSystem(NamedTuple):
    """One or several identical systems of a plan in short; owned devices are not `ordered`."""

    quantity: int
    platform: str
    name: str
    memory_mb: float
    boards: int
    ordered: int


def planned_systems(plan: Plan) -> Iterator[PlannedSystem]:
    """Yield the systems of a plan that was found."""
    for times, each in zip(plan.numbers, plan.plans, strict=True):
        assert each.chosen is not None
        system = each.chosen.system
        # Disks of the other system of a pair are ordered with that one.
        own = Counter(device.model for device in system.devices() if not device.owner)
        devices = own - Counter(each.demand.owned)
        yield PlannedSystem(
            times, system.platform, plan.guide.row("platforms", system.platform).text("name"),
            as_quantity(system.memory_mb or 0, "MB").likely, len(system.boards), devices.total(),
        )  # fmt: skip


UNLIKE_UNTRIED = "Not tried: one volume on disks of different models."
# What software gives that joins disks of different models into one volume.
_UNLIKE = "joining-unlike-disks"


def joins_unlike_disks(plan: Plan) -> tuple[str, ...]:
    """Return the software that may spare disks to order by joining disks of different models.

    The planner spreads a volume over disks of one model. Others may be of use if disks are ordered,
    and data is joined or disks are owned already.
    """
    rows = (
        row.text("name") for part in plan.plans if part.chosen is not None
        for row in _joining_unlike(plan.guide, part.demand, part.chosen.system)
    )  # fmt: skip
    return tuple(dict.fromkeys(rows))


def _joining_unlike(guide: Guide, demand: Demand, system: System) -> Iterator[Row]:
    """Yield the software that may spare a disk to order by a volume over disks of different models.

    It joins disks of the system, or could join those that are owned. A database manager that
    stripes its data itself needs no other software for that (1.2.6).
    """
    disks = Counter(d.model for d in system.devices() if d.kind == DISK and not d.owner)
    if not disks - Counter(demand.owned):
        return
    has_owned = any(each.device in guide.table("disks").rows for each in demand.carry_forward)
    managers = {v.name: _striping_manager(guide, v) for v in demand.volumes if v.use not in OWN}
    spread = {v.name: v.manager for v in system.volumes if any(len(c) > 1 for c in v.copies)}
    for row in guide.table("software"):
        if _UNLIKE in row.list("gives") and (
            row.id in spread.values() or (has_owned and None in managers.values())
        ):
            yield row
    for name, manager in managers.items():
        if manager is not None and (name in spread or has_owned):
            yield manager


def _striping_manager(guide: Guide, volume: VolumeDemand) -> Row | None:
    """Return the database manager that stripes a volume itself, if one does."""
    row = guide.row("database-systems", volume.database) if volume.database else None
    return row if row is not None and row.get_flag("stripes_itself") else None


def machines_support(plan: Plan) -> str:
    """Return the machines of a plan as a subject, with its verb."""
    machines = Counter[str]()
    for system in planned_systems(plan):
        machines[system.name] += system.quantity
    if plan.number == 1:
        return f"the {next(iter(machines))} supports{_doubt(plan)}"
    several = enumerated(f"{many} × {name}" for name, many in machines.items())
    return f"{several} support{_doubt(plan)}"


def _doubt(plan: Plan) -> str:
    chosen = (part.chosen for part in plan.plans if part.chosen is not None)
    if any(each.borderline for each in chosen):
        return ", borderline"
    return ", as far as is known" if plan.unknown_limits else ""


def systems_text(plan: Plan) -> str:
    """Return the systems of a plan in short, those with as many parts together.

    If they have not as many, their number comes first.
    """
    alike = Counter[PlannedSystem]()
    for each in planned_systems(plan):
        alike[each._replace(quantity=1)] += each.quantity
    systems = []
    for each, many in alike.items():
        times, all_of = (f"{many} × ", ", each") if many > 1 else ("", "")
        systems.append(
            f"{times}{each.name}{all_of} with {number(each.memory_mb)} MB memory, "
            f"{counted(each.boards, 'board')} and {counted(each.ordered, 'device')} to order"
        )
    if len(systems) == 1:
        return systems[0]
    return f"{number_word(alike.total())} systems ({'; '.join(systems)})"


def alternative_text(plan: Plan) -> str:
    """Return the systems of a plan in short, and whether it is borderline."""
    return f"{systems_text(plan)}{_doubt(plan)}"


def networks_text(networks: Mapping[str, int], demand: Demand) -> str:
    """Return how many networks there are for the clients of each of some, and the key for it.

    It does not count the spare networks of a demand. The network of terminal servers may not be
    stated: then the key is given whole.
    """
    told = enumerated(f"{many} networks for {name}" for name, many in networks.items())
    beside = " beside the spare one" if has_spare_networks(demand) else ""
    key = "segments_at_most"
    if SERVER_NETWORK in networks and may_have_server_network(demand):
        own = f"{{name: {SERVER_NETWORK}, {key}: {networks[SERVER_NETWORK]}}}"
        key = f"networks: [{own}]" if len(networks) == 1 else f"{key} and networks: [{own}]"
    return f"{told}{beside} ({code(key)})"


def has_spare_networks(demand: Demand) -> bool:
    """Return whether each group of clients has one network more than carry its load."""
    return any(each.spare for each in demand.networks)
