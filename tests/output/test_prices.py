"""Prices of an overlay and of a guide: what an order costs, and which platform is recommended."""

from __future__ import annotations

import csv
from io import StringIO
from pathlib import Path

import pytest

from sizewright.api import load_engine, report_plan
from sizewright.compare.plans import make_column
from sizewright.documents import parse_document
from sizewright.errors import InputError
from sizewright.guide.loader import load_guide
from sizewright.output.html.page import plan_html
from sizewright.output.json.plan import plan_data
from sizewright.output.plan import plan_markdown, plan_text
from sizewright.output.prices import Prices, parts_list
from sizewright.output.reports import PlanReport
from sizewright.workload.reading import read_workload

WORKLOAD = """\
name: few files
networks: [{name: office, medium: ethernet}]
volumes: [{name: homes, size_mb: 300, access: random}]
services:
  - {kind: nfs, name: homes,
      network: office, clients: 10, load: {ops_per_s_each: 2}, uses: [homes]}
"""
# Every platform needs these: 2300 + 350 + 200 = 2850.
COMMON = """\
    1.3 GB SCSI disk: {price: 2300, running_per_year: 30}
    cd-rom: 350
    Solaris 1.0.1: 200
"""
SMALL = "    SPARCstation-2: {price: 12000, processors: 1, memory_mb: 16, each_memory_mb: 40}\n"
LARGE = "    SS630MP: {price: 10000, processors: 2, memory_mb: 64, running_per_year: 500}\n"
# It has two processors, one of which has no price.
HALF = "    platforms/sparcserver-690mp: {price: 9000, processors: 1, memory_mb: 64}\n"


def priced(folder: Path, *parts: str, workload: str = WORKLOAD) -> PlanReport:
    """The plan of the workload with prices of these parts."""
    tables = folder / "site" / "tables" / "sun-1992"
    tables.mkdir(parents=True, exist_ok=True)
    head = "prices:\n  currency: CHF\n  date: 1993-01-15\n  source: a dealer's list\n  parts:\n"
    (tables / "prices.yaml").write_text(head + "".join(parts), encoding="utf-8")
    document = parse_document(workload, "few.yaml")
    engine = load_engine("sun-1992", (folder / "site",))
    return report_plan(read_workload(document), document, engine)


def platform_of(report: PlanReport) -> str:
    assert report.plan.chosen is not None
    return report.plan.chosen.system.platform


def test_the_cheapest_platform_is_recommended_not_the_smallest(tmp_path: Path) -> None:
    """12000 + 16 MB × 40 + 2850 = 15,490 for the desktop; 10000 + 2850 = 12,850 for the server."""
    assert platform_of(priced(tmp_path, COMMON, SMALL)) == "sparcstation-2"
    report = priced(tmp_path, COMMON, SMALL, LARGE, HALF)
    assert platform_of(report) == "sparcserver-630mp"
    found = [(each.name, each.cost.total, each.cost.unpriced) for each in report.offers]
    assert found == [
        ("SS630MP", 12850, ()),
        ("SPARCstation-2", 15490, ()),
        ("SS670MP", 2850, ("SS670MP",)),
        ("SS690MP", 11850, ("SS690MP: further processor",)),
    ]
    text = " ".join(plan_text(report).split())
    said = "of the 2 with a price for each part, of 4 machines, by its smallest configuration"
    assert f"It is the cheapest {said} or by one with a single model of disks." in text


TWO = (
    WORKLOAD.replace(
        "[{name: homes, size_mb: 300, access: random}]",
        "[{name: homes, size_mb: 350, access: random}, {name: more, size_mb: 350, access: random}]",
    ).replace("uses: [homes]", "uses: [homes, more]")
    + "wishes: {system_elsewhere: true}\n"
)


@pytest.mark.parametrize(
    ("each", "model", "number"), [(9000, "424mb-scsi", 2), (900, "1-3gb-scsi", 1)]
)
def test_disks_are_chosen_by_price(tmp_path: Path, each: int, model: str, number: int) -> None:
    """700 MB are on one disk of 1.3 GB, or on two of 424 MB for 500 each."""
    disks = f"    1.3 GB SCSI disk: {each}\n    424 MB SCSI disk: 500\n"
    rest = "    cd-rom: 350\n    Solaris 1.0.1: 200\n"
    report = priced(tmp_path, disks, rest, SMALL, workload=TWO)
    assert report.plan.chosen is not None and report.cost is not None
    assert [disk.model for disk in report.plan.chosen.system.disks()] == [model] * number
    # 16 MB more than the price of the machine includes, 40 each.
    machine = 12000 + 16 * 40
    assert report.cost.total == machine + min(each, 2 * 500) + 350 + 200


# 500 reads a second: three adapters of thirteen drives are nearly full, four of ten are not.
BUSY = """\
name: busy rows
networks: [{name: lan, medium: ethernet}]
volumes:
  - {name: rows, size_mb: 1500, access: random, use: raw}
  - {name: log, size_mb: 150, access: serial, use: log}
services:
  - kind: database
    name: orders
    product: informix-online
    clients: 40
    network: lan
    traffic: {packets_per_s: 100, packet_byte: 500}
    log: log
    user_processors: 0.3
    work:
      - {name: read, volume: rows, ops_per_s: 440}
      - {name: update, volume: rows, operation: update, ops_per_s: 10}
      - {name: log, volume: log, operation: write, ops_per_s: 10}
"""
OF_BUSY = """\
    424 MB SCSI disk: 900
    Sbus SCSI: 800
    "Online:DiskSuite 1.0": 900
    SunDBE 1.1: 700
    SS630MP: {price: 10000, processors: 2, memory_mb: 64, each_memory_mb: 40}
"""


