"""The reference of the workload file says what the program reads."""

from __future__ import annotations

import re

import pytest

from sitebuild.fields import PAGE as FILE
from sitebuild.fields import with_tables
from sizewright import api
from sizewright.cli.files import schema_of
from sizewright.demand.build import demand_of
from sizewright.documents import parse_document
from sizewright.units import factor
from sizewright.workload.reading import read_workload

PAGE = FILE.read_text(encoding="utf-8")
BLOCKS = re.findall(r"^```yaml\n(.*?)^```$", PAGE, re.M | re.S)

MODELS = schema_of("workload")["$defs"]
KINDS = [m["properties"]["kind"]["const"] for m in MODELS.values() if "kind" in m["properties"]
         and "const" in m["properties"]["kind"]]  # fmt: skip
# Small mappings that the text explains where they are used.
IN_PROSE = {"Concurrency", "OperationsLoad", "DataItem", "MixShares", "CarryForward", "Waiver",
            "FieldCitation"}  # fmt: skip


def test_the_tables_of_fields_are_those_of_the_models() -> None:
    assert with_tables(PAGE) == PAGE, "run: PYTHONPATH=docs python -m sitebuild.fields"


def test_a_table_that_is_no_longer_true_is_written_anew() -> None:
    for true, untrue in (
        ("| `size_mb` | MB |", "| `size_mb` | KB |"),
        ("| `own_disks` |", "| `x` |"),
    ):
        assert true in PAGE
        assert with_tables(PAGE.replace(true, untrue)) == PAGE


def test_every_mapping_has_its_table_or_is_explained() -> None:
    tables = set(re.findall(r"<!-- fields of (\w+) -->", PAGE))
    assert tables == {*MODELS, "Workload", "Serving"} - IN_PROSE
    for name in IN_PROSE:
        for field in MODELS[name]["properties"]:
            assert field == "said" or re.search(rf"\b{field}\b", PAGE), field


@pytest.mark.parametrize("text", BLOCKS, ids=lambda text: text.splitlines()[0])
def test_an_example_is_a_workload_of_the_guide(text: str) -> None:
    read = read_workload(parse_document(text, "workload.md"))
    assert demand_of(read, api.load_engine("sun-1992").guide).services


def test_every_kind_has_an_example() -> None:
    kinds = {
        service.kind
        for text in BLOCKS
        for service in read_workload(parse_document(text, "workload.md")).services
    }
    assert kinds == set(KINDS)
    assert all(f"\n| `{kind}` | " in PAGE for kind in KINDS)


def test_what_the_guide_fills_in_is_what_it_prints() -> None:
    guide = api.load_engine("sun-1992").guide
    rows = re.findall(
        r"^\| [^|`]+ \| ([\d.]+) ([^ |]+) \| `([^`]+)` \| `([^`]+)` \| `([^`]+)` \|$", PAGE, re.M
    )
    assert rows
    for value, unit, table, row, column in rows:
        cell = guide.row(table, row).require(column)
        assert cell.low == cell.high == pytest.approx(float(value) * factor(unit, cell.unit))
    assert f"is `{guide.defaults['nfs_mix']}`" in PAGE
