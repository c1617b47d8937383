"""Load that a service of its kind normally has, and that a workload does not state.

What is not stated counts as zero. So a plan may be too small without a word about it, unless its
report says what was left out.
"""

from collections.abc import Collection, Iterator, Mapping
from types import MappingProxyType
from typing import NamedTuple

from sizewright.formula import quantity_text
from sizewright.quantity import Quantity
from sizewright.workload.nfs import NfsService
from sizewright.workload.services import (
    DatabaseService,
    GatewayService,
    MailService,
    MeasuredService,
    PrintService,
    SerialService,
    Service,
    TimesharingService,
)
from sizewright.workload.volume import ESSENTIAL, OWN
from sizewright.workload.work import Serving, Work
from sizewright.workload.workload import Workload


class Omission(NamedTuple):
    """What does not count of a service, a volume or backups, and the keys that state it, if any.

    `typical` is what a guide has for it, with its source; empty if it has nothing.
    """

    subject: str
    what: str
    add: str
    typical: str = ""

    @property
    def is_load(self) -> bool:
        """Return whether a service or its data would have more load if it were stated."""
        return self not in (NO_BACKUPS, NO_SYSTEM_DISK)

    @property
    def is_work(self) -> bool:
        """Return whether it is work that would be done, and not only room that would be needed."""
        return self.is_load and "_mb" not in self.add and "retention" not in self.add


NO_BACKUPS = Omission("backups", "a drive, and the time that a backup takes", "backup")
NO_SYSTEM_DISK = Omission(
    "operating system", "its disk and swap space, for which this guide gives no size",
    "a volume with use: root",
)  # fmt: skip


def find_omissions(
    workload: Workload, system_disk: bool = True, client_mb: Quantity | None = None,
    on_boards: bool = True, typical: Mapping[str, str] = MappingProxyType({}),
) -> Iterator[Omission]:  # fmt: skip
    """Yield what a workload does not state: by service, then volumes, networks and backups.

    Without a `system_disk`, the guide gives no size for the operating system. Each diskless client
    has `client_mb` of disks, in MB/client. Asynchronous lines end `on_boards`, or all of them on
    terminal servers. `typical` is what a guide has, by the key that states it.
    """
    kinds = {type(service) for service in workload.services}
    for service in workload.services:
        if isinstance(service, NfsService):
            if not service.uses:
                yield Omission(service.name, "its operations on disks", "uses: [VOLUME]")
            continue
        if isinstance(service, DatabaseService | TimesharingService | MailService):
            yield from _programs(service)
        elif isinstance(service, MeasuredService) and not service.has_measurement:
            add = "user_processors or kernel_ms_per_s"
            yield Omission(service.name, "processor time of its own programs", add)
        yield from _network(service, kinds)
        for found in _of_its_kind(service, workload):
            yield found._replace(typical=typical.get(found.add, ""))
        if on_boards and _has_untimed_lines(service):
            what = "processor time of lines on boards"
            yield Omission(service.name, what, "kernel_ms_per_s")
    if client_mb is not None and not (workload.wishes and workload.wishes.system_elsewhere):
        yield from _diskless(workload, client_mb)
    yield from _volumes(workload)
    used = {service.network for service in workload.services}
    used |= {workload.backup.over} if workload.backup is not None else set()
    for network in workload.networks:
        if network.name not in used:
            yield Omission(network.name, "any data", "a service on this network")
    if not system_disk and not (workload.wishes and workload.wishes.system_elsewhere):
        yield NO_SYSTEM_DISK
    if workload.backup is None:
        yield NO_BACKUPS
    elif (workload.backup.during_working_hours or workload.backup.at_night_in_use) and not any(
        work.name == "backup" for work in _works(workload)
    ):
        add = "kind: measured, work: name backup, volume, ops_per_s"
        yield Omission("backups", "reads of disks while the system is in use", add)


def _programs(service: Serving) -> Iterator[Omission]:
    """Yield processor time outside of the kernel, and operations on disks."""
    if not service.takes_all_processors and not any(True for _ in service.busy()):
        yield Omission(service.name, "processor time of its own programs", "user_processors")
    if not service.work and not isinstance(service, MailService):
        yield Omission(service.name, "its operations on disks", "work")


# Services whose data comes over a network, unless there are some of which it may come.
_OVER_NETWORK: Mapping[type, Collection[type]] = {
    MailService: (), GatewayService: (), DatabaseService: (), TimesharingService: (SerialService,),
    PrintService: (SerialService, TimesharingService),
}  # fmt: skip


def _network(service: Serving, kinds: Collection[type]) -> Iterator[Omission]:
    """Yield data over a network, unless it may come from other services, of these `kinds`."""
    sends = service.traffic is not None or any(work.returns_mb for work in service.work)
    local = isinstance(service, DatabaseService) and service.front_ends == "here"
    if service.network is not None:
        if not sends:
            yield Omission(service.name, f"data over network {service.network}", "traffic")
    elif not local and not any(kind in kinds for kind in _OVER_NETWORK.get(type(service), kinds)):
        yield Omission(service.name, "data over its network", "network, traffic")


