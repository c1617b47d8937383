"""The section Set-up: what to set when the system is installed."""

from __future__ import annotations

from itertools import groupby
from typing import Any

from sizewright.report.model import PlanReport
from sizewright.report.names import Names
from sizewright.report.numbers import quantity
from sizewright.report.page import Page
from sizewright.report.plain import maybe
from sizewright.setup.settings import Setting, setup_of


def setup(page: Page, report: PlanReport, names: Names) -> None:
    """Each setting of a recommended system: its value, its reason, its place in the guide."""
    plan = report.plan
    if plan.chosen is None:
        return
    told = setup_of(plan.chosen.system, plan.demand, plan.guide, names.parts)
    if told:
        page.heading("Set-up")
    for (name, why, cite), alike in groupby(told, lambda each: (each.name, each.why, each.cite)):
        several = list(alike)
        if len(several) == 1:
            page.say(_line(several[0], name), depth=1, hang=1)
        else:
            page.say(f"{name}:", depth=1, hang=1)
        for each in several if len(several) > 1 else ():
            page.say(f"- {_line(each)}", depth=2, hang=1)
        page.say(f"{why} [{cite}]", depth=2)


def _line(setting: Setting, name: str = "") -> str:
    """The value, and before it what it is for."""
    part = f" ({setting.part})" if name and setting.part else setting.part
    return f"{name}{part}: {_value(setting)}"


def _value(setting: Setting) -> str:
    if setting.value is None:
        return setting.text
    value = quantity(setting.value)
    return f"{value} ({setting.text})" if setting.text else value


def setup_data(report: PlanReport) -> list[dict[str, Any]]:
    """The same as plain data, parts by their ids."""
    plan = report.plan
    if plan.chosen is None:
        return []
    system = plan.chosen.system
    return [
        {
            "system": system.id, "name": each.name, "part": each.part, "value": maybe(each.value),
            "text": each.text, "why": each.why, "source": each.cite,
        }
        for each in setup_of(system, plan.demand, plan.guide)
    ]  # fmt: skip
