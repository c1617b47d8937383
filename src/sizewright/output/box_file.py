"""A recommended configuration as a box file, with the load that it was planned for.

A check of the file calculates the same budgets: it has every line with all its digits.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from sizewright.configuration.model import Board, Channel, Device, Partition, Port, System, Volume
from sizewright.demand.model import Demand, Known, LineDemand, NetworkDemand
from sizewright.demand.usage import UsageProfile, usage_of
from sizewright.evaluate.policy import Policy
from sizewright.evaluate.system import Evaluation
from sizewright.facts.derive import Facts
from sizewright.facts.records import NetworkFacts, SystemFacts
from sizewright.guide.model import Guide
from sizewright.load.lines import on_system
from sizewright.load.model import Asked, Load
from sizewright.output.reports import PlanReport
from sizewright.output.wording import plain_number
from sizewright.quantity import Quantity
from sizewright.yaml_text import Remarks, remark, yaml_lines

Data = dict[str, Any]

_NOT_THERE = "none"
_REMARKS: Remarks = {("load",): ("What is measured goes under `observed`, and replaces this.",)}


def box_text(report: PlanReport, chosen: Evaluation) -> str:
    """The box file of a plan's chosen configuration, for people and for `check`."""
    lines = list(map(remark, _head(report)))
    for key, value in box_data(report, chosen).items():
        written = list(yaml_lines({key: value}, _REMARKS if (key,) in _REMARKS else {}))
        lines += ["", *written] if len(written) > 1 else written
    return "\n".join(lines) + "\n"


def _head(report: PlanReport) -> tuple[str, ...]:
    guide = report.plan.guide
    lines = [
        f"Written by `sizewright plan` from {report.file} (SHA-256 {report.digest}),",
        f"after guide {guide.id}: {guide.title}.",
    ]
    overlays = dict.fromkeys(change.overlay for change in guide.changes)
    if overlays:
        lines.append(f"Overlays, to be given to `check` as well: {', '.join(overlays)}.")
    lines.append("Quantities are one figure, or [low, likely, high].")
    return tuple(lines)


def box_data(report: PlanReport, chosen: Evaluation) -> Data:
    """The same as plain data, in the order of the file."""
    demand, system = report.plan.demand, chosen.system
    usage, facts = usage_of(demand), chosen.facts.system
    return _known(
        {
            "name": system.id,
            "title": report.title or report.workload,
            "guide": report.plan.guide.id,
            "platform": system.platform,
            "processors": system.processors,
            "operating_system": system.operating_system or None,
            "memory": _memory(facts),
            "accelerator": system.accelerator or _NOT_THERE,
            "software": list(system.software),
            "databases": list(system.databases),
            "services": None if usage.services is None else list(usage.services),
            "clients": quantity(usage.clients),
            "diskless_clients": quantity(usage.diskless_clients),
            "backup": _backup(usage),
            "applications": _applications(usage),
            "policy": _policy(report.plan.policy),
            "boards": [_board(board) for board in system.boards],
            "slots": _slots(chosen.facts) or None,
            "channels": [_channel(channel, chosen.facts) for channel in system.channels],
            "networks": _networks(system, demand, chosen, report.plan.guide),
            "serial_lines": system.serial_lines,
            "wide_lines": [_wide_line(line) for line in usage.wide_lines or ()] or None,
            "beside": list(system.beside) or None,
            "volumes": [_volume(volume, demand, chosen.facts) for volume in system.volumes],
            "tunables": {name: quantity(f) for name, f in system.tunables.items()} or None,
            "load": _load(usage, chosen.load),
        }
    )


def quantity(figure: Quantity | None) -> Any:
    """A figure as the box file states it: one number, or all three in full precision."""
    if figure is None:
        return None
    if figure.low == figure.high:
        return plain_number(figure.likely)
    return [plain_number(value) for value in (figure.low, figure.likely, figure.high)]


def _known(data: Mapping[str, Any]) -> Data:
    """What is known; the reader takes what is missing as unknown."""
    return {key: value for key, value in data.items() if value is not None}


def _memory(facts: SystemFacts) -> Data:
    return _known(
        {"total_mb": _number(facts.memory_mb), "expansion_mb": _number(facts.expansion_memory_mb)}
    )


def _number(fact: Quantity | float | None) -> Any:
    return quantity(fact) if isinstance(fact, Quantity) or fact is None else plain_number(fact)


def _backup(usage: UsageProfile) -> Data | None:
    backup = usage.backup
    if backup is None:
        return None
    part = backup.incremental
    return _known(
        {
            "wanted": backup.wanted,
            "during_working_hours": backup.during_working_hours,
            "at_night_in_use": backup.at_night_in_use,
            "window": quantity(backup.window),
            "tapes_at_most": backup.drives_at_most or None,
            "incremental_percent": quantity(part and part.to("%")),
            "tape_mb": quantity(backup.tape_mb),
            "over": backup.over or None,
        }
    )


def _applications(usage: UsageProfile) -> Data | None:
    return (
        _known(
            {
                "many_small_files": usage.many_small_files,
                "shared_writes": usage.shared_writes,
                "database_on_file_system": usage.database_on_file_system,
            }
        )
        or None
    )


def _board(board: Board) -> Data:
    return {"id": board.id, "board": board.model, "bus": board.bus, "slots": list(board.slots)}


def _wide_line(line: LineDemand) -> Data:
    rate, number = quantity(line.kbit_per_s), plain_number(line.number.likely)
    return {"name": f"{line.service}: {line.name}", "kbit_per_s": rate, "count": number}


