"""A guide is read from its files or from the copy kept of them, with the same result."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from guide.overlays import GUIDE, overlay, parameter
from sizewright.errors import InputError
from sizewright.guide import loader
from sizewright.guide.loader import data_root, guide_files, guide_ids, load_guide
from sizewright.guide.model import BlankCellError, Guide, NoSuchRowError, ends
from sizewright.units import UnitError


@pytest.fixture
def kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of its own for copies of guides."""
    folder = tmp_path / "cache"
    monkeypatch.setenv("SIZEWRIGHT_CACHE", str(folder))
    return folder


def plain(guide: Guide) -> Any:
    tables = {
        name: {row.id: (row.values, row.mark, row.marks, row.note) for row in table}
        for name, table in guide.tables.items()
    }
    columns = {name: table.columns for name, table in guide.tables.items()}
    return guide._replace(tables={}), tables, columns


def no_reading(_layers: Any) -> Any:
    raise AssertionError("the files are read although a copy is kept")


def test_a_kept_copy_gives_the_same_guide(kept: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first = plain(load_guide(GUIDE))
    assert [path.suffix for path in kept.iterdir()] == [".json"]
    monkeypatch.setattr(loader, "_read", no_reading)
    assert plain(load_guide(GUIDE)) == first
    monkeypatch.undo()
    monkeypatch.setenv("SIZEWRIGHT_CACHE", "")
    assert plain(load_guide(GUIDE)) == first


def test_with_an_empty_setting_nothing_is_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SIZEWRIGHT_CACHE", "")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert load_guide(GUIDE).id == GUIDE
    assert not list(tmp_path.iterdir())


def test_without_a_setting_the_users_cache_folder_is_taken(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("SIZEWRIGHT_CACHE", raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    load_guide(GUIDE)
    assert len(list((tmp_path / "sizewright").glob("*.json"))) == 1


@pytest.mark.parametrize("where", ["taken/by/a/file", "/proc/nowhere"])
def test_a_folder_that_cannot_be_written_is_no_fault(
    where: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "taken").write_text("a file where the folder should be", encoding="utf-8")
    monkeypatch.setenv("SIZEWRIGHT_CACHE", str(tmp_path / where))
    assert load_guide(GUIDE).id == GUIDE


@pytest.mark.parametrize(
    "content", [b"", b"{", b"not json", b"\xff\xfe\x00", b"[[[[", b'{"guide": "sun-1992"']
)
def test_a_copy_that_is_broken_is_read_anew_and_mended(kept: Path, content: bytes) -> None:
    first = plain(load_guide(GUIDE))
    (copy,) = kept.iterdir()
    whole = copy.read_bytes()
    copy.write_bytes(content)
    assert plain(load_guide(GUIDE)) == first
    assert copy.read_bytes() == whole


@pytest.mark.parametrize("content", [b"[]", b"3", b'"text"', b"{}", b'{"guide": "sun-1992"}'])
def test_a_copy_of_another_shape_is_read_anew(kept: Path, content: bytes) -> None:
    first = plain(load_guide(GUIDE))
    (copy,) = kept.iterdir()
    copy.write_bytes(content)
    assert plain(load_guide(GUIDE)) == first


def test_no_unfinished_copy_is_left_behind(kept: Path) -> None:
    load_guide(GUIDE)
    assert all(json.loads(path.read_bytes()) for path in kept.iterdir())


def test_a_changed_byte_is_another_copy(kept: Path, tmp_path: Path) -> None:
    root = tmp_path / "root"
    for kind in ("tables", "rules"):
        shutil.copytree(data_root() / kind / GUIDE, root / kind / GUIDE)
    first = load_guide(GUIDE, root=root)
    file = root / "tables" / GUIDE / "nfs-capacity.yaml"
    text = file.read_text(encoding="utf-8")
    file.write_text(text.replace("sustained_ops_per_s: 360", "sustained_ops_per_s: 361"), "utf-8")
    second = load_guide(GUIDE, root=root)
    assert first.digest != second.digest
    row = "sparcstation-2-two-networks"
    assert first.row("nfs-capacity", row).figure("sustained_ops_per_s").high == 360
    assert second.row("nfs-capacity", row).figure("sustained_ops_per_s").high == 361
    assert len(list(kept.iterdir())) == 2


def test_an_overlay_has_a_copy_of_its_own(kept: Path, tmp_path: Path) -> None:
    folder = overlay(tmp_path, "site", rule=parameter(200))
    with_it = load_guide(GUIDE, [folder])
    without = load_guide(GUIDE)
    again = load_guide(GUIDE, [folder])
    assert with_it.digest == again.digest != without.digest
    assert [change.overlay for change in again.changes] == ["site"]
    assert without.changes == ()
    assert plain(again) == plain(with_it)


def test_a_digest_depends_on_version_names_and_contents() -> None:
    files = [("a", b"1"), ("b", b"2")]
    digests = {
        loader.digest_of("1", files),
        loader.digest_of("2", files),
        loader.digest_of("1", [("a", b"12"), ("b", b"")]),
        loader.digest_of("1", [("ab", b"1"), ("", b"2")]),
        loader.digest_of("1", files[:1]),
        loader.digest_of("1", files[::-1]),
    }
    assert len(digests) == 6
    assert loader.digest_of("1", list(files)) in digests


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


def test_a_table_or_row_that_is_not_there_names_the_nearest(kept: Path) -> None:
    found = load_guide(GUIDE)
    with pytest.raises(NoSuchRowError, match=r"did you mean disks\?"):
        found.table("disk")
    with pytest.raises(NoSuchRowError, match=r"did you mean 424mb-scsi\?"):
        found.row("disks", "424-mb-scsi")


def test_a_cell_is_a_figure_with_its_source(kept: Path) -> None:
    row = load_guide(GUIDE).row("disks", "424mb-scsi")
    figure = row.figure("transfer_mb_per_s")
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
    assert row.figure("transfer_mb_per_s") is figure


def test_a_blank_cell_is_no_figure(kept: Path) -> None:
    row = load_guide(GUIDE).row("network-interfaces", "fddi-dx")
    assert row.find("nfs_ops_per_s") is None
    assert row.number("nfs_ops_per_s", otherwise=7) == 7
    with pytest.raises(BlankCellError, match="network-interfaces/fddi-dx has no nfs_ops_per_s"):
        row.figure("nfs_ops_per_s")
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
