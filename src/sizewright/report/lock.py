"""A kernel lock that is exceeded, as text: by how much, what carries it, what would relieve it."""

from __future__ import annotations

from sizewright.load.model import Lines
from sizewright.report.model import PlanReport
from sizewright.report.names import row_name
from sizewright.report.numbers import number, percent, quantity, span, with_unit
from sizewright.report.page import Page
from sizewright.report.proposals import proposals

LINE_HEADERS = ("line", "ms/s", "share")


def exceeded(page: Page, report: PlanReport) -> None:
    """What is over the lock of a single system; nothing where no lock stands in the way."""
    found = report.excess
    if found is None:
        return
    budget = found.budget
    assert budget.used is not None and budget.limit is not None
    used, limit = report.at_end(budget.used), budget.limit
    over = used - limit.low
    name = row_name(report.plan.guide, "platforms", found.platform)
    page.heading(f"Kernel lock of a single system ({name})")
    page.say(
        f"Needed: {with_unit(number(used), budget.used)} of {quantity(limit)}, which is "
        f"{with_unit(number(over), limit)} ({percent(over / limit.low)}) over. What uses it:",
        depth=1, verdict="violated",
    )  # fmt: skip
    page.table(
        LINE_HEADERS, line_rows(report, found.lines, used), right=LINE_HEADERS[1:],
        flexible=LINE_HEADERS[:1], depth=2,
    )  # fmt: skip
    page.say("Remedies of the guide, each on its own:", depth=1)
    for each in proposals(found, report.plan):
        page.say(f"- {each.says}", depth=2, hang=1)


def line_rows(report: PlanReport, lines: Lines, used: float) -> list[tuple[str, str, str]]:
    """What carries a kernel lock: each line with its time and its share of what is used."""
    whole = used or 1
    return [
        (line.name, span(line.figure), percent(report.at_end(line.figure) / whole))
        for line in lines
    ]
