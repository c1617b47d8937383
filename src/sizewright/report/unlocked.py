"""Why no kernel lock stands among the budgets: other processors than the host's serve files."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from sizewright.guide.model import Guide
from sizewright.planner.judge import Judgement
from sizewright.report.names import row_name
from sizewright.report.page import Page

_TABLE, _CELL = "platforms", "host_serves_nfs"


def unlocked(page: Page, guide: Guide, shown: Judgement) -> None:
    """A line with its source, where files are served and the host has no part in it."""
    if _others_serve(guide, shown):
        page.say(f"{_says(guide, shown)} [{_source(guide, shown)}]", depth=1, hang=1)


def unlocked_data(guide: Guide, systems: Iterable[Judgement]) -> dict[str, Any]:
    """The same as plain data: a key with an object for each such system; no key without any."""
    found = [
        {
            "system": shown.system.id, "platform": shown.system.platform,
            "says": _says(guide, shown), "source": _source(guide, shown),
        }
        for shown in systems if _others_serve(guide, shown)
    ]  # fmt: skip
    return {"no_kernel_lock": found} if found else {}


def _others_serve(guide: Guide, shown: Judgement) -> bool:
    row = guide.row(_TABLE, shown.system.platform)
    served = "nfs" in (shown.facts.system.services or ())
    return served and row.find_flag(_CELL) is False


def _says(guide: Guide, shown: Judgement) -> str:
    name = row_name(guide, _TABLE, shown.system.platform)
    return (
        f"No kernel lock stands here: on {name} other processors than the host's serve files, "
        "which takes none of its time."
    )


def _source(guide: Guide, shown: Judgement) -> str:
    return guide.row(_TABLE, shown.system.platform).mark_of(_CELL).cite
