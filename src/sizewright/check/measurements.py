"""What to measure of a server: the commands and the lines of the file that decide most rules."""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator
from typing import NamedTuple

from sizewright.check.check import Check
from sizewright.guide.model import REPORTED, SEVERITIES


class Way(NamedTuple):
    """A line on how to find facts (`subject.name`); `loads` are the parts whose load it gives.

    It gives the load only on a server that provides the `service`, if there is one.
    """

    command: str
    facts: frozenset[str]
    loads: tuple[str, ...] = ()
    service: str = ""


def _way(command: str, *facts: str, loads: tuple[str, ...] = (), service: str = "") -> Way:
    """Return a way; each text has a subject and the names of its facts."""
    found = ((subject, names) for subject, *names in map(str.split, facts))
    names = frozenset(f"{s}.{name}" for s, names in found for name in names)
    return Way(command, names, loads, service)


WAYS: tuple[Way, ...] = (
    _way(
        "vmstat -S 60 60 > OUT; sizewright box from-vmstat OUT --box BOX",
        "system processor_share kernel_lock_share page_outs_per_s page_scans_per_s "
        "swap_outs_per_s swapped_processes",
        loads=("processors", "memory"),
    ),
    _way(
        "iostat -x 60 60 > OUT; sizewright box from-iostat OUT --box BOX",
        "disk busy_share operations_per_s demanded_kb_per_s",
        "channel active_disks bus_ms_per_s demanded_kb_per_s",
        "system ide_kb_per_s", "bus demanded_mb_per_s", "enclosure demanded_kb_per_s",
        loads=("disks",),
    ),
    _way(
        "nfsstat -s, twice in 600 s; sizewright box from-nfsstat A B --seconds 600 --box BOX",
        "system nfs_ops_per_s nfs_weighted_ops_per_s nfs_write_share", "network nfs_ops_per_s",
        loads=("networks",), service="nfs",
    ),
    _way(
        "dmesg > OUT; sizewright box from-probe OUT",
        "system memory_mb file_memory_mb processors operating_system drives ide_devices ide_disks "
        "networks disk_adapter_busses inside_disks_on_boards free_slot_busses nvram_accelerator "
        "nvram_bus string_controllers protocol_offload serial_boards_bus backup_device",
        "channel devices family kind width clock_mhz asynchronous_disks same_targets "
        "unusual_targets narrow_devices wide_devices fast_narrow_devices slower_devices",
        "disk dual_ported capacity_mb partitions swap_partitions",
        "slots available used", "network medium interface_kind interface_ops_per_s",
    ),
    _way("vmstat -s > OUT; sizewright box from-vmstat OUT --box BOX",
         "system name_cache_hit_share"),
    _way("netstat -i 60: observed.networks.NAME.collisions_percent", "network collision_share"),
    _way("ps -aux in a peak period: observed.processes.active and busiest_percent",
         "system active_processes busiest_process_share"),
    _way(
        "df: size_mb, full_percent and copies of each of volumes",
        "disk stored_mb file_system_share", "volume size_mb full_share",
        "system stored_mb saved_files_mb free_mb",
    ),
    _way("dkinfo: partitions of each disk, each with start_cylinder, use and heat",
         "disk hot_partitions hot_file_systems zone_inversions"),
    _way("dumpfs (maxcontig and rotdelay): clustered of each of volumes", "volume clustered"),
    _way("Network monitor: observed.networks.NAME.data_kb_per_s and utilisation_percent",
         "network data_kb_per_s utilisation_share", "system stack_kb_per_s",
         loads=("networks",)),
    _way("Network monitor: large_packets of each of networks", "network large_packets"),
    _way("Read the packages installed: list them in software",
         "system online_backup write_gathering volume_manager database_accelerator "
         "clustering_prevented_by"),
    _way("Look at the machine: accelerator, and boards with their slots",
         "system nvram_accelerator nvram_bus free_slot_busses",
         "disk accelerated", "volume accelerated", "board slots_taken in_fitting_slots"),
    _way("Ask what it is for: list it in services (nfs, database, timesharing, …)",
         "system services"),
    _way("Ask which databases it has: list them in databases (or [])",
         "system databases databases_gaining", "volume database"),
    _way("Ask about backups: wanted, at_night_in_use and during_working_hours of backup",
         "system backup_wanted backup_while_in_use backup_hours backup_window_hours",
         "channel backup_while_in_use"),
    _way("Ask the users: fastest_response and keep_medium of each of networks",
         "network fastest_response keep_medium"),
    _way("Count the clients: clients and diskless_clients of each of networks",
         "network clients diskless_clients", "system clients diskless_clients"),
    _way("Ask what is stored: access, activity, layout and copies of each of volumes",
         "disk access", "channel random_disks serial_disks",
         "volume access hot layout copies protection manager copies_share_disk "
         "copies_share_channel use joined_disks interlace_kb mirrored_for shares_disk_with "
         "shares_disk_with_hot"),
    _way("Read the kernel's configuration: maxusers and rr_ticks of tunables",
         "system maxusers rr_ticks"),
    _way("Read the makefiles: compiled_for_processor and many_small_files of applications",
         "system compiled_for_processor many_small_files database_on_file_system shared_writes"),
    _way("Count creates and removes with nfsstat: small_file_ops_per_s of applications",
         "system small_file_share"),
    _way("Add up the operations of each database: database_ops_per_s of applications",
         "system database_disk_share"),
    _way("Look at the cables: cable_m and connector_pairs of each of channels",
         "channel cable_m connector_pairs adapter_in_middle"),
    _way("Count the serial ports in use: serial_lines", "system serial_lines terminal_servers"),
    _way("Look at the backplane: slots.vme.gaps_without_jumpers", "slots gaps_without_jumpers"),
)  # fmt: skip


