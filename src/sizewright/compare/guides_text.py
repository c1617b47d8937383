"""Machines of several guides under one file load, as a page of text."""

from __future__ import annotations

from collections.abc import Iterator

from sizewright.compare.assessment import Assessment, GuideAssessment, GuideComparison, Response
from sizewright.compare.file_load import Translation
from sizewright.guide.model import rated_platforms
from sizewright.output.document import Document, VerdictCell
from sizewright.output.names import END_NAMES, enumerated, kind_name
from sizewright.output.render import PLAIN, Style, render_text
from sizewright.output.wording import percent, quantity, span
from sizewright.quantity import Quantity, leaves

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


def _responses(told: Response) -> Iterator[str]:
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
