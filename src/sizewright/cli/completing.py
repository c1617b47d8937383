"""What a shell may complete: guides, tables, rows, rules and files; never a message, only less."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING

import click

# Only a shell that completes pays for the import.
if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

    from sizewright.guide.model import Guide

    Items = list[CompletionItem]
    Completer = Callable[[click.Context, click.Parameter, str], Items]

_PLATFORMS = "platforms"
# Stands for every guide but the box's own.
ALL = "all"


def files(_ctx: click.Context, _param: click.Parameter, incomplete: str) -> Items:
    """Files, which the shell itself knows best."""
    from click.shell_completion import CompletionItem

    return [CompletionItem(incomplete, type="file")]


def _named(find: Callable[[click.Context], Mapping[str, str]]) -> Completer:
    """Complete by names with what they stand for; where none can be found there are none."""

    def complete(ctx: click.Context, _param: click.Parameter, incomplete: str) -> Items:
        # A half-written line must not print a message over itself.
        with suppress(Exception):
            return list(_begun(find(ctx), incomplete))
        return []

    return complete


def _begun(names: Mapping[str, str], incomplete: str) -> Iterable[CompletionItem]:
    from click.shell_completion import CompletionItem

    begun = incomplete.lower()
    return (CompletionItem(n, help=t) for n, t in names.items() if n.lower().startswith(begun))


def _guide(ctx: click.Context) -> Guide:
    """The guide that the words before ask for, without compiling its rules."""
    from sizewright.guide.loader import load_guide
    from sizewright.guide.paths import default_guide

    given = ctx.params
    return load_guide(given.get("guide") or default_guide(), given.get("overlays") or ())


def _guide_ids(_ctx: click.Context) -> dict[str, str]:
    from sizewright.guide.paths import guide_ids

    return dict.fromkeys(guide_ids(), "")


def _other_guides(_ctx: click.Context) -> dict[str, str]:
    from sizewright.guide.paths import guide_ids

    return {ALL: "every other guide", **dict.fromkeys(guide_ids(), "")}


def _table_names(ctx: click.Context) -> dict[str, str]:
    guide = _guide(ctx)
    return {name: guide.table(name).title for name in guide.tables}


def _row_names(ctx: click.Context, table: str = "") -> dict[str, str]:
    rows = _guide(ctx).table(table or ctx.params["table"])
    return {row.id: row.text("name") for row in rows}


def _rule_names(ctx: click.Context) -> dict[str, str]:
    return {name: str(rule["title"]) for name, rule in _guide(ctx).rules.items()}


guides = _named(_guide_ids)
other_guides = _named(_other_guides)
tables = _named(_table_names)
rows = _named(_row_names)
platforms = _named(partial(_row_names, table=_PLATFORMS))
rules = _named(_rule_names)
