"""Conditions of rules: a checked subset of Python's expression syntax.

Rules come with guides and overlays, so their text is untrusted. It is parsed, never run: every
node must be on the allow-list of `checker`, every name must be in the schema, and what is
compiled is a new text that calls only the functions of `values`.

The language: ``and or not``, comparisons (chained too), ``in`` and ``not in`` lists of texts,
``is None`` on optional facts, ``+ - * /``, the numbers 0, 1 and 2, texts, ``subject.field``,
parameters by bare name, and ``min max abs len known either``, the
last of which spans two readings of one number. An unknown fact makes what is asked about it
UNKNOWN; only ``known(x)`` and ``is None`` see through that.

An optional fact may be absent for good, so its value is used only behind a guard, ``known(x) and``
or ``not known(x) or``. Numbers in different units are neither compared nor added.
"""

import marshal
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from types import CodeType
from typing import Any, Final

from sizewright.rules import values
from sizewright.rules.values import FALSE, TRUE, Truth

# Facts as (subject, field), parameters as ("", name).
Names = frozenset[tuple[str, str]]
Run = Callable[[Mapping[str, Any]], Truth]

# All that a compiled condition can call.
_SCOPE: dict[str, object] = {
    "__builtins__": {},
    "FALSE": FALSE,
    "TRUE": TRUE,
    **{name: getattr(values, name) for name in values.HELPERS},
}


# What the name of a parameter begins with in a translated condition.
PARAMETER: Final = "p_"


@dataclass(eq=False, repr=False)
class Condition:
    """A checked condition, and what it reads.

    `names` holds the facts as (subject, field), `parameters` the names of the rule's parameters,
    each with whether it is a number; `guards` the facts that are there if the condition is
    not false, a parameter among them as ("", name). `divisors` are the parameters that it divides
    by. `translation` is the Python expression that it was translated into, or its code.
    """

    text: str
    names: Names
    parameters: Mapping[str, bool]
    guards: Names
    divisors: frozenset[str]
    translation: str | bytes

    def __repr__(self) -> str:
        return f"<Condition {self.text!r}>"

    def plain(self) -> tuple[Any, ...]:
        """Return what makes the same condition again, as plain data."""
        code = marshal.dumps(self._code)
        return self.text, self.names, self.parameters, self.guards, self.divisors, code

    @cached_property
    def _code(self) -> CodeType:
        """Its code; many rules do not apply, and their requirement is never evaluated."""
        made = self.translation
        code: CodeType = (
            marshal.loads(made) if isinstance(made, bytes)
            else compile(made, "<condition>", "eval")
        )  # fmt: skip
        return code

    def bind(self, parameters: Mapping[str, Any]) -> Run:
        """Return the function of the subjects, by name, that evaluates the condition.

        Subjects are records with the facts as attributes. A number is a float, an int, or an
        object with `low` and `high`; None is unknown. Raises KeyError for a missing parameter; the
        function raises KeyError or AttributeError if a name of the schema is missing.
        """
        scope = dict(_SCOPE)
        for name, is_number in self.parameters.items():
            value = parameters[name]
            scope[PARAMETER + name] = values.number(value) if is_number else value
        run: Run = eval(self._code, scope)
        return run

    def evaluate(self, subjects: Mapping[str, Any], parameters: Mapping[str, Any]) -> Truth:
        """Return the truth of the condition for these subjects and parameters."""
        return self.bind(parameters)(subjects)
