"""Errors of inputs: where, what is wrong, what is expected, and what to try."""

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from itertools import islice
from typing import NamedTuple, TypeVar

from sizewright.limits import FAULTS_LISTED, NAMES_COMPARED, NAMES_SHOWN, SHOWN_CHARACTERS

A = TypeVar("A")
T = TypeVar("T")


class Location(NamedTuple):
    """A position in an input; line and column count from 1, None if there is none."""

    file: str
    line: int | None = None
    column: int | None = None

    def __str__(self) -> str:
        parts = (self.file, self.line, self.column)
        return ":".join(str(part) for part in parts if part is not None)


class Diagnostic(NamedTuple):
    """One thing that is wrong: the place, what is wrong, what was expected, what to try.

    `excerpt` are lines of the input that show the place.
    """

    place: Location
    what: str
    expected: str = ""
    hint: str = ""
    excerpt: tuple[str, ...] = ()

    def text(self) -> str:
        """One line, a second one for what was expected and what to try, then the excerpt."""
        first = f"{self.place}: {self.what}"
        more = [f"expected {self.expected}"] if self.expected else []
        more += [self.hint] if self.hint else []
        lines = [first, *(["  " + "; ".join(more)] if more else [])]
        lines += [f"  {line}" for line in self.excerpt]
        return "\n".join(printable(line) for line in lines)


class InputError(Exception):
    """An input cannot be used: has every fault that was found in it, each once."""

    def __init__(self, faults: Iterable[Diagnostic]) -> None:
        self.faults = tuple(sorted(dict.fromkeys(faults), key=_order))
        super().__init__(self.faults)

    def __str__(self) -> str:
        return self.text()

    def text(self) -> str:
        """List all faults by place; past a hundred they are only counted."""
        lines = [fault.text() for fault in self.faults[:FAULTS_LISTED]]
        left = len(self.faults) - len(lines)
        if left > 0:
            lines.append(f"… and {left} more")
        return "\n".join(lines)


def refusal(place: Location, what: str, expected: str = "", hint: str = "") -> InputError:
    """Return an input that cannot be used for one fault, to be raised."""
    return InputError([Diagnostic(place, what, expected, hint)])


def unknown_name(
    place: Location, kind: str, name: str, known: Iterable[str], otherwise: str = ""
) -> Diagnostic:
    """Return the error of a name that nothing has; `otherwise` is expected if there are none."""
    names = tuple(known)
    expected = f"one of {join_or(names)}" if names else otherwise
    what = f"there is no {kind} {shown(name)}"
    return Diagnostic(place, what, expected, did_you_mean(name, names))


def _order(fault: Diagnostic) -> tuple[str, int, int]:
    return fault.place.file, fault.place.line or 0, fault.place.column or 0


def nearest(name: str, allowed: Iterable[str]) -> str:
    """Return the allowed name most like `name`; "" if none is near."""
    if len(name) > SHOWN_CHARACTERS:
        return ""
    # Costs a millisecond to load, which a run without faults need not pay.
    from difflib import get_close_matches

    names: dict[str, str] = {}
    for one in islice(allowed, NAMES_COMPARED):
        names.setdefault(one.lower(), one)
    found = get_close_matches(name.lower(), names, n=1)
    return names[found[0]] if found else ""


def did_you_mean(name: str, allowed: Iterable[str]) -> str:
    """Return a question for the nearest allowed name; "" if none is near."""
    near = nearest(name, allowed)
    return f"did you mean {shown(near)}?" if near else ""


def shown(value: object) -> str:
    """Show a value as messages do: text in quotes, and nothing at length."""
    if value is None:
        return "nothing"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, dict):
        return "a mapping"
    if isinstance(value, (list, tuple)):
        return "a list"
    text = str(value)
    if len(text) > SHOWN_CHARACTERS:
        text = text[:SHOWN_CHARACTERS] + "…"
    return f"'{text}'" if isinstance(value, str) else text


def printable(text: str) -> str:
    """Escape control characters and lone surrogates, so that a terminal is safe."""
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() else ascii(c)[1:-1] for c in text)


def plural(number: float, one: str, several: str = "") -> str:
    """Return a word for one or for several things; by default with an s for several."""
    return one if number == 1 else several or f"{one}s"


def counted(number: int, one: str, several: str = "") -> str:
    """Return how many there are of something, in words: `1 rule`, `2 rules`."""
    return f"{number} {plural(number, one, several)}"


def enumerated(names: Iterable[str], joint: str = "and") -> str:
    """Every name, as in a sentence: `a, b and c`."""
    *first, last = names
    return f"{', '.join(first)} {joint} {last}" if first else last


def join_or(names: Iterable[str]) -> str:
    """List names as a sentence does: a, b or c; a long list is cut, an empty one is "none"."""
    given = list(names)
    if len(given) > NAMES_SHOWN:
        return ", ".join(given[:NAMES_SHOWN]) + ", …"
    return enumerated(given, "or") if given else "none"


class ErrorList(list[Diagnostic]):
    """What several steps found wrong with an input."""

    @contextmanager
    def catch(self) -> Iterator[None]:
        """Add the diagnostics of an InputError that the block raises, and go on after it."""
        try:
            yield
        except InputError as error:
            self.extend(error.faults)

    def for_each(self, work: Callable[[A], T], items: Iterable[A]) -> tuple[T, ...]:
        """Return the results of a function for all items that it accepts; add the errors."""
        results = []
        for item in items:
            with self.catch():
                results.append(work(item))
        return tuple(results)

    def raise_any(self) -> None:
        """Raise an InputError with all errors, if there are any."""
        if self:
            raise InputError(self)


@contextmanager
def collect_errors() -> Iterator[ErrorList]:
    """Raise one InputError at the end of the block, with all that was added to the list in it.

    Each step that may fail on its own is inside `with errors.catch():`; the last one need not be.
    """
    errors = ErrorList()
    with errors.catch():
        yield errors
    errors.raise_any()
