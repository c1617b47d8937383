"""The workload: what is asked of the systems, validated, nothing computed."""

from sizewright.forms.policy import Policy, Waiver
from sizewright.forms.quantity import Quantity
from sizewright.workload.loads import ActivityLoad, DataItem, DataLoad, OperationsLoad
from sizewright.workload.mix import MixShares
from sizewright.workload.network import Network
from sizewright.workload.read import read_workload
from sizewright.workload.service import AtOnce, NfsService
from sizewright.workload.volume import Volume
from sizewright.workload.wishes import CarryForward, Wishes
from sizewright.workload.workload import Backup, Growth, Workload

__all__ = [
    "ActivityLoad",
    "AtOnce",
    "Backup",
    "CarryForward",
    "DataItem",
    "DataLoad",
    "Growth",
    "MixShares",
    "Network",
    "NfsService",
    "OperationsLoad",
    "Policy",
    "Quantity",
    "Volume",
    "Waiver",
    "Wishes",
    "Workload",
    "read_workload",
]
