"""Explanations of services of every kind, as a tree and as Markdown."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

import hand_plans
from sizewright.evaluate.budgets import Budget
from sizewright.output.explain import choose, explain_markdown, explain_text, traced
from sizewright.output.reports import PlanReport

EVERY = hand_plans.report_on(hand_plans.holding(hand_plans.EVERY, hand_plans.SERVER))
PAIR = hand_plans.report_on(
    hand_plans.paired(hand_plans.BUSY, hand_plans.DESKTOP, *hand_plans.PAIR)
)
OVER = hand_plans.report_on(hand_plans.missing(hand_plans.BUSY, hand_plans.DESKTOP))

# Runs of 12800 op by 18 clients every 900 s are 256 op/s; one within 60 s would be 213. They
# return 20480 KB × 18 ÷ 900 s = 409.6 KB/s, in packets of 4500 bytes 93.21 packets/s.
LOCK = {
    "files": "20 op/s × 1000 ms/s ÷ 800 op/s",
    "books: sum": "256 op/s × 0.67 ms/op × 22 mips ÷ 28.5 mips",
    "books: sum: packets": "93.21 packets/s × 0.2 ms/packet × 28.5 mips ÷ 28.5 mips",
    "desk: traffic: packets": "40 packets/s × 0.2 ms/packet × 28.5 mips ÷ 28.5 mips",
    "post: delivery": "10 op/s × 7.61 ms/op × 22 mips ÷ 28.5 mips",
    "memory: page faults": "30 op/s × 0.1 ms/op",
    "rest: kernel time": "50 ms/s × 28.5 mips ÷ 28.5 mips",
    "far: t1": "2 mips/line × 1 line × 1 ÷ 28.5 mips × 1000 ms/s",
}
MEMORY = {
    "operating system": "",
    "books: back end": "(4 MB + 18 clients × 2 MB/client) × (1 + 50%) + 4 MB",
    "desk": "20 clients × 2 MB/client + 5 MB",
    "night": "2 × 4 MB",
}
DATA = {"books: sum": "20480 KB × (the larger of 1 ÷ (900 s ÷ 18 clients × 1 client) and 1 ÷ 60 s)"}


def rows(text: str) -> list[list[str]]:
    """The cells of every row of the tables, heads and rules left out."""
    found = []
    for line in text.splitlines():
        if line.startswith("| "):
            cells = re.split(r"(?<!\\)\|", line)[1:-1]
            found.append([re.sub(r"\\(.)", r"\1", cell.strip()) for cell in cells])
    return [row for row in found if row[0] not in ("line", "number")]


@pytest.mark.parametrize(
    ("resource", "lines"), [("kernel_lock", LOCK), ("memory", MEMORY), ("data/ring", DATA)]
)
def test_every_line_has_its_formula_in_numbers(resource: str, lines: dict[str, str]) -> None:
    found = {row[0]: row[2] for row in rows(explain_markdown(EVERY, resource))}
    assert {name: found.get(name) for name in lines} == lines
    tree = explain_text(EVERY, resource)
    flat = " ".join(tree.split())
    for name, formula in lines.items():
        assert re.search(rf"^  {re.escape(name)}: ", tree, re.MULTILINE), name
        assert f"= {formula}" in flat or not formula


@pytest.mark.parametrize("budget", EVERY.budgets, ids=lambda budget: budget.resource)
def test_every_budget_is_explained(budget: Budget) -> None:
    resource = budget.resource
    text = explain_markdown(EVERY, resource)
    heading = next(line for line in text.splitlines() if line.startswith("## "))
    assert re.sub(r"\\(.)", r"\1", heading).endswith(f"({resource})")
    (chosen,) = choose(traced(EVERY), resource)[0]
    names = [row[0] for row in rows(text)]
    assert len(names) >= len(chosen.items) + (chosen.limit is not None)
    for row in rows(text):
        assert len(row) == 4
        assert row[1] and (row[2] or row[3] or row[0] == "total"), row


def test_memory_tells_the_product_and_where_its_figures_stand() -> None:
    text = explain_markdown(EVERY, "memory")
    assert (
        "| 1024–2048 KB/client | per\\_client\\_memory\\_kb of oracle |  | table "
        "database-systems, section 1.2.7, Table 3, printed |"
    ) in text


def test_a_page_of_one_budget() -> None:
    text = explain_markdown(PAIR, "alternate/kernel_lock")
    assert re.sub(r"yaml:\d+:\d+", "yaml:0:0", text) == (
        "# Budgets of hand\n"
        "\n"
        "Guide sun-1992: Configuration and Capacity Planning for Sun Servers.\n"
        "\n"
        "## Kernel lock (alternate/kernel\\_lock)\n"
        "\n"
        "Used 300–400 ms/s, 40% of its limit: pass.\n"
        "\n"
        "| line | value | formula | source |\n"
        "|---|---|---|---|\n"
        "| reports: kernel time | 300–400 ms/s | 400 ms/s × 28.5 mips ÷ 28.5 mips |  |\n"
        "| capacity | 1000 ms/s |  | one processor's time: 1 s = 1000 ms |\n"
        "| limit (rule 2.10.1-kernel-lock) | 1000 ms/s | 1000 ms/s × 1 |  |\n"
        "\n"
        "Sources of these numbers:\n"
        "\n"
        "| number | what | formula | source |\n"
        "|---|---|---|---|\n"
        "| 300–400 ms/s | reports: kernel time |  | services.reports.kernel\\_ms\\_per\\_s: "
        "generated.yaml:0:0 |\n"
        "| 28.5 mips | mips of sparcstation-2 |  | table platforms, section 1.2.9.3, printed |\n"
        "| 1 | rule 2.10.1-kernel-lock, whole |  | section 2.10.1, printed |\n"
    )


def test_of_two_systems_a_kind_is_that_of_both() -> None:
    found = [budget.resource for budget in choose(traced(PAIR), "kernel_lock")[0]]
    assert found == ["primary/kernel_lock", "alternate/kernel_lock"]
    assert {b.system for b in choose(traced(PAIR), "alternate")[0]} == {"alternate"}
    assert "primary/kernel_lock (kernel lock)\n" in explain_text(PAIR, "kernel_lock")


def test_a_nearest_miss_says_that_nothing_holds() -> None:
    text = explain_markdown(OVER, "kernel_lock")
    assert "**No configuration meets every limit. Traced below: the closest alternative, " in text
    assert "alternative, SPARCstation-2.**\n" in text


def test_names_mean_nothing_in_markdown() -> None:
    report: PlanReport = replace(EVERY, workload="a|b_c*<d>\x1b[2J\u202e")
    first = explain_markdown(report, "memory").splitlines()[0]
    assert first == "# Budgets of a\\|b\\_c\\*\\<d\\>\\\\x1b\\[2J\\\\u202e"
