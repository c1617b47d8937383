"""What must add up in every plan: budgets, figures, and the sources of their leaves."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator
from typing import Any

from evaluator import ENDS, Evaluator
from sizewright.demand.model import Demand
from sizewright.evaluate.budgets import Budget
from sizewright.evaluate.system import Evaluation
from sizewright.guide.model import Guide, ends
from sizewright.planner.plan import Plan
from sizewright.quantity import Quantity

CLOSE = 1e-12
STRUCTURAL = (0, 1, 2)
# Verdicts of a budget, each followed by those that are worse.
_WORSE = ("holds", "tight", "violated", "unknown")
_NUMBER = re.compile(r"[0-9]+(?:\.[0-9]+)?")


def faults_of(plan: Plan, text: str, name: str, data: Any) -> list[str]:
    """Everything that does not add up in a plan of a workload file's `text` and plain `data`."""
    evaluator = Evaluator()
    found = list(division_faults(plan))
    for demand, judgement in judgements_of(plan):
        for budget in judgement.budgets:
            found += budget_faults(budget, plan.policy.size_for)
        found += community_faults(demand, judgement)
        found += storage_faults(demand, judgement)
        for figure in figures_of(judgement):
            found += evaluator.complaints(figure)
    for rejection in plan.rejected:
        for finding in rejection.findings:
            for figure in finding.figures.values():
                found += evaluator.complaints(figure)
    for leaf in evaluator.leaves.values():
        found += leaf_faults(leaf, plan.guide, text, name, data)
    return found


def judgements_of(plan: Plan) -> Iterator[tuple[Demand, Evaluation]]:
    """What each system is to do and its judgement: those chosen, and the rejected platforms."""
    for part in plan.plans:
        if part.chosen:
            yield part.demand, part.chosen
    for rejection in plan.rejected:
        if rejection.judgement:
            yield plan.demand, rejection.judgement


def figures_of(judgement: Evaluation) -> Iterator[Quantity]:
    """Every figure that a judgement holds."""
    for budget in judgement.budgets:
        yield from _figures(budget)
        yield from (item.figure for item in budget.items)
    for finding in judgement.findings:
        yield from finding.figures.values()
    for records in judgement.facts.by_subject().values():
        for record in records:
            yield from _figures(record)


def _figures(record: Iterable[Any]) -> Iterator[Quantity]:
    return (value for value in record if isinstance(value, Quantity))


def budget_faults(budget: Budget, sized_for: str = "high") -> Iterator[str]:
    """Items that do not sum up, a utilisation, limit or verdict that does not follow.

    Space also has the verdicts of rules on its file systems, which may be worse.
    """
    for end in ENDS:
        whole = math.fsum(getattr(item.figure, end) for item in budget.items)
        if not _close(whole, getattr(budget.used, end)):
            yield f"{budget.resource}: items sum to {whole} at {end}, not {budget.used!r}"
    for item in budget.items:
        if item.figure.unit != budget.unit:
            yield f"{budget.resource}: {item.name} is in {item.figure.unit}"
    used, capacity, limit = budget.used, budget.capacity, budget.limit
    if used.unit != budget.unit or any(f and f.unit != budget.unit for f in (capacity, limit)):
        yield f"{budget.resource}: its figures are not all in {budget.unit}"
    if capacity is not None and capacity.low > 0:
        share = budget.utilisation
        ratios = (
            used.low / capacity.high, used.likely / capacity.likely, used.high / capacity.low
        )  # fmt: skip
        if share is None or not all(map(_close, ratios, (share.low, share.likely, share.high))):
            yield f"{budget.resource}: its utilisation is {share!r}, not {ratios}"
    elif budget.utilisation is not None:
        yield f"{budget.resource}: has a utilisation of an unknown capacity"
    if capacity is not None and limit is not None:
        for end in ENDS:
            if getattr(limit, end) > getattr(capacity, end) * (1 + CLOSE):
                yield f"{budget.resource}: its limit {limit!r} is above its capacity {capacity!r}"
    if limit is None and capacity is not None:
        yield f"{budget.resource}: has a capacity and no limit"
    if bool(budget.limit_rule) and limit is capacity:
        yield f"{budget.resource}: rule {budget.limit_rule} limits it to its capacity"
    if bool(budget.recommended_rule) != (budget.recommended is not None):
        yield f"{budget.resource}: a recommended limit without its rule, or the other way round"
    verdict = _verdict(used, limit, budget.recommended, sized_for)
    worse = _WORSE[_WORSE.index(verdict) :] if budget.kind == "space" else (verdict,)
    if budget.verdict not in worse:
        yield f"{budget.resource}: {used!r} of {limit!r} is called {budget.verdict}"


def _verdict(used: Quantity, limit: Quantity | None, recommended: Quantity | None, end: str) -> str:
    """Between a recommended limit and the limit itself a budget is borderline (tight).

    It fails over the limit at the end that the plan is sized for, and so at any end that is better.
    """
    if limit is None:
        # What has a recommended limit only is never violated.
        if recommended is None:
            return "unknown"
        return "holds" if _within(used.high, recommended.low) else "tight"
    against = {"low": limit.high, "likely": limit.likely, "high": limit.low}
    if not _within(used.low, limit.high) or not _within(getattr(used, end), against[end]):
        return "violated"
    lows = [limit.low, *([recommended.low] if recommended else [])]
    return "holds" if all(_within(used.high, low) for low in lows) else "tight"


def _within(used: float, limit: float) -> bool:
    return used <= limit or _close(used, limit)


def _close(a: float, b: float) -> bool:
    return math.isclose(a, b, rel_tol=CLOSE, abs_tol=1e-15)


