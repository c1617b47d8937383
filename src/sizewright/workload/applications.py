"""Services of people and jobs on the machine itself: sessions, mail, batch, paging, measured."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated, Literal

from sizewright.figure import Figure
from sizewright.forms.fields import Name, OneOf
from sizewright.forms.objections import Objection
from sizewright.forms.quantity import Quantity
from sizewright.units import PERCENT
from sizewright.workload.service import Active, Clients, too_many_active
from sizewright.workload.serving import Serving
from sizewright.workload.work import Count, Megabytes, Seconds

PerSession = Annotated[Figure, Quantity("MB/client")]


@dataclass(frozen=True, kw_only=True, eq=False)
class TimesharingService(Serving):
    """Sessions of an application on the server, of which `active` (default: all) work at once.

    Each session keeps `private_mb` to itself; all of them share `shared_mb`.
    """

    kind: Annotated[Literal["timesharing"], OneOf()]
    sessions: Clients
    active: Active | None = None
    shared_mb: Megabytes | None = None
    private_mb: PerSession | None = None

    def objections(self) -> Iterator[Objection]:
        """Object to more active sessions than sessions."""
        yield from Serving.objections(self)
        yield from too_many_active(self.active, self.sessions, "sessions")


@dataclass(frozen=True, kw_only=True, eq=False)
class MailService(Serving):
    """Messages that are received and delivered into mailboxes on `volume`.

    So many a day, of which `prime_messages` come in the `prime_s` of the busy hours. For each
    message `temporary_files` are made and removed, and its mailbox is opened and closed; each of
    these writes once to the disk. Messages of `message_kb` are kept for `retention_days`.
    """

    kind: Annotated[Literal["mail"], OneOf()]
    volume: Name
    messages_a_day: Annotated[Figure, Quantity("op/day")]
    prime_messages: Annotated[Figure, Quantity("op")]
    prime_s: Seconds
    temporary_files: Count
    message_kb: Annotated[Figure, Quantity("KB/op")] | None = None
    retention_days: Annotated[Figure, Quantity("day")] | None = None

    def objections(self) -> Iterator[Objection]:
        """Object to more messages in the busy hours than in the day."""
        yield from Serving.objections(self)
        if self.prime_messages.low > self.messages_a_day.high:
            what = "are more messages in the busy hours than in the whole day"
            yield Objection(what, "at most messages_a_day", at=("prime_messages",))
        if (self.message_kb is None) != (self.retention_days is None):
            lacking = "retention_days" if self.message_kb else "message_kb"
            yield Objection(f"{self.name} says how long or how large, not both", lacking)


@dataclass(frozen=True, kw_only=True, eq=False)
class BatchService(Serving):
    """Jobs that run for long, so many at once, each in one process; they yield to all others."""

    kind: Annotated[Literal["batch"], OneOf()]
    jobs: Count
    job_mb: Annotated[Figure, Quantity("MB")] | None = None


@dataclass(frozen=True, kw_only=True, eq=False)
class PagingService(Serving):
    """Virtual memory: page faults a second, and the swap space that all programs need.

    `volume` is where the swap space lies. Of the faults, `reads_percent` (default: all) bring pages
    in, the others write some out.
    """

    kind: Annotated[Literal["paging"], OneOf()]
    faults_per_s: Annotated[Figure, Quantity("op/s")]
    volume: Name | None = None
    reads_percent: Annotated[Figure, Quantity("%", at_most=PERCENT)] | None = None


@dataclass(frozen=True, kw_only=True, eq=False)
class MeasuredService(Serving):
    """What no model covers: work, traffic and processor time as they were measured.

    `kernel_ms_per_s` was measured on `measured_on`, a platform of the guide.
    """

    kind: Annotated[Literal["measured"], OneOf()]
    clients: Clients | None = None
    kernel_ms_per_s: Annotated[Figure, Quantity("ms/s")] | None = None
    measured_on: Name | None = None

    def objections(self) -> Iterator[Objection]:
        """Object to kernel time whose machine is not told, and to a service that says nothing."""
        yield from Serving.objections(self)
        if (self.kernel_ms_per_s is None) != (self.measured_on is None):
            lacking = "measured_on" if self.kernel_ms_per_s else "kernel_ms_per_s"
            yield Objection(f"{self.name} lacks {lacking}", "both or none")
        told = (
            self.work, self.traffic, self.user_processors, self.memory_mb, self.kernel_ms_per_s
        )  # fmt: skip
        if not any(told):
            what = f"{self.name} measures nothing"
            yield Objection(what, "work, traffic, kernel_ms_per_s, user_processors or memory_mb")
