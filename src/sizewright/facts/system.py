"""The facts of a system as a whole."""

from collections import Counter
from collections.abc import Collection, Sequence
from typing import Any

from sizewright.configuration.model import CONTROLLER, DISK, System
from sizewright.configuration.slots import SlotGroup, measured_boards
from sizewright.demand.rates import Known, sum_lines
from sizewright.demand.usage import UsageProfile
from sizewright.facts.boards import stack_facts
from sizewright.facts.records import SystemFacts
from sizewright.facts.storage import attached_facts
from sizewright.guide.model import UNKNOWN, Guide, Row, cells, rated_platforms
from sizewright.load.backup import backup_on, saved_files
from sizewright.load.cpu_load import interfaces_of
from sizewright.load.lines import OPTIONS, is_on_network
from sizewright.load.model import Load, NfsCapacity, processor_second, stretch
from sizewright.load.network_traffic import OFFLOADING
from sizewright.quantity import Quantity, as_quantity, ceil, count, largest, smallest, total
from sizewright.setup import installation
from sizewright.units import PURE
from sizewright.workload.volume import BACKUP_INDEX

_TUNABLES = ("maxusers", "rr_ticks")
# Facts that are values of the usage, under the same names.
_OF_USAGE = (
    "services", "many_small_files", "shared_writes", "clients", "diskless_clients", "nfs_ops_per_s",
    "nfs_weighted_ops_per_s", "nfs_write_share", "stored_mb", "database_on_file_system",
)  # fmt: skip


def machine_facts(
    usage: UsageProfile,
    platform: Row,
    processors: int | None,
    operating_system: str,
    memory: Known,
    guide: Guide,
    nfsd: Quantity | None = None,
) -> dict[str, Any]:
    """Return the facts of a system that depend on its usage, platform and operating system.

    `memory` are the lines of the memory that it needs, in MB; `nfsd` is the number it starts.
    """
    backup = usage.backup
    return {
        **{name: getattr(usage, name) for name in _OF_USAGE},
        **_platform_facts(platform, guide),
        "processors": count(processors, "processors") if processors else None,
        "processors_wanted": processors_wanted(usage, platform),
        "saved_files_mb": saved_files(usage),
        "controller_may_fail": None if usage.may_fail is None else CONTROLLER in usage.may_fail,
        "kernel_locks": guide.row("operating-systems", operating_system).cell("kernel_locks"),
        "operating_system": operating_system or None,
        "active_processes": sum_lines(installation.processes(usage, platform, guide, nfsd), PURE),
        "memory_needed_mb": sum_lines(memory, "MB"),
        **_database_facts(usage.databases, guide),
        "nfs_load_share": _nfs_load_share(usage, platform, guide),
        "small_file_share": _share_of_disk(usage.small_file_ops_per_s, guide),
        "database_disk_share": _share_of_disk(usage.database_ops_per_s, guide),
        "backup_wanted": backup and backup.wanted,
        "backup_while_in_use": backup and backup.while_in_use,
        "backup_window_hours": backup.window if backup and backup.wanted else None,
    }


def _nfs_load_share(usage: UsageProfile, platform: Row, guide: Guide) -> Quantity | None:
    """Return the NFS load as a share of what the platform serves over all its networks."""
    rated = rated_platforms(guide).get(platform.id)
    ops = usage.nfs_weighted_ops_per_s
    return None if rated is None or ops is None else ops / rated.require("maximum_ops_per_s")


def _share_of_disk(ops_per_s: Quantity | None, guide: Guide) -> Quantity | None:
    """Return operations as a share of what the fastest disk sustains at random (2.4.4)."""
    rates = list(cells(guide.table("disks"), "random_ops_per_s_at_65_percent"))
    return ops_per_s / max(rates, key=lambda r: r.likely) if ops_per_s and rates else None


def _others_sustain_more(platform: Row, guide: Guide) -> bool | None:
    """Return whether a platform that is sold sustains more NFS; None if this one is not rated."""
    rated = rated_platforms(guide)

    def sustained(other: Row) -> float | None:
        most = rated[other.id].cell("sustained_ops_per_s") if other.id in rated else None
        return None if most is None else most.high

    own = sustained(platform)
    if own is None:
        return None
    others = (sustained(each) for each in guide.table("platforms") if each.flag("orderable"))
    return any(most is not None and most > own for most in others)


