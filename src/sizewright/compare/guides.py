"""Machines of several guides under one file load: as text, and as `sizewright.across/1`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Literal

from sizewright.compare.assessment import Assessment, GuideAssessment, GuideComparison
from sizewright.compare.file_load import Translation
from sizewright.guide.model import rated_platforms
from sizewright.output.document import Document, VerdictCell
from sizewright.output.json.common import (
    End,
    JsonData,
    Number,
    Record,
    Source,
    doc,
    line_record,
    source_records,
)
from sizewright.output.json.common import (
    Quantity as QuantityRecord,
)
from sizewright.output.names import END_NAMES, enumerated, kind_name
from sizewright.output.render import PLAIN, Style, render_text
from sizewright.output.wording import percent, quantity, span
from sizewright.quantity import Quantity, leaves

if TYPE_CHECKING:
    from sizewright.compare import assessment
    from sizewright.evaluate.budgets import Budget

_HEADERS = ("machine", "guide", "fits", "machines", "bottleneck", "full")
_NONE = "–"
_UNSURE = "*"
_FITS = {"fits": "yes", "several": "no", "lacks": "no", "unknown": "unknown"}
_STYLES = {"fits": "holds", "several": "violated", "lacks": "violated", "unknown": "unknown"}


def across_text(found: GuideComparison, style: Style = PLAIN) -> str:
    """The load, a line for each machine, and what each guide says and does not say."""
    document = Document()
    end = END_NAMES[found.files.demand.size_for]
    document.say(f"File service of {found.workload} by several guides, at {end}", strong=True)
    document.gap()
    _asked(document, found)
    document.gap()
    machines = [each for told in found.told for each in told.machines]
    document.table(
        _HEADERS, [_row(each) for each in machines],
        right=("machines", "full"), flexible=("machine", "bottleneck"),
    )  # fmt: skip
    document.gap()
    document.say(
        "Each machine is shown at its largest: with all networks that its guide allows and the "
        "load can use, and with all disks that it can attach. Full is the share of the limit "
        "that the load takes on one machine."
    )
    if any(not each.sure and each.verdict in ("fits", "several") for each in machines):
        document.say(
            f"{_UNSURE}: as far as its guide has values. The missing ones are listed below."
        )
    for told in found.told:
        _guide(document, found, told)
    return render_text(document, style)


def _asked(document: Document, found: GuideComparison) -> None:
    files = found.files
    document.say(
        f"Demand: {quantity(files.ops)}, of which {span(files.reads)} are reads and "
        f"{span(files.writes)} writes, with {quantity(files.data_kb_per_s)} of data, for "
        f"{quantity(files.demand.clients)}. Data stored: {quantity(files.size_mb)}."
    )
    if files.left_out:
        document.say(f"Left out, because they serve no files: {enumerated(files.left_out)}.")


def _row(each: Assessment) -> tuple[str, ...]:
    mark = "" if each.sure or each.lacks else _UNSURE
    fits = VerdictCell(_FITS[each.verdict] + mark, _STYLES[each.verdict])
    number = _NONE if each.lacks or each.machines is None else str(each.machines)
    if each.bottleneck is None:
        return each.name, each.guide.id, fits, number, _NONE, _NONE
    resource = resource_name(each.bottleneck.kind, each.bottleneck.name)
    share = percent(each.share(each.bottleneck))
    return each.name, each.guide.id, fits, number, resource, share


_NAMES = {"disk": "load of its disks", "space": "room on its disks", "ports": "networks attached"}


def resource_name(kind: str, name: str) -> str:
    """Return the name of a resource of a machine; all its disks are equally full."""
    if kind in _NAMES:
        return _NAMES[kind]
    return f"{kind_name(kind)} {name}".rstrip()


def _guide(document: Document, found: GuideComparison, told: GuideAssessment) -> None:
    document.heading(f"Guide {told.guide.id}: {told.guide.title}")
    if not told.machines:
        document.say(
            "It states no rate of file service, so its machines cannot be compared with the load.",
            depth=1,
        )
        return
    document.say(_counted(found, told), depth=1)
    for each in told.machines:
        document.say(each.name, depth=1)
        for line in _remarks(each):
            document.say(f"- {line}", depth=2, hang=1)


def _counted(found: GuideComparison, told: GuideAssessment) -> str:
    """How the load was counted for a guide, with the source of the factor."""
    own, by = found.files.guide, told.translation
    if own == told.guide.id:
        return f"Load: {quantity(found.files.weighted)} of its reference mix."
    if by.factor is None and not rated_platforms(told.guide):
        data = quantity(found.files.data_kb_per_s)
        return f"It rates data, not operations. Load: {data} of reads and writes."
    if by.factor is None:
        return (
            f"No machine is rated by both guides, so operations of {own} cannot be converted. "
            f"Load: {quantity(found.files.weighted)} of that guide's reference mix."
        )
    load = (found.files.weighted * by.factor).named("load")
    return (
        f"Load: {quantity(load)}. One operation of {own} counts as {span(by.factor)} here: "
        f"{cited(by)}. By another reading it counts as 1."
    )


def cited(by: Translation) -> str:
    """The cells that a factor comes from, machine by machine."""
    assert by.factor is not None
    cells = [leaf for leaf in leaves(by.factor) if leaf.source and leaf.source.kind == "table"]
    pairs = zip(by.by, cells[0::2], cells[1::2], strict=True)
    return "; ".join(
        f"{platform} serves {_cell(there)} or {_cell(here)}" for platform, there, here in pairs
    )


def _cell(leaf: Quantity) -> str:
    assert leaf.source is not None
    return f"{quantity(leaf)} [{leaf.source.cite}]"


def _remarks(each: Assessment) -> Iterator[str]:
    yield from each.lacks
    others = [f"{resource_name(b.kind, b.name)} {percent(each.share(b))}" for b in each.fullest[1:]]
    if others:
        yield f"also: {', '.join(others)}"
    if each.unlocked is not None:
        yield (
            "no kernel lock applies: file service runs on other processors than the host's "
            f"[{each.unlocked.cite}]"
        )
    yield from _responses(each.response)
    if each.gaps:
        yield f"not stated: {enumerated(gap.what for gap in each.gaps)}"


def _responses(told: assessment.Response) -> Iterator[str]:
    if told.full_ms is not None and told.full_ops_per_s is not None:
        preferred = (
            f"; users prefer {quantity(told.preferred_ms)}" if told.preferred_ms is not None else ""
        )
        yield (
            f"response: {quantity(told.full_ms)} on average at {quantity(told.full_ops_per_s)}"
            f"{preferred}"
        )
    if told.times_slower is not None and told.full_ops_per_s is not None:
        yield (
            f"response: at the maximum load, {quantity(told.full_ops_per_s)}, "
            f"{span(told.times_slower)} times slower than at the load to plan for"
        )
    if told.wire_share is not None and told.quick_share is not None:
        yield (
            f"response: the busiest network uses {_percents(told.wire_share)} of its wire; "
            f"stations do not wait up to {_percents(told.quick_share)}"
        )


def _percents(share: Quantity) -> str:
    low, high = percent(share.low), percent(share.high)
    return low if low == high else f"{low.removesuffix('%')}–{high}"


SCHEMA = "sizewright.across/1"


class FileLoad(Record):
    """File service in the terms of the workload's guide."""

    operations: QuantityRecord = doc("Operations of the mixes that the services state.")
    reference_operations: QuantityRecord = doc(
        "The same in operations of the mix that the guide's capacities are stated in."
    )
    reads: QuantityRecord = doc("Read operations per second.")
    writes: QuantityRecord = doc("Write operations per second.")
    data: QuantityRecord = doc("Data of reads and writes.")
    stored: QuantityRecord = doc("Data on the volumes that are served.")
    clients: QuantityRecord = doc("Clients.")


