from __future__ import annotations

from sizewright.api import load_engine
from sizewright.evaluate.findings import MissingFact, find_missing
from sizewright.facts.records import blank
from sizewright.rules.rule import Finding

ENGINE = load_engine("sun-1992")
GUIDE, RULES = ENGINE.guide, ENGINE.rule_set


def _finding(rule: str, subject: str, *lacking: str, severity: str = "advice") -> Finding:
    facts = frozenset((fact.partition(".")[0], fact.partition(".")[2]) for fact in lacking)
    asked = RULES.rules[0]._replace(
        id=rule, title=f"Title of {rule}", severity=severity, reads=facts,
        message="wrong when unknown",
    )  # fmt: skip
    read = {name: blank(name, {}) for name in ("system", "channel")}
    return Finding(asked, subject, "unknown", read, read)


def _found(*findings: Finding) -> tuple[MissingFact, ...]:
    return find_missing(GUIDE, "a", findings)


def test_a_fact_stands_once_with_all_that_wait_for_it() -> None:
    (found,) = _found(
        _finding("VII", "a/channel/c1", "channel.random_disks"),
        _finding("VIII", "a/channel/c1", "channel.random_disks"),
        _finding("VIII", "a/channel/c2", "channel.random_disks"),
    )
    assert (found.fact, found.unit) == ("channel.random_disks", "disk")
    assert found.rules == ("VII", "VIII")
    assert found.subjects == ("a/channel/c1", "a/channel/c2")


def test_a_fact_of_the_system_is_missing_of_the_system() -> None:
    (found,) = _found(
        _finding("IX", "a/channel/c1", "system.processors"),
        _finding("IX", "a/disk/d1", "system.processors"),
    )
    assert found.subjects == ("a",)


def test_those_that_lack_least_say_how_to_measure() -> None:
    first, second = _found(
        _finding("VII", "a/channel/c", "channel.demanded_kb_per_s", "channel.random_disks"),
        _finding("IX", "a/channel/c", "channel.random_disks"),
    )
    own = {rule: " ".join(GUIDE.rules[rule]["measure"].split()) for rule in ("VII", "IX")}
    assert own["VII"] != own["IX"]
    assert (first.fact, first.measure) == ("channel.random_disks", (own["IX"],))
    assert (second.fact, second.measure) == ("channel.demanded_kb_per_s", (own["VII"],))


def test_limits_come_first_then_what_most_wait_for() -> None:
    found = _found(
        _finding("III", "a", "system.clients", severity="note"),
        _finding("IX", "a", "system.memory_mb"),
        _finding("VIII", "a", "system.stored_mb"),
        _finding("XI", "a", "system.stored_mb"),
        _finding("VII", "a", "system.processors", severity="violation"),
    )
    assert [each.fact for each in found] == [
        "system.processors", "system.stored_mb", "system.memory_mb", "system.clients",
    ]  # fmt: skip


def test_a_rule_that_is_unknown_without_lacking_a_fact_is_not_lost() -> None:
    (found,) = _found(_finding("VII", "a/channel/c"))
    assert (found.fact, found.what, found.rules) == ("", "Title of VII", ("VII",))
    assert found.subjects == ("a/channel/c",)


def test_what_was_judged_is_not_missing() -> None:
    assert _found(_finding("VII", "a")._replace(verdict="violated")) == ()
