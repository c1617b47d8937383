"""How the files of a volume are reached: a row of the guide's own table, stated in a box."""

from __future__ import annotations

import pytest

from generated_workloads import ENGINE, planned
from sizewright.api import check, load_engine
from sizewright.box.reading import read_box
from sizewright.check.check import Check
from sizewright.documents import parse_document
from sizewright.errors import InputError
from sizewright.facts.storage_records import VolumeFacts
from small import plain, volume

GUIDE = "sun-fire-2005"


def checked(volume: str, more: str = "") -> Check:
    text = (
        f"name: big\nguide: {GUIDE}\nplatform: e25k\n{more}volumes:\n  - {{name: data{volume}}}\n"
    )
    return check(read_box(parse_document(text, "box.yaml")), load_engine(GUIDE))


def drawn(volume: str) -> VolumeFacts:
    (found,) = checked(volume).judged.facts.volumes
    return found


def verdicts(found: Check, rule: str) -> list[tuple[str, str]]:
    return [(f.verdict, f.subject) for f in found.findings if f.rule == rule]


@pytest.mark.parametrize(
    ("way", "page_cache", "advised"),
    [
        ("ufs-buffered", True, False), ("ufs-forcedirectio", False, True),
        ("vxfs-odm", False, True), ("vxfs-qio", False, True), ("vxfs-buffered", True, False),
        ("vxfs-cached-qio", True, False), ("raw", False, None),
    ],
)  # fmt: skip
def test_the_table_tells_of_each_way(way: str, page_cache: bool, advised: bool | None) -> None:
    """Sections 4 and 9."""
    found = drawn(f", file_access: {way}")
    told = (found.file_access, found.page_cache, found.file_access_advised)
    assert told == (way, page_cache, advised)


def test_what_is_not_said_is_unknown() -> None:
    found = drawn("")
    told = (found.file_access, found.page_cache, found.file_access_advised, found.database)
    assert told == (None,) * 4


@pytest.mark.parametrize(("said", "known"), [("oracle-10g", "oracle-10g"), ("none", "")])
def test_whose_data_it_is(said: str, known: str) -> None:
    assert drawn(f", database: {said}").database == known


def test_a_plan_leaves_it_open() -> None:
    plan = planned(plain({"uses": ["home"]}, volumes=[volume("home")]))
    assert plan.chosen
    (found,) = plan.chosen.facts.volumes
    assert (found.file_access, found.page_cache, found.database) == (None, None, "")


def fault(text: str) -> str:
    with pytest.raises(InputError) as refused:
        checked(text)
    (only,) = refused.value.faults
    return only.text()


def test_another_name_is_refused_with_the_nearest() -> None:
    assert "did you mean 'ufs-forcedirectio'?" in fault(", file_access: ufs-forcedirectoi")


def test_a_guide_without_such_a_table_has_no_way() -> None:
    text = "name: a\nplatform: sparcstation-2\nvolumes: [{name: d, file_access: ufs-buffered}]\n"
    with pytest.raises(InputError) as refused:
        check(read_box(parse_document(text, "box.yaml")), ENGINE)
    assert "has no 'ufs-buffered' in table file-access-methods" in refused.value.text()


@pytest.mark.parametrize(
    ("use", "way"), [("raw", "ufs-buffered"), ("raw", "vxfs-odm"), ("file_system", "raw")]
)
def test_raw_data_and_files_exclude_each_other(use: str, way: str) -> None:
    told = fault(f", use: {use}, file_access: {way}")
    assert f"file_access: '{way}' on 'data', of use {use}" in told
    assert told.startswith("box.yaml:5:")


@pytest.mark.parametrize(
    ("use", "way"),
    [("raw", "raw"), ("file_system", "vxfs-qio"), ("log", "raw"), ("log", "vxfs-cached-qio")],
)
def test_what_goes_together_is_judged(use: str, way: str) -> None:
    assert drawn(f", use: {use}, file_access: {way}").file_access == way


@pytest.mark.parametrize(
    ("rule", "way", "verdict"),
    [
        ("4-forcedirectio", "ufs-buffered", "violated"),
        ("4-forcedirectio", "ufs-forcedirectio", "holds"),
        ("4-forcedirectio", "raw", "not_applicable"),
        ("9-veritas-choice", "vxfs-buffered", "violated"),
        ("9-veritas-choice", "vxfs-odm", "holds"),
        ("9-cached-qio", "vxfs-cached-qio", "unknown"),
        ("4-coalescing", "vxfs-cached-qio", "violated"),
        ("4-coalescing", "vxfs-qio", "not_applicable"),
    ],
)
def test_the_rules_judge_each_volume(rule: str, way: str, verdict: str) -> None:
    text = f", database: oracle-10g, file_access: {way}"
    found = checked(text, "operating_system: solaris-8\n")
    assert verdicts(found, rule) == [(verdict, "big/volume/data")]


def test_cached_qio_may_serve_logs_or_chosen_files() -> None:
    cached = ", database: oracle-10g, file_access: vxfs-cached-qio"
    rule = "9-cached-qio"
    assert verdicts(checked(f"{cached}, use: log"), rule)[0][0] == "holds"
    for chosen, verdict in (("true", "holds"), ("false", "violated")):
        more = f"reported: {{cached_qio_selective: {chosen}}}\n"
        assert verdicts(checked(f"{cached}, use: file_system", more), rule)[0][0] == verdict


def test_the_finding_tells_the_printed_run_times() -> None:
    """Section 6, Table 2."""
    found = checked(", database: oracle-10g, file_access: ufs-buffered")
    (message,) = [f.message for f in found.findings if f.rule == "4-forcedirectio"]
    for number in ("63", "54", "28", "2600000", "3000"):
        assert number in message.replace(",", "")
