"""What of the facts drawn in one guide's terms means the same in another's."""

from __future__ import annotations

from typing import Any

from sizewright.facts.derive import Facts
from sizewright.facts.fact import Fact, Reported, reported_facts
from sizewright.guide.model import Guide

_BUSSES = "disk-busses"


def shared_reports(facts: Facts, own: Guide, other: Guide) -> Facts:
    """The facts, of what the system reports only that for which both guides have the same fact.

    That is one of the same name, kind and unit, whose value either guide allows.
    """
    here, there = reported_facts(own), reported_facts(other)
    shared = {
        name: value
        for name, value in facts.reported.values.items()
        if name in there and _alike(here[name], there[name]) and _allowed(value, there[name])
    }
    return facts._replace(reported=Reported(facts.reported.id, shared))


def _alike(one: Fact, other: Fact) -> bool:
    return (one.kind, one.unit) == (other.kind, other.unit)


def _allowed(value: Any, fact: Fact) -> bool:
    if not fact.one_of:
        return True
    return set(value if isinstance(value, tuple) else (value,)) <= set(fact.one_of)


def known_kinds(facts: Facts, other: Guide) -> Facts:
    """The facts, the kind of a channel unknown where the other guide has no such kind.

    Each guide cuts busses into kinds of its own: one that it does not name may be any of them.
    """
    kinds = other.table(_BUSSES).rows
    return facts._replace(
        channels=tuple(
            channel if channel.kind in kinds else channel._replace(kind=None)
            for channel in facts.channels
        )
    )
