"""What a demand is if parts may fail: data is mirrored, and a community has one network more."""

from __future__ import annotations

from typing import Any

from sizewright.configuration.model import CONTROLLER, DISK, NETWORK
from sizewright.demand.model import Demand

# The parts on which data depends.
OF_DATA = (DISK, CONTROLLER)


def protected(demand: Demand) -> Demand:
    """Return the demand with the mirrors and networks by which it survives failures of parts."""
    return _with_spare_networks(mirror_data(demand))


def mirror_data(demand: Demand) -> Demand:
    """Return the demand with every volume mirrored if a disk or a controller may fail."""
    return _with_volumes(demand, protection="mirror") if protects_data(demand) else demand


def _with_spare_networks(demand: Demand) -> Demand:
    """Return the demand with one network more for every community if a network may fail."""
    if NETWORK not in demand.survives:
        return demand
    return demand._replace(networks=tuple(n._replace(spare=1) for n in demand.networks))


def protects_data(demand: Demand) -> bool:
    """Return whether a part on which data depends may fail."""
    return not set(OF_DATA).isdisjoint(demand.survives)


def each_alone(demand: Demand, alone: bool = True) -> Demand:
    """Return the demand with all reads on either copy of the data, as after a failure; or not."""
    return _with_volumes(demand, copies_alone=alone)


def _with_volumes(demand: Demand, **changes: Any) -> Demand:
    return demand._replace(volumes=tuple(v._replace(**changes) for v in demand.volumes))
