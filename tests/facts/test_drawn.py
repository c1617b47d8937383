"""Every fact that a rule may ask for is drawn from some box or plan."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path

import pytest

from broken import CASES
from generated_workloads import ENGINE, Plain, planned
from guide.overlays import cell, overlay
from sizewright import api
from sizewright.box.reading import read_box
from sizewright.configuration.model import Expansion
from sizewright.demand.usage import UsageProfile
from sizewright.documents import Document, parse_document, read_document
from sizewright.facts.boards import expansion_facts
from sizewright.facts.derive import Facts, derive_facts
from sizewright.facts.records import RECORDS, facts_of
from sizewright.guide.loader import load_guide
from sizewright.load.measured import Measured, derive_measured
from sizewright.quantity import Quantity
from small import GUIDE, given, system, three

pytestmark = pytest.mark.no_cover

EXAMPLES = Path(__file__).resolve().parent.parent.parent / "examples" / "sun-1992"
WORKLOADS = ("case-1-departmental-nfs/workload.yaml", "case-2-training-center/silent.yaml")
EVERY = {(subject, fact) for subject in RECORDS for fact in facts_of(subject)}
SEEN = {(subject, name) for subject, name in EVERY if facts_of(subject)[name].seen}
# Facts that neither a box nor a plan can have, each with the reason.
NEVER: dict[tuple[str, str], str] = {}
# Facts that no box has, each with the reason; rules that ask for them judge plans alone.
ONLY_OF_PLANS = {
    ("system", "processors_wanted"): "what services could use is asked for; a box shows what runs",
    (
        "system",
        "controller_may_fail",
    ): "what must be survived is asked for, and never seen",
    **{
        ("work", name): "how long a run may take and how often one begins is asked for"
        for name in facts_of("work")
    },
}
# Invented: a database's run on disks, with all that can be asked of it.
DATABASE: Plain = {
    "name": "orders",
    "networks": [{"name": "floor", "medium": "fddi"}],
    "volumes": [{"name": "rows", "size_mb": 700, "access": "serial", "use": "raw"},
                {"name": "letters", "size_mb": 100, "access": "random"}],
    "services": [
        {
            "kind": "database", "name": "orders", "product": "oracle", "clients": 2,
            "network": "floor",
            "work": [{"name": "report", "volume": "rows", "mb": 20, "block_kb": 8, "every_s": 900,
                      "as_fast_as_disks": True, "within_s": 120, "returns_mb": 1,
                      "user_processors": 0.2}],
        },
        {"kind": "gateway", "name": "branches",
         "lines": [{"name": "branch", "protocol": "tcp", "kbit_per_s": 56}]},
        {"kind": "mail", "name": "post", "volume": "letters", "messages_a_day": 9000,
         "prime_messages": 7200, "prime_s": 7200, "temporary_files": 2},
    ],
    "backup": {"window": 8},
}  # fmt: skip
# Facts that rules on plans read and no plan has: the rules ask first whether they are known.
GUARDED = {
    ("channel", "mirror_detached"),
    ("network", "medium_ops_per_s"), ("network", "shared_ops_per_s"),
    ("system", "string_controllers"), ("system", "string_controllers_limit"),
}  # fmt: skip
# Subjects of which no plan has any: it adds no box that extends a bus.
ABSENT = {"expansion"}
# What can be observed of a box, and decides no rule of the guide.
MORE = """\
name: primary
platform: sparcstation-2
networks: [{name: north, interface: fddi-s}]
load: {data: {north: {queries: 1200}}}
observed: {cpu: {system_percent: 40, spin_percent: 1}, paging: {page_ins_per_s: 3},
  swapping: {processes: 1, outs_per_s: 0}}
backup: {window: 8}
applications: {shared_writes: true, very_large_files: false, small_file_ops_per_s: 6,
  database_ops_per_s: 5}
"""
# Four boards in the three Sbus slots that four processors leave.
COVERED = """\
name: primary
platform: sparcserver-630mp
processors: 4
boards: [{id: a, board: sbus-scsi}, {id: b, board: sbus-scsi}, {id: c, board: sbus-scsi},
  {id: d, board: sbus-scsi}]
"""
# What can be observed of boxes of other guides.
MORE_OF_OTHERS = (
    """\
name: boards
guide: sun-fire-2005
platform: sun-fire-15k
boards:
  - {id: expander-0, board: expander-board, revision: "6.10"}
  - {id: sb-0, board: system-board, kernel_memory: false}
  - {id: sb-17, board: system-board, kernel_memory: true}
observed:
  boards:
    sb-0: {memory_reads_per_s: 100, memory_writes_per_s: 50}
    sb-17: {memory_reads_per_s: 500, memory_writes_per_s: 100}
