"""Disk space for the indexes of backup software, which no customer counts (1.2.9.3).

A file states it by a volume of use `backup_index`. Otherwise a demand of which so much data is
backed up that the guide advises the software has such a volume (1.1.7). That depends on the data
alone, so that it does not depend on the plan; it is decided again for each part of a demand.
"""

from __future__ import annotations

from collections.abc import Sequence

from sizewright.demand.model import FILE_SYSTEM, Demand, IndexTerms, VolumeDemand
from sizewright.demand.system_disk import added_volume
from sizewright.guide.model import Guide
from sizewright.guide.parameters import parameter_of, rule_of
from sizewright.quantity import Quantity, total
from sizewright.units import PURE
from sizewright.workload.volume import BACKUP_INDEX, OWN
from sizewright.workload.workload import Workload

_ABOVE = "threshold_mb"


def index_terms(workload: Workload, guide: Guide) -> IndexTerms | None:
    """Return the terms of a guide for backups; None if none are wanted, or the advice is waived."""
    stated = workload.policy.parameters
    above, rule = parameter_of(_ABOVE, stated, guide), rule_of(_ABOVE, guide)
    cells = (row.cell("index_space_percent", PURE) for row in guide.table("software"))
    share = next((cell for cell in cells if cell is not None), None)
    waived = any(waiver.rule == rule for waiver in workload.policy.waive)
    if workload.backup is None or above is None or share is None or waived:
        return None
    return IndexTerms(share, above)


def with_index_volume(demand: Demand) -> Demand:
    """Return a demand with the volume for indexes that its data needs, and without another one."""
    before = [v for v in demand.volumes if v.added and v.use == BACKUP_INDEX]
    volumes = [v for v in demand.volumes if v not in before]
    size = _index_mb(demand, volumes)
    if size is not None:
        taken = {volume.name for volume in volumes}
        new = added_volume("backup indexes", size, BACKUP_INDEX, taken)
        # What is mirrored, or kept apart from others, stays so.
        volumes += [v._replace(size_mb=new.size_mb) for v in before] or [new]
    return demand._replace(volumes=tuple(sorted(volumes, key=lambda volume: volume.name)))


def _index_mb(demand: Demand, volumes: Sequence[VolumeDemand]) -> Quantity | None:
    """Return the size of indexes that no volume is stated for, in MB; None if there are none."""
    terms, end = demand.indexes, demand.size_for
    stated = any(volume.use == BACKUP_INDEX for volume in volumes)
    if terms is None or stated or not demand.backup.wanted:
        return None
    data = total((v.size_mb for v in volumes if v.use not in OWN), "MB")
    filed = total((v.size_mb for v in volumes if v.use == FILE_SYSTEM), "MB")
    much = demand.backup.while_in_use or data.at(end) > terms.above_mb.at(end)
    return terms.share * filed if much and filed.high else None
