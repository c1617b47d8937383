"""Two systems as text: the heading of each, and what is left where one of them fails."""

from __future__ import annotations

from sizewright.planner.plan import Pair
from sizewright.report.model import PlanReport
from sizewright.report.names import Names, enumerated
from sizewright.report.numbers import percent, quantity, span
from sizewright.report.page import Page
from sizewright.report.words import verdict_word


def system_heading(page: Page, report: PlanReport) -> None:
    """Which system comes now, underlined, and the services that run on it."""
    shown = report.plan.chosen
    assert shown is not None
    title = f"System {shown.system.id}: {Names(report.plan.guide, shown.system).platform()}"
    page.part(title)
    page.say(f"For {enumerated(s.name for s in report.plan.demand.services)}.")


def failover(page: Page, pair: Pair) -> None:
    """What the kernel of either system must do alone, of the time that its lock has."""
    page.heading("Failover (the kernel of the system that is left does the work of both)")
    rows = []
    for each in pair.failover:
        share = each.used / each.capacity
        verdict = "holds" if share.high <= 1 else "tight" if share.low <= 1 else "violated"
        ends = dict.fromkeys((percent(share.low), percent(share.high)))
        rows.append((
            each.failed, each.survivor, span(each.used), quantity(each.capacity), "–".join(ends),
            page.style.verdict(verdict_word(verdict), verdict),
        ))  # fmt: skip
    page.table(
        ("fails", "is left", "kernel time", "of", "share", "verdict"), rows,
        right=("kernel time", "of", "share"),
    )  # fmt: skip
