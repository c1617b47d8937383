"""How Sphinx makes the site; `sitebuild.build` calls it."""

from __future__ import annotations

from sphinx.application import Sphinx

from sitebuild.console import Console
from sizewright import __version__

project = "sizewright"
release = __version__
extensions = ["myst_parser"]
myst_heading_anchors = 4

html_theme = "furo"
html_title = f"sizewright {__version__}"
html_static_path = ["static"]
html_css_files = ["site.css"]
html_copy_source = False
html_show_copyright = False
html_use_index = False

# Two hyphens are an option of a command, not a dash.
smartquotes = False


def setup(app: Sphinx) -> None:
    """What a command prints is no source code, so the usual colours of a console are not."""
    app.add_lexer("console", Console)
