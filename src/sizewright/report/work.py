"""Work on the server's own disks as text, and processors that services keep busy themselves."""

from __future__ import annotations

from collections.abc import Iterator

from sizewright.demand.model import UserTime
from sizewright.figure import Figure, total
from sizewright.load.model import WorkLoad
from sizewright.planner.judge import Judgement
from sizewright.report.model import PlanReport
from sizewright.report.numbers import number, quantity, span
from sizewright.report.page import Page
from sizewright.report.workform import limited_by, run_s

_BY = {"demand": "what is asked", "disks": "disks", "network": "network",
       "either": "disks or network"}  # fmt: skip


def work(page: Page, report: PlanReport, shown: Judgement) -> None:
    """Runs on disks, what yields to all other work, and time outside of the kernel."""
    if shown.load.works or shown.load.yielding:
        page.heading("Work on disks")
        _runs(page, shown.load.works)
        for line in shown.load.yielding:
            page.say(
                f"{line.name} yields to all others: {quantity(line.figure)} in the kernel when "
                "they leave it, counted in no budget.", depth=1, hang=1,
            )  # fmt: skip
    _processors(page, report, shown)


def _runs(page: Page, works: tuple[WorkLoad, ...]) -> None:
    rows = []
    for each in works:
        operations, pace, run = each.operations, each.operations.runs, run_s(each)
        size = number(operations.block_kb.likely)
        what = f"{operations.pattern} {operations.operation}, {size} KB"
        wanted = quantity(pace.within_s) if pace.within_s is not None else ""
        rows.append((
            operations.title, what, span(each.rate), _BY[limited_by(each)],
            quantity(run) if run is not None else "", wanted,
        ))  # fmt: skip
    page.table(
        ("work", "operations", "op/s", "set by", "a run", "wanted"), rows,
        right=("op/s", "a run", "wanted"), flexible=("work", "operations", "set by"),
    )  # fmt: skip


def _processors(page: Page, report: PlanReport, shown: Judgement) -> None:
    rows = list(_users(report.plan.demand.user))
    if not rows:
        return
    page.heading("Processors that services keep busy themselves (outside of the kernel)")
    page.table(("service", "processors", ""), rows, right=("processors",), flexible=("service",))
    wanted, there = shown.facts.system.processors_wanted, shown.system.processors
    if isinstance(wanted, Figure) and there is not None:
        page.say(
            f"There is use for {quantity(wanted)}, one of them in the kernel; the machine has "
            f"{there}.", depth=1,
        )  # fmt: skip


def _users(users: tuple[UserTime, ...]) -> Iterator[tuple[str, str, str]]:
    """A row for each service and way of using processors."""
    groups: dict[tuple[str, bool, bool, bool], list[Figure]] = {}
    for user in users:
        key = (user.service, user.processors is None, user.single, user.low)
        groups.setdefault(key, []).extend([user.processors] if user.processors is not None else [])
    for (service, every, single, low), figures in groups.items():
        notes = []
        if single:
            notes.append("one thread: one at most")
        if low:
            notes.append("yields to all others")
        asked = "all there are" if every else quantity(total(figures, "1"))
        yield service, asked, "; ".join(notes)
