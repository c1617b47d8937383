"""The records of comparisons, `sizewright.compare/1` and `sizewright.across/1`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from sizewright.output.json.common import (
    Count,
    End,
    JsonData,
    Number,
    Quantity,
    Record,
    Resource,
    Source,
    doc,
    line_record,
    source_records,
)

if TYPE_CHECKING:
    from sizewright.compare import assessment, plans
    from sizewright.evaluate.budgets import Budget

SCHEMA = "sizewright.compare/1"
ACROSS_SCHEMA = "sizewright.across/1"


class ColumnBottleneck(Record):
    """The resource that is nearest its limit."""

    resource: str = doc("Id of its budget.")
    share: Number = doc("Used ÷ limit, at the end that is sized for.")
    headroom: Number = doc("1 − share; negative if the limit is exceeded.")


class Load(Record):
    """A resource and how full it is."""

    kind: Resource = doc("Kind of resource.")
    resource: str = doc("Id of its budget.")
    share: Number = doc("Used ÷ limit, at the end that is sized for.")


class Parts(Record):
    """A system in short."""

    system: str = doc("Id of the system.")
    platform: str = doc("Row of `platforms`.")
    processors: Count | None = doc("Number of processors; null if unknown.")
    memory_mb: Number | None = doc("Memory in MB; null if unknown.")
    boards: Count = doc("Number of boards, including those in expansion boxes.")
    disks: Count = doc("Number of disks.")


class Column(Record):
    """A plan in short."""

    name: str = doc("The platform or the file.")
    workload: str = doc("Name of its workload.")
    size_for: End = doc("End of every range that it is sized for.")
    reserve_percent: Number = doc(
        "Share of every limit on a load that stays free, in percent; 0 if none was requested."
    )
    verdict: Literal["holds", "tight", "unknown", "waived", "violated"] = doc(
        "Verdict of the plan."
    )
    holds: bool = doc("Whether a configuration was found that meets every limit.")
    proven: bool = doc("Whether every search was completed.")
    bottleneck: ColumnBottleneck | None = doc(
        "The bottleneck of the plan; null if no budget has a limit."
    )
    loads: list[Load] = doc("The fullest resource of each kind.")
    parts: list[Parts] = doc("Its systems; if it fails, its closest alternative.")
    reasons: list[str] = doc("Why it fails, the shortest reason first; empty if it passes.")


class Comparison(Record):
    """What `sizewright compare --format json` prints: plans in short, one column each."""

    schema_: Literal["sizewright.compare/1"] = doc(
        "Name and version of this format.", alias="schema"
    )
    of: str = doc(
        "Name of the workload that was planned on every platform by itself; empty if several "
        "workloads or plans are compared."
    )
    holds: bool = doc("Whether any column passes.")
    columns: list[Column] = doc(
        "Platforms, smallest first, or workloads and plans in the order given."
    )


class FileLoad(Record):
    """File service in the terms of the workload's guide."""

    operations: Quantity = doc("Operations of the mixes that the services state.")
    reference_operations: Quantity = doc(
        "The same in operations of the mix that the guide's capacities are stated in."
    )
    reads: Quantity = doc("Read operations per second.")
    writes: Quantity = doc("Write operations per second.")
    data: Quantity = doc("Data of reads and writes.")
    stored: Quantity = doc("Data on the volumes that are served.")
    clients: Quantity = doc("Clients.")


class MachineLoad(Record):
    """A resource of the machine and its limit."""

    kind: Literal[
        "kernel_lock", "processors", "nfs", "ports", "network", "data", "disk", "space"
    ] = doc("Kind of resource; of each kind the one nearest its limit.")
    resource: str = doc(
        "The network, or one disk of many that are as full; empty if the machine has only one."
    )
    used: Quantity = doc("What the load needs of it.")
    formula: str = doc("How this was calculated, in numbers at the end that is sized for.")
    sources: list[Source] = doc("Where each number of the formula comes from.")
    limit: Quantity = doc("Its limit.")
    limit_rule: str | None = doc(
        "Rule of this guide that sets the limit; null if the capacity is the limit."
    )
    share: Number = doc("Used ÷ limit, at the end that is sized for.")


class Response(Record):
    """What the guide states about response times; null is not stated."""

    full_ms: Quantity | None = doc("Mean response at the maximum load.")
    full_ops_per_s: Quantity | None = doc("The maximum load.")
    preferred_ms: Quantity | None = doc("Mean response that users prefer.")
    times_slower: Quantity | None = doc(
        "Factor by which responses at the maximum load are slower than at the load to plan for."
    )
    wire_share: Quantity | None = doc("Share of the wire that the busiest network uses.")
    quick_share: Quantity | None = doc(
        "Share of a wire up to which stations need not wait to transmit."
    )


