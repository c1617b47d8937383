"""What to measure: the order, what each measurement decides, and that it can be found."""

from __future__ import annotations

from pathlib import Path

import pytest

from generated_boxes import check_text
from sizewright.api import load_engine
from sizewright.check.check import Check
from sizewright.check.measurements import WAYS, measurements
from sizewright.facts.records import facts_of
from sizewright.guide.model import SEVERITIES

ENGINE = load_engine("sun-1992")
SERVERS = Path(__file__).resolve().parents[2] / "examples" / "servers"
BARE = "name: bare\nguide: sun-1992\nplatform: sparcserver-670mp\n"


def server(name: str) -> Check:
    return check_text((SERVERS / name / "box.yaml").read_text())


def test_every_way_gives_facts_that_there_are() -> None:
    for way in WAYS:
        for fact in way.facts:
            subject, _, name = fact.partition(".")
            assert name in facts_of(subject, ENGINE.guide), fact


def test_a_way_is_one_short_line() -> None:
    for way in WAYS:
        assert len(way.command) <= 84, way.command


def test_without_enough_data_the_unknown_loads_come_first() -> None:
    first = measurements(check_text(BARE))[:3]
    assert {load for each in first for load in each.loads} == {"processors", "disks", "networks"}
    assert all(each.loads for each in first)


@pytest.mark.parametrize("name", ["busy-disk", "healthy-homes", "full-slots", "platform-only"])
def test_each_decides_what_it_says_given_those_before(name: str) -> None:
    found = server(name)
    missing = {(f.rule, f.subject): set(f.missing) for f in found.findings if f.missing}
    given: set[str] = set()
    for each in measurements(found):
        before, given = set(given), given | set(each.facts)
        decided = {r for (r, _), lack in missing.items() if lack <= given and not lack <= before}
        # What a way gives, but no rule lacks any more, is not among its facts.
        assert decided == set(each.decides)
    assert len(given) > 5


def test_no_later_measurement_would_have_decided_more() -> None:
    """Greedy: of all that are listed, the first decides most violations, then most others."""
    found = check_text((SERVERS.parent / "sun-1992/case-1-departmental-nfs/box.yaml").read_text())
    assert found.has_enough_data
    listed = measurements(found)
    severity = {f.rule: SEVERITIES.index(f.severity) for f in found.findings}
    missing = [(f.rule, set(f.missing)) for f in found.findings if f.missing]

    def alone(facts: frozenset[str]) -> tuple[int, ...]:
        rules = {rule for rule, lack in missing if lack <= facts}
        return tuple(sum(severity[rule] == n for rule in rules) for n in range(len(SEVERITIES)))

    worth = {way.command: alone(way.facts) for way in WAYS}
    assert worth[listed[0].command] == max(worth.values())


def test_what_only_the_guide_knows_is_stated_under_reported() -> None:
    text = (SERVERS.parent / "auspex-1992" / "benchmark-ns-5500" / "box.yaml").read_text()
    found = check_text(text, load_engine("auspex-1992"))
    commands = [each.command for each in measurements(found)]
    assert "State backplane_mb_per_s under reported" in commands


ONE_NETWORK = """
name: one
guide: sun-1992
platform: sparcserver-630mp
services: [nfs]
networks: [{name: le0, interface: lance-ethernet, provider: builtin}]
"""


def test_the_clients_of_the_only_network_are_not_asked_for_again() -> None:
    """A server with one network has its clients there."""
    asked = "Count the clients"
    assert any(each.command.startswith(asked) for each in measurements(check_text(ONE_NETWORK)))
    told = ONE_NETWORK + "clients: 20\ndiskless_clients: 0\n"
    assert not any(each.command.startswith(asked) for each in measurements(check_text(told)))


def test_maxusers_that_is_set_already_is_no_advice() -> None:
    """160 with 256 MB follows the text (2.10.4), and not Rule XXII."""
    found = {f.rule: f for f in server("over-configured").findings}["XXII"]
    assert found.verdict == "tight"
    assert found.remedy is not None
    assert "to one for each MB" in found.remedy
