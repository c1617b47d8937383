"""The configuration as text: order, networks, disks on channels, boards in slots, volumes."""

from __future__ import annotations

from itertools import groupby

from sizewright.configuration.model import Device, System, Volume
from sizewright.evaluate.budgets import Budget
from sizewright.evaluate.system import Evaluation
from sizewright.report.model import PlanReport
from sizewright.report.names import Names, row_name, words
from sizewright.report.numbers import number, percent, quantity, span
from sizewright.report.order import board_purpose, free_slots, order
from sizewright.report.page import Page


def machine(page: Page, report: PlanReport, shown: Evaluation) -> None:
    """Everything that stands in the machine."""
    names = Names(report.plan.guide, shown.system)
    _order(page, report, shown.system)
    _networks(page, report, shown, names)
    _channels(page, report, shown, names)
    _slots(page, shown, names)
    _volumes(page, report, shown.system, names)


def _order(page: Page, report: PlanReport, system: System) -> None:
    lines = order(report.plan.guide, report.plan.demand, system)
    page.heading("What to order" if report.plan.chosen else "Parts of the closest alternative")
    rows = []
    for line in lines:
        kept = (
            f"{line.kept} of them already owned"
            if 0 < line.kept < line.quantity
            else ("already owned" if line.kept else "")
        )
        rows.append(
            (str(line.quantity), line.name, "; ".join(t for t in (line.purpose, kept) if t))
        )
    page.table(("qty", "part", "for"), rows, right=("qty",), flexible=("for",))


def _budgets(shown: Evaluation, kind: str) -> dict[str, Budget]:
    return {b.name: b for b in shown.budgets if b.kind == kind}


def _networks(page: Page, report: PlanReport, shown: Evaluation, names: Names) -> None:
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
    page.heading("Networks")
    page.table(
        ("network", "medium", "interface", "at", "load", "of", "share"), rows,
        right=("load", "of", "share"), flexible=("medium", "interface"),
    )  # fmt: skip


def _channels(page: Page, report: PlanReport, shown: Evaluation, names: Names) -> None:
    if not shown.system.channels:
        return
    busy, full = _budgets(shown, "disk"), _budgets(shown, "space")
    end = report.plan.policy.size_for
    rows = []
    for channel in shown.system.channels:
        label = names.channel(channel)

        def cells(device: Device) -> tuple[str, ...]:
            if device.id not in busy:
                return (device.model, holds(device, shown.system), "", "")
            shares = (b[device.id].share_of_limit(end) for b in (busy, full))
            return (device.model, holds(device, shown.system), *map(percent, shares))

        for (_, *rest), alike in groupby(channel.devices, cells):
            rows.append((label, names.parts(device.id for device in alike), *rest))
            label = ""
        if not channel.devices:
            rows.append((label, "no device", "", "", ""))
    page.heading("Disks and tapes on their channels")
    page.table(
        ("channel", "device", "contents", "busy", "full"), rows, right=("busy", "full"),
        flexible=("contents",),
    )  # fmt: skip
    for line in report.plan.demand.lines:
        if line.kind == "scsi":
            page.say(
                f"Not planned: {line.name} of service {line.service} needs a target on one of the "
                "channels. Keep one target free.", depth=1, hang=1,
            )  # fmt: skip


def holds(device: Device, system: System) -> str:
    """What is on a device: its volumes, with the copy where there are several, or its role."""
    found = []
    for volume in system.volumes:
        on = [n for n, copy in enumerate(volume.copies) if any(p.disk == device.id for p in copy)]
        if on:
            found.append(volume.name + _copies(volume, on))
    return ", ".join(found) or ("spare" if device.kind == "disk" else words(device.purpose))


def _copies(volume: Volume, on: list[int]) -> str:
    if len(volume.copies) == 1:
        return ""
    return f" (copy {', '.join(str(n + 1) for n in on)})"


def _slots(page: Page, shown: Evaluation, names: Names) -> None:
    slots = _budgets(shown, "slots")
    if not slots:
        return
    page.heading("Boards in slots")
    page.table(
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
    page.say(f"Free slots: {free}.", depth=1, hang=1)


def _volumes(page: Page, report: PlanReport, system: System, names: Names) -> None:
    if not system.volumes:
        return
    wanted = {volume.name: volume for volume in report.plan.demand.volumes}
    rows = []
    for volume in system.volumes:
        need = wanted.get(volume.name)
        disks = sum(len(copy) for copy in volume.copies)
        count = f"{disks} disk{'s' if disks > 1 else ''}"
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
    page.heading("Volumes")
    page.table(
        ("volume", "size", "access", "placed on"), rows, right=("size",),
        flexible=("volume", "placed on"),
    )  # fmt: skip
