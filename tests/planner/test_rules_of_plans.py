"""Rules whose facts a plan settles judge plans, and the planner follows them where it can."""

from __future__ import annotations

import pytest

from generated_workloads import Plain, planned
from sizewright.planner.plan import Plan


def database(product: str, **more: object) -> Plain:
    """Invented: one database on raw partitions."""
    service = {
        "kind": "database", "name": "orders", "product": product, "clients": 5,
        "network": "floor", "memory_mb": 12,
        "work": [{"name": "look-up", "volume": "rows", "ops_per_s": 10, "block_kb": 2}],
    }  # fmt: skip
    return {
        "name": "orders", "networks": [{"name": "floor", "medium": "ethernet"}],
        "volumes": [{"name": "rows", "size_mb": 300, "access": "random", "use": "raw"}],
        "services": [{**service, **more}],
    }  # fmt: skip


def verdicts(found: Plan, rule: str) -> set[str]:
    """What a rule says of a plan's configuration."""
    assert found.chosen is not None
    return {finding.verdict for finding in found.chosen.findings if finding.rule == rule}


@pytest.mark.parametrize(
    ("product", "software", "verdict"),
    [
        # 1.2.6: "if your database management system is Sybase, Informix, Oracle, or Ingres".
        ("oracle", {"sundbe-1.1"}, "holds"), ("sybase", {"sundbe-1.1"}, "holds"),
        ("interbase", set(), "not_applicable"),
    ],
)  # fmt: skip
def test_databases_that_gain_from_tuning_get_the_fuller_release(
    product: str, software: set[str], verdict: str
) -> None:
    found = planned(database(product))
    assert found.chosen is not None
    assert set(found.chosen.system.software) == software
    assert found.chosen.system.databases == (product,)
    assert verdicts(found, "1.2.6-database-tuning") == {verdict}


def lines(platform: str) -> Plain:
    """Invented: twelve serial printers and a parallel one, which no terminal server drives."""
    return {
        "name": "desks", "networks": [{"name": "office", "medium": "ethernet"}],
        "volumes": [{"name": "spool", "size_mb": 100, "access": "serial"}],
        "wishes": {"platforms": [platform]},
        "services": [
            {"kind": "nfs", "name": "files", "clients": 5, "network": "office",
             "load": {"ops_per_s": 1}},
            {"kind": "print", "name": "printers", "spool": "spool",
             "printers": [{"name": "serial", "attached": "serial", "count": 12},
                          {"name": "line", "attached": "parallel", "count": 1}]},
        ],
    }  # fmt: skip


@pytest.mark.parametrize(
    ("platform", "board", "verdicts_of_xx"),
    [
        # 2.9: the VME version in SS670 and SS690, which have many VME slots; 12 of its 16 lines.
        ("sparcserver-670mp", "alm-2", {"not_applicable"}),
        ("sparcserver-690mp", "alm-2", {"not_applicable"}),
    ],
)
def test_serial_lines_are_on_the_vme_bus_where_the_guide_prefers_it(
    platform: str, board: str, verdicts_of_xx: set[str]
) -> None:
    found = planned(lines(platform))
    assert found.chosen is not None
    assert [b.model for b in found.chosen.system.boards if b.model == board] == [board]
    assert verdicts(found, "XX") == verdicts_of_xx
