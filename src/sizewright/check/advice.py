"""Advice on a server: what to do first if it breaks limits, or how much less hardware is enough.

Each change that may help is tried on the server as it is. If none does, the remedy of the rule is
what to do; then the server must be measured again. If all limits are met, fewer processors and
smaller platforms are tried.
"""

from collections.abc import Iterable, Iterator, Mapping
from itertools import islice
from typing import NamedTuple

from sizewright.box.reading import Known, known_of
from sizewright.check.changes import Change, changes, limited_fact
from sizewright.check.check import Check, is_over_at_any_load, judge_known
from sizewright.configuration.model import SYSTEM, System
from sizewright.demand.rates import Known as KnownLines
from sizewright.demand.rates import sum_lines
from sizewright.errors import InputError
from sizewright.evaluate.budgets import Budget
from sizewright.evaluate.policy import Policy
from sizewright.failure import newly_missed
from sizewright.guide.model import REPORTED, SEVERITIES, Guide, Row
from sizewright.limits import CHANGES_TRIED
from sizewright.load.measured import is_observed, is_observed_value
from sizewright.quantity import Quantity, leaves
from sizewright.rules.compiler import RuleSet
from sizewright.rules.rule import LIMITS, RECOMMENDED, Finding

# Findings by rule and subject.
Findings = Mapping[tuple[str, str], Finding]
# Facts of a system in which it shows that memory is short.
_SHORT_MEMORY = frozenset({"page_outs_per_s", "page_scans_per_s", "swap_outs_per_s"})


class Step(NamedTuple):
    """What to do first: about this finding, by this change.

    `after` is the finding on the changed server. Both are None if no change was found whose effect
    can be computed. A disk that is `in_tray` is on the channel of its tray. If it `has_room`, the
    space for data that moves was checked.
    """

    finding: Finding
    change: Change | None = None
    after: Finding | None = None
    in_tray: bool = False
    has_room: bool = False

    @property
    def figures(self) -> tuple[Quantity, Quantity] | None:
        """How much of the limited resource is used before and after; None without a change."""
        before = _used(self.finding)
        after = None if self.after is None else _used(self.after)
        return None if before is None or after is None else (before, after)

    @property
    def needs_measuring(self) -> bool:
        """Whether only measuring again can tell what the step has changed.

        Slots and addresses are counted. Of what is reported, only shares of time have bounds.
        """
        figures = self.finding.figures.values()
        measured = any(is_observed_value(leaf) for each in figures for leaf in leaves(each))
        return self.change is None and (measured or limited_fact(self.finding)[0] == REPORTED)


def first_step(check: Check, rule_set: RuleSet, policy: Policy) -> Step | None:
    """Return what to do first; None if every limit is met that could be checked.

    If only a recommended limit is exceeded, it is a change or nothing.
    """
    broken = [
        f for f in check.findings
        if f.verdict == "violated" and (f.severity in LIMITS or _is_memory(f))
    ]  # fmt: skip
    exceeded = (f for f in check.findings if f.severity == RECOMMENDED and f.verdict == "tight")
    findings = ranked(broken or exceeded)
    if not findings:
        return None
    step = _best_step(findings[0], check, rule_set, policy)
    # A recommended limit alone is no reason to measure again.
    return step if broken or step.change is not None else None


