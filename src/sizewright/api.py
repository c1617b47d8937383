"""The program as a library: load a guide, read a workload, plan it."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from sizewright.demand.build import demand_of
from sizewright.documents import Document
from sizewright.errors import Diagnostic, InputError, Location, did_you_mean, tried
from sizewright.evaluate.policy import Policy
from sizewright.guide.loader import load_guide
from sizewright.guide.model import BlankCellError, Guide
from sizewright.planner.pair import plan_for
from sizewright.planner.plan import Plan
from sizewright.planner.plannable import check_plannable
from sizewright.planner.watch import Watch, unwatched
from sizewright.rules.book import RuleBook, rule_book
from sizewright.units import PURE
from sizewright.workload import Policy as Stated
from sizewright.workload import Workload, read_workload

if TYPE_CHECKING:
    from sizewright.box.schema import Box
    from sizewright.check.judge import Check
    from sizewright.check.opinion import Opinion
    from sizewright.check.select import Selection

__all__ = ["Ready", "check", "judged_by", "load_guide", "plan", "read_workload", "ready"]


T = TypeVar("T")


class Ready:
    """A guide with its rules, which are compiled when they are first asked for."""

    def __init__(self, guide: Guide) -> None:
        self.guide = guide
        self._judging: dict[str, RuleBook] = {}

    @cached_property
    def book(self) -> RuleBook:
        """Every rule; raises InputFaults."""
        return rule_book(self.guide)

    def judging(self, what: str) -> RuleBook:
        """The rules that are asked of a plan, or of a box; raises InputFaults."""
        if what not in self._judging:
            whole = "book" in vars(self)
            self._judging[what] = (
                self.book.judging(what) if whole else rule_book(self.guide, judging=what)
            )
        return self._judging[what]


def ready(guide: str, overlays: Iterable[Path] = ()) -> Ready:
    """Load a guide with its rules; raises InputFaults, with every fault that overlays bring."""
    engine = Ready(load_guide(guide, overlays))
    if engine.guide.changes:
        # Compiled at once, so that a rule that nobody asks this time is told too.
        _ = engine.book
    return engine


def plan(
    workload: Workload, engine: Ready, systems: int | None = None, watch: Watch = unwatched
) -> Plan:
    """Plan a workload, on so many systems as are asked for beside what it says.

    `watch` is told what is being tried.

    Raises InputFaults for names or parameters that the guide does not have, and for a guide that
    tells too little of its machines.
    """
    guide = engine.guide
    check_plannable(guide)
    faults: list[Diagnostic] = []
    book = _tried(faults, partial(book_for, workload.policy, engine, "plan"))
    demand = _tried(faults, partial(demand_of, workload, guide))
    policy = _tried(faults, partial(policy_of, workload.policy, guide))
    if book is None or demand is None or policy is None or faults:
        raise InputError(faults)
    if systems is not None:
        demand = demand._replace(systems=systems)
    found = _tried(faults, partial(plan_for, demand, guide, book, policy, watch))
    if found is None:
        raise InputError(faults)
    if found.chosen is not None and (demand.survives or found.pair is not None):
        from sizewright.planner.failing import broken_promises, unsurvived

        failures = unsurvived(found, demand.survives, book) or broken_promises(found, book)
        found = found._replace(unsurvived=failures)
    return found


def _tried(faults: list[Diagnostic], work: Callable[[], T]) -> T | None:
    try:
        return tried(faults, work)
    except BlankCellError as error:
        place = Location(f"table {error.table}, {error.row}")
        what = f"{error.column} is blank, and this plan needs it"
        faults.append(Diagnostic(place, what, "a figure from the guide or an overlay"))
    return None


def check(box: Box, engine: Ready, rules: Iterable[str] = ()) -> Check:
    """Judge a box by all rules or those named; raises InputFaults for names the guide lacks."""
    from sizewright.check.judge import check_box
    from sizewright.check.select import known_rules

    faults: list[Diagnostic] = []
    book = _tried(faults, partial(book_for, box.policy, engine, "box")) or engine.judging("box")
    policy = _tried(faults, partial(policy_of, box.policy, engine.guide))
    named = _tried(faults, partial(known_rules, rules, engine.book))
    asked = book.only(named) if named else book
    found = policy and _tried(faults, partial(check_box, box, engine.guide, book, policy, asked))
    if found is None or faults:
        raise InputError(faults)
    return found


def judged_by(found: Check, engine: Ready, selection: Selection | None = None) -> Opinion:
    """What the rules of another guide, or those selected, say of the facts of a check."""
    from sizewright.check.opinion import opinion
    from sizewright.check.select import EVERYTHING

    return opinion(found, engine.guide, engine.judging("box"), selection or EVERYTHING)


def book_for(policy: Stated, engine: Ready, judging: str) -> RuleBook:
    """The rules that judge plans or boxes, with the parameters that a file's policy states.

    Raises InputFaults for parameters that no rule has.
    """
    if policy.parameters:
        return rule_book(engine.guide, policy.parameters).judging(judging)
    return engine.judging(judging)


def policy_of(stated: Stated, guide: Guide) -> Policy:
    """The policy that a file states; raises InputFaults for a waiver of an unknown rule."""
    known = list(guide.rules)
    faults = [
        Diagnostic(
            getattr(w.rule, "place", Location("policy.waive")), f"there is no rule '{w.rule}'", "",
            did_you_mean(w.rule, known),
        )
        for w in stated.waive if w.rule not in known
    ]  # fmt: skip
    if faults:
        raise InputError(faults)
    waived = {w.rule: w.reason for w in stated.waive}
    reserve = stated.reserve.to(PURE) if stated.reserve is not None else None
    return Policy(stated.size_for, stated.follow_advice, waived, stated.parameters, reserve)


def workload_guide(document: Document, chosen: str, default: str) -> str:
    """Which guide to use: the one chosen on the command line, the file's own, or the default."""
    data = document.data
    own = data.get("guide") if isinstance(data, dict) else None
    return chosen or (str(own) if isinstance(own, str) else "") or default
