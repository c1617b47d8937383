"""The pages of the case studies, each made once, and a browser to look at them with."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from case_reports import HOSTILE, case_report
from sizewright.output.html.page import plan_html

from .viewer import Viewer, viewer

Pages = Callable[[str], Path]


@pytest.fixture(scope="session")
def browser() -> Iterator[Viewer]:
    """One browser for all tests of a process."""
    with viewer() as found:
        yield found


@pytest.fixture(scope="session")
def pages(tmp_path_factory: pytest.TempPathFactory) -> Pages:
    """The file of a case's page by its short name, or of the one with markup for names."""
    folder = tmp_path_factory.mktemp("pages")

    def page(case: str) -> Path:
        path = folder / f"{case}.html"
        if not path.exists():
            report = case_report("case-1", *HOSTILE) if case == "hostile" else case_report(case)
            path.write_text(plan_html(report), encoding="ascii")
        return path

    return page
