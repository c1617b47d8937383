"""The ledger of every plan adds up, and every number in it can be traced to where it stands."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given

from depth import part_of
from generated_workloads import ENGINE, FILE, planned, read, text_of, workloads
from ledger import budget_faults, faults_of, figures_of, judgements_of, leaf_faults
from settled import settled
from sizewright.api import plan
from sizewright.documents import parse_document
from sizewright.planner.plan import Plan, determinant
from sizewright.quantity import Provenance, Quantity, count
from sizewright.workload.reading import read_workload

pytestmark = pytest.mark.no_cover

ROOT = Path(__file__).parent.parent
EVERY = tuple(
    path
    for path in sorted((ROOT / "examples").glob("*/*/*.yaml"))
    if (path.parent / "inventory.yaml").exists()
    and not path.stem.endswith(("inventory", "expected"))
    and not path.stem.startswith("box")
)
CASE_1 = next(path for path in EVERY if "case-1" in str(path))
# The ledger knows the budgets of file service; what else is planned is held to sums by hand.
EXAMPLES = tuple(p for p in EVERY if p.parent.name.startswith(("case-1-", "case-2-")))


@cache
def plan_of(path: Path) -> tuple[Plan, str]:
    text = path.read_text(encoding="utf-8")
    return plan(read_workload(parse_document(text, path.name)), ENGINE), text


def test_all_examples_fit() -> None:
    assert {path.name: plan_of(path)[0].holds for path in EXAMPLES} == {
        "workload.yaml": True,
        "silent.yaml": True,
        "with-sound.yaml": True,
    }


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_the_ledger_of_an_example_adds_up(path: Path) -> None:
    found, text = plan_of(path)
    assert faults_of(found, text, path.name, yaml.safe_load(text)) == []


@settled(20)
@given(workloads())
def test_the_ledger_of_a_generated_workload_adds_up(plain: dict[str, Any]) -> None:
    assert faults_of(planned(plain), text_of(plain), FILE, plain) == []


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_every_part_of_a_configuration_has_its_budgets(path: Path) -> None:
    found, _ = plan_of(path)
    for _, judgement in judgements_of(found):
        names = {(b.kind, b.name) for b in judgement.budgets}
        assert len(names) == len(judgement.budgets)
        system = judgement.system
        disks = [d.id for d in system.devices() if d.kind == "disk"]
        wanted = {("network", port.id) for port in system.ports}
        wanted |= {(kind, disk) for disk in disks for kind in ("disk", "space")}
        wanted |= {(kind, c.id) for c in system.channels for kind in ("channel", "targets")}
        wanted |= {(kind, "") for kind in ("kernel_lock", "processors", "nfs", "memory")}
        wanted |= {("bus", b.bus) for b in system.boards if b.table == "boards"}
        assert wanted <= names


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_what_decided_is_the_fullest_budget(path: Path) -> None:
    found, _ = plan_of(path)
    assert found.shown is not None
    decided = determinant(found.shown.budgets, "high")
    assert decided is not None
    assert decided.share == pytest.approx(decided.required.high / decided.available.low)
    by_load = [
        b.used.high / b.limit.low
        for b in found.shown.budgets
        if b.limit and b.kind not in ("slots", "targets", "space", "memory")
    ]
    assert decided.share == pytest.approx(max(by_load))


def test_a_parameter_that_the_workload_overrides_is_traced_to_the_workload() -> None:
    data = yaml.safe_load(CASE_1.read_text(encoding="utf-8"))
    data["policy"]["parameters"] = {"1.1.1-interface-sustained": {"sustained_share": 0.7}}
    found = planned(data)
    assert faults_of(found, text_of(data), FILE, data) == []
    assert found.chosen is not None
    technical = next(b for b in found.chosen.budgets if b.name == "technical")
    assert technical.limit is not None
    assert technical.limit.high == pytest.approx(280)
    share = next(arg for arg in technical.limit.args if arg.name == "sustained_share")
    assert share.source is not None
    assert (share.source.cite, share.source.status) == ("the workload", "override")


# The checks above are themselves put to the test.


def _changed(figure: Quantity, **changes: Any) -> Quantity:
    return Quantity(**({name: getattr(figure, name) for name in Quantity.__slots__} | changes))


def test_a_budget_that_does_not_add_up_is_seen() -> None:
    found, _ = plan_of(CASE_1)
    assert found.chosen is not None
    budget = next(b for b in found.chosen.budgets if b.name == "technical")
    assert not list(budget_faults(budget))
    assert budget.limit is not None
    assert budget.capacity is not None
    wrong = [
        budget._replace(items=budget.items[1:]),
        budget._replace(used=_changed(budget.used, unit="KB/s")),
        budget._replace(utilisation=budget.used / budget.limit),
        budget._replace(utilisation=None),
        budget._replace(limit=budget.capacity * 2),
        budget._replace(limit=None),
        budget._replace(limit=budget.capacity),
        budget._replace(capacity=None),
        budget._replace(verdict="tight"),
    ]
    for each in wrong:
        assert list(budget_faults(each)), each


@pytest.mark.parametrize(
    "source",
    [
        Provenance(
            "table", "nfs-capacity/sparcstation-3/maximum_ops_per_s", "section 1.1.1", "printed"
        ),
        Provenance("table", "nfs-capacity/sparcserver-670mp/mix", "section 1.1.1", "printed"),
        Provenance("table", "disks/424mb-scsi/capacity_mb", "section 9.9", "printed"),
        Provenance("parameter", "rule XIII, no_such", "section 2.5.2", "printed"),
        Provenance("parameter", "rule 2.4.4-busy, most_busy", "section 2.4.3", "printed"),
        Provenance("input", "generated.yaml:999:1", "1.1.8", "fact"),
        Provenance("input", "generated.yaml:1:1", "1.1.8", "fact"),
        Provenance("definition", "the method"),
        Provenance("definition", "because"),
        Provenance("count", ""),
        Provenance("hearsay", "a colleague"),
        None,
    ],
)
def test_a_leaf_without_a_true_source_is_seen(source: Provenance | None) -> None:
    data = {"name": "generated", "networks": []}
    leaf = Quantity(5, 5, 5, "disk", name="networks.clients", source=source)
    assert list(leaf_faults(leaf, ENGINE.guide, text_of(data), FILE, data))


@pytest.mark.in_part
def test_figures_of_a_plan_are_looked_at_to_the_last() -> None:
    found, text = plan_of(CASE_1)
    assert found.chosen is not None
    told = [n for n, each in enumerate(found.chosen.findings) if each.figures]
    for index in part_of(told, 4):
        finding = found.chosen.findings[index]
        name = next(iter(finding.figures))
        subject, dot, field = name.partition(".")
        wrong = count(1, "one") + count(-3, "less than none")
        if dot:
            record = finding.read[subject]._replace(**{field: wrong})
            broken = finding._replace(read={**finding.read, subject: record})
        else:
            parameters = {**finding.asked.parameters, name: wrong}
            broken = finding._replace(asked=finding.asked._replace(parameters=parameters))
        findings = (*found.chosen.findings[:index], broken)
        bent = found._replace(chosen=found.chosen._replace(findings=findings))
        assert faults_of(bent, text, CASE_1.name, yaml.safe_load(text))
    assert len(list(figures_of(found.chosen))) > len(found.chosen.budgets) * 3


def test_a_workload_of_text_with_units_is_traced_as_well() -> None:
    plain = {
        "name": "units",
        "networks": [{"name": "north", "medium": "ethernet"}],
        "volumes": [{"name": "alpha", "size_mb": "1.2 GB", "access": "random"}],
        "services": [
            {
                "kind": "nfs", "name": "edit", "clients": 10, "network": "north",
                "load": {"ops_per_s_each": "60 op/min"}, "uses": ["alpha"],
            }
        ],
    }  # fmt: skip
    found = plan(read(plain), ENGINE)
    assert found.chosen is not None
    stored = next(b for b in found.chosen.budgets if b.kind == "space" and b.items)
    assert stored.used.high == pytest.approx(1200)
    network = next(b for b in found.chosen.budgets if b.kind == "network")
    assert network.used.high == pytest.approx(10)
