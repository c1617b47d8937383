"""The plans and checks of a case study, as its files state them or with what a proof changes.

A path into them begins with: ``holds``, ``demand``, ``rejected``; ``table`` (the guide's) and
``parameter`` (of the rules, by rule and name); ``printed`` (other values of the inventory, by id);
and of the system that is shown ``system``, ``devices``, ``platform``, ``facts``, ``budgets``,
``work`` (by service and name) and ``findings``. If two systems were planned, these are of the
primary; ``alternate`` has the same for the other (``alternate.budgets``), ``single`` for the plan
of one system alone, ``deal`` the services of each, and ``failover`` what a survivor takes over.
"""

from collections.abc import Callable, Mapping
from copy import deepcopy
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

from sizewright.box.reading import read_box
from sizewright.cases.expected import Proof
from sizewright.cases.expressions import PathError, Step, path_steps
from sizewright.configuration.model import System
from sizewright.demand.build import demand_of
from sizewright.documents import Document, read_document
from sizewright.engine import Engine, check
from sizewright.errors import refusal
from sizewright.evaluate.system import Evaluation
from sizewright.guide.model import Guide, NoSuchRowError
from sizewright.planner.plan import Plan
from sizewright.plans import plan
from sizewright.quantity import as_quantity
from sizewright.rules.compiler import RuleSet
from sizewright.rules.rule import Finding
from sizewright.workload.reading import read_workload

EngineFor = Callable[[Document], Engine]

T = TypeVar("T")

_NAMES = ("name", "id", "rule")


# The size of a configuration, most important part first.
Size = tuple[float, ...]


class Trial(NamedTuple):
    """A planned workload or a checked box.

    It `fits` if a configuration was chosen, or the box passes. `roots` are what paths begin
    with, `findings` those of the result, `turned_down` those of rejected configurations; `size` is
    None if nothing was chosen.
    """

    roots: Mapping[str, Any]
    fits: bool = True
    findings: tuple[Finding, ...] = ()
    turned_down: tuple[Finding, ...] = ()
    size: Size | None = None


class Trials:
    """Every workload and box of a case, each planned or checked once."""

    def __init__(self, folder: str, engine_for: EngineFor) -> None:
        self._folder = Path(folder)
        self._engine_for = engine_for
        self._known: dict[str, Trial] = {}

    def workload(self, name: str) -> Trial:
        """The plan of a workload file; raises InputError if it cannot be read or planned."""
        return self._once(f"workload {name}", lambda: self._planned(self._read(name)))

    def demand(self, name: str) -> Trial:
        """The demand of a workload file, without a plan; raises InputError as `workload` does."""
        return self._once(f"demand {name}", lambda: self._demanded(self._read(name)))

    def box(self, name: str) -> Trial:
        """The check of a box file; raises InputError if it cannot be read or checked."""
        return self._once(f"box {name}", lambda: self._checked(self._read(name)))

    def proof(self, proof: Proof) -> Trial:
        """The plan or check of a file with the guide's choice set in it; raises InputError."""
        work = self._checked if proof.box else self._planned
        return self._once(
            repr(proof), lambda: work(apply_changes(self._read(proof.file), proof), proof)
        )

    def _once(self, key: str, work: Callable[[], Trial]) -> Trial:
        if key not in self._known:
            self._known[key] = work()
        return self._known[key]

    def _read(self, name: str) -> Document:
        return read_document(self._folder / name)

    def _engine(self, document: Document, proof: Proof | None) -> Engine:
        engine = self._engine_for(document)
        if proof is None or not proof.withdraw:
            return engine
        return Engine(withdraw_rows(engine.guide, proof))

    def _demanded(self, document: Document) -> Trial:
        engine = self._engine(document, None)
        demand = demand_of(read_workload(document), engine.guide)
        start = guide_roots(engine.guide, engine.rule_set) | {"demand": demand}
        return Trial(start)

    def _planned(self, document: Document, proof: Proof | None = None) -> Trial:
        engine = self._engine(document, proof)
        workload = read_workload(document)
        found = plan(workload, engine)
        single = plan(workload, engine, systems=1) if found.group and proof is None else None
        judged = [each.shown for each in found.plans if each.shown]
        chosen = [each.chosen.system for each in found.plans if each.chosen]
        return Trial(
            plan_roots(found, engine.rule_set, single),
            found.chosen is not None,
            tuple(finding for each in judged for finding in each.findings),
            tuple(finding for each in found.rejected for finding in each.findings),
            size_of(chosen, engine.guide) if chosen else None,
        )

    def _checked(self, document: Document, proof: Proof | None = None) -> Trial:
        engine = self._engine(document, proof)
        found = check(read_box(document), engine)
        guide, judged = engine.guide, found.judged
        size = size_of([judged.system], guide)
        start = guide_roots(guide, engine.rule_set) | _system_roots(judged, guide)
        return Trial(start, found.holds, found.findings, (), size)


