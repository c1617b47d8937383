"""Arithmetic, and paths into plans, by their values and their errors."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import pytest

from cases.copies import EXAMPLES
from generated_workloads import ENGINE
from serving import demanded
from sizewright.api import Engine, plan, read_workload
from sizewright.cases.expressions import (
    ExpressionError,
    NothingThereError,
    PathError,
    evaluate,
    kind_of,
    resolve,
    text_of,
)
from sizewright.cases.trials import plan_roots
from sizewright.documents import read_document
from sizewright.evaluate.policy import Policy
from sizewright.guide.loader import load_guide
from sizewright.planner.explanation import explained
from sizewright.planner.planning import Planning
from sizewright.planner.systems import plan_for
from sizewright.quantity import Quantity, as_quantity
from small import GUIDE


class Disk(NamedTuple):
    id: str
    model: str
    load: Quantity
    hot: bool


class Stream(NamedTuple):
    service: str
    ops: Quantity


def figure(low: float, high: float, unit: str, name: str = "") -> Quantity:
    return Quantity(low, (low + high) / 2, high, unit, name=name)


CLIENTS = figure(10, 20, "client", "services.mail.clients")
START: Mapping[str, Any] = {
    "streams": (
        Stream(
            "mail", (CLIENTS * figure(2, 2, "op/client*s", "each")).with_name("mail: operations")
        ),
        Stream("web", figure(5, 30, "op/s")),
    ),
    "disks": (
        Disk("d-1", "small", figure(1, 1, "op/s"), True),
        Disk("d-2", "small", figure(2, 2, "op/s"), False),
        Disk("d-3", "big", figure(3, 3, "op/s"), False),
    ),
    "software": ("enfs-like", "manager"),
    "memory": 64.0,
    "holds": True,
    "parts": {"a": figure(8, 8, "MB")},
    "share": figure(25, 25, "%"),
    "table": load_guide("sun-1992").tables,
}


@pytest.mark.parametrize(
    ("path", "high", "unit"),
    [
        ("streams[mail].ops", 40, "op/s"),
        ("streams[mail].ops{services.mail.clients}", 20, "client"),
        ("streams[mail].ops / streams[mail].ops{each}", 20, "client"),
        ("1 - disks[d-1].load / disks[d-2].load", 0.5, "1"),
        ("(disks[d-1].load + disks[d-2].load) * 2", 6, "op/s"),
        ("parts[a] + share * parts[a]", 10, "MB"),
        ("count(disks)", 3, "1"),
        ("count(disks[model=small])", 2, "1"),
        ("count(disks[hot=yes])", 1, "1"),
        ("total(disks[model=small].load)", 3, "op/s"),
        ("parts.a", 8, "MB"),
        ("count(distinct(disks.model))", 2, "1"),
        ("ceil(disks[d-3].load / disks[d-2].load)", 2, "1"),
        ("number(disks[d-3].load)", 3, "1"),
        ("parts[a]", 8, "MB"),
        ("table[network-interfaces][network-coprocessor].nfs_ops_per_s", 290, "op/s"),
    ],
)
def test_a_path_leads_to_a_figure(path: str, high: float, unit: str) -> None:
    found = resolve(path, START)
    assert (found.high, found.unit) == (pytest.approx(high), unit)


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("disks[model=small].model", "small"),
        ("distinct(disks.model)", "big, small"),
        ("disks[d-1]", "d-1"),
        ("disks[d-1].hot", "yes"),
        ("holds", "yes"),
        ("memory", "64"),
        ("disks[model=none].id", "none"),
        ("software[manager]", "manager"),
        ("largest(streams[mail].ops, streams[web].ops)", "mail"),
        ("table[network-interfaces][network-coprocessor].medium", "ethernet"),
        ("table[network-interfaces][network-coprocessor].boards", "network-coprocessor"),
        ("table[platforms][sparcstation-2].desktop", "yes"),
        ("table[platforms][sparcstation-2]", "sparcstation-2"),
    ],
)
def test_a_path_leads_to_a_choice(path: str, text: str) -> None:
    assert text_of(resolve(path, START)) == text


def test_the_largest_is_asked_at_the_end_that_is_compared() -> None:
    start = {"a": {"x": figure(0, 9, "s"), "y": figure(5, 6, "s")}}
    assert resolve("largest(a[x], a[y])", start, "high") == "x"
    assert resolve("largest(a[x], a[y])", start, "low") == "y"


@pytest.mark.parametrize(
    "path", ["disks[d-9].load", "software[other]", "total(disks[model=none].load)"]
)
def test_what_the_plan_lacks_is_told_from_a_wrong_path(path: str) -> None:
    with pytest.raises(NothingThereError):
        resolve(path, START)


@pytest.mark.parametrize(
    ("path", "message"),
    [
        ("", "is empty"),
        ("streems", "did you mean 'streams'"),
        ("streams[mail].opps", "did you mean 'ops'"),
        ("streams[mail].ops{nobody}", "no 'nobody'"),
        ("streams[mail].ops{services.mail.client}", "did you mean 'services.mail.clients'"),
        ("streams[mail", "cannot be read"),
        ("streams]", "cannot be read"),
        ("3 * memory", "'3' is not expected"),
        ("streams[mail].ops + parts[a]", "different units"),
        ("1 / (memory - memory)", "/"),
        ("streams + 1", "not a quantity"),
        ("memory.size", "not a list"),
        ("count(memory)", "not a list"),
        ("total(disks.model)", "not a quantity"),
        ("parts.b", "no 'b'"),
        ("sum(disks)", "not one of count"),
        ("count(disks, streams)", "count of 2"),
        ("count(disks", "cannot be read"),
        ("(memory]", "cannot be read"),
        ("(memory memory", "cannot be read"),
        ("memory memory", "cannot be read"),
        ("* memory", "cannot be read"),
        ("-memory", "'-memory' is not expected"),
        ("memory.", "cannot be read"),
        ("parts[b]", "no 'b'"),
        ("table[network-interfaces][lance].medium", "lance"),
        ("table[network-interfaces][lance-ethernet].mediun", "did you mean 'medium'"),
        ("ceil(" * 30 + "memory" + ")" * 30, "levels deep"),
        ("memory + " * 100 + "memory", "longer than"),
    ],
)
def test_a_wrong_path_says_what_is_wrong(path: str, message: str) -> None:
    with pytest.raises(PathError, match=None) as caught:
        resolve(path, START)
    assert message in str(caught.value)


def test_a_key_must_tell_one_record_from_the_others() -> None:
    with pytest.raises(PathError, match=r"choose by \[field=value\]"):
        resolve("twins[a]", {"twins": ("a", "a")})


def test_values_read_as_words() -> None:
    assert text_of(None) == text_of("") == text_of(()) == "none"
    assert text_of(False) == "no"
    assert text_of(as_quantity(3)) == "3"


def test_every_root_of_a_plan_can_be_walked(engine: Engine) -> None:
    workload = EXAMPLES / "case-1-departmental-nfs" / "workload.yaml"
    start = plan_roots(plan(read_workload(read_document(workload)), engine), engine.rule_set)
    assert resolve("budgets[network/technical].used", start).high == 170
    assert resolve("parameter[XIII][max_nfs_ops_per_s]", start).high == 290
    assert resolve("platform.base_memory_mb", start).high == 32
    assert text_of(resolve("findings[1.1.1-sustained].verdict", start)) == "holds"
    assert resolve("count(system.ports)", start).high == 3
    assert resolve("count(devices)", start).high == 9


def test_both_systems_of_a_pair_and_one_alone_can_be_walked() -> None:
    def busy(name: str, ms: float) -> Mapping[str, Any]:
        return {"kind": "measured", "name": name, "kernel_ms_per_s": ms,
                "measured_on": "sparcserver-690mp"}  # fmt: skip

    wanted = demanded(busy("a", 700), busy("b", 600), volumes=[], networks=[])
    rule_set = ENGINE.rule_set.judging("plan")
    planning = Planning(GUIDE, rule_set, Policy())
    alone = explained(plan_for(wanted._replace(systems=1), planning), planning)
    start = plan_roots(plan_for(wanted, planning), rule_set, alone)
    assert resolve("budgets[kernel_lock].used", start).high == 700
    assert resolve("alternate.budgets[kernel_lock].used", start).high == 600
    assert (
        resolve("total(alternate.budgets[kernel_lock].items[service=b].figure)", start).high == 600
    )
    assert text_of(resolve("systems[alternate].services", start)) == "b"
    assert resolve("single.budgets[kernel_lock].used", start).high == 1300


@pytest.mark.parametrize(
    ("path", "kind"),
    [
        ("", "arithmetic"),
        ("table[disks][small].load", "cell"),
        ("2 * number(parameter[VII][limit]) - printed[drives]", "cell"),
        ("platform.base_memory_mb", "cell"),
        ("count(demand.streams)", "demand"),
        ("demand.streams[mail].ops / table[nfs][one].maximum", "demand"),
        ("demand.streams[mail].ops / budgets[nfs].limit", "plan"),
        ("ceil(facts.system.memory_mb / table[boards][one].mb)", "plan"),
        ("table[boards][budgets].mb", "cell"),
        ("table[boards][one].mb{facts}", "cell"),
    ],
)
def test_a_path_is_of_the_kind_of_what_it_begins_with(path: str, kind: str) -> None:
    assert kind_of(path) == kind


@pytest.mark.parametrize(
    "path",
    [
        "memory * (1 + 2)", "2 * 2 * memory", "memory * 2 / 2", "memory - 2", "2 + memory",
        "memory / (1 + 1)", "memory * (2 * 1)",
    ],
)  # fmt: skip
def test_a_typed_constant_is_refused(path: str) -> None:
    with pytest.raises(PathError, match="typed constant"):
        resolve(path, START)


@pytest.mark.parametrize(
    ("path", "value"),
    [("2 * memory", 128), ("memory / 2", 32), ("memory + 1", 65), ("1 / memory / 2", 1 / 128)],
)
def test_one_and_two_stand_for_themselves(path: str, value: float) -> None:
    assert resolve(path, START).high == pytest.approx(value)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("170 + 30 + 8", 208),
        ("80 * 300 / 8", 3000),
        ("100 * (1 - 220 / 360)", 100 * (1 - 220 / 360)),
        ("2 * ceil((150 + 250) / 424)", 2),
        ("735 / 8 / 0.13", 735 / 8 / 0.13),
        ("7.5", 7.5),
    ],
)
def test_plain_arithmetic_has_its_value(text: str, value: float) -> None:
    assert evaluate(text) == value


@pytest.mark.parametrize(
    "text",
    [
        "",
        "1 +",
        "x + 1",
        "2 ** 8",
        "7 // 2",
        "-1",
        "True",
        "'a'",
        "ceil(1, 2)",
        "ceil(x=1)",
        "floor(1)",
        "__import__('os')",
        "(1).real",
        "[1][0]",
        "1 if 1 else 2",
        "1 / 0",
        "1e308 * 10",
        "\0",
        "(" * 200 + "1" + ")" * 200 + "+1" * 30,
        "1+" * 400 + "1",
    ],
)
def test_all_else_is_refused(text: str) -> None:
    with pytest.raises(ExpressionError):
        evaluate(text)