def _platform_facts(platform: Row, guide: Guide) -> dict[str, Any]:
    """Return the facts of a platform; none if it is unknown."""
    if platform.id == UNKNOWN:
        return {}
    chip = guide.row("processors", platform.text("processor"))
    maps = guide.row("mmu", platform.text("mmu"))
    tested = guide.table("benchmark-configurations").by("platform").get((platform.id,), ())
    counts = platform.list("processor_counts") or (1,)
    return {
        "platform": platform.id,
        "desktop": platform.flag("desktop"),
        "architecture_version": chip.cell("architecture_version"),
        "mmu_kind": maps.text("mmu_type") or None,
        "mmu_contexts": maps.cell("contexts"),
        "fewest_processors": count(min(counts), "fewest"),
        "most_processors": count(max(counts), "most processors"),
        "onboard_memory_limit_mb": platform.cell("onboard_memory_limit_mb"),
        "memory_increment_mb": platform.cell("memory_increment_mb"),
        "expansion_memory_slower_percent": _slower_memory(platform, guide),
        "rated_memory_mb": tested[0].cell("memory_mb") if tested else None,
        "serial_boards_bus": _serial_boards_bus(platform, guide),
        "others_sustain_more": _others_sustain_more(platform, guide),
    }


def _slower_memory(platform: Row, guide: Guide) -> Quantity | None:
    """Return how much slower memory on expansion boards is, in percent; None if not stated."""
    boards = (guide.row("memory-boards", name) for name in platform.list("memory_boards"))
    known = tuple(cells(boards, "slower_than_onboard_percent"))
    return largest(*known) if known else None


def _database_facts(databases: tuple[str, ...] | None, guide: Guide) -> dict[str, Any]:
    """Return the database managers, and those that gain from a kernel adapted to them."""
    if databases is None:
        return {}
    tuning = [row for row in guide.table("software") if row.text("kind") == "database_tuning"]
    gaining = {name for row in tuning for name in row.list("users")}
    return {
        "databases": databases,
        "databases_gaining": tuple(name for name in databases if name in gaining),
    }


def _boards_missing(system: System, guide: Guide) -> Quantity | None:
    """Return how many of the processors are missing that the platform's load was measured with."""
    wanted = Counter(measured_boards(guide, system.platform))
    missing = wanted - Counter(board.model for board in system.boards)
    what = "processors fewer than its load was measured with"
    return count(missing.total(), what) if wanted else None


def processors_wanted(usage: UsageProfile, platform: Row) -> Quantity | None:
    """Return one for the kernel and whole ones for other work.

    It may be more than the platform is sold with, unless work of low priority asks for them, or
    work that takes all processors.
    """
    uses, speed = (usage.user_processors, usage.needed_processors), platform.cell("mips")
    busy, needed = (None if use is None else use.on(speed) for use in uses)
    if busy is None or needed is None or usage.takes_all_processors is None:
        return None
    if platform.id == UNKNOWN:
        return None
    most = count(max(platform.list("processor_counts") or (1,)), "most processors")
    if usage.takes_all_processors:
        return most
    kernel = count(1, "one processor in the kernel")
    return largest(kernel + ceil(needed), smallest(most, kernel + ceil(busy)))


def _serial_boards_bus(platform: Row, guide: Guide) -> str | None:
    """Return the bus of the preferred boards for serial lines, "" if none; None without a table."""
    rows = guide.tables.get("serial-line-options")
    if rows is None:
        return None
    preferred = (r.text("attaches_to") for r in rows if platform.id in r.list("preferred_on"))
    return next(preferred, "")


def nfs_facts(
    capacity: NfsCapacity | None, networks: int, interface_kinds: Collection[str | None]
) -> dict[str, Any]:
    """Return the facts of a system that depend on its networks."""
    return {
        "networks": count(networks, "networks attached"),
        "nfs_networks": capacity.networks if capacity else None,
        "required_networks": capacity.required_networks if capacity else None,
        "nfs_maximum_ops_per_s": capacity.maximum if capacity else None,
        "nfs_rated_ops_per_s": capacity.rated if capacity else None,
        "nfs_sustained_ops_per_s": capacity.sustained if capacity else None,
        "interfaces_ops_per_s": capacity.in_sum if capacity else None,
        "over_networks_ops_per_s": capacity.over_networks if capacity else None,
        # None is an unknown kind.
        "protocol_offload": OFFLOADING in interface_kinds
        or (None if None in interface_kinds else False),
    }


