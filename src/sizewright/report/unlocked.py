"""Why no kernel lock stands among the budgets: other processors than the host's serve files."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from sizewright.evaluate.system import Evaluation
from sizewright.guide.model import Guide
from sizewright.load.nfs import others_serve
from sizewright.report.names import row_name
from sizewright.report.page import Page

_TABLE = "platforms"


def unlocked(page: Page, guide: Guide, shown: Evaluation) -> None:
    """A line with its source, where files are served and the host has no part in it."""
    source = _source(guide, shown)
    if source is not None:
        page.say(f"{_says(guide, shown)} [{source}]", depth=1, hang=1)


def unlocked_data(guide: Guide, systems: Iterable[Evaluation]) -> dict[str, Any]:
    """The same as plain data: a key with an object for each such system; no key without any."""
    found = [
        {
            "system": shown.system.id, "platform": shown.system.platform,
            "says": _says(guide, shown), "source": source,
        }
        for shown in systems if (source := _source(guide, shown)) is not None
    ]  # fmt: skip
    return {"no_kernel_lock": found} if found else {}


def _says(guide: Guide, shown: Evaluation) -> str:
    name = row_name(guide, _TABLE, shown.system.platform)
    return (
        f"No kernel lock is listed: on {name}, file service runs on other processors and uses "
        "no time of the host."
    )


def _source(guide: Guide, shown: Evaluation) -> str | None:
    """Where the guide says so of a system that serves files; None of any other."""
    mark = others_serve(guide.row(_TABLE, shown.system.platform))
    served = "nfs" in (shown.facts.system.services or ())
    return mark.cite if mark is not None and served else None
