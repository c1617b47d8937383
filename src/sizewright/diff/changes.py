"""What changed from one plan to another, part by part of the result, and which inputs differ."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from sizewright.diff.model import (
    CAUSE_KINDS,
    SECTIONS,
    Cause,
    CauseKind,
    Change,
    Difference,
    InputValue,
    Side,
    diff_tree,
    is_quantity,
)

Plan = Mapping[str, Any]


def find_causes(before: Plan, after: Plan) -> tuple[Cause, ...]:
    """Every input that differs, sorted by kind and key."""
    overlays = {cause.key: cause for cause in _overlays(before, after)}
    found = {}
    for cause in _sources(before, after):
        # A cell that figures rest on in one plan only may differ in the other all the same.
        known = overlays.pop(cause.key, None)
        found[cause.key] = cause if cause.differs or known is None else known
    found |= overlays
    for cause in (*_policy(before, after), *_words(before, after), *_files(before, after)):
        found.setdefault(cause.key, cause)
    return tuple(sorted(found.values(), key=lambda c: (CAUSE_KINDS.index(c.kind), c.key)))


def _sources(before: Plan, after: Plan) -> Iterator[Cause]:
    first, second = ({each["key"]: each for each in plan["sources"]} for plan in (before, after))
    for key in {*first, *second}:
        one, other = first.get(key), second.get(key)
        if one is None or other is None or one["value"] != other["value"]:
            known = one or other
            assert known is not None
            yield Cause(known["kind"], key, _stand(one), _stand(other))


def _stand(source: Mapping[str, Any] | None) -> InputValue | None:
    return None if source is None else InputValue(source["value"], source["where"], source["cite"])


def _overlays(before: Plan, after: Plan) -> Iterator[Cause]:
    """Find values of overlays that differ; those behind numbers are among the sources."""
    first, second = (
        {_key(each["what"]): each for each in plan["overlays"]} for plan in (before, after)
    )
    for key in {*first, *second}:
        one, other = first.get(key), second.get(key)
        known = one or other
        assert known is not None
        # Without the overlay the guide's own value stands, which the overlay tells.
        values = [each["after"] if each else known["before"] for each in (one, other)]
        if values[0] != values[1]:
            stands = (InputValue(value, known["overlay"], "") for value in values)
            yield Cause("overlay", key, *stands)


def _key(what: str) -> str:
    return what.replace(" parameter ", ", ")


def _policy(before: Plan, after: Plan) -> Iterator[Cause]:
    for each in diff_tree(before["policy"], after["policy"], "policy"):
        yield _plainly("policy", each.figure, each.before, each.after)


def _words(before: Plan, after: Plan) -> Iterator[Cause]:
    """What the workload asks for in words, flags and counts; its quantities are among sources."""
    for each in diff_tree(before["demand"], after["demand"]):
        if not any(map(is_quantity, (each.before, each.after))):
            yield _plainly("input", each.figure, each.before, each.after)


def _files(before: Plan, after: Plan) -> Iterator[Cause]:
    if before["workload"]["digest"] != after["workload"]["digest"]:
        ones = (plan["workload"] for plan in (before, after))
        yield Cause("workload", "workload", *(InputValue(w["digest"], w["file"], "") for w in ones))
    for key in ("id", "version", "digest"):
        one, other = before["guide"][key], after["guide"][key]
        if one != other:
            yield _plainly("guide", f"guide {key}", one, other)


def _plainly(kind: CauseKind, key: str, before: Any, after: Any) -> Cause:
    return Cause(kind, key, InputValue(before, "", ""), InputValue(after, "", ""))


_BUDGET = ("used", "capacity", "limit", "limit_rule", "share_of_limit", "verdict")
_DETERMINANT = ("resource", "share")
# Of a part that is not ordered.
_NOTHING = {"quantity": 0, "kept": 0}
# What no section of its own tells, and what does not follow from what one tells.
_MORE = ("systems", "pair", "work", "yielding", "growth", "unsurvived", "nearest", "change")


def diff_plans(before: Plan, after: Plan, names: tuple[str, str]) -> Difference:
    """What differs between two plans as plain data, in figures and in inputs."""
    found = find_causes(before, after)
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
    figures = list(diff_tree(_only(before, keys), _only(after, keys)))
    one, other = (_only(plan["determinant"], _DETERMINANT) for plan in (before, after))
    figures += diff_tree(one, other, "determinant")
    if figures:
        yield Change("plan", "", tuple(figures), ())


def _order(before: Plan, after: Plan) -> Iterator[Change]:
    """How many of each part to order, and of these to keep, by system and row."""
    first, second = _ordered(before), _ordered(after)
    for key in {*first, *second}:
        one, other = first.get(key), second.get(key)
        if one != other:
            figures = tuple(diff_tree(one or _NOTHING, other or _NOTHING))
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
        figures = tuple(diff_tree(_only(one, _BUDGET), _only(other, _BUDGET)))
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
        figures = tuple(
            diff_tree(first.get((rule, subject)), second.get((rule, subject)), "verdict")
        )
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
        figures = tuple(diff_tree(before[name], after[name]))
        if figures:
            yield Change("more", name, figures, ())
    figures = tuple(diff_tree(_tried(before), _tried(after)))
    if figures:
        yield Change("more", "rejected", figures, ())


def _tried(plan: Plan) -> list[dict[str, Any]]:
    """Return rejected platforms with the share of the load that they support."""
    keys = ("platform", "system", "load_share", "waive")
    return [_only(each, keys) for each in plan["rejected"]]


def _only(data: Mapping[str, Any] | None, keys: Iterable[str]) -> dict[str, Any]:
    return {key: data[key] for key in keys} if data else {}