def _best_step(first: Finding, check: Check, rule_set: RuleSet, policy: Policy) -> Step:
    """Return the best change that was found for a finding; none if no change helps.

    A change is one after which less of the resource is used, and no limit is broken that was met,
    or by more than before. If tapes exceed the limit by themselves, moving a disk does not help. Of
    several it is the one after which the fewest limits are broken, the
    least of the resource is used, and the part that takes more has the least to do; then the one
    that moves the disk with the fewest operations. Of numbers of processors it is the least that is
    enough.
    """
    before = {_key(f): f for f in check.judged.findings}
    tried: list[tuple[tuple[float, ...], Step]] = []
    known = known_of(check.box, check.guide)
    for change, changed in islice(changes(first, known, check.guide), CHANGES_TRIED):
        judged = judge_known(changed, check.guide, rule_set, policy)
        after = {_key(f): f for f in judged.findings}
        is_disk = change.kind in ("disk", "channel", "controller")
        in_tray = is_disk and _is_in_tray(change.part, known, check.guide)
        has_room = judged.load.stored.get(change.to) is not None
        step = Step(first, change, after.get(_key(first)), in_tray, has_room)
        if step.figures is None or step.figures[1].high >= step.figures[0].high:
            continue
        limited = (budget for budget in judged.budgets if _limits(first, budget))
        if change.part in known.measured.disks and any(map(is_over_at_any_load, limited)):
            continue
        # More processors take more from no other part.
        taking = after.get((first.rule, f"{first.subject.rpartition('/')[0]}/{change.to}"), first)
        if (taking is first or taking.verdict == "holds") and not _any_worse(before, after):
            broken = sum(f.verdict == "violated" and f.asked.blocks for f in judged.findings)
            filled = _used(taking)
            moved = sum_lines(known.measured.disks.get(change.part), "op/s")
            # Processors are tried from the fewest on.
            enough = change.kind == "processors" and after[_key(first)].verdict == "holds"
            merit = (
                change.buys,
                broken,
                0 if enough else step.figures[1].high,
                filled.high if filled is not None else 0,
                moved.high if moved is not None else 0,
            )
            tried.append((merit, step))
    return min(tried, key=lambda each: each[0])[1] if tried else Step(first)


def _limits(finding: Finding, budget: Budget) -> bool:
    """Return whether the rule of a finding sets the limit of a resource of its part."""
    return budget.limit_rule == finding.rule and finding.subject.endswith(f"/{budget.name}")


def _is_in_tray(disk: str, known: Known, guide: Guide) -> bool:
    """Return whether disks of its kind are in trays on this platform (2.4.3)."""
    system = known.system
    return any(
        system.platform in tray.list("platforms")
        and tray.text("interface") == guide.row(each.table, each.model).text("interface")
        for each in system.disks() if each.id == disk
        for tray in guide.table("trays")
    )  # fmt: skip


def _any_worse(before: Findings, after: Findings) -> bool:
    """Return whether a limit is broken that was not, or by more than it was."""
    for key, finding in after.items():
        if finding.verdict != "violated" or not finding.asked.blocks:
            continue
        if key not in before or before[key].verdict != "violated":
            return True
        was, now = _used(before[key]), _used(finding)
        if was is not None and now is not None and now.high > was.high:
            return True
    return False


def ranked(found: Iterable[Finding]) -> list[Finding]:
    """Return findings by what is to be done first: limits before advice, causes before effects.

    Parts that do not work, or not together, come first. A server that swaps needs memory next,
    because nothing else that was measured is valid then. A shortage of memory keeps a disk busy
    that has nothing but swap, so it comes before that disk, and is as severe. Of the others, what
    exceeds its limit by most comes first.
    """
    findings = list(found)
    shortage = memory_shortage(findings)
    effects = [f for f in findings if _is_swap_disk(f)]

    def urgency(finding: Finding) -> tuple[bool, bool, int, bool, float]:
        severity = SEVERITIES.index(finding.severity)
        if _is_memory(finding):
            severity = min([severity, *(SEVERITIES.index(f.severity) for f in effects)])
        late = finding in effects and any(_is_memory(f) for f in findings)
        works = not finding.asked.spec.get("does_not_work")
        return works, finding is not shortage, severity, late, -_excess(finding)

    return sorted(findings, key=urgency)


def _is_memory(finding: Finding) -> bool:
    short = _reads_shortage(finding) and finding.severity != "note"
    return short or limited_fact(finding) == (SYSTEM, "memory_needed_mb")


def _reads_shortage(finding: Finding) -> bool:
    return bool(finding.asked.facts_of(SYSTEM) & _SHORT_MEMORY)


def memory_shortage(found: Iterable[Finding]) -> Finding | None:
    """Return the limit on measured paging or swapping that is broken; it has no headroom."""
    broken = (f for f in found if f.verdict == "violated" and f.severity in LIMITS)
    return next(filter(_reads_shortage, broken), None)


def _is_swap_disk(finding: Finding) -> bool:
    disk = finding.read.get("disk")
    return disk is not None and bool(disk.uses) and set(disk.uses) == {"swap"}


def _key(finding: Finding) -> tuple[str, str]:
    return finding.rule, finding.subject


def _used(finding: Finding) -> Quantity | None:
    subject, name = limited_fact(finding)
    figure = getattr(finding.read.get(subject), name, None)
    return figure if isinstance(figure, Quantity) else None


