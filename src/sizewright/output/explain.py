"""Each number of a budget or a finding traced to its source, as text and as Markdown."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import PurePath
from typing import Any

from sizewright.errors import Location, did_you_mean, join_or, refusal
from sizewright.evaluate.budgets import Budget
from sizewright.facts.records import facts_of
from sizewright.formula import formula, quantity_text, shown_operands, terms
from sizewright.guide.model import Guide
from sizewright.output.document import Document
from sizewright.output.names import END_NAMES, Names, group, kind_name
from sizewright.output.remedies import without_lock
from sizewright.output.render import PLAIN, Style, render_markdown, render_text
from sizewright.output.reports import PlanReport, Report
from sizewright.output.several import is_among, number_of_parts, without_number
from sizewright.output.summary import add_omissions
from sizewright.output.wording import NOTHING, percent, result_word, verdict_word
from sizewright.quantity import Quantity
from sizewright.rules.rule import Finding, in_words
from sizewright.units import PURE

_METHOD = "the method"
_LOCK = "kernel_lock"
# As a report heads a finding, too: "Rule VII on channel esp0", or only "VII".
_WANTED = re.compile(r"(?:rule )?(?P<rule>\S+?)(?:(?: on)? (?:\S+ )??(?P<part>\S+?))?:?", re.I)


def choose(report: Report, wanted: str = "") -> tuple[tuple[Budget, ...], tuple[Finding, ...]]:
    """Return the budgets and the findings that are wanted; without a name, all budgets.

    Budgets go by their resource or kind, findings by their rule, both by their part; by id or as
    reports write it. Raises InputError with the nearest name.
    """
    known, name = report.budgets, wanted.strip("/")
    if not name:
        return known, ()
    found = tuple(
        b for b in known if f"{b.resource}/".startswith((f"{name}/", f"{b.system}/{name}/"))
    )
    if found:
        return found, ()
    part = name.rpartition("/")[2]
    findings = _headed(report, name.casefold()) or findings_on(report.findings, name)
    if any(is_about(finding.subject, name) for finding in findings):
        found = tuple(b for b in known if b.name == part)
    found = found or _labelled(report, name.casefold())
    found = found or tuple(_of_parts(report, without_number(name)) if not findings else ())
    # A service may have the name of a network.
    found = tuple(dict.fromkeys((*found, *_of_service(report, name))))
    if not findings and not found:
        names = list(dict.fromkeys(b.resource.removeprefix(f"{b.system}/") for b in known))
        others = [*(b.resource for b in known), *(b.kind for b in known)]
        error = f"no resource, rule or part is called '{wanted}'"
        expected = f"one of {join_or(names)}; or a rule or a part with findings"
        others += (each for f in report.findings for each in (f.rule, f.subject.rpartition("/")[2]))
        # A part whose rules do not apply has the name that is wanted.
        near = did_you_mean(name, [each for each in (*names, *others) if each != name])
        if why_not := _why_no_lock(report, name):
            error, near = why_not, ""
        raise refusal(Location(report.file), error, expected, near)
    return found, findings


def _why_no_lock(report: Report, name: str) -> str:
    """Return why no system has a kernel lock; empty if one has, or if another name is wanted."""
    if name.casefold() not in (_LOCK, kind_name(_LOCK)):
        return ""
    found = (without_lock(report.guide, judged) for judged in report.systems)
    return next(("{} [{}]".format(*why) for why in found if why), "")


def _of_parts(report: Report, name: str) -> Iterator[Budget]:
    """Yield the budgets that a part of this name uses; all of a machine's."""
    for system, names in report.named.items():
        parts = {part for label, part in names.labels() if label.casefold() == name.casefold()}
        for budget in report.budgets:
            if budget.system == system and (
                system in parts
                or budget.name in parts
                or any(item.name in parts for item in budget.items)
            ):
                yield budget


def _of_service(report: Report, name: str) -> Iterator[Budget]:
    """Yield the budgets that a service of this name uses."""
    for budget in report.budgets:
        if any(item.owner.casefold() == name.casefold() for item in budget.items):
            yield budget


def _headed(report: Report, name: str) -> tuple[Finding, ...]:
    """Return the findings under this heading in a report: `rule vii on channel built-in scsi`."""

    def heading(finding: Finding) -> str:
        names = report.named[finding.subject.partition("/")[0]]
        return f"{finding.rule} on {names.subject(finding.subject)}".casefold()

    return tuple(f for f in report.findings if name.removeprefix("rule ") == heading(f))


