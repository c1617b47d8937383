"""What is expected of the check of a box that a guide describes, and the outcome."""

from __future__ import annotations

from typing import NamedTuple

from sizewright.errors import Location


class Explained(NamedTuple):
    """A finding that a box ought to have, and why it has it.

    `subject` is told from the system on; the system as a whole is `system`.
    """

    rule: str
    subject: str
    verdict: str
    why: str
    place: Location


class ExplainedBox(NamedTuple):
    """A box file with all findings that it ought to have but those that hold or do not apply."""

    case: str
    folder: str
    file: str
    findings: tuple[Explained, ...]


class BoxResult(NamedTuple):
    """One finding as expected and as found; empty where it is not expected or not judged.

    `message` is the rule's on the finding; `reason` that of a waiver.
    """

    rule: str
    subject: str
    expected: str
    found: str
    why: str
    message: str
    reason: str

    @property
    def agrees(self) -> bool:
        """Whether the finding is the one that is explained."""
        return self.expected == self.found


class BoxOutcome(NamedTuple):
    """A box as checked: every finding that is explained, and every other that wants explaining."""

    box: ExplainedBox
    results: tuple[BoxResult, ...]

    @property
    def explained(self) -> int:
        """How many findings are as explained."""
        return sum(result.agrees for result in self.results)

    @property
    def differs(self) -> int:
        """How many findings are missing, unexplained or of another verdict."""
        return len(self.results) - self.explained

    @property
    def fails(self) -> bool:
        """Whether some finding is not as explained."""
        return self.differs > 0
