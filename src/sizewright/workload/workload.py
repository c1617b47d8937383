"""The workload whole: what the customer said, nothing computed."""

from __future__ import annotations

from typing import Annotated

from pydantic import field_validator

from sizewright.figure import Figure
from sizewright.workload.fields import Flag, Name, Text
from sizewright.workload.network import Network
from sizewright.workload.objections import ObjectionsError
from sizewright.workload.policy import Policy
from sizewright.workload.quantity import Quantity
from sizewright.workload.said import Stated
from sizewright.workload.service import NfsService
from sizewright.workload.shapes import NotEmpty
from sizewright.workload.volume import Volume, sharing_objections
from sizewright.workload.wishes import Wishes


class Growth(Stated):
    """By how much every rate is to grow, in percent."""

    percent: Annotated[Figure, Quantity("%")]


class Backup(Stated):
    """When the tapes may run, and whether the system is in use at night too."""

    during_working_hours: Flag = False
    at_night_in_use: Flag = False


class Workload(Stated):
    """Everything that is asked of the systems to be planned.

    Each of `exclusive` is a set of services that are never active at the same moment.
    """

    name: Name
    title: Text | None = None
    guide: Name | None = None
    networks: tuple[Network, ...] = ()
    volumes: tuple[Volume, ...] = ()
    services: Annotated[tuple[NfsService, ...], NotEmpty()]
    exclusive: tuple[tuple[Name, ...], ...] = ()
    growth: Growth | None = None
    backup: Backup | None = None
    wishes: Wishes | None = None
    policy: Policy = Policy.model_construct()

    @field_validator("volumes")
    @classmethod
    def _share_disks_alike(cls, volumes: tuple[Volume, ...]) -> tuple[Volume, ...]:
        objections = sharing_objections(volumes)
        if objections:
            raise ObjectionsError(*objections)
        return volumes
