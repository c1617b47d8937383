"""Two systems as text: the heading of each, and what is left where one of them fails."""

from __future__ import annotations

from sizewright.load.nfs import processor_second
from sizewright.planner.plan import Pair, Plan
from sizewright.quantity import Quantity
from sizewright.report.model import PlanReport
from sizewright.report.names import Names, enumerated
from sizewright.report.numbers import percent, quantity, span
from sizewright.report.page import Page
from sizewright.report.words import verdict_word
from sizewright.sensitivity.remedies import Split, split


def system_heading(page: Page, report: PlanReport) -> None:
    """Which system comes now, underlined, and the services that run on it."""
    shown = report.plan.chosen
    assert shown is not None
    title = f"System {shown.system.id}: {Names(report.plan.guide, shown.system).platform()}"
    page.part(title)
    page.say(f"For {enumerated(s.name for s in report.plan.demand.services)}.")


def division(page: Page, plan: Plan) -> None:
    """How much of its kernel lock each system uses, and why no division is more even."""
    found = split(plan)
    if found is None:
        return
    end = plan.policy.size_for
    first, second = (_of_lock(figure, end) for figure in found.used)
    page.heading("Division of the services")
    used = f"The primary uses {first} of its kernel lock and the alternate {second}."
    page.say(f"{used} {_why_no_more_even(found, end)}".rstrip(), depth=1)


def _why_no_more_even(found: Split, end: str) -> str:
    if found.why == "limits":
        return f"{found.tried} more even divisions were tried first. None meets every limit."
    if found.why == "most_even":
        return "No other division has a more even kernel time."
    if found.alone is None:
        return ""
    names, takes = enumerated(found.names), _of_lock(found.alone, end)
    if found.why == "one_service":
        return f"Service {names} takes {takes} by itself and cannot be divided."
    volumes = enumerated(found.volumes)
    return f"Services {names} take {takes} and stay together, because they share {volumes}."


def _of_lock(time: Quantity, end: str) -> str:
    return percent(time.at(end) / processor_second().high)


def failover(page: Page, pair: Pair, end: str) -> None:
    """What the kernel of either system must do alone, of the time that its lock has.

    It fails if it needs more at the `end` of the ranges that the plan is sized for.
    """
    page.heading("Failover (the remaining system does the kernel work of both)")
    rows = []
    for each in pair.failover:
        share = each.used / each.capacity
        verdict = "violated" if share.at(end) > 1 else "tight" if share.high > 1 else "holds"
        ends = dict.fromkeys((percent(share.low), percent(share.high)))
        rows.append((
            each.failed, each.survivor, span(each.used), quantity(each.capacity), "–".join(ends),
            page.style.verdict(verdict_word(verdict), verdict),
        ))  # fmt: skip
    page.table(
        ("failed", "remaining", "kernel time", "of", "share", "verdict"), rows,
        right=("kernel time", "of", "share"),
    )  # fmt: skip