def plan_roots(plan: Plan, rule_set: RuleSet, single: Plan | None = None) -> Mapping[str, Any]:
    """What paths into a plan begin with; `single` is the plan of one system if it has two."""
    found = guide_roots(plan.guide, rule_set) | {
        "holds": plan.holds,
        "demand": plan.demand,
        "rejected": plan.rejected,
    }
    alone = plan if plan.group is None else single
    found["single"] = _system_roots(alone.shown if alone else None, plan.guide)
    found["single"] |= {"holds": alone is not None and alone.holds}
    found["systems"] = plan.group.members if plan.group else ()
    if plan.group is not None:
        found |= {
            "alternate": _system_roots(plan.plans[-1].shown, plan.guide),
            "failover": plan.group.failover,
        }
    return found | _system_roots(plan.shown, plan.guide)


def guide_roots(guide: Guide, rule_set: RuleSet) -> dict[str, Any]:
    """What paths begin with if nothing is planned or checked."""
    return {
        "table": guide.tables,
        "parameter": {rule.id: rule.parameters for rule in rule_set.rules},
    }


def _system_roots(judged: Evaluation | None, guide: Guide) -> dict[str, Any]:
    """What paths into one system begin with; nothing if no system was found."""
    if judged is None:
        return {}
    return {
        "system": judged.system,
        "devices": judged.system.devices(),
        "platform": guide.row("platforms", judged.system.platform),
        "facts": judged.facts,
        "budgets": judged.budgets,
        "work": {each.operations.title: each for each in judged.load.works},
        "findings": judged.findings,
    }


def size_of(systems: list[System], guide: Guide) -> Size:
    """The size of one or more systems: sums of boards, devices, MB of disks and of memory."""
    devices = [device for system in systems for device in system.devices()]
    disks = (
        guide.row("disks", each.model).cell("capacity_mb")
        for each in devices
        if each.kind == "disk"
    )
    return (
        len(systems),
        sum(guide.row("platforms", system.platform).number("rank") for system in systems),
        sum(len(system.boards) for system in systems),
        len(devices),
        sum(capacity.likely for capacity in disks if capacity is not None),
        sum(as_quantity(system.memory_mb or 0, "MB").likely for system in systems),
        sum(system.processors or 0 for system in systems),
    )


def withdraw_rows(guide: Guide, proof: Proof) -> Guide:
    """The guide with some rows that cannot be ordered; raises InputError for unknown rows."""
    for name, row_ids in proof.withdraw.items():
        for row_id in row_ids:
            try:
                guide = guide.with_values(name, row_id, {"orderable": False})
            except NoSuchRowError:
                what = f"there is no row '{row_id}' in table {name}"
                raise refusal(proof.place, what) from None
    return guide


def apply_changes(document: Document, proof: Proof) -> Document:
    """The document with every value of a proof set; null removes a key. Raises InputError."""
    data = deepcopy(document.data)
    for path, value in proof.set.items():
        _set(data, path, value, proof)
    return document.with_data(data)


def _set(data: Any, path: str, value: Any, proof: Proof) -> None:
    try:
        *steps, last = path_steps(path)
        for step in steps:
            data = _child(data, step)
        _put(data, last, value)
    except (PathError, LookupError):
        expected = "steps like services[mail].clients, the last of which may be new"
        what = f"'{path}' leads nowhere in {proof.file}"
        raise refusal(proof.place, what, expected) from None


def _child(data: Any, step: Step) -> Any:
    """A field, which may be new, or the record of a list with a name."""
    if step.is_field:
        return _as(dict, data).setdefault(step.name, {})
    return data[_position(_as(list, data), step.name)]


def _put(data: Any, step: Step, value: Any) -> None:
    """Set a field or a record of a list; null removes it."""
    if step.is_field:
        _as(dict, data)[step.name] = value
        if value is None:
            del data[step.name]
    elif _is_named(value, step.name) and not any(
        _is_named(one, step.name) for one in _as(list, data)
    ):
        data.append(value)
    else:
        position = _position(_as(list, data), step.name)
        data[position : position + 1] = [] if value is None else [value]


def _as(kind: type[T], data: Any) -> T:
    if not isinstance(data, kind):
        raise LookupError(kind)
    return data


def _position(records: list[Any], name: str) -> int:
    found = [n for n, one in enumerate(records) if _is_named(one, name)]
    if len(found) != 1:
        raise LookupError(name)
    return found[0]


def _is_named(one: Any, name: str) -> bool:
    return isinstance(one, dict) and any(one.get(key) == name for key in _NAMES)
