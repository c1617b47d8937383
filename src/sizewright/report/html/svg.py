"""The drawing alone, as an SVG file that needs nothing else."""

from __future__ import annotations

from sizewright.report.html.draw import drawing
from sizewright.report.html.environment import environment, plain
from sizewright.report.html.palette import TONES
from sizewright.report.model import PlanReport


def plan_svg(report: PlanReport) -> str:
    """The drawing of a plan's configuration, light or dark as its reader likes."""
    template = environment().get_template("alone.svg.jinja")
    markup = template.render(drawing=drawing(report), tones=TONES)
    return plain(markup)
