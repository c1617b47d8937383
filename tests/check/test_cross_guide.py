"""What other guides say of a box; expectations come from rule files, tables and the box."""

from __future__ import annotations

from pathlib import Path

import pytest

from sizewright.api import check, check_against
from sizewright.box.reading import read_box
from sizewright.check.check import Check
from sizewright.check.cross_guide import CrossCheck
from sizewright.check.rule_filter import RuleFilter
from sizewright.documents import read_document
from sizewright.guide.loader import guide_ids
from small import told
from two_guides import OTHER, OWN, REPORTED, case_1, checked, engine, overlay

BOX = "departmental-nfs"
EXAMPLES = Path(__file__).parents[2] / "examples"
OTHERS = [guide for guide in guide_ids() if guide != OWN]


@pytest.fixture(scope="module")
def both(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return overlay(tmp_path_factory.mktemp("overlays") / "both")


@pytest.fixture(scope="module")
def case() -> Check:
    return checked(case_1())


def says(found: CrossCheck, rule: str) -> dict[str, str]:
    """Verdicts of a rule by subject, without the name of the box."""
    return {f.subject.removeprefix(f"{BOX}/"): f.verdict for f in found.findings if f.rule == rule}


# Fifteen and eight clients on Ethernets, 75 on a token ring; the rule of thumb is 10 to 20, the
# cautious ratio 10. The mix has 15 % writes, as the one for which the gain is printed, and there is
# no accelerator. Mail and binaries have two copies each, on two disks.
AUSPEX = {
    "1.2-clients-per-network": {
        "network/technical": "tight", "network/administrative": "holds",
        "network/pcs": "not_applicable",
    },
    # Whether much I/O is done is for that guide's machines to report; eight are few either way.
    "1.4-io-intensive": {
        "network/technical": "unknown", "network/administrative": "holds",
        "network/pcs": "not_applicable",
    },
    "3.2-scsi-for-nfs": {"channel/onboard": "holds", "channel/pedestal": "holds"},
    "3.3-channel-devices": {"channel/onboard": "holds", "channel/pedestal": "holds"},
    "3.4-accelerate-writes": {BOX: "violated"},
    "3.4-mirror-sets": {
        "volume/mail": "holds", "volume/binaries": "holds", "volume/ecad-files": "not_applicable",
    },
    # Rules on processors that this machine does not have.
    "3.3-base": {BOX: "not_applicable"},
    "4.1-overload": {BOX: "not_applicable"},
}  # fmt: skip
# Mirrors are made by software of the operating system; hot random data lies on one disk a copy; the
# busses are of a kind that the guide does not name, so nobody knows how wide it would call them.
COMPAQ = {
    "raid-hardware-controller": {BOX: "violated"},
    "raid-levels-mirror": {
        "volume/mail": "holds", "volume/binaries": "holds", "volume/ecad-files": "not_applicable",
    },
    "scaling-spread": {
        "volume/mail": "violated", "volume/binaries": "violated",
        "volume/ecad-files": "not_applicable",
    },
    "drives-10000-rpm": {
        "disk/mirror-a": "violated", "disk/mirror-b": "violated",
        "disk/ecad-a": "not_applicable", "disk/ecad-b": "not_applicable",
        "disk/ecad-c": "not_applicable",
    },
    "scsi-2-targets": {"channel/onboard": "holds", "channel/pedestal": "holds"},
    "scsi-3-wide": {"channel/onboard": "unknown", "channel/pedestal": "unknown"},
    # The only bus with slots is no PCI bus.
    "peer-pci-slots": {"slots/sbus": "not_applicable"},
}  # fmt: skip
# One processor needs no other licence, whichever there is; no drives or power were reported.
SOLARIS = {
    "4-licence-processors": {BOX: "holds"},
    "3-power-supply": {BOX: "unknown"},
    "1-disk-space": {f"disk/{name}": "holds" for name in (
        "mirror-a", "mirror-b", "ecad-a", "ecad-b", "ecad-c",
    )},
}  # fmt: skip
# 32 to 64 MB for one processor, of 8192.
SUN_FIRE = {"differences-memory-balance": {BOX: "violated"}}
EXPECTED = {
    "auspex-1992": AUSPEX, "compaq-1999": COMPAQ, "solaris-x86-1998": SOLARIS,
    "sun-fire-2005": SUN_FIRE,
}  # fmt: skip


@pytest.mark.parametrize(
    ("guide", "rule"), [(guide, rule) for guide, rules in EXPECTED.items() for rule in rules]
)
def test_what_the_rules_say_of_the_first_case(case: Check, guide: str, rule: str) -> None:
    found = check_against(case, engine(guide))
    assert found.guide.id == guide
    assert rule in {known.id for known in found.rule_set.rules}
    assert says(found, rule) == EXPECTED[guide][rule]


@pytest.mark.parametrize("guide", OTHERS)
def test_every_finding_knows_its_guide(case: Check, guide: str) -> None:
    found = check_against(case, engine(guide))
    assert {f.guide for f in found.findings} == {guide}
    assert {f.guide for f in case.findings} == {OWN}


def test_parameters_and_citations_are_the_other_guides(case: Check) -> None:
    found = check_against(case, engine("auspex-1992"))
    (finding,) = (f for f in found.findings if f.rule == "1.2-clients-per-network"
                  and f.subject.endswith("/technical"))  # fmt: skip
    most = finding.figures["most"]
    assert (most.low, most.high, most.unit) == (10, 20, "client")
    assert finding.source == "section 1.2"
    assert "15 clients" in finding.message and "10 to 20" in finding.message


def test_what_only_that_guide_has_reported_is_missing(case: Check) -> None:
    found = check_against(case, engine("auspex-1992"))
    (finding,) = (f for f in found.findings if f.rule == "1.4-io-intensive" and f.missing)
    assert finding.missing == ("reported.io_intensive",)


def test_a_kind_that_it_lacks_is_missing_and_yet_shown(case: Check) -> None:
    found = check_against(case, engine("compaq-1999"))
    wide = [f for f in found.findings if f.rule == "scsi-3-wide"]
    assert [f.missing for f in wide] == [("channel.kind",)] * 2
    assert all("is scsi-synchronous" in f.message for f in wide)


def test_a_report_of_the_same_name_kind_and_unit_counts(both: Path) -> None:
    found = check_against(checked(case_1(REPORTED), both), engine(OTHER, both))
    assert says(found, "queue") == {BOX: "violated"}
    assert says(found, "pace") == says(found, "there") == {BOX: "unknown"}
    (queue,) = (f for f in found.findings if f.rule == "queue")
    assert queue.message == "40 KB of departmental-nfs, at most 30 KB"
    silent = check_against(checked(case_1(), both), engine(OTHER, both))
    assert says(silent, "queue") == {BOX: "unknown"}


def test_rules_of_the_same_id_are_two(both: Path) -> None:
    """The other guide's is broken by six devices; the own guide's is about hot disks."""
    case = checked(case_1(), both)
    found = check_against(case, engine(OTHER, both))
    assert says(found, "VII") == {"channel/onboard": "holds", "channel/pedestal": "violated"}
    assert {f.title for f in case.findings if f.rule == "VII"}.isdisjoint(
        f.title for f in found.findings
    )


def test_waivers_and_parameters_of_the_box_are_of_its_own_guide(both: Path) -> None:
    policy = "policy:\n  waive: [{rule: VII, reason: It is so}]\n"
    found = check_against(checked(case_1(policy), both), engine(OTHER, both))
    assert says(found, "VII")["channel/pedestal"] == "violated"
    changed = "policy:\n  parameters: {2.4.4-busy: {most_busy: 0.7}}\n"
    found = check_against(checked(case_1(changed), both), engine(OTHER, both))
    assert says(found, "VII")["channel/pedestal"] == "violated"


def test_the_check_and_its_budgets_stay(case: Check) -> None:
    before = case.judged
    found = check_against(case, engine("auspex-1992"))
    assert found.judged.budgets == ()
    assert case.judged is before
    assert found.judged.system is before.system


def test_only_what_is_selected_is_asked(case: Check) -> None:
    auspex = engine("auspex-1992")
    only = check_against(case, auspex, RuleFilter(only=("4.2-nfs",)))
    assert [rule.id for rule in only.rule_set.rules] == ["4.2-nfs"]
    assert {f.rule for f in only.findings} == {"4.2-nfs"}
    severe = check_against(case, auspex, RuleFilter(severity="violation"))
    assert {rule.severity for rule in severe.rule_set.rules} == {"violation"}
    left = check_against(case, auspex, RuleFilter(ignored=("4.2-nfs",)))
    assert len(left.rule_set.rules) == len(check_against(case, auspex).rule_set.rules) - 1


@pytest.mark.parametrize("guide", OTHERS)
def test_a_guide_finds_in_its_own_terms_what_it_finds_itself(guide: str) -> None:
    """Asked of facts that were drawn in its own terms a guide says what its check says."""
    load_engine = engine(guide)
    for path in sorted((EXAMPLES / guide).glob("*/box.yaml")):
        own = check(read_box(read_document(path)), load_engine)
        of_guide = {rule.id for rule in load_engine.rule_set.rules if not rule.own}
        found = tuple(f for f in own.findings if f.rule in of_guide)
        assert told(check_against(own, load_engine).findings) == told(found)


def test_a_rule_on_what_the_box_has_not_says_nothing() -> None:
    """Two rules are about boxes that extend a bus; the PC has none."""
    box = read_box(read_document(EXAMPLES / "solaris-x86-1998" / "pilot-server" / "box.yaml"))
    found = check_against(check(box, engine("solaris-x86-1998")), engine(OWN))
    extending = {r.id for r in found.rule_set.rules if r.subject == "expansion"}
    assert extending == {"VI", "2.3.2-masters"}
    assert extending.isdisjoint(f.rule for f in found.findings)
