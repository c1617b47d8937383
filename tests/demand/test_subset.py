"""Volumes divided into parts."""

from __future__ import annotations

import pytest

from generated_workloads import Plain
from serving import demanded
from sizewright.demand.subset import divide_volumes

FILES: Plain = {
    "kind": "nfs", "name": "homes", "clients": 2, "load": {"ops_per_s_each": 3},
    "mix": {"reads_percent": 50, "writes_percent": 10}, "network": "ring", "uses": ["files"],
}  # fmt: skip


def test_parts_of_a_volume_have_all_of_its_data_and_operations() -> None:
    """300 MB and 3 + 0.6 op/s in three equal parts."""
    whole = demanded(FILES)
    divided = divide_volumes(whole, {"files": 3})
    parts = [volume for volume in divided.volumes if volume.name.startswith("files-part-")]
    assert [volume.pool for volume in parts] == [volume.name for volume in parts]
    (stated,) = (volume for volume in whole.volumes if volume.name == "files")
    for measure in ("size_mb", "reads", "writes"):
        of_all = getattr(stated, measure)
        totals = [getattr(part, measure) for part in parts]
        if measure != "size_mb":
            of_all, totals = of_all[0].figure, [lines[0].figure for lines in totals]
        assert sum(each.high for each in totals) == pytest.approx(of_all.high)
    (uses,) = (stream.uses for stream in divided.streams)
    assert [use.volume for use in uses] == [volume.name for volume in parts]
    assert sum(use.share.high for use in uses) == pytest.approx(1)
    (service,) = divided.services
    assert service.volumes == tuple(volume.name for volume in parts)


def test_parts_have_names_that_no_other_volume_has() -> None:
    whole = demanded(FILES)
    (stated,) = (volume for volume in whole.volumes if volume.name == "files")
    other = stated._replace(name="files-part-1", pool="files-part-1", reads=(), writes=())
    divided = divide_volumes(whole._replace(volumes=(stated, other)), {"files": 2})
    names = [volume.name for volume in divided.volumes]
    assert names == ["files-part-2", "files-part-3", "files-part-1"]


def test_volumes_that_are_not_divided_stay_and_keep_apart_from_all_parts() -> None:
    whole = demanded(FILES)
    (stated,) = (volume for volume in whole.volumes if volume.name == "files")
    log = stated._replace(name="log", pool="log", reads=(), writes=(), apart_from=("files",))
    divided = divide_volumes(whole._replace(volumes=(stated, log)), {"files": 2})
    assert divided.volumes[-1] == log._replace(apart_from=("files-part-1", "files-part-2"))
