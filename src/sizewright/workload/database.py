"""A database back end, with its front ends elsewhere or on the same machine."""

from collections.abc import Iterator
from typing import Annotated, Literal

from sizewright.quantity import Quantity
from sizewright.schema.model import FieldError, Name
from sizewright.schema.quantity import QuantityField
from sizewright.workload.agreement import Path, beyond, text
from sizewright.workload.service import Active, Clients, at_work, too_many_active
from sizewright.workload.serving import Serving
from sizewright.workload.work import Layer

PerClient = Annotated[Quantity, QuantityField("MB/client", memory=True)]


class DatabaseService(Serving):
    """A database manager, `product`, for so many clients, of whom `active` (default: all) work.

    `same_clients_as` names the service that counts these clients already.
    `front_ends` run elsewhere or `here`. Its work is by default on raw disks, or through the file
    system, as the product has it; `layer` says otherwise. `per_client_mb` and `front_end_mb`, where
    measured, stand in place of the product's figures. `log` is the volume of its log.
    """

    kind: Literal["database"]
    product: Name
    """A row of table `database-systems`."""
    clients: Clients
    """All clients whose connections take memory."""
    active: Active | None = None
    """How many work at once, or a share of them. Default: all."""
    same_clients_as: Name | None = None
    """The service that already counts these clients. Default: its own."""
    front_ends: Literal["elsewhere", "here"] = "elsewhere"
    """Where the programs of the clients run."""
    front_end_mb: PerClient | None = None
    """Memory of each front end that runs here. Default: the product's."""
    per_client_mb: PerClient | None = None
    """Memory of the back end for each client, as measured. Default: the product's."""
    additional_percent: Annotated[Quantity, QuantityField("%")] | None = None
    """Memory in addition to the basic memory and that of all clients. Default: the product's."""
    layer: Layer | None = None
    """Where its data is stored. Default: the product's usual one."""
    log: Name | None = None
    """The volume of its log."""

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

    def field_errors(self) -> Iterator[FieldError]:
        """Object to front ends' memory where there are none, and to parts beyond their whole."""
        yield from Serving.field_errors(self)
        yield from too_many_active(self.active, self.clients, "clients")
        if self.front_end_mb is not None and self.front_ends == "elsewhere":
            what = "is memory of front ends, and they run elsewhere"
            yield FieldError(what, "front_ends: here", at=("front_end_mb",))
        if self.per_client_mb is not None and self.memory_mb is not None:
            yield from beyond(
                ("per_client_mb",), self.clients * self.per_client_mb, self.memory_mb,
                "memory_mb:", "at most memory_mb", f"for {text(self.clients)} ",
            )  # fmt: skip
