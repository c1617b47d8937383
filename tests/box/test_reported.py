"""Facts that a guide has boxes report by name: read as its table says, asked by its rules."""

from __future__ import annotations

from pathlib import Path

import pytest

from guide.overlays import REPORTED_FACTS, overlay
from sizewright.api import Engine, check, load_engine, plan, read_workload
from sizewright.box.reading import read_box
from sizewright.check.check import Check
from sizewright.documents import parse_document, read_document
from sizewright.errors import InputError
from sizewright.facts.records import blank, facts_of
from sizewright.guide.model import REPORTED

CASE_1 = Path(__file__).resolve().parents[2] / "examples/sun-1992/case-1-departmental-nfs"
_ROWS = """\

  memory: {type: flag, doc: A size of memory}
rows:
  - {id: stall-share, @, kind: number, unit: "1", doc: Stalls}
  - {id: queue, @, kind: number, unit: KB, doc: A queue}
  - {id: module, @, kind: number, unit: MB, memory: true, doc: A module}
  - {id: files, @, kind: number, unit: MB, doc: Files}
  - {id: cage, @, kind: flag, doc: A cage}
  - {id: table, @, kind: text, doc: A table, one_of: [ts, ia]}
  - {id: host, @, kind: text, doc: A host}
  - {id: patches, @, kind: names, doc: Patches}
""".replace("@", 'status: printed, source: {section: "2.10.1"}')
TABLE = f"{REPORTED_FACTS}{_ROWS}"
RULE = """\
id: stalls
title: Stalls
source: {section: "2.10.1"}
subject: SUBJECT
judges: [box]
parameters: {most: {value: 0.2, unit: "1", doc: Most}}
when: reported.cage
require: reported.stall_share <= most
severity: advice
severity_reason: it is slower
message: "{reported.stall_share} stall"
remedy: Place memory.
measure: Count stalls.
examples:
  - {given: {reported: {cage: true, stall_share: 0.1}}, parameters: {most: 0.2}, expect: holds}
  - {given: {reported: {cage: true, stall_share: 0.4}}, parameters: {most: 0.2}, expect: violated}
  - {given: {reported: {cage: false}}, parameters: {most: 0.2}, expect: not_applicable}
  - {given: {reported: {cage: true}}, parameters: {most: 0.2}, expect: unknown}
  - given: {reported: {cage: true, stall_share: [0.1, 0.4]}}
    parameters: {most: 0.2}
    expect: tight
"""


def engine(folder: Path, rule: str = RULE, subject: str = "system") -> Engine:
    return load_engine(
        "sun-1992", (overlay(folder, "site", table=TABLE, rule=rule.replace("SUBJECT", subject)),)
    )


def checked(text: str, known: Engine) -> Check:
    whole = f"name: ours\nplatform: sparcserver-690mp\n{text}\n"
    return check(read_box(parse_document(whole, "box.yaml")), known)


def faults(text: str, known: Engine) -> list[str]:
    with pytest.raises(InputError) as refused:
        checked(text, known)
    return refused.value.text().splitlines()


@pytest.mark.parametrize("subject", ["system", "network"])
@pytest.mark.parametrize(
    ("said", "verdict"),
    [
        ("{cage: true, stall_share: 0.1}", "holds"), ("{cage: true, stall_share: 0.4}", "violated"),
        ("{cage: true, stall_share: [0.1, 0.4]}", "tight"), ("{cage: false}", "not_applicable"),
        ("{stall_share: 0.4}", "unknown"), ("{}", "unknown"),
    ],
)  # fmt: skip
def test_a_rule_on_any_subject_asks_what_the_system_reports(
    subject: str, said: str, verdict: str, tmp_path: Path
) -> None:
    text = f"networks: [{{name: lan, interface: fddi-dx}}]\nreported: {said}"
    (found,) = [
        f for f in checked(text, engine(tmp_path, subject=subject)).findings if f.rule == "stalls"
    ]
    assert found.verdict == verdict
    if verdict == "unknown":
        assert "reported.cage" in found.missing or "reported.stall_share" in found.missing


def test_values_are_read_by_kind_and_unit(tmp_path: Path) -> None:
    known = engine(tmp_path)
    text = (
        "reported: {stall_share: 0.1, queue: 2 MB, cage: true, table: ia, host: yes-it-is, "
        "patches: [a, b]}"
    )
    record = checked(text, known).judged.facts.reported
    assert record.queue.high == 2048 and record.queue.unit == "KB"
    assert record.queue.source.where == "box.yaml:3:37"
    assert (record.cage, record.table, record.host) == (True, "ia", "yes-it-is")
    assert record.patches == ("a", "b")
    assert record.nothing_of_the_kind is None


def test_all_that_is_wrong_is_told_with_its_place(tmp_path: Path) -> None:
    text = (
        "reported:\n  stal_share: 3\n  stall_share: many\n  queue: 3 ms\n  cage: 1\n  table: tt\n"
        "  patches: [a, 3]\n  host: [b]"
    )
    said = faults(text, engine(tmp_path))
    for part in (
        "box.yaml:4:15: reported: guide sun-1992 has no 'stal_share'",
        "did you mean 'stall_share'?",
        "box.yaml:5:16: stall_share: 'many' is not a quantity",
        "box.yaml:6:10: queue: 'ms' cannot be converted into KB",
        "cage: 1 is not allowed here",
        "box.yaml:8:10: table: 'tt' is not allowed here",
        "patches: 3 is not allowed here",
        "host: a list is not allowed here",
    ):
        assert any(part in line for line in said), part


def test_a_guide_without_such_a_table_takes_nothing() -> None:
    (first, *_) = faults("reported: {cage: true}", load_engine("sun-1992"))
    assert first == "box.yaml: reported: guide sun-1992 has no 'cage'"


def test_a_plan_is_not_asked_what_only_a_box_reports(tmp_path: Path) -> None:
    with pytest.raises(InputError) as caught:
        engine(tmp_path, RULE.replace("judges: [box]\n", ""))
    (fault,) = caught.value.faults
    assert (fault.what, fault.expected) == ("asks what only a box reports", "judges: [box]")
    known = engine(tmp_path)
    found = plan(read_workload(read_document(str(CASE_1 / "workload.yaml"))), known)
    assert "stalls" not in {rule.id for rule in found.rules}


def test_a_misspelt_fact_in_a_rule_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="stall_shar"):
        engine(tmp_path, RULE.replace("reported.stall_share <=", "reported.stall_shar <="))


def test_nothing_is_known_of_it_without_a_guide() -> None:
    assert facts_of(REPORTED) == {}
    assert blank(REPORTED, {"cage": True}).cage is True


def test_a_size_of_memory_counts_a_gb_as_1024_mb(tmp_path: Path) -> None:
    found = checked("reported: {module: 2 GB, files: 2 GB}", engine(tmp_path)).judged.facts.reported
    assert (found.module.likely, found.files.likely) == (2048, 2000)
