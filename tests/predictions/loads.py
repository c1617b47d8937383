"""What the program computes of predicted loads: demand, networks, kernel, NFS and pace."""

from __future__ import annotations

from typing import Any

from predictions.comparing import worst
from predictions.entries import Trial
from predictions.lookup import (
    NothingThereError,
    budget_of,
    budgets_of,
    extracts,
    kernel_figure,
    laid_volume,
    lines_of,
    name_in,
    ports_of,
    shown_system,
    sum_of,
    with_findings,
    without_manager,
    work_findings,
    work_of,
)
from sizewright.configuration.model import SYSTEM
from sizewright.demand.rates import LineItem
from sizewright.evaluate.budgets import Budget
from sizewright.evaluate.system import Evaluation
from sizewright.load.disk_work import disk_rate
from sizewright.planner.failover import plan_components, plan_failure
from sizewright.quantity import Quantity, as_quantity, smallest
from sizewright.rules.rule import LIMITS

# ------------------------------------------------------------------ demand


@extracts("demand")
def _demand(trial: Trial, subject: str) -> Any:
    return work_of(trial, subject).ops or 0


@extracts("demand in bytes")
def _demand_in_bytes(trial: Trial, subject: str) -> Any:
    work = work_of(trial, subject)
    return (work.ops or as_quantity(0, "op/s")) * work.block_kb


@extracts("disk load in budgets")
def _disk_load(trial: Trial, subject: str) -> Any:
    """What the disks of its volume are loaded with beyond the demand of all other work."""
    work = work_of(trial, subject)
    others = [
        each.ops for each in trial.demand.operations
        if each.volume == work.volume and each is not work and each.ops is not None
    ]  # fmt: skip
    _, volume = laid_volume(trial, f"volume {work.volume}")
    asked = [
        each.rate for judged in trial.judged for disk in volume.disks
        for each in judged.load.asked.get(disk) or ()
    ]  # fmt: skip
    return sum_of(asked) - sum_of(others)


@extracts("NFS demand")
def _nfs_demand(trial: Trial, subject: str) -> Any:
    demand = trial.demand
    lines = demand.at_peak(tuple(LineItem(s.service, s.ops) for s in demand.streams))
    return sum_of(line.figure for line in lines)


@extracts("NFS demand at the high end")
def _nfs_demand_high(trial: Trial, subject: str) -> Any:
    return _nfs_demand(trial, subject).high


@extracts(r"NFS demand with (\w+)")
def _nfs_demand_with(trial: Trial, subject: str, service: str) -> Any:
    for streams in trial.demand.scenarios():
        if any(stream.service == service for stream in streams):
            return sum_of(stream.ops for stream in streams)
    return None


@extracts("NFS demand in operations of the Legato mix")
def _weighted(trial: Trial, subject: str) -> Any:
    demand = trial.demand
    lines = demand.at_peak(tuple(LineItem(s.service, s.weighted) for s in demand.streams))
    return sum_of(line.figure for line in lines)


@extracts("disk writes before acceleration")
def _writes(trial: Trial, subject: str) -> Any:
    name = name_in(subject)
    return sum_of(
        work.ops for work in trial.demand.operations
        if work.service == name and work.operation != "read" and work.ops is not None
    )  # fmt: skip


@extracts(r"(?:demand|data) on network while (\w+)")
def _data_while(trial: Trial, subject: str, service: str) -> Any:
    name = name_in(subject)
    return sum_of(
        each.kb_per_s for each in trial.demand.traffic
        if each.network == name and each.service == service
    )  # fmt: skip


@extracts("memory of Oracle", "memory of the operating system")
def _memory_line(trial: Trial, subject: str) -> Any:
    if subject == "all":
        return next(line.figure for line in lines_of(trial, "memory") if "system" in line.name)
    name = name_in(subject)
    return sum_of(line.figure for line in trial.demand.memory if line.owner == name)


# ------------------------------------------------------------------ networks


def _wires(trial: Trial, subject: str) -> tuple[Budget, ...]:
    return budgets_of(trial, "data", names=(port.id for _, port in ports_of(trial, subject)))


