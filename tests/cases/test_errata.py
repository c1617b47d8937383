from __future__ import annotations

from cases.copies import EXAMPLES, ROOT
from sizewright.cases.reading import case_folders, read_case
from sizewright.cases.results import errata_page


def test_the_page_of_errata_is_what_the_fixtures_say() -> None:
    cases = [read_case(folder) for folder in case_folders(EXAMPLES.parent)]
    stored = (ROOT / "docs" / "errata.md").read_text(encoding="utf-8")
    assert stored == errata_page(cases), "write it anew: sizewright test --errata -o docs/errata.md"


def test_a_case_without_errata_has_no_section() -> None:
    (case,) = (read_case(f) for f in case_folders(EXAMPLES / "case-1-departmental-nfs"))
    bare = case._replace(entries=tuple(e for e in case.entries if e[1].erratum is None))
    assert "##" in errata_page([case])
    assert "##" not in errata_page([bare])
