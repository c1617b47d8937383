"""How a console block is coloured: what is typed stands out, what is printed is left alone."""

from __future__ import annotations

from typing import ClassVar

from pygments.lexer import RegexLexer
from pygments.token import Generic, Keyword


class Console(RegexLexer):
    """Lines after a dollar sign, with those that they go on in, and all others."""

    name = "sizewright console"
    tokens: ClassVar = {
        "root": [(r"^\$ ", Generic.Prompt, "typed"), (r".*\n", Generic.Output)],
        "typed": [(r".*\\\n", Keyword), (r".*\n", Keyword, "#pop")],
    }