@extracts("data on network")
def _data(trial: Trial, subject: str) -> Any:
    """The data of all segments; its verdict is the worst of every limit on it."""
    wires = _wires(trial, subject)
    if not wires:
        return None
    ids = {port.id for _, port in ports_of(trial, subject)}
    stack = [
        budget for budget in budgets_of(trial, "stack")
        if ids & {line.name for line in budget.items}
    ]  # fmt: skip
    verdict = worst(budget.verdict for budget in (*wires, *stack))
    words = {"pass": "holds", "borderline": "tight", "fail": "violated"}
    # Systems on one wire each show all that is on it.
    own = [wire for wire in wires if wire.system == wires[0].system and wire.used is not None]
    used = sum_of(wire.used for wire in own if wire.used is not None)
    return wires[0]._replace(used=used, verdict=words.get(verdict, verdict))


@extracts("data on network by demand")
def _data_by_demand(trial: Trial, subject: str) -> Any:
    return _data(trial, subject)


@extracts("data on each segment")
def _segments(trial: Trial, subject: str) -> Any:
    return _wires(trial, subject)


@extracts("data on network, limit with reserve")
def _data_limit(trial: Trial, subject: str) -> Any:
    (wire,) = _wires(trial, subject)
    return wire.recommended or wire.limit


@extracts("data on all FDDI rings of the system.*")
def _stack(trial: Trial, subject: str) -> Any:
    return budget_of(trial, "stack")


@extracts("number of segments")
def _number_of_segments(trial: Trial, subject: str) -> Any:
    return len(ports_of(trial, subject))


@extracts("medium.*")
def _medium(trial: Trial, subject: str) -> Any:
    (medium,) = {
        trial.guide.row("network-interfaces", port.interface).text("medium")
        for _, port in ports_of(trial, subject)
    }
    return medium


@extracts("NFS load of the interface")
def _interface_load(trial: Trial, subject: str) -> Any:
    return budgets_of(trial, "network", names=(port.id for _, port in ports_of(trial, subject)))


@extracts(r"NFS load of network \w+ at the high end")
def _interface_load_high(trial: Trial, subject: str) -> Any:
    used = [each.used for each in _interface_load(trial, subject) if each.used is not None]
    return sum_of(used).high


def _traffic_names(trial: Trial, service: str = "", network: str = "") -> list[str]:
    return [
        f"{each.title}: packets" for each in trial.demand.traffic
        if service in ("", each.service) and network in ("", each.network) and not each.low
    ]  # fmt: skip


@extracts("packets", "packets of the sessions' traffic")
def _packets(trial: Trial, subject: str) -> Any:
    names = _traffic_names(trial, network=name_in(subject))
    return sum_of(kernel_figure(trial, name) for name in names)


@extracts("kernel time of packets, ms/s", "kernel time of the sessions' packets, ms/s")
def _packet_time(trial: Trial, subject: str) -> Any:
    names = _traffic_names(trial, service="" if subject == "all" else name_in(subject))
    lines = [line for line in lines_of(trial, "kernel_lock") if line.name in names]
    return sum_of(line.figure for line in lines)


@extracts("data of the sessions' traffic on network", r"data of the \w+ on the networks, in all")
def _data_of_service(trial: Trial, subject: str) -> Any:
    if subject.startswith("service "):
        name = name_in(subject)
        return sum_of(line.figure for line in lines_of(trial, "data") if name in line.owner)
    network = name_in(subject)
    return sum_of(each.kb_per_s for each in trial.demand.traffic if each.network == network)


# ------------------------------------------------------------------ kernel and processors


@extracts("kernel lock", r"kernel (?:lock|time), ms/s(?:, demand|, on ([\w-]+))?")
def _kernel_lock(trial: Trial, subject: str, disk: str | None = None) -> Any:
    if disk:
        trial = trial.with_disks(disk)
    if subject == "all":
        return with_findings(trial, budget_of(trial, "kernel_lock"))
    if subject.startswith("work "):
        return kernel_figure(trial, f"{work_of(trial, subject).title}: time")
    name = name_in(subject)
    return sum_of(line.figure for line in lines_of(trial, "kernel_lock") if line.owner == name)


