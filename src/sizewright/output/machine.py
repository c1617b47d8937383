"""The configuration as text: parts, networks, disks, boards, volumes, work on disks, set-up."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import groupby

from sizewright.configuration.model import Device, System, Volume
from sizewright.demand.model import UserTime
from sizewright.errors import counted
from sizewright.evaluate.budgets import Budget
from sizewright.evaluate.system import Evaluation
from sizewright.load.model import Pace, WorkLoad
from sizewright.output.bill_of_materials import board_purpose, free_slots
from sizewright.output.document import Document
from sizewright.output.names import Names, row_name, words
from sizewright.output.reports import PlanReport
from sizewright.output.wording import GLUE, number, percent, quantity, span
from sizewright.quantity import Quantity, total
from sizewright.setup.settings import Setting, list_settings


def add_machine(document: Document, report: PlanReport, shown: Evaluation) -> None:
    """Add the parts of a system: order, networks, channels, slots, volumes."""
    names = report.names
    _order(document, report)
    _networks(document, report, shown, names)
    _channels(document, report, shown, names)
    _slots(document, shown, names)
    _volumes(document, report, shown.system, names)


def _order(document: Document, report: PlanReport) -> None:
    document.heading("What to order" if report.plan.chosen else "Parts of the closest alternative")
    rows = [
        (str(line.quantity - line.kept), line.name, line.purpose)
        for line in report.bill if line.kept < line.quantity
    ]  # fmt: skip
    document.table(("qty", "part", "for"), rows, right=("qty",), flexible=("for",))
    _owned(document, report)


def _owned(document: Document, report: PlanReport) -> None:
    """Add the devices that exist: what they are used for, or why they are not."""
    rows = []
    for line in report.owned:
        purpose = f" ({line.purpose})" if line.purpose else ""
        data = f"{line.with_data} with data{purpose}" if line.table == "disks" else "used"
        said = (
            (line.with_data, data),
            (line.without_data, f"{line.without_data} attached without data"),
            (line.unused, f"{line.unused} not used: {line.why}"),
        )
        use = "; ".join(text for number, text in said if number)
        rows.append((str(line.quantity), line.name, use))
    if rows:
        document.heading("Devices already owned (not to be ordered)")
        document.table(("qty", "part", "use"), rows, right=("qty",), flexible=("use",))


def _budgets(shown: Evaluation, kind: str) -> dict[str, Budget]:
    return {b.name: b for b in shown.budgets if b.kind == kind}


def _networks(document: Document, report: PlanReport, shown: Evaluation, names: Names) -> None:
    if not shown.system.ports:
        return
    guide = report.plan.guide
    end = report.plan.policy.size_for
    rows = []
    for port in shown.system.ports:
        loads = [b for b in shown.budgets if b.kind in ("network", "data") and b.name == port.id]
        row = guide.row("network-interfaces", port.interface)
        rows.append((
            port.id, row_name(guide, "network-media", row.text("medium")), row.text("name"),
            names.provider(port.provider), span(loads[0].used),
            quantity(loads[0].limit), percent(loads[0].share_of_limit(end)),
        ))  # fmt: skip
        rows += [
            ("", "", "", "", span(b.used), quantity(b.limit), percent(b.share_of_limit(end)))
            for b in loads[1:]
        ]
    document.heading("Networks")
    document.table(
        ("network", "medium", "interface", "at", "load", "of", "share"), rows,
        right=("load", "of", "share"), flexible=("medium", "interface"),
    )  # fmt: skip


def _channels(document: Document, report: PlanReport, shown: Evaluation, names: Names) -> None:
    if not shown.system.channels:
        return
    busy, full = _budgets(shown, "disk"), _budgets(shown, "space")
    end = report.plan.policy.size_for
    rows = []
    for channel in shown.system.channels:
        label = names.channel(channel)

        def cells(device: Device) -> tuple[str, ...]:
            if device.id not in busy:
                return (device.model, contents_text(device, shown.system), "", "")
            shares = (b[device.id].share_of_limit(end) for b in (busy, full))
            return (device.model, contents_text(device, shown.system), *map(percent, shares))

        for (_, *rest), alike in groupby(channel.devices, cells):
            rows.append((label, names.parts(device.id for device in alike), *rest))
            label = ""
        if not channel.devices:
            rows.append((label, "no device", "", "", ""))
    document.heading("Disks and tapes on their channels")
    document.table(
        ("channel", "device", "contents", "busy", "full"), rows, right=("busy", "full"),
        flexible=("contents",),
    )  # fmt: skip
    for line in report.plan.demand.lines:
        if line.kind == "scsi":
            document.say(
                f"Not planned: {line.name} of service {line.service} needs a target on one of the "
                "channels. Keep one target free.", depth=1, hang=1,
            )  # fmt: skip


def contents_text(device: Device, system: System) -> str:
    """What is on a device: its volumes, with the copy where there are several, or its role."""
    found = [*_held(device, system.volumes)]
    found += [f"other system: {name}" for name in _held(device, system.other_volumes)]
    return ", ".join(found) or ("spare" if device.kind == "disk" else words(device.purpose))


def _held(device: Device, volumes: Iterable[Volume]) -> Iterator[str]:
    for volume in volumes:
        on = [n for n, copy in enumerate(volume.copies) if any(p.disk == device.id for p in copy)]
        if on:
            yield volume.name + _copies(volume, on)


def _copies(volume: Volume, on: list[int]) -> str:
    if len(volume.copies) == 1:
        return ""
    return f" (copy {', '.join(str(n + 1) for n in on)})"


def _slots(document: Document, shown: Evaluation, names: Names) -> None:
    slots = _budgets(shown, "slots")
    if not slots:
        return
    document.heading("Boards in slots")
    document.table(
        ("slot", "board", "for"),
        [
            (names.slots(b), names.part(b), board_purpose([b], shown.system))
            for b in shown.system.boards
        ],
        flexible=("board", "for"),
    )
    free = free_slots(
        (b.name, round(b.used.high), round(b.limit.high))
        for b in slots.values()
        if b.limit and b.used
    )
    document.say(f"Free slots: {free}.", depth=1, hang=1)


def _volumes(document: Document, report: PlanReport, system: System, names: Names) -> None:
    if not system.volumes:
        return
    wanted = {volume.name: volume for volume in report.plan.demand.volumes}
    rows = []
    for volume in system.volumes:
        need = wanted.get(volume.name)
        disks = sum(len(copy) for copy in volume.copies)
        count = counted(disks, "disk")
        layout = f"{len(volume.copies)} copies on {count}" if len(volume.copies) > 1 else count
        by = ""
        if volume.manager:
            by = f", {row_name(report.plan.guide, 'software', volume.manager)}"
        elif need is not None and need.database and disks > 1:
            by = f", {row_name(report.plan.guide, 'database-systems', need.database)}"
        rows.append((
            volume.name,
            quantity(need.size_mb) if need else number(sum(p.size_mb for p in volume.copies[0])),
            need.access if need else "", layout + by,
        ))  # fmt: skip
    document.heading("Volumes")
    document.table(
        ("volume", "size", "access", "placed on"), rows, right=("size",),
        flexible=("volume", "placed on"),
    )  # fmt: skip


def add_work(document: Document, report: PlanReport, shown: Evaluation) -> None:
    """Runs on disks, what yields to all other work, and time outside of the kernel."""
    if shown.load.works or shown.load.low_priority:
        document.heading("Work on disks")
        _runs(document, shown.load.works)
        for line in shown.load.low_priority:
            document.say(
                f"{line.name} has low priority: it uses up to {quantity(line.figure)} of kernel "
                "time that other work leaves. No budget includes it.", depth=1, hang=1,
            )  # fmt: skip
    _processors(document, report, shown)


def _runs(document: Document, works: tuple[WorkLoad, ...]) -> None:
    document.table(
        ("work", "demand", "pace", "limited by", "run time", "target"),
        [_row(each) for each in works], right=("demand", "pace", "run time", "target"),
        flexible=("work",),
    )  # fmt: skip
    if not works:
        return
    document.say(
        "Demand and pace are in op/s. The pace is the total rate of all runs in progress while "
        "the system serves all other demand.", depth=1,
    )  # fmt: skip
    for line in _remarks(works):
        document.say(line, depth=1, hang=1)


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
        span(operations.ops) if operations.ops is not None else "none", rate, by, run,
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


def _processors(document: Document, report: PlanReport, shown: Evaluation) -> None:
    rows = list(_users(report.plan.demand.user))
    if not rows:
        return
    document.heading("Processors used by services outside the kernel")
    headers: tuple[str, ...] = ("service", "processors", "")
    if not any(note for *_, note in rows):
        headers = headers[:-1]
    document.table(
        headers, [row[: len(headers)] for row in rows], right=("processors",),
        flexible=("service",),
    )  # fmt: skip
    wanted, there = shown.facts.system.processors_wanted, shown.system.processors
    if isinstance(wanted, Quantity) and there is not None:
        document.say(
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


def add_setup(document: Document, report: PlanReport) -> None:
    """Each setting of a recommended system: its value, its reason, its place in the guide."""
    plan = report.plan
    if plan.chosen is None:
        return
    told = list_settings(plan.chosen.system, plan.demand, plan.guide, report.names.parts)
    if told:
        document.heading("Set-up")
    for (name, why, cite), alike in groupby(told, lambda each: (each.name, each.why, each.cite)):
        several = list(alike)
        if len(several) == 1:
            document.say(_line(several[0], name), depth=1, hang=1)
        else:
            document.say(f"{name}:", depth=1, hang=1)
        for each in several if len(several) > 1 else ():
            document.say(f"- {_line(each)}", depth=2, hang=1)
        document.say(f"{why} [{cite}]", depth=2)


def _line(setting: Setting, name: str = "") -> str:
    """The value, and before it what it is for."""
    part = f" ({setting.part})" if name and setting.part else setting.part
    return f"{name}{part}: {_value(setting)}"


def _value(setting: Setting) -> str:
    if setting.value is None:
        return setting.text
    value = quantity(setting.value)
    return f"{value} ({setting.text})" if setting.text else value
