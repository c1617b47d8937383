"""The boxes that break rules: one for each violated example, from tests/cli/broken_boxes."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

import yaml

SYSTEM = "primary"
FOLDER = Path(__file__).resolve().parent / "cli" / "broken_boxes"
Plain = dict[str, Any]


class Broken(NamedTuple):
    """A box with the facts of a rule's example, which is counted from 1.

    `differs` tells of facts that the box cannot have, and why; `mended` what to put in place of
    parts of the box so that the rule says `then`.
    """

    rule: str
    example: int
    box: Plain
    says: list[str]
    subject: str = ""
    severity: str = "advice"
    differs: Mapping[str, str] = {}
    mended: Mapping[str, Any] = {}
    then: str = "holds"

    @property
    def found_on(self) -> str:
        """The subject as findings name it."""
        return f"{SYSTEM}/{self.subject}" if self.subject else SYSTEM

    def text(self, **changes: Any) -> str:
        """The box file."""
        return yaml.safe_dump({"name": SYSTEM, **self.box, **changes}, sort_keys=False)


CASES = tuple(
    Broken(**case)
    for path in sorted(FOLDER.glob("*.yaml"))
    for case in yaml.load(path.read_text(encoding="utf-8"), yaml.CSafeLoader)
)