@extracts(
    "kernel time of (?:the|its) disk operations"
    r"(?: on one system| on SCSI)?(?:, on (.*)|, before any volume manager)?(?:, ms/s)?"
)
def _operations_time(trial: Trial, subject: str, disks: str | None) -> Any:
    if disks:
        trial = trial.with_disks(*disks.split(" or "))
    if subject == "all":
        titles = [work.title for work in trial.demand.operations if work.ops is not None]
    else:
        titles = [work_of(trial, subject).title]
    return sum_of(without_manager(kernel_figure(trial, f"{title}: time")) for title in titles)


def _nfs_alone(trial: Trial, judged: Evaluation, service: str = "") -> Quantity:
    """Return the time of NFS without what interfaces spare: of two readings the one without."""
    names = {stream.service for stream in trial.demand.streams if service in ("", stream.service)}
    times = []
    for line in judged.load.kernel_lock or ():
        if set(line.name.split(" or ")) <= names:
            figure = line.figure
            times.append(figure.args[0] if figure.op == "readings" else figure)
    return sum_of(times)


@extracts("kernel time of NFS alone, ms/s", "kernel time of NFS alone on a 690MP, ms/s")
def _nfs_time(trial: Trial, subject: str) -> Any:
    name = "" if subject == "all" else name_in(subject)
    return sum_of(
        _nfs_alone(trial, judged, name) for judged in trial.judged
        if any(name in ("", line.owner) for line in judged.load.nfs or ())
    )  # fmt: skip


@extracts("kernel time of NFS alone on a SPARCstation-2 at the high end, ms/s")
def _nfs_time_high(trial: Trial, subject: str) -> Any:
    return _nfs_time(trial, subject).high


@extracts("processor utilisation")
def _processors(trial: Trial, subject: str) -> Any:
    return with_findings(trial, budget_of(trial, "processors"))


@extracts("processors busy")
def _processors_busy(trial: Trial, subject: str) -> Any:
    used = budget_of(trial, "processors").used
    return used and used.to("1")


@extracts("user processors busy", "user processors of each system")
def _user_processors(trial: Trial, subject: str) -> Any:
    found = []
    for each in trial.plan.plans:
        busy = [(u.service, u.processors) for u in each.demand.user if u.processors is not None]
        lines = each.demand.at_peak(tuple(LineItem(*one) for one in busy))
        found.append(sum_of(line.figure for line in lines))
    return tuple(found)


@extracts("stretch of time")
def _stretch(trial: Trial, subject: str) -> Any:
    return shown_system(trial).facts.system.processor_stretch


@extracts("number of processors")
def _number_of_processors(trial: Trial, subject: str) -> Any:
    return shown_system(trial).system.processors


# ------------------------------------------------------------------ NFS load


@extracts(r"NFS load(?: on a SPARCstation-2)?")
def _nfs_load(trial: Trial, subject: str) -> Any:
    """The worst of what machine and interfaces say of the operations."""
    rules = {
        rule.id for rule in trial.engine.rule_set.rules
        if rule.severity in LIMITS and any(
            name in ("nfs_ops_per_s", "nfs_weighted_ops_per_s") for _, name in rule.reads
        )
    }  # fmt: skip
    said = [
        finding.verdict for judged in trial.judged for finding in judged.findings
        if finding.rule in rules and finding.verdict != "not_applicable"
    ]  # fmt: skip
    return worst((*said, *(budget.verdict for budget in budgets_of(trial, "nfs"))))


@extracts("sustained NFS load of the machine")
def _sustained(trial: Trial, subject: str) -> Any:
    """The least that rules bound the operations by, of the whole system."""
    judged = shown_system(trial)
    facts = judged.facts.system
    (share,) = [
        share for rule in trial.engine.rule_set.rules for share in rule.parameters.values()
        if (SYSTEM, "interfaces_ops_per_s") in rule.reads and isinstance(share, Quantity)
    ]  # fmt: skip
    interfaces = facts.interfaces_ops_per_s
    limits = [facts.nfs_sustained_ops_per_s, interfaces and interfaces * share]
    return smallest(*(each for each in limits if each))


