"""Which rules are asked of a box, and how severe what counts against it is."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, NamedTuple

from sizewright.errors import Fault, InputFaults, Place, listed, meant

if TYPE_CHECKING:
    from sizewright.rules.book import RuleBook

# The most severe first, as rule files spell them.
SEVERITIES = ("violation", "advice", "note")


class Selection(NamedTuple):
    """What is asked: the rules of `only` (empty is all), without those `ignored`.

    `severity` asks rules at least so severe, and makes all of them count; empty asks all, and
    violations alone count.
    """

    only: tuple[str, ...] = ()
    ignored: tuple[str, ...] = ()
    severity: str = ""

    def counts(self, severity: str) -> bool:
        """Whether breaking a rule of this severity is told by the exit code."""
        return _rank(severity) <= _rank(self.severity or SEVERITIES[0])

    def asks(self, rule: str, severity: str) -> bool:
        """Whether a rule is asked."""
        if self.severity and not self.counts(severity):
            return False
        return rule not in self.ignored and (not self.only or rule in self.only)


EVERYTHING = Selection()


def _rank(severity: str) -> int:
    return SEVERITIES.index(severity)


def selected(selection: Selection, book: RuleBook) -> Selection:
    """The selection with ids as the guide writes them.

    Raises InputFaults for ids that the guide lacks, and where no rule is left.
    """
    faults: list[Fault] = []
    only = _known(selection.only, book, "--rule", faults)
    ignored = _known(selection.ignored, book, "--ignore", faults)
    found = Selection(only, ignored, selection.severity)
    if not faults and not any(found.asks(rule.id, rule.severity) for rule in book.rules):
        what = "no rule is left to ask"
        faults.append(Fault(Place("--rule, --ignore, --severity"), what, "a rule that is asked"))
    if faults:
        raise InputFaults(faults)
    return found


def known_rules(rules: Iterable[str], book: RuleBook) -> tuple[str, ...]:
    """Rule ids as the guide writes them; raises InputFaults for those that it lacks."""
    faults: list[Fault] = []
    found = _known(rules, book, "rules", faults)
    if faults:
        raise InputFaults(faults)
    return found


def _known(
    rules: Iterable[str], book: RuleBook, where: str, faults: list[Fault]
) -> tuple[str, ...]:
    own = {rule.id.lower(): rule.id for rule in book.rules}
    found = []
    for name in rules:
        known = own.get(name.lower())
        if known is None:
            what = f"there is no rule '{name}'"
            expected = f"one of {listed(own.values())}"
            faults.append(Fault(Place(where), what, expected, meant(name, own.values())))
        elif known not in found:
            found.append(known)
    return tuple(found)
