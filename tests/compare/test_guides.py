"""File loads held against the machines of every guide, with figures worked out from the papers."""

from __future__ import annotations

import json
from itertools import chain

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st

from case_reports import CASES
from settled import settled
from sizewright.api import Engine, plan, read_workload
from sizewright.cli.files import schema_of
from sizewright.compare.assessment import Assessment, GuideComparison, compare_guides
from sizewright.compare.guides import across_data, across_text
from sizewright.documents import parse_document, read_document
from sizewright.errors import InputError
from sizewright.workload.workload import Workload

SMALL = """
name: small
guide: {guide}
networks:
  - {{name: lan, medium: ethernet, segments_at_most: {segments}}}
volumes:
  - {{name: files, size_mb: {size}, access: random{more}}}
services:
  - kind: nfs
    name: users
    clients: {clients}
    load: {{ops_per_s_each: {each}}}
    network: lan
    uses: [files]
"""


def small(
    guide: str = "sun-1992", clients: int = 40, each: float = 4, size: int = 1000,
    segments: int = 1, more: str = "",
) -> Workload:  # fmt: skip
    """Clients of one service on one community of Ethernets."""
    text = SMALL.format(
        guide=guide, clients=clients, each=each, size=size, segments=segments, more=more
    )
    return read_workload(parse_document(text.encode(), "small.yaml"))


def over_all(workload: Workload, engines: dict[str, Engine]) -> GuideComparison:
    """The same over every guide, the workload's own first."""
    own = str(workload.guide)
    return compare_guides(workload, engines[own], [e for name, e in engines.items() if name != own])


def standing(found: GuideComparison, guide: str, platform: str) -> Assessment:
    """One machine by one guide."""
    (told,) = (each for each in found.told if each.guide.id == guide)
    (machine,) = (each for each in told.machines if each.platform.id == platform)
    return machine


def shares(machine: Assessment) -> dict[str, float]:
    """The share of each kind of resource."""
    return {budget.kind: machine.share(budget) for budget in machine.fullest}


@pytest.fixture(scope="module")
def enterprise(engines: dict[str, Engine]) -> GuideComparison:
    """The mixed file service of the last case study of the guide with case studies."""
    return over_all(read_workload(read_document(CASES["case-7"])), engines)


def test_every_machine_that_serves_files_stands_there(enterprise: GuideComparison) -> None:
    by_guide = {
        told.guide.id: [machine.platform.id for machine in told.machines]
        for told in enterprise.told
    }
    assert by_guide == {
        "sun-1992": [
            "sparcstation-2", "sparcserver-630mp", "sparcserver-670mp", "sparcserver-690mp"
        ],
        "auspex-1992": ["ns-3000", "ns-5500", "sparcserver-690mp"],
        "compaq-1999": [],
        "solaris-x86-1998": ["pc-file-server"],
        "sun-fire-2005": [],
    }  # fmt: skip
    assert next(iter(by_guide)) == "sun-1992"
    assert enterprise.holds
    assert enterprise.files.left_out == (
        "arcinfo", "gateways", "mail", "office", "oracle", "paging", "sas"
    )  # fmt: skip


# The load at its high end: 20 stations that load 6 MB in 300 s by reads of 8 KB, 13 % of all
# operations; 43 at 1.25, and 70 that ask for 10 a second in 5 of 300 s. 787 of them are as much
# as 450 of the reference mix, 1.75 for one (1.1.9).
STATIONS = 20 * 6 * 1024 / 300 / 8 / 0.13
OTHERS = 43 * 1.25
LOADING = 70 * 10 * 5 / 300
WEIGHT = 1 / 1.75
READS, WRITES = 0.13, 0.15
# What is stated as data counts its own bytes, the rest 8 KB for each read and write.
STATED = 20 * 6 * 1024 / 300


