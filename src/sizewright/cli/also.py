"""The option that asks other guides of a box, and what they say."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

import click

from sizewright.api import Ready, judged_by, ready
from sizewright.check.rule_filter import RuleFilter, selected_of
from sizewright.cli.completing import ALL
from sizewright.cli.completing import other_guides as completed
from sizewright.errors import Diagnostic, InputError, Location, did_you_mean, join_or, shown
from sizewright.guide.paths import guide_files, guide_ids

if TYPE_CHECKING:
    from sizewright.check.check import Check
    from sizewright.check.cross_guide import CrossCheck

ALSO_BY = "--also-by"

also_by_option = click.option(
    ALSO_BY, "also_by", multiple=True, metavar="GUIDE", shell_complete=completed,
    help=f"Report the findings of another guide too, or of {ALL} others. Repeatable.",
)  # fmt: skip


def other_guides(named: tuple[str, ...], own: str, option: str = ALSO_BY) -> tuple[str, ...]:
    """The guides that an option asks beside the input's own, in a fixed order.

    Raises InputFaults for a guide that is not there, is the input's own or is named twice.
    """
    others = tuple(guide for guide in guide_ids() if guide != own)
    place, expected = Location(option), f"one of {join_or((*others, ALL))}"
    faults = []
    for name, times in Counter(named).items():
        if name == own:
            faults.append(Diagnostic(place, f"{own} is the input's own guide", expected))
        elif name not in (*others, ALL):
            what = f"there is no guide {shown(name)}"
            faults.append(Diagnostic(place, what, expected, did_you_mean(name, others)))
        elif times > 1:
            faults.append(Diagnostic(place, f"{name} is named more than once", "each guide once"))
        elif name != ALL and ALL in named:
            what, single = f"{name} is among {ALL}", f"{ALL} by itself, or each guide by its name"
            faults.append(Diagnostic(place, what, single))
    if faults:
        raise InputError(faults)
    return others if ALL in named else tuple(guide for guide in others if guide in named)


def engine_of(guide: str, overlays: Iterable[Path]) -> Ready:
    """Another guide than the input's own, with those overlays that have files for it.

    Raises InputFaults for a broken overlay.
    """
    return ready(guide, (folder for folder in overlays if guide_files(folder, guide)))


def opinion_of(
    check: Check, guide: str, overlays: Iterable[Path], selection: RuleFilter
) -> CrossCheck:
    """What another guide says of a check, with those overlays that have files for it.

    Raises InputFaults for a broken overlay, and for a rule that the guide lacks.
    """
    engine = engine_of(guide, overlays)
    return judged_by(check, engine, selected_of(guide, selection, engine.judging("box")))
