"""Budgets as text: how full each resource is, and how far it can change."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, NamedTuple

from sizewright.demand.backup import MEDIA
from sizewright.errors import counted, enumerated, plural
from sizewright.evaluate.budgets import Budget, against_recommended
from sizewright.evaluate.system import Evaluation
from sizewright.formula import quantity_text, readable
from sizewright.guide.model import Guide
from sizewright.load.backup import BackupRun, backup_on
from sizewright.load.storage import uncounted_boards
from sizewright.output.document import Document, Table, VerdictCell, make_table
from sizewright.output.explain import origin
from sizewright.output.layout import FLIPS_TOLD, ROUNDED_TO, SHORT_BAR
from sizewright.output.names import Names, bus_name, by_name, group, name_of_failed, row_name
from sizewright.output.remedies import without_lock
from sizewright.output.reports import PlanReport, Report
from sizewright.output.wording import (
    bar,
    code,
    likely_use,
    number,
    percent,
    quantity,
    span,
    use_and_limit,
    verdict_word,
    years,
)
from sizewright.quantity import Quantity, leaves, total

if TYPE_CHECKING:
    from sizewright.sensitivity.thresholds import BreakEven, Threshold


class BudgetWords(NamedTuple):
    """Share, use, limit and verdict of a resource as a person reads them.

    `likely` is the likely value of a use that is a range, and empty of others.
    """

    share: str
    used: str
    limit: str
    verdict: str
    likely: str

    @property
    def word(self) -> str:
        """The word for the verdict."""
        return verdict_word(self.verdict)


class BudgetTable(NamedTuple):
    """The budgets of a system at an `end` of the ranges; those with the same numbers in a line."""

    names: Names
    end: str
    shown: Evaluation

    def lines(self) -> Iterator[tuple[str, BudgetWords, tuple[Budget, ...]]]:
        """Return for each line its label, its numbers in words, and its budgets.

        Of each kind, the fullest comes first. Disks of another system are in the table of that one.
        """
        others = self.shown.system.others_disks
        own = (budget for budget in self.shown.budgets if budget.name not in others)

        def free(budget: Budget) -> float:
            return -round(budget.share_of_limit(self.end) or 0, ROUNDED_TO)

        kinds = group(own, lambda budget: budget.kind).values()
        ranked = (budget for alike in kinds for budget in sorted(alike, key=free))
        return self.names.alike((budget, budget_words(budget, self.end)) for budget in ranked)

    @property
    def table(self) -> Table:
        """Return the budgets as a table, with a bar for each line."""
        rows = tuple(
            (
                label, bar(same[0].share_of_limit(self.end), SHORT_BAR), words.share,
                words.likely, words.used, words.limit, VerdictCell(words.word, words.verdict),
            )
            for label, words, same in self.lines()
        )  # fmt: skip
        return make_table("resource |  | >share | >likely | >used | >limit | verdict", rows)


def add_budgets(document: Document, report: Report, shown: Evaluation) -> None:
    """Add the budgets of a system, and what a reader must know of them."""
    document.heading("Budgets (load and limit of each resource)")
    if shown.budgets:
        document.put(BudgetTable(report.names, report.end, shown))
    if len({budget.unit for budget in shown.budgets if budget.kind == "channel"}) > 1:
        document.note(
            "Transfers in ms/s are the time that devices occupy a bus, each at its own speed. "
            "Transfers in KB/s are compared with the rate of the channel."
        )
    if any(budget.kind == "stack" for budget in shown.budgets):
        media = report.names.guide.table("network-media").rows
        used = {each.medium for each in shown.facts.networks if each.limited_by_stack}
        found = enumerated(sorted(media[each].text("name") for each in used if each))
        document.note(
            f"Data through the protocol stack is all data on {found}, in KB/s. The processing of "
            "packets in the server limits it, not the medium; its limit is only recommended."
        )
    rated = {budget.name for budget in shown.budgets if budget.kind == "bus"}
    uncounted = group(uncounted_boards(shown.system, report.names.guide), lambda board: board.bus)
    for bus in sorted(rated & uncounted.keys()):
        boards = enumerated(map(report.names.part, uncounted[bus]))
        document.note(
            f"{bus_name(bus)} bus: the guide does not state what {boards} transfers over it, so "
            "that counts as nothing."
        )
    _add_recommended(document, report, shown)
    if no_lock := without_lock(report.names.guide, shown):
        document.item("{} [{}]".format(*no_lock))
    _add_backup(document, report, shown)


def _add_recommended(document: Document, report: Report, shown: Evaluation) -> None:
    """Add how full resources are against limits that the plan exceeds only if it must."""
    rows = report.names.rows(
        (each, (percent(each.share_of_limit(report.end)),
                *use_and_limit(each.used, each.limit), each.limit_rule))
        for each in against_recommended(shown.budgets)
    )  # fmt: skip
    if rows:
        document.heading("Recommended limits, lower than those above")
        document.table("resource | >share | >used | >recommended | rule", rows)


def _add_backup(document: Document, report: Report, shown: Evaluation) -> None:
    """Add how long a backup takes, on what, and where its rates come from."""
    guide = report.names.guide
    run = backup_on(shown.load, shown.system, guide)
    if run is None:
        return
    asked = run.asked
    drives = ", ".join(drives_of(run, guide))
    where = f" on another system, over network {asked.over}" if asked.over else ""
    if asked.over and run.kb_per_s is None:
        where += ", whose speed is not known"
    # What is planned is stated; of an existing server it is asked for.
    hours = f"; while the system is {'' if asked.while_in_use else 'not '}in use"
    window = "no window is stated" if asked.window is None else f"window {quantity(asked.window)}"
    rows = [
        ("data", quantity(run.data_mb), f"one copy of {counted(len(run.data or ()), 'volume')}"),
        ("rate", quantity(run.kb_per_s), f"{drives or 'no drive'}{where}{_cited(run.kb_per_s)}"),
        (
            "full backup", quantity(run.full_hours),
            window + hours * isinstance(report, PlanReport),
        ),
    ]  # fmt: skip
    if asked.incremental is not None:
        share = quantity(asked.incremental.to("%"))
        rows.append(("daily backup", quantity(run.daily_hours), f"{share} of the data"))
    rows += _tapes(run)
    volumes = shown.load.usage.volumes
    raw = [
        line for line in run.data or ()
        if line.name in volumes and volumes[line.name].use == "raw" and volumes[line.name].database
    ]  # fmt: skip
    if raw:
        rows.append((
            "raw data of databases", quantity(total((line.figure for line in raw), "MB")),
            f"{by_name(line.name for line in raw)}: saved with the manager's own dump facility, "
            "not as files",
        ))  # fmt: skip
    if asked.while_in_use and not isinstance(report, PlanReport):
        rows.append((
            "reads of the disks", "not counted",
            "the guide states no load of disks and kernel by a backup while they are in use",
        ))  # fmt: skip
    document.heading("Backup")
    document.table("what | >value | from", rows)


def drives_of(run: BackupRun, guide: Guide) -> list[str]:
    """Return the drives that a backup runs on, with how many of each model."""
    return [f"{number} × {row_name(guide, MEDIA, model)}" for model, number in run.drives.items()]


def _tapes(run: BackupRun) -> Iterator[tuple[str, str, str]]:
    """Yield how many tapes a full backup fills, and whether they are changed while it runs."""
    number, source = quantity(run.media), _cited(run.media).lstrip()
    if run.asked.tape_mb is not None:
        source = f"{quantity(run.asked.tape_mb)} a tape"
    elif run.more_tapes_than:
        number = f"more than {run.more_tapes_than}"
        source = f"{quantity(run.too_much_mb)} exceed one tape{_cited(run.too_much_mb)}"
    yield (
        "tapes for a full backup", number,
        source or f"no capacity of a tape is known: state {code('tape_mb')}",
    )  # fmt: skip
    inside = f"{counted(run.tapes, 'tape')} inside the drives"
    if run.exceeds_tapes:
        when = "while it runs" if run.asked.window is None else "within the window"
        yield "change of tapes", "needed", f"{inside}: someone must change tapes {when}"
    elif run.exceeds_tapes is None and run.more_tapes_than:
        yield "change of tapes", "unknown", f"{inside}; state {code('tape_mb')}"


def add_scenarios(document: Document, report: PlanReport) -> None:
    """Add the scenario that decides each resource; nothing if no services are exclusive."""
    found = report.scenarios
    if not found:
        return
    rows: list[tuple[Budget, tuple[str, ...]]] = []
    for each in found:
        uses = {" and ".join(active): quantity(used) for active, used in each.uses}
        most = " and ".join(each.active)
        rest = "; ".join(f"{used} with {name}" for name, used in uses.items() if name != most)
        rows.append((report.budget(each.resource), (most, uses[most], rest)))
    document.heading("Scenarios (services that are never active together)")
    document.table("resource | decided by | >used | in other scenarios", report.names.rows(rows))
    document.note("The use of all other resources is the same in every scenario.")


def _cited(figure: Quantity | None) -> str:
    """Return the cells of tables that a figure comes from, in brackets."""
    places = (origin(leaf) for leaf in (leaves(figure) if figure else ()))
    found = dict.fromkeys(place for _, place in places if place.startswith("table "))
    return f" [{'; '.join(found)}]" if found else ""


def budget_words(budget: Budget, end: str) -> BudgetWords:
    """Return a resource in words, with its share at an end of the ranges.

    A resource with only a recommended limit has no other, so none is unknown.
    """
    if budget.limit is None and budget.recommended is not None:
        likely = likely_use(budget.used, None)
        return BudgetWords("–", span(budget.used), "no limit", budget.verdict, likely)
    share, used = percent(budget.share_of_limit(end)), use_and_limit(budget.used, budget.limit)
    likely = likely_use(budget.used, budget.limit)
    return BudgetWords(share, *used, budget.verdict, likely)


_PASSES, _BORDERLINE = "passes", "borderline"
# How a value is called that is a bound above, or below, of what passes now.
_BOUND = {_PASSES: {True: "up to", False: "down to"}, _BORDERLINE: {True: "above", False: "below"}}
_ONLY = {True: "only up to", False: "only from"}


def add_sensitivity(document: Document, report: Report, found: BreakEven) -> None:
    """Add the nearest values at which a result changes."""
    document.heading("Sensitivity (how far one value can change until a result changes)")
    more = 0
    tables = (
        ("your input", _PASSES, [flip for flip in found.flips if _is_stated(flip)]),
        ("constant of the guide", _PASSES, [flip for flip in found.flips if not _is_stated(flip)]),
        ("your input", _BORDERLINE, [flip for flip in found.borderline if _is_stated(flip)]),
    )
    for n, (title, what, flips) in enumerate(tables):
        if flips and n:
            document.gap()
        rows = [
            (
                _called(flip.leaf),
                _value_text(flip.leaf, flip.leaf.at(flip.end)),
                f"{(_BOUND[what] if flip.holds_now else _ONLY)[flip.at_most]} "
                f"{_value_text(flip.leaf, flip.value)}",
                _resources(report, (flip.resource, *flip.also)),
            )
            for flip in flips[:FLIPS_TOLD]
        ]
        more += max(0, len(flips) - FLIPS_TOLD)
        document.table((title, ">now", what, "changes"), rows)
    within = number(found.within)
    steady = counted(found.steady, "value has", "values have")
    at_zero = counted(found.at_zero, "value is", "values are")
    rest = [f"{more} more values would have to change further."] if more else []
    rest += [f"{steady} no effect, even at {within}× or 1/{within}."] if found.steady else []
    rest += [f"{at_zero} 0, and no factor changes 0."] if found.at_zero else []
    document.note(" ".join(rest) or "No other value changes a result.")


def _is_stated(flip: Threshold) -> bool:
    """Return whether the user states the value, not the guide."""
    return flip.leaf.source is not None and flip.leaf.source.kind == "input"


def _value_text(leaf: Quantity, value: float) -> str:
    shown = readable(Quantity(value, value, value, leaf.unit, name=leaf.name, source=leaf.source))
    return quantity_text(shown.high, shown.unit)


def _called(leaf: Quantity) -> str:
    """A leaf as a person would look it up."""
    kind, where = (leaf.source.kind, leaf.source.where) if leaf.source else ("", "")
    if kind == "table":
        return where.replace("/", ": ", 1).replace("/", ", ", 1)
    return where if kind == "parameter" else leaf.name


def _resources(report: Report, resources: Iterable[str]) -> str:
    """Resources in words, those of a kind together; with their system where there are several."""
    alike = group(map(report.budget, resources), lambda budget: (budget.system, budget.kind))
    return "; ".join(
        (f"{system} " if len(report.named) > 1 else "")
        + report.named[system].resource(kind, [budget.name for budget in same])
        for (system, kind), same in alike.items()
    )


def add_growth(document: Document, report: PlanReport, terse: bool = False) -> None:
    """Add when the first resources reach their limits; in short, when the first one does."""
    from sizewright.sensitivity.thresholds import reaches

    first, *later = report.growth
    labels = [_resources(report, [each.resource]) for each in report.growth]
    horizon = first.horizon_years
    planned = f"Growth: planned for {number(horizon)} {plural(horizon, 'year')}"
    if first.years is None:
        document.say(f"{planned}. No resource reaches its limit in the foreseeable future.")
        return
    when = "is already over its limit today"
    if first.years:
        when = f"reaches its limit after {years(first.years, horizon)}"
    text = f"{planned}. First limit: {labels[0]} {when}"
    if later and later[0].years and not terse:
        text += f"; next: {labels[1]} after {years(later[0].years, horizon)}"
    document.say(f"{text}.")
    recommended = against_recommended(report.budgets_at_worst)
    earlier = next(iter(reaches(recommended, report.end)), None)
    if earlier is not None and earlier.years is not None and earlier.years < first.years:
        label = _resources(report, [earlier.resource])
        when = (
            f"reaches it after {years(earlier.years, horizon)}" if earlier.years else "is over it"
        )
        document.say(f"First recommended limit: {label} {when}.")
    if not terse:
        say_at_worst(document, report)


def say_at_worst(document: Document, report: PlanReport, depth: int = 0) -> None:
    """Say that resources are counted as they are after a failure, if some are fuller then."""
    failure = report.plan.tightest_failure
    if failure is not None and report.budgets_at_worst != report.budgets:
        failed = name_of_failed(report.guide, failure, report.plan.group is not None)
        document.say(f"Counted as after the failure of {failed}.", depth=depth)