def test_the_load_is_that_of_the_files_alone(enterprise: GuideComparison) -> None:
    ops = STATIONS + OTHERS + LOADING
    files = enterprise.files
    assert files.operations.high == pytest.approx(ops)
    assert files.reference_operations.high == pytest.approx(ops * WEIGHT)
    assert files.reads.high == pytest.approx(ops * READS)
    assert files.writes.high == pytest.approx(ops * WRITES)
    assert files.data.high == pytest.approx(STATED + (OTHERS + LOADING) * (READS + WRITES) * 8)
    assert files.stored.high == 2500


def test_each_machine_has_its_bottleneck(enterprise: GuideComparison) -> None:
    """The loads to plan for are 650 and, at 50 ms, 675 and 2250 over eight networks; 450 else."""
    weighted = (STATIONS + OTHERS + LOADING) * WEIGHT
    expected = {
        ("sun-1992", "sparcserver-690mp"): ("nfs", weighted / 650),
        ("auspex-1992", "ns-3000"): ("nfs", weighted / 675),
        ("auspex-1992", "ns-5500"): ("nfs", weighted / (2250 * 4 / 8)),
        ("auspex-1992", "sparcserver-690mp"): ("nfs", weighted / 450),
    }
    for (guide, platform), (kind, share) in expected.items():
        machine = standing(enterprise, guide, platform)
        assert machine.bottleneck is not None
        assert (machine.bottleneck.kind, machine.verdict) == (kind, "fits"), platform
        assert machine.share(machine.bottleneck) == pytest.approx(share), platform


def test_the_desktop_machine_is_held_by_what_was_measured_of_it(
    enterprise: GuideComparison,
) -> None:
    """1.90 MB/s read took all of its processor, 0.95 MB/s written 55 %; its wire is 10 Mb/s."""
    machine = standing(enterprise, "solaris-x86-1998", "pc-file-server")
    ops = STATIONS + OTHERS + LOADING
    read, written = (ops * part * 8 / 1024 for part in (READS, WRITES))
    time = read * 1 / 1.90 + written * 0.55 / 0.95
    wire = (STATED + (OTHERS + LOADING * 6 / 7) * (READS + WRITES) * 8) / (10e6 / 8 / 1024)
    assert shares(machine)["processors"] == pytest.approx(time)
    assert shares(machine)["data"] == pytest.approx(wire)
    assert shares(machine)["disk"] == pytest.approx(ops * (READS + WRITES) / 4 / 66)
    assert machine.bottleneck is not None and machine.bottleneck.kind == "processors"
    assert not machine.sure and "operations a second" in machine.gaps[0].what


def test_what_a_machine_cannot_have_is_told(enterprise: GuideComparison) -> None:
    machine = standing(enterprise, "sun-1992", "sparcstation-2")
    assert machine.verdict == "lacks"
    assert machine.lacks == (
        "it can attach no disks with two ports for applications, workstation-files",
    )
    other = [gap.what for gap in standing(enterprise, "auspex-1992", "ns-3000").gaps]
    assert other[:2] == [
        "an interface to token-ring-4mb (pcs)",
        "disks with two ports (applications and workstation-files)",
    ]


def test_only_where_other_processors_serve_no_kernel_lock_stands_in_the_way(
    enterprise: GuideComparison,
) -> None:
    for machine in chain.from_iterable(told.machines for told in enterprise.told):
        functional = machine.platform.id in ("ns-3000", "ns-5500")
        assert (machine.unlocked is not None) == functional
        assert not (functional and shares(machine).keys() & {"kernel_lock", "processors"})
    mark = standing(enterprise, "auspex-1992", "ns-5500").unlocked
    assert mark is not None and mark.cite == "section 3, Figure 5"


