"""What the reference of the workload file says of each field, read from its page."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import partial

from sizewright.guide.paths import data_root
from sizewright.schema.jsonschema import Told

_PAGE = ("docs", "workload.md")
_TABLE = "| field"
_CELLS = ("field", "unit", "if left out", "meaning")
# The class that a table of the page is about, by the heading above it or by its own first cell.
_CLASSES = {
    "workload": "Workload",
    "networks": "Network",
    "volumes": "Volume",
    "Every kind but nfs": "Serving",
    "Work on disks": "Work",
    "Traffic": "Traffic",
    "nfs": "NfsService",
    "an activity": "ActivityLoad",
    "data read": "DataLoad",
    "database": "DatabaseService",
    "timesharing": "TimesharingService",
    "mail": "MailService",
    "gateway": "GatewayService",
    "a line": "WideLine",
    "serial": "SerialService",
    "print": "PrintService",
    "a printer": "Printer",
    "batch": "BatchService",
    "paging": "PagingService",
    "measured": "MeasuredService",
    "availability": "Availability",
    "growth": "Growth",
    "backup": "Backup",
    "wishes": "Wishes",
    "policy": "Policy",
}
_LINK = re.compile(r"\[([^\]]*)\]\([^)]*\)")

Words = Mapping[tuple[str, str], str]


def field_docs() -> Told:
    """What is told of a field of a class; nothing where the page is not at hand."""
    path = data_root().joinpath(*_PAGE)
    page = path.read_text(encoding="utf-8") if path.is_file() else ""
    return partial(_told, dict(words_in(page)))


def _told(words: Words, model: type, field: str) -> str:
    """By the class itself, or by one that it is a kind of."""
    return next((w for c in model.__mro__ if (w := words.get((c.__name__, field)))), "")


def words_in(page: str) -> Iterator[tuple[tuple[str, str], str]]:
    """The class, the field, and what is said of it, from every table of fields."""
    heading, about = "", ""
    for line in page.splitlines():
        cells = [cell.strip() for cell in line.strip().strip("|").split("|")]
        if line.startswith("#"):
            heading = about = line.lstrip("# ").replace("`", "")
        elif line.startswith(_TABLE):
            about = cells[0].removeprefix("field").removeprefix(" of ").strip() or heading
        elif line.startswith("| `") and len(cells) == len(_CELLS) and about in _CLASSES:
            field, _, left_out, meaning = (_plain(cell) for cell in cells)
            default = "" if left_out == "required" else f"If left out: {left_out}."
            said = f"{meaning[:1].upper()}{meaning[1:]}." if meaning else ""
            yield (_CLASSES[about], field), " ".join(filter(None, (said, default)))


def _plain(cell: str) -> str:
    return _LINK.sub(r"\1", cell).replace("`", "")
