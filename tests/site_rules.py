"""A box, and rules of a site's own, one for each verdict: what comes of them is plain to see."""

from __future__ import annotations

from pathlib import Path
from typing import Any, NamedTuple

import yaml

PLAIN = """\
name: primary
title: The machine in the cellar
platform: sparcserver-690mp
processors: 4
memory: {total_mb: 64}
channels:
  - id: esp0
    kind: scsi-synchronous
    devices:
      - {id: sd0, device: 669mb-scsi}
      - {id: sd1, device: 1-3gb-scsi}
      - {id: sd2, device: 1-3gb-scsi}
networks:
  - {name: le0, interface: lance-ethernet}
observed:
  nfs: {ops_per_s: 200, writes_percent: 15, mix: legato}
  disks: {sd0: {ops_per_s: 40}, sd1: {ops_per_s: 20}, sd2: {ops_per_s: 20}}
"""
BOX = (
    PLAIN
    + """\
policy:
  waive:
    - {rule: site-memory, reason: The boards are on order}
"""
)


class Expected(NamedTuple):
    """What a rule must say of the box, by subject."""

    severity: str
    says: dict[str, str]


EXPECTED = {
    "site-devices": Expected("violation", {"primary/channel/esp0": "violated"}),
    "site-processors": Expected("advice", {"primary": "violated"}),
    "site-networks": Expected("note", {"primary": "violated"}),
    "site-clients": Expected("violation", {"primary/network/le0": "unknown"}),
    "site-lines": Expected("advice", {"primary": "unknown"}),
    "site-operations": Expected(
        "violation",
        {
            "primary/disk/sd0": "tight", "primary/disk/sd1": "holds",
            "primary/disk/sd2": "holds",
        },
    ),
    "site-memory": Expected("advice", {"primary": "waived"}),
    "site-strings": Expected("note", {"primary/channel/esp0": "not_applicable"}),
}  # fmt: skip
RULES = tuple(EXPECTED)

_CONDITIONS = {
    "site-devices": ("channel", "channel.devices <= most", "1", 2),
    "site-processors": ("system", "system.processors <= most", "1", 2),
    "site-networks": ("system", "system.networks >= most", "1", 2),
    "site-clients": ("network", "network.clients <= most", "client", 10),
    "site-lines": ("system", "system.serial_lines <= most", "line", 8),
    "site-operations": ("disk", "disk.operations_per_s <= most", "op/s", [30, 45]),
    "site-memory": ("system", "system.memory_mb >= most", "MB", 128),
    "site-strings": ("channel", "channel.devices <= most", "1", 8),
}
_EXTRA: dict[str, dict[str, Any]] = {
    "site-devices": {
        "message": "{channel.devices} devices on {channel.id}, at most {most}",
        "remedy": "Move a device to another bus.",
    },
    "site-clients": {"measure": "Count the clients of the network."},
    "site-lines": {"measure": "Count the lines in use."},
    "site-strings": {"when": "channel.family == 'ipi'", "not_monotone": "A word on it"},
}


def overlay(folder: Path, most: dict[str, float] | None = None) -> Path:
    """Write the rules as an overlay; `most` changes the limit of some."""
    place = folder / "rules" / "sun-1992"
    place.mkdir(parents=True)
    for rule, (subject, require, unit, limit) in _CONDITIONS.items():
        value = (most or {}).get(rule, limit)
        spec = {
            "id": rule,
            "title": f"Title of {rule}",
            "source": {"section": "1.1.1"},
            "subject": subject,
            "parameters": {"most": {"value": value, "unit": unit, "source": {"section": "1.1.1"}}},
            "require": require,
            "severity": EXPECTED[rule].severity,
            "message": "{most} is the limit",
            "examples": [{"given": {subject: {}}, "expect": "unknown"}],
            "cannot": dict.fromkeys(("holds", "violated"), "The box shows it"),
            **_EXTRA.get(rule, {}),
        }
        (place / f"{rule}.yaml").write_text(yaml.safe_dump(spec), encoding="utf-8")
    return folder
