"""The workload: what is asked of the systems, validated, nothing computed."""

from sizewright.schema.policy import Policy, Waiver
from sizewright.schema.quantity import QuantityField
from sizewright.workload.applications import (
    BatchService,
    MailService,
    MeasuredService,
    PagingService,
    TimesharingService,
)
from sizewright.workload.availability import Availability
from sizewright.workload.database import DatabaseService
from sizewright.workload.lines import GatewayService, PrintService, SerialService
from sizewright.workload.loads import ActivityLoad, DataItem, DataLoad, OperationsLoad
from sizewright.workload.mix import MixShares
from sizewright.workload.network import Network
from sizewright.workload.read import read_workload
from sizewright.workload.service import AtOnce, NfsService
from sizewright.workload.services import Service
from sizewright.workload.serving import Serving
from sizewright.workload.volume import Volume
from sizewright.workload.wishes import CarryForward, Wishes
from sizewright.workload.work import Traffic, Work
from sizewright.workload.workload import Backup, Growth, Workload

__all__ = [
    "ActivityLoad",
    "AtOnce",
    "Availability",
    "Backup",
    "BatchService",
    "CarryForward",
    "DataItem",
    "DataLoad",
    "DatabaseService",
    "GatewayService",
    "Growth",
    "MailService",
    "MeasuredService",
    "MixShares",
    "Network",
    "NfsService",
    "OperationsLoad",
    "PagingService",
    "Policy",
    "PrintService",
    "QuantityField",
    "SerialService",
    "Service",
    "Serving",
    "TimesharingService",
    "Traffic",
    "Volume",
    "Waiver",
    "Wishes",
    "Work",
    "Workload",
    "read_workload",
]
