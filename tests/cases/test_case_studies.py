"""The guide's case studies: each figure, what moves when an input moves, what must fail."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache

import pytest

from cases.copies import EXAMPLES, Copy, engine_of, run_kept
from cases.second_evaluator import second_value
from depth import part_of
from sizewright.api import load_engine
from sizewright.cases.expressions import evaluate
from sizewright.cases.reading import Case, Result, case_folders, read_case
from sizewright.cases.running import SMALLER
from sizewright.guide.loader import guide_ids

pytestmark = pytest.mark.no_cover

CASES = tuple(read_case(folder) for folder in case_folders(EXAMPLES.parent))


@cache
def results_of(case_id: str) -> tuple[Result, ...]:
    """Every comparison of a case as it is, run once."""
    (case,) = (case for case in CASES if case.id == case_id)
    return run_kept(case, engine_of).results


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.id)
def test_each_printed_figure_is_met_or_accounted_for(case: Case) -> None:
    results = results_of(case.id)
    failing = [f"{r.id} ({r.workload}): {r.reason}" for r in results if r.fails]
    assert not failing, "\n".join(failing)
    meets_what_is_right(case, results)
    names_rules_and_reasons(results)


def meets_what_is_right(case: Case, results: Sequence[Result]) -> None:
    """Assert that the program has the right figure where the guide's is wrong."""
    errata = {e.id: e.erratum for _, e in case.entries if e.erratum and e.erratum.right}
    for result in results:
        if result.verdict == "erratum" and result.id in errata:
            right = [float(second_value(text)) for text in errata[result.id].right.texts]
            assert list(result.computed) == pytest.approx([right[0], right[-1]]), result.id


def names_rules_and_reasons(results: Sequence[Result]) -> None:
    """Assert that each difference from the guide has a known rule and a reason."""
    forced = [r for r in results if r.verdict == "differs" and r.forced_by]
    assert all(r.reason for r in forced)
    assert {r.forced_by for r in forced} <= rules_of_all_guides() | {SMALLER}


@cache
def rules_of_all_guides() -> set[str]:
    return {rule.id for name in guide_ids() for rule in load_engine(name).rule_set.rules}


def test_every_expression_has_the_same_value_by_another_evaluator() -> None:
    texts = {
        text
        for case in CASES
        for printed, expected in case.entries
        for group in (
            printed.right,
            expected.erratum.right if expected.erratum else None,
            *(check.right for check in expected.checks),
        )
        if group
        for text in group.texts
    }
    assert texts
    for text in texts:
        assert evaluate(text) == pytest.approx(float(second_value(text)), rel=1e-12), text


ONE, TWO = "case-1", "case-2"
SILENT, SOUND = "silent.yaml", "with-sound.yaml"
WORKLOAD = "workload.yaml"