def memory_facts(platform: Row, memory_mb: float | Quantity, needed: Known) -> dict[str, Any]:
    """Return the facts of a system's memory; a range leaves open which boards it is on.

    Of what is `needed`, services other than file service have the lines that grow with the load.
    """
    whole = (
        memory_mb if isinstance(memory_mb, Quantity)
        else count(memory_mb, "memory installed", "MB")
    )  # fmt: skip
    programs = sum_lines(tuple(line for line in needed or () if line.grows) or None, "MB")
    known = {"memory_mb": whole, "file_memory_mb": whole - programs if programs else whole}
    if isinstance(memory_mb, Quantity) or platform.id == UNKNOWN:
        return known
    onboard = platform.cell("onboard_memory_limit_mb")
    beyond = max(0.0, memory_mb - onboard.likely) if onboard else 0.0
    step = platform.number("memory_increment_mb")
    return known | {
        "memory_in_steps": memory_mb % step == 0 if step > 0 else None,
        "expansion_memory_mb": count(beyond, "memory on expansion boards", "MB"),
    }


def system_facts(
    system: System, groups: Sequence[SlotGroup], load: Load, guide: Guide
) -> SystemFacts:
    """Return all facts of a system."""
    usage, platform = load.usage, guide.row("platforms", system.platform)
    facts = machine_facts(
        usage, platform, system.processors, system.operating_system, load.memory, guide,
        system.tunables.get("nfsd"),
    )  # fmt: skip
    if system.memory_mb is not None:
        facts |= memory_facts(platform, system.memory_mb, load.memory)
    if system.expansion_memory_mb is not None:
        facts["expansion_memory_mb"] = count(
            system.expansion_memory_mb, "memory on expansion boards", "MB"
        )
    if "ports" not in system.unstated:
        interfaces = interfaces_of(system, guide)
        kinds = {None if row.id == UNKNOWN else row.text("interface_kind") for row in interfaces}
        facts |= nfs_facts(load.nfs_capacity, len(system.ports), kinds)
        data = (sum_lines(load.data.get(port.id), "KB/s") for port in system.ports)
        facts |= stack_facts(zip(interfaces, data, strict=True), guide)
    servers = (guide.row(OPTIONS, name) for name in system.beside)
    facts["terminal_servers"] = count(
        len([row for row in servers if is_on_network(row, guide)]), "terminal servers"
    )
    if system.serial_lines is not None:
        facts["serial_lines"] = count(system.serial_lines, "serial lines on boards", "line")
    facts["nfs_sustained_share"] = _sustained_share(load)
    # A system without services is idle; of any other, time that is not stated is unknown.
    none = () if usage.services == () else None
    facts |= time_shares(load.kernel_lock or none, load.processors or none, system.processors)
    facts["kernel_time_complete"] = None if load.untimed_kernel else True
    facts["processor_time_complete"] = None if load.untimed else True
    facts |= _storage_facts(usage, system, platform, guide)
    if not {"channels", "devices"} & system.unstated:
        facts |= attached_facts(system, load, guide)
    facts["backup_index_mb"] = _backup_index_mb(usage, system, guide)
    run = backup_on(load, system, guide)
    facts["backup_hours"] = run and run.full_hours
    facts |= _software_facts(system, guide)
    if "boards" not in system.unstated:
        facts["free_slot_busses"] = _free_slot_busses(groups, guide)
        facts["rated_boards_missing"] = _boards_missing(system, guide)
    facts |= {name: system.tunables.get(name) for name in _TUNABLES}
    advised = installation.maxusers(system.memory_mb, usage, guide)
    own = facts["maxusers"]
    is_set = advised is not None and own is not None and own.low >= advised.high
    # What is set already is no advice.
    facts["maxusers_advised"] = None if is_set else advised
    facts["name_cache_entries"] = installation.name_cache_entries(facts["maxusers"], guide)
    return SystemFacts(id=system.id, **facts)


def _backup_index_mb(usage: UsageProfile, system: System, guide: Guide) -> Quantity | None:
    """Return what indexes of backup software take, by the files that are saved (1.2.9.3).

    It is 0 if a volume is for them.
    """
    files = saved_files(usage)
    if "software" in system.unstated or files is None:
        return None
    if any(volume.use == BACKUP_INDEX for volume in usage.volumes.values()):
        return as_quantity(0, "MB")
    rows = (guide.row("software", name) for name in system.software)
    shares = cells(rows, "index_space_percent", PURE)
    return total((share * files for share in shares), "MB")


