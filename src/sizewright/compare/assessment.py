"""The machines of several guides under one file load, each by its own guide."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Set
from math import ceil
from typing import Literal, NamedTuple, get_args

from sizewright import units
from sizewright.compare.max_configuration import (
    MissingData,
    find_missing_data,
    machine_of,
    max_configuration,
    most_networks,
    restrict_to_guide,
)
from sizewright.configuration.model import System
from sizewright.demand.build import demand_of
from sizewright.demand.model import Backup, Demand
from sizewright.demand.rates import LineItem, sum_lines
from sizewright.engine import Engine, rules_for
from sizewright.errors import refusal
from sizewright.evaluate.budgets import Budget, budgets
from sizewright.evaluate.policy import Policy
from sizewright.evaluate.system import facts_under
from sizewright.guide.model import Citation, Guide, Row, place_of, rated_platforms
from sizewright.load.cpu_load import measured_transfers, others_serve
from sizewright.load.derive import derive_load
from sizewright.load.model import Load
from sizewright.load.network_traffic import medium_kb_per_s, medium_of
from sizewright.output.names import fullest
from sizewright.planner.parts import Machine, accelerators_for, platforms_on_offer
from sizewright.planner.planning import Planning
from sizewright.planner.structural_limits import cannot_have
from sizewright.quantity import Quantity, ambiguous, as_quantity, count, total
from sizewright.rules.compiler import RuleSet
from sizewright.workload.nfs import NfsService
from sizewright.workload.not_counted import Omission, find_omissions
from sizewright.workload.workload import Workload


class FileLoad(NamedTuple):
    """File service of a workload in the terms of its own guide.

    `left_out` are its other services, which no other guide assesses. Operations and data are op/s
    and KB/s in all; `stored` are the MB on the volumes that are served.
    """

    guide: str
    demand: Demand
    left_out: tuple[str, ...]
    operations: Quantity
    reference_operations: Quantity
    reads: Quantity
    writes: Quantity
    data: Quantity
    stored: Quantity


def file_load(demand: Demand, guide: str) -> FileLoad:
    """What of a demand is file service; nothing of it where the workload serves no files."""
    kept = _kept(demand)
    streams = kept.streams
    moved = total((s.kb_per_s for s in streams), "KB/s")
    return FileLoad(
        guide,
        kept,
        tuple(s.name for s in demand.services if s.kind != "nfs"),
        total((s.ops for s in streams), "op/s"),
        total((s.weighted for s in streams), "op/s"),
        total((s.reads for s in streams), "op/s"),
        total((s.writes for s in streams), "op/s"),
        moved.with_name("data of reads and writes"),
        total((v.size_mb for v in kept.volumes), "MB"),
    )


def _kept(demand: Demand) -> Demand:
    names = {stream.service for stream in demand.streams}
    used = {use.volume for stream in demand.streams for use in stream.uses}
    on = {stream.network for stream in demand.streams}
    volumes = tuple(
        v._replace(pool=v.name, work=(), apart_from=(), database="")
        for v in demand.volumes if v.name in used
    )  # fmt: skip
    return Demand(
        streams=demand.streams,
        exclusive=tuple(sets for sets in demand.exclusive if names.issuperset(sets)),
        networks=tuple(network for network in demand.networks if network.name in on),
        volumes=volumes,
        clients=demand.clients,
        diskless_clients=demand.diskless_clients,
        transfer_kb=demand.transfer_kb,
        backup=Backup(False, False, False),
        removable_media=(),
        carry_forward=(),
        platforms=(),
        size_for=demand.size_for,
        services=tuple(s for s in demand.services if s.kind == "nfs"),
    )


class Translation(NamedTuple):
    """By how much a load in one guide's reference mix is multiplied for another guide.

    Without `by` nothing states what an operation of either mix costs in the other, and it counts as
    one. `by` are the machines that both guides rate.
    """

    factor: Quantity | None
    by: tuple[str, ...] = ()


def translation(own: Guide, other: Guide) -> Translation:
    """The factor between the mixes that two guides state their capacities in.

    A machine that both guides rate has a rate for each of the two mixes of operations. Their
    authors measured under unlike conditions, so that an operation may be worth another as well:
    both readings are kept.
    """
    theirs = rated_platforms(other) if own.id != other.id else {}
    whole, by = as_quantity(1).with_name("an operation for an operation"), []
    # The same id is the same machine in every guide.
    for platform, mine in rated_platforms(own).items():
        if platform in theirs:
            there, here = (row.require("maximum_ops_per_s") for row in (theirs[platform], mine))
            ratio = (there / here).with_name(f"{platform}: {other.id} over {own.id}")
            whole = ambiguous(whole, ratio)
            by.append(platform)
    if not by:
        return Translation(None)
    return Translation(whole.with_name(f"operations by {other.id} for one by {own.id}"), tuple(by))


class Response(NamedTuple):
    """Response times; None is not stated by the guide.

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
    """Return what the guide states about a platform and its busiest network."""
    row = rated_platforms(guide).get(platform.id)
    preferred = guide.table("response-times").by("judgement").get(("preferred",), ())
    full, most, slower = (
        row.cell(cell) if row else None
        for cell in ("response_ms", "maximum_ops_per_s", "slower_at_maximum")
    )
    return Response(
        full, most, preferred[0].cell("response_ms") if preferred else None, slower,
        *_busiest(system, load, guide, demand.size_for),
    )  # fmt: skip


