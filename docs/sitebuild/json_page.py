"""`python -m sitebuild.json_page` prints docs/json.md: every key of the JSON, from its schemas."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from sitebuild.markdown import code, slug, table
from sizewright.cli.files import RESULTS, schema_of

Schema = Mapping[str, Any]

_ROOT = "#/$defs/"
_HEAD = """\
# The JSON of plans, checks and comparisons

*Made from the schemas by `PYTHONPATH=docs python -m sitebuild.json_page`.*

`sizewright plan`, `check`, `explain`, `compare` and `diff` print this with `--format json`.
`sizewright schema plan` prints the JSON Schema (draft 2020-12) of a plan; the other results are
`check`, `explain`, `compare`, `across` (`compare` with `--guides`) and `diff`. Every key is always
present, unless its meaning says when it is. There are no other keys. If a change could break a
reader, the number at the end of the schema's name increases.

You can keep the output of `plan` as a lock: `sizewright plan --locked FILE` exits with 1 if today's
plan differs and shows what changed, as `sizewright diff` does for any two plans.

[check.md](check.md) describes the other formats of a check and its exit codes.
"""


def json_page() -> str:
    """Return the page: each result, and then each object in them."""
    schemas = [schema_of(kind) for kind in RESULTS]
    objects = {name: part for whole in schemas for name, part in whole["$defs"].items()}
    parts = [_HEAD, *(_section("##", code(whole["$id"]), whole, objects) for whole in schemas)]
    parts.append("## Objects\n")
    parts += (_section("###", name, objects[name], objects) for name in sorted(objects))
    return "\n".join(parts)


def _section(depth: str, title: str, part: Schema, objects: Schema) -> str:
    rows = (
        (code(name), _type(key), f"{meaning(key, objects)}{_values(key)}")
        for name, key in part["properties"].items()
    )
    return f"{depth} {title}\n\n{part['description']}\n\n{table(('key', 'type', 'meaning'), rows)}"


def meaning(key: Schema, objects: Schema) -> str:
    """Return what a key means; what says no more than its object does is said there only."""
    text: str = key.get("description") or objects[_name(key)]["description"]
    return text


def _name(key: Schema) -> str:
    name: str = key["$ref"].removeprefix(_ROOT)
    return name


def _choices(key: Schema) -> Iterator[Schema]:
    """A key's schema, or those that it is a choice or a list of."""
    if "anyOf" in key:
        for choice in key["anyOf"]:
            yield from _choices(choice)
    elif "items" in key:
        yield from _choices(key["items"])
    else:
        yield key


def _values(key: Schema) -> str:
    """The texts that are allowed; the empty one needs no naming."""
    values = [str(value) for one in _choices(key) for value in one.get("enum", ()) if value != ""]
    return f" One of {', '.join(map(code, values))}." if values else ""


def _type(key: Schema) -> str:
    if "anyOf" in key:
        return " or ".join(map(_type, key["anyOf"]))
    if "$ref" in key:
        return f"[{_name(key)}](#{slug(_name(key))})"
    if "items" in key:
        return f"list of {_type(key['items'])}"
    if isinstance(key.get("additionalProperties"), Mapping):
        return f"object of {_type(key['additionalProperties'])}"
    kinds = key["type"]
    return kinds if isinstance(kinds, str) else " or ".join(kinds)


if __name__ == "__main__":
    print(json_page(), end="")
