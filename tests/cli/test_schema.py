"""The JSON Schemas take what the program takes, and refuse what is wrong in shape."""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from sizewright.cli.files import SCHEMAS, schema_of, starting_file
from sizewright.cli.files import STARTING_FILES as STARTING
from sizewright.documents import parse_document
from sizewright.errors import InputError

from .conftest import EXAMPLES, ROOT, Run

jsonschema = pytest.importorskip("jsonschema", reason="the test extra installs it")

BAD = ROOT / "tests" / "bad"
NOT_INPUTS = ("inventory.yaml", "as-printed.yaml")
# Wrong in what it means, not in its shape: names that lead nowhere, figures that contradict each
# other or the guide, units that do not convert, cells of another type than their column.
MEANING = {
    "workload": """
        active active-sessions active-share apart-from-itself apart-together backup-over burst-alone
        burst-too-long clients-of-none contradictory-figures contradictory-parts
        contradictory-services data-rate-alone data-twice data-two-sizes data-without-size
        degraded-twice degraded-unknown devices-many duplicate-names every-alone exclusive-alone
        exclusive-twice
        exclusive-two-sets growth-for-centuries growth-too-much growth-without-years half-a-client
        measured-on-nothing mix-too-much
        network-part-name quantity-unit quantity-unit-of-rate range-falls rate-of-each
        rate-told-twice
        returns-of-a-rate returns-of-no-run returns-of-nothing shares-unlike shares-with-itself
        single-threaded standby-alone survives-odd survives-twice unknown-network
        unknown-network-none unknown-service unknown-volume work-told-twice
        volume-of-nothing writes-read-only
    """,
    "box": """
        beside-board beside-unknown data-nodes disks-of-none disks-unknown duplicate-expansions
        duplicate-partitions duplicate-segments duplicates duplicates-of-kinds impossible-devices
        impossible-memory impossible-processors impossible-slots impossible-targets
        impossible-together memory-board-missing memory-parts nodes-unknown platform-unknown
        provider-unknown range-falls rows-unknown shares-together
        slots-bus-unknown sums sums-network sums-nfs waiver-twice waivers
    """,
    "guide": """
        cell-a-flag cell-not-a-flag cell-not-a-list cell-not-a-number cell-one-of
        cell-range-falls cell-range-in-a-number cell-range-of-one cell-text cell-too-large cell-unit
        contract-column except-unknown-column row-twice row-unknown-field
        rule-bounds-unknown-parameter rule-examples-of-one-side rule-met-by-none
        source-unknown-document source-unknown-section
    """,
}


@cache
def _validator(kind: str, partial: bool = False) -> Any:
    schema = schema_of(kind, partial)
    jsonschema.Draft202012Validator.check_schema(schema)
    return jsonschema.Draft202012Validator(schema)


def _faults(kind: str, data: Any, partial: bool = False) -> list[str]:
    return [
        f"{e.json_path}: {e.message[:200]}" for e in _validator(kind, partial).iter_errors(data)
    ]


def _data(path: Path) -> Any:
    return parse_document(path.read_bytes(), path.name).data


def _inputs() -> Iterator[tuple[str, Path]]:
    for path in sorted(EXAMPLES.rglob("*.yaml")):
        if not path.name.endswith("expected.yaml") and path.name not in NOT_INPUTS:
            yield ("box" if path.name.startswith("box") else "workload"), path
    for kind, folder in (("table", "tables"), ("rule", "rules")):
        yield from ((kind, path) for path in sorted((ROOT / folder).glob("*/*.yaml")))


INPUTS = list(_inputs())


def _bad() -> Iterator[tuple[str, Path]]:
    """Bad files that can be read as plain data, with the kind of their schema."""
    for kind in MEANING:
        for path in sorted((BAD / kind).glob("*.yaml")):
            try:
                _data(path)
            except InputError:
                continue
            of_guide = "rule" if path.stem.startswith("rule-") else "table"
            yield (of_guide if kind == "guide" else kind), path


BAD_FILES = list(_bad())


@pytest.mark.parametrize("kind", SCHEMAS)
def test_a_schema_is_printed(kind: str, run: Run) -> None:
    result = run("schema", kind)
    assert (result.exit_code, result.stderr) == (0, "")
    schema = json.loads(result.stdout)
    assert schema["$schema"] == "https://json-schema.org/draft/2020-12/schema"
    assert schema == json.loads(json.dumps(schema_of(kind)))