# By kind: fields of which one is to be stated, what does not count without, and what to add.
_KEYS_OF_KIND: Mapping[str, tuple[tuple[tuple[str, ...], str, str], ...]] = {
    "timesharing": ((("memory_mb", "private_mb"), "memory of its sessions", "private_mb"),),
    "batch": (
        (("job_mb", "memory_mb"), "memory of its jobs", "job_mb"),
        (("work",), "its operations on disks", "work"),
    ),
    "mail": ((("message_kb",), "room for kept messages", "message_kb, retention_days"),),
    "paging": ((("volume",), "page faults on disks", "volume"),),
    "serial": ((("bits_per_s",), "data of lines on a terminal server", "bits_per_s"),),
}  # fmt: skip


# What people at terminals work with.
_OF_USERS = DatabaseService | TimesharingService | MeasuredService


def _of_its_kind(service: Service, workload: Workload) -> Iterator[Omission]:
    """Yield what only services of one kind have."""
    for keys, what, add in _KEYS_OF_KIND.get(service.kind, ()):
        if not any(getattr(service, key) for key in keys):
            yield Omission(service.name, what, add)
    if isinstance(service, DatabaseService):
        yield from _log(service, workload)
    elif isinstance(service, PrintService):
        yield from _printing(service, workload)
    elif isinstance(service, SerialService) and service.memory_mb is None:
        users = [each for each in workload.services if isinstance(each, _OF_USERS)]
        add = "a timesharing service, or memory_mb: 0"
        yield from () if users else [Omission(service.name, "sessions of people at its lines", add)]


def _has_untimed_lines(service: Service) -> bool:
    """Return whether terminals, modems or printers end on ports of boards, as far as is stated."""
    if not isinstance(service, PrintService | SerialService) or service.kernel_ms_per_s:
        return False
    printers = service.printers if isinstance(service, PrintService) else ()
    return not printers or any(each.attached in ("serial", "parallel") for each in printers)


def _printing(service: PrintService, workload: Workload) -> Iterator[Omission]:
    """Yield jobs that wait on disks, and what it takes to draw pages on the server."""
    if not any(work.volume == service.spool for work in service.work):
        add = "work" if service.spool else "spool, work"
        yield Omission(service.name, "waiting jobs on disks", add)
    elif not any(
        work.volume == service.spool and work.operation == "read" for work in _works(workload)
    ):
        what = f"jobs read back from {service.spool}"
        yield Omission(service.name, what, f"work: volume {service.spool}, operation read")
    if any(each.attached == "scsi" for each in service.printers):
        add = "no key; keep targets free"
        yield Omission(service.name, "targets and data of SCSI printers", add)
    drawn = [each for each in service.printers if each.rasterising]
    if any(each.raster_mb is None for each in drawn):
        yield Omission(service.name, "memory for pages that the server draws", "raster_mb")
    if any(each.raster_processors is None for each in drawn):
        what = "processor time for pages that the server draws"
        yield Omission(service.name, what, "raster_processors")


def _works(workload: Workload) -> Iterator[Work]:
    """Yield the work of all services on disks."""
    for service in workload.services:
        if isinstance(service, Serving):
            yield from service.work


def _log(service: DatabaseService, workload: Workload) -> Iterator[Omission]:
    """Yield the log of a database that writes, and what is written on it."""
    if service.log is None:
        if any(work.operation != "read" for work in service.work):
            yield Omission(service.name, "its log", "log: VOLUME, and work that writes on it")
        return
    works = _works(workload)
    if not any(work.volume == service.log and work.operation != "read" for work in works):
        add = f"work: volume {service.log}, operation write"
        yield Omission(service.name, f"writes on its log (volume {service.log})", add)


def _diskless(workload: Workload, client_mb: Quantity) -> Iterator[Omission]:
    """Yield roots and swap space of diskless clients, if the volumes they use have no room for it.

    A service without volumes gets one for them.
    """
    kept = {each.name: each.size_mb.high for each in workload.volumes if not each.read_only}
    alike: dict[str, list[NfsService]] = {}
    for service in workload.services:
        if isinstance(service, NfsService) and service.diskless:
            alike.setdefault(service.same_clients_as or service.name, []).append(service)
    for services in alike.values():
        needed = services[0].clients * client_mb
        used = {name for service in services for name in service.volumes}
        room = sum(kept.get(name, 0) for name in used)
        if all(service.uses for service in services) and needed.low > room:
            size, lacking = (
                quantity_text(mb, needed.unit) for mb in (needed.low, needed.low - room)
            )
            of = f"{lacking} of {size}" if room else size
            what = f"{of} for roots and swap space of its diskless clients"
            yield Omission(services[0].name, what, "a volume for them, in uses")


def _volumes(workload: Workload) -> Iterator[Omission]:
    """Yield volumes that no service uses, and those that stay as large while rates grow.

    A volume that is stated to be cold is in no use.
    """
    used = {name for service in workload.services for name in service.volumes}
    for volume in workload.volumes:
        own = volume.use in OWN
        if volume.name not in used and volume.activity != "cold" and not own:
            add = "a service that uses it, or activity: cold"
            yield Omission(volume.name, "any reads and writes", add)
    growth = workload.growth
    if growth is None or growth.percent.high <= 0:
        return
    add = "growth_mb_per_year" if growth.years else "years, growth_mb_per_year"
    for volume in workload.volumes:
        constant = volume.read_only or volume.use in ESSENTIAL
        if volume.growth_mb_per_year is None and not constant:
            yield Omission(volume.name, "growth of its data", add)
