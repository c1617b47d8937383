"""Overlays that are mutated at random are used or refused with places; nothing else happens."""

from __future__ import annotations

import copy
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest
import yaml

from depth import DEEP
from guide.overlays import GUIDE, REPORTED_FACTS
from guide.small_guide import RULES, engine_with, plan_and_check, small_guide
from sizewright.errors import InputError

ROOT = Path(__file__).parents[2]
INPUTS = 20_000 if DEEP else 200
PARTS = 20
Step = str | int

CELLS = """\
table: network-interfaces
rows:
  - {id: lance-ethernet, nfs_ops_per_s: 200, medium: ethernet, latency_ms: 2}
  - id: lance-ethernet-2
    new: true
    source: {section: "1.1.2"}
    status: inferred
    from: the other one
    boards: [sbus-ethernet]
    except: {latency_ms: {source: {section: "1.1.2"}, status: printed}}
"""
_ROWS = """\
unread: {doc: it is for people}
rows:
  - {id: queue, source: {section: "1.1.2"}, status: printed, kind: number, unit: KB, doc: A queue}
  - {id: shift, source: {section: "1.1.2"}, status: printed, kind: text, doc: S, one_of: [ts, ia]}
"""
TABLE = f"{REPORTED_FACTS}{_ROWS}"
RULE = """\
id: XIII
parameters:
  max_nfs_ops_per_s: {table: network-interfaces, row: lance-ethernet, field: nfs_ops_per_s}
bounds: {resource: network.nfs_ops_per_s, at_most: max_nfs_ops_per_s}
severity: violation
"""


def rules_of_the_guide() -> Iterator[Any]:
    for path in sorted((ROOT / "rules" / GUIDE).glob("*.yaml")):
        rule = yaml.load(path.read_text(encoding="utf-8"), yaml.CSafeLoader)
        if rule["id"] in RULES:
            yield rule
            yield {**rule, "id": f"{rule['id']}-2"}


DOCUMENTS = [yaml.load(text, yaml.CSafeLoader) for text in (CELLS, TABLE, RULE)] * 4 + list(
    rules_of_the_guide()
)
# What is put in place of a value, beside values of other documents.
JUNK: tuple[Any, ...] = (
    None, [], {}, [None], [[]], {"a": 1}, "", " ", "x", "0", "1 GB", "5 ms", "disk.nowhere", "a.b",
    True, False, 0, -1, 1, 2.5, 1e300, 10**25, [1, 2], [2, 1], [1, 2, 3, 4], ["x"], "system", "{x}",
    "{disk.id:%}", "known(disk.id)", "1 / 0", "network.name", "é", "a" * 5000, "2020-01-01",
)  # fmt: skip


def places(data: Any, path: tuple[Step, ...] = ()) -> Iterator[tuple[Step, ...]]:
    """The path of every value in a document."""
    if path:
        yield path
    nested = isinstance(data, list)
    for key, value in data.items() if isinstance(data, dict) else enumerate(data if nested else ()):
        yield from places(value, (*path, key))


def at(data: Any, path: tuple[Step, ...]) -> Any:
    for step in path:
        data = data[step]
    return data


def mutated(draw: Random) -> Any:
    """A document with one to three mutations."""
    data = copy.deepcopy(draw.choice(DOCUMENTS))
    for _ in range(draw.choice((1, 1, 1, 2, 3))):
        known = list(places(data))
        if not known:
            break
        *above, last = draw.choice(known)
        inside = at(data, tuple(above))
        match draw.choice(("junk", "junk", "other", "delete", "wrap", "misspell", "add")):
            case "junk":
                inside[last] = copy.deepcopy(draw.choice(JUNK))
            case "other":
                other = draw.choice(DOCUMENTS)
                inside[last] = copy.deepcopy(at(other, draw.choice(list(places(other)))))
            case "delete":
                del inside[last]
            case "wrap":
                inside[last] = draw.choice(([inside[last]], {"value": inside[last]}))
            case "misspell" if isinstance(inside, dict):
                inside[str(last)[:-1] + draw.choice(("", "s", "x"))] = inside.pop(last)
            case _ if isinstance(inside, dict):
                inside[draw.choice(("new", "unit", "value", "when", "x"))] = draw.choice(JUNK)
    return data


