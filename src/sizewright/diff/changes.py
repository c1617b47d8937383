"""What changed from one plan or check to another, part by part, and which inputs differ."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from operator import itemgetter
from typing import Any

from sizewright.diff.model import (
    CAUSE_KINDS,
    SCHEMA,
    SECTIONS,
    Cause,
    CauseKind,
    ChangedPart,
    ChangedValue,
    Difference,
    InputValue,
    Section,
    Side,
    Trend,
    diff_tree,
    is_quantity,
)
from sizewright.output.json.common import NotCounted
from sizewright.output.names import natural
from sizewright.output.wording import NO_LIMIT, money, verdict_word

Plan = Mapping[str, Any]


def find_causes(before: Plan, after: Plan) -> tuple[Cause, ...]:
    """Every input that differs, sorted by kind and key."""
    overlays = {cause.key: cause for cause in _overlays(before, after)}
    found = {}
    for cause in _sources(before, after):
        # An overlay can differ in a cell that only one of the plans depends on.
        known = overlays.pop(cause.key, None)
        found[cause.key] = cause if cause.differs or known is None else known
    found |= overlays
    for cause in (*_policy(before, after), *_words(before, after), *_files(before, after)):
        found.setdefault(cause.key, cause)
    return tuple(sorted(found.values(), key=lambda c: (CAUSE_KINDS.index(c.kind), natural(c.key))))


def _matched(before: Plan, after: Plan, section: str, *key: str) -> Iterator[tuple[Any, Any, Any]]:
    """Yield the key of each object in a list of two results, and both of it; None if one has none.

    `key` are the members that identify an object.
    """
    key_of = itemgetter(*key)
    first, second = ({key_of(each): each for each in plan[section]} for plan in (before, after))
    for name in {*first, *second}:
        yield name, first.get(name), second.get(name)


def _sources(before: Plan, after: Plan) -> Iterator[Cause]:
    for key, one, other in _matched(before, after, "sources", "key"):
        if one is None or other is None or one["value"] != other["value"]:
            known = one or other
            yield _cause(known["kind"], key, _input(one), _input(other))


def _cause(kind: CauseKind, key: str, before: InputValue | None, after: InputValue | None) -> Cause:
    return Cause.make(kind=kind, key=key, before=before, after=after)


def _input(source: Mapping[str, Any] | None) -> InputValue | None:
    return None if source is None else _value(source["value"], source["where"], source["cite"])


def _value(value: Any, where: str = "", cite: str = "") -> InputValue:
    return InputValue.make(value=value, where=where, cite=cite)


def _overlays(before: Plan, after: Plan) -> Iterator[Cause]:
    """Find values of overlays that differ; those behind numbers are among the sources."""
    for what, one, other in _matched(before, after, "overlays", "what"):
        known = one or other
        # Without the overlay the guide's own value counts, which the overlay states.
        values = [each["after"] if each else known["before"] for each in (one, other)]
        if values[0] != values[1]:
            key = what.replace(" parameter ", ", ")
            yield _cause("overlay", key, *(_value(value, known["overlay"]) for value in values))


def _policy(before: Plan, after: Plan) -> Iterator[Cause]:
    for each in diff_tree(before["policy"], after["policy"], "policy"):
        yield _cause("policy", each.figure, _value(each.before), _value(each.after))


def _words(before: Plan, after: Plan) -> Iterator[Cause]:
    """What a workload asks for, or what a server is, in words, flags and counts.

    Quantities are among the sources.
    """
    for each in diff_tree(_stated(before), _stated(after)):
        if not any(map(is_quantity, (each.before, each.after))):
            yield _cause("input", each.figure, _value(each.before), _value(each.after))


def _stated(result: Plan) -> Any:
    return result["demand"] if "demand" in result else result["systems"]


def _file(result: Plan) -> Mapping[str, Any]:
    found: Mapping[str, Any] = result["workload" if "workload" in result else "box"]
    return found


def _files(before: Plan, after: Plan) -> Iterator[Cause]:
    one_file, other_file = _file(before), _file(after)
    if one_file["digest"] != other_file["digest"]:
        one, other = (_value(file["digest"], file["file"]) for file in (one_file, other_file))
        yield _cause("workload", "workload" if "workload" in before else "server", one, other)
    for key in ("id", "version", "digest"):
        one, other = before["guide"][key], after["guide"][key]
        if one != other:
            yield _cause("guide", f"guide {key}", _value(one), _value(other))


_BUDGET = ("used", "capacity", "limit", "limit_rule", "share_of_limit", "verdict")
_DETERMINANT = ("resource", "share")
_PRICE = ("currency", "total", "running_per_year", "unpriced")
# The counts of a part that is not ordered.
_NOTHING = {"quantity": 0, "kept": 0}
# Keys without a section of their own that do not follow from one with a section.
_MORE = ("systems", "group", "work", "yielding", "growth", "unsurvived", "nearest", "change")


def diff_results(before: Plan, after: Plan, names: tuple[str, str]) -> Difference:
    """What differs between two plans, or two checks, as plain data: in figures and in inputs."""
    found = find_causes(before, after)
    own = (
        (*_plan(before, after), *_order(before, after), *_more(before, after))
        if "order" in before else (
            *_change("plan", "", diff_tree(_summary(before), _summary(after))),
            *_headroom(before, after),
        )
    )  # fmt: skip
    changes = (*own, *_budgets(before, after, found), *_findings(before, after, found))
    ordered = sorted(changes, key=lambda c: (SECTIONS.index(c.section), natural(c.subject)))
    one, other = names
    return Difference.make(
        schema=SCHEMA, summary=tuple(_in_short(before, after)), same=not ordered,
        before=_side(before, one), after=_side(after, other), changes=ordered, causes=found,
    )  # fmt: skip


def _in_short(before: Plan, after: Plan) -> Iterator[str]:
    """Yield what a reader asks first: verdict, machines, parts and price, in words."""
    verdicts = [verdict_word(result["verdict"]) for result in (before, after)]
    if verdicts[0] != verdicts[1]:
        yield f"verdict {verdicts[0]} → {verdicts[1]}"
    if "order" not in before:
        return
    counts = [_to_order(plan, machines=False) for plan in (before, after)]
    machines = [_to_order(plan, machines=True) for plan in (before, after)]
    if machines[0] != machines[1]:
        yield " → ".join(_listed(each) for each in machines)
    for name in dict.fromkeys((*counts[1], *counts[0])):
        more = counts[1][name] - counts[0][name]
        if more:
            yield f"{'+' if more > 0 else '−'}{abs(more)} {name}"
    prices = [plan.get("price") for plan in (before, after)]
    if prices[0] and prices[1] and prices[0] != prices[1]:
        yield "price " + " → ".join(
            f"{money(price['total'])} {price['currency']}"
            f"{' and more' if price['unpriced'] else ''}"
            for price in prices if price
        )  # fmt: skip


def _to_order(plan: Plan, machines: bool) -> Counter[str]:
    """Return how many of each part are to be ordered, by name: of machines, or of other parts."""
    found = Counter[str]()
    for line in plan["order"]:
        if (line["kind"] == "platform") is machines:
            found[line["name"]] += line["quantity"] - line["kept"]
    return found


def _listed(counts: Counter[str]) -> str:
    return " + ".join(f"{n} × {name}" if n > 1 else name for name, n in counts.items()) or "nothing"


def _side(plan: Plan, name: str) -> Side:
    workload, guide = _file(plan), plan["guide"]
    return Side.make(
        name=name, workload=workload["name"], workload_digest=workload["digest"],
        guide=guide["id"], guide_version=guide["version"], guide_digest=guide["digest"],
        verdict=plan["verdict"],
        not_counted=[NotCounted.make(**each) for each in plan.get("not_counted", ())],
    )  # fmt: skip


def _change(
    section: Section, subject: str, figures: Iterable[ChangedValue], causes: Iterable[str] = (),
    trend: Trend = "", severity: str = "", name: str = "",
) -> Iterator[ChangedPart]:  # fmt: skip
    """Yield the change of a subject; nothing if no figure changed."""
    found = tuple(figures)
    if found:
        yield ChangedPart.make(
            section=section, subject=subject, name=name, severity=severity, trend=trend,
            figures=found, causes=causes,
        )  # fmt: skip


def _summary(check: Plan) -> dict[str, Any]:
    first, step = next(iter(check["headroom"]), None), check["first_step"]
    return {
        "verdict": check["verdict"], "bottleneck": first and first["resource"],
        "do_first": step and f"rule {step['rule']} on {step['subject']}",
        "known_loads": ", ".join(check["loads"]),
    }  # fmt: skip


def _headroom(before: Plan, after: Plan) -> Iterator[ChangedPart]:
    """Yield the resources whose headroom is another one; what has none is left out."""
    for resource, *sides in _matched(before, after, "headroom", "resource"):
        if None not in sides:
            one, other = (each["factor"] for each in sides)
            was, now = one["low"], other["low"]
            trend: Trend = "worse" if now < was else "better" if now > was else ""
            yield from _change("headroom", resource, diff_tree(one, other, "factor"), (), trend)


def _plan(before: Plan, after: Plan) -> Iterator[ChangedPart]:
    keys = ("verdict", "proven", "cut_short")
    figures = list(diff_tree(_only(before, keys), _only(after, keys)))
    one, other = (_only(plan["determinant"], _DETERMINANT) for plan in (before, after))
    figures += diff_tree(one, other, "determinant")
    yield from _change("plan", "", figures)


def _order(before: Plan, after: Plan) -> Iterator[ChangedPart]:
    """How many of each part to order, and of these to keep, by system and row."""
    first, second = _ordered(before), _ordered(after)
    names = {_key_of(line): line["name"] for plan in (before, after) for line in plan["order"]}
    for key, name in names.items():
        figures = diff_tree(first.get(key, _NOTHING), second.get(key, _NOTHING))
        yield from _change("order", key, figures, name=name)
    one, other = (_only(plan.get("price"), _PRICE) for plan in (before, after))
    yield from _change("order", "price", diff_tree(one, other))


def _ordered(plan: Plan) -> dict[str, dict[str, int]]:
    found: dict[str, dict[str, int]] = {}
    for line in plan["order"]:
        counts = found.setdefault(_key_of(line), dict(_NOTHING))
        for name in counts:
            counts[name] += line[name]
    return found


def _key_of(line: Plan) -> str:
    return f"{line['system']}: {line['table']}/{line['row']}"


def _budgets(before: Plan, after: Plan, known: Iterable[Cause]) -> Iterator[ChangedPart]:
    for resource, one, other in _matched(before, after, "budgets", "resource"):
        keys = {key for each in (one, other) if each for key in each["sources"]}
        figures = diff_tree(_only(one, _BUDGET), _only(other, _BUDGET))
        yield from _change("budget", resource, figures, _causes_among(keys, known))


def _findings(before: Plan, after: Plan, known: Iterable[Cause]) -> Iterator[ChangedPart]:
    """Yield the rules that have another verdict on a part, or use more or less of a limit there."""
    shares = [_shares(plan) for plan in (before, after)]
    told = defaultdict[str, set[str]](set)
    for source in (*before["sources"], *after["sources"]):
        for rule in source["rules"]:
            told[rule].add(source["key"])
    for key, *found in _matched(before, after, "findings", "rule", "subject"):
        verdicts = [each["verdict"] if each else None for each in found]
        figures = list(diff_tree(verdicts[0], verdicts[1], "verdict"))
        used = [side.get(key) for side in shares]
        if "order" not in before and not {*verdicts}.isdisjoint(_BAD):
            figures += diff_tree(used[0], used[1], "share_of_limit")
        rule, subject = key
        causes = _causes_among(told[rule], known)
        trend = _trend(verdicts, used)
        severity = next(each["severity"] for each in found if each)
        what = f"rule {rule}{f' ({severity})' if severity in NO_LIMIT else ''} on {subject}"
        yield from _change("finding", what, figures, causes, trend, severity)


# Verdicts that ask for attention, the worse one last.
_BAD = ("tight", "violated")


def _trend(verdicts: list[str | None], used: list[float | None]) -> Trend:
    """Return how a finding changed, by its verdicts, or by what is used of its limit."""
    bad = [verdict in _BAD for verdict in verdicts]
    if not any(bad):
        return ""
    if not all(bad):
        return "new" if bad[1] else "gone"
    before, after = (_BAD.index(verdict) for verdict in verdicts if verdict)
    if before != after:
        return "worse" if after > before else "better"
    if used[0] is None or used[1] is None or used[0] == used[1]:
        return ""
    return "worse" if used[1] > used[0] else "better"


def _shares(plan: Plan) -> dict[tuple[str, str], float]:
    """Return what is used of the limit of each budget, by the rule and the subject of the limit."""
    used = {(b["limit_rule"], b["name"]): b["share_of_limit"] for b in plan["budgets"]}
    keys = ((each["rule"], each["subject"]) for each in plan["findings"])
    # A subject is `system/kind/name`, or the system.
    shares = {(rule, s): used.get((rule, "/".join(s.split("/")[2:]))) for rule, s in keys}
    return {key: share for key, share in shares.items() if share is not None}


def _causes_among(keys: set[str], known: Iterable[Cause]) -> tuple[str, ...]:
    """Those of the keys that are causes, in the order of causes."""
    return tuple(cause.key for cause in known if cause.key in keys)


def _more(before: Plan, after: Plan) -> Iterator[ChangedPart]:
    for name in _MORE:
        yield from _change("more", name, diff_tree(before[name], after[name]))
    yield from _change("more", "rejected", diff_tree(_tried(before), _tried(after)))


def _tried(plan: Plan) -> list[dict[str, Any]]:
    keys = ("platform", "system", "load_share", "waive")
    return [_only(each, keys) for each in plan["rejected"]]


def _only(data: Mapping[str, Any] | None, keys: Iterable[str]) -> dict[str, Any]:
    return {key: data[key] for key in keys} if data else {}
