"""Checks of a small box, made once."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

import site_rules
from case_reports import CASES, Reporter
from sizewright.api import check, load_engine, policy_of
from sizewright.box.reading import read_box
from sizewright.check.rule_filter import RuleFilter, resolve_filter
from sizewright.documents import parse_document
from sizewright.output.reports import CheckReport

__all__ = ["CASES", "ROOT", "SITE", "Checker", "Reporter"]

ROOT = Path(__file__).resolve().parent.parent.parent
Checker = Callable[..., CheckReport]
SITE = RuleFilter(only=site_rules.RULES)


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An overlay with rules of a site's own."""
    return site_rules.overlay(tmp_path_factory.mktemp("overlays") / "site")


@pytest.fixture(scope="session")
def checked(site: Path) -> Checker:
    """A report on the small box: by the site's rules, or others, changed by pairs of text."""
    kept: dict[object, CheckReport] = {}

    def report(
        *changes: tuple[str, str], asked: RuleFilter = SITE, name: str = "box.yaml"
    ) -> CheckReport:
        key = (changes, asked, name)
        if key not in kept:
            text = site_rules.BOX
            for old, new in changes:
                assert old in text
                text = text.replace(old, new)
            document = parse_document(text, name)
            box, engine = read_box(document), load_engine("sun-1992", (site,))
            chosen = resolve_filter(asked, engine.rule_set)
            rules = [r.id for r in engine.rule_set.rules if chosen.asks(r.id, r.severity)]
            policy = policy_of(box.policy, engine.guide)
            kept[key] = CheckReport(check(box, engine, rules), document, policy, chosen)
        return kept[key]

    return report
