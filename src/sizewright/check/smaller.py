"""Whether fewer processors, or a smaller platform, would be enough for what was measured."""

from collections.abc import Iterator

from sizewright.box.reading import Known, known_of
from sizewright.check.check import Check, judge_known
from sizewright.configuration.model import System
from sizewright.demand.model import Known as KnownLines
from sizewright.errors import InputError
from sizewright.evaluate.policy import Policy
from sizewright.failure import broken, newly_borderline
from sizewright.guide.model import Guide, Row
from sizewright.load.peak import is_observed
from sizewright.rules.compiler import RuleSet
from sizewright.rules.rule import LIMITS


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
    both = (check.judged, judged, rule_set, policy)
    # The slots of boards on another platform are open; whether they are enough is judged.
    unknown = {
        (f.rule, f.subject) for f in judged.findings
        if f.severity in LIMITS and f.verdict == "unknown" and "board" not in f.read
    }  # fmt: skip
    met = {(f.rule, f.subject) for f in check.judged.findings if f.verdict == "holds"}
    return not (unknown & met or broken(*both) or newly_borderline(*both))
