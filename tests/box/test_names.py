"""Names in a box file: a printed name is as good as an id, and the check says the same."""

from __future__ import annotations

import pytest
import yaml

from sizewright.api import load_engine, report_check
from sizewright.box.reading import read_box
from sizewright.documents import parse_document
from sizewright.errors import InputError
from sizewright.output.json.check import check_data

BOX = """
name: server
guide: sun-1992
platform: {platform}
operating_system: {system}
accelerator: {accelerator}
boards: [{{id: second, board: {board}, bus: sbus, slots: [1]}}]
channels:
  - id: esp0
    kind: {bus}
    provider: builtin
    devices: [{{id: sd0, device: {disk}, target: 1}}, {{id: st0, device: {tape}, target: 4}}]
"""
BY_ID = {
    "platform": "sparcserver-630mp", "system": "solaris-1.0.1", "accelerator": "none",
    "board": "sbus-scsi", "bus": "scsi-synchronous", "disk": "1-3gb-scsi",
    "tape": "8mm-helical-scan-tape",
}  # fmt: skip


def check(names: dict[str, str]) -> str:
    """Return the check as JSON has it, without the digest of the file."""
    engine = load_engine("sun-1992")
    document = parse_document(BOX.format(**names), "box.yaml")
    data = dict(check_data(report_check(read_box(document), document, engine)))
    return yaml.safe_dump(data, sort_keys=False).replace(document.digest, "")


@pytest.mark.parametrize(
    ("key", "printed"),
    [("platform", "SS630MP"), ("platform", "ss630mp"), ("disk", "1.3 GB SCSI disk")],
)
def test_a_printed_name_is_as_good_as_an_id(key: str, printed: str) -> None:
    assert check(BY_ID | {key: printed}) == check(BY_ID)


def test_a_name_of_no_row_is_refused_at_its_place() -> None:
    with pytest.raises(InputError) as refused:
        check(BY_ID | {"platform": "SS631MP", "tape": "8mm-helical-scan"})
    text = str(refused.value)
    assert "box.yaml:4:11" in text and "did you mean 'SS630MP'?" in text
    assert "did you mean '8mm-helical-scan-tape'?" in text


def test_none_is_a_name_only_where_nothing_may_be_fitted() -> None:
    with pytest.raises(InputError, match="has no 'none' in table platforms"):
        check(BY_ID | {"platform": "none"})
