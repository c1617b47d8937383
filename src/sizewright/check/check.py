"""A check of an existing server by its own guide."""

from collections.abc import Collection, Iterable, Iterator, Mapping
from math import log, log1p
from typing import NamedTuple

from sizewright.box.reading import Known, known_of
from sizewright.box.schema import Box, BoxVolume
from sizewright.configuration.model import SYSTEM
from sizewright.demand.rates import LineItem, sum_lines
from sizewright.evaluate.budgets import ROOM, STEADY, Budget, capacities, stated_budgets
from sizewright.evaluate.findings import on_parts
from sizewright.evaluate.limits import BACKUP, SPACE
from sizewright.evaluate.policy import Policy
from sizewright.evaluate.system import Evaluation, evaluate_facts
from sizewright.facts.as_built import add_as_built
from sizewright.facts.built import Built
from sizewright.facts.derive import Facts, Observed, derive_facts
from sizewright.facts.records import SystemFacts
from sizewright.guide.model import Guide
from sizewright.load.measured import AT, derive_peak, is_observed, is_observed_value
from sizewright.quantity import Quantity, as_quantity, largest, leaves, total
from sizewright.rules.compiler import RuleSet
from sizewright.rules.rule import Finding, Rule, Subjects
from sizewright.units import PURE

# Kinds of budget whose use grows with the data that is stored.
_OF_DATA = (SPACE, BACKUP)


class Headroom(NamedTuple):
    """A resource with the factor by which its use can grow; below 1 it is over its limit.

    It is 0 if what does not grow with the load is over the limit by itself.
    `years` is the time until then, at the worse end of all ranges; None if no growth is known, and
    of memory.
    """

    resource: str
    factor: Quantity
    limit_rule: str
    years: float | None = None


def headroom(
    budgets: tuple[Budget, ...], yearly_growth: Quantity | None = None
) -> tuple[Headroom, ...]:
    """Return every resource that grows with the load, the first to reach its limit first.

    `yearly_growth` is the part of every rate that comes on top of it each year. Memory is no rate:
    it grows with clients and sessions.
    """
    found = []
    for budget in budgets:
        factor = _factor(budget)
        if factor is not None:
            rate = None if budget.kind in ROOM else yearly_growth
            years = None if rate is None else years_until(factor, rate)
            found.append(Headroom(budget.resource, factor, budget.limit_rule, years))
    return tuple(sorted(found, key=lambda each: (each.factor.low, each.resource)))


def next_limit(found: Iterable[Headroom]) -> Headroom | None:
    """Return the first resource within its limit, of a part that is over none of its limits."""
    lines = tuple(found)
    over = {_part(each.resource) for each in lines if each.factor.low < 1}
    return next((each for each in lines if _part(each.resource) not in over), None)


def _part(resource: str) -> str:
    """Return the part that a resource belongs to; of the whole system the resource itself."""
    return resource.split("/", 2)[-1] if resource.count("/") > 1 else resource


def _factor(budget: Budget) -> Quantity | None:
    """Return the factor by which the load on a resource can grow; None if it has no known load."""
    if budget.kind in STEADY or budget.limit is None or budget.used is None:
        return None
    steady = tuple(line for line in budget.items if not _grows(line))
    load, room = budget.used, budget.limit
    if steady:
        growing = tuple(line for line in budget.items if line not in steady)
        load = sum_lines(growing, budget.unit)
        room = largest(room - sum_lines(steady, budget.unit), as_quantity(0, budget.unit))
    return room / load if load.low > 0 else None


def is_over_at_any_load(budget: Budget) -> bool:
    """Return whether a resource is over its limit by what does not grow with the load alone."""
    factor = _factor(budget)
    return factor is not None and factor.high <= 0


def _grows(line: LineItem) -> bool:
    """Whether a use follows from what was measured or stated, not from the guide's tables alone."""
    sources = (leaf.source for leaf in leaves(line.figure))
    return line.grows and any(source is not None and source.kind == "input" for source in sources)


def years_until(factor: Quantity, yearly_growth: Quantity) -> float | None:
    """Return the years until a load has grown by a factor, at the worse end.

    0 if it is there; None if it does not grow.
    """
    if factor.low <= 1:
        return 0
    if not yearly_growth.high:
        return None
    return log(factor.low) / log1p(yearly_growth.to(PURE).high)


def data_growth(budgets: Iterable[Budget], volumes: Iterable[BoxVolume]) -> tuple[Headroom, ...]:
    """Return every resource whose use grows with stored data, the first at its limit first.

    What a volume takes of a resource grows as the volume does, by the same factor.
    """
    yearly = {
        volume.name: volume.growth_mb_per_year / volume.size_mb
        for volume in volumes
        if volume.growth_mb_per_year and volume.growth_mb_per_year.high
        and volume.size_mb and volume.size_mb.low
    }  # fmt: skip
    found = []
    for budget in budgets:
        more = [line.figure * yearly[line.name] for line in budget.items if line.name in yearly]
        if budget.kind in _OF_DATA and more and budget.limit and budget.used:
            left, rate = budget.limit.low - budget.used.high, total(more, more[0].unit).high
            factor, years = budget.limit / budget.used, max(0.0, left / rate)
            found.append(Headroom(budget.resource, factor, budget.limit_rule, years))
    return tuple(sorted(found, key=lambda each: (each.years, each.resource)))


