"""A guide: its tables, rows and cells."""

from __future__ import annotations

from typing import Any

import pytest

from guide.overlays import GUIDE
from sizewright.errors import InputError
from sizewright.guide.loader import data_root, guide_files, guide_ids, load_guide
from sizewright.guide.model import BlankCellError, NoSuchRowError, ends
from sizewright.units import UnitError


def test_the_guides_that_are_there_are_known() -> None:
    assert GUIDE in guide_ids()
    names = [path.name for path in guide_files(data_root(), GUIDE)]
    assert names.count("guide.yaml") == 1
    assert "13-XIII.yaml" in names


def test_an_unknown_guide_is_refused_with_the_nearest() -> None:
    with pytest.raises(InputError) as caught:
        load_guide("sun-1993")
    text = caught.value.text()
    assert "there is no guide 'sun-1993'" in text
    assert "did you mean 'sun-1992'?" in text


def test_a_table_or_row_that_is_not_there_names_the_nearest() -> None:
    found = load_guide(GUIDE)
    with pytest.raises(NoSuchRowError, match=r"did you mean disks\?"):
        found.table("disk")
    with pytest.raises(NoSuchRowError, match=r"did you mean 424mb-scsi\?"):
        found.row("disks", "424-mb-scsi")


def test_a_cell_is_a_figure_with_its_source() -> None:
    row = load_guide(GUIDE).row("disks", "424mb-scsi")
    figure = row.require("transfer_mb_per_s")
    assert (figure.low, figure.likely, figure.high, figure.unit) == (2.2, 2.6, 3.0, "MB/s")
    assert figure.source is not None
    assert figure.source == (
        "table",
        "disks/424mb-scsi/transfer_mb_per_s",
        row.mark.cite,
        "printed",
    )
    assert row.mark.cite == "section 2.4.4, Table 8"
    assert row.mark_of("cylinder_kb").cite == "section 2.11.2"
    assert row.require("transfer_mb_per_s") is figure


def test_a_blank_cell_is_no_figure() -> None:
    row = load_guide(GUIDE).row("network-interfaces", "fddi-dx")
    assert row.cell("nfs_ops_per_s") is None
    assert row.number("nfs_ops_per_s", otherwise=7) == 7
    with pytest.raises(BlankCellError, match="network-interfaces/fddi-dx has no nfs_ops_per_s"):
        row.require("nfs_ops_per_s")
    assert (row.text("chip"), row.flag("benchmarked"), row.list("needs")) == ("", False, ())


@pytest.mark.parametrize(
    ("value", "unit", "three"),
    [
        (5, "MB", (5, 5, 5)),
        ([4, 6], "MB", (4, 5, 6)),
        ([4, 4.5, 6], "MB", (4, 4.5, 6)),
        ("1.3 GB", "MB", (1300, 1300, 1300)),
        (["512 KB", "1 MB"], "MB", (0.5, 0.75, 1)),
    ],
)
def test_a_cell_may_be_a_number_a_range_or_carry_its_unit(
    value: Any, unit: str, three: tuple[float, ...]
) -> None:
    assert ends(value, unit) == three


def test_a_cell_in_another_kind_of_unit_is_refused() -> None:
    with pytest.raises(UnitError):
        ends("5 ms", "MB")


def test_rows_are_found_by_the_texts_of_their_columns() -> None:
    table = load_guide("sun-1992").table("platform-slots")
    by_platform = table.by("platform")
    assert sum(len(rows) for rows in by_platform.values()) == len(list(table))
    for (platform,), rows in by_platform.items():
        assert rows == tuple(row for row in table if row.text("platform") == platform)
    assert table.by("platform") is by_platform
    by_both = table.by("platform", "bus")
    assert all(row.text("bus") == bus for (_, bus), rows in by_both.items() for row in rows)
