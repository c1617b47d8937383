"""Tells a box file that is given as a workload, and a workload that is given as a box file."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from sizewright.documents import Document
from sizewright.errors import Diagnostic, InputError

T = TypeVar("T")


def workload_of(read: Callable[[Document], T], document: Document) -> T:
    """Read a workload; raises InputFaults, for a box file with nothing but what it is."""
    return _read(read, document, _told_by_box, "a box file, not a workload", "check")


def box_of(read: Callable[[Document], T], document: Document) -> T:
    """Read a box file; raises InputFaults, for a workload with nothing but what it is."""
    return _read(read, document, _told_by_workload, "a workload, not a box file", "plan")


def refuse_workload(document: Document) -> None:
    """Raise InputFaults for a document that looks like a workload."""
    _refuse(document, _told_by_workload, "a workload, not a box file", "plan")


def _read(
    read: Callable[[Document], T],
    document: Document,
    told_by: Callable[[dict[str, Any]], str],
    what: str,
    command: str,
) -> T:
    try:
        return read(document)
    except InputError:
        _refuse(document, told_by, what, command)
        raise


def _refuse(
    document: Document, told_by: Callable[[dict[str, Any]], str], what: str, command: str
) -> None:
    key = told_by(document.data) if isinstance(document.data, dict) else ""
    if key:
        hint = f"try sizewright {command}"
        fault = Diagnostic(document.place((key,)), f"'{key}': this looks like {what}", hint=hint)
        raise InputError([fault])


def _told_by_box(data: dict[str, Any]) -> str:
    """The key that only a box file has; "" where nothing tells."""
    only_box, only_workload = _own_keys()
    found = [key for key in data if key in only_box]
    others = [key for key in data if key in only_workload]
    return found[0] if len(found) > len(others) and not _loads(data) else ""


def _told_by_workload(data: dict[str, Any]) -> str:
    """The key that only a workload has, or has in this shape; "" where nothing tells."""
    only_box, only_workload = _own_keys()
    found = [key for key in data if key in only_workload] + (["services"] if _loads(data) else [])
    others = [key for key in data if key in only_box]
    return found[0] if len(found) > len(others) else ""


def _loads(data: dict[str, Any]) -> bool:
    """Whether services are described; a box file merely names them."""
    services = data.get("services")
    return isinstance(services, list) and any(isinstance(one, dict) for one in services)


def _own_keys() -> tuple[frozenset[str], frozenset[str]]:
    """What stands at the margin of a box file alone, and of a workload alone."""
    from sizewright.box.schema import Box
    from sizewright.workload import Workload

    box, workload = frozenset(Box.model_fields), frozenset(Workload.model_fields)
    return box - workload, workload - box
