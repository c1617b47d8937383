"""The record of a check, `sizewright.check/1`: what `sizewright check --format json` prints."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Literal

from sizewright.evaluate.findings import count_rules, find_missing, is_checked
from sizewright.output.json import alternatives, common
from sizewright.output.json.common import Count, End, JsonData, Number, Quantity, Record, doc
from sizewright.output.json.configuration import BackupRun, System
from sizewright.output.provenance import uses_in
from sizewright.output.reports import CheckReport
from sizewright.planner.plan import coverage

if TYPE_CHECKING:
    from sizewright.check.advice import Step
    from sizewright.check.check import Check as Checked
    from sizewright.check.cross_guide import CrossCheck

SCHEMA = "sizewright.check/1"


class Server(common.InputFile):
    """The box file that was checked."""

    platform: str = doc("Row of `platforms`.")


class CheckPolicy(Record):
    """How the server was checked."""

    size_for: End = doc("End of every range at which shares and formulas are calculated.")
    reserve_percent: common.Reserve
    waived: list[common.Waived] = doc("Rules that are waived by name.")
    rules: list[str] = doc("Rules that `--rule` selects; empty if all are selected.")
    ignored: list[str] = doc("Rules that `--ignore` leaves out.")
    severity: Literal["", "violation", "recommended", "advice", "note"] = doc(
        "Lowest severity that `--severity` selects and counts. If it is empty, all rules are "
        "selected and only limits count (`violation`, `recommended`)."
    )


class RuleCoverage(Record):
    """How much was checked."""

    rules: Count = doc("Rules that are selected.")
    ran: Count = doc("Rules with a result: met, borderline, broken or waived.")
    by_rule: common.Verdicts = doc(
        "Rules by verdict. A rule with several subjects counts once, by the first of violated, "
        "tight, waived, unknown, holds, not_applicable among its results."
    )
    judgements: common.Verdicts = doc("Results by verdict.")


class Headroom(Record):
    """A resource whose use grows with the load."""

    resource: str = doc("Id of its budget.")
    factor: Quantity = doc(
        "Limit ÷ use, by which load can grow; below 1 the limit is exceeded. 0 if what does not "
        "grow with the load exceeds it."
    )
    limit_rule: str = doc("Rule that sets the limit; empty if the capacity is the limit.")
    years: Number | None = doc(
        "Years of the stated growth until the limit is reached, at the worse end of all ranges; "
        "null if the server states no growth, and of memory, which grows with clients and sessions."
    )


class Peak(Record):
    """When a resource was used most, by reports of tools one by one."""

    resource: str = doc("Id of its budget.")
    at: str = doc(
        "First and last report of the busiest hour, by whose mean the resource is judged; one "
        "report if reports do not state their length."
    )
    used: Quantity = doc("The mean of that time.")
    report_at: str = doc("The report in which it was used most.")
    report_used: Quantity = doc("What was used in that report.")


class TriedChange(Record):
    """A change of a server whose effect can be computed."""

    kind: Literal["disk", "tape", "data", "clients", "channel", "controller", "processors"] = doc(
        "`disk`, `tape`: this device goes to another channel; `data`: half of the data of a disk "
        "goes to another disk; `clients`: half of the clients of a network go to another one; "
        "`channel`: a disk or a tape goes to a free channel of a controller; "
        "`controller`: a disk or a tape goes to an added controller; `processors`: more of them."
    )
    part: str = doc("Id of the device or the network, or row of `platforms`.")
    to: str = doc(
        "Id of the other channel, disk or network, of the controller with the free channel, row of "
        "the added controller, or the number of processors."
    )
    before: Quantity = doc("Use of the resource that the rule limits.")
    after: Quantity = doc("The same after the change.")
    holds: bool = doc("Whether the limit is met then.")


class FirstStep(Record):
    """What to do first. Causes come before their effects, and limits before advice."""

    rule: str = doc("Rule that is broken.")
    subject: str = doc("Subject of its finding.")
    remedy: str = doc("What the rule advises.")
    change: TriedChange | None = doc(
        "What to do with the parts that are there, or to add; it breaks no other limit. If null, "
        "no such change was found: follow the remedy; if a measured value is over its limit, "
        "measure again."
    )


class MissingFact(Record):
    """A fact that is missing."""

    fact: str = doc("The fact, as `subject.name`; empty if a rule is unknown for another reason.")
    what: str = doc("What the fact is.")
    unit: str = doc("Its unit, as for a quantity; empty if it has none.")
    subjects: list[str] = doc("Subjects for which it is missing.")
    rules: list[str] = doc("Rules that need it.")
    measure: list[str] = doc("How to measure it, in the words of the rules that need least else.")


class Measurement(Record):
    """A measurement that decides rules."""

    command: str = doc(
        "The command, or what to find out, and the keys of the box file. `OUT` is its output, "
        "`BOX` the box file."
    )
    facts: list[str] = doc("Missing facts that it gives, as `subject.name`.")
    loads: list[Literal["processors", "disks", "networks"]] = doc(
        "Loads that it gives, if there is not enough data for a verdict without them."
    )
    decides: list[str] = doc("Rules with a verdict then, given the measurements before this one.")
    helps: list[str] = doc("Rules that need it, and another measurement as well.")


MissingFacts = Annotated[
    list[MissingFact],
    doc("Missing facts; those first that the most severe rules, and then the most rules, need."),
]


class OtherGuide(Record):
    """Another guide, with the findings of its rules."""

    guide: common.Guide = doc("The other guide.")
    rules: list[str] = doc("Its rules that `--rule GUIDE/ID` selects; empty if all are selected.")
    ignored: list[str] = doc("Its rules that `--ignore GUIDE/ID` leaves out.")
    coverage: RuleCoverage = doc("How much was checked.")
    findings: list[common.Finding] = doc("The result of every selected rule for every subject.")
    unknown: MissingFacts
    overlays: list[common.Overlay] = doc("What overlays changed in it.")


class Check(Record):
    """What `sizewright check --format json` prints."""

    schema_: Literal["sizewright.check/1"] = doc("The format with its version.", alias="schema")
    guide: common.Guide = doc("The planning guide.")
    box: Server = doc("The box file that was checked.")
    policy: CheckPolicy = doc("How the server was checked.")
    verdict: Literal["holds", "tight", "violated", "unknown"] = doc(
        "`violated` if a limit that counts is broken, `tight` if one is met "
        "only in the best case of a range, `unknown` if there is not enough data. The exit code "
        "is 0 for `holds` and `tight`."
    )
    loads: list[Literal["processors", "memory", "disks", "networks"]] = doc(
        "Parts whose load was judged. Data of fewer than two are not enough, unless `--rule` "
        "selects rules, or the server was written by a plan."
    )
    coverage: RuleCoverage = doc("How much was checked.")
    budgets: list[common.TracedBudget] = doc(
        "Resources and their limits by all rules, including those not selected."
    )
    sources: list[common.Origin] = doc(
        "Every table cell, rule parameter and input line behind budgets and findings, sorted by "
        "key, each once."
    )
    no_kernel_lock: common.NoKernelLocks
    headroom: list[Headroom] = doc(
        "How far the load can grow; the resource that reaches its limit first comes first. "
        "Resources whose use does not grow with the load are left out."
    )
    data_growth: list[Headroom] = doc(
        "When the space and the time of backups for volumes with a stated growth reach their "
        "limits, the first one first. The load does not change them."
    )
    peaks: list[Peak] = doc(
        "When each resource was used most; empty if the box file has no reports one by one."
    )
    enough_processors: int | None = doc(
        "The fewest processors of the platform with which no further limit is missed, if they are "
        "fewer than it has; null if not, or if processor time was not measured."
    )
    smaller_platform: str | None = doc(
        "The smallest platform (row of `platforms`) that takes the same parts and misses no "
        "further limit, if it is smaller; null if not, or if processor time is not known."
    )
    first_step: FirstStep | None = doc("What to do first; null if no limit is broken.")
    backups: list[BackupRun] = doc(
        "How long a backup of the server takes; empty if none is wanted, or if that is not stated."
    )
    break_even: alternatives.Thresholds
    borderline_from: alternatives.BorderlineFrom
    steady: alternatives.Steady | None = doc(
        "Inputs that change no verdict; null without `--break-even`."
    )
    failed: list[alternatives.Failure] = doc(
        "The effect of each failure of `--failed`; empty if none."
    )
    findings: list[common.Finding] = doc("The result of every selected rule for every subject.")
    unknown: MissingFacts
    measurements: list[Measurement] = doc(
        "What to measure. Unknown loads come first if there is not enough data; then what settles "
        "most rules, violations before other limits, and these before advice and notes."
    )
    systems: list[System] = doc("The server.")
    overlays: list[common.Overlay] = doc("What overlays changed.")
    also_by: list[OtherGuide] = doc(
        "Findings of other guides about the same facts, by the id of the guide. They change "
        "neither `verdict` nor the exit code. The key is present only with `--also-by`.",
        default_factory=list,
    )


def check_data(report: CheckReport) -> JsonData:
    """Return the JSON of a check as plain data."""
    check, policy, chosen = report.check, report.policy, report.selection
    judged = check.judged
    record = Check.make(
        report,
        **alternatives.shared_keys(report, uses_in(check.guide, (judged,))),
        schema=SCHEMA,
        box=Server.make(report, digest=report.document.digest, platform=judged.system.platform),
        policy=CheckPolicy.make(
            policy, waived=policy.waivers, rules=chosen.only,
            ignored=chosen.ignored, severity=chosen.severity,
        ),
        loads=check.loads,
        coverage=_coverage(check),
        headroom=check.headroom,
        data_growth=check.data_growth,
        peaks=check.peaks,
        first_step=report.first_step and _first_step(report.first_step),
        unknown=report.missing,
        systems=[System.make(judged.system, configuration=judged.system)],
        also_by=[
            OtherGuide.make(
                each, rules=each.selection.only, ignored=each.selection.ignored,
                coverage=_coverage(each),
                unknown=find_missing(each.guide, each.judged.system.id, each.findings),
                overlays=common.overlay_records(uses_in(each.guide, (each.judged,))),
            )
            for each in report.others
        ],
    )  # fmt: skip
    return record.as_data()


def _first_step(step: Step) -> FirstStep:
    change = None
    if step.change is not None and step.figures is not None and step.after is not None:
        before, after = step.figures
        change = TriedChange.make(
            step.change, before=before, after=after, holds=step.after.verdict == "holds"
        )
    return FirstStep.make(step.finding, change=change)


def _coverage(check: Checked | CrossCheck) -> RuleCoverage:
    rules = count_rules(check.rule_set, check.findings)
    ran = sum(n for verdict, n in rules.items() if is_checked(verdict))
    return RuleCoverage.make(
        rules=len(check.rule_set.rules), ran=ran, by_rule=rules,
        judgements=dict(coverage(check.findings)),
    )  # fmt: skip
