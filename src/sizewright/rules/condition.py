"""Conditions of rules: a checked subset of Python's expression syntax.

Rules come with guides and overlays, so their text is untrusted. It is parsed, never run: every
node must be on the allow-list of `checker`, every name must stand in the schema, and what is
compiled is a new text that calls only the functions of `intervals`.

The language: ``and or not``, comparisons (chained too), ``in`` and ``not in`` lists of texts,
``is None`` on optional facts, ``+ - * /``, the numbers 0, 1 and 2, texts, ``subject.field``,
parameters by bare name, and ``min max abs len known either``, the
last of which spans two readings of one number. An unknown fact makes what is asked of it
UNKNOWN; only ``known(x)`` and ``is None`` see through that.

An optional fact may be absent for good, so its value is used only behind a guard, ``known(x) and``
or ``not known(x) or``. Numbers in different units are neither compared nor added.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from sizewright.rules import intervals
from sizewright.rules.checker import Translator
from sizewright.rules.inference import Names, guarded
from sizewright.rules.intervals import FALSE, TRUE, Truth
from sizewright.rules.parser import ConditionError, FactType, Kind, Schema, parse

__all__ = ["Condition", "ConditionError", "FactType", "Kind", "Schema", "compile_condition"]

Run = Callable[[Mapping[str, Any]], Truth]
Bind = Callable[[Mapping[str, Any]], Run]

# All that a compiled condition can call.
_SCOPE: dict[str, object] = {
    "__builtins__": {},
    "FALSE": FALSE,
    "TRUE": TRUE,
    **{name: getattr(intervals, name) for name in intervals.HELPERS},
}


class Condition:
    """A checked condition, and what it reads.

    `names` holds the facts as (subject, field), `parameters` the names of the rule's parameters;
    `guards` the facts that are there wherever the condition is not false, a parameter among them
    as ("", name). `bind` takes the parameters by name and returns the function of the subjects, by
    name too, that evaluates the condition: records with the facts as attributes. A number is a
    float, an int, or an object with `low` and `high`; None is unknown. Both functions raise
    KeyError or AttributeError if a name of the schema is missing.
    """

    __slots__ = ("bind", "guards", "names", "parameters", "text")

    def __init__(
        self, text: str, names: Names, parameters: frozenset[str], guards: Names, bind: Bind
    ) -> None:
        self.text = text
        self.names = names
        self.parameters = parameters
        self.guards = guards
        self.bind = bind

    def __repr__(self) -> str:
        return f"<Condition {self.text!r}>"

    def evaluate(self, subjects: Mapping[str, Any], parameters: Mapping[str, Any]) -> Truth:
        """Return the truth of the condition for these subjects and parameters."""
        return self.bind(parameters)(subjects)


def compile_condition(
    text: str, schema: Schema, present: frozenset[tuple[str, str]] = frozenset()
) -> Condition:
    """Check a condition against the schema; raises ConditionError at its first fault.

    `present` names the optional facts that are there whenever this condition is asked: the
    `guards` of the condition that is asked before it.
    """
    translator = Translator(schema, present)
    try:
        tree = parse(text)
        body = translator.condition(tree)
    except ConditionError as error:
        error.text = str(text)
        raise
    bind: Bind = eval(translator.function(body), _SCOPE)
    names, parameters = frozenset(translator.names), frozenset(translator.parameters)
    return Condition(text, names, parameters, guarded(tree, True), bind)
