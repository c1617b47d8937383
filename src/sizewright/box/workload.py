"""A workload file from an existing server: what it was observed to do, for a plan of its successor.

What is not known is left out, with a remark above its place. Operations and kernel time that a plan
counts with NFS service are not stated again.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping
from functools import cached_property
from math import fsum, isclose
from typing import Any, NamedTuple

from sizewright.box.drafted import (
    Plain,
    drafted_demand,
    drafted_networks,
    drafted_traffic,
    most,
    operations_on_disks,
    streams_of_files,
)
from sizewright.box.measurements import is_short_of_memory
from sizewright.box.names import with_ids
from sizewright.box.reading import Known, known_of
from sizewright.box.schema import Box, BoxVolume
from sizewright.box.successor import (
    Files,
    access_of,
    diskless_share,
    divided_files,
    planned_mix,
    room_for,
    stored_volumes,
    volumes_in_use,
)
from sizewright.demand.rates import LOG, READ, WRITE, LineItem
from sizewright.errors import InputError
from sizewright.guide.model import UNKNOWN, Guide
from sizewright.importers.formats import tidy
from sizewright.limits import WRITTEN_ROUNDING
from sizewright.load.cpu_load import cpu_load
from sizewright.load.measured import READS, WRITES, derive_busiest, derive_peak
from sizewright.load.model import Load, processor_second
from sizewright.quantity import Quantity
from sizewright.schema.model import SourcedModel
from sizewright.workload.volume import SWAP
from sizewright.workload.workload import Backup
from sizewright.yaml_text import Path, remark, yaml_lines

_MEASURED = "measured"
# A write at random changes what it has read.
_UPDATE = "update"
_BACKUP = frozenset(Backup.model_fields) - frozenset(SourcedModel.model_fields)


class DraftedWorkload(NamedTuple):
    """A workload file as plain data, with remarks by their places, and what it does not count."""

    data: Plain
    remarks: Mapping[Path, tuple[str, ...]]
    missing: tuple[str, ...]

    def text(self) -> str:
        """Return the file."""
        lines = list(yaml_lines(self.data, self.remarks))
        if self.missing:
            lines += ["", remark("Not counted:"), *(remark(f"  {each}") for each in self.missing)]
        return "\n".join(lines) + "\n"


def draft_workload(box: Box, guide: Guide) -> DraftedWorkload:
    """Return the workload of a server; raises InputError for a box that cannot be understood."""
    box = with_ids(box, guide)
    known = known_of(box, guide)
    stated = (known.measured, known.usage, known.system, guide, known.moments)
    writer = _Writer(box, known, derive_peak(*stated), derive_busiest(*stated), guide)
    writer.write()
    return DraftedWorkload(writer.data, writer.remarks, tuple(dict.fromkeys(writer.missing)))


class _Operations(NamedTuple):
    """Operations of a kind on one disk; `apart` if they are known not to be writes.

    They are `of_nfs` if they follow from NFS operations, which a plan counts with those. The
    `service` is stated in a plan.
    """

    kind: str
    rate: float
    kb_per_s: float
    apart: bool = True
    of_nfs: bool = False
    service: str = ""


class _Writer:
    """Writes a workload, one key after the other, with remarks on what is not known."""

    def __init__(self, box: Box, known: Known, load: Load, busiest: Load, guide: Guide) -> None:
        self.box, self.known, self.load, self.guide = box, known, load, guide
        # Disks that are busiest at different moments do not add up.
        self.busiest = busiest
        self.nfs_alone = known.usage.services == ("nfs",)
        self.nfs_services = frozenset(box.load.nfs or ())
        self.data: Plain = {"name": str(box.name), "guide": guide.id}
        self.remarks: dict[Path, tuple[str, ...]] = {}
        self.missing: list[str] = []

    def write(self) -> None:
        self.data["networks"] = list(drafted_networks(self.box, self.guide))
        volumes = list(self._volumes())
        if volumes:
            self.data["volumes"] = volumes
        self.data["services"] = list(self._nfs())
        measured = self._measured()
        own: Plain = {"kind": _MEASURED, "name": _MEASURED, **measured}
        if not self.nfs_alone:
            self.data["services"] += drafted_traffic(self.box, self.load, self.data, self.guide)
        kernel = self._kernel_rest(own)
        if measured or kernel is not None or not self.data["services"]:
            if kernel is not None:
                own["kernel_ms_per_s"] = kernel
            if kernel is not None or own.get("user_processors"):
                own["measured_on"] = self.known.system.platform
            if "memory_mb" in own and self._is_short:
                what = "memory_mb: a lower bound, because the server was short of memory"
                at = ("services", len(self.data["services"]))
                self._say(at, what, "memory: state what the programs need, above memory_mb")
            self.data["services"].append(own)
        self.missing += [*self._beyond_nfs(), *self._peaks(), *self._paging(), *self._lines()]
        self._stated_terms()

    def _stated_terms(self) -> None:
        """Write the backup that the box states. Growth has no end there, and remains to be stated.

        A server without backups needs none to be stated.
        """
        grows, backup = self.box.growth, self.box.backup
        percent = f"percent: {_plain(grows.percent)}" if grows is not None else "percent"
        self.missing.append(f"growth: state growth with {percent} and years")
        if backup is None:
            self.missing.append("backups: state backup")
        elif backup.wanted:
            self.data["backup"] = {
                key: _plain(value) if isinstance(value, Quantity) else value
                for key, value in backup
                if key in _BACKUP and value is not None
            }
            if backup.over is not None:
                names = {network.id: str(network.name) for network in self.box.networks or ()}
                self.data["backup"]["over"] = names[backup.over]

    def _beyond_nfs(self) -> Iterator[str]:
        """Yield the operations on disks that NFS does not explain, if it is the only service."""
        if self.nfs_alone and (streams := streams_of_files(self.data, self.guide)):
            seen = fsum(rate for rate, _ in self._rates.values())
            of_files = fsum(operations_on_disks(streams).values())
            if seen > of_files * (1 + WRITTEN_ROUNDING):
                yield f"disks: {tidy(seen)} op/s were measured; {tidy(of_files)} of NFS are counted"

    def _peaks(self) -> Iterator[str]:
        """Yield the disks that are busier at another moment than all disks together."""
        for disk, lines in self.load.disks.items():
            now = most(self.busiest.disks.get(disk) or ())
            if lines and most(lines) > now:
                highest = tidy(most(lines))
                yield f"disk {disk} at its own peak: {highest} op/s; {tidy(now)} are counted"

    def _paging(self) -> Iterator[str]:
        """Yield the disks whose operations are those of data and of swap space together."""
        for disk in dict.fromkeys(disk for volume in self._stored for disk in volume.disks):
            now, busy = most(self.busiest.disks.get(disk) or ()), self._busy(disk)
            if now and len(busy) > 1 and any(volume.use == SWAP for volume in busy):
                names = ", ".join(str(volume.name) for volume in busy)
                each = f"each has an equal part of {tidy(now)} op/s"
                yield f"disk {disk}: state the operations of each of {names}; {each}"

    def _lines(self) -> Iterator[str]:
        """Yield the lines, of which a draft does not state who uses them."""
        if wide := self.box.wide_lines:
            names = ", ".join(str(line.name) for line in wide)
            yield f"lines: state a gateway service with {names}"
        if self.box.serial_lines:
            yield f"lines: state a service with {self.box.serial_lines} serial lines"

    def _say(self, path: Path, text: str, missing: str = "") -> None:
        """Add a remark above a place, and what is `missing` there to the list at the end."""
        self.remarks[path] = (*self.remarks.get(path, ()), text)
        self.missing += [missing] if missing else []

    def _volumes(self) -> Iterator[Plain]:
        sizes = self.known.measured.sizes
        busy = {name for _, _, name, _ in self._rates}
        for number, volume in enumerate(self._stored):
            name = str(volume.name)
            found: Plain = {"name": name}
            size = sizes.get(name, volume.size_mb)
            use = self.known.usage.volumes.get(name)
            access = volume.access or (use.access if use else None) or access_of(volume, self.box)
            room = room_for(volume, self._stored, sizes, self.known.system, self.guide)
            if size is None and room is not None:
                found["size_mb"] = room
                what = "size_mb: what its disks hold, because the box file does not state it"
                self._say(("volumes", number), what, f"volume {name}: state its size_mb")
            for key, value in (("size_mb", size and _plain(size)), ("access", access)):
                if value is not None:
                    found[key] = value
                elif key not in found:
                    what = f"{key}: the box file does not state it"
                    self._say(("volumes", number), what, f"volume {name}: state its {key}")
            if len(volume.copies) > 1 or volume.protection == "mirror":
                found["protection"] = "mirror"
            # Whether data with a known load is hot follows from the load, which may grow.
            if volume.activity == "hot" or (volume.activity is not None and name not in busy):
                found["activity"] = volume.activity
            if volume.use is not None:
                found["use"] = volume.use
            if (grows := volume.growth_mb_per_year) is not None:
                # A workload takes it only with a horizon, which a box has not.
                stated = f"growth_mb_per_year: {_plain(grows)}"
                missing = f"volume {name}: state {stated} with growth"
                self._say(("volumes", number), f"{stated} in the box file", missing)
            for key in ("cached_mb", "saved_mb"):
                part = getattr(volume, key)
                if part is not None and size is not None:
                    found[key] = _plain(part)
            yield found

    @cached_property
    def _stored(self) -> tuple[BoxVolume, ...]:
        return stored_volumes(self.box, self.load.disks)

    @cached_property
    def _rates(self) -> Mapping[tuple[bool, str, str, str], tuple[float, float]]:
        """Operations and kilobytes a second, by of_nfs, service, volume and kind of operation."""
        rates, moved = defaultdict[Any, float](float), defaultdict[Any, float](float)
        for disk, lines in sorted(self.busiest.disks.items()):
            for each in self._operations(disk, lines or ()):
                takers = list(self._takers(disk, each))
                for volume in takers:
                    kind = WRITE if volume.use == LOG else each.kind
                    # Every copy has all writes, and its part of the reads.
                    copies = 1 if kind == READ else max(1, len(volume.copies))
                    key = each.of_nfs, each.service, str(volume.name), kind
                    rates[key] += each.rate / (len(takers) * copies)
                    moved[key] += each.kb_per_s / (len(takers) * copies)
        return {key: (rate, moved[key]) for key, rate in rates.items() if rate > 0}

    @cached_property
    def _nfs_is_apart(self) -> bool:
        """Whether it is known which operations on disks follow from NFS."""
        return self.nfs_alone or bool(self.nfs_services and self.known.measured.asked)

    def _rates_of_nfs(
        self, services: Collection[str], apart: bool = True
    ) -> Iterator[tuple[str, str, float]]:
        """Yield operations a second that follow from NFS, of some services or of all.

        They are by volume and kind. If NFS is not known `apart`, they are all operations.
        """
        for (of_nfs, service, volume, kind), (rate, _) in self._rates.items():
            if not apart or (of_nfs and service in (services or {service})):
                yield volume, kind, rate

    @cached_property
    def _work(self) -> list[Plain]:
        """The operations of programs on each volume, an even share of those on its disks.

        They are without those that a plan counts with NFS service.
        """
        streams = () if self._nfs_is_apart else streams_of_files(self.data, self.guide)
        of_files = operations_on_disks(streams)
        rates = defaultdict[Any, list[tuple[float, float]]](list)
        for (of_nfs, _, *key), each in self._rates.items():
            if not of_nfs:
                rates[tuple(key)].append(each)
        found = []
        for name in (str(volume.name) for volume in self._stored):
            for kind in (READ, _UPDATE, WRITE):
                if (name, kind) not in rates:
                    continue
                rate, moved = (fsum(each) for each in zip(*rates[name, kind], strict=True))
                rest = rate - of_files.get((name, READ if kind == READ else WRITE), 0)
                if rest <= 0:
                    continue
                work: Plain = {"name": f"{name}-{kind}s", "volume": name}
                work |= {"operation": kind, "ops_per_s": tidy(rest)}
                found.append(work | ({"block_kb": tidy(moved / rate)} if moved else {}))
        return found

    def _operations(self, disk: str, lines: Iterable[LineItem]) -> Iterator[_Operations]:
        """Yield the kinds of operations on a disk: as a plan states them, else as measured."""
        asked = self.busiest.asked.get(disk)
        if disk in self.known.measured.asked:
            for each in asked or ():
                of_nfs = self.nfs_alone or each.service in self.nfs_services
                yield _Operations(
                    each.operation, each.rate.high, each.kb_per_s.high, of_nfs=of_nfs,
                    service=each.service,
                )  # fmt: skip
            return
        moved = {each.service: each.kb_per_s.high for each in asked or ()}
        for line in lines:
            # What was not measured apart counts as reads.
            kind, apart = _UPDATE if line.name == WRITES else READ, line.name == READS
            yield _Operations(
                kind, line.figure.high, moved.get(line.name, 0), apart, self.nfs_alone
            )

    def _takers(self, disk: str, operations: _Operations) -> Iterator[BoxVolume]:
        """Yield the volumes that may have operations on a disk, and no reads of logs if known."""
        busy = self._busy(disk)
        data = [volume for volume in busy if volume.use != LOG] or busy
        yield from data if operations.apart and operations.kind != WRITE else busy

    def _busy(self, disk: str) -> list[BoxVolume]:
        there = [volume for volume in self._stored if disk in volume.disks]
        return volumes_in_use(there, self._is_short)

    @cached_property
    def _is_short(self) -> bool:
        return any(map(is_short_of_memory, self.known.observed["system"].values()))

    def _nfs(self) -> Iterator[Plain]:
        ops = self.known.usage.nfs_ops_per_s
        if "nfs" not in (self.known.usage.services or ()) and not (ops and ops.high):
            return
        networks = self.data["networks"]
        if not networks:
            networks.append({"name": "network"})
            self._say(("networks",), "the box file states no network")
        rate = ops.high if ops is not None else None
        divided = divided_files(self.box, self.known.usage)
        whole = Files(str(networks[0]["name"]), rate, self.known.usage.clients)
        for number, files in enumerate(divided or [whole]):
            name = f"nfs-{files.network}" if len(divided) > 1 else "nfs"
            yield self._of_files({"kind": "nfs", "name": name}, files, ("services", number))
        if not divided and len(networks) > 1:
            what = "network: all of it is on the first; the box file does not divide it"
            self._say(("services", 0), what, "nfs: divide its clients over the networks")

    def _of_files(self, found: Plain, files: Files, at: Path) -> Plain:
        ops, clients, seen = files.ops, files.clients, self.box.observed.nfs
        if clients is None or clients.low < 1:
            what = "clients: 1, because their number is not stated"
            self._say(at, what, "nfs: state its clients")
            count = 1
        else:
            count = round(clients.high)
        found["clients"] = count
        diskless = diskless_share(files.network, self.box, self.known.usage)
        if diskless >= 1:
            found["diskless"] = True
        elif diskless > 0:
            what = f"diskless: only some of its clients, {tidy(diskless * count)} of {count}"
            self._say(at, what, "nfs: state its diskless clients as a service of their own")
        if ops is None:
            self._say(at, "load: measure NFS operations with nfsstat -s", "nfs: state its load")
        else:
            found["load"] = {"ops_per_s_each": tidy(ops / count)}
        if files.services and ops and (mix := self._planned_mix(files, ops)):
            found["mix"] = mix
        elif seen is not None and seen.mix is not None:
            found["mix"] = str(seen.mix)
        elif seen is not None and seen.reads_percent and seen.writes_percent:
            found["mix"] = {
                "reads_percent": _plain(seen.reads_percent),
                "writes_percent": _plain(seen.writes_percent),
            }
        found["network"] = files.network
        if weights := self._weights(files.services, at):
            found["uses"] = weights
        return found

    def _planned_mix(self, files: Files, ops: float) -> str | Plain:
        rates = self._rates_of_nfs(files.services)
        return planned_mix(files, ops, self.box, self.load.data, rates, self.guide)

    def _weights(self, services: Collection[str], at: Path) -> dict[str, float]:
        """Return the volumes that NFS uses by their operations, for some services or for all.

        If its own are not known apart, they are as all operations on each volume. If NFS is
        the only service, and these are unknown, it uses all that are not cold, in equal parts.
        """
        files = [v for v in self._stored if v.use in (None, "file_system")]
        names = [str(v.name) for v in files if v.activity != "cold"] or [str(v.name) for v in files]
        rates = {str(v.name): 0.0 for v in files}
        for volume, _, rate in self._rates_of_nfs(services, self._nfs_is_apart):
            if volume in rates:
                rates[volume] += rate
        used = {name: tidy(rate) for name, rate in rates.items() if rate > 0}
        what = ""
        if self.nfs_alone and not used:
            used = dict.fromkeys(names, 1)
            what = "uses: in equal parts; the operations are not known"
        elif not self._nfs_is_apart:
            what = "uses: by all operations; those of NFS were not measured apart"
        if what and len(used) > 1:
            self._say(at, what, "nfs: state in which parts it uses its volumes")
        return used

    def _measured(self) -> Plain:
        found: Plain = {}
        if self._work:
            found["work"] = self._work
        kernel, whole = self.load.kernel_lock, self.load.processors
        if whole is not None and kernel is not None and whole is not kernel:
            user = (most(whole) - most(kernel)) / processor_second().high
            found["user_processors"] = tidy(max(0.0, user))
        elif self.nfs_alone:
            # File service runs in the kernel, and its time is that of its operations.
            found["user_processors"] = 0
        else:
            self.missing.append("processor time: measure it with vmstat")
        total = self.box.memory.total_mb
        if total is None:
            self.missing.append("memory: state total_mb of memory in the box file")
        else:
            row = self.guide.row("operating-systems", self.box.operating_system or UNKNOWN)
            own = row.cell("working_memory_mb")
            found["memory_mb"] = tidy(max(0.0, total.high - (own.high if own is not None else 0)))
        # A service that states no load is none.
        return found if any(found.values()) else {}

    def _kernel_rest(self, own: Plain) -> float | None:
        """Return kernel time in ms/s that its `own` work and the other services do not explain."""
        kernel = self.load.kernel_lock
        if kernel is None or not self.known.measured.kernel_lock:
            return None
        explained = 0.0
        if self.data["services"] or self.data.get("volumes"):
            plain = {**self.data, "services": [*self.data["services"], own]}
            try:
                demand = drafted_demand(plain, self.guide)
                explained = most(cpu_load(demand, self.known.system, self.guide).kernel or ())
            except InputError:
                self.missing.append("kernel time: complete the box file, and draft again")
                return None
        rest = most(kernel) - explained
        if rest < 0 and not isclose(most(kernel), explained, rel_tol=WRITTEN_ROUNDING):
            what = f"kernel time: {tidy(most(kernel))} ms/s were measured"
            more = f"{what}; by the guide's costs it is {tidy(explained)} ms/s"
            self._say(("services", len(self.data["services"])), more)
        return tidy(rest) if rest > 0 else None


def _plain(figure: Quantity) -> Any:
    if figure.low == figure.high:
        return tidy(figure.low)
    return [tidy(figure.low), tidy(figure.likely), tidy(figure.high)]
