"""Where templates come from; whatever they print is text and never markup."""

from __future__ import annotations

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from sizewright.report.html.layout import PAD, SIZES
from sizewright.report.html.safe import visible


def environment() -> Environment:
    """The environment of all templates of this package."""
    found = Environment(
        loader=PackageLoader("sizewright.report.html"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        finalize=_finalize,
    )
    found.globals |= {"sizes": SIZES, "pad": PAD}
    return found


def plain(markup: str) -> str:
    """A finished document in letters that every program reads alike, others by their numbers."""
    return markup.encode("ascii", "xmlcharrefreplace").decode("ascii")


def _finalize(value: object) -> object:
    """What templates print, as text that a page can hold."""
    if isinstance(value, Markup):
        return value
    if isinstance(value, float):
        return f"{value:.1f}".removesuffix(".0")
    return visible(value) if isinstance(value, str) else value