class MachineLoad(Record):
    """A resource of the machine and its limit."""

    kind: Literal[
        "kernel_lock", "processors", "nfs", "ports", "network", "data", "disk", "space"
    ] = doc("Kind of resource; of each kind the one nearest its limit.")
    resource: str = doc(
        "The network, or one disk of many that are as full; empty if the machine has only one."
    )
    used: QuantityRecord = doc("What the load needs of it.")
    formula: str = doc("How this was calculated, in numbers at the end that is sized for.")
    sources: list[Source] = doc("Where each number of the formula comes from.")
    limit: QuantityRecord = doc("Its limit.")
    limit_rule: str | None = doc(
        "Rule of this guide that sets the limit; null if the capacity is the limit."
    )
    share: Number = doc("Used ÷ limit, at the end that is sized for.")


class Response(Record):
    """What the guide states about response times; null is not stated."""

    full_ms: QuantityRecord | None = doc("Mean response at the maximum load.")
    full_ops_per_s: QuantityRecord | None = doc("The maximum load.")
    preferred_ms: QuantityRecord | None = doc("Mean response that users prefer.")
    times_slower: QuantityRecord | None = doc(
        "Factor by which responses at the maximum load are slower than at the load to plan for."
    )
    wire_share: QuantityRecord | None = doc("Share of the wire that the busiest network uses.")
    quick_share: QuantityRecord | None = doc(
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
    factor: QuantityRecord | None = doc(
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


def across_data(found: GuideComparison) -> JsonData:
    """Return the JSON of a comparison of guides as plain data."""
    files = found.files
    load = FileLoad.make(
        operations=files.ops, reference_operations=files.weighted, reads=files.reads,
        writes=files.writes, data=files.data_kb_per_s, stored=files.size_mb,
        clients=files.demand.clients,
    )  # fmt: skip
    record = Across.make(
        found, schema=SCHEMA, guide=files.guide, size_for=files.demand.size_for, load=load,
        left_out=files.left_out, guides=[_guide_record(each) for each in found.told],
    )  # fmt: skip
    return record.as_data()


def _guide_record(told: GuideAssessment) -> GuideMachines:
    factor = told.translation.factor
    return GuideMachines.make(
        guide=told.guide.id, title=told.guide.title, factor=factor,
        factor_sources=[] if factor is None else source_records(factor),
        machines=[_machine_record(each) for each in told.machines],
    )  # fmt: skip


def _machine_record(each: Assessment) -> Machine:
    return Machine.make(
        each, platform=each.platform.id, name=each.name,
        loads=[_load_record(each, budget) for budget in each.fullest],
        no_kernel_lock=each.unlocked.cite if each.unlocked is not None else None,
        no_figure_for=[gap.what for gap in each.gaps],
    )  # fmt: skip


def _load_record(each: Assessment, budget: Budget) -> MachineLoad:
    assert budget.used is not None
    line = line_record("", budget.used, each.end)
    return MachineLoad.make(
        budget, resource=budget.name, used=line.used, formula=line.formula, sources=line.sources,
        limit_rule=budget.limit_rule or None, share=each.share(budget),
    )  # fmt: skip
