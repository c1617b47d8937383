"""Conditions of rules: a checked subset of Python's expression syntax.

Rules come with guides and overlays, so their text is untrusted. It is parsed, never run: every
node must be on the allow-list of `checker`, every name must be in the schema, and what is
compiled is a new text that calls only the functions of `values`.

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
from types import CodeType
from typing import Any

from sizewright.rules import values
from sizewright.rules.checker import PARAMETER, Names, Translator, guarded
from sizewright.rules.parser import ConditionError, FactType, Kind, Schema, parse
from sizewright.rules.values import FALSE, TRUE, Truth

__all__ = ["Condition", "ConditionError", "FactType", "Kind", "Schema", "compile_condition"]

Run = Callable[[Mapping[str, Any]], Truth]

# All that a compiled condition can call.
_SCOPE: dict[str, object] = {
    "__builtins__": {},
    "FALSE": FALSE,
    "TRUE": TRUE,
    **{name: getattr(values, name) for name in values.HELPERS},
}


class Condition:
    """A checked condition, and what it reads.

    `names` holds the facts as (subject, field), `parameters` the names of the rule's parameters,
    each with whether it is a number; `guards` the facts that are there wherever the condition is
    not false, a parameter among them as ("", name).
    """

    __slots__ = ("_code", "_source", "guards", "names", "parameters", "text")

    def __init__(
        self, text: str, names: Names, parameters: Mapping[str, bool], guards: Names, source: str
    ) -> None:
        self.text = text
        self.names = names
        self.parameters = parameters
        self.guards = guards
        self._source = source
        self._code: CodeType | None = None

    def __repr__(self) -> str:
        return f"<Condition {self.text!r}>"

    def bind(self, parameters: Mapping[str, Any]) -> Run:
        """Return the function of the subjects, by name, that evaluates the condition.

        Subjects are records with the facts as attributes. A number is a float, an int, or an
        object with `low` and `high`; None is unknown. Raises KeyError for a missing parameter; the
        function raises KeyError or AttributeError if a name of the schema is missing.
        """
        if self._code is None:
            # Not earlier: many rules do not apply, and their requirement is never evaluated.
            self._code = compile(f"lambda subjects: {self._source}", "<condition>", "eval")
        scope = dict(_SCOPE)
        for name, is_number in self.parameters.items():
            value = parameters[name]
            scope[PARAMETER + name] = values.number(value) if is_number else value
        run: Run = eval(self._code, scope)
        return run

    def evaluate(self, subjects: Mapping[str, Any], parameters: Mapping[str, Any]) -> Truth:
        """Return the truth of the condition for these subjects and parameters."""
        return self.bind(parameters)(subjects)


def compile_condition(
    text: str, schema: Schema, present: frozenset[tuple[str, str]] = frozenset()
) -> Condition:
    """Return a condition checked against the schema; raises ConditionError at its first error.

    `present` names the optional facts that are there whenever this condition is asked: the
    `guards` of the condition that is asked before it.
    """
    translator = Translator(schema, present)
    try:
        tree = parse(text)
        source = translator.condition(tree)
    except ConditionError as error:
        error.text = str(text)
        raise
    names = frozenset(translator.names)
    return Condition(text, names, translator.parameters, guarded(tree, True), source)