class Machine(Record):
    """A machine in its largest configuration, by one guide."""

    platform: str = doc("Row of `platforms`; the same id means the same machine in every guide.")
    name: str = doc("What the guide calls it.")
    on_offer: bool = doc("Whether this guide sells it; if not, it only rates it.")
    verdict: Literal["fits", "several", "lacks", "unknown"] = doc(
        "Whether one machine supports the load, several do, it cannot have what the load needs, or "
        "no limit is known."
    )
    sure: bool = doc("Whether the guide has every value that could change the verdict.")
    machines: int | None = doc(
        "Number of machines for the load, by the resource nearest its limit; null if no limit is "
        "known."
    )
    loads: list[MachineLoad] = doc(
        "What the load uses of the machine, the fullest first: that is the bottleneck."
    )
    no_kernel_lock: str | None = doc(
        "Where the guide states that the host's processors serve no files, so that no kernel lock "
        "applies; null if they do."
    )
    response: Response = doc("What the guide states about response times; null is not stated.")
    lacks: list[str] = doc("What the load needs and the machine cannot have.")
    no_figure_for: list[str] = doc("What the guide has no value for.")


class GuideMachines(Record):
    """A guide with its machines."""

    guide: str = doc("Id of the guide.")
    title: str = doc("Title of the guide.")
    factor: Quantity | None = doc(
        "Operations of its reference mix for one operation of the workload's guide; null if one "
        "counts as one."
    )
    factor_sources: list[Source] = doc("Where the numbers of the factor come from.")
    machines: list[Machine] = doc("Machines whose file service it rates; empty if it rates none.")


class Across(Record):
    """What `sizewright compare WORKLOAD --guides GUIDE --format json` prints.

    It compares the file service of a workload with the machines of several guides.
    """

    schema_: Literal["sizewright.across/1"] = doc(
        "Name and version of this format.", alias="schema"
    )
    workload: str = doc("Name of the workload.")
    guide: str = doc("Guide of the workload.")
    size_for: End = doc("End of every range that is compared.")
    holds: bool = doc("Whether the machines of any guide support the load, one or several.")
    load: FileLoad = doc("File service in the terms of the workload's guide.")
    left_out: list[str] = doc("Services that serve no files, which are not compared.")
    guides: list[GuideMachines] = doc("The workload's own guide first, then the others by id.")


def comparison_data(found: plans.Comparison) -> JsonData:
    """Return the JSON of a comparison of plans as plain data."""
    return Comparison.make(found, schema=SCHEMA).as_data()


def across_data(found: assessment.GuideComparison) -> JsonData:
    """Return the JSON of a comparison of guides as plain data."""
    files = found.files
    load = FileLoad.make(
        operations=files.ops, reference_operations=files.weighted, reads=files.reads,
        writes=files.writes, data=files.data_kb_per_s, stored=files.size_mb,
        clients=files.demand.clients,
    )  # fmt: skip
    record = Across.make(
        found, schema=ACROSS_SCHEMA, guide=files.guide, size_for=files.demand.size_for, load=load,
        left_out=files.left_out, guides=[_guide(each) for each in found.told],
    )  # fmt: skip
    return record.as_data()


def _guide(told: assessment.GuideAssessment) -> GuideMachines:
    factor = told.translation.factor
    return GuideMachines.make(
        guide=told.guide.id, title=told.guide.title, factor=factor,
        factor_sources=[] if factor is None else source_records(factor),
        machines=[_machine(each) for each in told.machines],
    )  # fmt: skip


def _machine(each: assessment.Assessment) -> Machine:
    return Machine.make(
        each, platform=each.platform.id, name=each.name,
        loads=[_load(each, budget) for budget in each.fullest],
        no_kernel_lock=each.unlocked.cite if each.unlocked is not None else None,
        no_figure_for=[gap.what for gap in each.gaps],
    )  # fmt: skip


def _load(each: assessment.Assessment, budget: Budget) -> MachineLoad:
    assert budget.used is not None
    line = line_record("", budget.used, each.end)
    return MachineLoad.make(
        budget, resource=budget.name, used=line.used, formula=line.formula, sources=line.sources,
        limit_rule=budget.limit_rule or None, share=each.share(budget),
    )  # fmt: skip
