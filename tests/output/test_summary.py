"""What the first lines admit if a search stopped before it had tried everything."""

from __future__ import annotations

import re

import pytest

import hand_plans
from sizewright.output import summary
from sizewright.output.budgets import BudgetTable
from sizewright.output.plan import plan_text
from sizewright.planner.choice import Size
from sizewright.planner.infeasibility import Rejection
from sizewright.planner.plan import Gap, Plan

from .test_pair import EVERY, OVER, PAIR, said

ENDED = "stopped early"


def first(plan: Plan) -> str:
    """The first screen on a plan, in one line."""
    return " ".join(plan_text(hand_plans.report_on(plan), full=False).split())


def cut(plan: Plan, *platforms: str) -> Plan:
    found = Size(0, 0, 1, 0, 4, 9, 3000, 32, 0, 0)
    bound = found._replace(tight=0, boards=5)
    return plan._replace(gaps=tuple(Gap(name, found, bound) for name in platforms))


@pytest.mark.parametrize("plan", [PAIR, OVER, EVERY])
def test_a_search_that_went_to_its_end_admits_nothing(plan: Plan) -> None:
    assert plan.proven
    assert ENDED not in said(plan)


def test_the_machine_that_was_chosen_may_do_with_less() -> None:
    assert EVERY.chosen is not None
    unproven = cut(EVERY, EVERY.chosen.system.platform)
    assert not unproven.proven
    text = said(unproven)
    assert (
        f"The search {ENDED}: a better configuration may pass too. This one follows 1 piece of "
        "advice in the best case only, another at best 0."
    ) in " ".join(text.split())
    assert text.count(ENDED) == 1


def test_excess_over_recommended_limits_is_said_in_percent() -> None:
    """Eight and seven parts of 5%."""
    assert EVERY.chosen is not None
    (gap,) = cut(EVERY, EVERY.chosen.system.platform).gaps
    found, bound = gap.found._replace(excess=8), gap.bound._replace(excess=7)
    text = said(EVERY._replace(gaps=(gap._replace(found=found, bound=bound),)))
    said_ = "This one exceeds recommended limits by 40% in sum, another at best 35%."
    assert said_ in " ".join(text.split())


def test_smaller_machines_may_hold_after_all() -> None:
    one = said(cut(EVERY, "sparcstation-2"))
    assert f"The search of the SPARCstation-2 {ENDED}: it may pass too." in one
    two = said(cut(EVERY, "sparcstation-2", "sparcserver-630mp"))
    both = "The search of the SPARCstation-2 and SS630MP"
    assert f"{both} {ENDED}: one of them may pass too." in two


def test_machines_rejected_for_advice_only_are_not_said_to_exceed_limits() -> None:
    """Advice rejects a machine if the policy has it followed always."""
    assert EVERY.chosen is not None
    limit, advice = (
        next(f for f in EVERY.chosen.findings if f.severity == severity)
        for severity in ("violation", "advice")
    )
    insisting = EVERY._replace(policy=EVERY.policy._replace(follow_advice="always"))
    small = Rejection("sparcstation-2", "SPARCstation-2", 1, (advice,), EVERY.chosen, 0, ())
    larger = small._replace(name="SS630MP", findings=(advice, limit))
    by_advice, by_limit = "follow all advice: SPARCstation-2", "meet every limit: SS630MP"
    for rejected, told in (
        ((small,), by_advice),
        ((larger,), by_limit),
        ((small, larger), f"{by_advice}, or do not {by_limit}"),
    ):
        text = first(hand_plans.refusing(insisting, rejected))
        assert f"Smaller machines do not {told} (see Rejected)." in text


def test_something_may_hold_where_nothing_was_found() -> None:
    text = said(cut(OVER, "sparcserver-690mp"))
    assert (
        "Fail: no single machine was found that meets every limit at the high end of all ranges, "
        "but the search of the SS690MP stopped early: it may do so."
    ) in text
    assert "in this guide" not in text and text.count(ENDED) == 1


def test_of_two_systems_each_and_one_alone_may_do_with_less() -> None:
    assert PAIR.group is not None
    alone = said(cut(PAIR, "sparcserver-690mp"))
    assert (
        "No single machine was found that meets every limit, but the search of the SS690MP stopped "
        "early: it may do so (see Rejected)."
    ) in alone
    assert "in this guide" not in alone and alone.count(ENDED) == 1
    first, second = PAIR.group.members
    second = second._replace(plan=cut(second.plan, "sparcserver-630mp"))
    part = PAIR._replace(group=PAIR.group._replace(members=(first, second)))
    assert not part.proven
    found = said(part)
    assert f"The search of the SS630MP for the alternate {ENDED}: it may pass too." in found
    assert found.count(ENDED) == 1


def test_of_two_systems_the_first_lines_name_the_parts_that_matter() -> None:
    """The machines come first, then what is most numerous; no part is left out of the count."""
    report = hand_plans.report_on(PAIR)
    (line,) = re.findall(r"To order: (.*?)\. Headroom", first(PAIR))
    named = line.replace(" and ", ", ").split(", ")
    assert named[0] == "2 × SPARCstation-2"
    numbers = [int(each.partition(" × ")[0]) for each in named]
    assert numbers[1:] == sorted(numbers[1:], reverse=True)
    assert sum(numbers) == sum(each.quantity - each.kept for each in report.order)


def test_parts_that_are_not_named_are_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(summary, "PARTS_TOLD", 1)
    assert "To order: 2 × SPARCstation-2 and 6 more parts." in first(PAIR)


def test_a_lock_comes_after_the_parts() -> None:
    text = said(PAIR)
    assert text.index("What to order") < text.index("Kernel lock of a single system")
    alone = said(OVER)
    assert alone.index("Parts of the closest") < alone.index("Kernel lock of a single system")


def test_of_each_kind_the_fullest_resource_comes_first() -> None:
    (shown,) = hand_plans.report_on(EVERY).systems
    report = hand_plans.report_on(EVERY)
    shares: dict[str, list[float]] = {}
    for _, _, (budget, *_) in BudgetTable(report.names, report.end, shown).lines():
        shares.setdefault(budget.kind, []).append(budget.share_of_limit(report.end) or 0)
    assert max(map(len, shares.values())) > 1
    assert all(each == sorted(each, reverse=True) for each in shares.values())
