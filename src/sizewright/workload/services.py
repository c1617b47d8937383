"""A service of any kind; `kind` tells which."""

from __future__ import annotations

from typing import Annotated, Any

from sizewright.errors import did_you_mean, join_or, shown
from sizewright.schema.objections import Objection, ObjectionsError
from sizewright.schema.schema import Variants
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
    "nfs": NfsService.__name__,
    "database": DatabaseService.__name__,
    "timesharing": TimesharingService.__name__,
    "mail": MailService.__name__,
    "gateway": GatewayService.__name__,
    "serial": SerialService.__name__,
    "print": PrintService.__name__,
    "batch": BatchService.__name__,
    "paging": PagingService.__name__,
    "measured": MeasuredService.__name__,
}


def _kind(value: Any) -> str:
    if not isinstance(value, dict):
        what = "no value is given" if value is None else f"{shown(value)} is not a service"
        raise ObjectionsError(Objection(what, "a mapping with kind and name"))
    kind = value.get("kind")
    if kind is None:
        expected = f"kind: one of {join_or(_BY_KIND)}"
        raise ObjectionsError(Objection("has no kind", expected))
    if not isinstance(kind, str) or kind not in _BY_KIND:
        near = did_you_mean(kind, _BY_KIND) if isinstance(kind, str) else ""
        what = f"{shown(kind)} is not allowed here"
        raise ObjectionsError(Objection(what, join_or(_BY_KIND), near, ("kind",)))
    return _BY_KIND[kind]


Service = Annotated[
    NfsService | DatabaseService | TimesharingService | MailService | GatewayService
    | SerialService | PrintService | BatchService | PagingService | MeasuredService,
    Variants(_kind),
]  # fmt: skip
