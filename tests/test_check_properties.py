"""What must hold of every check, whatever the box."""

from __future__ import annotations

import copy
import re
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from generated_boxes import boxes, checked, scaled
from generated_workloads import ENGINE, Plain, planned, workloads
from settled import settled
from sizewright.check.check import Check
from sizewright.errors import InputError
from sizewright.quantity import Quantity
from written_plans import reread, written

pytestmark = pytest.mark.no_cover

MONOTONE = {str(rule.id) for rule in ENGINE.rule_set.rules if not rule.spec.get("not_monotone")}

Judged = tuple[str, str]


def verdicts(found: Check) -> dict[Judged, str]:
    return {(f.rule, f.subject): f.verdict for f in found.findings}


def broken(found: Check) -> set[Judged]:
    """Limits that are broken, of rules that more load can only break."""
    return {
        (f.rule, f.subject) for f in found.findings
        if f.severity == "violation" and f.verdict == "violated" and f.rule in MONOTONE
    }  # fmt: skip


@settled(25)
@given(workloads())
def test_every_proposed_plan_passes_the_check(plain: Plain) -> None:
    plan = planned({**plain, "policy": {"size_for": "high"}})
    assume(plan.chosen is not None)
    found = reread(written(plan))
    bad = [
        (f.rule, f.subject, f.message) for f in found.findings
        if f.severity == "violation" and f.verdict in ("violated", "tight")
    ]  # fmt: skip
    assert not bad
    assert found.holds


def _loaded(plain: Plain, by: float) -> Plain:
    """The same box under a load that is larger by a factor; what is not a rate stays."""
    other = copy.deepcopy(plain)
    seen = other["observed"]
    rates = [
        (seen["cpu"], ("user_percent", "system_percent")),
        (seen["nfs"], ("ops_per_s",)),
        (seen["processes"], ("busiest_percent",)),
        (seen["paging"], ("page_ins_per_s", "page_outs_per_s")),
        *((n, ("ops_per_s", "utilisation_percent")) for n in seen["networks"].values()),
        *((d, ("ops_per_s", "busy_percent", "kb_per_s")) for d in seen["disks"].values()),
    ]
    for where, keys in rates:
        for key in keys:
            where[key] = scaled(where[key], by)
    return other


UP = (1.25, 2, 5)


@settled(60)
@given(boxes(), st.sampled_from(UP), st.booleans())
def test_more_load_never_removes_a_broken_limit(plain: Plain, by: float, counted: bool) -> None:
    if not counted:
        # Then channels count by operations, and the processors by what is served.
        plain["observed"]["cpu"] = {"user_percent": 1, "system_percent": 1}
        for disk in plain["observed"]["disks"].values():
            disk["kb_per_s"] = 1
    before = broken(checked(plain))
    assert before <= broken(checked(_loaded(plain, by)))
    assert broken(checked(_loaded(plain, 1 / by))) <= before


def _shuffled(value: Any, draw: st.DataObject, path: str = "") -> Any:
    """Everything in another order; the ends of a range stay as they are."""
    if isinstance(value, dict):
        keys = draw.draw(st.permutations(list(value)))
        return {key: _shuffled(value[key], draw, key) for key in keys}
    if not isinstance(value, list):
        return value
    items = [_shuffled(each, draw, path) for each in value]
    numbers = all(isinstance(each, (int, float)) for each in items)
    return items if numbers else list(draw.draw(st.permutations(items)))


def _shape(figure: Quantity | None) -> Any:
    return figure and tuple(
        float(f"{end:.12g}") for end in (figure.low, figure.likely, figure.high)
    )


# Another order moves values to other lines of the file.
_PLACE = re.compile(r"\(generated-box\.yaml:\d+:\d+\)")


def _all_of(found: Check) -> Any:
    findings = sorted(
        (f.rule, f.subject, f.verdict, _PLACE.sub("", f.message), f.remedy, sorted(f.missing),
         sorted((name, _shape(figure)) for name, figure in f.figures.items()))
        for f in found.findings
    )  # fmt: skip
    budgets = sorted(
        (b.resource, b.verdict, b.limit_rule,
         *map(repr, map(_shape, (b.used, b.capacity, b.limit))),
         sorted((line.name, _shape(line.figure)) for line in b.items))
        for b in found.judged.budgets
    )  # fmt: skip
    room = [(each.resource, _shape(each.factor), each.limit_rule) for each in found.headroom]
    return findings, budgets, room


@settled(80)
@given(boxes(), st.data())
def test_the_order_of_its_lists_does_not_change_a_check(plain: Plain, data: st.DataObject) -> None:
    assert _all_of(checked(_shuffled(plain, data))) == _all_of(checked(plain))


