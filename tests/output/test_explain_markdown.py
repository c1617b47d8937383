"""Explanations of services of every kind, as a tree and as Markdown."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

import hand_plans
from sizewright.evaluate.budgets import Budget
from sizewright.output.explain import choose, explain_markdown, explain_text
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
    "books: back end": "(4 MB + 18 clients × 2 MB/client) × (1 + 50%)",
    "desk": "20 clients × 2 MB/client + 5 MB",
    "night": "2 × 4 MB",
}
DATA = {"books: sum": "20480 KB × (the larger of 1 ÷ (900 s ÷ 18 clients × 1 client) and 1 ÷ 60 s)"}


@pytest.mark.parametrize(
    ("resource", "lines"), [("kernel_lock", LOCK), ("memory", MEMORY), ("data/ring", DATA)]
)
def test_every_line_has_its_formula_in_numbers(resource: str, lines: dict[str, str]) -> None:
    tree = explain_text(EVERY, resource)
    flat = " ".join(tree.split())
    for name, formula in lines.items():
        assert re.search(rf"^  {re.escape(name)}: ", tree, re.MULTILINE), name
        assert f"= {formula}" in flat or not formula


@pytest.mark.parametrize("budget", EVERY.budgets, ids=lambda budget: budget.resource)
def test_markdown_has_every_line_of_the_tree(budget: Budget) -> None:
    text = re.sub(r"\\(.)", r"\1", explain_markdown(EVERY, budget.resource))
    (chosen,) = choose(EVERY, budget.resource)[0]
    assert f"\n## {chosen.resource} (" in text
    tree = " ".join(explain_text(EVERY, budget.resource).split())
    lines = [line.lstrip(" -") for line in text.splitlines() if re.match(r" *- ", line)]
    assert len(lines) > len(chosen.items) + (chosen.limit is not None)
    assert all(" ".join(line.split()) in tree for line in lines)


def test_a_page_of_one_budget() -> None:
    text = explain_markdown(PAIR, "alternate/kernel_lock")
    assert re.sub(r"yaml:\d+:\d+", "yaml:0:0", text) == (
        "# Derivation for hand\n"
        "\n"
        "Guide sun-1992: Configuration and Capacity Planning for Sun Servers.\n"
        "\n"
        "## alternate/kernel\\_lock (kernel lock)\n"
        "\n"
        "- used 300–400 ms/s, 40% of its limit: pass\n"
        "  - reports: kernel time: 300–400 ms/s\n"
        "    - \\= reports: kernel time × mips ÷ mips\n"
        "    - \\= 400 ms/s × 28.5 mips ÷ 28.5 mips\n"
        "      - 300–400 ms/s: reports: kernel time\n"
        "        - 300–400 ms/s: services.reports.kernel\\_ms\\_per\\_s \\[generated.yaml:0:0\\]\n"
        "      - 28.5 mips: mips of sparcstation-2 "
        "\\[table platforms, section 1.2.9.3, printed\\]\n"
        "  - capacity 1000 ms/s\n"
        "    - 1000 ms/s: one processor's time \\[1 s = 1000 ms\\]\n"
        "  - limit 1000 ms/s, set by rule 2.10.1-kernel-lock\n"
        "    - \\= 1000 ms/s × whole\n"
        "    - \\= 1000 ms/s × 1\n"
        "      - 1: rule 2.10.1-kernel-lock, whole \\[section 2.10.1, printed\\]\n"
    )


def test_of_two_systems_a_kind_is_that_of_both() -> None:
    found = [budget.resource for budget in choose(PAIR, "kernel_lock")[0]]
    assert found == ["primary/kernel_lock", "alternate/kernel_lock"]
    assert {b.system for b in choose(PAIR, "alternate")[0]} == {"alternate"}
    assert "primary/kernel_lock (kernel lock)\n" in explain_text(PAIR, "kernel_lock")


def test_a_nearest_miss_says_that_nothing_holds() -> None:
    text = explain_markdown(OVER, "kernel_lock")
    assert "**No configuration meets every limit. Traced below: the closest alternative, " in text
    assert "alternative, SPARCstation-2.**\n" in text


def test_names_mean_nothing_in_markdown() -> None:
    report: PlanReport = replace(EVERY, name="a|b_c*<d>\x1b[2J\u202e")
    first = explain_markdown(report, "memory").splitlines()[0]
    assert first == "# Derivation for a\\|b\\_c\\*\\<d\\>\\\\x1b\\[2J\\\\u202e"