def _labelled(report: Report, name: str) -> tuple[Budget, ...]:
    """Return the budgets that reports call so, else those that a row of a table has this name for.

    A name without the kind, as `1.3 gb disk #1 and #2`, is of all kinds.
    """
    labels = [(budget, tuple(_labels(report, budget))) for budget in report.budgets]
    same = tuple(budget for budget, names in labels if name in names)
    if same:
        return same
    among = [budget for budget, names in labels if any(is_among(one, name) for one in names)]
    number = number_of_parts(name)
    # A row of a table is of those with the same numbers.
    for key in (_numbers, lambda budget: (budget.system, budget.kind)):
        rows = [row for row in group(among, key).values() if len(row) == number]
        if rows:
            return tuple(budget for row in rows for budget in row)
    return ()


def _numbers(budget: Budget) -> tuple[object, ...]:
    figures = (budget.used, budget.limit)
    return (
        budget.system,
        budget.kind,
        *((each.low, each.high) if each else None for each in figures),
    )


def _labels(report: Report, budget: Budget) -> Iterator[str]:
    """Yield what reports call a resource, all of its kind, and its part; in small letters."""
    names = report.named[budget.system]
    yield names.budget(budget).casefold()
    yield kind_name(budget.kind).casefold()
    yield names.of(budget.kind, budget.name).casefold()


def explain_text(
    report: Report, wanted: str = "", end: str | None = None, style: Style = PLAIN
) -> str:
    """Return budgets and findings with every number traced, as an indented tree.

    Formulas are those of an end of all ranges, by default of the one that is sized for.
    """
    document = Document()
    _trace_wanted(document, report, wanted, end)
    return render_text(document, style)


def explain_markdown(report: Report, wanted: str = "", end: str | None = None) -> str:
    """Return the same as Markdown, under a title, to paste into a quote."""
    document = Document()
    title = f": {report.title}" if report.title else ""
    document.say(f"Derivation for {report.name}{title}", strong=True)
    document.say(f"Guide {report.guide.id}: {report.guide.title}.")
    _trace_wanted(document, report, wanted, end)
    return render_markdown(document)


def _trace_wanted(document: Document, report: Report, wanted: str, end: str | None) -> None:
    budgets, findings = choose(report, wanted)
    if isinstance(report, PlanReport) and not report.plan.chosen:
        nearest = report.plan.nearest
        below = f" Traced below: the closest alternative, {nearest.name}." if nearest else ""
        document.say(f"No configuration meets every limit.{below}", verdict="violated")
    if isinstance(report, PlanReport):
        add_omissions(document, report, 0 if wanted else None)
    shown = end or report.end
    if shown != report.end:
        document.say(
            f"Shares and formulas are at {END_NAMES[shown]}, verdicts at {END_NAMES[report.end]}."
        )
    for budget in budgets:
        trace_budget(document, shown, report.named[budget.system], budget)
    for finding in findings:
        trace_finding(document, report, finding, shown)


def trace_budget(document: Document, end: str, names: Names, budget: Budget) -> None:
    """Add a heading, the use, and every line, capacity and limit down to its source."""
    document.heading(f"{budget.resource} ({names.budget(budget)})")
    share = budget.share_of_limit(end)
    limit = "its limit is unknown" if share is None else f"{percent(share)} of its limit"
    used = f"used {exact(budget.used)}, {limit}: {verdict_word(budget.verdict)}"
    document.say(used, verdict=budget.verdict)
    trace = _Trace(document, end)
    for item in budget.items:
        document.item(f"{names.line(item.name)}: {exact(item.figure)}")
        trace(item.figure, 2)
    if not budget.items:
        document.note("no load")
    by = f", set by rule {budget.limit_rule}" if budget.limit_rule else ""
    capacity = budget.capacity if budget.capacity is not budget.limit else None
    for what, figure, rule in (("capacity", capacity, ""), ("limit", budget.limit, by)):
        if figure is not None:
            document.item(f"{what} {exact(figure)}{rule}")
            trace(figure, 2)


def findings_on(found: Sequence[Finding], wanted: str) -> tuple[Finding, ...]:
    """Return the findings of a rule, of a rule on a part, or those on a part that apply."""
    on_part = tuple(
        f for f in found if f.verdict != "not_applicable" and is_about(f.subject, wanted)
    )
    match = _WANTED.fullmatch(wanted)
    if on_part or match is None:
        return on_part
    rule, part = match["rule"].lower(), match["part"]
    of_rule = [f for f in found if f.rule.lower() == rule]
    return tuple(f for f in of_rule if part is None or is_about(f.subject, part))


def is_about(subject: str, wanted: str) -> bool:
    """Whether a subject (`system/kind/name`) is what is wanted: itself, or its end."""
    return subject == wanted or subject.endswith(f"/{wanted}")


