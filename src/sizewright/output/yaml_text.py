"""Plain data as YAML for people: short values on one line, others below their names."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from io import StringIO
from math import inf
from typing import Any

import yaml

from sizewright.output.layout import INDENT, WIDTH

_FLOAT = "tag:yaml.org,2002:float"
# Also the numbers that later versions of YAML know, so that a name like 1e3 stands in quotes.
_NUMBER = re.compile(r"[-+]?(?:\.[0-9]+|[0-9]+\.?[0-9]*)(?:[eE][-+]?[0-9]+)?\Z", re.ASCII)


class _Dumper(yaml.SafeDumper):
    """Writes every value out, and lists indented below their names."""

    def ignore_aliases(self, data: Any) -> bool:
        """No value is an alias of another."""
        return True

    def increase_indent(self, flow: bool = False, indentless: bool = False) -> Any:
        """Indent lists as everything else."""
        return super().increase_indent(flow, False)


def _text(dumper: _Dumper, value: str) -> Any:
    return dumper.represent_str(str(value))


def _whole(dumper: _Dumper, value: int) -> Any:
    return dumper.represent_int(int(value))


def _number(dumper: _Dumper, value: float) -> Any:
    return dumper.represent_float(float(value))


_Dumper.add_implicit_resolver(_FLOAT, _NUMBER, list("-+.0123456789"))
# Texts and numbers of a user's file know their places, and are of types of their own.
_Dumper.add_multi_representer(str, _text)
_Dumper.add_multi_representer(int, _whole)
_Dumper.add_multi_representer(float, _number)


def yaml_text(
    data: Mapping[str, Any], head: Sequence[str], remarks: Mapping[str, Sequence[str]]
) -> str:
    """A mapping under remarks; `remarks` are those above its keys."""
    return "\n".join(_parts(data, head, remarks))


def _parts(
    data: Mapping[str, Any], head: Sequence[str], remarks: Mapping[str, Sequence[str]]
) -> Iterator[str]:
    yield from map(_remark, head)
    for key, value in data.items():
        text = _dumped({key: value})
        below = "\n" in text
        if below:
            yield ""
        yield from map(_remark, remarks.get(key, ()))
        yield text


def _remark(line: str) -> str:
    return f"# {line}"


def _dumped(data: Mapping[str, Any]) -> str:
    """A mapping as YAML; in plain letters where others would trick the eye or the terminal."""
    text = _written(data, unicode=True)
    return text if text.replace("\n", "").isprintable() else _written(data, unicode=False)


def _written(data: Mapping[str, Any], unicode: bool) -> str:
    stream = StringIO()
    dumper = _Dumper(stream, allow_unicode=unicode, width=inf, sort_keys=False, indent=INDENT)
    dumper.open()
    node = dumper.represent_data(dict(data))
    _lay_out(node, 0)
    dumper.serialize(node)
    dumper.close()
    return stream.getvalue().rstrip("\n")


def _lay_out(node: Any, depth: int) -> None:
    """Put what fits on a line onto one; the mapping on top stays open."""
    if isinstance(node, yaml.ScalarNode):
        return
    plain = isinstance(node, yaml.SequenceNode) and all(
        isinstance(each, yaml.ScalarNode) for each in node.value
    )
    node.flow_style = plain or bool(depth and depth * INDENT + _length(node) <= WIDTH)
    for each in node.value:
        for part in each if isinstance(each, tuple) else (each,):
            _lay_out(part, depth + 1)


def _length(node: Any) -> int:
    """About how long a value is on one line."""
    if isinstance(node, yaml.ScalarNode):
        return len(node.value)
    gap = len(", ")
    if isinstance(node, yaml.MappingNode):
        return gap + sum(_length(key) + _length(value) + 2 * gap for key, value in node.value)
    return gap + sum(_length(each) + gap for each in node.value)
