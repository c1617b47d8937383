"""Boxes of servers with array controllers, peer busses and enclosures, for tests."""

from __future__ import annotations

from typing import Any

from generated_boxes import check_text
from generated_workloads import Plain, text_of
from sizewright.api import load_engine
from sizewright.check.check import Check
from sizewright.quantity import Quantity

SERVERS = load_engine("compaq-1999")
WIDE, NARROW, OLD = "scsi-wide-ultra", "scsi-ultra", "scsi-1"


def server(**more: Any) -> Plain:
    """A server with peer busses; `more` adds to what is said of it."""
    return {"name": "primary", "guide": "compaq-1999", "platform": "proliant-6500", **more}


def drives(*kinds: str, name: str = "d", device: str = "4gb-drive") -> list[Plain]:
    """A drive for each kind of bus, empty where none is stated."""
    said = [{"bus_kind": kind} if kind else {} for kind in kinds]
    return [{"id": f"{name}{n}", "device": device, **each} for n, each in enumerate(said, start=1)]


def chain(*devices: Plain, **more: Any) -> Plain:
    """A Wide-Ultra bus of controller `ctl`."""
    return {"id": "scsi", "kind": WIDE, "provider": "ctl", "devices": list(devices), **more}


def controller(model: str = "smart-2dh") -> list[Plain]:
    """The controller alone."""
    return [{"id": "ctl", "board": model, "slots": [1]}]


def checked(plain: Plain) -> Check:
    """The box checked under its guide."""
    return check_text(text_of(plain), SERVERS)


def record(plain: Plain, subject: str, of: str) -> Any:
    """The facts of one part of a box."""
    (found,) = [r for r in checked(plain).judged.facts.by_subject()[subject] if r.id == of]
    return found


def ends(figure: object) -> Any:
    """Both ends of a figure, one number where they are the same."""
    if not isinstance(figure, Quantity):
        return figure
    return figure.high if figure.low == figure.high else (figure.low, figure.high)
