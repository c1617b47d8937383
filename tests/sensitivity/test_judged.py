"""What is told to flip a verdict does flip it, when everything is judged anew."""

from __future__ import annotations

import copy
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import assume, given
from hypothesis import strategies as st

from generated_workloads import ENGINE, Plain, fitting, read, workloads
from settled import settled
from sizewright.api import Engine, load_engine, plan, policy_of
from sizewright.configuration.model import System
from sizewright.demand.build import demand_of
from sizewright.engine import rules_for
from sizewright.errors import InputError
from sizewright.evaluate.system import Evaluation, evaluate
from sizewright.sensitivity.thresholds import Threshold, break_even, reaches

pytestmark = pytest.mark.no_cover

EXAMPLES = Path(__file__).resolve().parent.parent.parent / "examples" / "sun-1992"
CASE_1 = EXAMPLES / "case-1-departmental-nfs" / "workload.yaml"
TOO_MUCH = EXAMPLES / "case-2-training-center" / "with-sound.yaml"
AGAINST = {"low": "high", "likely": "likely", "high": "low"}
A_HAIR = 1e-6


def held(plain: Plain, system: System, end: str, engine: Engine = ENGINE) -> Mapping[str, bool]:
    """Which budgets of a given system hold, judged from the file."""
    workload = read(plain)
    rule_set = rules_for(workload.policy, engine, "plan")
    policy = policy_of(workload.policy, engine.guide)
    judged = evaluate(demand_of(workload, engine.guide), system, engine.guide, rule_set, policy)
    return {
        b.resource: b.used.at(end) <= b.limit.at(AGAINST[end]) * (1 + 1e-9)
        for b in judged.budgets
        if b.used is not None and b.limit is not None
    }


def changed(plain: Plain, flip: Threshold, factor: float) -> Plain:
    """The workload with the leaf multiplied by a factor; rules in its own policy."""
    other: Any = copy.deepcopy(plain)
    assert flip.leaf.source is not None
    if flip.leaf.source.kind == "parameter":
        rule, _, name = flip.leaf.source.where.removeprefix("rule ").partition(", ")
        ends = [flip.leaf.low * factor, flip.leaf.likely * factor, flip.leaf.high * factor]
        parameters = other.setdefault("policy", {}).setdefault("parameters", {})
        parameters.setdefault(rule, {})[name] = ends if ends[0] < ends[2] else ends[0]
        return other
    *path, last = flip.leaf.name.split(".")
    part = other
    for step in path:
        named = isinstance(part, list)
        part = next(each for each in part if each["name"] == step) if named else part[step]
    was = part[last]
    part[last] = [each * factor for each in was] if isinstance(was, list) else was * factor
    return other


def sides(flip: Threshold) -> Iterator[tuple[float, bool]]:
    """A factor on each side of the flip, and whether the budget holds there."""
    outward = 1 + A_HAIR if flip.factor >= 1 else 1 - A_HAIR
    yield flip.factor / outward, flip.holds_now
    yield flip.factor * outward, not flip.holds_now


def checked(plain: Plain, system: System, end: str, flip: Threshold) -> bool:
    """Whether both sides could be tried: no more than a whole can be stated as a share."""
    for factor, holds in sides(flip):
        try:
            now = held(changed(plain, flip, factor), system, end)
        except InputError:
            return False
        for resource in (flip.resource, *flip.also):
            assert now[resource] is holds, (flip, factor)
    return True


@cache
def of_file(path: Path) -> tuple[Plain, Evaluation, str]:
    plain = yaml.safe_load(path.read_text(encoding="utf-8"))
    # One system: all lines stand in one plan.
    found = plan(read(plain), ENGINE, systems=1)
    assert found.shown is not None and found.group is None
    return plain, found.shown, found.policy.size_for


@pytest.mark.parametrize("path", [CASE_1, TOO_MUCH], ids=["holds", "does-not"])
def test_every_line_of_a_case_study_and_every_parameter_flips_where_it_is_told(path: Path) -> None:
    plain, shown, end = of_file(path)
    flips = [f for f in break_even(shown.budgets, end).flips if f.leaf.source]
    tried = [f for f in flips if f.leaf.source and f.leaf.source.kind in ("input", "parameter")]
    assert sum(checked(plain, shown.system, end, flip) for flip in tried) > 10


@settled(25)
@given(workloads(), st.sampled_from(("low", "likely", "high")), st.data())
def test_generated_workloads_flip_where_it_is_told(
    plain: Plain, end: str, data: st.DataObject
) -> None:
    plain = {**plain, "policy": {**plain.get("policy", {}), "size_for": end}}
    # One system: all lines stand in one plan.
    found = plan(read(plain), ENGINE, systems=1)
    shown = found.shown
    assume(shown is not None and found.group is None)
    assert shown is not None
    flips = [
        flip
        for flip in break_even(shown.budgets, end).flips
        if flip.leaf.source and flip.leaf.source.kind in ("input", "parameter")
    ]
    assume(flips)
    for flip in data.draw(st.lists(st.sampled_from(flips), min_size=1, max_size=4)):
        checked(plain, shown.system, end, flip)


CELLS = (
    ("nfs-capacity", "sustained_ops_per_s"),
    ("network-interfaces", "nfs_ops_per_s"),
    ("disks", "capacity_mb"),
    ("disk-busses", "rate_mb_per_s"),
)


@pytest.mark.parametrize(("table", "column"), CELLS)
def test_a_cell_laid_over_the_guides_flips_where_it_is_told(
    tmp_path: Path, table: str, column: str
) -> None:
    plain, shown, end = of_file(CASE_1)
    flip = next(
        f for f in break_even(shown.budgets, end).flips
        if f.leaf.source and f.leaf.source.where.startswith(f"{table}/")
        and f.leaf.source.where.endswith(f"/{column}")
    )  # fmt: skip
    assert flip.leaf.source is not None
    _, row, _ = flip.leaf.source.where.split("/")
    for number, (factor, holds) in enumerate(sides(flip)):
        folder = tmp_path / str(number) / "tables" / "sun-1992"
        folder.mkdir(parents=True)
        low, high = flip.leaf.low * factor, flip.leaf.high * factor
        over = {"id": row, column: [low, high] if low < high else low,
                "source": {"section": "1.1.1"}, "status": "printed"}  # fmt: skip
        (folder / "ours.yaml").write_text(yaml.safe_dump({"table": table, "rows": [over]}))
        engine = load_engine("sun-1992", [tmp_path / str(number)])
        assert held(plain, shown.system, end, engine)[flip.resource] is holds


@settled(10)
@given(workloads(), st.sampled_from((5, 20, [10, 40])), st.sampled_from((0.5, 2, [1, 3])))
def test_a_resource_is_at_its_limit_after_the_years_that_are_told(
    plain: Plain, percent: Any, years: Any
) -> None:
    plain = {**plain, "growth": {"percent": percent, "years": years}}
    found, end = fitting(plain), read(plain).policy.size_for
    assume(found.group is None)
    shown = found.chosen
    assert shown is not None
    limited = [each for each in reaches(shown.budgets, end) if each.years]
    for each in limited[:3]:
        assert each.years
        for by, holds in ((1 - A_HAIR, True), (1 + A_HAIR, False)):
            after = {**plain, "growth": {"percent": percent, "years": each.years * by}}
            if each.years * by < 100:
                assert held(after, shown.system, end)[each.resource] is holds
