"""The results of case studies as text, as JSON, and as the page of errata."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from operator import attrgetter
from textwrap import fill
from typing import Any

from sizewright.cases.boxes import BoxOutcome, box_data, box_lines
from sizewright.cases.expected import Decision, Erratum, Printed, Value
from sizewright.cases.expressions import Kind
from sizewright.cases.reading import KINDS, Case, Outcome, Result
from sizewright.cases.running import format_value
from sizewright.errors import counted
from sizewright.rules.examples import ExampleResult

_HEAD = """\
# Errata of the guides' case studies

Generated from the fixtures under `examples/` by `sizewright test --errata`; a test keeps it so.

An erratum explains the guide and never excuses the program: wherever a plan holds the figure, it is
compared with the value given here as right. Where a workload states more than numbers, the
page says who states it, and what the plan is without it.
"""


def errata_of(case: Case) -> Iterator[tuple[Printed, Erratum]]:
    """The errata of a case study, in the guide's order."""
    for printed, expected in case.entries:
        if expected.erratum is not None:
            yield printed, expected.erratum


def errata_page(cases: Iterable[Case]) -> str:
    """The whole page, in Markdown: guide by guide, in the order of the cases."""
    told = [case for case in cases if case.decisions or any(errata_of(case))]
    parts = [_HEAD]
    for guide, own in groupby(told, key=attrgetter("guide")):
        parts += [f"## {guide}\n", *map(_section, own)]
    return "\n".join(parts)


def _section(case: Case) -> str:
    entries = (_entry(printed, erratum) for printed, erratum in errata_of(case))
    stated = map(_decision, case.decisions)
    return "\n".join((f"### {case.title} (section {case.section})\n", *entries, *stated))


def _decision(decision: Decision) -> str:
    verb, turned = ("states", "Without it") if decision.stated else ("leaves out", "With it")
    lines = [f"#### The workload {verb} `{decision.key}`\n"]
    lines.append(f"- Said: {decision.said} (section {decision.section})")
    lines.append(f"- {turned}: {decision.then}\n")
    return "\n".join(lines)


def _entry(printed: Printed, erratum: Erratum) -> str:
    lines = [f"#### {printed.what}\n", f"- Figure: `{printed.id}`, section {printed.section}"]
    lines.append(f"- Printed: {_printed(printed)}")
    if erratum.right:
        lines.append(f"- Right: {right_value(printed, erratum)} = `{erratum.right}`")
    lines += [f"- Why: {erratum.why}", f"- What follows: {erratum.consequence}"]
    lines.append(f"- The conclusion survives: {erratum.survives}\n")
    return "\n".join(lines)


def _printed(printed: Printed) -> str:
    if isinstance(printed.value, str):
        return printed.value
    return f"{format_value(printed.value)} {printed.unit}".removesuffix(" 1")


def right_value(printed: Printed, erratum: Erratum) -> str:
    """The right value with its unit; empty if it is not a number."""
    if not erratum.right:
        return ""
    return f"{format_value(erratum.right.span)} {printed.unit}".removesuffix(" 1")


SCHEMA = "sizewright.test/1"

# What one of a kind is, and what several are.
_KIND_WORDS: dict[Kind, tuple[str, str]] = {
    "plan": ("computed by a plan or a check",) * 2,
    "demand": ("computed from a workload",) * 2,
    "cell": ("table cell", "table cells"),
    "arithmetic": ("printed arithmetic checked",) * 2,
}


def cases_text(
    outcomes: Sequence[Outcome],
    examples: Sequence[ExampleResult],
    boxes: Sequence[BoxOutcome] = (),
) -> str:
    """Everything that differs from print, the counts of each case and box, and the errata."""
    by_folder = {outcome.case.folder: [_case(outcome)] for outcome in outcomes}
    for box in boxes:
        by_folder.setdefault(box.folder, [box.case]).append(_box(box))
    blocks = ["\n".join(lines) for _, lines in sorted(by_folder.items())]
    if outcomes:
        total = sum(len(outcome.results) for outcome in outcomes)
        words = f"{counted(total, 'comparison')}: {_kind_words(outcomes)}"
        blocks.append(fill(words, **_indents("", "  ")))
    blocks.append(_examples(examples))
    errata = "\n".join(line for outcome in outcomes for line in _errata(outcome))
    if errata:
        blocks.append(f"Errata of the guide\n{errata}")
    return "\n\n".join(blocks)


def _case(outcome: Outcome) -> str:
    case = outcome.case
    lines = [f"{case.id} (section {case.section})", fill(_counts(outcome), **_indents("  "))]
    for result in outcome.results:
        if result.verdict == "differs":
            lines.append(_line(result))
    for printed, reason in outcome.undecided:
        text = f"not planned  {printed.id}: {reason}"
        lines.append(fill(text, **_indents("  ", "    ")))
    return "\n".join(lines)


def _box(outcome: BoxOutcome) -> str:
    first, *rest = box_lines(outcome)
    told = (fill(line, **_indents("  ", "    ")) for line in rest)
    return "\n".join((f"  {first}", *told))