class Peak(NamedTuple):
    """When a resource was used most: `used` in the busiest hour, `report_used` in one report."""

    resource: str
    at: str
    used: Quantity
    report_at: str
    report_used: Quantity


def _peaks(judged: Iterable[Budget], by_report: Iterable[Budget]) -> Iterator[Peak]:
    """Yield the peak of each resource of which reports are known one by one."""
    single = {budget.resource: budget for budget in by_report}
    for budget in judged:
        other = single.get(budget.resource)
        if budget.used is None or other is None or other.used is None:
            continue
        at, report_at = _time_of(budget.used), _time_of(other.used)
        if at and report_at:
            yield Peak(budget.resource, at, budget.used, report_at, other.used)


def _time_of(used: Quantity) -> str:
    times = (leaf.name.partition(AT)[2] for leaf in leaves(used) if is_observed_value(leaf))
    return next(filter(None, times), "")


class Load(NamedTuple):
    """Where the load of a part of a machine shows: in budgets, and in measured facts."""

    budgets: tuple[str, ...]
    facts: tuple[tuple[str, str], ...]


LOADS: Mapping[str, Load] = {
    "processors": Load(("kernel_lock", "processors", "nfs"), ()),
    "memory": Load(
        ("memory",), tuple((SYSTEM, f"page_{each}_per_s") for each in ("ins", "outs", "scans"))
    ),
    "disks": Load(("active", "channel", "disk"), (("disk", "busy_share"),)),
    "networks": Load(
        ("network", "data"), (("network", "utilisation_share"), ("network", "collision_share"))
    ),
}
# Fewer loads than these say little about a server.
LEAST_LOADS = 2


def judged_loads(judged: Evaluation, rule_set: RuleSet) -> tuple[str, ...]:
    """Return the parts (of LOADS) that have a load with a limit, or with a rule that judges it."""
    asked = {name for rule in rule_set.rules for name in rule.require.names}
    records = judged.facts.by_subject()
    kinds = {b.kind for b in judged.budgets if b.items and b.verdict != "unknown"}
    known = {
        (subject, fact)
        for load in LOADS.values() for subject, fact in load.facts
        if (subject, fact) in asked
        and any(getattr(record, fact) is not None for record in records[subject])
    }  # fmt: skip
    return tuple(
        part for part, load in LOADS.items()
        if not kinds.isdisjoint(load.budgets) or not known.isdisjoint(load.facts)
    )  # fmt: skip


class Check(NamedTuple):
    """The results of a check; reports only format them.

    `rule_set` has the rules that were asked; `judged` has their findings, and the budgets under the
    limits of all rules. `stated` are budgets of what only an existing server states. `loads` are
    the parts whose load was judged. `peaks` are the times of what was reported one by one.
    `data_growth` is of the space and the backups that volumes of stated growth need.
    """

    guide: Guide
    rule_set: RuleSet
    box: Box
    judged: Evaluation
    stated: tuple[Budget, ...]
    headroom: tuple[Headroom, ...]
    loads: tuple[str, ...]
    peaks: tuple[Peak, ...] = ()
    data_growth: tuple[Headroom, ...] = ()

    @property
    def limited(self) -> Mapping[str, Budget]:
        """Every budget that may have a headroom, by its resource."""
        return {budget.resource: budget for budget in (*self.judged.budgets, *self.stated)}

    @property
    def has_enough_data(self) -> bool:
        """Whether two loads were judged, or the load of a plan is stated."""
        return len(self.loads) >= LEAST_LOADS or any(value for _, value in self.box.load)

    @property
    def findings(self) -> tuple[Finding, ...]:
        """The finding of every rule that was asked on every part that it is about."""
        return self.judged.findings

    @property
    def holds(self) -> bool:
        """Whether no violation is found, and at least one rule has a verdict."""
        judged = [f for f in self.findings if f.verdict not in ("not_applicable", "unknown")]
        broken = [f for f in judged if f.severity == "violation" and f.verdict == "violated"]
        return bool(judged) and not broken


def check_box(
    box: Box, guide: Guide, rule_set: RuleSet, policy: Policy, asked: RuleSet | None = None
) -> Check:
    """Check an existing server against a set of rules, or those of them that are asked.

    A verdict must not depend on which other rules are asked, so all of them limit facts and
    budgets. Raises InputError with every unknown name.
    """
    known = known_of(box, guide)
    judged = judge_known(known, guide, rule_set, policy)
    loads = judged_loads(judged, rule_set)
    growth = None if box.growth is None else box.growth.percent
    if asked is not None:
        wanted = {rule.id for rule in asked.rules}
        judged = judged._replace(findings=tuple(f for f in judged.findings if f.rule in wanted))
    stated = stated_budgets(str(box.name), judged.facts, rule_set, policy.reserve)
    room = headroom((*judged.budgets, *stated), growth)
    peaks: tuple[Peak, ...] = ()
    if known.moments:
        single = judge_known(known_of(box, guide, busiest_s=0), guide, rule_set, policy)
        peaks = tuple(_peaks(judged.budgets, single.budgets))
    filling = data_growth(judged.budgets, box.volumes or ())
    return Check(guide, asked or rule_set, box, judged, stated, room, loads, peaks, filling)


