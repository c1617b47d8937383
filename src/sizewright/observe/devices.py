"""Holds observed disks against those of the box file."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from sizewright.observe.reports import Observed


def unknown_disks(box: Mapping[str, Any], observed: Observed) -> Iterator[str]:
    """A remark for each observed disk that is no device of the box."""
    known = {
        str(device.get("id"))
        for channel in _mappings(box.get("channels"))
        for device in _mappings(channel.get("devices"))
    }
    for disk in observed.get("disks", {}):
        if disk not in known:
            yield f"the box file has no device '{disk}', of which figures were added"


def _mappings(values: Any) -> list[Mapping[str, Any]]:
    return [one for one in values if isinstance(one, dict)] if isinstance(values, list) else []