@extracts(r"NFS load, limit with reserve, on a SPARCstation-2")
def _nfs_limit(trial: Trial, subject: str) -> Any:
    for rejected in trial.plan.rejected:
        if rejected.platform == "sparcstation-2" and rejected.judgement is not None:
            return next(b.limit for b in rejected.judgement.budgets if b.kind == "nfs")
    return None


def _survivors(trial: Trial) -> tuple[Evaluation, ...]:
    """Return what is left of a pair after either system fails.

    Where no pair is found, the nearest system is shown with all that one of them would have to do.
    """
    plan, rule_set = trial.plan, trial.engine.judging("plan")
    if not plan.holds:
        return trial.judged
    systems = [name for name, kind in plan_components(plan).items() if kind == "system"]
    return tuple(plan_failure(plan, name, rule_set).after for name in systems)


@extracts("NFS load of the system that is left")
def _nfs_left(trial: Trial, subject: str) -> Any:
    return tuple(
        budget for judged in _survivors(trial) for budget in judged.budgets
        if budget.kind == "nfs"
    )  # fmt: skip


@extracts("kernel time of NFS alone on the system that is left, ms/s")
def _nfs_time_left(trial: Trial, subject: str) -> Any:
    return tuple(_nfs_alone(trial, judged) for judged in _survivors(trial))


@extracts("NFS load of each system")
def _nfs_of_each(trial: Trial, subject: str) -> Any:
    return budgets_of(trial, "nfs")


# ------------------------------------------------------------------ pace


def _pace(trial: Trial, subject: str) -> Any:
    work = work_of(trial, subject)
    for judged in trial.judged:
        for load in judged.load.works:
            if load.operations.title == work.title and getattr(load, "pace", None):
                return load.pace
    raise NothingThereError("no pace")


@extracts("pace", "pace on the same drives.*")
def _rate(trial: Trial, subject: str) -> Any:
    return _pace(trial, subject).rate


@extracts(r"pace (?:of [\w-]+ )?on (one|two) ([\w-]+) drives?")
def _rate_on(trial: Trial, subject: str, number: str, model: str) -> Any:
    work = work_of(trial, subject)
    disks = {model: 1 if number == "one" else 2}
    judged = trial.on_strings(laid_volume(trial, subject)[0], disks, 1, work.volume)
    return next(
        each.pace.rate for each in judged.load.works
        if each.operations.title == work.title and each.pace
    )  # fmt: skip


@extracts("pace, (low|high) end, op/s")
def _rate_at(trial: Trial, subject: str, end: str) -> Any:
    return _pace(trial, subject).rate.at(end)


@extracts("pace of second over pace of first")
def _rates(trial: Trial, subject: str) -> Any:
    first, second = (_pace(trial, f"work {name}").rate for name in ("first", "second"))
    return second.likely / first.likely


@extracts("run time")
def _run(trial: Trial, subject: str) -> Any:
    return _pace(trial, subject).run_s


@extracts("run time, (slow|fast) end")
def _run_at(trial: Trial, subject: str, end: str) -> Any:
    run = _pace(trial, subject).run_s
    return run and run.at("high" if end == "slow" else "low")


@extracts(r"run time within \d+ s")
def _deadline(trial: Trial, subject: str) -> Any:
    found = [f.verdict for f in work_findings(trial, subject) if f.verdict != "not_applicable"]
    return worst(found)


@extracts("limiting station(?: at the (?:slow|fast) end)?")
def _station(trial: Trial, subject: str) -> Any:
    station = _pace(trial, subject).station
    words = {
        "active disks": "active disks on the strings",
        "network": f"network {work_of(trial, subject).network}",
        "kernel lock": "kernel lock or processor",
        "processors": "kernel lock or processor",
    }
    return words.get(station, station)


@extracts("channel active disks")
def _active_strings(trial: Trial, subject: str) -> Any:
    """As many disks as go at the pace together, each as fast as one does at either end."""
    (work,) = trial.demand.operations
    system, volume = laid_volume(trial, f"work {work.name}")
    (model,) = {device.model for device in system.devices() if device.id in volume.disks}
    row = trial.guide.row("disks", model)
    one = disk_rate(row, work.pattern, work, trial.guide)
    rate = _pace(trial, f"work {work.name}").rate
    return one and (round(rate.low / one.sustained.low, 6), round(rate.high / one.full.high, 6))