def community_faults(demand: Demand, judgement: Evaluation) -> Iterator[str]:
    """Networks on which some of a community's load got lost or doubled."""
    used = {b.name: b.used for b in judgement.budgets if b.kind == "network"}
    for network in demand.networks:
        ports = [p.id for p in judgement.system.ports if p.network == network.name]
        items = demand.at_peak(network.ops)
        for end in ENDS:
            wanted = math.fsum(getattr(item.figure, end) for item in items)
            placed = math.fsum(getattr(used[port], end) for port in ports)
            if not _close(wanted, placed):
                yield f"{network.name}: {wanted} asked for at {end}, {placed} placed"


def division_faults(plan: Plan) -> Iterator[str]:
    """Communities whose clients are not all served by some system of a group that shares them."""
    for network in plan.demand.networks if plan.group and not plan.group.failover else ():
        wanted = math.fsum(item.figure.likely for item in network.ops)
        served = math.fsum(
            member.quantity * item.figure.likely
            for member in plan.group.members
            for each in member.plan.demand.networks if each.name == network.name
            for item in each.ops
        )  # fmt: skip
        if served < wanted * (1 - CLOSE):
            yield f"{network.name}: all systems serve {served} of {wanted}"


def storage_faults(demand: Demand, judgement: Evaluation) -> Iterator[str]:
    """Volumes of which some part got lost, and disks whose parts do not fit."""
    copies = {volume.name: len(volume.copies) for volume in judgement.system.volumes}
    stored: dict[str, float] = {}
    for budget in judgement.budgets:
        if budget.kind == "space":
            for item in budget.items:
                stored[item.name] = stored.get(item.name, 0) + item.figure.high
    laid = {volume.name: volume.copies for volume in judgement.system.volumes}
    for volume in demand.volumes:
        size = volume.size_mb.at(demand.size_for)
        for copy in laid.get(volume.name, ()):
            if not _close(math.fsum(part.size_mb for part in copy), size):
                yield f"{volume.name}: its parts make {copy}, not {size} MB"
        number = 2 if volume.protection == "mirror" else 1
        if copies.get(volume.name) != number:
            yield f"{volume.name}: {copies.get(volume.name)} copies, not {number}"
        if not _close(stored.get(volume.name, 0), volume.size_mb.high * number):
            yield f"{volume.name}: {stored.get(volume.name)} MB stored of {volume.size_mb!r}"


def leaf_faults(leaf: Quantity, guide: Guide, text: str, name: str, data: Any) -> Iterator[str]:
    """A leaf whose source is missing, does not exist, or says something else."""
    source = leaf.source
    if source is None:
        yield f"{leaf!r} has no source"
        return
    stated: tuple[float, float] | None = None
    if source.kind == "table":
        stated = _cell(leaf, guide)
    elif source.kind == "parameter":
        stated = _parameter(leaf, guide)
    elif source.kind == "input":
        stated = _line(leaf, text, name, data)
    elif source.kind == "count":
        stated = (leaf.likely, leaf.likely) if source.where and leaf.likely >= 0 else None
    elif source.kind == "definition":
        method = source.where == "the method" and leaf.likely in STRUCTURAL
        stated = (leaf.likely, leaf.likely) if method or source.where.startswith("1 ") else None
    if stated is None:
        yield f"{leaf!r}: its source {source} does not exist"
    elif not (_close(leaf.low, stated[0]) and _close(leaf.high, stated[1])):
        yield f"{leaf!r}: its source {source} says {stated}"
    if source.kind in ("table", "parameter") and not (source.cite and source.status):
        yield f"{leaf!r}: its source {source} cites nothing"


def _cell(leaf: Quantity, guide: Guide) -> tuple[float, float] | None:
    assert leaf.source
    table, row, column = leaf.source.where.split("/")
    try:
        cell = guide.row(table, row)
    except LookupError:
        return None
    mark = cell.mark_of(column)
    if cell.values.get(column) is None or (mark.cite, mark.status) != leaf.source[2:]:
        return None
    if cell.columns[column].unit != leaf.unit:
        return None
    low, _, high = ends(cell.values[column], leaf.unit)
    return low, high


def _parameter(leaf: Quantity, guide: Guide) -> tuple[float, float] | None:
    assert leaf.source
    rule, _, parameter = leaf.source.where.removeprefix("rule ").partition(", ")
    spec = guide.rules.get(rule, {}).get("parameters", {}).get(parameter)
    if spec is None:
        return None
    if leaf.source.status == "override":
        return leaf.low, leaf.high
    low, _, high = ends(spec["value"], leaf.unit)
    return low, high


def _line(leaf: Quantity, text: str, name: str, data: Any) -> tuple[float, float] | None:
    assert leaf.source
    file, line, column = leaf.source.where.rsplit(":", 2)
    *path, key = leaf.name.split(".")
    lines = text.splitlines()
    if file != name or not 1 <= int(line) <= len(lines):
        return None
    there = lines[int(line) - 1][int(column) - 1 :]
    stated = _stated(data, path, key)
    number = _NUMBER.match(there)
    if stated is None or not (there.startswith(key) or (number and float(number[0]) == stated[0])):
        return None
    return stated


def _stated(data: Any, path: list[str], key: str) -> tuple[float, float] | None:
    for step in path:
        found = data if isinstance(data, dict) else {item["name"]: item for item in data}
        data = found.get(step)
    if isinstance(data, list):
        return (1, 1) if key in data else None
    value = data.get(key)
    if value is None:
        return None
    return (value[0], value[-1]) if isinstance(value, list) else (value, value)
