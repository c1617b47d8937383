"""Machines of several guides under one file load: as text, and as `sizewright.across/1`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from sizewright.compare import assessment
from sizewright.compare.assessment import Assessment, GuideAssessment, GuideComparison, Kind
from sizewright.errors import enumerated
from sizewright.formula import formula
from sizewright.guide.model import rated_platforms
from sizewright.output.document import Document, VerdictCell
from sizewright.output.json import common
from sizewright.output.json.common import End, JsonData, NotCounted, Number, Record, Source, doc
from sizewright.output.names import END_NAMES, kind_name
from sizewright.output.render import PLAIN, Style, render_text
from sizewright.output.summary import add_omission_rows, omission_rows
from sizewright.output.wording import money, percent, quantity, span
from sizewright.quantity import leaves

_NONE = "–"
_UNSURE = "*"
_FITS = {"fits": "yes", "several": "no", "lacks": "no", "unknown": "unknown"}
_STYLES = {"fits": "holds", "several": "violated", "lacks": "violated", "unknown": "unknown"}


def across_text(found: GuideComparison, style: Style = PLAIN) -> str:
    """The load, a line for each machine, and what each guide states and does not state."""
    end = END_NAMES[found.files.demand.size_for]
    document = Document(f"File service of {found.workload} by several guides, at {end}")
    files = found.files
    document.say(
        f"Demand: {quantity(files.operations)}, of which {span(files.reads)} are reads and "
        f"{span(files.writes)} writes, with {quantity(files.data)} of data, for "
        f"{quantity(files.demand.clients)}. Data stored: {quantity(files.stored)}."
    )
    if files.left_out:
        document.say(f"Left out, because they serve no files: {enumerated(files.left_out)}.")
    add_omission_rows(document, omission_rows(found.not_counted))
    document.gap()
    machines = [each for told in found.told for each in told.machines]
    document.table("machine | guide | fits | >machines | bottleneck | >full", map(_row, machines))
    document.set_apart(
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
        document.note(
            "It states no rate of file service, so its machines cannot be compared with the load."
        )
        return
    document.note(_counted(found, told))
    for each in told.machines:
        document.note(each.name)
        for line in _remarks(each):
            document.item(f"- {line}", depth=2)


def _counted(found: GuideComparison, told: GuideAssessment) -> str:
    """How the load was counted for a guide, with the source of the factor."""
    own, by = found.files.guide, told.translation
    if own == told.guide.id:
        return f"Load: {quantity(found.files.reference_operations)} of its reference mix."
    if by.factor is None and not rated_platforms(told.guide):
        data = quantity(found.files.data)
        return f"It rates data, not operations. Load: {data} of reads and writes."
    if by.factor is None:
        return (
            f"No machine is rated by both guides, so operations of {own} cannot be converted. "
            f"Load: {quantity(found.files.reference_operations)} of that guide's reference mix."
        )
    load = (found.files.reference_operations * by.factor).with_name("load")
    # The cells that the factor comes from, machine by machine.
    cells = [
        f"{quantity(leaf)} [{leaf.source.cite}]" for leaf in leaves(by.factor)
        if leaf.source and leaf.source.kind == "table"
    ]  # fmt: skip
    pairs = zip(by.by, cells[0::2], cells[1::2], strict=True)
    cited = "; ".join(f"{platform} serves {there} or {here}" for platform, there, here in pairs)
    return (
        f"Load: {quantity(load)}. One operation of {own} counts as {span(by.factor)} here: "
        f"{cited}. By another reading it counts as 1."
    )


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
    if each.price is not None and each.price.source is not None:
        price, cited = money(each.price.likely), each.price.source.cite
        yield f"price, with the parts that the guide describes: {price} {each.price.unit} [{cited}]"
    if each.gaps:
        yield f"not stated: {enumerated(gap.what for gap in each.gaps)}"


def _responses(told: assessment.Response) -> Iterator[str]:
    if told.full_ms is not None and told.full_ops_per_s is not None:
        preferred = f"; users prefer {quantity(told.preferred_ms)}" if told.preferred_ms else ""
        most = quantity(told.full_ops_per_s)
        yield f"response: {quantity(told.full_ms)} on average at {most}{preferred}"
    if told.times_slower is not None and told.full_ops_per_s is not None:
        yield (
            f"response: at the maximum load, {quantity(told.full_ops_per_s)}, "
            f"{span(told.times_slower)} times slower than at the load to plan for"
        )
    if told.wire_share is not None and told.quick_share is not None:
        used, quick = (
            "–".join(dict.fromkeys((percent(share.low), percent(share.high)))).replace("%–", "–")
            for share in (told.wire_share, told.quick_share)
        )
        yield (
            f"response: the busiest network uses {used} of its wire; stations do not wait up to "
            f"{quick}"
        )


SCHEMA = "sizewright.across/1"


class FileLoad(Record):
    """File service in the terms of the workload's guide."""

    operations: common.Quantity = doc("Operations of the mixes that the services state.")
    reference_operations: common.Quantity = doc(
        "The same in operations of the mix that the guide's capacities are stated in."
    )
    reads: common.Quantity = doc("Read operations per second.")
    writes: common.Quantity = doc("Write operations per second.")
    data: common.Quantity = doc("Data of reads and writes.")
    stored: common.Quantity = doc("Data on the volumes that are served.")
    clients: common.Quantity = doc("Clients.")


