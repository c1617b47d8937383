"""The workload: everything that is demanded of the systems; nothing is calculated."""

from collections.abc import Iterable, Iterator, Mapping
from math import log10, prod
from typing import Annotated, Literal, get_args

from pydantic import Field

from sizewright.limits import (
    DEVICES_AT_MOST,
    MOMENTS_AT_MOST,
    QUANTITY_AT_MOST,
    SYSTEMS_AT_MOST,
    YEARS_AT_MOST,
)
from sizewright.quantity import Quantity
from sizewright.schema.model import (
    NOT_EMPTY,
    Count,
    FieldError,
    Flag,
    Name,
    SourcedModel,
    Text,
    Validated,
)
from sizewright.schema.policy import Policy
from sizewright.schema.quantity import QuantityField
from sizewright.units import PERCENT
from sizewright.workload.nfs import NfsService
from sizewright.workload.services import Service
from sizewright.workload.volume import Volume, volume_errors
from sizewright.workload.work import Layer, Path, Serving, exceeds


class BackupTerms(SourcedModel):
    """How long a backup may take, on how many drives, and how much it saves.

    A full backup saves one copy of each volume except swap.
    """

    window: Annotated[Quantity, QuantityField("h", above_zero=True)] | None = None
    """Time in which a full backup must end; a plan has as many drives as that takes. Default: one
    drive, more if it takes longer than a weekend, and the report states the hours."""
    tapes_at_most: Count | None = None
    """Most tape drives that may work on a backup at once, of all systems together; those under
    `removable_media` count. Default: as many as the window needs."""
    incremental_percent: (
        Annotated[Quantity, QuantityField("%", above_zero=True, at_most=PERCENT)] | None
    ) = None
    """Share of the data that a daily backup saves; the report states its hours too. Default: each
    backup saves all data."""
    tape_mb: Annotated[Quantity, QuantityField("MB", above_zero=True)] | None = None
    """What one tape holds; the report states how many tapes a full backup fills. Default: what the
    guide states of the drive, if it does."""
    over: Name | None = None
    """Network that leads to the drives, if they are on another system: `tapes_at_most` of them,
    else one. A plan has no drive then."""


class Backup(BackupTerms):
    """When the tapes may run, and whether the system is in use at night too."""

    during_working_hours: Flag = False
    """Tapes run during the load."""
    at_night_in_use: Flag = False
    """The system is also in use at night."""


# Systems that share disks.
EVEN = "an even number: a disk has two ports, so that two systems can share it"

Failure = Literal["disk", "controller", "network", "system"]


class DegradedService(SourcedModel):
    """A service that may be slower, or stop, after the failure of a system."""

    service: Name
    """The service."""
    at_least: Annotated[Quantity, QuantityField("%", at_most=PERCENT)] | None = None
    """Share of its rates that it must keep; `0 %`: it may stop. Default: any share, but its data
    and its users stay on the system that is left."""


class Availability(SourcedModel):
    """The number of systems, and the failures that the plan must survive."""

    systems: Count | None = None
    """Number of systems; `--systems` overrides it. Default: the fewest that pass."""
    survives: tuple[Failure, ...] = ()
    """Disk, controller, network, system: any one part of these kinds may fail. The plan fails if it
    then loses data or a service, or exceeds a limit. For `disk` and `controller`, all data is
    mirrored, for `controller` on two of them, and each copy can serve all reads. For `system`,
    pairs of systems are planned, either of which can run everything of its pair, with the disks on
    strings that both reach. For `network`,
    each group of clients has one network more than its load needs."""
    standby: Flag = False
    """The second system of a pair is idle until the first fails; `survives` names `system`.
    Default: the services are divided over both."""
    degraded: tuple[DegradedService, ...] = ()
    """Services that may be slower, or stop, after the failure of a system."""

    def _field_errors(self) -> Iterator[FieldError]:
        if self.systems is not None and self.systems > SYSTEMS_AT_MOST:
            what = f"{self.systems} systems are more than are planned"
            yield FieldError(what, f"at most {SYSTEMS_AT_MOST}", at=("systems",))
        elif "system" in self.survives and self.systems is not None and self.systems % 2:
            what = f"the failure of a system is survived by pairs of systems, not {self.systems}"
            yield FieldError(what, EVEN, at=("systems",))
        for failure in sorted(set(self.survives)):
            if self.survives.count(failure) > 1:
                yield FieldError(f"{failure} is stated twice", "once", at=("survives",))
        for field in ("standby", "degraded"):
            if getattr(self, field) and "system" not in self.survives:
                what = "it is about the failure of a system, which survives does not name"
                yield FieldError(what, "survives: [system]", at=(field,))