def judge_known(known: Known, guide: Guide, rule_set: RuleSet, policy: Policy) -> Evaluation:
    """Return load, facts, budgets and findings of what is known about an existing server.

    Measurements of a disk or network that contradict each other are named, and then left out.
    """
    judged = _judge(known, guide, rule_set, policy)
    found = [f for f in judged.findings if f.verdict == "violated" and _asks_if_plausible(f.asked)]
    if not found:
        return judged
    parts = {
        subject: {f.read[subject].id for f in found if f.asked.subject == subject}
        for subject in _MEASURED
    }
    named = {(f.rule, f.subject): _located(f) for f in found}
    left = _judge(_without(known, parts), guide, rule_set, policy)
    return left._replace(findings=tuple(named.get((f.rule, f.subject), f) for f in left.findings))


# What rules read that ask whether measurements of a part are plausible.
_MEASURED = {"disk": "measured_ops_per_s", "network": "measured_kb_per_s"}


def _asks_if_plausible(rule: Rule) -> bool:
    return (rule.subject, _MEASURED.get(rule.subject, "")) in rule.reads


def plausible(facts: Facts, rule_set: RuleSet) -> Iterator[tuple[Rule, Subjects]]:
    """Yield each rule that asks whether measurements are plausible, with what it passes on."""
    rules = (rule for rule in rule_set.rules if _asks_if_plausible(rule))
    return (each for each in on_parts(rules, facts) if each[0].verdict(each[1]) == "holds")


def _located(finding: Finding) -> Finding:
    """Return a finding that says where the measurement is stated."""
    subject = finding.asked.subject
    source = next(leaves(getattr(finding.read[subject], _MEASURED[subject]))).source
    return finding._replace(note=f" ({source.where})") if source and source.where else finding


def _without(known: Known, parts: Mapping[str, Collection[str]]) -> Known:
    """Return what is known without what was measured of some disks, their channels, and networks.

    `parts` are their ids by subject.
    """
    measured, disks, networks = known.measured, parts["disk"], parts["network"]
    return known._replace(
        measured=measured._replace(
            disks={name: lines for name, lines in measured.disks.items() if name not in disks},
            moved={name: lines for name, lines in measured.moved.items() if name not in disks},
            channels={
                name: lines for name, lines in measured.channels.items()
                if not any(line.name in disks for line in lines)
            },
            networks={name: it for name, it in measured.networks.items() if name not in networks},
            data={name: it for name, it in measured.data.items() if name not in networks},
        ),
        observed=forget_measured(known.observed, parts),
    )  # fmt: skip


# Facts that were measured of a part, and are wrong if it does other work.
_OF_PARTS = {
    "disk": ("busy_share",),
    "network": ("utilisation_share", "collision_share", "measured_latency_ms"),
}


def forget_measured(observed: Observed, parts: Mapping[str, Collection[str]]) -> Observed:
    """Return what was observed, without what was measured of some parts."""
    return {
        subject: {
            name: {
                fact: value for fact, value in facts.items()
                if name not in parts.get(subject, ()) or fact not in _OF_PARTS[subject]
            }
            for name, facts in records.items()
        }
        for subject, records in observed.items()
    }  # fmt: skip


def _judge(known: Known, guide: Guide, rule_set: RuleSet, policy: Policy) -> Evaluation:
    load = derive_peak(known.measured, known.usage, known.system, guide, known.moments)
    given = derive_facts(known.system, load, guide)
    drawn = add_as_built(given, Built(known.system, load, known.shown, guide))
    facts = capacities(drawn.replaced_by(known.observed), rule_set)
    measured = any(map(is_observed, known.measured.processors or ()))
    # A plan that was written as a server is judged as the plan was.
    planned = known.measured.nfs is not None and not any(map(is_observed, known.measured.nfs))
    if measured or not planned:
        facts = facts._replace(system=_with_accelerator(facts.system, measured, guide))
    return evaluate_facts(known.system, load, facts, guide, rule_set, policy)


def _with_accelerator(system: SystemFacts, measured: bool, guide: Guide) -> SystemFacts:
    """Return facts from which follows whether a write accelerator, or its substitute, is of use.

    If it is not known whether a slot is free, an accelerator may fit. `measured` says whether
    processor time is.
    """
    free = system.free_slot_busses
    busses = {row.text("bus") for row in guide.table("nvram-accelerators")}
    has_slot = free is None or not busses.isdisjoint(free)
    return system._replace(
        measured_processor_share=system.processor_share if measured else None,
        accelerator_fits=has_slot and not system.shared_writes,
    )
