"""What was measured on a box: rates on its nodes, and facts in place of derived ones."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from sizewright import units
from sizewright.box.observations import (
    Caches,
    DataPackets,
    DiskObserved,
    DiskWork,
    NetworkObserved,
    Paging,
    Processes,
    Swapping,
)
from sizewright.box.parts import custom_facts_of, laid_mb
from sizewright.box.schema import PROFILES, Box, BoxBoard
from sizewright.demand.nfs import known_transfer_kb
from sizewright.demand.rates import READ, WRITE, LineItem, Lines, data_of, pattern_of, sum_lines
from sizewright.guide.model import REPORTED, UNKNOWN, Guide, Row, cells, least_revision, serves
from sizewright.load.measured import READS, WRITES, Measured
from sizewright.load.model import Asked, processor_second
from sizewright.quantity import Quantity, ambiguous, at_end, count, largest, mean, smallest, total


def board_facts(box: Box, guide: Guide) -> dict[str, dict[str, Any]]:
    """Return the facts of each board, by id.

    Memory traffic of boards with the kernel is a multiple of that of the others.
    """
    boards = box.boards or ()
    traffic = {
        name: each.memory_reads_per_s + each.memory_writes_per_s
        for name, each in box.observed.boards.items()
        if each.memory_reads_per_s is not None and each.memory_writes_per_s is not None
    }
    others = [traffic[b.id] for b in boards if b.kernel_memory is False and b.id in traffic]
    usual = total(others, "1/s") / count(len(others), "boards") if others else None
    return {
        board.id: {
            **_same(board, "revision", "kernel_memory"),
            "revision_serves": _serves(board, guide),
            "memory_traffic_factor": traffic[board.id] / usual
            if usual and usual.low > 0 and board.kernel_memory and board.id in traffic
            else None,
        }
        for board in boards
    }


def _serves(board: BoxBoard, guide: Guide) -> bool | None:
    rows = guide.table("boards").rows
    least = least_revision(rows[board.board], guide) if board.board in rows else None
    return None if board.revision is None or least is None else serves(board.revision, least)


def profile_rows(box: Box, guide: Guide) -> tuple[Row, ...]:
    """Return the rows of the load profiles that the box states."""
    rows = guide.table(PROFILES).rows
    return tuple(rows[name] for name in box.load_profiles if name in rows)


def weighted(rows: Sequence[Row], column: str) -> Quantity | None:
    """Return the mean of a column by the accesses of the profiles; None if a cell is blank."""
    values, weights = list(cells(rows, column)), list(cells(rows, "access_percent"))
    if not rows or len(values) < len(rows) or len(weights) < len(rows):
        return None
    return values[0] if len(rows) == 1 else mean(values, weights)


def transfer_kb(box: Box, guide: Guide) -> Quantity | None:
    """Return KB for each disk operation: by the profiles, else by the guide."""
    each = weighted(profile_rows(box, guide), "transfer_kb")
    return each / count(1, "one operation", "op") if each else known_transfer_kb(guide)


def preset_access(box: Box, guide: Guide) -> str | None:
    """Return the access pattern of all profiles; None if they differ."""
    rows = profile_rows(box, guide)
    random, serial = "random_percent", "sequential_percent"
    for pattern, column, others in (("random", random, serial), ("serial", serial, random)):
        shares = [(row.cell(column), row.cell(others)) for row in rows]
        if rows and all(own and other and not other.high for own, other in shares):
            return pattern
    return None


_SYSTEM_TIME, _SPIN, _USER_TIME = "system time", "spin", "user time"
_MEASURED = "measured"
# The lines of a disk: all its operations, or each kind of them.
_KINDS = {"": _MEASURED, READ: READS, WRITE: WRITES}

Facts = Mapping[str, Mapping[str, Mapping[str, Any]]]


def measured_of(box: Box, processors: int | None, guide: Guide) -> Measured:
    """Return the measured rates of a box; raises InputError for a mix that is not in the guide."""
    load, seen = box.load, box.observed
    counted = seen.nfs is not None and seen.nfs.ops_per_s is not None
    kernel, all_time = _processor_lines(box, processors, guide)
    # What is measured is the time of all services.
    untimed_kernel = load.kernel_lock_without if kernel is None else ()
    untimed = load.processors_without if all_time is None else ()
    if not counted:
        kernel = _first(kernel, load.kernel_lock)
        all_time = _first(all_time, load.processors)
    disks = {name: _lines(lines) for name, lines in load.disks.items()}
    disks |= {
        name: _by_kind(disk.operations)
        for name, disk in seen.disks.items() if disk.operations
    }  # fmt: skip
    channels = _transfers(box, disks, guide)
    channels |= {n: _measured(c.kb_per_s) for n, c in seen.channels.items() if c.kb_per_s}
    only = len(box.networks or ()) == 1
    networks = {n: _lines(lines) for n, lines in load.networks.items() if not (counted and only)}
    networks |= {n: _measured(w.ops_per_s) for n, w in seen.networks.items() if w.ops_per_s}
    data = {n: _data_lines(lines) for n, lines in load.data.items()}
    observed = {
        n: _measured(found)
        for n, each in seen.networks.items() if (found := data_on(n, each, box, guide))
    }  # fmt: skip
    return Measured(
        kernel_lock=kernel,
        processors=all_time,
        untimed_kernel=untimed_kernel,
        untimed=untimed,
        nfs=None if counted else _first(None, load.nfs),
        memory=_first(None, load.memory),
        networks=networks,
        data=data | observed,
        wires={n: _lines(lines) for n, lines in load.all_systems.items() if n not in observed},
        wire_ops={n: _lines(lines) for n, lines in load.all_systems_ops.items()},
        disks=disks,
        channels=channels,
        moved={
            name: _by_kind(disk.data_by_kind)
            for name, disk in seen.disks.items() if disk.data_by_kind
        },
        stored={name: _lines(lines) for name, lines in load.stored.items()},
        asked={
            name: tuple(map(_asked, work))
            for name, work in load.work.items() if name not in seen.disks
        },
        exclusive=load.exclusive,
        sizes={v.name: mb for v in box.volumes or () if (mb := laid_mb(v, guide)) is not None},
    )  # fmt: skip


def _by_kind(rates: Mapping[str, Quantity]) -> Lines:
    return tuple(LineItem(_KINDS[kind], rate) for kind, rate in rates.items())


def _asked(work: DiskWork) -> Asked:
    block = work.block_kb / count(1, "one operation", "op")
    pattern = pattern_of(work.access or "")
    return Asked(work.service, work.ops_per_s, block, work.layer or "", work.operation, pattern)


def _lines(lines: Mapping[str, Quantity]) -> Lines:
    return tuple(LineItem(name, figure) for name, figure in lines.items())


def _data_lines(lines: Mapping[str, Quantity | DataPackets]) -> Lines:
    return _lines({
        name: data_of(line.packets_per_s, line.packet_byte) if isinstance(line, DataPackets)
        else line
        for name, line in lines.items()
    })  # fmt: skip


def data_on(name: str, seen: NetworkObserved, box: Box, guide: Guide) -> Quantity | None:
    """Return the data on a network in KB/s: as measured, else from what is sent and received.

    If the medium passes both at once, the larger one uses it. If the guide does not state this, it
    may also be their sum.
    """
    sent, received = seen.sent_kb_per_s, seen.received_kb_per_s
    if seen.data is not None or sent is None or received is None:
        return seen.data
    larger = largest(sent, received)
    interface = next((str(n.interface) for n in box.networks or () if n.id == name), UNKNOWN)
    medium = guide.row("network-interfaces", interface).text("medium")
    both = guide.row("network-media", medium).get_flag("passes_both_ways")
    return larger if both else ambiguous(larger, sent + received)


def _first(measured: Lines | None, planned: Mapping[str, Quantity] | None) -> Lines | None:
    return measured if measured is not None or planned is None else _lines(planned)


def _measured(figure: Quantity) -> Lines:
    return (LineItem(_MEASURED, figure),)


class _KernelTime(NamedTuple):
    """Time in the kernel, and what processors wait for its lock, in ms/s; None if unknown."""

    used: Quantity
    spin: Quantity | None


def _kernel_time(box: Box, processors: int | None, guide: Guide) -> _KernelTime | None:
    """Return the kernel time as measured, or without the spin that system time contains.

    Under one lock the kernel does no more than one processor's work, and what it gains by
    releasing the lock for copies (2.10.1). Processors spin in the rest of their system time.
    """
    cpu = box.observed.cpu
    if cpu is None or cpu.system_percent is None or processors is None:
        return None
    whole = processor_second(processors)
    time = cpu.system_percent.to(units.PURE) * whole
    if cpu.spin_percent is not None:
        return _KernelTime(time, cpu.spin_percent.to(units.PURE) * whole)
    runs = guide.row_or_blank("operating-systems", box.operating_system)
    locks, gain = runs.cell("kernel_locks"), runs.cell("lock_release_gain_percent")
    if locks is None or gain is None or locks.high > 1:
        return _KernelTime(time, None)
    one = processor_second()
    most = one + one * gain.to(units.PURE)
    return _KernelTime(smallest(time, most), largest(time, most) - most)


def _processor_lines(
    box: Box, processors: int | None, guide: Guide
) -> tuple[Lines | None, Lines | None]:
    """Return kernel time and all processor time in ms/s, from the measured shares."""
    cpu, time = box.observed.cpu, _kernel_time(box, processors, guide)
    if cpu is None or time is None or processors is None:
        return None, None
    whole = processor_second(processors)
    kernel = (LineItem(_SYSTEM_TIME, time.used),)
    if cpu.user_percent is None:
        return kernel, None
    user = LineItem(_USER_TIME, cpu.user_percent.to(units.PURE) * whole)
    if time.spin is None or not time.spin.high:
        return kernel, (*kernel, user)
    return kernel, (*kernel, LineItem(_SPIN, time.spin, grows=False), user)


def _transfers(box: Box, disks: Mapping[str, Lines], guide: Guide) -> dict[str, Lines]:
    """Return KB/s of each channel: as measured on its disks, else as planned.

    A channel for which nothing is planned is left out where no kilobytes were measured: it counts
    by operations then.
    """
    seen, found, each = box.observed.disks, {}, transfer_kb(box, guide)
    for channel in box.channels or ():
        planned = box.load.channels.get(channel.id)
        rated = any(d.id in seen and seen[d.id].data for d in channel.parts)
        if planned is None and not rated:
            continue
        lines = []
        for device in channel.parts:
            rate = _transfer(device.id, seen.get(device.id), planned or {}, disks, each)
            if rate is not None:
                lines.append(LineItem(device.id, rate))
            elif planned is None and device.device in guide.table("disks").rows:
                break
        else:
            found[channel.id] = tuple(lines)
    return found


def _transfer(
    name: str,
    seen: DiskObserved | None,
    planned: Mapping[str, Quantity],
    disks: Mapping[str, Lines],
    each: Quantity | None,
) -> Quantity | None:
    if seen and seen.data:
        return seen.data
    if name in planned and not (seen and seen.operations):
        return planned[name]
    if not disks.get(name):
        return None
    return None if each is None else sum_lines(disks[name], "op/s") * each


def observed_facts(box: Box, processors: int | None, guide: Guide) -> Facts:
    """Return observed facts by subject and id; they replace derived facts.

    Raises InputError for what is reported by names that the guide lacks, or in another form.
    """
    seen = box.observed
    facts: dict[str, dict[str, dict[str, Any]]] = {
        "system": {str(box.name): _of_system(box, processors, guide)},
        REPORTED: {str(box.name): custom_facts_of(box, guide)},
        "network": {
            n.id: _same(n, "large_packets", "concentrator") for n in box.networks or ()
        },
        "slots": {
            bus: {"gaps_without_jumpers": _number(known.gaps_without_jumpers, "slot")}
            for bus, known in box.slots.items()
        },
        "expansion": {
            e.id: {
                **_same(e, "sparse_addressing"), "sparse_boards": _number(e.sparse_boards, "1"),
            }
            for e in box.expansion_boxes
        },
        "channel": {c.id: _same(c, "mirror_detached") for c in box.channels or ()},
        "disk": {d.id: _same(d, "accelerated") for c in box.channels or () for d in c.parts},
        "board": board_facts(box, guide),
        "volume": {v.name: _same(v, "accelerated") for v in box.volumes or ()},
    }  # fmt: skip
    for name, network in seen.networks.items():
        facts["network"].setdefault(name, {}).update(
            utilisation_share=_highest_share(network.utilisation_percent),
            collision_share=_highest_share(network.collisions_percent),
            measured_latency_ms=network.latency_ms,
            sent_kb_per_s=network.sent_kb_per_s,
            received_kb_per_s=network.received_kb_per_s,
            measured_kb_per_s=_highest_data(network),
            measured_ops_per_s=network.ops_per_s and at_end(network.ops_per_s, "high"),
        )
    for name, disk in seen.disks.items():
        ops = [at_end(rate, "high") for rate in disk.operations.values()]
        stated = disk.data_by_kind.values() or filter(None, [disk.kb_per_s])
        kb = [at_end(rate, "high") for rate in stated]
        facts["disk"].setdefault(name, {}).update(
            busy_share=_highest_share(disk.busy_percent),
            measured_ops_per_s=total(ops, "op/s") if ops else None,
            measured_kb_per_s=total(kb, "KB/s") if kb else None,
        )
    return {
        subject: {
            name: {fact: value for fact, value in known.items() if value is not None}
            for name, known in records.items()
        }
        for subject, records in facts.items()
    }


def _highest_data(seen: NetworkObserved) -> Quantity | None:
    """Return the most data in both directions that was measured on a network, in KB/s."""
    if seen.data is not None:
        return at_end(seen.data, "high")
    sent, received = seen.sent_kb_per_s, seen.received_kb_per_s
    if sent is None or received is None:
        return None
    return at_end(sent, "high") + at_end(received, "high")


def _of_system(box: Box, processors: int | None, guide: Guide) -> dict[str, Any]:
    seen, runs = box.observed, box.applications
    kernel = _kernel_time(box, processors, guide)
    processes = seen.processes or Processes.model_construct()
    caches = seen.caches or Caches.model_construct()
    paging = seen.paging or Paging.model_construct()
    swapping = seen.swapping or Swapping.model_construct()
    return {
        **_same(runs, "compiled_for_processor", "very_large_files", "database_on_file_system"),
        "serial_lines": seen.serial_lines,
        "kernel_spin_ms_per_s": kernel and kernel.spin,
        "nfs_writes_limit": seen.nfs and seen.nfs.writes_limit,
        "active_processes": processes.active,
        "busiest_process_share": _share(processes.busiest_percent),
        "descriptors_needed": processes.descriptors,
        "name_cache_hit_share": _share(caches.dnlc_hit_percent),
        "buffer_cache_hit_share": _share(caches.buffer_hit_percent),
        **_same(paging, "page_ins_per_s", "page_outs_per_s"),
        "page_scans_per_s": paging.scans_per_s,
        "swapped_processes": swapping.processes,
        # A range is a variation in time.
        "swap_outs_per_s": swapping.outs_per_s and at_end(swapping.outs_per_s, "high"),
    }


def is_short_of_memory(system: Mapping[str, Any]) -> bool:
    """Return whether these facts of a system show that it swaps, or pages to free memory (1.2.7).

    Page-outs and swapped processes show a shortage only while the kernel scans for pages.
    """
    seen = {name: value.high for name, value in system.items() if isinstance(value, Quantity)}
    moved = seen.get("page_outs_per_s", 0) + seen.get("swapped_processes", 0)
    return seen.get("swap_outs_per_s", 0) > 0 or min(moved, seen.get("page_scans_per_s", 0)) > 0


def _same(source: object, *names: str) -> dict[str, Any]:
    return {name: getattr(source, name) for name in names}


def _highest_share(percent: Quantity | None) -> Quantity | None:
    """Return the high end of a measured share of one part.

    A range of it is a variation in time, not an uncertainty: quiet hours do not make a disk less
    busy in the others (2.4.4).
    """
    return percent and _share(at_end(percent, "high"))


def _share(percent: Quantity | None) -> Quantity | None:
    return None if percent is None else percent.to(units.PURE)


def _number(value: int | None, unit: str) -> Quantity | None:
    return None if value is None else count(value, "as stated", unit)
