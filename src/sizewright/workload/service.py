"""What the server is to do for its clients; one kind of service a class."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated, Any, Literal

from sizewright.quantity import Quantity
from sizewright.schema.fields import Flag, Name, OneOf
from sizewright.schema.objections import Objection
from sizewright.schema.quantity import QuantityField
from sizewright.schema.said import Stated
from sizewright.schema.schema import Variants
from sizewright.workload.loads import Load
from sizewright.workload.mix import Mix
from sizewright.workload.uses import Uses

Clients = Annotated[Quantity, QuantityField("client")]


@dataclass(frozen=True, kw_only=True, eq=False)
class AtOnce(Stated):
    """How many of so many clients were seen, or are thought, to work at once."""

    at_once: Clients
    of: Annotated[Quantity, QuantityField("client", above_zero=True)]

    def objections(self) -> Iterator[Objection]:
        """Object to more at once than there are."""
        yield from Stated.objections(self)
        if self.at_once.high > self.of.high:
            what = f"{self.at_once.high:g} at once, but only {self.of.high:g} clients"
            yield Objection(what, "at_once at most of", at=("at_once",))


def _kind_of_active(value: Any) -> str:
    return AtOnce.__name__ if isinstance(value, dict) else Quantity.__name__


def too_many_active(
    active: Quantity | AtOnce | None, clients: Quantity, called: str
) -> Iterator[Objection]:
    """Object to more active clients, or what else they are `called`, than there are."""
    if isinstance(active, Quantity) and active.high > clients.high:
        what = f"{active.high:g} active {called}, but only {clients.high:g} {called}"
        yield Objection(what, f"active at most {called}", at=("active",))


def at_work(active: Quantity | AtOnce | None, everybody: Quantity) -> Quantity:
    """Those who work at once: all, so many, or a share of them."""
    if isinstance(active, AtOnce):
        return everybody * (active.at_once / active.of)
    return active or everybody


Active = Annotated[Clients | AtOnce, Variants(_kind_of_active)]


@dataclass(frozen=True, kw_only=True, eq=False)
class NfsService(Stated):
    """Files served over a network to `clients`, of whom `active` (default: all) work at once.

    `active` is a number of clients, or a share of them as so many at once of so many.
    `same_clients_as` names the service that counts these clients already. `uses` holds the
    volumes by weight. Diskless clients page over the network.
    """

    kind: Annotated[Literal["nfs"], OneOf()]
    name: Name
    clients: Clients
    active: Active | None = None
    same_clients_as: Name | None = None
    load: Load
    mix: Mix | None = None
    network: Name
    diskless: Flag = False
    uses: Uses | None = None

    @property
    def everybody(self) -> Quantity | None:
        """All clients."""
        return self.clients

    def objections(self) -> Iterator[Objection]:
        """Object to more active clients than clients."""
        yield from Stated.objections(self)
        yield from too_many_active(self.active, self.clients, "clients")
