"""A service of any kind as demand: which module reads which kind."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from sizewright.demand.applications import (
    batch_part,
    mail_part,
    measured_part,
    paging_part,
    timesharing_part,
)
from sizewright.demand.database import database_part
from sizewright.demand.lines import gateway_part, print_part, serial_part
from sizewright.demand.part import Context, Part

_READERS: Mapping[str, Callable[[Any, Context], Part]] = {
    "database": database_part,
    "timesharing": timesharing_part,
    "mail": mail_part,
    "gateway": gateway_part,
    "serial": serial_part,
    "print": print_part,
    "batch": batch_part,
    "paging": paging_part,
    "measured": measured_part,
}


def part_of(service: Any, context: Context) -> Part:
    """What a service asks for beside NFS streams; raises InputFaults for what it lacks."""
    reader = _READERS.get(service.kind)
    return reader(service, context) if reader else Part()
