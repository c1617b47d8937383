"""The page that documents the JSON of a plan, made from its schema.

`python -m sizewright.report.jsondoc` prints it.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

_HEAD = """\
# The JSON of a plan

*Made from `src/sizewright/report/plan.schema.json` by `python -m sizewright.report.jsondoc`.*

The schema is JSON Schema, draft 2020-12; an installed package carries it as
`sizewright/report/plan.schema.json`. Every key is always there, and no other key is. A change that
could break a reader raises the number at the end of the schema's name.
"""


def schema() -> dict[str, Any]:
    """The JSON Schema of `sizewright.plan/1`."""
    text = Path(__file__).with_name("plan.schema.json").read_text(encoding="utf-8")
    found: dict[str, Any] = json.loads(text)
    return found


def page() -> str:
    """The documentation of every key, as Markdown."""
    whole = schema()
    parts = [_HEAD]
    parts.append(_table("Top level", whole))
    for name, part in whole["properties"].items():
        parts.extend(_below(f"`{name}`", part))
    for name, part in whole["$defs"].items():
        if "properties" in part:
            parts.append(_table(f"A {name}", part))
            for key, inner in part["properties"].items():
                parts.extend(_below(f"`{key}` of a {name}", inner))
    return "\n".join(parts)


def _below(title: str, part: Mapping[str, Any]) -> Iterator[str]:
    inner = _object(part)
    if inner is None:
        return
    yield _table(title, inner)
    for name, child in inner["properties"].items():
        yield from _below(f"{title}, `{name}`", child)


def _object(part: Mapping[str, Any]) -> Mapping[str, Any] | None:
    """The object with keys of its own in or below an array or a choice with null."""
    while "items" in part or "anyOf" in part:
        part = part["items"] if "items" in part else part["anyOf"][0]
    return part if "properties" in part else None


def _table(title: str, part: Mapping[str, Any]) -> str:
    lines = [
        f"## {title}",
        "",
        part["description"],
        "",
        "| key | type | meaning |",
        "|---|---|---|",
    ]
    for name, child in part["properties"].items():
        values = child.get("enum")
        listed = f" One of {', '.join(f'`{value}`' for value in values)}." if values else ""
        lines.append(f"| `{name}` | {_type(child)} | {child['description']}{listed} |")
    return "\n".join((*lines, ""))


def _type(part: Mapping[str, Any]) -> str:
    if "anyOf" in part:
        return f"{_type(part['anyOf'][0])} or null"
    if "$ref" in part:
        return f"[{(name := part['$ref'].rpartition('/')[2])}](#a-{name})"
    if "items" in part:
        return f"list of {_type(part['items'])}"
    if "enum" in part or "const" in part:
        return "string"
    return str(part["type"])


if __name__ == "__main__":
    print(page(), end="")