# The parts whose loads these ways give; memory comes with the processors.
_LOADS = frozenset(load for way in WAYS for load in way.loads) - {"memory"}


class Measurement(NamedTuple):
    """One thing to measure: how, the facts and unknown loads that it gives, and the rules for it.

    It `decides` these rules, given the measurements before it; `helps` are those that need another
    one as well.
    """

    command: str
    facts: tuple[str, ...]
    loads: tuple[str, ...]
    decides: tuple[str, ...]
    helps: tuple[str, ...]


class _Open(NamedTuple):
    """A rule without a verdict, and the facts that are missing for one of its parts."""

    rule: str
    severity: str
    missing: frozenset[str]


def measurements(check: Check) -> tuple[Measurement, ...]:
    """Return what to measure; what settles most, given the ones before it, comes first.

    If there is not enough data for a verdict, the loads that are unknown come before all else. Then
    violations come before recommended limits, these before advice, and this before notes.
    """
    found = (_Open(f.rule, f.severity, frozenset(f.missing)) for f in check.findings)
    unknown = [each for each in dict.fromkeys(found) if each.missing]
    loads = _LOADS.difference(_LOADS if check.has_enough_data else check.loads)
    services = check.box.services
    provided = None if services is None else {"", *map(str, services)}
    ways = [
        way if provided is None or way.service in provided else way._replace(loads=())
        for way in WAYS
    ]
    return tuple(_in_order([*ways, *_reported(unknown)], unknown, loads))


def _in_order(
    left: list[Way], unknown: list[_Open], loads: frozenset[str]
) -> Iterator[Measurement]:
    given: frozenset[str] = frozenset()
    while left := [way for way in left if _helps(way, unknown, loads)]:
        way = max(left, key=lambda each: _worth(each, unknown, given, loads))
        left.remove(way)
        waiting = [f for f in unknown if way.facts.intersection(f.missing)]
        facts = {fact for f in waiting for fact in f.missing if fact in way.facts - given}
        given |= way.facts
        unknown = [f for f in unknown if not given.issuperset(f.missing)]
        yield Measurement(
            way.command, tuple(sorted(facts)), tuple(each for each in way.loads if each in loads),
            _rules(f for f in waiting if given.issuperset(f.missing)),
            _rules(f for f in waiting if not given.issuperset(f.missing)),
        )  # fmt: skip
        loads = loads.difference(way.loads)


def _rules(found: Iterable[_Open]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(each.rule for each in found))


def _reported(unknown: Iterable[_Open]) -> Iterator[Way]:
    """Yield a way for each fact that only the guide has."""
    names = {fact for f in unknown for fact in f.missing if fact.startswith(f"{REPORTED}.")}
    for fact in sorted(names):
        yield Way(f"State {fact.partition('.')[2]} under reported", frozenset((fact,)))


def _helps(way: Way, unknown: Iterable[_Open], loads: Collection[str]) -> bool:
    known = any(way.facts.intersection(f.missing) for f in unknown)
    return known or any(load in loads for load in way.loads)


def _worth(
    way: Way, unknown: Iterable[_Open], given: frozenset[str], loads: Collection[str]
) -> tuple[int, ...]:
    """Return unknown loads given, rules decided by severity, then rules helped by severity."""
    decided: set[tuple[str, str]] = set()
    helped: set[tuple[str, str]] = set()
    for finding in unknown:
        if not way.facts.isdisjoint(finding.missing):
            key = (finding.severity, finding.rule)
            helped.add(key)
            if given.union(way.facts).issuperset(finding.missing):
                decided.add(key)
    counts = [Counter(severity for severity, _ in found) for found in (decided, helped)]
    return (
        sum(load in loads for load in way.loads),
        *(count[severity] for count in counts for severity in SEVERITIES),
    )
