"""Load: for every node of a system the lines that ask something of it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from sizewright.demand.model import Item
from sizewright.figure import Figure

Lines = tuple[Item, ...]


class NfsCapacity(NamedTuple):
    """What a platform serves of the reference mix over so many networks, in op/s."""

    maximum: Figure
    sustained: Figure
    required_networks: Figure


class Load(NamedTuple):
    """Rates on the nodes of one system, by node id."""

    networks: Mapping[str, Lines]
    nfs: Lines
    nfs_capacity: NfsCapacity | None
    kernel_lock: Lines
    processors: Lines
    disks: Mapping[str, Lines]
    stored: Mapping[str, Lines]
    channels: Mapping[str, Lines]
    busses: Mapping[str, Lines]
    memory: Lines
