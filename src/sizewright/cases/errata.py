"""The page of errata: where a guide's arithmetic does not follow from its own inputs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import groupby
from operator import attrgetter

from sizewright.cases.judging import evaluated, plain, said
from sizewright.cases.model import Case, Decision, Erratum, Printed

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


def page(cases: Iterable[Case]) -> str:
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
        lines.append(f"- Right: {right_value(printed, erratum)} = `{' to '.join(erratum.right)}`")
    lines += [f"- Why: {erratum.why}", f"- What follows: {erratum.consequence}"]
    lines.append(f"- The conclusion survives: {'yes' if erratum.survives else 'no'}\n")
    return "\n".join(lines)


def _printed(printed: Printed) -> str:
    if isinstance(printed.value, str):
        return printed.value
    return f"{said(printed.value)} {printed.unit}".removesuffix(" 1")


def right_value(printed: Printed, erratum: Erratum) -> str:
    """What is right instead, with its unit; empty where it is not a number."""
    if not erratum.right:
        return ""
    return f"{said(plain(evaluated(erratum.right)))} {printed.unit}".removesuffix(" 1")