def test_an_operation_is_worth_what_a_machine_rated_by_both_guides_tells(
    enterprise: GuideComparison, engines: dict[str, Engine]
) -> None:
    """The same machine serves 800 by the one and 450 by the other; or both mean the same."""
    (there,) = (told for told in enterprise.told if told.guide.id == "auspex-1992")
    factor = there.translation.factor
    assert factor is not None and there.translation.by == ("sparcserver-690mp",)
    assert (factor.low, factor.likely, factor.high) == (450 / 800, 1, 1)
    back = over_all(small("auspex-1992"), engines)
    (here,) = (told for told in back.told if told.guide.id == "sun-1992")
    factor = here.translation.factor
    assert factor is not None
    assert (factor.low, factor.likely, factor.high) == (1, 1, 800 / 450)
    assert all(told.translation.factor is None for told in back.told if told is not here)


def test_several_machines_share_what_one_does_not_carry(engines: dict[str, Engine]) -> None:
    """2000 a second over four networks: 650 each, 675 each, and 1125 each."""
    found = over_all(small(clients=500, each=4, segments=4), engines)
    needed = {
        ("sun-1992", "sparcserver-690mp"): 4,
        ("auspex-1992", "ns-3000"): 3,
        ("auspex-1992", "ns-5500"): 2,
        ("auspex-1992", "sparcserver-690mp"): 5,
    }
    for (guide, platform), number in needed.items():
        machine = standing(found, guide, platform)
        assert (machine.verdict, machine.machines) == ("several", number), platform
    assert found.holds


def test_responses_are_told_as_each_guide_has_them(engines: dict[str, Engine]) -> None:
    found = over_all(small(), engines)
    told = standing(found, "auspex-1992", "ns-3000").response
    assert told.full_ms is not None and told.full_ms.likely == 50
    assert told.preferred_ms is not None and (told.preferred_ms.low, told.preferred_ms.high) == (
        20, 40,
    )  # fmt: skip
    assert told.quick_share is not None and (told.quick_share.low, told.quick_share.high) == (
        pytest.approx(0.1), pytest.approx(0.2),
    )  # fmt: skip
    told = standing(found, "sun-1992", "sparcserver-690mp").response
    assert told.full_ms is None
    assert told.times_slower is not None and told.times_slower.high == 10
    assert standing(found, "solaris-x86-1998", "pc-file-server").response.full_ms is None


@settled(60)
@given(st.integers(1, 300), st.sampled_from(["sun-1992", "auspex-1992"]), st.integers(1, 4))
def test_more_clients_never_need_fewer_machines(
    engines: dict[str, Engine], clients: int, guide: str, segments: int
) -> None:
    few = over_all(small(guide, clients, segments=segments), engines)
    many = over_all(small(guide, clients + 20, segments=segments), engines)
    pairs = zip(
        chain.from_iterable(told.machines for told in few.told),
        chain.from_iterable(told.machines for told in many.told), strict=True,
    )  # fmt: skip
    for less, more in pairs:
        assert less.platform.id == more.platform.id
        assert less.machines is not None and more.machines is not None
        assert less.machines <= more.machines


@pytest.mark.parametrize("clients", [10, 60, 110])
def test_what_a_plan_puts_together_is_never_said_not_to_fit(
    engines: dict[str, Engine], clients: int
) -> None:
    """A plan is one configuration of a machine, and here it stands at its largest."""
    workload = small(clients=clients, segments=4)
    found = plan(workload, engines["sun-1992"])
    assert found.chosen is not None
    machine = standing(over_all(workload, engines), "sun-1992", found.chosen.system.platform)
    assert machine.verdict == "fits"


def test_a_mirrored_volume_takes_the_room_twice(engines: dict[str, Engine]) -> None:
    """Ten disks of 2003 MB, each 95 % full of files at most (full-disk)."""
    plain = standing(over_all(small(), engines), "auspex-1992", "ns-3000")
    twice = standing(
        over_all(small(more=", protection: mirror"), engines), "auspex-1992", "ns-3000"
    )
    assert shares(twice)["space"] == pytest.approx(2 * shares(plain)["space"])
    assert shares(plain)["space"] == pytest.approx(1000 / 10 / (0.95 * 2003))


