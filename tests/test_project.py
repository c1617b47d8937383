"""The papers around the program say what is true of it."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import Any

import sizewright

ROOT = Path(__file__).resolve().parent.parent
README = ROOT / "README.md"


def _project() -> dict[str, Any]:
    loaded = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    project: dict[str, Any] = loaded["project"]
    return project


def test_the_changelog_knows_this_version() -> None:
    text = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    versions = re.findall(r"^## \[([^\]]+)\]", text, re.MULTILINE)
    assert versions[0] == "Unreleased"
    assert sizewright.__version__ == versions[1]


def test_every_release_says_whose_answers_changed() -> None:
    text = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    _, *entries = re.split(r"^## ", text, flags=re.MULTILINE)
    for entry in entries:
        body = entry.partition("\n")[2].strip()
        assert not body or "### Answers that changed" in body, entry.splitlines()[0]


def test_the_readme_says_first_what_it_covers_and_how_it_is_called() -> None:
    """What a newcomer asks: for which hardware it is, and why the command is not found."""
    first = " ".join((ROOT / "README.md").read_text(encoding="utf-8").split()[:170])
    for said in ("servers of 1992 to 2005", "hardware is newer", ".venv/bin/sizewright",
                 "pipx install .", "pip install ."):  # fmt: skip
        assert said in first


def test_the_licence_is_the_one_declared() -> None:
    assert _project()["license"] == "Apache-2.0"
    text = (ROOT / "LICENSE").read_text(encoding="utf-8")
    assert "Apache License" in text
    assert "Version 2.0, January 2004" in text
    assert "END OF TERMS AND CONDITIONS" in text


def test_no_dependency_is_held_back() -> None:
    for name in _project()["dependencies"]:
        assert re.fullmatch(r"[\w.-]+>=[\d.]+", name), name


def test_links_between_pages_lead_somewhere() -> None:
    pages = [README, ROOT / "CHANGELOG.md", ROOT / "benchmarks" / "README.md"]
    pages += sorted((ROOT / "docs").rglob("*.md"))
    for page in pages:
        for target in re.findall(r"\]\(([^)#\s]+)[^)]*\)", page.read_text(encoding="utf-8")):
            if "://" not in target:
                assert (page.parent / target).exists(), f"{page.name}: {target}"
