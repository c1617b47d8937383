"""Work on the server's own disks as text, and processors that services keep busy themselves."""

from __future__ import annotations

from collections.abc import Iterator

from sizewright.demand.model import UserTime
from sizewright.evaluate.system import Evaluation
from sizewright.load.model import Pace, WorkLoad
from sizewright.quantity import Quantity, total
from sizewright.report.model import PlanReport
from sizewright.report.numbers import GLUE, number, quantity, span
from sizewright.report.page import Page


def work(page: Page, report: PlanReport, shown: Evaluation) -> None:
    """Runs on disks, what yields to all other work, and time outside of the kernel."""
    if shown.load.works or shown.load.yielding:
        page.heading("Work on disks")
        _runs(page, shown.load.works)
        for line in shown.load.yielding:
            page.say(
                f"{line.name} has low priority: it uses up to {quantity(line.figure)} of kernel "
                "time that other work leaves. No budget includes it.", depth=1, hang=1,
            )  # fmt: skip
    _processors(page, report, shown)


def _runs(page: Page, works: tuple[WorkLoad, ...]) -> None:
    page.table(
        ("work", "demand", "pace", "limited by", "run time", "target"),
        [_row(each) for each in works], right=("demand", "pace", "run time", "target"),
        flexible=("work",),
    )  # fmt: skip
    if not works:
        return
    page.say(
        "Demand and pace are in op/s. The pace is the total rate of all runs in progress while "
        "the system serves all other demand.", depth=1,
    )  # fmt: skip
    for line in _remarks(works):
        page.say(line, depth=1, hang=1)


def _row(each: WorkLoad) -> tuple[str, ...]:
    operations, pace = each.operations, each.pace
    size = number(operations.block_kb.likely)
    wanted = operations.runs.within_s
    rate = run = by = ""
    if pace is not None:
        rate = span(pace.rate) if pace.lasts else f"up to {number(pace.rate.high)}"
        run = _run(pace)
        by = pace.station if pace.lasts else pace.best_station
    return (
        f"{operations.title} ({operations.pattern} {operations.operation}, {size}{GLUE}KB)",
        span(each.rate) if each.rate is not None else "none", rate, by, run,
        quantity(wanted) if wanted is not None else "",
    )  # fmt: skip


def _run(pace: Pace) -> str:
    """The time of a run; only its low end if nothing is left at the recommended rates."""
    if pace.run_s is not None:
        return quantity(pace.run_s)
    return f"from {number(pace.best_run_s.low)} s" if pace.best_run_s is not None else ""


def _remarks(works: tuple[WorkLoad, ...]) -> Iterator[str]:
    """What a reader must know of paces: what is missing, what is assumed, what is used up."""
    for each in works:
        title, pace, runs = each.operations.title, each.pace, each.operations.runs
        if each.operations.open_ended:
            yield (
                f"{title}: neither the interval nor the target time of a run is stated. The work "
                "has no demand of its own and uses spare capacity. State within_s or every_s."
            )
        if pace is None:
            yield f"{title}: pace not calculated: a rate or a cost is unknown."
        elif not pace.lasts:
            yield (
                f"{title}: other demand uses all of the recommended rate of the {pace.station}. "
                "The pace shown is the maximum above that rate."
            )
        elif pace.by_requests and runs.outstanding is not None:
            asked = quantity(pace.requests)
            yield f"{title}: {asked} outstanding requests do not keep the {pace.station} busy."
    assumed = [
        f"{each.operations.title} {quantity(each.pace.requests)}"
        for each in works if each.pace is not None and each.operations.runs.outstanding is None
    ]  # fmt: skip
    if assumed:
        yield (
            "Assumed: each run keeps one request outstanding for each disk that its channels "
            f"allow to be active ({', '.join(assumed)}). If you know the number, state outstanding."
        )


def _processors(page: Page, report: PlanReport, shown: Evaluation) -> None:
    rows = list(_users(report.plan.demand.user))
    if not rows:
        return
    page.heading("Processors used by services outside the kernel")
    headers: tuple[str, ...] = ("service", "processors", "")
    if not any(note for *_, note in rows):
        headers = headers[:-1]
    page.table(
        headers, [row[: len(headers)] for row in rows], right=("processors",),
        flexible=("service",),
    )  # fmt: skip
    wanted, there = shown.facts.system.processors_wanted, shown.system.processors
    if isinstance(wanted, Quantity) and there is not None:
        page.say(
            f"Processors needed: {quantity(wanted)}, one of them for the kernel. The machine has "
            f"{there}.", depth=1,
        )  # fmt: skip


def _users(users: tuple[UserTime, ...]) -> Iterator[tuple[str, str, str]]:
    """A row for each service and way of using processors."""
    groups: dict[tuple[str, bool, bool, bool], list[Quantity]] = {}
    for user in users:
        key = (user.service, user.processors is None, user.single, user.low)
        groups.setdefault(key, []).extend([user.processors] if user.processors is not None else [])
    for (service, every, single, low), figures in groups.items():
        notes = []
        if single:
            notes.append("one thread: at most one")
        if low:
            notes.append("low priority")
        asked = "all" if every else quantity(total(figures, "1"))
        yield service, asked, "; ".join(notes)
