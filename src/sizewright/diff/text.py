"""A difference of two plans or checks as a page of text."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any

from sizewright.diff.model import (
    THERE,
    Cause,
    ChangedPart,
    ChangedValue,
    Difference,
    Section,
    Side,
    Trend,
    is_quantity,
)
from sizewright.errors import enumerated
from sizewright.limits import DECIMALS
from sizewright.output.document import Document
from sizewright.output.layout import CAUSES_TOLD, DIGEST_TOLD, FIGURES_TOLD
from sizewright.output.names import by_name, group, resource_name
from sizewright.output.render import PLAIN, Style, render_text
from sizewright.output.wording import number, percent, quantity, result_word
from sizewright.quantity import Quantity
from sizewright.units import PERCENT

NONE = "none"
_SHARES = ("share", "share_of_limit", "load_share")


def pair_text(figure: str, before: Any, after: Any, severity: str = "") -> tuple[str, str]:
    """Return two values in words, exactly if rounded ones would look the same.

    A verdict is that of a rule of this severity.
    """
    rounded = value_text(before, figure, severity), value_text(after, figure, severity)
    if rounded[0] != rounded[1]:
        return rounded
    if _is_share(figure) and isinstance(before, float) and isinstance(after, float):
        for decimals in range(1, DECIMALS):
            told = [f"{value * PERCENT:.{decimals}f}%" for value in (before, after)]
            if told[0] != told[1]:
                return told[0], told[1]
    return _exact(before, figure), _exact(after, figure)


def value_text(value: Any, figure: str = "", severity: str = "") -> str:
    """A value in words: a quantity with its unit, a share in percent, a verdict by its word."""
    if value is None or value == "":
        return NONE
    if isinstance(value, bool):
        return "yes" if value else "no"
    if is_quantity(value):
        return quantity(Quantity(value["low"], value["likely"], value["high"], value["unit"]))
    if isinstance(value, (int, float)):
        if _is_share(figure):
            return percent(value)
        return f"{value:.10g}" if value == int(value) else number(value)
    is_verdict = figure.rpartition(".")[2] == "verdict"
    return result_word(str(value), severity) if is_verdict else str(value)


def _exact(value: Any, figure: str) -> str:
    if is_quantity(value):
        ends = dict.fromkeys(repr(value[end]) for end in ("low", "likely", "high"))
        return f"{' / '.join(ends)} {value['unit']}"
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        return f"{value * PERCENT!r}%" if _is_share(figure) else repr(value)
    return value_text(value, figure)


def _is_share(figure: str) -> bool:
    return figure.rpartition(".")[2] in _SHARES


_TITLES: Mapping[Section, str] = {
    "plan": "Result",
    "order": "Parts to order",
    "finding": "Findings",
    "headroom": "Headroom",
    "budget": "Budgets",
    "more": "Placement, and other details",
}
_FIGURES = {"share_of_limit": "share", "limit_rule": "limited by rule", "do_first": "do first",
            "known_loads": "known loads", "determinant.resource": "bottleneck",
            "determinant.share": "its share", "cut_short": "search stopped early",
            "proven": "proven to be the smallest", "running_per_year": "running cost a year",
            "unpriced": "parts without a price"}  # fmt: skip
_KINDS = {
    "input": "input value",
    "table": "table cell",
    "parameter": "rule parameter",
    "overlay": "overlay",
    "policy": "policy",
    "workload": "input file",
    "guide": "guide",
}
_BAD = ("violated", "tight", "unknown")
# The order in which findings are listed.
_TRENDS: tuple[Trend, ...] = ("new", "worse", "better", "gone", "")
_DIGEST = re.compile("[0-9a-f]{16,}")


def difference_text(found: Difference, style: Style = PLAIN) -> str:
    """What moved, figure by figure, then every input that differs behind it."""
    document = Document()
    if found.same:
        document.say("no difference")
        if found.causes:
            kinds = dict.fromkeys(_KINDS[cause.kind] for cause in found.causes)
            document.say(f"inputs differ ({', '.join(kinds)}), but no result changes")
        return render_text(document, style)
    document.say(f"From {found.before.name} to {found.after.name}", strong=True)
    if found.summary:
        document.say(f"{'; '.join(found.summary)}.")
    _not_counted(document, found.before, found.after)
    systems = {c.subject.partition("/")[0] for c in found.changes if c.section in _RESOURCES}
    is_one = len(systems) == 1
    for section, title in _TITLES.items():
        changes = [change for change in found.changes if change.section == section]
        if changes:
            document.heading(title)
            told = [change for change in changes if _is_news(change)]
            told.sort(key=lambda change: _TRENDS.index(change.trend))
            for alike in _grouped(told):
                _change(document, alike, is_one)
            if len(told) < len(changes):
                document.item(
                    f"{len(changes) - len(told)} more on new or removed parts, all pass or not "
                    "applicable"
                )
    _behind(document, found)
    return render_text(document, style)


def _not_counted(document: Document, *sides: Side) -> None:
    """Add what the workloads do not state, so that it counts as zero."""
    omitted = [tuple(f"{each.subject}: {each.what}" for each in side.not_counted) for side in sides]
    names = [side.name for side in sides]
    both = len(set(omitted)) == 1
    for where, what in [("either", omitted[0])] if both else zip(names, omitted, strict=True):
        if what:
            document.say(f"Not counted in {where} (not stated): {'; '.join(what)}.")


def _is_news(change: ChangedPart) -> bool:
    """Return whether a change is worth a line: most first and last results of rules are not."""
    values = [value for each in change.figures for value in (each.before, each.after)]
    return change.section != "finding" or None not in values or any(v in _BAD for v in values)


def _behind(document: Document, found: Difference) -> None:
    document.heading("Causes")
    _added(document, [cause for cause in found.causes if _added_or_removed(cause)])
    for cause in found.causes:
        if cause.differs and not _added_or_removed(cause):
            _cause(document, cause)
    for when, keys in (
        ("before", [c.key for c in found.causes if c.after is None]),
        ("now", [c.key for c in found.causes if c.before is None]),
    ):
        if keys:
            document.item(f"Used {when} only: {_listed(keys)}.")
    if not found.causes:
        document.note(
            "No input differs. Another version of the program or other options changed the result."
        )


def _added(document: Document, causes: Iterable[Cause]) -> None:
    """Add which objects only one of the inputs has, a line for those of a kind."""
    found = group(causes, lambda each: (each.key.rpartition(".")[0], _added_or_removed(each)))
    services = {each.key.partition(".")[2] for each in causes if each.key.startswith("services.")}
    for (kind, what), alike in found.items():
        names = [each.key.removeprefix(f"{kind}.") for each in alike]
        # The streams and the work of a service follow from it.
        own = [name for name in names if name.partition(" ")[0] not in services or name in services]
        if own:
            counted_kind = kind if len(own) > 1 else kind.removesuffix("s")
            document.item(f"{len(own)} {counted_kind} {what}: {by_name(own)}")


def _added_or_removed(cause: Cause) -> str:
    before, after = (each.value if each else None for each in (cause.before, cause.after))
    return _of_object(before, after)


def _of_object(before: object, after: object) -> str:
    """Return whether an object was added or removed; empty of another change."""
    if before is None and after == THERE:
        return "added"
    return "removed" if after is None and before == THERE else ""


def _grouped(changes: Iterable[ChangedPart]) -> list[list[ChangedPart]]:
    """Return changes in groups with the same values and causes; new or gone ones of any causes."""

    def alike(change: ChangedPart) -> str:
        causes = () if _only_side(change) else change.causes
        return repr((change.trend, change.figures, _all_told(change), causes))

    return list(group(changes, alike).values())


# Sections about resources, each with its system, its kind and its name.
_RESOURCES: tuple[Section, ...] = ("headroom", "budget")


def _resources(subjects: Iterable[str], is_one: bool) -> str:
    """Resources as reports name them, with their system unless there is only one."""
    told = []
    # System, kind and name; of what has no kind, the whole subject.
    places = (subject.partition("/") for subject in subjects)
    parts = [(system, *rest.partition("/")) for system, _, rest in places]
    for (system, kind), alike in group(parts, lambda each: each[:2]).items():
        names = [name for *_, name in alike if name]
        text = resource_name(kind, [by_name(names)] if names else []) if kind else system
        told.append(text if is_one or not kind else f"{text} ({system})")
    return ", ".join(told)


def _subjects(subjects: Iterable[str]) -> str:
    """Subjects as they are named, those of a kind together."""
    alike = group(subjects, lambda each: each.rpartition("/")[0])
    return ", ".join(
        f"{kind}/{by_name(each.rpartition('/')[2] for each in names)}" if kind else ", ".join(names)
        for kind, names in alike.items()
    )


def _parts(changes: Iterable[ChangedPart]) -> str:
    """Return parts to order by name, those of a system together."""
    of_systems = group(changes, lambda each: each.subject.partition(":")[0])
    return "; ".join(
        f"{system}: {enumerated(sorted(each.name for each in same))}"
        for system, same in of_systems.items()
    )


def _change(document: Document, alike: list[ChangedPart], is_one: bool) -> None:
    change = alike[0]
    told = _all_told(change)
    names = [each.subject for each in alike]
    is_resource = change.section in _RESOURCES
    subjects = _resources(names, is_one) if is_resource else _subjects(names)
    if change.name:
        subjects = _parts(alike)
    subject = f"{subjects}: " if subjects else ""
    if change.trend and change.section == "finding":
        subject = f"{change.trend}: {subject}"
    document.item(f"{subject}{'; '.join(told)}")
    causes = dict.fromkeys(cause for each in alike for cause in each.causes)
    if causes:
        document.item(f"because of {_listed(causes)}", depth=2)


def _only_side(change: ChangedPart) -> str:
    """Return on which side only a resource has a budget, `before` or `after`; else nothing."""
    if change.section == "budget":
        for side, other in (("before", "after"), ("after", "before")):
            if all(getattr(figure, other) is None for figure in change.figures):
                return side
    return ""


def _all_told(change: ChangedPart) -> list[str]:
    """Each figure in words; of a resource that is new or gone only what it is or was."""
    if side := _only_side(change):
        values = {each.figure: getattr(each, side) for each in change.figures}
        standing = (
            f"{_FIGURES.get(name, name)} {value_text(value, name)}"
            for name, value in values.items() if value
        )  # fmt: skip
        return ["removed" if side == "before" else "new", *standing]
    # None and an empty text read the same.
    figures = [f for f in change.figures if f.before or f.after or None not in (f.before, f.after)]
    told = [_figure(each, change.severity) for each in figures[:FIGURES_TOLD]]
    left = len(figures) - len(told)
    return told + ([f"and {left} more (--format json lists all)"] if left else [])


def _figure(changed: ChangedValue, severity: str) -> str:
    called = _FIGURES.get(changed.figure, changed.figure)
    if what := _of_object(changed.before, changed.after):
        return f"{called} {what}"
    first, second = pair_text(changed.figure, changed.before, changed.after, severity)
    return f"{called} {first} → {second}" if called else f"{first} → {second}"


def _listed(keys: Iterable[str]) -> str:
    names = list(keys)
    left = len(names) - CAUSES_TOLD
    return ", ".join(names[:CAUSES_TOLD]) + (f" and {left} more" if left > 0 else "")


def _short(value: object) -> object:
    """A digest by its beginning, everything else as it is."""
    if isinstance(value, str) and _DIGEST.fullmatch(value):
        return f"{value[:DIGEST_TOLD]}…"
    return value


def _cause(document: Document, cause: Cause) -> None:
    assert cause.before is not None and cause.after is not None
    sides = (cause.before, cause.after)
    before, after = (_short(side.value) for side in sides)
    first, second = pair_text(cause.key, before, after)
    document.item(f"{cause.key}: {first} → {second}")
    where = dict.fromkeys(s.where for s in sides if s.where and s.where != cause.key)
    cites = dict.fromkeys(s.cite for s in sides if s.cite)
    notes = [_KINDS[cause.kind], *([" → ".join(where)] if where else []), *cites]
    document.item(f"[{'; '.join(notes)}]", depth=2)
