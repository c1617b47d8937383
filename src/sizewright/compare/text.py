"""A comparison as a page of text: a column for each platform or plan, then why not."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from sizewright.compare.columns import Column, Comparison
from sizewright.output.document import Document, VerdictCell
from sizewright.output.layout import CELL_AT_MOST, GRID_GAP, INDENT, WIDTH
from sizewright.output.names import END_NAMES, kind_name
from sizewright.output.text import PLAIN, Style, render_text
from sizewright.output.wording import percent, verdict_word

_NONE = "–"
_ENDED = "*"

# What a line tells, and its cell for each column.
Line = tuple[str, list[str]]


def comparison_text(found: Comparison, style: Style = PLAIN) -> str:
    """Everything side by side, in as many tables as the width of a page asks for."""
    document = Document()
    document.say(_title(found), strong=True)
    rows = [*_short(found), *_loads(found.columns)]
    names = [each.name for each in found.columns]
    for first, last in _fitting(rows, names):
        document.gap()
        heads = names[first:last]
        document.table(
            ("", *heads), [(label, *cells[first:last]) for label, cells in rows],
            right=heads, flexible=heads,
        )  # fmt: skip
    document.gap()
    document.say(
        "The share of each kind of resource is the highest share of its parts."
        + "".join(f" {note}" for note in _notes(found.columns))
    )
    _why_not(document, found.columns)
    return render_text(document, style)


def _title(found: Comparison) -> str:
    if not found.of:
        return "Comparison of plans"
    return f"Platforms for {found.of}, at {END_NAMES[found.columns[0].size_for]}"


def _short(found: Comparison) -> Iterator[Line]:
    """Verdict, machine, bottleneck and parts, a line for each."""
    columns = found.columns
    if any(each.reserve_percent for each in columns):
        yield "reserve", [f"{each.reserve_percent:g}%" for each in columns]
    yield "verdict", [VerdictCell(_verdict(each), each.verdict) for each in columns]
    if not found.of:
        yield "machine", [_joined(part.platform for part in each.parts) for each in columns]
    elif any(len(each.parts) > 1 for each in columns):
        yield "systems", [str(len(each.parts)) if each.parts else _NONE for each in columns]
    deciding = [each.bottleneck if _tells(each) else None for each in columns]
    yield (
        "bottleneck",
        [_resource(c, d.resource) if d else _NONE for c, d in zip(columns, deciding, strict=True)],
    )
    yield "headroom", [_headroom(each.headroom) if each else _NONE for each in deciding]
    for what, facts in (
        ("boards", [[part.boards for part in each.parts] for each in columns]),
        ("disks", [[part.disks for part in each.parts] for each in columns]),
        ("memory MB", [[part.memory_mb for part in each.parts] for each in columns]),
    ):
        yield what, [_joined(each) for each in facts]


def _verdict(column: Column) -> str:
    return f"{verdict_word(column.verdict)}{'' if column.proven else _ENDED}"


def _tells(column: Column) -> bool:
    """Whether the bottleneck is what decides: what does not hold may fail by something else."""
    return column.bottleneck is not None and (column.holds or column.bottleneck.headroom < 0)


def _notes(columns: Sequence[Column]) -> Iterator[str]:
    if any(len(each.parts) > 1 for each in columns):
        yield "Two numbers in a cell are those of two systems that share the load."
    if any(not each.holds and each.parts for each in columns):
        yield "A column that fails shows its closest alternative."
    if not all(each.proven for each in columns):
        yield f"{_ENDED}: the search stopped early; a smaller configuration may pass too."


def _resource(column: Column, resource: str) -> str:
    """A resource by its id, without the system where there is one."""
    return resource.partition("/")[2] if len(column.parts) < 2 else resource


def _headroom(room: float) -> str:
    return percent(room) if room >= 0 else f"−{percent(-room)}"


def _joined(values: Iterable[object]) -> str:
    return " + ".join(_NONE if v is None else str(v) for v in values) or _NONE


def _loads(columns: Sequence[Column]) -> Iterator[Line]:
    """The share of the fullest resource of each kind."""
    kinds = dict.fromkeys(load.kind for each in columns for load in each.loads)
    shares = [{load.kind: percent(load.share) for load in each.loads} for each in columns]
    for kind in kinds:
        yield kind_name(kind), [each.get(kind, _NONE) for each in shares]


def _fitting(rows: Sequence[Line], names: Sequence[str]) -> Iterator[tuple[int, int]]:
    """Columns from one to before another that fit on a page; at least one at a time."""
    room = WIDTH - INDENT - max(len(label) for label, _ in rows)
    first, taken = 0, 0
    for index, name in enumerate(names):
        widest = max(len(name), *(len(cells[index]) for _, cells in rows))
        width = GRID_GAP + min(widest, CELL_AT_MOST)
        if index > first and taken + width > room:
            yield first, index
            first, taken = index, 0
        taken += width
    yield first, len(names)


def _why_not(document: Document, columns: Iterable[Column]) -> None:
    broken = [each for each in columns if not each.holds]
    if broken:
        document.heading("Why not")
    for each in broken:
        document.say(each.name, depth=1)
        for reason in each.reasons:
            document.say(f"- {reason}", depth=2, hang=1)