# What has to be stated of a part, so that it is a part at all.
KEYS = ("id", "name", "device", "kind", "interface", "board", "bus", "platform", "wanted")

Path = tuple[str | int, ...]


def _optional(value: Any, path: Path = ()) -> Iterator[Path]:
    """The places of everything that may be left out of a box."""
    if isinstance(value, dict):
        for key, child in value.items():
            if key not in KEYS:
                yield (*path, key)
            yield from _optional(child, (*path, key))
    elif isinstance(value, list):
        for index, child in enumerate(value):
            yield from _optional(child, (*path, index))


def _without(plain: Plain, path: Path) -> Plain:
    other = copy.deepcopy(plain)
    *way, last = path
    place: Any = other
    for step in way:
        place = place[step]
    del place[last]
    return other


def _verdicts_without(plain: Plain, path: Path) -> dict[Judged, str] | None:
    try:
        return verdicts(checked(_without(plain, path)))
    except InputError:
        # Something else of the box hangs on it.
        return None


# They say themselves what they take for granted where a fact is not known.
ASKING = {
    str(rule.id) for rule in ENGINE.rule_set.rules
    if "known(" in f"{rule.spec.get('when')} {rule.spec['require']}"
}  # fmt: skip


# What a disk of unknown pattern asks of its channel is a range, from one pattern to the other.
BY_PATTERN = ("channel.active_disks", "channel.bus_ms_per_s")
OF_PATTERNS = {
    str(rule.id) for rule in ENGINE.rule_set.rules
    if any(bound["resource"] in BY_PATTERN for bound in rule.spec.get("bounds", ()))
}  # fmt: skip


def _is_range_of_patterns(rule: str, verdict: str, path: Path) -> bool:
    """Whether the budget of a channel is tight because a pattern was left out (docs/method.md)."""
    return rule in OF_PATTERNS and verdict == "tight" and ("volumes" in path or "access" in path)


def _has_one_port_by_the_guide(verdict: str, path: Path) -> bool:
    """Whether a model of disk with one port was said to have two, which was left out."""
    return path[-1] == "dual_ported" and verdict == "not_applicable"


def _is_derived_otherwise(path: Path) -> bool:
    """Whether something else stands in for what was measured or stated here."""
    measured = ("cpu", "nfs", "networks", "disks")
    observed = path[0] == "observed" and (len(path) == 1 or path[1] in measured)
    return observed or path[-1] == "any_medium"


def _left_out(plain: Plain, data: st.DataObject) -> Path:
    """The place of something to leave out; of each kind as likely as of any other."""
    kinds: dict[tuple[str, ...], list[Path]] = {}
    for path in _optional(plain):
        if not _is_derived_otherwise(path):
            kinds.setdefault(tuple(s for s in path if isinstance(s, str)), []).append(path)
    return data.draw(st.sampled_from(kinds[data.draw(st.sampled_from(sorted(kinds)))]))


def _turned(before: dict[Judged, str], after: dict[Judged, str], path: Path) -> list[Any]:
    """Verdicts that knowing less has turned into others, and must not.

    A rule of which it is not known whether it applies holds where what it requires is met.
    """
    return [
        (judged, before[judged], verdict)
        for judged, verdict in after.items()
        if judged in before
        and judged[0] not in ASKING
        and verdict not in (before[judged], "unknown")
        and (before[judged], verdict) != ("not_applicable", "holds")
        and not _is_range_of_patterns(judged[0], verdict, path)
        and not _has_one_port_by_the_guide(verdict, path)
    ]


@settled(150)
@given(boxes(), st.data())
def test_what_is_left_out_makes_verdicts_unknown_and_nothing_else(
    plain: Plain, data: st.DataObject
) -> None:
    known = verdicts(checked(plain))
    for _ in range(data.draw(st.integers(1, 8))):
        path = _left_out(plain, data)
        less = _verdicts_without(plain, path)
        assert not _turned(known, less or {}, path), path


@settled(30)
@given(boxes(), st.data())
def test_nor_does_leaving_out_one_part_after_the_other(plain: Plain, data: st.DataObject) -> None:
    before = verdicts(checked(plain))
    for _ in range(data.draw(st.integers(2, 8))):
        path = _left_out(plain, data)
        less = _verdicts_without(plain, path)
        if less is not None:
            assert not _turned(before, less, path), path
            plain, before = _without(plain, path), less


@pytest.mark.parametrize("platform", ("sparcstation-2", "sparcserver-690mp", "sun-4-490"))
def test_a_box_of_its_name_and_platform_alone_breaks_nothing(platform: str) -> None:
    found = checked({"name": "primary", "platform": platform})
    assert {f.verdict for f in found.findings} <= {"unknown", "not_applicable", "holds"}
    assert all(budget.verdict != "violated" for budget in found.judged.budgets)