def _excess(finding: Finding) -> float:
    """Return how many times its limit is used at the worse end; 1 if that is not known."""
    used = _used(finding)
    limits = [f for name, f in finding.figures.items() if name != ".".join(limited_fact(finding))]
    if used is None or len(limits) != 1 or limits[0].low <= 0:
        return 1
    return used.high / limits[0].low


def enough_processors(check: Check, rule_set: RuleSet, policy: Policy) -> int | None:
    """Return the fewest processors of the platform with which no further limit is missed.

    None if there are none too many, or if processor time was not measured.
    """
    known = known_of(check.box, check.guide)
    system, have = known.system, known.system.processors
    if have is None or not any(map(is_observed, known.measured.processors or ())):
        return None
    counts = map(int, check.guide.row("platforms", system.platform).list("processor_counts"))
    for number in sorted(each for each in counts if each < have):
        fewer = known._replace(system=system._replace(processors=number))
        if _is_enough(fewer, check, rule_set, policy):
            return number
    return None


def smaller_platform(check: Check, rule_set: RuleSet, policy: Policy) -> str | None:
    """Return the smallest platform that takes all parts, and misses no further limit.

    What was measured of the processors is scaled by the speed of one processor. None if there is no
    such platform, if a limit is missed today, if processor time is not known, or if there is not
    enough data.
    """
    known, load, guide = known_of(check.box, check.guide), check.judged.load, check.guide
    own = guide.row("platforms", known.system.platform)
    known_time = load.kernel_lock is not None and load.processors is not None
    missed = not check.holds or any(each.verdict == "violated" for each in check.judged.budgets)
    if missed or not check.has_enough_data or not known_time or own.cell("rank") is None:
        return None
    others = [
        row for row in guide.table("platforms")
        if row.flag("orderable") and row.number("rank") < own.number("rank")
        and _takes_disks(row, known.system, guide)
    ]  # fmt: skip
    for row in sorted(others, key=lambda each: each.number("rank")):
        moved = _moved(check, known, row, own)
        if any(_is_enough(smaller, check, rule_set, policy) for smaller in moved):
            return row.id
    return None


def _takes_disks(platform: Row, system: System, guide: Guide) -> bool:
    """Return whether a platform is configured with disks of the kinds that a system has (2.8)."""
    models, disks = guide.table("disks").rows, system.disks()
    interfaces = {models[d.model].text("interface") for d in disks if d.model in models}
    shares = any(disk.dual_ported for disk in disks)
    offered = platform.list("disk_interfaces")
    return (not offered or interfaces <= set(offered)) and (
        not shares or platform.flag("dual_port_disks")
    )


def _moved(check: Check, known: Known, platform: Row, own: Row) -> Iterator[Known]:
    """Yield what is known about the server on another platform, with fewest processors first.

    Nothing if the platform does not take its parts. Boards may be in any slots of it.
    """
    if own.cell("mips") is None or platform.cell("mips") is None:
        return
    speed = own.require("mips") / platform.require("mips")

    def scaled(lines: KnownLines) -> KnownLines:
        return lines and tuple(line._replace(figure=line.figure * speed) for line in lines)

    kernel, processors = scaled(known.measured.kernel_lock), scaled(known.measured.processors)
    boards = check.box.boards and tuple(each.replace(slots=()) for each in check.box.boards)
    for number in sorted(map(int, platform.list("processor_counts"))):
        box = check.box.replace(platform=platform.id, processors=number, boards=boards)
        try:
            there = known_of(box, check.guide)
        except InputError:
            continue
        measured = there.measured._replace(kernel_lock=kernel, processors=processors)
        yield there._replace(measured=measured)


def _is_enough(changed: Known, check: Check, rule_set: RuleSet, policy: Policy) -> bool:
    """Return whether no limit is missed that was met, and none has become unknown."""
    judged = judge_known(changed, check.guide, rule_set, policy)
    # The slots of boards on another platform are open; whether they are enough is judged.
    unknown = {
        _key(f) for f in judged.findings
        if f.severity in LIMITS and f.verdict == "unknown" and "board" not in f.read
    }  # fmt: skip
    met = {_key(f) for f in check.judged.findings if f.verdict == "holds"}
    return not (unknown & met or any(newly_missed(check.judged, judged, rule_set, policy)))
