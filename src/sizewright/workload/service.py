"""What the server is to do for its clients; one kind of service a class."""

from __future__ import annotations

from typing import Annotated, Literal, Self

from pydantic import model_validator

from sizewright.figure import Figure
from sizewright.workload.fields import Flag, Name, OneOf
from sizewright.workload.loads import Load
from sizewright.workload.mix import Mix
from sizewright.workload.objections import Objection, ObjectionsError
from sizewright.workload.quantity import Quantity
from sizewright.workload.said import Stated
from sizewright.workload.uses import Uses

Clients = Annotated[Figure, Quantity("client")]


class NfsService(Stated):
    """Files served over a network to `clients`, of whom `active` (default: all) work at once.

    `uses` holds the volumes by weight. Diskless clients page over the network.
    """

    kind: Annotated[Literal["nfs"], OneOf()]
    name: Name
    clients: Clients
    active: Clients | None = None
    load: Load
    mix: Mix | None = None
    network: Name
    diskless: Flag = False
    uses: Uses | None = None

    @model_validator(mode="after")
    def _has_clients_for_the_active(self) -> Self:
        if self.active is not None and self.active.high > self.clients.high:
            what = f"{self.active.high:g} active clients, but only {self.clients.high:g} clients"
            expected = "active at most clients"
            raise ObjectionsError(Objection(what, expected, at=("active",)))
        return self
