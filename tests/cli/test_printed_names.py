"""Names that reports print are taken in files and options."""

from __future__ import annotations

from pathlib import Path

import pytest

from .conftest import Run

IDS = """\
name: rows
networks: [{name: office, medium: ethernet}]
volumes: [{name: rows, size_mb: 900, access: random, use: raw}]
services:
  - kind: database
    name: orders
    product: oracle
    clients: 10
    network: office
    traffic: {kb_per_s: 2}
    user_processors: 0.2
    measured_on: sparcserver-690mp
    work: [{name: query, volume: rows, ops_per_s: 10}]
wishes: {platforms: [sparcserver-690mp], removable_media: [8mm-helical-scan-tape]}
policy: {waive: [{rule: VII, reason: tried}]}
"""
PRINTED = {
    "ethernet}": "Ethernet}", "product: oracle": "product: Oracle",
    "measured_on: sparcserver-690mp": "measured_on: SS690MP",
    "[sparcserver-690mp]": "[SS690MP]", "8mm-helical-scan-tape": "8mm helical scan tape",
    "rule: VII,": "rule: Rule VII,",
}  # fmt: skip


@pytest.mark.parametrize("key", PRINTED)
def test_a_printed_name_is_the_same_as_the_id(run: Run, tmp_path: Path, key: str) -> None:
    path, shown = tmp_path / "w.yaml", []
    assert key in IDS
    for text in (IDS, IDS.replace(key, PRINTED[key])):
        path.write_text(text)
        asked = (("--format", "csv"), ("--section", "budgets"))
        shown.append([run("plan", path, *options) for options in asked])
    by_id, printed = ([(r.exit_code, r.stdout, r.stderr) for r in results] for results in shown)
    assert printed == by_id
    assert [code for code, _, _ in printed] == [0, 0]


def test_a_rule_of_an_option_goes_by_its_printed_name(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "w.yaml"
    path.write_text(IDS)
    bare, printed = (run("plan", path, "--rule", name) for name in ("VII", "Rule VII"))
    assert (printed.exit_code, printed.stdout) == (0, bare.stdout)


def test_a_waiver_of_a_server_goes_by_the_printed_name(run: Run, tmp_path: Path) -> None:
    path, shown = tmp_path / "b.yaml", []
    for rule in ("VII", "vii", "rule VII"):
        waived = f"waive: [{{rule: {rule}, reason: x}}]"
        path.write_text(f"name: b\nplatform: sparcstation-2\npolicy: {{{waived}}}\n")
        shown.append((result := run("check", path)).stdout)
        assert result.stderr == ""
    assert shown[0].startswith("Check of b") and shown[1:] == shown[:1] * 2
