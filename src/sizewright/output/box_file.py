"""A recommended configuration as a box file, with the load that it was planned for.

A check of the file calculates the same budgets: it has every line with all its digits.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import partial
from typing import Any

from sizewright.configuration.model import Channel, Device, Port, System, Volume
from sizewright.demand.build import YEARS, yearly_growth
from sizewright.demand.model import Backup, Demand, NetworkDemand
from sizewright.demand.rates import RANDOM, Known
from sizewright.demand.usage import UsageProfile, usage_of
from sizewright.evaluate.system import Evaluation
from sizewright.facts.derive import Facts
from sizewright.facts.records import NetworkFacts
from sizewright.guide.model import Guide
from sizewright.load.lines import on_system
from sizewright.load.model import Load
from sizewright.output.reports import PlanReport
from sizewright.output.wording import plain_number
from sizewright.quantity import Quantity, set_to
from sizewright.setup.installation import NFSD, processes
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
    guide = report.guide
    overlays = ", ".join(dict.fromkeys(change.overlay for change in guide.changes))
    return (
        f"Written by `sizewright plan` from {report.file} (SHA-256 {report.digest}),",
        *((f"changed for this run: {', '.join(report.changes)},",) if report.changes else ()),
        f"after guide {guide.id}: {guide.title}.",
        *((f"Overlays, to be given to `check` as well: {overlays}.",) if overlays else ()),
        "Quantities are one figure, or [low, likely, high].",
    )


def box_data(report: PlanReport, chosen: Evaluation) -> Data:
    """Return the same as plain data, in the order of the file; what is unknown is left out."""
    demand, system, policy = report.plan.demand, chosen.system, report.plan.policy
    usage, facts = usage_of(demand), chosen.facts
    asked = {each.name: each for each in on_system(demand, system, report.guide).networks}
    networks = {record.id: record for record in facts.networks}
    # The load of a plan without stages has grown; only that of today's parts has yet to grow.
    growth = yearly_growth(demand) if report.stages else None
    data: Data = plain({
        "name": system.id,
        "title": report.title or report.name,
        "guide": report.guide.id,
        **_same(system, "platform", "processors"),
        "operating_system": system.operating_system or None,
        "memory": {
            "total_mb": facts.system.memory_mb, "expansion_mb": facts.system.expansion_memory_mb,
        },
        "accelerator": system.accelerator or _NOT_THERE,
        **_same(system, "software", "databases"),
        **_same(usage, "services", "clients", "diskless_clients"),
        "backup": usage.backup and _backup(usage.backup),
        "applications": _applications(usage),
        "policy": {
            **_same(policy, "size_for", "follow_advice"),
            "waive": [
                {"rule": each.rule, "reason": each.reason, "until": each.until or None}
                for each in policy.waivers
            ] or None,
            "parameters": policy.parameters or None,
        },
        "boards": [
            {"id": board.id, "board": board.model, "bus": board.bus, "slots": board.slots}
            for board in system.boards
        ],
        "slots": {
            group.id: {"gaps_without_jumpers": group.gaps_without_jumpers}
            for group in facts.slots if group.gaps_without_jumpers is not None
        } or None,
        "channels": [_channel(channel, facts) for channel in system.channels],
        "networks": [
            _network(port, asked[port.network], networks[port.id]) for port in system.ports
        ],
        "serial_lines": system.serial_lines,
        "wide_lines": [
            {
                "name": f"{line.service}: {line.name}", "kbit_per_s": line.kbit_per_s,
                "count": line.number.likely,
            }
            for line in usage.wide_lines or ()
        ] or None,
        "beside": system.beside or None,
        "volumes": [
            {**_volume(volume, demand, facts), **(_growth(volume, demand) if report.stages else {})}
            for volume in system.volumes
        ],
        "tunables": system.tunables or None,
        "load": _load(usage, chosen.load, _beside_nfsd(usage, system, report.guide)),
        "growth": growth and {"percent": growth.to("%")},
    })  # fmt: skip
    return data


def plain(value: Any) -> Any:
    """Return a value as the file states it.

    A quantity is one number, or all three in full precision. A key without a value is left out,
    because the reader takes what is missing as unknown.
    """
    if isinstance(value, Quantity):
        ends = (value.low, value.likely, value.high)
        return plain(value.likely) if value.low == value.high else [plain(end) for end in ends]
    if isinstance(value, Mapping):
        return {key: plain(each) for key, each in value.items() if each is not None}
    if isinstance(value, (list, tuple)):
        return [plain(each) for each in value]
    return plain_number(value) if isinstance(value, float) else value


def _same(source: object, *names: str) -> Data:
    return {name: getattr(source, name) for name in names}


def _backup(backup: Backup) -> Data:
    return {
        **_same(backup, "wanted", "during_working_hours", "at_night_in_use", "window"),
        "tapes_at_most": backup.drives_at_most or None,
        "incremental_percent": backup.incremental and backup.incremental.to("%"),
        "tape_mb": backup.tape_mb,
        "over": backup.over or None,
    }


def _applications(usage: UsageProfile) -> Data | None:
    names = (
        "many_small_files", "small_file_ops_per_s", "shared_writes", "database_on_file_system",
        "database_ops_per_s",
    )  # fmt: skip
    stated = _same(usage, *names)
    return stated if any(each is not None for each in stated.values()) else None


def _channel(channel: Channel, facts: Facts) -> Data:
    told = {record.id: record.accelerated for record in facts.disks}
    return {
        **_same(channel, "id", "kind", "provider"),
        "devices": [_device(device, told.get(device.id)) for device in channel.devices],
    }


def _device(device: Device, accelerated: bool | None) -> Data:
    return {
        "id": device.id,
        "device": device.model,
        "purpose": device.purpose or None,
        "target": device.target,
        "dual_ported": device.dual_ported,
        "owner": device.owner or None,
        "accelerated": accelerated,
        "partitions": [
            {
                **_same(part, "name", "size_mb", "start_cylinder", "use"),
                "heat": None if part.hot is None else "hot" if part.hot else "cold",
            }
            for part in device.partitions
        ] or None,
    }  # fmt: skip


def _network(port: Port, asked: NetworkDemand, facts: NetworkFacts) -> Data:
    return {
        "name": port.network,
        "segment": port.segment or None,
        **_same(port, "interface", "provider"),
        "keep_medium": asked.keep_medium,
        "any_medium": not asked.medium,
        **_same(asked, "fastest_response", "large_packets"),
        **_same(facts, "concentrator", "clients", "diskless_clients"),
    }


def _volume(volume: Volume, demand: Demand, facts: Facts) -> Data:
    told = next(record for record in facts.volumes if record.id == volume.name)
    asked = next(each for each in demand.volumes if each.name == volume.name)
    return {
        "name": volume.name,
        "use": asked.use,
        "database": asked.database or _NOT_THERE,
        "access": asked.access,
        "activity": "hot" if told.hot else "cold",
        "in_turns": asked.in_turns or None,
        "protection": asked.protection,
        "manager": volume.manager or _NOT_THERE,
        "layout": volume.layout or None,
        "interlace_kb": volume.interlace_kb,
        **_same(told, "mirrored_for", "clustered", "accelerated"),
        **_same(asked, "size_mb", "cached_mb", "saved_mb"),
        "copies": [[_same(part, "disk", "size_mb") for part in copy] for copy in volume.copies],
    }


def _growth(volume: Volume, demand: Demand) -> Data:
    """Return by how many MB a volume grows each year: its size in one year, less that of today."""
    from sizewright.sensitivity.what_if import WhatIf

    size = next(each.size_mb for each in demand.volumes if each.name == volume.name)
    sizes = WhatIf([size])
    leaf = next((leaf for leaf in sizes.leaves if leaf.name == YEARS), None)
    if leaf is None:
        return {}
    today, then = (sizes.under(leaf, partial(set_to, value=year))(size) for year in (0, 1))
    ends = [(each.low, each.likely, each.high) for each in (today, then)]
    more = [later - now for now, later in zip(*ends, strict=True)]
    return {"growth_mb_per_year": plain(more[1] if more[0] == more[2] else more)}


def _beside_nfsd(usage: UsageProfile, system: System, guide: Guide) -> Known:
    """Return the processes active at once, but for nfsd, whose number follows from the machine."""
    every = processes(usage, guide.row("platforms", system.platform), guide, None)
    return every if every is None else tuple(each for each in every if each.name != NFSD)


def _load(usage: UsageProfile, load: Load, active: Known) -> Data:
    return {
        **_same(usage, "nfs_ops_per_s", "nfs_write_share"),
        "nfs": _lines(load.nfs),
        "kernel_lock": _lines(load.kernel_lock),
        "kernel_lock_without": load.untimed_kernel or None,
        "processors": _lines(load.processors),
        "processors_without": load.untimed or None,
        "memory": _lines(load.memory),
        "processes": _lines(active),
        "networks": _nodes(load.networks),
        "data": _nodes(load.data) or None,
        # What all systems have on each network on which another system has data too.
        "all_systems": _nodes({
            port: lines for port, lines in load.wires.items()
            if plain(_lines(lines)) != plain(_lines(load.data.get(port)))
        }) or None,
        "all_systems_ops": _nodes(load.wire_ops) or None,
        "channels": _nodes(load.channels),
        "disks": _nodes(load.disks),
        "stored": _nodes(load.stored),
        "work": {
            disk: [
                {
                    "service": each.service, "layer": each.layer or None,
                    "operation": each.operation, "block_kb": each.block_kb,
                    "ops_per_s": each.rate,
                    # An operation at random on a disk that is read in sequence.
                    "access": RANDOM if each.pattern == RANDOM != load.patterns[disk].access
                    else None,
                }
                for each in asked or ()
            ]
            for disk, asked in load.asked.items()
        },
        "exclusive": load.exclusive or None,
    }  # fmt: skip


def _nodes(nodes: Mapping[str, Known]) -> Data:
    return {name: _lines(lines) for name, lines in nodes.items() if lines is not None}


def _lines(lines: Known) -> Data | None:
    if lines is None:
        return None
    names = _distinct(line.name for line in lines)
    return {name: line.figure for name, line in zip(names, lines, strict=True)}


def _distinct(names: Iterable[str]) -> list[str]:
    """Return the names of lines; a repeated one is numbered, because keys are distinct."""
    found: list[str] = []
    for name in names:
        number, own = 1, name
        while own in found:
            number += 1
            own = f"{name} ({number})"
        found.append(own)
    return found
