"""The report on a plan as one HTML page that needs nothing else: no network, no script."""

from __future__ import annotations

from itertools import takewhile
from pathlib import PurePath
from typing import NamedTuple

from sizewright import __version__
from sizewright.evaluate.policy import Policy
from sizewright.evaluate.system import Evaluation
from sizewright.report.assumed import assumptions
from sizewright.report.budgetform import TITLE, remarks
from sizewright.report.html.bars import bars, strip
from sizewright.report.html.draw import drawing
from sizewright.report.html.environment import environment, plain
from sizewright.report.html.layout import PAPER, SLIM, WIDE
from sizewright.report.html.palette import TONES
from sizewright.report.html.shape import Drawing
from sizewright.report.html.slices import sliced
from sizewright.report.model import PlanReport, plan_verdict
from sizewright.report.names import Names
from sizewright.report.outline import Block, Outline, Part, Said
from sizewright.report.page import Page
from sizewright.report.text import tell


class _View(NamedTuple):
    """What the template shows."""

    title: str
    guide: str
    verdict: str
    says: tuple[Said | Block, ...]
    parts: tuple[Part, ...]
    wide: Drawing
    slim: Drawing
    paper: tuple[Drawing, ...]
    footer: tuple[tuple[str, str], ...]


def plan_html(report: PlanReport) -> str:
    """The page: verdict, drawing, then all that the text report says, with its arithmetic."""
    template = environment().get_template("page.html.jinja")
    return plain(template.render(view=_view(report), tones=TONES))


def _view(report: PlanReport) -> _View:
    outline = Outline()

    def on_budgets(page: Page, names: Names, policy: Policy, shown: Evaluation) -> None:
        lock = strip(report, names, shown)
        if lock is not None:
            page.heading("Kernel lock (what uses it)")
            outline.put(lock)
        page.heading(TITLE)
        outline.put(bars(report, names, shown))
        remarks(page, names, shown)

    tell(outline, report, on_budgets)
    outline.whole()
    assumptions(outline, report.budgets)
    first, *others = outline.parts()
    head, *below = first.sections
    # What stands below the verdict without a heading belongs to it: what is in the way.
    says = tuple(takewhile(lambda section: not section.title, below))
    rest = below[len(says) :]
    title, guide = (said.text for said in head.blocks if isinstance(said, Said))
    return _View(
        title, guide, plan_verdict(report.plan),
        tuple(block for section in says for block in section.blocks),
        tuple(part for part in (Part("", tuple(rest)), *others) if part.sections),
        drawing(report, WIDE), drawing(report, SLIM), sliced(drawing(report, PAPER)),
        _footer(report),
    )  # fmt: skip


def _footer(report: PlanReport) -> tuple[tuple[str, str], ...]:
    guide = report.plan.guide
    return (
        ("Guide", f"{guide.id}: {guide.title}"),
        ("Workload", f"{report.workload} ({PurePath(report.file).name})"),
        ("SHA-256 of the workload", report.digest),
        ("Made by", f"sizewright {__version__}"),
    )
