"""What moved from one plan to another, part by part of the answer, and what moved it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from sizewright.diff.causes import Plan, causes
from sizewright.diff.model import SECTIONS, Cause, Change, Difference, Side
from sizewright.diff.walk import moved

_BUDGET = ("used", "capacity", "limit", "limit_rule", "share_of_limit", "verdict")
_DETERMINANT = ("resource", "share")
# Of a part that is not ordered.
_NOTHING = {"quantity": 0, "kept": 0}
# What no section of its own tells, and what does not follow from what one tells.
_MORE = ("systems", "pair", "work", "yielding", "growth", "unsurvived", "nearest", "change")


def difference(before: Plan, after: Plan, names: tuple[str, str]) -> Difference:
    """What differs between two plans as plain data, in figures and in inputs."""
    found = causes(before, after)
    changes = (
        *_plan(before, after), *_order(before, after), *_budgets(before, after, found),
        *_findings(before, after, found), *_more(before, after),
    )  # fmt: skip
    ordered = sorted(changes, key=lambda c: (SECTIONS.index(c.section), c.subject))
    one, other = names
    return Difference(_side(before, one), _side(after, other), tuple(ordered), found)


def _side(plan: Plan, name: str) -> Side:
    workload, guide = plan["workload"], plan["guide"]
    return Side(
        name, workload["name"], workload["digest"], guide["id"], guide["version"], guide["digest"],
        plan["verdict"],
    )  # fmt: skip


def _plan(before: Plan, after: Plan) -> Iterator[Change]:
    """The verdict, whether it is proven, and what decides."""
    keys = ("verdict", "proven", "cut_short")
    figures = list(moved(_only(before, keys), _only(after, keys)))
    one, other = (_only(plan["determinant"], _DETERMINANT) for plan in (before, after))
    figures += moved(one, other, "determinant")
    if figures:
        yield Change("plan", "", tuple(figures), ())


def _order(before: Plan, after: Plan) -> Iterator[Change]:
    """How many of each part to order, and of these to keep, by system and row."""
    first, second = _ordered(before), _ordered(after)
    for key in {*first, *second}:
        one, other = first.get(key), second.get(key)
        if one != other:
            figures = tuple(moved(one or _NOTHING, other or _NOTHING))
            yield Change("order", key, figures, ())


def _ordered(plan: Plan) -> dict[str, dict[str, int]]:
    found: dict[str, dict[str, int]] = {}
    for line in plan["order"]:
        key = f"{line['system']}: {line['table']}/{line['row']}"
        counts = found.setdefault(key, dict(_NOTHING))
        for name in counts:
            counts[name] += line[name]
    return found


def _budgets(before: Plan, after: Plan, known: Iterable[Cause]) -> Iterator[Change]:
    first, second = ({b["resource"]: b for b in plan["budgets"]} for plan in (before, after))
    places = _places(known)
    for resource in {*first, *second}:
        one, other = first.get(resource), second.get(resource)
        figures = tuple(moved(_only(one, _BUDGET), _only(other, _BUDGET)))
        if figures:
            keys = {key for each in (one, other) if each for key in each["sources"]}
            yield Change("budget", resource, figures, _in_order(keys, places))


def _findings(before: Plan, after: Plan, known: Iterable[Cause]) -> Iterator[Change]:
    """Rules that say otherwise of a part than they did."""
    first, second = (
        {(f["rule"], f["subject"]): f["verdict"] for f in plan["findings"]}
        for plan in (before, after)
    )
    places, told = _places(known), defaultdict[str, set[str]](set)
    for source in (*before["sources"], *after["sources"]):
        for rule in source["rules"]:
            told[rule].add(source["key"])
    for rule, subject in {*first, *second}:
        figures = tuple(moved(first.get((rule, subject)), second.get((rule, subject)), "verdict"))
        if figures:
            behind = _in_order(told[rule], places)
            yield Change("finding", f"rule {rule} on {subject}", figures, behind)


def _places(known: Iterable[Cause]) -> dict[str, int]:
    """The place of each cause in their order."""
    return {cause.key: place for place, cause in enumerate(known)}


def _in_order(keys: set[str], places: Mapping[str, int]) -> tuple[str, ...]:
    """Those of the keys that are causes, in the order of causes."""
    return tuple(sorted(keys & places.keys(), key=places.__getitem__))


def _more(before: Plan, after: Plan) -> Iterator[Change]:
    for name in _MORE:
        figures = tuple(moved(before[name], after[name]))
        if figures:
            yield Change("more", name, figures, ())
    figures = tuple(moved(_tried(before), _tried(after)))
    if figures:
        yield Change("more", "rejected", figures, ())


def _tried(plan: Plan) -> list[dict[str, Any]]:
    """Platforms that were rejected, with the part of the load that they would carry."""
    keys = ("platform", "system", "load_share", "waive")
    return [_only(each, keys) for each in plan["rejected"]]


def _only(data: Mapping[str, Any] | None, keys: Iterable[str]) -> dict[str, Any]:
    return {key: data[key] for key in keys} if data else {}