@pytest.mark.parametrize("kind", SCHEMAS)
def test_what_the_program_reads_is_valid(kind: str) -> None:
    faults = [(path, _faults(kind, _data(path))) for of, path in INPUTS if of == kind]
    assert [each for each in faults if each[1]] == []


def test_there_is_an_input_of_every_kind() -> None:
    assert {kind for kind, _ in INPUTS} == set(SCHEMAS)


@pytest.mark.parametrize("kind", STARTING)
def test_a_starting_file_is_valid(kind: str) -> None:
    data = parse_document(starting_file(kind), kind).data
    assert _faults("box" if kind == "box" else "workload", data) == []


@pytest.mark.parametrize("folder", MEANING)
def test_what_is_wrong_in_shape_is_not(folder: str) -> None:
    valid = {
        path.stem for kind, path in BAD_FILES
        if path.parent.name == folder and _faults(kind, _data(path)) == []
    }  # fmt: skip
    assert valid == set(MEANING[folder].split())


@pytest.mark.parametrize(
    ("size", "valid"),
    [
        (12, True), (0, True), (1.5, True), ("12 MB", True), ("1.5GB", True), (".5 GB", True),
        ("1e3 KB", True), ([1, 2], True), ([1, 2, 3], True), (["1 min", 2], True),
        (-1, False), (True, False), (None, False), ("12", False), ("MB", False), ("", False),
        ([1], False), ([1, 2, 3, 4], False), ([1, [2]], False), ({}, False), ("-1 MB", False),
    ],
)  # fmt: skip
def test_quantities(size: object, valid: bool) -> None:
    volume = {"name": "v", "size_mb": size, "access": "random"}
    data = {"name": "w", "services": [{"kind": "paging", "name": "p", "faults_per_s": 1}]}
    assert (_faults("workload", {**data, "volumes": [volume]}) == []) is valid


@pytest.mark.parametrize("kind", SCHEMAS)
def test_nothing_unknown_is_let_through(kind: str) -> None:
    """Every object names its keys, but for mappings of names that a file makes up itself."""

    def open_ones(schema: Any, path: str) -> Iterator[str]:
        if isinstance(schema, dict):
            if "properties" in schema and schema.get("type") == "object":
                closed = schema.get("additionalProperties") is False
                if not closed and path != "$defs/RowFile":
                    yield path
            for key, below in schema.items():
                yield from open_ones(below, f"{path}/{key}".lstrip("/"))

    assert list(open_ones(schema_of(kind), "")) == []


def test_the_file_of_an_overlay_may_leave_things_out(run: Run) -> None:
    table = {"table": "disks", "rows": [{"id": "424mb-scsi", "capacity_mb": 400}]}
    rule = {"id": "XIII", "parameters": {"max_nfs_ops_per_s": {"value": 200, "unit": "op/s"}}}
    for kind, data in (("table", table), ("rule", rule)):
        assert _faults(kind, data)
        assert _faults(kind, data, partial=True) == []
        assert _faults(kind, {**data, "nmae": "x"}, partial=True)
        assert json.loads(run("schema", kind, "--for-overlay").stdout) == schema_of(kind, True)
    result = run("schema", "box", "--for-overlay")
    assert (result.exit_code, result.stdout) == (2, "")


def test_fields_are_described_by_the_reference() -> None:
    volume = schema_of("workload")["$defs"]["Volume"]["properties"]
    assert volume["size_mb"]["description"].startswith("Size of one copy of the data. Takes ")
    work = schema_of("workload")["$defs"]["DatabaseService"]["properties"]
    assert work["replicated"]["description"].startswith("It runs on both systems of a pair")


@pytest.mark.parametrize("kind", ["workload"])
def test_every_field_is_described(kind: str) -> None:
    whole = schema_of(kind)
    for name, model in {kind: whole, **whole["$defs"]}.items():
        for field, schema in model["properties"].items():
            named = field in ("name", "kind") or "$ref" in schema
            assert named or schema.get("description"), f"{name}.{field}"


def test_a_wrong_kind_is_answered_with_the_nearest(run: Run) -> None:
    result = run("schema", "tabel")
    assert result.exit_code == 2
    assert "Did you mean 'table'?" in result.stderr
