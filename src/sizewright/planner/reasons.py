"""The limits that the nearest configuration of a refused machine breaks, in its words."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from math import inf

from sizewright.configuration.model import SYSTEM, System
from sizewright.demand.backup import backup_drives
from sizewright.evaluate.policy import Policy
from sizewright.evaluate.system import Evaluation
from sizewright.guide.model import Guide
from sizewright.planner.parts import Machine, memory_sizes
from sizewright.planner.planning import Planning
from sizewright.rules.rule import Finding

_MEMORY = "system.memory_needed_mb"
_BACKUP = (SYSTEM, "backup_device")


def broken(judged: Evaluation, planning: Planning, machine: Machine) -> Iterator[Finding]:
    """The findings that make a configuration infeasible, with what the machine has no more of."""
    most_mb = max((each.size_mb for each in memory_sizes(machine)), default=0)
    for finding in broken_as_built(judged, planning.policy):
        if is_about_memory(finding):
            needed = finding.shown[SYSTEM].memory_needed_mb
            dense = _with_dense_simms(machine, most_mb)
            if judged.system.memory_mb == most_mb:
                note = f", the most that it takes{dense}"
            elif needed is not None and needed.high <= most_mb:
                # Slots are taken by other boards.
                note = ", and no slot is left for more"
            else:
                note = f"; it takes {most_mb:g} MB at most{dense}"
            finding = finding._replace(note=note)
        elif _BACKUP in finding.asked.reads and not _has_place(judged.system, planning.guide):
            finding = finding._replace(note=", because no channel has a place left for a drive")
        yield finding


def _has_place(system: System, guide: Guide) -> bool:
    """Return whether a channel of a system has a place for a drive for backups."""
    kinds = {kind for drive in backup_drives(guide) for kind in drive.list("disk_busses")}
    busses = guide.table("disk-busses").rows
    return any(
        channel.kind in kinds
        and len(channel.devices) < busses[channel.kind].number("targets_limit", inf)
        for channel in system.channels
    )


def _with_dense_simms(machine: Machine, most_mb: float) -> str:
    """Return what dense SIMMs would allow, if that is more than plans install (2.2.5)."""
    dense = machine.platform.number("onboard_memory_limit_dense_simms_mb")
    return f" with the usual SIMMs (dense SIMMs: {dense:g} MB)" if dense > most_mb else ""


def is_about_memory(finding: Finding) -> bool:
    """Return whether a finding is about the limit of memory."""
    return any(bound.resource == _MEMORY for bound in finding.asked.bounds)


def memory_missing(findings: Iterable[Finding]) -> float | None:
    """Return the MB that a machine has too few, by findings on it; None if it has enough."""
    for facts in (each.shown[SYSTEM] for each in findings if is_about_memory(each)):
        needed, installed = facts.memory_needed_mb, facts.memory_mb
        if needed is not None and installed is not None and needed.high > installed.low:
            return float(needed.high - installed.low)
    return None


def broken_as_built(judged: Evaluation, policy: Policy) -> Iterator[Finding]:
    """The same findings, of memory with what is installed."""
    return (
        each for each in judged.findings
        if policy.blocks(each.asked) and policy.breaks(each.asked, each.verdict)
    )  # fmt: skip
