"""The facts that a rule's conditions may ask for."""

from __future__ import annotations

from collections.abc import Mapping

from sitebuild.markdown import code, plain, table
from sizewright.facts.fact import Fact
from sizewright.facts.records import RECORDS, facts_of
from sizewright.guide.loader import guide_ids, load_guide
from sizewright.guide.model import REPORTED


def facts_page() -> str:
    """Every fact of every subject."""
    parts = [
        "# Facts that rules may ask\n",
        "A condition names a fact as `subject.fact`. Any fact may be unknown, and makes the "
        "verdict unknown where it could decide. One that may be absent has to be asked for first; "
        "what is seen on a box only is never known of a plan.\n",
    ]
    for subject in RECORDS:
        parts += [f"## {subject}\n", _rows(facts_of(subject))]
    parts += [f"## {REPORTED}\n", f"Stated in a box file under `{REPORTED}:`, guide by guide.\n"]
    for guide in map(load_guide, guide_ids()):
        known = facts_of(REPORTED, guide)
        if known:
            parts += [f"### After {guide.id}\n", _rows(known)]
    return "\n".join(parts)


def _rows(facts: Mapping[str, Fact]) -> str:
    rows = (
        (code(name), fact.kind, plain(fact.unit), plain(fact.doc) + _more(fact))
        for name, fact in facts.items()
    )
    return table(("fact", "type", "unit", "meaning"), rows)


def _more(fact: Fact) -> str:
    one_of = f"one of {', '.join(code(word) for word in fact.one_of)}" if fact.one_of else ""
    said = (one_of, "may be absent" * fact.optional, "seen on a box only" * fact.seen)
    return "".join(f"; {word}" for word in said if word)
