"""What the program computes of predicted systems: disks, channels, parts, memory, verdicts."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from click.testing import CliRunner

from predictions.comparing import worst
from predictions.entries import Trial
from predictions.lookup import (
    NothingThereError,
    budget_of,
    budgets_of,
    extracts,
    findings_of,
    laid_volume,
    lines_of,
    name_in,
    shown_system,
    sum_of,
    with_findings,
    work_findings,
    work_of,
)
from sizewright.cli.main import main
from sizewright.configuration.model import System
from sizewright.evaluate.budgets import Budget
from sizewright.load.disk_work import disk_rate
from sizewright.output.bill_of_materials import bill_of_materials
from sizewright.quantity import Quantity, as_quantity
from sizewright.rules.rule import LIMITS
from small import governing_cell

# ------------------------------------------------------------------ disks


def _disk_budgets(trial: Trial, subject: str) -> tuple[Budget, ...]:
    if subject == "each disk":
        return tuple(b for b in budgets_of(trial, "disk") if b.used and b.used.high > 0)
    if subject.startswith(("volume ", "work ")):
        _, volume = laid_volume(trial, subject)
        return budgets_of(trial, "disk", names=volume.disks)
    return budgets_of(trial, "disk", names=(subject,))


@extracts("disk utilisation(?:, limit 65 %| by random load)?")
def _disk(trial: Trial, subject: str) -> Any:
    return _disk_budgets(trial, subject)


@extracts(r"disk utilisation of ([\w-]+) in all")
def _disks_in_all(trial: Trial, subject: str, model: str) -> Any:
    """How busy all disks of a volume are together, or how busy one work keeps its own."""
    only = trial.with_disks(model)
    if subject.startswith("work "):
        judged = only.loaded_only_with(work_of(only, subject))
        budgets = tuple(budget for budget in judged.budgets if budget.kind == "disk")
    else:
        budgets = _disk_budgets(only, subject)
    return sum_of(budget.utilisation for budget in budgets if budget.utilisation is not None)


@extracts("load of each disk")
def _load_of_each(trial: Trial, subject: str) -> Any:
    return _disk_budgets(trial, subject)


@extracts("largest random load of volume .*")
def _load_in_all(trial: Trial, subject: str) -> Any:
    return sum_of(b.used for b in _disk_budgets(trial, subject) if b.used is not None)


@extracts("time of one operation on ([\\w-]+)")
def _time_of_one(trial: Trial, subject: str, model: str) -> Any:
    work = work_of(trial, subject)
    row = trial.guide.row("disks", model)
    rate = disk_rate(row, work.pattern, work, trial.guide)
    return rate and (as_quantity(1) / rate.full).to("ms/op")


@extracts(r"operations of [\w-]+ on one ([\w-]+) drive", "bytes delivered by one drive")
def _delivered(trial: Trial, subject: str, model: str = "") -> Any:
    """What one drive delivers at most, op/s, or KB/s where no model is named."""
    volume = name_in(subject)
    (work,) = [w for w in trial.demand.operations if w.volume == volume and w.name == "query-1"]
    rows = trial.guide.table("disks")
    found = []
    for row in rows:
        if row.id == model or (not model and row.flag("orderable")):
            rate = disk_rate(row, work.pattern, work, trial.guide)
            if rate is not None:
                found.append(rate.full if model else rate.full * work.block_kb)
    return tuple(found)


@extracts("table that governs the rate")
def _governing_table(trial: Trial, subject: str) -> Any:
    volume = name_in(subject)
    (work,) = [w for w in trial.demand.operations if w.volume == volume]
    system, laid = laid_volume(trial, subject)
    models = {d.id: d.model for d in system.devices()}
    row = trial.guide.row("disks", models[min(laid.disks)])
    rate = disk_rate(row, work.pattern, work, trial.guide)
    return rate and governing_cell(rate.full).cite.rpartition(", ")[2]


@extracts("number of disks(?: for [\\w-]+)?")
def _number_of_disks(trial: Trial, subject: str) -> Any:
    if subject.startswith("volume "):
        return len(laid_volume(trial, subject)[1].disks)
    if trial.plan.chosen is None:
        raise NothingThereError("there is no plan")
    return sum(d.kind == "disk" for j in trial.judged for d in j.system.devices())


@extracts("volumes (\\w+) and (\\w+) on one disk")
def _on_one_disk(trial: Trial, subject: str, one: str, other: str) -> Any:
    first, second = (laid_volume(trial, f"volume {name}")[1] for name in (one, other))
    return not first.disks.isdisjoint(second.disks)


@extracts("space used", "space of the pair .*")
def _space(trial: Trial, subject: str) -> Any:
    if subject == "each disk":
        return tuple(b for b in budgets_of(trial, "space") if b.used and b.used.high > 0)
    names: Iterable[str] = (subject,)
    if subject.startswith("volume "):
        names = laid_volume(trial, subject)[1].disks
    budgets = budgets_of(trial, "space", names=names)
    return tuple(with_findings(trial, budget) for budget in budgets)


# ------------------------------------------------------------------ channels and busses


@extracts("(?:random|serial) disks by demand")
def _active(trial: Trial, subject: str) -> Any:
    return budget_of(trial, "active", name=subject)


@extracts("share of the string by Rule IX")
def _share_of_string(trial: Trial, subject: str) -> Any:
    return _share_of_limit(budget_of(trial, "active", name=subject))


def _share_of_limit(budget: Budget) -> Any:
    return budget.used and budget.limit and budget.used / budget.limit


@extracts("bus time(?:, limit \\d+ %| while the tape runs| with users)?", "string transfers")
def _bus_time(trial: Trial, subject: str) -> Any:
    return budget_of(trial, "channel", name=subject)


@extracts("bus time, serial reads / 65 % .*")
def _bus_share(trial: Trial, subject: str) -> Any:
    return _share_of_limit(budget_of(trial, "channel", name=subject))


@extracts("bus time of device (\\w+)")
def _bus_time_of(trial: Trial, subject: str, device: str) -> Any:
    budget = budget_of(trial, "channel", name=subject)
    (line,) = [line for line in budget.items if line.name == device]
    return budget.capacity and line.figure / budget.capacity


@extracts("VME bus")
def _bus(trial: Trial, subject: str) -> Any:
    return budget_of(trial, "bus", name="vme")


def _channels_of(trial: Trial, volumes: Iterable[str]) -> list[str]:
    """Return the channels with disks of some volumes."""
    found = []
    for judged in trial.judged:
        disks = {disk for v in judged.system.volumes if v.name in set(volumes) for disk in v.disks}
        for channel in judged.system.channels:
            if disks & {device.id for device in channel.devices}:
                found.append(channel.id)
    return found


@extracts("strings with drives of the volume", "adapters that this work uses, if the plan passes")
def _channels(trial: Trial, subject: str) -> Any:
    return len(_channels_of(trial, (v.name for v in trial.demand.volumes)))


@extracts("bus time of this work on any one SCSI adapter, if the plan passes")
def _bus_times(trial: Trial, subject: str) -> Any:
    names = _channels_of(trial, (v.name for v in trial.demand.volumes))
    return tuple(budget_of(trial, "channel", name=name) for name in names)


@extracts("channels of the two copies")
def _channels_of_copies(trial: Trial, subject: str) -> Any:
    system, volume = laid_volume(trial, subject)
    of = {device.id: channel.id for channel in system.channels for device in channel.devices}
    one, other = ({of[part.disk] for part in copy} for copy in volume.copies)
    return "different" if one.isdisjoint(other) else "shared"


@extracts("drives by demand in all", "disk load of 14 data drives, in drives at their 65 % rate.*")
def _drives_by_demand(trial: Trial, subject: str) -> Any:
    _, volume = laid_volume(trial, subject)
    lines = [line for line in lines_of(trial, "active") if line.name in volume.disks]
    return sum_of(line.figure for line in lines)


# ------------------------------------------------------------------ parts and software


@extracts("platform")
def _platform(trial: Trial, subject: str) -> Any:
    return "none" if trial.plan.chosen is None else shown_system(trial).system.platform


@extracts("parts list")
def _parts(trial: Trial, subject: str) -> Any:
    return repr([judged.system for judged in trial.judged])


def _boards(trial: Trial) -> list[tuple[System, str, str]]:
    return [(j.system, b.id, b.model) for j in trial.judged for b in j.system.boards]


@extracts("board(?:, if .*)?")
def _accelerator_board(trial: Trial, subject: str) -> Any:
    rows = trial.guide.table("nvram-accelerators")
    fitting = {board for row in rows for board in (row.id, row.text("board"))}
    return next((model for _, _, model in _boards(trial) if model in fitting), "none")


@extracts("accelerator")
def _accelerator(trial: Trial, subject: str) -> Any:
    return shown_system(trial).system.accelerator or "none"


@extracts("online-disksuite ordered")
def _disksuite(trial: Trial, subject: str) -> Any:
    return any("online-disksuite" in judged.system.software for judged in trial.judged)


@extracts("SunDBE ordered, of either release")
def _sundbe(trial: Trial, subject: str) -> Any:
    return any("sundbe" in name for judged in trial.judged for name in judged.system.software)


@extracts("ISP-80 controllers")
def _controllers(trial: Trial, subject: str) -> Any:
    return sum(model == "isp-80" for _, _, model in _boards(trial))


@extracts("expansion cabinet ordered")
def _cabinet(trial: Trial, subject: str) -> Any:
    lines = [
        each
        for j in trial.judged
        for each in bill_of_materials(trial.guide, trial.demand, j.system)
    ]
    return any(line.name == "expansion cabinet" for line in lines)


@extracts("network of the Network CoProcessor, if there is one")
def _relieved(trial: Trial, subject: str) -> Any:
    found = {
        port.network for judged in trial.judged for port in judged.system.ports
        if port.interface == "network-coprocessor"
    }  # fmt: skip
    return found.pop() if len(found) == 1 else tuple(sorted(found)) or "busy"


@extracts("second port of the disks in the written server")
def _second_port(trial: Trial, subject: str) -> Any:
    system, volume = laid_volume(trial, f"volume {subject}")
    return all(d.dual_ported is True for d in system.devices() if d.id in volume.disks)


@extracts("networks attached to each system")
def _attached(trial: Trial, subject: str) -> Any:
    return tuple(len({port.network for port in j.system.ports}) for j in trial.judged)


@extracts("SCSI adapters in all, the built-in one included")
def _adapters(trial: Trial, subject: str) -> Any:
    channels = [c for judged in trial.judged for c in judged.system.channels]
    return sum(trial.guide.row("disk-busses", c.kind).text("interface") == "scsi" for c in channels)


@extracts("disks with load on the adapter of the 8mm tape")
def _disks_beside_tape(trial: Trial, subject: str) -> Any:
    loaded = {b.name for b in budgets_of(trial, "disk") if b.used and b.used.high > 0}
    for judged in trial.judged:
        for channel in judged.system.channels:
            if any(device.model == "8mm-helical-scan-tape" for device in channel.devices):
                return sum(device.id in loaded for device in channel.devices)
    return None


# ------------------------------------------------------------------ memory and set-up


@extracts("memory that Rule III advises for the clients")
def _advised_memory(trial: Trial, subject: str) -> Any:
    (rule,) = [rule for rule in trial.engine.rule_set.rules if rule.id == "III"]
    each = rule.parameters["per_client_mb"]
    return each * trial.demand.clients if isinstance(each, Quantity) else None


@extracts("memory installed if the advice is followed")
def _memory(trial: Trial, subject: str) -> Any:
    return shown_system(trial).system.memory_mb


@extracts("memory needed, against .*")
def _memory_needed(trial: Trial, subject: str) -> Any:
    return budget_of(trial, "memory").used


@extracts("active processes")
def _active_processes(trial: Trial, subject: str) -> Any:
    return shown_system(trial).facts.system.active_processes


def _tunable(trial: Trial, name: str) -> Any:
    value = shown_system(trial).system.tunables.get(name)
    return value and value.likely


@extracts("number of nfsd in Set-up")
def _nfsd(trial: Trial, subject: str) -> Any:
    return _tunable(trial, "nfsd")


@extracts("MAXUSERS in Set-up, for a plan with 64 MB")
def _maxusers(trial: Trial, subject: str) -> Any:
    return _tunable(trial, "maxusers")


@extracts(r"backup index space of the (\w+), if .*")
def _index_space(trial: Trial, subject: str, volume: str) -> Any:
    """The part of a volume in what backups of all file systems keep."""
    sizes = {v.name: v.size_mb for v in trial.demand.volumes if v.use == "file_system"}
    indexes = (v.size_mb for v in trial.demand.volumes if v.use == "backup_index")
    return sum_of(indexes) * (sizes[volume] / sum_of(sizes.values()))


# ------------------------------------------------------------------ verdicts


@extracts("Rule ([IVX]+)")
def _rule(trial: Trial, subject: str, rule: str) -> Any:
    found = findings_of(trial, rule, subject)
    return worst(finding.verdict for finding in found) if found else "pass"


@extracts("verdict")
def _verdict(trial: Trial, subject: str) -> Any:
    if subject.startswith("work "):
        found = [f.verdict for f in work_findings(trial, subject) if f.verdict != "not_applicable"]
        return worst(found) if found else "pass"
    plan = trial.plan
    if not plan.holds or (subject == "plan for one system" and plan.group is not None):
        return "fail"
    judged = list(trial.judged)
    said = [b.verdict for each in judged for b in each.budgets]
    said += [f.verdict for each in judged for f in each.findings if f.severity in LIMITS]
    return "borderline" if "tight" in said else "pass"


@extracts("exit code( with --fail-on borderline)?")
def _exit_code(trial: Trial, subject: str, strict: str | None) -> Any:
    options = ("--fail-on", "borderline") if strict else ()
    command = "check" if trial.is_check else "plan"
    return CliRunner().invoke(main, [command, "-", *options], input=trial.text).exit_code