def read_values(finding: Finding, guide: Guide) -> Iterator[tuple[str, str, Any]]:
    """Yield the facts that the conditions of a finding read, then the parameters.

    Each has its name, what it is, and its value.
    """
    for subject, name in sorted(finding.asked.reads):
        what = facts_of(subject, guide)[name].doc
        yield f"{subject}.{name}", what, getattr(finding.read[subject], name)
    asked = [finding.asked.require, *([finding.asked.when] if finding.asked.when else [])]
    for name in sorted({name for each in asked for name in each.parameters}):
        yield name, f"parameter of rule {finding.rule}", finding.asked.parameters[name]


def conditions(finding: Finding) -> tuple[str, str]:
    """Return when the rule applies (empty: always), and what it requires, as it states them."""
    when, require = finding.asked.when, finding.asked.require
    return " ".join(when.text.split()) if when else "", " ".join(require.text.split())


def trace_finding(document: Document, report: Report, finding: Finding, end: str) -> None:
    """Add a heading, the verdict, the conditions, and each fact that they read with its source."""
    names = report.named[finding.subject.partition("/")[0]]
    document.heading(f"Rule {finding.rule} on {names.subject(finding.subject)}: {finding.title}")
    message = names.message(finding)
    told = (
        f"{result_word(finding.verdict, finding.severity)} ({finding.severity})"
        f"{f': {message}' if message else ''}"
    )
    document.say(told, verdict=finding.verdict)
    if finding.remedy:
        document.say(f"to do: {finding.remedy}")
    when, require = conditions(finding)
    document.say(f"required{f' if {when}' if when else ''}: {require} [{finding.source}]")
    trace = _Trace(document, end)
    for name, what, value in read_values(finding, report.guide):
        told = exact(value) if isinstance(value, Quantity) else in_words(value)
        document.item(f"{name}: {told} ({what})")
        if isinstance(value, Quantity):
            trace(value, 2)


class _Trace:
    """Traces numbers at one end of the ranges; a named number is traced only once."""

    def __init__(self, document: Document, end: str) -> None:
        self.document = document
        self.end = end
        self.done: set[tuple[str, str]] = set()

    def __call__(self, figure: Quantity, depth: int) -> None:
        """The formula of a figure in numbers, and each of its operands below it."""
        inner = figure
        while inner.op == "is":
            inner = inner.args[0]
        if not inner.args:
            self.document.item(leaf_text(inner), depth)
            return
        told = formula(inner, self.end)
        if told != exact(inner):
            named = terms(inner, self.end)
            for text in dict.fromkeys((named, told)):
                self.document.item(f"= {text}", depth)
        for operand in operands(inner):
            if not operand.args:
                self.document.item(leaf_text(operand), depth + 1)
                continue
            known = (operand.name, exact(operand))
            again = " (traced above)" if known in self.done else ""
            self.document.item(f"{exact(operand)}: {operand.name}{again}", depth + 1)
            if not again:
                self.done.add(known)
                self(operand, depth + 2)


def operands(figure: Quantity) -> Iterator[Quantity]:
    """The leaves and named figures that a formula shows, each once; not what needs no source."""
    seen = set()
    for operand in _shown(figure):
        source = operand.source
        if source is not None and (source.where == _METHOD or source.where.startswith("1 ")):
            continue
        key = (operand.name, operand.low, operand.high)
        if key not in seen:
            seen.add(key)
            yield operand


def _shown(figure: Quantity) -> Iterator[Quantity]:
    for arg in shown_operands(figure):
        if not arg.args or arg.op == "is":
            yield arg
        else:
            yield from _shown(arg)


def exact(figure: Quantity | None) -> str:
    """The range of a figure with its unit, as formulas show numbers."""
    if figure is None:
        return NOTHING
    high = quantity_text(figure.high, figure.unit)
    low = quantity_text(figure.low, PURE)
    return high if low == quantity_text(figure.high, PURE) else f"{low}–{high}"


def leaf_text(leaf: Quantity) -> str:
    """A leaf's value, name and place."""
    what, where = origin(leaf)
    return f"{exact(leaf)}: {what}" + (f" [{where}]" if where else "")


def origin(leaf: Quantity) -> tuple[str, str]:
    """Return what a leaf is, and its source."""
    source = leaf.source
    if source is None:
        return leaf.name, ""
    what, place = leaf.name, source.where
    if source.kind == "table":
        table, _, cell = place.partition("/")
        row, _, column = cell.partition("/")
        what, place = f"{column} of {row}", f"table {table}"
    elif source.kind == "input":
        place = PurePath(place).name
    elif source.kind == "count":
        place = "counted"
    elif source.kind == "parameter":
        what, place = place, ""
    cite = source.cite if not source.cite[:1].isdigit() else f"section {source.cite}"
    return what, ", ".join(part for part in (place, cite, source.status) if part)