""",
)

Known = set[tuple[str, str]]


def known_in(drawn: Iterable[Facts]) -> Known:
    """Every fact that is known of some subject."""
    return {
        (subject, name)
        for facts in drawn
        for subject, records in facts.by_subject().items()
        if subject in RECORDS
        for record in records
        for name, value in record._asdict().items()
        if value is not None
    }


def boxes() -> Iterator[Document]:
    for case in CASES:
        yield parse_document(case.text(), f"{case.rule}-{case.example}.yaml")
    yield parse_document(MORE, "more.yaml")
    yield parse_document(COVERED, "covered.yaml")
    for path in sorted(EXAMPLES.glob("*/box.yaml")):
        yield read_document(path)


@cache
def from_boxes() -> Known:
    return known_in(api.check(read_box(box), ENGINE).judged.facts for box in boxes())


@cache
def from_boxes_of_others() -> Known:
    """What boxes of other guides show, by tables that this guide lacks; and what more they may."""
    boxes = [p for p in EXAMPLES.parent.glob("*/*/box*.yaml") if not p.stem.endswith("expected")]
    documents = [
        *(read_document(path) for path in sorted(boxes) if EXAMPLES not in path.parents),
        *(parse_document(text, "more.yaml") for text in MORE_OF_OTHERS),
    ]
    read = [read_box(document) for document in documents]
    return known_in(api.check(box, api.load_engine(str(box.guide))).judged.facts for box in read)


@cache
def from_plans() -> Known:
    read = (api.read_workload(read_document(EXAMPLES / w)) for w in WORKLOADS)
    plans = [*(api.plan(workload, ENGINE) for workload in read), planned(DATABASE)]
    assert all(plan.chosen for plan in plans)
    return known_in(plan.chosen.facts for plan in plans if plan.chosen)


def test_every_fact_is_drawn_from_a_box_or_is_known_never_to_be() -> None:
    assert EVERY - from_boxes() - from_boxes_of_others() - from_plans() == set(NEVER)
    assert all(NEVER.values())


def test_every_fact_that_a_rule_of_a_box_reads_is_drawn_from_a_box() -> None:
    read = {fact for rule in ENGINE.rule_set.judging("box").rules for fact in rule.reads}
    assert read - from_boxes() == set()


def test_every_fact_that_a_rule_of_a_plan_reads_is_drawn_from_a_plan_or_not_counted_on() -> None:
    read = {fact for rule in ENGINE.rule_set.judging("plan").rules for fact in rule.reads}
    left = {fact for fact in read - from_plans() - SEEN if fact[0] not in ABSENT}
    assert left == GUARDED


def test_what_only_a_plan_has_is_drawn_from_plans_and_from_no_box() -> None:
    assert from_plans() - from_boxes() == set(ONLY_OF_PLANS)


def test_what_only_a_box_shows_is_never_drawn_from_a_plan() -> None:
    assert SEEN
    assert SEEN & from_plans() == set()


@pytest.mark.parametrize(
    ("platform", "bus", "megabytes"),
    [
        ("sparcstation-2", "sbus", 32),
        ("sparcserver-690mp", "vme", None),
        ("vax-8650", "sbus", None),
    ],
)
def test_the_room_of_a_slot_is_what_all_slots_of_its_bus_have(
    platform: str, bus: str, megabytes: float | None
) -> None:
    """2.3.2: 32 MB for each Sbus slot; nothing is said of others."""
    found = system(platform=platform, expansions=(Expansion("xbox", bus, "", ()),))
    (expansion,) = expansion_facts(found, GUIDE)
    room = expansion.slot_mb
    assert (room.high if isinstance(room, Quantity) else room) == megabytes


def test_where_slots_differ_in_room_that_of_a_box_is_unknown(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SIZEWRIGHT_CACHE", "")
    wider = cell("platform-slots", "sparcserver-630mp-sbus-fourth", "address_space_mb", 64)
    guide = load_guide(GUIDE.id, (overlay(tmp_path, "site", slots=wider),))
    found = system(platform="sparcserver-630mp", expansions=(Expansion("xbox", "sbus", "", ()),))
    (before,), (after,) = (tuple(expansion_facts(found, each)) for each in (GUIDE, guide))
    assert isinstance(before.slot_mb, Quantity)
    assert (before.slot_mb.high, after.slot_mb) == (32, None)


@pytest.mark.parametrize(("maxusers", "entries"), [(64, 1168), (None, None)])
def test_the_cache_of_names_goes_by_maxusers(maxusers: int | None, entries: int | None) -> None:
    """2.10.4: 80 names, and 17 for each MAXUSERS."""
    found = system(tunables={} if maxusers is None else {"maxusers": given(maxusers)})
    load = derive_measured(Measured(), UsageProfile(), found, GUIDE)
    held = derive_facts(found, load, GUIDE).system.name_cache_entries
    assert (three(held) if isinstance(held, Quantity) else held) == (entries and (entries,) * 3)
