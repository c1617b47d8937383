"""What is told to flip a verdict of an existing server does flip it, in the server's file."""

from __future__ import annotations

import re

import pytest

from generated_workloads import ENGINE
from sizewright.api import check
from sizewright.box.reading import read_box
from sizewright.check.check import Check
from sizewright.documents import parse_document
from sizewright.sensitivity.thresholds import break_even

# Operations of 8 KB on sd0, as those that the guide prints rates of; data that two disks share.
BOX = """\
name: primary
platform: sparcstation-2
channels:
  - id: esp0
    kind: scsi-synchronous
    provider: builtin
    devices:
      - {id: sd0, device: 1-3gb-scsi, access: random}
      - {id: sd1, device: 424mb-scsi, access: random}
      - {id: sd2, device: 424mb-scsi, access: random}
volumes: [{name: homes, size_mb: 600, access: random, copies: [[sd1, sd2]]}]
observed:
  disks: {sd0: {reads_per_s: 18, writes_per_s: 6, kb_per_s: 192}}
"""
A_HAIR = 1e-6


def checked(text: str) -> Check:
    return check(read_box(parse_document(text.encode(), "box.yaml")), ENGINE)


@pytest.mark.parametrize(
    ("key", "resource"), [("reads_per_s", "disk/sd0"), ("size_mb", "space/sd1")]
)
def test_a_value_of_the_file_flips_where_it_is_told(key: str, resource: str) -> None:
    (flip,) = (
        flip
        for flip in break_even(checked(BOX).limited.values(), "high").flips
        if flip.leaf.name.endswith(key) and flip.at_most and flip.holds_now
    )
    assert flip.resource == f"primary/{resource}"
    for factor, verdict in ((1 - A_HAIR, "holds"), (1 + A_HAIR, "violated")):
        text = re.sub(f"{key}: [0-9]+", f"{key}: {flip.value * factor!r}", BOX)
        budgets = checked(text).limited
        assert budgets[flip.resource].verdict == verdict
