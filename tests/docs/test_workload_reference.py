"""The reference of the workload file says what the program reads."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import MISSING, Field, fields, is_dataclass
from pathlib import Path
from typing import Any, Literal, NamedTuple, get_args, get_origin

import pytest

from sizewright import api, workload
from sizewright.demand.build import demand_of
from sizewright.documents import parse_document
from sizewright.schema.policy import Policy, Waiver
from sizewright.schema.quantity import QuantityField
from sizewright.schema.schema import hints_of
from sizewright.units import factor
from sizewright.workload.lines import Printer, WideLine

PAGE = (Path(__file__).resolve().parent.parent.parent / "docs" / "workload.md").read_text("utf-8")
BLOCKS = re.findall(r"^```yaml\n(.*?)^```$", PAGE, re.M | re.S)

CLASSES = {
    "workload": workload.Workload,
    "networks": workload.Network,
    "volumes": workload.Volume,
    "Every kind but `nfs`": workload.Serving,
    "Work on disks": workload.Work,
    "Traffic": workload.Traffic,
    "nfs": workload.NfsService,
    "an activity": workload.ActivityLoad,
    "data read": workload.DataLoad,
    "database": workload.DatabaseService,
    "timesharing": workload.TimesharingService,
    "mail": workload.MailService,
    "gateway": workload.GatewayService,
    "a line": WideLine,
    "serial": workload.SerialService,
    "print": workload.PrintService,
    "a printer": Printer,
    "batch": workload.BatchService,
    "paging": workload.PagingService,
    "measured": workload.MeasuredService,
    "availability": workload.Availability,
    "growth": workload.Growth,
    "backup": workload.Backup,
    "wishes": workload.Wishes,
    "policy": Policy,
}
IN_PROSE = (
    workload.AtOnce, workload.OperationsLoad, workload.DataItem, workload.MixShares,
    workload.CarryForward, Waiver,
)  # fmt: skip
KINDS = [name for name, cls in CLASSES.items() if "kind" in hints_of(cls)]


class Told(NamedTuple):
    """What a table says of a field."""

    name: str
    unit: str
    left_out: str


def tables() -> Iterator[tuple[str, list[Told]]]:
    """Every table of fields, by the heading above it or by its own first cell."""
    heading, own, rows = "", "", []
    for line in [*PAGE.splitlines(), "#"]:
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if line.startswith("| field"):
            own, rows = cells[0].removeprefix("field").removeprefix(" of ").strip(), []
        elif line.startswith("| `") and len(cells) == len(("field", "unit", "left out", "what")):
            rows.append(Told(cells[0].strip("`"), cells[1], cells[2]))
        elif not line.startswith("|") and rows:
            yield own or heading, rows
            rows = []
        if line.startswith("#"):
            found = line.lstrip("#").strip()
            heading, own = (found if " " in found else found.strip("`")), ""


TABLES = dict(tables())


def own_fields(cls: type[Any]) -> dict[str, Field[Any]]:
    """The fields that a table of the class must hold: not those that others say for all."""
    left = {"said", "kind"}
    if issubclass(cls, workload.Serving) and cls is not workload.Serving:
        left |= {field.name for field in fields(workload.Serving)}
    return {field.name: field for field in fields(cls) if field.name not in left}


def inside(hint: Any) -> Iterator[Any]:
    """A type, what annotates it, and the same of all that it is made of."""
    yield hint
    for part in (*get_args(hint), *getattr(hint, "__metadata__", ())):
        if part is not hint:
            yield from inside(part)


def unit_of(hint: Any) -> str:
    """How the page names what a field takes; empty where it says so in words of its own."""
    parts = list(inside(hint))
    for part in parts:
        if isinstance(part, QuantityField):
            return part.plain_unit
    if any(is_dataclass(part) or get_origin(part) in (tuple, dict) for part in parts):
        return ""
    for part in parts:
        if get_origin(part) is Literal:
            return ", ".join(get_args(part))
    return "flag" if bool in parts else "whole" if int in parts else "name"


def test_every_object_has_its_table() -> None:
    assert set(TABLES) == set(CLASSES)
    public = (getattr(workload, name) for name in workload.__all__)
    assert {*CLASSES.values(), *IN_PROSE}.issuperset(filter(is_dataclass, public))


@pytest.mark.parametrize("name", CLASSES)
def test_a_table_holds_the_fields_that_are_read(name: str) -> None:
    own = own_fields(CLASSES[name])
    assert [told.name for told in TABLES[name]] == list(own)


@pytest.mark.parametrize("name", CLASSES)
def test_a_table_says_what_happens_where_a_field_is_left_out(name: str) -> None:
    for told in TABLES[name]:
        field = own_fields(CLASSES[name])[told.name]
        required = field.default is MISSING and field.default_factory is MISSING
        assert (told.left_out == "required") is required, told.name
        if isinstance(field.default, bool | int | str):
            shown = str(field.default)
            shown = shown.lower() if isinstance(field.default, bool) else shown
            assert told.left_out == f"`{shown}`", told.name


@pytest.mark.parametrize("name", CLASSES)
def test_a_table_names_units_and_choices(name: str) -> None:
    hints = hints_of(CLASSES[name])
    for told in TABLES[name]:
        expected = unit_of(hints[told.name])
        if expected == "name":
            assert told.unit in ("name", "text"), told.name
        elif expected:
            assert told.unit == expected, told.name


@pytest.mark.parametrize("cls", IN_PROSE, ids=lambda cls: str(cls.__name__))
def test_small_objects_are_told_in_passing(cls: type[Any]) -> None:
    for name in own_fields(cls):
        assert re.search(rf"\b{name}\b", PAGE), name


@pytest.mark.parametrize("text", BLOCKS, ids=lambda text: text.splitlines()[0])
def test_an_example_is_a_workload_of_the_guide(text: str) -> None:
    read = workload.read_workload(parse_document(text, "workload.md"))
    assert demand_of(read, api.ready("sun-1992").guide).services


def test_every_kind_has_an_example() -> None:
    kinds = {
        service.kind
        for text in BLOCKS
        for service in workload.read_workload(parse_document(text, "workload.md")).services
    }
    assert kinds == set(KINDS)
    assert all(f"\n| `{kind}` | " in PAGE for kind in KINDS)


def test_what_the_guide_fills_in_is_what_it_prints() -> None:
    guide = api.ready("sun-1992").guide
    rows = re.findall(
        r"^\| [^|`]+ \| ([\d.]+) ([^ |]+) \| `([^`]+)` \| `([^`]+)` \| `([^`]+)` \|$", PAGE, re.M
    )
    assert rows
    for value, unit, table, row, column in rows:
        cell = guide.row(table, row).figure(column)
        assert cell.low == cell.high == pytest.approx(float(value) * factor(unit, cell.unit))
    assert f"is `{guide.defaults['nfs_mix']}`" in PAGE
