"""A copy of a case study that a test may spoil, and ways to run it."""

from __future__ import annotations

from collections.abc import Collection
from functools import cache
from pathlib import Path
from typing import NamedTuple

import pytest

from sizewright.api import Engine, load_engine
from sizewright.cases import running
from sizewright.cases.expected import Proof
from sizewright.cases.reading import Case, Outcome, Result, read_case
from sizewright.cases.running import run_case
from sizewright.cases.trials import EngineFor, Trial, Trials
from sizewright.documents import Document
from sizewright.engine import workload_guide

ROOT = Path(__file__).resolve().parents[2]
GUIDE = "sun-1992"
EXAMPLES = ROOT / "examples" / GUIDE


def engine_of(document: Document) -> Engine:
    """The guide that a file names, made ready once."""
    return _engine(workload_guide(document, "", GUIDE))


@cache
def _engine(name: str) -> Engine:
    return load_engine(name)


_KEPT: dict[tuple[str, ...], Trial] = {}


class KeptTrials(Trials):
    """Plans of cases and of their copies, made once for each text and proof."""

    def _planned(self, document: Document, proof: Proof | None = None) -> Trial:
        tried = (str(proof.set), str(proof.withdraw)) if proof else ()
        key = (self._engine_for(document).guide.digest, document.digest, *tried)
        if key not in _KEPT:
            _KEPT[key] = super()._planned(document, proof)
        return _KEPT[key]


def run_kept(case: Case, engine_for: EngineFor) -> Outcome:
    """Run a case; what was planned for it, or for a copy of it, is not planned again."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(running, "Trials", KeptTrials)
        return run_case(case, engine_for)


class Copy(NamedTuple):
    """A copy of one case study's folder."""

    folder: Path
    engine: Engine

    def change(self, file: str, before: str, after: str, count: int = 1) -> Copy:
        """Replace a text that must be there."""
        path = self.folder / file
        text = path.read_text(encoding="utf-8")
        assert text.count(before) >= 1, f"{file} does not hold {before!r}"
        path.write_text(text.replace(before, after, count), encoding="utf-8")
        return self

    def run(self, only: Collection[str] = ()) -> Outcome:
        """Return every comparison, or those of some entries only."""
        case = read_case(self.folder)
        if only:
            entries = tuple(each for each in case.entries if each[0].id in only)
            case = case._replace(entries=entries, decisions=())
        return run_kept(case, lambda document: self.engine)

    def results(self, only: Collection[str] = ()) -> dict[str, Result]:
        """Each entry's own comparison; `id+` with a number for those beside it."""
        found: dict[str, Result] = {}
        for result in self.run(only).results:
            key, n = result.id, 1
            while key in found:
                key, n = f"{result.id}+{n}", n + 1
            found[key] = result
        return found

    def fails(self, only: Collection[str] = ()) -> set[str]:
        return {key for key, result in self.results(only).items() if result.fails}
