"""The tables of fields in docs/workload.md, from the models; run as a module, it writes them anew.

A table follows each comment `<!-- fields of Volume -->`, and lists the fields of that model.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from sitebuild.markdown import code, slug, table
from sizewright.cli.files import schema_of
from sizewright.limits import NAME_CHARACTERS
from sizewright.workload.work import Serving

PAGE = Path(__file__).resolve().parent.parent / "workload.md"
_TABLE = re.compile(r"(?<=^<!-- fields of )(\w+)( -->\n\n)(?:\|.*\n)*", re.M)
_WORDS = {"string": "text", "boolean": "flag", "integer": "whole", "object": "mapping"}
_PLACE = re.compile(r"^#+ (.*)\n(?:(?!#).*\n)*?<!-- fields of (\w+) -->", re.M)
_MEANING = re.compile(r"(?P<meaning>.*?) ?(?:Default: (?P<default>.*?)\.)? ?(?:Takes a number.*)?")

_FEW = 3

Schema = Mapping[str, Any]


def with_tables(page: str) -> str:
    """The page with all its tables of fields as the models have them."""
    whole = schema_of("workload")
    models = {"Workload": whole, **whole["$defs"]}
    headings = {model: heading for heading, model in _PLACE.findall(page)}
    shared = models["NfsService"]["properties"], {*Serving.model_fields}

    def written(found: re.Match[str]) -> str:
        name = found[1]
        model = models.get(name) or models["MeasuredService"]
        left = {"said", "kind"}
        if name == "Serving":
            left |= {field for field in model["properties"] if field not in shared[1]}
        elif name.endswith("Service") and name != "NfsService":
            left |= shared[1]
        return found[1] + found[2] + table(*_rows(model, left, headings))

    return _TABLE.sub(written, page)


def _rows(
    model: Schema, left: set[str], headings: Mapping[str, str]
) -> tuple[tuple[str, ...], Iterator[tuple[str, ...]]]:
    """The head of a table of fields, and its rows."""
    needed = model.get("required", ())

    def rows() -> Iterator[tuple[str, ...]]:
        for name, field in model["properties"].items():
            words = _MEANING.fullmatch(field.get("description", ""))
            if name not in left and words:
                default = "required" if name in needed else _default(field, words["default"])
                yield code(name), _takes(field, headings), default, words["meaning"]

    return ("field", "takes", "if left out", "meaning"), rows()


def _default(field: Schema, words: str | None) -> str:
    value = field.get("default")
    if isinstance(value, bool):
        return code(str(value).lower())
    return code(str(value)) if isinstance(value, str | int | float) else words or "none"


def _takes(field: Schema, headings: Mapping[str, str]) -> str:
    if "unit" in field:
        return str(field["unit"])
    if "$ref" in field:
        model = field["$ref"].rsplit("/", 1)[1]
        heading = headings.get(model, "")
        return f"[mapping](#{slug(heading)})" if heading else "mapping"
    if "enum" in field:
        return ", ".join(field["enum"])
    if "anyOf" in field:
        kinds = (_takes(one, headings) for one in field["anyOf"] if one.get("type") != "null")
        found = tuple(dict.fromkeys(kinds))
        return " or ".join(found) if len(found) <= _FEW else "mapping"
    if field["type"] == "array":
        return f"list of {_takes(field['items'], headings)}" if "items" in field else "list"
    return "name" if field.get("maxLength") == NAME_CHARACTERS else _WORDS[field["type"]]


if __name__ == "__main__":
    PAGE.write_text(with_tables(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
