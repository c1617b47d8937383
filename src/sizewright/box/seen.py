"""What was measured on a box, as rates on its nodes and as facts in place of derived ones."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from sizewright import units
from sizewright.box.schema import Box
from sizewright.demand.model import Item
from sizewright.demand.nfs import transfer_kb
from sizewright.errors import Fault, InputFaults, listed, meant, shown
from sizewright.figure import Figure
from sizewright.guide.model import Guide
from sizewright.guide.named import place_of
from sizewright.load.measured import Measured
from sizewright.load.model import Lines
from sizewright.load.nfs import processor_second

_SYSTEM_TIME, _USER_TIME = "system time", "user time"
_MEASURED = "measured"

Facts = Mapping[str, Mapping[str, Mapping[str, Any]]]


def measured_of(box: Box, guide: Guide) -> Measured:
    """Rates on the nodes of a box; raises InputFaults where a node is named that it lacks."""
    _check_nodes(box)
    load, seen = box.load, box.observed
    kernel, processors = _processor_lines(box)
    disks = {name: _lines(lines) for name, lines in load.disks.items()}
    disks |= {n: _measured(d.ops_per_s) for n, d in seen.disks.items() if d.ops_per_s}
    channels = {name: _lines(lines) for name, lines in load.channels.items()}
    channels |= _transfers(box, disks, guide)
    channels |= {n: _measured(c.kb_per_s) for n, c in seen.channels.items() if c.kb_per_s}
    networks = {name: _lines(lines) for name, lines in load.networks.items()}
    networks |= {n: _measured(w.ops_per_s) for n, w in seen.networks.items() if w.ops_per_s}
    return Measured(
        kernel_lock=kernel or _maybe(load.kernel_lock),
        processors=processors or _maybe(load.processors),
        nfs=_maybe(load.nfs),
        memory=_maybe(load.memory),
        networks=networks,
        disks=disks,
        channels=channels,
        stored={name: _lines(lines) for name, lines in load.stored.items()},
        sizes={v.name: v.size_mb for v in box.volumes or () if v.size_mb is not None},
    )


def _lines(lines: Mapping[str, Figure]) -> Lines:
    return tuple(Item(name, figure) for name, figure in lines.items())


def _maybe(lines: Mapping[str, Figure] | None) -> Lines | None:
    return None if lines is None else _lines(lines)


def _measured(figure: Figure) -> Lines:
    return (Item(_MEASURED, figure),)


def _processor_lines(box: Box) -> tuple[Lines | None, Lines | None]:
    """Kernel time, and all processor time, out of the shares that were measured."""
    cpu = box.observed.cpu
    if cpu is None or cpu.system_percent is None or box.processors is None:
        return None, None
    whole = processor_second(box.processors)
    kernel = (Item(_SYSTEM_TIME, cpu.system_percent.to(units.PURE) * whole),)
    if cpu.user_percent is None:
        return kernel, None
    return kernel, (*kernel, Item(_USER_TIME, cpu.user_percent.to(units.PURE) * whole))


def _transfers(box: Box, disks: Mapping[str, Lines], guide: Guide) -> dict[str, Lines]:
    """Channels whose disks were measured in kilobytes; others of their disks count by operation."""
    seen = box.observed.disks
    found: dict[str, Lines] = {}
    for channel in box.channels or ():
        rated = [d.id for d in channel.devices if d.id in seen and seen[d.id].kb_per_s]
        if not rated:
            continue
        lines = []
        for device in channel.devices:
            rate = seen[device.id].kb_per_s if device.id in seen else None
            if rate is None and device.id in disks:
                rate = disks[device.id][0].figure * transfer_kb(guide)
            if rate is not None:
                lines.append(Item(device.id, rate))
            elif device.device in guide.table("disks").rows:
                break
        else:
            found[channel.id] = tuple(lines)
    return found


def _check_nodes(box: Box) -> None:
    """Fault names of networks, disks and channels that the box does not have."""
    channels = [c.id for c in box.channels or ()]
    disks = [d.id for c in box.channels or () for d in c.devices]
    networks = [n.id for n in box.networks or ()]
    faults: list[Fault] = []
    for part in (box.observed, box.load):
        for kind, named, known in (
            ("network", part.networks, networks), ("disk", part.disks, disks),
            ("channel", part.channels, channels),
        ):  # fmt: skip
            faults += _astray(kind, named, known)
    faults += _astray("disk", box.load.stored, disks)
    if faults:
        raise InputFaults(faults)


def _astray(kind: str, named: Iterable[str], known: list[str]) -> list[Fault]:
    return [
        Fault(
            place_of(name, "box"), f"there is no {kind} {shown(name)}",
            f"one of {listed(known)}" if known else f"a {kind} of this box", meant(name, known),
        )
        for name in named if name not in known
    ]  # fmt: skip


def observed_facts(box: Box) -> Facts:
    """Facts that were observed, by subject and id, to stand in place of what is derived."""
    seen = box.observed
    facts: dict[str, dict[str, dict[str, Any]]] = {
        "system": {str(box.name): _of_system(box)},
        "network": {
            n.id: {"large_packets": n.large_packets, "concentrator": n.concentrator}
            for n in box.networks or ()
        },
        "slots": {
            bus: {"gaps_without_jumpers": _number(known.gaps_without_jumpers, "slot")}
            for bus, known in box.slots.items()
        },
        "channel": {
            c.id: {"mirror_detached": c.mirror_detached} for c in box.channels or ()
        },
        "disk": {
            d.id: {"accelerated": d.accelerated}
            for c in box.channels or () for d in c.devices
        },
        "volume": {v.name: {"accelerated": v.accelerated} for v in box.volumes or ()},
    }  # fmt: skip
    for name, network in seen.networks.items():
        facts["network"].setdefault(name, {}).update(
            utilisation_share=_share(network.utilisation_percent),
            collision_share=_share(network.collisions_percent),
            measured_latency_ms=network.latency_ms,
        )
    for name, disk in seen.disks.items():
        facts["disk"].setdefault(name, {}).update(busy_share=_share(disk.busy_percent))
    return {
        subject: {
            name: {fact: value for fact, value in known.items() if value is not None}
            for name, known in records.items()
        }
        for subject, records in facts.items()
    }


def _of_system(box: Box) -> dict[str, Any]:
    seen, runs = box.observed, box.applications
    found: dict[str, Any] = {
        "compiled_for_processor": runs.compiled_for_processor,
        "many_small_files": runs.many_small_files,
        "database_on_file_system": runs.database_on_file_system,
        "serial_lines": seen.serial_lines,
    }
    if seen.processes:
        found["active_processes"] = seen.processes.active
        found["busiest_process_share"] = _share(seen.processes.busiest_percent)
        found["descriptors_needed"] = seen.processes.descriptors
    if seen.caches:
        found["name_cache_hit_share"] = _share(seen.caches.dnlc_hit_percent)
        found["buffer_cache_hit_share"] = _share(seen.caches.buffer_hit_percent)
    if seen.paging:
        found["page_ins_per_s"] = seen.paging.page_ins_per_s
        found["page_outs_per_s"] = seen.paging.page_outs_per_s
    return found


def _share(percent: Figure | None) -> Figure | None:
    return None if percent is None else percent.to(units.PURE)


def _number(value: int | None, unit: str) -> Figure | None:
    from sizewright.figure import count

    return None if value is None else count(value, "as stated", unit)