def _busiest(
    system: System, load: Load, guide: Guide, end: str
) -> tuple[Quantity | None, Quantity | None]:
    found: list[tuple[float, Quantity, Quantity]] = []
    for port in system.ports:
        medium = medium_of(port, guide)
        speed, quick = medium_kb_per_s(medium), medium.cell("low_delay_utilisation_percent")
        lines = load.data.get(port.id)
        if speed is not None and quick is not None and lines:
            share = sum_lines(lines, "KB/s") / speed
            found.append((share.at(end), share.with_name(f"{port.id}: share of the wire"), quick))
    if not found:
        return None, None
    _, share, quick = max(found, key=lambda each: each[0])
    return share, quick.to(units.PURE)


# What a load can fill; room in slots and on channels is a matter of a configuration.
Kind = Literal["kernel_lock", "processors", "nfs", "ports", "network", "data", "disk", "space"]
_KINDS: tuple[str, ...] = get_args(Kind)


class Assessment(NamedTuple):
    """A machine under the load, by one guide.

    `fullest` holds the budget of each kind that is nearest to its limit, the fullest first, and
    `machines` how many the load needs then; None where nothing limits it that is known.
    """

    guide: Guide
    platform: Row
    fullest: tuple[Budget, ...]
    end: str
    machines: int | None
    response: Response
    lacks: tuple[str, ...]
    gaps: tuple[MissingData, ...]

    @property
    def name(self) -> str:
        """Return what the guide calls the machine."""
        return self.platform.text("name") or self.platform.id

    @property
    def on_offer(self) -> bool:
        """Whether that guide sells it; a machine that it only rates is judged by its rating."""
        return self.platform.flag("orderable")

    @property
    def unlocked(self) -> Citation | None:
        """Where the guide says that the host serves no files, so no kernel lock limits them."""
        return others_serve(self.platform)

    @property
    def price(self) -> Quantity | None:
        """Return what the guide says that the machine costs, with the parts that it describes."""
        of_machine = ("machine", "platforms", self.platform.id)
        for row in self.guide.table("prices"):
            if (row.text("kind"), row.text("part_table"), row.text("part")) == of_machine:
                return row.cell("price_usd")
        return None

    @property
    def sure(self) -> bool:
        """Whether the guide has a figure for everything that could turn the verdict."""
        return not any(gap.weighs for gap in self.gaps)

    def share(self, budget: Budget) -> float:
        """How full a resource is at the end that is sized for; more than 1 is more than it can."""
        return budget.share_of_limit(self.end) or 0

    @property
    def bottleneck(self) -> Budget | None:
        """The budget that is nearest to its limit."""
        return self.fullest[0] if self.fullest else None

    @property
    def verdict(self) -> str:
        """Return `fits`, `several` if one machine is not enough, `lacks` or `unknown`."""
        if self.lacks:
            return "lacks"
        if self.machines is None:
            return "unknown"
        return "fits" if self.machines == 1 else "several"


class GuideAssessment(NamedTuple):
    """The machines of one guide, smallest first, and how the load was counted for it."""

    guide: Guide
    translation: Translation
    machines: tuple[Assessment, ...]


def assess_guide(
    guide: Guide, rule_set: RuleSet, own: Guide, files: FileLoad, sold: Set[str]
) -> GuideAssessment:
    """Every machine that serves files by a guide's figures; `sold` are those that any guide sells.

    A guide without figures of file service assesses no machine.
    """
    found, demand = translation(own, guide), files.demand
    if found.factor is not None:
        # Operations are counted in the guide's own mix; data stays what it is.
        streams = (s._replace(weighted=s.weighted * found.factor) for s in demand.streams)
        demand = demand._replace(streams=tuple(streams))
    return GuideAssessment(
        guide, found,
        tuple(_assess(guide, rule_set, row, demand) for row in serving(guide, sold)),
    )  # fmt: skip


def serving(guide: Guide, sold: Set[str]) -> tuple[Row, ...]:
    """Return the platforms that are sold and whose file service the guide rates."""
    platforms = guide.table("platforms")
    figures = rated_platforms(guide)
    rows = [
        row for row in platforms
        if row.id in sold and (row.id in figures or measured_transfers(guide, row.id))
    ]  # fmt: skip
    return tuple(
        sorted(rows, key=lambda row: (not row.flag("orderable"), row.number("rank"), row.id))
    )


