"""What the program computes of each quantity that predictions name: patterns and what they mean."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from click.testing import CliRunner

from predictions.comparing import worst
from predictions.entries import Trial
from sizewright.budgets.model import Budget
from sizewright.cli.main import main
from sizewright.configuration.model import Port, System, Volume
from sizewright.demand.model import Item, Operations
from sizewright.facts.given import SYSTEM
from sizewright.figure import Figure, as_figure, smallest, total
from sizewright.load.disk_rates import disk_rate
from sizewright.planner.failing import plan_components, plan_failure
from sizewright.planner.judge import Judgement
from sizewright.report.order import order
from sizewright.rules.model import LIMITS, Finding

Words = tuple[str, ...]
Extractor = Callable[..., Any]
_TABLE: list[tuple[re.Pattern[str], Extractor]] = []


class NothingThereError(LookupError):
    """The plan or check has nothing of the kind that was predicted."""


def value_of(trial: Trial, quantity: str, subject: str) -> Any:
    """Return what the program computes: a figure, a budget, a word, or a tuple of them.

    Raises NothingThereError.
    """
    for pattern, extractor in _TABLE:
        match = pattern.fullmatch(quantity)
        if match:
            found = extractor(trial, subject, *match.groups())
            if found is None or found == ():
                raise NothingThereError("nothing is there")
            return found
    raise NothingThereError("this quantity has no meaning in the program")


def _is(*patterns: str) -> Callable[[Extractor], Extractor]:
    def put(extractor: Extractor) -> Extractor:
        _TABLE.extend((re.compile(pattern), extractor) for pattern in patterns)
        return extractor

    return put


# ------------------------------------------------------------------ parts of a trial


def _one(trial: Trial) -> Judgement:
    if not trial.judged:
        raise NothingThereError("no system is shown")
    return trial.judged[0]


def _named(subject: str) -> str:
    """Return the name in a subject: `work query-1`, `volume rows`, `network office`, or `esp0`."""
    return subject.split()[-1]


def _budgets(trial: Trial, *kinds: str, names: Iterable[str] | None = None) -> tuple[Budget, ...]:
    wanted = None if names is None else set(names)
    return tuple(
        budget for judged in trial.judged for budget in judged.budgets
        if budget.kind in kinds and (wanted is None or budget.name in wanted)
    )  # fmt: skip


def _budget(trial: Trial, *kinds: str, name: str = "") -> Budget:
    found = _budgets(trial, *kinds, names=(name,))
    if not found:
        raise NothingThereError(f"no budget of {' or '.join(kinds)} {name}")
    return found[0]


def _lines(trial: Trial, kind: str) -> Iterator[Item]:
    for budget in _budgets(trial, kind):
        yield from budget.items


def _work(trial: Trial, subject: str) -> Operations:
    name = _named(subject)
    return next(work for work in trial.demand.operations if work.name == name)


def _volume_name(trial: Trial, subject: str) -> str:
    return _work(trial, subject).volume if subject.startswith("work ") else _named(subject)


def _laid(trial: Trial, subject: str) -> tuple[System, Volume]:
    name = _volume_name(trial, subject)
    for judged in trial.judged:
        for volume in judged.system.volumes:
            if volume.name == name:
                return judged.system, volume
    raise NothingThereError(f"volume {name} is on no disk")


def _ports(trial: Trial, subject: str) -> tuple[tuple[System, Port], ...]:
    name = _named(subject)
    return tuple(
        (judged.system, port) for judged in trial.judged for port in judged.system.ports
        if port.network == name
    )  # fmt: skip


def _findings(trial: Trial, rule: str, subject: str = "") -> tuple[Finding, ...]:
    return tuple(
        finding for judged in trial.judged for finding in judged.findings
        if finding.rule == rule and subject in ("", "plan", "all", finding.subject.split("/")[-1])
        and finding.verdict != "not_applicable"
    )  # fmt: skip


def _sum(figures: Iterable[Figure]) -> Figure:
    parts = tuple(figures)
    if not parts:
        raise NothingThereError("no line of the kind")
    return total(parts, parts[0].unit)


def _within(figure: Figure, name: str) -> Figure | None:
    """Return the figure of a name in the tree of another."""
    todo = [figure]
    while todo:
        each = todo.pop()
        if each.name == name:
            return each
        todo.extend(each.args)
    return None


def _processor_ms(trial: Trial, name: str) -> Figure:
    """Return the figure of a name among the lines of kernel time, in ms/s."""
    for judged in trial.judged:
        for line in judged.load.kernel_lock or ():
            found = _within(line.figure, name)
            if found is not None:
                return found
    raise NothingThereError(f"no line '{name}'")


def _without_manager(time: Figure) -> Figure:
    """Return the time of operations without the share that a volume manager adds to it."""
    while time.op == "is":
        (time,) = time.args
    if time.op == "*" and time.args[1].op == "+" and time.args[1].unit == "1":
        return time.args[0]
    return time


# ------------------------------------------------------------------ demand


@_is("demand")
def _demand(trial: Trial, subject: str) -> Any:
    return _work(trial, subject).ops or 0


@_is("demand in bytes")
def _demand_in_bytes(trial: Trial, subject: str) -> Any:
    work = _work(trial, subject)
    return (work.ops or as_figure(0, "op/s")) * work.block_kb


@_is("disk load in budgets")
def _disk_load(trial: Trial, subject: str) -> Any:
    """What the disks of its volume are loaded with beyond the demand of all other work."""
    work = _work(trial, subject)
    others = [
        each.ops for each in trial.demand.operations
        if each.volume == work.volume and each is not work and each.ops is not None
    ]  # fmt: skip
    _, volume = _laid(trial, f"volume {work.volume}")
    asked = [
        each.rate for judged in trial.judged for disk in volume.disks
        for each in judged.load.asked.get(disk) or ()
    ]  # fmt: skip
    return _sum(asked) - _sum(others)


@_is("NFS demand")
def _nfs_demand(trial: Trial, subject: str) -> Any:
    demand = trial.demand
    lines = demand.at_worst(tuple(Item(s.service, s.ops) for s in demand.streams))
    return _sum(line.figure for line in lines)


@_is("NFS demand at the high end")
def _nfs_demand_high(trial: Trial, subject: str) -> Any:
    return _nfs_demand(trial, subject).high


@_is(r"NFS demand with (\w+)")
def _nfs_demand_with(trial: Trial, subject: str, service: str) -> Any:
    for streams in trial.demand.moments():
        if any(stream.service == service for stream in streams):
            return _sum(stream.ops for stream in streams)
    return None


@_is("NFS demand in operations of the Legato mix")
def _weighted(trial: Trial, subject: str) -> Any:
    demand = trial.demand
    lines = demand.at_worst(tuple(Item(s.service, s.weighted) for s in demand.streams))
    return _sum(line.figure for line in lines)


@_is("disk writes before acceleration")
def _writes(trial: Trial, subject: str) -> Any:
    name = _named(subject)
    return _sum(
        work.ops for work in trial.demand.operations
        if work.service == name and work.operation != "read" and work.ops is not None
    )  # fmt: skip


@_is(r"(?:demand|data) on network while (\w+)")
def _data_while(trial: Trial, subject: str, service: str) -> Any:
    name = _named(subject)
    return _sum(
        each.kb_per_s for each in trial.demand.traffic
        if each.network == name and each.service == service
    )  # fmt: skip


@_is("memory of Oracle", "memory of the operating system")
def _memory_line(trial: Trial, subject: str) -> Any:
    if subject == "all":
        return next(line.figure for line in _lines(trial, "memory") if "system" in line.name)
    name = _named(subject)
    return _sum(line.figure for line in trial.demand.memory if line.asker == name)


# ------------------------------------------------------------------ networks


def _wires(trial: Trial, subject: str) -> tuple[Budget, ...]:
    return _budgets(trial, "data", names=(port.id for _, port in _ports(trial, subject)))


@_is("data on network")
def _data(trial: Trial, subject: str) -> Any:
    """The data of all segments; its verdict is the worst of every limit on it."""
    wires = _wires(trial, subject)
    if not wires:
        return None
    ids = {port.id for _, port in _ports(trial, subject)}
    stack = [
        budget for budget in _budgets(trial, "stack")
        if ids & {line.name for line in budget.items}
    ]  # fmt: skip
    verdict = worst(budget.verdict for budget in (*wires, *stack))
    words = {"pass": "holds", "borderline": "tight", "fail": "violated"}
    # Systems on one wire each show all that is on it.
    own = [wire for wire in wires if wire.system == wires[0].system and wire.used is not None]
    used = _sum(wire.used for wire in own if wire.used is not None)
    return wires[0]._replace(used=used, verdict=words.get(verdict, verdict))


@_is("data on network by demand")
def _data_by_demand(trial: Trial, subject: str) -> Any:
    return _data(trial, subject)


@_is("data on each segment")
def _segments(trial: Trial, subject: str) -> Any:
    return _wires(trial, subject)


@_is("data on network, limit with reserve")
def _data_limit(trial: Trial, subject: str) -> Any:
    (wire,) = _wires(trial, subject)
    return wire.recommended or wire.limit


@_is("data on all FDDI rings of the system.*")
def _stack(trial: Trial, subject: str) -> Any:
    return _budget(trial, "stack")


@_is("number of segments")
def _number_of_segments(trial: Trial, subject: str) -> Any:
    return len(_ports(trial, subject))


@_is("medium.*")
def _medium(trial: Trial, subject: str) -> Any:
    (medium,) = {
        trial.guide.row("network-interfaces", port.interface).text("medium")
        for _, port in _ports(trial, subject)
    }
    return medium


@_is("NFS load of the interface")
def _interface_load(trial: Trial, subject: str) -> Any:
    return _budgets(trial, "network", names=(port.id for _, port in _ports(trial, subject)))


@_is(r"NFS load of network \w+ at the high end")
def _interface_load_high(trial: Trial, subject: str) -> Any:
    used = [each.used for each in _interface_load(trial, subject) if each.used is not None]
    return _sum(used).high


def _traffic_names(trial: Trial, service: str = "", network: str = "") -> list[str]:
    return [
        f"{each.title}: packets" for each in trial.demand.traffic
        if service in ("", each.service) and network in ("", each.network) and not each.low
    ]  # fmt: skip


@_is("packets", "packets of the sessions' traffic")
def _packets(trial: Trial, subject: str) -> Any:
    names = _traffic_names(trial, network=_named(subject))
    return _sum(_processor_ms(trial, name) for name in names)


@_is("kernel time of packets, ms/s", "kernel time of the sessions' packets, ms/s")
def _packet_time(trial: Trial, subject: str) -> Any:
    names = _traffic_names(trial, service="" if subject == "all" else _named(subject))
    lines = [line for line in _lines(trial, "kernel_lock") if line.name in names]
    return _sum(line.figure for line in lines)


@_is("data of the sessions' traffic on network", r"data of the \w+ on the networks, in all")
def _data_of_service(trial: Trial, subject: str) -> Any:
    if subject.startswith("service "):
        name = _named(subject)
        return _sum(line.figure for line in _lines(trial, "data") if name in line.asker)
    network = _named(subject)
    return _sum(each.kb_per_s for each in trial.demand.traffic if each.network == network)


# ------------------------------------------------------------------ kernel and processors


@_is("kernel lock", r"kernel (?:lock|time), ms/s(?:, demand|, on ([\w-]+))?")
def _kernel_lock(trial: Trial, subject: str, disk: str | None = None) -> Any:
    if disk:
        trial = trial.with_disks(disk)
    if subject == "all":
        return _with_findings(trial, _budget(trial, "kernel_lock"))
    if subject.startswith("work "):
        return _processor_ms(trial, f"{_work(trial, subject).title}: time")
    name = _named(subject)
    return _sum(line.figure for line in _lines(trial, "kernel_lock") if line.asker == name)


@_is(
    "kernel time of (?:the|its) disk operations"
    r"(?: on one system| on SCSI)?(?:, on (.*)|, before any volume manager)?(?:, ms/s)?"
)
def _operations_time(trial: Trial, subject: str, disks: str | None) -> Any:
    if disks:
        trial = trial.with_disks(*disks.split(" or "))
    if subject == "all":
        titles = [work.title for work in trial.demand.operations if work.ops is not None]
    else:
        titles = [_work(trial, subject).title]
    return _sum(_without_manager(_processor_ms(trial, f"{title}: time")) for title in titles)


def _nfs_alone(trial: Trial, judged: Judgement, service: str = "") -> Figure:
    """Return the time of NFS without what interfaces spare: of two readings the one without."""
    names = {stream.service for stream in trial.demand.streams if service in ("", stream.service)}
    times = []
    for line in judged.load.kernel_lock or ():
        if set(line.name.split(" or ")) <= names:
            figure = line.figure
            times.append(figure.args[0] if figure.op == "readings" else figure)
    return _sum(times)


@_is("kernel time of NFS alone, ms/s", "kernel time of NFS alone on a 690MP, ms/s")
def _nfs_time(trial: Trial, subject: str) -> Any:
    name = "" if subject == "all" else _named(subject)
    return _sum(
        _nfs_alone(trial, judged, name) for judged in trial.judged
        if any(name in ("", line.asker) for line in judged.load.nfs or ())
    )  # fmt: skip


@_is("kernel time of NFS alone on a SPARCstation-2 at the high end, ms/s")
def _nfs_time_high(trial: Trial, subject: str) -> Any:
    return _nfs_time(trial, subject).high


@_is("processor utilisation")
def _processors(trial: Trial, subject: str) -> Any:
    return _with_findings(trial, _budget(trial, "processors"))


@_is("processors busy")
def _processors_busy(trial: Trial, subject: str) -> Any:
    used = _budget(trial, "processors").used
    return used and used.to("1")


@_is("user processors busy", "user processors of each system")
def _user_processors(trial: Trial, subject: str) -> Any:
    found = []
    for each in trial.plan.plans:
        busy = [(u.service, u.processors) for u in each.demand.user if u.processors is not None]
        lines = each.demand.at_worst(tuple(Item(*one) for one in busy))
        found.append(_sum(line.figure for line in lines))
    return tuple(found)


@_is("stretch of time")
def _stretch(trial: Trial, subject: str) -> Any:
    return _one(trial).facts.system.processor_stretch


@_is("number of processors")
def _number_of_processors(trial: Trial, subject: str) -> Any:
    return _one(trial).system.processors


# ------------------------------------------------------------------ NFS load


@_is(r"NFS load(?: on a SPARCstation-2)?")
def _nfs_load(trial: Trial, subject: str) -> Any:
    """The worst of what machine and interfaces say of the operations."""
    rules = {
        rule.id for rule in trial.engine.book.rules
        if rule.severity in LIMITS and any(
            name in ("nfs_ops_per_s", "nfs_weighted_ops_per_s") for _, name in rule.reads
        )
    }  # fmt: skip
    said = [
        finding.verdict for judged in trial.judged for finding in judged.findings
        if finding.rule in rules and finding.verdict != "not_applicable"
    ]  # fmt: skip
    return worst((*said, *(budget.verdict for budget in _budgets(trial, "nfs"))))


@_is("sustained NFS load of the machine")
def _sustained(trial: Trial, subject: str) -> Any:
    """The least that rules bound the operations by, of the whole system."""
    judged = _one(trial)
    facts = judged.facts.system
    (share,) = [
        share for rule in trial.engine.book.rules for share in rule.parameters.values()
        if (SYSTEM, "interfaces_ops_per_s") in rule.reads and isinstance(share, Figure)
    ]  # fmt: skip
    interfaces = facts.interfaces_ops_per_s
    limits = [facts.nfs_sustained_ops_per_s, interfaces and interfaces * share]
    return smallest(*(each for each in limits if each))


@_is(r"NFS load, limit with reserve, on a SPARCstation-2")
def _nfs_limit(trial: Trial, subject: str) -> Any:
    for rejected in trial.plan.rejected:
        if rejected.platform == "sparcstation-2" and rejected.judgement is not None:
            return next(b.limit for b in rejected.judgement.budgets if b.kind == "nfs")
    return None


def _survivors(trial: Trial) -> tuple[Judgement, ...]:
    """Return what is left of a pair after either system fails."""
    plan, book = trial.plan, trial.engine.judging("plan")
    systems = [name for name, kind in plan_components(plan).items() if kind == "system"]
    return tuple(plan_failure(plan, name, book).after for name in systems)


@_is("NFS load of the system that is left")
def _nfs_left(trial: Trial, subject: str) -> Any:
    return tuple(
        budget for judged in _survivors(trial) for budget in judged.budgets
        if budget.kind == "nfs"
    )  # fmt: skip


@_is("kernel time of NFS alone on the system that is left, ms/s")
def _nfs_time_left(trial: Trial, subject: str) -> Any:
    return tuple(_nfs_alone(trial, judged) for judged in _survivors(trial))


@_is("NFS load of each system")
def _nfs_of_each(trial: Trial, subject: str) -> Any:
    return _budgets(trial, "nfs")


# ------------------------------------------------------------------ pace


def _pace(trial: Trial, subject: str) -> Any:
    work = _work(trial, subject)
    for judged in trial.judged:
        for load in judged.load.works:
            if load.operations.title == work.title and getattr(load, "pace", None):
                return load.pace
    raise NothingThereError("no pace")


@_is("pace", "pace on the same drives.*")
def _rate(trial: Trial, subject: str) -> Any:
    return _pace(trial, subject).rate


@_is(r"pace (?:of [\w-]+ )?on (one|two) ([\w-]+) drives?")
def _rate_on(trial: Trial, subject: str, number: str, model: str) -> Any:
    work = _work(trial, subject)
    disks = {model: 1 if number == "one" else 2}
    judged = trial.on_strings(_laid(trial, subject)[0], disks, 1, work.volume)
    return next(
        each.pace.rate for each in judged.load.works
        if each.operations.title == work.title and each.pace
    )  # fmt: skip


@_is("pace, (low|high) end, op/s")
def _rate_at(trial: Trial, subject: str, end: str) -> Any:
    return _pace(trial, subject).rate.at(end)


@_is("pace of second over pace of first")
def _rates(trial: Trial, subject: str) -> Any:
    first, second = (_pace(trial, f"work {name}").rate for name in ("first", "second"))
    return second.likely / first.likely


@_is("run time")
def _run(trial: Trial, subject: str) -> Any:
    return _pace(trial, subject).run_s


@_is("run time, (slow|fast) end")
def _run_at(trial: Trial, subject: str, end: str) -> Any:
    run = _pace(trial, subject).run_s
    return run and run.at("high" if end == "slow" else "low")


def _work_findings(trial: Trial, subject: str) -> tuple[Finding, ...]:
    work = _work(trial, subject)
    rules = {rule.id for rule in trial.engine.book.rules if rule.subject == "work"}
    return tuple(
        finding for judged in trial.judged for finding in judged.findings
        if finding.rule in rules and finding.severity in LIMITS
        and finding.subject.endswith(f"{work.service}/{work.name}")
    )  # fmt: skip


@_is(r"run time within \d+ s")
def _deadline(trial: Trial, subject: str) -> Any:
    found = [f.verdict for f in _work_findings(trial, subject) if f.verdict != "not_applicable"]
    return worst(found)


@_is("limiting station(?: at the (?:slow|fast) end)?")
def _station(trial: Trial, subject: str) -> Any:
    station = _pace(trial, subject).station
    words = {
        "active disks": "active disks on the strings",
        "network": f"network {_work(trial, subject).network}",
        "kernel lock": "kernel lock or processor",
        "processors": "kernel lock or processor",
    }
    return words.get(station, station)


@_is("channel active disks")
def _active_strings(trial: Trial, subject: str) -> Any:
    """As many disks as go at the pace together, each as fast as one does at either end."""
    (work,) = trial.demand.operations
    system, volume = _laid(trial, f"work {work.name}")
    (model,) = {device.model for device in system.devices() if device.id in volume.disks}
    row = trial.guide.row("disks", model)
    one = disk_rate(row, work.pattern, work.layer, work.operation, work.block_kb, trial.guide)
    rate = _pace(trial, f"work {work.name}").rate
    return one and (round(rate.low / one.sustained.low, 6), round(rate.high / one.full.high, 6))


# ------------------------------------------------------------------ disks


def _disk_budgets(trial: Trial, subject: str) -> tuple[Budget, ...]:
    if subject == "each disk":
        return tuple(b for b in _budgets(trial, "disk") if b.used and b.used.high > 0)
    if subject.startswith(("volume ", "work ")):
        _, volume = _laid(trial, subject)
        return _budgets(trial, "disk", names=volume.disks)
    return _budgets(trial, "disk", names=(subject,))


@_is("disk utilisation(?:, limit 65 %| by random load)?")
def _disk(trial: Trial, subject: str) -> Any:
    return _disk_budgets(trial, subject)


@_is(r"disk utilisation of ([\w-]+) in all")
def _disks_in_all(trial: Trial, subject: str, model: str) -> Any:
    only = trial.with_disks(model)
    budgets = _disk_budgets(only, subject)
    return _sum(budget.utilisation for budget in budgets if budget.utilisation is not None)


@_is("load of each disk")
def _load_of_each(trial: Trial, subject: str) -> Any:
    return _disk_budgets(trial, subject)


@_is("largest random load of volume .*")
def _load_in_all(trial: Trial, subject: str) -> Any:
    return _sum(b.used for b in _disk_budgets(trial, subject) if b.used is not None)


@_is("time of one operation on ([\\w-]+)")
def _time_of_one(trial: Trial, subject: str, model: str) -> Any:
    work = _work(trial, subject)
    row = trial.guide.row("disks", model)
    rate = disk_rate(row, work.pattern, work.layer, work.operation, work.block_kb, trial.guide)
    return rate and (as_figure(1) / rate.full).to("ms/op")


@_is(r"operations of [\w-]+ on one ([\w-]+) drive", "bytes delivered by one drive")
def _delivered(trial: Trial, subject: str, model: str = "") -> Any:
    """What one drive delivers at most, op/s, or KB/s where no model is named."""
    volume = _named(subject)
    (work,) = [w for w in trial.demand.operations if w.volume == volume and w.name == "query-1"]
    rows = trial.guide.table("disks")
    found = []
    for row in rows:
        if row.id == model or (not model and row.flag("orderable")):
            rate = disk_rate(
                row, work.pattern, work.layer, work.operation, work.block_kb, trial.guide
            )
            if rate is not None:
                found.append(rate.full if model else rate.full * work.block_kb)
    return tuple(found)


@_is("table that governs the rate")
def _governing_table(trial: Trial, subject: str) -> Any:
    volume = _named(subject)
    (work,) = [w for w in trial.demand.operations if w.volume == volume]
    system, laid = _laid(trial, subject)
    models = {d.id: d.model for d in system.devices()}
    row = trial.guide.row("disks", models[min(laid.disks)])
    rate = disk_rate(row, work.pattern, work.layer, work.operation, work.block_kb, trial.guide)
    return rate and rate.basis.mark.cite.rpartition(", ")[2]


@_is("number of disks(?: for [\\w-]+)?")
def _number_of_disks(trial: Trial, subject: str) -> Any:
    if subject.startswith("volume "):
        return len(_laid(trial, subject)[1].disks)
    if trial.plan.chosen is None:
        raise NothingThereError("there is no plan")
    return sum(d.kind == "disk" for j in trial.judged for d in j.system.devices())


@_is("volumes (\\w+) and (\\w+) on one disk")
def _on_one_disk(trial: Trial, subject: str, one: str, other: str) -> Any:
    first, second = (_laid(trial, f"volume {name}")[1] for name in (one, other))
    return not first.disks.isdisjoint(second.disks)


@_is("space used", "space of the pair .*")
def _space(trial: Trial, subject: str) -> Any:
    if subject == "each disk":
        return tuple(b for b in _budgets(trial, "space") if b.used and b.used.high > 0)
    names: Iterable[str] = (subject,)
    if subject.startswith("volume "):
        names = _laid(trial, subject)[1].disks
    budgets = _budgets(trial, "space", names=names)
    return tuple(_with_findings(trial, budget) for budget in budgets)


# What rules read of a resource beside the budget's own limits.
_READ = {
    "kernel_lock": {"kernel_lock_share"},
    "processors": {"processor_share"},
    "space": {"file_system_share"},
}


def _with_findings(trial: Trial, budget: Budget) -> Budget:
    """Return a budget with the worst verdict of it and of the rules that limit what it is for."""
    rules = {
        rule.id for rule in trial.engine.book.rules
        if rule.severity in LIMITS and {name for _, name in rule.reads} & _READ[budget.kind]
    }  # fmt: skip
    said = [
        finding.verdict for judged in trial.judged for finding in judged.findings
        if finding.rule in rules and finding.verdict not in ("not_applicable", "unknown")
        and finding.subject.split("/")[-1] in (budget.name, budget.system)
    ]  # fmt: skip
    verdict = worst((budget.verdict, *said))
    words = {"pass": "holds", "borderline": "tight", "fail": "violated"}
    return budget._replace(verdict=words.get(verdict, verdict))


# ------------------------------------------------------------------ channels and busses


@_is("(?:random|serial) disks by demand")
def _active(trial: Trial, subject: str) -> Any:
    return _budget(trial, "active", name=subject)


@_is("share of the string by Rule IX")
def _share_of_string(trial: Trial, subject: str) -> Any:
    return _budget(trial, "active", name=subject).utilisation


@_is("bus time(?:, limit \\d+ %| while the tape runs| with users)?", "string transfers")
def _bus_time(trial: Trial, subject: str) -> Any:
    return _budget(trial, "channel", name=subject)


@_is("bus time, serial reads / 65 % .*")
def _bus_share(trial: Trial, subject: str) -> Any:
    budget = _budget(trial, "channel", name=subject)
    return budget.used and budget.limit and budget.used / budget.limit


@_is("bus time of device (\\w+)")
def _bus_time_of(trial: Trial, subject: str, device: str) -> Any:
    budget = _budget(trial, "channel", name=subject)
    (line,) = [line for line in budget.items if line.name == device]
    return budget.capacity and line.figure / budget.capacity


@_is("VME bus")
def _bus(trial: Trial, subject: str) -> Any:
    return _budget(trial, "bus", name="vme")


def _channels_of(trial: Trial, volumes: Iterable[str]) -> list[str]:
    """Return the channels with disks of some volumes."""
    found = []
    for judged in trial.judged:
        disks = {disk for v in judged.system.volumes if v.name in set(volumes) for disk in v.disks}
        for channel in judged.system.channels:
            if disks & {device.id for device in channel.devices}:
                found.append(channel.id)
    return found


@_is("strings with drives of the volume", "adapters that this work uses, if the plan passes")
def _channels(trial: Trial, subject: str) -> Any:
    return len(_channels_of(trial, (v.name for v in trial.demand.volumes)))


@_is("bus time of this work on any one SCSI adapter, if the plan passes")
def _bus_times(trial: Trial, subject: str) -> Any:
    names = _channels_of(trial, (v.name for v in trial.demand.volumes))
    return tuple(_budget(trial, "channel", name=name) for name in names)


@_is("channels of the two copies")
def _channels_of_copies(trial: Trial, subject: str) -> Any:
    system, volume = _laid(trial, subject)
    of = {device.id: channel.id for channel in system.channels for device in channel.devices}
    one, other = ({of[part.disk] for part in copy} for copy in volume.copies)
    return "different" if one.isdisjoint(other) else "shared"


@_is("drives by demand in all", "disk load of 14 data drives, in drives at their 65 % rate.*")
def _drives_by_demand(trial: Trial, subject: str) -> Any:
    _, volume = _laid(trial, subject)
    lines = [line for line in _lines(trial, "active") if line.name in volume.disks]
    return _sum(line.figure for line in lines)


# ------------------------------------------------------------------ parts and software


@_is("platform")
def _platform(trial: Trial, subject: str) -> Any:
    return "none" if trial.plan.chosen is None else _one(trial).system.platform


@_is("parts list")
def _parts(trial: Trial, subject: str) -> Any:
    return repr([judged.system for judged in trial.judged])


def _boards(trial: Trial) -> list[tuple[System, str, str]]:
    return [(j.system, b.id, b.model) for j in trial.judged for b in j.system.boards]


@_is("board(?:, if .*)?")
def _accelerator_board(trial: Trial, subject: str) -> Any:
    rows = trial.guide.table("nvram-accelerators")
    fitting = {board for row in rows for board in (row.id, row.text("board"))}
    return next((model for _, _, model in _boards(trial) if model in fitting), "none")


@_is("accelerator")
def _accelerator(trial: Trial, subject: str) -> Any:
    return _one(trial).system.accelerator or "none"


@_is("online-disksuite ordered")
def _disksuite(trial: Trial, subject: str) -> Any:
    return any("online-disksuite" in judged.system.software for judged in trial.judged)


@_is("SunDBE ordered, of either release")
def _sundbe(trial: Trial, subject: str) -> Any:
    return any("sundbe" in name for judged in trial.judged for name in judged.system.software)


@_is("ISP-80 controllers")
def _controllers(trial: Trial, subject: str) -> Any:
    return sum(model == "isp-80" for _, _, model in _boards(trial))


@_is("expansion cabinet ordered")
def _cabinet(trial: Trial, subject: str) -> Any:
    lines = [each for j in trial.judged for each in order(trial.guide, trial.demand, j.system)]
    return any(line.name == "expansion cabinet" for line in lines)


@_is("network of the Network CoProcessor, if there is one")
def _relieved(trial: Trial, subject: str) -> Any:
    found = {
        port.network for judged in trial.judged for port in judged.system.ports
        if port.interface == "network-coprocessor"
    }  # fmt: skip
    return found.pop() if len(found) == 1 else tuple(sorted(found)) or "busy"


@_is("second port of the disks in the written server")
def _second_port(trial: Trial, subject: str) -> Any:
    system, volume = _laid(trial, f"volume {subject}")
    return all(d.dual_ported is True for d in system.devices() if d.id in volume.disks)


@_is("networks attached to each system")
def _attached(trial: Trial, subject: str) -> Any:
    return tuple(len({port.network for port in j.system.ports}) for j in trial.judged)


@_is("SCSI adapters in all, the built-in one included")
def _adapters(trial: Trial, subject: str) -> Any:
    channels = [c for judged in trial.judged for c in judged.system.channels]
    return sum(trial.guide.row("disk-busses", c.kind).text("interface") == "scsi" for c in channels)


@_is("disks with load on the adapter of the 8mm tape")
def _disks_beside_tape(trial: Trial, subject: str) -> Any:
    loaded = {b.name for b in _budgets(trial, "disk") if b.used and b.used.high > 0}
    for judged in trial.judged:
        for channel in judged.system.channels:
            if any(device.model == "8mm-helical-scan-tape" for device in channel.devices):
                return sum(device.id in loaded for device in channel.devices)
    return None


# ------------------------------------------------------------------ memory and set-up


@_is("memory that Rule III advises for the clients")
def _advised_memory(trial: Trial, subject: str) -> Any:
    (rule,) = [rule for rule in trial.engine.book.rules if rule.id == "III"]
    each = rule.parameters["per_client_mb"]
    return each * trial.demand.clients if isinstance(each, Figure) else None


@_is("memory installed if the advice is followed")
def _memory(trial: Trial, subject: str) -> Any:
    return _one(trial).system.memory_mb


@_is("memory needed, against .*")
def _memory_needed(trial: Trial, subject: str) -> Any:
    return _budget(trial, "memory").used


@_is("active processes")
def _active_processes(trial: Trial, subject: str) -> Any:
    return _one(trial).facts.system.active_processes


def _tunable(trial: Trial, name: str) -> Any:
    value = _one(trial).system.tunables.get(name)
    return value and value.likely


@_is("number of nfsd in Set-up")
def _nfsd(trial: Trial, subject: str) -> Any:
    return _tunable(trial, "nfsd")


@_is("MAXUSERS in Set-up, for a plan with 64 MB")
def _maxusers(trial: Trial, subject: str) -> Any:
    return _tunable(trial, "maxusers")


@_is(r"backup index space of the (\w+), if .*")
def _index_space(trial: Trial, subject: str, volume: str) -> Any:
    """The part of a volume in what backups of all file systems keep."""
    sizes = {v.name: v.size_mb for v in trial.demand.volumes if v.use == "file_system"}
    whole = _one(trial).facts.system.backup_index_mb
    return whole and whole * (sizes[volume] / _sum(sizes.values()))


# ------------------------------------------------------------------ verdicts


@_is("Rule ([IVX]+)")
def _rule(trial: Trial, subject: str, rule: str) -> Any:
    found = _findings(trial, rule, subject)
    return worst(finding.verdict for finding in found) if found else "pass"


@_is("verdict")
def _verdict(trial: Trial, subject: str) -> Any:
    if subject.startswith("work "):
        found = [f.verdict for f in _work_findings(trial, subject) if f.verdict != "not_applicable"]
        return worst(found) if found else "pass"
    plan = trial.plan
    if not plan.holds or (subject == "plan for one system" and plan.pair is not None):
        return "fail"
    judged = list(trial.judged)
    said = [b.verdict for each in judged for b in each.budgets]
    said += [f.verdict for each in judged for f in each.findings if f.severity in LIMITS]
    return "borderline" if "tight" in said else "pass"


@_is("exit code( with --fail-on borderline)?")
def _exit_code(trial: Trial, subject: str, strict: str | None) -> Any:
    options = ("--fail-on", "borderline") if strict else ()
    command = "check" if trial.is_check else "plan"
    return CliRunner().invoke(main, [command, "-", *options], input=trial.text).exit_code


__all__ = ["NothingThereError", "value_of"]
