"""What to set when a planned system is installed: values for it, each with its reason."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import groupby
from operator import attrgetter
from typing import NamedTuple

from sizewright.configuration.model import Device, Partition, System, Volume
from sizewright.configuration.slots import slots_of
from sizewright.demand.added_volumes import swap_space
from sizewright.demand.model import Demand
from sizewright.demand.rates import FILE_SYSTEM, RANDOM, pattern_of
from sizewright.demand.usage import usage_of
from sizewright.formula import quantity_text
from sizewright.guide.model import Guide, Row, measured_on
from sizewright.quantity import Quantity, ceil, count
from sizewright.setup.installation import (
    installed_facts,
    maxusers_rows,
    name_cache_entries,
    zone_count,
    zones_of,
)
from sizewright.workload.volume import ROOT, SWAP


class Setting(NamedTuple):
    """One thing to set: its name, the part it is for (empty: the system), its value and why.

    A `value` that is no number is in `text`; `cite` is the place in the guide.
    """

    name: str
    part: str
    value: Quantity | None
    text: str
    why: str
    cite: str


# The parts with these ids, as one text.
Naming = Callable[[Sequence[str]], str]


def list_settings(
    system: System, demand: Demand, guide: Guide, naming: Naming = ", ".join
) -> tuple[Setting, ...]:
    """Return everything that installation sets on a system planned for a demand.

    Boards, channels, disks and busses are called by their ids, or as `naming` says.
    """
    of = _Settings(system, demand, guide, naming)
    return (
        *of.maxusers(), *of.nfsd(), *of.swap(), *of.disk_entries(), *of.targets(), *of.cables(),
        *of.jumpers(), *of.partitions(), *of.stripes(), *of.mirrors(), *of.file_systems(),
        *of.accelerated(),
    )  # fmt: skip


class _Settings:
    """The settings of one system."""

    def __init__(self, system: System, demand: Demand, guide: Guide, naming: Naming) -> None:
        self.naming = naming
        self.system = system
        self.demand = demand
        self.guide = guide
        self.tunables = guide.table("tunables").rows
        self.volumes = installed_facts(system, usage_of(demand), guide)["volume"]
        self.runs = guide.row("operating-systems", system.operating_system)

    def maxusers(self) -> Iterator[Setting]:
        """Yield the size of the kernel's tables."""
        value = self.system.tunables.get("maxusers")
        rows = maxusers_rows(self.guide)
        if value is None or not rows:
            return
        default = self.runs.cell("default_maxusers")
        told = f"; the default is {default.likely:g}" if default else ""
        entries = name_cache_entries(value, self.guide)
        cache = f" The cache of file names then has {entries.likely:g} entries." if entries else ""
        served = " of a file server" if "nfs" in (usage_of(self.demand).services or ()) else ""
        why = f"For {self.system.memory_mb:g} MB of memory{served}{told}.{cache}"
        yield Setting("MAXUSERS", "", value, rows[0].text("set_with"), why, rows[0].mark.cite)

    def nfsd(self) -> Iterator[Setting]:
        """Yield the processes that serve files."""
        value, row = self.system.tunables.get("nfsd"), self.tunables.get("nfsd")
        usual = row.cell("recommended") if row else None
        if value is None or row is None or usual is None:
            return
        why = f"{usual.low:g} to {usual.high:g} are customary"
        less = value.likely < usual.high
        why += "; each process then has a context of the memory unit." if less else "."
        yield Setting("nfsd", "", value, "processes", why, row.mark.cite)

    def swap(self) -> Iterator[Setting]:
        """Yield swap space, as much as the volume of the operating system has room for."""
        value = self._swap_space()
        if value is None:
            return
        basic = "The basic partition on the disk that the machine starts from"
        if busy := next(filter(None, map(self._takes_swap_file, self.system.devices())), ""):
            basic = (
                f"A file in the partition of {busy}, which is in frequent use on the disk that the "
                "machine starts from. The partition is larger for it. Make the file before others"
            )
        why = (
            f"{basic}. More as files in the file systems of programs, in proportion to what their "
            f"disks do at random{self._by_rule('XXIV')}."
        )
        cite = self.runs.mark_of("nfs_swap_mb").cite
        yield Setting("swap space", "", value, "", why, cite)

    def _takes_swap_file(self, disk: Device) -> str:
        """Return the busiest file system on a disk that the machine starts from; empty if none.

        It takes swap space as a file, so that the heads do not move between two partitions, unless
        that has a volume of its own.
        """
        apart = any(volume.use == SWAP for volume in self.demand.volumes)
        if apart or all(part.use != ROOT for part in disk.partitions):
            return ""
        return next((p.name for p in disk.partitions if p.hot and p.use == FILE_SYSTEM), "")

    def _swap_space(self) -> Quantity | None:
        least = self.runs.cell("nfs_swap_mb")
        return least and swap_space(least, self.demand.at_peak(self.demand.swap))

    def disk_entries(self) -> Iterator[Setting]:
        """Yield the disks for which the kernel must be configured."""
        known = self.runs.cell("disks_per_host_adapter")
        if not known:
            return
        for channel in self.system.channels:
            disks = sum(1 for device in channel.devices if device.kind == "disk")
            kind = self.guide.row("disk-busses", channel.kind)
            if kind.text("interface") == "scsi" and disks > known.likely:
                more = count(disks - known.likely, f"disks of {channel.id} to be added", "disk")
                why = f"The kernel is configured for {known.likely:g} disks of a host adapter."
                cite = self.runs.mark_of("disks_per_host_adapter").cite
                part = self.naming([channel.id])
                yield Setting(
                    "disks to add to the kernel's configuration", part, more, "", why, cite
                )

    def targets(self) -> Iterator[Setting]:
        """Yield the address of each device."""
        for channel in self.system.channels:
            given = [(d.id, d.target) for d in channel.devices if d.target is not None]
            if given:
                kind = self.guide.row("disk-busses", channel.kind)
                text = ", ".join(f"{self.naming([name])} at {target}" for name, target in given)
                why = "The kernel expects each kind of device at these targets, if there is room."
                part, cite = self.naming([channel.id]), kind.mark_of("disk_targets").cite
                yield Setting("targets", part, None, text, why, cite)

    def cables(self) -> Iterator[Setting]:
        """Yield the length of cable that each kind of channel allows."""
        kind_of = attrgetter("kind")
        used = [channel for channel in self.system.channels if channel.devices]
        for name, alike in groupby(sorted(used, key=kind_of), kind_of):
            kind = self.guide.row("disk-busses", name)
            limit, pair = kind.cell("cable_limit_m"), kind.cell("connector_pair_m")
            if limit is None:
                continue
            why = "The whole length in and between boxes."
            if pair is not None:
                most = quantity_text(pair.high, "m")
                why += f" Each pair of connectors counts for {pair.low:g} to {most}."
            parts = self.naming([channel.id for channel in alike])
            cite = kind.mark_of("cable_limit_m").cite
            yield Setting("most cable", parts, limit, "", why, cite)

    def jumpers(self) -> Iterator[Setting]:
        """Yield the empty slots of a bus whose boards are in a chain, up to the last board.

        The chain begins behind the processors, whose board has the controller of the bus.
        """
        platform = (self.system.platform,)
        every = slots_of(self.guide, self.system.platform, self.system.processors)
        for row in self.guide.table("platform-busses").by("platform").get(platform, ()):
            bus = row.text("bus")
            slots = {n for board in self.system.boards if board.bus == bus for n in board.slots}
            if not row.flag("jumpers") or not slots:
                continue
            central = [s.number for s in every if s.bus == bus and s.holds_processors]
            first = max(central, default=min(slots))
            empty = [n for n in range(first + 1, max(slots)) if n not in slots]
            if empty:
                text = f"slots {', '.join(map(str, empty))}"
                why = (
                    "Bus grant and interrupt acknowledge pass on over empty slots by jumpers, from "
                    "the processors to the last board."
                )
                cite = row.mark_of("jumpers").cite
                yield Setting("jumpers", self.naming([bus]), None, text, why, cite)

    def partitions(self) -> Iterator[Setting]:
        """Yield the order of partitions on disks that have several, hot ones outside.

        Disks whose cylinders are equally fast give no reason for an order (2.4.4).
        """
        found: dict[tuple[str, str], list[str]] = {}
        for disk in self.system.devices():
            if len(disk.partitions) > 1:
                order = _order(self._with_swap_file(disk))
                found.setdefault((order, self._outside(disk.model)), []).append(disk.id)
        for (text, why), alike in found.items():
            cite = "section 2.4.4, Table 9" if why else ""
            yield Setting("partitions", self.naming(alike), None, text, why, cite)

    def _with_swap_file(self, disk: Device) -> tuple[Partition, ...]:
        """Return the partitions of a disk with swap space in one of them as a file, if it is there.

        The operating system has that much less in its own, and what is between begins later.
        """
        busy, swap = self._takes_swap_file(disk), self._swap_space()
        cylinder = self.guide.row(disk.table, disk.model).cell("cylinder_kb")
        if not busy or swap is None or cylinder is None:
            return disk.partitions
        over = next(len(v.copies[0]) for v in self.system.volumes if v.name == busy)
        one = cylinder / count(1, "cylinder", "cylinder")
        more = ceil((swap / count(over, f"disks of {busy}")).to("KB") / one)
        first = [part.name for part in disk.partitions].index(busy)
        root = [part.use for part in disk.partitions].index(ROOT)
        return tuple(
            part._replace(start_cylinder=part.start_cylinder + more)
            if part.start_cylinder and first < n <= root
            else part
            for n, part in enumerate(disk.partitions)
        )

    def _outside(self, model: str) -> str:
        """Return why hot partitions of a disk are outside; nothing if all cylinders are equal."""
        known = zone_count(self.guide.row("disks", model), self.guide)
        if known is not None and known.likely <= 1:
            return ""
        zones = zones_of(model, self.guide)
        fast = next((start for start, size in zones if size < zones[0][1]), None)
        ends = "outer cylinders are faster"
        if fast is not None:
            ends = f"the fastest zone ends at cylinder {fast:g}"
        return f"Those in frequent use first: {ends}."

    def stripes(self) -> Iterator[Setting]:
        """Yield the pieces of stripes."""
        row = self.tunables.get("interlace")
        if row is None:
            return
        found: dict[tuple[float, float], list[Volume]] = {}
        for volume in self.system.volumes:
            if (size := volume.interlace_kb) is not None:
                found.setdefault((size.low, size.high), []).append(volume)
        rule = self._by_rule("XXVII")
        why = f"A stripe in place of a concatenation{rule}. Its disks share one transfer."
        cite = f"{row.mark_of('recommended_kb').cite}; {row.mark.cite}"
        for alike in found.values():
            names = ", ".join(volume.name for volume in alike)
            yield Setting("interlace", names, alike[0].interlace_kb, "stripe", why, cite)

    def mirrors(self) -> Iterator[Setting]:
        """Yield how reads of mirrors are split across their copies."""
        access = {volume.name: volume.access for volume in self.demand.volumes}
        found: dict[tuple[str, str, str], list[str]] = {}
        for volume in self.system.volumes:
            read = access.get(volume.name, "")
            if not volume.manager or len(volume.copies) < 2 or not read:
                continue
            how = "at random" if read == RANDOM else "serially"
            measured = tuple(self._gaining(volume)) if read == RANDOM else ()
            for row, cite in measured or self._favouring(pattern_of(read)):
                why = f"The data is read {how}{', which gains by it here' if measured else ''}."
                text = f"{row.text('name')} ({row.text('set_with')})"
                found.setdefault((text, why, cite), []).append(volume.name)
        for (text, why, cite), names in found.items():
            yield Setting("mirror", ", ".join(names), None, text, why, cite)

    def _gaining(self, volume: Volume) -> Iterator[tuple[Row, str]]:
        """Yield the option by which a mirror gains at random on this machine, with its source."""
        used = self.system.disks()
        disks = [self.guide.row("disks", each.model) for each in used if each.id in volume.disks]
        effects = self.guide.table("mirroring-effects")
        for row in measured_on(effects, self.system.platform, disks):
            if row.text("random_option"):
                option = self.guide.row("tunables", row.text("random_option"))
                yield option, row.mark_of("random_option").cite

    def _favouring(self, pattern: str) -> Iterator[tuple[Row, str]]:
        """Yield the options of mirrors that are said to favour a pattern, each with its source."""
        for row in self.tunables.values():
            if row.text("kind") == "volume_option" and row.text("favours") == pattern:
                yield row, row.mark_of("favours").cite

    def file_systems(self) -> Iterator[Setting]:
        """Yield the values of file systems on joined disks."""
        rows = [row for row in self.tunables.values() if row.text("kind") == "file_system"]
        names = [name for name, facts in self.volumes.items() if facts.get("clustered")]
        used = sorted({v.manager for v in self.system.volumes if v.name in names and v.manager})
        managers = ", ".join(self.guide.row("software", name).text("name") for name in used)
        for row in rows if names else ():
            loss = row.cell("penalty_percent")
            why = f"The defaults of {managers} cost {loss.likely:g} %." if loss else ""
            yield Setting(
                row.text("name"), ", ".join(names), row.cell("recommended"), row.text("set_with"),
                why, row.mark.cite,
            )  # fmt: skip

    def accelerated(self) -> Iterator[Setting]:
        """Yield what a write accelerator serves, and what it must not."""
        if not self.system.accelerator:
            return
        served = [name for name, each in self.volumes.items() if each["accelerated"]]
        left = [name for name, each in self.volumes.items() if not each["accelerated"]]
        row = self.guide.row("nvram-accelerators", self.system.accelerator)
        text = ", ".join(served) or "nothing"
        why = f"It serves all partitions equally{self._by_rule('XVII')}."
        if left:
            rule = self._by_rule("XIX")
            why += f" Not {', '.join(left)}: a second system reaches its disks{rule}."
        yield Setting(f"{row.text('name')} serves", "", None, text, why, row.mark.cite)

    def _by_rule(self, rule: str) -> str:
        """Return a rule in brackets; nothing if the guide does not have it."""
        return f" (Rule {rule})" if rule in self.guide.rules else ""


def _order(partitions: Iterable[Partition]) -> str:
    """Return partitions in words, in their order."""
    return ", ".join(
        part.name if part.start_cylinder is None
        else f"{part.name} at cylinder {part.start_cylinder.likely:g}"
        for part in partitions
    )  # fmt: skip