def test_a_plan_with_more_room_is_recommended_where_it_costs_less(tmp_path: Path) -> None:
    """An adapter for 800 spares three drives for 2300 each, and leaves more than a tenth free."""
    report = priced(tmp_path, COMMON, OF_BUSY, workload=BUSY)
    parts = {line.name: line.quantity for line in report.order}
    assert (parts["Sbus SCSI"], parts["1.3 GB SCSI disk"]) == (4, 10)
    assert report.alternatives.relief is None and report.cost is not None
    assert [each.cost.total for each in report.offers if each.platform == platform_of(report)] == [
        report.cost.total
    ]
    dear = OF_BUSY.replace("800", "8000")
    parts = {line.name: line.quantity for line in
             priced(tmp_path, COMMON, dear, workload=BUSY).order}  # fmt: skip
    assert (parts["Sbus SCSI"], parts["1.3 GB SCSI disk"]) == (3, 13)


def test_a_part_without_a_price_is_not_free(tmp_path: Path) -> None:
    report = priced(tmp_path, COMMON.replace("    cd-rom: 350\n", ""), SMALL, LARGE)
    assert platform_of(report) == "sparcstation-2"
    assert report.cost is not None
    assert (report.cost.total, report.cost.unpriced) == (15140, ("CD-ROM",))
    text = " ".join(plan_text(report).split())
    assert "Price: more than 15,140 CHF: 1 part without a price" in text
    assert "It is the smallest of 4 machines that pass; each has parts without a price." in text
    assert "total of the priced parts 15,140" in text and "Without a price: CD-ROM." in text


def test_platforms_that_were_not_asked_for_are_no_alternative(tmp_path: Path) -> None:
    wishes = WORKLOAD + "wishes: {platforms: [sparcstation-2, sparcserver-670mp]}\n"
    report = priced(tmp_path, COMMON, SMALL, LARGE, workload=wishes)
    assert [offer.platform for offer in report.offers] == ["sparcstation-2", "sparcserver-670mp"]


def test_totals_are_in_every_form(tmp_path: Path) -> None:
    report = priced(tmp_path, COMMON, SMALL, LARGE)
    text = plan_text(report)
    assert "\nPrice: 12,850 CHF\n" in text and "a dealer's list, 1993-01-15" in text
    assert "Running cost, as far as it is stated: 530 CHF a year." in text
    assert "12,850" in plan_markdown(report) and "12,850" in plan_html(report)
    data = plan_data(report)["price"]
    assert (data["currency"], data["date"], data["total"], data["running_per_year"]) == (
        "CHF", "1993-01-15", 12850, 530,
    )  # fmt: skip
    assert [each["total"] for each in data["platforms"]] == [12850, 15490, 2850, 2850]
    column = make_column(plan_data(report), "few")
    assert column.price is not None and column.price.total == 12850


def test_the_parts_list_has_prices_and_their_total(tmp_path: Path) -> None:
    report = priced(tmp_path, COMMON, SMALL)
    rows = list(csv.DictReader(StringIO(parts_list(report.order, report.cost))))
    assert [(row["name"], row["price_each"], row["price"]) for row in rows] == [
        ("SPARCstation-2", "12000.00", "12000.00"),
        ("1.3 GB SCSI disk", "2300.00", "2300.00"),
        ("CD-ROM", "350.00", "350.00"),
        ("Solaris 1.0.1", "200.00", "200.00"),
        ("SPARCstation-2: MB of further memory", "40.00", "640.00"),
        ("total", "", "15490.00"),
    ]
    assert rows[4]["quantity"] == "16"


def test_without_prices_nothing_is_said_of_them() -> None:
    document = parse_document(WORKLOAD, "few.yaml")
    report = report_plan(read_workload(document), document, load_engine("sun-1992"))
    assert report.cost is None and "price" not in plan_data(report)
    assert "rice" not in plan_text(report)
    assert "price" not in parts_list(report.order, report.cost)


def test_a_guide_is_read_for_the_prices_that_it_prints() -> None:
    """Section 3 prints 250 dollars for the disk in February 1998; section 7, 1500 for it all."""
    prices = Prices(load_guide("solaris-x86-1998"))
    assert prices.currency == "USD"
    assert prices._parts["disks/fireball-st-6-4gb-ide"] == {"price": 250}
    assert "platforms/pc-file-server" not in prices._parts
    assert not Prices(load_guide("sun-1992"))


@pytest.mark.parametrize(
    ("parts", "message"),
    [
        ("    1.3gb-scsi: 5\n", "prices.yaml:6:5: the guide has no part '1.3gb-scsi'"),
        ("    cd-rom: -1\n", "a number from 0"),
        ("    cd-rom: {price: 5, running_per_yaer: 3}\n", "did you mean 'running_per_year'?"),
        ("    cd-rom: {running_per_year: 3}\n", "price"),
    ],
)
def test_what_is_no_price_is_refused(tmp_path: Path, parts: str, message: str) -> None:
    with pytest.raises(InputError) as raised:
        priced(tmp_path, parts)
    assert message in str(raised.value)


def test_prices_in_two_currencies_are_not_added(tmp_path: Path) -> None:
    priced(tmp_path, COMMON)
    other = tmp_path / "other" / "tables" / "sun-1992"
    other.mkdir(parents=True)
    text = "prices: {currency: USD, date: 1993-01-15, parts: {cd-rom: 5}}\n"
    (other / "prices.yaml").write_text(text, encoding="utf-8")
    with pytest.raises(InputError, match="the prices of another overlay are in CHF"):
        load_engine("sun-1992", (tmp_path / "site", tmp_path / "other"))