def _counts(outcome: Outcome) -> str:
    differs = outcome.count("differs") - outcome.forced
    figures, compared = len(outcome.case.entries), len(outcome.results)
    return (
        f"{counted(figures, 'figure')}, {counted(compared, 'comparison')}: "
        f"{counted(outcome.count('agrees'), 'agrees', 'agree')}, "
        f"{counted(outcome.count('erratum'), 'is an erratum', 'are errata')} of the guide, "
        f"{counted(outcome.forced, 'differs', 'differ')} because of a rule, "
        f"{counted(differs, 'differs', 'differ')}. "
        f"Kinds of comparison: {_kind_words([outcome])}"
    )


def _kind_words(outcomes: Sequence[Outcome]) -> str:
    counts = _kinds(outcomes)
    return ", ".join(counted(counts[kind], *words) for kind, words in _KIND_WORDS.items())


def _kinds(outcomes: Iterable[Outcome]) -> dict[str, int]:
    found = tuple(outcomes)
    return {kind: sum(outcome.of_kind(kind) for outcome in found) for kind in KINDS}


def _line(result: Result) -> str:
    unit = "" if result.unit in ("", "1") else f" {result.unit}"
    by = f" (rule {result.forced_by})" if result.forced_by else ""
    word = "differs" if result.forced_by else "DIFFERS"
    text = (
        f"{word}  {result.id}: guide {format_value(result.guide)}{unit}, plan "
        f"{format_value(result.computed)}{unit}. {result.reason}{by}"
    )
    if not result.forced_by:
        where = f"{result.workload}: " if result.workload else ""
        text += f" ({where}{result.path or 'the guide only'})"
    return fill(text, **_indents("  ", "    "))


def _examples(examples: Sequence[ExampleResult]) -> str:
    wrong = [one for one in examples if not one.ok]
    rules = len({(one.guide, one.rule) for one in examples})
    told = f"{counted(len(examples), 'example')} of {counted(rules, 'rule')}"
    lines = [f"{told}, {len(wrong)} differ"]
    for one in wrong:
        lines.append(
            f"  DIFFERS  {one.guide}, rule {one.rule}, example {one.index + 1}: {_verdicts(one)}"
        )
    return "\n".join(lines)


def _verdicts(one: ExampleResult) -> str:
    return f"expected {one.expected}, got {one.got}"


def _errata(outcome: Outcome) -> Iterator[str]:
    for printed, erratum in errata_of(outcome.case):
        right = right_value(printed, erratum)
        yield fill(
            f"{printed.id} (section {printed.section}): printed '{printed.as_printed}'"
            f"{', right ' + right if right else ''}. {erratum.why} {erratum.consequence} "
            f"The conclusion {'survives' if erratum.survives == 'yes' else 'does not survive'}.",
            **_indents("  ", "    "),
        )


def _indents(first: str, rest: str = "") -> dict[str, Any]:
    return {
        "initial_indent": first, "subsequent_indent": rest or first, "break_on_hyphens": False,
        "break_long_words": False,
    }  # fmt: skip


def cases_data(
    outcomes: Sequence[Outcome],
    examples: Sequence[ExampleResult],
    boxes: Sequence[BoxOutcome] = (),
) -> dict[str, Any]:
    """The JSON `sizewright.test/1`: every comparison, every box, and a summary."""
    return {
        "schema": SCHEMA,
        "figures": [_figure(result) for outcome in outcomes for result in outcome.results],
        "boxes": [box_data(box) for box in boxes],
        "summary": {
            "holds": all_pass(outcomes, examples, boxes),
            "kinds": _kinds(outcomes),
            "cases": [_summary(outcome) for outcome in outcomes],
            "examples": {
                "run": len(examples),
                "rules": len({(one.guide, one.rule) for one in examples}),
                "differs": [
                    {
                        "guide": one.guide, "rule": one.rule, "example": one.index + 1,
                        "reason": _verdicts(one),
                    }
                    for one in examples if not one.ok
                ],
            },
        },
    }  # fmt: skip


def _figure(result: Result) -> dict[str, Any]:
    ends = {"guide": _ends(result.guide), "computed": _ends(result.computed)}
    return {**result._asdict(), **ends}


def _ends(value: Value) -> Any:
    return value if isinstance(value, str) else list(value) if value.is_range else value.low


def _summary(outcome: Outcome) -> dict[str, Any]:
    return {
        "case": outcome.case.id,
        "title": outcome.case.title,
        "section": outcome.case.section,
        "figures": len(outcome.case.entries),
        "comparisons": len(outcome.results),
        "kinds": _kinds([outcome]),
        "agrees": outcome.count("agrees"),
        "erratum": outcome.count("erratum"),
        "differs": outcome.count("differs"),
        "forced": outcome.forced,
        "not_planned": _not_planned(outcome.undecided),
    }


def _not_planned(undecided: Iterable[tuple[Printed, str]]) -> list[dict[str, str]]:
    return [{"id": printed.id, "reason": reason} for printed, reason in undecided]


def all_pass(
    outcomes: Iterable[Outcome],
    examples: Iterable[ExampleResult],
    boxes: Iterable[BoxOutcome] = (),
) -> bool:
    """Whether all values agree or are explained, and all boxes and examples are as expected."""
    return not (
        any(o.fails for o in outcomes)
        or any(box.fails for box in boxes)
        or any(not one.ok for one in examples)
    )
