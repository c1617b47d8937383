"""Plans side by side, and as text: one column for each platform, workload or plan."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import chain
from operator import itemgetter
from pathlib import PurePath
from typing import Any, Literal, NamedTuple

from sizewright.engine import Engine
from sizewright.errors import InputError
from sizewright.output.document import Document, VerdictCell
from sizewright.output.json.common import (
    Count,
    End,
    NotCounted,
    Number,
    PlanVerdict,
    Record,
    Reserve,
    Resource,
    doc,
)
from sizewright.output.layout import CELL_AT_MOST, GRID_GAP, INDENT, WIDTH
from sizewright.output.names import END_NAMES, fullest, kind_name
from sizewright.output.render import PLAIN, Style, render_text
from sizewright.output.summary import add_omission_rows, omission_rows
from sizewright.output.wording import money, percent, plain_number, verdict_word
from sizewright.planner.parts import platforms_on_offer
from sizewright.planner.plan import Plan, check_plannable
from sizewright.plans import plan_on
from sizewright.workload.not_counted import Omission
from sizewright.workload.workload import Workload

SCHEMA = "sizewright.compare/1"


class ColumnBottleneck(Record):
    """The resource that is nearest its limit."""

    resource: str = doc("Id of its budget.")
    name: str = doc("What reports call it.")
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
    quantity: Count = doc("Number of identical systems; the parts are those of each.")
    idle: bool = doc("Whether it runs no service while the other system of its pair works.")
    platform: str = doc("Row of `platforms`.")
    name: str = doc("What reports call the machine.")
    processors: Count | None = doc("Number of processors; null if unknown.")
    memory_mb: Number | None = doc("Memory in MB; null if unknown.")
    boards: Count = doc("Number of boards, including those in expansion boxes.")
    disks: Count = doc("Number of disks, without those of the other system of a pair.")


class ColumnPrice(Record):
    """The price of an order."""

    currency: str = doc("Currency.")
    total: Number = doc("Price of all parts that have one.")
    unpriced: tuple[str, ...] = doc("Parts without a price.")


class Column(Record):
    """A plan in short."""

    name: str = doc("The platform or the file.")
    workload: str = doc("Name of its workload.")
    size_for: End = doc("End of every range that it is sized for.")
    reserve_percent: Reserve
    verdict: PlanVerdict = doc("Verdict of the plan.")
    holds: bool = doc("Whether a configuration was found that meets every limit.")
    proven: bool = doc("Whether every search was completed.")
    bottleneck: ColumnBottleneck | None = doc("The bottleneck; null if no budget has a limit.")
    loads: tuple[Load, ...] = doc("The fullest resource of each kind.")
    parts: tuple[Parts, ...] = doc("Its systems; if it fails, its closest alternative.")
    price: ColumnPrice | None = doc("Price of its order; null if there are no prices.")
    reasons: tuple[str, ...] = doc("Why it fails, the shortest reason first; empty if it passes.")
    not_counted: tuple[NotCounted, ...] = doc(
        "What its workload does not state; it counts as zero."
    )

    @property
    def systems(self) -> int:
        """Return how many systems it has."""
        return sum(part.quantity for part in self.parts)

    @property
    def idle(self) -> int:
        """Return how many of its systems run nothing until another one fails."""
        return sum(part.quantity for part in self.parts if part.idle)


class Comparison(Record):
    """What `sizewright compare --format json` prints: plans in short, one column each."""

    schema_: Literal["sizewright.compare/1"] = doc("The format with its version.", alias="schema")
    of: str = doc(
        "Name of the workload that was planned on every platform by itself; empty if several "
        "workloads or plans are compared."
    )
    holds: bool = doc("Whether any column passes.")
    columns: tuple[Column, ...] = doc("Platforms, smallest first, or workloads and plans as given.")


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
    rows, failed = platforms_on_offer(engine.guide), 0
    for row in rows:
        name = row.text("name") or row.id
        try:
            found = plan_on(row.id, workload, engine, systems)
        except InputError as error:
            failed += 1
            if failed == len(rows):
                raise
            yield PlatformPlan(row.id, name, None, tuple(fault.what for fault in error.faults))
        else:
            yield PlatformPlan(row.id, name, found)


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
        price=(price := plan.get("price")) and {k: price[k] for k in ColumnPrice.model_fields},
        reasons=() if holds else _reasons(plan), not_counted=plan["not_counted"],
    )  # fmt: skip


def impossible_column(
    name: str, workload: str, size_for: str, reserve_percent: float, reasons: tuple[str, ...]
) -> Column:
    """A column of what cannot be planned at all."""
    return Column.make(
        name=name, workload=workload, size_for=size_for, reserve_percent=reserve_percent,
        verdict=_BROKEN, holds=False, proven=True, bottleneck=None, loads=(), parts=(), price=None,
        reasons=sorted(reasons, key=len), not_counted=(),
    )  # fmt: skip


def comparison(of: str, columns: Iterable[Column]) -> Comparison:
    """Return columns side by side; `of` names the workload that was planned on every platform."""
    found = tuple(columns)
    holds = any(each.holds for each in found)
    return Comparison.make(schema=SCHEMA, of=of, holds=holds, columns=found)


def _loads(budgets: list[dict[str, Any]]) -> Iterator[Load]:
    """The fullest of each kind, kinds in the order of the plan."""
    for share, most in fullest(budgets, itemgetter("kind"), itemgetter("share_of_limit")):
        yield Load.make(kind=most["kind"], resource=most["resource"], share=share)


def _parts(plan: Mapping[str, Any]) -> Iterator[Parts]:
    found = [system["configuration"] for system in plan["systems"]]
    nearest = plan["nearest"]
    if not found and nearest and nearest["configuration"]:
        found = [nearest["configuration"]]
    several = plan["group"]
    alike = {m["name"]: m["quantity"] for m in several["members"]} if several else {}
    idle = {m["name"] for m in several["members"] if not m["services"]} if several else ()
    names = {line["row"]: line["name"] for line in plan["order"]}
    for system in found:
        boards = [*system["boards"], *(b for e in system["expansions"] for b in e["boards"])]
        devices = [d for c in system["channels"] for d in c["devices"]]
        yield Parts.make(
            system=system["id"], quantity=alike.get(system["id"], 1),
            idle=system["id"] in idle, platform=system["platform"], processors=system["processors"],
            name=names.get(system["platform"], system["platform"]),
            memory_mb=system["memory_mb"], boards=len(boards),
            disks=sum(device["kind"] == _DISK and not device["owner"] for device in devices),
        )  # fmt: skip


def _reasons(plan: Mapping[str, Any]) -> tuple[str, ...]:
    """Why a plan does not pass: of its closest alternative, else of what it does not survive."""
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

# What a line states, and its cell for each column.
Line = tuple[str, list[str]]


def comparison_text(found: Comparison, style: Style = PLAIN) -> str:
    """Everything side by side, in as many tables as the width of a page asks for."""
    document, columns = Document(), found.columns
    title = "Comparison of plans"
    if found.of:
        title = f"Platforms for {found.of}, at {END_NAMES[columns[0].size_for]}"
    document.say(title, strong=True)
    names = [each.name for each in columns]
    names = names if found.of else short_names(names)
    add_omission_rows(document, _omissions(columns, names, one=bool(found.of)))
    rows = list(_rows(found))
    for first, last in _fitting(rows, names):
        document.gap()
        heads = [f">{name}" for name in names[first:last]]
        document.table(("", *heads), [(label, *cells[first:last]) for label, cells in rows])
    document.gap()
    notes = ["The share of each kind of resource is the highest share of its parts."]
    if any(len(each.parts) > 1 for each in columns):
        notes.append("Two numbers in a cell are those of two systems.")
    if any(each.idle for each in columns):
        notes.append("An idle system runs no service while the other of its pair works.")
    if any(part.quantity > 1 for each in columns for part in each.parts):
        notes.append("2 × 3 in a cell means two identical systems with three each.")
    if any(not each.holds and each.parts for each in columns):
        notes.append("A column that fails shows its closest alternative.")
    if not all(each.proven for each in columns):
        notes.append(f"{_ENDED}: the search stopped early; a better configuration may pass too.")
    document.say(" ".join(notes))
    broken = [each for each in columns if not each.holds]
    if broken:
        document.heading("Why not")
    for each in broken:
        document.note(each.name)
        for reason in each.reasons:
            document.item(f"- {reason}", depth=2)
    return render_text(document, style)


def _omissions(
    columns: Sequence[Column], names: Sequence[str], one: bool
) -> Iterator[tuple[str, str, str]]:
    """Yield what is not counted, of `one` workload or in all columns first, then of each column."""
    stated = [
        omission_rows(Omission(o.subject, o.what, o.add) for o in each.not_counted)
        for each in columns
    ]
    different = dict.fromkeys(chain(*stated))
    shared = [row for row in different if one or all(row in rows for rows in stated)]
    yield from shared
    for name, rows in zip(names, stated, strict=True):
        yield from ((f"{name}: {of}", what, add) for of, what, add in rows
                    if (of, what, add) not in shared)  # fmt: skip


def short_names(files: Sequence[str]) -> list[str]:
    """Return the paths of files without the folders, and the name, that all have in common."""
    paths = [PurePath(file).parts for file in files]
    same = [len(set(parts)) == 1 for parts in zip(*paths, strict=False)]
    first = same.index(False) if False in same else 0
    ends = zip(*(reversed(path) for path in paths), strict=False)
    last = next((n for n, parts in enumerate(ends) if len(set(parts)) > 1), 0)
    return [str(PurePath(*path[first : len(path) - last])) for path in paths]


def _rows(found: Comparison) -> Iterator[Line]:

    def line(label: str, cell: Callable[[Column], str]) -> Line:
        return label, [cell(each) for each in found.columns]

    if any(each.reserve_percent for each in found.columns):
        yield line("reserve", lambda c: f"{c.reserve_percent:g}%")
    yield line("verdict", lambda c: VerdictCell(
        f"{verdict_word(c.verdict)}{'' if c.proven else _ENDED}", c.verdict
    ))  # fmt: skip
    if not found.of:
        yield line(
            "machine",
            lambda c: _joined(c, lambda part: f"{part.name}{' (idle)' if part.idle else ''}"),
        )
    elif any(each.systems > 1 for each in found.columns):
        yield line("systems", lambda c: _systems(c) if c.parts else _NONE)
    yield line("bottleneck", lambda c: _bottleneck(c)[0])
    yield line("headroom", lambda c: _bottleneck(c)[1])
    yield line("boards", lambda c: _joined(c, lambda part: part.boards))
    yield line("disks", lambda c: _joined(c, lambda part: part.disks))
    yield line("memory MB", lambda c: _joined(
        c, lambda part: part.memory_mb and plain_number(part.memory_mb)
    ))  # fmt: skip
    if any(each.price for each in found.columns):
        yield line("price", _price)
    for kind in dict.fromkeys(load.kind for each in found.columns for load in each.loads):
        shares = [{load.kind: percent(load.share) for load in c.loads} for c in found.columns]
        yield kind_name(kind), [each.get(kind, _NONE) for each in shares]


def _systems(column: Column) -> str:
    return f"{column.systems}{f' ({column.idle} idle)' if column.idle else ''}"


def _bottleneck(column: Column) -> tuple[str, str]:
    """The bottleneck and its headroom as cells; a column that fails may fail by something else."""
    found = column.bottleneck
    if found is None or (not column.holds and found.headroom >= 0):
        return _NONE, _NONE
    # The system is named only if there are several different ones.
    system = "" if len(column.parts) < 2 else f"{found.resource.partition('/')[0]}: "
    sign = "−" if found.headroom < 0 else ""
    return f"{system}{found.name}", f"{sign}{percent(abs(found.headroom))}"


def _price(column: Column) -> str:
    if column.price is None:
        return _NONE
    more = "" if not column.price.unpriced else f" + {len(column.price.unpriced)} unpriced"
    return f"{money(column.price.total)} {column.price.currency}{more}"


def _joined(column: Column, value: Callable[[Parts], object]) -> str:
    """Return a value of each system of a column; of identical systems once, with their number."""
    cells = []
    for part in column.parts:
        times = f"{part.quantity} × " if part.quantity > 1 else ""
        found = value(part)
        cells.append(_NONE if found is None else f"{times}{found}")
    return " + ".join(cells) or _NONE


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