def _budgets(
    machine: Machine, demand: Demand, system: System, load: Load, rule_set: RuleSet
) -> tuple[Budget, ...]:
    """Return the budgets of a machine that are compared."""
    facts = facts_under(system, load, machine.guide, rule_set)
    every = budgets(system, load, facts, rule_set, machine.guide)
    return (*(each for each in every if each.kind in _KINDS), *_ports(machine, demand))


def _assess(guide: Guide, rule_set: RuleSet, platform: Row, demand: Demand) -> Assessment:
    machine = machine_of(guide, platform)
    plain = max_configuration(machine, demand)
    # With a board that speeds up writes, if it serves more with one. A machine that is rated and
    # not sold has the boards that it was measured with.
    sold = platform.flag("orderable")
    boards = accelerators_for(machine) if sold else guide.table("nvram-accelerators")
    systems = (plain, *(plain._replace(accelerator=row.id) for row in boards))
    judged = []
    for each in systems:
        load = derive_load(demand, each, guide)
        found = _budgets(machine, demand, each, load, rule_set)
        ranked = _ranked(found, demand.size_for)
        share = ranked[0].share_of_limit(demand.size_for) if ranked else None
        judged.append((share, each, load, found, ranked))
    share, system, load, found, ranked = min(judged, key=lambda each: each[0] or 0)
    asked, planning = restrict_to_guide(guide, demand), Planning(guide, rule_set, Policy())
    lacking = cannot_have(machine, asked, planning) if machine.slots else ()
    return Assessment(
        guide, platform, ranked, demand.size_for,
        None if share is None else max(1, ceil(share)),
        response(guide, platform, demand, system, load),
        tuple(each.message for each in lacking),
        tuple(find_missing_data(machine, demand, found)),
    )  # fmt: skip


def _ports(machine: Machine, demand: Demand) -> Iterator[Budget]:
    """Networks to attach, where there are more communities than one machine can."""
    most = most_networks(machine) if machine.platform.flag("orderable") else None
    if most is None or not 0 < most < len(demand.networks):
        return
    used = count(len(demand.networks), "networks of the load")
    limit = count(most, "networks that it attaches")
    lines = tuple(LineItem(network.name, count(1, network.name)) for network in demand.networks)
    yield Budget(
        "machine/ports", "machine", "ports", "", "1", lines, used, limit, limit, "", used / limit,
        "violated",
    )  # fmt: skip


def _ranked(found: Iterable[Budget], end: str) -> tuple[Budget, ...]:
    """Return the fullest budget of each kind, the fullest of all first."""
    ranked = fullest(found, lambda each: each.kind, lambda each: each.share_of_limit(end))
    ranked.sort(key=lambda pair: (-pair[0], _KINDS.index(pair[1].kind)))
    return tuple(budget for _, budget in ranked)


class GuideComparison(NamedTuple):
    """A workload's file load, and the machines of each guide under it."""

    workload: str
    files: FileLoad
    told: tuple[GuideAssessment, ...]
    not_counted: tuple[Omission, ...] = ()

    @property
    def holds(self) -> bool:
        """Return whether the machines of any guide support the load, one or several."""
        verdicts = {machine.verdict for each in self.told for machine in each.machines}
        return not verdicts.isdisjoint(("fits", "several"))


def compare_guides(workload: Workload, own: Engine, others: Iterable[Engine]) -> GuideComparison:
    """The machines of the workload's own guide first, then of the others in their order.

    Raises InputError where the workload serves no files, or names what its guide does not have.
    """
    files = file_load(demand_of(workload, own.guide), own.guide.id)
    if not files.demand.streams:
        what = f"{workload.name} serves no files, and nothing else is compared over guides"
        raise refusal(place_of(workload.services[0].name), what, "a service of kind nfs")
    engines = (own, *others)
    # What the workload's policy says of rules is said of its own guide's.
    rule_sets = (rules_for(workload.policy, own, "plan"), *(e.judging("plan") for e in engines[1:]))
    sold = frozenset(row.id for each in engines for row in platforms_on_offer(each.guide))
    told = tuple(
        assess_guide(each.guide, rule_set, own.guide, files, sold)
        for each, rule_set in zip(engines, rule_sets, strict=True)
    )
    return GuideComparison(workload.name, files, told, tuple(_omissions_of_files(workload)))


def _omissions_of_files(workload: Workload) -> Iterator[Omission]:
    """Yield what is not stated of file services, and of their networks and volumes."""
    services = [each for each in workload.services if isinstance(each, NfsService)]
    compared = {name for each in services for name in (each.name, each.network, *each.volumes)}
    yield from (each for each in find_omissions(workload) if each.subject in compared)
