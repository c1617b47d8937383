"""What a rule's message may name, and how it shows what it names."""

from __future__ import annotations

import re
from typing import Any, NamedTuple

import pytest

from sizewright.api import check, load_engine
from sizewright.box.reading import read_box
from sizewright.documents import parse_document
from sizewright.facts.fact import Fact, Kind
from sizewright.guide.loader import guide_ids
from sizewright.rules.rule import check_template, fill, in_words
from small import given


class Network(NamedTuple):
    id: str = "north"
    load: Any = None


TEXT = Fact(Kind.TEXT)
FACTS = {"network": {"id": TEXT, "load": Fact(Kind.NUMBER, "1")}, "system": {"id": TEXT}}
PARAMETERS = {"most": Fact(Kind.NUMBER, "%"), "rate": Fact(Kind.NUMBER, "op/s")}


@pytest.mark.parametrize(
    ("value", "words"),
    [
        (None, "unknown"),
        (True, "yes"),
        (False, "no"),
        (("a", "b"), "a, b"),
        ((), "none"),
        ("ring", "ring"),
        (3.0, "3"),
        (3, "3"),
        (given(3, unit="op/s"), "3 op/s"),
        (given(3, 5, unit="op/s"), "3 to 5 op/s"),
        (given(1, 1, unit="MB"), "1 MB"),
        (given(100.001, 100.002, unit="MB"), "100 MB"),
        (given(1, 2, unit="client"), "1 to 2 clients"),
    ],
)
def test_a_value_in_words(value: Any, words: str) -> None:
    assert in_words(value) == words


def test_names_are_replaced_and_blanks_folded() -> None:
    subjects = {"network": Network(load=given(240, unit="op/s"))}
    told = fill("{network.load} on\n  {network.id};  at most {most}", subjects, {"most": "ten"})
    assert told == "240 op/s on north; at most ten"


@pytest.mark.parametrize(
    ("names", "told"),
    [
        ((), "for none"),
        (("nfs",), "for NFS"),
        (("database", "nfs"), "for DATABASE and NFS"),
        (("database", "mail", "nfs"), "for DATABASE, MAIL and NFS"),
    ],
)
def test_several_names_are_written_in_a_row_as_one_is(names: tuple[str, ...], told: str) -> None:
    subjects = {"network": Network(load=names)}
    assert fill("for {network.load}", subjects, {}, lambda _, text: text.upper()) == told


@pytest.mark.parametrize(
    ("load", "told"),
    [
        (None, "north is full. It may wait"),
        (given(3, unit="op/s"), "north is full. It has 3 op/s. It may wait"),
    ],
)
def test_a_sentence_with_an_optional_value_is_left_out(load: Any, told: str) -> None:
    template = "{network.id} is full. It has {network.load?}. It may wait"
    assert fill(template, {"network": Network(load=load)}, {}) == told
    assert not list(check_template(template, FACTS, PARAMETERS))
    last = "{network.id} is full. It has {network.load?}"
    assert fill(last, {"network": Network()}, {}) == "north is full"


@pytest.mark.parametrize(
    ("value", "words"),
    [
        (0.94, "94%"),
        (1, "100%"),
        (given(400 / 424, unit="1"), "94.34%"),
        (given(-0.55, -0.4, unit="1"), "-55 to -40%"),
        (given(90, unit="%"), "90%"),
        (None, "unknown"),
    ],
)
def test_a_share_is_told_in_percent(value: Any, words: str) -> None:
    assert fill("{network.load:%} full", {"network": Network(load=value)}, {}) == f"{words} full"


def test_every_share_in_a_message_is_told_in_percent() -> None:
    rules = [rule for guide in guide_ids() for rule in load_engine(guide).rule_set.rules]
    fractions = [
        (rule.id, hole)
        for rule in rules
        for hole in re.findall(r"\{([a-z_.]+_(?:share|gain))\}", f"{rule.message} {rule.remedy}")
    ]
    assert fractions == []


def test_a_word_stands_for_a_fact_that_is_unknown() -> None:
    template = "{network.load or no limit} on {network.id or nothing}"
    assert list(check_template(template, FACTS, {})) == []
    assert fill(template, {"network": Network()}, {}) == "no limit on north"
    known = {"network": Network(load=given(240, unit="op/s"))}
    assert fill(template, known, {}) == "240 op/s on north"


@pytest.mark.parametrize(
    ("load", "told"),
    [((), "Slots are free on no bus"), (("vme",), "Slots are free on vme"), (None, "")],
)
def test_words_stand_for_an_empty_list_and_nothing_for_an_unknown_one(load: Any, told: str) -> None:
    template = "Slots are free on {network.load? or no bus}"
    assert list(check_template(template, FACTS, {})) == []
    assert fill(template, {"network": Network(load=load)}, {}) == told


def test_facts_and_parameters_may_be_named() -> None:
    template = "{most} {network.id} {most:%} {system.id} {network.load:%}"
    assert list(check_template(template, FACTS, PARAMETERS)) == []


@pytest.mark.parametrize(
    ("name", "near"),
    [
        ("network.lord", "network.load"),
        ("netwrok.load", "network.load"),
        ("moss", "most"),
        ("most.most", "most"),
        (".most", "most"),
        ("network.load.id", "network.load"),
    ],
)
def test_what_is_neither_is_told_with_the_nearest(name: str, near: str) -> None:
    (told,) = check_template("{" + name + "}", FACTS, PARAMETERS)
    assert told == f"unknown name '{name}'; did you mean '{near}'?"


