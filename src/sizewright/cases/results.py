"""The results of case studies as text, as JSON, and as the page of errata."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from operator import attrgetter
from typing import Any

from sizewright.cases.boxes import BoxOutcome, box_data, box_lines
from sizewright.cases.expected import Decision, Erratum, Printed, Value
from sizewright.cases.expressions import Kind
from sizewright.cases.reading import KINDS, Case, Outcome, Result
from sizewright.cases.running import format_value
from sizewright.errors import counted, printable
from sizewright.output.document import Document
from sizewright.output.render import PLAIN, Style, render_text
from sizewright.rules.examples import ExampleResult

_HEAD = """\
# Errata of the guides' case studies

Generated from the fixtures under `examples/` by `sizewright test --errata`; a test keeps it so.

An erratum explains the guide and never excuses the program: if a plan has the figure, it is
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
    return "\n".join(map(printable, "\n".join(parts).split("\n")))


def _section(case: Case) -> str:
    entries = (_entry(printed, erratum) for printed, erratum in errata_of(case))
    stated = map(_decision, case.decisions)
    return "\n".join((f"### {case.title} (section {case.section})\n", *entries, *stated))


def _decision(decision: Decision) -> str:
    verb, turned = ("states", "Without it") if decision.stated else ("leaves out", "With it")
    return (
        f"#### The workload {verb} `{decision.key}`\n\n"
        f"- Said: {decision.said} (section {decision.section})\n"
        f"- {turned}: {decision.then}\n"
    )


def _entry(printed: Printed, erratum: Erratum) -> str:
    words = isinstance(printed.printed, str)
    value = printed.printed if words else _with_unit(printed.printed, printed)
    lines = [f"#### {printed.what}\n", f"- Figure: `{printed.id}`, section {printed.section}"]
    lines.append(f"- Printed: {value}")
    if erratum.right:
        lines.append(f"- Right: {_right_value(printed, erratum)} = `{erratum.right}`")
    lines += [f"- Why: {erratum.why}", f"- What follows: {erratum.consequence}"]
    lines.append(f"- The conclusion survives: {erratum.survives}\n")
    return "\n".join(lines)


def _right_value(printed: Printed, erratum: Erratum) -> str:
    return _with_unit(erratum.right.span, printed) if erratum.right else ""


def _with_unit(value: Value, printed: Printed) -> str:
    return f"{format_value(value)} {printed.unit}".removesuffix(" 1")


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
    style: Style = PLAIN,
) -> str:
    """Everything that differs from print, the counts of each case and box, and the errata."""
    page = Document()
    by_folder = {outcome.case.folder: outcome for outcome in outcomes}
    checked = {name: list(own) for name, own in groupby(boxes, key=attrgetter("folder"))}
    for folder in sorted({*by_folder, *checked}):
        if folder in by_folder:
            _add_case(page, by_folder[folder])
        else:
            page.heading(checked[folder][0].case)
        for box in checked.get(folder, ()):
            for number, line in enumerate(box_lines(box)):
                page.say(line, 1, 1 if number else 0)
    page.gap()
    if outcomes:
        total = sum(len(outcome.results) for outcome in outcomes)
        page.say(f"{counted(total, 'comparison')}: {_kind_words(outcomes)}", hang=1)
        page.gap()
    _add_examples(page, examples)
    errata = [line for outcome in outcomes for line in _errata(outcome.case)]
    if errata:
        page.heading("Errata of the guide")
    for line in errata:
        page.say(line, 1, 1)
    return render_text(page, style)


def _add_case(page: Document, outcome: Outcome) -> None:
    case = outcome.case
    page.heading(f"{case.id} (section {case.section})")
    page.say(_counts(outcome), 1)
    for result in outcome.results:
        if result.verdict == "differs":
            page.say(_difference(result), 1, 1)
    for printed, reason in outcome.undecided:
        page.say(f"not planned  {printed.id}: {reason}", 1, 1)


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
    found = [result.kind for outcome in outcomes for result in outcome.results]
    return {kind: found.count(kind) for kind in KINDS}


def _difference(result: Result) -> str:
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
    return text


def _add_examples(page: Document, examples: Sequence[ExampleResult]) -> None:
    wrong = [one for one in examples if not one.ok]
    told = f"{counted(len(examples), 'example')} of {counted(_rules(examples), 'rule')}"
    page.say(f"{told}, {len(wrong)} differ")
    for one in wrong:
        where = f"{one.guide}, rule {one.rule}, example {one.index + 1}"
        page.say(f"DIFFERS  {where}: {_verdicts(one)}", 1, 1)


def _rules(examples: Iterable[ExampleResult]) -> int:
    return len({(one.guide, one.rule) for one in examples})


def _verdicts(one: ExampleResult) -> str:
    return f"expected {one.expected}, got {one.got}"


def _errata(case: Case) -> Iterator[str]:
    for printed, erratum in errata_of(case):
        right = _right_value(printed, erratum)
        yield (
            f"{printed.id} (section {printed.section}): printed '{printed.as_printed}'"
            f"{', right ' + right if right else ''}. {erratum.why} {erratum.consequence} "
            f"The conclusion {'survives' if erratum.survives == 'yes' else 'does not survive'}."
        )


def cases_data(
    outcomes: Sequence[Outcome], examples: Sequence[ExampleResult], boxes: Sequence[BoxOutcome] = ()
) -> dict[str, Any]:
    """The JSON `sizewright.test/1`: every comparison, every box, and a summary."""
    wrong = [
        {"guide": one.guide, "rule": one.rule, "example": one.index + 1, "reason": _verdicts(one)}
        for one in examples
        if not one.ok
    ]
    run = {"run": len(examples), "rules": _rules(examples), "differs": wrong}
    return {
        "schema": SCHEMA,
        "figures": [_figure(result) for outcome in outcomes for result in outcome.results],
        "boxes": [box_data(box) for box in boxes],
        "summary": {
            "holds": all_pass(outcomes, examples, boxes),
            "kinds": _kinds(outcomes),
            "cases": [_summary(outcome) for outcome in outcomes],
            "examples": run,
        },
    }


def _figure(result: Result) -> dict[str, Any]:
    ends = {"guide": _ends(result.guide), "computed": _ends(result.computed)}
    return {**result._asdict(), **ends}


def _ends(value: Value) -> Any:
    return value if isinstance(value, str) else list(value) if value.is_range else value.low


def _summary(outcome: Outcome) -> dict[str, Any]:
    case = outcome.case
    return {
        "case": case.id,
        "title": case.title,
        "section": case.section,
        "figures": len(case.entries),
        "comparisons": len(outcome.results),
        "kinds": _kinds([outcome]),
        "agrees": outcome.count("agrees"),
        "erratum": outcome.count("erratum"),
        "differs": outcome.count("differs"),
        "forced": outcome.forced,
        "not_planned": [{"id": p.id, "reason": reason} for p, reason in outcome.undecided],
    }


def all_pass(
    outcomes: Iterable[Outcome], examples: Iterable[ExampleResult], boxes: Iterable[BoxOutcome] = ()
) -> bool:
    """Whether all values agree or are explained, and all boxes and examples are as expected."""
    fails = any(one.fails for one in outcomes) or any(one.fails for one in boxes)
    return all(one.ok for one in examples) and not fails
