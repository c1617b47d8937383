"""File service: its clients, how hard they work, and the mix of their operations."""

from collections.abc import Iterator
from typing import Annotated, Any, Literal

from pydantic import Field

from sizewright.errors import join_or
from sizewright.quantity import Quantity
from sizewright.schema.model import (
    NOT_EMPTY,
    FieldError,
    Flag,
    InvalidFieldError,
    Name,
    SourcedModel,
    TaggedUnion,
    both_or_none,
    mapping_or_other,
    not_allowed,
    renamed_from,
)
from sizewright.schema.quantity import Clients, Percent, Pure, QuantityField, Seconds, WholeClients
from sizewright.units import PERCENT
from sizewright.workload.volume import Uses

RATE_KEY = "ops_per_s_each"
# Elsewhere this key is the rate of all clients together. Version 0.2 will refuse it in a load.
FORMER_RATE_KEY = "ops_per_s"


class OperationsLoad(SourcedModel):
    """A rate of operations for each active client."""

    ops_per_s_each: Annotated[Quantity, QuantityField("op/s", per="client")] = Field(
        validation_alias=renamed_from(FORMER_RATE_KEY, RATE_KEY)
    )


class ActivityLoad(SourcedModel):
    """An activity that the guide has measured, continuous or in bursts."""

    activity: Name
    """A row of table `client-activities`."""
    burst_s: Seconds | None = None
    """Length of a burst; with `every_s`. Default: without pause."""
    every_s: Seconds | None = None
    """Interval from one burst to the next. Default: without pause."""
    times: Pure | None = None
    """Factor by which the activity is multiplied. Default: once."""

    def _field_errors(self) -> Iterator[FieldError]:
        yield from both_or_none(self, "burst_s", "every_s")
        if self.burst_s and self.every_s and self.burst_s.high > self.every_s.low:
            what = "a burst is longer than the time from one to the next"
            yield FieldError(what, "at most every_s", at=("burst_s",))


class DataItem(SourcedModel):
    """Data that each client reads: once, or repeatedly for some seconds."""

    name: Name
    kb: Annotated[Quantity, QuantityField("KB")] | None = None
    byte: Annotated[Quantity, QuantityField("byte")] | None = None
    per_s: Annotated[Quantity, QuantityField("1/s")] | None = None
    seconds: Seconds | None = None

    def _field_errors(self) -> Iterator[FieldError]:
        yield from both_or_none(self, "per_s", "seconds")
        if self.kb is None and self.byte is None:
            yield FieldError("has no size", "kb or byte")
        if self.kb is not None and self.byte is not None:
            yield FieldError("is a second size", "kb or byte", at=("byte",))


class DataLoad(SourcedModel):
    """What each client reads at an interval."""

    data: Annotated[tuple[DataItem, ...], NOT_EMPTY]
    """Items, each with a `name` and its size in `kb` or `byte`. If an item repeats, `per_s` is how
    often and `seconds` how long."""
    every_s: Seconds
    """Interval at which each client reads all items."""


_BY_KEY = {RATE_KEY: OperationsLoad, "activity": ActivityLoad, "data": DataLoad}
_KINDS = {**_BY_KEY, FORMER_RATE_KEY: OperationsLoad}


def _load_kind(value: Any) -> Any:
    expected = f"a mapping with one of {join_or(_BY_KEY)}"
    if not isinstance(value, dict):
        raise not_allowed(value, expected, is_not="a load")
    present = [key for key in _KINDS if key in value]
    if not present:
        raise InvalidFieldError(FieldError("has no amount", expected))
    if len(present) > 1:
        what = f"states the amount in {len(present)} ways: {' and '.join(present)}"
        raise InvalidFieldError(FieldError(what, expected))
    return _KINDS[present[0]]


Load = Annotated[OperationsLoad | ActivityLoad | DataLoad, TaggedUnion(_load_kind)]


class MixShares(SourcedModel):
    """Reads and writes among all operations, in percent; the rest moves no data."""

    reads_percent: Percent
    writes_percent: Percent

    def _field_errors(self) -> Iterator[FieldError]:
        if self.reads_percent.low + self.writes_percent.low > PERCENT:
            what = f"reads and writes together are more than {PERCENT}%"
            yield FieldError(what, at=("writes_percent",))


def _mix_kind(value: Any) -> Any:
    if isinstance(value, str):
        return Name
    if isinstance(value, dict):
        return MixShares
    expected = "the id of a mix, or a mapping with reads_percent and writes_percent"
    raise not_allowed(value, expected, is_not="a mix")


Mix = Annotated[Name | MixShares, TaggedUnion(_mix_kind)]


class Concurrency(SourcedModel):
    """How many of a number of clients work at once."""

    at_once: Clients
    of: Annotated[Quantity, QuantityField("client", above_zero=True)]

    def _field_errors(self) -> Iterator[FieldError]:
        if self.at_once.high > self.of.high:
            what = f"{self.at_once.high:g} at once, but only {self.of.high:g} clients"
            yield FieldError(what, "at_once at most of", at=("at_once",))


def too_many_active(
    active: Quantity | Concurrency | None, clients: Quantity, called: str
) -> Iterator[FieldError]:
    """Yield more active clients (or sessions, as `called`) than there are."""
    if isinstance(active, Quantity) and active.high > clients.high:
        what = f"{active.high:g} active {called}, but only {clients.high:g} {called}"
        yield FieldError(what, f"active at most {called}", at=("active",))


def working_part(active: Quantity | Concurrency | None, everybody: Quantity) -> Quantity:
    """Return how many work at once: all, a number, or a share of them."""
    if isinstance(active, Concurrency):
        return everybody * (active.at_once / active.of)
    return active or everybody


Active = Annotated[Clients | Concurrency, mapping_or_other(Concurrency, Clients)]


class NfsService(SourcedModel):
    """Files served over a network to `clients`."""

    kind: Literal["nfs"]
    name: Name
    clients: WholeClients
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

    @property
    def volumes(self) -> tuple[str, ...]:
        """The volumes that it uses."""
        return tuple(self.uses or ())

    def _field_errors(self) -> Iterator[FieldError]:
        yield from too_many_active(self.active, self.clients, "clients")
