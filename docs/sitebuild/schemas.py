"""The fields of every kind of input file, from the JSON Schemas that editors complete by."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from sitebuild.markdown import code, plain, slug, table, toctree
from sizewright.cli.files import SCHEMAS, schema_of
from sizewright.facts.records import RECORDS

Schema = Mapping[str, Any]

_ROOT = "#/$defs/"
_WORDS = {
    "string": "text", "boolean": "flag", "integer": "whole number", "number": "number",
    "array": "list", "object": "mapping",
}  # fmt: skip
_QUANTITY = ["number", "string", "array"]


def schema_pages() -> Iterator[tuple[str, str]]:
    """Every page below the reference, by its name without the ending."""
    listed = "".join(f"* [{kind}](schemas/{kind}.md)\n" for kind in SCHEMAS)
    yield (
        "schemas",
        "# Fields of input files\n\nEvery field of every file that the program reads. `sizewright "
        "schema KIND` prints the same as JSON Schema, by which many editors complete and check a "
        f"file.\n\n{listed}\n" + toctree(f"schemas/{kind}" for kind in SCHEMAS),
    )
    for kind in SCHEMAS:
        yield f"schemas/{kind}", _page(kind, schema_of(kind))


def _page(kind: str, whole: Schema) -> str:
    parts = [f"# Fields of a {kind} file\n"]
    own = {kind: whole} if "properties" in whole else {}
    for name, part in (own | dict(whole["$defs"])).items():
        # A rule's examples give facts, which have a page of their own.
        if not (kind == "rule" and name in RECORDS):
            parts += [f"## {name}\n", *_said(part), _fields(_object(part))]
    return "\n".join(parts)


def _object(part: Schema) -> Schema:
    """The mapping among the forms that a part may have."""
    return part if "properties" in part else next(p for p in part["anyOf"] if "properties" in p)


def _said(part: Schema) -> Iterator[str]:
    if part.get("description"):
        yield f"{plain(part['description'])}\n"


def _fields(part: Schema) -> str:
    needed = part.get("required", ())
    return table(
        ("field", "takes", "required", "meaning"),
        (
            (code(name), _takes(field), "yes" if name in needed else "", _meaning(field))
            for name, field in part["properties"].items()
        ),
    )


def _meaning(field: Schema) -> str:
    return plain(field.get("description", ""))


def _takes(field: Schema) -> str:
    if "$ref" in field:
        name = field["$ref"].removeprefix(_ROOT)
        return (
            f"[facts](../facts.md#{slug(name)})" if name in RECORDS else f"[{name}](#{slug(name)})"
        )
    if "enum" in field or "const" in field:
        return ", ".join(code(str(word)) for word in field.get("enum", (field.get("const"),)))
    if "anyOf" in field:
        return _either([one for one in field["anyOf"] if one.get("type") != "null"])
    kinds = field.get("type", "object")
    if not isinstance(kinds, str):
        return " or ".join(_WORDS[kind] for kind in kinds if kind != "null")
    if kinds == "array" and "items" in field:
        return f"list of {_takes(field['items'])}"
    values = field.get("additionalProperties")
    if kinds == "object" and isinstance(values, Mapping):
        return f"mapping of names to {_takes(values)}"
    return _WORDS[kinds]


def _either(choices: Sequence[Schema]) -> str:
    if len(choices) > 1 and [one.get("type") for one in choices] == _QUANTITY:
        return "quantity"
    return " or ".join(dict.fromkeys(map(_takes, choices)))
