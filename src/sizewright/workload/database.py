"""A database back end, with its front ends elsewhere or on the same machine."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated, Literal

from sizewright.quantity import Quantity
from sizewright.schema.fields import Name, OneOf
from sizewright.schema.memory import MemoryQuantity
from sizewright.schema.objections import Objection
from sizewright.schema.quantity import QuantityField
from sizewright.workload.agreement import Path, beyond, text
from sizewright.workload.service import Active, Clients, at_work, too_many_active
from sizewright.workload.serving import Serving
from sizewright.workload.work import Layer

PerClient = Annotated[Quantity, MemoryQuantity("MB/client")]


@dataclass(frozen=True, kw_only=True, eq=False)
class DatabaseService(Serving):
    """A database manager, `product`, for so many clients, of whom `active` (default: all) work.

    `same_clients_as` names the service that counts these clients already.
    `front_ends` run elsewhere or `here`. Its work is by default on raw disks, or through the file
    system, as the product has it; `layer` says otherwise. `per_client_mb` and `front_end_mb`, where
    measured, stand in place of the product's figures. `log` is the volume of its log.
    """

    kind: Annotated[Literal["database"], OneOf()]
    product: Name
    clients: Clients
    active: Active | None = None
    same_clients_as: Name | None = None
    front_ends: Annotated[Literal["elsewhere", "here"], OneOf()] = "elsewhere"
    front_end_mb: PerClient | None = None
    per_client_mb: PerClient | None = None
    additional_percent: Annotated[Quantity, QuantityField("%")] | None = None
    layer: Layer | None = None
    log: Name | None = None

    @property
    def everybody(self) -> Quantity | None:
        """All clients."""
        return self.clients

    @property
    def working(self) -> Quantity | None:
        """Clients who work at once."""
        return at_work(self.active, self.clients)

    def writes(self) -> Iterator[tuple[Path, str, Name]]:
        """Its work, and its log."""
        yield from Serving.writes(self)
        if self.log is not None:
            yield ("log",), f"the log of {self.name}", self.log

    def objections(self) -> Iterator[Objection]:
        """Object to front ends' memory where there are none, and to parts beyond their whole."""
        yield from Serving.objections(self)
        yield from too_many_active(self.active, self.clients, "clients")
        if self.front_end_mb is not None and self.front_ends == "elsewhere":
            what = "is memory of front ends, and they run elsewhere"
            yield Objection(what, "front_ends: here", at=("front_end_mb",))
        if self.per_client_mb is not None and self.memory_mb is not None:
            yield from beyond(
                ("per_client_mb",), self.clients * self.per_client_mb, self.memory_mb,
                "memory_mb:", "at most memory_mb", f"for {text(self.clients)} ",
            )  # fmt: skip