def test_where_no_files_are_served_nothing_is_compared(engines: dict[str, Engine]) -> None:
    workload = read_workload(read_document(CASES["case-3"]))
    with pytest.raises(InputError) as refused:
        over_all(workload, engines)
    (fault,) = refused.value.faults
    assert "serves no files" in fault.what and fault.place.line


def test_a_machine_has_the_price_that_its_guide_prints(enterprise: GuideComparison) -> None:
    """Section 7 of the guide for PCs: 1,500 dollars in February 1998; no other prints a price."""
    prices = {
        machine.platform.id: machine.price
        for told in enterprise.told for machine in told.machines if machine.price is not None
    }  # fmt: skip
    assert {name: price.likely for name, price in prices.items()} == {"pc-file-server": 1500}
    text = " ".join(across_text(enterprise).split())
    assert text.count("price, with the parts that the guide describes") == 1
    assert "describes: 1,500 USD [section 7]" in text


def test_what_is_not_stated_of_file_service_is_not_counted(engines: dict[str, Engine]) -> None:
    text = SMALL.format(
        guide="sun-1992", clients=9, each=1, size=100, segments=1,
        more="}\n  - {name: unused, size_mb: 9, access: random",
    ).replace("    uses: [files]\n", "")  # fmt: skip
    text += "growth: {percent: 20, years: 2}\n"
    found = over_all(read_workload(parse_document(text.encode(), "w.yaml")), engines)
    assert {each.subject for each in found.not_counted} == {"users"}
    assert "Not counted" in across_text(found) and "uses: [VOLUME]" in across_text(found)
    [omission] = across_data(found)["not_counted"]
    assert omission["add"] == "uses: [VOLUME]"
    grown = small().replace(growth=found and read_workload(
        parse_document(text.encode(), "w.yaml")).growth)  # fmt: skip
    assert {each.subject for each in over_all(grown, engines).not_counted} == {"files"}


def test_the_data_keeps_its_contract(
    enterprise: GuideComparison, engines: dict[str, Engine]
) -> None:
    for found in (enterprise, over_all(small("auspex-1992"), engines)):
        data = json.loads(json.dumps(across_data(found), allow_nan=False))
        jsonschema.Draft202012Validator(schema_of("across")).validate(data)
        assert list(data) == list(schema_of("across")["properties"])


def test_the_page_shows_every_machine_and_fits(enterprise: GuideComparison) -> None:
    text = across_text(enterprise)
    assert max(map(len, text.splitlines())) <= 80
    for name in ("SS690MP", "NS 3000", "NS 5500", "x86-based NFS"):
        assert f"\n  {name}" in text
    assert "450 op/s [section 4.4] or 800 op/s" in " ".join(text.split())


def test_where_there_are_more_communities_than_ports_several_machines_attach_them(
    engines: dict[str, Engine],
) -> None:
    """Nine communities: four networks a machine, eight, and of the third nobody tells."""
    names = [f"n{number}" for number in range(9)]
    text = "name: many\nguide: auspex-1992\nnetworks:\n"
    text += "".join(f"  - {{name: {name}, medium: ethernet}}\n" for name in names)
    text += "volumes: [{name: files, size_mb: 100, access: random}]\nservices:\n"
    text += "".join(
        f"  - {{kind: nfs, name: s{name}, clients: 1, "
        f"load: {{ops_per_s_each: 1}}, network: {name}, "
        "uses: [files]}\n"
        for name in names
    )
    found = over_all(read_workload(parse_document(text.encode(), "many.yaml")), engines)
    for platform, number in (("ns-3000", 3), ("ns-5500", 2)):
        machine = standing(found, "auspex-1992", platform)
        assert (machine.machines, machine.verdict) == (number, "several")
        assert machine.bottleneck is not None and machine.bottleneck.kind == "ports"
    machine = standing(found, "solaris-x86-1998", "pc-file-server")
    assert machine.verdict == "fits"
    assert "how many networks it takes" in [gap.what for gap in machine.gaps]