def _free_slot_busses(groups: Sequence[SlotGroup], guide: Guide) -> tuple[str, ...] | None:
    """Return the busses with a free slot for any board; None if no slots are known.

    Groups of other slots have longer names.
    """
    if not groups:
        return None
    busses = {row.text("bus") for row in guide.table("platform-slots")}
    return tuple(g.name for g in groups if g.name in busses and g.free > 0)


def _sustained_share(load: Load) -> Quantity | None:
    """Return what a system that serves NFS sustains, as a part of what it is rated for."""
    served, capacity = sum_lines(load.nfs or None, "op/s"), load.nfs_capacity
    if served is None or served.high <= 0 or capacity is None:
        return None
    return capacity.sustained_share


def time_shares(kernel: Known, whole: Known, processors: int | None) -> dict[str, Quantity | None]:
    """Return the shares of one lock's and of all processors' time, by lines in ms/s."""
    lock = sum_lines(kernel, "ms/s")
    time = sum_lines(whole, "ms/s")
    locked = lock / processor_second() if lock else None
    busy = time / processor_second(processors) if time and processors else None
    return {
        "kernel_lock_share": locked,
        "kernel_lock_stretch": stretch(locked) if locked else None,
        "processor_share": busy,
        "processor_stretch": stretch(busy, processors or 1) if busy else None,
    }


def _storage_facts(
    usage: UsageProfile, system: System, platform: Row, guide: Guide
) -> dict[str, Any]:
    facts: dict[str, Any] = {}
    if "channels" not in system.unstated:
        elsewhere = bool(usage.backup and usage.backup.over)
        attached = elsewhere or any(
            d.kind != DISK and d.purpose == "backup" for d in system.devices()
        )
        stated = "devices" not in system.unstated
        known = stated and all(device.model != UNKNOWN for device in system.devices())
        facts["backup_device"] = attached or (False if known else None)
        if stated:
            ports = [disk.dual_ported for disk in system.disks()]
            facts["shares_disks"] = True if any(ports) else None if None in ports else False
            bus = platform.text("builtin_io_bus")
            facts["disk_adapter_busses"] = _adapter_busses(system, bus)
            facts["inside_disks_on_boards"] = _on_boards(system, platform.list("internal_disks"))
    if "accelerator" not in system.unstated:
        facts["nvram_accelerator"] = bool(system.accelerator)
        facts["nvram_bus"] = guide.row("nvram-accelerators", system.accelerator).text("bus")
    return facts


def _on_boards(system: System, inside: Sequence[str]) -> tuple[str, ...] | None:
    """Return the models of disks, of some, on boards; None if an adapter or a model is unknown."""
    boards = {board.id for board in system.boards}
    disks = [
        (channel.provider, device.model)
        for channel in system.channels
        for device in channel.devices
        if device.kind == DISK
    ]
    if not all(provider and model != UNKNOWN for provider, model in disks):
        return None
    return tuple(sorted({model for by, model in disks if by in boards and model in inside}))


def _adapter_busses(system: System, builtin: str) -> tuple[str, ...] | None:
    """Return the busses of the disks' adapters; None if an adapter, or its bus, is unknown."""
    busses = {board.id: board.bus for board in system.boards}
    providers = {
        channel.provider
        for channel in system.channels
        if any(d.kind == DISK for d in channel.devices)
    }
    found = {busses.get(provider, builtin) for provider in providers}
    return tuple(sorted(found)) if all(providers) and all(found) else None


def _software_facts(system: System, guide: Guide) -> dict[str, Any]:
    """Return what the installed software does; nothing if it is not stated."""
    facts: dict[str, Any] = {}
    if "software" in system.unstated:
        return facts
    rows = [guide.row("software", name) for name in system.software]
    kinds = {row.text("kind") for row in rows}
    facts |= {
        "volume_manager": "volume_manager" in kinds,
        "online_backup": "online_backup" in kinds,
        "write_gathering": "write_gathering_nfs" in kinds,
        "database_accelerator": "database_tuning" in kinds,
    }
    suspects = [row for row in rows if row.list("replaces_clustering_on")]
    if system.operating_system or not suspects:
        facts["clustering_prevented_by"] = tuple(
            row.id for row in suspects
            if system.operating_system in row.list("replaces_clustering_on")
        )  # fmt: skip
    if system.operating_system:
        runs = guide.row("operating-systems", system.operating_system)
        known = cells((*rows, runs), "file_descriptors")
        facts["descriptors_limit"] = max(known, key=lambda cell: cell.high, default=None)
    return facts
