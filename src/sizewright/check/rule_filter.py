"""Which rules are asked of an existing server, and which severities count against it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, NamedTuple

from sizewright.errors import Diagnostic, InputError, Location, join_or, nearest, shown
from sizewright.guide.model import SEVERITIES
from sizewright.rules.rule import RECOMMENDED

if TYPE_CHECKING:
    from sizewright.rules.compiler import RuleSet


class RuleFilter(NamedTuple):
    """What is asked: the rules of `only` (empty is all), without those `ignored`.

    `severity` asks rules at least so severe, and makes all of them count; empty asks all, and
    limits alone count: violations, which fail, and recommended limits, which make borderline.
    """

    only: tuple[str, ...] = ()
    ignored: tuple[str, ...] = ()
    severity: str = ""

    def counts(self, severity: str) -> bool:
        """Whether the verdict and the exit code depend on a rule of this severity."""
        return _rank(severity) <= _rank(self.severity or RECOMMENDED)

    def asks(self, rule: str, severity: str) -> bool:
        """Whether a rule is asked."""
        if self.severity and not self.counts(severity):
            return False
        return rule not in self.ignored and (not self.only or rule in self.only)


EVERYTHING = RuleFilter()


def _rank(severity: str) -> int:
    return SEVERITIES.index(severity)


def selected(selection: RuleFilter, book: RuleSet) -> RuleFilter:
    """The selection with ids as the guide writes them.

    Raises InputFaults for ids that the guide lacks, and where no rule is left.
    """
    faults: list[Diagnostic] = []
    found = _written(selection, book, faults)
    if not faults and not any(found.asks(rule.id, rule.severity) for rule in book.rules):
        what = "no rule is left to ask"
        faults.append(
            Diagnostic(Location("--rule, --ignore, --severity"), what, "a rule that is asked")
        )
    if faults:
        raise InputError(faults)
    return found


def selected_of(guide: str, selection: RuleFilter, book: RuleSet) -> RuleFilter:
    """The part of a selection that is of another guide's rules, with ids as that guide writes them.

    Its ids stand as `GUIDE/ID`; a severity is for all guides. Raises InputFaults for ids that the
    guide lacks.
    """
    faults: list[Diagnostic] = []
    own = RuleFilter(
        _unqualified(selection.only, guide), _unqualified(selection.ignored, guide),
        selection.severity,
    )  # fmt: skip
    found = _written(own, book, faults, qualified(guide, ""))
    if faults:
        raise InputError(faults)
    return found


def selected_here(guide: str, selection: RuleFilter, others: Iterable[str]) -> RuleFilter:
    """The part of a selection that is of the box's own guide, whether it is named or not.

    What is named as a rule of one of the `others` that are asked is not of it.
    """
    away = tuple(qualified(other, "") for other in others)
    only, ignored = (
        tuple(name.removeprefix(qualified(guide, "")) for name in ids if not name.startswith(away))
        for ids in (selection.only, selection.ignored)
    )
    return RuleFilter(only, ignored, selection.severity)


def qualified(guide: str, rule: str) -> str:
    """A rule's id with its guide, where rules of several guides stand side by side."""
    return f"{guide}/{rule}"


def _unqualified(ids: Iterable[str], guide: str) -> tuple[str, ...]:
    prefix = qualified(guide, "")
    return tuple(name.removeprefix(prefix) for name in ids if name.startswith(prefix))


def _written(
    selection: RuleFilter, book: RuleSet, faults: list[Diagnostic], prefix: str = ""
) -> RuleFilter:
    only = _known(selection.only, book, "--rule", faults, prefix)
    ignored = _known(selection.ignored, book, "--ignore", faults, prefix)
    return RuleFilter(only, ignored, selection.severity)


def known_rules(rules: Iterable[str], book: RuleSet) -> tuple[str, ...]:
    """Rule ids as the guide writes them; raises InputFaults for those that it lacks."""
    faults: list[Diagnostic] = []
    found = _known(rules, book, "rules", faults)
    if faults:
        raise InputError(faults)
    return found


def _known(
    rules: Iterable[str], book: RuleSet, where: str, faults: list[Diagnostic], prefix: str = ""
) -> tuple[str, ...]:
    own = {rule.id.lower(): rule.id for rule in book.rules}
    found = []
    for name in rules:
        known = own.get(name.lower())
        if known is None:
            what = f"there is no rule '{prefix}{name}'"
            expected = f"one of {join_or(prefix + one for one in own.values())}"
            near = nearest(name, own.values())
            hint = f"did you mean {shown(prefix + near)}?" if near else ""
            faults.append(Diagnostic(Location(where), what, expected, hint))
        elif known not in found:
            found.append(known)
    return tuple(found)
