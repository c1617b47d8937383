"""The page that documents the JSON of plans, checks and what compares them, from their schemas.

`python -m sizewright.output.jsondoc` prints it.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

_CONTRACTS = ("plan", "check", "compare", "across", "diff")

_DEPTH = "###"
_HEAD = """\
# The JSON of plans and checks, and of what compares them

*Made from the schemas by `python -m sizewright.output.jsondoc`.*

`sizewright plan`, `check`, `compare` and `diff` print this with `--format json`. The schemas are
JSON Schema, draft 2020-12; an installed package carries them as `sizewright/output/` and the
command's name with `.schema.json`, `across` being `compare` with `--guides`. Every key is always
there, unless its meaning says when it is, and no other key is. A change that could break a reader
raises the number at the end of a schema's name.

The output of `plan` can be kept as a lock: `sizewright plan --locked FILE` exits with 1 if
today's plan differs and shows what changed, as `sizewright diff` does for any two plans.

The other forms of a check, and the meaning of its exit code, are in [check.md](check.md).
"""


def schema(command: str = "plan") -> dict[str, Any]:
    """The JSON Schema of a contract: `plan`, `check`, `compare`, `across` or `diff`."""
    text = Path(__file__).with_name(f"{command}.schema.json").read_text(encoding="utf-8")
    found: dict[str, Any] = json.loads(text)
    return found


def page() -> str:
    """The documentation of every key, as Markdown."""
    parts = [_HEAD]
    shared: dict[str, Any] = {}
    for command in _CONTRACTS:
        whole = schema(command)
        parts.append(_table("##", f"`sizewright.{command}/1`", whole))
        for name, part in whole["properties"].items():
            parts.extend(_below(f"`{name}`", part))
        shared |= whole["$defs"]
    parts.append("## What plans and checks use\n")
    for name, part in shared.items():
        if "properties" in part:
            parts.append(_table(_DEPTH, _called(name), part))
            for key, inner in part["properties"].items():
                parts.extend(_below(f"`{key}` of {_called(name).lower()}", inner))
        else:
            each = _type(part["additionalProperties"])
            parts.append(f"{_DEPTH} {_called(name)}\n\n{part['description']} Each is a {each}.\n")
    return "\n".join(parts)


def _called(name: str) -> str:
    if name.endswith("s"):
        return name.capitalize()
    return f"{'An' if name[0] in 'aeiou' else 'A'} {name}"


def _below(title: str, part: Mapping[str, Any]) -> Iterator[str]:
    inner = _object(part)
    if inner is None:
        return
    yield _table(_DEPTH, title, inner)
    for name, child in inner["properties"].items():
        yield from _below(f"{title}, `{name}`", child)


def _object(part: Mapping[str, Any]) -> Mapping[str, Any] | None:
    """The object with keys of its own in or below an array or a choice with null."""
    while "items" in part or "anyOf" in part:
        part = part["items"] if "items" in part else part["anyOf"][0]
    return part if "properties" in part else None


def _table(depth: str, title: str, part: Mapping[str, Any]) -> str:
    lines = [
        f"{depth} {title}",
        "",
        part["description"],
        "",
        "| key | type | meaning |",
        "|---|---|---|",
    ]
    for name, child in part["properties"].items():
        values = _values(child)
        listed = f" One of {', '.join(f'`{value}`' for value in values)}." if values else ""
        lines.append(f"| `{name}` | {_type(child)} | {child['description']}{listed} |")
    return "\n".join((*lines, ""))


def _values(part: Mapping[str, Any]) -> list[str]:
    """The texts that are allowed, also in a list or beside null; the empty one needs no naming."""
    while "items" in part or "anyOf" in part:
        part = part["items"] if "items" in part else part["anyOf"][0]
    return [value for value in part.get("enum", ()) if value]


def _type(part: Mapping[str, Any]) -> str:
    if "anyOf" in part:
        return f"{_type(part['anyOf'][0])} or null"
    if "$ref" in part:
        name = part["$ref"].rpartition("/")[2]
        return f"[{name}](#{_called(name).lower().replace(' ', '-')})"
    if "items" in part:
        return f"list of {_type(part['items'])}"
    if "enum" in part or "const" in part:
        return "string"
    return part["type"] if isinstance(part["type"], str) else " or ".join(part["type"])


if __name__ == "__main__":
    print(page(), end="")
