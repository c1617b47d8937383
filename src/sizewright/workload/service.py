"""What the server is to do for its clients; one kind of service a class."""

from collections.abc import Iterator
from typing import Annotated, Any, Literal

from sizewright.quantity import Quantity
from sizewright.schema.model import FieldError, Flag, Name, SourcedModel, TaggedUnion
from sizewright.schema.quantity import QuantityField
from sizewright.workload.loads import Load
from sizewright.workload.mix import Mix
from sizewright.workload.uses import Uses

Clients = Annotated[Quantity, QuantityField("client")]


class AtOnce(SourcedModel):
    """How many of so many clients were seen, or are thought, to work at once."""

    at_once: Clients
    of: Annotated[Quantity, QuantityField("client", above_zero=True)]

    def field_errors(self) -> Iterator[FieldError]:
        """Object to more at once than there are."""
        yield from SourcedModel.field_errors(self)
        if self.at_once.high > self.of.high:
            what = f"{self.at_once.high:g} at once, but only {self.of.high:g} clients"
            yield FieldError(what, "at_once at most of", at=("at_once",))


def _kind_of_active(value: Any) -> Any:
    return AtOnce if isinstance(value, dict) else Clients


def too_many_active(
    active: Quantity | AtOnce | None, clients: Quantity, called: str
) -> Iterator[FieldError]:
    """Object to more active clients, or what else they are `called`, than there are."""
    if isinstance(active, Quantity) and active.high > clients.high:
        what = f"{active.high:g} active {called}, but only {clients.high:g} {called}"
        yield FieldError(what, f"active at most {called}", at=("active",))


def at_work(active: Quantity | AtOnce | None, everybody: Quantity) -> Quantity:
    """Those who work at once: all, so many, or a share of them."""
    if isinstance(active, AtOnce):
        return everybody * (active.at_once / active.of)
    return active or everybody


Active = Annotated[Clients | AtOnce, TaggedUnion(_kind_of_active)]


class NfsService(SourcedModel):
    """Files served over a network to `clients`, of whom `active` (default: all) work at once.

    `active` is a number of clients, or a share of them as so many at once of so many.
    `same_clients_as` names the service that counts these clients already. `uses` holds the
    volumes by weight. Diskless clients page over the network.
    """

    kind: Literal["nfs"]
    name: Name
    clients: Clients
    active: Active | None = None
    """How many work at once; or a share, `{of: 12, at_once: [4, 5]}`. Default: all."""
    same_clients_as: Name | None = None
    """The service that already counts these clients. Default: its own."""
    load: Load
    """Load of each active client, in one of the three ways below."""
    mix: Mix | None = None
    """A row of table `nfs-mixes`, or `{reads_percent: 20, writes_percent: 10}`. Default: the
    policy's, else the guide's."""
    network: Name
    """The network that its clients are on."""
    diskless: Flag = False
    """Its clients page over the network."""
    uses: Uses | None = None
    """Volumes, with equal weights; or with weights, `{mail: 60, binaries: 40}`."""

    @property
    def everybody(self) -> Quantity | None:
        """All clients."""
        return self.clients

    def field_errors(self) -> Iterator[FieldError]:
        """Object to more active clients than clients."""
        yield from SourcedModel.field_errors(self)
        yield from too_many_active(self.active, self.clients, "clients")