def outcome(data: Any) -> str:
    """What an overlay of a file ends with; any other exception fails the test."""
    kind = "tables" if isinstance(data, dict) and "table" in data else "rules"
    name = f"site/{kind}/{GUIDE}/it.yaml"
    text = yaml.safe_dump(data, allow_unicode=True)
    try:
        plan_and_check(engine_with((name, text)))
    except InputError as error:
        assert error.faults
        for fault in error.faults:
            assert fault.what
            assert fault.place.line or not fault.place.file.startswith("site/"), fault.text()
        return "refused"
    except Exception as error:
        raise AssertionError(f"{type(error).__name__}: {error}, by\n{text}") from error
    return "used"


@pytest.mark.parametrize("part", range(PARTS))
def test_a_mutated_overlay_is_used_or_refused(part: int) -> None:
    for number in range(INPUTS // PARTS):
        outcome(mutated(Random(f"{part} {number}")))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("id: [XIII]\n", ":1:1: id: a list is not allowed here\n  expected text"),
        ("id: XIII\nsubject: ~\n", ":2:1: subject: no value is given"),
        ("id: XIII\nparameters: {max_nfs_ops_per_s: ~}\n", ":2:14: max_nfs_ops_per_s: no value"),
        (
            "id: XIII\nparameters: {max_nfs_ops_per_s: {table: disks, row: ~}}\n",
            ":2:48: row: no value is given",
        ),
        (
            "id: XIII\nparameters: {max_nfs_ops_per_s: {table: disks, row: 104mb-scsi}}\n",
            ":2:14: max_nfs_ops_per_s: field is missing",
        ),
        (
            "id: XIII\nparameters: {max_nfs_ops_per_s: {table: ~, row: a, field: b}}\n",
            ":2:34: table: no value is given",
        ),
        (
            "id: XIII\nbounds: {resource: network.nfs_ops_per_s, at_most: max_nfs_ops_per}\n",
            ":2:43: at_most: unknown parameter 'max_nfs_ops_per'\n"
            "  did you mean 'max_nfs_ops_per_s'?",
        ),
        (
            "id: XIII\nbounds: {resource: network.nfs_ops_per_s, capacity: disk.capacity_mb}\n",
            "bounds: no number of the rule or of its subject is called 'disk.capacity_mb'",
        ),
        ("table: [network-interfaces]\nrows: [{id: x}]\n", ":1:1: table: a list is not allowed"),
        (
            "table: network-interfaces\nrows: [{id: lance-ethernet, boards: [[vx]]}]\n",
            ":2:29: boards is [a list]\n  expected a list of texts or numbers",
        ),
        (
            TABLE.replace("kind: text, ", ""),
            ":12:5: kind is nothing\n  expected one of number, text, flag or names",
        ),
        (
            "id: XIII\ncannot: {tight: it is not, value: [1, 2]}\n",
            ":2:28: value: 'value' is not allowed here\n"
            "  expected holds, tight, violated, unknown or not_applicable",
        ),
        (
            "id: XIII\nmessage: at most {max_nfs_ops_per_s:%}\n",
            ":2:1: message: {max_nfs_ops_per_s:%}: op/s cannot be expressed in %",
        ),
        ("table: network-interfaces\nrows: [1, 2]\n", ":2:8: rows: 1 is not allowed here\n"),
    ],
)
def test_a_mistake_that_crashed_is_one_message_with_its_place(text: str, message: str) -> None:
    kind = "tables" if "table:" in text.splitlines()[0] else "rules"
    with pytest.raises(InputError) as caught:
        plan_and_check(engine_with((f"site/{kind}/{GUIDE}/it.yaml", text)))
    assert message in caught.value.text()


def test_the_unit_of_a_pure_number_may_be_a_number() -> None:
    rule = next(rule for rule in rules_of_the_guide() if rule["id"] == "2.4.4-busy")
    rule["parameters"]["most_busy"]["unit"] = 1
    assert outcome(rule) == "used"
    rule["parameters"]["most_busy"]["unit"] = True
    assert outcome(rule) == "refused"


def test_the_documents_are_used_as_they_are() -> None:
    assert small_guide()
    assert [outcome(data) for data in DOCUMENTS] == ["used"] * len(DOCUMENTS)
