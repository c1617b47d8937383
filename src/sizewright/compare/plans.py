"""Plans side by side, and as text: one column for each platform, workload or plan."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Literal, NamedTuple

from sizewright.engine import Engine, plan
from sizewright.errors import InputError
from sizewright.output.document import Document, VerdictCell
from sizewright.output.json.common import Count, End, Number, Record, Resource, doc
from sizewright.output.layout import CELL_AT_MOST, GRID_GAP, INDENT, WIDTH
from sizewright.output.names import END_NAMES, kind_name
from sizewright.output.render import PLAIN, Style, render_text
from sizewright.output.wording import percent, plain_number, verdict_word
from sizewright.planner.parts import platforms_on_offer
from sizewright.planner.plan import Plan, check_plannable
from sizewright.workload.workload import Wishes, Workload

SCHEMA = "sizewright.compare/1"


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
    loads: tuple[Load, ...] = doc("The fullest resource of each kind.")
    parts: tuple[Parts, ...] = doc("Its systems; if it fails, its closest alternative.")
    reasons: tuple[str, ...] = doc("Why it fails, the shortest reason first; empty if it passes.")


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
    columns: tuple[Column, ...] = doc(
        "Platforms, smallest first, or workloads and plans in the order given."
    )


class PlatformPlan(NamedTuple):
    """A platform with its plan, or with why none can be made."""

    platform: str
    name: str
    plan: Plan | None
    why: tuple[str, ...] = ()


def plan_each_platform(
    workload: Workload, engine: Engine, systems: int | None
) -> Iterator[PlatformPlan]:
    """The plan on each platform; raises InputError where the workload can be planned on none."""
    check_plannable(engine.guide)
    faults: list[InputError] = []
    rows = platforms_on_offer(engine.guide)
    for row in rows:
        platform, name = row.id, row.text("name") or row.id
        wishes = (workload.wishes or Wishes()).replace(platforms=(platform,))
        try:
            found = plan(workload.replace(wishes=wishes), engine, systems)
        except InputError as error:
            faults.append(error)
            if len(faults) == len(rows):
                raise
            yield PlatformPlan(platform, name, None, tuple(fault.what for fault in error.faults))
        else:
            yield PlatformPlan(platform, name, found)


_BROKEN = "violated"
_DISK = "disk"
_NOT_DEALT = "its services cannot be divided over two systems"


def make_column(plan: Mapping[str, Any], name: str) -> Column:
    """Return the column of a plan."""
    holds, policy, nearest = plan["verdict"] != _BROKEN, plan["policy"], plan["determinant"]
    return Column.make(
        name=name, workload=plan["workload"]["name"], size_for=policy["size_for"],
        reserve_percent=policy["reserve_percent"], verdict=plan["verdict"], holds=holds,
        proven=plan["proven"],
        bottleneck=nearest and {key: nearest[key] for key in ColumnBottleneck.model_fields},
        loads=tuple(_loads(plan["budgets"])), parts=tuple(_parts(plan)),
        reasons=() if holds else _reasons(plan),
    )  # fmt: skip


def impossible_column(
    name: str, workload: str, size_for: str, reserve_percent: float, reasons: tuple[str, ...]
) -> Column:
    """A column of what cannot be planned at all."""
    return Column.make(
        name=name, workload=workload, size_for=size_for, reserve_percent=reserve_percent,
        verdict=_BROKEN, holds=False, proven=True, bottleneck=None, loads=(), parts=(),
        reasons=sorted(reasons, key=len),
    )  # fmt: skip


def comparison(of: str, columns: Iterable[Column]) -> Comparison:
    """Return columns side by side; `of` names the workload that was planned on every platform."""
    found = tuple(columns)
    holds = any(each.holds for each in found)
    return Comparison.make(schema=SCHEMA, of=of, holds=holds, columns=found)


def _loads(budgets: list[dict[str, Any]]) -> Iterator[Load]:
    """The fullest of each kind, kinds in the order of the plan."""
    fullest: dict[str, Load] = {}
    for budget in budgets:
        share, kind = budget["share_of_limit"], budget["kind"]
        if share is not None and (kind not in fullest or share > fullest[kind].share):
            fullest[kind] = Load.make(kind=kind, resource=budget["resource"], share=share)
    yield from fullest.values()


def _parts(plan: Mapping[str, Any]) -> Iterator[Parts]:
    found = [system["configuration"] for system in plan["systems"]]
    nearest = plan["nearest"]
    if not found and nearest and nearest["configuration"]:
        found = [nearest["configuration"]]
    for system in found:
        boards = [*system["boards"], *(b for e in system["expansions"] for b in e["boards"])]
        devices = [d for c in system["channels"] for d in c["devices"]]
        yield Parts.make(
            system=system["id"], platform=system["platform"], processors=system["processors"],
            memory_mb=system["memory_mb"], boards=len(boards),
            disks=sum(device["kind"] == _DISK for device in devices),
        )  # fmt: skip


def _reasons(plan: Mapping[str, Any]) -> tuple[str, ...]:
    """Why a plan does not hold: of its nearest miss, else of what it does not survive."""
    if plan["unsurvived"]:
        found = [f"it does not survive without {each['component']}" for each in plan["unsurvived"]]
    elif plan["nearest"]:
        found = plan["nearest"]["reasons"]
    else:
        found = [reason for each in plan["rejected"] for reason in each["reasons"]]
    clashes = plan.get("conflicts", {}).get("sets", ())
    found = [*(f"wishes that conflict: {' and '.join(each)}" for each in clashes), *found]
    return tuple(sorted(dict.fromkeys(found), key=len)) or (_NOT_DEALT,)


_NONE = "–"
_ENDED = "*"

# What a line tells, and its cell for each column.
Line = tuple[str, list[str]]


def comparison_text(found: Comparison, style: Style = PLAIN) -> str:
    """Everything side by side, in as many tables as the width of a page asks for."""
    document = Document()
    document.say(_title(found), strong=True)
    rows = [*_short(found), *_shares(found.columns)]
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
        (
            "memory MB",
            [
                [part.memory_mb and plain_number(part.memory_mb) for part in each.parts]
                for each in columns
            ],
        ),
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


def _shares(columns: Sequence[Column]) -> Iterator[Line]:
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