MOVES = [
    pytest.param(
        ONE, WORKLOAD, "clients: 12\n", "clients: 24\n",
        {"ecad-load", "technical-load", "technical-share-of-plain-interface", "total-load",
         "total-load-rounded", "cpu-idle", "technical-share-of-offload-interface"},
        id="ECAD clients doubled",
    ),
    pytest.param(ONE, WORKLOAD, "at_once: [4, 5]", "at_once: [4, 6]",
                 {"ecad-load", "total-load"}, id="more ECAD clients at once"),
    pytest.param(ONE, WORKLOAD, "ops_per_s_each: 30", "ops_per_s_each: 33",
                 {"ecad-load", "total-load"}, id="busier ECAD clients"),
    pytest.param(ONE, WORKLOAD, "clients: [3, 4]", "clients: [3, 5]",
                 {"programming-load", "technical-load", "total-load"}, id="one programmer more"),
    pytest.param(ONE, WORKLOAD, "clients: 75", "clients: 150",
                 {"pc-email-load", "pc-load", "total-load"}, id="PCs doubled"),
    pytest.param(ONE, WORKLOAD, "burst_s: [5, 6]", "burst_s: [5, 7]",
                 {"pc-email-load", "pc-load"}, id="longer bursts of mail"),
    pytest.param(ONE, WORKLOAD, "every_s: 300", "every_s: 240",
                 {"pc-email-load", "pc-load"}, id="mail more often"),
    pytest.param(ONE, WORKLOAD, "times: 2", "times: 3", {"pc-load"}, id="applications twice"),
    pytest.param(ONE, WORKLOAD, "clients: 8\n", "clients: 9\n",
                 {"administrative-load", "total-load"}, id="one administrator more"),
    pytest.param(ONE, WORKLOAD, "size_mb: [3000, 3100]", "size_mb: [3000, 4200]",
                 {"serial-disks"}, id="more ECAD files"),
    pytest.param(ONE, WORKLOAD, "size_mb: 150", "size_mb: 250",
                 {"random-disks"}, id="more mail"),
    pytest.param(ONE, WORKLOAD, "medium: token-ring-4mb", "medium: ethernet",
                 {"pc-medium", "token-ring-interfaces", "ethernet-interfaces"},
                 id="no token ring"),
    pytest.param(ONE, WORKLOAD, "[quarter-inch-tape]", "[]", {"quarter-inch-tapes"},
                 id="no quarter-inch tape wished"),
    pytest.param(TWO, SILENT, "every_s: 30\n", "every_s: 15\n",
                 {"courseware-data-rate+1", "courseware-reads+1", "courseware-load+1",
                  "total-load+1", "load-with-reserve+1"},
                 id="twice the frames a minute"),
    pytest.param(TWO, SOUND, "every_s: 30\n", "every_s: 15\n",
                 {"courseware-data-rate", "courseware-reads", "courseware-load", "total-load"},
                 id="twice the frames a minute, with sound"),
    pytest.param(TWO, SOUND, "seconds: 30", "seconds: 1",
                 {"sound-per-frame", "frame-with-sound", "courseware-load", "total-load+2"},
                 id="one second of sound"),
    pytest.param(TWO, SOUND, "per_s: 8000", "per_s: 4000", {"sound-per-frame"},
                 id="fewer samples"),
    pytest.param(TWO, SILENT, "kb: [250, 256]", "kb: [250, 300]",
                 {"frame", "frame-with-sound+1", "courseware-reads+1"}, id="larger frames"),
    pytest.param(TWO, SILENT, "clients: 80\n", "clients: 120\n",
                 {"courseware-load+1", "total-load+1"}, id="half as many students again"),
    pytest.param(TWO, SILENT, "ops_per_s_each: 1\n", "ops_per_s_each: 2\n",
                 {"paging-load", "total-load+1"}, id="twice the paging"),
    pytest.param(TWO, SILENT, "kb: 300\n", "kb: 400\n",
                 {"laboratory-load", "laboratory-load-with-help", "laboratory-reads-per-case"},
                 id="larger cases"),
    pytest.param(TWO, SILENT, "mix: brown", "mix: {reads_percent: 26, writes_percent: 0}",
                 {"courseware-load+1", "total-load+1"}, id="another mix"),
    pytest.param(TWO, SILENT, "fastest_response: true", "fastest_response: false",
                 {"interface-kind", "networks", "platform"}, id="no hurry"),
    pytest.param(TWO, SILENT, "exclusive: [[courseware, lab]]", "exclusive: []",
                 {"total-load+1"}, id="lab and courseware at once"),
]  # fmt: skip


@pytest.mark.in_part
@pytest.mark.parametrize(("case", "file", "before", "after", "moved"), part_of(MOVES, 4))
def test_what_the_customer_says_moves_the_figures(
    copied: Callable[[str], Copy], case: str, file: str, before: str, after: str, moved: set[str]
) -> None:
    entries = {key.partition("+")[0] for key in moved}
    copy = copied(case)
    assert not entries & {result.id for result in results_of(copy.folder.name) if result.fails}
    assert moved <= copy.change(file, before, after).fails(entries)
