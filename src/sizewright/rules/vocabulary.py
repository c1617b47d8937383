"""What a condition may name: the subjects with their fields, and the rule's parameters."""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum
from types import MappingProxyType
from typing import NamedTuple


class Kind(Enum):
    """The type of a fact or parameter, by the words that messages use for it."""

    NUMBER = "a number"
    TEXT = "a text"
    FLAG = "a flag"
    LIST_OF_TEXT = "a list of texts"


class FactType(NamedTuple):
    """One field or parameter: its kind, whether it may be absent, its unit, its allowed texts.

    Any fact may be unknown, and so is then what is asked of it. An optional one may also have no
    object at all, which no measuring will mend: a condition guards its value with `known`. A unit
    of "" cannot be told, and goes with any.
    """

    kind: Kind
    optional: bool = False
    unit: str = ""
    one_of: tuple[str, ...] = ()


class Schema(NamedTuple):
    """Every name that a condition may use; names that begin with ``_`` are out of reach."""

    subjects: Mapping[str, Mapping[str, FactType]]
    parameters: Mapping[str, FactType] = MappingProxyType({})