class Network(SourcedModel):
    """A network as the customer knows it."""

    name: Name
    medium: Name | None = None
    """A row of table `network-media`. Default: the plan chooses."""
    keep_medium: Flag = False
    """The wiring stays; the plan advises no other medium. Clients may still be divided over several
    networks of it."""
    segments_at_most: Count = 1
    """Largest number of separate networks into which the group may be split, of all systems
    together. If more would let a plan pass, need fewer systems, or keep a tenth free, the report
    says how many."""
    fastest_response: Flag = False
    """The interface must have the least latency of all that may be chosen."""


class CarryForward(SourcedModel):
    """Devices that exist and are to be used on; `device` is an id of the guide's."""

    device: Name
    """A row of table `disks` or `removable-media`; it may be one that can no longer be ordered."""
    count: Count = 1
    """How many of them."""
    optional: Flag = False
    """They may be used, but need not be. Otherwise each of them is attached, with data or
    without."""


class Wishes(SourcedModel):
    """What the customer insists on: platforms, media, devices that are kept."""

    platforms: tuple[Name, ...] = ()
    """Rows of table `platforms` to choose from. Default: all that can be ordered."""
    removable_media: tuple[Name, ...] = ()
    """Rows of table `removable-media`; name one twice for two devices. Default: only mandatory
    devices."""
    carry_forward: tuple[CarryForward, ...] = ()
    """Existing devices: `{device: 1-0gb-ipi, count: 8}`. The plan uses them; only new devices
    count in its size."""
    third_party_disks: Flag = False
    """Disks of other vendors may be chosen."""
    system_elsewhere: Flag = False
    """The operating system and swap space are not on disks of this plan. Default: the plan has a
    volume for them, unless a volume of use `root` is stated."""

    def _field_errors(self) -> Iterator[FieldError]:
        number = sum(each.count for each in self.carry_forward)
        if number > DEVICES_AT_MOST:
            what = f"{number} existing devices are more than are planned"
            yield FieldError(what, f"at most {DEVICES_AT_MOST}", at=("carry_forward",))


def cross_errors(services: Iterable[Service], volumes: Iterable[Volume]) -> Iterator[FieldError]:
    """Yield contradictions of services with themselves, their volumes or each other.

    Each is found at the place that its path in the workload leads to. Names that nothing has are
    passed over.
    """
    services = tuple(services)
    known = {volume.name: volume for volume in volumes}
    by_name = {service.name: service for service in services}
    for index, service in enumerate(services):
        yield from _below(("services", index), _clients(service, by_name))
        if not isinstance(service, NfsService):
            yield from _below(("services", index), _work(service, known))
            yield from _below(("services", index), _writes(service, known))
            yield from _below(("services", index), dict.fromkeys(_layers(service, known)))
        else:
            yield from _below(("services", index), _files(service, known))


def _below(path: Path, objections: Iterable[FieldError]) -> Iterator[FieldError]:
    for objection in objections:
        yield objection._replace(at=(*path, *objection.at))


def _clients(service: Service, by_name: Mapping[str, Service]) -> Iterator[FieldError]:
    """More clients than the service has that counts them already."""
    owner = by_name.get(getattr(service, "same_clients_as", None) or "")
    if owner is None or owner.everybody is None or service.everybody is None:
        return
    yield from exceeds(
        ("clients",), service.everybody, owner.everybody, f"those of {owner.name}:",
        f"at most those of {owner.name}, which counts them",
    )  # fmt: skip


def _work(service: Serving, known: Mapping[str, Volume]) -> Iterator[FieldError]:
    """Work whose contradiction shows only with its volume and with those who do it."""
    for number, work in enumerate(service.work):
        if work.volume in known:
            whole = work.replace(
                access=work.access or known[work.volume].access, by=work.by or service.working
            )
            yield from _below(("work", number), whole.contradictions())


def _writes(service: Serving, known: Mapping[str, Volume]) -> Iterator[FieldError]:
    for at, who, name in service.writes():
        if name in known and known[name].read_only:
            what = f"{who} writes on {name}, which is read_only"
            yield FieldError(what, "a volume that takes writes", at=at)


