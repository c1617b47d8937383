"""A service of any kind; `kind` tells which."""

from typing import Annotated, Any

from sizewright.errors import did_you_mean, join_or, shown
from sizewright.schema.model import FieldError, InvalidFieldError, TaggedUnion
from sizewright.workload.applications import (
    BatchService,
    MailService,
    MeasuredService,
    PagingService,
    TimesharingService,
)
from sizewright.workload.database import DatabaseService
from sizewright.workload.lines import GatewayService, PrintService, SerialService
from sizewright.workload.service import NfsService

_BY_KIND = {
    "nfs": NfsService,
    "database": DatabaseService,
    "timesharing": TimesharingService,
    "mail": MailService,
    "gateway": GatewayService,
    "serial": SerialService,
    "print": PrintService,
    "batch": BatchService,
    "paging": PagingService,
    "measured": MeasuredService,
}


def _kind(value: Any) -> Any:
    if not isinstance(value, dict):
        what = "no value is given" if value is None else f"{shown(value)} is not a service"
        raise InvalidFieldError(FieldError(what, "a mapping with kind and name"))
    kind = value.get("kind")
    if kind is None:
        expected = f"kind: one of {join_or(_BY_KIND)}"
        raise InvalidFieldError(FieldError("has no kind", expected))
    if not isinstance(kind, str) or kind not in _BY_KIND:
        near = did_you_mean(kind, _BY_KIND) if isinstance(kind, str) else ""
        what = f"{shown(kind)} is not allowed here"
        raise InvalidFieldError(FieldError(what, join_or(_BY_KIND), near, ("kind",)))
    return _BY_KIND[kind]


Service = Annotated[
    NfsService | DatabaseService | TimesharingService | MailService | GatewayService
    | SerialService | PrintService | BatchService | PagingService | MeasuredService,
    TaggedUnion(_kind),
]  # fmt: skip
