"""What a shell may complete: guides, tables, rows, rules and files."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING

import click

# Imported only if a shell completes.
if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

    from sizewright.guide.model import Guide

    Items = list[CompletionItem]
    Completer = Callable[[click.Context, click.Parameter, str], Items]

_PLATFORMS = "platforms"
# Means every guide except the input's own.
ALL = "all"


def complete_file(_ctx: click.Context, _param: click.Parameter, incomplete: str) -> Items:
    """Leave files to the shell."""
    from click.shell_completion import CompletionItem

    return [CompletionItem(incomplete, type="file")]


def _completer(find: Callable[[click.Context], Mapping[str, str]]) -> Completer:
    """Make a completer of names with descriptions; it offers nothing if finding them fails."""

    def complete(ctx: click.Context, _param: click.Parameter, incomplete: str) -> Items:
        # A message would be printed over the command line that is being typed.
        with suppress(Exception):
            return list(_matching(find(ctx), incomplete))
        return []

    return complete


def _matching(names: Mapping[str, str], incomplete: str) -> Iterable[CompletionItem]:
    from click.shell_completion import CompletionItem

    begun = incomplete.lower()
    return (CompletionItem(n, help=t) for n, t in names.items() if n.lower().startswith(begun))


def _guide(ctx: click.Context) -> Guide:
    """The guide that the options before ask for, without compiled rules."""
    from sizewright.guide.loader import default_guide, load_guide

    given = ctx.params
    return load_guide(given.get("guide") or default_guide(), given.get("overlays") or ())


def _guide_names(_ctx: click.Context) -> dict[str, str]:
    from sizewright.guide.loader import guide_ids

    return dict.fromkeys(guide_ids(), "")


def _other_guide_names(ctx: click.Context) -> dict[str, str]:
    return {ALL: "every other guide", **_guide_names(ctx)}


def _table_names(ctx: click.Context) -> dict[str, str]:
    guide = _guide(ctx)
    return {name: guide.table(name).title for name in guide.tables}


def _row_names(ctx: click.Context, table: str = "") -> dict[str, str]:
    rows = _guide(ctx).table(table or ctx.params["table"])
    return {row.id: row.text("name") for row in rows}


def _rule_names(ctx: click.Context) -> dict[str, str]:
    return {name: str(rule["title"]) for name, rule in _guide(ctx).rules.items()}


complete_guide = _completer(_guide_names)
complete_other_guide = _completer(_other_guide_names)
complete_table = _completer(_table_names)
complete_row = _completer(_row_names)
complete_platform = _completer(partial(_row_names, table=_PLATFORMS))
complete_rule = _completer(_rule_names)