def test_where_none_is_near_none_is_guessed() -> None:
    for name in ("qqq", "load"):
        told = list(check_template("{" + name + "}", FACTS, PARAMETERS))
        assert told == [f"unknown name '{name}'"]


def test_every_wrong_name_is_told() -> None:
    told = list(check_template("{qqq} {most} {network.id} {zzz}", FACTS, PARAMETERS))
    assert told == ["unknown name 'qqq'", "unknown name 'zzz'"]


def test_a_number_with_another_unit_has_no_percentage() -> None:
    told = list(check_template("{rate} {rate:%} {most:%} {system.id:%}", FACTS, PARAMETERS))
    assert told == ["{rate:%}: op/s cannot be expressed in %"]


@pytest.mark.parametrize(
    ("used", "limit", "told"),
    [
        (given(400) / given(424), given(0.9), "94% full; at most 90%"),
        (given(0.2) / given(100), given(0.9), "0.2% full; at most 90%"),
        # Stated, so that it is written as it is.
        (given(0.9434), given(0.9), "94.34% full; at most 90%"),
        # Rounding would say that 90 % are over a limit of 90 %.
        (given(902) / given(1000), given(0.9), "90.2% full; at most 90%"),
        (given(1) / given(3) * 3, given(1.0), "100% full; at most 100%"),
        # Nor that 100 % are over a limit that is not named.
        (given(4017) / given(4000), given(2.0), "100.4% full; at most 200%"),
        (given(3991) / given(4000), given(2.0), "99.8% full; at most 200%"),
    ],
)
def test_what_is_calculated_is_told_in_whole_percent(used: Any, limit: Any, told: str) -> None:
    subjects = {"network": Network(load=used)}
    assert fill("{network.load:%} full; at most {most:%}", subjects, {"most": limit}) == told


def test_a_calculated_load_has_three_digits() -> None:
    load = given(7.692, 7.754, unit="op/s") * given(50)
    assert fill("{network.load}", {"network": Network(load=load)}, {}) == "385 to 388 op/s"
    assert (
        fill("{network.load}", {"network": Network(load=load / 1000)}, {}) == "0.385 to 0.388 op/s"
    )


def test_a_large_size_is_told_in_gigabytes() -> None:
    assert (
        fill("{network.load}", {"network": Network(load=given(18_200, unit="MB"))}, {}) == "18.2 GB"
    )
    # Gigabytes would say that 36.4 are more than 36.4.
    load, most = given(36_401, unit="MB"), given(36_400, unit="MB")
    told = fill("{network.load} of {most}", {"network": Network(load=load)}, {"most": most})
    assert told == "36401 MB of 36400 MB"


@pytest.mark.parametrize(
    ("flag", "told"),
    [
        (True, "copies share a channel, which is short"),
        (False, "copies are apart"),
        (None, "copies share a channel or are apart"),
    ],
)
def test_a_flag_is_told_in_words(flag: bool | None, told: str) -> None:
    template = "copies {network.load|share a channel|are apart}{network.load|, which is short|}"
    assert fill(template, {"network": Network(load=flag)}, {}) == told
    assert not list(check_template(template, {"network": {"load": Fact(Kind.FLAG)}}, {}))
    assert list(check_template("{network.id|yes|no}", FACTS, {})) == [
        "{network.id|…|…}: 'network.id' is no flag"
    ]


@pytest.mark.parametrize(
    ("number", "told"),
    [
        (given(1), "1 disk is full"),
        (given(2), "2 disks are full"),
        (None, "unknown disks are full"),
    ],
)
def test_a_number_takes_a_singular_or_a_plural(number: Any, told: str) -> None:
    template = "{network.load disk is|disks are} full"
    assert fill(template, {"network": Network(load=number)}, {}) == told
    assert not list(check_template(template, FACTS, PARAMETERS))
    assert list(check_template("{rate disk|disks}", FACTS, PARAMETERS)) == [
        "{rate …|…}: 'rate' is no number without unit"
    ]


def test_messages_are_sentences() -> None:
    """No message is a label with a value, as "copies share a channel: yes" would be."""
    rules = [rule for guide in guide_ids() for rule in load_engine(guide).rule_set.rules]
    identifier = re.compile(r"[a-z]+_[a-z_]+ ")
    wrong = [
        (rule.id, rule.message)
        for rule in rules
        if re.search(r": \{", rule.message)
        or (re.match("[a-z]", rule.message) and not identifier.match(rule.message))
    ]
    assert wrong == []


def test_who_is_to_give_up_a_stripe_is_told_how_full_one_disk_may_be() -> None:
    """1200 MB fill a disk of 1300 MB to 92 %, so that a plan joins two disks to keep 90 %."""
    rule = load_engine("sun-1992").rule_set.rule("2.11.2-stripe-gain")
    assert "room for the volume, without being fuller than the guide advises (1.2.4)" in rule.remedy


def test_a_bottleneck_that_the_guide_does_not_state_is_no_unknown_resource() -> None:
    """compaq-1999 has no server mix for the profile of a database (Introduction)."""
    text = "name: pc\nguide: compaq-1999\nplatform: proliant-1600\nload_profiles: [database]\n"
    box = read_box(parse_document(text, "box.yaml"))
    (found,) = (
        finding
        for finding in check(box, load_engine("compaq-1999")).findings
        if finding.rule == "introduction-server-mix"
    )
    assert found.verdict == "violated"
    assert found.message.endswith("Its first bottleneck is not stated by the guide")