class MachineLoad(Record):
    """A resource of the machine and its limit."""

    kind: Kind = doc("Kind of resource; of each kind the one nearest its limit.")
    resource: str = doc("The network, or one disk of many as full; empty if there is only one.")
    used: common.Quantity = doc("What the load needs of it.")
    formula: str = doc("How this was calculated, in numbers at the end that is sized for.")
    sources: list[Source] = doc("Where each number of the formula comes from.")
    limit: common.Quantity = doc("Its limit.")
    limit_rule: str | None = doc("Rule of this guide that sets it; null if it is the capacity.")
    share: Number = doc("Used ÷ limit, at the end that is sized for.")


class Response(Record):
    """What the guide states about response times; null is not stated."""

    full_ms: common.Quantity | None = doc("Mean response at the maximum load.")
    full_ops_per_s: common.Quantity | None = doc("The maximum load.")
    preferred_ms: common.Quantity | None = doc("Mean response that users prefer.")
    times_slower: common.Quantity | None = doc(
        "Factor by which responses at the maximum load are slower than at the load to plan for."
    )
    wire_share: common.Quantity | None = doc("Share of the wire that the busiest network uses.")
    quick_share: common.Quantity | None = doc("Share of a wire up to which stations need not wait.")


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
    loads: list[MachineLoad] = doc("What the load uses of it, the fullest (the bottleneck) first.")
    no_kernel_lock: str | None = doc(
        "Where the guide states that the host's processors serve no files, so that no kernel lock "
        "applies; null if they do."
    )
    response: Response = doc("What the guide states about response times; null is not stated.")
    lacks: list[str] = doc("What the load needs and the machine cannot have.")
    price: common.Quantity | None = doc(
        "What the guide says that the machine costs, with the parts that it describes; null if "
        "it prints no price."
    )
    price_sources: list[Source] = doc("Where the price comes from.")
    no_figure_for: list[str] = doc("What the guide has no value for.")


class GuideMachines(Record):
    """A guide with its machines."""

    guide: str = doc("Id of the guide.")
    title: str = doc("Title of the guide.")
    factor: common.Quantity | None = doc(
        "Operations of its reference mix for one operation of the workload's guide; null if one "
        "counts as one."
    )
    factor_sources: list[Source] = doc("Where the numbers of the factor come from.")
    machines: list[Machine] = doc("Machines whose file service it rates; empty if it rates none.")


class Across(Record):
    """What `sizewright compare WORKLOAD --guides GUIDE --format json` prints.

    It compares the file service of a workload with the machines of several guides.
    """

    schema_: Literal["sizewright.across/1"] = doc("The format with its version.", alias="schema")
    workload: str = doc("Name of the workload.")
    guide: str = doc("Guide of the workload.")
    size_for: End = doc("End of every range that is compared.")
    holds: bool = doc("Whether the machines of any guide support the load, one or several.")
    load: FileLoad = doc("File service in the terms of the workload's guide.")
    left_out: list[str] = doc("Services that serve no files, which are not compared.")
    not_counted: list[NotCounted] = doc(
        "What the workload does not state of its file service; it counts as zero."
    )
    guides: list[GuideMachines] = doc("The workload's own guide first, then the others by id.")


def across_data(found: GuideComparison) -> JsonData:
    """Return the JSON of a comparison of guides as plain data."""
    files = found.files
    load = FileLoad.make(files, clients=files.demand.clients)
    record = Across.make(
        found, schema=SCHEMA, guide=files.guide, size_for=files.demand.size_for, load=load,
        left_out=files.left_out,
        not_counted=[NotCounted.make(each) for each in found.not_counted],
        guides=[
            GuideMachines.make(
                guide=told.guide.id, title=told.guide.title, factor=told.translation.factor,
                factor_sources=common.source_records(told.translation.factor),
                machines=[_machine_record(each) for each in told.machines],
            )
            for told in found.told
        ],
    )  # fmt: skip
    return record.as_data()


def _machine_record(each: Assessment) -> Machine:
    return Machine.make(
        each, platform=each.platform.id,
        loads=[
            MachineLoad.make(
                budget, resource=budget.name, formula=formula(budget.used, each.end),
                sources=common.source_records(budget.used), limit_rule=budget.limit_rule or None,
                share=each.share(budget),
            )
            for budget in each.fullest if budget.used is not None
        ],
        no_kernel_lock=each.unlocked and each.unlocked.cite,
        price_sources=common.source_records(each.price) if each.price else [],
        no_figure_for=[gap.what for gap in each.gaps],
    )  # fmt: skip