def _layers(service: Serving, known: Mapping[str, Volume]) -> Iterator[FieldError]:
    """A layer that the stated use of a volume of its work excludes."""
    for number, work in enumerate(service.work):
        layer = service.stated_layer(work)
        use = known[work.volume].use if work.volume in known else None
        if layer and use in get_args(Layer) and use != layer:
            what = f"{layer} contradicts use: {use} of volume {work.volume}"
            at = ("work", number, "layer") if work.layer else ("layer",)
            yield FieldError(what, "one of the two, or consistent values", at=at)


def _files(service: NfsService, known: Mapping[str, Volume]) -> Iterator[FieldError]:
    """Volumes of a file service that are for the operating system of the server."""
    for name in service.volumes:
        if name in known and known[name].use == "root":
            what = f"volume {name} has use: root, the operating system of the server itself"
            expected = "a volume without use, also for roots of diskless clients"
            yield FieldError(what, expected, at=("uses",))


class Growth(SourcedModel):
    """Growth of every rate: once, or every year for `years`."""

    percent: Annotated[Quantity, QuantityField("%")]
    """Growth of every rate; `0` if only volumes grow."""
    years: Annotated[Quantity, QuantityField("year", at_most=YEARS_AT_MOST)] | None = None
    """Growth is applied in each of these years, compounded. Default: once."""

    def _field_errors(self) -> Iterator[FieldError]:
        if self.years is None:
            return
        decades = self.years.high * log10(1 + self.percent.high / PERCENT)
        if decades > log10(QUANTITY_AT_MOST):
            what = f"grows more than {QUANTITY_AT_MOST:,.0f} times in {self.years.high:g} years"
            yield FieldError(what, "less growth, or fewer years", at=("years",))


def _moments_counted(exclusive: tuple[tuple[str, ...], ...]) -> Iterator[FieldError]:
    moments = prod(len(names) for names in exclusive)
    if moments > MOMENTS_AT_MOST:
        what = f"the sets make {moments} different moments"
        yield FieldError(what, f"at most {MOMENTS_AT_MOST}: leave out services with little load")


class Workload(SourcedModel):
    """Everything that is demanded of the systems to be planned."""

    name: Name
    """Name of the plan."""
    title: Text | None = None
    """One line for the head of the report."""
    guide: Name | None = None
    """Guide to plan with; `--guide` overrides it. Default: the default guide."""
    networks: tuple[Network, ...] = ()
    """Networks."""
    volumes: Annotated[tuple[Volume, ...], Validated(volume_errors)] = ()
    """Data sets."""
    services: Annotated[tuple[Service, ...], NOT_EMPTY]
    """The work to be done, at least one service."""
    availability: Availability | None = None
    """Failures that the plan must survive. Default: no requirement."""
    exclusive: Annotated[tuple[tuple[Name, ...], ...], Validated(_moments_counted)] = ()
    """Sets of services of which only one is active at any moment; each resource counts the
    largest."""
    growth: Growth | None = None
    """Growth of every rate, and the number of years for which volumes grow."""
    backup: Backup | None = None
    """When tapes run. Default: no requirement."""
    wishes: Wishes | None = None
    """What the customer insists on."""
    policy: Policy = Field(default_factory=Policy)
    """How to plan if the guide leaves a choice, or if you override the guide. Default: its own
    defaults."""

    def _field_errors(self) -> Iterator[FieldError]:
        yield from cross_errors(self.services, self.volumes)
        for index, waiver in enumerate(self.policy.waive):
            if waiver.subjects:
                what = "the parts of a plan have no names before it is made"
                yield FieldError(
                    what, "no subjects: the rule is waived on all parts",
                    at=("policy", "waive", index, "subjects"),
                )  # fmt: skip
        years = self.growth.years if self.growth is not None else None
        for index, volume in enumerate(self.volumes):
            if years is None and volume.growth_mb_per_year is not None:
                what = f"states the growth of {volume.name}, but the workload states no horizon"
                hint = "percent: 0 if only volumes grow"
                at = ("volumes", index, "growth_mb_per_year")
                yield FieldError(what, "growth with percent and years", hint, at)
                continue
            whole = volume.size_after(years) if years is not None else volume.size_mb
            for key in ("cached_mb", "saved_mb"):
                part = getattr(volume, key)
                if part is not None:
                    yield from exceeds(
                        ("volumes", index, key), part, whole, f"the whole of {volume.name}:",
                        "at most size_mb, with what it grows by",
                    )  # fmt: skip