def _slots(facts: Facts) -> Data:
    return {
        group.id: {"gaps_without_jumpers": _number(group.gaps_without_jumpers)}
        for group in facts.slots
        if group.gaps_without_jumpers is not None
    }


def _channel(channel: Channel, facts: Facts) -> Data:
    told = {record.id: record.accelerated for record in facts.disks}
    return _known(
        {
            "id": channel.id,
            "kind": channel.kind,
            "provider": channel.provider,
            "devices": [_device(device, told.get(device.id)) for device in channel.devices],
        }
    )


def _device(device: Device, accelerated: bool | None) -> Data:
    return _known(
        {
            "id": device.id,
            "device": device.model,
            "purpose": device.purpose or None,
            "target": device.target,
            "dual_ported": device.dual_ported,
            "owner": device.owner or None,
            "accelerated": accelerated,
            "partitions": [_partition(part) for part in device.partitions] or None,
        }
    )


def _partition(part: Partition) -> Data:
    return _known(
        {
            "name": part.name,
            "size_mb": quantity(part.size_mb),
            "start_cylinder": quantity(part.start_cylinder),
            "use": part.use,
            "heat": None if part.hot is None else "hot" if part.hot else "cold",
        }
    )


def _networks(system: System, demand: Demand, chosen: Evaluation, guide: Guide) -> list[Data]:
    placed = on_system(demand, system, guide)
    asked = {network.name: network for network in placed.networks}
    facts = {record.id: record for record in chosen.facts.networks}
    return [_network(port, asked[port.network], facts[port.id]) for port in system.ports]


def _network(port: Port, asked: NetworkDemand, facts: NetworkFacts) -> Data:
    return _known(
        {
            "name": port.network,
            "segment": port.segment or None,
            "interface": port.interface,
            "provider": port.provider,
            "keep_medium": asked.keep_medium,
            "any_medium": not asked.medium,
            "fastest_response": asked.fastest_response,
            "concentrator": facts.concentrator,
            "clients": _number(facts.clients),
            "diskless_clients": _number(facts.diskless_clients),
        }
    )


def _volume(volume: Volume, demand: Demand, facts: Facts) -> Data:
    told = next(record for record in facts.volumes if record.id == volume.name)
    asked = next(each for each in demand.volumes if each.name == volume.name)
    return _known(
        {
            "name": volume.name,
            "use": asked.use,
            "database": asked.database or _NOT_THERE,
            "access": asked.access,
            "activity": "hot" if told.hot else "cold",
            "in_turns": asked.in_turns or None,
            "protection": asked.protection,
            "manager": volume.manager or _NOT_THERE,
            "layout": volume.layout or None,
            "interlace_kb": quantity(volume.interlace_kb),
            "mirrored_for": told.mirrored_for,
            "clustered": told.clustered,
            "accelerated": told.accelerated,
            "size_mb": quantity(asked.size_mb),
            "cached_mb": quantity(asked.cached_mb),
            "copies": [
                [{"disk": part.disk, "size_mb": plain_number(part.size_mb)} for part in copy]
                for copy in volume.copies
            ],
        }
    )


def _policy(policy: Policy) -> Data:
    waived = [{"rule": rule, "reason": reason} for rule, reason in policy.waived.items()]
    return _known(
        {
            "size_for": policy.size_for,
            "follow_advice": policy.follow_advice,
            "waive": waived or None,
            "parameters": {
                rule: {name: _as_written(value) for name, value in values.items()}
                for rule, values in policy.parameters.items()
            }
            or None,
        }
    )


def _as_written(value: Any) -> Any:
    return list(value) if isinstance(value, tuple) else value


def _load(usage: UsageProfile, load: Load) -> Data:
    return _known(
        {
            "nfs_ops_per_s": quantity(usage.nfs_ops_per_s),
            "nfs_write_share": quantity(usage.nfs_write_share),
            "nfs": _lines(load.nfs),
            "kernel_lock": _lines(load.kernel_lock),
            "processors": _lines(load.processors),
            "memory": _lines(load.memory),
            "processes": _lines(usage.processes),
            "networks": _nodes(load.networks),
            "data": _nodes(load.data) or None,
            "channels": _nodes(load.channels),
            "disks": _nodes(load.disks),
            "stored": _nodes(load.stored),
            "work": {
                disk: [_work(each) for each in asked or ()] for disk, asked in load.asked.items()
            },
            "exclusive": [list(names) for names in load.exclusive] or None,
        }
    )


def _work(asked: Asked) -> Data:
    return _known(
        {
            "service": asked.service,
            "layer": asked.layer or None,
            "operation": asked.operation,
            "block_kb": quantity(asked.block_kb),
            "ops_per_s": quantity(asked.rate),
        }
    )


def _nodes(nodes: Mapping[str, Known]) -> Data:
    return _known({name: _lines(lines) for name, lines in nodes.items()})


def _lines(lines: Known) -> Data | None:
    if lines is None:
        return None
    names = _told_apart(line.name for line in lines)
    return {name: quantity(line.figure) for name, line in zip(names, lines, strict=True)}


def _told_apart(names: Iterable[str]) -> list[str]:
    """The names of lines; one that is met again is numbered, for a mapping has each only once."""
    found: list[str] = []
    for name in names:
        number, own = 1, name
        while own in found:
            number += 1
            own = f"{name} ({number})"
        found.append(own)
    return found
