"""From the options to a guide that is ready and a plan."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from sizewright.api import Ready, check, plan, policy_of, read_workload, ready, workload_guide
from sizewright.check.rule_filter import EVERYTHING, RuleFilter, selected, selected_here
from sizewright.cli.also import opinion_of, other_guides
from sizewright.cli.mistaken import box_of, workload_of
from sizewright.cli.options import Common
from sizewright.documents import Document, read_document
from sizewright.errors import Location, did_you_mean, join_or, refusal
from sizewright.guide.model import Guide
from sizewright.guide.paths import default_guide, guide_ids
from sizewright.output.reports import PlanReport
from sizewright.planner.watch import Watch, unwatched

if TYPE_CHECKING:
    from sizewright.output.reports import CheckReport
    from sizewright.planner.plan import Plan
    from sizewright.workload import Workload

End = Literal["low", "likely", "high"]


def engine(common: Common, document: Document | None = None) -> Ready:
    """The guide that the options or the document ask for, with its rules; raises InputFaults."""
    for overlay in common.overlays:
        if not overlay.is_dir():
            what = "is no folder" if overlay.exists() else "there is no such folder"
            raise refusal(Location(str(overlay)), what, "a folder with tables or rules")
    if document is None:
        return ready(common.guide or default_guide(), common.overlays)
    chosen = workload_guide(document, common.guide, default_guide())
    if not common.guide and chosen not in guide_ids():
        place = document.place(("guide",))
        expected = f"one of {', '.join(guide_ids())}"
        what = f"there is no guide '{chosen}'"
        raise refusal(place, what, expected, did_you_mean(chosen, guide_ids()))
    return ready(chosen, common.overlays)


def planned(
    common: Common,
    workload: str,
    size_for: End | None = None,
    selection: RuleFilter = EVERYTHING,
    systems: int | None = None,
    watch: Watch = unwatched,
) -> PlanReport:
    """The plan for a workload file, ready to be reported; raises InputFaults.

    `systems` is how many are asked for on the command line; `watch` is told what is being tried.
    """
    document = read_document(Path(workload) if workload != "-" else workload)
    return planned_from(common, document, size_for, selection, systems, watch)


def planned_from(
    common: Common,
    document: Document,
    size_for: End | None = None,
    selection: RuleFilter = EVERYTHING,
    systems: int | None = None,
    watch: Watch = unwatched,
) -> PlanReport:
    """The same for a workload file that was read."""
    asked = asked_for(common, document, size_for)
    guide = engine(common, document)
    shown = selected(selection, guide.judging("plan"))
    found = plan(asked, guide, systems, watch)
    return reported(found, asked, document)._replace(selection=shown)


def asked_for(common: Common, document: Document, size_for: End | None = None) -> Workload:
    """The workload of a document, with the policy of the command line; raises InputFaults."""
    asked = workload_of(read_workload, document)
    if common.reserve is not None:
        asked = asked.replace(policy=asked.policy.replace(reserve=common.reserve))
    if size_for:
        asked = asked.replace(policy=asked.policy.replace(size_for=size_for))
    return asked


def reported(found: Plan, asked: Workload, document: Document) -> PlanReport:
    """A plan with where its workload came from."""
    return PlanReport(found, asked.name, asked.title or "", document.name, document.digest)


def checked(
    common: Common, box: str, selection: RuleFilter = EVERYTHING, also_by: tuple[str, ...] = ()
) -> CheckReport:
    """The check of a box file, ready to be reported; raises InputFaults.

    `also_by` names other guides that are asked of its facts.
    """
    from sizewright.box.read import read_box
    from sizewright.output.reports import CheckReport

    document = read_document(Path(box) if box != "-" else box)
    stated = box_of(read_box, document)
    if common.reserve is not None:
        stated = stated.replace(policy=stated.policy.replace(reserve=common.reserve))
    ready = engine(common, document)
    others = other_guides(also_by, ready.guide.id)
    here = selected_here(ready.guide.id, selection, others) if others else selection
    asked = selected(here, ready.book.judging("box"))
    rules = [rule.id for rule in ready.book.rules if asked.asks(rule.id, rule.severity)]
    found = check(stated, ready, rules)
    policy = policy_of(stated.policy, ready.guide)
    opinions = tuple(opinion_of(found, other, common.overlays, selection) for other in others)
    return CheckReport(found, document, policy, asked, others=opinions)


def named(guide: Guide, kind: str, name: str, known: Iterable[str]) -> str:
    """A name that the guide has; raises InputFaults with the nearest that it does have."""
    names = tuple(known)
    exact = {one.lower(): one for one in names}
    if name.lower() in exact:
        return exact[name.lower()]
    expected = f"one of {join_or(names)}"
    what = f"there is no {kind} '{name}'"
    raise refusal(Location(f"guide {guide.id}"), what, expected, did_you_mean(name, names))
